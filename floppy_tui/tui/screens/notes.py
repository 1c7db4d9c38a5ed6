"""The Notes view: a note tree as a table, as its index, as what lint says of it, and as it is loaded."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Input, Static

from floppy_tui.notes.findings import Finding
from floppy_tui.notes.index import ROUTER, Index
from floppy_tui.notes.note import Note
from floppy_tui.tiers.markers import Tier
from floppy_tui.tui import display
from floppy_tui.tui.commands import Command, bindings, get, keys_of, spelled
from floppy_tui.tui.display import TierMark
from floppy_tui.tui.filters.words import Vocabulary
from floppy_tui.tui.notes_seen import Place, Seen
from floppy_tui.tui.screens import notes_commands
from floppy_tui.tui.screens.listing import Arrangement, Asked
from floppy_tui.tui.screens.notes_findings import FindingsList
from floppy_tui.tui.screens.notes_going import NotesGoing
from floppy_tui.tui.screens.notes_index import IndexTree
from floppy_tui.tui.screens.notes_mode import Mode, found_words
from floppy_tui.tui.screens.notes_page import MARK
from floppy_tui.tui.screens.notes_router import RouterPreview
from floppy_tui.tui.screens.notes_status import StatusFiles
from floppy_tui.tui.screens.notes_table import NotesTable
from floppy_tui.tui.widgets.detail import LayOut
from floppy_tui.tui.widgets.notes_gauges import NotesGauges
from floppy_tui.tui.widgets.notes_tabs import NotesTabs
from floppy_tui.tui.widgets.rows import Rows

if TYPE_CHECKING:
    from floppy_tui.store.note_tree import NoteStore

ACTS = frozenset(name for name, *_ in notes_commands.ACTS)
_OF_ROW = ("open", "copy", "raw", "links", "follow")


class NotesView(NotesGoing):
    """The view."""

    WHERE = "notes"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("notes")]
    COLUMNS = NotesTable.COLUMNS
    SORTS = NotesTable.SORTS
    PLACEHOLDER = NotesTable.PLACEHOLDER
    OF_HOME = False

    def __init__(self, marks: Mapping[Tier, TierMark], *, id: str | None = None) -> None:
        super().__init__(marks, id=id)
        self.index_tree, self.preview, self.status_files = IndexTree(), RouterPreview(), StatusFiles()
        modes = (NotesTable(), self.index_tree, FindingsList(), self.preview, self.status_files)
        self.modes: dict[str, Mode] = {mode.NAME: mode for mode in modes}
        self.mode = NotesTable.NAME
        self.seen: Seen | None = None
        self._kept: dict[str, Asked] = {}
        """What each mode that is not shown is arranged by."""

    # What is shown.

    def compose_top(self) -> ComposeResult:
        yield NotesGauges(ascii_only=self.floppy.ascii_only)
        yield Static(classes="exceptions")
        keymap = self.floppy.keys_remapped
        keys = {
            mode: spelled(keys_of(get(f"notes.{command}"), keymap)[0]) for command, mode in MODE_OF.items()
        }
        yield NotesTabs([(name, keys[name], mode.TITLE) for name, mode in self.modes.items()])

    def compose_rows(self) -> ComposeResult:
        for name, mode in self.modes.items():
            table = Rows(mode.COLUMNS, id=f"rows-{name}")
            table.display = name == self.mode
            table.empty = Content("Reading the notes …")
            yield table

    @property
    def rows(self) -> Rows:
        return self.query_one(f"#rows-{self.mode}", Rows)

    @property
    def shown_mode(self) -> Mode:
        """The mode that is shown."""
        return self.modes[self.mode]

    @property
    def sorts(self) -> tuple[str, ...]:
        return self.shown_mode.SORTS

    @property
    def reading(self) -> tuple[Mode, Seen] | None:
        """The mode with what it shows: a thread that is late arranges by both."""
        return (self.shown_mode, self.seen) if self.seen else None

    @property
    def notes_store(self) -> NoteStore:
        assert self.floppy.notes_store is not None
        return self.floppy.notes_store

    def on_mount(self) -> None:
        self.query_one(NotesTabs).mode = self.mode
        self.tree_changed()

    def tree_changed(self) -> None:
        """Show another reading of the tree; cursor, filter, order, scroll and mode stay."""
        if not self.ready:
            return
        app = self.floppy
        self.note_tree, self.findings = app.note_tree, app.findings
        if app.note_tree is not None:
            linted = app.linted is app.note_tree
            self.seen = Seen(app.note_tree, app.findings, linted, app.statuses, app.tree_words())
            self.query_one(NotesGauges).seen = self.seen
            self.rearrange()
        elif app.tree_problem:
            for table in self.query(Rows):
                table.empty = display.content(app.tree_problem, "$text-error")
                table.refresh()
        said = app.tree_problem if app.note_tree is not None else ""
        exceptions = self.query_one(".exceptions", Static)
        exceptions.update(display.content(said and f"{said} What is shown was read before.", "$text-error"))
        exceptions.display = bool(said)
        self._show_remarks()

    def _show_remarks(self) -> None:
        """Say behind the title of the findings how many there are."""
        if self.seen is not None and self.seen.linted:
            found = found_words(self.seen.counts()) or display.content("✓", "$text-success")
        else:
            found = display.content("…", "$text-muted")
        self.query_one(NotesTabs).remarks = (("findings", found),)

    def arrangement(self, reading: tuple[Mode, Seen], asked: Asked) -> Arrangement:
        mode, seen = reading
        return mode.arrange(seen, asked)

    def show_arrangement(self, asked: Asked, arrangement: Arrangement) -> None:
        self.filter_line.vocabulary = self.vocabulary()
        super().show_arrangement(asked, arrangement)
        self.reach()
        self.floppy.lint_tree()

    def vocabulary(self) -> Vocabulary:
        return self.shown_mode.vocabulary(self.seen) if self.seen else Vocabulary((), {})

    def lines(self, key: str) -> LayOut:
        if self.seen is None:
            return lambda width: ()
        marked, line = self.marked
        return partial(self.shown_mode.page, self.seen, key, self.raw, line if marked == key else 0)

    def show_detail(self, *, top: bool) -> None:
        key = self.rows.key
        if top and self.marked[0] != key:
            self.marked = ("", 0)
        super().show_detail(top=top)
        if top and self.marked[1]:
            self.detail.scroll_to_mark(MARK)

    def text(self, key: str) -> str:
        return self.shown_mode.text(self.seen, key) if self.seen else ""

    # What is under the cursor.

    @property
    def place(self) -> Place:
        """What the row under the cursor is about."""
        key = self.rows.key
        return self.shown_mode.place(self.seen, key) if self.seen and key else Place()

    @property
    def note(self) -> Note | None:
        return self.place.note(self.seen) if self.seen else None

    @property
    def index(self) -> Index | None:
        return self.place.index_of(self.seen) if self.seen else None

    @property
    def finding(self) -> Finding | None:
        return self.place.finding

    @property
    def file_and_line(self) -> tuple[str, int]:
        place, texts = self.place, self.note_tree.texts if self.note_tree else {}
        if self.mode == "status" and self.seen is not None:
            line = self.status_files.line(self.seen, self.rows.key)
            if line is None or line.file is None:
                return "", 0
            return line.file.path, line.section.line if line.section else 0
        if self.mode == "router" and self.seen is not None:
            shown = self.preview.line(self.seen, self.rows.key)
            return (self.preview.file, shown.number) if shown is not None else ("", 0)
        if place.path in texts:
            marked, at = self.marked
            return place.path, place.line or (at if marked == self.rows.key else 0)
        # A pointer that leads to nothing: where it stands.
        return (place.within, place.line) if place.within in texts else ("", 0)

    # Going about.

    def show_mode(self, name: str) -> None:
        """Show a mode; each keeps its own filter, order, cursor and scroll."""
        if name == self.mode:
            self.rows.focus()
            return
        self.rows.display = False
        self._kept[self.mode] = self.asked
        self.mode = name
        mode = self.shown_mode
        self.asked = self._kept.get(name, Asked("", mode.SORTS[0], False))
        self.rows.display = True
        self.set_class(name == "findings", "-findings")
        with self.prevent(Input.Changed):
            self.filter_line.value = self.asked.text
        self.filter_line.placeholder = mode.PLACEHOLDER
        self.query_one(NotesTabs).mode = name
        self.marked = ("", 0)
        self.rows.focus()
        self.rearrange()
        self.show_detail(top=True)

    @on(NotesTabs.ModeAsked)
    def _mode_asked(self, message: NotesTabs.ModeAsked) -> None:
        message.stop()
        self.show_mode(message.mode)

    def reload_tree(self) -> None:
        self.floppy.reread_tree()

    def offers(self, command: Command) -> bool:
        if command.name in ("fold", "shut", "unfold"):
            return self.mode == "index"
        if command.name in ("sort", "reverse"):
            return len(self.sorts) > 1
        if command.name == "raw":
            return self.mode not in ("router", "findings")
        return True

    def label_of(self, command: Command) -> str:
        if command.name == "open" and self.mode == "findings":
            return "go there"
        if command.name == "new" and self.mode == "status":
            return "to the journal"
        return super().label_of(command)

    def why_not(self, name: str) -> str:
        if self.seen is None and name not in MODE_OF:
            return self.floppy.tree_problem or "The notes are still being read."
        if name in ACTS:
            return self.act_why_not(name)
        if name == "follow" and self.note is None and not self.index_led_to():
            return "There is no note under the cursor, nor a pointer to one."
        if name in ("fold", "shut", "unfold"):
            if self.mode != "index":
                return "Only the index (i) can be folded."
            return "The filter shows all that it finds; esc ends it." if self.asked.text else ""
        if name == "backward" and not self.left_behind:
            return "Nothing was followed to here."
        if name == "forward" and not self.left_ahead:
            return "There is nothing to go forth to."
        return super().why_not(name)

    # Commands.

    def do_table(self) -> None:
        self.show_mode("notes")

    def do_tree(self) -> None:
        self.show_mode("index")

    def do_findings(self) -> None:
        self.show_mode("findings")

    def do_router(self) -> None:
        if self.preview.file != ROUTER:
            self.preview.file = ROUTER
            self.rearrange()
        self.show_mode("router")

    def do_status(self) -> None:
        self.show_mode("status")


MODE_OF = {
    "table": "notes",
    "tree": "index",
    "findings": "findings",
    "router": "router",
    "status": "status",
}
"""The mode that each command shows."""
