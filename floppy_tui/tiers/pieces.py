"""The pieces an entry is drafted from: blocks with the markers that end their lines, list items as nodes."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from floppy_tui.text.lines import BOM, Splice, bare, is_blank
from floppy_tui.tiers.blocks import Block, Shape
from floppy_tui.tiers.document import Finding, Kind, Range
from floppy_tui.tiers.markers import LineEnd, Mark, scan

_BULLET = re.compile(r"[ \t]*(?:[-+*]|[0-9]{1,9}[.)])(?=[ \t]|$)")
_BULLETS_ONLY = re.compile(r"[ \t]*(?:(?:[-+*]|[0-9]{1,9}[.)])(?:[ \t]+|$))+")
_RULE = re.compile(r"[ \t]*([-*])[ \t]*(?:\1[ \t]*){2,}")
_COMMENTS_ONLY = re.compile(r"(?:[ \t]*<!--(?:(?!-->).)*-->)+[ \t]*")


class Source:
    """The lines of one file with their positions, and what was found on the way."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.starts = [0]
        for line in lines:
            self.starts.append(self.starts[-1] + len(line))
        self.findings: list[Finding] = []
        self.lookalikes: list[Mark] = []
        """What ends a line of text and looks like a marker, in file order."""

    def found(self, rule: str, line: int, message: str, repair: Splice | None = None) -> None:
        """Note a finding on ``line`` (from 0)."""
        self.findings.append(Finding(rule, line + 1, message, None, repair))

    def first_column(self, line: int) -> int:
        """Where the content of ``line`` begins: after a byte order mark."""
        return 1 if line == 0 and self.lines[0].startswith(BOM) else 0

    def scan(self, start: int, end: int) -> LineEnd:
        """The markers of lines ``start:end``, with absolute positions."""
        text = self.lines[start] if end == start + 1 else "".join(self.lines[start:end])
        if "<!--" not in text:
            return _NOTHING
        return scan(text, self.starts[start])

    def read(self, start: int, end: int) -> LineEnd:
        """The markers of lines ``start:end`` of text: lookalikes are kept in mind, strays found."""
        ends = self.scan(start, end)
        self.lookalikes.extend(m for m in ends.final if m.marker is None)
        for mark in ends.stray:
            self.found(
                "stray-marker",
                self.line_of(mark.start, start),
                f"{mark.text} does not end its line, so it is read as text.",
            )
        return ends

    def line_of(self, position: int, start: int = 0) -> int:
        """The line that holds ``position``, looking from line ``start`` on."""
        return min(bisect_right(self.starts, position, start + 1), len(self.lines)) - 1

    def end_of(self, line: int) -> int:
        """Position after the last character of ``line`` that is not blank."""
        return self.starts[line] + len(bare(self.lines[line]).rstrip(" \t"))

    def only_comments(self, block: Block, column: int = 0) -> bool:
        """Whether ``block`` is one line of nothing but comments."""
        if block.end - block.start != 1:
            return False
        line = bare(self.lines[block.start])[column or self.first_column(block.start) :]
        return _COMMENTS_ONLY.fullmatch(line) is not None

    def hidden(self, start: int, end: int) -> None:
        """Note markers inside raw HTML, which nobody reads."""
        ends = self.scan(start, end)
        for mark in ends.final:
            if mark.marker is not None:
                self.found(
                    "hidden-marker",
                    self.line_of(mark.start, start),
                    f"{mark.text} stands inside raw HTML, where no entry is read.",
                )

    def unclosed(self, start: int, end: int) -> None:
        """Note a comment that nothing closes: it hides all that follows."""
        if "<!--" in self.lines[start] and not any("-->" in line for line in self.lines[start:end]):
            self.found("unclosed-comment", start, "This comment is never closed: no entry is read below it.")


_NOTHING = LineEnd((), ())


