"""What can be done here and now: the keys of the card with verbs and tokens, and those for moving."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from textual import events
from textual.app import RenderResult
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

BETWEEN = 2
"""Cells between two keys."""


class KeyLabel(NamedTuple):
    """One key and what it does."""

    key: str
    """As it is printed on keyboards."""
    label: str
    command: str
    """The id of its command."""
    strong: bool = False
    """Whether it is what to press next."""


class StowKeys(Widget):
    """Keys by lines; a line that is too long goes on in the next."""

    DEFAULT_CSS = """
    StowKeys { height: auto; padding: 0 1; background: $panel; }
    """

    class Pressed(Message):
        """A key was clicked."""

        def __init__(self, command: str) -> None:
            super().__init__()
            self.command = command

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.groups: Sequence[Sequence[KeyLabel]] = ()

    def show(self, *groups: Sequence[KeyLabel]) -> None:
        """Show these keys, each group from a new line on."""
        if tuple(groups) != self.groups:
            self.groups = tuple(groups)
            self.refresh(layout=True)

    def _lines(self, width: int) -> list[list[tuple[int, KeyLabel]]]:
        """The keys of each line with the cell at which they begin."""
        lines: list[list[tuple[int, KeyLabel]]] = []
        for group in self.groups:
            x = 0
            line: list[tuple[int, KeyLabel]] = []
            for key in group:
                length = self._content(key).cell_length
                if line and x + length > width:
                    lines.append(line)
                    line, x = [], 0
                line.append((x, key))
                x += length + BETWEEN
            if line:
                lines.append(line)
        return lines

    @staticmethod
    def _content(key: KeyLabel) -> Content:
        style = "bold reverse" if key.strong else "bold $text-accent"
        return Content.assemble((f" {key.key} " if key.strong else key.key, style), f" {key.label}")

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return max(1, len(self._lines(width)))

    def render(self) -> RenderResult:
        gap = Content(" " * BETWEEN)
        return Content("\n").join(
            gap.join(self._content(key) for _, key in line) for line in self._lines(self.content_size.width)
        )

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset_capture(self)
        lines = self._lines(self.content_size.width)
        if offset.y < len(lines):
            for x, key in lines[offset.y]:
                if x <= offset.x < x + self._content(key).cell_length:
                    self.post_message(self.Pressed(key.command))
