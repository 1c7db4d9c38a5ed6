"""A form of step File: the engine judges what stands in it as one types, and it is taken only where none of
its rules refuses it; left without, it is kept as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Input, Static, TextArea
from textual.worker import Worker, WorkerState

from floppy_tui.store.files import StoreError
from floppy_tui.text.similarity import Pair
from floppy_tui.tiers import stow
from floppy_tui.tiers.decisions import Decision
from floppy_tui.tiers.records import Item, Records
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tui import display
from floppy_tui.tui.screens.stow_handed import Finding, OpenRecord
from floppy_tui.tui.screens.stow_session import PassSession
from floppy_tui.tui.widgets.page import FAINT
from floppy_tui.tui.widgets.stow_gauge import change

MOST_ALIKE = 5
"""Statements that are shown beside a finding."""
ALIKE = 45.0
"""From this similarity (percent) on they are."""
MOST_ITEMS = 4
"""Backlog items that are shown beside what is typed of an id."""

Form = Finding | OpenRecord
ReadBody = Callable[[str], str]
"""Gives the present body of a backlog item; slow, called in a thread, raises ``StoreError``."""


class Left(NamedTuple):
    """What a form was left with."""

    form: Form
    taken: bool
    """Whether it is to be decided; kept as it is otherwise."""
    effect: int = 0
    """Estimated tokens that the plan gains by it, as far as that is known."""


@dataclass(frozen=True)
class Rehearsal:
    """What the engine says of a form."""

    form: Form
    snapshot: Snapshot
    decisions: tuple[Decision, ...]
    missing: str = ""
    refused: str = ""
    """Why it would not be done."""
    effect: int | None = None
    """Estimated tokens that the plan gains by it; None where that is not known."""
    alike: tuple[Pair, ...] = ()
    """``right`` is a position among the snapshot's entries."""


def rehearse(
    form: Form, snapshot: Snapshot, decisions: tuple[Decision, ...], card: str, total: int | None
) -> Rehearsal:
    """Plan with what stands in a form; ``total`` is what the plan comes to without it, where known."""
    alike: tuple[Pair, ...] = ()
    if isinstance(form, Finding) and form.words.strip():
        from floppy_tui.text.similarity import similar

        alike = similar(form.words, [e.prose for e in snapshot.entries], ALIKE, MOST_ALIKE)
    missing = form.missing(snapshot)
    if missing:
        return Rehearsal(form, snapshot, decisions, missing, alike=alike)
    decision = form.decision(snapshot, card)
    others, _ = stow.rebase(snapshot, [d for d in decisions if d.card != card])
    plan = stow.plan(snapshot, (*others, decision))
    refused = next((r.why for r in plan.refused if r.decision == decision), "")
    effect = None if total is None or refused else plan.total - total
    return Rehearsal(form, snapshot, decisions, "", refused, effect, alike)


def items_like(records: Records, typed: str, most: int = MOST_ITEMS) -> list[Item]:
    """The open backlog items that go with what is typed of an id or a title, those that begin so first."""
    said = typed.casefold().strip()
    items = [i for i in records.items.values() if said in f"{i.id}\n{i.title}".casefold()]
    items.sort(key=lambda i: (i.done, not i.id.casefold().startswith(said), i.id))
    return items[:most]


def item_lines(records: Records, typed: str, width: int) -> Iterator[Content]:
    """Those items, a line each; where the backlog was not read, why not."""
    if records.note:
        yield display.line(records.note, width, "$text-warning")
    for item in items_like(records, typed):
        state = item.state.replace("_", " ")
        head = display.joined((item.id, "bold"), (f"  {display.one_line(state, 12)}  ", FAINT))
        yield (head + display.line(item.title, max(8, width - head.cell_length))).truncate(max(1, width))


