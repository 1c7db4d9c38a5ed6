"""What the Notes view has done on what is under its cursor: which act is possible, and its dialog."""

from __future__ import annotations

import posixpath
from functools import partial
from typing import TYPE_CHECKING

from textual import on, work
from textual.content import Content
from textual.message import Message
from textual.screen import Screen

from floppy_tui.notes.planned import Impossible, Planned
from floppy_tui.store.files import StoreError
from floppy_tui.tui import display
from floppy_tui.tui.commands import get, keys_of
from floppy_tui.tui.notes_seen import why_not_typed
from floppy_tui.tui.screens.listing import Listing
from floppy_tui.tui.speaking import Said

if TYPE_CHECKING:
    from floppy_tui.notes.findings import Finding
    from floppy_tui.notes.index import Index
    from floppy_tui.notes.note import Note
    from floppy_tui.notes.tree import Tree
    from floppy_tui.store.note_tree import NoteStore
    from floppy_tui.store.undo import Act
    from floppy_tui.tui.screens.notes_form import NoteForm
    from floppy_tui.tui.screens.notes_plan import Make

_OF_NOTE = ("recheck", "rewrite", "delete", "rename")
_NOTHING = "Nothing was done here yet, or all of it is undone."


class NotesActing(Listing):
    """The acts of the view, each on one thing and each through a dialog of its own."""

    note_tree: Tree | None = None
    """The newest reading; None until there is one (``tree`` is a name of Textual's)."""
    findings: tuple[Finding, ...] = ()
    """What lint says of it; empty until that is known."""
    mode: str
    """What is shown: ``notes``, ``index``, ``findings``, ``router`` or ``status``."""

    class Repaired(Message):
        """A repair was planned, or cannot be."""

        def __init__(self, planned: Planned | None, make: Make, why: str) -> None:
            super().__init__()
            self.planned = planned
            self.make = make
            self.why = why

    class Looked(Message):
        """What can be undone and done again."""

        def __init__(self, act: Act | None, redo: bool) -> None:
            super().__init__()
            self.act = act
            self.redo = redo

    class Edited(Message):
        """A note was changed in the editor."""

        def __init__(self, tree: Tree, note: Note) -> None:
            super().__init__()
            self.tree = tree
            self.note = note

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

    @property
    def file_and_line(self) -> tuple[str, int]:
        """The file that the row under the cursor is about, a status file too, and the line in it."""
        raise NotImplementedError

    def reload_tree(self) -> None:
        """Have the tree read again."""
        raise NotImplementedError

    def go_to(self, path: str, line: int = 0) -> None:
        """Put the cursor on the note or the index at ``path``, its text scrolled to ``line`` (from 1)."""
        raise NotImplementedError

    # Which act is possible.

    def act_why_not(self, name: str) -> str:
        """Why an act cannot be done on what is under the cursor, as a sentence; ``""`` where it can."""
        tree, note = self.note_tree, self.note
        if tree is None:
            return "The notes are still being read."
        if name in _OF_NOTE:
            if note is None:
                return "There is no note under the cursor."
            if note.linked:
                return f"{note.path} lies behind a link, in another repository; change it there."
            if name == "rewrite":
                return why_not_typed(note)
        if name == "edit" and not self.file_and_line[0]:
            return "There is no file under the cursor."
        if name == "repair":
            if self.finding is None:
                return "There is no finding under the cursor; f lists them."
            if not self.finding.repair:
                return "This finding needs a judgment: its message says what to do."
        if name == "split":
            from floppy_tui.tui.screens.notes_split import splittable

            if not splittable(tree):
                return "There is no index that could hand notes on to a group below it."
        if name == "quota" and (tree.quota is None or not tree.quota_text):
            return "There is no quota.lock, so that nothing is limited."
        if name == "new" and self.mode == "status" and not self.floppy.statuses:
            return "This tree belongs to no repository, so that it has no journal."
        return ""

    # Dialogs.

    @property
    def asked_now(self) -> bool:
        """Whether the captain is still where a thread was begun; else its find is asked about no more."""
        return self.floppy.view is self and len(self.floppy.screen_stack) == 1

    def _open(self, form: NoteForm, act: str = "") -> None:
        """Show a form; ``act`` names the command that opened it, whose held key types nothing."""
        if act:
            form.opener = keys_of(get(f"notes.{act}"), self.keymap)[0]
        self.floppy.push_screen(form, partial(self._acted, form))

    def _acted(self, form: NoteForm, said: str | None) -> None:
        if said is not None and form.made is not None:
            self._told(said)

    def do_new(self) -> None:
        assert self.note_tree is not None
        if self.mode == "status":
            from floppy_tui.tui.screens.notes_journal import JournalForm

            self.floppy.push_screen(JournalForm(self.notes_store, self.floppy.statuses), self._told)
            return
        from floppy_tui.tui.screens.notes_new import NewNoteForm

        beside = (
            posixpath.dirname(self.note.path) if self.note else self.index.directory if self.index else ""
        )
        form = NewNoteForm(self.notes_store, self.note_tree, beside)
        self.floppy.push_screen(form, partial(self._new_done, form))

    def _new_done(self, form: NoteForm, said: str | None) -> None:
        from floppy_tui.tui.screens.notes_new import NewNoteForm

        self._acted(form, said)
        if isinstance(form, NewNoteForm) and form.wanted is not None:
            self.go_to(form.wanted.path)
        elif form.made is not None:
            made = [p for p, e in form.made.edits.items() if e.before is None]
            if made:
                self.go_to(made[0])

    def _told(self, said: str | None) -> None:
        if said is not None:
            self.floppy.say(said)
            self.reload_tree()

    def do_recheck(self) -> None:
        from floppy_tui.tui.screens.notes_forms import recheck

        assert self.note is not None and self.note_tree is not None
        self._open(recheck(self.notes_store, self.note_tree, self.note, self.note_tree.today), "recheck")

    def do_rewrite(self) -> None:
        from floppy_tui.tui.screens.notes_forms import rewrite

        assert self.note is not None and self.note_tree is not None
        self._open(rewrite(self.notes_store, self.note_tree, self.note), "rewrite")

    def do_delete(self) -> None:
        from floppy_tui.tui.screens.notes_forms import delete

        assert self.note is not None and self.note_tree is not None
        self._open(delete(self.notes_store, self.note_tree, self.note), "delete")

    def do_rename(self) -> None:
        from floppy_tui.tui.screens.notes_forms import rename

        assert self.note is not None and self.note_tree is not None
        self._open(rename(self.notes_store, self.note_tree, self.note), "rename")

    def do_split(self) -> None:
        from floppy_tui.tui.screens.notes_split import SplitForm, splittable

        assert self.note_tree is not None
        places = splittable(self.note_tree)
        # An index itself, and not a note that stands in it, says which is meant.
        index = self.index if self.note is None and self.index in places else places[0]
        self._open(SplitForm(self.notes_store, self.note_tree, index), "split")

    def do_quota(self) -> None:
        from floppy_tui.tui.screens.notes_forms import quota

        assert self.note_tree is not None
        form = quota(self.notes_store, self.note_tree)
        if form is None:
            self.floppy.say("quota.lock sets no ceiling.", "warning")
        else:
            form.opener = keys_of(get("notes.quota"), self.keymap)[0]
            self.floppy.push_screen(form, partial(self._raised, form))

    def _raised(self, form: NoteForm, said: str | None) -> None:
        if said is not None and form.made is not None:
            # A raise goes into one commit with the notes that needed it, which opens at once and shows it.
            self.reload_tree()
            self.do_commit()

    def do_repair(self) -> None:
        assert self.finding is not None and self.note_tree is not None
        self._repair(self.note_tree, self.finding)

    @work(thread=True, exclusive=True, group="notes-act", exit_on_error=False, description="repair")
    def _repair(self, tree: Tree, finding: Finding) -> None:
        from floppy_tui.notes.repairs import repair

        def make(tree: Tree) -> Planned:
            return repair(tree, finding)

        try:
            planned = make(tree)
        except Impossible as why:
            self.post_message(self.Repaired(None, make, str(why)))
        else:
            self.post_message(self.Repaired(planned, make, ""))

    @on(Repaired)
    def _show_planned(self, message: Repaired) -> None:
        message.stop()
        if not self.asked_now:
            return
        if message.planned is None:
            self.floppy.say(message.why, "warning")
            return
        from floppy_tui.tui.screens.notes_plan import PlanScreen

        screen = PlanScreen(self.notes_store, message.planned, message.make)
        self.floppy.push_screen(screen, self._told)

    def do_consolidate(self) -> None:
        from floppy_tui.notes.quota import ROOT, half_of
        from floppy_tui.tui.screens.notes_consolidate import ConsolidateScreen

        assert self.note_tree is not None
        place = self.note.path if self.note else self.index.path if self.index else ""
        half = half_of(place) if place else ROOT
        self.floppy.push_screen(ConsolidateScreen(self.notes_store, self.note_tree, half, self._told))

    def do_commit(self) -> None:
        from floppy_tui.tui.screens.notes_commit import CommitScreen

        screen = CommitScreen(self.notes_store)
        self.floppy.push_screen(screen, self._told)

    # The editor.

    def do_edit(self) -> None:
        self._edit(*self.file_and_line, take_over=False)

    def _edit(self, path: str, line: int, *, take_over: bool) -> None:
        from floppy_tui.store.wrap_lock import Abandoned, Wrapped

        before = self.note_tree.texts.get(path) if self.note_tree else None
        store = self.notes_store
        try:
            place = store.path(path)
            with store.wrapping_edit(path, take_over=take_over):
                edited = self.floppy.edit_file(place, max(line, 1))
        except Abandoned as held:
            self._ask_to_take_over(path, line, f"{held}.")
            return
        except StoreError as why:
            self.floppy.say(f"{why}." if isinstance(why, Wrapped) else str(why), "error")
            return
        self.reload_tree()
        if edited and self.note_tree is not None and path in self.note_tree.by_path:
            self._look_at_edit(path, before)

    def _ask_to_take_over(self, path: str, line: int, why: str) -> None:
        from floppy_tui.tui.screens.act import ConfirmScreen
        from floppy_tui.tui.widgets.page import Page

        def lines(width: int) -> list[Content]:
            return Page(width).add(why).lines

        def edit(confirmed: str | None) -> None:
            if confirmed is not None:
                self._edit(path, line, take_over=True)

        does = "takes the lock over and opens the editor"
        screen: Screen[str | None] = ConfirmScreen("An abandoned wrap lock", lines, does, lambda: path)
        self.floppy.push_screen(screen, edit)

    @work(thread=True, exclusive=True, group="notes-act", exit_on_error=False, description="edited")
    def _look_at_edit(self, path: str, before: str | None) -> None:
        tree = self.notes_store.read()
        note = tree.by_path.get(path)
        if note is not None and note.text != before:
            self.post_message(self.Edited(tree, note))

    @on(Edited)
    def _ask_date(self, message: Edited) -> None:
        message.stop()
        if not self.asked_now:
            return
        from floppy_tui.tui.screens.notes_forms import dated

        self._open(dated(self.notes_store, message.tree, message.note))

    # Undo and redo.

    def do_undo(self) -> None:
        self._look_back(redo=False)

    def do_redo(self) -> None:
        self._look_back(redo=True)

    @work(thread=True, exclusive=True, group="notes-act", exit_on_error=False, description="past acts")
    def _look_back(self, *, redo: bool) -> None:
        done, undone = self.notes_store.latest()
        act = undone if redo else done
        if act is not None and act.why_not:
            self.post_message(Said(act.why_not, "warning"))
        else:
            self.post_message(self.Looked(act, redo))

    @on(Looked)
    def _ask_undo(self, message: Looked) -> None:
        message.stop()
        if not self.asked_now:
            return
        act, redo = message.act, message.redo
        if act is None:
            self.floppy.say("Nothing was undone." if redo else _NOTHING, "warning")
            return
        from floppy_tui.tui.screens.act import ConfirmScreen
        from floppy_tui.tui.widgets.page import FAINT, Page

        # To do again is to take an undoing back; what is asked about is the act itself.
        words = act.words.removeprefix("undo of ") if redo else act.words

        def lines(width: int) -> list[Content]:
            page = Page(width).add((words, "bold"))
            page.add((f"{'undone' if redo else 'done'} {act.when[:16].replace('T', ' ')} UTC", FAINT))
            for name in act.files:
                page.add("  ", display.content(name))
            if act.note and not redo:
                page.add((act.note, "$text-warning"))
            return page.lines

        def back() -> str:
            store = self.notes_store
            (store.redo if redo else store.undo)(act.id)
            return f"{'Done again' if redo else 'Undone'}: {words}."

        title, does = ("Do again", "does it again") if redo else ("Undo", "puts the files back")
        screen: Screen[str | None] = ConfirmScreen(title, lines, does, back)
        self.floppy.push_screen(screen, self._told)
