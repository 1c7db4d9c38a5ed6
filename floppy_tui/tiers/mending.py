"""Repairs of findings as acts: what an entry reads as once its markers are mended, re-marked and counted."""

from __future__ import annotations

import re
from collections.abc import Sequence

from floppy_tui.text.lines import Splice, splice
from floppy_tui.tiers.courses import Charted, Course
from floppy_tui.tiers.decisions import Decision
from floppy_tui.tiers.document import Document, Entry, Finding
from floppy_tui.tiers.edits import Act, Expected, expected, mark, unmark
from floppy_tui.tiers.markers import Tier, parse_marker, spell, without_markers
from floppy_tui.tiers.reading import read_document

Repair = tuple[Decision, Finding]


def repairs_of(charted: Charted, document: Document) -> dict[int, list[Repair]]:
    """The repairs of a document by the position of their entry; those of none under numbers below zero."""
    found: dict[int, list[Repair]] = {}
    for at, (decision, doc, finding) in enumerate(charted.repairs):
        if doc is document and finding.repair is not None:
            place = finding.entry if finding.entry is not None else -1 - at
            found.setdefault(place, []).append((decision, finding))
    return found


def mended(
    document: Document, at: int, course: Course | None, repairs: Sequence[Repair], counted: Act | None
) -> Act:
    """Repairs of one entry, with its new marker or (``counted``) its pass counter in the same reading.

    Where two edits want the same bytes, a new marker wins, then what takes a marker out, which makes other
    repairs of it moot. A mended date carries the counter on.
    """
    key: tuple[Decision, ...] = tuple(decision for decision, _ in repairs)
    first: Sequence[Splice] = ()
    if course is not None and course.marker is not None and course.marked_by is not None:
        key = (course.marked_by, *key)
        first = _marking(document, at, course, repairs)
    cuts = list(first)
    mends = [finding.repair for _, finding in repairs if finding.repair is not None]
    if counted is not None:
        mends = [_counted(document.entries[at], cut, counted.becomes[at].passes) for cut in mends]
    for cut in (*sorted(mends, key=lambda m: len(m.text)), *(counted.splices if counted else ())):
        if not _meets(cut, cuts):
            cuts.append(cut)
    act = _by_rereading(document, cuts, {at} if at >= 0 else set(), key)
    vanishes = at in act.removes and not act.adds
    if vanishes and without_markers(document.entries[at].prose).strip():
        return impossible(key)
    return act


def _counted(entry: Entry, cut: Splice, passes: int) -> Splice:
    """A repair, with the counter at ``passes`` where it mends the date that governs ``entry``."""
    mark, marker = entry.mark, parse_marker(cut.text)
    if mark is None or marker is None or marker.reinforced is None or not cut.start <= mark.start < cut.end:
        return cut
    return cut._replace(text=spell(marker.tier, marker.reinforced, passes))


def impossible(key: object) -> Act:
    """An act that no reading fits, so that settling refuses it by name."""
    never = Expected("no such entry", Tier.UNMARKED, None, 0)
    return Act(key, removes=frozenset({-1}), adds=((0, never),))


def _marking(document: Document, at: int, course: Course, repairs: Sequence[Repair]) -> Sequence[Splice]:
    """The edits of a new marker; in the place of an unreadable one, whose words stay as a comment."""
    last = document.entries[at].last_mark
    marker = course.marker or ""
    if marker and last is not None and last.marker is None:
        for _, finding in repairs:
            mend = finding.repair
            if mend is not None and mend.start <= last.start < mend.end:
                words = re.sub(r"^<!--[apPg][^>]*-->", "", mend.text).strip()
                old = document.entries[at].mark
                cut = Splice(last.start, last.end, f"{marker} {words}".rstrip())
                return (cut,) if old is None else (unmark(document, old.start, old.end), cut)
    return mark(document, at, marker).splices


def _meets(cut: Splice, others: Sequence[Splice]) -> bool:
    return any((cut.start < o.end and o.start < cut.end) or cut[:2] == o[:2] for o in others)


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
