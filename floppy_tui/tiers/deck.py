"""What the cards of a pass are dealt from: the snapshot, the courses, and what was decided on what."""

from __future__ import annotations

from collections.abc import Sequence

from floppy_tui.tiers.budget import estimate
from floppy_tui.tiers.cards import Card, Offer, Step, Verb
from floppy_tui.tiers.carrying import Carried
from floppy_tui.tiers.clocks import Age, age
from floppy_tui.tiers.courses import Charted
from floppy_tui.tiers.decisions import LEAVING, Decision, Do, Refusal, Verdict, decide
from floppy_tui.tiers.document import Entry
from floppy_tui.tiers.layout import FILES
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.snapshot import Snapshot

_STEPS = {step.name.lower(): step for step in Step}


class Deck:
    """Deals cards: knows the planned sizes, which decisions hold, and what each has settled."""

    def __init__(
        self,
        snapshot: Snapshot,
        charted: Charted,
        carried: Carried,
        decisions: Sequence[Decision],
        refused: Sequence[Refusal],
        floor: int,
    ) -> None:
        self.snapshot = snapshot
        self.charted = charted
        self.carried = carried
        self.floor = floor
        failed = {id(r.decision) for r in refused}
        self.refused = refused
        self.good = [d for d in decisions if id(d) not in failed]
        self.sizes = {path: snapshot.file(path).size for path in FILES}
        self.sizes.update({file: done.document.size for file, done in carried.settled.items()})
        self.total = sum(estimate(size) for size in self.sizes.values())
        self.within_budget = snapshot.allowance.allows(self.total)
        self._by_card: dict[str, Decision] = {}
        self._by_entry: dict[str, list[Decision]] = {}
        for decision in self.good:
            if decision.card:
                self._by_card[decision.card] = decision
            for named in decision.targets:
                self._by_entry.setdefault(named.id, []).append(decision)
        for section in charted.sections:
            for at in section.positions:
                entry = section.document.entries[at]
                named_ = self._by_entry.setdefault(entry.id, [])
                if section.decision not in named_:
                    named_.append(section.decision)
        self.retained = {e: c.retained for e, c in charted.courses.items() if c.retained is not None}
        self.evidenced = frozenset(e for e, c in charted.courses.items() if c.evidence)
        self.on_evictions = [d for d in self.good if d.card.startswith("reduce:evict:") or d.do is Do.EVICT]

    # -- what was decided

    def has(self, key: str) -> bool:
        """Whether a card was decided."""
        return key in self._by_card

    def leaves(self, identity: str) -> bool:
        """Whether an entry leaves the memory, or loses its own place in it, by any decision that holds."""
        return self._leaving(identity) is not None

    def _leaving(self, identity: str) -> Decision | None:
        for decision in self._by_entry.get(identity, ()):
            resolved = decision.do is Do.CONDITION and decision.verdict is Verdict.RESOLVED
            if decision.do in LEAVING or resolved or decision.do is Do.TAKE_AS_ONE:
                return decision
        return None

    def gone(self, identity: str, step: Step) -> bool:
        """Whether a decision of an earlier step than ``step`` has settled an entry for good."""
        decision = self._leaving(identity)
        if decision is None:
            return False
        made = _STEPS.get(decision.card.split(":", 1)[0])
        return made is not None and made < step

    def all_settled(self, entries: Sequence[Entry]) -> Decision | None:
        """A decision by which the single entries of a section were settled, where all of them were."""
        found = [self._settling(e.id) for e in entries]
        return found[0] if found and all(found) else None

    def _settling(self, identity: str) -> Decision | None:
        for decision in reversed(self._by_entry.get(identity, ())):
            if decision.do in _SETTLES and decision.verdict is not Verdict.UNKNOWN:
                return decision
            if decision.do is Do.KEEP and not decision.card:
                return decision
        return None

    # -- cards and offers

    def card(
        self,
        key: str,
        step: Step,
        kind: str,
        title: str,
        why: str,
        *,
        file: str = "",
        entries: tuple[str, ...] = (),
        heading: tuple[str, ...] = (),
        offers: tuple[Offer, ...] = (),
        accept: str = "",
        blocks: bool = False,
        optional: bool = False,
        exact: bool = False,
        own_only: bool = False,
        settled_by: Decision | None = None,
    ) -> Card:
        """A card with the decision that settled it: one made on it, or (unless ``exact``) on its entry.

        With ``own_only`` nothing but a decision on this very card settles it. A document
        names no cards: what it keeps settles every question about the entry's clock.
        """
        decided = self._by_card.get(key)
        if own_only:
            pass
        elif decided is None and not exact and len(entries) == 1:
            decided = self._settling(entries[0])
        elif decided is None and exact and entries:
            decided = next((d for e in entries if (d := self._leaving(e))), None)
            decided = decided or self._merging(entries)
        return Card(
            key,
            step,
            kind,
            title,
            why,
            file,
            entries,
            heading,
            offers,
            accept,
            decided or settled_by,
            blocks,
            optional,
        )

    def _merging(self, entries: Sequence[str]) -> Decision | None:
        for entry in entries:
            for decision in self._by_entry.get(entry, ()):
                if decision.do in (Do.MERGE, Do.REWRITE):
                    return decision
        return None

    def decision(self, do: Do, key: str, *entries: Entry, **fields: object) -> Decision:
        """A decision of this card, ready but for what the captain fills in."""
        return decide(self.snapshot, do, *entries, card=key, **fields)

    def archive(self, key: str, entry: Entry, reason: str) -> Offer:
        """Let an entry leave, the reason filled in."""
        return Offer(
            Verb.LEAVE,
            "archive",
            self.decision(Do.ARCHIVE, key, entry, reason=reason),
            ("reason",),
            self.without(entry),
        )

    def evidence(self, key: str, entry: Entry) -> Offer:
        """Refresh or stamp an entry, evidence asked for."""
        decision = self.decision(Do.REINFORCE, key, entry)
        return Offer(Verb.EVIDENCE, "evidence", decision, ("evidence",), self.remark(entry))

    def retier(self, key: str, entry: Entry, tier: Tier | None = None) -> Offer:
        """Give an entry another tier."""
        decision = self.decision(Do.RETIER, key, entry, tier=tier)
        return Offer(Verb.RETIER, "retier", decision, ("tier", "evidence"))

    def keep(self, key: str, entry: Entry) -> Offer:
        """Leave an entry as it is."""
        return Offer(Verb.STAY, "stay", self.decision(Do.KEEP, key, entry))

    def age(self, entry: Entry) -> Age:
        """Where an entry, as repairs let it be read, stands on its clock."""
        return age(entry, self.snapshot.today, self.snapshot.horizon)

    # -- effects

    def delta(self, file: str, size: int) -> int:
        """Estimated tokens that ``size`` more bytes in a file make."""
        now = self.sizes.get(file, 0)
        return estimate(max(0, now + size)) - estimate(now)

    def without(self, entry: Entry) -> int:
        """Estimated tokens that the file loses with an entry."""
        document, _ = self.snapshot.places[entry.id]
        return self.delta(entry.file, -len(document.piece(entry.own).encode("utf-8", "surrogateescape")))

    def remark(self, entry: Entry) -> int:
        """Estimated tokens that a dated marker adds to an entry."""
        now = len(entry.mark.text) if entry.mark else -1
        return self.delta(entry.file, len("<!--a:2026-01-01-->") - now)


_SETTLES = LEAVING | {
    Do.REINFORCE,
    Do.GRACE,
    Do.RETIER,
    Do.CONDITION,
    Do.TAKE_AS_ONE,
}
"""Decisions on an entry that settle the questions of reinforcement and decay."""
