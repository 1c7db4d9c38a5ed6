"""The index of a note tree as one preorder list: router, halves, groups, notes, then the unreached. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from floppy_tui.notes.index import ROUTER, Index, Pointer
from floppy_tui.notes.tree import Tree
from floppy_tui.tui.notes_rows import pointed_notes


class NodeKind(StrEnum):
    """What a node is."""

    HEADING = "heading"
    INDEX = "index"
    NOTE = "note"
    MISSING = "missing"
    """A pointer that leads to no file that was read."""


class Node(NamedTuple):
    """One line of the tree."""

    key: str
    """Stays the same when lines move; ``""`` for a heading."""
    kind: NodeKind
    depth: int
    path: str
    """Where it leads; of a missing one, what it says."""
    title: str
    hook: str
    within: str = ""
    """The index that its pointer stands in."""
    line: int = 0
    """Of its pointer."""
    counts: bool = True
    """Whether its pointer makes the note reachable by the rules."""
    below: int = 0
    """How many nodes stand below it."""

    @property
    def haystack(self) -> str:
        """What free words are looked for in."""
        return f"{self.path} {self.title} {self.hook}".casefold()


def nodes(tree: Tree) -> tuple[Node, ...]:
    """All nodes of ``tree``."""
    walk = _Walk(tree)
    found: list[Node] = []
    if tree.router is not None:
        found.extend(walk.index(tree.router, 0, None, ""))
    rest = [index for index in tree.indexes if index.path not in walk.seen]
    if rest:
        found.append(_heading(f"linked from nowhere ({len(rest):,})"))
        for index in rest:
            if index.path not in walk.seen:
                found.extend(walk.index(index, 0, None, ""))
    pointed = pointed_notes(tree)
    orphans = [note for note in tree.own if note.path not in pointed]
    if orphans:
        found.append(_heading(f"no pointer: no session reaches these notes ({len(orphans):,})"))
        found.extend(
            Node(f"orphan>{note.path}", NodeKind.NOTE, 0, note.path, note.slug, note.description)
            for note in orphans
        )
    if tree.too_deep:
        found.append(_heading(f"too deep: no session reaches these indexes ({len(tree.too_deep):,})"))
        found.extend(
            Node(f"deep>{path}", NodeKind.MISSING, 0, path, path, "nested deeper than three levels")
            for path in tree.too_deep
        )
    return tuple(found)


def _heading(words: str) -> Node:
    return Node("", NodeKind.HEADING, 0, "", words, "")


class _Walk:
    """One walk over the indexes, each of which is opened once."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.seen: set[str] = set()

    def index(self, index: Index, depth: int, pointer: Pointer | None, key: str) -> Iterator[Node]:
        """An index and what stands below it."""
        self.seen.add(index.path)
        below = list(self._below(index, depth + 1))
        title = pointer.title if pointer else index.path
        hook = pointer.hook if pointer else ""
        yield Node(
            key or f">{index.path}",
            NodeKind.INDEX,
            depth,
            index.path,
            title,
            hook,
            index.path,
            below=len(below),
        )
        yield from below

    def _below(self, index: Index, depth: int) -> Iterator[Node]:
        met: dict[str, int] = {}
        for pointer in index.links:
            path = pointer.path
            other = self.tree.index_by_path.get(path)
            if not pointer.listed and other is None and path not in self.tree.by_path:
                continue
            said = path or pointer.target
            met[said] = met.get(said, 0) + 1
            key = f"{index.path}>{said}>{met[said]}"
            if other is not None and path not in self.seen and path != ROUTER:
                yield from self.index(other, depth, pointer, key)
                continue
            kind = NodeKind.NOTE if path in self.tree.by_path or other is not None else NodeKind.MISSING
            yield Node(
                key,
                NodeKind.INDEX if other is not None else kind,
                depth,
                said,
                pointer.title or said,
                pointer.hook,
                index.path,
                pointer.line,
                other is not None or self._counts(index, path),
            )

    def _counts(self, index: Index, path: str) -> bool:
        return index.path == ROUTER or index.directory == path.rpartition("/")[0]


def shown_nodes(all_nodes: Sequence[Node], folded: frozenset[str]) -> Iterator[Node]:
    """The nodes that are not below a folded one."""
    skip = 0
    for node in all_nodes:
        if skip:
            skip -= 1
            continue
        yield node
        if node.key in folded:
            skip = node.below


def matching(all_nodes: Sequence[Node], wanted: Iterable[Node]) -> Iterator[Node]:
    """The ``wanted`` nodes with the indexes and headings above them."""
    keys = {node.key for node in wanted if node.key}
    above: list[tuple[Node, int]] = []
    given: set[int] = set()
    heading: Node | None = None
    for place, node in enumerate(all_nodes):
        if node.kind is NodeKind.HEADING:
            heading, above = node, []
            continue
        above = [pair for pair in above if pair[0].depth < node.depth]
        if node.key in keys:
            if heading is not None:
                yield heading
                heading = None
            for parent, where in above:
                if where not in given:
                    given.add(where)
                    yield parent
            given.add(place)
            yield node
        above.append((node, place))
