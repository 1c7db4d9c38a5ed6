"""What a receipt says of offloads, proposals, new entries, findings and open records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from floppy_tui.text.lines import readable
from floppy_tui.tiers.decisions import Decision
from floppy_tui.tiers.errands import Done, Propose, errands_of
from floppy_tui.tiers.layout import SHARED
from floppy_tui.tiers.relocating import Proposed, Relocated
from floppy_tui.tiers.stow import Added, Plan

if TYPE_CHECKING:
    from floppy_tui.tiers.receipt import Receipt


def offloaded(plan: Plan, moved: Relocated) -> dict[str, Any]:
    """An entry that went to a live owner, with the relief measured from the planned bytes."""
    return {
        "entry": moved.entry,
        "file": moved.file,
        "first_line": readable(moved.first_line),
        "tokens": moved.tokens,
        "trigger": readable(moved.move.trigger),
        "destination": readable(moved.move.destination),
        "privacy": readable(moved.move.privacy),
        "relief": plan.relief(moved),
        "prose": readable(moved.quote),
    }


def proposed_offload(receipt: Receipt, one: Proposed) -> dict[str, Any]:
    """A candidate's fields and where its approval stands; ``filed`` is null until the queue was written."""
    return {
        "entry": one.entry,
        "file": one.file,
        "first_line": readable(one.first_line),
        "tokens": one.tokens,
        "trigger": readable(one.move.trigger),
        "destination": readable(one.move.destination),
        "description": readable(one.move.description),
        "privacy": readable(one.move.privacy),
        "shared_warning": one.file == SHARED,
        "state": "proposed",
        **_came(receipt.came_of(Propose(one))),
    }


def added(one: Added) -> dict[str, Any]:
    """A new entry; ``asked`` is another tier than ``tier`` where a perishable one names no condition."""
    return {
        "entry": one.entry,
        "file": one.file,
        "tier": one.tier.value,
        "asked": one.asked.value,
        "first_line": readable(one.first_line),
        "prose": readable(one.prose),
        "evidence": readable(one.evidence),
    }


def finding(receipt: Receipt, decision: Decision) -> dict[str, Any]:
    """A finding for another owner; what an entry says already, or the primary is told, needs no errand."""
    errand = next(iter(errands_of(decision)), None)
    owner = decision.owner.strip()
    why = {"entry": "An entry says it already.", "shared": "It belongs to the primary home."}
    return {
        "owner": readable(owner),
        "what": readable(decision.text.strip()),
        "why": why.get(owner.partition(":")[0], "It belongs to another owner."),
        **_came(receipt.came_of(errand)),
    }


def open_record(receipt: Receipt, decision: Decision) -> dict[str, Any]:
    """An open record and what was done about it."""
    record = decision.record
    assert record is not None
    done = receipt.came_of(next(iter(errands_of(decision)), None))
    return {
        "action": record.action,
        "id": readable(record.id or (done.id if done else "")),
        "title": readable(record.title),
        "body": readable(record.body),
        "blocked_by": list(record.blocked_by),
        "judgment": readable(record.judgment),
        **_came(done, record.id),
    }


def _came(done: Done | None, known: str = "") -> dict[str, Any]:
    if done is None:
        return {"filed": None, "said": ""}
    found: dict[str, Any] = {"filed": done.ok, "said": readable(done.said)}
    if done.id and done.id != known:
        found["id"] = readable(done.id)
    if done.former:
        found["former"] = readable(done.former)
    return found


def _first(text: str, width: int = 100) -> str:
    line = text.split("\n", 1)[0].strip()
    return f"“{line[:width].rstrip()}…”" if len(line) > width or "\n" in text else f"“{line}”"


def told_offloads(data: Mapping[str, Any]) -> Iterator[str]:
    """One line an offload."""
    for one in data["offloaded"]:
        yield (
            f"{_first(one['prose'])} ({one['file']}, {one['tokens']} tokens) to {one['destination']}, "
            f"for: {one['trigger']}. {one['privacy'].rstrip('.')}. Relief: {one['relief']} tokens."
        )


def told_proposals(data: Mapping[str, Any]) -> Iterator[str]:
    """One line a candidate; a proposal is no relief."""
    for one in data["proposed"]:
        warning = " Every inheriting home would lose it." if one["shared_warning"] else ""
        yield (
            f"{_first(one['first_line'])} ({one['file']}, {one['tokens']} tokens) to {one['destination']}, "
            f"for: {one['trigger']}. {one['state'].capitalize()}: it stays until you approve it.{warning}"
        )


def told_additions(data: Mapping[str, Any]) -> Iterator[str]:
    """One line a new entry."""
    for one in data["added"]:
        evidence = f" Evidence: {one['evidence']}" if one["evidence"] else ""
        told = ""
        if one["asked"] != one["tier"]:
            told = f" (asked for as {one['asked']}; it names no condition that can be checked)"
        yield f"{_first(one['prose'])} to {one['file']}, {one['tier']}{told}.{evidence}"


def told_findings(data: Mapping[str, Any]) -> Iterator[str]:
    """One line a finding; one that was not filed keeps its words."""
    for one in data["routed"]:
        if "owner" not in one:
            continue
        words = one["what"] if one["filed"] is False else _first(one["what"])
        yield f"{words}, for {one['owner']}. {one['said'] or one['why']}{_former(one)}"


def told_records(data: Mapping[str, Any]) -> Iterator[str]:
    """One line a record."""
    verbs = {"file": "Filed", "correct": "Corrected", "leave": "Left"}
    for one in data["records"]:
        name = one["id"] or _first(one["title"])
        said = one["said"] or (f"It waits on: {one['judgment']}" if one["judgment"] else one["title"])
        verb = verbs[one["action"]] if one["filed"] is not False else f"Not {verbs[one['action']].lower()}"
        yield f"{verb} {name}. {said}{_former(one)}"


def _former(one: Mapping[str, Any]) -> str:
    return f" It said before: {one['former']}" if one.get("former") else ""
