"""The acts on a note tree, each planned as the bytes before and after."""

from __future__ import annotations

from floppy_tui.notes.deleting import delete
from floppy_tui.notes.drafting import applied, join
from floppy_tui.notes.limits import over
from floppy_tui.notes.making import covering, new_note
from floppy_tui.notes.renaming import rename
from floppy_tui.notes.rewriting import recheck, rewrite

__all__ = ["applied", "covering", "delete", "join", "new_note", "over", "recheck", "rename", "rewrite"]
