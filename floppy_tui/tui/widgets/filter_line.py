"""The filter line: one input, with the completion of the word being typed behind the cursor."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.suggester import Suggester
from textual.widgets import Input

from floppy_tui.tui.filters.words import Vocabulary, completions


class _Completer(Suggester):
    """Suggests the first completion of the last word."""

    def __init__(self, vocabulary: Callable[[], Vocabulary]) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._vocabulary = vocabulary

    async def get_suggestion(self, value: str) -> str | None:
        found = completions(value, self._vocabulary())
        return next((line for line in found if line.startswith(value)), None)


class FilterLine(Input):
    """The line; ``Left`` says that the person is done typing and wants the list."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "complete", "complete", show=False),
        Binding("down", "leave", "to the list", show=False),
    ]

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

    def action_complete(self) -> None:
        """Take the completion, or go on to the list where there is none."""
        found = completions(self.value, self.vocabulary)
        if found:
            self.value = found[0]
            self.cursor_position = len(self.value)
        else:
            self.action_leave()

    def action_leave(self) -> None:
        self.post_message(self.Left())

    async def action_submit(self) -> None:
        self.action_leave()
