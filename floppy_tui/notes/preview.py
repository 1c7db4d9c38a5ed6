"""What a planned act changes, file by file, as it is shown before it is done."""

from __future__ import annotations

import posixpath
from enum import StrEnum
from typing import NamedTuple

from floppy_tui.notes.planned import Planned
from floppy_tui.text.difference import changed
from floppy_tui.text.lines import split_lines

_SAME = 0.5
"""From this share of lines on, a file that goes and one that comes are one that moves."""


class FileStatus(StrEnum):
    """What becomes of a file."""

    NEW = "new"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"


class FileDiff(NamedTuple):
    """The change of one file."""

    path: str
    """Where it is afterwards; where it was, for a removed one."""
    status: FileStatus
    lines: tuple[str, ...]
    """Of a unified diff; none for a file that moves as it is."""
    came_from: str = ""
    """Where a moved file was."""


def difference(planned: Planned) -> tuple[FileDiff, ...]:
    """The changes of ``planned``, in path order, the notes that move paired with what they were."""
    came = _moves(planned)
    left = set(came.values())
    found: list[FileDiff] = []
    for path, (before, after) in sorted(planned.edits.items()):
        if path in left:
            continue
        if path in came:
            was = planned.edits[came[path]].before or ""
            lines = tuple(changed(path, was, after or "", was=came[path]))
            found.append(FileDiff(path, FileStatus.MOVED, lines, came[path]))
            continue
        if before is None:
            status = FileStatus.NEW
        elif after is None:
            status = FileStatus.REMOVED
        else:
            status = FileStatus.CHANGED
        found.append(FileDiff(path, status, tuple(changed(path, before or "", after or ""))))
    return tuple(found)


def _moves(planned: Planned) -> dict[str, str]:
    """Which new file is which removed one, moved: of the same name, or with most of its lines."""
    gone = {path: edit.before for path, edit in planned.edits.items() if edit.after is None and edit.before}
    came: dict[str, str] = {}
    for path, edit in sorted(planned.edits.items()):
        if edit.before is not None or edit.after is None:
            continue
        after = edit.after
        ranked = sorted(
            (
                (_likeness(text, after), posixpath.basename(old) == posixpath.basename(path), old)
                for old, text in gone.items()
            ),
            key=lambda found: (-found[0], not found[1], found[2]),
        )
        if ranked and ranked[0][0] >= _SAME:
            came[path] = ranked[0][2]
            del gone[ranked[0][2]]
    return came


def _likeness(before: str, after: str) -> float:
    if before == after:
        return 1.0
    old, new = set(split_lines(before)), set(split_lines(after))
    return len(old & new) / max(len(old), len(new), 1)
