"""The two profiles of a note tree, and what ``.floppy/config`` says of one.

The configuration is flat ``key=value``: the first line of a key counts, blanks around the value do not.
Source of keys and defaults: the floppy convention, whose other readers are shell scripts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from floppy_tui.text.lines import bare, split_lines


class Profile(StrEnum):
    """Which convention a note tree keeps."""

    FLOPPY = "floppy"
    """A repository's memory, with halves, quotas and evidence."""
    AUTO = "auto-memory"
    """A bare directory with a ``MEMORY.md`` and notes beside it, as coding agents keep by themselves."""


MEMORY_DIR = ".agent-memory"
INDEX_CHARS_MAX = 24_500
"""Characters of ``MEMORY.md`` until the session loader of a floppy repository drops its tail."""
NOTE_STALE_DAYS = 180
STATUSES_NOW = "docs/statuses/NOW.md"
STATUSES_NOW_CHARS_MAX = 12_000
STATUS_NAME = "NOW.md"
COMMON = "common"
"""The scope of facts about no single project; its name is fixed."""

_PLAIN = re.compile(r"[A-Za-z0-9._-]+")
_NUMBER = re.compile(r"[0-9]+")


class ConfigProblem(NamedTuple):
    """A value that does not count: which key, what it said, and the sentence."""

    key: str
    value: str
    message: str
    line: int = 0
    """Of ``.floppy/config``, from 1."""


@dataclass(frozen=True)
class Config:
    """What a repository's ``.floppy/config`` settles, defaults where it says nothing."""

    memory_dir: str = MEMORY_DIR
    private_dir: str = "private"
    """The name of the private scope below the memory directory."""
    index_chars_max: int = INDEX_CHARS_MAX
    note_stale_days: int = NOTE_STALE_DAYS
    push: bool = True
    """``commit_push``: whether a commit is followed by a pull with rebase and a push."""
    statuses_now: str = STATUSES_NOW
    """The project's current-state file, relative to the repository."""
    statuses_now_chars_max: int = STATUSES_NOW_CHARS_MAX
    statuses_personal: str = ""
    """One person's current-state file, relative to the repository; ``""`` for the default place."""
    machine_key: str = ""
    project_key: str = ""
    """The project's name in the repository that stores its memory."""
    language: str = "en"
    """The language of the notes; it decides nothing about ours."""
    problems: tuple[ConfigProblem, ...] = ()
    values: Mapping[str, str] = field(default_factory=dict)
    """Every key as it stands."""

    @property
    def status_name(self) -> str:
        """The base name of personal status files, which are no notes."""
        return (self.statuses_personal or STATUS_NAME).rsplit("/", 1)[-1]

    def personal_path(self, machine: str) -> str:
        """Where the personal status file of ``machine`` (a host name) lies, relative to the repository."""
        if self.statuses_personal:
            return self.statuses_personal
        name = (self.machine_key or machine or "unknown").split(".", 1)[0].replace("/", "-")
        return f"{self.memory_dir}/{self.private_dir}/machines/{name}/{STATUS_NAME}"


def read_values(text: str) -> dict[str, str]:
    """The ``key=value`` lines of ``text``, the first of each key."""
    found: dict[str, str] = {}
    for line in split_lines(text):
        key, equals, value = bare(line).partition("=")
        key = key.strip(" \t\ufeff")
        if equals and key:
            found.setdefault(key, value.strip())
    return found


def digits(value: str) -> int:
    """The number that ``value``, which is all digits, says; one beyond any size there is stays beyond it."""
    significant = value.lstrip("0")
    return int(significant[:18] or "0")


def lines_of(text: str) -> dict[str, int]:
    """The line, from 1, in which each key of the ``key=value`` lines of ``text`` stands first."""
    found: dict[str, int] = {}
    for number, line in enumerate(split_lines(text), 1):
        key, equals, _ = bare(line).partition("=")
        if equals:
            found.setdefault(key.strip(" \t\ufeff"), number)
    return found


def read_config(text: str) -> Config:
    """The configuration that ``text`` says; what does not count is among its ``problems``."""
    values = read_values(text)
    lines = lines_of(text)
    problems: list[ConfigProblem] = []

    def number(key: str, default: int) -> int:
        value = values.get(key, "")
        if key not in values:
            return default
        if _NUMBER.fullmatch(value):
            return digits(value)
        said = f"{key} is '{value}' in .floppy/config, which is no number; {default:,} is used."
        problems.append(ConfigProblem(key, value, said, lines[key]))
        return default

    private = values.get("memory_private_dir", "private")
    if not _PLAIN.fullmatch(private) or private in (".", ".."):
        said = f"memory_private_dir is '{private}', which is no plain directory name; private is used."
        problems.append(ConfigProblem("memory_private_dir", private, said, lines["memory_private_dir"]))
        private = "private"
    push = values.get("commit_push", "auto")
    if push not in ("auto", "never"):
        said = f"commit_push is '{push}', which is neither auto nor never; nothing is pushed."
        problems.append(ConfigProblem("commit_push", push, said, lines["commit_push"]))
    project = values.get("project_key", "")
    return Config(
        memory_dir=values.get("memory_dir") or MEMORY_DIR,
        private_dir=private,
        index_chars_max=number("index_chars_max", INDEX_CHARS_MAX),
        note_stale_days=number("note_stale_days", NOTE_STALE_DAYS),
        push=push == "auto",
        statuses_now=values.get("statuses_now") or STATUSES_NOW,
        statuses_now_chars_max=number("statuses_now_chars_max", STATUSES_NOW_CHARS_MAX),
        statuses_personal=values.get("statuses_personal", ""),
        machine_key=values.get("machine_key", ""),
        project_key=values.get("memory_project_key") or project,
        language=values.get("memory_language") or "en",
        problems=tuple(problems),
        values=values,
    )
