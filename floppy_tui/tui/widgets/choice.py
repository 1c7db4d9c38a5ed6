"""One of a few words, on one line: chosen with the arrows, the space bar or the mouse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import RenderResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget


class Choice(Widget, can_focus=True):
    """The line. ``words`` are trusted."""

    DEFAULT_CSS = """
    Choice { height: 1; }
    Choice:focus { text-style: bold; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "by(-1)", "previous", show=False),
        Binding("right,space", "by(1)", "next", show=False),
    ]
    value: reactive[str] = reactive("")

    def __init__(self, label: str, words: Sequence[str], value: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._label = label
        self._words = words
        self.set_reactive(Choice.value, value if value in words else (words[0] if words else ""))

    def _placed(self) -> list[tuple[int, str]]:
        """Where each word begins."""
        at = len(self._label) + 2
        placed = []
        for word in self._words:
            placed.append((at, word))
            at += len(word) + 4
        return placed

    def render(self) -> RenderResult:
        line = Content.assemble((f"{self._label}: ", "$text-muted"))
        # Where the keys go is told without colour as well.
        opens, closes = "<>" if self.has_focus else "[]"
        for _, word in self._placed():
            chosen = word == self.value
            line += Content.assemble(
                (f"{opens}{word}{closes}" if chosen else f" {word} ", "$text-accent bold" if chosen else "")
            )
            line += Content("  ")
        return line

    def action_by(self, step: int) -> None:
        if self._words:
            self.value = self._words[(self._words.index(self.value) + step) % len(self._words)]

    def on_click(self, event: events.Click) -> None:
        for at, word in self._placed():
            if at <= event.x < at + len(word) + 2:
                self.value = word
