"""Drawing with ASCII alone: every ornament of ours and of Textual as a character that any terminal has.

The words of the memory stay as they are; only lines, blocks, arrows and typographic marks are exchanged, each
for one of the same width.
"""

from __future__ import annotations

import unicodedata

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter


def _line(code: int) -> str:
    name = unicodedata.name(chr(code), "")
    if "DIAGONAL" in name:
        return "/"
    if "HORIZONTAL" in name and "VERTICAL" not in name:
        return "-"
    return "|" if "VERTICAL" in name and "HORIZONTAL" not in name else "+"


_BLOCKS = range(0x2580, 0x25A0)
EXCHANGED: dict[int, str] = {
    **{code: _line(code) for code in range(0x2500, 0x2580)},
    **dict.fromkeys(_BLOCKS, "#"),
    **{ord(a): b for a, b in zip("↑↓←→…›•·−–—✓✗“”‘’⟨⟩▶▼▾▸", "^v<>~>*.---*x\"\"''<>>vv>", strict=True)},
}
"""What is drawn instead, by code point."""


class AsciiFilter(LineFilter):
    """Exchanges the ornaments of a line."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            segment if segment.text.isascii() else segment._replace(text=segment.text.translate(EXCHANGED))
            for segment in segments
        ]
