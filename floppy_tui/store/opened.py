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


def open_any(
    path: Path | None,
    *,
    env: Mapping[str, str] = os.environ,
    cwd: Path | None = None,
    today: Callable[[], date] | None = None,
) -> Opened:
    """The stores of ``path``, of the home that ``env`` names, or of the nearest place around ``cwd``.

    A directory that holds only a note tree has no home; raises ``NoHome`` where it holds neither.
    """
    from floppy_tui.store.note_tree import NoTree, open_tree

    here = cwd or Path.cwd()
    named = path if path is not None else Path(env[HOME_VARIABLE]) if env.get(HOME_VARIABLE) else None
    if named is not None:
        place = Path(os.path.realpath(here / named))
        notes, why = _tree(place, env, here)
        if notes is not None and not looks_like_home(place):
            return Opened(None, notes)
        home = Store.open(path, env=env, cwd=here, today=today)
        if notes is None and why and not looks_like_home(place):
            raise NoHome(why)
        return Opened(home, notes)
    start = Path(os.path.realpath(here))
    for place in (start, *start.parents):
        if looks_like_home(place):
            return Opened(Store.open(place, env=env, cwd=here, today=today), _tree(place, env, here)[0])
        try:
            return Opened(None, open_tree(place, env=env, cwd=here))
        except NoTree:
            continue
    raise NoHome(
        f"There is neither a home nor a note tree at or above {start}; name one with --home PATH or "
        f"{HOME_VARIABLE}, or try `floppy-tui demo`."
    )


def _tree(place: Path, env: Mapping[str, str], cwd: Path) -> tuple[NoteStore | None, str]:
    from floppy_tui.store.note_tree import NoTree, open_tree

    try:
        return open_tree(place, env=env, cwd=cwd), ""
    except NoTree as why:
        return None, str(why)
