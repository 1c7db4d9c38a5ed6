"""What keeps a pass from being reset-safe although nothing about it is open: its exceptions, by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from floppy_tui.tiers.cards import Card
from floppy_tui.tiers.carrying import Carried
from floppy_tui.tiers.clocks import Horizon, age
from floppy_tui.tiers.courses import Charted
from floppy_tui.tiers.decisions import Do
from floppy_tui.tiers.document import Document
from floppy_tui.tiers.edits import base_id
from floppy_tui.tiers.fates import Fate
from floppy_tui.tiers.layout import Refused
from floppy_tui.tiers.markers import GRACE_MARK, Tier
from floppy_tui.tiers.snapshot import Snapshot

_KEPT = {"unmarked": "kept-unmarked", "legacy": "kept-unconfirmed", "finding": "kept-unreadable"}


def exceptions(
    snapshot: Snapshot,
    charted: Charted,
    carried: Carried,
    fates: dict[str, Fate],
    cards: Sequence[Card],
) -> tuple[Refused, ...]:
    """Every exception of a plan: of the accounting, of files not edited, and of what stays unconfirmed."""
    found = list(snapshot.exceptions)
    found += [Refused(f"not-edited: {c.file}", c.why) for c in cards if c.key.startswith("read:blocked")]
    found += [
        Refused("routed", f"A preference for every home belongs to the primary: “{d.text.strip()}”")
        for d in charted.routes
        if d.owner.strip() == "shared"
    ]
    found += [Refused("routed", f"{c.title.rstrip('.')}. {c.why}") for c in cards if c.kind == "routed"]
    blocking = [c for c in cards if c.blocks]
    for card in blocking:
        if card.decided is not None and card.decided.do is Do.KEEP:
            name = _KEPT.get(card.kind, "kept-stale")
            found.append(Refused(name, f"“{card.title}” ({card.file}) stays by the captain's word alone."))
    named = {
        e.partition("-")[0]
        for c in blocking
        if c.decided is None or c.decided.do is Do.KEEP
        for e in c.entries
    }
    found += _left_behind(snapshot, charted, carried, fates, named)
    return tuple(found)


def _left_behind(
    snapshot: Snapshot, charted: Charted, carried: Carried, fates: dict[str, Fate], named: set[str]
) -> Iterator[Refused]:
    """Entries that still are stale, unmarked or unconfirmed after the pass, and that no card says so of."""
    graced = [(c.entry, fates[c.entry.id]) for c in charted.courses.values() if c.graced]
    given = {name for e, fate in graced for name in (*fate.parts, fate.into or base_id(e))}
    counted = Horizon(on=snapshot.horizon.on)
    for document in snapshot.documents:
        if document.blocked or not snapshot.file(document.file).editable:
            continue
        after = carried.settled[document.file].document
        sections = _graced_sections(charted, document, after)
        for entry in after.entries:
            if entry.pinned or base_id(entry) in named:
                continue
            where = f"“{entry.first_line}” ({entry.file})"
            if entry.frozen:
                yield Refused("kept-unreadable", f"The marker of {where} cannot be read after the pass.")
            elif age(entry, snapshot.today, counted).stale:
                yield Refused("kept-stale", f"{where} is still stale after the pass.")
            elif entry.tier is Tier.UNMARKED:
                yield Refused("kept-unmarked", f"{where} is still unmarked after the pass.")
            elif entry.tier is Tier.GRACE and base_id(entry) not in given and entry.start not in sections:
                yield Refused("kept-unconfirmed", f"{where} is still unconfirmed after the pass.")


def _graced_sections(charted: Charted, before: Document, after: Document) -> set[int]:
    """Lines of the headings in ``after`` that were taken as one for their grace cycle."""
    paths = {s.heading.path for s in charted.sections if s.document is before and s.marker == GRACE_MARK}
    return {h.start for h in after.headings if h.path in paths}
