"""The rule for merges: several entries into one statement, with the tier and the clock it then has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from floppy_tui.tiers.courses import Course, Refused, admitted, marker_for
from floppy_tui.tiers.decisions import Decision
from floppy_tui.tiers.markers import Tier, spell
from floppy_tui.tiers.snapshot import Snapshot

_STRONGEST = (Tier.PINNED, Tier.AGING, Tier.PERISHABLE, Tier.GRACE, Tier.UNMARKED)


@dataclass(frozen=True, slots=True)
class Merged:
    """How the merged statement is marked."""

    marker: str
    confirmed: bool
    """Whether it is confirmed today, so that evidence for the surviving entry is evidence for it."""
    graced: bool = False


def merged(
    snapshot: Snapshot, decision: Decision, text: str, courses: Sequence[Course], evidence: bool
) -> Merged:
    """The marker of ``text`` in the place of the entries of ``courses``, the surviving one first.

    With evidence it is confirmed today. Without, it is as old as the oldest of what it says; where nothing
    in it was ever confirmed, unmarked entries get their grace cycle, and one whose grace is over needs
    evidence.
    """
    survivor = courses[0].entry
    standing = [course.standing(snapshot) for course in courses]
    tiers = [tier for tier, _, _ in standing]
    dated = [(day, passes) for _, day, passes in standing if day is not None]
    tier = decision.tier or next(t for t in _STRONGEST if t in tiers)
    if evidence and tier in (Tier.UNMARKED, Tier.GRACE):
        tier = Tier.AGING
    if tier is Tier.PINNED:
        if not evidence and not dated and Tier.PINNED not in tiers:
            raise Refused("None of them was ever confirmed: pinning what they say needs evidence.")
        return Merged(marker_for(survivor, tier, None), True)
    if tier is Tier.GRACE:
        raise Refused("Its grace cycle is over: it is merged with evidence, or archived.")
    if tier is Tier.UNMARKED:
        return Merged(spell(Tier.GRACE), False, graced=True)
    tier = admitted(tier, text, snapshot.records)
    if evidence:
        return Merged(marker_for(survivor, tier, snapshot.today), True)
    if not dated:
        raise Refused("None of them carries a date: giving the merged entry a clock needs evidence.")
    same = len({c.entry.id.partition("-")[0] for c in courses}) == 1
    days: list[date] = [day for day, _ in dated]
    day = max(days) if same else min(days)
    passes = max(passes for d, passes in dated if d == day)
    return Merged(marker_for(survivor, tier, day, passes), day == snapshot.today)
