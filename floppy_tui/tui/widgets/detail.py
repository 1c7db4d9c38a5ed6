"""A pane of laid-out lines that scrolls; it lays them out again for every width."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from floppy_tui.tui.commands import Commanded, bindings

LayOut = Callable[[int], Sequence[Content]]
"""Gives the lines for a width in cells; none is wider."""


class Detail(Commanded, ScrollView, can_focus=True):
    """The pane."""

    WHERE = "detail"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("detail")]

    class AddressClicked(Message):
        """A link was clicked; nothing has been opened."""

        def __init__(self, address: str) -> None:
            super().__init__()
            self.address = address

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lay_out: LayOut = lambda width: ()
        self._lines: Sequence[Content] = ()
        self._width = 0
        self._mark = ""

    def show(self, lay_out: LayOut, *, top: bool) -> None:
        """Show other lines; ``top`` where they are about another thing than before."""
        self._lay_out = lay_out
        self._width = 0
        self._mark = ""
        if top:
            self.scroll_to(y=0, animate=False)
        self._arrange()

    def scroll_to_mark(self, mark: str) -> None:
        """Scroll to the first line that begins with ``mark``, once it is laid out."""
        self._mark = mark
        self._arrange()

    def _arrange(self) -> None:
        width = self.scrollable_content_region.width
        if width != self._width and width > 0:
            self._width = width
            self._lines = self._lay_out(width)
        size = Size(width, len(self._lines))
        if size != self.virtual_size:
            # Setting it the plain way would lay out the whole screen for each move of the cursor.
            self.set_reactive(Detail.virtual_size, size)
            self._scroll_update(size)
        if self._mark and width > 0:
            mark, self._mark = self._mark, ""
            at = next((n for n, line in enumerate(self._lines) if line.plain.startswith(mark)), 0)
            self.scroll_to(y=max(0, at - self.size.height // 3), animate=False)
        self.refresh()

    def on_resize(self) -> None:
        self._arrange()

    def on_show(self) -> None:
        self._arrange()

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        style = self.visual_style
        at = y + round(self.scroll_y)
        if at >= len(self._lines):
            return Strip.blank(width, style.rich_style)
        line = self._lines[at].truncate(width)
        return Strip(line.render_segments(style)).adjust_cell_length(width, style.rich_style)

    def on_click(self, event: events.Click) -> None:
        address = event.style.meta.get("address")
        if isinstance(address, str):
            event.stop()
            self.post_message(self.AddressClicked(address))

    def do_up(self) -> None:
        self.scroll_relative(y=-1, animate=False)

    def do_down(self) -> None:
        self.scroll_relative(y=1, animate=False)

    def do_page_up(self) -> None:
        self.scroll_relative(y=1 - self.size.height, animate=False)

    def do_page_down(self) -> None:
        self.scroll_relative(y=self.size.height - 1, animate=False)

    def do_first(self) -> None:
        self.scroll_to(y=0, animate=False)

    def do_last(self) -> None:
        self.scroll_to(y=self.max_scroll_y, animate=False)
