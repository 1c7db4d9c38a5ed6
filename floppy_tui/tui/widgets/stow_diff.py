"""A unified diff as rows for the screen: words wrapped, what changed within a line set off, of any length."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from rich.cells import cell_len, chop_cells
from textual.content import Content
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from floppy_tui.tiers.layout import ARCHIVE, FILES
from floppy_tui.tui import display

MEMORY = (ARCHIVE, *FILES)
"""The files whose names a diff may hold; other owners' are given with it."""
MOST = 4_000
"""Characters of one line that are shown; what is left out is counted."""
AROUND = 200
"""Characters shown before a change that stands far into a line."""
AT_ONCE = 400
"""Lines laid out before the screen is drawn; the others follow while it waits for keys."""


class Line(NamedTuple):
    """One line of a diff, safe to show."""

    kind: str
    """``+``, ``-``, a blank (context), ``@`` (where it stands), ``f`` (a file's name), ``!`` (our words)."""
    text: str
    changed: tuple[int, int] = (0, 0)
    """What of ``text`` differs from its counterpart."""


class Row(NamedTuple):
    """One row of the screen: part of a line."""

    line: Line
    start: int
    end: int
    first: bool


def common(a: str, b: str) -> tuple[int, int]:
    """How many characters two texts share at their beginning, and how many of the rest at their end."""
    most = min(len(a), len(b))
    head = _longest(most, lambda n: a[:n] == b[:n])
    tail = _longest(most - head, lambda n: not n or a[-n:] == b[-n:])
    return head, tail


def _longest(most: int, holds: Callable[[int], bool]) -> int:
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if holds(middle):
            low = middle
        else:
            high = middle - 1
    return low


def _names_file(diff: Sequence[str], at: int, names: Collection[str]) -> bool:
    """Whether a file's part begins at a line: a removed line that begins ``--`` looks nearly the same."""
    name = diff[at][4:]
    return name in names and diff[at] == f"--- {name}" and list(diff[at + 1 : at + 2]) == [f"+++ {name}"]


def lines_of(diff: Sequence[str], names: Collection[str] = MEMORY) -> Iterator[Line]:
    """The lines of a unified diff of the files ``names``, removed and added ones compared pair by pair."""
    at = 0
    while at < len(diff):
        line = diff[at]
        if _names_file(diff, at, names):
            yield Line("f", display.one_line(line[4:]))
            at += 2
        elif line.startswith("@@"):
            where = re.match(r"@@ -([0-9]+)", line)
            yield Line("@", f"line {where[1]}" if where else display.one_line(line, 80))
            at += 1
        elif line.startswith(("-", "+")):
            removed = _run(diff, at, "-", names)
            added = _run(diff, at + len(removed), "+", names)
            yield from _compared(removed, added)
            at += len(removed) + len(added)
        else:
            context = line.startswith(" ")
            yield _cut(" " if context else "!", line[1:] if context else line)
            at += 1


def of_one_card(diff: Sequence[str], around: int, names: Collection[str] = MEMORY) -> list[str]:
    """The diff of one decision for a small pane, with ``around`` lines of context.

    The memory comes first, then the owner that is given a quote, then the archive.
    """
    files: list[list[str]] = []
    for at, line in enumerate(diff):
        if _names_file(diff, at, names):
            files.append([])
        if files:
            files[-1].append(line)
    files.sort(key=lambda lines: (lines[0][4:] == ARCHIVE, lines[0][4:] not in FILES))
    return [line for lines in files for line in _tight(lines, around)]


def _tight(lines: Sequence[str], around: int) -> Iterator[str]:
    """The lines of one file with at most ``around`` lines of context about each change."""
    changed = {at for at, line in enumerate(lines) if line[:1] in ("+", "-", "@")}
    near = {at + by for at in changed if lines[at][0] != "@" for by in range(-around, around + 1)}
    return (line for at, line in enumerate(lines) if at in changed or at in near)


def _run(diff: Sequence[str], at: int, sign: str, names: Collection[str]) -> list[str]:
    run: list[str] = []
    while at < len(diff) and diff[at].startswith(sign):
        if run and _names_file(diff, at, names):
            break
        run.append(diff[at][1:])
        at += 1
    return run


