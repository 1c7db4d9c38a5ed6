"""The tests that a candidate for offload must pass. Source: the stow scheme's list of them, in its order."""

from __future__ import annotations

import re

from floppy_tui.offload.trigger import description_of, skill_name_of, trigger_of
from floppy_tui.tiers.decisions import Move
from floppy_tui.tiers.document import Entry
from floppy_tui.tiers.layout import SHARED
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.scope import Place, PlaceKind, Stands, Tested

__all__ = ["FAT", "SHARED_WARNING", "TESTS", "description_of", "skill_name_of", "tests", "trigger_of"]

FAT = 50
"""Estimated tokens from which on an entry is worth moving; consolidation minds the smaller ones."""
TESTS = ("editable", "durable", "authority", "conditional", "fat", "destination", "unheld")
SHARED_WARNING = (
    "It stands in captain-shared.md: every home that inherits that file loses it, and a local skill is in "
    "this home alone. Keeping it is the default."
)
_ALWAYS = re.compile(
    r"(?:always|everywhere|generally|in general|(?:in |for |at )?(?:every|any|all|each) "
    r"(?:sessions?|times?|tasks?|works?|of (?:the )?sessions)|at all times|whenever|when|if)[.! ]*",
    re.IGNORECASE,
)
_BROAD = re.compile(
    r"\b(?:never|always|must(?: not)?|do not|don.t|without asking|authority|secrets?|credentials?|destructive"
    r"|force.push|safety)\b",
    re.IGNORECASE,
)
_OF_PROJECTS = (PlaceKind.PROJECT, PlaceKind.PROJECT_SKILL)


def tests(
    entry: Entry,
    stands: Stands,
    move: Move,
    place: Place,
    *,
    autonomous: bool,
    pending: bool,
    held_by: str = "",
) -> tuple[Tested, ...]:
    """All seven tests with their verdicts, in their order, whatever the first ones say.

    ``autonomous`` asks for the pass's own act, else for a proposal; ``pending`` says that a proposal is under
    way; ``held_by`` is the path of an owner that holds the very quote.
    """
    verdicts = (
        _editable(entry, stands),
        _durable(stands),
        _authority(entry, stands, autonomous=autonomous, pending=pending),
        _conditional(entry, move.trigger),
        _fat(entry),
        _destination(move, place, stands, autonomous=autonomous),
        _unheld(place, held_by),
    )
    return tuple(Tested(name, passes, why) for name, (passes, why) in zip(TESTS, verdicts, strict=True))


def _editable(entry: Entry, stands: Stands) -> tuple[bool, str]:
    if not stands.editable:
        return False, f"Not editable: {entry.file} is not this home's to change, so its owner has to move it."
    if not stands.alone:
        return False, "Not editable as one: other entries stand inside it, so it cannot leave alone."
    return True, f"Editable: {entry.file} is this home's own."


def _durable(stands: Stands) -> tuple[bool, str]:
    if stands.tier is Tier.PERISHABLE:
        return False, "Not durable: it is perishable, and what will not last is not moved anywhere."
    if stands.stale:
        return False, "Not durable: it is stale, and a stale entry is confirmed or archived, never moved."
    if stands.tier is Tier.GRACE:
        return False, "Not durable: it is in its grace, and nothing has confirmed it yet."
    if stands.tier is Tier.UNMARKED:
        return False, "Not durable: nothing has confirmed it yet; it carries no marker."
    if stands.tier is Tier.AGING and not stands.dated:
        return False, "Not durable: it carries no date, so nothing says that it is current."
    return True, f"Durable: it is {'pinned' if stands.tier is Tier.PINNED else 'current and made to last'}."


def _authority(entry: Entry, stands: Stands, *, autonomous: bool, pending: bool) -> tuple[bool, str]:
    if stands.frozen:
        return False, "No authority: its marker cannot be read. Repair that first."
    dated = stands.tier is Tier.AGING and stands.dated
    if not autonomous:
        if stands.tier is Tier.PINNED:
            return True, "Authority: pinned, so it moves only after you approve this one by name."
        if dated:
            return True, "Authority: aging and dated, so it may be proposed."
        return False, "No authority: only a pinned or a dated aging entry can be proposed."
    if stands.tier is Tier.PINNED:
        return False, "No authority: a pinned entry moves only by a proposal that you approve by name."
    if pending:
        return (
            False,
            "No authority: a proposal to move it is under way, which decides what becomes of it.",
        )
    if entry.file == SHARED:
        return False, f"No authority: {SHARED_WARNING} It can be proposed."
    if dated:
        return True, "Authority: aging and dated, so the pass may move it."
    return False, "No authority: the pass moves only a dated aging entry."


def _conditional(entry: Entry, trigger: str) -> tuple[bool, str]:
    words = trigger.strip()
    if not words:
        return False, "Not conditional: no trigger is named. Say in one line when it is needed."
    if "\n" in words:
        return False, "Not conditional: a trigger is one line."
    if _ALWAYS.fullmatch(words):
        return (
            False,
            f"Not conditional: “{words}” is no one context, so every session has to read it.",
        )
    said = f"Conditional: {words.rstrip('.')}."
    if broad := _BROAD.search(entry.prose):
        said += (
            f" Its “{broad[0]}” reads like a rule for every session: a session that never meets the trigger"
        )
        said += " must run no risk without it."
    return True, said


def _fat(entry: Entry) -> tuple[bool, str]:
    if entry.tokens < FAT:
        return False, f"Not fat: {entry.tokens} estimated tokens, below {FAT} it is not worth moving."
    return True, f"Fat: {entry.tokens} estimated tokens, from {FAT} on it is worth moving."


def _destination(move: Move, place: Place, stands: Stands, *, autonomous: bool) -> tuple[bool, str]:
    if place.refused or place.kind is None:
        return False, f"No destination: {place.refused or 'nothing can go there.'}"
    if autonomous:
        if place.kind in _OF_PROJECTS:
            return (
                False,
                f"No live destination: a ship task brings it to {place.path}. Propose it instead.",
            )
        if not place.live:
            return False, f"No live destination: {place.name} is still to be made. Propose it instead."
    if place.kind is PlaceKind.NEW_SKILL and stands.tier is not Tier.PINNED:
        return False, (
            "No destination: a new skill is made for a pinned entry alone. Name a local note or skill that "
            "is there, or a project."
        )
    if not place.private and not move.public:
        return False, (
            f"No destination for private words: {place.privacy} If everyone there may read it, "
            "begin its privacy verdict with “public”."
        )
    return True, f"Destination: {place.path}. {place.privacy}"


def _unheld(place: Place, held_by: str) -> tuple[bool, str]:
    if not held_by:
        return True, "Not held elsewhere: no other owner has these words."
    if held_by == place.path:
        return True, f"Held by {held_by} itself already, word for word: only its removal here is left."
    return False, f"Held already: {held_by} has it word for word. Archive it here as superseded by that."
