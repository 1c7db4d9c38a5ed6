"""The rules for acts on whole sections: archive it, take it as one, split it."""

from __future__ import annotations

from collections.abc import Sequence

from floppy_tui.tiers.courses import LEGACY, Charted, Refused, SectionCourse, admitted, newest, reason_of
from floppy_tui.tiers.decisions import Decision, Do, evidence_problem
from floppy_tui.tiers.document import Document, Entry, Heading
from floppy_tui.tiers.edits import inside
from floppy_tui.tiers.markers import Tier, spell
from floppy_tui.tiers.snapshot import Snapshot


def find_section(snapshot: Snapshot, decision: Decision) -> tuple[Document, Heading]:
    """The section that a decision names; raises ``Refused`` where there is none, or not just one."""
    document = snapshot.document(decision.file)
    if document is None:
        raise Refused(f"{decision.file or 'The file'} was not read.")
    found = [h for h in document.headings if h.path == decision.heading]
    if not found and decision.heading:
        found = [h for h in document.headings if h.path[-len(decision.heading) :] == decision.heading]
    if decision.targets:
        wanted = [(t.id, t.digest) for t in decision.targets]
        entries = document.entries
        found = [
            h for h in found if [(entries[i].id, entries[i].digest) for i in inside(document, h)] == wanted
        ]
    name = " / ".join(decision.heading)
    if not found:
        raise Refused(f"No section “{name}” of {document.file} reads as it did when it was decided on.")
    if len(found) > 1:
        raise Refused(f"{len(found)} sections of {document.file} are called “{name}”.")
    return document, found[0]


def section_problem(snapshot: Snapshot, document: Document, heading: Heading, do: Do) -> str:
    """Why a section cannot be acted on as a whole, as a sentence; ``""`` where it can."""
    if not snapshot.file(document.file).editable:
        return f"{document.file} belongs to the primary home: the change has to be routed to it."
    if document.blocked:
        return f"{document.file} is not edited: {document.blocked}."
    if heading.title:
        return "The title holds the whole file: act on the sections below it."
    entries = [document.entries[i] for i in inside(document, heading)]
    if not entries:
        return "There is no entry in it."
    if do is Do.SPLIT:
        return "" if heading.mark else "Its heading carries no marker to move."
    if any(e.pinned for e in entries):
        return "It holds a pinned entry."
    if any(e.frozen for e in entries):
        return "A marker inside cannot be read: repair that first."
    return ""


def decide_section(snapshot: Snapshot, charted: Charted, decision: Decision) -> None:
    """Set the course of a whole section and of every entry inside; raises ``Refused``."""
    document, heading = find_section(snapshot, decision)
    if problem := section_problem(snapshot, document, heading, decision.do):
        raise Refused(problem)
    positions = inside(document, heading)
    courses = [charted.courses[document.entries[i].id] for i in positions]
    for course in courses:
        if course.touched:
            raise Refused(f"“{course.entry.first_line[:60]}” inside has another decision already.")
    section = SectionCourse(decision, document, heading, positions)
    if decision.do is Do.ARCHIVE_SECTION:
        section.reason = _why(snapshot, decision, [c.entry for c in courses])
    elif decision.do is Do.TAKE_AS_ONE:
        section.marker = _one_marker(snapshot, decision, [c.entry for c in courses])
    for course in courses:
        course.section = section
        course.evidence = " ".join(decision.evidence.split()) if decision.do is Do.TAKE_AS_ONE else ""
    charted.sections.append(section)


def _why(snapshot: Snapshot, decision: Decision, entries: Sequence[Entry]) -> str:
    """Why a section leaves; the reasons of the clocks hold for it only where they hold for all inside."""
    reason = reason_of(decision, "An archived section carries the reason why it left.")
    if reason == LEGACY and any(e.tier is not Tier.GRACE for e in entries):
        raise Refused("Not everything inside has had its grace cycle.")
    if not reason.casefold().startswith("unreinforced"):
        return reason
    if not all(snapshot.ages[e.id].stale for e in entries):
        raise Refused("Not everything inside is stale.")
    last = newest(entries)
    return snapshot.ages[last.id].cause if last is not None else reason


def _one_marker(snapshot: Snapshot, decision: Decision, entries: Sequence[Entry]) -> str:
    if decision.evidence.strip():
        whole = "\n".join(e.prose for e in entries)
        if problem := evidence_problem(decision.evidence, whole):
            raise Refused(problem)
        tier = decision.tier or Tier.AGING
        if tier not in (Tier.AGING, Tier.PERISHABLE, Tier.PINNED):
            raise Refused("A section is taken as one as pinned, aging or perishable.")
        return spell(admitted(tier, whole, snapshot.records), snapshot.today)
    if any(e.tier is not Tier.UNMARKED for e in entries):
        raise Refused(
            "Grace is for unmarked entries only: some inside carry a marker, so evidence is needed."
        )
    return spell(Tier.GRACE)
