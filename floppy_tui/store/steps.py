"""One migration under way: what it works on, and each of its steps as it runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from floppy_tui.offload.destinations import Survey
from floppy_tui.offload.proposal import Proposal
from floppy_tui.offload.removing import Removal, unaccounted
from floppy_tui.store.files import StoreError
from floppy_tui.store.home import Home
from floppy_tui.store.repository import Answer, Repository
from floppy_tui.store.tasks import Tasks
from floppy_tui.store.transaction import Between, Change, Rank, apply
from floppy_tui.text.lines import decode, encode
from floppy_tui.tiers.scope import Place


class Ran(NamedTuple):
    """One step that ran."""

    number: int
    """Of the seven, from 1."""
    title: str
    command: str
    """What was run, as a shell takes it, or which file was written."""
    result: str
    ok: bool


class Stopped(StoreError):
    """A step that did not go well; its ``str`` says why."""


@dataclass
class Run:
    """What one migration works on; the routes to a destination take their steps on it."""

    home: Home
    roots: Sequence[Path]
    """Where the files of its act lie, the repository's shared git directory last."""
    proposal: Proposal
    place: Place
    seen: Survey
    now: datetime
    on_step: Callable[[Ran], None]
    tasks: Tasks | None = None
    steps: list[Ran] = field(default_factory=list)
    wrote: bool = False
    """Whether its act was begun, so that something may have to be taken back."""
    _under_way: tuple[int, str, str] | None = None

    @property
    def quote(self) -> str:
        """The migration's source of truth."""
        return self.proposal.quote

    @property
    def repository(self) -> Repository:
        """The repository around the home."""
        return Repository(self.home.root)

    # -- steps

    def begin(self, number: int, title: str, *commands: Answer | str) -> None:
        """Go on to the next step; whatever fails from here on fails in it."""
        lines = [command.line if isinstance(command, Answer) else command for command in commands]
        self._under_way = (number, title, " && ".join(lines))

    def add(self, *answers: Answer) -> None:
        """Show further commands with the step under way."""
        assert self._under_way is not None
        number, title, command = self._under_way
        lines = [*([command] if command else []), *(answer.line for answer in answers)]
        self._under_way = (number, title, " && ".join(lines))

    def done(self, result: str) -> None:
        """The step under way went well."""
        self._end(result, ok=True)

    def failed(self, why: str) -> int:
        """The step under way, or the last one, did not go well; its number."""
        if self._under_way is not None:
            self._end(why, ok=False)
        return self.steps[-1].number

    def need(self, answer: Answer, why: str = "") -> None:
        """Stop where git did not answer well, with its own words."""
        if not answer.ok:
            raise Stopped(f"{why}: {answer.words}" if why else answer.words)

    def tell(self, ran: Ran) -> None:
        """Show a step."""
        self.steps.append(ran)
        self.on_step(ran)

    def _end(self, result: str, *, ok: bool) -> None:
        assert self._under_way is not None
        number, title, command = self._under_way
        self._under_way = None
        self.tell(Ran(number, title, command, result, ok))

    # -- the act

    def memory(self, removal: Removal) -> Change:
        """The memory file without the entry."""
        path = self.home.path(removal.file)
        return Change(path, encode(removal.before), encode(removal.after), Rank.MEMORY)

    def act(
        self,
        changes: Sequence[Change],
        removal: Removal,
        between: Between | None = None,
        *,
        unheld: Callable[[Mapping[Path, bytes | None]], str] = lambda held: "",
    ) -> None:
        """Write ``changes`` as one act, the entry's removal the last of them, and audit it.

        ``unheld`` says why the destination, as it was read back, does not hold the quote, ``""`` where it
        does. Raises ``StoreError`` with every byte as it was.
        """
        memory = self.home.path(removal.file)

        def audit(held: Mapping[Path, bytes | None]) -> Sequence[str]:
            return [*filter(None, [unheld(held)]), *unaccounted(removal, decode(held[memory] or b""))]

        self.wrote = True
        apply(
            self.home.own_state,
            self.roots,
            changes,
            act=f"migration of {self.proposal.id} to {self.place.path}",
            now=self.now,
            audit=audit,
            between=between,
        )

    def removed(self, removal: Removal) -> None:
        """End the step that takes the entry out."""
        left = (
            f"the line “{removal.pointer}” stands in its place" if removal.pointer else "no pointer is left"
        )
        self.done(
            f"The entry left {removal.file}, every other one is as it was, and {left}; "
            f"{removal.relief} estimated tokens are free."
        )

    def begin_removal(self, removal: Removal) -> None:
        """The step that takes the entry out begins."""
        self.begin(6, "Remove the entry from its memory file", f"write {removal.file}")
