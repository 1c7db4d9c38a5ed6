"""Taking back an act that was done, and doing it again: itself an act, journaled, audited and kept.

An act can be undone while every file of it holds what it left. Its order is turned round: what went into
the archive or to a destination is taken from there last, so that a kill shows it twice and never loses it.
Doing an undone act again is to undo the undoing.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from urllib.parse import unquote_to_bytes

import msgspec

from floppy_tui.store.files import Directory, Refusal, StoreError, below, parent, read_below, shown
from floppy_tui.store.journal import CLOSED, ID, INTENT, Change, Closed, Damaged, Intent, Journal, Rank
from floppy_tui.store.state import JOURNAL
from floppy_tui.store.transaction import apply

_LAST = max(Rank)


class NotUndoable(StoreError):
    """Why an act stays as it is, in a sentence."""


@dataclass(frozen=True)
class Act:
    """One act in the journal."""

    id: str
    words: str
    """What it was."""
    when: str
    """When it began, in ISO 8601."""
    files: tuple[str, ...]
    """Their names, as they lie below its roots."""
    rolled_back: bool
    """Whether it came to nothing."""
    undoes: str = ""
    """The act that it took back."""
    undone: bool = False
    """Whether it was taken back itself."""
    why_not: str = ""
    """Why it cannot be undone now, as a sentence; not looked for unless asked."""


def past(state: Path, roots: Sequence[Path] = ()) -> tuple[Act, ...]:
    """The closed acts, newest first; with ``roots``, each says whether its files let it be undone."""
    found = _acts(state)
    undone = _undone(found)
    acts = []
    for intent, outcome in reversed(found):
        act = Act(
            intent.id,
            intent.act,
            intent.at,
            tuple(os.fsdecode(unquote_to_bytes(entry.path)) for entry in intent.files),
            outcome != "applied",
            intent.undoes,
            intent.id in undone,
        )
        acts.append(_looked(state, roots, act) if roots else act)
    return tuple(acts)


def latest(state: Path, roots: Sequence[Path]) -> tuple[Act | None, Act | None]:
    """What undo would take back now, and what redo would do again: None where there is nothing.

    Doing something new ends what could be done again.
    """
    applied = {intent.id: intent for intent, outcome in _acts(state) if outcome == "applied"}
    done: list[str] = []
    redo: list[str] = []
    for id, intent in applied.items():
        chain = [id]
        while applied[chain[-1]].undoes in applied:
            chain.append(applied[chain[-1]].undoes)
        first = chain[-1]
        if applied[first].undoes:
            # What it goes back to is kept no longer.
            continue
        if len(chain) == 1:
            done.append(id)
            redo.clear()
        elif len(chain) % 2 == 0:
            done = [one for one in done if one != first]
            redo.append(id)
        else:
            redo = [one for one in redo if one != intent.undoes]
            done.append(first)
    acts = {act.id: act for act in past(state)}
    found = [_looked(state, roots, acts[ids[-1]]) if ids else None for ids in (done, redo)]
    return found[0], found[1]


def undo(state: Path, roots: Sequence[Path], id: str, *, now: datetime) -> str:
    """Take the act ``id`` back; returns the id of the act that did it.

    ``roots`` are those that it was done with, in their order. Raises ``NotUndoable``, or what ``apply``
    raises, with every file as it was.
    """
    intent, changes, made = _turned(state, roots, id)
    wanted = {change.path: change.after for change in changes}

    def audited(held: Mapping[Path, bytes | None]) -> Sequence[str]:
        return [f"{path.name} is not as it was" for path, data in held.items() if data != wanted[path]]

    words = f"redo of {intent.act.removeprefix('undo of ')}" if intent.undoes else f"undo of {intent.act}"
    done = apply(state, list(roots), changes, act=words, now=now, audit=audited, undoes=id)
    for directory in reversed(made):
        _remove_empty(directory, roots)
    return done


def redo(state: Path, roots: Sequence[Path], id: str, *, now: datetime) -> str:
    """Do again what the act ``id`` took back; like ``undo``."""
    return undo(state, roots, id, now=now)


def _turned(state: Path, roots: Sequence[Path], id: str) -> tuple[Intent, list[Change], list[Path]]:
    """An act's changes turned round, and the directories that it made; raises ``NotUndoable``."""
    found = {intent.id: (intent, outcome) for intent, outcome in _acts(state)}
    if id not in found:
        raise NotUndoable(f"There is no act {id} in the journal; it keeps the last ones only.")
    if found[id][1] != "applied":
        raise NotUndoable("It was rolled back, so that there is nothing to undo.")
    changes = []
    try:
        with Directory.open(state, [JOURNAL]) as acts, Journal.load(acts, id) as journal:
            for number, path in enumerate(journal.paths(roots)):
                entry = journal.intent.files[number]
                current = read_below(path, roots)
                if current is None if entry.after is not None else current is not None:
                    raise _changed(path)
                before, after = journal.texts(number, current)
                if current != after:
                    raise _changed(path)
                rank = Rank(_LAST - min(max(entry.rank, 0), _LAST))
                changes.append(Change(path, after, before, rank, mode=entry.mode))
            made = journal.made(roots)
            intent = journal.intent
    except Damaged as damaged:
        raise NotUndoable(f"{damaged}.") from damaged
    # What comes back comes first, what goes goes last.
    changes.sort(key=lambda c: (c.rank, c.before is not None, c.after is None))
    return intent, changes, made


def _changed(path: Path) -> NotUndoable:
    return NotUndoable(
        f"{shown(path)} is no longer what the act left, so that it cannot be undone; change it by hand."
    )


def _looked(state: Path, roots: Sequence[Path], act: Act) -> Act:
    why = "It was undone already." if act.undone and not act.rolled_back else ""
    if not why:
        try:
            _turned(state, roots, act.id)
        except StoreError as error:
            why = str(error)
    return replace(act, why_not=why)


def _undone(found: Sequence[tuple[Intent, str]]) -> set[str]:
    """The applied acts that were taken back and not done again."""
    undone: set[str] = set()
    for intent, outcome in reversed(found):
        if outcome == "applied" and intent.undoes and intent.id not in undone:
            undone.add(intent.undoes)
    return undone


def _acts(state: Path) -> list[tuple[Intent, str]]:
    """The closed acts with how they ended, oldest first; what cannot be read is left out."""
    found: list[tuple[Intent, str]] = []
    try:
        names = sorted(name for name in os.listdir(state / JOURNAL) if ID.fullmatch(name))
    except (FileNotFoundError, NotADirectoryError):
        return []
    for name in names:
        with (
            suppress(Refusal, msgspec.MsgspecError),
            Directory.open(Path(os.path.realpath(state / JOURNAL)), [name]) as directory,
        ):
            intent = msgspec.json.decode(directory.read(INTENT) or b"", type=Intent)
            closed = msgspec.json.decode(directory.read(CLOSED) or b"", type=Closed)
            found.append((intent, closed.outcome))
    return found


def _remove_empty(directory: Path, roots: Sequence[Path]) -> None:
    """Remove a directory that an act made, where nothing is in it."""
    with suppress(OSError, Refusal):
        below(directory, roots)
        with parent(directory, roots) as above:
            os.rmdir(directory.name, dir_fd=above.fd)
