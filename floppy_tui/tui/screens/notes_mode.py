"""What a mode of the Notes view is: its table, what a row of it is about, and the detail of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from textual.content import Content

from floppy_tui.notes.findings import Severity
from floppy_tui.tui import display
from floppy_tui.tui.filters.words import Vocabulary
from floppy_tui.tui.notes_seen import Place, Seen
from floppy_tui.tui.screens.listing import Arrangement, Asked
from floppy_tui.tui.widgets.page import FAINT
from floppy_tui.tui.widgets.rows import Column


class SeverityMark(NamedTuple):
    """How a severity looks: readable without colour."""

    glyph: str
    style: str


SEVERITY = {
    Severity.ERROR: SeverityMark("✗", "$text-error"),
    Severity.WARNING: SeverityMark("!", "$text-warning"),
    Severity.INFO: SeverityMark("·", FAINT),
}


class Mode:
    """One mode; its rows are arranged in a thread, so that it only computes."""

    NAME: ClassVar[str]
    TITLE: ClassVar[str]
    COLUMNS: ClassVar[tuple[Column, ...]]
    SORTS: ClassVar[tuple[str, ...]]
    """The first is the order without sorting."""
    PLACEHOLDER: ClassVar[str]

    def arrange(self, seen: Seen, asked: Asked) -> Arrangement:
        """The rows as asked."""
        raise NotImplementedError

    def vocabulary(self, seen: Seen) -> Vocabulary:
        """What the filter line completes."""
        raise NotImplementedError

    def place(self, seen: Seen, key: str) -> Place:
        """What the row of ``key`` is about."""
        raise NotImplementedError

    def key_of(self, seen: Seen, path: str, line: int) -> str:
        """The key of the row that is about a place; ``""`` for none."""
        raise NotImplementedError

    def page(self, seen: Seen, key: str, raw: bool, line: int, width: int) -> Sequence[Content]:
        """The detail of a row; ``line`` (0 for none) of the file is marked."""
        raise NotImplementedError

    def text(self, seen: Seen, key: str) -> str:
        """The words of a row: what is copied, and searched for web addresses."""
        raise NotImplementedError


def found_words(counts: tuple[int, int, int]) -> Content:
    """Errors, warnings and information as counts with their glyphs: ``2✗ 1!``."""
    parts = [
        (f"{count:,}{mark.glyph}", mark.style)
        for count, mark in zip(counts, SEVERITY.values(), strict=True)
        if count
    ]
    return display.joined(*parts, between=" ")


def nothing_matches(what: str) -> Content:
    """What an empty table says under a filter."""
    return Content(f"No {what} matches the filter. esc shows them all again.")
