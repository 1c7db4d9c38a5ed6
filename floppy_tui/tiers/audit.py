"""The audit: after an apply every entry of before is accounted for, or the whole act is rolled back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from floppy_tui.text.lines import decode
from floppy_tui.tiers.archive_append import missing
from floppy_tui.tiers.document import Entry, default_tier
from floppy_tui.tiers.edits import base_id
from floppy_tui.tiers.layout import ARCHIVE, FILES
from floppy_tui.tiers.markers import without_markers
from floppy_tui.tiers.reading import read_document
from floppy_tui.tiers.stow import Outcome, Plan


def audit(plan: Plan, found: Mapping[str, bytes | None]) -> tuple[str, ...]:
    """What cannot be accounted for, as sentences; empty where every entry of before is.

    ``found`` holds what was read back from disk after the writing, by path below the home; files that the
    plan left alone may be missing from it, destinations that it gave quotes to are among it.
    """
    after: list[Entry] = []
    for path in FILES:
        if path in found:
            data = found[path]
            after.extend(read_document(data, path, default_tier(path)).entries if data is not None else ())
        elif (document := plan.snapshot.document(path)) is not None:
            after.extend(document.entries)
    archive = decode(found.get(ARCHIVE) or b"")
    before = plan.snapshot.archive_text or ""
    lost = missing(before, archive, [d.departure for d in plan.departures], plan.snapshot.today)
    absent = {id(d) for d in lost}
    there = Counter(base_id(e) for e in after)
    left = there.copy()
    problems: list[str] = []
    for entry in plan.snapshot.entries:
        fate = plan.fates[entry.id]
        name = f"“{entry.first_line[:60]}” ({entry.file}:{entry.start + 1})"
        if fate.departure >= 0 and id(plan.departures[fate.departure].departure) in absent:
            problems.append(f"{name} is not in the archive.")
        elif fate.outcome is Outcome.ARCHIVED:
            continue
        elif fate.outcome is Outcome.RELOCATED:
            held = decode(found.get(fate.owner) or b"")
            if plan.snapshot.scope is None or not plan.snapshot.scope.holds(held, entry.prose):
                problems.append(f"{name} is not held by {fate.owner}.")
        elif fate.into:
            if not there[fate.into]:
                problems.append(f"{name} was to be held by another statement, which is not there.")
        elif not without_markers(entry.prose).strip():
            continue
        else:
            for part in fate.parts or (base_id(entry),):
                left[part] -= 1
                if left[part] < 0:
                    problems.append(f"{name} is in no memory file any more.")
                    break
    for one in plan.added:
        if not there[one.entry]:
            problems.append(f"“{one.first_line[:60]}” was to be added to {one.file}, which does not hold it.")
    return tuple(problems)
