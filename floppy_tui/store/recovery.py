"""Acts that did not come to their end: found in the journal, put back or finished."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from floppy_tui.store.acts import open_acts, seems_open, set_aside, unsettled
from floppy_tui.store.files import Directory, Refusal, StoreError, parent, read_below, refusing, shown
from floppy_tui.store.journal import Closed, Damaged, Journal, Rank, Standing, discard
from floppy_tui.store.lock import holding
from floppy_tui.store.target import Conflict, Opened, Refused, Target

Roots = Path | Sequence[Path]
"""The resolved directories that the files of an act must lie under."""


class RollBackFailed(StoreError):
    """An act that could not be wholly put back; its journal stays open for another try."""

    def __init__(self, id: str, reason: str, failures: Sequence[str]) -> None:
        super().__init__(id, reason, failures)
        self.id = id
        self.reason = reason
        self.failures = tuple(failures)

    def __str__(self) -> str:
        failed = "; ".join(self.failures)
        return f"{self.reason}, and it could not be wholly put back: {failed}; roll back {self.id} again"


@dataclass(frozen=True, slots=True)
class OpenJournal:
    """An act that was interrupted: what it was, and where each of its files stands."""

    id: str
    act: str
    at: str
    pid: int
    host: str
    files: tuple[tuple[Path, Standing], ...]


def open_journals(state: Path, root: Roots, *, now: datetime, timeout: float = 10.0) -> list[OpenJournal]:
    """The acts that were interrupted, oldest first; one still under way is waited for (``Busy``).

    Nothing is locked or written where none is open. A half-entered act changed nothing and is
    discarded; a damaged one is left to ``recover``.
    """
    found: list[OpenJournal] = []
    if seems_open(state):
        with holding_acts(state, act="look for interrupted acts", now=now, timeout=timeout) as acts:
            for name in interrupted(acts):
                with suppress(Damaged), Journal.load(acts, name) as journal:
                    found.append(_described(journal, listed(root)))
    return found


def roll_back(state: Path, root: Roots, id: str, *, now: datetime, timeout: float = 10.0) -> list[str]:
    """Bring every file of the interrupted act ``id`` back; returns, in sentences, what was done and left.

    A file that holds neither its before- nor its after-bytes is left alone and named. Raises
    ``RollBackFailed`` where one could not be put back: then the act stays open.
    """
    with (
        holding_acts(state, act="roll back", now=now, timeout=timeout) as acts,
        Journal.load(acts, id) as journal,
    ):
        return _roll_back(acts, journal, listed(root), now)


def recover(state: Path, root: Roots, *, now: datetime, timeout: float = 10.0) -> list[str]:
    """Roll every interrupted act back, the last first; returns, in sentences, what was done and left.

    Nothing is locked or written where none is open. Raises ``Busy``, ``Refusal``, ``Refused`` or
    ``RollBackFailed``.
    """
    said: list[str] = []
    if seems_open(state):
        with holding_acts(state, act="recover", now=now, timeout=timeout) as acts:
            for name in reversed(interrupted(acts)):
                try:
                    with Journal.load(acts, name) as journal:
                        said += _roll_back(acts, journal, listed(root), now)
                except Damaged as damaged:
                    said += [str(damaged), f"it is kept in {shown(set_aside(acts, name))}"]
    return said


def finish(state: Path, root: Roots, id: str, *, now: datetime, timeout: float = 10.0) -> list[str]:
    """Write the rest of the interrupted act ``id``; returns, in sentences, what was done.

    Raises ``Conflict``, with nothing written, where a file holds neither its before- nor its
    after-bytes; whatever else stops it leaves the act open.
    """
    roots = listed(root)
    with (
        holding_acts(state, act="finish", now=now, timeout=timeout) as acts,
        Journal.load(acts, id) as journal,
        Opened() as opened,
    ):
        if journal.intent.checked:
            raise Refused(f"{_called(journal)} was looked at on its way; roll it back and do it again")
        roots = roots[: len(journal.intent.roots)]
        files = _described(journal, roots).files
        for path, standing in files:
            if standing not in (Standing.BEFORE, Standing.AFTER):
                raise Conflict(path)
        make_directories(journal, roots)
        for number, (path, _) in enumerate(files):
            _finish_one(Target.open(journal, number, path, roots, opened), journal)
        with refusing(journal.directory.path):
            journal.close(Closed("applied", now.isoformat(timespec="seconds")))
        return [f"{_called(journal)} was interrupted and has been finished"]


def _finish_one(target: Target, journal: Journal) -> None:
    with refusing(target.path):
        current = target.directory.read(target.name)
        before, after = journal.texts(target.number, current)
        if current != after:
            if after is not None:
                target.stage(after, journal)
            target.install(after, before, journal, keep=True)
        target.settle(after, before)
        target.clean(journal)


def _roll_back(acts: Directory, journal: Journal, roots: Sequence[Path], now: datetime) -> list[str]:
    begun_on = journal.begun_on()
    roots = roots[: len(begun_on)]
    if begun_on != list(roots):
        # A home that was moved or copied stands as the act left it; another one does not.
        sound = (Standing.BEFORE, Standing.AFTER)
        if len(begun_on) != len(roots) or any(s not in sound for _, s in _described(journal, roots).files):
            names = " and ".join(shown(path) for path in begun_on)
            raise Refused(f"{_called(journal)} was begun on {names}; open it as it was opened then")
    left, failures = put_back(acts, journal, roots, now)
    if failures:
        raise RollBackFailed(journal.id, f"{_called(journal)} was interrupted", failures)
    return [f"{_called(journal)} was interrupted and has been rolled back", *left]


def put_back(
    acts: Directory,
    journal: Journal,
    roots: Sequence[Path],
    now: datetime,
    *,
    spared: Path | None = None,
) -> tuple[list[str], list[str]]:
    """Bring each file of an act back, the last written first, and end the act.

    The directories that it made go with it; where another process made them, all of its that are empty.
    Returns, in sentences, what was left alone, and what failed: where anything did, the act stays open.
    A file below one that may lack what the act took from it keeps what it got: better twice than never.
    ``spared`` is a file that is known to hold nothing of the act.
    """
    left: list[str] = []
    failures: list[str] = []
    blocked = 0
    targets: list[Target] = []
    with Opened() as opened:
        for number, path in reversed(list(enumerate(journal.paths(roots)))):
            entry = journal.intent.files[number]
            try:
                if entry.rank == Rank.RULE and not failures:
                    # Nothing that it hid may be left, not even for the moment of a kill.
                    _clean(targets, journal)
                with refusing(path):
                    target = Target.open(journal, number, path, roots, opened)
                    targets.append(target)
                    if path == spared:
                        continue
                    if entry.rank < blocked and target.gained(journal):
                        left.append(f"{shown(path)} keeps what the act added, so that nothing is lost")
                    elif not target.put_back(journal):
                        left.append(f"{shown(path)} holds what someone else wrote and is left alone")
                        if not target.untouched():
                            blocked = max(blocked, entry.rank)
            except Refusal as refusal:
                if refusal.what == "vanished" and entry.before is None:
                    continue  # its directory was not made yet
                (failures if refusal.what in TRANSIENT else left).append(str(refusal))
                blocked = max(blocked, entry.rank)
            except Damaged as damaged:
                left.append(str(damaged))
                blocked = max(blocked, entry.rank)
        if not failures:
            try:
                _clean(targets, journal)
                _end(acts, journal, roots, left, now)
            except StoreError as error:
                failures.append(str(error))
    return left, failures


def _clean(targets: Sequence[Target], journal: Journal) -> None:
    for target in targets:
        with refusing(target.path):
            target.clean(journal)


def _end(acts: Directory, journal: Journal, roots: Sequence[Path], left: list[str], now: datetime) -> None:
    """Close an act that was put back; where all of it was, nothing of it is kept."""
    for path in reversed(journal.made(roots)):
        if journal.mine is not None and path not in journal.mine:
            continue
        with suppress(OSError, Refusal), parent(path, roots) as directory:
            os.rmdir(path.name, dir_fd=directory.fd)
    with refusing(journal.directory.path):
        journal.drop_displaced()
        paths = journal.paths(roots)
        for number, other in (*journal.others, *journal.written_to()):
            left.append(f"what someone else wrote to {shown(paths[number])} is kept in {shown(other)}")
        if left:
            journal.close(Closed("rolled-back", now.isoformat(timespec="seconds"), left))
        else:
            discard(acts, journal.id)


TRANSIENT = ("io-error", "no-space", "read-only", "unreadable", "changing")
"""Refusals that another try may not meet."""


def make_directories(journal: Journal, roots: Sequence[Path]) -> None:
    """Make the directories that an act needs, where they are missing; raises ``Refusal``."""
    for path in journal.made(roots):
        with refusing(path), parent(path, roots) as directory:
            directory.make(path.name)


def make_over_nothing(journal: Journal, roots: Sequence[Path], files: Sequence[Path]) -> None:
    """Make those of an act's directories that ``files`` lie in.

    Raises ``Conflict`` about the file where a directory has appeared since the act was entered.
    """
    mine = journal.mine = journal.mine or []
    for path in journal.made(roots):
        file = next((file for file in files if path in file.parents), None)
        if file is None or path in mine:
            continue
        with refusing(path), parent(path, roots) as directory:
            try:
                directory.add(path.name)
            except FileExistsError:
                raise Conflict(file) from None
            mine.append(path)
            directory.sync()


def listed(root: Roots) -> list[Path]:
    """``root`` as a list."""
    return [root] if isinstance(root, Path) else list(root)


@contextmanager
def holding_acts(state: Path, *, act: str, now: datetime, timeout: float) -> Iterator[Directory]:
    """Hold the lock of ``state`` and yield the directory of its acts."""
    with holding(state, act=act, now=now, timeout=timeout) as directory:
        with refusing(state):
            acts = open_acts(directory)
        with acts:
            yield acts


def interrupted(acts: Directory) -> list[str]:
    """The ids of the acts that did not come to their end, oldest first; raises ``Refusal``."""
    with refusing(acts.path):
        return unsettled(acts)


def _described(journal: Journal, roots: Sequence[Path]) -> OpenJournal:
    intent = journal.intent
    files = []
    for entry, path in zip(intent.files, journal.paths(roots), strict=True):
        try:
            standing = entry.standing(read_below(path, roots))
        except Refusal:
            standing = Standing.NEITHER
        files.append((path, standing))
    return OpenJournal(intent.id, intent.act, intent.at, intent.pid, intent.host, tuple(files))


def _called(journal: Journal) -> str:
    return f"the act “{journal.intent.act}” of {journal.intent.at}"
