"""Taking back an act that was done, and doing it again: itself an act, journaled, audited and kept.

An act can be undone while every file of it holds what it left. Its order is turned round: what went into
the archive or to a destination is taken from there last, so that a kill shows it twice and never loses it.
Doing an undone act again is to undo the undoing.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
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
_UNDO, _REDO = "undo of ", "redo of "
_STAYS = {
    "stow pass of ": "What the pass did outside the memory stays: its receipt, backlog items and proposals.",
    "migration of ": "What the queue and the backlog say of the proposal stays.",
}
"""What is said of an act whose words begin so."""


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
    message: str = ""
    """What a commit of it says; ``""`` where that was not said."""

    @property
    def kind(self) -> str:
        """``done``, ``undone`` or ``rolled-back``."""
        return "rolled-back" if self.rolled_back else "undone" if self.undone else "done"

    @property
    def note(self) -> str:
        """What of it no undoing takes back, as a sentence; ``""`` where that is nothing."""
        words = self.words.removeprefix(_UNDO).removeprefix(_REDO) if self.undoes else self.words
        return next((said for begins, said in _STAYS.items() if words.startswith(begins)), "")


def past(state: Path, roots: Sequence[Path] = ()) -> tuple[Act, ...]:
    """The closed acts, newest first; with ``roots``, each says whether its files let it be undone."""
    kept = _acts(state)
    acts = reversed(_described(kept).values())
    return tuple(_looked(state, roots, act, kept[act.id][0]) if roots else act for act in acts)


def latest(state: Path, roots: Sequence[Path]) -> tuple[Act | None, Act | None]:
    """What undo would take back now, and what redo would do again: None where there is nothing.

    Doing something new ends what could be done again.
    """
    kept = _acts(state)
    origins: dict[str, str] = {}
    done: dict[str, str] = {}
    again: dict[str, str] = {}
    for id, (intent, outcome) in kept.items():
        if outcome != "applied":
            continue
        # What it goes back to may be kept no longer; it is the same one for all that go back to it.
        origin = origins[id] = origins.get(intent.undoes, intent.undoes) or id
        if not intent.undoes:
            again.clear()
        again.pop(origin, None)
        done.pop(origin, None)
        if intent.turned:
            again[origin] = id
        else:
            done[origin] = origin if origin in kept else id
    acts = _described(kept)
    found = [next(reversed(ids.values()), None) for ids in (done, again)]
    undo, redo = (_looked(state, roots, acts[id], kept[id][0]) if id else None for id in found)
    return undo, redo


def undo(state: Path, roots: Sequence[Path], id: str, *, now: datetime) -> str:
    """Take the act ``id`` back; returns the id of the act that did it.

    ``roots`` are those that it was done with, in their order; there may be more. Raises ``NotUndoable``, or
    what ``apply`` raises, with every file as it was.
    """
    kept = _acts(state)
    if id not in kept:
        raise NotUndoable(f"There is no act {id} in the journal; it keeps the last ones only.")
    intent = kept[id][0]
    if why := _over(_described(kept)[id]):
        raise NotUndoable(why)
    changes, made = _turned(state, roots, intent)
    words = intent.act
    if intent.undoes:
        words = words.removeprefix(_UNDO if intent.turned else _REDO)
    done = apply(
        state,
        # Those of the act alone: it is put back by whoever could put that one back.
        roots[: len(intent.roots)],
        changes,
        act=f"{_REDO if intent.turned else _UNDO}{words}",
        now=now,
        audit=lambda held: (),
        undoes=id,
        turned=not intent.turned,
    )
    for directory in reversed(made):
        _remove_empty(directory, roots)
    return done


def redo(state: Path, roots: Sequence[Path], id: str, *, now: datetime) -> str:
    """Do an undone act again: ``id`` is it, or the act that took it back. Like ``undo``."""
    kept = _acts(state)
    if id in kept and not kept[id][0].turned:
        acts = _described(kept).values()
        undoing = [act.id for act in acts if act.undoes == id and act.kind == "done"]
        if not undoing:
            raise NotUndoable("It was not undone, so that there is nothing to do again.")
        id = undoing[-1]
    return undo(state, roots, id, now=now)


def _turned(state: Path, roots: Sequence[Path], intent: Intent) -> tuple[list[Change], list[Path]]:
    """An act's changes turned round, and the directories that it made; raises ``NotUndoable``."""
    changes = []
    try:
        with Directory.open(state, [JOURNAL]) as acts, Journal.load(acts, intent.id) as journal:
            _check_place(journal, roots)
            for number, path in enumerate(journal.paths(roots)):
                entry = intent.files[number]
                current = read_below(path, roots)
                if (current is None) != (entry.after is None):
                    raise _changed(path)
                if entry.after is not None and not entry.after.fits(current):
                    raise _changed(path)
                before, after = journal.texts(number, current)
                rank = Rank(_LAST - min(max(entry.rank, 0), _LAST))
                changes.append(Change(path, after, before, rank, mode=entry.mode))
            made = journal.made(roots)
    except (Damaged, Refusal) as why:
        raise NotUndoable(f"{why}.") from why
    # What comes back comes first, what goes goes last.
    changes.sort(key=lambda c: (c.rank, c.before is not None, c.after is None))
    return changes, made


