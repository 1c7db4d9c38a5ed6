"""A list of which several are chosen: each says by its tick whether it is, with colour and without."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from floppy_tui.tui import display
from floppy_tui.tui.widgets.options import Options


class Ticks(Options):
    """The list; space chooses and gives up, enter goes on with what is chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "tick", "choose", show=False)]

    class Changed(Message):
        """Something was chosen or given up."""

    class Done(Message):
        """The person goes on."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._values: list[str] = []
        self._words: list[Content] = []
        self._chosen: set[str] = set()

    def offer(self, value: str, words: Content, *, chosen: bool) -> None:
        """Add one more to choose from; ``words`` are safe to show."""
        self._values.append(value)
        self._words.append(words)
        if chosen:
            self._chosen.add(value)
        self.add_option(Option(self._row(len(self._values) - 1)))
        if self.highlighted is None:
            self.highlighted = 0

    def forget(self) -> None:
        """Offer nothing any more."""
        self._values.clear()
        self._words.clear()
        self._chosen.clear()
        self.clear_options()

    @property
    def chosen(self) -> tuple[str, ...]:
        """What is chosen, in the order of the list."""
        return tuple(value for value in self._values if value in self._chosen)

    def _row(self, at: int) -> Content:
        ticked = self._values[at] in self._chosen
        return display.joined(
            ("[x] " if ticked else "[ ] ", "$text-success" if ticked else ""), self._words[at]
        )

    def action_tick(self) -> None:
        """Choose what is under the cursor, or give it up."""
        at = self.highlighted
        if at is not None:
            self._chosen ^= {self._values[at]}
            self.replace_option_prompt_at_index(at, self._row(at))
            self.post_message(self.Changed())

    async def _on_click(self, event: events.Click) -> None:
        # A click chooses, as space does; the list of Textual would go on with it, as enter does.
        event.prevent_default()
        at = event.style.meta.get("option")
        if isinstance(at, int):
            self.highlighted = at
            self.action_tick()

    def _on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.post_message(self.Done())
