"""What leaves the memory, as the archive is told of it."""

from __future__ import annotations

import re

from floppy_tui.text.identity import fold, identity
from floppy_tui.text.lines import Splice, splice
from floppy_tui.tiers.archive_item import Departure
from floppy_tui.tiers.courses import SUPERSEDED, SectionCourse, newest
from floppy_tui.tiers.document import Entry
from floppy_tui.tiers.edits import remove_section, unmark
from floppy_tui.tiers.markers import Tier, without_markers
from floppy_tui.tiers.snapshot import Snapshot


def departure(snapshot: Snapshot, entry: Entry, reason: str) -> Departure:
    """What the archive is told of an entry: a nested one with its parent's lead line before it."""
    document, _ = snapshot.places[entry.id]
    prose = entry.prose
    if entry.parent is not None and (lead := document.entries[entry.parent].first_line):
        prose = f"{lead} › {prose}"
    return Departure(
        source=entry.file.rsplit("/", 1)[-1],
        tier=Tier.PINNED if entry.pinned else entry.tier,
        reinforced=entry.reinforced,
        reason=reason,
        prose=prose,
    )


def section_departure(section: SectionCourse) -> Departure:
    """A whole section as one archived item: its lines as they stand, inner markers dropped."""
    document = section.document
    entries = [document.entries[i] for i in section.positions]
    cuts = [unmark(document, m.start, m.end) for e in entries for m in e.marks]
    pieces = []
    for a, b in remove_section(document, section.heading).cut:
        first, last = document.starts[a], document.starts[b]
        mine = [Splice(c.start - first, c.end - first, "") for c in cuts if first <= c.start < last]
        pieces.append(splice(document.text[first:last], mine))
    lines = [line.removesuffix("\r") for line in "".join(pieces).split("\n")]
    latest = newest(entries)
    return Departure(
        source=document.file.rsplit("/", 1)[-1],
        tier=latest.tier if latest else Tier.AGING,
        reinforced=latest.reinforced if latest else None,
        reason=section.reason,
        prose="\n".join(lines).strip(" \t\r\n"),
    )


def lost_words(before: str, after: str) -> tuple[str, ...]:
    """The words of ``before`` that ``after`` does not hold, in their order."""
    held = set(re.findall(r"\w+", fold(after)))
    return tuple(dict.fromkeys(w for w in re.findall(r"\w+", fold(before)) if w not in held))


def holds(text: str, statement: str) -> bool:
    """Whether ``text`` holds ``statement`` as it stands, but for white space.

    The same words in another order, case or number say something else, so they do not count as held.
    """
    return " ".join(statement.split()) in " ".join(text.split())


def held_identity(text: str) -> str:
    """The identity that a statement will have once it is written."""
    return identity(without_markers(text))


def superseded_by(text: str) -> str:
    """The archive's reason for words that a new statement replaced."""
    return SUPERSEDED + held_identity(text)
