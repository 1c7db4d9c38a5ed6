"""Steps 7(c) and 8: what could live elsewhere, at once with a live owner or by the captain's approval."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from floppy_tui.tiers.cards import Card, Offer, Step, Verb
from floppy_tui.tiers.decisions import Do, Move
from floppy_tui.tiers.deck import Deck
from floppy_tui.tiers.document import Entry
from floppy_tui.tiers.edits import base_id
from floppy_tui.tiers.relocating import stands
from floppy_tui.tiers.scope import Place, Scope, Tested, akin

MOST = 4
"""How many destinations a card offers, those that fit best first."""


def offload(deck: Deck, over: bool) -> Iterator[Card]:
    """Conditional aging entries that a live owner could take, largest first, while over budget."""
    snapshot = deck.snapshot
    scope = snapshot.scope
    if scope is None:
        if over:
            yield Card(
                "reduce:owners",
                Step.REDUCE,
                "owners",
                "The places where entries could live instead were not looked at yet",
                "Local notes and skills are looked over in the background; offloads appear here then.",
            )
        return
    live = [p for p in scope.places if p.live and not p.refused and p.private]
    found = []
    for entry in sorted(snapshot.entries, key=lambda e: -e.tokens):
        key = f"reduce:offload:{entry.id}"
        decided = deck.has(key)
        if not (over or decided) or deck.gone(entry.id, Step.REDUCE):
            continue
        fitting = list(_fitting(deck, scope, entry, live))
        if fitting or decided:
            found.append(_offload(deck, scope, entry, key, fitting))
    yield from found
    if over and not any(card.open for card in found):
        yield Card(
            "reduce:owners", Step.REDUCE, "owners", "No entry can be offloaded now", _why_none(scope, live)
        )


def _fitting(deck: Deck, scope: Scope, entry: Entry, live: Sequence[Place]) -> Iterator[tuple[Place, Move]]:
    """The live places that an entry could go to by every test, those that speak of the same things first."""
    course = deck.charted.courses[entry.id]
    if course.pending or (course.touched and course.relocated is None):
        return
    marked = deck.retained.get(entry.id)
    said = marked.reason if marked is not None and marked.do is Do.CONDITIONAL else ""
    trigger = said or scope.trigger(entry)
    standing = stands(deck.snapshot, course)
    ranked = sorted(live, key=lambda p: (-akin(entry.prose, p), p.path))
    for place in ranked[:MOST]:
        if not said and not akin(entry.prose, place):
            break
        move = Move(trigger, place.path, privacy=place.privacy)
        tests = scope.tests(entry, standing, move, autonomous=True)
        # The trigger may still be typed; every other test must pass as the entry stands.
        if all(t.passes or t.name == "conditional" for t in tests):
            yield place, move


def _offload(deck: Deck, scope: Scope, entry: Entry, key: str, fitting: Sequence[tuple[Place, Move]]) -> Card:
    offers = [
        Offer(
            Verb.LEAVE,
            f"offload to {place.name}",
            deck.decision(Do.OFFLOAD, key, entry, move=move),
            ("trigger",),
            deck.without(entry),
        )
        for place, move in fitting
    ]
    why = "Needed only in one context, and an owner that is there could hold it."
    if fitting:
        place, move = fitting[0]
        tests = scope.tests(
            entry, stands(deck.snapshot, deck.charted.courses[entry.id]), move, autonomous=True
        )
        why = "\n".join((why, told(tests), _of(place)))
    return deck.card(
        key,
        Step.REDUCE,
        "offload",
        entry.first_line,
        why,
        file=entry.file,
        entries=(entry.id,),
        offers=(*offers, deck.keep(key, entry)),
        exact=True,
    )


def told(tests: Sequence[Tested]) -> str:
    """Every test with its verdict, a line each."""
    return "\n".join(f"{'✓' if t.passes else '✗'} {t.why}" for t in tests)


def _of(place: Place) -> str:
    reads = f" It is read: {place.trigger}." if place.trigger else ""
    return f"{place.path}: {place.privacy.rstrip('.')}.{reads}"


def _why_none(scope: Scope, live: Sequence[Place]) -> str:
    refused = [f"✗ {p.path}: {p.refused}" for p in scope.places if p.refused][:MOST]
    if live:
        return "No dated aging entry that is left speaks of what a live local note or skill is for."
    if refused:
        return "\n".join(("No local note or skill may take an entry.", *refused))
    return "There is no local note or skill that could take an entry."


def _named_anew(move: Move, taken: set[str]) -> Move:
    """``move`` to a name that no other card of this pass suggests or took."""
    folder, slash, file = move.destination.rpartition("/")
    numbered = (f"{folder}-{n}{slash}{file}" for n in range(2, 100))
    free = next((p for p in (move.destination, *numbered) if p.casefold() not in taken), move.destination)
    return replace(move, destination=free)


def relocate(deck: Deck) -> Iterator[Card]:
    """Pinned candidates, while over budget or where the captain marked one as conditional: proposals only."""
    snapshot = deck.snapshot
    scope = snapshot.scope
    if scope is None:
        return
    over = bool(snapshot.allowance.digits) and not deck.within_budget
    named = {c.proposed.destination.casefold() for c in deck.charted.courses.values() if c.proposed}
    for entry in sorted(snapshot.entries, key=lambda e: -e.tokens):
        key = f"relocate:propose:{entry.id}"
        marked = deck.retained.get(entry.id)
        asked = marked is not None and marked.do is Do.CONDITIONAL
        if not entry.pinned or not (over or asked or deck.has(key)):
            continue
        if not snapshot.editable(entry) or base_id(entry) in scope.pending:
            continue
        if deck.gone(entry.id, Step.RELOCATE):
            continue
        if base_id(entry) in scope.rejected and not (asked or deck.has(key)):
            continue
        move = _named_anew(scope.suggested(entry), named)
        named.add(move.destination.casefold())
        if asked and marked is not None:
            move = Move(marked.reason, move.destination, move.description, move.privacy)
        tests = scope.tests(entry, stands(snapshot, deck.charted.courses[entry.id]), move, autonomous=False)
        if not all(t.passes or t.name == "conditional" for t in tests) and not deck.has(key):
            continue
        propose = deck.decision(Do.PROPOSE, key, entry, move=move)
        yield deck.card(
            key,
            Step.RELOCATE,
            "relocate",
            entry.first_line,
            f"Pinned: it moves only once you approve it by name, in the queue of proposals.\n{told(tests)}",
            file=entry.file,
            entries=(entry.id,),
            offers=(Offer(Verb.ACCEPT, "propose", propose, ("move",)), deck.keep(key, entry)),
            exact=True,
            optional=not over,
        )
