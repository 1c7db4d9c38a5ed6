"""The table of notes."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from floppy_tui.notes.note import Scope
from floppy_tui.notes.profiles import Profile
from floppy_tui.tui import display
from floppy_tui.tui.filters import notes as notes_filter
from floppy_tui.tui.filters.words import Vocabulary
from floppy_tui.tui.notes_rows import OVER, SORTS, NoteRow, note_rows
from floppy_tui.tui.notes_seen import Place, Seen
from floppy_tui.tui.screens.listing import Arrangement, Asked
from floppy_tui.tui.screens.notes_mode import Mode, found_words, nothing_matches
from floppy_tui.tui.screens.notes_page import note_page
from floppy_tui.tui.widgets.page import FAINT
from floppy_tui.tui.widgets.rows import Column


class NoteRows:
    """Rows of notes for the table."""

    def __init__(self, rows: Sequence[NoteRow], missing: str) -> None:
        self._rows = rows
        self._missing = missing
        """Stands for an evidence that is not there."""
        self._places = {row.path: n for n, row in enumerate(rows)}

    def __len__(self) -> int:
        return len(self._rows)

    def key(self, index: int) -> str:
        return self._rows[index].path

    def index(self, key: str) -> int:
        return self._places.get(key, -1)

    def cells(self, index: int, widths: Sequence[int]) -> Sequence[Content]:
        row = self._rows[index]
        own = row.scope is Scope.OWN
        plain = "" if own else FAINT
        return (
            display.line(row.half, widths[0], FAINT),
            display.line(row.slug, widths[1], plain),
            display.line(row.type or "?", widths[2], FAINT),
            display.line(row.evidence or self._missing, widths[3], plain if row.evidence else FAINT),
            _age(row),
            _size(row, plain),
            _links(row),
            display.content(f"{row.heat:,}" if row.heat else "", FAINT),
            found_words((row.errors, row.warnings, 0)),
        )


def _age(row: NoteRow) -> Content:
    if row.ahead:
        # A day is granted: dates are in UTC.
        return display.content(f"+{row.ahead:,}d" + "!" * (row.ahead > 1), "$text-error")
    if row.days is None:
        return display.content("–", FAINT)
    return (
        display.content(f"{row.days:,}d!", "$text-error") if row.aged else display.content(f"{row.days:,}d")
    )


def _size(row: NoteRow, plain: str) -> Content:
    said = display.short(row.chars)
    if not row.size:
        return display.content(said, plain)
    return display.content(f"{said}!", "$text-error" if row.size == OVER else "$text-warning")


def _links(row: NoteRow) -> Content:
    said = f"{row.links_in:,}/{row.links_out:,}"
    return display.content(f"{said}!", "$text-error") if row.dangling else display.content(said, FAINT)


class NotesTable(Mode):
    """The mode."""

    NAME = "notes"
    TITLE = "notes"
    COLUMNS = (
        Column("half", "half", 9),
        Column("slug", "slug", 0),
        Column("type", "type", 9, from_width=56),
        Column("evidence", "evidence", 8, from_width=46),
        Column("age", "age", 6, right=True),
        Column("chars", "chars", 7, right=True),
        Column("links", "in/out", 7, right=True, from_width=86),
        Column("heat", "heat", 4, right=True, from_width=86),
        Column("findings", "found", 8),
    )
    SORTS = tuple(SORTS)
    PLACEHOLDER = "/ filter: half:yard type:project aged undated orphan finding: rule: chars>2000 words"

    def __init__(self) -> None:
        self._rested: tuple[Seen | None, tuple[NoteRow, ...]] = (None, ())

    def arrange(self, seen: Seen, asked: Asked) -> Arrangement:
        of, rows = self._rested
        if of is not seen:
            rows = note_rows(seen)
            self._rested = (seen, rows)
        wanted = notes_filter.parse(asked.text)
        found = [row for row in rows if wanted.lets(row)]
        found.sort(key=SORTS[asked.sort], reverse=asked.reverse)
        return Arrangement(
            NoteRows(found, "?" if seen.tree.profile is Profile.FLOPPY else "–"),
            _status(rows, found),
            wanted.problem,
            nothing_matches("note") if rows else nothing_here(seen),
        )

    def vocabulary(self, seen: Seen) -> Vocabulary:
        rows = self._rested[1]
        halves = dict.fromkeys(row.half for row in rows)
        rules = sorted({rule for row in rows for rule in row.rules})
        return notes_filter.vocabulary(tuple(halves), tuple(rules))

    def place(self, seen: Seen, key: str) -> Place:
        return Place(key)

    def key_of(self, seen: Seen, path: str, line: int) -> str:
        return path if path in seen.tree.by_path else ""

    def page(self, seen: Seen, key: str, raw: bool, line: int, width: int) -> Sequence[Content]:
        note = seen.tree.by_path.get(key)
        return () if note is None else note_page(seen, note, raw, line, width)

    def text(self, seen: Seen, key: str) -> str:
        note = seen.tree.by_path.get(key)
        return note.text if note else ""


def _status(rows: Sequence[NoteRow], found: Sequence[NoteRow]) -> str:
    own = sum(row.scope is Scope.OWN for row in rows)
    said = display.counted(len(rows), "note")
    if own != len(rows):
        said += f" ({len(rows) - own:,} foreign)"
    if len(found) != len(rows):
        said = f"{len(found):,} of {said}"
    said += f", {sum(row.chars for row in found):,} characters"
    for count, word in ((sum(r.aged for r in found), "aged"), (sum(r.orphan for r in found), "no pointer")):
        said += f", {count:,} {word}" if count else ""
    return said


def _prose(text: str) -> bool:
    """Whether there is more than headings."""
    return any(line.strip() and not line.startswith("#") for line in text.split("\n"))


def nothing_here(seen: Seen) -> Content:
    """Why there are no notes, and what would bring some."""
    tree = seen.tree
    if tree.unread:
        said = "No note could be read: " + " ".join(u.message for u in tree.unread[:3])
    elif tree.free_form and tree.router is not None and _prose(tree.router.text):
        said = (
            "There are no notes here: MEMORY.md holds free text without pointers, which a session reads "
            "as it is. m shows it with the line at which it is cut."
        )
    elif tree.router is None:
        said = "There is neither a MEMORY.md nor a note in this directory."
    else:
        said = "There are no notes here yet."
    return display.content(
        f"{said}\n\nA note is one fact in a file of its own, with a pointer in the index: a writes one, and "
        "so does an agent; what is written there appears here by itself."
    )
