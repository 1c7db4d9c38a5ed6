"""What of a tree is over its ceilings, as numbers: what an act would need, and what it says of itself."""

from __future__ import annotations

from collections.abc import Mapping

from floppy_tui.notes.quota import HALF
from floppy_tui.notes.tree import Tree
from floppy_tui.text.lines import bare


def sizes(tree: Tree) -> Mapping[str, int]:
    """What is measured against each ceiling of ``quota.lock``, by its key.

    ``note_chars_max`` is about the longest note that is not grandfathered, ``pointers_max`` about the index
    with most pointer lines, ``pointer_line_max`` about the longest of these.
    """
    quota = tree.quota
    free = quota.grandfathered if quota else frozenset[str]()
    lines = [len(bare(i.text[p.start : p.end])) for i in tree.indexes for p in i.pointers]
    found = {
        "chars_max": tree.chars,
        "note_chars_max": max((n.chars for n in tree.own if n.path not in free), default=0),
        "pointers_max": max((len(i.pointers) for i in tree.indexes), default=0),
        "pointer_line_max": max(lines, default=0),
    }
    found.update((HALF + half, chars) for half, chars in tree.half_chars.items())
    return found


def over(tree: Tree) -> Mapping[str, int]:
    """The keys whose ceiling is passed, and what each would have to be."""
    quota = tree.quota
    if quota is None:
        return {}
    found: dict[str, int] = {}
    for key, size in sizes(tree).items():
        ceiling = quota.ceiling(key)
        if ceiling is not None and size > ceiling and key != "pointer_line_max":
            found[key] = size
    return found


def strain(before: Tree, after: Tree) -> tuple[str, ...]:
    """What an act takes over a ceiling that was kept, or further over one that was not, in sentences."""
    was = sizes(before)
    said = []
    for key, size in over(after).items():
        if size > was.get(key, 0):
            ceiling = after.quota.ceiling(key) if after.quota else None
            said.append(
                f"{key} is {ceiling or 0:,} and this makes it {size:,}:"
                " make room, or raise the quota with a reason."
            )
    return tuple(said)
