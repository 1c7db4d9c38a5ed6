"""The receipt of a pass: plain words for the captain, and the same as JSON for an agent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from floppy_tui.text.lines import readable
from floppy_tui.tiers.decisions import Do, Refusal
from floppy_tui.tiers.document import Entry
from floppy_tui.tiers.errands import Decide, Done, Errand
from floppy_tui.tiers.layout import FILES
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.receipt_sweep import (
    added,
    finding,
    offloaded,
    open_record,
    proposed_offload,
    told_additions,
    told_findings,
    told_offloads,
    told_proposals,
    told_records,
)
from floppy_tui.tiers.stow import Departed, Outcome, Plan

MEANING = (
    "Reset-safe means that nothing this session knew has been lost; "
    "it is no claim that the records are correct."
)


@dataclass(frozen=True)
class Measure:
    """Measured tokens before and after, where an encoding was at hand."""

    before: int
    after: int
    encoding: str


@dataclass(frozen=True)
class Receipt:
    """What a pass did, or (``applied`` False) would do."""

    plan: Plan
    applied: bool
    measure: Measure | None = None
    file: str = ""
    """Where the Markdown was written, for the captain's eyes."""
    done: tuple[Done, ...] = ()
    """What came of the plan's errands; empty until they were run."""

    @property
    def reset_safe(self) -> bool:
        """Whether nothing this session knew has been lost: the plan's own verdict, and every errand done."""
        return self.plan.reset_safe and all(d.ok for d in self.done)

    def came_of(self, errand: Errand | None) -> Done | None:
        """What came of one errand, None where it was not run."""
        return next((d for d in self.done if d.errand == errand), None)


def as_json(receipt: Receipt) -> dict[str, Any]:
    """The receipt as one JSON object with the documented keys."""
    plan = receipt.plan
    snapshot = plan.snapshot
    return {
        "applied": receipt.applied,
        "date": snapshot.today.isoformat(),
        "role": snapshot.role.value,
        "reset_safe": receipt.reset_safe,
        "budget": snapshot.allowance.tokens or snapshot.allowance.digits or None,
        "before": _totals(plan, before=True),
        "after": _totals(plan, before=False),
        "measured": None
        if receipt.measure is None
        else {
            "before": receipt.measure.before,
            "after": receipt.measure.after,
            "encoding": receipt.measure.encoding,
        },
        "actions": {path: list(words) for path, words in plan.actions.items()},
        "reinforced": [
            {
                "entry": e.entry,
                "file": e.file,
                "evidence": readable(e.evidence),
                "first_line": readable(e.first_line),
            }
            for e in plan.reinforced
        ],
        "archived": [item for d in plan.departures for item in _archived(d)],
        "graced": list(plan.graced),
        "merged": _reworded(plan, Outcome.MERGED, Outcome.DUPLICATE),
        "rewritten": _reworded(plan, Outcome.REWRITTEN),
        "offloaded": [offloaded(plan, moved) for moved in plan.relocated],
        "proposed": [proposed_offload(receipt, one) for one in plan.proposed],
        "added": [added(one) for one in plan.added],
        "routed": [
            *(
                {"file": c.file, "what": readable(c.title), "why": readable(c.why)}
                for c in plan.cards
                if c.kind == "routed"
            ),
            *(finding(receipt, d) for d in plan.routed),
        ],
        "records": [open_record(receipt, d) for d in plan.records],
        "exceptions": [
            {"exception": name, "message": readable(message)} for name, message in _exceptions(receipt)
        ],
        "refused": [
            {
                "do": r.decision.do.value,
                "entry": r.decision.id or None,
                "why": readable(r.why),
                **({"text": readable(r.decision.text)} if r.decision.do in (Do.ADD, Do.ROUTE) else {}),
            }
            for r in plan.refused
        ],
        "decision": _decision(plan),
        "undecided": [
            {
                "step": c.step.name.lower(),
                "kind": c.kind,
                "file": c.file,
                "entries": list(c.entries),
                "title": readable(c.title),
                "blocks": c.blocks,
            }
            for c in plan.undecided
        ],
        "homes": [],
    }


def _totals(plan: Plan, *, before: bool) -> dict[str, Any]:
    files = {path: plan.snapshot.file(path).tokens if before else plan.tokens(path) for path in FILES}
    return {"files": files, "total": sum(files.values())}


def _archived(departed: Departed) -> Iterator[dict[str, Any]]:
    leaves = departed.departure
    dated = leaves.reinforced.isoformat() if leaves.reinforced else None
    tier = Tier.AGING if leaves.tier in (Tier.GRACE, Tier.UNMARKED) else leaves.tier
    item: dict[str, Any] = {
        "entry": departed.entries[0],
        "file": departed.file,
        "tier": tier.value,
        "reinforced": dated,
        "reason": readable(leaves.reason),
        "prose": readable(leaves.prose),
    }
    if len(departed.entries) > 1:
        item["entries"] = list(departed.entries)
    yield item


def _reworded(plan: Plan, *outcomes: Outcome) -> list[dict[str, Any]]:
    return [
        {
            "entry": entry.id,
            "file": entry.file,
            "into": fate.into,
            "first_line": readable(entry.first_line),
            "archived": fate.departure >= 0,
        }
        for entry in plan.snapshot.entries
        if (fate := plan.fates[entry.id]).outcome in outcomes
    ]


