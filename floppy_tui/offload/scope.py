"""One home's places and proposals as the pass and the offload view ask for them."""

from __future__ import annotations

from dataclasses import dataclass

from floppy_tui.offload.destinations import Survey
from floppy_tui.offload.proposal import Proposal
from floppy_tui.tiers.decisions import Move
from floppy_tui.tiers.document import Entry
from floppy_tui.tiers.scope import Place, Stands, Tested
from floppy_tui.tiers.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entry with what was found out about living elsewhere."""

    entry: Entry
    trigger: str
    tests: tuple[Tested, ...]
    move: Move

    @property
    def passes(self) -> bool:
        """Whether every test passes."""
        return all(test.passes for test in self.tests)


@dataclass(frozen=True)
class HomeScope:
    """The places of one home and the proposals under way; what ``tiers.scope.Scope`` asks for."""

    survey: Survey
    proposals: tuple[Proposal, ...] = ()

    @property
    def places(self) -> tuple[Place, ...]:
        """The places that exist, those allowed first; each refused one with its reason."""
        raise NotImplementedError

    @property
    def pending(self) -> frozenset[str]:
        """Identities (without suffix) of entries with a proposal that something may still come of."""
        raise NotImplementedError

    def place(self, path: str) -> Place:
        """What is known of the destination that ``path`` spells (a bare name is a local skill)."""
        raise NotImplementedError

    def trigger(self, entry: Entry) -> str:
        """A trigger from the entry's own words, ``""`` where they name none."""
        raise NotImplementedError

    def suggested(self, entry: Entry) -> Move:
        """A proposal for an entry: trigger, the path of a new local skill, description line, privacy."""
        raise NotImplementedError

    def tests(self, entry: Entry, stands: Stands, move: Move, *, autonomous: bool) -> tuple[Tested, ...]:
        """Every test with its verdict: ``autonomous`` for the pass's own act, else for a proposal."""
        raise NotImplementedError

    def added(self, place: Place, quote: str) -> str:
        """The text of a live place with ``quote`` in it; raises ``ValueError`` with a sentence."""
        raise NotImplementedError

    def holds(self, text: str, quote: str) -> bool:
        """Whether ``text`` holds ``quote`` line by line, to the byte but for line ends."""
        raise NotImplementedError

    def candidates(self, snapshot: Snapshot) -> tuple[Candidate, ...]:
        """All entries with every test's verdict as a proposal, largest first."""
        raise NotImplementedError
