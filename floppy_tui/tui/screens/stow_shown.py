"""What the wizard shows beside a card: the keys with verbs and tokens, the effects, and whose diff it is."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from textual.content import Content

from floppy_tui.tiers.cards import Card, Offer, Step
from floppy_tui.tiers.decisions import Decision, Do
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tiers.stow import Plan
from floppy_tui.tui import display
from floppy_tui.tui.commands import get
from floppy_tui.tui.screens.stow_commands import CARD
from floppy_tui.tui.screens.stow_deciding import MARKS, VERBS, Deciding
from floppy_tui.tui.screens.stow_session import PassSession
from floppy_tui.tui.widgets.stow_diff import MEMORY
from floppy_tui.tui.widgets.stow_gauge import change, count
from floppy_tui.tui.widgets.stow_keys import KeyLabel
from floppy_tui.tui.widgets.stow_rows import in_words

LISTED = (Step.RETAIN, Step.REINFORCE)
"""The steps whose cards are shown as a list."""
SEEN = "what this session confirmed, in words"
"""Stands for the evidence in the preview of an offer that still needs it."""
SEEN_WHEN = "when that is what is being worked on"
"""Stands for the trigger in the same way."""


@dataclass(frozen=True)
class Subject:
    """What a diff is of: one decision, or (None) the whole plan."""

    key: object
    """Names the thing that is looked at, for its scroll position."""
    title: str
    decision: Decision | None
    snapshot: Snapshot = field(compare=False)
    plan: Plan = field(compare=False)
    nothing: str = "Changes nothing in the files."
    state: tuple[int, ...] = ()
    """Tells one plan, or one reading, from the next."""

    @property
    def names(self) -> Collection[str]:
        """The files that its diff may be of."""
        move = self.decision.move if self.decision is not None else None
        return (*MEMORY, *self.plan.destinations, *([move.destination] if move is not None else []))


def subject_of(session: PassSession, card: Card | None, other: int) -> Subject | None:
    """Whose diff is to be shown: the decision made, or one of the offers; in step 10 the whole plan."""
    plan = session.plan
    if plan is None:
        return None
    if session.step is Step.APPLY:
        return Subject(
            "apply", "The whole change, archive first:", None, session.snapshot, plan, state=(id(plan),)
        )
    if card is None:
        return None
    decided = card.decided if card.decided is not None and not _elsewhere(card.decided) else None
    ways = [(f"{in_words(decided)}, as decided", decided)] if decided else []
    ways += [(o.label, seen) for o in card.offers if (seen := _seen(o)) is not None]
    if not ways:
        return None
    label, decision = ways[other % len(ways)]
    more = f" ({other % len(ways) + 1} of {len(ways)}, o for the others)" if len(ways) > 1 else ""
    return Subject(
        (card.key, label),
        f"{label}{more}:",
        decision,
        session.snapshot,
        plan,
        f"{label}{more} changes nothing in the files.",
    )


def _elsewhere(decision: Decision) -> bool:
    """Whether it changes no file of the home by itself: what comes of it is told by step Apply."""
    handed = decision.do is Do.ROUTE and decision.owner != "shared"
    return handed or decision.do in (Do.PROPOSE, Do.RECORD)


def _seen(offer: Offer) -> Decision | None:
    """An offer's decision as its preview takes it; None where that would show nothing yet."""
    decision = offer.decision
    if decision.do in (Do.KEEP, *MARKS, Do.REWRITE) or _elsewhere(decision):
        return None
    if {"finding", "record"} & {*offer.needs}:
        return None
    if decision.move is not None and not decision.move.trigger:
        return decision.with_(move=replace(decision.move, trigger=SEEN_WHEN))
    if decision.do is Do.RETIER and decision.tier is None:
        return None
    if "evidence" in offer.needs and not decision.evidence:
        return decision.with_(evidence=SEEN)
    if "reason" in offer.needs and not decision.reason:
        return decision.with_(reason="…")
    return decision


def effects(screen: Deciding, card: Card | None) -> Content:
    """A line an offer: its key, the verb, the tokens, and the total that it would leave."""
    plan = screen.session.plan
    if card is None or plan is None or not card.offers or screen.session.step is Step.RETAIN:
        return Content("")
    lines = []
    for offer in card.offers:
        name = next((n for n, verb in VERBS.items() if verb is offer.verb), "")
        parts: list[tuple[str, str]] = [
            (f"{screen.key_of(name)} ", "bold $text-accent"),
            (f"{display.one_line(offer.label, 28):<18} ", ""),
        ]
        if offer.effect:
            parts.append((f"{change(offer.effect):>7}", "bold"))
            if card.decided is None:
                parts.append((f"  → {count(plan.total + offer.effect)}", "$text-muted"))
        lines.append(display.joined(*parts))
    return Content("\n").join(lines)


def keys(screen: Deciding, over: bool) -> tuple[Sequence[KeyLabel], ...]:
    """The keys that can be pressed: those of the card with verb and tokens, then those for moving."""
    session = screen.session
    if over:
        return ([KeyLabel("j/k", "scroll", "stow.next"), _key(screen, "back", "leave", strong=True)],)
    card: list[KeyLabel] = []
    current = session.current
    for name in CARD:
        if screen.why_not(name) or (name == "repeat" and not session.evidence):
            continue
        strong = current is not None and current.open and name == _proposed(current)
        card.append(_key(screen, name, screen.label_of(get(f"stow.{name}")), strong))
    if session.selected:
        card.append(_key(screen, "select", f"{len(session.selected)} selected"))
    elif not screen.why_not("select"):
        card.append(_key(screen, "select", "select"))
    if session.step is Step.APPLY:
        card.append(_key(screen, "apply", "apply", strong=True))
    rest = screen.rest(session.step)
    if rest:
        card.append(_key(screen, "accept_all", f"accept rest ({len(rest)})"))
    single = session.place()[1] < 2 and not session.gone
    moving = [
        KeyLabel("j/k", "scroll" if single else "cards", "stow.next"),
        KeyLabel("[ ]", "steps", "stow.next_step"),
    ]
    if current is None or not current.open:
        waiting = any(session.counts(step)[0] for step in Step)
        if waiting:
            moving.insert(0, _key(screen, "next_open", "next open", strong=not card))
        elif session.step is not Step.APPLY:
            moving.insert(0, _key(screen, "step_10", "to apply", strong=not card))
    if session.undoable:
        moving.append(_key(screen, "undo", "undo"))
    moving += [_key(screen, "diff", "diff"), KeyLabel("?", "help", "app.help"), _key(screen, "back", "leave")]
    return (card, moving) if card else (moving,)


def _proposed(card: Card) -> str:
    """The name of the command that takes the engine's proposal."""
    first = card.offers[0] if card.offers else None
    verb = first.verb if first is not None and {*first.needs} <= {"reason", "trigger", "move"} else None
    return next((name for name, its in VERBS.items() if its is verb), "")


def _key(screen: Deciding, name: str, label: str, strong: bool = False) -> KeyLabel:
    return KeyLabel(screen.key_of(name), label, f"stow.{name}", strong)
