"""``quota.lock``: how large a memory may become, measured on it, raised only with the notes that need it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from floppy_tui.notes.profiles import digits, lines_of, read_values
from floppy_tui.text.lines import Splice, bare, main_eol, splice, split_lines

FILE = "quota.lock"
POINTER_LINE_MAX = 170
"""Characters of a pointer line where no quota says otherwise."""
ROOT = "root"
"""How the notes directly in the memory directory are called among the halves."""
HALF = "half_chars_max."
NUMBERS = ("chars_max", "note_chars_max", "pointers_max", "pointer_line_max")
_NUMBER = re.compile(r"[0-9]+")
_WARN = 96
"""Percent of a ceiling from which on there is a warning."""


class BadNumber(NamedTuple):
    """A value that is no number."""

    key: str
    value: str
    line: int


@dataclass(frozen=True)
class Quota:
    """The ceilings, in characters (``pointers_max`` in pointer lines); None where there is none."""

    chars_max: int | None = None
    note_chars_max: int | None = None
    pointers_max: int | None = None
    pointer_line_max: int | None = None
    halves: Mapping[str, int] = field(default_factory=dict)
    grandfathered: frozenset[str] = frozenset()
    """Paths of notes that may stay over ``note_chars_max``."""
    bad: tuple[BadNumber, ...] = ()
    lines: Mapping[str, int] = field(default_factory=dict)
    """The line, from 1, that each key of the file stands in first."""

    def ceiling(self, key: str) -> int | None:
        """The number of a key of the file, such as ``chars_max`` or ``half_chars_max.yard``."""
        if key.startswith(HALF):
            return self.halves.get(key.removeprefix(HALF))
        value: int | None = getattr(self, key) if key in NUMBERS else None
        return value


def warns_from(ceiling: int) -> int:
    """The size above which a ceiling warns (integer arithmetic)."""
    return ceiling * _WARN // 100


def half_of(path: str) -> str:
    """The half that the note ``path`` counts toward."""
    half, slash, _ = path.partition("/")
    return half if slash else ROOT


def read_quota(text: str) -> Quota:
    """The ceilings that ``text`` sets; values that are no numbers are named and set none."""
    values = read_values(text)
    lines = lines_of(text)
    numbers: dict[str, int] = {}
    halves: dict[str, int] = {}
    bad: list[BadNumber] = []
    for key, value in values.items():
        if key not in NUMBERS and not key.startswith(HALF):
            continue
        if not _NUMBER.fullmatch(value):
            bad.append(BadNumber(key, value, lines.get(key, 1)))
        elif key in NUMBERS:
            numbers[key] = digits(value)
        else:
            halves[key.removeprefix(HALF)] = digits(value)
    listed = values.get("grandfathered", "").split(",")
    return Quota(
        **numbers,
        halves=halves,
        grandfathered=frozenset(path.strip() for path in listed if path.strip()),
        bad=tuple(bad),
        lines=lines,
    )


def with_number(text: str, key: str, number: int) -> str:
    """``text`` with ``key`` set to ``number``, where it stands or in a line of its own at the end."""
    at = 0
    for line in split_lines(text):
        before, equals, value = bare(line).partition("=")
        if equals and before.strip(" \t\ufeff") == key:
            inner = value.strip()
            start = at + len(before) + 1 + (value.index(inner) if inner else 0)
            return splice(text, [Splice(start, start + len(inner), str(number))])
        at += len(line)
    eol = main_eol(text)
    lead = "" if not text or text.endswith("\n") else eol
    return f"{text}{lead}{key}={number}{eol}"


def raised(before: str | None, after: str | None) -> tuple[str, ...]:
    """The keys of ``quota.lock`` whose ceiling is higher in ``after``, or gone from it."""
    old, new = read_quota(before or ""), read_quota(after or "")
    keys = [*NUMBERS, *(HALF + half for half in old.halves)]
    found = []
    for key in keys:
        was, now = old.ceiling(key), new.ceiling(key)
        if was is not None and (now is None or now > was):
            found.append(key)
    return tuple(found)
