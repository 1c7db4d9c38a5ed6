"""The Memory view: what the memory costs, its entries, and all about the one under the cursor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Static
from textual.worker import get_current_worker

from floppy_tui.tiers.layout import Status
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tui import display
from floppy_tui.tui.commands import bindings
from floppy_tui.tui.display import TierMark
from floppy_tui.tui.filters import memory as memory_filter
from floppy_tui.tui.filters.words import Vocabulary
from floppy_tui.tui.memory_rows import SORTS, MemoryRow, memory_rows, short_name
from floppy_tui.tui.screens.entry_page import Alike, age_words, alike, entry_page
from floppy_tui.tui.screens.listing import Arrangement, Asked, Listing
from floppy_tui.tui.widgets.detail import LayOut
from floppy_tui.tui.widgets.gauge import Figures, Gauge
from floppy_tui.tui.widgets.rows import Column, Rows

if TYPE_CHECKING:
    from floppy_tui.store.git import Version

_EXCEPTIONS_SHOWN = 2
_RESTS_AFTER = 0.15
"""Seconds that the cursor stays on a row before the rows alike and its commits are looked for."""


class EntryRows:
    """Rows of entries for the table."""

    def __init__(self, rows: Sequence[MemoryRow], marks: Mapping[Tier, TierMark]) -> None:
        self._rows = rows
        self._marks = marks
        self._places = {row.id: n for n, row in enumerate(rows)}

    def __len__(self) -> int:
        return len(self._rows)

    def key(self, index: int) -> str:
        return self._rows[index].id

    def index(self, key: str) -> int:
        return self._places.get(key, -1)

    def cells(self, index: int, widths: Sequence[int]) -> Sequence[Content]:
        row = self._rows[index]
        mark = self._marks[row.tier]
        age, style = age_words(row)
        return (
            mark.content(word=False),
            display.content(age, style),
            display.content(f"{row.tokens:,}"),
            display.line(row.file, widths[3], "$text-muted"),
            display.line(row.lead, widths[4]),
        )


@dataclass(frozen=True)
class Rested:
    """A reading's rows, for as long as that reading is shown."""

    snapshot: Snapshot
    rows: tuple[MemoryRow, ...]


