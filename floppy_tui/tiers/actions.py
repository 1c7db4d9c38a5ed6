"""The receipt's fixed words: what a pass does to each memory file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from floppy_tui.tiers.cards import Card
from floppy_tui.tiers.courses import Charted
from floppy_tui.tiers.document import Document
from floppy_tui.tiers.fates import Departed, Fate, Outcome
from floppy_tui.tiers.layout import FILES
from floppy_tui.tiers.snapshot import Snapshot


def actions(
    snapshot: Snapshot,
    charted: Charted,
    documents: Mapping[str, Document],
    fates: Mapping[str, Fate],
    departures: Sequence[Departed],
    cards: Sequence[Card],
) -> dict[str, tuple[str, ...]]:
    """The words for each memory file; adding or replacing a marker or the header pointer is ``rewritten``."""
    routed = {c.file for c in cards if c.kind == "routed"}
    found: dict[str, tuple[str, ...]] = {}
    for path in FILES:
        words: list[str] = []
        before = snapshot.document(path)
        if before is not None and path in documents:
            if _changed_in_place(before, documents[path], fates):
                words.append("rewritten")
            if any(
                charted.courses[e.id].merged is not None and fates[e.id].departure < 0 for e in before.entries
            ):
                words.append("pruned")
            if any(d.file == path for d in departures):
                words.append("archived")
            if not words:
                words.append("rewritten")
        if path in routed:
            words.append("routed")
        found[path] = tuple(words) or ("unchanged",)
    return found


def _changed_in_place(before: Document, after: Document, fates: Mapping[str, Fate]) -> bool:
    """Whether anything but whole lines went: a marker, words, or the header pointer."""
    if any(fates[e.id].outcome in (Outcome.MARKED, Outcome.REWRITTEN) for e in before.entries):
        return True
    kept = set(before.lines)
    return any(line not in kept and line + "\n" not in kept for line in after.lines)
