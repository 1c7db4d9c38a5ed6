"""One home's places and proposals as the pass and the offload view ask for them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from floppy_tui.offload.candidate import description_of, skill_name_of, tests, trigger_of
from floppy_tui.offload.destinations import LONGEST, Survey, judge, skill_path, spelled
from floppy_tui.offload.placing import added, holds
from floppy_tui.offload.proposal import UNDER_WAY, Proposal, State
from floppy_tui.tiers.courses import Course
from floppy_tui.tiers.decisions import Move
from floppy_tui.tiers.document import Entry
from floppy_tui.tiers.edits import base_id
from floppy_tui.tiers.relocating import stands
from floppy_tui.tiers.scope import Place, PlaceKind, Stands, Tested, akin
from floppy_tui.tiers.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entry with what was found out about living elsewhere."""

    entry: Entry
    trigger: str
    tests: tuple[Tested, ...]
    move: Move
    """What would be proposed."""

    @property
    def passes(self) -> bool:
        """Whether every test passes."""
        return all(test.passes for test in self.tests)


@dataclass(frozen=True)
class HomeScope:
    """The places of one home and the proposals under way; what ``tiers.scope.Scope`` asks for."""

    survey: Survey
    proposals: tuple[Proposal, ...] = ()

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """The places that exist, those allowed first; each refused one with its reason."""
        found = [judge(path, self.survey) for path in self._paths() if spelled(path) == path]
        kinds = list(PlaceKind)
        there = [(place, kinds.index(place.kind)) for place in found if place.kind is not None]
        there.sort(key=lambda pair: (bool(pair[0].refused), pair[1], pair[0].path))
        return tuple(place for place, _ in there)

    def _paths(self) -> Iterable[str]:
        yield from (path for path, facts in self.survey.facts.items() if facts.exists)
        for name, project in self.survey.projects.items():
            yield f"projects/{name}/AGENTS.md"
            yield from (f"projects/{name}/{path}" for path in project.skills)

    @cached_property
    def pending(self) -> frozenset[str]:
        """Identities (without suffix) of entries with a proposal that something may still come of."""
        return frozenset(self._queued)

    @cached_property
    def rejected(self) -> frozenset[str]:
        """Identities of entries that the captain let stay, by the last word on each."""
        last = {p.entry.partition("-")[0]: p.state for p in self.proposals}
        return frozenset(entry for entry, state in last.items() if state is State.REJECTED)

    def place(self, path: str) -> Place:
        """What is known of the destination that ``path`` spells (a bare name is a local skill)."""
        return self._known.get(spelled(path)) or judge(path, self.survey)

    @cached_property
    def _known(self) -> dict[str, Place]:
        return {place.path: place for place in self.places}

    def trigger(self, entry: Entry) -> str:
        """A trigger from the entry's own words, ``""`` where they name none."""
        return trigger_of(entry)

    def suggested(self, entry: Entry) -> Move:
        """A proposal for an entry: trigger, a path, description line, privacy; a pinned one gets a new skill.

        What stands in the queue for it is suggested again, as the captain may have edited it.
        """
        if queued := self._queued.get(base_id(entry)):
            return queued.move
        key = (entry.file, entry.id, entry.digest)
        if key not in self._suggestions:
            trigger = trigger_of(entry)
            taking = None if entry.pinned else self._taking(entry)
            if taking is None:
                move = Move(trigger, self._free(entry), description_of(trigger, entry), "private")
            else:
                move = Move(trigger, taking.path, privacy="private")
            self._suggestions[key] = move
        return self._suggestions[key]

    def _taking(self, entry: Entry) -> Place | None:
        """The live local place that speaks most of what an entry does; a new skill is for pinned ones."""
        live = [p for p in self.places if p.live and not p.refused and p.private]
        best = max(live, key=lambda p: akin(entry.prose, p), default=None)
        return best if best is not None and akin(entry.prose, best) else None

    @cached_property
    def _queued(self) -> dict[str, Proposal]:
        """The first proposal under way of each entry, by identity."""
        under_way = (p for p in reversed(self.proposals) if p.state in UNDER_WAY)
        return {p.entry.partition("-")[0]: p for p in under_way}

    @cached_property
    def _suggestions(self) -> dict[tuple[str, str, str], Move]:
        """What was suggested so far: a pass asks for it after every decision."""
        return {}

    def _free(self, entry: Entry) -> str:
        """The path of a new skill whose name nothing has, and no proposal is for."""
        name = skill_name_of(entry)
        for suffix in ("", *(f"-{n}" for n in range(2, 10)), f"-{entry.id[:6]}"):
            path = skill_path(f"{name[: LONGEST - len(suffix)]}{suffix}")
            place = self.place(path)
            free = place.kind is PlaceKind.NEW_SKILL and path.casefold() not in self._promised
            # A home that nothing may be moved in has no name that would do, and says so by its tests.
            if free and (not place.refused or not self.survey.repository or self.survey.note):
                return path
        return skill_path(name)

    @cached_property
    def _promised(self) -> dict[str, Proposal]:
        """The proposals under way by the case-folded path of their destination."""
        under_way = (p for p in reversed(self.proposals) if p.state in UNDER_WAY)
        return {spelled(p.move.destination).casefold(): p for p in under_way}

    def tests(self, entry: Entry, stands: Stands, move: Move, *, autonomous: bool) -> tuple[Tested, ...]:
        """Every test with its verdict: ``autonomous`` for the pass's own act, else for a proposal."""
        place = self.place(move.destination)
        if not place.refused:
            place = replace(place, refused=self._unfit(entry, place))
        return tests(
            entry,
            stands,
            move,
            place,
            autonomous=autonomous,
            pending=base_id(entry) in self.pending,
            held_by=self._holder(entry, place),
        )

    def _unfit(self, entry: Entry, place: Place) -> str:
        """Why this very entry cannot go to a place that others may go to, as a sentence."""
        if why := self._closed.get(place.path):
            return why
        other = self._promised.get(place.path.casefold())
        if place.kind is PlaceKind.NEW_SKILL and other and other.entry.partition("-")[0] != base_id(entry):
            return f"The proposal {other.id} is to make {place.name}. Choose another name."
        return ""

    @cached_property
    def _closed(self) -> dict[str, str]:
        """Why a live place takes nothing in as its text stands, by path, of those that do not."""
        found = {}
        for place in self.places:
            if place.live:
                try:
                    added(place.text or "", place.path, "Words.")
                except ValueError as why:
                    found[place.path] = str(why)
        return found

    def _holder(self, entry: Entry, chosen: Place) -> str:
        """The path of an owner that holds the entry's very words: the chosen one where it does."""
        first = entry.prose.partition("\n")[0].rstrip("\r")
        holders = [p.path for p in self._by_line.get(first, ()) if holds(p.text or "", entry.prose)]
        if chosen.path in holders:
            return chosen.path
        return holders[0] if holders else ""

    @cached_property
    def _by_line(self) -> dict[str, list[Place]]:
        """The places that may own an entry by each of their lines."""
        found: dict[str, list[Place]] = {}
        for place in self.places:
            if not place.refused and place.text is not None:
                for line in {line.rstrip("\r") for line in place.text.split("\n")}:
                    found.setdefault(line, []).append(place)
        return found

    def added(self, place: Place, quote: str) -> str:
        """The text of a live place with ``quote`` in it; its own text where it holds it already.

        Raises ``ValueError`` with a sentence where it cannot be put in so that it is read as it stands.
        """
        if place.text is None or not place.live:
            raise ValueError(f"{place.path} cannot be given anything now. {place.refused}".strip())
        return place.text if holds(place.text, quote) else added(place.text, place.path, quote)

    def holds(self, text: str, quote: str) -> bool:
        """Whether ``text`` holds ``quote`` line by line, to the byte but for line ends."""
        return holds(text, quote)

    def candidates(self, snapshot: Snapshot) -> tuple[Candidate, ...]:
        """All entries with every test's verdict as a proposal, largest first."""
        found = []
        for entry in snapshot.entries:
            move = self.suggested(entry)
            verdicts = self.tests(entry, stands(snapshot, Course(entry)), move, autonomous=False)
            found.append(Candidate(entry, move.trigger, verdicts, move))
        return tuple(sorted(found, key=lambda candidate: -candidate.entry.tokens))
