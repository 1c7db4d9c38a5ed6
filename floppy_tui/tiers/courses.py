"""What becomes of each entry in a pass: the courses that decisions set."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from floppy_tui.text.lines import Splice
from floppy_tui.tiers.clocks import age
from floppy_tui.tiers.conditions import checkable
from floppy_tui.tiers.decisions import Decision, Do, Move, Refusal
from floppy_tui.tiers.document import Document, Entry, Finding, Heading
from floppy_tui.tiers.markers import PINNED_MARK, Tier, parse_marker, spell
from floppy_tui.tiers.records import Records
from floppy_tui.tiers.snapshot import Snapshot

SUPERSEDED = "superseded by "
LEGACY = "legacy-unvalidated"
EVICTED = "budget oldest-first"


@dataclass(slots=True)
class Course:
    """What becomes of one entry."""

    entry: Entry
    mended: Entry | None = None
    """How it reads once the repair of its unreadable marker is taken; None where none was decided on."""
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
    held: bool = False
    """Whether the captain keeps it whatever the budget says."""
    retained: Decision | None = None
    """The captain's mark in the retention plan."""
    section: SectionCourse | None = None
    pending: bool = False
    """Whether a proposal to move it is under way: the budget leaves it alone."""
    relocated: Move | None = None
    """Where it goes (``leaves`` is then the decision), the destination's path spelled out."""
    proposed: Move | None = None
    """What this pass proposes for it."""

    @property
    def now(self) -> Entry:
        """The entry as the repairs so far let it be read: what its clock is asked of."""
        return self.mended or self.entry

    @property
    def touched(self) -> bool:
        """Whether any decision changes it."""
        return bool(self.leaves or self.marked_by or self.worded_by or self.section)

    @property
    def archived(self) -> bool:
        """Whether it leaves the memory, alone, by a merge or with its section."""
        return self.leaves is not None or (
            self.section is not None and self.section.decision.do is Do.ARCHIVE_SECTION
        )

    def standing(self, snapshot: Snapshot) -> tuple[Tier, date | None, int]:
        """Its tier, date and counter as the decisions so far leave them, this pass's tick included."""
        entry = self.now
        found = parse_marker(self.marker) if self.marker else None
        if found is not None:
            return found.tier, found.reinforced, found.passes
        if self.marker == "" or entry.pinned:
            return (Tier.PINNED if entry.default is Tier.PINNED or entry.pinned else Tier.UNMARKED), None, 0
        passes = age(entry, snapshot.today, snapshot.horizon).passes if snapshot.horizon.on else entry.passes
        return entry.tier, entry.reinforced, passes


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


@dataclass(frozen=True, slots=True)
class Addition:
    """A new entry."""

    decision: Decision
    file: str
    text: str
    tier: Tier
    """The tier that it gets, which is not always the one asked for."""
    marker: str
    """As spelled; ``""`` for none."""
    evidence: str = ""


@dataclass(slots=True)
class Charted:
    """All courses of a pass."""

    courses: dict[str, Course] = field(default_factory=dict)
    sections: list[SectionCourse] = field(default_factory=list)
    pointers: dict[str, Decision] = field(default_factory=dict)
    repairs: list[tuple[Decision, Document, Finding]] = field(default_factory=list)
    evictions: list[tuple[Decision, Entry]] = field(default_factory=list)
    placed: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Destinations that are given quotes, by path: their text before and after."""
    additions: list[Addition] = field(default_factory=list)
    routes: list[Decision] = field(default_factory=list)
    """Findings for other owners than a memory file."""
    records: list[Decision] = field(default_factory=list)
    """Open records filed, corrected or left."""
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


def reason_of(decision: Decision, missing: str) -> str:
    """The reason of a departure on one line; raises ``Refused`` (``missing``) without one.

    For the budget nothing is archived by name: that is eviction, with its order and its convergence check.
    """
    reason = writable(" ".join(decision.reason.split()))
    if not reason or f"{reason} " == SUPERSEDED:
        raise Refused(missing)
    if re.match(r"budget[:,]? oldest[- ]first", reason, re.IGNORECASE):
        raise Refused("For the budget an entry is evicted, oldest first, not archived by name.")
    return reason


def as_mended(entry: Entry, repair: Splice) -> Entry | None:
    """How ``entry`` reads once ``repair`` mends the marker that froze it; None where it stays what it was.

    What read as pinned is no entry of a clock in this pass yet, and grace begins with the pass that wrote it.
    """
    last = entry.last_mark
    if not entry.frozen or entry.pinned or last is None or not repair.start <= last.start < repair.end:
        return None
    first = re.match(r"<!--.*?-->", repair.text, re.DOTALL)
    marker = parse_marker(first[0]) if first else None
    if marker is not None and marker.tier is Tier.GRACE:
        return None
    if marker is not None:
        return replace(
            entry,
            tier=marker.tier,
            reinforced=marker.reinforced,
            passes=marker.passes,
            explicit=True,
            frozen=False,
        )
    if entry.mark is not None and entry.mark != last:
        return replace(entry, frozen=False)
    return replace(entry, tier=Tier.UNMARKED, reinforced=None, passes=0, explicit=False, frozen=False)


def writable(text: str) -> str:
    """``text``; raises ``Refused`` where a character in it stands for no byte."""
    if any("\ud800" <= c < "\udc80" or "\udcff" < c <= "\udfff" for c in text):
        raise Refused("It holds a character that cannot be written.")
    return text


def evictable(course: Course) -> bool:
    """Whether the budget may evict this entry: aging, dated, readable, left alone, not kept or pending."""
    entry = course.entry
    dated = entry.tier is Tier.AGING and entry.reinforced is not None and not entry.frozen
    return dated and not course.touched and not course.held and not course.pending


def newest(entries: Sequence[Entry]) -> Entry | None:
    """The most recently reinforced of ``entries``, the first of several; None where none was ever."""
    dated = [e for e in entries if e.reinforced is not None]
    return max(dated, key=lambda e: (str(e.reinforced), -e.start), default=None)


def marker_for(entry: Entry, tier: Tier, reinforced: date | None, passes: int = 0) -> str:
    """The marker that gives ``entry`` this tier: none for pinned where the file pins by default."""
    if tier is Tier.PINNED:
        return "" if entry.default is Tier.PINNED else PINNED_MARK
    return spell(tier, reinforced, passes)


def admitted(tier: Tier, prose: str, records: Records) -> Tier:
    """``tier``, or aging where a new perishable entry names no checkable condition."""
    if tier is Tier.PERISHABLE and not checkable(prose, records):
        return Tier.AGING
    return tier
