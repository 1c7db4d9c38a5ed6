"""What the Offload view's table knows of each proposal and candidate, made once for each look. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from floppy_tui.offload.proposal import UNDER_WAY, Proposal, State
from floppy_tui.text.identity import ID_LENGTH
from floppy_tui.tiers.document import Entry
from floppy_tui.tiers.scope import Place
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tui.memory_rows import lead, short_name

if TYPE_CHECKING:
    from floppy_tui.offload.scope import Candidate

_LEAD = 500
"""Characters of a text that a row looks at."""
CANDIDATE = "candidate"
TROUBLE = "trouble"


class Mark(NamedTuple):
    """How the state of a row looks: readable without colour by its glyph and its word."""

    glyph: str
    word: str
    style: str

    @property
    def short(self) -> str:
        """Glyph and word."""
        return f"{self.glyph} {self.word}"


MARKS = {
    State.PROPOSED: Mark("?", "proposed", "$text-accent"),
    State.APPROVED: Mark("✓", "approved", "$text-success"),
    State.REJECTED: Mark("✗", "rejected", "$text-muted"),
    State.DEFERRED: Mark("–", "deferred", "$text-muted"),
    State.MIGRATED: Mark("→", "migrated", "$text-success"),
    State.FAILED: Mark("!", "failed", "$text-error"),
}
WAITING = Mark("…", "waiting", "$text-warning")
"""Approved, and waiting for the task that brings it to its project."""
ERROR = Mark("!", "error", "$text-error")


@dataclass(frozen=True)
class Look:
    """What one look at the queue, the disk and git has shown."""

    snapshot: Snapshot
    """The memory as it was then."""
    now: Mapping[str, Entry | None] = field(default_factory=dict)
    """What became of the entry of each proposal, by the proposal's id; None where it is gone."""
    where: str = ""
    """Where the queue lives."""
    notes: tuple[str, ...] = ()
    """Why it lives there, and what else there is to say, in sentences."""
    proposals: tuple[Proposal, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    """All entries with their tests, largest first."""
    places: tuple[Place, ...] = ()
    """Every destination that is there, those allowed first."""
    troubles: tuple[str, ...] = ()
    """What could not be read, as it was said; may be several lines each."""
    unread: bool = False
    """Whether the queue could not be read, so that nothing is known of its proposals."""

    def changed(self, proposal: Proposal) -> bool:
        """Whether the entry of a proposal that may still be decided is not any more what was quoted."""
        entry = self.now.get(proposal.id)
        return proposal.state is not State.MIGRATED and (entry is None or entry.prose != proposal.quote)


class OffloadRow(NamedTuple):
    """One row of the table."""

    key: str
    mark: Mark
    tokens: int
    file: str
    """The short name of the memory file."""
    destination: str
    """The name of its destination."""
    trigger: str
    lead: str
    haystack: str
    """Case folded words, for free words."""
    place: int
    """Its position in the queue, or among the candidates."""
    changed: bool = False
    """Whether the entry is not any more what was quoted."""
    passing: bool = False
    """Whether every test of a candidate passes."""
    proposal: Proposal | None = None
    candidate: Candidate | None = None
    trouble: str = ""

    @property
    def kind(self) -> str:
        """``proposed`` and so on, ``candidate`` or ``trouble``."""
        if self.proposal is not None:
            return str(self.proposal.state)
        return CANDIDATE if self.candidate is not None else TROUBLE


class Group(NamedTuple):
    """Rows under one heading."""

    title: str
    rows: tuple[OffloadRow, ...]


def mark_of(proposal: Proposal) -> Mark:
    """How a proposal's state looks."""
    return WAITING if waiting(proposal) else MARKS[proposal.state]


def waiting(proposal: Proposal) -> bool:
    """Whether it is approved and its project still has to take the quote in."""
    waits = f"waiting for {proposal.task}"
    return proposal.state is State.APPROVED and bool(proposal.task) and proposal.note == waits


def name_of(destination: str) -> str:
    """A destination as a column shows it: the skill's name, or the end of the path."""
    parts = destination.split("/")
    if parts[-1] == "SKILL.md" and len(parts) > 1:
        return f"{parts[1]}: {parts[-2]}" if parts[0] == "projects" and len(parts) > 3 else parts[-2]
    return "/".join(parts[1:]) if parts[0] in ("data", "projects") else destination


def groups(look: Look) -> tuple[Group, ...]:
    """The rows of a look: what could not be read, the proposals, and the candidates not yet proposed."""
    troubles = tuple(
        OffloadRow(f"!{n}", ERROR, 0, "", "", "", words, words.casefold(), n, trouble=words)
        for n, words in enumerate(look.troubles)
    )
    proposals = tuple(_of_proposal(look, p, n) for n, p in enumerate(look.proposals))
    under_way = {p.entry[:ID_LENGTH] for p in look.proposals if p.state in UNDER_WAY}
    fresh = [c for c in look.candidates if c.entry.id[:ID_LENGTH] not in under_way]
    candidates = tuple(_of_candidate(c, n) for n, c in enumerate(fresh))
    return (
        Group("Could not be read", troubles),
        Group("Proposals", proposals),
        Group("Candidates, not yet proposed", candidates),
    )


def _of_proposal(look: Look, proposal: Proposal, place: int) -> OffloadRow:
    move = proposal.move
    words = (proposal.id, proposal.quote, proposal.note, move.destination, move.trigger, move.description)
    return OffloadRow(
        f"p:{proposal.id}",
        mark_of(proposal),
        proposal.tokens,
        short_name(proposal.file),
        name_of(move.destination),
        move.trigger,
        lead(proposal.quote[:_LEAD]) or proposal.first_line,
        "\n".join(words).casefold(),
        place,
        changed=look.changed(proposal),
        proposal=proposal,
    )


def _of_candidate(candidate: Candidate, place: int) -> OffloadRow:
    entry, tests = candidate.entry, candidate.tests
    passed = sum(test.passes for test in tests)
    whole = passed == len(tests)
    return OffloadRow(
        f"c:{entry.id}",
        Mark("✓" if whole else "·", f"{passed} of {len(tests)}", "$text-success" if whole else "$text-muted"),
        entry.tokens,
        short_name(entry.file),
        name_of(candidate.move.destination),
        candidate.trigger,
        lead(entry.prose[:_LEAD]),
        "\n".join((entry.prose, *entry.heading, candidate.trigger)).casefold(),
        place,
        passing=whole,
        candidate=candidate,
    )


_STATES = {str(state): n for n, state in enumerate(State)}
SORTS: dict[str, Callable[[OffloadRow], tuple[object, ...]]] = {
    "queue": lambda row: (row.place,),
    "state": lambda row: (_STATES.get(row.kind, 0), not row.passing, row.place),
    "tokens": lambda row: (-row.tokens, row.place),
    "file": lambda row: (row.file, row.place),
    "destination": lambda row: (row.destination.casefold(), row.place),
    "entry": lambda row: (row.lead.casefold(), row.place),
}
"""How each column sorts the rows under each heading; the first is the order of the queue."""
