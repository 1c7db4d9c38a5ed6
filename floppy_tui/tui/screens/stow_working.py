"""What the wizard has others do: planning, previews, saving and applying, each in a worker thread.

One of each kind runs at a time and always for the newest state; its result comes back as a message. What is
decided meanwhile counts at once (see the session), so nothing is lost and nothing lands on another card.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from textual import on, work
from textual.message import Message
from textual.worker import Worker, WorkerCancelled, WorkerFailed, WorkerState

from floppy_tui.store.files import StoreError
from floppy_tui.tiers import difference, stow
from floppy_tui.tiers.budget import Allowance
from floppy_tui.tiers.cards import Step
from floppy_tui.tiers.decisions import Decision, Do, Refusal
from floppy_tui.tiers.receipt import as_markdown
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tiers.stow import Plan
from floppy_tui.tui import display
from floppy_tui.tui.screens.stow_dialogs import BusyScreen, PageDialog
from floppy_tui.tui.screens.stow_filling import Filling
from floppy_tui.tui.screens.stow_form import FormDialog
from floppy_tui.tui.screens.stow_keeping import PassKeeper
from floppy_tui.tui.screens.stow_page import apply_words
from floppy_tui.tui.screens.stow_session import PassSession, Planned
from floppy_tui.tui.screens.stow_shown import Subject
from floppy_tui.tui.widgets.stow_rows import in_words

if TYPE_CHECKING:
    from floppy_tui.store.live import Store

APPLYING = "Applying: the archive first, the memory last; then all is read back."


class Working(Filling):
    """The part of the wizard that waits for threads; the screen shows what came of it."""

    class Opened(Message):
        """The saved pass was read."""

        def __init__(self, decisions: Sequence[Decision], dropped: Sequence[Refusal], step: int) -> None:
            super().__init__()
            self.decisions = tuple(decisions)
            self.dropped = tuple(dropped)
            self.step = step

    class Arrived(Message):
        """A plan was worked out."""

        def __init__(self, planned: Planned) -> None:
            super().__init__()
            self.planned = planned

    class Previewed(Message):
        """A diff was worked out."""

        def __init__(self, subject: Subject, diff: tuple[str, ...]) -> None:
            super().__init__()
            self.subject = subject
            self.diff = diff

    class LookedOver(Message):
        """What lies around a reading was looked at: ``after`` is the same memory with it."""

        def __init__(self, before: Snapshot, after: Snapshot) -> None:
            super().__init__()
            self.before = before
            self.after = after

    class Applied(Message):
        """The pass is applied; ``receipt`` is its Markdown, ``file`` where that was written."""

        def __init__(self, receipt: str, file: str) -> None:
            super().__init__()
            self.receipt = receipt
            self.file = file

    class Failed(Message):
        """Something that the store was asked for was not done, as a sentence; ``applying`` says what."""

        def __init__(self, why: str, applying: bool) -> None:
            super().__init__()
            self.why = why
            self.applying = applying

    def __init__(self, store: Store, snapshot: Snapshot) -> None:
        super().__init__()
        self.store = store
        self.session = PassSession(snapshot)
        self.notices: list[str] = []
        self.said = ""
        """What the last key did, where that is not plain to see."""
        self.receipt = ""
        """The receipt's Markdown once the pass is applied."""
        self.receipt_file = ""
        self._keeper = PassKeeper(store.save_pass)
        self._opened = False
        self._planning = False
        self.looking = False
        """Whether what lies around the memory is still being looked at."""
        self._previewing: Subject | None = None
        self._diff: tuple[Subject, tuple[str, ...]] | None = None
        self._told: set[Refusal] = set()
        self._applying = False
        self._later: Snapshot | None = None
        """A reading that came while the pass was being applied."""

    # -- the saved pass

    @work(thread=True, group="stow-open", exit_on_error=False, description="open")
    def _open(self, snapshot: Snapshot) -> None:
        decisions, dropped = self.store.load_pass(snapshot)
        self.post_message(self.Opened(decisions, dropped, self.store.saved_step()))

    @on(Opened)
    def _go_on(self, message: Opened) -> None:
        message.stop()
        self._opened = True
        self.session.decisions = message.decisions
        if message.step in range(Step.ACCOUNT, Step.RECEIPT):
            self.session.go(Step(message.step))
        count = len(message.decisions)
        if count:
            self.said = f"gone on with: {count} decision{'s' if count != 1 else ''} kept"
        self._tell_dropped(message.dropped)
        self.replan()
        self.show()

    def save(self) -> None:
        """Keep the pass as it stands."""
        if self._opened and not self.receipt and not self._applying:
            session = self.session
            if self._keeper.put(session.decisions, int(session.step)):
                self.app.run_worker(self._drain, thread=True, group="stow-save", exit_on_error=False)

    def _drain(self) -> None:
        try:
            self._keeper.drain()
        except StoreError as error:
            self.post_message(self.Failed(f"The pass could not be saved: {error}", False))

    async def _saved(self) -> None:
        """Wait until the pass is kept."""
        for worker in [w for w in self.app.workers if w.group == "stow-save" and not w.is_finished]:
            with suppress(WorkerFailed, WorkerCancelled):
                await worker.wait()

    # -- planning

    def replan(self) -> None:
        """Have the plan of the newest decisions and reading worked out, one at a time."""
        if self._opened and not self._planning and not self.session.settled:
            self._planning = True
            self._plan(self.session.snapshot, self.session.decisions)

    @work(thread=True, exclusive=True, group="stow-plan", exit_on_error=False, description="plan")
    def _plan(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        kept, dropped = stow.rebase(snapshot, decisions)
        plan = stow.plan(snapshot, kept)
        _ = plan.total
        self.post_message(self.Arrived(Planned(plan, decisions, dropped)))

    @on(Arrived)
    def _take_plan(self, message: Arrived) -> None:
        message.stop()
        self._planning = False
        planned = message.planned
        if self.session.planned(planned):
            self._tell_dropped(planned.dropped)
            if planned.asked != planned.plan.decisions:
                self.save()
        self.replan()
        if self.session.settled and not self.looking:
            self._tell_refused(planned.plan)
        self.show()

    def _take_back(self) -> None:
        """Take the last decision back where it cannot be planned, so that the pass can go on."""
        if not self.session.undoable:
            return
        words = ", ".join(in_words(d) for d in self.session.undo())
        self.notices.append(f"Taken back, it could not be planned: {words}. Decide otherwise on its card.")
        self.replan()
        self.save()
        self.show()

    def snapshot_changed(self, snapshot: Snapshot) -> None:
        """The app read the home anew: carry the pass over to it, on the same card where that still is."""
        if self.receipt:
            return
        if self._applying:
            self._later = snapshot
            return
        before = self.session.snapshot
        # What lay around it goes on to count until that was looked at again.
        self._go_on_with(replace(snapshot, scope=before.scope, records=before.records))
        self.said = "the memory changed on disk"
        self.look_over()
        self.show()

    def _go_on_with(self, snapshot: Snapshot) -> None:
        self.session.snapshot = snapshot
        self._diff = None
        self.replan()

    # -- what lies around the memory

    def look_over(self) -> None:
        """Have places, proposals and backlog looked at: one look at a time, in the end at the newest."""
        if not self.looking:
            self.looking = True
            self._look(self.session.snapshot)

    @work(thread=True, group="stow-look", exit_on_error=False, description="look")
    def _look(self, snapshot: Snapshot) -> None:
        self.post_message(self.LookedOver(snapshot, self.store.look_over(snapshot)))

    @on(LookedOver)
    def _looked_over(self, message: LookedOver) -> None:
        message.stop()
        self.looking = False
        if self.receipt or self._applying:
            return
        if message.before is not self.session.snapshot:
            self.look_over()
            return
        self._go_on_with(message.after)
        if isinstance(self.app.screen, FormDialog):
            self.app.screen.snapshot_changed(message.after)
        self.show()

    def _tell_dropped(self, dropped: Sequence[Refusal]) -> None:
        for refusal in dropped:
            self.notices.append(f"Dropped, {in_words(refusal.decision)}: {refusal.why}")

    def _tell_refused(self, plan: Plan) -> None:
        """Say what the engine refuses, once; it stays on its card and in the last step."""
        for refusal in plan.refused:
            if refusal not in self._told:
                self._told.add(refusal)
                card = self.session.card(refusal.decision.card)
                name = f" “{display.one_line(card.title, 40)}”" if card else ""
                words = in_words(refusal.decision)
                self.notices.append(f"Not done, {words}{name}: {refusal.why}")
        self._told &= set(plan.refused)

    # -- diffs

    def _preview(self, subject: Subject) -> None:
        if self._previewing is None and not self._applying:
            self._previewing = subject
            self._work_preview_out(subject)

    @work(thread=True, exclusive=True, group="stow-preview", exit_on_error=False, description="preview")
    def _work_preview_out(self, subject: Subject) -> None:
        decision = subject.decision
        if decision is None:
            diff = difference.changes(subject.plan)
        else:
            snapshot = subject.snapshot
            if decision.do in (Do.ADD, Do.ROUTE):
                # Whether there is room for it is said of the whole plan, not of it alone.
                snapshot = replace(snapshot, allowance=Allowance(digits=""))
            diff = difference.preview(snapshot, decision)
        self.post_message(self.Previewed(subject, diff))

    @on(Previewed)
    def _take_preview(self, message: Previewed) -> None:
        message.stop()
        self._previewing = None
        self._diff = (message.subject, message.diff)
        self.show_diff()

    def show_diff(self) -> None:
        """Show the diff of what is looked at, once it is worked out."""
        raise NotImplementedError

    # -- applying and leaving

    def do_apply(self) -> None:
        plan = self.session.plan
        assert plan is not None
        lines = apply_words(plan, sum(c.open for step in Step for c in self.session.cards_of(step)))
        title = display.content("Apply this pass? The files are written in one transaction.", "bold")

        def given(yes: bool | None) -> None:
            if not yes:
                return
            if self.session.plan is not plan or not self.session.settled:
                self.notices.append(
                    "Not applied: the memory changed while you were asked. Look at the change again."
                )
                self.show()
                return
            self._applying = True
            self.app.push_screen(
                BusyScreen("Applying: the archive first, the memory last, then all is read back.")
            )
            self._apply(plan)

        self.app.push_screen(PageDialog(title, lines, "y", "applies it", "does not"), given)

    @work(group="stow-apply", exit_on_error=False, description="apply")
    async def _apply(self, plan: Plan) -> None:
        await self._saved()
        self._carry_out(plan)

    @work(thread=True, group="stow-carry-out", exit_on_error=False, description="carry-out")
    def _carry_out(self, plan: Plan) -> None:
        try:
            receipt = self.store.apply(plan)
        except StoreError as error:
            self.post_message(self.Failed(f"Nothing was changed: {error}", True))
        else:
            self.post_message(self.Applied(as_markdown(receipt), receipt.file))

    @on(Applied)
    def _show_receipt(self, message: Applied) -> None:
        message.stop()
        self._no_longer_busy()
        self.receipt, self.receipt_file = message.receipt, message.file
        self.said = "applied"
        self.session.go(Step.RECEIPT)
        self.show()

    @on(Failed)
    def _say_failed(self, message: Failed) -> None:
        message.stop()
        self.notices.append(message.why)
        if message.applying:
            self._no_longer_busy()
            later, self._later = self._later, None
            if later is not None:
                self.snapshot_changed(later)
            else:
                # What changed may be the file that was to be given a quote.
                self.look_over()
        self.show()

    def _no_longer_busy(self) -> None:
        self._applying = False
        if isinstance(self.app.screen, BusyScreen):
            self.app.screen.dismiss(None)

    @on(Worker.StateChanged)
    def _worker_failed(self, event: Worker.StateChanged) -> None:
        """Hand what should not happen to the app, which says it and logs it; go on with what is known."""
        if event.state is not WorkerState.ERROR:
            return
        match event.worker.group:
            case "stow-plan":
                self._planning = False
                self._take_back()
            case "stow-preview":
                self._previewing = None
            case "stow-look":
                self.looking = False
                self.show()
            case "stow-carry-out" | "stow-apply":
                self._no_longer_busy()
        self.app.post_message(event)
