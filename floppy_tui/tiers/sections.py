"""The sections of a file: its headings and top-level blocks, with the markers that stand on them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from floppy_tui.text.lines import bare
from floppy_tui.tiers.blocks import Block, Shape
from floppy_tui.tiers.document import Heading
from floppy_tui.tiers.markers import Mark, Tier
from floppy_tui.tiers.pieces import Node, Source, read_node

_POINTER = re.compile(r"<!--[ \t]*memory tiers:[ \t]*(?P<owner>(?:(?!-->).)*?)[ \t]*-->[ \t]*")
_BOLD = re.compile(r"(\*\*|__)(?![\s*_])(?:(?!\1).)+?(?<![\s])\1[:\uff1a]?")
_ATX = re.compile(r"[ \t]{0,3}#{1,6}(?:[ \t]+|$)")
_ATX_END = re.compile(r"(?:^|[ \t]+)#+[ \t]*$")


@dataclass(slots=True)
class Piece:
    """A top-level block with the marks that end its lines, a marker line right below it included."""

    block: Block
    end: int
    marks: list[Mark] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)
    pointer: str | None = None
    """What a pointer line names as the scheme's owner."""
    comment: bool = False
    """Whether it is nothing but comments."""

    @property
    def shape(self) -> Shape:
        return self.block.shape

    @property
    def marked(self) -> bool:
        """Whether a real marker stands on it or on any list item in it."""
        return any(m.marker for m in self.marks) or any(any(n.carriers()) for n in self.nodes)


@dataclass(slots=True)
class Section:
    """A heading (None above the first one) with the blocks up to the next heading."""

    head: Piece | None
    level: int
    body: list[Piece] = field(default_factory=list)
    title: bool = False
    text: str = ""
    path: tuple[str, ...] = ()


def pieces_of(source: Source, blocks: tuple[Block, ...]) -> list[Piece]:
    """The top-level blocks with their marks; marker lines are given to the block right above them."""
    last: Piece | None = None
    found: list[Piece] = []
    for at, block in enumerate(blocks):
        piece = Piece(block, block.end)
        if block.shape is Shape.HTML:
            piece.comment = source.only_comments(block)
            pointer = _POINTER.fullmatch(bare(source.lines[block.start]).lstrip("\ufeff \t"))
            if pointer and piece.comment:
                piece.pointer = pointer["owner"]
            elif piece.comment:
                piece.marks = list(source.scan(block.start, block.end).final)
                if piece.marks and _attach(source, last, piece, blocks[at + 1 : at + 2]):
                    continue
                for mark in piece.marks:
                    source.found("orphan-marker", block.start, f"{mark.text} belongs to no entry.")
                piece.marks = []
            else:
                source.hidden(block.start, block.end)
                source.unclosed(block.start, block.end)
        elif block.shape is Shape.LIST:
            piece.nodes = [read_node(source, item) for item in block.children]
        elif block.shape in (Shape.PARAGRAPH, Shape.HEADING):
            piece.marks = list(source.read(block.start, block.end).final)
            if block.shape is Shape.HEADING:
                piece.marks = _heading_marks(source, block, piece.marks)
        elif block.shape is Shape.QUOTE:
            piece.marks = list(source.read(block.end - 1, block.end).final)
        last = piece
        found.append(piece)
    return found


def _attach(source: Source, last: Piece | None, piece: Piece, following: tuple[Block, ...]) -> bool:
    """Give the marker line ``piece`` to the block right above it; False where it is an orphan."""
    line = piece.block.start
    if last is None or last.end != line or last.shape in (Shape.RULE, Shape.MASK, Shape.HTML):
        return False
    if last.shape is Shape.LIST:
        node = last.nodes[-1]
        node.marks.extend(piece.marks)
        node.block.end = piece.block.end
        node.last_mark_from = source.starts[line]
    elif last.shape is Shape.PARAGRAPH and is_label(source, last, following):
        message = f"{piece.marks[0].text} stands under a label, which is no entry."
        source.found("label-marker", line, message)
        return True
    else:
        last.marks.extend(piece.marks)
    last.end = piece.block.end
    return True


