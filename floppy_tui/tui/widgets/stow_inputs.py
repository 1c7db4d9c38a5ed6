"""Where the captain types: a line and a text, which show controls as symbols and keep them as they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.suggester import Suggester
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

    def __init__(self, value: str = "", *, placeholder: str = "", deaf_to: str = "", **options: Any) -> None:
        super().__init__(value, placeholder=placeholder, compact=True, select_on_focus=False, **options)
        self.deaf_to = deaf_to

    async def _on_key(self, event: events.Key) -> None:
        if _deaf(self, event):
            event.stop()
            event.prevent_default()

    @property
    def _value(self) -> Text:
        return Text(symbols(self.value), no_wrap=True, overflow="ignore", end="")

    def _on_paste(self, event: events.Paste) -> None:
        line = " ".join(event.text.split())
        if line:
            self.replace(line, *self.selection)
        event.stop()
        event.prevent_default()


def _deaf(field: LineInput | EntryEditor, event: events.Key) -> bool:
    """Whether the key is the one that opened the field, and no other was pressed since."""
    if field.deaf_to and field.deaf_to in (event.key, event.character):
        return True
    field.deaf_to = ""
    return False


class _Names(Suggester):
    """Suggests the first known name that goes on as the last word of the line does."""

    def __init__(self, known: Callable[[], Iterable[str]], several: bool) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._known = known
        self._several = several

    async def get_suggestion(self, value: str) -> str | None:
        word = re.split(r"[\s,]", value)[-1] if self._several else value
        found = (name for name in self._known() if word and name.startswith(word) and name != word)
        # What is suggested is drawn as it is, and taken as it is drawn.
        name = next((name for name in found if name.isascii() and name.isprintable()), None)
        return None if name is None else value + name[len(word) :]


class NameInput(LineInput):
    """A name (or ``several``) of those ``known``; tab takes the one suggested, else it goes on."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("tab", "complete", "complete", show=False)]

    def __init__(
        self, value: str = "", *, known: Callable[[], Iterable[str]], several: bool = False, **options: Any
    ) -> None:
        super().__init__(value, suggester=_Names(known, several), **options)

    def action_complete(self) -> None:
        if len(self._suggestion) > len(self.value) and self._suggestion.startswith(self.value):
            self.value = self._suggestion
            self.cursor_position = len(self.value)
        else:
            self.screen.focus_next()


class EntryEditor(TextArea):
    """The words of an entry; separators that Textual would split lines at are kept as they are.

    As of a line, the key that opened it is deaf until another one was pressed.
    """

    def __init__(self, text: str, **options: Any) -> None:
        self.deaf_to = ""
        self._shields = _shields(text)
        super().__init__(
            self._shielded(text),
            soft_wrap=True,
            show_line_numbers=False,
            tab_behavior="focus",
            highlight_cursor_line=False,
            **options,
        )

    def _shielded(self, text: str) -> str:
        return text.translate({ord(c): s for c, s in self._shields.items()})

    async def _on_key(self, event: events.Key) -> None:
        if _deaf(self, event):
            event.stop()
            event.prevent_default()

    def load(self, text: str) -> None:
        """Have another text edited."""
        self._shields = _shields(text)
        self.load_text(self._shielded(text))

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
