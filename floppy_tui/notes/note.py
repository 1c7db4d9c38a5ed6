"""One note: front matter and text, its fields as the line-based readers see them, its links and its size."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cached_property
from typing import Any

from floppy_tui.notes.front import Front, read_front
from floppy_tui.notes.index import chars_of
from floppy_tui.notes.links import Link, links_in
from floppy_tui.text.dates import parse_date


class Kind(StrEnum):
    """``metadata.type``: what a note is about."""

    USER = "user"
    FEEDBACK = "feedback"
    PROJECT = "project"
    REFERENCE = "reference"


class Evidence(StrEnum):
    """``metadata.evidence``: where a claim comes from, strongest first."""

    MEASURED = "measured"
    SOURCED = "sourced"
    DECIDED = "decided"
    READ = "read"


class Scope(StrEnum):
    """Which corpus a note belongs to."""

    OWN = "own"
    PRIVATE = "private"
    COMMON = "common"


@dataclass(frozen=True)
class Note:
    """One fact."""

    path: str
    """Below the memory directory, such as ``yard/rope-length.md``."""
    text: str
    scope: Scope = Scope.OWN
    linked: bool = False
    """Whether it is reached through a symbolic link, so that nothing here writes it."""

    @cached_property
    def front(self) -> Front | None:
        """Its front matter."""
        return read_front(self.text)

    def _value(self, key: str) -> str:
        return self.front.value(key) if self.front else ""

    @property
    def stem(self) -> str:
        """The file name without ``.md``."""
        return posixpath.basename(self.path).removesuffix(".md")

    @property
    def name(self) -> str:
        """The ``name`` field: its slug."""
        return self._value("name")

    @property
    def slug(self) -> str:
        """What it is referred to by: its name, or its file name where it has none."""
        return self.name or self.stem

    @property
    def description(self) -> str:
        """The ``description`` field."""
        return self._value("description")

    @property
    def type(self) -> str:
        """``metadata.type``, else a flat ``type``; as it stands, known or not."""
        return self._value("metadata.type") or self._value("type")

    @property
    def evidence(self) -> str:
        """``metadata.evidence`` as it stands."""
        return self._value("metadata.evidence")

    @property
    def as_of(self) -> str:
        """``metadata.as_of`` as it stands."""
        return self._value("metadata.as_of")

    @property
    def day(self) -> date | None:
        """The day that ``as_of`` says, None where it says none."""
        return parse_date(self.as_of)

    def age(self, today: date) -> int | None:
        """Days since its evidence, never below 0; None where it is undated."""
        return None if self.day is None else max(0, (today - self.day).days)

    @property
    def body_start(self) -> int:
        """Where its text begins, after the front matter."""
        return self.front.body if self.front else 0

    @property
    def body(self) -> str:
        """Its text after the front matter."""
        return self.text[self.body_start :]

    @cached_property
    def chars(self) -> int:
        """Its size in characters, one line end per line."""
        return chars_of(self.text)

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """Its ``[[links]]``, in order."""
        return links_in(self.text, self.body_start)

    @cached_property
    def whole(self) -> Mapping[str, Any]:
        """All of its front matter as YAML reads it; empty where it cannot."""
        from floppy_tui.notes.yaml import read_yaml

        return read_yaml(self.text).values
