"""The index as a tree, folded and unfolded: what a session can reach, and what it cannot."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from floppy_tui.notes.index import ROUTER, Index
from floppy_tui.notes.quota import warns_from
from floppy_tui.tui import display
from floppy_tui.tui.filters.words import Vocabulary, split
from floppy_tui.tui.notes_nodes import Node, NodeKind, matching, nodes, shown_nodes
from floppy_tui.tui.notes_seen import Place, Seen
from floppy_tui.tui.screens.listing import Arrangement, Asked
from floppy_tui.tui.screens.notes_mode import Mode, found_words, nothing_matches
from floppy_tui.tui.screens.notes_page import findings, note_page, numbered
from floppy_tui.tui.screens.notes_table import nothing_here
from floppy_tui.tui.widgets.page import FAINT, HEADING, Page
from floppy_tui.tui.widgets.rows import Column

_INDENT = 2
STATES = {
    "missing": lambda seen, node: node.kind is NodeKind.MISSING,
    "orphan": lambda seen, node: node.kind is NodeKind.NOTE and not node.within,
    "finding": lambda seen, node: bool(seen.found.get(node.path)),
    "indexes": lambda seen, node: node.kind is NodeKind.INDEX,
}


class NodeRows:
    """Lines of the tree for the table."""

    def __init__(self, seen: Seen, lines: Sequence[Node], folded: frozenset[str]) -> None:
        self._seen = seen
        self._lines = lines
        self._folded = folded
        self._places = {node.key: n for n, node in enumerate(lines) if node.key}

    def __len__(self) -> int:
        return len(self._lines)

    def key(self, index: int) -> str:
        return self._lines[index].key

    def index(self, key: str) -> int:
        return self._places.get(key, -1)

    def node(self, key: str) -> Node | None:
        """The node of a key."""
        index = self.index(key)
        return self._lines[index] if index >= 0 else None

    def above(self, key: str) -> str:
        """The key of the index above a node."""
        at = self.index(key)
        depth = self._lines[at].depth
        return next((n.key for n in reversed(self._lines[:at]) if n.depth < depth), key)

    def cells(self, index: int, widths: Sequence[int]) -> Sequence[Content]:
        node = self._lines[index]
        if node.kind is NodeKind.HEADING:
            return (display.content(node.title),)
        seen = self._seen
        tree = seen.tree
        lead, style = " " * (_INDENT * node.depth), ""
        chars, count = "", ""
        if node.kind is NodeKind.INDEX:
            glyph = ("▸" if node.key in self._folded else "▾") if node.below else "•"
            style = "bold"
            found = tree.index_by_path.get(node.path)
            if found is not None:
                chars, count = display.short(found.chars), f"{len(found.pointers):,}"
        elif node.kind is NodeKind.MISSING:
            glyph, style = "✗", "$text-error"
        else:
            glyph = " "
            note = tree.by_path.get(node.path)
            chars = display.short(note.chars) if note else ""
        said = display.joined(lead, (f"{glyph} ", style or FAINT), (display.one_line(node.title), style))
        if not node.counts:
            said += display.content("  (does not count from here)", "$text-warning")
        hook = display.line(node.hook, max(0, widths[0] - said.cell_length - 3), FAINT)
        if hook:
            said = display.joined(said, (" — ", FAINT), hook)
        return (
            said,
            display.content(count, FAINT),
            display.content(chars, FAINT),
            found_words((*seen.counts(node.path)[:2], 0)),
        )


class IndexTree(Mode):
    """The mode."""

    NAME = "index"
    TITLE = "index"
    COLUMNS = (
        Column("index", "index", 0),
        Column("pointers", "pointers", 8, right=True, from_width=60),
        Column("chars", "chars", 7, right=True),
        Column("findings", "found", 8),
    )
    SORTS = ("",)
    PLACEHOLDER = "/ filter: words, missing, orphan, finding, indexes"

    def __init__(self) -> None:
        self.folded: frozenset[str] = frozenset()
        """The keys of the indexes whose nodes are not shown."""
        self._rested: tuple[Seen | None, tuple[Node, ...], dict[str, Node]] = (None, (), {})

    def _nodes(self, seen: Seen) -> tuple[tuple[Node, ...], dict[str, Node]]:
        of, found, by_key = self._rested
        if of is None or of.tree is not seen.tree:
            found = nodes(seen.tree)
            by_key = {node.key: node for node in found if node.key}
            self._rested = (seen, found, by_key)
        return found, by_key

    def arrange(self, seen: Seen, asked: Asked) -> Arrangement:
        found, _ = self._nodes(seen)
        folded = self.folded
        if asked.text.strip():
            lines = list(matching(found, [node for node in found if _lets(seen, node, asked.text)]))
            folded = frozenset()
        else:
            lines = list(shown_nodes(found, folded))
        missing = sum(node.kind is NodeKind.MISSING for node in found)
        status = display.counted(sum(n.kind is NodeKind.INDEX for n in found), "index", "indexes")
        pointers = sum(bool(n.within and n.line) for n in found)
        status += f", {display.counted(pointers, 'pointer')}"
        status += f", {missing:,} to nowhere" if missing else ""
        empty = nothing_matches("line of the index") if found else nothing_here(seen)
        return Arrangement(NodeRows(seen, lines, folded), status, "", empty)

    def vocabulary(self, seen: Seen) -> Vocabulary:
        return Vocabulary(tuple(STATES), {})

    def node(self, seen: Seen, key: str) -> Node | None:
        """The node of a key."""
        return self._nodes(seen)[1].get(key)

    def place(self, seen: Seen, key: str) -> Place:
        node = self.node(seen, key)
        return (
            Place(node.path, node.line if node.kind is NodeKind.MISSING else 0, node.within)
            if node
            else Place()
        )

    def key_of(self, seen: Seen, path: str, line: int) -> str:
        return next((node.key for node in self._nodes(seen)[0] if node.path == path), "")

    def fold(self, seen: Seen, key: str, folded: bool) -> bool:
        """Fold or unfold an index; False where it is so already, or is none."""
        node = self.node(seen, key)
        if node is None or not node.below or (key in self.folded) is folded:
            return False
        self.folded = self.folded | {key} if folded else self.folded - {key}
        return True

    def page(self, seen: Seen, key: str, raw: bool, line: int, width: int) -> Sequence[Content]:
        node = self.node(seen, key)
        if node is None:
            return ()
        note = seen.tree.by_path.get(node.path)
        if note is not None:
            return note_page(seen, note, raw, line, width)
        index = seen.tree.index_by_path.get(node.path)
        return _missing_page(seen, node, width) if index is None else index_page(seen, index, raw, width)

    def text(self, seen: Seen, key: str) -> str:
        node = self.node(seen, key)
        if node is None:
            return ""
        return seen.tree.texts.get(node.path, f"{node.title} {node.path}")


def _lets(seen: Seen, node: Node, line: str) -> bool:
    if not node.key:
        return False
    for word in split(line):
        said = word.free.casefold()
        state = STATES.get(said)
        if (state(seen, node) if state else said in node.haystack) is word.minus:
            return False
    return True


def index_page(seen: Seen, index: Index, raw: bool, width: int) -> Sequence[Content]:
    """The lines of an index."""
    page = Page(width)
    page.add((index.path, "bold"))
    page.add(size_words(seen, index))
    levels = {1: "the router", 2: "the index of a half", 3: "the index of a group"}
    said = f"{levels.get(index.level, 'an index')}, {display.counted(len(index.pointers), 'pointer')}"
    page.add((said, FAINT))
    findings(page, seen.found.get(index.path, ()))
    page.heading("As it stands" if raw else "Text")
    if raw:
        numbered(page, index.text)
    else:
        page.body(index.text, raw=False)
    return page.lines


def size_words(seen: Seen, index: Index) -> Content:
    """How large an index is, against what is loaded of it."""
    cut = seen.tree.cut
    if index.path == ROUTER and cut is not None:
        said = f"{cut.used:,} of {cut.limit:,} {cut.measure}"
        if cut.over:
            return display.content(f"{said}, over: cut at line {cut.line}", "bold $text-error")
        near = cut.used > warns_from(cut.limit)
        return display.content(f"{said}, near" if near else said, "$text-warning" if near else "")
    return display.content(display.counted(index.chars, "character"))


def _missing_page(seen: Seen, node: Node, width: int) -> Sequence[Content]:
    page = Page(width)
    page.add(("✗ ", "$text-error"), (node.path, "bold"))
    if not node.within:
        page.add("An index at this depth is opened by no session: a note is three files away at most.")
        return page.lines
    page.labelled("pointer in", f"{node.within}:{node.line}")
    page.add(node.title, f" — {node.hook}" if node.hook else "")
    meant = seen.tree.suggestion(node.path.rpartition("/")[2].removesuffix(".md"))
    page.blank().add("It leads to no note that could be read.")
    unread = next((u.message for u in seen.tree.unread if u.path == node.path), "")
    if unread:
        page.add((unread, "$text-error"))
    if meant is not None:
        page.add(("Perhaps ", FAINT), meant.path, ("?", FAINT))
    here = [f for f in seen.found.get(node.within, ()) if f.line == node.line]
    if here:
        page.blank().add(("What lint says of this line", HEADING))
        for finding in here:
            page.add(finding.message, indent=2)
    return page.lines
