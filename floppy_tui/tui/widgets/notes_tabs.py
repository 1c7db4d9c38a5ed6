"""The line of modes of the Notes view: each by its key, the one shown standing out; a click shows one."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import RenderResult
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from floppy_tui.tui import display


class NotesTabs(Widget):
    """The line."""

    DEFAULT_CSS = "NotesTabs { height: 1; padding: 0 1; background: $surface; }"
    mode: reactive[str] = reactive("")
    remarks: reactive[tuple[tuple[str, Content], ...]] = reactive(())
    """What is said behind a mode's title, by mode."""

    class ModeAsked(Message):
        """A mode was clicked."""

        def __init__(self, mode: str) -> None:
            super().__init__()
            self.mode = mode

    def __init__(self, modes: Sequence[tuple[str, str, str]]) -> None:
        super().__init__()
        self._modes = modes
        """Name, key as printed, title."""

    def _tabs(self) -> list[tuple[str, Content]]:
        remarks = dict(self.remarks)
        tabs = []
        for name, key, title in self._modes:
            here = name == self.mode
            style = "reverse bold" if here else ""
            tab = display.joined((f" {key}", style or "bold $footer-key-foreground"), (f" {title} ", style))
            tabs.append((name, tab + remarks[name] + " " if name in remarks else tab))
        return tabs

    def render(self) -> RenderResult:
        return Content(" ").join([tab for _, tab in self._tabs()])

    def on_click(self, event: events.Click) -> None:
        at = self.styles.padding.left
        for name, tab in self._tabs():
            at += tab.cell_length + 1
            if event.x < at:
                self.post_message(self.ModeAsked(name))
                return