@dataclass(slots=True)
class Draft:
    """An entry being put together."""

    kind: Kind
    start: int
    end: int
    own: list[Range]
    marks: list[Mark] = field(default_factory=list)
    node: Node | None = None
    """The list item it was drafted from."""
    mark_line: int = -1
    """Line whose end takes a new marker; -1 where ``mark_after`` holds."""
    mark_after: int = -1
    """Line after which a new marker gets a line of its own."""
    indent: str = ""
    path: tuple[str, ...] = ()
    parent: Draft | None = None
    pending: list[Range] = field(default_factory=list)
    """Structure seen since the last content of its own: kept out unless more such content follows."""

    def add(self, start: int, end: int) -> None:
        """Take lines ``start:end`` as its own."""
        self.own.extend(self.pending)
        self.pending.clear()
        self.own.append((start, end))
        self.reach(end)

    def reach(self, end: int) -> None:
        """Let its lines reach to ``end``, and those of what it is nested in."""
        self.end = max(self.end, end)
        if self.parent is not None:
            self.parent.reach(end)


@dataclass(slots=True)
class Node:
    """A list item with its own marks and its nested items."""

    block: Block
    content: int
    """Where its text begins on its first line."""
    column: int
    """The column of its content: how far its further lines are indented."""
    marks: list[Mark] = field(default_factory=list)
    kids: list[Node] = field(default_factory=list)
    lead: int = -1
    """Last line of its lead paragraph, -1 without one."""
    last_mark_from: int = 0
    """Position of its last line: a marker that ends there stands at the item's very end."""

    @property
    def marked(self) -> bool:
        """Whether a real marker stands on its own text."""
        return any(m.marker is not None for m in self.marks)

    def carriers(self) -> Iterator[Node]:
        """The items at or below this one that carry a marker, in file order."""
        if self.marked:
            yield self
        for kid in self.kids:
            yield from kid.carriers()


def read_node(source: Source, block: Block, offset: int | None = None) -> Node:
    """The list item ``block``; ``offset`` is where its bullet begins if not at the line's start."""
    at = source.first_column(block.start) if offset is None else offset
    line = bare(source.lines[block.start])
    bullet = _BULLET.match(line, at)
    content = bullet.end() if bullet else at
    rest = line[content:]
    gap = len(rest) - len(rest.lstrip(" \t"))
    before_text = columns(line[:content])
    width = columns(rest[:gap], before_text)
    if gap == len(rest) or width > 4:
        gap, width = min(gap, 1), 1
    node = Node(block, content + gap, before_text + width, last_mark_from=source.starts[block.end - 1])
    before: Block | None = None
    for child in block.children:
        _read_child(source, node, child, before)
        before = child
    if not rest.strip(" \t") and not (block.children and block.children[0].start == block.start):
        source.found("empty-bullet", block.start, "This bullet's own line is empty.")
    return node


def _read_child(source: Source, node: Node, child: Block, before: Block | None) -> None:
    first = child.start == node.block.start
    if child.shape is Shape.LIST:
        for item in child.children:
            same = item.start == node.block.start
            node.kids.append(read_node(source, item, node.content if same else None))
    elif child.shape in (Shape.PARAGRAPH, Shape.HEADING):
        ends = source.read(child.start, child.end)
        node.marks.extend(ends.final)
        if node.lead < 0:
            node.lead = child.end - 1 - child.setext
    elif child.shape is Shape.QUOTE:
        node.marks.extend(source.read(child.end - 1, child.end).final)
    elif child.shape is Shape.HTML:
        if source.only_comments(child, node.content if first else 0):
            ends = source.read(child.start, child.end)
            under_list = before is not None and before.shape is Shape.LIST and before.end == child.start
            target = node.kids[-1] if under_list and node.kids else node
            target.marks.extend(ends.final)
            if target is not node and ends.final:
                target.block.end = child.end
                target.last_mark_from = source.starts[child.start]
        else:
            ends = source.scan(child.start, child.end)
            node.marks.extend(m for m in ends.final if m.start >= source.starts[child.end - 1])
            source.hidden(child.start, child.end - 1)


def columns(text: str, start: int = 0) -> int:
    """How many columns ``text`` spans when it begins at column ``start``; tabs stop at every fourth."""
    if "\t" not in text:
        return len(text)
    column = start
    for c in text:
        column += 4 - column % 4 if c == "\t" else 1
    return column - start


