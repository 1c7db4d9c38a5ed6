"""How the app comes to know a note tree: read, watched and checked, none of it before it is needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import on, work
from textual.message import Message
from textual.worker import get_current_worker

from floppy_tui.store.files import StoreError
from floppy_tui.tui.home_reading import ReadingApp
from floppy_tui.tui.speaking import Said

if TYPE_CHECKING:
    from floppy_tui.notes.findings import Finding
    from floppy_tui.notes.status import StatusFile
    from floppy_tui.notes.tree import Tree
    from floppy_tui.store.note_tree import NoteStore


class TreeReading(ReadingApp):
    """What it knows of the note tree."""

    notes_store: NoteStore | None
    """The store of the note tree; None where none is open."""
    find_notes: Callable[[], NoteStore] | None
    """Opens the tree of a home, where that was put off; None once it was done."""
    why_no_tree: str
    """Why none is open, as a sentence, where one was looked for."""
    note_tree: Tree | None
    """The newest reading."""
    statuses: tuple[StatusFile, ...]
    """The status files of that reading."""
    linted: Tree | None
    """The reading that the findings are about."""
    findings: tuple[Finding, ...]
    tree_problem: str
    """Why the tree cannot be read now, as a sentence."""
    _tree_recovered: bool
    _checked: Tree | None = None
    """The reading that was last given to be checked."""

    class TreeFound(Message):
        """It was looked for the note tree of a home."""

        def __init__(self, store: NoteStore | None, why: str = "") -> None:
            super().__init__()
            self.store = store
            self.why = why

    class TreeRead(Message):
        """The note tree was read, or could not be."""

        def __init__(
            self, tree: Tree | None, statuses: tuple[StatusFile, ...], changed: str, problem: str
        ) -> None:
            super().__init__()
            self.tree = tree
            self.statuses = statuses
            self.changed = changed
            self.problem = problem

    class Linted(Message):
        """A reading was checked."""

        def __init__(self, tree: Tree, findings: tuple[Finding, ...]) -> None:
            super().__init__()
            self.tree = tree
            self.findings = findings

    def begin_tree(self) -> None:
        """Look for the tree where that was put off; read it, and watch it from now on."""
        if self.find_notes is not None:
            self._find_tree(self.find_notes)
            return
        if self.notes_store is not None:
            if self.note_tree is None:
                self.reread_tree()
            self.watch_tree()

    def find_tree_now(self) -> None:
        """Look for the tree at once, on the event loop: before anything is on screen."""
        if self.find_notes is not None:
            try:
                self.notes_store = self.find_notes()
            except StoreError as error:
                self.why_no_tree = str(error)
            self.find_notes = None

    @work(thread=True, group="notes-find", exit_on_error=False, description="find notes")
    def _find_tree(self, find: Callable[[], NoteStore]) -> None:
        try:
            self.post_message(self.TreeFound(find()))
        except StoreError as error:
            self.post_message(self.TreeFound(None, str(error)))

    @on(TreeFound)
    def _tree_found(self, message: TreeFound) -> None:
        message.stop()
        self.find_notes, self.notes_store, self.why_no_tree = None, message.store, message.why
        self.show_offered()
        self.begin_tree()

    def tree_words(self) -> str:
        """Which tree is open."""
        if self.notes_store is None:
            return ""
        home = self.notes_store.home
        return f"{home.display_root} · {home.profile}"

    def reread_tree(self) -> None:
        """Have the note tree read again."""
        if self.notes_store is not None:
            self._read_tree(self.notes_store, self.note_tree, self.statuses)

    @work(thread=True, exclusive=True, group="notes-read", exit_on_error=False, description="read notes")
    def _read_tree(self, store: NoteStore, before: Tree | None, were: tuple[StatusFile, ...]) -> None:
        try:
            if not self._tree_recovered:
                self._tree_recovered = True
                for sentence in store.recover():
                    self.post_message(Said(sentence, "warning"))
            tree, statuses = store.read(), store.statuses()
            _warm(tree)
        except StoreError as error:
            if not get_current_worker().is_cancelled:
                self.post_message(self.TreeRead(None, (), "", str(error)))
            return
        changed = ""
        if before is not None:
            from floppy_tui.tui.notes_changed import same_tree, tree_changes

            if same_tree(before, tree) and were == statuses and not self.tree_problem:
                return
            changed = tree_changes(before, tree)
        if not get_current_worker().is_cancelled:
            self.post_message(self.TreeRead(tree, statuses, changed, ""))

    @on(TreeRead)
    def _show_tree(self, message: TreeRead) -> None:
        message.stop()
        self.tree_problem = message.problem
        if message.tree is not None:
            self.note_tree, self.statuses = message.tree, message.statuses
            self.tell(message.changed)
        for view in self.views_made():
            view.tree_changed()
        for screen in self.screen_stack[1:]:
            told = getattr(screen, "tree_changed", None)
            if told is not None:
                told()

    def lint_tree(self) -> None:
        """Have the newest reading checked, unless it is already, or is being checked.

        Asked for by the view once its rows are there: a check takes the time of what is shown.
        """
        if self.note_tree is not None and self._checked is not self.note_tree:
            self._checked = self.note_tree
            self._lint_tree(self.note_tree)

    @work(thread=True, exclusive=True, group="notes-lint", exit_on_error=False, description="lint notes")
    def _lint_tree(self, tree: Tree) -> None:
        from floppy_tui.notes.lint import lint

        findings = lint(tree)
        if not get_current_worker().is_cancelled:
            self.post_message(self.Linted(tree, findings))

    @on(Linted)
    def _show_findings(self, message: Linted) -> None:
        message.stop()
        if message.tree is self.note_tree:
            self.linted, self.findings = message.tree, message.findings
            for view in self.views_made():
                view.tree_changed()

    @work(group="notes-changes", exit_on_error=False, description="notes changes")
    async def watch_tree(self) -> None:
        """Read again whenever something of the tree changed on disk, until the app ends."""
        assert self.notes_store is not None
        async for _ in self.notes_store.changes(self.stopping):
            self.reread_tree()


def _warm(tree: Tree) -> None:
    """Work out in the thread what the gauges ask, which would else be parsed on the event loop."""
    _ = tree.cut, tree.half_chars, [index.links for index in tree.indexes], [n.chars for n in tree.notes]
