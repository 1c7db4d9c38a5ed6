"""Steps 4 and 5: what this session confirmed, and what is stale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from floppy_tui.tiers.cards import Card, Offer, Step, Verb
from floppy_tui.tiers.conditions import find_condition
from floppy_tui.tiers.courses import LEGACY
from floppy_tui.tiers.decisions import Do, Verdict
from floppy_tui.tiers.deck import Deck
from floppy_tui.tiers.document import Document, Entry, Heading, Kind
from floppy_tui.tiers.edits import inside
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.section_rules import section_problem


def reinforce(deck: Deck) -> Iterator[Card]:
    """Unmarked entries (evidence or one grace cycle), whole sections of them, and fresh dated entries."""
    for document in deck.snapshot.documents:
        if document.blocked or not deck.snapshot.file(document.file).editable:
            continue
        sections = list(_whole_sections(deck, document))
        covered: set[int] = set()
        for heading, positions, mixed in sections:
            card = _section_card(deck, document, heading, positions, mixed)
            if mixed:
                yield card
                if card.open:
                    covered.update(positions)
        for at, entry in enumerate(document.entries):
            if entry.tier is Tier.UNMARKED and not entry.frozen:
                yield _unmarked(deck, entry, at in covered)
            for heading, positions, mixed in sections:
                if not mixed and positions[-1] == at:
                    yield _section_card(deck, document, heading, positions, mixed)
    for entry in deck.snapshot.entries:
        age = deck.snapshot.ages[entry.id]
        fresh = entry.reinforced is not None and not age.stale and not entry.pinned
        if fresh and deck.snapshot.editable(entry) and not deck.gone(entry.id, Step.REINFORCE):
            yield _fresh(deck, entry)


def _whole_sections(deck: Deck, document: Document) -> Iterator[tuple[Heading, list[int], bool]]:
    """Sections in which everything is unmarked, outermost first: heading, positions, prose with lists."""
    until = -1
    for heading in document.headings:
        if heading.start < until or heading.title:
            continue
        positions = inside(document, heading)
        entries = [document.entries[i] for i in positions]
        if len(entries) < 2 or any(e.tier is not Tier.UNMARKED for e in entries):
            continue
        if section_problem(deck.snapshot, document, heading, Do.TAKE_AS_ONE):
            continue
        kinds = {e.kind for e in entries}
        if Kind.ITEM not in kinds:
            continue
        until = heading.end
        yield heading, positions, len(kinds) > 1


def _section_card(
    deck: Deck, document: Document, heading: Heading, positions: Sequence[int], mixed: bool
) -> Card:
    entries = [document.entries[i] for i in positions]
    key = f"reinforce:section:{document.file}:{heading.start}:{' / '.join(heading.path)}"
    base = deck.decision(Do.TAKE_AS_ONE, key, *entries, file=document.file, heading=heading.path)
    archive = deck.decision(
        Do.ARCHIVE_SECTION, key, *entries, file=document.file, heading=heading.path, reason=""
    )
    size = sum(
        len(line.encode("utf-8", "surrogateescape")) for line in document.lines[heading.start : heading.end]
    )
    what = "mixes prose with lists" if mixed else "is a list of its own"
    return deck.card(
        key,
        Step.REINFORCE,
        "section",
        f"Section “{heading.text}”: {len(entries)} unmarked entries",
        f"Everything under this heading is unmarked and {what}: one marker on the heading can stand for all.",
        file=document.file,
        entries=tuple(e.id for e in entries),
        heading=heading.path,
        offers=(
            Offer(Verb.ACCEPT, "take as one, grace", base, effect=deck.delta(document.file, 9)),
            Offer(Verb.EVIDENCE, "take as one", base, ("evidence",), deck.delta(document.file, 20)),
            Offer(Verb.LEAVE, "archive section", archive, ("reason",), deck.delta(document.file, -size)),
            Offer(Verb.STAY, "single entries", deck.decision(Do.KEEP, key, *entries, file=document.file)),
        ),
        accept="grace" if mixed else "",
        optional=not mixed,
        settled_by=deck.all_settled(entries),
    )


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
    for entry in snapshot.entries:
        if entry.frozen or entry.pinned or deck.gone(entry.id, Step.DECAY):
            continue
        age = snapshot.ages[entry.id]
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
    condition = find_condition(entry.prose, deck.snapshot.today)
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
