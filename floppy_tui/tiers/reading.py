"""Reading a memory file: which of its blocks are entries and which are structure.

Entries are found section by section, each from its own content alone. Source: the memory scheme's rules
for what counts as one fact.
"""

from __future__ import annotations

from floppy_tui.text.lines import decode, split_lines
from floppy_tui.tiers.blocks import Block, Shape, read_blocks
from floppy_tui.tiers.document import Document, Kind, Range
from floppy_tui.tiers.finishing import adopt_lookalikes, finish, mend_marks
from floppy_tui.tiers.markers import Mark, Tier
from floppy_tui.tiers.pieces import Draft, Source, holes, segments, split_item
from floppy_tui.tiers.sections import (
    Piece,
    Section,
    head_line,
    headings_of,
    is_bare,
    is_label,
    pieces_of,
    sections_of,
)


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
        pieces = pieces_of(self.source, reading.blocks)
        sections = sections_of(self.source, pieces)
        self.bare_file = is_bare(pieces, sections)
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
            what = "A second header pointer." if self.pointer else "The header pointer stands below entries."
            self.source.found("misplaced-pointer", line, what)
        blocked = self._blocked(reading.blocks, reading.conflicts)
        adopt_lookalikes(self.source, self.drafts, self.default)
        mend_marks(self.source, self.drafts, self.default)
        return finish(
            source=self.source,
            text=self.text,
            file=self.file,
            default=self.default,
            drafts=self.drafts,
            headings=headings_of(self.source, sections, self.default),
            pointer=self.pointer,
            pointer_ok=self.pointer_ok,
            stray_pointers=tuple(self.stray_pointers),
            header_at=self._header_at(sections, reading.front_matter),
            blocked=blocked,
        )

    # -- entries

    def _section_draft(self, section: Section) -> Draft:
        head = section.head
        assert head is not None
        draft = Draft(Kind.SECTION, head.block.start, head.end, [(head.block.start, head.end)])
        draft.marks = list(head.marks)
        draft.mark_line = head_line(head.block)
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
                if preamble or is_label(
                    self.source, piece, tuple(p.block for p in section.body[at + 1 : at + 2])
                ):
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

    # -- structure

    def _is_pointer(self, piece: Piece) -> bool:
        """Take note of a pointer line; only one before the first entry's words stands in the header."""
        if piece.pointer is None:
            return False
        line = piece.block.start
        plain = all(d.kind is Kind.SECTION and d.own[0][1] == d.end for d in self.drafts)
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
