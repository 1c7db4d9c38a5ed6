"""Findings that need today's date or the whole file: future dates, perishables without a condition."""

from __future__ import annotations

from collections.abc import Iterator

from floppy_tui.text.identity import identity
from floppy_tui.text.lines import Splice
from floppy_tui.tiers.conditions import find_condition
from floppy_tui.tiers.document import Document, Finding
from floppy_tui.tiers.markers import Tier, spell
from floppy_tui.tiers.snapshot import Snapshot


def all_findings(snapshot: Snapshot, document: Document) -> tuple[Finding, ...]:
    """The findings of a document, those that depend on today included, in file order."""
    found = list(document.findings)
    for at, entry in enumerate(document.entries):
        line = entry.start + 1
        if entry.reinforced is not None and entry.mark is not None and entry.reinforced > snapshot.today:
            line = document.text.count("\n", 0, entry.mark.start) + 1
            text = spell(entry.tier, snapshot.today, entry.passes)
            message = f"{entry.mark.text} lies in the future; its age reads as 0."
            repair = Splice(entry.mark.start, entry.mark.end, text)
            found.append(Finding("future-date", line, message, at, repair))
        if entry.tier is not Tier.PERISHABLE:
            continue
        if find_condition(entry.prose, snapshot.today, snapshot.records) is None:
            message = "This perishable entry names no condition that can be checked."
            found.append(Finding("no-condition", line, message, at))
    found.sort(key=lambda f: f.line)
    return tuple(found)


def keyed_findings(snapshot: Snapshot, document: Document) -> Iterator[tuple[str, Finding]]:
    """The findings of a document with the keys of their cards.

    Lines move while a pass is open; what a finding says does not.
    """
    seen: dict[str, int] = {}
    for finding in all_findings(snapshot, document):
        about = f"{document.file}:{finding.rule}:{identity(finding.message)}"
        count = seen[about] = seen.get(about, 0) + 1
        yield f"read:finding:{about}:{count}", finding
