"""``quota.lock`` of a sample note tree: its numbers are measured on the corpus, as they are meant to be."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from floppy_tui.notes.profiles import Config, Profile
from floppy_tui.notes.quota import HALF, POINTER_LINE_MAX
from floppy_tui.notes.tree import build_tree

ROOM = 135
"""Percent of what is there that the comfortable ceilings allow."""


def quota_lock(notes: Mapping[str, str], tight: Mapping[str, int]) -> str:
    """The text of a ``quota.lock`` for ``notes`` (notes and indexes by path below the memory directory).

    ``tight`` names halves and how many percent of their ceiling are used; the corpus, the longest note and
    the index with the most pointers have room.
    """
    tree = build_tree(notes, Profile.FLOPPY, Config(), date.min)
    longest = max(note.chars for note in tree.own)
    pointers = max(len(index.pointers) for index in tree.indexes)
    lines = [
        f"chars_max={_comfortable(tree.chars)}",
        f"note_chars_max={_comfortable(longest)}",
        f"pointers_max={pointers * ROOM // 100 + 2}",
        f"pointer_line_max={POINTER_LINE_MAX}",
    ]
    lines += [f"{HALF}{half}={tree.half_chars[half] * 100 // used}" for half, used in tight.items()]
    return "\n".join((*lines, "grandfathered=", ""))


def _comfortable(chars: int) -> int:
    return -(-chars * ROOM // 100 // 500) * 500
