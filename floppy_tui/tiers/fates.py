"""What becomes of each entry of a snapshot in a plan, and where the audit finds it again."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum

from floppy_tui.text.identity import fold
from floppy_tui.tiers.archive_item import Departure
from floppy_tui.tiers.carrying import Carried
from floppy_tui.tiers.courses import EVICTED, Charted
from floppy_tui.tiers.decisions import Do
from floppy_tui.tiers.document import Entry
from floppy_tui.tiers.edits import base_id
from floppy_tui.tiers.leaving import departure, held_identity, holds, section_departure, superseded_by
from floppy_tui.tiers.markers import GRACE_MARK, without_markers
from floppy_tui.tiers.snapshot import Snapshot


class Outcome(StrEnum):
    """What becomes of an entry of the snapshot."""

    KEPT = "kept"
    MARKED = "marked"
    REWRITTEN = "rewritten"
    MERGED = "merged"
    ARCHIVED = "archived"
    DUPLICATE = "duplicate"
    RELOCATED = "relocated"


@dataclass(frozen=True, slots=True)
class Fate:
    """What becomes of one entry, and where the audit finds it again."""

    entry: str
    outcome: Outcome
    into: str = ""
    """Identity (without suffix) of the statement that holds it afterwards, where it is not its own."""
    departure: int = -1
    """Position in ``Plan.departures`` of the archived item that quotes it, -1 where none does."""
    parts: tuple[str, ...] = ()
    """Identities of the entries that its lines read as afterwards, where a repair or a split changed that."""
    owner: str = ""
    """Path of the destination that holds its quote, where it was relocated."""


@dataclass(frozen=True, slots=True)
class Departed:
    """One archived item of the plan: what it quotes and why it leaves."""

    entries: tuple[str, ...]
    file: str
    departure: Departure
    evicted: bool = False


@dataclass(frozen=True, slots=True)
class Evidenced:
    """An entry refreshed or stamped, with the evidence that the receipt names."""

    entry: str
    file: str
    evidence: str
    first_line: str


def all_fates(
    snapshot: Snapshot, charted: Charted, carried: Carried
) -> tuple[dict[str, Fate], tuple[Departed, ...]]:
    """The fate of every entry, by id, and what the archive is given for them."""
    fates: dict[str, Fate] = {}
    departures: list[Departed] = []
    sections: dict[int, int] = {}
    for entry in snapshot.entries:
        course = charted.courses[entry.id]
        section = course.section
        evicted = entry.id in carried.eviction.ids
        if section is not None and section.decision.do is Do.ARCHIVE_SECTION:
            if id(section) not in sections:
                sections[id(section)] = len(departures)
                ids = tuple(section.document.entries[i].id for i in section.positions)
                departures.append(Departed(ids, entry.file, section_departure(section)))
            fates[entry.id] = Fate(entry.id, Outcome.ARCHIVED, departure=sections[id(section)])
        elif course.leaves is not None and course.merged is not None:
            fates[entry.id] = _reworded(snapshot, entry, course.leaves.text, Outcome.MERGED, departures)
        elif course.leaves is not None and course.relocated is not None:
            fates[entry.id] = Fate(entry.id, Outcome.RELOCATED, owner=course.relocated.destination)
        elif course.leaves is not None or evicted:
            reason = EVICTED if evicted else course.reason
            fates[entry.id] = Fate(entry.id, Outcome.ARCHIVED, departure=len(departures))
            departures.append(
                Departed((entry.id,), entry.file, departure(snapshot, course.now, reason), evicted)
            )
        elif course.worded_by is not None and course.text is not None:
            outcome = Outcome.MERGED if course.worded_by.do is Do.MERGE else Outcome.REWRITTEN
            fates[entry.id] = _reworded(snapshot, entry, course.text, outcome, departures)
        else:
            parts = carried.became.get(entry.id, ())
            marked = section is not None or course.marker is not None or entry.id in carried.became
            fates[entry.id] = Fate(entry.id, Outcome.MARKED if marked else Outcome.KEPT, parts=parts)
    _grown(snapshot, charted, carried, fates)
    return fates, tuple(departures)


def _grown(snapshot: Snapshot, charted: Charted, carried: Carried, fates: dict[str, Fate]) -> None:
    """Name the larger entry that holds one which has no place of its own any more but did not leave."""
    for document in snapshot.documents:
        after = carried.settled[document.file].document.entries
        own = Counter(base_id(e) for e in after)
        staying = [e for e in document.entries if _stays(fates[e.id])]
        own.subtract(part for e in staying for part in fates[e.id].parts)
        for entry in staying:
            if fates[entry.id].parts:
                continue
            section = charted.courses[entry.id].section
            if section is None and own[base_id(entry)] > 0:
                own[base_id(entry)] -= 1
                continue
            larger = next((e for e in after if base_id(e) != base_id(entry) and _within(entry, e)), None)
            if larger is not None:
                fates[entry.id] = replace(fates[entry.id], into=base_id(larger))


def _stays(fate: Fate) -> bool:
    return fate.outcome in (Outcome.KEPT, Outcome.MARKED)


def _within(entry: Entry, larger: Entry) -> bool:
    """Whether every line of ``entry`` is a line of ``larger``, be it after a bullet; markers do not count."""
    held = {fold(line) for line in without_markers(larger.prose).split("\n")}
    lines = [line for line in map(fold, without_markers(entry.prose).split("\n")) if line]
    return all(line in held or any(one.endswith(f" {line}") for one in held) for line in lines)


def _reworded(
    snapshot: Snapshot, entry: Entry, text: str, outcome: Outcome, departures: list[Departed]
) -> Fate:
    """The fate of an entry whose words changed: a statement that the new one does not hold is archived."""
    into = held_identity(text)
    if holds(text, entry.prose):
        same = outcome is Outcome.MERGED and base_id(entry) == into
        return Fate(entry.id, Outcome.DUPLICATE if same else outcome, into)
    at = len(departures)
    departures.append(Departed((entry.id,), entry.file, departure(snapshot, entry, superseded_by(text))))
    return Fate(entry.id, outcome, into, at)


def evidenced(charted: Charted) -> tuple[Evidenced, ...]:
    """What was refreshed or stamped, with its evidence, in file order."""
    return tuple(
        Evidenced(c.entry.id, c.entry.file, c.evidence, c.entry.first_line)
        for c in charted.courses.values()
        if c.evidence and not c.archived
    )


def graced(charted: Charted) -> tuple[str, ...]:
    """Ids of the entries that got their one grace cycle, and sections taken as one as ``file#heading``."""
    found = [c.entry.id for c in charted.courses.values() if c.graced and not c.archived]
    for section in charted.sections:
        if section.marker == GRACE_MARK:
            found.append(f"{section.document.file}#{' / '.join(section.heading.path)}")
    return tuple(found)
