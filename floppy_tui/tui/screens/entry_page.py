"""The detail of one entry: its text, where it stands, its clock, what resembles it, what a pass would do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from textual.content import Content

from floppy_tui.tiers.document import Document, Entry
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tui.display import TierMark
from floppy_tui.tui.memory_rows import MemoryRow
from floppy_tui.tui.widgets.page import FAINT, Page

if TYPE_CHECKING:
    from floppy_tui.store.git import Version
    from floppy_tui.tiers.cards import Card

ALIKE_FROM = 70.0
"""Percent from which another entry is shown as alike."""
_COMPARED = 4_000
"""Characters of an entry that are compared: a line of megabytes would hold everything up."""
_NEARLY_THE_SAME = 85
"""Percent from which a pass asks about the two."""


class Alike(NamedTuple):
    """Another entry that says something like it."""

    id: str
    percent: int


def alike(snapshot: Snapshot, key: str) -> tuple[Alike, ...]:
    """The entries most like the one of this id, most alike first; looks at all of them."""
    # Slow to import, and needed only once the cursor rests.
    from floppy_tui.text.similarity import similar

    entry = snapshot.by_id.get(key)
    if entry is None:
        return ()
    others = [e for e in snapshot.entries if e.id != key]
    beginnings = [e.prose[:_COMPARED] for e in others]
    pairs = similar(entry.prose[:_COMPARED], beginnings, cutoff=ALIKE_FROM)
    return tuple(Alike(others[p.right].id, round(p.score)) for p in pairs)


def age_words(row: MemoryRow) -> tuple[str, str]:
    """The age and what is left of it, short enough for a column, and its style."""
    if row.days is None:
        return {Tier.UNMARKED: ("no date", FAINT), Tier.GRACE: ("grace", FAINT)}.get(row.tier, ("", FAINT))
    days = f"{row.days}d"
    if row.stale:
        return f"{days:<3} stale", "$text-error"
    if row.left is None:
        return days, FAINT
    return f"{days:<3} {row.left}d left", "$text-warning" if row.left <= 7 else ""


def clock_words(snapshot: Snapshot, entry: Entry) -> str:
    """Where an entry stands on its clock, as a sentence."""
    age = snapshot.ages[entry.id]
    if entry.pinned:
        return "Pinned: no clock is read for it."
    if entry.tier is Tier.GRACE:
        return "In its one grace cycle: the next pass asks for evidence or archives it."
    if entry.tier is Tier.UNMARKED:
        return "Unmarked: no clock runs until a pass stamps it."
    if entry.reinforced is None or age.days is None:
        return "Its date does not exist, so it never becomes stale until the marker is repaired."
    when = f"Reinforced {entry.reinforced}, {_days(age.days)} ago"
    if age.stale:
        return f"{when}: stale ({age.cause})."
    passes = f", {age.passes} passes without" if age.passes else ""
    return f"{when}{passes}; stale in {_days(age.left or 0)}."


def _days(count: int) -> str:
    return "1 day" if count == 1 else f"{count} days"


def entry_page(
    snapshot: Snapshot,
    key: str,
    raw: bool,
    marks: Mapping[Tier, TierMark],
    found: Sequence[Alike] | None,
    history: Sequence[Version],
    cards: Sequence[Card] | None,
    width: int,
) -> Sequence[Content]:
    """The lines of the detail. ``found`` and ``cards`` are None while they are still worked out."""
    entry = snapshot.by_id[key]
    document = snapshot.document(entry.file)
    assert document is not None
    page = Page(width)
    mark = marks[Tier.PINNED if entry.pinned else entry.tier]
    first, last = entry.lines
    lines = f"{first}" if first == last else f"{first}–{last}"
    page.add(mark.content(), (f"  {entry.tokens:,} tokens  {entry.file}:{lines}", FAINT))
    if entry.heading:
        page.add((" › ".join(entry.heading), FAINT))
    page.blank()
    page.body(document.piece([(entry.start, entry.end)]) if raw else entry.prose, raw=raw)
    page.blank()
    page.add(clock_words(snapshot, entry))
    page.labelled("marker", _marker_words(entry))
    page.labelled("kind", f"{entry.kind}, id {entry.id}")
    if not snapshot.editable(entry):
        page.add((_why_not_editable(snapshot, document), "$text-warning"))
    _findings(page, document, entry)
    if history:
        page.heading("In git")
        for version in history:
            page.add((f"{version.day} {version.commit} ", FAINT), version.subject, indent=2)
    if found:
        page.heading("Says something alike")
        for other in found:
            _one_alike(page, snapshot, other)
    if cards is not None:
        _today(page, cards)
    return page.lines


def _marker_words(entry: Entry) -> str:
    if entry.mark is not None:
        return entry.mark.text
    return "none: pinned is this file's default" if entry.pinned else "none"


def _why_not_editable(snapshot: Snapshot, document: Document) -> str:
    if document.blocked:
        return f"Not edited: {document.blocked}"
    return "Read-only here: this file belongs to the primary home."


def _findings(page: Page, document: Document, entry: Entry) -> None:
    mine = [f for f in document.findings if f.entry is not None and document.entries[f.entry].id == entry.id]
    if mine:
        page.heading("Findings")
    for finding in mine:
        repair = " A pass offers its repair." if finding.repair else ""
        page.add(f"line {finding.line}: {finding.message}{repair}", indent=2)


def _one_alike(page: Page, snapshot: Snapshot, other: Alike) -> None:
    entry = snapshot.by_id.get(other.id)
    if entry is not None:
        style = "$text-warning" if other.percent >= _NEARLY_THE_SAME else FAINT
        where = f" {entry.file}:{entry.lines[0]} "
        page.add((f"{other.percent}%", style), (where, FAINT), entry.first_line, indent=2)


def _today(page: Page, cards: Sequence[Card]) -> None:
    page.heading("A pass today")
    asked = [card for card in cards if card.kind != "retain"]
    if not asked:
        page.add("would leave it as it is.")
    for card in asked:
        page.add((card.step.title, "bold"), f": {_card_words(card)}", indent=2)
    for card in cards:
        if card.kind == "retain":
            page.add((f"In the retention plan: {card.why}", FAINT), indent=2)


def _card_words(card: Card) -> str:
    offers = [f"{o.label} ({o.effect:+,})" if o.effect else o.label for o in card.offers]
    return f"{card.why} {'You choose: ' + ', '.join(offers) + '.' if offers else ''}".strip()
