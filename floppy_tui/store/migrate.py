"""The migration of one approved proposal: every step shown, all of it done or nothing of it left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from floppy_tui.offload.destinations import judge
from floppy_tui.offload.placing import holds
from floppy_tui.offload.proposal import Proposal, State
from floppy_tui.offload.queue import put
from floppy_tui.offload.removing import entry_now, quoted_entry, take_out
from floppy_tui.store.files import StoreError, shown
from floppy_tui.store.proposals import QueueStore
from floppy_tui.store.steps import Ran, Run, Stopped
from floppy_tui.store.survey import no_notes, survey
from floppy_tui.store.tasks import Tasks
from floppy_tui.store.to_owner import migrate_to_owner
from floppy_tui.store.to_project import Waiting, landed, migrate_to_project
from floppy_tui.store.to_skill import migrate_to_skill
from floppy_tui.store.transaction import Refused, RollBackFailed
from floppy_tui.tiers.scope import PlaceKind

if TYPE_CHECKING:
    from floppy_tui.store.live import Store

__all__ = ["Migration", "Ran", "migrate"]

CHANGED = "The entry has changed since it was quoted: propose it again, and it can be approved as it is now."
GONE = "The entry is not in the memory any more as it was quoted, so there is nothing to move."
UNAPPROVED = "It is not approved, and nothing moves without the captain's words."
RESEALED = "It says something else now than what was approved: approve it again."
_ROUTES = {
    PlaceKind.NEW_SKILL: migrate_to_skill,
    PlaceKind.SKILL: migrate_to_owner,
    PlaceKind.NOTE: migrate_to_owner,
    PlaceKind.PROJECT: migrate_to_project,
    PlaceKind.PROJECT_SKILL: migrate_to_project,
}


@dataclass(frozen=True, slots=True)
class Migration:
    """What came of a migration."""

    proposal: Proposal
    """As the queue has it now."""
    steps: tuple[Ran, ...]
    state: str
    """``migrated``, ``failed`` and taken back, ``waiting`` for a ship task, or ``unusable`` and not begun."""
    why: str = ""
    relief: int | None = None
    """Estimated tokens freed, measured from the bytes."""


def find(proposals: Sequence[Proposal], id: str) -> Proposal:
    """The one proposal called ``id``; raises ``StoreError``."""
    found = [proposal for proposal in proposals if proposal.id == id]
    if len(found) != 1:
        many = "There is no proposal" if not found else "There are several proposals called"
        raise StoreError(f"{many} {id} in the queue; look at what it holds.")
    return found[0]


def unusable(proposal: Proposal) -> str:
    """Why a proposal cannot be migrated as it stands in the queue; ``""`` where it can."""
    if proposal.problem:
        return proposal.problem
    if proposal.state is State.MIGRATED:
        return "It was migrated already."
    if proposal.approval is not None and proposal.approval.seal != proposal.seal:
        return RESEALED
    return "" if proposal.approved else UNAPPROVED


def migrate(
    store: Store,
    tasks: Tasks | None,
    queue_store: QueueStore,
    proposal_id: str,
    *,
    pointer: str = "",
    on_step: Callable[[Ran], None] = lambda ran: None,
    now: datetime,
) -> Migration:
    """Move an approved entry to its destination, and mark the proposal with what came of it.

    ``pointer`` is one line left in the entry's place; ``on_step`` is told each step as it ends. Raises
    ``StoreError`` only where the queue cannot be read or has no such proposal.
    """
    proposal = find(queue_store.read().proposals, proposal_id)
    if why := unusable(proposal):
        return Migration(proposal, (), "unusable", why)
    snapshot = store.read()
    seen = survey(store.home, snapshot, besides=no_notes(store.home, tasks))
    place = judge(proposal.move.destination, seen)
    run = Run(store.home, store.roots, proposal, place, seen, now, on_step, tasks)
    day = store.today().isoformat()
    entry = quoted_entry(snapshot, proposal)
    if entry is None:
        moved = place.text is not None and holds(place.text, proposal.quote)
        if moved or _landed(run):
            return _marked(run, queue_store, day, None)
        unread = [f.refused.message for f in snapshot.files if f.path == proposal.file and f.refused]
        why = CHANGED if entry_now(snapshot, proposal) else GONE
        return Migration(proposal, (), "unusable", unread[0] if unread else why)
    try:
        _find_home(run)
        run.begin(2, "Check the destination again")
        if place.kind is None or place.refused:
            raise Stopped(place.refused or f"{place.path} is no destination.")
        if not place.private and not proposal.move.public:
            raise Stopped(f"Others can read {place.path}, and this entry was not said to be public.")
        try:
            removal = take_out(snapshot, entry, pointer)
        except ValueError as why_not:
            raise Stopped(str(why_not)) from why_not
        _ROUTES[place.kind](run, removal)
    except Waiting as waiting:
        return _waits(run, queue_store, day, waiting.task)
    except StoreError as error:
        return _failed(run, queue_store, day, error)
    return _marked(run, queue_store, day, removal.relief)


def _find_home(run: Run) -> None:
    """Step 1: the home, and the repository around it."""
    top = run.repository.top()
    run.begin(1, "Find the home and its repository", top)
    run.need(top, f"{shown(run.home.root)} is in no git repository, so nothing there can be kept private")
    around = Path(top.out.removesuffix("\n"))
    run.done(f"home_root is {shown(run.home.root)}, in the repository {shown(around)}.")


def _landed(run: Run) -> bool:
    if run.place.kind not in (PlaceKind.PROJECT, PlaceKind.PROJECT_SKILL):
        return False
    return landed(run.seen.projects.get(run.place.path.split("/")[1]), run.place, run.quote)


def _failed(run: Run, queue_store: QueueStore, day: str, error: StoreError) -> Migration:
    """Show what failed and what was taken back, and mark the proposal."""
    why = error.reason if isinstance(error, Refused | RollBackFailed) else str(error)
    number = run.failed(why)
    if run.wrote:
        left = "; ".join(error.left) if isinstance(error, Refused) else ""
        if isinstance(error, RollBackFailed):
            left = f"not all of it could be: {'; '.join(error.failures)}; it is tried again at the next start"
        said = left or "Nothing of this attempt is left, and the entry is where it was."
        run.tell(Ran(number, "Take back what this attempt made", "", said, not left))
        if left:
            why = f"{why}; {left}"
    note = " ".join(why.split())
    proposal, trouble = _mark(run, queue_store, state=State.FAILED, note=note, decided=day)
    return Migration(proposal, tuple(run.steps), "failed", f"{note}{trouble}")


def _waits(run: Run, queue_store: QueueStore, day: str, task: str) -> Migration:
    """The ship task is filed; the proposal waits for what it brings."""
    note = f"waiting for {task}"
    proposal, trouble = _mark(run, queue_store, state=State.APPROVED, note=note, task=task, decided=day)
    why = f"it is {note}, and the entry stays until its quote is on the project's default branch{trouble}."
    return Migration(proposal, tuple(run.steps), "waiting", why)


def _marked(run: Run, queue_store: QueueStore, day: str, relief: int | None) -> Migration:
    """Step 7: the proposal is marked; that it could not be undoes nothing."""
    run.begin(7, "Mark the proposal as migrated", f"update {queue_store.where}")
    proposal, trouble = _mark(run, queue_store, state=State.MIGRATED, note="", relief=relief, decided=day)
    if trouble:
        run.failed(f"The entry has moved and nothing is lost, but the proposal is not marked{trouble}")
        return Migration(proposal, tuple(run.steps), "migrated", f"It is not marked yet{trouble}", relief)
    freed = f", with {relief} estimated tokens freed" if relief is not None else "; the entry had left before"
    run.done(f"{proposal.id} is migrated{freed}.")
    return Migration(proposal, tuple(run.steps), "migrated", "", relief)


def _mark(run: Run, queue_store: QueueStore, **fields: object) -> tuple[Proposal, str]:
    """Write what came of it into the queue as it is now; the proposal, and what went wrong with that."""
    try:
        before = queue_store.read()
        there = find(before.proposals, run.proposal.id)
        if there.seal != run.proposal.seal:
            raise StoreError(f"{there.id} was changed in the queue meanwhile.")
        marked = there.with_(**fields)
        queue_store.write(before, put(before, marked))
    except StoreError as why:
        return run.proposal, f"; the queue could not be told: {why}"
    return marked, ""
