"""What the Memory view's table knows of each entry, made once for each reading of the home. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.snapshot import Snapshot

_LEAD = 500
"""Characters of an entry that a row looks at."""


class MemoryRow(NamedTuple):
    """One entry of the table."""

    id: str
    tier: Tier
    days: int | None
    """Whole days since it was reinforced."""
    left: int | None
    """Days until it is stale, 0 or less once it is by days."""
    stale: bool
    cause: str
    tokens: int
    file: str
    """Its file's name without directory and ``.md``."""
    lead: str
    """The beginning of its text, a section's heading first."""
    haystack: str
    """Case folded prose and headings, for free words."""
    place: int
    """Its position in reading order."""
    findings: int
    editable: bool


def memory_rows(snapshot: Snapshot) -> tuple[MemoryRow, ...]:
    """The rows of a home in reading order."""
    rows: list[MemoryRow] = []
    for document in snapshot.documents:
        name = short_name(document.file)
        found = [0] * len(document.entries)
        for finding in document.findings:
            if finding.entry is not None:
                found[finding.entry] += 1
        for entry, findings in zip(document.entries, found, strict=True):
            age = snapshot.ages[entry.id]
            rows.append(
                MemoryRow(
                    entry.id,
                    Tier.PINNED if entry.pinned else entry.tier,
                    age.days,
                    age.left,
                    age.stale,
                    age.cause,
                    entry.tokens,
                    name,
                    lead(entry.prose[:_LEAD]),
                    "\n".join((entry.prose, *entry.heading)).casefold(),
                    len(rows),
                    findings,
                    snapshot.editable(entry),
                )
            )
    return tuple(rows)


def short_name(path: str) -> str:
    """``data/learnings.md`` as ``learnings``, ``data/captain-shared.md`` as ``shared``."""
    return path.rsplit("/", 1)[-1].removesuffix(".md").removeprefix("captain-")


def lead(prose: str) -> str:
    """What a row shows of some prose: a section's heading without its hashes, then its text."""
    heading = re.match(r"#{1,6}[ \t]+([^\n]*)\n", prose)
    return f"{heading[1].strip()} — {prose[heading.end() :].lstrip()}" if heading else prose


_FAR = 1 << 40
_TIERS = {tier: n for n, tier in enumerate(Tier)}
SORTS: dict[str, Callable[[MemoryRow], tuple[object, ...]]] = {
    "file": lambda row: (row.place,),
    "tier": lambda row: (_TIERS[row.tier], row.left if row.left is not None else _FAR, row.place),
    "age": lambda row: (
        not row.stale,
        row.left if row.left is not None else _FAR,
        -(row.days if row.days is not None else -1),
        row.place,
    ),
    "tokens": lambda row: (-row.tokens, row.place),
    "entry": lambda row: (row.lead.casefold(), row.place),
}
"""How each column sorts: what needs a look first (stale, heavy) comes first."""
