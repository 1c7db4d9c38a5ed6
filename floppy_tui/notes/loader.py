"""Where the session loader cuts ``MEMORY.md``: what stands below is never read, and nobody says so."""

from __future__ import annotations

import re
from dataclasses import dataclass

from floppy_tui.notes.front import read_front
from floppy_tui.notes.index import Index, Pointer, chars_of
from floppy_tui.notes.profiles import Config, Profile
from floppy_tui.text.lines import bare, split_lines

LINES_MAX = 200
UNITS_MAX = 25_000
"""UTF-16 code units."""
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_COMMENT = re.compile(r" {0,3}<!--")


@dataclass(frozen=True)
class Cut:
    """How much of the router is loaded."""

    measure: str
    """What is counted, in words: ``characters``, ``lines`` or ``UTF-16 units``."""
    used: int
    limit: int
    """Of the measure that is nearest to its end, or over it first."""
    line: int | None
    """The first line (from 1) that is not loaded; None where all of it is."""
    offset: int | None
    """Where that line starts in the text."""
    lost: tuple[Pointer, ...] = ()
    """The pointers below the cut."""

    @property
    def over(self) -> bool:
        """Whether anything is lost."""
        return self.line is not None


def units_of(text: str) -> int:
    """UTF-16 code units of ``text``."""
    return len(text) if text.isascii() else sum(2 if c > "\uffff" else 1 for c in text)


def find_cut(router: Index, profile: Profile, config: Config) -> Cut:
    """Where the loader of ``profile`` cuts ``router``, at the line break before the limit."""
    return _auto(router) if profile is Profile.AUTO else _floppy(router, config.index_chars_max)


def _floppy(router: Index, limit: int) -> Cut:
    used = at = 0
    where: tuple[int, int] | None = None
    for number, line in enumerate(split_lines(router.text), 1):
        used += chars_of(line)
        if used > limit and where is None:
            where = number, at
        at += len(line)
    return _cut(router, "characters", used, limit, where)


def _auto(router: Index) -> Cut:
    units = lines = at = 0
    where: tuple[int, int] | None = None
    first = ""
    counted = _counted(router.text)
    for number, line in enumerate(split_lines(router.text), 1):
        said = counted.get(number, bare(line))
        if said is not None:
            units += units_of(said) + 1
            lines += 1
            if where is None and (lines > LINES_MAX or units > UNITS_MAX):
                where = number, at
                first = "lines" if lines > LINES_MAX else "UTF-16 units"
        at += len(line)
    if first == "lines" or (not first and lines * UNITS_MAX >= units * LINES_MAX):
        return _cut(router, "lines", lines, LINES_MAX, where)
    return _cut(router, "UTF-16 units", units, UNITS_MAX, where)


def _cut(router: Index, measure: str, used: int, limit: int, where: tuple[int, int] | None) -> Cut:
    if where is None:
        return Cut(measure, used, limit, None, None)
    lost = tuple(p for p in router.pointers if p.line >= where[0])
    return Cut(measure, used, limit, *where, lost)


def _counted(text: str) -> dict[int, str | None]:
    """What counts of the lines that do not count whole: front matter and block HTML comments, outside fences.

    None is nothing at all. What stands beside a comment on its lines counts; one that is never closed is
    none.
    """
    found: dict[int, str | None] = {}
    front = read_front(text)
    last = text.rfind("-->")
    at, fence, comment = 0, "", False
    for number, line in enumerate(split_lines(text), 1):
        start, at = at, at + len(line)
        if front is not None and start < front.body:
            found[number] = None
            continue
        said = bare(line)
        match = None if comment else _FENCE.match(said)
        if fence:
            if match and match[1].startswith(fence) and not said[match.end() :].strip():
                fence = ""
        elif match and not (match[1][0] == "`" and "`" in said[match.end() :]):
            fence = match[1]
        elif comment or _COMMENT.match(said):
            shown, comment = _beside_comments(said, last - start, comment)
            found[number] = shown if shown.strip() else None
    return found


def _beside_comments(line: str, last: int, comment: bool) -> tuple[str, bool]:
    """What of ``line`` is no comment, and whether one goes on below it; no comment ends beyond ``last``."""
    shown, at = "", 0
    while True:
        if comment:
            end = line.find("-->", at)
            if end < 0:
                return shown, True
            at = end + 3
        opening = line.find("<!--", at)
        if opening < 0 or opening + 4 > last:
            return shown + line[at:], False
        shown += line[at:opening]
        at, comment = opening + 4, True
