"""The receipt's fixed words: what a pass does to each memory file."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from floppy_tui.text.identity import identity
from floppy_tui.text.lines import is_blank
from floppy_tui.tiers.cards import Card
from floppy_tui.tiers.courses import Charted
from floppy_tui.tiers.document import Document
from floppy_tui.tiers.edits import base_id
from floppy_tui.tiers.fates import Departed, Fate, Outcome
from floppy_tui.tiers.layout import FILES
from floppy_tui.tiers.markers import without_markers
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
    added = {one.file for one in charted.additions}
    found: dict[str, tuple[str, ...]] = {}
    for path in FILES:
        words: list[str] = []
        before = snapshot.document(path)
        if before is not None and path in documents:
            said = {identity(without_markers(one.text)) for one in charted.additions if one.file == path}
            if _changed_in_place(before, documents[path], fates, said):
                words.append("rewritten")
            if any(_pruned(charted, fates[e.id]) for e in before.entries):
                words.append("pruned")
            if any(d.file == path for d in departures):
                words.append("archived")
            if not words and path not in added:
                words.append("rewritten")
        if path in added:
            words.insert(0, "added")
        if any(c.proposed is not None and c.entry.file == path for c in charted.courses.values()):
            words.append("proposed-offload")
        if path in routed:
            words.append("routed")
        found[path] = tuple(words) or ("unchanged",)
    return found


def _pruned(charted: Charted, fate: Fate) -> bool:
    """Whether an entry went because another statement or another owner holds it."""
    merged = charted.courses[fate.entry].merged is not None and fate.departure < 0
    return merged or fate.outcome is Outcome.RELOCATED


def _changed_in_place(
    before: Document, after: Document, fates: Mapping[str, Fate], added: Collection[str]
) -> bool:
    """Whether anything but whole lines went or was ``added`` (by identity): a marker, words, the pointer."""
    if any(fates[e.id].outcome in (Outcome.MARKED, Outcome.REWRITTEN) for e in before.entries):
        return True
    kept = set(before.lines)
    new = {at for e in after.entries if base_id(e) in added for a, b in e.own for at in range(a, b)}
    lines = (line for at, line in enumerate(after.lines) if at not in new and not is_blank(line))
    return any(line not in kept and line + "\n" not in kept for line in lines)
