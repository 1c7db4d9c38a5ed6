"""One proposal of the queue: what would move where, the quote, and what the captain said to it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from enum import StrEnum

from floppy_tui.text.lines import encode
from floppy_tui.tiers.decisions import Move


class State(StrEnum):
    """Where a proposal stands."""

    PROPOSED = "proposed"
    APPROVED = "approved"
    REJECTED = "rejected"
    DEFERRED = "deferred"
    MIGRATED = "migrated"
    FAILED = "failed"


UNDER_WAY = frozenset({State.PROPOSED, State.APPROVED, State.DEFERRED, State.FAILED})
"""States of a proposal that something may still come of: its entry is pending offload."""


@dataclass(frozen=True, slots=True)
class Approval:
    """The captain's words: what was typed, by whom, when, and what it was said to."""

    words: str
    by: str
    """The login."""
    at: str
    """ISO 8601 with an offset."""
    seal: str
    """``Proposal.seal`` as it was then: an approval holds for what was seen, and for nothing else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One candidate of the queue."""

    id: str
    """``p1``, ``p2``, …, never used again in one queue."""
    entry: str
    """The entry's id when it was quoted."""
    file: str
    first_line: str
    tokens: int
    move: Move
    warning: str = ""
    """For an entry of the shared file: who else loses it."""
    state: State = State.PROPOSED
    note: str = ""
    """``failed``: why; ``approved``: such as ``waiting for <task>``."""
    task: str = ""
    """The ship task that brings it to a project."""
    proposed: str = ""
    """YYYY-MM-DD."""
    decided: str = ""
    """YYYY-MM-DD of the last change of state."""
    approval: Approval | None = None
    relief: int | None = None
    """Estimated tokens that its migration freed, measured."""
    quote: str = ""
    """The entry's prose to the byte: the migration's source of truth."""
    problem: str = ""
    """Why the quote is not to be trusted, as a sentence; ``""`` where its hash fits."""

    @property
    def seal(self) -> str:
        """16 hex digits over all that an approval is given to: entry, move and quote."""
        parts = (self.entry, self.file, *_said(self.move), self.quote)
        return hashlib.sha256(encode("\0".join(parts))).hexdigest()[:16]

    @property
    def approved(self) -> bool:
        """Whether the captain's words stand for exactly what it says now."""
        held = self.approval is not None and self.approval.seal == self.seal
        return held and self.state in (State.APPROVED, State.FAILED) and not self.problem

    def with_(self, **fields: object) -> Proposal:
        """A copy with some fields changed."""
        return replace(self, **fields)  # type: ignore[arg-type]


def _said(move: Move) -> tuple[str, ...]:
    return (move.trigger, move.destination, move.description, move.privacy)
