"""The rules of a pass: which decisions hold, and what they make of each entry.

The rules live here and nowhere else; the screen only shows what they say. Source: the stow scheme.
"""

from __future__ import annotations

from collections.abc import Sequence

from floppy_tui.text.lines import readable
from floppy_tui.tiers.conditions import find_condition
from floppy_tui.tiers.courses import (
    EVICTED,
    LEGACY,
    SUPERSEDED,
    Charted,
    Course,
    Refused,
    admitted,
    evictable,
    latest,
    marker_for,
)
from floppy_tui.tiers.decisions import Decision, Do, Refusal, Verdict, evidence_problem
from floppy_tui.tiers.document import Document, Entry
from floppy_tui.tiers.findings import all_findings
from floppy_tui.tiers.markers import Tier, spell
from floppy_tui.tiers.section_rules import decide_section
from floppy_tui.tiers.snapshot import Snapshot


def chart(snapshot: Snapshot, decisions: Sequence[Decision]) -> Charted:
    """The courses that ``decisions`` set, in order; a later one on the same card replaces the earlier."""
    charted = Charted({e.id: Course(e) for e in snapshot.entries})
    for decision in latest(decisions):
        try:
            if decision.snapshot and decision.snapshot != snapshot.hash:
                raise Refused("It was made on an earlier reading of the memory.")
            _RULES[decision.do](snapshot, charted, decision)
        except Refused as refusal:
            charted.refused.append(Refusal(decision, str(refusal)))
    _living_inside(snapshot, charted)
    return charted


def _entry(snapshot: Snapshot, charted: Charted, decision: Decision, at: int = 0) -> Course:
    if at >= len(decision.targets):
        raise Refused("It names no entry.")
    named = decision.targets[at]
    course = charted.courses.get(named.id)
    if course is None:
        raise Refused(f"No entry has the id {named.id} any more.")
    entry = course.entry
    if named.digest and named.digest != entry.digest:
        raise Refused(f"“{entry.first_line[:60]}” changed since it was decided on.")
    file = snapshot.file(entry.file)
    if not file.editable:
        raise Refused(f"{entry.file} belongs to the primary home: the change has to be routed to it.")
    if file.document is not None and file.document.blocked:
        raise Refused(f"{entry.file} is not edited: {file.document.blocked}.")
    if course.section is not None:
        raise Refused("Its whole section was decided on already.")
    return course


def _staying(course: Course) -> None:
    if course.leaves is not None:
        raise Refused(f"“{course.entry.first_line[:60]}” leaves by an earlier decision.")


def _evidence(decision: Decision, entry: Entry) -> str:
    if problem := evidence_problem(decision.evidence, entry.prose):
        raise Refused(problem)
    return " ".join(decision.evidence.split())


def _remark(course: Course, decision: Decision, marker: str) -> None:
    unchanged = course.entry.mark.text if course.entry.mark else ""
    course.marker = None if marker == unchanged else marker
    course.marked_by = decision


def _reinforce(snapshot: Snapshot, charted: Charted, decision: Decision) -> None:
    course = _entry(snapshot, charted, decision)
    _staying(course)
    entry = course.entry
    evidence = _evidence(decision, entry)
    tier = decision.tier or (Tier.PINNED if entry.pinned else entry.tier)
    if tier in (Tier.UNMARKED, Tier.GRACE):
        tier = Tier.AGING
    if tier is not entry.tier:
        tier = admitted(tier, course.text or entry.prose, snapshot.today)
    if entry.pinned and tier is Tier.PINNED:
        course.marked_by = decision
    else:
        _remark(course, decision, marker_for(entry, tier, snapshot.today))
    course.evidence = evidence
    course.graced = False


def _retier(snapshot: Snapshot, charted: Charted, decision: Decision) -> None:
    course = _entry(snapshot, charted, decision)
    _staying(course)
    entry = course.entry
    tier = decision.tier
    if tier not in (Tier.PINNED, Tier.AGING, Tier.PERISHABLE):
        raise Refused("A retier names one of pinned, aging or perishable.")
    if decision.evidence.strip():
        _reinforce(snapshot, charted, decision)
        return
    if tier is Tier.PERISHABLE and find_condition(course.text or entry.prose, snapshot.today) is None:
        raise Refused("A perishable entry must name a condition that can be checked.")
    if tier is not Tier.PINNED and entry.reinforced is None:
        raise Refused("It carries no date yet: giving it a clock needs evidence.")
    passes = snapshot.ages[entry.id].passes if snapshot.horizon.on else entry.passes
    _remark(course, decision, marker_for(entry, tier, entry.reinforced, passes))


