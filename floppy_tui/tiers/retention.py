"""The retention plan: all entries ordered by how likely they are to inform a future session.

The order is lexicographic over factors that are all shown; there is no hidden score.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from floppy_tui.tiers.decisions import Do
from floppy_tui.tiers.document import Entry
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.snapshot import Snapshot

_BROAD = re.compile(
    r"\b(?:never|always|every|all|must(?: not)?|do not|don.t|before any|without asking|authority|approv\w+"
    r"|secrets?|credentials?|destructive|force.push|safety)\b",
    re.IGNORECASE,
)
_NARROW = re.compile(
    r"\bprojects/[\w.-]+|\bonly (?:when|in|for|on|if)\b|\bwhen (?:working|building|testing) ", re.I
)
_TIERS = {Tier.PINNED: 0, Tier.AGING: 1, Tier.PERISHABLE: 2, Tier.UNMARKED: 3, Tier.GRACE: 4}
_MARKS = {Do.KEEP: 0, None: 1, Do.CONDITIONAL: 2, Do.LOW_UTILITY: 3}


@dataclass(frozen=True, slots=True)
class Factor:
    """One reason for an entry's place: its name, its value in words, and how it sorts (low is first)."""

    name: str
    value: str
    rank: int


@dataclass(frozen=True, slots=True)
class Placed:
    """An entry in its place of the retention plan."""

    entry: Entry
    place: int
    """From 1."""
    factors: tuple[Factor, ...]

    @property
    def reason(self) -> str:
        """Every factor, in the order in which they decide."""
        return " · ".join(f"{f.name}: {f.value}" for f in self.factors)


def retention(
    snapshot: Snapshot, marked: Mapping[str, Do], evidenced: Collection[str] = ()
) -> tuple[Placed, ...]:
    """All entries, most likely to inform a future session first.

    ``marked`` holds the captain's marks (keep, low utility, conditional) and ``evidenced`` the ids with
    evidence in this pass.
    """
    rows = []
    for at, entry in enumerate(snapshot.entries):
        factors = _factors(snapshot, entry, marked.get(entry.id), entry.id in evidenced)
        rows.append((tuple(f.rank for f in factors), at, entry, factors))
    rows.sort(key=lambda row: (row[0], row[1]))
    return tuple(Placed(entry, place, factors) for place, (_, _, entry, factors) in enumerate(rows, 1))


def _factors(snapshot: Snapshot, entry: Entry, mark: Do | None, evidence: bool) -> tuple[Factor, ...]:
    age = snapshot.ages[entry.id]
    tier = Tier.PINNED if entry.pinned else entry.tier
    broad = _BROAD.search(entry.prose)
    narrow = None if broad else _NARROW.search(entry.prose)
    scope = f"broad (“{broad[0]}”)" if broad else f"narrow (“{narrow[0]}”)" if narrow else "plain"
    return (
        Factor("mark", mark.value if mark else "none", _MARKS.get(mark, 1)),
        Factor(
            "clock", "stale" if age.stale else "no date" if age.days is None else "current", int(age.stale)
        ),
        Factor("tier", tier.value, _TIERS[tier]),
        Factor("evidence", "this session" if evidence else "none", 0 if evidence else 1),
        Factor("scope", scope, 0 if broad else 2 if narrow else 1),
        Factor("last reinforced", "never" if age.days is None else f"{age.days}d ago", age.days or 0),
        Factor("passes", str(age.passes), age.passes),
    )
