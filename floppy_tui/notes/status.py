"""Status files: two of what is true now, within a limit, and a journal that is only ever appended to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from floppy_tui.notes.code import code_spans
from floppy_tui.notes.fences import unclosed
from floppy_tui.notes.front import read_front
from floppy_tui.notes.index import chars_of
from floppy_tui.notes.planned import Impossible
from floppy_tui.notes.quota import warns_from
from floppy_tui.text.lines import bare, is_blank, main_eol, split_lines

_HEADING = re.compile(r" {0,3}(?P<marks>#{1,6})(?:[ \t]+(?P<words>.*?))?(?:[ \t]+#+)?[ \t]*")
_LEVEL = 2
"""Of a section of a journal that has none yet."""


class StatusKind(StrEnum):
    """The three genres of status files."""

    NOW = "now"
    """The project's current state."""
    PERSONAL = "personal"
    """One person's current state on one machine."""
    JOURNAL = "journal"


@dataclass(frozen=True)
class StatusFile:
    """One status file as it was read."""

    kind: StatusKind
    path: str
    """As it is shown: relative to the repository."""
    text: str | None
    """None where there is no such file yet."""
    limit: int | None = None
    """In characters; None where there is none."""

    @cached_property
    def chars(self) -> int:
        """Its size in characters, one line end per line."""
        return chars_of(self.text or "")

    @property
    def over(self) -> bool:
        """Whether it is larger than its limit."""
        return self.limit is not None and self.chars > self.limit

    @property
    def near(self) -> bool:
        """Whether it comes near its limit, and is not over it."""
        return self.limit is not None and warns_from(self.limit) < self.chars <= self.limit

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """Its sections."""
        return sections(self.text or "")


class Section(NamedTuple):
    """A heading and what stands below it, sections of a deeper level included."""

    heading: str
    line: int
    """From 1."""
    start: int
    """Of the heading's line in the text."""
    end: int
    level: int


def sections(text: str) -> tuple[Section, ...]:
    """The sections of ``text``, in order."""
    found = list(_headings(text))
    out = []
    for n, (heading, line, start, level) in enumerate(found):
        end = next((s for _, _, s, other in found[n + 1 :] if other <= level), len(text))
        out.append(Section(heading, line, start, end, level))
    return tuple(out)


def _headings(text: str) -> Iterator[tuple[str, int, int, int]]:
    front = read_front(text)
    body = front.body if front else 0
    code = list(code_spans(text, body))
    at = n = 0
    for number, line in enumerate(split_lines(text), 1):
        start, at = at, at + len(line)
        while n < len(code) and code[n][1] <= start:
            n += 1
        if start < body or (n < len(code) and code[n][0] <= start):
            continue
        match = _HEADING.fullmatch(bare(line))
        if match is not None:
            yield (match["words"] or "").strip(), number, start, len(match["marks"])


def append_to(text: str, heading: str | None, words: str) -> str:
    """The journal ``text`` with ``words`` at the end of the section ``heading``, or of the whole for None.

    A heading that is not there yet becomes a new section at the end. What stood before is not touched.
    Raises ``Impossible`` where the place lies in a fence that is never closed.
    """
    words = words.strip("\r\n")
    if not words.strip():
        raise Impossible("There is nothing to append; write what the journal shall keep.")
    eol = main_eol(text)
    words = eol.join(bare(line) for line in split_lines(words))
    there = sections(text)
    at = len(text)
    if heading is not None:
        heading = " ".join(heading.split())
        own = [s for s in there if s.heading == heading]
        if own:
            at = own[-1].end
        else:
            level = next((s.level for s in reversed(there) if s.level >= _LEVEL), _LEVEL)
            words = f"{'#' * level} {heading}{eol}{eol}{words}"
    above = text[:at]
    while (lines := split_lines(above)) and is_blank(lines[-1]):
        above = above[: -len(lines[-1])]
    if any(a < len(above) <= b and unclosed(above[a:b]) for a, b in code_spans(above)):
        raise Impossible("A fence in the journal is never closed, so nothing can follow it; close it first.")
    below = text[len(above) :]
    if above and not above.endswith("\n"):
        return f"{above}{eol}{eol}{words}{below}"
    return f"{above}{eol if above else ''}{words}{eol}{below}"


def dated(day: date, title: str = "") -> str:
    """The heading of a journal section of ``day``."""
    return f"{day.isoformat()} — {' '.join(title.split())}" if title.strip() else day.isoformat()