def sections_of(source: Source, pieces: list[Piece]) -> list[Section]:
    """The file section by section; the first one stands above every heading."""
    sections = [Section(None, 0)]
    for piece in pieces:
        if piece.shape is Shape.HEADING:
            sections.append(Section(piece, piece.block.level))
        else:
            sections[-1].body.append(piece)
    heads = [s for s in sections if s.head is not None]
    if heads and heads[0].level == 1 and all(s.level > 1 for s in heads[1:]):
        heads[0].title = True
    above: list[tuple[int, str]] = []
    for section in heads:
        section.text = _heading_text(source, section)
        while above and above[-1][0] >= section.level:
            above.pop()
        above.append((section.level, section.text))
        section.path = tuple(text for _, text in above)
    sections[0].path = ()
    return sections


def head_line(block: Block) -> int:
    """The last line of the heading's text: where its marker stands."""
    return block.end - 1 - block.setext


def _heading_marks(source: Source, block: Block, marks: list[Mark]) -> list[Mark]:
    """Those of ``marks`` that end the heading's text; one further up in it is text."""
    last = source.starts[head_line(block)]
    for mark in marks:
        if mark.start < last and mark.marker is not None:
            line = source.line_of(mark.start, block.start)
            source.found("stray-marker", line, f"{mark.text} stands in the middle of a heading.")
    return [m for m in marks if m.start >= last]


def _heading_text(source: Source, section: Section) -> str:
    assert section.head is not None
    block = section.head.block
    raw = "".join(source.lines[block.start : head_line(block) + 1])
    base = source.starts[block.start]
    for mark in sorted(section.head.marks, key=lambda m: -m.start):
        if mark.start - base < len(raw):
            raw = raw[: mark.start - base] + raw[mark.end - base :]
    text = " ".join(raw.lstrip("\ufeff").split())
    if not block.setext:
        text = _ATX_END.sub("", _ATX.sub("", text, count=1))
    return text.strip()


def is_bare(pieces: list[Piece], sections: list[Section]) -> bool:
    """Whether the file has no list, no marker and no heading but the title."""
    return not any(p.nodes or p.marked or p.shape is Shape.LIST for p in pieces) and all(
        s.head is None or s.title for s in sections
    )


def is_label(source: Source, piece: Piece, following: tuple[Block, ...]) -> bool:
    """Whether the paragraph names the list that follows it: it ends in a colon or is bold as a whole."""
    if piece.marked or not following or following[0].shape is not Shape.LIST:
        return False
    block = piece.block
    text = "".join(source.lines[block.start : block.end]).lstrip("\ufeff").strip()
    return text.endswith((":", "\uff1a")) or _BOLD.fullmatch(text) is not None


def headings_of(source: Source, sections: list[Section], default: Tier) -> tuple[Heading, ...]:
    """The headings with the lines of their sections."""
    heads = [s for s in sections if s.head is not None]
    total = len(source.lines)
    ends = [total] * len(heads)
    open_heads: list[int] = []
    for at, section in enumerate(heads):
        assert section.head is not None
        while open_heads and heads[open_heads[-1]].level >= section.level:
            ends[open_heads.pop()] = section.head.block.start
        open_heads.append(at)
    found = []
    for at, section in enumerate(heads):
        assert section.head is not None
        line = head_line(section.head.block)
        real = [m for m in section.head.marks if m.marker is not None]
        found.append(
            Heading(
                text=section.text,
                level=section.level,
                start=section.head.block.start,
                body=section.head.end,
                end=ends[at],
                path=section.path,
                title=section.title,
                mark=real[-1] if real else None,
                mark_at=source.end_of(line),
            )
        )
        if default is Tier.AGING and section.text.casefold() == "pinned":
            source.found(
                "pinned-heading",
                section.head.block.start,
                "A heading pins nothing here: an entry is pinned by its own <!--P-->.",
            )
    return tuple(found)
