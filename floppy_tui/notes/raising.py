"""Raising a quota: upward only, with a reason, and in one commit with the notes that needed it."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping

from floppy_tui.notes.drafting import Draft
from floppy_tui.notes.index import INDEX, ROUTER
from floppy_tui.notes.making import is_foreign
from floppy_tui.notes.planned import Impossible, Planned
from floppy_tui.notes.quota import FILE, HALF, NUMBERS, raised, with_number
from floppy_tui.notes.tree import Tree

_DIGITS_MAX = 18


def raise_quota(tree: Tree, key: str, number: int, reason: str) -> Planned:
    """Set the ceiling ``key`` of ``quota.lock`` to a higher ``number``; the message holds the ``reason``."""
    why = reason.strip()
    if not why:
        raise Impossible("A quota is raised with a reason; say which notes need the room, and why.")
    if tree.quota_text is None or tree.quota is None:
        raise Impossible(f"There is no {FILE} in this memory, so nothing is limited.")
    if key not in NUMBERS and not key.startswith(HALF):
        raise Impossible(f"'{key}' is no ceiling of {FILE}; choose one that it sets.")
    bad = next((b for b in tree.quota.bad if b.key == key), None)
    if bad is not None:
        raise Impossible(f"{key} is '{bad.value}' in {FILE}, which is no number; correct it first.")
    ceiling = tree.quota.ceiling(key)
    if ceiling is None:
        raise Impossible(f"{FILE} sets no {key}, so there is nothing to raise.")
    if number <= ceiling:
        raise Impossible(f"{key} is {ceiling:,} already; a raise goes upward.")
    if len(str(number)) > _DIGITS_MAX:
        raise Impossible(f"{key} would be larger than any memory; choose a smaller number.")
    draft = Draft(tree)
    draft.put(FILE, with_number(tree.quota_text, key, number))
    draft.say("A raise is committed together with the notes that needed it, never on its own.")
    subject = f"Raise {key} from {ceiling} to {number}"
    return draft.plan(f"raise {key} to {number}", f"{subject}\n\n{why}")


def commit_refusal(files_changed: Mapping[str, tuple[str | None, str | None]], tree: Tree) -> str:
    """Why these files (before and after, by path below the memory directory) are not committed together.

    A raised or dropped ceiling needs a new or changed note of this memory beside it; ``""`` is no refusal.
    """
    if FILE not in files_changed:
        return ""
    keys = raised(*files_changed[FILE])
    if not keys or any(_needs_room(tree, path, *texts) for path, texts in files_changed.items()):
        return ""
    return (
        f"{FILE} raises {', '.join(keys)} on its own; commit it together with the notes that needed the room."
    )


def _needs_room(tree: Tree, path: str, before: str | None, after: str | None) -> bool:
    if not path.endswith(".md") or posixpath.basename(path) in (INDEX, ROUTER):
        return False
    return after is not None and after != before and not is_foreign(tree, path)