def _decision(plan: Plan) -> dict[str, Any] | None:
    """The captain's decision of a home that ends over budget: exactly two options."""
    if plan.within_budget or not plan.snapshot.allowance.digits:
        return None
    return {
        "shortfall": plan.shortfall,
        "pinned_floor": plan.floor,
        "options": list(plan.options),
    }


def _exceptions(receipt: Receipt) -> Iterator[tuple[str, str]]:
    """The plan's exceptions, and what outside the memory could not be done."""
    for one in receipt.plan.exceptions:
        yield one.exception, one.message
    for done in receipt.done:
        if not done.ok:
            yield "not-filed", done.said


def as_markdown(receipt: Receipt) -> str:
    """The receipt in plain words; quoted entry text is what it is and has to be made safe for display."""
    return "\n".join(_lines(receipt)).rstrip("\n") + "\n"


def _lines(receipt: Receipt) -> Iterator[str]:
    plan = receipt.plan
    snapshot = plan.snapshot
    data = as_json(receipt)
    yield f"# Stow receipt, {snapshot.today.isoformat()}"
    yield ""
    if not receipt.applied:
        yield "Nothing was written: this is what the pass would do."
        yield ""
    safe = "This home is reset-safe." if receipt.reset_safe else "This home is not reset-safe."
    yield f"**{safe}** {MEANING}"
    yield ""
    digits = snapshot.allowance.digits
    budget = f"{digits} estimated tokens" if digits else "no usable allowance"
    verdict = "within budget" if plan.within_budget else "over budget"
    yield f"- Budget: {budget}. Before {snapshot.total}, after {plan.total}: {verdict}."
    if receipt.measure is not None:
        m = receipt.measure
        yield f"- Measured with {m.encoding}: {m.before} before, {m.after} after."
    for path in FILES:
        words = ", ".join(plan.actions[path])
        yield f"- {path}: {words} ({snapshot.file(path).tokens} → {plan.tokens(path)})"
    yield from _section(
        "Reinforced", (f"{_quoted(e.first_line)} Evidence: {e.evidence}" for e in plan.reinforced)
    )
    yield from _section("Given one grace cycle", (_name(plan, g) for g in plan.graced))
    yield from _section(
        "Archived",
        (
            f"{_quoted(d.departure.prose)} ({d.departure.source}) {d.departure.reason}"
            for d in plan.departures
        ),
    )
    for title, key in (("Merged", "merged"), ("Rewritten", "rewritten")):
        yield from _section(
            title,
            (
                f"{_quoted(m['first_line'])} now stands as {m['into']}"
                + ("; the former words are in the archive." if m["archived"] else ".")
                for m in data[key]
            ),
        )
    yield from _section("Offloaded", told_offloads(data))
    yield from _section("Proposed to be offloaded", told_proposals(data))
    yield from _section("Added", told_additions(data))
    own = [r for r in data["routed"] if "owner" not in r]
    yield from _section("Routed to the primary", (f"{r['what']}. {r['why']}" for r in own))
    yield from _section("Findings filed elsewhere", told_findings(data))
    yield from _section("Open records", told_records(data))
    yield from _section("Exceptions", (f"{name}: {message}" for name, message in _exceptions(receipt)))
    yield from _section("Not carried out", (_refused(r) for r in plan.refused))
    yield from _section(
        "Still undecided", (f"{c.step.title}, {c.kind}: {_quoted(c.title)}" for c in plan.undecided)
    )
    decision = data["decision"]
    if decision is not None:
        yield ""
        yield "## The captain's decision"
        yield ""
        yield (
            f"The memory is {decision['shortfall']} estimated tokens over its allowance; "
            f"pinned and read-only text holds {decision['pinned_floor']}. Either:"
        )
        yield ""
        for at, option in enumerate(decision["options"], 1):
            yield f"{at}. {option}"
        held = next((d for d in receipt.done if isinstance(d.errand, Decide) and d.ok), None)
        if held is not None:
            yield ""
            yield held.said


def _refused(refusal: Refusal) -> str:
    """One decision that was not carried out; a finding's words go along, so that they are not lost."""
    decision = refusal.decision
    said = f" {_quoted(decision.text)}" if decision.do in (Do.ADD, Do.ROUTE) else ""
    return f"{decision.do.value}{said}: {refusal.why}"


def _section(title: str, lines: Iterator[str]) -> Iterator[str]:
    found = list(lines)
    if not found:
        return
    yield ""
    yield f"## {title}"
    yield ""
    for line in found:
        yield f"- {' '.join(readable(line).split())}"


def _quoted(prose: str, width: int = 100) -> str:
    line = prose.split("\n", 1)[0].strip()
    if len(line) > width or "\n" in prose:
        line = line[:width].rstrip() + "…"
    return f"“{line}”"


def _name(plan: Plan, graced: str) -> str:
    entry: Entry | None = plan.snapshot.by_id.get(graced)
    if entry is not None:
        return _quoted(entry.first_line)
    file, _, heading = graced.partition("#")
    return f"Section “{heading}” of {file}, as one"
