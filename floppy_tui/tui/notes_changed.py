"""What another reading of a note tree shows that the last one did not, in one short line. Pure."""

from __future__ import annotations

import posixpath

from floppy_tui.notes.index import INDEX, ROUTER
from floppy_tui.notes.quota import FILE
from floppy_tui.notes.tree import Tree

_NAMED = 2
"""So many files are named; more are counted."""


def same_tree(old: Tree, new: Tree) -> bool:
    """Whether both readings say the same in everything that is shown."""
    return _all(old) == _all(new)


def _all(tree: Tree) -> tuple[object, ...]:
    return (
        tree.texts,
        tree.today,
        tree.heat,
        tree.unread,
        tree.layout,
        tree.config,
        tree.profile,
        [(note.path, note.scope, note.linked) for note in tree.notes],
    )


def tree_changes(old: Tree, new: Tree) -> str:
    """The difference in words, such as ``new: gate; changed: oven, MEMORY.md``; ``""`` for none."""
    was, now = old.texts, new.texts
    groups = {
        "new": [path for path in now if path not in was],
        "changed": [path for path in now if path in was and was[path] != now[path]],
        "gone": [path for path in was if path not in now],
    }
    said = [f"{word}: {_names(paths)}" for word, paths in groups.items() if paths]
    if not said and old.today != new.today:
        said.append(f"it is {new.today} now")
    if not said and old.config != new.config:
        said.append("the configuration changed")
    if not said and old.unread != new.unread:
        said.append("what can be read changed")
    return "; ".join(said)


def _names(paths: list[str]) -> str:
    shown = [file_name(path) for path in sorted(paths)[:_NAMED]]
    more = len(paths) - len(shown)
    return ", ".join(shown) + (f" and {more:,} more" if more else "")


def file_name(path: str) -> str:
    """``yard/rope-length.md`` as ``rope-length``; an index as its whole path."""
    name = posixpath.basename(path)
    return path if name in (INDEX, ROUTER, FILE) else name.removesuffix(".md")
