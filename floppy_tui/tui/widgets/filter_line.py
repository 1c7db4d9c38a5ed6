"""The filter line: one input, with the completion of the word being typed behind the cursor."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.binding import BindingType
from textual.message import Message
from textual.suggester import Suggester
from textual.widgets import Input

from floppy_tui.tui.commands import Commanded, bindings
from floppy_tui.tui.filters.words import Vocabulary, completions


class _Completer(Suggester):
    """Suggests the first completion of the last word."""

    def __init__(self, vocabulary: Callable[[], Vocabulary]) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._vocabulary = vocabulary

    async def get_suggestion(self, value: str) -> str | None:
        found = completions(value, self._vocabulary())
        return next((line for line in found if line.startswith(value)), None)


class FilterLine(Commanded, Input):
    """The line; ``Left`` says that the person is done typing and wants the list."""

    WHERE = "filter"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("filter")]

    class Left(Message):
        """Enter or down was pressed."""

    def __init__(self, placeholder: str, *, id: str | None = None) -> None:
        self.vocabulary = Vocabulary((), {})
        super().__init__(
            placeholder=placeholder,
            id=id,
            compact=True,
            select_on_focus=False,
            suggester=_Completer(lambda: self.vocabulary),
        )

    def do_complete(self) -> None:
        """Take the completion, or go on to the list where there is none."""
        found = completions(self.value, self.vocabulary)
        if found:
            self.value = found[0]
            self.cursor_position = len(self.value)
        else:
            self.do_leave()

    def do_leave(self) -> None:
        self.post_message(self.Left())

    def watch_value(self, value: str) -> None:
        self.set_class(bool(value), "-filtering")
