"""The line by which something leaves the memory: the reason why, or the trigger under which it is needed."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from floppy_tui.tiers.cards import Offer
from floppy_tui.tiers.decisions import Decision, Move
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.scope import Stands
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tui import display
from floppy_tui.tui.screens.stow_line import Line
from floppy_tui.tui.widgets.stow_gauge import change

_ANY = Stands(editable=True, tier=Tier.AGING, dated=True, stale=False)
"""How an entry stands is no matter to whether its trigger is one."""


def line_of(offer: Offer, named: str, snapshot: Snapshot) -> Line:
    """The line that an offer asks to be filled in; ``named`` is what leaves, in quotes."""
    label = (f"{offer.label[:1].upper()}{offer.label[1:]} ", "bold")
    tokens = change(offer.effect)
    move = offer.decision.move
    if move is not None:
        asks = f"{named}: the quote goes to {move.destination}. When is it needed?"
        check = partial(_trigger_problem, offer, move, snapshot)
        return Line(display.joined(label, asks), move.trigger, f"offloads it ({tokens})", check)
    check = partial(_reason_problem, offer)
    title = display.joined(label, f"{named}: the reason")
    return Line(title, offer.decision.reason, f"archives it ({tokens})", check)


def decision_by(offer: Offer, said: str) -> Decision:
    """What an offer comes to with the line filled in."""
    decision = offer.decision
    if decision.move is not None:
        return decision.with_(move=replace(decision.move, trigger=said))
    return decision.with_(reason=said if "reason" in offer.needs else decision.reason)


def _trigger_problem(offer: Offer, move: Move, snapshot: Snapshot, text: str) -> str:
    if not text:
        return "Say when it is needed: without a trigger its new owner is never read for it."
    entry, scope = snapshot.by_id.get(offer.decision.id), snapshot.scope
    if entry is None or scope is None:
        return ""
    tests = scope.tests(entry, _ANY, replace(move, trigger=text), autonomous=False)
    return next((t.why for t in tests if t.name == "conditional" and not t.passes), "")


def _reason_problem(offer: Offer, text: str) -> str:
    reason = offer.decision.reason
    if "reason" not in offer.needs:
        return "" if text == reason else f"The reason is always “{reason}”."
    return "" if text else "Say why it leaves: the archive names the reason."
