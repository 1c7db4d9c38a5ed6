"""A table of any length that draws only what is on screen, its cursor held on a thing instead of a number.

``DataTable`` blocks for a second at 10,000 rows and loses the cursor when it sorts. Here a ``Source`` makes
the cells of a row when the row is drawn, and the cursor is the key of a row: whatever is shown next, it stays
on that key, on the same line of the screen where it can.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple, Protocol

from rich.segment import Segment
from rich.style import Style as RichStyle
from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.style import Style

from floppy_tui.tui.commands import Commanded, bindings

GAP = 1
"""Cells between two columns."""
CURSOR = "▸"
"""Stands before the row under the cursor, for those who see no colours."""
HEADER = 1
"""Lines of the header row."""


class Column(NamedTuple):
    """One column; the widest one takes what the others leave (``width`` 0)."""

    name: str
    title: str
    width: int
    right: bool = False
    """Whether it is set flush right."""
    from_width: int = 0
    """How wide the table must be for it to be shown."""


class Source(Protocol):
    """The rows of a table."""

    def __len__(self) -> int: ...

    def key(self, index: int) -> str:
        """The key of a row; ``""`` for a heading, which the cursor skips."""
        ...

    def index(self, key: str) -> int:
        """The row of a key; -1 where it is not among the rows."""
        ...

    def cells(self, index: int, widths: Sequence[int]) -> Sequence[Content]:
        """One content a shown column (width 0: not shown), or a single one for a heading."""
        ...


class NoRows:
    """A source without rows."""

    def __len__(self) -> int:
        return 0

    def key(self, index: int) -> str:
        raise IndexError(index)

    def index(self, key: str) -> int:
        return -1

    def cells(self, index: int, widths: Sequence[int]) -> Sequence[Content]:
        raise IndexError(index)


class Rows(Commanded, ScrollView, can_focus=True, inherit_bindings=False):
    """The table."""

    WHERE = "list"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("list")]
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "rows--header",
        "rows--sorted",
        "rows--heading",
        "rows--cursor",
        "rows--cursor-blurred",
    }

    class Highlighted(Message):
        """The cursor is on another row; ``key`` is ``""`` where there is none."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, Rows.Highlighted)

    class Opened(Message):
        """A row was clicked a second time."""

    class SortAsked(Message):
        """A column's title was clicked."""

        def __init__(self, column: str) -> None:
            super().__init__()
            self.column = column

    def __init__(self, columns: Sequence[Column], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.columns = columns
        self.source: Source = NoRows()
        self.cursor = -1
        """The row under the cursor; -1 where there is none."""
        self.sorted_by = ""
        self.reversed = False
        self.empty = Content("")

    @property
    def key(self) -> str:
        """The key under the cursor; ``""`` where there is none."""
        return self.source.key(self.cursor) if self.cursor >= 0 else ""

    def show(
        self, source: Source, *, sorted_by: str = "", reverse: bool = False, empty: Content | None = None
    ) -> None:
        """Show other rows; the cursor stays on its key, or goes to what stands where that one stood."""
        before, old, line = self.key, self.source, self.cursor - round(self.scroll_y)
        cursor = self._place_of(old, source)
        self.source, self.sorted_by, self.reversed = source, sorted_by, reverse
        self.empty = empty or Content("")
        self.cursor = cursor
        self.virtual_size = Size(self.size.width, len(source) + HEADER)
        if cursor >= 0:
            self.scroll_to(y=cursor - line if before else 0, animate=False)
            self._show_cursor()
        self.refresh()
        if self.key != before or not before:
            self.post_message(self.Highlighted(self.key))

    def move_to(self, key: str) -> bool:
        """Put the cursor on ``key``; False where it is not among the rows."""
        index = self.source.index(key)
        if index >= 0:
            self._move(index)
        return index >= 0

    def _place_of(self, old: Source, new: Source) -> int:
        """Where in ``new`` the cursor goes."""
        if self.cursor < 0:
            return self._selectable(new, 0, 1)
        kept = new.index(old.key(self.cursor))
        if kept >= 0:
            return kept
        for index in range(self.cursor - 1, -1, -1):
            key = old.key(index)
            above = new.index(key) if key else -1
            if above >= 0:
                return self._selectable(new, above + 1, 1, default=above)
        return self._selectable(new, 0, 1)

    @staticmethod
    def _selectable(source: Source, start: int, step: int, default: int = -1) -> int:
        """The first row from ``start`` on that is no heading."""
        index = start
        while 0 <= index < len(source):
            if source.key(index):
                return index
            index += step
        return default

    def _move(self, index: int) -> None:
        if index == self.cursor or not 0 <= index < len(self.source):
            self._show_cursor()
            return
        old, self.cursor = self.cursor, index
        self.refresh_lines(old + HEADER, 1)
        self.refresh_lines(index + HEADER, 1)
        self._show_cursor()
        self.post_message(self.Highlighted(self.key))

    def _by(self, step: int) -> None:
        """Move by ``step`` rows, over headings, to the end at most."""
        count = len(self.source)
        if not count:
            return
        direction = 1 if step > 0 else -1
        wanted = max(0, min(self.cursor + step, count - 1))
        found = self._selectable(self.source, wanted, direction)
        self._move(found if found >= 0 else self._selectable(self.source, wanted, -direction, self.cursor))

    def _show_cursor(self) -> None:
        """Scroll so that the cursor (and a heading right above it) is in view."""
        if self.cursor < 0:
            return
        page = max(1, self.size.height - HEADER)
        top = round(self.scroll_target_y)
        first = self.cursor
        if first and not self.source.key(first - 1):
            first -= 1
        if first < top:
            self.scroll_to(y=first, animate=False)
        elif self.cursor >= top + page:
            self.scroll_to(y=self.cursor - page + 1, animate=False)

    @property
    def page(self) -> int:
        """Rows in view."""
        return max(1, self.size.height - HEADER)

    def do_up(self) -> None:
        self._by(-1)

    def do_down(self) -> None:
        self._by(1)

    def do_page_up(self) -> None:
        self._by(1 - self.page)

    def do_page_down(self) -> None:
        self._by(self.page - 1)

    def do_first(self) -> None:
        self.scroll_to(y=0, animate=False)
        self._move(self._selectable(self.source, 0, 1))

    def do_last(self) -> None:
        self._move(self._selectable(self.source, len(self.source) - 1, -1))

    def on_resize(self) -> None:
        self.virtual_size = Size(self.size.width, len(self.source) + HEADER)
        self._show_cursor()

    def watch_has_focus(self, _has_focus: bool) -> None:
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        if at is None:
            return
        if at.y < HEADER:
            column = self._column_at(at.x)
            if column:
                self.post_message(self.SortAsked(column))
            return
        index = at.y - HEADER + round(self.scroll_y)
        if not 0 <= index < len(self.source) or not self.source.key(index):
            return
        if index == self.cursor and event.chain > 1:
            self.post_message(self.Opened())
        self._move(index)

    def _column_at(self, x: int) -> str:
        at = len(CURSOR)
        for column, width in zip(self.columns, self.widths(), strict=True):
            if width and at <= x < at + width + GAP:
                return column.name
            at += width + GAP if width else 0
        return ""

    def widths(self) -> tuple[int, ...]:
        """The width of each column now; 0 where it is not shown."""
        room = self.scrollable_content_region.width - len(CURSOR)
        shown = [c for c in self.columns if room >= c.from_width]
        left = room - sum(c.width for c in shown) - GAP * (len(shown) - 1)
        return tuple((c.width or max(1, left)) if c in shown else 0 for c in self.columns)

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        base = self.visual_style
        if y < HEADER:
            return self._header(width)
        index = y - HEADER + round(self.scroll_y)
        if not len(self.source):
            return self._empty_line(index, width)
        if index >= len(self.source):
            return Strip.blank(width, base.rich_style)
        widths = self.widths()
        cells = self.source.cells(index, widths)
        if not self.source.key(index):
            style = base + self.get_visual_style("rows--heading")
            return self._strip([(cells[0], width - len(CURSOR), False)], style, width)
        style, lead = base, " "
        placed = [
            (cell, wide, column.right)
            for cell, wide, column in zip(cells, widths, self.columns, strict=True)
            if wide
        ]
        if index == self.cursor:
            name = "rows--cursor" if self.has_focus else "rows--cursor-blurred"
            style, lead = base + self.get_visual_style(name), CURSOR
            if self.has_focus:
                placed = [(cell.without_spans, wide, right) for cell, wide, right in placed]
        return self._strip(placed, style, width, lead)

    def _strip(
        self, placed: Sequence[tuple[Content, int, bool]], style: Style, width: int, lead: str = " "
    ) -> Strip:
        rich_style: RichStyle = style.rich_style
        segments = [Segment(lead, rich_style)]
        gap = Segment(" " * GAP, rich_style)
        for n, (cell, wide, right) in enumerate(placed):
            if n:
                segments.append(gap)
            cell = cell.truncate(wide, ellipsis=True)
            pad = Segment(" " * (wide - cell.cell_length), rich_style)
            if right:
                segments.append(pad)
            segments.extend(cell.render_segments(style))
            if not right:
                segments.append(pad)
        return Strip(segments).adjust_cell_length(width, rich_style)

    def _header(self, width: int) -> Strip:
        style = self.visual_style + self.get_visual_style("rows--header")
        placed = []
        for column, wide in zip(self.columns, self.widths(), strict=True):
            arrow = ("↑" if self.reversed else "↓") if column.name == self.sorted_by else ""
            title = column.title[: wide - len(arrow)] + arrow
            placed.append((Content(title), wide, column.right))
        return self._strip([cell for cell in placed if cell[1]], style, width)

    def _empty_line(self, y: int, width: int) -> Strip:
        margin = 2
        lines = self.empty.wrap(max(10, width - 2 * margin)) if self.empty else []
        if 1 <= y <= len(lines):
            line = Content(" ") + lines[y - 1]
            return self._strip([(line, width - len(CURSOR), False)], self.visual_style, width)
        return Strip.blank(width, self.visual_style.rich_style)
