"""A pointer put into, or taken out of, the indexes of a draft: above the cut, and nothing in silence."""

from __future__ import annotations

import posixpath

from floppy_tui.notes.drafting import Draft, index_paths
from floppy_tui.notes.index import ROUTER, Index, index_for, parent_of
from floppy_tui.notes.loader import find_cut
from floppy_tui.notes.planned import Impossible
from floppy_tui.notes.pointing import Dropped, add_pointer, anchors, drop_pointers, insert_line, pointer_line
from floppy_tui.notes.profiles import Profile
from floppy_tui.notes.quota import POINTER_LINE_MAX
from floppy_tui.notes.relinking import relative, retarget
from floppy_tui.notes.slugs import words_of
from floppy_tui.notes.tree import LEVELS, Tree


def line_limit(tree: Tree) -> int | None:
    """How long a pointer line may be, in characters; None where nothing says so."""
    if tree.profile is Profile.AUTO:
        return None
    quota = tree.quota
    if quota is None or quota.pointer_line_max is None:
        return POINTER_LINE_MAX
    return quota.pointer_line_max


def add_to_index(draft: Draft, index: str, path: str, title: str, hook: str) -> None:
    """Point to ``path`` from ``index``, which is made, and linked from its parent, where it is missing."""
    tree = draft.tree
    directory = posixpath.dirname(index)
    line = pointer_line(title or words_of(path), relative(path, directory), hook, line_limit(tree))
    if not draft.has(index):
        make_index(draft, index, line)
        return
    text = draft.text(index)
    after = add_pointer(text, line, directory=directory)
    if index == ROUTER:
        after = _above_cut(draft, text, line, after)
    draft.put(index, after)


def make_index(draft: Draft, index: str, line: str, title: str = "", hook: str = "") -> None:
    """Write a new ``index`` that holds ``line``, and point to it from the index above."""
    if index.count("/") >= LEVELS:
        raise Impossible(f"{index} would lie deeper than any session reads; choose a directory further up.")
    draft.put(index, f"# {title or words_of(index)}\n" + (f"\n{line}\n" if line else ""))
    if index == ROUTER:
        draft.say(f"{ROUTER} is new.")
        return
    draft.say(f"{index} is new and linked from {parent_of(index)}.")
    add_to_index(draft, parent_of(index), index, title, hook)


def _above_cut(draft: Draft, text: str, line: str, after: str) -> str:
    """The router with ``line`` where the loader still reads it, and what is lost by that told."""
    tree = draft.tree
    before = find_cut(Index(ROUTER, text), tree.profile, tree.config)
    cut = find_cut(Index(ROUTER, after), tree.profile, tree.config)
    new = Index(ROUTER, line).pointers
    path = new[0].path if new else ""
    if any(p.path == path for p in cut.lost):
        for at in anchors(text, line):
            tried = insert_line(text, line, at)
            tried_cut = find_cut(Index(ROUTER, tried), tree.profile, tree.config)
            if not any(p.path == path for p in tried_cut.lost):
                after, cut = tried, tried_cut
                break
        else:
            after = add_pointer(text, line, before=cut.offset)
            cut = find_cut(Index(ROUTER, after), tree.profile, tree.config)
    lost = [p.title for p in cut.lost if p.path not in {q.path for q in before.lost}]
    if lost:
        draft.say(
            f"{ROUTER} is over the loader's cut of {cut.limit:,} {cut.measure}:"
            f" {', '.join(lost)} would not be loaded any more; move pointers to an index below."
        )
    return after


def take_out(draft: Draft, path: str) -> int:
    """Take every link to ``path`` out of the indexes; how many indexes held one."""
    count = 0
    for index in index_paths(draft):
        read = draft.index(index)
        dropped = drop_pointers(read, {path})
        after = retarget(dropped.text, index, {path: None})
        if after == read.text:
            continue
        count += 1
        draft.put(index, after)
        tell(draft, index, dropped)
    return count


def tell(draft: Draft, index: str, dropped: Dropped) -> None:
    """Say what became of the text around the pointers that left ``index``."""
    if dropped.kept:
        draft.say(f"{index}: what was nested below the pointer stays there: {_listed(dropped.kept)}.")
    if dropped.gone:
        draft.say(f"{index}: the pointer's words went on and go with it: {_listed(dropped.gone)}.")


def _listed(lines: tuple[str, ...]) -> str:
    shown = " / ".join(lines[:3])
    return shown + (f" and {len(lines) - 3} more lines" if len(lines) > 3 else "")


def home_index(tree: Tree, path: str, pointer_in: str | None = None) -> str:
    """The index that a pointer to the note ``path`` goes into; raises ``Impossible`` for a useless one.

    Without a choice it is that of the note's directory; in an auto-memory that has none, ``MEMORY.md``.
    """
    own = index_for(path)
    if pointer_in is None:
        if own not in tree.index_by_path and tree.profile is Profile.AUTO:
            return ROUTER
        return own
    if pointer_in not in (own, ROUTER):
        raise Impossible(f"A pointer to {path} counts in {own} or in {ROUTER} only; choose one of them.")
    return pointer_in
