"""The list of notes that may stay over the quota, which goes by paths and so follows a note that moves."""

from __future__ import annotations

from floppy_tui.notes.drafting import Draft
from floppy_tui.notes.quota import FILE
from floppy_tui.text.lines import Splice, bare, splice, split_lines

KEY = "grandfathered"


def regrandfather(draft: Draft, path: str, target: str | None) -> None:
    """Let ``quota.lock`` name ``target`` where it lists ``path``, or nothing for None."""
    if not draft.has(FILE):
        return
    before = draft.text(FILE)
    after = relisted(before, path, target)
    if after != before:
        draft.put(FILE, after)


def relisted(text: str, path: str, target: str | None) -> str:
    """The ``text`` of ``quota.lock`` with ``path`` in its list replaced, or taken out."""
    at = 0
    for line in split_lines(text):
        said = bare(line)
        key, equals, value = said.partition("=")
        if equals and key.strip(" \t\ufeff") == KEY:
            items = value.split(",")
            if path not in (item.strip() for item in items):
                return text
            new = [
                item if item.strip() != path else item.replace(path, target or "")
                for item in items
                if target is not None or item.strip() != path
            ]
            start = at + len(key) + 1
            return splice(text, [Splice(start, at + len(said), ",".join(new))])
        at += len(line)
    return text
