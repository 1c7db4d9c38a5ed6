"""``MEMORY.md``, or another file of the tree, by lines: with the loader's cut drawn, and what it loses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from textual.content import Content

from floppy_tui.notes.findings import Severity
from floppy_tui.notes.index import ROUTER, Pointer
from floppy_tui.notes.loader import Cut
from floppy_tui.text.lines import bare, split_lines
from floppy_tui.tui import display
from floppy_tui.tui.filters.words import Vocabulary, split
from floppy_tui.tui.notes_seen import SEVERITIES, Place, Seen
from floppy_tui.tui.screens.listing import Arrangement, Asked
from floppy_tui.tui.screens.notes_index import size_words
from floppy_tui.tui.screens.notes_mode import SEVERITY, Mode, nothing_matches
from floppy_tui.tui.screens.notes_page import one_finding
from floppy_tui.tui.widgets.page import FAINT, MOST, Page
from floppy_tui.tui.widgets.rows import Column

STATES = ("lost", "pointer", "finding")
_NAMED = 3
"""So many lost pointers are named where the cut is drawn."""


class Line(NamedTuple):
    """One line of the file."""

    key: str
    """Of its text, so that the cursor stays on it when lines move; ``""`` for the cut."""
    number: int
    text: str
    lost: bool
    pointer: Pointer | None
    severity: Severity | None
    """The worst of what lint says of it."""


class FileLines:
    """The lines of one file of one reading."""

    def __init__(self, seen: Seen, path: str) -> None:
        self.seen = seen
        self.path = path
        self.cut: Cut | None = seen.tree.cut if path == ROUTER else None

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """All of them, the cut not among them."""
        tree = self.seen.tree
        index = tree.index_by_path.get(self.path)
        pointers: dict[int, Pointer] = {}
        for pointer in index.links if index else ():
            pointers.setdefault(pointer.line, pointer)
        worst: dict[int, Severity] = {}
        for finding in self.seen.found.get(self.path, ()):
            worst.setdefault(finding.line, finding.severity)
        met: dict[str, int] = {}
        cut = self.cut.line if self.cut else None
        found = []
        for number, whole in enumerate(split_lines(tree.texts.get(self.path, "")), 1):
            text = bare(whole)
            count = met[text] = met.get(text, 0) + 1
            lost = cut is not None and number >= cut
            key = f"{self.path}>{count}>{text}"
            found.append(Line(key, number, text, lost, pointers.get(number), worst.get(number)))
        return tuple(found)

    @cached_property
    def by_key(self) -> Mapping[str, Line]:
        """The lines by key."""
        return {line.key: line for line in self.lines}

    @property
    def cut_words(self) -> tuple[str, ...]:
        """What the cut does: the sentence of the line that is ruled, and which pointers are lost."""
        cut = self.cut
        if cut is None or cut.line is None:
            return ()
        lines = len(self.lines) - cut.line + 1
        ruled = f"the loader stops at {cut.limit:,} {cut.measure}: "
        ruled += f"{display.counted(lines, 'line')} below {'is' if lines == 1 else 'are'} never read"
        if not cut.lost:
            return (ruled, "no pointer is lost")
        names = ", ".join(pointer.title for pointer in cut.lost[:_NAMED])
        more = len(cut.lost) - _NAMED
        names += f" and {more:,} more" if more > 0 else ""
        return (ruled, f"{display.counted(len(cut.lost), 'pointer')} lost: {names}")


class LineRows:
    """Lines for the table, the cut between them."""

    def __init__(self, of: FileLines, lines: Sequence[Line]) -> None:
        self._lines: list[Line | str] = [*lines]
        lost = next((n for n, line in enumerate(lines) if line.lost), None)
        if lost is not None:
            self._lines[lost:lost] = of.cut_words
        self._ruled = lost
        self._places = {line.key: n for n, line in enumerate(self._lines) if not isinstance(line, str)}

    def __len__(self) -> int:
        return len(self._lines)

    def key(self, index: int) -> str:
        line = self._lines[index]
        return "" if isinstance(line, str) else line.key

    def index(self, key: str) -> int:
        return self._places.get(key, -1)

    def cells(self, index: int, widths: Sequence[int]) -> Sequence[Content]:
        line = self._lines[index]
        if isinstance(line, str):
            width = sum(widths) + len(widths) - 1
            if index != self._ruled:
                return (display.line(line, width, "$text-error"),)
            said = display.one_line(f"── {line} ", width)
            return (display.content(said + "─" * max(0, width - len(said)), "bold $text-error"),)
        style = FAINT if line.lost else ""
        if line.pointer is not None and line.lost:
            state = ("lost", "$text-error")
        elif line.severity is not None:
            state = SEVERITY[line.severity]
        else:
            state = ("", "")
        return (
            display.content(f"{line.number}", FAINT),
            display.content(*state),
            display.line(line.text, widths[2], style),
        )


class RouterPreview(Mode):
    """The mode."""

    NAME = "router"
    TITLE = "MEMORY.md"
    COLUMNS = (
        Column("line", "line", 5, right=True),
        Column("state", "", 4),
        Column("text", "text", 0),
    )
    SORTS = ("",)
    PLACEHOLDER = "/ filter: words, lost, pointer, finding"

    def __init__(self) -> None:
        self.file = ROUTER
        """The file that is shown."""
        self._rested: FileLines | None = None

    def _of(self, seen: Seen) -> FileLines:
        rested = self._rested
        if rested is None or rested.seen is not seen or rested.path != self.file:
            rested = self._rested = FileLines(seen, self.file)
        return rested

    def arrange(self, seen: Seen, asked: Asked) -> Arrangement:
        of = self._of(seen)
        lines = [line for line in of.lines if _lets(line, asked.text)]
        said = f"{self.file}: {display.counted(len(of.lines), 'line')}"
        if len(lines) != len(of.lines):
            said = f"{len(lines):,} of {said}"
        cut = of.cut
        if cut is not None:
            said += f", {cut.used:,} of {cut.limit:,} {cut.measure}"
            said += f", {display.counted(len(cut.lost), 'pointer')} lost" if cut.over else ""
        empty = nothing_matches("line") if of.lines else _no_file(seen, self.file)
        return Arrangement(LineRows(of, lines), said, "", empty)

    def vocabulary(self, seen: Seen) -> Vocabulary:
        return Vocabulary(STATES, {})

    def line(self, seen: Seen, key: str) -> Line | None:
        """The line of a key."""
        return self._of(seen).by_key.get(key)

    def place(self, seen: Seen, key: str) -> Place:
        line = self.line(seen, key)
        if line is None:
            return Place()
        leads = line.pointer.path if line.pointer is not None else ""
        here = seen.found.get(self.file, ())
        finding = next((f for f in here if f.line == line.number), None)
        return Place(leads or self.file, 0 if leads else line.number, self.file, finding)

    def key_of(self, seen: Seen, path: str, line: int) -> str:
        if path != self.file:
            return ""
        lines = self._of(seen).lines
        return lines[min(max(line, 1), len(lines)) - 1].key if lines else ""

    def page(self, seen: Seen, key: str, raw: bool, line: int, width: int) -> Sequence[Content]:
        found = self.line(seen, key)
        return () if found is None else _line_page(self._of(seen), found, width)

    def text(self, seen: Seen, key: str) -> str:
        line = self.line(seen, key)
        return line.text if line else ""


def _lets(line: Line, text: str) -> bool:
    for word in split(text):
        said = word.free.casefold()
        lets = {
            "lost": line.lost and line.pointer is not None,
            "pointer": line.pointer is not None,
            "finding": line.severity is not None,
        }.get(said, said in line.text.casefold())
        if lets is word.minus:
            return False
    return True


def _line_page(of: FileLines, line: Line, width: int) -> Sequence[Content]:
    """The lines of a line: where its pointer leads, what lint says of it, and what the cut loses."""
    tree = of.seen.tree
    page = Page(width)
    page.add((f"{of.path}:{line.number}", "bold"))
    index = tree.index_by_path.get(of.path)
    if index is not None:
        page.add(size_words(of.seen, index))
    if line.lost:
        page.add(("This line is below the cut: no session reads it.", "$text-error"))
    page.blank().add(display.content(line.text[:MOST]))
    if line.pointer is not None:
        _leads_to(page, of.seen, line.pointer)
    here = [f for f in of.seen.found.get(of.path, ()) if f.line in (line.number, 0)]
    here.sort(key=lambda f: (f.line == 0, SEVERITIES[f.severity]))
    if here:
        page.heading("Findings")
    for finding in here:
        one_finding(page, finding)
    cut = of.cut
    if cut is not None and cut.over:
        page.heading(f"Lost below line {cut.line} ({len(cut.lost):,})")
        for pointer in cut.lost:
            page.add((f"{pointer.line} ", FAINT), pointer.title, (f"  {pointer.hook}", FAINT), indent=2)
        if not cut.lost:
            page.add(("Text is lost, but no pointer.", FAINT), indent=2)
    return page.lines


def _leads_to(page: Page, seen: Seen, pointer: Pointer) -> None:
    note = seen.tree.by_path.get(pointer.path)
    page.blank()
    if note is not None:
        page.add(("→ ", FAINT), (note.slug, "bold"), (f"  {note.path}", FAINT), indent=2)
        page.add(note.description or ("no description", FAINT), indent=2)
        page.add(("l goes there.", FAINT))
    elif pointer.path in seen.tree.index_by_path:
        page.add(("→ the index ", FAINT), pointer.path, ("; l goes there.", FAINT), indent=2)
    else:
        page.add(("✗ leads to no note: ", "$text-error"), pointer.target, indent=2)


def _no_file(seen: Seen, path: str) -> Content:
    """Why a file has no lines."""
    unread = next((u.message for u in seen.tree.unread if u.path == path), "")
    if unread:
        return display.content(unread, "$text-error")
    if path in seen.tree.texts:
        return display.content(f"{path} is empty.")
    if path == ROUTER:
        return display.content(
            "There is no MEMORY.md here: a session that starts knows of no note.\n\n"
            "A new note (a) writes it with its first pointer."
        )
    return display.content(f"{path} is not there any more; m shows MEMORY.md.")
