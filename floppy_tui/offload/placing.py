"""A quote in a file that takes it in: whether it is there, and how it is put there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from floppy_tui.text.lines import BOM, is_blank, main_eol, split_lines
from floppy_tui.tiers.blocks import Shape, read_blocks
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.reading import read_document

_HIDING = {
    Shape.CODE: "a code block",
    Shape.HTML: "an HTML block or a comment",
    Shape.MASK: "a comment",
}
_TAKING = {**_HIDING, Shape.ITEM: "the last item of a list"}


def holds(text: str, quote: str) -> bool:
    """Whether ``text`` holds ``quote`` as contiguous lines of its own, read as they stand.

    The lines are the same to the byte, but for carriage returns at their ends; a bullet or an indentation
    before them makes them other lines. Lines inside a comment, a code block that began above them or the
    front matter do not count. A blank quote is never held.
    """
    wanted = _lines(quote)
    if not any(line.strip() for line in wanted) or wanted[0] not in text:
        return False
    there = _lines(text)
    found = [at for at in _starts(there, wanted) if there[at : at + len(wanted)] == wanted]
    return bool(found) and any(not _swallowed(text, at, _HIDING) for at in found)


def added(text: str, path: str, quote: str) -> str:
    """``text`` of the file at ``path`` with ``quote`` after a blank line at its end.

    Every byte before it is kept, and the quote's line ends become those of the file. Raises ``ValueError``
    with a sentence where the quote would not be read as it stands, or where the file must be mended first.
    """
    if not quote.strip():
        raise ValueError("The entry has no words that could be put anywhere.")
    if blocked := read_document(text, path, Tier.AGING).blocked:
        raise ValueError(f"{path} takes nothing in: {blocked}. Mend it first.")
    lines = split_lines(text)
    if _lines(text)[:1] == ["---"] and not read_blocks(lines).front_matter:
        raise ValueError(f"{path} takes nothing in: its front matter is never closed. Mend it first.")
    eol = main_eol(text)
    between = "" if not lines or lines[-1].endswith("\n") else eol
    if lines and not is_blank(lines[-1]):
        between += eol
    end = "" if quote.endswith("\n") else eol
    result = text + between + quote.replace("\n", eol) + end
    where = _swallowed(result, len(split_lines(text + between)), _TAKING)
    if where or not holds(result, quote):
        raise ValueError(
            f"At the end of {path} it would be read as part of {where or 'something else'}: "
            "close that first, or choose another destination."
        )
    return result


def _lines(text: str) -> list[str]:
    """The lines of ``text`` without line ends, however many carriage returns those have, and no BOM."""
    return [line.removesuffix("\n").rstrip("\r") for line in split_lines(text.removeprefix(BOM))]


def _starts(there: Sequence[str], wanted: Sequence[str]) -> list[int]:
    return [at for at, line in enumerate(there) if line == wanted[0]]


def _swallowed(text: str, at: int, blocks: Mapping[Shape, str]) -> str:
    """Which of ``blocks`` takes in line ``at`` (from 0) with lines above it, in words; ``""`` for none."""
    reading = read_blocks(split_lines(text))
    if at < reading.front_matter:
        return "the front matter"
    for top in reading.blocks:
        for block in top.walk():
            inside = block.start < at or block.shape is Shape.MASK
            if inside and block.start <= at < block.end and block.shape in blocks:
                return blocks[block.shape]
    return ""
