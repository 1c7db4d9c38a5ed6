"""The rules for moving an entry to another owner: at once to a live one, or as a proposal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from floppy_tui.tiers.budget import estimate
from floppy_tui.tiers.charting import course_of, leave, quoted, staying
from floppy_tui.tiers.clocks import age
from floppy_tui.tiers.courses import Charted, Course, Refused, writable
from floppy_tui.tiers.decisions import Decision, Do, Move, Refusal
from floppy_tui.tiers.edits import base_id
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.scope import Scope, Stands
from floppy_tui.tiers.snapshot import Snapshot

NEEDLESS = "The plan is within budget without it, and nothing is offloaded speculatively."


@dataclass(frozen=True, slots=True)
class Relocated:
    """An entry that the pass moves to a live owner."""

    entry: str
    file: str
    first_line: str
    tokens: int
    move: Move
    """With the destination's path spelled out and its privacy verdict."""
    quote: str


@dataclass(frozen=True, slots=True)
class Proposed:
    """An entry that the pass puts into the queue of proposals."""

    entry: str
    file: str
    first_line: str
    tokens: int
    move: Move
    quote: str


def stands(snapshot: Snapshot, course: Course) -> Stands:
    """How an entry stands as the decisions so far leave it."""
    entry = course.now
    tier, day, passes = course.standing(snapshot)
    if course.marker is None:
        clock = age(entry, snapshot.today, snapshot.horizon)
    else:
        after = replace(entry, tier=tier, reinforced=day, passes=passes)
        clock = age(after, snapshot.today, replace(snapshot.horizon, tick=False))
    document, at = snapshot.places[entry.id]
    return Stands(
        editable=snapshot.editable(entry),
        tier=Tier.PINNED if entry.pinned and course.marker is None else tier,
        dated=day is not None,
        stale=clock.stale and not course.evidence,
        frozen=entry.frozen,
        alone=len(entry.own) == 1 and at not in document.parents,
    )


def _asked(snapshot: Snapshot, decision: Decision) -> tuple[Scope, Move]:
    if snapshot.scope is None:
        raise Refused("Nobody looked where it could live instead: read the home again and go on.")
    if decision.move is None:
        raise Refused("It names neither a trigger nor a destination.")
    move = decision.move
    fields = {
        name: writable(" ".join(getattr(move, name).split()))
        for name in ("trigger", "destination", "description", "privacy")
    }
    return snapshot.scope, Move(**fields)


def _passing(snapshot: Snapshot, course: Course, scope: Scope, move: Move, *, autonomous: bool) -> None:
    tests = scope.tests(course.entry, stands(snapshot, course), move, autonomous=autonomous)
    for test in tests:
        if not test.passes:
            raise Refused(test.why)


def offload(snapshot: Snapshot, charted: Charted, decision: Decision) -> None:
    """Move an aging entry to a live owner, which is given its quote first; raises ``Refused``."""
    course = course_of(snapshot, charted, decision)
    staying(course)
    scope, move = _asked(snapshot, decision)
    if course.graced:
        raise Refused("It was given grace in this pass and stays for all of it.")
    if course.worded_by is not None:
        raise Refused("It gets other words in this pass: offload it in the next one.")
    if course.pending:
        raise Refused("A proposal to move it is under way: what becomes of it is decided there.")
    _passing(snapshot, course, scope, move, autonomous=True)
    place = scope.place(move.destination)
    before, so_far = charted.placed.get(place.path, (place.text or "", place.text or ""))
    try:
        after = scope.added(replace(place, text=so_far), course.entry.prose)
    except ValueError as why:
        raise Refused(str(why)) from why
    leave(course, decision, "")
    course.relocated = replace(move, destination=place.path, privacy=move.privacy or place.privacy)
    charted.placed[place.path] = (before, after)


def propose(snapshot: Snapshot, charted: Charted, decision: Decision) -> None:
    """Put an entry into the queue of proposals: nothing moves by that; raises ``Refused``."""
    course = course_of(snapshot, charted, decision)
    staying(course)
    scope, move = _asked(snapshot, decision)
    if course.worded_by is not None:
        raise Refused("It gets other words in this pass: propose it once they stand.")
    _passing(snapshot, course, scope, move, autonomous=False)
    course.pending = True
    course.proposed = replace(move, destination=scope.place(move.destination).path)


def settle_proposals(charted: Charted, decisions: Sequence[Decision]) -> None:
    """Take back what was proposed of entries that leave or change by a later decision."""
    made = {d.id: d for d in decisions if d.do is Do.PROPOSE}
    for identity, course in charted.courses.items():
        if course.proposed is None or identity not in made:
            continue
        if course.leaves is not None or course.worded_by is not None or course.section is not None:
            why = f"{quoted(course.entry)} leaves or changes by another decision of this pass."
            charted.refused.append(Refusal(made[identity], why))
            course.proposed = None


def needless(snapshot: Snapshot, charted: Charted, sizes: Mapping[str, int]) -> tuple[Refusal, ...]:
    """The offloads of a plan whose files would come to ``sizes`` bytes, where none of them was needed."""
    moved = [c for c in charted.courses.values() if c.relocated is not None]
    if not moved:
        return ()
    back = dict(sizes)
    for course in moved:
        document, _ = snapshot.places[course.entry.id]
        piece = document.piece(course.entry.own)
        back[course.entry.file] += len(piece.encode("utf-8", "surrogateescape"))
    over = bool(snapshot.allowance.digits)
    over = over and not snapshot.allowance.allows(sum(estimate(size) for size in back.values()))
    return () if over else tuple(Refusal(c.leaves, NEEDLESS) for c in moved if c.leaves is not None)


def relocated(charted: Charted) -> tuple[Relocated, ...]:
    """What the pass moves to live owners, in file order."""
    return tuple(
        Relocated(c.entry.id, c.entry.file, c.entry.first_line, c.entry.tokens, c.relocated, c.entry.prose)
        for c in charted.courses.values()
        if c.relocated is not None
    )


def proposed(charted: Charted) -> tuple[Proposed, ...]:
    """What the pass puts into the queue, in file order."""
    return tuple(
        Proposed(c.entry.id, c.entry.file, c.entry.first_line, c.entry.tokens, c.proposed, c.entry.prose)
        for c in charted.courses.values()
        if c.proposed is not None
    )


def mark_pending(snapshot: Snapshot, charted: Charted) -> None:
    """Note the entries that a proposal of the queue is about: the budget never evicts them."""
    pending = snapshot.scope.pending if snapshot.scope is not None else frozenset()
    for course in charted.courses.values():
        course.pending = base_id(course.entry) in pending
