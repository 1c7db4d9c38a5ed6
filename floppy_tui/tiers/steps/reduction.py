"""Steps 6 and 7: consolidation, and what leaves while the plan is over budget."""

from __future__ import annotations

from collections.abc import Iterator

from floppy_tui.tiers.cards import Card, Offer, Step, Verb
from floppy_tui.tiers.courses import SUPERSEDED
from floppy_tui.tiers.decisions import Do
from floppy_tui.tiers.deck import Deck
from floppy_tui.tiers.document import Entry
from floppy_tui.tiers.edits import base_id
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.steps.offloading import offload
from floppy_tui.tiers.steps.sections import other_sections

LONG = 200
"""Estimated tokens from which on an entry is offered for rewriting."""
PARTNERS = 2
"""How many cards an entry is on at once as a near-duplicate: the most alike; the rest follow them."""
TIGHTER = 100
"""The same while the plan is over budget."""


def consolidate(deck: Deck) -> Iterator[Card]:
    """Duplicates, near-duplicates, long entries, and whole sections."""
    snapshot = deck.snapshot
    dealt: dict[str, int] = {}
    for pair in snapshot.near:
        left, right = snapshot.entries[pair.left], snapshot.entries[pair.right]
        if deck.gone(left.id, Step.CONSOLIDATE) or deck.gone(right.id, Step.CONSOLIDATE):
            continue
        if not (snapshot.editable(left) or snapshot.editable(right)):
            continue
        if max(dealt.get(left.id, 0), dealt.get(right.id, 0)) >= PARTNERS:
            continue
        card = _pair(deck, left, right, pair.score)
        for entry in (left, right):
            dealt[entry.id] = dealt.get(entry.id, 0) + (card.decided is None)
        yield card
    for entry in snapshot.entries:
        if entry.tokens >= LONG and snapshot.editable(entry) and not deck.gone(entry.id, Step.CONSOLIDATE):
            yield _long(deck, entry, Step.CONSOLIDATE)
    yield from other_sections(deck)


def _pair(deck: Deck, left: Entry, right: Entry, score: float) -> Card:
    snapshot = deck.snapshot
    weaker, stronger = sorted((left, right), key=lambda e: _strength(deck, e))
    if not snapshot.editable(weaker):
        weaker, stronger = stronger, weaker
    same = base_id(left) == base_id(right)
    key = f"consolidate:{'duplicate' if same else 'near'}:{left.id}:{right.id}"
    leave = [deck.archive(key, weaker, f"{SUPERSEDED}{stronger.id}")]
    if snapshot.editable(stronger):
        other = deck.archive(key, stronger, f"{SUPERSEDED}{weaker.id}")
        leave.append(
            Offer(
                other.verb,
                f"archive {stronger.file}:{stronger.start + 1}",
                other.decision,
                other.needs,
                other.effect,
            )
        )
    offers = leave
    if snapshot.editable(left) and snapshot.editable(right):
        longest = max((left, right), key=lambda e: len(e.prose))
        merge = deck.decision(Do.MERGE, key, left, right, text=longest.prose)
        effect = deck.without(left if longest is right else right)
        offers = [leave[0], Offer(Verb.EDIT, "merge", merge, ("text",), effect), *leave[1:]]
    alike = "The same statement" if same else f"{score:.0f}% the same words"
    where = f"{weaker.file}:{weaker.start + 1} against {stronger.file}:{stronger.start + 1}"
    return deck.card(
        key,
        Step.CONSOLIDATE,
        "duplicate" if same else "near",
        weaker.first_line,
        f"{alike}: {where}, “{stronger.first_line}”.",
        file=weaker.file,
        entries=(weaker.id, stronger.id),
        offers=(*offers, deck.keep(key, weaker)),
        exact=True,
    )


def _strength(deck: Deck, entry: Entry) -> tuple[object, ...]:
    tiers = (Tier.GRACE, Tier.UNMARKED, Tier.PERISHABLE, Tier.AGING, Tier.PINNED)
    tier = Tier.PINNED if entry.pinned else entry.tier
    return (tiers.index(tier), str(entry.reinforced or ""), len(entry.prose), -entry.start)


def _long(deck: Deck, entry: Entry, step: Step) -> Card:
    key = f"{step.name.lower()}:long:{entry.id}"
    rewrite = deck.decision(Do.REWRITE, key, entry, text=entry.prose)
    return deck.card(
        key,
        step,
        "long",
        entry.first_line,
        f"{entry.tokens} estimated tokens: could it say the same in fewer words?",
        file=entry.file,
        entries=(entry.id,),
        offers=(Offer(Verb.EDIT, "rewrite", rewrite, ("text",)), deck.keep(key, entry)),
        exact=True,
        optional=step is Step.CONSOLIDATE,
    )


def reduce(deck: Deck) -> Iterator[Card]:
    """The rungs of reduction, only while the plan is over budget or something was decided on one."""
    snapshot = deck.snapshot
    over = bool(snapshot.allowance.digits) and not deck.within_budget
    for entry in snapshot.entries:
        mark = deck.retained.get(entry.id)
        if mark is None or mark.do is not Do.LOW_UTILITY or not snapshot.editable(entry):
            continue
        leaves = deck.gone(entry.id, Step.REDUCE)
        if entry.reinforced is None or entry.pinned or entry.frozen or leaves:
            continue
        key = f"reduce:low-utility:{entry.id}"
        if over or deck.has(key):
            yield deck.card(
                key,
                Step.REDUCE,
                "low-utility",
                entry.first_line,
                f"Marked as of low utility: {mark.reason}",
                file=entry.file,
                entries=(entry.id,),
                offers=(deck.archive(key, entry, f"low utility: {mark.reason}"), deck.keep(key, entry)),
                exact=True,
            )
    if over:
        for entry in sorted(snapshot.entries, key=lambda e: -e.tokens):
            tight = TIGHTER <= entry.tokens < LONG and snapshot.editable(entry) and not entry.pinned
            if tight and not deck.gone(entry.id, Step.REDUCE):
                yield _long(deck, entry, Step.REDUCE)
    yield from offload(deck, over)
    yield from _evictions(deck, over)


def _evictions(deck: Deck, over: bool) -> Iterator[Card]:
    snapshot = deck.snapshot
    eviction = deck.carried.eviction
    if over and not eviction.converges:
        yield Card(
            "reduce:no-convergence",
            Step.REDUCE,
            "no-convergence",
            "Nothing is evicted: it would not be enough",
            f"Without every aging entry that may leave, the memory would still hold {eviction.least} "
            f"estimated tokens: a shortfall of {eviction.short}. "
            f"Pinned and read-only text alone holds {deck.floor}.",
        )
    proposed = eviction.pool[: eviction.needed] if over else ()
    for decision in deck.on_evictions:
        if decision.id in snapshot.by_id and decision.id not in proposed:
            yield _evict(deck, snapshot.by_id[decision.id])
    for identity in proposed:
        yield _evict(deck, snapshot.by_id[identity])


def _evict(deck: Deck, entry: Entry) -> Card:
    key = f"reduce:evict:{entry.id}"
    evict = deck.decision(Do.EVICT, key, entry, reason="budget oldest-first")
    return deck.card(
        key,
        Step.REDUCE,
        "evict",
        entry.first_line,
        f"Aging, last reinforced {entry.reinforced}: the oldest go first while the plan is over budget.",
        file=entry.file,
        entries=(entry.id,),
        offers=(
            Offer(Verb.LEAVE, "evict", evict, (), deck.without(entry)),
            deck.keep(key, entry),
        ),
        accept="eviction",
        exact=True,
    )
