"""Carrying an act on a note tree out: all of its files in one transaction, in an order that loses nothing.

Notes come first, new and changed ones, then the indexes and ``quota.lock``, then what is removed: a note that
is renamed, moved or merged stands in its new place before it goes from the old one, so that a kill shows it
twice at worst. The ranks of a transaction say that already: a note is written like a destination, what leads
to it and what is removed like memory.
"""

from __future__ import annotations

import os
import posixpath
import stat
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from floppy_tui.notes.index import INDEX, ROUTER
from floppy_tui.notes.planned import Edit, Planned
from floppy_tui.notes.quota import FILE as QUOTA
from floppy_tui.store.files import StoreError, shown
from floppy_tui.store.transaction import Audit, Change, Rank, apply
from floppy_tui.store.tree_files import Reading, read_files
from floppy_tui.store.tree_home import TreeHome
from floppy_tui.text.lines import encode

_PRIVATE = 0o600


def carry_out(home: TreeHome, planned: Planned, before: Reading, now: datetime) -> str:
    """Do what is planned on ``before``, a reading of this moment; the act's id, empty for no change.

    Raises ``StoreError`` with every byte as it was: ``Conflict`` where a file is not what was planned on.
    """
    for path in planned.edits:
        _check(path, before.linked)
    changes = [
        Change(
            home.root / path,
            None if edit.before is None else encode(edit.before),
            None if edit.after is None else encode(edit.after),
            _rank(path, edit),
            mode=_mode(home, path, planned.edits),
        )
        for path, edit in sorted(planned.edits.items(), key=_order)
    ]
    audit = _audit(home, planned, before)
    # Under the memory alone: it is put back whether it is opened by its repository or by itself.
    return apply(
        home.own_state, home.root, changes, act=planned.act, message=planned.message, now=now, audit=audit
    )


def _check(path: str, linked: Iterable[str]) -> None:
    """Raise ``StoreError`` where ``path`` is none that an act may write."""
    if any(path.startswith(f"{scope}/") for scope in linked):
        raise StoreError(f"{path} lies in another repository, behind a link, and is not written here.")
    if not all(part not in ("", ".", "..") for part in path.split("/")):
        raise StoreError(f"{path} does not lie below the memory directory; correct the path.")


def _order(pair: tuple[str, Edit]) -> tuple[bool, bool, str]:
    path, edit = pair
    return edit.after is None, _leads(path), path


def _rank(path: str, edit: Edit) -> Rank:
    return Rank.MEMORY if edit.after is None or _leads(path) else Rank.DESTINATION


def _leads(path: str) -> bool:
    return posixpath.basename(path) in (ROUTER, INDEX, QUOTA)


# -- modes


def _mode(home: TreeHome, path: str, edits: Mapping[str, Edit]) -> int:
    """What a new file is made with.

    A note that moves keeps its mode. One that git shares is as readable as the index that leads to it, all
    others are private.
    """
    came = _came_from(path, edits)
    if came is not None:
        return mode_like([home.root / came], mask=0o7777)
    if home.git is None or path.startswith(f"{home.config.private_dir}/"):
        return _PRIVATE
    above = posixpath.dirname(path)
    beside = [home.root / above / INDEX]
    while above:
        above = posixpath.dirname(above)
        beside.append(home.root / above / INDEX)
    return mode_like([*beside, home.root / ROUTER])


def mode_like(places: Iterable[Path], *, mask: int = 0o666) -> int:
    """The permission bits of the first of ``places`` that is there, else those of a private file."""
    for place in places:
        with suppress(OSError):
            return stat.S_IMODE(os.lstat(place).st_mode) & mask
    return _PRIVATE


def _came_from(path: str, edits: Mapping[str, Edit]) -> str | None:
    """The file that moves to ``path``: of its name, or the only one that goes while only this one comes."""
    gone = [p for p, edit in edits.items() if edit.after is None]
    same = [p for p in gone if posixpath.basename(p) == posixpath.basename(path)]
    if len(same) == 1:
        return same[0]
    come = [p for p, edit in edits.items() if edit.before is None]
    return gone[0] if len(gone) == 1 and come == [path] else None


# -- the account


def _audit(home: TreeHome, planned: Planned, before: Reading) -> Audit:
    """What looks at the whole tree afterwards: every file is there that the act did not remove."""

    def audited(held: Mapping[Path, bytes | None]) -> Sequence[str]:
        after = read_files(home.root, home.scopes(), before)
        removed = {path for path, edit in planned.edits.items() if edit.after is None}
        wrong = [f"{path} is still there" for path in removed & after.files.keys()]
        for path, edit in planned.edits.items():
            read = after.files.get(path)
            if edit.after is not None and (read is None or read.text != edit.after):
                wrong.append(f"{path} does not hold what was planned")
        lost = before.files.keys() - after.files.keys() - removed
        wrong += [f"{path} is gone, or can no longer be read" for path in lost]
        return [shown(Path(said)) for said in sorted(wrong)]

    return audited
