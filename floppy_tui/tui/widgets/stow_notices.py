"""What the captain must not miss: decisions that were refused or dropped, and what went wrong."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import RenderResult
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from floppy_tui.tui import display

MOST = 2
"""Lines that it takes at most; a key lists all of them whole."""


class StowNotices(Widget):
    """The last notices, one line each; nothing where there are none."""

    DEFAULT_CSS = """
    StowNotices { height: auto; padding: 0 1; background: $warning-muted; color: $text; display: none; }
    """

    class Asked(Message):
        """All notices are asked for."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.notices: Sequence[str] = ()

    def show(self, notices: Sequence[str]) -> None:
        """Show these sentences, the last one last."""
        if tuple(notices) != tuple(self.notices):
            self.notices = tuple(notices)
            self.display = bool(notices)
            self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return min(MOST, len(self.notices))

    def render(self) -> RenderResult:
        width = self.content_size.width
        if not self.notices:
            return ""
        hint = "  ! lists all" if len(self.notices) > 1 else "  ! whole"
        lines = [display.line(f"! {notice}", width) for notice in self.notices[-MOST:]]
        lines[-1] = display.line(f"! {self.notices[-1]}", width - len(hint)) + Content.styled(hint, "bold")
        return Content("\n").join(lines)

    def on_click(self, event: events.Click) -> None:
        self.post_message(self.Asked())
