"""Cards for whole sections: what a heading and all below it can be decided on as one thing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from floppy_tui.text.lines import encode
from floppy_tui.tiers.cards import Card, Offer, Step, Verb
from floppy_tui.tiers.decisions import Do
from floppy_tui.tiers.deck import Deck
from floppy_tui.tiers.document import Document, Heading, Kind
from floppy_tui.tiers.edits import inside, section_lines
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.section_rules import section_problem

_GRACE = len(" <!--g-->")
_DATED = len(" <!--a:2026-01-01-->")


def whole_sections(deck: Deck, document: Document) -> Iterator[tuple[Heading, list[int], bool]]:
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


def unmarked_section(
    deck: Deck, document: Document, heading: Heading, positions: Sequence[int], mixed: bool
) -> Card:
    """The card of a section in which everything is unmarked: one grace, one evidence, or each by itself."""
    entries = [document.entries[i] for i in positions]
    key = f"reinforce:section:{_about(document, heading)}"
    stay = deck.decision(Do.KEEP, key, *entries, file=document.file)
    what = "mixes prose with lists" if mixed else "is a list of its own"
    card = deck.card(
        key,
        Step.REINFORCE,
        "section",
        f"Section “{heading.text}”: {len(entries)} unmarked entries",
        f"Everything under this heading is unmarked and {what}: one marker on the heading can stand for all.",
        file=document.file,
        entries=tuple(e.id for e in entries),
        heading=heading.path,
        offers=(*_offers(deck, key, document, heading), Offer(Verb.STAY, "single entries", stay)),
        accept="grace" if mixed else "",
        optional=not mixed,
        settled_by=deck.all_settled(entries),
    )
    # While it is open it stands for the entries inside, which wait for it.
    return replace(card, blocks=card.open)


def other_sections(deck: Deck) -> Iterator[Card]:
    """Every other section below a title: never open, there for the captain who thinks of it as one thing."""
    for document in deck.snapshot.documents:
        if document.blocked or not deck.snapshot.file(document.file).editable:
            continue
        dealt = {heading.start for heading, _, _ in whole_sections(deck, document)}
        for heading in document.headings:
            positions = inside(document, heading)
            entries = [document.entries[i] for i in positions]
            if heading.title or heading.start in dealt or not entries:
                continue
            if len(entries) < 2 and heading.mark is None:
                continue
            if any(deck.gone(e.id, Step.CONSOLIDATE) for e in entries):
                continue
            key = f"consolidate:section:{_about(document, heading)}"
            offers = _offers(deck, key, document, heading)
            if offers:
                count = len(entries)
                yield deck.card(
                    key,
                    Step.CONSOLIDATE,
                    "section",
                    f"Section “{heading.text}”: {count} entr{'y' if count == 1 else 'ies'}",
                    "A heading and all below it can leave, or carry one marker, as one thing.",
                    file=document.file,
                    entries=tuple(e.id for e in entries),
                    heading=heading.path,
                    offers=offers,
                    optional=True,
                    own_only=True,
                )


def _about(document: Document, heading: Heading) -> str:
    """What tells a section from the others of its file, whatever line it stands on."""
    same = [h.start for h in document.headings if h.path == heading.path]
    return f"{document.file}:{' / '.join(heading.path)}:{same.index(heading.start) + 1}"


def _offers(deck: Deck, key: str, document: Document, heading: Heading) -> tuple[Offer, ...]:
    """The acts that the rules allow on a section, each with its effect in tokens."""
    entries = [document.entries[i] for i in inside(document, heading)]
    offers: list[Offer] = []
    names = {"file": document.file, "heading": heading.path}
    marks = sum(len(encode(m.text)) + 1 for e in entries for m in e.marks)
    if not section_problem(deck.snapshot, document, heading, Do.TAKE_AS_ONE):
        one = deck.decision(Do.TAKE_AS_ONE, key, *entries, **names)
        if all(e.tier is Tier.UNMARKED for e in entries):
            effect = deck.delta(document.file, _GRACE)
            offers.append(Offer(Verb.ACCEPT, "take as one, grace", one, effect=effect))
        effect = deck.delta(document.file, _DATED - marks)
        offers.append(Offer(Verb.EVIDENCE, "take as one", one, ("evidence",), effect))
        start, end = section_lines(document, heading)
        archive = deck.decision(Do.ARCHIVE_SECTION, key, *entries, **names)
        effect = deck.delta(document.file, -len(encode(document.piece([(start, end)]))))
        offers.append(Offer(Verb.LEAVE, "archive section", archive, ("reason",), effect))
    if len(entries) > 0 and not section_problem(deck.snapshot, document, heading, Do.SPLIT):
        split = deck.decision(Do.SPLIT, key, *entries, **names)
        offers.append(Offer(Verb.ACCEPT, "split into its entries", split))
    return tuple(offers)