def _grace(snapshot: Snapshot, charted: Charted, decision: Decision) -> None:
    course = _entry(snapshot, charted, decision)
    _staying(course)
    entry = course.entry
    if entry.tier is not Tier.UNMARKED:
        raise Refused("Only an unmarked entry of a file with a clock gets a grace cycle.")
    if entry.frozen:
        raise Refused("Its marker cannot be read: repair that first.")
    _remark(course, decision, spell(Tier.GRACE))
    course.graced = True


def _archive(snapshot: Snapshot, charted: Charted, decision: Decision) -> None:
    course = _entry(snapshot, charted, decision)
    _staying(course)
    entry = course.entry
    reason = " ".join(decision.reason.split())
    if not reason:
        raise Refused("An archived entry carries the reason why it left.")
    superseded = reason.startswith(SUPERSEDED) and reason != SUPERSEDED.strip()
    if reason == EVICTED:
        raise Refused("For the budget an entry is evicted, oldest first, not archived by name.")
    if entry.pinned and not superseded:
        raise Refused(
            "A pinned entry leaves only as superseded by a named statement, or by an approved offload."
        )
    if not superseded:
        if entry.frozen:
            raise Refused("Its marker cannot be read: repair that first.")
        if entry.tier is Tier.UNMARKED:
            raise Refused("An unmarked entry gets its grace cycle first: a missing marker is no guilt.")
        if entry.tier is Tier.GRACE and course.graced:
            raise Refused("It was given grace in this pass and stays for all of it.")
    if course.graced:
        raise Refused("It was given grace in this pass and stays for all of it.")
    if reason.startswith("unreinforced"):
        age = snapshot.ages[entry.id]
        if not age.stale:
            raise Refused("It is not stale.")
        reason = age.cause
    if reason == LEGACY and entry.tier is not Tier.GRACE:
        raise Refused("Only an entry whose grace cycle is over leaves as never validated.")
    _leave(course, decision, reason)


def _leave(course: Course, decision: Decision, reason: str) -> None:
    course.leaves = decision
    course.reason = reason


def _evict(snapshot: Snapshot, charted: Charted, decision: Decision) -> None:
    course = _entry(snapshot, charted, decision)
    _staying(course)
    if not evictable(course):
        raise Refused("Only a dated aging entry that this pass did not touch can be evicted.")
    charted.evictions.append((decision, course.entry))


def _rewrite(snapshot: Snapshot, charted: Charted, decision: Decision) -> None:
    course = _entry(snapshot, charted, decision)
    _staying(course)
    _wordable(snapshot, course.entry)
    text = _words(decision, course.entry)
    perishable = course.entry.tier is Tier.PERISHABLE and course.marker is None
    if perishable and find_condition(text, snapshot.today) is None:
        raise Refused("The new words name no condition that can be checked, as a perishable entry must.")
    course.text, course.worded_by = text, decision


def _wordable(snapshot: Snapshot, entry: Entry) -> None:
    document, at = snapshot.places[entry.id]
    if len(entry.own) != 1 or any(e.parent == at for e in document.entries):
        raise Refused("It holds other entries: change those, or its section.")
    if entry.frozen:
        raise Refused("Its marker cannot be read: repair that first.")


def _words(decision: Decision, *entries: Entry) -> str:
    text = decision.text.replace("\r\n", "\n").strip()
    if "\ufffd" in text and any(readable(e.prose) != e.prose for e in entries):
        raise Refused("It holds bytes that are no UTF-8 text: change it in an editor, where they stay.")
    if not text:
        raise Refused("The new statement is missing.")
    if any("\ud800" <= c < "\udc80" or "\udcff" < c <= "\udfff" for c in text):
        raise Refused("The new statement holds a character that cannot be written.")
    return text


