"""Sample homes and note trees, built by code: for ``floppy-tui demo``, the screenshots and the tests alike.

The content is invented. Its dates are relative to the day that the caller names, so that a sample home is
as stale on any day as on any other.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from shutil import which

from floppy_tui.demo.home import committed, files
from floppy_tui.demo.large import build_large
from floppy_tui.demo.lay import NotEmpty, lay
from floppy_tui.demo.many_trees import build_auto, build_tree
from floppy_tui.demo.repositories import establish
from floppy_tui.demo.ugly import Ugly, build_ugly
from floppy_tui.demo.ugly_trees import UglyTree, build_ugly_tree

__all__ = [
    "NotEmpty",
    "Ugly",
    "UglyTree",
    "build",
    "build_auto",
    "build_large",
    "build_tree",
    "build_ugly",
    "build_ugly_tree",
    "files",
]


def build(directory: Path, today: date, *, say: Callable[[str], None] = lambda said: None) -> Path:
    """Lay the rich sample home out in ``directory``, new or empty, and return it.

    It is a git repository, and one project is cloned below it; where git cannot make them, ``say`` is told
    so in a sentence and the rest is there all the same. Its queue of proposals is where it belongs on this
    machine: in the backlog, or in a file where the backlog tool is missing.

    Raises ``NotEmpty`` (a ``StoreError``, one sentence) where something is there already.
    """
    found = files(today, tool=which("tasks-axi") is not None)
    lay(directory, found)
    if why := establish(directory.resolve(), committed(found), today):
        say(why)
    return directory
