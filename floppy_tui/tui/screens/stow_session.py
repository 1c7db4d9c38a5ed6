"""The captain's side of a pass under way: what was decided, what can be undone, and where the cursor stands.

Knows no widget and no thread. A decision counts from the moment it is made: until the next plan arrives,
the cards of the last one are shown with it, so that no decision is lost and none lands on another card.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from floppy_tui.tiers.cards import Card, Offer, Step, Verb
from floppy_tui.tiers.courses import latest
from floppy_tui.tiers.decisions import LEAVING, Decision, Refusal
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tiers.stow import Plan
from floppy_tui.tui.screens.stow_handed import Finding, OpenRecord

CHANGED = "the memory changed on disk"
LOOKED = "what lies around the memory was looked at meanwhile"


def acceptable(card: Card) -> Offer | None:
    """What ``a`` and ``A`` take on this card: a proposal that needs nothing more and removes nothing."""
    for offer in card.offers:
        if offer.verb is Verb.ACCEPT and not offer.needs and offer.decision.do not in LEAVING:
            return offer
    return None


def _about(card: Card) -> tuple[object, ...]:
    """What a card is about, wherever it stands: its key may name a line, which other edits move."""
    return card.kind, card.file, card.heading, card.entries, card.why


@dataclass(frozen=True)
class Planned:
    """A plan with what it was made for: the decisions asked for, and those dropped on the way."""

    plan: Plan
    asked: tuple[Decision, ...]
    dropped: tuple[Refusal, ...] = ()

    @property
    def carried(self) -> Mapping[Decision, Decision]:
        """The decisions asked for that hold, each with what it became on the newer reading."""
        lost = {id(r.decision) for r in self.dropped}
        holding = [d for d in self.asked if id(d) not in lost]
        return dict(zip(holding, self.plan.decisions, strict=True))


@dataclass(frozen=True)
class _Dealt:
    """The cards as they stand, by step and by key."""

    plan: Plan
    decisions: tuple[Decision, ...]
    steps: Mapping[Step, tuple[Card, ...]]
    keys: Mapping[str, Card]


@dataclass
class PassSession:
    """One pass over one home, as far as it has come."""

    snapshot: Snapshot
    decisions: tuple[Decision, ...] = ()
    step: Step = Step.ACCOUNT
    plan: Plan | None = None
    """The last plan that arrived; it may be older than ``decisions``."""
    at: dict[Step, str] = field(default_factory=dict)
    """The key of the card under the cursor, by step."""
    gone: str = ""
    """The title of the card that was under the cursor when a newer reading took it away."""
    gone_why: str = ""
    """What that reading was made for."""
    leaving_step: bool = False
    """Whether the step is done and the next one with open cards is chosen when the plan arrives."""
    selected: set[str] = field(default_factory=set)
    """Keys of cards picked to be decided together."""
    evidence: str = ""
    """The evidence that the captain gave last."""
    drafts: dict[str, str] = field(default_factory=dict)
    """Words begun and not decided on, by card key."""
    forms: dict[str, Finding | OpenRecord] = field(default_factory=dict)
    """Forms filled in and not decided on, by card key."""
    _undo: list[tuple[Decision, ...]] = field(default_factory=list)
    _redo: list[tuple[Decision, ...]] = field(default_factory=list)
    _dealt: _Dealt | None = None

    # -- the cards as they stand

    @property
    def settled(self) -> bool:
        """Whether the plan is the one of all decisions on the newest reading."""
        plan = self.plan
        return plan is not None and plan.decisions == self.decisions and plan.snapshot is self.snapshot

    def _deal(self) -> _Dealt | None:
        dealt = self._dealt
        if self.plan is None:
            return None
        if dealt is None or dealt.plan is not self.plan or dealt.decisions is not self.decisions:
            cards = self._overlaid(self.plan)
            steps = {step: tuple(c for c in cards if c.step is step) for step in Step}
            dealt = self._dealt = _Dealt(self.plan, self.decisions, steps, {c.key: c for c in cards})
        return dealt

    def _overlaid(self, plan: Plan) -> tuple[Card, ...]:
        """The plan's cards with what was decided or undone since."""
        if plan.decisions == self.decisions:
            return plan.cards
        known, standing = set(plan.decisions), set(self.decisions)
        new = {d.card: d for d in self.decisions if d.card and d not in known}

        def now(card: Card) -> Card:
            if card.key in new:
                return replace(card, decided=new[card.key])
            undone = card.decided is not None and card.decided not in standing
            return replace(card, decided=None) if undone else card

        return tuple(now(card) for card in plan.cards)

    def cards_of(self, step: Step) -> tuple[Card, ...]:
        """The cards of one step, in its order."""
        dealt = self._deal()
        return dealt.steps[step] if dealt else ()

    def card(self, key: str) -> Card | None:
        """The card with this key, if the plan still has it."""
        dealt = self._deal()
        return dealt.keys.get(key) if dealt else None

    @property
    def current(self) -> Card | None:
        """The card under the cursor."""
        if self.gone:
            return None
        card = self.card(self.at.get(self.step, ""))
        if card is not None and card.step is self.step:
            return card
        return next(iter(self.cards_of(self.step)), None)

    def place(self) -> tuple[int, int]:
        """The cursor's place among the cards of its step, from 1 (0 without a card), and their number."""
        cards = self.cards_of(self.step)
        current = self.current
        return (cards.index(current) + 1 if current else 0), len(cards)

    def counts(self, step: Step) -> tuple[int, int]:
        """How many cards of a step are open, and how many are decided."""
        cards = self.cards_of(step)
        return sum(c.open for c in cards), sum(c.decided is not None for c in cards)

    def refusal(self, card: Card) -> str:
        """Why what was decided on this card will not be done, as sentences; ``""`` where it will."""
        if self.plan is None:
            return ""
        standing = set(self.decisions)
        found = (r for r in self.plan.refused if r.decision.card == card.key and r.decision in standing)
        return " ".join(r.why for r in found)

    # -- moving, which never decides

    def move(self, by: int) -> None:
        """Move the cursor among the cards of the step, to its ends at most."""
        cards = self.cards_of(self.step)
        self.leaving_step = False
        if self.gone:
            self.gone = ""
        elif cards:
            old = self.place()[0] - 1
            self.at[self.step] = cards[min(max(old + by, 0), len(cards) - 1)].key

    def go(self, step: Step, key: str | None = None) -> None:
        """Put the cursor on a step, and on one of its cards."""
        self.gone, self.leaving_step = "", False
        if step is not self.step:
            self.selected.clear()
        self.step = step
        if key is not None:
            self.at[step] = key
        self._pin()

    def _pin(self) -> None:
        """Put the cursor on a card where it is on none: files are read from the top, else what is open."""
        cards = self.cards_of(self.step)
        if not cards or any(c.key == self.at.get(self.step) for c in cards):
            return
        first = next((c for c in cards if c.open), None) if self.step > Step.READ else None
        self.at[self.step] = (first or cards[0]).key

    def advance(self, optional: bool = False) -> None:
        """Go to the next open card of the step; a step that is done is left when the plan has arrived.

        After an ``optional`` card, which never was open, it is just the next one.
        """
        if optional:
            self.move(1)
            return
        cards = self.cards_of(self.step)
        here = self.place()[0]
        following = next((c for c in (*cards[here:], *cards[:here]) if c.open), None)
        if following is not None:
            self.at[self.step] = following.key
        else:
            self.leaving_step = True
            self._leave_step()

    def _leave_step(self) -> None:
        """Go to the next step with open cards, or to Apply; what is open is known once the plan is there."""
        if not self.leaving_step or not self.settled:
            return
        self.leaving_step = False
        if any(c.open for c in self.cards_of(self.step)):
            self.advance()
            return
        later = (s for s in Step if s > self.step and any(c.open for c in self.cards_of(s)))
        step = next(later, max(self.step, Step.APPLY))
        self.go(step, next((c.key for c in self.cards_of(step) if c.open), None))

    def next_open(self) -> None:
        """Go to the next open card: of this step, a later one, then from the first step on; else to Apply."""
        cards = self.cards_of(self.step)
        here = self.place()[0]
        later = [c for s in Step if s > self.step for c in self.cards_of(s)]
        earlier = [c for s in Step if s < self.step for c in self.cards_of(s)]
        following = next((c for c in (*cards[here:], *later, *earlier, *cards[:here]) if c.open), None)
        if following is not None:
            self.go(following.step, following.key)
        else:
            self.go(Step.APPLY)

    # -- deciding

    def decide(self, decisions: Sequence[Decision]) -> None:
        """Take decisions, each in place of an earlier one on its card, as one act for ``undo``."""
        self._undo.append(self.decisions)
        self._redo.clear()
        self.decisions = tuple(latest((*self.decisions, *decisions)))
        for decision in decisions:
            self.selected.discard(decision.card)
            self.drafts.pop(decision.card, None)

    @property
    def undoable(self) -> bool:
        """Whether there is a decision to take back."""
        return bool(self._undo or self.decisions)

    @property
    def redoable(self) -> bool:
        """Whether something was undone."""
        return bool(self._redo)

    def undo(self) -> tuple[Decision, ...]:
        """Take the last act back and go to its card; returns what no longer holds, or holds again."""
        if not self.undoable:
            return ()
        before = self._undo.pop() if self._undo else self.decisions[:-1]
        self._redo.append(self.decisions)
        return self._turn_to(before)

    def redo(self) -> tuple[Decision, ...]:
        """Do again what ``undo`` took back; returns what holds again, or no longer."""
        if not self._redo:
            return ()
        self._undo.append(self.decisions)
        return self._turn_to(self._redo.pop())

    def _turn_to(self, decisions: tuple[Decision, ...]) -> tuple[Decision, ...]:
        old, new = set(self.decisions), set(decisions)
        changed = tuple(d for d in (*self.decisions, *decisions) if (d in old) != (d in new))
        self.decisions = decisions
        self.leaving_step = False
        for decision in changed:
            # What was handed over has a card of its own only while it is decided.
            invitation = self.card(decision.card.rpartition(":")[0])
            decided = any(d.card == decision.card for d in decisions)
            card = (self.card(decision.card) if decided else None) or invitation or self.card(decision.card)
            if card is not None:
                self.go(card.step, card.key)
                break
        return changed

    # -- what comes back from planning

    def planned(self, planned: Planned) -> bool:
        """Take a plan; False where its reading of the home is no longer the newest.

        Where decisions had to be carried over to a newer reading, what they became holds from now on; those
        made meanwhile stay beside them, for the next plan to carry over.
        """
        plan = planned.plan
        if plan.snapshot is not self.snapshot:
            return False
        if plan.decisions != planned.asked:
            carried, lost = planned.carried, {r.decision for r in planned.dropped}
            self.decisions = tuple(carried.get(d, d) for d in self.decisions if d not in lost)
            self._undo.clear()
            self._redo.clear()
        underneath = ""
        if self.plan is not None and self.plan.snapshot is not plan.snapshot:
            underneath = CHANGED if self.plan.snapshot.hash != plan.snapshot.hash else LOOKED
        before = self.current
        order = [c.key for c in self.cards_of(self.step)]
        self.plan = plan
        self._keep_place(before, order, underneath)
        self._pin()
        self._leave_step()
        return True

    def _keep_place(self, before: Card | None, order: Sequence[str], underneath: str) -> None:
        """Leave the cursor on the same card; where it is gone, on the next one that was after it.

        ``underneath`` is why the cards may be others, ``""`` where the captain's own decisions are.
        """
        cards = {c.key: c for c in self.cards_of(self.step)}
        dealt = self._deal()
        self.selected &= set(dealt.keys) if dealt else set()
        if before is None or before.key in cards:
            return
        again = [c.key for c in cards.values() if _about(c) == _about(before)]
        if len(again) == 1:
            self.at[self.step] = again[0]
            return
        self.at.pop(self.step, None)
        if underneath is LOOKED and not before.offers:
            # It said that there was nothing yet: begin with what there is.
            return
        at = order.index(before.key)
        after = [key for key in order[at + 1 :] if key in cards]
        wanted = [key for key in after if cards[key].open] or after
        wanted = wanted or [key for key in order[:at] if key in cards][-1:]
        if wanted:
            self.at[self.step] = wanted[0]
        if underneath:
            # A key that was meant for that card must not decide another one.
            self.gone, self.gone_why = before.title, underneath
        elif not before.optional and not any(c.open for c in cards.values()):
            self.leaving_step = True