class MemoryView(Listing):
    """The view."""

    WHERE = "memory"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("memory")]
    COLUMNS = (
        Column("tier", "tier", 4),
        Column("age", "age", 12),
        Column("tokens", "tokens", 7, right=True),
        Column("file", "file", 10, from_width=50),
        Column("entry", "entry", 0),
    )
    SORTS = tuple(SORTS)
    PLACEHOLDER = "/ filter: tier:aging file:learnings stale unmarked tokens>50 words"

    class LookedUp(Message):
        """What is alike to an entry was found, and the commits that it has been in."""

        def __init__(self, key: str, found: tuple[Alike, ...], history: tuple[Version, ...]) -> None:
            super().__init__()
            self.key = key
            self.found = found
            self.history = history

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, MemoryView.LookedUp)

    def __init__(self, marks: Mapping[Tier, TierMark], *, id: str | None = None) -> None:
        super().__init__(marks, id=id)
        self._rested: Rested | None = None
        self._alike: tuple[str, tuple[Alike, ...], tuple[Version, ...]] = ("", (), ())
        self._resting: Timer | None = None
        """Runs while the cursor has just come to a row."""

    def compose_top(self) -> ComposeResult:
        yield Gauge(ascii_only=self.floppy.ascii_only)
        yield Static(classes="exceptions")

    def on_mount(self) -> None:
        self.rows.empty = Content("Reading the home …")

    def arrangement(self, snapshot: Snapshot, asked: Asked) -> Arrangement:
        """The rows of ``snapshot`` as asked."""
        rested = self._rested
        if rested is None or rested.snapshot is not snapshot:
            rested = self._rested = Rested(snapshot, memory_rows(snapshot))
        wanted = memory_filter.parse(asked.text)
        found = [row for row in rested.rows if wanted.lets(row)] if wanted.tests else list(rested.rows)
        if asked.sort != self.SORTS[0] or asked.reverse:
            found.sort(key=SORTS[asked.sort], reverse=asked.reverse)
        count, tokens = len(rested.rows), sum(row.tokens for row in found)
        _ = snapshot.hash
        some = display.counted(count, "entry", "entries")
        if len(found) != count:
            some = f"{len(found):,} of {some}"
        stale = sum(row.stale for row in found)
        status = f"{some}, {display.counted(tokens, 'token')}" + (f", {stale:,} stale" if stale else "")
        empty = _nothing_matches() if count else nothing_here(snapshot)
        return Arrangement(EntryRows(found, self.marks), status, wanted.problem, empty)

    def vocabulary(self) -> Vocabulary:
        files = self.snapshot.files if self.snapshot else ()
        return memory_filter.vocabulary(tuple(short_name(f.path) for f in files))

    def show_snapshot(self, snapshot: Snapshot, arrangement: Arrangement | None = None) -> None:
        super().show_snapshot(snapshot, arrangement)
        if self.ready:
            self.filter_line.vocabulary = self.vocabulary()
            self.show_figures()

    def figures_changed(self) -> None:
        self.show_figures()
        super().figures_changed()

    def show_figures(self) -> None:
        """Bring the gauge and the exceptions up to date."""
        snapshot = self.snapshot
        if snapshot is None or not self.ready:
            return
        app = self.floppy
        self.query_one(Gauge).figures = Figures.of(snapshot, app.after_pass, app.measured)
        messages = [e.message for e in snapshot.exceptions] + list(snapshot.warnings)
        shown = messages[:_EXCEPTIONS_SHOWN]
        if len(messages) > len(shown):
            shown[-1] += f" ({len(messages) - len(shown)} more on the first step of a pass)"
        exceptions = self.query_one(".exceptions", Static)
        exceptions.update(display.content("\n".join(shown), "$text-warning"))
        exceptions.display = bool(shown)

    def lines(self, key: str) -> LayOut:
        snapshot, raw, cards = self.snapshot, self.raw, self.floppy.cards
        found, history = self._alike[1:] if self._alike[0] == key else (None, ())
        if snapshot is None or key not in snapshot.by_id:
            return lambda width: ()
        return partial(
            entry_page,
            snapshot,
            key,
            raw,
            self.marks,
            found,
            history,
            None if cards is None else cards.get(key, ()),
        )

    def text(self, key: str) -> str:
        entry = self.snapshot.by_id.get(key) if self.snapshot else None
        return entry.prose if entry else ""

    @on(Rows.Highlighted)
    def _look_up_alike(self, message: Rows.Highlighted) -> None:
        if self._resting is not None:
            self._resting.stop()
        if self.snapshot is not None and message.key:
            look_up = partial(self._look_up, self.snapshot, message.key)
            self._resting = self.set_timer(_RESTS_AFTER, look_up)

    @work(thread=True, exclusive=True, group="alike", exit_on_error=False, description="alike")
    def _look_up(self, snapshot: Snapshot, key: str) -> None:
        found = alike(snapshot, key)
        entry = snapshot.by_id.get(key)
        history = self.floppy.store.history(entry) if entry is not None else ()
        if not get_current_worker().is_cancelled:
            self.post_message(self.LookedUp(key, found, history))

    @on(LookedUp)
    def _show_alike(self, message: LookedUp) -> None:
        message.stop()
        self._alike = (message.key, message.found, message.history)
        if self.rows.key == message.key:
            self.show_detail(top=False)

    def why_not(self, name: str) -> str:
        return super().why_not("open" if name == "edit" else name)

    def do_edit(self) -> None:
        assert self.snapshot is not None
        entry = self.snapshot.by_id[self.rows.key]
        self.floppy.edit(entry.file, entry.lines[0])


def nothing_here(snapshot: Snapshot) -> Content:
    """Why a home has no entries, and what would give it some."""
    said = []
    for file in snapshot.files:
        if file.refused is not None:
            said.append(file.refused.message)
        elif file.status is Status.ABSENT:
            said.append(f"{file.path} does not exist.")
        else:
            said.append(f"{file.path} holds no entries.")
    said.append("")
    said.append(
        "An entry is a list item or a paragraph of one of these files. An agent writes them as it learns; "
        "what you write there with an editor appears here by itself."
    )
    return display.content("\n".join(said))


def _nothing_matches() -> Content:
    return Content("No entry matches the filter. esc shows them all again.")
