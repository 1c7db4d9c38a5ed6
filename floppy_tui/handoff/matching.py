"""A decisions document held against a home: entries by their ids, sections by their headings.

What is no longer as it was when the document was made is refused by name, and never guessed at.
"""

from __future__ import annotations

from floppy_tui.handoff.document import (
    Act,
    Add,
    Archive,
    ArchiveSection,
    Condition,
    Document,
    Filing,
    Keep,
    Merge,
    Offload,
    OnEntry,
    OnSection,
    ProposeOffload,
    Record,
    Reinforce,
    Retier,
    Rewrite,
    Route,
)
from floppy_tui.text.lines import readable
from floppy_tui.tiers import decisions as made
from floppy_tui.tiers.decisions import Decision, Do, Move, Refusal, Target, Verdict, decide
from floppy_tui.tiers.document import Entry
from floppy_tui.tiers.document import Heading as Section
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.snapshot import Snapshot


def to_decisions(document: Document, snapshot: Snapshot) -> tuple[tuple[Decision, ...], tuple[Refusal, ...]]:
    """The decisions of ``document`` on ``snapshot``, in its order, and those that do not fit it."""
    decisions: list[Decision] = []
    refusals: list[Refusal] = []
    for act in document.decisions:
        found = _matched(act, snapshot)
        if isinstance(found, Refusal):
            refusals.append(found)
        else:
            decisions.append(found)
    return tuple(decisions), tuple(refusals)


def _matched(act: Act, snapshot: Snapshot) -> Decision | Refusal:
    if isinstance(act, Filing):
        return _filed(act, snapshot)
    return _on_section(act, snapshot) if isinstance(act, OnSection) else _on_entries(act, snapshot)


def _filed(act: Filing, snapshot: Snapshot) -> Decision:
    """What is new fits any home: the rules of the pass judge it."""
    do = Do(str(act.__struct_config__.tag))
    match act:
        case Add():
            tier = Tier(act.tier)
            return decide(snapshot, do, file=act.file, text=act.text, tier=tier, evidence=act.evidence)
        case Route():
            return decide(snapshot, do, text=act.text, owner=act.owner)
        case Record():
            record = made.Record(act.action, act.id, act.title, act.body, act.blocked_by, act.judgment)
            return decide(snapshot, do, record=record)


def _on_entries(act: OnEntry | Merge, snapshot: Snapshot) -> Decision | Refusal:
    do = Do(str(act.__struct_config__.tag))
    ids, prose = (act.entries, None) if isinstance(act, Merge) else ((act.entry,), act.prose)
    entries: list[Entry] = []
    for name in ids:
        entry = snapshot.by_id.get(name)
        if entry is None:
            why = f"There is no entry {name} in this home: it was changed or has left since, or never was."
            return _refused(do, ids, snapshot, why)
        entries.append(entry)
    if prose is not None and prose != readable(entries[0].prose):
        why = f"Entry {ids[0]} was changed since this was decided: its prose is another one now."
        return _refused(do, ids, snapshot, why)
    return decide(snapshot, do, *entries, **_fields(act))


def _fields(act: OnEntry | Merge) -> dict[str, object]:
    """What an act says beside its entries."""
    match act:
        case Reinforce():
            return {"evidence": act.evidence}
        case Archive() | Keep():
            return {"reason": act.reason}
        case Retier():
            return {"tier": Tier(act.tier), "evidence": act.evidence}
        case Rewrite():
            return {"text": act.text, "evidence": act.evidence}
        case Merge():
            tier = Tier(act.tier) if act.tier else None
            return {"text": act.text, "tier": tier, "evidence": act.evidence}
        case Condition():
            return {"verdict": Verdict(act.verdict), "evidence": act.evidence}
        case Offload():
            return {"move": Move(act.trigger, act.destination, privacy=act.privacy)}
        case ProposeOffload():
            return {"move": Move(act.trigger, act.destination, act.description, act.privacy)}


def _refused(do: Do, ids: tuple[str, ...], snapshot: Snapshot, why: str) -> Refusal:
    named = tuple(Target(name, "") for name in ids)
    return Refusal(Decision(do=do, targets=named, snapshot=snapshot.hash), why)


def _on_section(act: OnSection, snapshot: Snapshot) -> Decision | Refusal:
    do = Do(str(act.__struct_config__.tag))
    said = " › ".join(act.heading)
    decision = Decision(
        do=do,
        snapshot=snapshot.hash,
        file=act.file,
        heading=act.heading,
        reason=act.reason if isinstance(act, ArchiveSection) else "",
        evidence="" if isinstance(act, ArchiveSection) else act.evidence,
    )
    document = snapshot.document(act.file)
    if document is None:
        return Refusal(decision, f"There is no memory file {act.file} to be read in this home.")
    found = _sections(document.headings, act.heading)
    if not found:
        return Refusal(decision, f"{act.file} has no section {said}: it was changed or has left since.")
    if len(found) > 1:
        return Refusal(decision, f"{act.file} has several sections {said}: name the headings above it too.")
    return decision.with_(heading=found[0].path)


def _sections(headings: tuple[Section, ...], path: tuple[str, ...]) -> list[Section]:
    """The headings that ``path`` can mean: with this very path, else those whose path ends so."""
    spelled = [(heading, tuple(readable(part) for part in heading.path)) for heading in headings]
    exact = [heading for heading, known in spelled if known == path]
    return exact or [heading for heading, known in spelled if known[-len(path) :] == path]
