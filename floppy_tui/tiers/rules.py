"""The rules of a pass: which decisions hold, and what they make of each entry.

The rules live here and nowhere else; the screen only shows what they say. Source: the stow scheme.
"""

from __future__ import annotations

from collections.abc import Sequence

from floppy_tui.text.lines import readable
from floppy_tui.tiers.charting import course_of, leave, quoted, staying
from floppy_tui.tiers.clocks import age
from floppy_tui.tiers.conditions import checkable, find_condition
from floppy_tui.tiers.courses import (
    LEGACY,
    SUPERSEDED,
    Charted,
    Course,
    Refused,
    admitted,
    as_mended,
    evictable,
    latest,
    marker_for,
    reason_of,
    writable,
)
from floppy_tui.tiers.decisions import Decision, Do, Refusal, Verdict, evidence_problem
from floppy_tui.tiers.document import Document, Entry
from floppy_tui.tiers.filing import add, record, route
from floppy_tui.tiers.findings import all_findings
from floppy_tui.tiers.markers import Tier, spell
from floppy_tui.tiers.merging import merged
from floppy_tui.tiers.relocating import mark_pending, offload, propose, settle_proposals
from floppy_tui.tiers.section_rules import decide_section
from floppy_tui.tiers.snapshot import Snapshot


def chart(snapshot: Snapshot, decisions: Sequence[Decision]) -> Charted:
    """The courses that ``decisions`` set, in order; a later one on the same card replaces the earlier."""
    charted = Charted({e.id: Course(e) for e in snapshot.entries})
    mark_pending(snapshot, charted)
    # A repair says how its entry reads, whenever it was taken; all else follows from that.
    for decision in sorted(latest(decisions), key=lambda d: d.do is not Do.REPAIR):
        try:
            if decision.snapshot and decision.snapshot != snapshot.hash:
                raise Refused("It was made on an earlier reading of the memory.")
            _RULES[decision.do](snapshot, charted, decision)
        except Refused as refusal:
            charted.refused.append(Refusal(decision, str(refusal)))
    _living_inside(snapshot, charted)
    settle_proposals(charted, decisions)
    return charted


def _evidence(decision: Decision, entry: Entry) -> str:
    if problem := evidence_problem(decision.evidence, entry.prose):
        raise Refused(problem)
    return " ".join(decision.evidence.split())


def _remark(course: Course, decision: Decision, marker: str) -> None:
    unchanged = course.entry.mark.text if course.entry.mark else ""
    course.marker = None if marker == unchanged and course.worded_by is None else marker
    course.marked_by = decision


def _reinforce(snapshot: Snapshot, charted: Charted, decision: Decision) -> None:
    course = course_of(snapshot, charted, decision)
    staying(course)
    entry = course.entry
    evidence = _evidence(decision, entry)
    before, _, _ = course.standing(snapshot)
    tier = decision.tier or before
    if tier in (Tier.UNMARKED, Tier.GRACE):
        tier = Tier.AGING
    if tier is not before:
        tier = admitted(tier, course.text or entry.prose, snapshot.records)
    _refresh(snapshot, course, decision, tier)
    course.evidence = evidence


def _refresh(snapshot: Snapshot, course: Course, decision: Decision, tier: Tier) -> None:
    """Stamp an entry with today's date, its counter cleared; a pinned one has neither."""
    if course.entry.pinned and tier is Tier.PINNED and course.marker is None:
        course.marked_by = decision
    else:
        _remark(course, decision, marker_for(course.entry, tier, snapshot.today))
    course.graced = False


def _retier(snapshot: Snapshot, charted: Charted, decision: Decision) -> None:
    course = course_of(snapshot, charted, decision)
    staying(course)
    entry = course.entry
    tier = decision.tier
    if tier not in (Tier.PINNED, Tier.AGING, Tier.PERISHABLE):
        raise Refused("A retier names one of pinned, aging or perishable.")
    if decision.evidence.strip():
        _reinforce(snapshot, charted, decision)
        return
    before, day, passes = course.standing(snapshot)
    fresh = tier is Tier.PERISHABLE and before is not Tier.PERISHABLE
    if fresh and not checkable(course.text or entry.prose, snapshot.records):
        raise Refused("A perishable entry must name a condition that can be checked.")
    if course.evidence:
        _refresh(snapshot, course, decision, tier)
        return
    if tier is Tier.PINNED and before in (Tier.UNMARKED, Tier.GRACE):
        raise Refused("It was never confirmed: pinning it needs evidence.")
    if tier is not Tier.PINNED and day is None:
        raise Refused("It carries no date yet: giving it a clock needs evidence.")
    _remark(course, decision, marker_for(entry, tier, day, passes))


def _grace(snapshot: Snapshot, charted: Charted, decision: Decision) -> None:
    course = course_of(snapshot, charted, decision)
    staying(course)
    entry = course.now
    if entry.tier is not Tier.UNMARKED:
        raise Refused("Only an unmarked entry of a file with a clock gets a grace cycle.")
    if entry.frozen:
        raise Refused("Its marker cannot be read: repair that first.")
    if course.marked_by is not None:
        raise Refused("It has a marker by an earlier decision of this pass.")
    _remark(course, decision, spell(Tier.GRACE))
    course.graced = True


