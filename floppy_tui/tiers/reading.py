"""Reading a memory file: which of its blocks are entries and which are structure.

Entries are found section by section, each from its own content alone. Source: the memory scheme's rules
for what counts as one fact.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from floppy_tui.text.lines import bare, decode, split_lines
from floppy_tui.tiers.blocks import Block, Shape, read_blocks
from floppy_tui.tiers.document import Document, Heading, Kind, Range
from floppy_tui.tiers.finishing import adopt_lookalikes, finish, mend_marks
from floppy_tui.tiers.markers import Mark, Tier
from floppy_tui.tiers.pieces import Draft, Node, Source, holes, read_node, segments, split_item

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


def read_document(data: bytes | str, file: str, default: Tier) -> Document:
    """Read one memory file; never fails, whatever the bytes. ``encode(result.text)`` is ``data``."""
    text = decode(data) if isinstance(data, bytes) else data
    return _Reader(text, file, default).read()


class _Reader:
    def __init__(self, text: str, file: str, default: Tier) -> None:
        self.text = text
        self.file = file
        self.default = default
        self.source = Source(split_lines(text))
        self.drafts: list[Draft] = []
        self.content_seen = False
        self.pointer: Range | None = None
        self.pointer_ok = False
        self.stray_pointers: list[int] = []

    def read(self) -> Document:
        reading = read_blocks(self.source.lines)
        pieces = list(self._pieces(reading.blocks))
        sections = self._sections(pieces)
        self.bare_file = self._is_bare(pieces, sections)
        owner: Draft | None = None
        owner_level = 0
        for at, section in enumerate(sections):
            head = section.head
            if head is not None:
                if owner is not None and (section.level <= owner_level or head.marked):
                    owner = None
                if head.marked:
                    owner = self._section_draft(section)
                    owner_level = section.level
                    self.drafts.append(owner)
                elif owner is not None:
                    owner.add(head.block.start, head.end)
            if owner is not None:
                self._inside(section, owner)
            elif self._is_prose(section, sections[at + 1] if at + 1 < len(sections) else None):
                self._leaf(section)
            else:
                self._block_by_block(section)
        for line in self.stray_pointers:
            what = (
                "There is a header pointer above"
                if self.pointer
                else "The header pointer stands below entries"
            )
            self.source.found("misplaced-pointer", line, f"{what}.")
        blocked = self._blocked(reading.blocks, reading.conflicts)
        adopt_lookalikes(self.source, self.drafts, self.default)
        mend_marks(self.source, self.drafts, self.default)
        return finish(
            source=self.source,
            text=self.text,
            file=self.file,
            default=self.default,
            drafts=self.drafts,
            headings=self._headings(sections),
            pointer=self.pointer,
            pointer_ok=self.pointer_ok,
            stray_pointers=tuple(self.stray_pointers),
            header_at=self._header_at(sections, reading.front_matter),
            blocked=blocked,
        )

    # -- pieces and sections

    def _pieces(self, blocks: tuple[Block, ...]) -> Iterator[Piece]:
        source = self.source
        last: Piece | None = None
        waiting: list[Piece] = []
        for at, block in enumerate(blocks):
            piece = Piece(block, block.end)
            if block.shape is Shape.HTML:
                piece.comment = source.only_comments(block)
                pointer = _POINTER.fullmatch(bare(source.lines[block.start]).lstrip("\ufeff \t"))
                if pointer and piece.comment:
                    piece.pointer = pointer["owner"]
                elif piece.comment:
                    piece.marks = list(source.scan(block.start, block.end).final)
                    if piece.marks and self._attach(last, piece, blocks[at + 1 : at + 2]):
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
                    piece.marks = self._heading_marks(block, piece.marks)
            elif block.shape is Shape.QUOTE:
                piece.marks = list(source.read(block.end - 1, block.end).final)
            last = piece
            waiting.append(piece)
        yield from waiting

    def _attach(self, last: Piece | None, piece: Piece, following: tuple[Block, ...]) -> bool:
        """Give the marker line ``piece`` to the block right above it; False where it is an orphan."""
        line = piece.block.start
        if last is None or last.end != line or last.shape in (Shape.RULE, Shape.MASK, Shape.HTML):
            return False
        if last.shape is Shape.LIST:
            node = last.nodes[-1]
            node.marks.extend(piece.marks)
            node.block.end = piece.block.end
            node.last_mark_from = self.source.starts[line]
        elif last.shape is Shape.PARAGRAPH and self._is_label(last, following):
            message = f"{piece.marks[0].text} stands under a label, which is no entry."
            self.source.found("label-marker", line, message)
            return True
        else:
            last.marks.extend(piece.marks)
        last.end = piece.block.end
        return True

    def _sections(self, pieces: list[Piece]) -> list[Section]:
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
            section.text = self._heading_text(section)
            while above and above[-1][0] >= section.level:
                above.pop()
            above.append((section.level, section.text))
            section.path = tuple(text for _, text in above)
        sections[0].path = ()
        return sections

    def _head_line(self, block: Block) -> int:
        """The last line of the heading's text: where its marker stands."""
        return block.end - 1 - block.setext

    def _heading_marks(self, block: Block, marks: list[Mark]) -> list[Mark]:
        """Those of ``marks`` that end the heading's text; one further up in it is text."""
        last = self.source.starts[self._head_line(block)]
        for mark in marks:
            if mark.start < last and mark.marker is not None:
                line = self.source.line_of(mark.start, block.start)
                self.source.found("stray-marker", line, f"{mark.text} stands in the middle of a heading.")
        return [m for m in marks if m.start >= last]

    def _heading_text(self, section: Section) -> str:
        assert section.head is not None
        block = section.head.block
        raw = "".join(self.source.lines[block.start : self._head_line(block) + 1])
        base = self.source.starts[block.start]
        for mark in sorted(section.head.marks, key=lambda m: -m.start):
            if mark.start - base < len(raw):
                raw = raw[: mark.start - base] + raw[mark.end - base :]
        text = " ".join(raw.lstrip("\ufeff").split())
        if not block.setext:
            text = _ATX_END.sub("", _ATX.sub("", text, count=1))
        return text.strip()

    def _is_bare(self, pieces: list[Piece], sections: list[Section]) -> bool:
        return not any(p.nodes or p.marked or p.shape is Shape.LIST for p in pieces) and all(
            s.head is None or s.title for s in sections
        )

    # -- entries

    def _section_draft(self, section: Section) -> Draft:
        head = section.head
        assert head is not None
        draft = Draft(Kind.SECTION, head.block.start, head.end, [(head.block.start, head.end)])
        draft.marks = list(head.marks)
        draft.mark_line = self._head_line(head.block)
        draft.path = section.path[:-1]
        self.content_seen = True
        return draft

    def _is_prose(self, section: Section, following: Section | None) -> bool:
        """Whether the section is an unmarked leaf heading over prose only."""
        if section.head is None or section.title:
            return False
        if following is not None and following.level > section.level:
            return False
        prose = False
        for piece in section.body:
            if piece.marked or piece.shape is Shape.LIST or (piece.shape is Shape.HTML and not piece.comment):
                return False
            prose = prose or piece.shape in (Shape.PARAGRAPH, Shape.CODE, Shape.TABLE, Shape.QUOTE)
        return prose

    def _leaf(self, section: Section) -> None:
        draft = self._section_draft(section)
        self.drafts.append(draft)
        for piece in section.body:
            draft.marks.extend(piece.marks)
            self._take(draft, piece)

    def _take(self, draft: Draft, piece: Piece) -> None:
        """Let ``draft`` own ``piece``: a pointer never, other structure only if more content follows."""
        if self._is_pointer(piece):
            return
        if piece.shape in (Shape.RULE, Shape.MASK) or piece.comment:
            draft.pending.append((piece.block.start, piece.end))
        else:
            draft.add(piece.block.start, piece.end)

    def _inside(self, section: Section, owner: Draft) -> None:
        """The blocks of a marked heading: those with markers are entries, the rest is the section's."""
        above = owner
        for piece in section.body:
            if piece.shape is Shape.PARAGRAPH:
                for start, end, marks in segments(self.source, piece.block.start, piece.end, piece.marks):
                    if any(m.marker for m in marks):
                        above = self._paragraph(start, end, marks, section, owner)
                    else:
                        owner.add(start, end)
                        above = owner
            elif piece.shape is Shape.LIST:
                for node in piece.nodes:
                    found = split_item(node, section.path, owner, keep_rest=False)
                    taken = [(d.start, d.end) for d in found if d.parent is owner]
                    if found:
                        owner.reach(node.block.end)
                        for a, b in holes(node.block.start, node.block.end, taken):
                            owner.add(a, b)
                    else:
                        owner.add(node.block.start, node.block.end)
                    self.drafts.extend(found)
                    above = found[-1] if found else owner
            elif piece.shape is Shape.QUOTE and piece.marked:
                above = self._paragraph(piece.block.start, piece.end, piece.marks, section, owner)
            elif piece.shape in (Shape.CODE, Shape.TABLE, Shape.QUOTE):
                above.marks.extend(piece.marks)
                above.add(piece.block.start, piece.end)
            else:
                self._take(owner, piece)

    def _block_by_block(self, section: Section) -> None:
        above: Draft | None = None
        under_title = section.head is None or section.title
        for at, piece in enumerate(section.body):
            if self._is_pointer(piece):
                continue
            if piece.shape is Shape.PARAGRAPH:
                preamble = under_title and not self.content_seen and not piece.marked and not self.bare_file
                self.content_seen = True
                if preamble or self._is_label(piece, tuple(p.block for p in section.body[at + 1 : at + 2])):
                    above = None
                    continue
                for start, end, marks in segments(self.source, piece.block.start, piece.end, piece.marks):
                    above = self._paragraph(start, end, marks, section, None)
            elif piece.shape is Shape.LIST:
                self.content_seen = True
                for node in piece.nodes:
                    found = split_item(node, section.path, None)
                    self.drafts.extend(found)
                    above = found[-1]
            elif piece.shape is Shape.QUOTE and piece.marked:
                self.content_seen = True
                above = self._paragraph(piece.block.start, piece.end, piece.marks, section, None)
            elif piece.shape in (Shape.CODE, Shape.TABLE, Shape.QUOTE):
                self.content_seen = True
                if above is not None:
                    above.marks.extend(piece.marks)
                    above.add(piece.block.start, piece.end)
                else:
                    for mark in piece.marks:
                        line = self.source.line_of(mark.start, piece.block.start)
                        self.source.found("orphan-marker", line, f"{mark.text} belongs to no entry.")
            elif piece.shape is Shape.RULE:
                above = None

    def _paragraph(
        self, start: int, end: int, marks: list[Mark], section: Section, owner: Draft | None
    ) -> Draft:
        draft = Draft(Kind.PARAGRAPH, start, end, [(start, end)], list(marks))
        draft.mark_line = end - 1
        draft.path = section.path
        draft.parent = owner
        draft.reach(end)
        self.drafts.append(draft)
        return draft

    def _is_label(self, piece: Piece, following: tuple[Block, ...]) -> bool:
        """Whether the paragraph names the list that follows it: it ends in a colon or is bold as a whole."""
        if piece.marked or not following or following[0].shape is not Shape.LIST:
            return False
        block = piece.block
        text = "".join(self.source.lines[block.start : block.end]).lstrip("\ufeff").strip()
        return text.endswith((":", "\uff1a")) or _BOLD.fullmatch(text) is not None

    # -- structure

    def _is_pointer(self, piece: Piece) -> bool:
        """Take note of a pointer line; only one before the first entry's words stands in the header."""
        if piece.pointer is None:
            return False
        line = piece.block.start
        plain = not self.drafts or all(d.start == d.end - 1 and d.kind is Kind.SECTION for d in self.drafts)
        if self.pointer is None and plain and not self.stray_pointers:
            self.pointer = (line, line + 1)
            owner = piece.pointer
            self.pointer_ok = owner == "see the stow skill" or owner.startswith("see the stow skill;")
        else:
            self.stray_pointers.append(line)
        return True

    def _header_at(self, sections: list[Section], front: int) -> int:
        """The line before which a header pointer goes: under a title that opens the file, else on top."""
        first = sections[1] if len(sections) > 1 else None
        if first is not None and first.head is not None and first.level == 1 and not sections[0].body:
            return first.head.end
        return front

    def _headings(self, sections: list[Section]) -> tuple[Heading, ...]:
        heads = [s for s in sections if s.head is not None]
        total = len(self.source.lines)
        found = []
        for at, section in enumerate(heads):
            assert section.head is not None
            after = next((s.head for s in heads[at + 1 :] if s.level <= section.level), None)
            line = self._head_line(section.head.block)
            real = [m for m in section.head.marks if m.marker is not None]
            found.append(
                Heading(
                    text=section.text,
                    level=section.level,
                    start=section.head.block.start,
                    body=section.head.end,
                    end=after.block.start if after else total,
                    path=section.path,
                    title=section.title,
                    mark=real[-1] if real else None,
                    mark_at=self.source.end_of(line),
                )
            )
            if self.default is Tier.AGING and section.text.casefold() == "pinned":
                self.source.found(
                    "pinned-heading",
                    section.head.block.start,
                    "A heading pins nothing here: an entry is pinned by its own <!--P-->.",
                )
        return tuple(found)

    def _blocked(self, blocks: tuple[Block, ...], conflicts: tuple[int, ...]) -> str:
        if conflicts:
            self.source.found("conflict-markers", conflicts[0], "Merge-conflict markers: resolve them first.")
            return f"it holds merge-conflict markers (line {conflicts[0] + 1})"
        for top in blocks:
            for block in top.walk():
                if not block.closed:
                    self.source.found("unclosed-fence", block.start, "This code fence is never closed.")
                    return f"the code fence of line {block.start + 1} is never closed"
        return ""