def _compared(removed: Sequence[str], added: Sequence[str]) -> Iterator[Line]:
    pairs = {}
    if len(removed) == len(added):
        pairs = {n: common(a, b) for n, (a, b) in enumerate(zip(removed, added, strict=True))}
    for sign, run in (("-", removed), ("+", added)):
        for n, text in enumerate(run):
            head, tail = pairs.get(n, (0, 0))
            yield _cut(sign, text, head, tail)


def _cut(kind: str, text: str, head: int = 0, tail: int = 0) -> Line:
    """A line with its middle ``head:-tail`` set off, shortened where it is very long."""
    before, middle, after = text[:head], text[head : len(text) - tail], text[len(text) - tail :]
    if len(text) > MOST:
        if len(before) > AROUND:
            before = f"… ({len(before) - AROUND:,} characters as before) {before[-AROUND:]}"
        if len(middle) > MOST:
            middle = f"{middle[:MOST]}… ({len(middle) - MOST:,} more characters)"
        if len(after) > AROUND:
            after = f"{after[:AROUND]}… ({len(after) - AROUND:,} characters as before)"
    parts = [display.shown(part).replace("\n", "␊") for part in (before, middle, after)]
    if head + tail == 0:
        return Line(kind, "".join(parts))
    return Line(kind, "".join(parts), (len(parts[0]), len(parts[0]) + len(parts[1])))


_WORD = re.compile(r"\s*\S*")


def wrapped(text: str, width: int) -> Iterator[tuple[int, int]]:
    """Where each row of ``text`` begins and ends when it is wrapped at words to ``width`` cells."""
    start = at = used = 0
    for match in _WORD.finditer(text):
        word = match[0]
        if not word:
            break
        cells = cell_len(word)
        if used and used + cells > width:
            yield start, at
            start = at + len(word) - len(word.lstrip())
            at, word = start, word.lstrip()
            used, cells = 0, cell_len(word)
        while used + cells > width:
            piece = chop_cells(word, width)[0]
            yield start, at + len(piece)
            at += len(piece)
            start, word = at, word[len(piece) :]
            used, cells = 0, cell_len(word)
        at += len(word)
        used += cells
    yield start, len(text)


STYLES = {"+": "$text-success", "-": "$text-error", "@": "$text-muted", "f": "bold", "!": "$text-muted"}


class StowDiff(ScrollView, can_focus=False):
    """Shows one diff under a title."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.key: object = None
        self.lines: list[Line] = []
        self.rows: list[Row] = []
        self._laid = 0
        self._width = 0

    def show(self, key: object, title: str, diff: Sequence[str], names: Collection[str] = MEMORY) -> None:
        """Show ``diff`` of the files ``names``; scrolled to the top only where ``key`` is another one."""
        lines = [Line("!", display.shown(title))] if title else []
        lines.extend(lines_of(diff, names))
        if lines == self.lines and key == self.key:
            return
        if key != self.key:
            self.scroll_to(y=0, animate=False)
        self.key, self.lines = key, lines
        self._lay_again()

    def on_resize(self) -> None:
        if self.scrollable_content_region.width != self._width:
            self._lay_again()

    def _lay_again(self) -> None:
        self.rows, self._laid = [], 0
        self._width = self.scrollable_content_region.width
        self._lay(self.lines, self._width)

    def _lay(self, lines: Sequence[Line], width: int) -> None:
        """Lay out some more lines; stops where another diff or width came in between."""
        if lines is not self.lines or width != self._width or width <= 2:
            return
        for line in self.lines[self._laid : self._laid + AT_ONCE]:
            room = width - (2 if line.kind in "+- " else 0)
            first = True
            for start, end in wrapped(line.text, room):
                self.rows.append(Row(line, start, end, first))
                first = False
        self._laid += AT_ONCE
        self.virtual_size = Size(width, len(self.rows))
        self.refresh()
        if self._laid < len(self.lines):
            self.call_later(self._lay, lines, width)

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        at = y + round(self.scroll_y)
        base = self.visual_style
        if at >= len(self.rows):
            return Strip.blank(width, base.rich_style)
        row = self.rows[at]
        style = STYLES.get(row.line.kind, "")
        text = Content(row.line.text[row.start : row.end]).stylize(style)
        a, b = (max(0, min(edge, row.end) - row.start) for edge in row.line.changed)
        if a < b:
            text = text.stylize("bold underline", a, b)
        if row.line.kind in "+- ":
            sign = row.line.kind if row.first else " "
            text = Content.assemble((f"{sign} ", style)) + text
        return Strip(text.render_segments(base)).adjust_cell_length(width, base.rich_style)
