"""The acts that a memory file could be asked for, and ordinary files that must not refuse them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from hypothesis import strategies as st

from floppy_tui.tiers import edits
from floppy_tui.tiers.document import Document, Kind
from floppy_tui.tiers.edits import Act
from floppy_tui.tiers.markers import GRACE_MARK, PINNED_MARK, Tier, spell
from floppy_tui.tiers.reading import read_document

AGING_MARK = spell(Tier.AGING, date(2026, 9, 1))
PERISHABLE_MARK = spell(Tier.PERISHABLE, date(2026, 9, 2), 3)
MARKS = [AGING_MARK, PERISHABLE_MARK, PINNED_MARK, GRACE_MARK]
NEW_ITEM = "a new fact\nwith a second line"
NEW_SECTION = "## A new section\n\nwith a body"


def read(text: str | bytes, default: Tier = Tier.AGING) -> Document:
    """A memory file of the given default tier."""
    name = "captain" if default is Tier.PINNED else "learnings"
    return read_document(text, f"data/{name}.md", default)


def acts_on(document: Document) -> Iterator[Act]:
    """Every kind of act on everything in the file; ``key`` says which, and for marks the marker."""
    for at, entry in enumerate(document.entries):
        for marker in [*MARKS, ""]:
            yield edits.mark(document, at, marker, ("mark", marker))
        yield edits.remove(document, [at], ("remove", at))
        if len(entry.own) == 1:
            level = "#" * next((h.level for h in document.headings if h.start == entry.start), 0)
            words = f"{level} new words\n\nand more" if level else "new words\nand more"
            for marker in ["", AGING_MARK]:
                yield edits.reword(document, at, words, marker, ("reword", marker))
        yield edits.tick(document, {at: entry.passes + 1}, ("tick", at))
    for heading in document.headings:
        yield edits.remove_section(document, heading, ("remove section", heading.text))
        yield edits.take_as_one(document, heading, AGING_MARK, ("take as one", heading.text))
        if (split := edits.split_section(document, heading, ("split", heading.text))) is not None:
            yield split
    yield edits.set_pointer(document, ("pointer", "header"))
    yield from edits.insertions(document, NEW_ITEM, Kind.ITEM, AGING_MARK, ("insert", "item"))
    yield from edits.insertions(document, NEW_SECTION, Kind.SECTION, AGING_MARK, ("insert", "section"))


@st.composite
def ordinary_files(draw: st.DrawFn) -> str:
    """A file as a careful hand keeps it: headings, bullets, paragraphs, fences, some marked."""
    count = iter(range(1000))

    def words(few: int = 3) -> str:
        chosen = draw(st.lists(st.sampled_from(WORDS), min_size=few, max_size=8))
        return f"{' '.join(chosen)} {next(count)}"

    def tail() -> str:
        marker = draw(st.sampled_from(["", AGING_MARK, AGING_MARK, PERISHABLE_MARK, PINNED_MARK, GRACE_MARK]))
        return f" {marker}" if marker else ""

    def bullet(mark: str) -> str:
        more = draw(st.sampled_from(["", "", "", "wrapped", "nested", "fence"]))
        if more == "wrapped":
            return f"{mark} {words()}\n  {words()}.{tail()}"
        if more == "nested":
            return f"{mark} {words()}:{tail()}\n  - {words()}\n  - {words()}"
        if more == "fence":
            return f"{mark} {words()}.{tail()}\n\n  ```sh\n  {words()}\n  ```"
        return f"{mark} {words()}.{tail()}"

    def block() -> str:
        kind = draw(st.sampled_from(["list", "list", "list", "paragraph", "fence", "labelled", "ordered"]))
        if kind == "paragraph":
            return f"{words()},\n{words()}.{tail()}"
        if kind == "fence":
            return f"{words()}.{tail()}\n\n```\n{words()}\n```"
        if kind == "ordered":
            return "\n".join(f"{n}. {words()}.{tail()}" for n in range(1, draw(st.integers(2, 4))))
        mark = draw(st.sampled_from(["-", "-", "*", "- [ ]"]))
        items = "\n".join(bullet(mark) for _ in range(draw(st.integers(1, 4))))
        return f"{words()}:\n\n{items}" if kind == "labelled" else items

    parts = ["# Learnings\n<!-- memory tiers: see the stow skill -->"]
    parts += [f"- {words()}.{tail()}\n- {words()}.{tail()}"]
    parts += [block() for _ in range(draw(st.integers(0, 2)))]
    for _ in range(draw(st.integers(1, 4))):
        level = draw(st.sampled_from(["##", "##", "###"]))
        parts.append(f"{level} {words(1)}{draw(st.sampled_from(['', '', '', ' ' + AGING_MARK]))}")
        parts += [block() for _ in range(draw(st.integers(1, 3)))]
    text = "\n\n".join(parts) + "\n"
    return text.replace("\n", draw(st.sampled_from(["\n", "\n", "\r\n"])))


WORDS = "the gate lamp rope of barge and mill when never port captain slip cold hinge".split()  # noqa: SIM905
