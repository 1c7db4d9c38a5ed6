"""What lint says of the index: what its pointers lead to, whether all is reached, what the loader drops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from floppy_tui.notes.findings import Finding
from floppy_tui.notes.foreign import leads_into
from floppy_tui.notes.index import INDEX, ROUTER, Index, Pointer, index_for, is_address, leaves, parent_of
from floppy_tui.notes.note import Note
from floppy_tui.notes.profiles import Profile
from floppy_tui.notes.quota import warns_from
from floppy_tui.notes.rules import found, quoted
from floppy_tui.notes.tree import LEVELS, Tree


def lint_index(tree: Tree) -> Iterator[Finding]:
    """The findings of the router and every index below it."""
    there = tree.texts.keys() | {file.path for file in tree.unread}
    folded: dict[str, str] = {}
    for path in sorted(there):
        folded.setdefault(path.casefold(), path)
    for index in tree.indexes:
        yield from _pointers(tree, index, there, folded)
        if index.path != ROUTER:
            yield from _linked(tree, index)
            yield from _long(tree, index)
    yield from _cut(tree)
    pointed = {
        path
        for index in tree.indexes
        for path in index.reached
        if index.path == ROUTER or index_for(path) == index.path
    }
    for note in tree.own:
        if note.path not in pointed and note.path.count("/") < LEVELS:
            yield _unpointed(tree, note)


def _pointers(
    tree: Tree, index: Index, there: frozenset[str] | set[str], folded: Mapping[str, str]
) -> Iterator[Finding]:
    dangling = Counter(p.path for p in index.links if p.path and p.path not in there)
    said: set[str] = set()
    seen: dict[str, int] = {}
    for pointer in index.links:
        if leads_into(tree, index.directory, pointer.target):
            continue
        path = pointer.path
        if not path:
            if pointer.listed:
                yield from _elsewhere(tree, index, pointer)
            continue
        if path not in there:
            if path not in said:
                said.add(path)
                yield _dangling(tree, index, pointer, dangling[path], folded.get(path.casefold(), ""))
            continue
        if not pointer.listed:
            continue
        if path in seen:
            message = f"Line {seen[path]} leads to {path} already; keep the better of the two lines."
            yield found(tree.profile, "pointer-repeated", index.path, pointer.line, message, about=path)
        seen.setdefault(path, pointer.line)
        if not pointer.literal:
            message = (
                f"The pointer leads to {path} by Markdown's rules only, and readers that look for ](path.md)"
                " do not find it; spell its target without escapes, angle brackets or a title."
            )
            yield found(tree.profile, "pointer-not-literal", index.path, pointer.line, message, about=path)


def _dangling(tree: Tree, index: Index, pointer: Pointer, times: int, other: str) -> Finding:
    often = f" ({times} times in this index)" if times > 1 else ""
    probably = (
        f"the file is called {other}, and only some disks take one for the other: spell it so."
        if other
        else "remove the pointer, or lead it to the note that was meant."
    )
    message = f"There is no {pointer.path}, where this pointer leads{often}; {probably}"
    return found(tree.profile, "pointer-dangling", index.path, pointer.line, message, about=pointer.path)


def _elsewhere(tree: Tree, index: Index, pointer: Pointer) -> Iterator[Finding]:
    """A pointer line that leads to no note of this memory; web addresses and headings are no pointers."""
    target = pointer.target
    if is_address(target):
        return
    if not target.startswith("/") and leaves(index.directory, target):
        message = f"The pointer leads out of the memory, to {quoted(target)}; say in a note what that is for."
        yield found(tree.profile, "pointer-leaves-memory", index.path, pointer.line, message, about=target)
        return
    if not target:
        what = "nowhere"
    elif target.startswith("/"):
        what = f"to the absolute path {quoted(target)}"
    elif target.endswith(("/", "/.", "/..")) or target in (".", ".."):
        what = f"to a directory, {quoted(target)}"
    else:
        what = f"to {quoted(target)}, which is no Markdown file"
    message = f"The pointer leads {what}; lead it to a note of this memory, or make it plain words."
    yield found(tree.profile, "pointer-not-a-note", index.path, pointer.line, message, about=target)


def _linked(tree: Tree, index: Index) -> Iterator[Finding]:
    above = parent_of(index.path)
    parent = tree.index_by_path.get(above)
    if parent is None:
        if any(file.path == above for file in tree.unread):
            return
        message = (
            f"There is no {above}, the index directly above this one; create it with a pointer to this one."
        )
        yield found(tree.profile, "index-parent-missing", index.path, 0, message, about=above)
    elif index.path not in parent.reached:
        message = f"The index directly above, {above}, does not link to this one; add a pointer there."
        yield found(tree.profile, "index-unlinked", index.path, 0, message, about=above)


def _unpointed(tree: Tree, note: Note) -> Finding:
    own = index_for(note.path)
    holders = [i.path for i in tree.indexes if note.path in i.reached]
    where = f"{own} or {ROUTER}" if own != ROUTER else ROUTER
    only = f" (only in {', '.join(holders)}, where it does not count)" if holders else ""
    message = f"No pointer to this note stands in {where}{only}; add one to {own}."
    return found(tree.profile, "note-without-pointer", note.path, 0, message, about=own)


def _long(tree: Tree, index: Index) -> Iterator[Finding]:
    """An index of a half or a group that grows to the size at which a loader would cut it."""
    limit = tree.config.index_chars_max
    if tree.profile is Profile.FLOPPY and index.chars > warns_from(limit):
        message = (
            f"The index has {index.chars:,} characters of {limit:,} (index_chars_max);"
            f" move a group of its notes to an {INDEX} of their own."
        )
        yield found(tree.profile, "index-near-cut", index.path, 0, message)


def _cut(tree: Tree) -> Iterator[Finding]:
    cut = tree.cut
    if cut is None:
        return
    size = f"{ROUTER} has {cut.used:,} {cut.measure} of {cut.limit:,}"
    if cut.line is not None:
        lost = len(cut.lost)
        pointers = f", {lost:,} pointer{'' if lost == 1 else 's'} among it," if lost else ""
        message = (
            f"{size}: the loader drops all from line {cut.line:,} on{pointers} in silence;"
            " move pointers to the index of a half."
        )
        yield found(tree.profile, "index-over-cut", ROUTER, cut.line, message)
    elif cut.used > warns_from(cut.limit):
        message = (
            f"{size}, and the loader drops what is beyond in silence; move pointers to the index of a half."
        )
        yield found(tree.profile, "index-near-cut", ROUTER, 0, message)
