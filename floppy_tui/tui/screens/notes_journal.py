"""The journal of a repository is appended to, at a section or as a new one; nothing in it changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static

from floppy_tui.notes.status import StatusFile, StatusKind, dated
from floppy_tui.tui import display
from floppy_tui.tui.commands import bindings
from floppy_tui.tui.screens.act import ActScreen, keys
from floppy_tui.tui.widgets.stow_inputs import EntryEditor, NameInput, folded

if TYPE_CHECKING:
    from floppy_tui.store.note_tree import NoteStore


class JournalForm(ActScreen):
    """The form; dismissed with what was done, or None."""

    WHERE = "noteform"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("noteform")]

    def __init__(self, store: NoteStore, statuses: Sequence[StatusFile]) -> None:
        super().__init__()
        self._store = store
        self._journal = next((s for s in statuses if s.kind is StatusKind.JOURNAL), None)

    def compose(self) -> ComposeResult:
        sections = [s.heading for s in self._journal.sections] if self._journal else []
        name = self._journal.path if self._journal else "the journal"
        with Vertical(classes="-tall") as box:
            box.border_title = display.line(f"Append to {name}", 70)
            yield Static(Content("What stands in a journal is never rewritten."), classes="lead")
            with Horizontal(classes="field"):
                yield Static(Content("section"), classes="label")
                yield NameInput(
                    dated(self._store.today()),
                    known=lambda: sections,
                    placeholder="a heading that is there (tab completes), or a new one",
                    id="field-section",
                )
            yield Static(Content("the why, and the numbers behind it:"), classes="label-above")
            yield EntryEditor("", id="field-words")
            yield Static("", classes="problem")
            yield Static(keys(("ctrl+s", "appends it"), ("esc", "does not"), ("tab", "next")), classes="hint")

    def on_mount(self) -> None:
        self.query_one(EntryEditor).focus()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.do_next()

    def do_next(self) -> None:
        self.focus_next()

    def why_not(self, name: str) -> str:
        return super().why_not("close" if name == "go_on" else name)

    def do_go_on(self) -> None:
        heading = folded(self.query_one(NameInput).value)
        words = self.query_one(EntryEditor).words

        def append() -> str:
            self._store.append_journal(heading or None, words)
            return "Appended to the journal."

        self.carry_out(append, "A moment …")
