"""The acts on a note tree, each planned as the bytes before and after."""

from __future__ import annotations

from floppy_tui.notes.deleting import delete
from floppy_tui.notes.drafting import applied, join
from floppy_tui.notes.limits import over
from floppy_tui.notes.making import covering, new_note
from floppy_tui.notes.merging import merge, proposed_merge_body
from floppy_tui.notes.raising import commit_refusal, raise_quota
from floppy_tui.notes.renaming import rename
from floppy_tui.notes.rewriting import recheck, rewrite
from floppy_tui.notes.splitting import proposed_split, split_index

__all__ = [
    "applied",
    "commit_refusal",
    "covering",
    "delete",
    "join",
    "merge",
    "new_note",
    "over",
    "proposed_merge_body",
    "proposed_split",
    "raise_quota",
    "recheck",
    "rename",
    "rewrite",
    "split_index",
]