def _merge(snapshot: Snapshot, charted: Charted, decision: Decision) -> None:
    courses = [_entry(snapshot, charted, decision, at) for at in range(len(decision.targets))]
    if len({c.entry.id for c in courses}) < 2:
        raise Refused("A merge needs two entries or more.")
    for course in courses:
        _staying(course)
        _wordable(snapshot, course.entry)
        if course.graced or course.worded_by:
            raise Refused(f"“{course.entry.first_line[:60]}” has another decision already.")
    text = _words(decision, *(c.entry for c in courses))
    order = {e.id: at for at, e in enumerate(snapshot.entries)}
    courses.sort(key=lambda c: (not c.entry.pinned, order[c.entry.id]))
    survivor, rest = courses[0], courses[1:]
    if any(c.entry.pinned for c in rest):
        raise Refused("Two pinned entries are not merged: archive the superseded one on its own card.")
    tier = decision.tier or (
        Tier.PINNED if survivor.entry.pinned else _strongest([c.entry.tier for c in courses])
    )
    dates = [c.entry.reinforced for c in courses if c.entry.reinforced is not None]
    same = len({e.entry.id.partition("-")[0] for e in courses}) == 1
    if decision.evidence.strip():
        survivor.evidence = _evidence(decision, survivor.entry)
        marker = marker_for(survivor.entry, admitted(tier, text, snapshot.today), snapshot.today)
    elif tier in (Tier.AGING, Tier.PERISHABLE) and not dates:
        raise Refused("None of them carries a date: giving the merged entry a clock needs evidence.")
    elif tier in (Tier.AGING, Tier.PERISHABLE):
        day = max(dates) if same else min(dates)
        passes = max(c.entry.passes for c in courses if c.entry.reinforced == day)
        marker = marker_for(survivor.entry, admitted(tier, text, snapshot.today), day, passes)
    elif tier is Tier.PINNED:
        marker = marker_for(survivor.entry, tier, None)
    else:
        marker = spell(tier)
    survivor.text, survivor.worded_by = text, decision
    survivor.marker, survivor.marked_by = marker, decision
    for course in rest:
        course.merged = decision
        _leave(course, decision, "")
    charted.merges.append((decision, [c.entry for c in courses]))


def _strongest(tiers: Sequence[Tier]) -> Tier:
    for tier in (Tier.PINNED, Tier.AGING, Tier.PERISHABLE, Tier.GRACE):
        if tier in tiers:
            return tier
    return Tier.UNMARKED


def _condition(snapshot: Snapshot, charted: Charted, decision: Decision) -> None:
    course = _entry(snapshot, charted, decision)
    _staying(course)
    entry = course.entry
    if entry.tier is not Tier.PERISHABLE:
        raise Refused("Only a perishable entry waits for a condition.")
    course.condition = decision
    if decision.verdict is Verdict.OPEN:
        _reinforce(snapshot, charted, decision)
    elif decision.verdict is Verdict.RESOLVED:
        if entry.frozen:
            raise Refused("Its marker cannot be read: repair that first.")
        named = find_condition(entry.prose, snapshot.today)
        words = " ".join((decision.reason or (named.text if named else decision.evidence)).split())
        prefix = "condition resolved: "
        _leave(course, decision, words if words.startswith(prefix) else prefix + (words or "as stated"))
    elif decision.verdict is not Verdict.UNKNOWN:
        raise Refused("A condition is open, resolved or unknown.")


def _keep(snapshot: Snapshot, charted: Charted, decision: Decision) -> None:
    if not decision.targets:
        return
    for at in range(len(decision.targets)):
        named = decision.targets[at]
        course = charted.courses.get(named.id)
        if course is None or named.digest not in ("", course.entry.digest):
            raise Refused("It changed since it was decided on.")
        _staying(course)
        course.kept = decision
        if decision.card.startswith("retain"):
            course.retained = decision


def _retain(snapshot: Snapshot, charted: Charted, decision: Decision) -> None:
    course = _entry(snapshot, charted, decision)
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
            staying = [e for e in below if charted.courses[e.id].leaves is None]
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
}