def _archive(snapshot: Snapshot, charted: Charted, decision: Decision) -> None:
    course = course_of(snapshot, charted, decision)
    staying(course)
    entry = course.now
    reason = reason_of(decision, "An archived entry carries the reason why it left.")
    superseded = reason.startswith(SUPERSEDED)
    _not_each_other(charted, entry, reason)
    if course.graced:
        raise Refused("It was given grace in this pass and stays for all of it.")
    if entry.pinned and not superseded:
        raise Refused(
            "A pinned entry leaves only as superseded by a named statement, or by an approved offload."
        )
    if entry.frozen and not superseded:
        raise Refused("Its marker cannot be read: repair that first.")
    if entry.tier is Tier.UNMARKED and not superseded:
        raise Refused("An unmarked entry gets its grace cycle first: a missing marker is no guilt.")
    if reason.casefold().startswith("unreinforced"):
        stands = age(entry, snapshot.today, snapshot.horizon)
        if not stands.stale:
            raise Refused("It is not stale.")
        if course.evidence:
            raise Refused("It has evidence in this pass.")
        reason = stands.cause
    if reason == LEGACY and entry.tier is not Tier.GRACE:
        raise Refused("Only an entry whose grace cycle is over leaves as never validated.")
    leave(course, decision, reason)


def _not_each_other(charted: Charted, entry: Entry, reason: str) -> None:
    """Raise ``Refused`` where the statement that supersedes an entry is itself, or leaves for it."""
    other = charted.courses.get(reason.removeprefix(SUPERSEDED))
    if other is None:
        return
    if other.entry is entry:
        raise Refused("It cannot be superseded by itself.")
    if other.leaves is not None and other.reason == f"{SUPERSEDED}{entry.id}":
        raise Refused(f"{quoted(other.entry)} leaves as superseded by this one.")


def _evict(snapshot: Snapshot, charted: Charted, decision: Decision) -> None:
    course = course_of(snapshot, charted, decision)
    staying(course)
    if not evictable(course):
        raise Refused("Only a dated aging entry that this pass did not touch can be evicted.")
    charted.evictions.append((decision, course.entry))


def _rewrite(snapshot: Snapshot, charted: Charted, decision: Decision) -> None:
    course = course_of(snapshot, charted, decision)
    staying(course)
    _wordable(snapshot, course.entry)
    if course.worded_by is not None and course.worded_by.do is Do.MERGE:
        raise Refused("It says already what was merged into it.")
    text = _words(decision, course.entry)
    perishable = course.standing(snapshot)[0] is Tier.PERISHABLE
    if perishable and find_condition(text, snapshot.today, snapshot.records) is None:
        raise Refused("The new words name no condition that can be checked, as a perishable entry must.")
    if decision.evidence.strip():
        _reinforce(snapshot, charted, decision)
    course.text, course.worded_by = text, decision


def _wordable(snapshot: Snapshot, entry: Entry) -> None:
    document, at = snapshot.places[entry.id]
    if len(entry.own) != 1 or at in document.parents:
        raise Refused("It holds other entries: change those, or its section.")
    if entry.frozen:
        raise Refused("Its marker cannot be read: repair that first.")


def _words(decision: Decision, *entries: Entry) -> str:
    text = decision.text.replace("\r\n", "\n").strip()
    if "\ufffd" in text and any(readable(e.prose) != e.prose for e in entries):
        raise Refused("It holds bytes that are no UTF-8 text: change it in an editor, where they stay.")
    if not text:
        raise Refused("The new statement is missing.")
    return writable(text)


def _merge(snapshot: Snapshot, charted: Charted, decision: Decision) -> None:
    named = {t.id: at for at, t in reversed(list(enumerate(decision.targets)))}
    courses = [course_of(snapshot, charted, decision, at) for at in sorted(named.values())]
    if len(courses) < 2:
        raise Refused("A merge needs two entries or more.")
    for course in courses:
        staying(course)
        _wordable(snapshot, course.entry)
        if course.graced:
            raise Refused(f"{quoted(course.entry)} was given grace in this pass and stays for all of it.")
        if course.worded_by:
            raise Refused(f"{quoted(course.entry)} has another decision already.")
    text = _words(decision, *(c.entry for c in courses))
    order = {e.id: at for at, e in enumerate(snapshot.entries)}
    courses.sort(key=lambda c: (not c.entry.pinned, order[c.entry.id]))
    survivor, rest = courses[0], courses[1:]
    if any(c.entry.pinned for c in rest):
        raise Refused("Two pinned entries are not merged: archive the superseded one on its own card.")
    evidence = ""
    if decision.evidence.strip():
        evidence = next(iter([_evidence(decision, c.entry) for c in courses]))
    mark = merged(snapshot, decision, text, courses, bool(evidence))
    if evidence or not mark.confirmed:
        survivor.evidence = evidence
    survivor.text, survivor.worded_by = text, decision
    survivor.marker, survivor.marked_by = mark.marker, decision
    survivor.graced = mark.graced
    for course in rest:
        course.merged = decision
        leave(course, decision, "")


