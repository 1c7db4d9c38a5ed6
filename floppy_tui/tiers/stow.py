"""The stow pass: ``plan(snapshot, decisions)``, a pure state machine.

The wizard, the headless command and the tests all drive this one. What nobody decided does not happen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from floppy_tui.tiers.archive import Departure
from floppy_tui.tiers.budget import estimate
from floppy_tui.tiers.cards import Card, Step
from floppy_tui.tiers.decisions import Decision, Refusal
from floppy_tui.tiers.document import Document
from floppy_tui.tiers.snapshot import FILES, Refused, Snapshot


class Outcome(StrEnum):
    """What becomes of an entry of the snapshot."""

    KEPT = "kept"
    MARKED = "marked"
    REWRITTEN = "rewritten"
    MERGED = "merged"
    ARCHIVED = "archived"
    DUPLICATE = "duplicate"


@dataclass(frozen=True, slots=True)
class Fate:
    """What becomes of one entry, and where the audit finds it again."""

    entry: str
    outcome: Outcome
    into: str = ""
    """Identity (without suffix) of the statement that holds it afterwards, where it is not its own."""
    departure: int = -1
    """Position in ``Plan.departures`` of the archived item that quotes it, -1 where none does."""


@dataclass(frozen=True, slots=True)
class Departed:
    """One archived item of the plan: what it quotes and why it leaves."""

    entries: tuple[str, ...]
    file: str
    departure: Departure
    evicted: bool = False


@dataclass(frozen=True, slots=True)
class Evidenced:
    """An entry refreshed or stamped, with the evidence that the receipt names."""

    entry: str
    file: str
    evidence: str
    first_line: str


@dataclass(frozen=True)
class Plan:
    """What a pass would do, wholly worked out: nothing is left to decide when it is applied."""

    snapshot: Snapshot
    decisions: tuple[Decision, ...]
    """All that were given, in order."""
    refused: tuple[Refusal, ...]
    """Decisions that a rule forbids or whose entry is no longer what it was."""
    cards: tuple[Card, ...]
    """In the order of the steps; decided ones carry their decision."""
    texts: Mapping[str, str]
    """The planned text of each memory file that changes, by path."""
    documents: Mapping[str, Document]
    """Those texts, read again."""
    departures: tuple[Departed, ...]
    archive_text: str | None
    """The planned archive; None while nothing leaves."""
    fates: Mapping[str, Fate]
    """By entry id, every entry of the snapshot."""
    reinforced: tuple[Evidenced, ...]
    graced: tuple[str, ...]
    """Entry ids (and headings taken as one, as ``file#heading``) that got their one grace cycle."""
    actions: Mapping[str, tuple[str, ...]]
    """Per memory file, the receipt's fixed words."""
    exceptions: tuple[Refused, ...]
    floor: int
    """Estimated tokens that no rung of the pass may remove: pinned and read-only."""

    def tokens(self, path: str) -> int:
        """Estimated tokens of a memory file after the pass."""
        document = self.documents.get(path)
        return estimate(document.size) if document else self.snapshot.file(path).tokens

    @property
    def total(self) -> int:
        """The total after the pass, measured from the planned bytes."""
        return sum(self.tokens(path) for path in FILES)

    @property
    def within_budget(self) -> bool:
        """Whether the home is within its allowance after the pass."""
        return self.snapshot.allowance.allows(self.total)

    @property
    def shortfall(self) -> int:
        """Estimated tokens over the allowance after the pass; 0 when within it or without one."""
        allowed = self.snapshot.allowance.tokens
        return max(0, self.total - allowed) if allowed is not None else 0

    @property
    def undecided(self) -> tuple[Card, ...]:
        """The cards that are still open."""
        return tuple(c for c in self.cards if c.open)

    @property
    def reset_safe(self) -> bool:
        """Whether nothing this session knew would be lost: within budget, no exception, nothing blocking open."""
        return (
            self.within_budget
            and not self.exceptions
            and not self.refused
            and not any(c.blocks and c.decided is None for c in self.cards)
        )

    def step(self, step: Step) -> tuple[Card, ...]:
        """The cards of one step."""
        return tuple(c for c in self.cards if c.step is step)


def plan(snapshot: Snapshot, decisions: Sequence[Decision] = ()) -> Plan:
    """What a pass over ``snapshot`` with these ``decisions`` would do, and the cards that remain."""
    raise NotImplementedError


def rebase(snapshot: Snapshot, decisions: Sequence[Decision]) -> tuple[tuple[Decision, ...], tuple[Refusal, ...]]:
    """Carry decisions over to a newer reading of the home: those kept, and those dropped with the reason."""
    raise NotImplementedError


def accept(snapshot: Snapshot, decisions: Sequence[Decision], kinds: Sequence[str]) -> tuple[Decision, ...]:
    """``decisions`` with the engine's own proposals of these ``kinds`` (``cards.ACCEPTABLE``) accepted."""
    raise NotImplementedError


def preview(plan: Plan, decision: Decision) -> tuple[str, ...]:
    """The unified diff (lines without line ends) that ``decision`` alone makes on the memory and archive."""
    raise NotImplementedError


def changes(plan: Plan, today: date | None = None) -> tuple[str, ...]:
    """The whole change of a plan as a unified diff, archive first."""
    raise NotImplementedError
