"""What the Offload view asks of the store, always in a thread: that reads files, runs git and tasks-axi."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from floppy_tui.store.files import StoreError
from floppy_tui.tiers.courses import Course
from floppy_tui.tiers.relocating import stands
from floppy_tui.tui.offload_rows import Look
from floppy_tui.tui.screens.offload_form import Judgment

if TYPE_CHECKING:
    from floppy_tui.offload.proposal import Proposal
    from floppy_tui.store.live import Store
    from floppy_tui.store.offloading import Offloading, Preview
    from floppy_tui.tiers.decisions import Move
    from floppy_tui.tiers.snapshot import Snapshot


def offloading(store: Store) -> Offloading:
    """The queue of the store's home; what it needs is loaded by the first who asks."""
    from floppy_tui.store.offloading import Offloading

    return Offloading(store)


def look_at(store: Store) -> Look:
    """One look at the queue, the disk and git; what cannot be read is in it, in the words it was said in."""
    from floppy_tui.offload.removing import entry_now
    from floppy_tui.offload.scope import HomeScope

    asked = offloading(store)
    snapshot = asked.look_over(store.read())
    _ = snapshot.hash
    scope = snapshot.scope
    assert isinstance(scope, HomeScope)
    look = Look(snapshot, candidates=scope.candidates(snapshot), places=scope.places)
    try:
        queue = asked.queue()
        look = replace(look, where=asked.where, notes=asked.notes)
    except StoreError as why:
        return replace(look, where=asked.where, troubles=(str(why),), unread=True)
    now = {p.id: entry_now(snapshot, p) for p in queue.proposals}
    return replace(look, proposals=queue.proposals, troubles=queue.problems, now=now)


def preview(store: Store, proposal_id: str) -> Preview:
    """What a proposal would do, as everything is now; raises ``StoreError``."""
    return offloading(store).preview(proposal_id)


class Judge:
    """What is thought of a move of one entry, by one look at the disk."""

    def __init__(self, store: Store, entry: str) -> None:
        self._store = store
        self._entry = entry
        self._seen: Snapshot | None = None

    def __call__(self, move: Move) -> Judgment:
        if self._seen is None:
            self._seen = offloading(self._store).look_over(self._store.read())
        scope = self._seen.scope
        assert scope is not None
        place = scope.place(move.destination) if move.destination else None
        entry = self._seen.by_id.get(self._entry)
        if entry is None:
            return Judgment(place, (), scope.places)
        tests = scope.tests(entry, stands(self._seen, Course(entry)), move, autonomous=False)
        return Judgment(place, tests, scope.places)


def approve(store: Store, seen: Proposal, words: str) -> str:
    """Approve what was ``seen``, and nothing that took its place meanwhile."""
    asked = offloading(store)
    approved = asked.approve(seen.id, words, asked.login(), seen=seen)
    return f"Approved {approved.id} in words. Nothing has moved yet: m migrates it."


def reject(store: Store, proposal: Proposal) -> str:
    """Reject a proposal."""
    offloading(store).reject(proposal.id)
    return f"Rejected {proposal.id}; its entry stays."


def defer(store: Store, proposal: Proposal) -> str:
    """Put a proposal off."""
    offloading(store).defer(proposal.id)
    return f"Deferred {proposal.id}; nothing moves."


def repropose(store: Store, proposal: Proposal) -> str:
    """Quote the entry of a proposal as it is now."""
    offloading(store).repropose(proposal.id)
    return f"Quoted {proposal.id} again; it waits for your approval."


def edit(store: Store, proposal: Proposal, move: Move) -> str:
    """Change what of a proposal's move was changed in the form."""
    names = ("trigger", "destination", "description", "privacy")
    changed = {n: getattr(move, n) for n in names if getattr(move, n) != getattr(proposal.move, n)}
    if not changed:
        raise StoreError("Nothing was changed; esc leaves it as it is.")
    offloading(store).edit(proposal.id, **changed)
    back = " Its approval was taken back." if proposal.approval else ""
    return f"Changed {' and '.join(changed)} of {proposal.id}.{back}"


def propose(store: Store, entry: str, move: Move) -> str:
    """Put an entry into the queue."""
    made = offloading(store).propose(entry, move)
    return f"Proposed as {made.id}; it waits for your approval (a), and nothing moves before."
