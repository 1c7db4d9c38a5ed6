"""The entries that a decision names, and whether anything may still be decided on them."""

from __future__ import annotations

from floppy_tui.tiers.courses import Charted, Course, Refused, writable
from floppy_tui.tiers.decisions import Decision, Do
from floppy_tui.tiers.document import Entry
from floppy_tui.tiers.snapshot import Snapshot


def course_of(snapshot: Snapshot, charted: Charted, decision: Decision, at: int = 0) -> Course:
    """The course of an entry that a decision names, if this home may change it; raises ``Refused``."""
    if at >= len(decision.targets):
        raise Refused("It names no entry.")
    named = decision.targets[at]
    course = charted.courses.get(named.id)
    if course is None:
        raise Refused(f"No entry has the id {named.id} any more.")
    entry = course.entry
    if named.digest and named.digest != entry.digest:
        raise Refused(f"{quoted(entry)} changed since it was decided on.")
    file = snapshot.file(entry.file)
    if not file.editable:
        raise Refused(f"{entry.file} belongs to the primary home: the change has to be routed to it.")
    if file.document is not None and file.document.blocked:
        raise Refused(f"{entry.file} is not edited: {file.document.blocked}.")
    if course.section is not None:
        raise Refused("Its whole section was decided on already.")
    return course


def staying(course: Course) -> None:
    """Raise ``Refused`` where an earlier decision lets the entry leave."""
    if course.leaves is not None:
        raise Refused(f"{quoted(course.entry)} leaves by an earlier decision.")


def quoted(entry: Entry) -> str:
    """An entry by the beginning of its first line."""
    return f"“{entry.first_line[:60]}”"


def leave(course: Course, decision: Decision, reason: str) -> None:
    """Let an entry leave; raises ``Refused`` where another was merged into it."""
    if course.worded_by is not None and course.worded_by.do is Do.MERGE:
        raise Refused(f"{quoted(course.entry)} says what was merged into it by an earlier decision.")
    course.leaves = decision
    course.reason = writable(reason)
