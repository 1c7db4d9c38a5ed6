"""Carrying saved decisions over to a newer reading of the home; what no longer fits is dropped by name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from floppy_tui.tiers.courses import SUPERSEDED
from floppy_tui.tiers.decisions import Decision, Do, Refusal, Target
from floppy_tui.tiers.findings import keyed_findings
from floppy_tui.tiers.snapshot import Snapshot

_ID = re.compile(r"[0-9a-f]{12}(?:-[0-9]+)?")
_SECTIONS = (Do.ARCHIVE_SECTION, Do.TAKE_AS_ONE, Do.SPLIT)


def rebase(
    snapshot: Snapshot, decisions: Sequence[Decision]
) -> tuple[tuple[Decision, ...], tuple[Refusal, ...]]:
    """Carry decisions over to a newer reading of the home: those kept, and those dropped with the reason.

    An entry is the same when its bytes are and it stands in the same file; of several identical statements
    none is. A section is the same when all its entries are.
    """
    kept: list[Decision] = []
    dropped: list[Refusal] = []
    for decision in decisions:
        if decision.snapshot == snapshot.hash:
            kept.append(decision)
            continue
        moved = decision.with_(snapshot=snapshot.hash)
        why = next((w for t in decision.targets if (w := _moved(snapshot, t))), "")
        if not why:
            why = _elsewhere(snapshot, decision)
        if not why and decision.rule:
            key, line = _same_finding(snapshot, decision)
            moved = moved.with_(card=key, line=line)
            why = "" if key else "That finding is gone, or stands there more than once."
        if why:
            dropped.append(Refusal(decision, why))
        else:
            kept.append(moved)
    return tuple(kept), tuple(dropped)


def _moved(snapshot: Snapshot, named: Target) -> str:
    entry = snapshot.by_id.get(named.id)
    if entry is None:
        return f"The entry {named.id} is gone."
    if entry.digest != named.digest:
        return f"“{entry.first_line[:60]}” changed on disk."
    if "-" in named.id or f"{named.id}-2" in snapshot.by_id:
        return f"“{entry.first_line[:60]}” stands there more than once, and the file changed."
    return ""


def _elsewhere(snapshot: Snapshot, decision: Decision) -> str:
    """Why what a decision names beside its entries is not there any more."""
    first = snapshot.by_id.get(decision.id)
    if first is not None and decision.file and first.file != decision.file:
        return f"“{first.first_line[:60]}” stands in {first.file} now."
    if decision.do in _SECTIONS and not decision.targets:
        return "The file changed, and the decision does not say what the section held."
    named = decision.reason.removeprefix(SUPERSEDED)
    if named != decision.reason and _ID.fullmatch(named) and named not in snapshot.by_id:
        return f"The entry {named}, by which it was superseded, is gone."
    return ""


def _same_finding(snapshot: Snapshot, decision: Decision) -> tuple[str, int]:
    """Card and line of the one finding that a decision was made on, ``""`` where it is not there once."""
    document = snapshot.document(decision.file)
    if document is None:
        return "", 0
    found = [
        (key, finding.line)
        for key, finding in keyed_findings(snapshot, document)
        if finding.rule == decision.rule and finding.message == decision.text and finding.repair is not None
    ]
    return found[0] if len(found) == 1 else ("", 0)
