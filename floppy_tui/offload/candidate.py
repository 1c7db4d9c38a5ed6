"""The tests that a candidate for offload must pass, and what its own words say of when it is needed."""

from __future__ import annotations

from floppy_tui.tiers.decisions import Move
from floppy_tui.tiers.document import Entry
from floppy_tui.tiers.scope import Place, Stands, Tested

FAT = 50
"""Estimated tokens from which on an entry is worth moving; consolidation minds the smaller ones."""
SHARED_WARNING = (
    "It stands in captain-shared.md: every home that inherits that file loses it. Keeping it is the default."
)


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
    """All seven tests with their verdicts, in their order, whatever the first ones say."""
    raise NotImplementedError


def trigger_of(entry: Entry) -> str:
    """The condition that the entry's own words name, on one line; ``""`` where they name none."""
    raise NotImplementedError


def description_of(trigger: str, entry: Entry) -> str:
    """A skill's description line that states the condition under which it is read."""
    raise NotImplementedError


def skill_name_of(entry: Entry) -> str:
    """A plain name for a new skill, made from the entry's words."""
    raise NotImplementedError
