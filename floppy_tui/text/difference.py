"""Two texts as the lines of a unified diff, for the captain's eyes: undecodable bytes as U+FFFD."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff

from floppy_tui.text.lines import bare, readable, split_lines

CONTEXT = 3
"""Lines shown around a change."""


def changed(path: str, before: str, after: str, skipped: int = 0, *, was: str = "") -> Iterator[str]:
    """The unified diff of the file ``path``, which was called ``was``; nothing where the texts are the same.

    ``skipped`` lines stood above both texts and are not in them, so that only their number is told.
    """
    old, new = ([_shown(line) for line in split_lines(text)] for text in (before, after))
    for line in unified_diff(old, new, was or path, path, n=CONTEXT, lineterm=""):
        if skipped and line.startswith("@@"):
            yield f"@@ after line {skipped} @@"
        else:
            yield line


def _shown(line: str) -> str:
    return readable(bare(line)) + ("" if line.endswith("\n") else "  (no newline at the end)")
