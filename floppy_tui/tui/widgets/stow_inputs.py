"""Where the captain types: a line and a text, which show controls as symbols and keep them as they are."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from rich.text import Text
from textual import events
from textual.widgets import Input, TextArea

from floppy_tui.tui import display

_PRIVATE = 0xE000
_SEPARATORS = "\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
"""What Textual's text area takes for line ends, and a memory file for content."""


@lru_cache(maxsize=512)
def _symbol(character: str) -> str:
    """One character to show for one; nothing that drives a terminal."""
    seen = display.shown(character)
    return seen if len(seen) == 1 else " " if character == "\t" else character if not seen else "\ufffd"


def symbols(text: str) -> str:
    """``text`` made safe to show, character for character, so that a cursor in it stays where it is."""
    return text if text.isascii() and text.isprintable() else "".join(map(_symbol, text))


class LineInput(Input):
    """One line; a paste of several lines becomes one.

    The key that opened it is deaf until another one was pressed, so that holding it types nothing.
    """

    def __init__(self, value: str = "", *, placeholder: str = "", deaf_to: str = "") -> None:
        super().__init__(value, placeholder=placeholder, compact=True, select_on_focus=False)
        self.deaf_to = deaf_to

    async def _on_key(self, event: events.Key) -> None:
        if self.deaf_to and event.character == self.deaf_to:
            event.stop()
            event.prevent_default()
        else:
            self.deaf_to = ""

    @property
    def _value(self) -> Text:
        return Text(symbols(self.value), no_wrap=True, overflow="ignore", end="")

    def _on_paste(self, event: events.Paste) -> None:
        line = " ".join(event.text.split())
        if line:
            self.replace(line, *self.selection)
        event.stop()
        event.prevent_default()


class EntryEditor(TextArea):
    """The words of an entry; separators that Textual would split lines at are kept as they are."""

    def __init__(self, text: str, **options: Any) -> None:
        self._shields = _shields(text)
        super().__init__(
            text.translate({ord(c): s for c, s in self._shields.items()}),
            soft_wrap=True,
            show_line_numbers=False,
            tab_behavior="focus",
            highlight_cursor_line=False,
            **options,
        )

    @property
    def words(self) -> str:
        """The text as it would be written."""
        back = {ord(s): c for c, s in self._shields.items()}
        return self.text.translate(back)

    def get_line(self, line_index: int) -> Text:
        line = self.document.get_line(line_index)
        for character, shield in self._shields.items():
            line = line.replace(shield, _symbol(character))
        return Text(symbols(line), end="", no_wrap=True)


def _shields(text: str) -> dict[str, str]:
    """A stand-in, not used in ``text``, for each of its separators that are no line ends."""
    free = (chr(code) for code in range(_PRIVATE, _PRIVATE + 0x1900) if chr(code) not in text)
    return {c: next(free) for c in _SEPARATORS if c in text}


_BLANK = re.compile(r"\s+")


def folded(text: str) -> str:
    """``text`` on one line, as evidence and reasons are written."""
    return _BLANK.sub(" ", text).strip()
