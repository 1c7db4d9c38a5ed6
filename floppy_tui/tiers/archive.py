"""The archive: what left memory, read back from ``memory-archive.md`` as leniently as it is written strictly.

An item is a bullet at column 0 with everything indented under it. One that begins ``(from <file>, …)``
and ends ``[archived: <reason>]`` is of known provenance; every other bullet, paragraph or fence is an item
of unknown provenance, shown as it stands. Headings, comments, rules and the paragraph under the title are
structure. No marker in an archive is live.

Reading goes line by line and looks at each line a bounded number of times, so that it bears archives of
any size. Structure counts at column 0 only: what an item quotes is indented and can never be taken for it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import NamedTuple

from floppy_tui.text.dates import parse_date
from floppy_tui.text.lines import BOM
from floppy_tui.tiers.archive_item import (
    ARCHIVED,
    FROM,
    INDENT,
    ArchivedItem,
    Provenance,
    parse_quoted,
    unquoted,
)
from floppy_tui.tiers.document import Finding
from floppy_tui.tiers.markers import without_markers

BULLETED = f"- {FROM}"

_BLANKS = " \t\r"
_HASHES = re.compile(r"#{1,6}(?=[ \t]|\Z)")
_FENCE = re.compile(r"`{3,}(?=[^`]*\Z)|~{3,}")
_FENCE_END = re.compile(r"(`{3,}|~{3,})[ \t]*")
_RULE = re.compile(r"(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,}")
_BULLET = re.compile(r"( {0,3})(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]+|\Z)")
_INTERRUPTING_BULLET = re.compile(r"(?:[-*+]|1[.)])[ \t]")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")


class PassItems(NamedTuple):
    """The items under one heading, in file order; a heading without items has none."""

    heading: str
    items: tuple[ArchivedItem, ...]


@dataclass(frozen=True)
class Archive:
    """A whole archive as read; ``text`` is what was read, to the byte."""

    text: str
    items: tuple[ArchivedItem, ...]
    """In file order."""
    passes: tuple[PassItems, ...]
    """In file order; the first may be headed ``""``."""
    findings: tuple[Finding, ...]
    last_heading: str
    """The last heading as spelled (``## 2026-08-08 stow``); ``""`` where there is none."""
    open_fence: str
    """The fence that nothing closes before the end of the file (its backticks or tildes), or ``""``."""
    cut_fence: bool
    """Whether a fence that nothing closes was ended by a pass or item that follows it."""

    @cached_property
    def folded(self) -> tuple[str, ...]:
        """What words are looked for in, case folded, one text an item; made once, at the first search."""
        return tuple(searched(item).casefold() for item in self.items)


def searched(item: ArchivedItem) -> str:
    """The text of ``item`` that a search goes through: prose first, then where it stands and why."""
    return f"{item.prose}\n{item.heading}\n{item.source}\n{item.tier}\n{item.reason}"


def read_archive(text: str) -> Archive:
    """Read an archive of any origin; never raises, drops no bullet, paragraph or fence, changes no byte.

    A fence that nothing closes ends before the next dated heading or documented item, and a comment that
    nothing closes is text: neither may swallow later passes.
    """
    return _Reader(text).read()


def day_of(heading: str) -> date | None:
    """The day that ``heading`` begins with, if it is a real one."""
    found = _DAY.match(heading)
    return parse_date(found[0]) if found else None


def _heading(line: str) -> tuple[int, str] | None:
    """Level and text of an ATX heading at column 0."""
    hashes = _HASHES.match(line)
    if hashes is None:
        return None
    text = line[hashes.end() :].strip(_BLANKS)
    opened = text.rstrip("#")
    if opened != text and (not opened or opened[-1] in " \t"):
        text = opened.rstrip(_BLANKS)
    return hashes.end(), text


def _starts_pass(line: str) -> bool:
    """Whether ``line`` begins what no unclosed block may swallow: a dated heading or a documented item."""
    if line.startswith(BULLETED):
        return True
    heading = _heading(line) if line.startswith("#") else None
    return heading is not None and day_of(heading[1]) is not None


class _Reader:
    """One reading of one archive, front to back; each method reads a block and returns the line after it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.raw = text.removeprefix(BOM).split("\n")
        self.unended = bool(self.raw[-1])
        if not self.unended:
            self.raw.pop()
        self.lines = [line.removesuffix("\r") for line in self.raw] if "\r" in text else self.raw
        self.items: list[ArchivedItem] = []
        self.findings: list[Finding] = []
        self.heads: list[tuple[str, int]] = []
        """Text and first item of each group."""
        self.heading = ""
        self.day: date | None = None
        self.latest: date | None = None
        self.last_heading = ""
        self.last_heading_at = 0
        self.under_title = False
        self.open_fence = ""
        self.cut_fence = False
        self.unclosed_to = 0
        """No one-line comment that opens before this line is closed."""
        self.provenances: dict[str, Provenance] = {}

    def read(self) -> Archive:
        at = 0
        while at < len(self.lines):
            line = self.lines[at]
            if line.startswith(BULLETED):
                at = self.item(at, 0, 2)
            elif not line.strip(_BLANKS):
                at += 1
            else:
                at = self.block(at, line)
        if self.heads and self.heads[0][1] > 0:
            self.heads.insert(0, ("", 0))
        elif self.items and not self.heads:
            self.heads = [("", 0)]
        starts = [start for _, start in self.heads] + [len(self.items)]
        passes = [
            PassItems(heading, tuple(self.items[starts[n] : starts[n + 1]]))
            for n, (heading, _) in enumerate(self.heads)
        ]
        self.find(passes)
        return Archive(
            self.text,
            tuple(self.items),
            tuple(passes),
            tuple(sorted(self.findings, key=lambda finding: finding.line)),
            self.last_heading,
            self.open_fence,
            self.cut_fence,
        )

    def block(self, at: int, line: str) -> int:
        """Read what begins at a line that is neither blank nor a documented item."""
        heading = _heading(line) if line.startswith("#") else None
        if heading is not None:
            return self.section(at, *heading)
        fence = _FENCE.match(line)
        if fence is not None:
            return self.fence(at, fence[0])
        if line.startswith("<!--") and (end := self.comment(at)):
            return end
        if _RULE.fullmatch(line):
            return at + 1
        bullet = _BULLET.match(line)
        if bullet is not None:
            return self.item(at, bullet.end(1), bullet.end())
        return self.paragraph(at)

    def section(self, at: int, level: int, text: str) -> int:
        first = not self.last_heading and not self.items
        self.under_title = first and level == 1 and day_of(text) is None
        self.last_heading, self.last_heading_at = f"{'#' * level} {text}", at
        if self.under_title:
            return at + 1
        self.heading, self.day = text, day_of(text)
        self.heads.append((text, len(self.items)))
        if self.day is not None:
            if self.latest is not None and self.day < self.latest:
                self.found("passes-out-of-order", at, f"The pass {text!r} stands below a later one.")
            self.latest = max(self.day, self.latest or self.day)
        return at + 1

    def paragraph(self, at: int) -> int:
        end = at + 1
        while end < len(self.lines) and not self.interrupts(self.lines[end], _INTERRUPTING_BULLET):
            end += 1
        if not self.under_title:
            self.add(at, end, "\n".join(self.ended(at, end)))
        self.under_title = False
        return end

    def interrupts(self, line: str, bullet: re.Pattern[str]) -> bool:
        """Whether ``line`` ends the paragraph before it."""
        if not line.strip(_BLANKS) or line.startswith("<!--"):
            return True
        if line[0] == "#":
            return _heading(line) is not None
        return bool(_FENCE.match(line) or bullet.match(line) or _RULE.fullmatch(line))

    def fence(self, at: int, mark: str) -> int:
        """A fence is an item of its own, up to the line that closes it."""
        end = self.fence_end(at, mark)
        if end is None:
            self.found("unclosed-fence", at, "A fence opens here and nothing closes it.")
            end = at + 1
            while end < len(self.lines) and not _starts_pass(self.lines[end]):
                end += 1
            if end < len(self.lines):
                self.cut_fence = True
            else:
                self.open_fence = mark
        last = end
        while not self.lines[last - 1].strip(_BLANKS):
            last -= 1
        self.add(at, last, "\n".join(self.ended(at, last)))
        return end

    @cached_property
    def fence_ends(self) -> dict[str, tuple[list[int], list[int], list[int]]]:
        """For each kind of fence: the lines that can close one, their lengths, the longest from there on."""
        found: dict[str, tuple[list[int], list[int], list[int]]] = {"`": ([], [], []), "~": ([], [], [])}
        for at, line in enumerate(self.lines):
            if line[:3] in ("```", "~~~") and (end := _FENCE_END.fullmatch(line)):
                found[line[0]][0].append(at)
                found[line[0]][1].append(len(end[1]))
        for _, lengths, longest in found.values():
            most = 0
            for length in reversed(lengths):
                most = max(most, length)
                longest.append(most)
            longest.reverse()
        return found

    def fence_end(self, at: int, mark: str) -> int | None:
        """The line after the one that closes the fence at ``at``; None where none does."""
        places, lengths, longest = self.fence_ends[mark[0]]
        n = bisect_right(places, at)
        if n == len(places) or longest[n] < len(mark):
            return None
        while lengths[n] < len(mark):
            n += 1
        return places[n] + 1

    @cached_property
    def comment_ends(self) -> list[int]:
        """The lines that are exactly ``-->``."""
        return [at for at, line in enumerate(self.lines) if line == "-->"]

    def comment(self, at: int) -> int | None:
        """The line after the comment that opens at ``at``; None where it is text after all."""
        line = self.lines[at]
        if line == "<!--":
            n = bisect_right(self.comment_ends, at)
            if n < len(self.comment_ends):
                return self.comment_ends[n] + 1
            self.found("unclosed-comment", at, "A comment opens here and no line --> closes it.")
            return None
        if "-->" in line:
            return at + 1 if line.rstrip(_BLANKS).endswith("-->") else None
        if at < self.unclosed_to:
            return None
        for end in range(at + 1, len(self.lines)):
            line = self.lines[end]
            if line.startswith(BULLETED) or _heading(line):
                break
            if "-->" in line:
                # Words after the comment are read as a paragraph of their own.
                return end + 1 if line.rstrip(_BLANKS).endswith("-->") else end
        else:
            end = len(self.lines)
        self.unclosed_to = end
        self.found("unclosed-comment", at, "A comment opens here and nothing closes it.")
        return None

    def item(self, at: int, indent: int, offset: int) -> int:
        """A bullet at ``indent`` whose text begins at ``offset``, with the lines indented under it."""
        lines = self.lines
        inner = INDENT if not indent else " " * (indent + 2)
        end = ahead = seen = at + 1
        closed = ARCHIVED in lines[at]
        while ahead < len(lines):
            line = lines[ahead]
            if line.startswith(BULLETED):
                break
            if not line.strip(_BLANKS):
                ahead += 1
            elif line.startswith((inner, "\t")):
                ahead += 1
                end = ahead
            elif ahead == end and not self.interrupts(line, _BULLET):
                # A line that someone wrapped without indenting it, as long as the item is not complete.
                while seen < end:
                    closed = closed or ARCHIVED in lines[seen]
                    seen += 1
                if closed and lines[end - 1].rstrip(_BLANKS).endswith("]"):
                    break
                ahead += 1
                end = ahead
            else:
                break
        self.under_title = False
        first, *rest = self.ended(at, end)
        first = first[offset:]
        text = "\n".join([first, *(unquoted(line, inner) for line in rest)]) if rest else first
        quoted = parse_quoted(text, self.provenances)
        if quoted is None:
            text = "\n".join([first, *(_outdented(line, offset) for line in rest)]) if rest else first
            self.add(at, end, text)
        else:
            source, tier, reinforced, reason, prose = quoted
            self.items.append(
                ArchivedItem(
                    self.heading, self.day, source, tier, reinforced, reason, prose, at + 1, end, True
                )
            )
        return end

    def add(self, at: int, end: int, text: str) -> None:
        """Add lines ``at:end`` as an item of unknown provenance."""
        self.under_title = False
        self.items.append(ArchivedItem(self.heading, self.day, "", "", None, "", text, at + 1, end, False))

    def ended(self, at: int, end: int) -> list[str]:
        """Lines ``at:end`` without their line ends.

        A CR before an LF is a line end only where every line of the block has one: the text of one item in
        an LF file may hold a CR at the end of a line. The last line's always is, for items end in ``]``.
        """
        if self.raw is self.lines:
            return self.lines[at:end]
        raw = self.raw[at:end]
        unended = self.unended and end == len(self.raw)
        if all(line.endswith("\r") for line in (raw[:-1] if unended else raw)):
            return self.lines[at:end]
        return [*raw[:-1], self.lines[end - 1]]

    def found(self, rule: str, at: int, message: str) -> None:
        self.findings.append(Finding(rule, at + 1, message))

    def find(self, passes: list[PassItems]) -> None:
        """Add the findings that only the whole shows."""
        if passes and not passes[-1].items:
            message = f"Nothing stands under the last heading, {passes[-1].heading!r}."
            self.found("empty-pass", self.last_heading_at, message)
        if "<!--" not in self.text:
            return
        marked = [item.first for item in self.items if _is_marked(item.prose)]
        if marked:
            count = f"{len(marked)} items hold" if len(marked) > 1 else "An item holds"
            message = f"{count} what looks like a marker; no marker in an archive is live."
            self.found("marker-in-archive", marked[0] - 1, message)


def _is_marked(text: str) -> bool:
    return "<!--" in text and without_markers(text) != text


def _outdented(line: str, offset: int) -> str:
    """A further line of any other item, without the indentation that its bullet asks for."""
    return line[min(len(line) - len(line.lstrip(" ")), offset) :]
