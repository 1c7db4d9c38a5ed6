"""The stow pass: ``plan(snapshot, decisions)``, a pure state machine.

The wizard, the headless command and the tests all drive this one. What nobody decided does not happen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from floppy_tui.text.identity import identity
from floppy_tui.text.lines import encode
from floppy_tui.tiers.actions import actions
from floppy_tui.tiers.archive_append import append_pass
from floppy_tui.tiers.budget import estimate
from floppy_tui.tiers.cards import Card, Step
from floppy_tui.tiers.carrying import carry
from floppy_tui.tiers.courses import Addition, latest
from floppy_tui.tiers.decisions import Decision, Do, Refusal
from floppy_tui.tiers.deck import Deck
from floppy_tui.tiers.document import Document
from floppy_tui.tiers.errands import Decide, Decided, Errand, Propose, errands_of
from floppy_tui.tiers.fates import Departed, Evidenced, Fate, Outcome, all_fates, evidenced, graced
from floppy_tui.tiers.layout import ALLOWANCE, FILES, SHARED, Refused
from floppy_tui.tiers.markers import Tier, without_markers
from floppy_tui.tiers.relocating import Proposed, Relocated, proposed, relocated
from floppy_tui.tiers.resuming import rebase
from floppy_tui.tiers.rules import chart
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tiers.steps import all_cards
from floppy_tui.tiers.unsettled import exceptions

__all__ = ["Added", "Departed", "Evidenced", "Fate", "Outcome", "Plan", "accept", "plan", "rebase"]


NAMED = 5
"""How many of the largest pinned entries the captain's decision names."""


@dataclass(frozen=True, slots=True)
class Added:
    """A new entry of the plan."""

    entry: str
    """Its identity."""
    file: str
    tier: Tier
    first_line: str
    prose: str
    evidence: str
    asked: Tier
    """The tier that was asked for: a perishable one without a checkable condition is stored as aging."""


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
    destinations: Mapping[str, tuple[str, str]]
    """Owners outside the memory that are given quotes, by path: their text before and after.

    Both are the same where one held its quote already.
    """
    relocated: tuple[Relocated, ...]
    proposed: tuple[Proposed, ...]
    added: tuple[Added, ...]
    routed: tuple[Decision, ...]
    """Findings handed over to other owners than a memory file."""
    records: tuple[Decision, ...]
    """Open records filed, corrected or left."""

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

    def relief(self, moved: Relocated) -> int:
        """Estimated tokens that a relocation frees: its file as planned against the same with it."""
        document, _ = self.snapshot.places[moved.entry]
        size = self.documents[moved.file].size
        piece = document.piece(self.snapshot.by_id[moved.entry].own)
        return estimate(size + len(encode(piece))) - estimate(size)

    @property
    def errands(self) -> tuple[tuple[Errand, Decision | None], ...]:
        """What is to be done outside the memory once it is written, each with the decision that asks for it.

        A home that ends over budget opens the captain's decision; one that does not closes it.
        """
        by_entry = {d.id: d for d in self.decisions if d.do is Do.PROPOSE}
        found: list[tuple[Errand, Decision | None]] = [
            (Propose(one), by_entry.get(one.entry)) for one in self.proposed
        ]
        for decision in (*self.routed, *self.records):
            found += [(errand, decision) for errand in errands_of(decision)]
        if self.snapshot.allowance.digits:
            found.append((Decided() if self.within_budget else self._decision(), None))
        return tuple(found)

    def _decision(self) -> Decide:
        documents = {doc.file: doc for doc in self.snapshot.documents} | dict(self.documents)
        pinned = [e for doc in documents.values() for e in doc.entries if e.pinned]
        largest = sorted(pinned, key=lambda e: -e.tokens)[:NAMED]
        return Decide(
            self.shortfall,
            self.floor,
            self.snapshot.allowance.digits,
            self.options,
            tuple((e.file, e.first_line, e.tokens) for e in largest),
        )

    @property
    def options(self) -> tuple[str, str]:
        """The two ways out of a home that ends over budget; there is no third."""
        shared = self.snapshot.file(SHARED)
        foreign = shared.document is not None and not shared.editable
        level = f" (one of {SHARED}: at the primary's level)" if foreign else ""
        return (
            f"raise the allowance in {ALLOWANCE}",
            f"approve trimming or offloading a named pinned entry{level}",
        )

    def step(self, step: Step) -> tuple[Card, ...]:
        """The cards of one step."""
        return tuple(c for c in self.cards if c.step is step)


def plan(snapshot: Snapshot, decisions: Sequence[Decision] = ()) -> Plan:
    """What a pass over ``snapshot`` with these ``decisions`` would do, and the cards that remain.

    A decision whose edit would change another entry is refused as a whole, and the pass is charted anew
    without it, so that nothing is done by half.
    """
    standing = latest(decisions)
    impossible: list[Refusal] = []
    stuck: frozenset[str] = frozenset()
    while True:
        charted = chart(snapshot, standing)
        carried = carry(snapshot, charted, stuck)
        if not carried.impossible:
            break
        impossible += carried.impossible
        stuck |= {r.decision.id for r in carried.impossible if r.decision.do is Do.EVICT}
        without = {id(r.decision) for r in carried.impossible}
        standing = [d for d in standing if id(d) not in without]
    impossible = list({id(r.decision): r for r in reversed(impossible)}.values())[::-1]
    refused = (*charted.refused, *impossible, *carried.eviction.refused)
    fates, departures = all_fates(snapshot, charted, carried)
    quoted = [d.departure for d in departures]
    archive = append_pass(snapshot.archive_text or "", quoted, snapshot.today) if quoted else None
    floor = _floor(snapshot)
    cards = all_cards(Deck(snapshot, charted, carried, standing, refused, floor))
    before = {doc.file: doc.text for doc in snapshot.documents}
    documents = {
        file: done.document
        for file, done in carried.settled.items()
        if done.document.text != before.get(file)
    }
    return Plan(
        snapshot=snapshot,
        decisions=tuple(decisions),
        refused=refused,
        cards=cards,
        texts={path: doc.text for path, doc in documents.items()},
        documents=documents,
        departures=departures,
        archive_text=archive,
        fates=fates,
        reinforced=evidenced(charted),
        graced=graced(charted),
        actions=actions(snapshot, charted, documents, fates, departures, cards),
        exceptions=exceptions(snapshot, charted, carried, fates, cards),
        floor=floor,
        destinations=dict(charted.placed),
        relocated=relocated(charted),
        proposed=proposed(charted),
        added=tuple(_added(one) for one in charted.additions),
        routed=tuple(charted.routes),
        records=tuple(charted.records),
    )


def _added(one: Addition) -> Added:
    return Added(
        identity(without_markers(one.text)),
        one.file,
        one.tier,
        one.text.split("\n", 1)[0],
        one.text,
        one.evidence,
        one.decision.tier or one.tier,
    )


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


def accept(snapshot: Snapshot, decisions: Sequence[Decision], kinds: Sequence[str]) -> tuple[Decision, ...]:
    """``decisions`` with the engine's own proposals of these ``kinds`` (``cards.ACCEPTABLE``) accepted.

    Step by step, since what one step settles changes what the next proposes; what was refused is not
    proposed again. An eviction that cannot be carried out is no decision of anybody's: it is left out.
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
    given = {id(d) for d in decisions}
    if all(id(d) in given or d.do is not Do.EVICT for d in taken):
        return tuple(taken)
    vain = {id(r.decision) for r in plan(snapshot, taken).refused if r.decision.do is Do.EVICT} - given
    return tuple(d for d in taken if id(d) not in vain)