def _check_place(journal: Journal, roots: Sequence[Path]) -> None:
    """Raise ``NotUndoable`` where the act was done elsewhere; a home that was moved is the same one."""
    begun_on = journal.begun_on()
    for number in {entry.root for entry in journal.intent.files}:
        if number not in range(len(begun_on)):
            raise Damaged(journal.directory.path)
        if number >= len(roots) or (begun_on[number] != roots[number] and begun_on[number].is_dir()):
            raise NotUndoable(f"It was done on {shown(begun_on[number])}; open that to undo it.")


def _changed(path: Path) -> NotUndoable:
    return NotUndoable(
        f"{shown(path)} is no longer what the act left, so that it cannot be undone; change it by hand."
    )


def _over(act: Act) -> str:
    """Why an act cannot be undone whatever its files hold."""
    if act.rolled_back:
        return "It was rolled back, so that there is nothing to undo."
    return "It was undone already." if act.undone else ""


def _looked(state: Path, roots: Sequence[Path], act: Act, intent: Intent) -> Act:
    why = _over(act)
    if not why:
        try:
            _turned(state, roots, intent)
        except StoreError as error:
            why = str(error)
    return replace(act, why_not=why)


def _described(kept: dict[str, tuple[Intent, str]]) -> dict[str, Act]:
    """The acts by their ids, oldest first; none of them is looked at."""
    undone: set[str] = set()
    for id, (intent, outcome) in reversed(kept.items()):
        if outcome == "applied" and intent.undoes and id not in undone:
            undone.add(intent.undoes)
    return {
        id: Act(
            id,
            intent.act,
            intent.at,
            tuple(os.fsdecode(unquote_to_bytes(entry.path)) for entry in intent.files),
            outcome != "applied",
            intent.undoes,
            id in undone,
            message=intent.message,
        )
        for id, (intent, outcome) in kept.items()
    }


def _acts(state: Path) -> dict[str, tuple[Intent, str]]:
    """The closed acts with how they ended, oldest first; what cannot be read is left out."""
    found: dict[str, tuple[Intent, str]] = {}
    journal = Path(os.path.realpath(state / JOURNAL))
    try:
        names = sorted(name for name in os.listdir(journal) if ID.fullmatch(name))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    for name in names:
        with suppress(Refusal, msgspec.MsgspecError), Directory.open(journal, [name]) as directory:
            intent = msgspec.json.decode(directory.read(INTENT) or b"", type=Intent)
            closed = msgspec.json.decode(directory.read(CLOSED) or b"", type=Closed)
            if intent.id == name:
                found[name] = (intent, closed.outcome)
    return found


def _remove_empty(directory: Path, roots: Sequence[Path]) -> None:
    """Remove a directory that an act made, where nothing is in it."""
    with suppress(OSError, Refusal):
        below(directory, roots)
        with parent(directory, roots) as above:
            os.rmdir(directory.name, dir_fd=above.fd)
