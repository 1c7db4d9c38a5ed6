"""All acts in the journal: which of them are open, and how many of the others are kept."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from floppy_tui.store.files import Directory
from floppy_tui.store.journal import CLOSED, ID, INTENT, Damaged, Journal, discard
from floppy_tui.store.state import JOURNAL

KEPT = 50
"""How many closed acts are kept for undo."""


def open_acts(state: Directory) -> Directory:
    """The directory of all acts, made where it is missing."""
    return Directory.open(state.path, [JOURNAL], create=True)


def seems_open(state: Path) -> bool:
    """Whether an act is open, interrupted or under way: seen without the lock, from the outside."""
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(state / JOURNAL) as listing:
        return any(
            ID.fullmatch(entry.name) and not os.path.lexists(os.path.join(entry.path, CLOSED))
            for entry in listing
        )
    return False


def unsettled(acts: Directory) -> list[str]:
    """The ids of the acts that were begun and not closed, oldest first; half-entered ones are discarded."""
    found = []
    for name in acts.names():
        if not ID.fullmatch(name):
            continue
        with Directory.open(acts.path, [name]) as directory:
            entered = directory.status(INTENT) is not None
            closed = directory.status(CLOSED) is not None
        if not entered:
            discard(acts, name)
        elif not closed:
            found.append(name)
    return found


def set_aside(acts: Directory, name: str) -> Path:
    """Take a damaged act out of the journal, keeping all that is in it; returns where it is now."""
    acts.move(name, f"damaged-{name}")
    acts.sync()
    return acts.path / f"damaged-{name}"


def prune(acts: Directory) -> None:
    """Keep the last acts for undo, and displaced files only of the newest, or where they were written to."""
    names = [name for name in acts.names() if ID.fullmatch(name)]
    for name in names[:-KEPT]:
        discard(acts, name)
    for name in names[-KEPT:-1]:
        with suppress(Damaged), Journal.load(acts, name) as journal:
            journal.drop_displaced()
