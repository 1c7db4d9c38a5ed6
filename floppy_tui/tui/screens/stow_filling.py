"""The cards that ask for a form: a proposal to move an entry, a finding, an open record."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

from floppy_tui.store.files import StoreError
from floppy_tui.tiers.cards import Card, Offer, Verb
from floppy_tui.tiers.courses import Course
from floppy_tui.tiers.decisions import Decision, Do, Move
from floppy_tui.tiers.relocating import stands
from floppy_tui.tiers.rules import chart
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tui import display
from floppy_tui.tui.screens.stow_deciding import Deciding
from floppy_tui.tui.screens.stow_form import Form, FormDialog, Left
from floppy_tui.tui.screens.stow_handed import OpenRecord, finding_of, record_of

if TYPE_CHECKING:
    from floppy_tui.store.live import Store
    from floppy_tui.tui.app import FloppyApp
    from floppy_tui.tui.screens.offload_form import Judgment

NOTHING_MOVES = (
    "Nothing moves by it: the pass puts it into the queue, and there you approve it by its name, in the "
    "Offload view, before anything is moved."
)


class Filling(Deciding):
    """The part of the wizard that has forms filled in."""

    store: Store

    @property
    def floppy(self) -> FloppyApp:
        """The app."""
        return cast("FloppyApp", self.app)

    def _accept(self, card: Card, offer: Offer) -> None:
        if "move" in offer.needs:
            self._ask_move(card, offer)
        else:
            super()._accept(card, offer)

    def _edit(self, card: Card, offer: Offer) -> None:
        if "finding" in offer.needs or "record" in offer.needs:
            self._hand_over(card, offer)
        else:
            super()._edit(card, offer)

    # -- proposals

    def _ask_move(self, card: Card, offer: Offer) -> None:
        from floppy_tui.tui.screens.offload_form import MoveScreen

        session, decision = self.session, offer.decision
        move = card.decided.move if card.decided and card.decided.move else decision.move
        if move is None:
            return
        others = [d for d in session.decisions if d.card != card.key]
        judge = Judging(session.snapshot, others, decision.id)
        taken: list[Move] = []

        def given(said: str | None) -> None:
            if said and taken:
                self.commit([decision.with_(move=taken[-1])], card)

        title = f"Propose to move {self._named([card])}"
        take = partial(judge.take, taken)
        screen = MoveScreen(title, NOTHING_MOVES, move, "proposes it", judge, take)
        self.app.push_screen(screen, given)

    # -- findings and open records

    def _hand_over(self, card: Card, offer: Offer) -> None:
        decision = offer.decision
        key = decision.card if card.decided is not None else self._free(decision.card)
        draft = self.session.forms.get(card.key)
        form = self._dialog(key, draft, decision)

        def given(left: Left | None) -> None:
            if left is None:
                return
            self.session.forms[card.key] = left.form
            if left.taken:
                self._handed(card, key, left.form, left.effect)

        self.app.push_screen(form, given)

    def _dialog(self, key: str, draft: Form | None, decision: Decision) -> FormDialog:
        session, read_body = self.session, self.store.item_body
        if decision.record is not None:
            from floppy_tui.tui.screens.stow_record import RecordDialog

            record = draft if isinstance(draft, OpenRecord) else record_of(decision.record)
            return RecordDialog(session, key, record, read_body)
        from floppy_tui.tui.screens.stow_finding import FindingDialog

        finding = finding_of(decision) if draft is None or isinstance(draft, OpenRecord) else draft
        return FindingDialog(session, key, finding, read_body, self.floppy.marks)

    def _free(self, key: str) -> str:
        """A card's key that no decision has yet; the card shown may be older than the last one."""
        prefix, _, number = key.rpartition(":")
        taken = {d.card for d in self.session.decisions}
        at = int(number)
        while f"{prefix}:{at}" in taken:
            at += 1
        return f"{prefix}:{at}"

    def _handed(self, card: Card, key: str, form: Form, effect: int) -> None:
        """Take what was handed over; what makes a statement leave goes by the line for that."""
        snapshot = self.session.snapshot
        if form.missing(snapshot):
            self.say("Not taken: the memory changed meanwhile. What you typed is kept.")
            return
        decision = form.decision(snapshot, key)
        if decision.do is not Do.ARCHIVE:
            self.take_form(card, decision)
            return
        named = f"“{display.one_line(snapshot.by_id[decision.id].first_line, 60)}”"
        offer = Offer(Verb.LEAVE, "archive", decision, ("reason",), effect)
        self.ask_to_leave(named, [offer], partial(self.take_form, card))

    def take_form(self, card: Card, decision: Decision) -> None:
        """Commit what came out of a form; the invitation stays under the cursor for the next one."""
        self.session.forms.pop(card.key, None)
        self.commit([decision], None)
        record = decision.record
        said = (record.title or record.id) if record is not None else decision.text or decision.reason
        self.say(f"handed over: {display.one_line(said, 40)}")


class Judging:
    """What is thought of proposing to move an entry, as the decisions so far leave it."""

    def __init__(self, snapshot: Snapshot, decisions: Sequence[Decision], entry: str) -> None:
        self._snapshot = snapshot
        self._decisions = decisions
        self._entry = entry
        self._course: Course | None = None

    def __call__(self, move: Move) -> Judgment:
        from floppy_tui.tui.screens.offload_form import Judgment

        snapshot, scope = self._snapshot, self._snapshot.scope
        entry = snapshot.by_id.get(self._entry)
        if scope is None or entry is None:
            raise StoreError("Nobody looked where it could live instead: read the home again and go on.")
        if self._course is None:
            self._course = chart(snapshot, self._decisions).courses[entry.id]
        place = scope.place(move.destination) if move.destination else None
        tests = scope.tests(entry, stands(snapshot, self._course), move, autonomous=False)
        return Judgment(place, tests, scope.places)

    def take(self, taken: list[Move], move: Move) -> str:
        """Take a move that passes every test; raises ``StoreError`` with the first verdict that it fails."""
        for test in self(move).tests:
            if not test.passes:
                raise StoreError(test.why)
        taken.append(move)
        return "proposed"
