"""From courses to planned bytes: the acts of each document, what they settle to, and who is evicted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from floppy_tui.text.identity import identity
from floppy_tui.text.lines import Splice, encode, splice
from floppy_tui.tiers.budget import estimate
from floppy_tui.tiers.courses import Charted, Course, SectionCourse, evictable
from floppy_tui.tiers.decisions import Decision, Do, Refusal
from floppy_tui.tiers.document import Document, Entry, Finding
from floppy_tui.tiers.edits import (
    Act,
    Expected,
    base_id,
    expected,
    mark,
    remove,
    remove_section,
    reword,
    set_pointer,
    split_section,
    take_as_one,
    tick,
)
from floppy_tui.tiers.layout import FILES
from floppy_tui.tiers.markers import LETTERS, Tier, parse_marker, spell, without_markers
from floppy_tui.tiers.reading import read_document
from floppy_tui.tiers.settling import Settled, compose, settle
from floppy_tui.tiers.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Carried:
    """What the courses of a pass come to."""

    settled: dict[str, Settled]
    """By file, for the documents that were read."""
    refused: tuple[Refusal, ...]
    evicted: frozenset[str]
    """Ids that leave for the budget."""
    converges: bool
    """Whether evicting the whole eligible pool would reach the allowance."""
    pool: tuple[str, ...]
    """Ids that could be evicted, the next one first."""
    needed: int
    """How many of the pool it takes to reach the allowance."""
    renamed: dict[str, str]
    """Ids of entries whose identity a repair changed, with the new identity."""


def carry(snapshot: Snapshot, charted: Charted) -> Carried:
    """Settle every document; evictions come last, oldest first, and only while they are needed."""
    acts = {doc.file: _acts(snapshot, charted, doc) for doc in snapshot.documents}
    settled = {doc.file: settle(doc, acts[doc.file]) for doc in snapshot.documents}
    sizes = {file: done.document.size for file, done in settled.items()}
    pool = _pool(snapshot, charted)
    over = not snapshot.allowance.allows(_total(sizes)) and bool(snapshot.allowance.digits)
    converges = not over or _converges(snapshot, settled, pool)
    refused = [
        Refusal(act.key, why)
        for file in settled
        for act, why in settled[file].refused
        if isinstance(act.key, Decision)
    ]
    refused += [
        Refusal(decision, why)
        for file in settled
        for act, why in settled[file].refused
        if isinstance(act.key, tuple)
        for decision in act.key
    ]
    chosen: list[Entry] = []
    wanted = {entry.id: decision for decision, entry in charted.evictions}
    for at, entry in enumerate(e for e in pool if e.id in wanted):
        decision = wanted[entry.id]
        if not over:
            refused.append(Refusal(decision, "The plan is within budget without it."))
        elif not converges:
            why = "Evicting all that is eligible would not reach the allowance, so nothing is evicted."
            refused.append(Refusal(decision, why))
        elif pool[at] is not entry:
            refused.append(Refusal(decision, "Older entries go first."))
        else:
            chosen.append(entry)
            mine = [e for e in chosen if e.file == entry.file]
            sizes[entry.file] = _cut_size(snapshot, settled[entry.file], mine)
            over = not snapshot.allowance.allows(_total(sizes))
    for doc in snapshot.documents:
        mine = [e for e in chosen if e.file == doc.file]
        if not mine:
            continue
        more = [remove(doc, [snapshot.places[e.id][1]], wanted[e.id]) for e in mine]
        keep = settled[doc.file].done
        again = settle(doc, [*keep, *more])
        settled[doc.file] = replace(again, refused=(*settled[doc.file].refused, *again.refused))
        refused += [Refusal(a.key, why) for a, why in again.refused if isinstance(a.key, Decision)]
    failed = {r.decision.id for r in refused}
    evicted = frozenset(e.id for e in chosen if e.id not in failed)
    rest = [e for e in pool if e.id not in evicted]
    return Carried(
        settled=settled,
        refused=tuple(refused),
        evicted=evicted,
        converges=converges,
        pool=tuple(e.id for e in rest),
        needed=_needed(snapshot, {f: s.document.size for f, s in settled.items()}, rest) if converges else 0,
        renamed=_renamed(snapshot, settled),
    )


# -- acts


def _acts(snapshot: Snapshot, charted: Charted, document: Document) -> list[Act]:
    acts: list[Act] = []
    if document.file in charted.pointers:
        acts.append(set_pointer(document, charted.pointers[document.file]))
    repaired, ticked = _repairs(snapshot, charted, document, acts)
    for section in charted.sections:
        if section.document is document:
            acts.extend(_section_acts(section))
    leaving: list[int] = []
    ticking: dict[int, int] = {}
    editable = snapshot.file(document.file).editable
    for at, entry in enumerate(document.entries):
        course = charted.courses[entry.id]
        passes = snapshot.ages[entry.id].passes
        ticks = editable and _ticks(snapshot, entry)
        if course.section is not None:
            continue
        if course.leaves is not None:
            leaving.append(at)
        elif course.text is not None:
            marker = course.marker
            if marker is None:
                marker = entry.mark.text if entry.mark else ""
                if ticks:
                    marker = spell(entry.tier, entry.reinforced, passes)
            acts.append(reword(document, at, course.text, marker, course.worded_by))
        elif course.marker is not None:
            if at in repaired:
                acts.append(_mark_repaired(document, at, course, repaired[at]))
            else:
                acts.append(mark(document, at, course.marker, course.marked_by))
        elif ticks and at not in repaired and at not in ticked:
            ticking[at] = passes
    acts.extend(_leaving_acts(charted, document, leaving))
    if ticking:
        acts.append(tick(document, ticking, "tick"))
    return acts


def _ticks(snapshot: Snapshot, entry: Entry) -> bool:
    """Whether the pass under way adds to the counter of ``entry``."""
    dated = entry.reinforced is not None and entry.tier in LETTERS
    return snapshot.horizon.tick and dated and not entry.frozen


def _repairs(
    snapshot: Snapshot, charted: Charted, document: Document, acts: list[Act]
) -> tuple[dict[int, list[Finding]], set[int]]:
    """Add the acts of the repairs; give those whose entry gets a new marker back by position instead.

    Also gives the positions whose counter was advanced with the repair of their marker.
    """
    by_entry: dict[object, list[tuple[Decision, Finding]]] = {}
    for at, (decision, doc, finding) in enumerate(charted.repairs):
        if doc is document:
            by_entry.setdefault(finding.entry if finding.entry is not None else f"line {at}", []).append(
                (decision, finding)
            )
    waiting: dict[int, list[Finding]] = {}
    ticked: set[int] = set()
    for place, pairs in by_entry.items():
        if isinstance(place, int):
            course = charted.courses[document.entries[place].id]
            if course.leaves is not None or course.section is not None:
                continue
            if course.marker:
                waiting[place] = [finding for _, finding in pairs]
                continue
        splices = [finding.repair for _, finding in pairs if finding.repair is not None]
        if isinstance(place, int) and _ticks(snapshot, entry := document.entries[place]):
            ticked.add(place)
            splices = _with_tick(splices, entry, snapshot.ages[entry.id].passes)
        allowed = {place} if isinstance(place, int) else set()
        acts.append(_by_rereading(document, splices, allowed, tuple(d for d, _ in pairs)))
    return waiting, ticked


def _with_tick(splices: Sequence[Splice], entry: Entry, passes: int) -> list[Splice]:
    """The ``splices`` of a repair, with the counter of the marker that governs ``entry`` at ``passes``."""
    mark = entry.mark
    if mark is None:
        return list(splices)
    cuts = [cut for cut in splices if not cut.start <= mark.start < cut.end]
    mended = next((cut for cut in splices if cut.start <= mark.start < cut.end), None)
    if mended is None:
        return [*cuts, Splice(mark.start, mark.end, spell(entry.tier, entry.reinforced, passes))]
    marker = parse_marker(mended.text)
    if marker is None or marker.reinforced is None:
        return list(splices)
    return [*cuts, mended._replace(text=spell(marker.tier, marker.reinforced, passes))]


def _by_rereading(document: Document, cuts: Sequence[Splice], allowed: set[int], key: object) -> Act:
    """An act whose outcome is taken from reading it alone: it may change the entries ``allowed``."""
    after = read_document(splice(document.text, cuts), document.file, document.default)
    old = [expected(e) for e in document.entries]
    new = [expected(e) for e in after.entries]
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    removes = frozenset(range(head, len(old) - tail)) & allowed
    adds = tuple((head, one) for one in new[head : len(new) - tail])
    return Act(key, tuple(cuts), removes=removes, adds=adds)


def _mark_repaired(document: Document, at: int, course: Course, findings: Sequence[Finding]) -> Act:
    """A new marker in the place of an unreadable one, whose words stay as a comment."""
    entry = document.entries[at]
    marker = course.marker or ""
    last = entry.last_mark
    mend = next(
        (
            f.repair
            for f in findings
            if last is not None and f.repair is not None and f.repair.start <= last.start < f.repair.end
        ),
        None,
    )
    plain = mark(document, at, marker, course.marked_by)
    if mend is None or last is None or last.marker is not None:
        return plain
    words = re.sub(r"^<!--[apPg][^>]*-->", "", mend.text).strip()
    cut = Splice(last.start, last.end, f"{marker} {words}".rstrip())
    one = plain.becomes[at]
    named = identity(without_markers(entry.prose.replace(last.text, words)))
    return Act(plain.key, (cut,), becomes={at: Expected(named, one.tier, one.reinforced, one.passes)})


def _renamed(snapshot: Snapshot, settled: dict[str, Settled]) -> dict[str, str]:
    found: dict[str, str] = {}
    for document in snapshot.documents:
        for act in settled[document.file].done:
            pairs = list(act.becomes.items())
            if isinstance(act.key, tuple) and len(act.removes) == 1 == len(act.adds):
                pairs.append((next(iter(act.removes)), act.adds[0][1]))
            for at, one in pairs:
                entry = document.entries[at]
                if one.identity is not None and one.identity != base_id(entry):
                    found[entry.id] = one.identity
    return found


def _section_acts(section: SectionCourse) -> list[Act]:
    decision, document, heading = section.decision, section.document, section.heading
    if decision.do is Do.ARCHIVE_SECTION:
        return [remove_section(document, heading, decision)]
    if decision.do is Do.TAKE_AS_ONE:
        return [take_as_one(document, heading, section.marker, decision)]
    act = split_section(document, heading, decision)
    return [act] if act is not None else [Act(decision, removes=frozenset({-1}), adds=((0, _NEVER),))]


_NEVER = Expected("no entry to take the marker", Tier.UNMARKED, None, 0)


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


# -- eviction


def _total(sizes: dict[str, int]) -> int:
    return sum(estimate(sizes.get(path, 0)) for path in FILES)


def _pool(snapshot: Snapshot, charted: Charted) -> list[Entry]:
    """What may be evicted: oldest reinforced first, ties by size, then in file order."""
    order = {e.id: at for at, e in enumerate(snapshot.entries)}
    parents = {
        (doc.file, e.parent) for doc in snapshot.documents for e in doc.entries if e.parent is not None
    }
    found = [
        (e.reinforced, -e.tokens, order[e.id], e)
        for e in snapshot.entries
        if e.reinforced is not None
        and evictable(charted.courses[e.id])
        and snapshot.editable(e)
        and (e.file, snapshot.places[e.id][1]) not in parents
    ]
    found.sort(key=lambda row: row[:3])
    return [row[3] for row in found]


def _cut_size(snapshot: Snapshot, settled: Settled, entries: Sequence[Entry]) -> int:
    """Bytes of a document with its settled acts done and ``entries`` gone as well."""
    if not entries:
        return settled.document.size
    document = snapshot.places[entries[0].id][0]
    cuts = [remove(document, [snapshot.places[e.id][1]]) for e in entries]
    return len(encode(compose(document, [*settled.done, *cuts], settled.spaced)))


def _converges(snapshot: Snapshot, settled: dict[str, Settled], pool: Sequence[Entry]) -> bool:
    least = {
        file: _cut_size(snapshot, done, [e for e in pool if e.file == file]) for file, done in settled.items()
    }
    return snapshot.allowance.allows(_total(least))


def _needed(snapshot: Snapshot, sizes: dict[str, int], pool: Sequence[Entry]) -> int:
    """How many of ``pool``, in order, have to go until the total is allowed."""
    if not snapshot.allowance.digits or snapshot.allowance.allows(_total(sizes)):
        return 0
    left = dict(sizes)
    for count, entry in enumerate(pool, 1):
        document = snapshot.places[entry.id][0]
        left[entry.file] -= len(encode(document.piece(entry.own)))
        if snapshot.allowance.allows(_total(left)):
            return count
    return len(pool)
