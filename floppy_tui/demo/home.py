"""The rich sample home, as bytes by path: one place that says what it is made of."""

from __future__ import annotations

from datetime import date

from floppy_tui.demo import backlog, note_tree, places, proposals
from floppy_tui.demo.captain import CAPTAIN, SHARED
from floppy_tui.demo.cold import ARCHIVE
from floppy_tui.demo.dated import dated
from floppy_tui.demo.tiered import ALLOWED, LEARNINGS
from floppy_tui.store.proposals import FILE
from floppy_tui.tiers import layout

IGNORED = b"/config/\n/data/\n/projects/\n/state/\n"
"""``.gitignore``: tiered memory is private and stays out of the repository that a home often is."""
BACKLOG = "data/backlog.md"


def memory(today: date) -> dict[str, bytes]:
    """The sample memory's files by their paths below its root, every date relative to ``today``."""
    return {
        ".gitignore": IGNORED,
        layout.ALLOWANCE: ALLOWED,
        layout.CAPTAIN: dated(CAPTAIN, today),
        layout.SHARED: dated(SHARED, today),
        layout.LEARNINGS: dated(LEARNINGS, today),
        layout.ARCHIVE: dated(ARCHIVE, today),
    }


def files(today: date, *, tool: bool = True) -> dict[str, bytes]:
    """The sample home's files: its memory, its note tree and all that stands around them.

    The queue of proposals is where it belongs with the backlog ``tool``, or without it.
    """
    found = memory(today) | note_tree.tree(today)
    found[".gitignore"] += note_tree.IGNORED
    cloned = {f"{places.PROJECT}/{path}": text for path, text in places.CLONED.items()}
    for path, text in (places.TRACKED | places.LOCAL | cloned).items():
        found[path] = text.encode()
    queue = proposals.queue(found, today)
    held = backlog.item(queue, proposals.oldest()) if tool else ""
    found[BACKLOG] = dated(backlog.ABOVE + held + backlog.BELOW, today)
    if not tool:
        found[FILE] = queue.encode()
    return found


def committed(found: dict[str, bytes]) -> dict[str, bytes]:
    """What of the home's files its repository holds."""
    kept = {path: found[path] for path in (".gitignore", *places.TRACKED)}
    return kept | note_tree.committed(found)
