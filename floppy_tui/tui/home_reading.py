"""How the app comes to know a home: read, watched, measured, and what a pass would do with it.

Threads compute and post messages; only the handlers here change what is shown. Each worker has a description,
because Textual else makes one of its arguments, and the ``repr`` of a home is as long as the home.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from textual import on, work
from textual.message import Message
from textual.worker import get_current_worker

from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tui.acting import ActingApp
from floppy_tui.tui.screens.listing import Arrangement, Asked, Listing
from floppy_tui.tui.speaking import Said

if TYPE_CHECKING:
    from floppy_tui.tiers.cards import Card

CardsOf = Mapping[str, Sequence["Card"]]
"""The cards that are about each entry, by its id."""
_CONSIDER_AFTER = 0.15
"""Seconds after the first paint until a pass is worked out, which would else take its time from it."""
_MEASURE_AFTER = 0.5
"""Seconds after the first paint until the tokenizer is loaded."""


class ReadingApp(ActingApp):
    """An app that shows what was read."""

    view: Listing
    """The view that is shown."""
    news: str
    """What the last change on disk was."""
    stopping: asyncio.Event
    """Set when the app ends."""

    def views_made(self) -> Iterable[Listing]:
        """The views that were shown so far."""
        raise NotImplementedError

    def show_offered(self) -> None:
        """Offer the views of what is open now."""
        raise NotImplementedError

    def show_where(self) -> None:
        """Say on the first line what is open."""
        raise NotImplementedError

    def tell(self, changed: str) -> None:
        """Keep what a change was, with the time of the day."""
        if changed:
            self.news = f"{time.strftime('%H:%M')} {changed}"


class HomeReading(ReadingApp):
    """What it knows of the home."""

    snapshot: Snapshot | None
    cards: CardsOf | None
    """The cards of a pass over the snapshot, by entry; None until they are worked out."""
    after_pass: int | None
    """The total that the open pass would leave; None while none is open."""
    measured: int | None
    _recovered: bool

    class Read(Message):
        """The home was read."""

        def __init__(
            self,
            snapshot: Snapshot,
            changed: str,
            view: Listing | None,
            asked: Asked,
            arrangement: Arrangement | None,
        ) -> None:
            super().__init__()
            self.snapshot = snapshot
            self.changed = changed
            self.view = view
            """The view that was shown, and its rows; None where it shows nothing of a home."""
            self.asked = asked
            self.arrangement = arrangement

    class Considered(Message):
        """What a pass would do with a reading was worked out."""

        def __init__(self, snapshot: Snapshot, cards: CardsOf, after: int | None) -> None:
            super().__init__()
            self.snapshot = snapshot
            self.cards = cards
            self.after = after

    class Measured(Message):
        """The tokenizer has counted a reading."""

        def __init__(self, snapshot: Snapshot, tokens: int) -> None:
            super().__init__()
            self.snapshot = snapshot
            self.tokens = tokens

    def reread(self) -> None:
        """Have the home read again."""
        if self.home_store is not None:
            view = self.view if self.view.OF_HOME else None
            self._read(self.snapshot, view, self.view.asked)

    @work(thread=True, exclusive=True, group="read", exit_on_error=False, description="read")
    def _read(self, before: Snapshot | None, view: Listing | None, asked: Asked) -> None:
        if not self._recovered:
            self._recovered = True
            for sentence in self.store.recover():
                self.post_message(Said(sentence, "warning"))
        snapshot = self.store.read()
        changed = ""
        if before is not None:
            from floppy_tui.tui.what_changed import same, what_changed

            if same(before, snapshot):
                return
            changed = what_changed(before, snapshot)
        arrangement = None if view is None else view.arrangement(snapshot, asked)
        if not get_current_worker().is_cancelled:
            self.post_message(self.Read(snapshot, changed, view, asked, arrangement))

    @on(Read)
    def _show(self, message: Read) -> None:
        message.stop()
        first = self.snapshot is None
        snapshot = self.snapshot = message.snapshot
        self.show_where()
        self.tell(message.changed)
        self.cards = None
        for view in self.views_made():
            if view is message.view and view.asked == message.asked:
                view.show_snapshot(snapshot, message.arrangement)
            else:
                view.show_snapshot(snapshot)
        for screen in self.screen_stack[1:]:
            told = getattr(screen, "snapshot_changed", None)
            if told is not None:
                told(snapshot)
        if first:
            self.set_timer(_CONSIDER_AFTER, self.consider)
            self.set_timer(_MEASURE_AFTER, lambda: self._measure(snapshot))
        else:
            self._measure(snapshot)
            self.consider()

    @work(group="changes", exit_on_error=False, description="changes")
    async def watch_home(self) -> None:
        """Read again whenever something of the home changed on disk, until the app ends."""
        async for paths in self.store.changes(self.stopping):
            self.reread()
            if paths:
                for view in self.views_made():
                    view.disk_changed()

    def consider(self) -> None:
        """Work out what a pass would do, with the decisions of the one that is open."""
        if self.snapshot is not None:
            self._consider(self.snapshot)

    @work(thread=True, exclusive=True, group="consider", exit_on_error=False, description="consider")
    def _consider(self, snapshot: Snapshot) -> None:
        from floppy_tui.tiers.stow import plan

        decisions, _ = self.store.load_pass(snapshot)
        seen = snapshot
        if any(decision.move is not None for decision in decisions):
            # Where something goes is judged by what is there, which only a pass that moves something asks.
            seen = self.store.look_over(snapshot)
        made = plan(seen, decisions)
        cards: dict[str, list[Card]] = {}
        for card in made.cards:
            for entry in card.entries:
                cards.setdefault(entry, []).append(card)
        after = made.total if decisions else None
        if not get_current_worker().is_cancelled:
            self.post_message(self.Considered(snapshot, cards, after))

    @on(Considered)
    def _considered(self, message: Considered) -> None:
        message.stop()
        if message.snapshot is self.snapshot:
            self.cards = message.cards
            self.after_pass = message.after
            self._figures_changed()

    @work(thread=True, exclusive=True, group="measure", exit_on_error=False, description="measure")
    def _measure(self, snapshot: Snapshot) -> None:
        found = self.store.measure(snapshot)
        if found is not None and not get_current_worker().is_cancelled:
            self.post_message(self.Measured(snapshot, found.tokens))

    @on(Measured)
    def _measured_now(self, message: Measured) -> None:
        message.stop()
        if message.snapshot is self.snapshot:
            self.measured = message.tokens
            self._figures_changed()

    def _figures_changed(self) -> None:
        for view in self.views_made():
            view.figures_changed()
