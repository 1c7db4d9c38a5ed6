"""What becomes of each entry in a pass: the courses that decisions set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from floppy_tui.tiers.conditions import find_condition
from floppy_tui.tiers.decisions import Decision, Do, Refusal
from floppy_tui.tiers.document import Document, Entry, Finding, Heading
from floppy_tui.tiers.markers import PINNED_MARK, Tier, spell

SUPERSEDED = "superseded by "
LEGACY = "legacy-unvalidated"
EVICTED = "budget oldest-first"


@dataclass(slots=True)
class Course:
    """What becomes of one entry."""

    entry: Entry
    leaves: Decision | None = None
    reason: str = ""
    merged: Decision | None = None
    """The merge that takes its statement over (``leaves`` is then the same decision)."""
    marker: str | None = None
    """Its new marker as spelled, ``""`` for none, None where its marker stays."""
    marked_by: Decision | None = None
    text: str | None = None
    worded_by: Decision | None = None
    evidence: str = ""
    graced: bool = False
    kept: Decision | None = None
    retained: Decision | None = None
    """The captain's mark in the retention plan."""
    section: SectionCourse | None = None
    condition: Decision | None = None

    @property
    def touched(self) -> bool:
        """Whether any decision changes it."""
        return bool(self.leaves or self.marked_by or self.worded_by or self.section)


@dataclass(slots=True)
class SectionCourse:
    """What becomes of a section as a whole."""

    decision: Decision
    document: Document
    heading: Heading
    positions: list[int]
    marker: str = ""
    """For *take as one*: the marker on its heading."""
    reason: str = ""


@dataclass(slots=True)
class Charted:
    """All courses of a pass."""

    courses: dict[str, Course] = field(default_factory=dict)
    sections: list[SectionCourse] = field(default_factory=list)
    pointers: dict[str, Decision] = field(default_factory=dict)
    repairs: list[tuple[Decision, Document, Finding]] = field(default_factory=list)
    merges: list[tuple[Decision, list[Entry]]] = field(default_factory=list)
    """Merges with their entries, the surviving one first."""
    evictions: list[tuple[Decision, Entry]] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)


class Refused(Exception):
    """A rule forbids a decision; the message says which, as a sentence."""


def latest(decisions: Sequence[Decision]) -> list[Decision]:
    """``decisions`` without those that a later one on the same card, entries and kind of act replaced."""
    kept: dict[object, Decision] = {}
    for at, decision in enumerate(decisions):
        key: object = at
        if decision.card:
            key = (decision.card, decision.targets if decision.do is Do.REPAIR else ())
            kept.pop(key, None)
        kept[key] = decision
    return list(kept.values())


def evictable(course: Course) -> bool:
    """Whether the budget may evict this entry: aging, dated, readable, and left alone by this pass."""
    entry = course.entry
    dated = entry.tier is Tier.AGING and entry.reinforced is not None and not entry.frozen
    return dated and not course.touched


def marker_for(entry: Entry, tier: Tier, reinforced: date | None, passes: int = 0) -> str:
    """The marker that gives ``entry`` this tier: none for pinned where the file pins by default."""
    if tier is Tier.PINNED:
        return "" if entry.default is Tier.PINNED else PINNED_MARK
    return spell(tier, reinforced, passes)


def admitted(tier: Tier, prose: str, today: date) -> Tier:
    """``tier``, or aging where a new perishable entry names no checkable condition."""
    if tier is Tier.PERISHABLE and find_condition(prose, today) is None:
        return Tier.AGING
    return tier
