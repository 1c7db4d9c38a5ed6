"""The detail of one proposal, one candidate, or what could not be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from floppy_tui.offload.proposal import Proposal, State
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.scope import Place, PlaceKind, Tested
from floppy_tui.tui import display
from floppy_tui.tui.display import TierMark
from floppy_tui.tui.offload_rows import Look, OffloadRow, mark_of
from floppy_tui.tui.widgets.page import FAINT, HEADING, MOST, Page
from floppy_tui.tui.widgets.stow_diff import common

if TYPE_CHECKING:
    from floppy_tui.offload.scope import Candidate
    from floppy_tui.store.offloading import Preview

BESIDE = 56
"""From this width on two texts stand beside each other."""
_GAP = 2
KINDS = {
    PlaceKind.NOTE: "a local note that is there",
    PlaceKind.SKILL: "a local skill that is there",
    PlaceKind.NEW_SKILL: "a new local skill",
    PlaceKind.PROJECT: "a project's committed AGENTS.md, by a ship task",
    PlaceKind.PROJECT_SKILL: "a skill in a project's own repository, by a ship task",
}


def proposal_page(
    look: Look, proposal: Proposal, preview: Preview | None, raw: bool, width: int
) -> Sequence[Content]:
    """The lines of a proposal; ``preview`` is None while it is still worked out."""
    page = Page(width)
    mark = mark_of(proposal)
    facts = f"  {proposal.id}  {proposal.tokens:,} tokens  {proposal.file}"
    page.add((mark.short, f"bold {mark.style}"), (facts, FAINT))
    page.add(display.line(proposal.first_line, page.width, "bold"))
    entry = look.now.get(proposal.id)
    current = entry.prose if entry is not None else None
    _said_of(page, proposal, current)
    page.blank()
    move = proposal.move
    page.labelled("to", move.destination, (f"  ({kind_words(preview.place)})" if preview else "", FAINT))
    page.labelled("trigger", move.trigger or "none is given")
    page.labelled("description", move.description or "the trigger, as it stands above")
    page.labelled("privacy", move.privacy or "private")
    _dates(page, proposal)
    _quote(page, look, proposal, current, raw)
    if proposal.state is State.MIGRATED:
        return page.lines
    if preview is None:
        page.blank().add(("Checking the destination …", FAINT))
    else:
        _what_comes(page, preview)
    return page.lines


def named(page: Page, proposal: Proposal) -> Page:
    """The proposal that a dialog is about."""
    page.add(display.line(proposal.first_line, page.width, "bold"))
    return page.add((f"{proposal.id}, {proposal.tokens:,} tokens in {proposal.file}", FAINT)).blank()


def _said_of(page: Page, proposal: Proposal, current: str | None) -> None:
    """What the captain has to know first."""
    if proposal.problem:
        page.add((f"! {proposal.problem}", "$text-error"), indent=2)
    if proposal.state is State.FAILED:
        page.add((f"! It failed: {proposal.note or 'no reason was kept'}", "$text-error"), indent=2)
    elif proposal.note:
        page.add((f"! {proposal.note}", "$text-warning"), indent=2)
    if proposal.warning:
        page.add((f"! {proposal.warning}", "$text-warning"), indent=2)
    if proposal.state is State.MIGRATED:
        return
    if current is None:
        page.add(("! The entry is not there any more as it was quoted.", "$text-warning"), indent=2)
    elif current != proposal.quote:
        page.add(("! It has changed since it was quoted; R quotes it again.", "$text-warning"), indent=2)


def _dates(page: Page, proposal: Proposal) -> None:
    page.labelled("proposed", proposal.proposed or "on no known day")
    if proposal.decided:
        decided = "changed" if proposal.state is State.PROPOSED else str(proposal.state)
        page.labelled(decided, proposal.decided)
    if proposal.task:
        page.labelled("ship task", proposal.task)
    if proposal.relief is not None:
        page.labelled("freed", f"{proposal.relief:,} tokens, measured")
    approval = proposal.approval
    if approval is None:
        page.labelled("approval", "none on record")
        return
    page.labelled("approval", f"“{approval.words}” typed by {approval.by} at {approval.at}")
    if approval.seal != proposal.seal:
        page.add(("! It was given to something else than stands here now.", "$text-error"), indent=2)


def kind_words(place: Place) -> str:
    """What a destination is."""
    return KINDS[place.kind] if place.kind is not None else "no destination"


def _quote(page: Page, look: Look, proposal: Proposal, current: str | None, raw: bool) -> None:
    """The quote, and beside it the entry as it is now, where that is another."""
    if current == proposal.quote:
        entry = look.now.get(proposal.id)
        where = f" in {entry.file}:{entry.lines[0]}" if entry is not None else ""
        page.heading("The quote; the entry is unchanged" + where)
        page.body(proposal.quote, raw=raw)
    elif current is None:
        page.heading("The quote; nothing in the memory says it now")
        page.body(proposal.quote, raw=raw)
    else:
        page.blank()
        beside(page, ("The quote", proposal.quote, "-"), ("The entry now", current, "+"))


def beside(page: Page, left: tuple[str, str, str], right: tuple[str, str, str]) -> None:
    """Two texts that differ, each with its title and the sign of its own lines: side by side or stacked."""
    head, tail = common(left[1], right[1])
    if page.width < BESIDE:
        for title, text, sign in (left, right):
            page.add((title, HEADING))
            page.lines.extend(_side(text, sign, head, tail, page.width))
        return
    room = (page.width - _GAP) // 2
    sides = [
        [display.line(title, room, HEADING), *_side(text, sign, head, tail, room)]
        for title, text, sign in (left, right)
    ]
    for n in range(max(map(len, sides))):
        one, other = (side[n] if n < len(side) else Content("") for side in sides)
        page.lines.append(one.pad_right(room - one.cell_length + _GAP) + other)


def _side(text: str, sign: str, head: int, tail: int, width: int) -> list[Content]:
    """A text between two differing ones; what differs stands out, in its colour and underlined."""
    end = len(text) - tail
    style = "underline $text-error" if sign == "-" else "underline $text-success"
    parts = (text[:head], ""), (text[head:end], style), (text[end:], "")
    shown = display.joined(*((part[:MOST], style) for part, style in parts))
    at = 0
    lines: list[Content] = []
    for raw, paragraph in zip(text.split("\n"), shown.split("\n", allow_blank=True), strict=False):
        differs = at < end and head <= at + len(raw) and head < end
        for n, line in enumerate(paragraph.wrap(max(width - 2, 8)) or [Content("")]):
            lines.append(Content(f"{sign} " if differs and not n else "  ") + line)
        at += len(raw) + 1
    return lines


def _what_comes(page: Page, preview: Preview) -> None:
    """What migrating it would do, and whether it could."""
    page.heading("Checks")
    verdicts(page, preview.checks)
    if preview.skill_text:
        page.heading(f"To be written: {preview.proposal.move.destination}")
        page.body(preview.skill_text, raw=True)
    if preview.exclude_line:
        page.heading("To be excluded from git")
        page.labelled("line", preview.exclude_line)
        page.labelled("in", preview.exclude_file)
    for note in preview.notes:
        page.blank().add((note, "$text-warning"))


def verdicts(page: Page, tests: Sequence[Tested]) -> None:
    """Each test with its verdict."""
    for test in tests:
        sign, style = ("✓", "$text-success") if test.passes else ("✗", "$text-error")
        page.add((f"{sign} ", f"bold {style}"), test.why, indent=2)


def candidate_page(
    candidate: Candidate,
    places: Sequence[Place],
    marks: Mapping[Tier, TierMark],
    raw: bool,
    width: int,
) -> Sequence[Content]:
    """The lines of a candidate: its tests, the move that would be proposed, and every place there is."""
    page = Page(width)
    entry, move = candidate.entry, candidate.move
    mark = marks[Tier.PINNED if entry.pinned else entry.tier]
    page.add(mark.content(), (f"  {entry.tokens:,} tokens  {entry.file}:{entry.lines[0]}", FAINT))
    page.blank()
    page.body(entry.prose, raw=raw)
    page.heading("Tests")
    verdicts(page, candidate.tests)
    page.heading("Would be proposed")
    page.labelled("trigger", candidate.trigger or "none can be read from its words; p asks for one")
    page.labelled("to", move.destination or "no destination is known; p asks for one")
    if move.description:
        page.labelled("description", move.description)
    destinations(page, places)
    return page.lines


def destinations(page: Page, places: Sequence[Place]) -> None:
    """Every place that is there: those that may take an entry, and each refused one with its reason."""
    allowed = [place for place in places if not place.refused]
    refused = [place for place in places if place.refused]
    page.heading("Destinations that are there")
    if not allowed:
        page.add(("None that may take it; a new local skill can be proposed.", FAINT))
    for place in allowed:
        allows(page, place)
        if place.trigger:
            page.add((f"  read when: {place.trigger}", FAINT), indent=4)
    if refused:
        page.heading("Refused")
    for place in refused:
        allows(page, place)


def allows(page: Page, place: Place) -> None:
    """A destination and whether it may take an entry."""
    if place.refused:
        why = place.refused.removeprefix(f"{place.path} ")
        page.add((f"✗ {place.path}", "bold $text-error"), f" {why}", indent=2)
    else:
        what = f"  {kind_words(place)}; {place.privacy}"
        page.add((f"✓ {place.path}", "bold $text-success"), what, indent=2)


def trouble_page(look: Look, row: OffloadRow, width: int) -> Sequence[Content]:
    """What could not be read, as it was said, and what to do."""
    page = Page(width)
    page.add((f"{row.mark.glyph} Could not be read", f"bold {row.mark.style}"))
    page.blank()
    page.body(row.trouble, raw=True)
    page.blank()
    if look.where:
        page.labelled("the queue is", look.where)
    page.add(("Put it right and press r; nothing was changed.", FAINT))
    return page.lines
