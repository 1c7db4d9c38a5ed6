"""What a path holds: a tiered home, a note tree, or both at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from floppy_tui.store.accounting import HOME_VARIABLE, NoHome, looks_like_home
from floppy_tui.store.live import Store

if TYPE_CHECKING:
    from floppy_tui.store.note_tree import NoteStore


class Opened(NamedTuple):
    """The stores of one place; at least one is there."""

    home: Store | None
    notes: NoteStore | None
    find_notes: Callable[[], NoteStore] | None = None
    """Opens the note tree of a home, where that was put off; raises ``NoTree`` where the home holds none."""


def open_any(
    path: Path | None,
    *,
    env: Mapping[str, str] = os.environ,
    cwd: Path | None = None,
    today: Callable[[], date] | None = None,
    later: bool = False,
) -> Opened:
    """The stores of ``path``, of the home that ``env`` names, or of the nearest place around ``cwd``.

    A directory that holds only a note tree has no home; raises ``NoHome`` where it holds neither. With
    ``later`` the tree of a home is left to ``find_notes``, because reading of it costs a start too much.
    """
    here = cwd or Path.cwd()
    named = path if path is not None else Path(env[HOME_VARIABLE]) if env.get(HOME_VARIABLE) else None
    if named is not None:
        place = Path(os.path.realpath(here / named))
        if looks_like_home(place):
            return _beside(Store.open(path, env=env, cwd=here, today=today), place, env, here, later)
        notes, why = _tree(place, env, here)
        if notes is not None:
            return Opened(None, notes)
        home = Store.open(path, env=env, cwd=here, today=today)
        if home.home.data != place / "data":
            # The environment replaces its directories, so that nothing below its root need look like it.
            return Opened(home, None)
        raise NoHome(why)
    start = Path(os.path.realpath(here))
    for place in (start, *start.parents):
        if looks_like_home(place):
            return _beside(Store.open(place, env=env, cwd=here, today=today), place, env, here, later)
        notes, _ = _tree(place, env, here)
        if notes is not None:
            return Opened(None, notes)
    raise NoHome(
        f"There is neither a home nor a note tree at or above {start}; name one with --home PATH or "
        f"{HOME_VARIABLE}, or try `floppy-tui demo`."
    )


def _beside(home: Store, place: Path, env: Mapping[str, str], cwd: Path, later: bool) -> Opened:
    """A home with the tree that lies in it."""

    def find() -> NoteStore:
        from floppy_tui.store.note_tree import open_tree

        return open_tree(place, env=env, cwd=cwd)

    return Opened(home, None, find) if later else Opened(home, _tree(place, env, cwd)[0])


def _tree(place: Path, env: Mapping[str, str], cwd: Path) -> tuple[NoteStore | None, str]:
    from floppy_tui.store.note_tree import NoTree, open_tree

    try:
        return open_tree(place, env=env, cwd=cwd), ""
    except NoTree as why:
        return None, str(why)
