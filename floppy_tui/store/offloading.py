"""The captain's acts on the queue of proposals, the same on the screen and on the command line."""

from __future__ import annotations

import getpass
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from floppy_tui.offload.candidate import SHARED_WARNING
from floppy_tui.offload.destinations import Survey
from floppy_tui.offload.proposal import Approval, Proposal, State
from floppy_tui.offload.queue import Queue, put
from floppy_tui.offload.removing import entry_now, quoted_entry
from floppy_tui.offload.scope import Candidate, HomeScope
from floppy_tui.offload.skill import write_skill
from floppy_tui.store import to_skill
from floppy_tui.store.errands import proposal_for
from floppy_tui.store.files import StoreError, shown
from floppy_tui.store.migrate import Migration, Ran, find, migrate, unusable
from floppy_tui.store.proposals import QueueStore
from floppy_tui.store.survey import no_notes, survey
from floppy_tui.store.tasks import Tasks
from floppy_tui.store.to_project import landed
from floppy_tui.tiers.courses import Course
from floppy_tui.tiers.decisions import Move
from floppy_tui.tiers.document import Entry
from floppy_tui.tiers.errands import Propose
from floppy_tui.tiers.layout import SHARED
from floppy_tui.tiers.records import Item, Records
from floppy_tui.tiers.relocating import Proposed, stands
from floppy_tui.tiers.scope import Place, PlaceKind, Tested
from floppy_tui.tiers.snapshot import Snapshot

if TYPE_CHECKING:
    from floppy_tui.store.live import Store

NO_BACKLOG = "tasks-axi is not on the PATH, so no backlog id can be looked up."
LANDED = "its quote is on the project's default branch: migrating it takes the entry out"
SETTLED = "its quote is there and the entry has left: migrating it only marks it"
_DECIDED = (State.MIGRATED, State.REJECTED)


@dataclass(frozen=True, slots=True)
class Preview:
    """What migrating a proposal would do, as everything is now."""

    proposal: Proposal
    current: str | None
    """The entry's prose now; None where it is gone."""
    place: Place
    skill_text: str
    """The whole text of the skill to be written, ``""`` where none would be."""
    exclude_file: str
    exclude_line: str
    checks: tuple[Tested, ...]
    notes: tuple[str, ...]


