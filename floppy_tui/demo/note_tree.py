"""The note tree of the rich sample home: a floppy memory in the home's own repository, as bytes by path."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from floppy_tui.demo import note_status, note_texts
from floppy_tui.demo.dated import dated
from floppy_tui.demo.quotas import quota_lock
from floppy_tui.notes.profiles import MEMORY_DIR, STATUSES_NOW
from floppy_tui.notes.quota import FILE
from floppy_tui.text.lines import decode

CONFIG = ".floppy/config"
HEAT = ".floppy/heat.log"
JOURNAL = "docs/statuses/JOURNAL.md"
PRIVATE = f"{MEMORY_DIR}/private/"
ROOTS = (".floppy/", f"{MEMORY_DIR}/", "docs/statuses/")
"""Where the files of a tree lie."""
IGNORED = f"/{PRIVATE}\n".encode()
"""What ``.gitignore`` says because of the tree."""
EXCLUDED = f"/{HEAT}*\n"
"""What only this machine keeps out of the repository; whoever logs heat writes it there."""
TIGHT = {"ferry": 97}
"""Halves near their ceiling, in percent."""


def tree(today: date) -> dict[str, bytes]:
    """The note tree's files by their paths below the home's root, every date relative to ``today``."""
    own = {path: dated(text, today) for path, text in (note_texts.INDEXES | note_texts.NOTES).items()}
    quota = quota_lock({path: decode(data) for path, data in own.items()}, TIGHT)
    private = {path: dated(text, today) for path, text in note_texts.PRIVATE.items()}
    return {
        CONFIG: note_status.CONFIG.encode(),
        HEAT: dated(note_status.HEAT, today),
        STATUSES_NOW: dated(note_status.NOW, today),
        JOURNAL: dated(note_status.JOURNAL, today),
        f"{MEMORY_DIR}/{FILE}": quota.encode(),
        **{f"{MEMORY_DIR}/{path}": data for path, data in (own | private).items()},
    }


def committed(found: Mapping[str, bytes]) -> dict[str, bytes]:
    """What of the tree's files among ``found`` its repository holds: no heat, and nothing private."""
    return {
        path: data
        for path, data in found.items()
        if path.startswith(ROOTS) and path != HEAT and not path.startswith(PRIVATE)
    }
