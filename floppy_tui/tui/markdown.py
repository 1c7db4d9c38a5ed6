"""Untrusted Markdown laid out as lines of content, for ``display.markdown`` alone.

markdown-it parses; every leaf of text passes through ``display.shown`` after entities are decoded, so that
``&#27;`` is no escape either. Raw HTML is shown as text. A link is followed by its address and carries it as
meta data (``address``) for the widget that shows it to ask about; nothing here opens anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.content import Content
from textual.style import Style

from floppy_tui.tui import display

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MOST = 12_000
"""Longer texts are shown as they stand, without Markdown: laying them out would take a visible while."""
_NARROWEST = 8
_INLINE = {"em": "italic", "strong": "bold", "s": "strike", "link": "underline $text-accent"}
_CODE = "$text-warning"
_FAINT = "$text-muted"


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable(["table", "strikethrough"])


def render(text: str, width: int) -> Content:
    """``text`` laid out for ``width`` cells."""
    if len(text) > MOST:
        return display.content(text)
    width = max(width, _NARROWEST)
    return Content("\n").join(_Layout(width).lines(_parser().parse(text)))


@dataclass
class _Box:
    """A list item or a quote: what stands before its first line, and before all others."""

    first: str
    rest: str
    used: bool = False


@dataclass
class _Layout:
    width: int
    boxes: list[_Box] = field(default_factory=list)
    lists: list[int | None] = field(default_factory=list)
    """The next number of each open list; None for bullets."""
    style: str = ""
    separate: bool = False
    """Whether a blank line goes before the next block."""
    cells: list[Content] | None = None
    """The cells of the open table row."""

    def lines(self, tokens: Sequence[Token]) -> Iterator[Content]:
        """All lines, with a blank one between blocks that do not stand tight."""
        for token in tokens:
            match token.type:
                case "bullet_list_open" | "ordered_list_open":
                    self.lists.append(int(token.attrs.get("start", 1)) if token.tag == "ol" else None)
                case "bullet_list_close" | "ordered_list_close":
                    self.lists.pop()
                    self.separate = not self.lists
                case "list_item_open":
                    self.boxes.append(self._item())
                case "blockquote_open":
                    yield from self._block(None)
                    self.boxes.append(_Box("▎ ", "▎ "))
                case "list_item_close" | "blockquote_close":
                    if not self.boxes[-1].used:
                        yield from self._block(Content(""))
                    self.boxes.pop()
                    self.separate = self.separate or token.type == "blockquote_close"
                case "heading_open":
                    self.style = "bold underline" if token.tag == "h1" else "bold"
                case "heading_close":
                    self.style, self.separate = "", True
                case "tr_open":
                    self.cells = []
                case "tr_close":
                    row, self.cells = self.cells or [], None
                    yield from self._block(Content(" │ ").join(row))
                case "inline" if self.cells is not None:
                    self.cells.append(_inline(token.children or (), self.style))
                case "inline":
                    yield from self._block(_inline(token.children or (), self.style))
                case "paragraph_close" | "table_close":
                    self.separate = not token.hidden
                case "fence" | "code_block" | "html_block":
                    style = _FAINT if token.type == "html_block" else _CODE
                    yield from self._block(display.content(token.content.rstrip("\n"), style), after=True)
                case "hr":
                    yield from self._block(Content.styled("─" * self._room(), _FAINT), after=True)

    def _item(self) -> _Box:
        number = self.lists[-1] if self.lists else None
        if number is None:
            bullet = "• "
        else:
            bullet = f"{number}. "
            self.lists[-1] = number + 1
        return _Box(bullet, " " * cell_len(bullet))

    def _room(self) -> int:
        return max(_NARROWEST, self.width - sum(cell_len(box.rest) for box in self.boxes))

    def _block(self, content: Content | None, after: bool = False) -> Iterator[Content]:
        """The lines of one block; ``after`` sets it off from the next."""
        if self.separate:
            yield Content.styled("".join(box.rest for box in self.boxes).rstrip(), _FAINT)
        self.separate = after
        if content is None:
            return
        room = self._room()
        for unwrapped in content.split("\n", allow_blank=True):
            for wrapped in unwrapped.wrap(room) or [unwrapped]:
                before = "".join(box.rest if box.used else box.first for box in self.boxes)
                for box in self.boxes:
                    box.used = True
                yield Content.styled(before, _FAINT) + wrapped


def _inline(children: Sequence[Token], style: str) -> Content:
    """The content of one block's text."""
    parts: list[Content] = []
    styles = [style] if style else []
    addresses: list[tuple[str, int]] = []

    def add(text: str, more: str = "") -> None:
        part = display.content(text, " ".join(s for s in (*styles, more) if s))
        address = addresses[-1][0] if addresses else ""
        if display.web_address(address):
            part = part.stylize(Style.from_meta({"address": address}))
        parts.append(part)

    for token in children:
        match token.type:
            case "text" | "text_special":
                add(token.content)
            case "code_inline":
                add(token.content, _CODE)
            case "softbreak":
                add(" ")
            case "hardbreak":
                add("\n")
            case "html_inline":
                add(token.content, _FAINT)
            case "image":
                add(f"[image: {token.content}] ⟨{token.attrs.get('src', '')}⟩", _FAINT)
            case "link_open":
                addresses.append((str(token.attrs.get("href", "")), len(parts)))
                styles.append(_INLINE["link"])
            case "link_close":
                styles.pop()
                address, since = addresses.pop()
                if "".join(part.plain for part in parts[since:]) != address:
                    parts.append(display.content(f" ⟨{address}⟩", _FAINT))
            case _ if token.nesting == 1:
                styles.append(_INLINE.get(token.tag, _INLINE.get(token.type.removesuffix("_open"), "")))
            case _ if token.nesting == -1:
                styles.pop()
            case _:
                add(token.content)
    return Content("").join(parts)
