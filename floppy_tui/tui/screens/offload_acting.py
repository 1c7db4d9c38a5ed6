"""What the Offload view has done on the item under its cursor: which act is possible, and its dialog."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from textual.content import Content

from floppy_tui.offload.proposal import Proposal, State
from floppy_tui.tui import display
from floppy_tui.tui.commands import Command, get, keys_of
from floppy_tui.tui.offload_rows import Look, OffloadRow, mark_of, waiting
from floppy_tui.tui.screens import offload_asking as asking
from floppy_tui.tui.screens.act import ActScreen, ConfirmScreen
from floppy_tui.tui.screens.listing import Listing
from floppy_tui.tui.screens.offload_page import beside, named
from floppy_tui.tui.widgets.page import Page

ACTS = ("approve", "reject", "defer", "edit", "migrate", "propose", "repropose")
_NEEDS_PROPOSAL = "This is a candidate and not in the queue; p proposes it."


def why_not(name: str, row: OffloadRow | None, look: Look | None) -> str:
    """Why an act cannot be done on a row, as a sentence; ``""`` where it can."""
    if look is None:
        return "The queue is still being looked at."
    if row is None:
        return "There is no row under the cursor."
    if row.trouble:
        return "This row says what could not be read; nothing can be done to it."
    if row.candidate is not None:
        if name != "propose":
            return _NEEDS_PROPOSAL
        return "The queue could not be read, so nothing can be added to it." if look.unread else ""
    assert row.proposal is not None
    return _of_proposal(name, row.proposal, look)


def _of_proposal(name: str, proposal: Proposal, look: Look) -> str:
    state = proposal.state
    if name == "propose":
        return "It is in the queue already; R proposes it again where its entry has changed."
    if state is State.MIGRATED:
        return "It has been migrated; it stays in the queue as a record."
    stale = look.changed(proposal)
    if name == "repropose":
        return "" if stale or proposal.problem else "The entry is as it was quoted."
    if name == "approve":
        if proposal.problem:
            return f"{proposal.problem} R quotes it again."
        if proposal.approved:
            return "It is approved already; m migrates it."
        return "Its entry is not what was quoted any more; R proposes it again." if stale else ""
    if name in ("reject", "defer") and proposal.task and proposal.approved:
        return f"Its ship task {proposal.task} is under way: close that first, or edit the proposal (e)."
    if name == "reject":
        return "It is rejected already." if state is State.REJECTED else ""
    if name == "defer":
        return "It is deferred already." if state is State.DEFERRED else ""
    if name == "migrate":
        if waiting(proposal):
            return f"It waits for {proposal.task}; r looks whether the project holds the quote."
        if not proposal.approved:
            return f"It is {mark_of(proposal).word}: only what you approved in words (a) is migrated."
    return ""


class OffloadActing(Listing):
    """The acts of the view, each on one item and each but a deferral through a dialog of its own."""

    look: Look | None
    go_to: str = ""
    """The id of the entry that was just proposed: the cursor goes to it."""

    def row(self) -> OffloadRow | None:
        """The row under the cursor."""
        raise NotImplementedError

    def look_again(self) -> None:
        """Have the queue looked at anew."""
        raise NotImplementedError

    def why_not(self, name: str) -> str:
        return why_not(name, self.row(), self.look) if name in ACTS else super().why_not(name)

    def label_of(self, command: Command) -> str:
        row = self.row()
        if command.name == "migrate" and row is not None and row.proposal is not None:
            return f"{command.label} −{row.tokens:,}"
        return super().label_of(command)

    @property
    def proposal(self) -> Proposal:
        """The proposal under the cursor; ``why_not`` was asked whether there is one."""
        row = self.row()
        assert row is not None and row.proposal is not None
        return row.proposal

    def _ask(self, dialog: ActScreen) -> None:
        self.floppy.push_screen(dialog, self._answered)

    def _answered(self, said: str | None) -> None:
        if said:
            self.floppy.say(said)
            self.look_again()
            self.floppy.reread()

    def _proposed(self, entry: str, said: str | None) -> None:
        self.go_to = entry if said else ""
        self._answered(said)

    def do_approve(self) -> None:
        from floppy_tui.tui.screens.offload_approve import ApproveScreen

        self._ask(ApproveScreen(self.floppy.store, self.proposal))

    def do_reject(self) -> None:
        proposal = self.proposal
        act = partial(asking.reject, self.floppy.store, proposal)
        words = "The entry stays where it is; the proposal stays in the queue as rejected."
        self._ask(ConfirmScreen(f"Reject {proposal.id}", partial(_named, proposal, words), "rejects it", act))

    def do_defer(self) -> None:
        proposal = self.proposal
        act = partial(asking.defer, self.floppy.store, proposal)
        words = "Nothing moves; the proposal stays in the queue until you take it up again."
        self._ask(ConfirmScreen(f"Defer {proposal.id}", partial(_named, proposal, words), "defers it", act))

    def do_repropose(self) -> None:
        proposal, look = self.proposal, self.look
        assert look is not None
        entry = look.now.get(proposal.id)
        act = partial(asking.repropose, self.floppy.store, proposal)
        lines = partial(_requoted, proposal, entry.prose if entry is not None else None)
        self._ask(ConfirmScreen(f"Propose {proposal.id} again", lines, "quotes it as it is now", act))

    def do_edit(self) -> None:
        from floppy_tui.tui.screens.offload_form import MoveScreen

        store, proposal = self.floppy.store, self.proposal
        warning = "It is approved: any change takes the approval back." if proposal.approval else ""
        judge = asking.Judge(store, proposal.entry)
        act = partial(asking.edit, store, proposal)
        self._ask(MoveScreen(f"Edit {proposal.id}", warning, proposal.move, "keeps the change", judge, act))

    def do_propose(self) -> None:
        from floppy_tui.tui.screens.offload_form import MoveScreen

        row = self.row()
        assert row is not None and row.candidate is not None
        store, candidate = self.floppy.store, row.candidate
        title = f"Propose “{display.one_line(candidate.entry.first_line, 50)}”"
        judge = asking.Judge(store, candidate.entry.id)
        act = partial(asking.propose, store, candidate.entry.id)
        dialog = MoveScreen(title, "", candidate.move, "proposes it", judge, act)
        self.floppy.push_screen(dialog, partial(self._proposed, candidate.entry.id))

    def do_migrate(self) -> None:
        from floppy_tui.tui.screens.offload_migrate import MigrateScreen

        opener = keys_of(get("offload.migrate"), self.keymap)[0]
        self._ask(MigrateScreen(self.floppy.store, self.proposal, opener))


def _named(proposal: Proposal, words: str, width: int) -> Sequence[Content]:
    """The proposal that an act is about, and what the act means."""
    page = Page(width)
    named(page, proposal).labelled("to", proposal.move.destination)
    page.add(words)
    if proposal.approval is not None:
        page.add(("It takes your approval back.", "$text-warning"))
    return page.lines


def _requoted(proposal: Proposal, now: str | None, width: int) -> Sequence[Content]:
    """What was quoted beside what would be."""
    page = Page(width)
    named(page, proposal)
    if now is None:
        page.add("The entry is gone, and nothing in its file is like it; it is looked for once more.")
    else:
        beside(page, ("The quote", proposal.quote, "-"), ("The entry now", now, "+"))
    page.blank().add("It is proposed as it is now, and waits for your approval anew.")
    return page.lines