class FormDialog(ModalScreen[Left]):
    """The form; a subclass has its fields and says what they come to."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "back", priority=True),
        Binding("ctrl+s", "take", "take it", priority=True),
    ]
    HEADING: ClassVar[str]

    class Rehearsed(Message):
        """What stood in the form was judged."""

        def __init__(self, rehearsal: Rehearsal) -> None:
            super().__init__()
            self.rehearsal = rehearsal

    class BodyRead(Message):
        """A backlog item's body was read, or could not be (``why``)."""

        def __init__(self, item: str, body: str, why: str) -> None:
            super().__init__()
            self.item = item
            self.body = body
            self.why = why

    def __init__(self, session: PassSession, card: str, read_body: ReadBody) -> None:
        super().__init__()
        self.session = session
        self.card = card
        """The key of the card that it decides, whose earlier decision it replaces."""
        self.bodies: dict[str, str] = {}
        """The bodies of backlog items as they are now, as far as they were read."""
        self.unread: dict[str, str] = {}
        """Why a body could not be read."""
        self.ready = False
        """Whether all fields are there."""
        self._read_body = read_body
        self._reading = ""
        self._judging = False
        self._judged: Rehearsal | None = None
        self._take = False
        """Whether it is to be taken as soon as it is judged as it stands."""

    # -- what a subclass says

    @property
    def form(self) -> Form:
        """What stands in the form."""
        raise NotImplementedError

    def fields(self) -> ComposeResult:
        """The fields."""
        raise NotImplementedError

    def settle_fields(self) -> None:
        """Show the fields that what stands in them asks for."""

    def problem(self) -> str:
        """Why it cannot be taken for a reason that is the form's own; ``""`` where there is none."""
        return ""

    def does(self) -> str:
        """What taking it does, in words."""
        raise NotImplementedError

    def notes(self) -> Sequence[Content]:
        """What is to be known before it is taken, a line each."""
        return ()

    # -- the screen

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(display.content(self.HEADING, "bold"), id="heading")
            with VerticalScroll(id="form", can_focus=False):
                yield from self.fields()
            yield Static(id="says")

    @staticmethod
    def row(label: str, field: Widget, name: str) -> Horizontal:
        """A field after its label."""
        return Horizontal(Static(Content(label), classes="label"), field, classes="row", id=f"row-{name}")

    def show_rows(self, **shown: bool) -> None:
        """Show or hide rows by their names."""
        for name, is_shown in shown.items():
            self.query_one(f"#row-{name}").display = is_shown

    def changed(self) -> None:
        """Something was typed or chosen, or came in: show and judge what stands there now."""
        if self.ready:
            self.settle_fields()
            self._judge()
            self.show()

    @on(Input.Changed)
    @on(TextArea.Changed)
    def _typed(self, event: Message) -> None:
        event.stop()
        self._take = False
        self.changed()

    @on(Input.Submitted)
    def _on(self, event: Input.Submitted) -> None:
        event.stop()
        self.focus_next()

    def snapshot_changed(self, _: Snapshot) -> None:
        """The pass goes on with another reading of the home."""
        self.changed()

    def show(self) -> None:
        """Say what taking it does, or why it cannot be taken."""
        judged, problem = self.judged, self.problem()
        problem = problem or (judged.missing or judged.refused if judged else "")
        lines = [*self.notes()]
        if problem:
            lines.insert(0, display.joined(("✗ ", "bold $text-error"), (problem, "$text-error")))
        elif judged is None:
            lines.insert(0, display.content("Asking the rules …", FAINT))
        else:
            tokens = f" ({change(judged.effect)} tokens)" if judged.effect else ""
            lines.insert(0, display.joined(("ctrl+s", "bold reverse"), f" {self.does()}{tokens}"))
        lines.append(
            display.joined(("tab", "bold"), " next field   ", ("esc", "bold"), " back, this is kept as it is")
        )
        self.query_one("#says", Static).update(Content("\n").join(lines))

    # -- judging

    @property
    def judged(self) -> Rehearsal | None:
        """What the engine says of the form as it stands; None while that is not known yet."""
        last, session = self._judged, self.session
        if last is None or last.snapshot is not session.snapshot or last.decisions is not session.decisions:
            return None
        return last if last.form == self.form else None

    @property
    def last(self) -> Rehearsal | None:
        """What the engine said last, perhaps of a form that has changed since."""
        return self._judged

    def _judge(self) -> None:
        if not self._judging and self.judged is None:
            self._judging = True
            session = self.session
            plan = session.plan
            known = (
                plan is not None and session.settled and all(d.card != self.card for d in session.decisions)
            )
            total = plan.total if plan is not None and known else None
            self._rehearse(self.form, session.snapshot, session.decisions, total)

    @work(thread=True, group="stow-form", exit_on_error=False, description="form")
    def _rehearse(
        self, form: Form, snapshot: Snapshot, decisions: tuple[Decision, ...], total: int | None
    ) -> None:
        self.post_message(self.Rehearsed(rehearse(form, snapshot, decisions, self.card, total)))

    @on(Rehearsed)
    def _take_rehearsal(self, message: Rehearsed) -> None:
        message.stop()
        self._judging = False
        self._judged = message.rehearsal
        self.changed()
        if self._take and self.judged is not None:
            self.action_take()

    # -- the bodies of backlog items

    def want_body(self, item: str) -> None:
        """Have the present body of a known item read, once."""
        known = item in self.session.snapshot.records.items
        if known and not self._reading and item not in self.bodies and item not in self.unread:
            self._reading = item
            self._read(item)

    @work(thread=True, group="stow-item", exit_on_error=False, description="item")
    def _read(self, item: str) -> None:
        try:
            body, why = self._read_body(item), ""
        except StoreError as error:
            body, why = "", str(error)
        self.post_message(self.BodyRead(item, body, why))

    @on(BodyRead)
    def _body_read(self, message: BodyRead) -> None:
        message.stop()
        self._reading = ""
        if message.why:
            self.unread[message.item] = message.why
        else:
            self.bodies[message.item] = message.body
        self.changed()

    def not_read(self, item: str) -> str:
        """Why the present body of an item is not known, as a sentence; ``""`` where it is."""
        records = self.session.snapshot.records
        if item in self.bodies:
            return ""
        if item in self.unread:
            return f"The item {item} could not be looked at: {self.unread[item]}"
        if item in records.items:
            return f"The body of {item} is still being read …"
        return records.note or f"The backlog knows no item {item}."

    def known_items(self) -> Iterable[str]:
        """The ids of the backlog, open ones first."""
        items = self.session.snapshot.records.items.values()
        return [item.id for item in sorted(items, key=lambda i: (i.done, i.id))]

    # -- leaving

    def action_take(self) -> None:
        judged = self.judged
        self._take = judged is None and not self.problem()
        if judged is not None and not (self.problem() or judged.missing or judged.refused):
            self.dismiss(Left(self.form, True, judged.effect or 0))

    def action_cancel(self) -> None:
        self.dismiss(Left(self.form, False))

    @on(Worker.StateChanged)
    def _worker_failed(self, event: Worker.StateChanged) -> None:
        """The app says and logs what should not happen; the form stays."""
        if event.state is not WorkerState.ERROR:
            return
        if event.worker.group == "stow-form":
            self._judging = False
        else:
            self.unread[self._reading] = "something went wrong that should not."
            self._reading = ""
        self.app.post_message(event)
        self.show()
