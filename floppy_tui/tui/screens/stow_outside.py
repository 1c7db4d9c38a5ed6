"""What a pass does outside the memory, in words: in other owners' files, in the queue and in the backlog."""

from __future__ import annotations

from collections.abc import Iterator

from floppy_tui.tiers.budget import estimate
from floppy_tui.tiers.errands import Decide, Decided, Errand, Inscribe, Keep, Propose, Ship
from floppy_tui.tiers.stow import Plan
from floppy_tui.tui import display
from floppy_tui.tui.widgets.page import FAINT, Page
from floppy_tui.tui.widgets.stow_gauge import change, count

MOST = 60
"""Characters of a statement or a title that a line names it by."""


def outside(plan: Plan) -> Iterator[tuple[str, str]]:
    """Each thing in a verb and the rest of its sentence."""
    for one in plan.relocated:
        yield "Gives", f"{one.move.destination} the quote {_quoted(one.quote)}, for: {one.move.trigger}"
    for decision in plan.routed:
        kind, _, name = decision.owner.partition(":")
        if kind == "entry":
            yield "Adds nothing", f"for {_quoted(decision.text)}: the entry {name} says it"
        elif kind == "shared":
            yield "Routes", f"{_quoted(decision.text)} to the primary, by the receipt alone"
    for errand, _ in plan.errands:
        yield told(errand)


def told(errand: Errand) -> tuple[str, str]:
    """An errand in a verb and the rest of its sentence."""
    match errand:
        case Propose():
            one = errand.proposed
            return "Proposes", f"{_quoted(one.quote)} for {one.move.destination}: you approve it in the queue"
        case Ship():
            owner = f"the project {errand.project}" if errand.project else "the shared repository"
            return "Files a ship task", f"for {owner}: {_quoted(errand.text)}"
        case Inscribe():
            return "Replaces the body", f"of the backlog item {errand.task}: {_quoted(errand.text)}"
        case Keep():
            record = errand.record
            named = record.id or _quoted(record.title)
            blocked = f", blocked by {', '.join(record.blocked_by)}" if record.blocked_by else ""
            return {
                "file": ("Files", f"the record {_quoted(record.title)}{blocked}"),
                "correct": ("Corrects", f"the record {named}"),
            }.get(record.action, ("Leaves", f"the record {named}, which waits on: {record.judgment}"))
        case Decide():
            options = " or ".join(errand.options)
            return (
                "Holds your decision",
                f"as a backlog item, {count(errand.shortfall)} tokens over: {options}",
            )
        case Decided():
            return "Closes", "your decision about the budget, where one is still held in the backlog"


def destinations(plan: Plan) -> Iterator[tuple[str, str]]:
    """The other owners that are given quotes, each with its size before and after."""
    for path, (before, after) in plan.destinations.items():
        old, new = (estimate(len(text.encode("utf-8", "surrogateescape"))) for text in (before, after))
        yield path, f"{count(old)} → {count(new)} ({change(new - old)}), not in the budget"


def add_outside(page: Page, plan: Plan) -> None:
    """Add what is done outside the memory to a page, where anything is."""
    found = list(outside(plan))
    if not found:
        return
    page.heading("What is done outside the memory, once it is written")
    for verb, rest in found:
        quiet = verb == "Closes"
        page.add((f"{verb} ", FAINT if quiet else "bold"), (rest, FAINT if quiet else ""), indent=2)


def _quoted(text: str) -> str:
    return f"“{display.one_line(text, MOST)}”"
