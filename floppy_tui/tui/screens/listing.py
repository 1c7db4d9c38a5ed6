"""What the views that list things share: a filter line, a table, a detail pane and a status line.

The rows are filtered and sorted in a worker thread; what it made is shown by the handler of its message, if
nothing newer was asked for meanwhile.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static
from textual.worker import get_current_worker

from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tui import display
from floppy_tui.tui.commands import Commanded
from floppy_tui.tui.display import TierMark
from floppy_tui.tui.filters.words import Vocabulary, completions
from floppy_tui.tui.widgets.detail import Detail, LayOut
from floppy_tui.tui.widgets.filter_line import FilterLine
from floppy_tui.tui.widgets.rows import Column, NoRows, Rows, Source

if TYPE_CHECKING:
    from floppy_tui.tui.app import FloppyApp

_MOST_OFFERED = 8
_MOST_SEARCHED = 100_000
"""Characters of a text in which web addresses are looked for."""


@dataclass(frozen=True)
class Asked:
    """What the rows are arranged by."""

    text: str
    """The filter line."""
    sort: str
    reverse: bool


@dataclass(frozen=True)
class Arrangement:
    """Rows ready to be shown."""

    source: Source = field(default_factory=NoRows)
    status: str = ""
    """How many of how many."""
    problem: str = ""
    """What in the filter line means nothing."""
    empty: Content = field(default_factory=lambda: Content(""))
    """Why there are no rows, and what would fill them."""


class Listing(Commanded, Vertical):
    """One view; a subclass says what its rows and details are."""

    COLUMNS: ClassVar[tuple[Column, ...]]
    PLACEHOLDER: ClassVar[str]
    SORTS: ClassVar[tuple[str, ...]]
    """Columns that can be sorted by; the first is the order without sorting."""
    OF_HOME: ClassVar[bool] = True
    """Whether it shows a home, so that its rows are made of a snapshot."""

    class Arranged(Message):
        """The worker is done with what was asked."""

        def __init__(self, number: int, asked: Asked, arrangement: Arrangement) -> None:
            super().__init__()
            self.number = number
            self.asked = asked
            self.arrangement = arrangement

    def __init__(self, marks: Mapping[Tier, TierMark], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.marks = marks
        """Held here, because rows are arranged in threads, where no app is active."""
        self.snapshot: Snapshot | None = None
        self.asked = Asked("", self.SORTS[0], False)
        self.raw = False
        self.status = ""
        self.problem = ""
        self.ready = False
        """Whether its widgets are there."""
        self._waiting: Arrangement | None = None
        self._number = 0

    @property
    def floppy(self) -> FloppyApp:
        """The app."""
        from floppy_tui.tui.app import FloppyApp

        return cast(FloppyApp, self.app)

    @property
    def rows(self) -> Rows:
        return self.query_one(Rows)

    @property
    def detail(self) -> Detail:
        return self.query_one(Detail)

    @property
    def filter_line(self) -> FilterLine:
        return self.query_one(FilterLine)

    def compose(self) -> ComposeResult:
        yield from self.compose_top()
        yield FilterLine(self.PLACEHOLDER)
        with Container(classes="split"):
            yield from self.compose_rows()
            yield Detail()
        yield Static(classes="status")

    def compose_rows(self) -> ComposeResult:
        """The table."""
        yield Rows(self.COLUMNS)

    def compose_top(self) -> ComposeResult:
        """What stands above the filter line."""
        return iter(())

    @property
    def sorts(self) -> tuple[str, ...]:
        """The columns that can be sorted by now."""
        return self.SORTS

    @property
    def reading(self) -> Any:
        """What the rows are made of; None until it was read."""
        return self.snapshot

    def arrangement(self, reading: Any, asked: Asked) -> Arrangement:
        """The rows of a reading as asked; it is called in a thread, so it only computes."""
        raise NotImplementedError

    def vocabulary(self) -> Vocabulary:
        """What the filter line completes."""
        raise NotImplementedError

    def lines(self, key: str) -> LayOut:
        """The detail of a row."""
        raise NotImplementedError

    def text(self, key: str) -> str:
        """The words of a row: what is copied, and searched for links."""
        raise NotImplementedError

    def figures_changed(self) -> None:
        """What a pass would do, or what was measured, is known now."""
        if self.ready:
            self.show_detail(top=False)

    def reload(self) -> None:
        """Look again at what is shown beside the reading of the home, because the captain asked."""

    def disk_changed(self) -> None:
        """Something changed below the home, which may be what is shown beside its reading."""

    def tree_changed(self) -> None:
        """The note tree was read again, or checked."""

    # What changes what is shown.

    def show_snapshot(self, snapshot: Snapshot, arrangement: Arrangement | None = None) -> None:
        """Show another reading of the home; cursor, filter, order and scroll stay.

        ``arrangement`` holds its rows, where they are there already.
        """
        self.snapshot = snapshot
        if not self.ready:
            self._waiting = arrangement
        elif arrangement is None:
            self.rearrange()
        else:
            self._number += 1
            self.show_arrangement(self.asked, arrangement)

    def on_mount(self) -> None:
        self.ready = True
        self.rows.focus()
        if self.snapshot is not None:
            self.show_snapshot(self.snapshot, self._waiting)

    def rearrange(self) -> None:
        """Have the rows arranged as asked."""
        self._number += 1
        if self.reading is not None:
            self._arrange(self._number, self.reading, self.asked)

    @work(thread=True, exclusive=True, group="arrange", exit_on_error=False, description="arrange")
    def _arrange(self, number: int, reading: Any, asked: Asked) -> None:
        arrangement = self.arrangement(reading, asked)
        if not get_current_worker().is_cancelled:
            self.post_message(self.Arranged(number, asked, arrangement))

    @on(Arranged)
    def _show(self, message: Arranged) -> None:
        message.stop()
        if message.number == self._number:
            self.show_arrangement(message.asked, message.arrangement)

    def show_arrangement(self, asked: Asked, arrangement: Arrangement) -> None:
        """Show rows that are ready."""
        self.status, self.problem = arrangement.status, arrangement.problem
        key = self.rows.key
        self.rows.show(
            arrangement.source,
            sorted_by=asked.sort,
            reverse=asked.reverse,
            empty=arrangement.empty,
        )
        if self.rows.key == key:
            self.show_detail(top=False)
        self.show_status()
        self.screen.refresh_bindings()

    def show_status(self) -> None:
        """Say how many rows there are; while the filter line is typed in, what could be typed."""
        line = self.filter_line
        offered = completions(line.value, self.vocabulary()) if line.has_focus else ()
        if self.problem:
            shown = display.content(self.problem, "$text-warning")
        elif len(offered) > 1 or (line.has_focus and not line.value):
            words = [o.split()[-1] for o in offered] or list(self.vocabulary().words)
            shown = display.content("  ".join(words[:_MOST_OFFERED]), "$text-muted")
        else:
            shown = display.content(self.status)
            room = self.size.width - 2 - shown.cell_length - 2
            news = display.line(self.floppy.news, room, "$text-accent")
            if news:
                shown = shown.pad_right(2 + room - news.cell_length) + news
        self.query_one(".status", Static).update(shown)

    def show_detail(self, *, top: bool) -> None:
        """Lay out the detail of the row under the cursor."""
        key = self.rows.key
        self.detail.show(self.lines(key) if key else lambda width: (), top=top)

    @on(Rows.Highlighted)
    def _highlighted(self, message: Rows.Highlighted) -> None:
        message.stop()
        self.show_detail(top=True)
        self.screen.refresh_bindings()

    @on(Rows.Opened)
    def _opened(self, message: Rows.Opened) -> None:
        message.stop()
        self.do_open()

    @on(Rows.SortAsked)
    def _sort_asked(self, message: Rows.SortAsked) -> None:
        message.stop()
        if message.column in self.sorts:
            again = message.column == self.asked.sort
            self.asked = Asked(self.asked.text, message.column, again and not self.asked.reverse)
            self.rearrange()

    @on(Input.Changed)
    def _typed(self, message: Input.Changed) -> None:
        message.stop()
        if message.value != self.asked.text:
            self.asked = Asked(message.value, self.asked.sort, self.asked.reverse)
            self.rearrange()
        self.show_status()

    @on(FilterLine.Left)
    def _left(self, message: FilterLine.Left) -> None:
        message.stop()
        self.rows.focus()

    @on(Detail.AddressClicked)
    def _address_clicked(self, message: Detail.AddressClicked) -> None:
        message.stop()
        self.floppy.ask_to_open([message.address])

    def on_descendant_focus(self) -> None:
        self.show_status()

    def on_descendant_blur(self) -> None:
        self.show_status()

    # Commands.

    def why_not(self, name: str) -> str:
        if name in ("open", "copy", "raw", "links") and not self.rows.key:
            return "There is no row under the cursor."
        return ""

    def focus_first(self) -> None:
        """Give the keys to the table."""
        self.rows.focus()

    def do_filter(self) -> None:
        self.filter_line.focus()

    def do_back(self) -> None:
        if self.filter_line.has_focus or self.detail.has_focus:
            self.rows.focus()
        elif self.has_class("-detail") and not self.screen.has_class("-wide"):
            self.remove_class("-detail")
        elif self.asked.text:
            self.filter_line.value = ""

    def do_open(self) -> None:
        """On a wide screen the detail is always there and gets the keys; else it opens and closes."""
        if self.detail.has_focus:
            self.rows.focus()
            self.remove_class("-detail")
        elif self.screen.has_class("-wide") or self.has_class("-detail"):
            self.detail.focus()
        else:
            self.add_class("-detail")

    def do_sort(self) -> None:
        at = (self.sorts.index(self.asked.sort) + 1) % len(self.sorts)
        self.asked = Asked(self.asked.text, self.sorts[at], False)
        self.rearrange()

    def do_reverse(self) -> None:
        self.asked = Asked(self.asked.text, self.asked.sort, not self.asked.reverse)
        self.rearrange()

    def do_copy(self) -> None:
        self.floppy.copy(self.text(self.rows.key))

    def do_raw(self) -> None:
        self.raw = not self.raw
        self.show_detail(top=True)

    def do_links(self) -> None:
        self.floppy.ask_to_open(addresses(self.text(self.rows.key)))


def addresses(text: str) -> Sequence[str]:
    """The web addresses of a text that may be opened on request, each once, in order."""
    found = re.findall(r"https?://[^\s<>\"'`\])}]+", text[:_MOST_SEARCHED])
    safe = (display.web_address(address.rstrip(".,;:!?*_")) for address in found)
    return list(dict.fromkeys(a for a in safe if a))
