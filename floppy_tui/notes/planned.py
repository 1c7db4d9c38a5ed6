"""An act on a note tree as it is planned: which files change, to the byte, and what a commit says of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class Impossible(Exception):
    """What an act cannot do here; its ``str`` is one sentence for the captain: what, where, what to do."""


class Edit(NamedTuple):
    """One file of an act; None is an absent file. A renamed one is two of them."""

    before: str | None
    after: str | None


@dataclass(frozen=True)
class Planned:
    """One act, worked out on one reading of the tree."""

    act: str
    """What it is, in words, such as ``rename oven to east-oven``: the journal's and the dialog's."""
    edits: Mapping[str, Edit]
    """By path below the memory directory; only files that change."""
    message: str = ""
    """What a commit of it says: a subject line, and a body where there is something to explain."""
    whole: tuple[str, ...] = ()
    """Indexes that are rewritten as a whole, which happens only under the wrap lock."""
    notes: tuple[str, ...] = field(default=())
    """What the captain should know, in sentences, such as a link in another repository that stays."""

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that it touches."""
        return tuple(sorted(self.edits))