class Offloading:
    """The queue of one home; its methods ask the disk, git and the backlog tool, and raise ``StoreError``."""

    def __init__(self, store: Store, *, now: Callable[[], datetime] | None = None) -> None:
        self.store = store
        self.home = store.home
        self._now = now or (lambda: datetime.now().astimezone())

    @cached_property
    def tasks(self) -> Tasks | None:
        """The backlog tool, where it is there."""
        return Tasks.find(self.home, self.store.env)

    @cached_property
    def queue_store(self) -> QueueStore:
        """Where the queue is read and written."""
        return QueueStore(self.home, self.tasks)

    @property
    def where(self) -> str:
        """Where the queue is, in words."""
        return self.queue_store.where

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be known of where it is, in sentences."""
        return self.queue_store.notes

    def login(self) -> str:
        """Who is at the terminal, by the name of the login."""
        with suppress(OSError, KeyError, ImportError):
            return getpass.getuser()
        return "unknown"

    # -- looking

    def look_over(self, snapshot: Snapshot) -> Snapshot:
        """``snapshot`` with the places, the proposals and the open records; what fails is a note in them."""
        seen = self._survey(snapshot)
        proposals: tuple[Proposal, ...] = ()
        with suppress(StoreError):
            proposals = self.queue_store.read().proposals
        items, note = self._items()
        releases = {p.name: p.release for p in seen.projects.values() if p.release}
        records = Records(items=items, releases=releases, note=note)
        return replace(snapshot, scope=HomeScope(seen, proposals), records=records)

    def _survey(self, snapshot: Snapshot) -> Survey:
        return survey(self.home, snapshot, besides=no_notes(self.home, self.tasks))

    def _items(self) -> tuple[dict[str, Item], str]:
        if self.tasks is None:
            return {}, NO_BACKLOG
        try:
            return dict(self.tasks.items()), ""
        except StoreError as why:
            return {}, f"The backlog could not be read: {why}"

    def _scope(self) -> tuple[Snapshot, HomeScope]:
        snapshot = self.store.read()
        queue = self.queue_store.read()
        return snapshot, HomeScope(self._survey(snapshot), queue.proposals)

    def queue(self) -> Queue:
        """The queue as it is now; an approved proposal says what has come of it since. Nothing is written."""
        queue = self.queue_store.read()
        if not any(p.approved for p in queue.proposals):
            return queue
        snapshot = self.store.read()
        scope = HomeScope(self._survey(snapshot), queue.proposals)
        return replace(queue, proposals=tuple(_refreshed(p, snapshot, scope) for p in queue.proposals))

    def candidates(self) -> tuple[Candidate, ...]:
        """Every entry with the verdict of each test, the largest first."""
        snapshot, scope = self._scope()
        return scope.candidates(snapshot)

    def preview(self, id: str) -> Preview:
        """What migrating a proposal would do; nothing is written."""
        snapshot, scope = self._scope()
        proposal = find(scope.proposals, id)
        place = scope.place(proposal.move.destination)
        entry = entry_now(snapshot, proposal)
        tests: tuple[Tested, ...] = ()
        if entry is not None:
            tests = scope.tests(entry, stands(snapshot, Course(entry)), proposal.move, autonomous=False)
        skill, file, line = "", "", ""
        notes = [proposal.problem, proposal.warning] if proposal.state not in _DECIDED else [proposal.problem]
        if place.kind is PlaceKind.NEW_SKILL:
            name = to_skill.skill_of(place.path)
            skill = write_skill(name, to_skill.description_of(proposal.move), proposal.quote)
            tests += to_skill.checks(self.home, name)
            with suppress(StoreError):
                found = to_skill.find_exclusion(self.home, name)
                file, line = shown(found.path), found.line
                notes.append(found.shared)
        current = None if entry is None else entry.prose
        return Preview(proposal, current, place, skill, file, line, tests, tuple(filter(None, notes)))

    def as_json(self, proposal: Proposal) -> dict[str, Any]:
        """A proposal as ``queue list --json`` gives it."""
        entry = entry_now(self.store.read(), proposal)
        approval = proposal.approval
        said = f": {proposal.note}" if proposal.note else ""
        return {
            "id": proposal.id,
            "entry": proposal.entry,
            "file": proposal.file,
            "first_line": proposal.first_line,
            "tokens": proposal.tokens,
            "trigger": proposal.move.trigger,
            "destination": proposal.move.destination,
            "description": proposal.move.description,
            "privacy": proposal.move.privacy,
            "shared_warning": proposal.warning or None,
            "state": f"{proposal.state}{said}",
            "approval": approval and {"words": approval.words, "by": approval.by, "at": approval.at},
            "quote": proposal.quote,
            "current": None if entry is None else entry.prose,
        }

    # -- acting

    def propose(self, entry_id: str, move: Move) -> Proposal:
        """Put an entry into the queue, or bring its unfinished proposal up to date; nothing moves by that."""
        snapshot, scope = self._scope()
        entry = snapshot.by_id.get(entry_id)
        if entry is None:
            raise StoreError(f"There is no entry {entry_id}; `floppy-tui entries` shows those there are.")
        move = _one_line(move)
        self._must_pass(snapshot, scope, entry, move)
        place = scope.place(move.destination)
        move = replace(move, destination=place.path, privacy=move.privacy or place.privacy)
        before = self.queue_store.read()
        made = proposal_for(before, Propose(_proposed(entry, move)), self.store.today())
        self._write(before, made)
        return made

    def approve(self, id: str, words: str, by: str, *, seen: Proposal | None = None) -> Proposal:
        """Keep the captain's words for exactly what the proposal says; they are its destination's name.

        ``seen`` is the proposal that they were asked about: one that says something else now is not approved.
        """
        snapshot, scope = self._scope()
        before = self.queue_store.read()
        proposal = find(before.proposals, id)
        if seen is not None and proposal.seal != seen.seal:
            raise StoreError(f"{id} was changed in the queue meanwhile: look at it again.")
        if proposal.problem:
            raise StoreError(proposal.problem)
        if proposal.state is State.MIGRATED:
            raise StoreError(f"{id} was migrated already.")
        entry = quoted_entry(snapshot, proposal)
        if entry is None:
            raise StoreError(f"The entry of {id} is not as it was quoted any more: propose it again first.")
        place = scope.place(proposal.move.destination)
        if words.strip() != place.name:
            raise StoreError(f"“{words.strip()}” is not {place.name}, so nothing is approved.")
        self._must_pass(snapshot, scope, entry, proposal.move)
        at = self._now().isoformat(timespec="seconds")
        approval = Approval(words=words.strip(), by=by, at=at, seal=proposal.seal)
        return self._decide(before, proposal, state=State.APPROVED, approval=approval, note="")

    def reject(self, id: str) -> Proposal:
        """Let the entry stay; it is not proposed again unless somebody asks for it."""
        return self._put_off(id, State.REJECTED)

    def defer(self, id: str) -> Proposal:
        """Leave the question for another day."""
        return self._put_off(id, State.DEFERRED)

    def edit(
        self,
        id: str,
        *,
        trigger: str | None = None,
        destination: str | None = None,
        description: str | None = None,
        privacy: str | None = None,
    ) -> Proposal:
        """Say something of the move otherwise; an approval was given to what it said, and is taken back."""
        before = self.queue_store.read()
        proposal = self._open(before, id)
        said = {"trigger": trigger, "destination": destination, "description": description}
        said["privacy"] = privacy
        changes = {name: value for name, value in said.items() if value is not None}
        move = _one_line(replace(proposal.move, **changes))
        if destination is not None:
            _, scope = self._scope()
            place = scope.place(move.destination)
            if place.refused or place.kind is None:
                raise StoreError(place.refused or f"{move.destination} can be no destination.")
            move = replace(move, destination=place.path)
        if move == proposal.move:
            return proposal
        return self._decide(
            before, proposal, move=move, state=State.PROPOSED, approval=None, note="", task=""
        )

    def repropose(self, id: str) -> Proposal:
        """Quote the entry as it is now; an approval of the former quote is taken back."""
        snapshot = self.store.read()
        before = self.queue_store.read()
        proposal = self._open(before, id)
        entry = entry_now(snapshot, proposal)
        if entry is None:
            raise StoreError(
                f"Nothing in {proposal.file} is like what {id} quotes, so it cannot be quoted anew."
            )
        made = proposal.with_(
            entry=entry.id,
            file=entry.file,
            first_line=entry.first_line,
            tokens=entry.tokens,
            quote=entry.prose,
            warning=SHARED_WARNING if entry.file == SHARED else "",
            problem="",
            proposed=self.store.today().isoformat(),
        )
        if made.seal == proposal.seal and not proposal.problem:
            return proposal
        return self._decide(before, made, state=State.PROPOSED, approval=None, note="", task="")

    def migrate(
        self, id: str, *, pointer: str = "", on_step: Callable[[Ran], None] = lambda ran: None
    ) -> Migration:
        """Move an approved entry, each step told as it ends."""
        return migrate(
            self.store,
            self.tasks,
            self.queue_store,
            id,
            pointer=pointer,
            on_step=on_step,
            now=self._now(),
        )

    def _must_pass(self, snapshot: Snapshot, scope: HomeScope, entry: Entry, move: Move) -> None:
        tests = scope.tests(entry, stands(snapshot, Course(entry)), move, autonomous=False)
        if failing := [test.why for test in tests if not test.passes]:
            raise StoreError(" ".join(failing))

    def _open(self, queue: Queue, id: str) -> Proposal:
        proposal = find(queue.proposals, id)
        if proposal.state is State.MIGRATED:
            raise StoreError(f"{id} was migrated already, so nothing of it changes any more.")
        return proposal

    def _put_off(self, id: str, state: State) -> Proposal:
        before = self.queue_store.read()
        proposal = self._open(before, id)
        return self._decide(before, proposal, state=state, approval=None, note="")

    def _decide(self, before: Queue, proposal: Proposal, **fields: object) -> Proposal:
        decided = proposal.with_(decided=self.store.today().isoformat(), **fields)
        self._write(before, decided)
        return decided

    def _write(self, before: Queue, proposal: Proposal) -> None:
        self.queue_store.write(before, put(before, proposal))


def _refreshed(proposal: Proposal, snapshot: Snapshot, scope: HomeScope) -> Proposal:
    """An approved proposal with a note of what has come of it outside the queue."""
    if unusable(proposal):
        return proposal
    place = scope.place(proposal.move.destination)
    there = place.text is not None and scope.holds(place.text, proposal.quote)
    if place.kind in (PlaceKind.PROJECT, PlaceKind.PROJECT_SKILL):
        there = landed(scope.survey.projects.get(place.path.split("/")[1]), place, proposal.quote)
        if there and quoted_entry(snapshot, proposal) is not None:
            return proposal.with_(note=f"{proposal.note}; {LANDED}" if proposal.note else LANDED)
    if there and quoted_entry(snapshot, proposal) is None:
        return proposal.with_(note=SETTLED)
    return proposal


def _one_line(move: Move) -> Move:
    """``move`` with each of its fields on one line."""
    return Move(
        *(
            " ".join(field.split())
            for field in (move.trigger, move.destination, move.description, move.privacy)
        )
    )


def _proposed(entry: Entry, move: Move) -> Proposed:
    return Proposed(entry.id, entry.file, entry.first_line, entry.tokens, move, entry.prose)
