"""What a pass has done outside the memory once its files are written: as data, for the store to carry out.

Each errand can be run again without doing anything twice; one that fails is named in the receipt.
"""

from __future__ import annotations

from dataclasses import dataclass

from floppy_tui.tiers.decisions import Decision, Record
from floppy_tui.tiers.layout import SHARED
from floppy_tui.tiers.relocating import Proposed


@dataclass(frozen=True, slots=True)
class Propose:
    """Put a proposal into the queue, or refresh the one that the entry has there."""

    proposed: Proposed

    @property
    def shared(self) -> bool:
        """Whether every inheriting home would lose it."""
        return self.proposed.file == SHARED


@dataclass(frozen=True, slots=True)
class Ship:
    """File a ship task that records a finding in a project's ``AGENTS.md``, or in the shared repository."""

    text: str
    project: str
    """``""`` for the shared repository."""


@dataclass(frozen=True, slots=True)
class Inscribe:
    """Put a finding into the body of a backlog item: looked at first, then replaced, never appended."""

    text: str
    task: str


@dataclass(frozen=True, slots=True)
class Keep:
    """File, correct or leave an open record."""

    record: Record


@dataclass(frozen=True, slots=True)
class Decide:
    """Hold the captain's decision of a home that ends over budget as one backlog item, made or refreshed."""

    shortfall: int
    """Estimated tokens over the allowance."""
    floor: int
    """Estimated tokens that no rung of the pass may remove: pinned and read-only."""
    allowance: str
    """As spelled."""
    options: tuple[str, ...]
    pinned: tuple[tuple[str, str, int], ...] = ()
    """The largest pinned entries, as file, first line and tokens: what could be trimmed or offloaded."""


@dataclass(frozen=True, slots=True)
class Decided:
    """The home is within its budget: a decision that is still held is closed."""


Errand = Propose | Ship | Inscribe | Keep | Decide | Decided


@dataclass(frozen=True, slots=True)
class Done:
    """What came of an errand."""

    errand: Errand
    ok: bool
    said: str
    """What was done or why not, as a sentence."""
    id: str = ""
    """The backlog item or proposal that it is about."""
    former: str = ""
    """The words that it replaced, so that the receipt holds them."""


def errands_of(decision: Decision) -> tuple[Errand, ...]:
    """The errands of a finding or an open record; what an entry or the primary gets needs none."""
    if decision.record is not None:
        return (Keep(decision.record),)
    kind, _, name = decision.owner.strip().partition(":")
    text = decision.text.strip()
    if kind in ("project", "general"):
        return (Ship(text, name),)
    return (Inscribe(text, name),) if kind == "task" else ()
