"""The stow pass: ``plan(snapshot, decisions)``, a pure state machine.

The wizard, the headless command and the tests all drive this one. What nobody decided does not happen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from floppy_tui.tiers.actions import actions
from floppy_tui.tiers.archive_append import append_pass
from floppy_tui.tiers.budget import estimate
from floppy_tui.tiers.cards import Card, Step
from floppy_tui.tiers.carrying import carry
from floppy_tui.tiers.courses import latest
from floppy_tui.tiers.decisions import Decision, Do, Refusal
from floppy_tui.tiers.deck import Deck
from floppy_tui.tiers.document import Document
from floppy_tui.tiers.fates import Departed, Evidenced, Fate, Outcome, all_fates, evidenced, graced
from floppy_tui.tiers.layout import FILES, Refused
from floppy_tui.tiers.resuming import rebase
from floppy_tui.tiers.rules import chart
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tiers.steps import all_cards
from floppy_tui.tiers.unsettled import exceptions

__all__ = ["Departed", "Evidenced", "Fate", "Outcome", "Plan", "accept", "plan", "rebase"]


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
        departures=departures,
        archive_text=archive,
        fates=fates,
        reinforced=evidenced(charted),
        graced=graced(charted),
        actions=actions(snapshot, charted, documents, fates, departures, cards),
        exceptions=exceptions(snapshot, charted, carried, fates, cards),
        floor=floor,
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
