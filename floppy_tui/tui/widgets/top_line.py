"""The first line of the screen: the views by their number keys, and which home is open."""

from __future__ import annotations

from textual import events
from textual.app import RenderResult
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from floppy_tui.tui import display
from floppy_tui.tui.commands import VIEWS


class TopLine(Widget):
    """The line; a click on a view asks for it."""

    DEFAULT_CSS = "TopLine { dock: top; height: 1; background: $panel; color: $foreground; }"
    view: reactive[str] = reactive("")
    offered: reactive[tuple[str, ...]] = reactive(())
    """The views of what is open; each keeps its number."""
    home: reactive[str] = reactive("")
    """Path and role of the home or the note tree (untrusted: a directory may be called anything)."""

    class ViewAsked(Message):
        """A view's name was clicked."""

        def __init__(self, view: str) -> None:
            super().__init__()
            self.view = view

    def _tabs(self) -> list[tuple[str, str]]:
        """Name and words of each view."""
        return [
            (name, f" {number} {title} ")
            for number, (name, title) in enumerate(VIEWS, 1)
            if name in self.offered
        ]

    def render(self) -> RenderResult:
        tabs = [
            Content.assemble((words, "reverse bold" if name == self.view else ""))
            for name, words in self._tabs()
        ]
        left = Content("").join(tabs)
        room = self.size.width - left.cell_length - 2
        home = display.one_line(self.home)
        while home and Content(home).cell_length > room:
            home = f"…{home[2:]}" if home.startswith("…") else f"…{home[1:]}"
        right = Content.assemble((home, "$text-muted"))
        return left.pad_right(max(1, room + 1 - right.cell_length)) + right

    def on_click(self, event: events.Click) -> None:
        at = 0
        for name, words in self._tabs():
            at += len(words)
            if event.x < at:
                self.post_message(self.ViewAsked(name))
                return
