"""The stow pass: ``plan(snapshot, decisions)``, a pure state machine.

The wizard, the headless command and the tests all drive this one. What nobody decided does not happen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from floppy_tui.tiers.archive_append import append_pass
from floppy_tui.tiers.archive_item import Departure
from floppy_tui.tiers.budget import estimate
from floppy_tui.tiers.cards import Card, Step
from floppy_tui.tiers.carrying import Carried, carry
from floppy_tui.tiers.clocks import age
from floppy_tui.tiers.courses import EVICTED, Charted, latest
from floppy_tui.tiers.decisions import Decision, Do, Refusal, Target
from floppy_tui.tiers.deck import Deck
from floppy_tui.tiers.document import Document, Entry
from floppy_tui.tiers.edits import base_id
from floppy_tui.tiers.findings import all_findings
from floppy_tui.tiers.layout import FILES, Refused
from floppy_tui.tiers.leaving import departure, held_identity, lost_words, section_departure, superseded_by
from floppy_tui.tiers.markers import GRACE_MARK
from floppy_tui.tiers.rules import chart
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tiers.steps import all_cards


class Outcome(StrEnum):
    """What becomes of an entry of the snapshot."""

    KEPT = "kept"
    MARKED = "marked"
    REWRITTEN = "rewritten"
    MERGED = "merged"
    ARCHIVED = "archived"
    DUPLICATE = "duplicate"


@dataclass(frozen=True, slots=True)
class Fate:
    """What becomes of one entry, and where the audit finds it again."""

    entry: str
    outcome: Outcome
    into: str = ""
    """Identity (without suffix) of the statement that holds it afterwards, where it is not its own."""
    departure: int = -1
    """Position in ``Plan.departures`` of the archived item that quotes it, -1 where none does."""


@dataclass(frozen=True, slots=True)
class Departed:
    """One archived item of the plan: what it quotes and why it leaves."""

    entries: tuple[str, ...]
    file: str
    departure: Departure
    evicted: bool = False


@dataclass(frozen=True, slots=True)
class Evidenced:
    """An entry refreshed or stamped, with the evidence that the receipt names."""

    entry: str
    file: str
    evidence: str
    first_line: str


@dataclass(frozen=True)
class Plan:
    """What a pass would do, wholly worked out: nothing is left to decide when it is applied."""

    snapshot: Snapshot
    decisions: tuple[Decision, ...]
    """All that were given, in order."""
    refused: tuple[Refusal, ...]
    """Decisions that a rule forbids or whose entry is no longer what it was."""
    cards: tuple[Card, ...]
    """In the order of the steps; decided ones carry their decision."""
    texts: Mapping[str, str]
    """The planned text of each memory file that changes, by path."""
    documents: Mapping[str, Document]
    """Those texts, read again."""
    departures: tuple[Departed, ...]
    archive_text: str | None
    """The planned archive; None while nothing leaves."""
    fates: Mapping[str, Fate]
    """By entry id, every entry of the snapshot."""
    reinforced: tuple[Evidenced, ...]
    graced: tuple[str, ...]
    """Entry ids (and headings taken as one, as ``file#heading``) that got their one grace cycle."""
    actions: Mapping[str, tuple[str, ...]]
    """Per memory file, the receipt's fixed words."""
    exceptions: tuple[Refused, ...]
    floor: int
    """Estimated tokens that no rung of the pass may remove: pinned and read-only."""

    def tokens(self, path: str) -> int:
        """Estimated tokens of a memory file after the pass."""
        document = self.documents.get(path)
        return estimate(document.size) if document else self.snapshot.file(path).tokens

    @property
    def total(self) -> int:
        """The total after the pass, measured from the planned bytes."""
        return sum(self.tokens(path) for path in FILES)

    @property
    def within_budget(self) -> bool:
        """Whether the home is within its allowance after the pass."""
        return self.snapshot.allowance.allows(self.total)

    @property
    def shortfall(self) -> int:
        """Estimated tokens over the allowance after the pass; 0 when within it or without one."""
        allowed = self.snapshot.allowance.tokens
        return max(0, self.total - allowed) if allowed is not None else 0

    @property
    def undecided(self) -> tuple[Card, ...]:
        """The cards that are still open."""
        return tuple(c for c in self.cards if c.open)

    @property
    def reset_safe(self) -> bool:
        """Whether the pass ends within budget, with no exception, refusal or blocking card left open."""
        return (
            self.within_budget
            and not self.exceptions
            and not self.refused
            and not any(c.blocks and c.decided is None for c in self.cards)
        )

    def step(self, step: Step) -> tuple[Card, ...]:
        """The cards of one step."""
        return tuple(c for c in self.cards if c.step is step)


def plan(snapshot: Snapshot, decisions: Sequence[Decision] = ()) -> Plan:
    """What a pass over ``snapshot`` with these ``decisions`` would do, and the cards that remain."""
    charted, carried, refused = _carried_whole(snapshot, decisions)
    failed = {id(r.decision) for r in refused}
    fates, departures = _fates(snapshot, charted, carried, failed)
    quoted = [d.departure for d in departures]
    archive = append_pass(snapshot.archive_text or "", quoted, snapshot.today) if quoted else None
    floor = _floor(snapshot)
    deck = Deck(snapshot, charted, carried, decisions, refused, floor)
    cards = all_cards(deck)
    documents = {
        doc.file: done.document
        for doc in snapshot.documents
        if (done := carried.settled[doc.file]).document.text != doc.text
    }
    return Plan(
        snapshot=snapshot,
        decisions=tuple(decisions),
        refused=refused,
        cards=cards,
        texts={path: doc.text for path, doc in documents.items()},
        documents=documents,
        departures=tuple(departures),
        archive_text=archive,
        fates=fates,
        reinforced=_evidenced(charted, failed),
        graced=_graced(charted, failed),
        actions=_actions(snapshot, documents, fates, departures, cards),
        exceptions=_exceptions(snapshot, carried, cards),
        floor=floor,
    )


def _carried_whole(
    snapshot: Snapshot, decisions: Sequence[Decision]
) -> tuple[Charted, Carried, tuple[Refusal, ...]]:
    """Chart and carry out ``decisions``; one whose edits are refused in part is left out as a whole."""
    left = latest(decisions)
    refused: list[Refusal] = []
    while True:
        charted = chart(snapshot, left)
        carried = carry(snapshot, charted)
        failed = {id(r.decision): r for r in carried.refused if r.decision.do is not Do.EVICT}
        if not failed:
            return charted, carried, (*charted.refused, *refused, *carried.refused)
        refused.extend(failed.values())
        left = [decision for decision in left if id(decision) not in failed]


def _fates(
    snapshot: Snapshot, charted: Charted, carried: Carried, failed: set[int]
) -> tuple[dict[str, Fate], list[Departed]]:
    fates: dict[str, Fate] = {}
    departures: list[Departed] = []
    sections: dict[int, int] = {}
    for entry in snapshot.entries:
        course = charted.courses[entry.id]
        section = course.section if course.section and id(course.section.decision) not in failed else None
        leaves = course.leaves if course.leaves is not None and id(course.leaves) not in failed else None
        worded = (
            course.worded_by if course.worded_by is not None and id(course.worded_by) not in failed else None
        )
        evicted = entry.id in carried.evicted
        if section is not None and section.decision.do is Do.ARCHIVE_SECTION:
            if id(section) not in sections:
                sections[id(section)] = len(departures)
                ids = tuple(section.document.entries[i].id for i in section.positions)
                departures.append(Departed(ids, entry.file, section_departure(section)))
            fates[entry.id] = Fate(entry.id, Outcome.ARCHIVED, departure=sections[id(section)])
        elif leaves is not None and course.merged is not None:
            fates[entry.id] = _reworded(snapshot, entry, leaves.text, Outcome.MERGED, departures)
        elif leaves is not None or evicted:
            reason = EVICTED if evicted else course.reason
            fates[entry.id] = Fate(entry.id, Outcome.ARCHIVED, departure=len(departures))
            departures.append(Departed((entry.id,), entry.file, departure(snapshot, entry, reason), evicted))
        elif worded is not None and course.text is not None:
            outcome = Outcome.MERGED if worded.do is Do.MERGE else Outcome.REWRITTEN
            fates[entry.id] = _reworded(snapshot, entry, course.text, outcome, departures)
        else:
            marked = section is not None or (
                course.marker is not None
                and course.marked_by is not None
                and id(course.marked_by) not in failed
            )
            into = carried.renamed.get(entry.id, "")
            outcome = Outcome.MARKED if marked or into else Outcome.KEPT
            fates[entry.id] = Fate(entry.id, outcome, into)
    return fates, departures


def _reworded(
    snapshot: Snapshot, entry: Entry, text: str, outcome: Outcome, departures: list[Departed]
) -> Fate:
    """The fate of an entry whose words changed: what the new words do not hold goes to the archive."""
    into = held_identity(text)
    if not lost_words(entry.prose, text):
        held = Outcome.DUPLICATE if outcome is Outcome.MERGED and base_id(entry) == into else outcome
        return Fate(entry.id, held, into)
    at = len(departures)
    departures.append(Departed((entry.id,), entry.file, departure(snapshot, entry, superseded_by(text))))
    return Fate(entry.id, outcome, into, at)


def _floor(snapshot: Snapshot) -> int:
    """Estimated tokens of pinned entries and read-only files."""
    total = 0
    for file in snapshot.files:
        if file.document is None:
            continue
        if not file.editable:
            total += file.tokens
            continue
        total += sum(e.tokens for e in file.document.entries if e.pinned)
    return total


def _evidenced(charted: Charted, failed: set[int]) -> tuple[Evidenced, ...]:
    found: list[Evidenced] = []
    for course in charted.courses.values():
        by = course.section.decision if course.section else course.marked_by
        if course.evidence and by is not None and id(by) not in failed and course.leaves is None:
            entry = course.entry
            found.append(Evidenced(entry.id, entry.file, course.evidence, entry.first_line))
    return tuple(found)


def _graced(charted: Charted, failed: set[int]) -> tuple[str, ...]:
    found = [
        c.entry.id
        for c in charted.courses.values()
        if c.graced and c.marked_by is not None and id(c.marked_by) not in failed
    ]
    for section in charted.sections:
        if section.marker == GRACE_MARK and id(section.decision) not in failed:
            found.append(f"{section.document.file}#{' / '.join(section.heading.path)}")
    return tuple(found)


def _actions(
    snapshot: Snapshot,
    documents: Mapping[str, Document],
    fates: Mapping[str, Fate],
    departures: Sequence[Departed],
    cards: Sequence[Card],
) -> dict[str, tuple[str, ...]]:
    """Per memory file the receipt's fixed words; adding or replacing a marker is ``rewritten``."""
    found: dict[str, tuple[str, ...]] = {}
    routed = {c.file for c in cards if c.kind == "routed"}
    for path in FILES:
        words: list[str] = []
        mine = [fates[e.id] for e in snapshot.entries if e.file == path]
        gone = (Outcome.MERGED, Outcome.DUPLICATE)
        if path in documents:
            kept = [f for f in mine if f.outcome is not Outcome.ARCHIVED]
            before = snapshot.document(path)
            only_cut = before is not None and not _changed_in_place(before, documents[path], fates)
            if kept and not only_cut:
                words.append("rewritten")
            if any(f.outcome in gone and f.departure < 0 for f in mine):
                words.append("pruned")
            if any(d.file == path for d in departures):
                words.append("archived")
            if not words:
                words.append("rewritten")
        if path in routed:
            words.append("routed")
        found[path] = tuple(words) or ("unchanged",)
    return found


def _changed_in_place(before: Document, after: Document, fates: Mapping[str, Fate]) -> bool:
    """Whether anything but whole lines went: a marker, words, or the header pointer."""
    if any(
        fates[e.id].outcome in (Outcome.MARKED, Outcome.REWRITTEN, Outcome.MERGED) for e in before.entries
    ):
        return True
    kept = set(before.lines)
    return any(line not in kept and line + "\n" not in kept for line in after.lines)


def _exceptions(snapshot: Snapshot, carried: Carried, cards: Sequence[Card]) -> tuple[Refused, ...]:
    found = list(snapshot.exceptions)
    found += [Refused(f"not-edited: {c.file}", c.why) for c in cards if c.key.startswith("read:blocked")]
    found += [Refused("routed", f"{c.title.rstrip('.')}. {c.why}") for c in cards if c.kind == "routed"]
    for card in cards:
        if not card.blocks or card.decided is None or card.decided.do is not Do.KEEP:
            continue
        name = {"unmarked": "kept-unmarked", "legacy": "kept-unconfirmed", "finding": "kept-unreadable"}.get(
            card.kind, "kept-stale"
        )
        found.append(Refused(name, f"“{card.title}” ({card.file}) stays by the captain's word alone."))
    named = {
        e.partition("-")[0]
        for c in cards
        if c.blocks and (c.decided is None or c.decided.do is Do.KEEP)
        for e in c.entries
    }
    for document in snapshot.documents:
        for entry in carried.settled[document.file].document.entries:
            stale = not entry.frozen and age(entry, snapshot.today, snapshot.horizon).stale
            if stale and snapshot.file(entry.file).editable and base_id(entry) not in named:
                message = f"“{entry.first_line}” ({entry.file}) is still stale after the pass."
                found.append(Refused("kept-stale", message))
    return tuple(found)


def rebase(
    snapshot: Snapshot, decisions: Sequence[Decision]
) -> tuple[tuple[Decision, ...], tuple[Refusal, ...]]:
    """Carry decisions over to a newer reading of the home: those kept, and those dropped with the reason.

    An entry is the same when its bytes are; of several identical statements none is.
    """
    kept: list[Decision] = []
    dropped: list[Refusal] = []
    for decision in decisions:
        if decision.snapshot == snapshot.hash:
            kept.append(decision)
            continue
        why = next((w for t in decision.targets if (w := _moved(snapshot, t))), "")
        moved = decision.with_(snapshot=snapshot.hash)
        if not why and decision.do is Do.REPAIR:
            again = _same_finding(snapshot, decision)
            why = "" if again else "That finding is gone, or stands there more than once."
            moved = moved.with_(line=again)
        if why:
            dropped.append(Refusal(decision, why))
        else:
            kept.append(moved)
    return tuple(kept), tuple(dropped)


def _moved(snapshot: Snapshot, named: Target) -> str:
    entry = snapshot.by_id.get(named.id)
    if entry is None:
        return f"The entry {named.id} is gone."
    if entry.digest != named.digest:
        return f"“{entry.first_line[:60]}” changed on disk."
    if "-" in named.id or f"{named.id}-2" in snapshot.by_id:
        return f"“{entry.first_line[:60]}” stands there more than once, and the file changed."
    return ""


def _same_finding(snapshot: Snapshot, decision: Decision) -> int:
    document = snapshot.document(decision.file)
    if document is None:
        return 0
    lines = [
        f.line
        for f in all_findings(snapshot, document)
        if f.rule == decision.rule and f.message == decision.text and f.repair is not None
    ]
    return lines[0] if len(lines) == 1 else 0


def accept(snapshot: Snapshot, decisions: Sequence[Decision], kinds: Sequence[str]) -> tuple[Decision, ...]:
    """``decisions`` with the engine's own proposals of these ``kinds`` (``cards.ACCEPTABLE``) accepted.

    Step by step, since what one step settles changes what the next proposes; what was refused is not
    proposed again.
    """
    taken = list(decisions)
    tried: set[str] = set()
    for step in (Step.READ, Step.REINFORCE, Step.DECAY, Step.REDUCE):
        while True:
            found = [
                card
                for card in plan(snapshot, taken).step(step)
                if card.open and card.accept in kinds and card.key not in tried and card.proposal
            ]
            if not found:
                break
            tried.update(card.key for card in found)
            taken.extend(card.proposal.decision for card in found if card.proposal)
    return tuple(taken)
