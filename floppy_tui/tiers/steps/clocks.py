"""Steps 4 and 5: what this session confirmed, and what is stale."""

from __future__ import annotations

from collections.abc import Iterator

from floppy_tui.tiers.cards import Card, Offer, Step, Verb
from floppy_tui.tiers.conditions import find_condition
from floppy_tui.tiers.courses import LEGACY
from floppy_tui.tiers.decisions import Do, Verdict
from floppy_tui.tiers.deck import Deck
from floppy_tui.tiers.document import Entry
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.steps.sections import unmarked_section, whole_sections


def reinforce(deck: Deck) -> Iterator[Card]:
    """Unmarked entries (evidence or one grace cycle), whole sections of them, and fresh dated entries."""
    for document in deck.snapshot.documents:
        if document.blocked or not deck.snapshot.file(document.file).editable:
            continue
        sections = list(whole_sections(deck, document))
        covered: set[int] = set()
        for heading, positions, mixed in sections:
            card = unmarked_section(deck, document, heading, positions, mixed)
            if mixed:
                yield card
                if card.open:
                    covered.update(positions)
        for at, as_read in enumerate(document.entries):
            entry = deck.charted.courses[as_read.id].now
            if entry.tier is Tier.UNMARKED and not entry.frozen:
                yield _unmarked(deck, entry, at in covered)
            for heading, positions, mixed in sections:
                if not mixed and positions[-1] == at:
                    yield unmarked_section(deck, document, heading, positions, mixed)
    for entry in deck.snapshot.entries:
        age = deck.snapshot.ages[entry.id]
        fresh = entry.reinforced is not None and not age.stale and not entry.pinned
        if fresh and deck.snapshot.editable(entry) and not deck.gone(entry.id, Step.REINFORCE):
            yield _fresh(deck, entry)


def _unmarked(deck: Deck, entry: Entry, covered: bool) -> Card:
    key = f"reinforce:unmarked:{entry.id}"
    grace = deck.decision(Do.GRACE, key, entry)
    return deck.card(
        key,
        Step.REINFORCE,
        "unmarked",
        entry.first_line,
        "It carries no marker. Evidence from this session stamps it; without, it gets one grace cycle.",
        file=entry.file,
        entries=(entry.id,),
        offers=(
            Offer(Verb.ACCEPT, "grace", grace, effect=deck.delta(entry.file, 9)),
            deck.evidence(key, entry),
            deck.retier(key, entry),
            deck.keep(key, entry),
        ),
        accept="" if covered else "grace",
        optional=covered,
        blocks=True,
    )


def _fresh(deck: Deck, entry: Entry) -> Card:
    key = f"reinforce:fresh:{entry.id}"
    age = deck.snapshot.ages[entry.id]
    return deck.card(
        key,
        Step.REINFORCE,
        "reinforce",
        entry.first_line,
        f"{entry.tier.value.capitalize()}, last reinforced {age.days}d ago, stale in {age.left}d. "
        "Refresh it only if this session exercised, confirmed or re-derived it.",
        file=entry.file,
        entries=(entry.id,),
        offers=(deck.evidence(key, entry), deck.retier(key, entry), deck.keep(key, entry)),
        optional=True,
    )


# -- 5 decay


def decay(deck: Deck) -> Iterator[Card]:
    """Every stale dated entry, and every entry whose grace cycle is over."""
    snapshot = deck.snapshot
    for as_read in snapshot.entries:
        entry = deck.charted.courses[as_read.id].now
        if entry.frozen or entry.pinned or deck.gone(entry.id, Step.DECAY):
            continue
        age = deck.age(entry)
        if not snapshot.editable(entry):
            if age.stale and not snapshot.file(entry.file).editable:
                yield Card(
                    f"decay:routed:{entry.id}",
                    Step.DECAY,
                    "routed",
                    entry.first_line,
                    f"{age.cause.capitalize()}, in a file that is not this home's: routed to its owner.",
                    entry.file,
                    (entry.id,),
                    blocks=True,
                )
            continue
        if entry.tier is Tier.GRACE:
            yield _legacy(deck, entry)
        elif age.stale and entry.tier is Tier.PERISHABLE:
            yield _perished(deck, entry, age.cause)
        elif age.stale:
            yield _stale(deck, entry, age.cause)


def _legacy(deck: Deck, entry: Entry) -> Card:
    key = f"decay:legacy:{entry.id}"
    return deck.card(
        key,
        Step.DECAY,
        "legacy",
        entry.first_line,
        "Its grace cycle is over: with evidence it gets a date, without it is archived.",
        file=entry.file,
        entries=(entry.id,),
        offers=(deck.archive(key, entry, LEGACY), deck.evidence(key, entry), deck.keep(key, entry)),
        accept="legacy",
        blocks=True,
    )


def _stale(deck: Deck, entry: Entry, cause: str) -> Card:
    key = f"decay:stale:{entry.id}"
    return deck.card(
        key,
        Step.DECAY,
        "stale",
        entry.first_line,
        f"Stale ({cause}): re-validate it with evidence, retier it, or archive it.",
        file=entry.file,
        entries=(entry.id,),
        offers=(
            deck.archive(key, entry, cause),
            deck.evidence(key, entry),
            deck.retier(key, entry),
            deck.keep(key, entry),
        ),
        accept="stale",
        blocks=True,
    )


def _perished(deck: Deck, entry: Entry, cause: str) -> Card:
    key = f"decay:condition:{entry.id}"
    condition = find_condition(entry.prose, deck.snapshot.today, deck.snapshot.records)
    others = (deck.evidence(key, entry), deck.retier(key, entry, Tier.AGING), deck.keep(key, entry))
    offers: tuple[Offer, ...]
    accept = "conditions"
    if condition is None:
        why = f"Stale ({cause}), and it names no condition that can be checked."
        offers, accept = (deck.archive(key, entry, cause), *others), "stale"
    elif condition.verdict is Verdict.OPEN:
        why = f"Stale ({cause}); its condition “{condition.text}” is still open: {condition.note}"
        found = deck.decision(
            Do.CONDITION,
            key,
            entry,
            verdict=Verdict.OPEN,
            evidence=f"looked up on {deck.snapshot.today}: {condition.note}",
        )
        refresh = Offer(Verb.ACCEPT, "refresh", found, effect=deck.remark(entry))
        offers = (refresh, deck.archive(key, entry, cause), *others)
    elif condition.verdict is Verdict.RESOLVED:
        why = f"Stale ({cause}); its condition “{condition.text}” is over: {condition.note}"
        resolved = deck.decision(
            Do.CONDITION,
            key,
            entry,
            verdict=Verdict.RESOLVED,
            reason=f"condition resolved: {condition.text}",
        )
        leave = Offer(Verb.LEAVE, "archive", resolved, ("reason",), deck.without(entry))
        offers = (leave, *others)
    else:
        why = f"Stale ({cause}); its condition “{condition.text}” was not found out. {condition.note}"
        offers, accept = (deck.archive(key, entry, cause), *others), "stale"
    return deck.card(
        key,
        Step.DECAY,
        "condition",
        entry.first_line,
        why,
        file=entry.file,
        entries=(entry.id,),
        offers=offers,
        accept=accept,
        blocks=True,
    )
