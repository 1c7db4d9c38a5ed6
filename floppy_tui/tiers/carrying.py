"""From courses to planned bytes: the acts of each document, and what they settle to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from floppy_tui.tiers.budget import estimate
from floppy_tui.tiers.courses import Charted, SectionCourse
from floppy_tui.tiers.decisions import Decision, Do, Refusal
from floppy_tui.tiers.document import Document
from floppy_tui.tiers.edits import (
    Act,
    mark,
    remove,
    remove_section,
    reword,
    set_pointer,
    split_section,
    take_as_one,
    tick,
)
from floppy_tui.tiers.evicting import Evicted, evict
from floppy_tui.tiers.filing import home_of, placed
from floppy_tui.tiers.markers import Tier, spell
from floppy_tui.tiers.mending import impossible, mended, repairs_of
from floppy_tui.tiers.relocating import needless
from floppy_tui.tiers.settling import Settled, settle
from floppy_tui.tiers.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Carried:
    """What the courses of a pass come to."""

    settled: dict[str, Settled]
    """By file, for the documents that were read."""
    impossible: tuple[Refusal, ...]
    """Decisions whose edit would change what another entry says: the pass is charted again without them."""
    eviction: Evicted
    """Who leaves for the budget, and who could."""
    became: dict[str, tuple[str, ...]]
    """Ids of entries that a repair or a split reads anew, with the identities that hold them now."""


def carry(snapshot: Snapshot, charted: Charted, stuck: frozenset[str] = frozenset()) -> Carried:
    """Settle every document; evictions come last, and never those ``stuck`` where they stand."""
    settled = {}
    impossible: list[Refusal] = []
    for document in snapshot.documents:
        acts, moot = _acts(snapshot, charted, document)
        done = settled[document.file] = settle(document, acts)
        impossible += moot
        impossible += [Refusal(d, why) for act, why in done.refused for d in decisions_of(act)]
    impossible += _add(snapshot, charted, settled)
    impossible += needless(snapshot, charted, {file: done.document.size for file, done in settled.items()})
    eviction = Evicted()
    if not impossible:
        eviction = evict(snapshot, charted, settled, stuck)
        settled.update(eviction.settled)
        impossible += eviction.impossible
    if not impossible:
        impossible += _no_room(snapshot, charted, settled)
    return Carried(settled, tuple(impossible), eviction, _became(snapshot, settled))


def _add(snapshot: Snapshot, charted: Charted, settled: dict[str, Settled]) -> list[Refusal]:
    """Put the new entries in, into a new file where there was none; those without a place are refused."""
    refused: list[Refusal] = []
    for path in dict.fromkeys(one.file for one in charted.additions):
        document = snapshot.document(path) or home_of(snapshot, path)
        mine = [one for one in charted.additions if one.file == path]
        done = settled.get(path) or settle(document, ())
        settled[path], left = placed(document, done, mine)
        why = f"There is no place in {path} where it would be read as one entry."
        refused += [Refusal(one.decision, why) for one in left]
    return refused


def _no_room(snapshot: Snapshot, charted: Charted, settled: dict[str, Settled]) -> list[Refusal]:
    """The last of the new entries, where the plan would end over budget with it."""
    allowance = snapshot.allowance
    total = sum(estimate(done.document.size) for done in settled.values())
    if not charted.additions or not allowance.digits or allowance.allows(total):
        return []
    over = f"{total - allowance.tokens} estimated tokens over budget" if allowance.tokens else "over budget"
    why = f"The plan would end {over} with it: make room first, or let it supersede a statement."
    return [Refusal(charted.additions[-1].decision, why)]


def decisions_of(act: Act) -> tuple[Decision, ...]:
    """The decisions that an act carries out: none, one or several."""
    if isinstance(act.key, Decision):
        return (act.key,)
    return tuple(d for d in act.key if isinstance(d, Decision)) if isinstance(act.key, tuple) else ()


def _acts(snapshot: Snapshot, charted: Charted, document: Document) -> tuple[list[Act], list[Refusal]]:
    acts: list[Act] = []
    moot: list[Refusal] = []
    if document.file in charted.pointers:
        acts.append(set_pointer(document, charted.pointers[document.file]))
    repairs = repairs_of(charted, document)
    for section in charted.sections:
        if section.document is document:
            acts.append(_section_act(snapshot, section))
    leaving: list[int] = []
    ticking: dict[int, int] = {}
    editable = snapshot.file(document.file).editable
    for at, entry in enumerate(document.entries):
        course = charted.courses[entry.id]
        found = repairs.pop(at, [])
        passes = snapshot.ages[entry.id].passes
        dated = entry.tier in (Tier.AGING, Tier.PERISHABLE) and entry.reinforced is not None
        counts = snapshot.horizon.tick and editable and not entry.frozen
        ticks = counts and dated and course.marked_by is None
        if course.archived:
            if course.leaves is not None:
                leaving.append(at)
        elif course.section is not None:
            why = "Its whole section was decided on: repair it in another pass."
            moot += [Refusal(decision, why) for decision, _ in found]
        elif course.text is not None:
            marker = course.marker
            if marker is None:
                marker = entry.mark.text if entry.mark else ""
                if ticks:
                    marker = spell(entry.tier, entry.reinforced, passes)
            by = tuple(d for d in (course.worded_by, course.marked_by) if d is not None)
            acts.append(reword(document, at, course.text, marker, (*by, *(d for d, _ in found))))
        elif found:
            counted = tick(document, {at: passes}) if ticks else None
            acts.append(mended(document, at, course, found, counted))
        elif course.marker is not None:
            acts.append(mark(document, at, course.marker, course.marked_by))
        elif ticks:
            ticking[at] = passes
    for place, found in repairs.items():
        acts.append(mended(document, place, None, found, None))
    acts.extend(_leaving_acts(charted, document, leaving))
    if ticking:
        acts.append(tick(document, ticking, "tick"))
    return acts, moot


def _section_act(snapshot: Snapshot, section: SectionCourse) -> Act:
    decision, document, heading = section.decision, section.document, section.heading
    if decision.do is Do.ARCHIVE_SECTION:
        return remove_section(document, heading, decision)
    if decision.do is Do.TAKE_AS_ONE:
        return take_as_one(document, heading, section.marker, decision)
    act = split_section(document, heading, decision)
    if act is None:
        return impossible(decision)
    return _counted_split(section, act) if snapshot.horizon.tick else act


def _counted_split(section: SectionCourse, act: Act) -> Act:
    """A split with this pass's tick on the marker that it hands down, and on those inside."""
    document, mark = section.document, section.heading.mark
    kept = {at: one for at, one in act.becomes.items() if not document.entries[at].frozen}
    inner = tick(document, {at: one.passes + 1 for at, one in kept.items() if one.reinforced})
    splices, adds = act.splices, act.adds
    if mark is not None and mark.marker is not None and mark.marker.reinforced is not None:
        marker = mark.marker
        counted = spell(marker.tier, marker.reinforced, marker.passes + 1)
        splices = tuple(cut._replace(text=cut.text.replace(mark.text, counted)) for cut in splices)
        adds = tuple((before, replace(one, passes=one.passes + 1)) for before, one in adds)
    return replace(
        act, splices=(*splices, *inner.splices), adds=adds, becomes={**act.becomes, **inner.becomes}
    )


def _leaving_acts(charted: Charted, document: Document, leaving: Sequence[int]) -> list[Act]:
    """One act for each entry that leaves; those inside one another leave together."""
    groups: dict[int, list[int]] = {}
    for at in leaving:
        top = at
        parent = document.entries[at].parent
        while parent is not None:
            if parent in leaving:
                top = parent
            parent = document.entries[parent].parent
        groups.setdefault(top, []).append(at)
    acts = []
    for members in groups.values():
        decisions = tuple(
            d for at in members if (d := charted.courses[document.entries[at].id].leaves) is not None
        )
        acts.append(remove(document, members, decisions))
    return acts


def _became(snapshot: Snapshot, settled: dict[str, Settled]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for document in snapshot.documents:
        for act in settled[document.file].done:
            named = tuple(one.identity for _, one in act.adds)
            if len(act.removes) == 1 and not act.cut and all(n is not None for n in named):
                entry = document.entries[next(iter(act.removes))]
                found[entry.id] = tuple(n for n in named if n is not None)
    return found
