"""The clocks: when a dated entry is stale, by days or, where the home opted in, by unreinforced passes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from floppy_tui.tiers.document import Entry
from floppy_tui.tiers.markers import Tier

DAYS = {Tier.AGING: 30, Tier.PERISHABLE: 7}
"""Whole calendar days after which an entry is stale, boundary inclusive."""
TICKS = {Tier.AGING: 10, Tier.PERISHABLE: 3}
"""Unreinforced passes after which an entry is stale, counting the pass under way."""


@dataclass(frozen=True, slots=True)
class Horizon:
    """Whether the home counts passes (``on``) and whether the pass under way adds one (``tick``)."""

    on: bool = False
    tick: bool = False
    note: str = ""
    """Why a home that counts adds none today, as a sentence."""


@dataclass(frozen=True, slots=True)
class Age:
    """Where an entry stands on its clock."""

    days: int | None
    """Whole days since it was reinforced, 0 for a date in the future; None without a date."""
    left: int | None
    """Days until it is stale, 0 or less once it is; None without a clock."""
    stale: bool
    cause: str
    """``unreinforced <N>d`` or ``unreinforced <N>p``, the archive's reason; ``""`` while it is fresh."""
    passes: int
    """Its counter after the pass under way (0 where passes are not counted)."""


def age(entry: Entry, today: date, horizon: Horizon = Horizon()) -> Age:
    """The age of ``entry``; pinned, grace, unmarked and impossible dates have no clock. Days win as cause."""
    days = None if entry.reinforced is None else max(0, (today - entry.reinforced).days)
    if days is None or entry.tier not in DAYS:
        return Age(days, None, False, "", entry.passes if horizon.on else 0)
    left = DAYS[entry.tier] - days
    passes = entry.passes + horizon.tick if horizon.on else 0
    if left <= 0:
        return Age(days, left, True, f"unreinforced {days}d", passes)
    if horizon.on and passes >= TICKS[entry.tier]:
        return Age(days, left, True, f"unreinforced {passes}p", passes)
    return Age(days, left, False, "", passes)


def tick_allowed(on: bool, last: date | None, today: date, malformed: bool = False) -> Horizon:
    """What a pass today may add: one tick a calendar day, none where the clock was set back."""
    if not on:
        return Horizon()
    if malformed:
        return Horizon(True, False, "state/.stow-horizon-tick holds no date, so no pass is counted.")
    if last is not None and last > today:
        return Horizon(True, False, f"A pass was counted on {last}, after today: the clock was set back.")
    return Horizon(True, last != today, "" if last != today else "Today's pass was counted already.")