def bullets_only(line: str) -> bool:
    """Whether ``line`` holds one bullet or several and no text; a thematic break is none."""
    return _BULLETS_ONLY.fullmatch(line) is not None and _RULE.fullmatch(line) is None


def split_item(
    node: Node, path: tuple[str, ...], parent: Draft | None, keep_rest: bool = True
) -> list[Draft]:
    """The entries of one list item, in file order.

    A single marker on its own text or at its very end governs the whole item; otherwise each nested item
    that carries one is an entry and the item keeps the rest. Without ``keep_rest`` (inside a marked
    section, or for a nested item) an unmarked rest is left to what surrounds it.
    """
    carriers = list(node.carriers())
    whole = not carriers
    if len(carriers) == 1:
        carrier = carriers[0]
        whole = carrier is node or _ends(node, carrier)
    if whole:
        if not carriers and not keep_rest:
            return []
        return [_whole(node, carriers[0] if carriers else node, path, parent)]
    mine: Draft | None = None
    if node.marked or keep_rest:
        mine = _whole(node, node, path, parent)
    nested = [draft for kid in node.kids for draft in split_item(kid, path, mine or parent, keep_rest=False)]
    if mine is None:
        return nested
    taken = [(d.start, d.end) for d in nested]
    mine.own = holes(node.block.start, node.block.end, taken)
    return [mine, *nested]


def _ends(node: Node, carrier: Node) -> bool:
    """Whether the mark of ``carrier`` stands at the very end of the item ``node``."""
    return any(m.marker is not None and m.end >= node.last_mark_from for m in carrier.marks)


def _whole(node: Node, carrier: Node, path: tuple[str, ...], parent: Draft | None) -> Draft:
    draft = Draft(Kind.ITEM, node.block.start, node.block.end, [(node.block.start, node.block.end)])
    draft.node, draft.path, draft.parent = node, path, parent
    draft.marks = list(node.marks) if carrier is node else [*node.marks, *carrier.marks]
    draft.mark_line = node.lead
    if node.lead < 0:
        last = node.block
        while last.children:
            last = last.children[-1]
        if last.shape in (Shape.PARAGRAPH, Shape.ITEM, Shape.HTML):
            draft.mark_line = last.end - 1
        else:
            draft.mark_after = node.block.end - 1
            draft.indent = " " * node.column
    return draft


def holes(start: int, end: int, taken: Sequence[Range]) -> list[Range]:
    """Lines ``start:end`` without the ranges ``taken`` (in order)."""
    left: list[Range] = []
    at = start
    for a, b in taken:
        if a > at:
            left.append((at, a))
        at = max(at, b)
    if end > at:
        left.append((at, end))
    return left


def segments(
    source: Source, start: int, end: int, marks: Sequence[Mark]
) -> list[tuple[int, int, list[Mark]]]:
    """The lines of a paragraph as entries: each line that ends in a marker closes one.

    Gives ``(start, end, marks)`` each, the unmarked tail last with only lookalikes; a line of nothing but
    a marker belongs to what stands above it.
    """
    by_line: dict[int, list[Mark]] = {}
    for mark in marks:
        by_line.setdefault(source.line_of(mark.start, start), []).append(mark)
    parts: list[tuple[int, int, list[Mark]]] = []
    at = start
    waiting: list[Mark] = []
    for line in range(start, end):
        here = by_line.get(line, [])
        alone = bool(here) and is_blank(without(source, line, here))
        if alone and at == line and parts:
            a, _, before = parts[-1]
            parts[-1] = (a, line + 1, [*before, *here])
            at = line + 1
            continue
        waiting.extend(here)
        if any(m.marker is not None for m in here):
            parts.append((at, line + 1, waiting))
            at, waiting = line + 1, []
    if at < end:
        parts.append((at, end, waiting))
    return parts


def without(source: Source, line: int, marks: Sequence[Mark]) -> str:
    """A line (with its end) without ``marks``, in order, and the blanks before each."""
    text, base = source.lines[line], source.starts[line]
    kept: list[str] = []
    at = 0
    for mark in marks:
        kept.append(text[at : mark.start - base].rstrip(" \t"))
        at = mark.end - base
    return "".join((*kept, text[at:]))
