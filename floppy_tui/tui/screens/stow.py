"""The Stow wizard: a pass over the memory, step by step and card by card, until it is applied."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widgets import Static

from floppy_tui.tiers.cards import Card, Step
from floppy_tui.tiers.decisions import Decision
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tui import display
from floppy_tui.tui.commands import bindings, get
from floppy_tui.tui.screens.stow_dialogs import PageDialog
from floppy_tui.tui.screens.stow_page import apply_page, card_page, no_card, receipt_page
from floppy_tui.tui.screens.stow_shown import LISTED, effects, keys, subject_of
from floppy_tui.tui.screens.stow_working import Working
from floppy_tui.tui.widgets.detail import Detail
from floppy_tui.tui.widgets.stow_diff import StowDiff, of_one_card
from floppy_tui.tui.widgets.stow_gauge import StowGauge
from floppy_tui.tui.widgets.stow_keys import StowKeys
from floppy_tui.tui.widgets.stow_notices import StowNotices
from floppy_tui.tui.widgets.stow_rows import CardSource, StowRows, in_words
from floppy_tui.tui.widgets.stow_steps import StowSteps

if TYPE_CHECKING:
    from floppy_tui.store.live import Store

MOST = 1_000_000
"""More cards, and more lines, than there ever are."""
CONTEXT = 2
"""Lines of context in the diff of one decision, where there is room."""
WIDE = 100
"""Cells from which on steps, card and diff stand side by side."""


class StowCard(Detail, can_focus=False):
    """The pane that shows a card; the wizard has the keys."""


class StowScreen(Working):
    """The wizard; it is dismissed with None, whether the pass was applied or left to be gone on with."""

    WHERE = "stow"
    AUTO_FOCUS = ""
    CSS_PATH = "../styles/stow.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("stow")]

    def __init__(self, store: Store, snapshot: Snapshot) -> None:
        super().__init__(store, snapshot)
        self._other = 0
        """Which of the ways to decide the card the diff shows."""
        self._shown: object = None
        self._hidden: dict[tuple[bool, bool], bool] = {(True, True): True}
        """By whether the screen is narrow and a list is shown: whether the diff is hidden."""

    def compose(self) -> ComposeResult:
        yield Static(id="title")
        yield StowGauge()
        with Container(id="body"):
            yield StowSteps()
            with Vertical(id="middle"):
                yield StowRows((), id="rows")
                yield StowCard()
            with Vertical(id="right"):
                yield Static(id="effects")
                yield StowDiff()
        yield StowNotices()
        yield StowKeys()

    def on_mount(self) -> None:
        self.show()
        self._open(self.session.snapshot)
        self.look_over()

    # -- deciding

    def commit(self, decisions: Sequence[Decision], card: Card | None) -> None:
        session = self.session
        before = [c for d in decisions if (c := session.card(d.card)) is not None]
        session.decide(decisions)
        current = session.current
        if card is None:
            if any(c.open for c in before):
                session.advance()
        elif current is not None and current.key == card.key:
            session.advance(optional=not any(c.open for c in before))
        self.said = ""
        self._changed()

    def _changed(self) -> None:
        self.replan()
        self.save()
        self.show()

    def do_undo(self) -> None:
        self._turned("undone", self.session.undo())

    def do_redo(self) -> None:
        self._turned("done again", self.session.redo())

    def _turned(self, what: str, changed: Sequence[Decision]) -> None:
        words = ", ".join(in_words(d) for d in changed[:3])
        self.said = f"{what}: {words}" + (f" and {len(changed) - 3} more" if len(changed) > 3 else "")
        self._changed()

    # -- moving

    @property
    def scrolls(self) -> bool:
        """Whether there is but one page here, so that the keys for moving scroll it."""
        return bool(self.receipt) or (self.session.place()[1] < 2 and not self.session.gone)

    def do_next(self) -> None:
        self._move(1)

    def do_previous(self) -> None:
        self._move(-1)

    def do_first(self) -> None:
        self._move(-MOST)

    def do_last(self) -> None:
        self._move(MOST)

    def _move(self, by: int) -> None:
        self.said = ""
        if self.scrolls:
            self.query_one(StowCard).scroll_relative(y=by, animate=False)
            return
        self.session.move(by)
        self.show()

    def do_next_open(self) -> None:
        self.said = ""
        self.session.next_open()
        self.show()

    def do_next_step(self) -> None:
        self._go(Step(min(self.session.step + 1, Step.RECEIPT)))

    def do_previous_step(self) -> None:
        self._go(Step(max(self.session.step - 1, Step.ACCOUNT)))

    def _go(self, step: Step, key: str | None = None) -> None:
        if self.receipt or not self._opened:
            return
        self.said = ""
        self.session.go(step, key)
        self.save()
        self.show()

    @on(StowSteps.Picked)
    def _step_picked(self, message: StowSteps.Picked) -> None:
        message.stop()
        self._go(message.step)

    @on(StowRows.Picked)
    def _row_picked(self, message: StowRows.Picked) -> None:
        message.stop()
        self._go(self.session.step, message.key)
        if message.toggle and not self.why_not("select"):
            self.session.selected ^= {message.key}
            self.show()

    @on(StowKeys.Pressed)
    async def _key_clicked(self, message: StowKeys.Pressed) -> None:
        message.stop()
        await self.action_command(message.command)

    async def action_command(self, command_id: str) -> None:
        name = get(command_id).name
        if name.startswith("step_"):
            self._go(Step(int(name.removeprefix("step_"))))
        elif name == "apply" and self.session.step is not Step.APPLY:
            # Enter held from the line that confirmed something.
            return
        elif why := self.why_not(name):
            self.say(why)
        else:
            await super().action_command(command_id)

    def say(self, words: str) -> None:
        self.said = words
        self.query_one("#title", Static).update(self._title())

    # -- the panes

    def do_diff(self) -> None:
        key = self._layout()
        self._hidden[key] = not self._hidden.get(key, False)
        self.show()

    def do_other(self) -> None:
        self._other += 1
        self.show()

    def do_page_down(self) -> None:
        self.query_one(StowCard).do_page_down()

    def do_page_up(self) -> None:
        self.query_one(StowCard).do_page_up()

    def do_diff_down(self) -> None:
        self.query_one(StowDiff).scroll_relative(y=3, animate=False)

    def do_diff_up(self) -> None:
        self.query_one(StowDiff).scroll_relative(y=-3, animate=False)

    def _layout(self) -> tuple[bool, bool]:
        return self.app.size.width < WIDE, self.session.step in LISTED

    def on_resize(self, event: events.Resize) -> None:
        self.show()

    @on(StowNotices.Asked)
    def do_notices(self) -> None:
        lines = [display.content(f"• {notice}") for notice in reversed(self.notices)]
        self.notices.clear()
        self.app.push_screen(PageDialog(display.content("What you should know", "bold"), lines))
        self.show()

    def show(self) -> None:
        """Show everything as it stands now."""
        if not self.is_mounted:
            return
        session = self.session
        card = session.current
        key = card.key if card else ""
        shown = (session.step, key, bool(self.receipt))
        fresh, self._shown = shown != self._shown, shown
        if fresh:
            self._other = 0
        listed = session.step in LISTED and not self.receipt
        hidden = self._hidden.get(self._layout(), False)
        self.set_class(listed, "-listed")
        self.set_class(hidden, "-no-diff")
        self.set_class(bool(self.receipt), "-receipt")
        self.query_one("#title", Static).update(self._title())
        self.query_one(StowGauge).show(session.plan)
        counts = {step: session.counts(step) for step in Step}
        self.query_one(StowSteps).show(counts, session.step, bool(self.receipt))
        if listed:
            source = CardSource(
                session.cards_of(session.step),
                session.snapshot,
                frozenset(session.selected),
                self.floppy.marks,
            )
            self.query_one(StowRows).show_cards(source, key, session.step is Step.RETAIN)
        self.query_one(StowCard).show(partial(self._page, card), top=fresh)
        self.query_one(StowNotices).show(self.notices)
        self.query_one(StowKeys).show(*keys(self, bool(self.receipt)))
        self.show_diff()

    def _title(self) -> Content:
        snapshot = self.session.snapshot
        planning = not self.receipt and not self.session.settled
        state = "planning …" if planning else "looking around …" if self.looking else ""
        words = ("".join(f"{part} · " for part in (self.said, state) if part), "bold")
        return display.joined(("Stow ", "bold"), f"pass of {snapshot.today} · ", words, snapshot.root)

    def _page(self, card: Card | None, width: int) -> Sequence[Content]:
        session = self.session
        if self.receipt:
            return receipt_page(self.receipt, self.receipt_file, width)
        if session.plan is None:
            return [display.content("Reading and planning …", "$text-muted")]
        if session.step is Step.APPLY:
            opened = [c for step in Step for c in session.cards_of(step) if c.open]
            return apply_page(session.plan, opened, session.settled, width)
        if card is None:
            return no_card(session, width)
        refusal = session.refusal(card)
        return card_page(card, session.snapshot, session.place(), refusal, self.floppy.marks, width)

    def show_diff(self) -> None:
        session = self.session
        card = session.current
        self.query_one("#effects", Static).update(effects(self, card))
        subject = subject_of(session, card, self._other)
        self.set_class(subject is None, "-nothing")
        self.set_class(subject is not None and not self.has_class("-no-diff"), "-diff")
        diff = self.query_one(StowDiff)
        if subject is None:
            diff.show(None, "", ())
        elif self._diff is not None and self._diff[0] == subject:
            lines = self._diff[1]
            if subject.decision is not None:
                lines = tuple(of_one_card(lines, 0 if self._layout()[0] else CONTEXT, subject.names))
            diff.show(subject.key, subject.title if lines else subject.nothing, lines, subject.names)
        else:
            diff.show(subject.key, "…", ())
            self._preview(subject)

    async def do_back(self) -> None:
        self.save()
        await self._saved()
        if self.is_current:
            self.dismiss(None)

    # -- what can be done now

    def why_not(self, name: str) -> str:
        session = self.session
        if name == "back":
            return ""
        if self.receipt:
            scrolls = name in ("page_down", "page_up", "next", "previous", "first", "last", "notices")
            return "" if scrolls else "The pass is applied; q or esc leaves."
        if not self._opened or session.plan is None:
            return "The pass is still being opened."
        match name:
            case "undo" if not session.undoable:
                return "Nothing was decided yet."
            case "redo" if not session.redoable:
                return "Nothing was undone."
            case "notices" if not self.notices:
                return "There is nothing that you should know."
            case "select" if session.step is not Step.REINFORCE or not session.current:
                return "Cards are selected in step 4, Reinforce."
            case "accept_all" if not self.rest(session.step):
                return "No open card of this step can be accepted with it."
            case "apply" if not session.settled:
                return "The plan is still being worked out."
            case "apply" if self.looking:
                return "What lies around the memory is still being looked at; a moment."
            case "repeat" if not session.evidence:
                return "No evidence was given yet."
        return self.why_no_offer(name)
