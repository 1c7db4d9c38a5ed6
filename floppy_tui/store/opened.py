"""What a path holds: a tiered home, a note tree, or both at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from floppy_tui.store.accounting import HOME_VARIABLE, NoHome, looks_like_home
from floppy_tui.store.files import shown
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
    if named is None:
        return _nearest(Path(os.path.realpath(here)), env, here, today, later)
    place = Path(os.path.realpath(here / named))
    if looks_like_home(place):
        return _beside(Store.open(path, env=env, cwd=here, today=today), place, env, here, later)
    notes, why = _tree(here / named, env, here)
    if notes is not None:
        return Opened(None, notes)
    home = Store.open(path, env=env, cwd=here, today=today)
    if home.home.data != place / "data":
        # The environment replaces its directories, so that nothing below its root need look like it.
        return Opened(home, None)
    raise NoHome(
        why
        or f"{shown(place)} holds neither a home nor a note tree; name a directory that holds data/ and "
        "config/, a repository with a memory, or the memory directory."
    )


def _nearest(
    start: Path, env: Mapping[str, str], cwd: Path, today: Callable[[], date] | None, later: bool
) -> Opened:
    why = ""
    for place in (start, *start.parents):
        if looks_like_home(place):
            return _beside(Store.open(place, env=env, cwd=cwd, today=today), place, env, cwd, later)
        notes, said = _tree_near(place, env, cwd)
        if notes is None:
            # A memory that should be there and is not: said, where nothing else is found either.
            why = why or said
            continue
        root = notes.home.repository or notes.home.root.parent
        if looks_like_home(root):
            both = _beside(Store.open(root, env=env, cwd=cwd, today=today), root, env, cwd, later=False)
            if both.notes is not None and both.notes.home.root == notes.home.root:
                return both
        return Opened(None, notes)
    raise NoHome(
        why
        or f"There is neither a home nor a note tree at or above {shown(start)}; name one with --home PATH "
        f"or {HOME_VARIABLE}, or try `floppy-tui demo`."
    )


def _beside(home: Store, place: Path, env: Mapping[str, str], cwd: Path, later: bool) -> Opened:
    """A home with the tree that lies in it."""

    def find() -> NoteStore:
        from floppy_tui.store.note_tree import open_tree

        return open_tree(place, env=env, cwd=cwd)

    return Opened(home, None, find) if later else Opened(home, _tree(place, env, cwd)[0])


def _tree(place: Path, env: Mapping[str, str], cwd: Path) -> tuple[NoteStore | None, str]:
    """The note tree at ``place``, which somebody named, or why there is none though there should be one."""
    from floppy_tui.store.note_tree import NoTree, open_tree
    from floppy_tui.store.tree_home import tree_at

    try:
        there = tree_at(Path(os.path.realpath(place)), Path(os.path.abspath(place))) is not None
        return open_tree(place, env=env, cwd=cwd) if there else None, ""
    except NoTree as why:
        return None, str(why)


def _tree_near(place: Path, env: Mapping[str, str], cwd: Path) -> tuple[NoteStore | None, str]:
    """Like ``_tree``, for a place that nobody named."""
    from floppy_tui.store.note_tree import NoTree, open_tree
    from floppy_tui.store.tree_home import tree_near

    try:
        return open_tree(place, env=env, cwd=cwd) if tree_near(place) is not None else None, ""
    except NoTree as why:
        return None, str(why)
