"""The wizard's pages: a card with its entries and decision, the last look before applying, the receipt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual.content import Content

from floppy_tui.tiers.cards import Card, Step
from floppy_tui.tiers.decisions import Decision, Do
from floppy_tui.tiers.document import Entry
from floppy_tui.tiers.layout import FILES
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tiers.stow import Plan
from floppy_tui.tui import display
from floppy_tui.tui.display import TierMark
from floppy_tui.tui.screens.entry_page import clock_words
from floppy_tui.tui.screens.stow_outside import add_outside, destinations
from floppy_tui.tui.screens.stow_session import PassSession
from floppy_tui.tui.widgets.page import FAINT, Page, Part
from floppy_tui.tui.widgets.stow_gauge import change, count
from floppy_tui.tui.widgets.stow_rows import in_words

MOST_TEXT = 6_000
"""Characters of an entry that its card shows."""
MOST_ENTRIES = 40
"""Entries of a section that its card lists."""
MOST_OPEN = 200
"""Open cards that the last step lists."""

EMPTY = {
    Step.REDUCE: "Within budget as planned: nothing has to be taken away.",
    Step.RECEIPT: "The receipt is written when the pass is applied: that is step 10, Apply.",
}


def no_card(session: PassSession, width: int) -> Sequence[Content]:
    """What stands in the place of a card: the step has none, or the one that was shown is gone."""
    page = Page(width)
    step = session.step
    if session.gone:
        page.add(("This card is gone", "bold $text-warning"), f": {session.gone_why}. It was about")
        page.blank().add((session.gone, "bold"), indent=2)
        page.blank().add(("j", "bold"), " goes on to the next card.")
        return page.lines
    page.add(EMPTY.get(step, "Nothing to decide in this step."))
    if step < Step.APPLY:
        page.blank().add(("]", "bold"), " goes on to the next step.")
    return page.lines


def card_page(
    card: Card,
    snapshot: Snapshot,
    place: tuple[int, int],
    refusal: str,
    marks: Mapping[Tier, TierMark],
    width: int,
) -> Sequence[Content]:
    """The lines of one card."""
    page = Page(width)
    entries = [snapshot.by_id[i] for i in card.entries if i in snapshot.by_id]
    state, style = _state(card, refusal)
    page.add((f"{place[0]} of {place[1]}", FAINT), "  ", (card.kind, FAINT), "  ", (state, style))
    if "\n" in card.why or not any(card.title == e.first_line for e in entries):
        page.add((card.title, "bold"))
    _why(page, card.why)
    if card.decided is not None:
        _decision(page, card.decided)
    if refusal:
        page.add(("✗ Not done: ", "bold $text-error"), (refusal, "$text-error"), indent=2)
    if len(entries) > 2:
        page.blank()
        _list(page, entries, marks)
    else:
        for entry in entries:
            page.blank()
            _entry(page, snapshot, entry, marks)
    return page.lines


def _why(page: Page, why: str) -> None:
    """The reason, each verdict of a test with its sign set off."""
    for line in why.split("\n"):
        if line.startswith(("✓ ", "✗ ")):
            style = "$text-success" if line[0] == "✓" else "$text-error"
            page.add((line[:2], f"bold {style}"), line[2:], indent=2)
        else:
            page.add(line)


def _state(card: Card, refusal: str) -> tuple[str, str]:
    if refusal:
        return "✗ refused", "bold $text-error"
    if card.decided is not None:
        return "✓ decided", "bold $text-success"
    if card.open:
        return ("● open, needed for reset-safe" if card.blocks else "● open"), "bold $text-warning"
    return ("may be decided" if card.offers else "to read"), FAINT


def _decision(page: Page, decision: Decision) -> None:
    page.add(
        ("✓ ", "bold $text-success"),
        (in_words(decision), "bold"),
        *_given(decision),
        indent=2,
    )


def _given(decision: Decision) -> Sequence[str]:
    """What was filled in, in words."""
    move, record = decision.move, decision.record
    said = [
        f" to {move.destination}, needed: {move.trigger}" if move else "",
        f" for {decision.owner}" if decision.owner else "",
        f" {record.id or record.title}" if record else "",
        f" to {decision.tier}" if decision.tier else "",
        f", reason: {decision.reason}" if decision.reason else "",
        f", evidence: {decision.evidence}" if decision.evidence else "",
    ]
    if decision.text and decision.do is not Do.REPAIR:
        said.append(f", now: {decision.text}")
    return [part for part in said if part]


def _entry(page: Page, snapshot: Snapshot, entry: Entry, marks: Mapping[Tier, TierMark]) -> None:
    mark = marks[Tier.PINNED if entry.pinned else entry.tier]
    first, last = entry.lines
    where = f"{entry.file}:{first}" + ("" if first == last else f"–{last}")
    heading = f"  {' › '.join(entry.heading)}" if entry.heading else ""
    page.add(mark.content(), (f"  {count(entry.tokens)} tokens  {where}{heading}", FAINT))
    page.body(entry.prose[:MOST_TEXT], raw=False)
    if len(entry.prose) > MOST_TEXT:
        more = count(len(entry.prose) - MOST_TEXT)
        page.add((f"… {more} more characters; the Memory view shows them.", FAINT))
    if entry.tier is not Tier.GRACE or entry.pinned:
        page.add((clock_words(snapshot, entry), FAINT))


def _list(page: Page, entries: Sequence[Entry], marks: Mapping[Tier, TierMark]) -> None:
    for entry in entries[:MOST_ENTRIES]:
        mark = marks[Tier.PINNED if entry.pinned else entry.tier]
        page.add(
            (mark.short, mark.style), f" {entry.first_line}", (f"  {count(entry.tokens)}", FAINT), indent=4
        )
    if len(entries) > MOST_ENTRIES:
        page.add((f"… and {count(len(entries) - MOST_ENTRIES)} more", FAINT))


def apply_page(plan: Plan, open_cards: Sequence[Card], settled: bool, width: int) -> Sequence[Content]:
    """The last look before a pass is applied: what changes by file, what stays open, and what that means."""
    page = Page(width)
    page.add(("enter", "bold reverse"), " applies all this in one transaction, after one more question.")
    if not settled:
        page.add(("The plan is still being worked out …", "$text-warning"))
    page.add(*_verdict(plan, len(open_cards)))
    page.heading("What changes")
    for path in FILES:
        before, after = plan.snapshot.file(path).tokens, plan.tokens(path)
        tokens = count(before)
        if before != after:
            tokens += f" → {count(after)} ({change(after - before)})"
        page.add(f"{path}  {tokens}  ", (", ".join(plan.actions.get(path, ())), "bold"), indent=2)
    for path, tokens in destinations(plan):
        page.add(f"{path}  {tokens}  ", ("given a quote", "bold"), indent=2)
    page.add(_in_short(plan))
    add_outside(page, plan)
    if not plan.reset_safe:
        page.heading("What keeps it from being reset-safe")
        _reasons(page, plan)
    page.heading("Still open" if open_cards else "Nothing is open")
    if open_cards:
        page.add(("What nobody decides does not happen; the receipt lists it.", FAINT))
    for card in open_cards[:MOST_OPEN]:
        page.add((f"{int(card.step):>2} {card.step.title}  ", "bold"), card.title, indent=4)
    if len(open_cards) > MOST_OPEN:
        page.add((f"… and {count(len(open_cards) - MOST_OPEN)} more", FAINT))
    return page.lines


def _verdict(plan: Plan, opened: int) -> Sequence[Part]:
    """Whether the pass would be reset-safe and what that means, then how much is left open."""
    cards = f"{opened} card{'s' if opened != 1 else ''} still open, listed below."
    if plan.reset_safe:
        means = ": nothing this session knew is lost. It does not say that the records are correct. "
        return (("Reset-safe as planned", "bold $text-success"), means, cards if opened else "")
    return (("Not reset-safe as planned", "bold $text-warning"), ", the reasons are below. ", cards)


def _reasons(page: Page, plan: Plan) -> None:
    if plan.shortfall:
        page.add(f"• over the allowance by {count(plan.shortfall)} tokens", indent=2)
    for found in plan.exceptions:
        page.add("• ", (found.exception, "bold"), f": {found.message}", indent=2)
    for refusal in plan.refused:
        page.add("• refused, ", (in_words(refusal.decision), "bold"), f": {refusal.why}", indent=2)
    blocking = sum(c.blocks and c.decided is None and c.open for c in plan.cards)
    if blocking:
        page.add(f"• {blocking} of the open cards below have to be decided for it", indent=2)


def _in_short(plan: Plan) -> str:
    leaving = sum(len(d.entries) for d in plan.departures)
    said = [f"{leaving} to the archive"]
    said += [f"{len(plan.relocated)} to other owners"] if plan.relocated else []
    said += [f"{len(plan.reinforced)} with evidence, {len(plan.graced)} given grace"]
    said += [f"{len(plan.added)} new"] if plan.added else []
    said += [f"{len(plan.proposed)} only proposed"] if plan.proposed else []
    return f"{', '.join(said)}."


def apply_words(plan: Plan, opened: int) -> Sequence[Content]:
    """What is confirmed when a pass is applied."""
    before, after = plan.snapshot.total, plan.total
    lines = [
        display.content(
            f"{count(before)} → {count(after)} tokens ({change(after - before)}): {_in_short(plan)}"
        ),
        display.content(
            f"{opened} card{'s' if opened != 1 else ''} stay open: what they are about stays as it is."
        ),
    ]
    if plan.reset_safe:
        lines.append(display.content("The pass will be reset-safe.", "$text-success"))
    else:
        lines.append(display.content("The pass will not be reset-safe; step 10 says why.", "$text-warning"))
    return lines


def receipt_page(markdown: str, file: str, width: int) -> Sequence[Content]:
    """The receipt of the pass that was applied."""
    page = Page(width)
    page.body(markdown, raw=False)
    if file:
        page.blank().labelled("written to", file)
    return page.lines
