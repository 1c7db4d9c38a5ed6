"""What the Notes view has done on what is under its cursor: which act is possible, and its dialog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from floppy_tui.tui.screens.listing import Listing

if TYPE_CHECKING:
    from floppy_tui.notes.findings import Finding
    from floppy_tui.notes.index import Index
    from floppy_tui.notes.note import Note
    from floppy_tui.notes.tree import Tree
    from floppy_tui.store.note_tree import NoteStore

ACTS: tuple[str, ...] = ()
"""The commands that are carried out here."""


class NotesActing(Listing):
    """The acts of the view, each on one thing and each through a dialog of its own."""

    note_tree: Tree | None = None
    """The newest reading; None until there is one (``tree`` is a name of Textual's)."""
    findings: tuple[Finding, ...] = ()
    """What lint says of it; empty until that is known."""
    mode: str
    """What is shown: ``notes``, ``index``, ``findings``, ``router`` or ``status``."""

    @property
    def notes_store(self) -> NoteStore:
        """The store of the tree."""
        raise NotImplementedError

    @property
    def note(self) -> Note | None:
        """The note under the cursor, in whatever mode: the one a row is, points to or is about."""
        raise NotImplementedError

    @property
    def finding(self) -> Finding | None:
        """The finding under the cursor."""
        raise NotImplementedError

    @property
    def index(self) -> Index | None:
        """The index under the cursor, or the one that the row under it stands in."""
        raise NotImplementedError

    def reload_tree(self) -> None:
        """Have the tree read again."""
        raise NotImplementedError

    def go_to(self, path: str, line: int = 0) -> None:
        """Put the cursor on the note or the index at ``path``, its text scrolled to ``line`` (from 1)."""
        raise NotImplementedError

    def act_why_not(self, name: str) -> str:
        """Why an act cannot be done on what is under the cursor, as a sentence; ``""`` where it can."""
        return ""