def _condition(snapshot: Snapshot, charted: Charted, decision: Decision) -> None:
    course = course_of(snapshot, charted, decision)
    staying(course)
    entry = course.now
    if entry.tier is not Tier.PERISHABLE:
        raise Refused("Only a perishable entry waits for a condition.")
    if decision.verdict is Verdict.OPEN:
        _reinforce(snapshot, charted, decision)
    elif decision.verdict is Verdict.RESOLVED:
        if entry.frozen:
            raise Refused("Its marker cannot be read: repair that first.")
        named = find_condition(entry.prose, snapshot.today, snapshot.records)
        words = " ".join((decision.reason or (named.text if named else decision.evidence)).split())
        prefix = "condition resolved: "
        leave(course, decision, words if words.startswith(prefix) else prefix + (words or "as stated"))
    elif decision.verdict is not Verdict.UNKNOWN:
        raise Refused("A condition is open, resolved or unknown.")


_HOLDING = ("retain:", "reduce:evict:", "reduce:low-utility:")
"""Cards on which to keep an entry means to keep it from the budget."""


def _keep(snapshot: Snapshot, charted: Charted, decision: Decision) -> None:
    if not decision.targets:
        return
    for at in range(len(decision.targets)):
        named = decision.targets[at]
        course = charted.courses.get(named.id)
        if course is None or named.digest not in ("", course.entry.digest):
            raise Refused("It changed since it was decided on.")
        staying(course)
        course.kept = decision
        if not decision.card or decision.card.startswith(_HOLDING):
            course.held = True
        if decision.card.startswith("retain:"):
            course.retained = decision


def _retain(snapshot: Snapshot, charted: Charted, decision: Decision) -> None:
    # A mark changes no byte, so it may stand on what another home owns too.
    course = charted.courses.get(decision.id)
    if course is None or decision.targets[0].digest not in ("", course.entry.digest):
        raise Refused("It changed since it was decided on.")
    if not decision.reason.strip():
        what = "why it is of low utility" if decision.do is Do.LOW_UTILITY else "the trigger it is needed for"
        raise Refused(f"Say {what}.")
    course.retained = decision


def _pointer(snapshot: Snapshot, charted: Charted, decision: Decision) -> None:
    document = snapshot.document(decision.file)
    if document is None or not snapshot.file(decision.file).editable:
        raise Refused(f"The header of {decision.file} is not this home's to change.")
    charted.pointers[decision.file] = decision


def _repair(snapshot: Snapshot, charted: Charted, decision: Decision) -> None:
    document = snapshot.document(decision.file)
    if document is None or not snapshot.file(decision.file).editable:
        raise Refused(f"{decision.file} is not this home's to change.")
    for finding in all_findings(snapshot, document):
        if (finding.rule, finding.line) == (decision.rule, decision.line) and finding.repair is not None:
            if decision.text and finding.message != decision.text:
                continue
            if not any(doc is document and one == finding for _, doc, one in charted.repairs):
                charted.repairs.append((decision, document, finding))
                if finding.entry is not None:
                    course = charted.courses[document.entries[finding.entry].id]
                    course.mended = as_mended(course.now, finding.repair) or course.mended
            return
    raise Refused("That finding is gone.")


def _living_inside(snapshot: Snapshot, charted: Charted) -> None:
    """Take back what would leave alone while entries inside it stay."""
    for document in snapshot.documents:
        for at, entry in enumerate(document.entries):
            course = charted.courses[entry.id]
            if course.leaves is None or course.merged is not None:
                continue
            below = [e for e in document.entries if _within(document, e, at)]
            staying = [e for e in below if not charted.courses[e.id].archived]
            if staying:
                why = (
                    f"{len(staying)} entr{'y' if len(staying) == 1 else 'ies'} inside would stay behind: "
                    "decide on those, or archive the section."
                )
                charted.refused.append(Refusal(course.leaves, why))
                course.leaves, course.reason = None, ""


def _within(document: Document, entry: Entry, at: int) -> bool:
    parent = entry.parent
    while parent is not None:
        if parent == at:
            return True
        parent = document.entries[parent].parent
    return False


_RULES = {
    Do.REINFORCE: _reinforce,
    Do.GRACE: _grace,
    Do.ARCHIVE: _archive,
    Do.RETIER: _retier,
    Do.REWRITE: _rewrite,
    Do.MERGE: _merge,
    Do.CONDITION: _condition,
    Do.KEEP: _keep,
    Do.LOW_UTILITY: _retain,
    Do.CONDITIONAL: _retain,
    Do.ARCHIVE_SECTION: decide_section,
    Do.TAKE_AS_ONE: decide_section,
    Do.SPLIT: decide_section,
    Do.POINTER: _pointer,
    Do.REPAIR: _repair,
    Do.EVICT: _evict,
    Do.OFFLOAD: offload,
    Do.PROPOSE: propose,
    Do.ADD: add,
    Do.ROUTE: route,
    Do.RECORD: record,
}
