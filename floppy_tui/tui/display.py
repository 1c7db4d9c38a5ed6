"""The one way from untrusted text to the screen: nothing in it is markup, an escape or invisible.

Memory text is written by agents. Whatever a widget shows of it passes through ``shown`` (or one of the
builders below, which do so themselves): control characters become visible symbols, bidirectional and
zero-width ones their code point, bytes that are not UTF-8 become U+FFFD. None of it is ever handed to
Textual as ``str`` where Textual would parse markup; the builders give ``Content``, which is not parsed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from textual.content import Content
from textual.style import Style

from floppy_tui.text.lines import readable
from floppy_tui.text.visible import symbol, visible
from floppy_tui.text.words import counted as counted
from floppy_tui.tiers.markers import Tier

_PRESENTATION = re.compile("[\ufe0e\ufe0f]")
"""Emoji or text style: terminals disagree on the width it gives, so it is left out."""
_TAB = "    "
_BLANKS = re.compile(r"(?:[ \t\n]|\r\n)+")
_MOST_FOLDED = 8
"""How many characters are looked at per cell asked for, so that a line of megabytes costs nothing."""


def shown(text: str) -> str:
    """``text`` as it may be put on a screen: line ends at LF, tabs as spaces, every control made visible."""
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\r\n", "\n").replace("\t", _TAB)
    return _PRESENTATION.sub("", visible(text, keep="\n"))


def copyable(text: str) -> str:
    """``text`` for the clipboard: as it is, but without bytes that are not UTF-8 or that drive a terminal."""
    plain = readable(text).replace("\r\n", "\n")
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", lambda match: symbol(match[0]), plain)


def one_line(text: str, width: int | None = None) -> str:
    """``text`` on one line, white space folded, cropped to ``width`` cells with an ellipsis at its end."""
    if width is None:
        return shown(_BLANKS.sub(" ", text).strip(" "))
    if width <= 0:
        return ""
    head = text[: width * _MOST_FOLDED + _MOST_FOLDED]
    line = shown(_BLANKS.sub(" ", head).strip(" "))
    if len(head) < len(text) and cell_len(line) <= width:
        line += " …"
    if cell_len(line) <= width:
        return line
    return set_cell_size(line, width - 1) + "…"


def short(number: int) -> str:
    """A size in at most seven cells: ``93,312``, ``1.0M``."""
    return f"{number:,}" if number < 1_000_000 else f"{number / 1_000_000:,.1f}M"


def content(text: str, style: str | Style = "") -> Content:
    """Untrusted ``text`` as content in one style (a Textual style such as ``$text-muted bold``)."""
    return Content.assemble((shown(text), style), strip_control_codes=False)


def line(text: str, width: int, style: str | Style = "") -> Content:
    """Untrusted ``text`` as content of one line, cropped to ``width`` cells."""
    return Content.assemble((one_line(text, width), style), strip_control_codes=False)


def joined(*parts: str | Content | tuple[str, str | Style], between: str = "") -> Content:
    """Content of several parts; plain text and ``(text, style)`` parts are made safe like any other."""
    made = [
        part if isinstance(part, Content) else content(part) if isinstance(part, str) else content(*part)
        for part in parts
    ]
    return Content(between).join(made)


def markdown(text: str, width: int) -> Content:
    """Untrusted Markdown laid out for ``width`` cells; a link shows its address and acts on nothing."""
    from floppy_tui.tui.markdown import render

    return render(text, width)


def web_address(address: str) -> str:
    """``address`` where it may be opened on request: http or https, nothing invisible in it; else ``""``."""
    plain = shown(address) == address and not re.search(r"\s", address)
    return address if plain and re.match(r"https?://[^/]", address, re.IGNORECASE) else ""


@dataclass(frozen=True, slots=True)
class TierMark:
    """How a tier looks: readable without colour by its glyph, its letter and its word."""

    tier: Tier
    glyph: str
    letter: str
    """As its marker spells it; ``-`` for unmarked."""

    @property
    def word(self) -> str:
        """The tier's name."""
        return str(self.tier)

    @property
    def style(self) -> str:
        """Its colour as a style, defined once per theme."""
        return f"$tier-{self.tier}"

    @property
    def short(self) -> str:
        """Glyph and letter, three cells wide."""
        return f"{self.glyph} {self.letter}"

    def content(self, *, word: bool = True) -> Content:
        """Glyph and word (or glyph and letter) in the tier's colour."""
        return Content.assemble((f"{self.glyph} {self.word}" if word else self.short, self.style))


_LETTERS = {Tier.PINNED: "P", Tier.AGING: "a", Tier.PERISHABLE: "p", Tier.GRACE: "g", Tier.UNMARKED: "-"}
_GLYPHS = dict(zip(_LETTERS, "◆●◌○·", strict=True))
_ASCII = dict(zip(_LETTERS, "#o~?.", strict=True))


def tier_marks(ascii_only: bool = False) -> Mapping[Tier, TierMark]:
    """The mark of each tier, in glyphs or, for terminals without them, in ASCII."""
    glyphs = _ASCII if ascii_only else _GLYPHS
    return {tier: TierMark(tier, glyphs[tier], letter) for tier, letter in _LETTERS.items()}
