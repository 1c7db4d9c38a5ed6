"""Changes as unified diffs, for the captain's eyes: undecodable bytes as U+FFFD, nothing re-rendered."""

from __future__ import annotations

from collections.abc import Iterator

from floppy_tui.text.difference import CONTEXT, changed
from floppy_tui.text.lines import split_lines
from floppy_tui.tiers.archive_append import append_pass
from floppy_tui.tiers.decisions import Decision, Do
from floppy_tui.tiers.edits import remove
from floppy_tui.tiers.layout import ARCHIVE
from floppy_tui.tiers.leaving import departure
from floppy_tui.tiers.settling import settle
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tiers.stow import Plan, plan


def changes(planned: Plan) -> tuple[str, ...]:
    """The whole change of a plan as the lines of unified diffs: archive, destinations, memory files."""
    found: list[str] = []
    snapshot = planned.snapshot
    if planned.archive_text is not None:
        found.extend(_appended(snapshot.archive_text or "", planned.archive_text))
    for path, (before, after) in planned.destinations.items():
        found.extend(changed(path, before, after))
    for path, text in planned.texts.items():
        document = snapshot.document(path)
        found.extend(changed(path, document.text if document else "", text))
    return tuple(found)


def preview(snapshot: Snapshot, decision: Decision) -> tuple[str, ...]:
    """What ``decision`` alone would change, as the lines of unified diffs; empty where it changes nothing."""
    if decision.do is not Do.EVICT:
        return changes(plan(snapshot, [decision]))
    entry = snapshot.by_id.get(decision.id)
    if entry is None:
        return ()
    document, at = snapshot.places[entry.id]
    settled = settle(document, [remove(document, [at])])
    leaves = departure(snapshot, entry, decision.reason)
    before = snapshot.archive_text or ""
    return (
        *_appended(before, append_pass(before, [leaves], snapshot.today)),
        *changed(entry.file, document.text, settled.document.text),
    )


def _appended(before: str, after: str) -> Iterator[str]:
    """The diff of an append: only the tail is compared."""
    old = split_lines(before)
    keep = max(0, len(old) - CONTEXT - 1)
    shift = sum(len(line) for line in old[:keep])
    yield from changed(ARCHIVE, before[shift:], after[shift:], keep)
