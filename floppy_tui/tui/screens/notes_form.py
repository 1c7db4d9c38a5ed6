"""The form of an act on the notes: its fields, and then the act shown before it is done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static, TextArea

from floppy_tui.notes.planned import Impossible, Planned
from floppy_tui.store.files import StoreError
from floppy_tui.text.dates import parse_date
from floppy_tui.tui import display
from floppy_tui.tui.commands import bindings, get, keys_of, spelled
from floppy_tui.tui.screens.act import ActScreen, keys
from floppy_tui.tui.screens.notes_plan import PlanScreen
from floppy_tui.tui.widgets.choice import Choice
from floppy_tui.tui.widgets.stow_inputs import EntryEditor, LineInput, NameInput, folded
from floppy_tui.tui.widgets.ticks import Ticks

if TYPE_CHECKING:
    from floppy_tui.notes.tree import Tree
    from floppy_tui.store.note_tree import NoteStore


@dataclass(frozen=True)
class Values:
    """What stands in a form."""

    lines: Mapping[str, str]
    """By field; what is one line is folded to one."""
    several: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What is chosen of several."""

    def __getitem__(self, name: str) -> str:
        return self.lines[name]

    def day(self, name: str) -> date | None:
        """The date in a field, None where it is empty; raises ``Impossible``."""
        said = self.lines[name]
        if not said:
            return None
        found = parse_date(said)
        if found is None:
            raise Impossible(f"'{said}' is no date; spell it YYYY-MM-DD, or leave it empty.")
        return found


@dataclass(frozen=True)
class Field:
    """One field; ``words`` of a choice are trusted, everything else may hold what agents wrote."""

    name: str
    label: str
    value: str = ""
    placeholder: str = ""
    choice: Sequence[str] = ()
    """The words to choose from, where it is a choice."""
    meanings: Mapping[str, str] = field(default_factory=dict)
    """What each of them means."""
    text: bool = False
    """Whether it has several lines."""
    known: Callable[[], Iterable[str]] | None = None
    """Names that complete what is typed."""
    options: Sequence[tuple[str, str, bool]] = ()
    """Of a list of which several are chosen: value, words, whether it is."""


FormMake = Callable[["Tree", Values], Planned]
"""Plans an act on a reading of the tree from what stands in the form; raises ``Impossible``."""


class NoteForm(ActScreen):
    """Dismissed with what was done, or None; ``made`` is the act as it was done."""

    WHERE = "noteform"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("noteform")]

    class Made(Message):
        """The act was planned."""

        def __init__(self, planned: Planned, values: Values) -> None:
            super().__init__()
            self.planned = planned
            self.values = values

    def __init__(
        self,
        store: NoteStore,
        tree: Tree,
        title: str,
        fields: Sequence[Field],
        make: FormMake,
        *,
        lead: Sequence[Content] = (),
        focus: str = "",
        direct: bool = False,
        needless: str = "",
    ) -> None:
        super().__init__()
        self.store = store
        self.note_tree = tree
        """The newest reading."""
        self.made: Planned | None = None
        self._title = title
        self._fields = fields
        self._make = make
        self._lead = lead
        self._first = focus or fields[0].name
        self._direct = direct
        """Whether an act of one line is done without being shown once more."""
        self._needless = needless
        """The field that asks for nothing to be done where it is left empty."""
        self.opener = ""
        """The key that opened it, which is deaf until another one was pressed: holding it types nothing."""

    def compose(self) -> ComposeResult:
        tall = any(f.text or f.options for f in self._fields)
        with Vertical(classes="-tall" if tall else "") as box:
            box.border_title = display.line(self._title, 70)
            for line in self._lead:
                yield Static(line, classes="lead")
            yield from self.compose_beside()
            for one in self._fields:
                yield from self._field(one)
            yield Static("", classes="problem")
            yield Static(self.hint(), classes="hint")

    def compose_beside(self) -> ComposeResult:
        """What stands above the fields."""
        return iter(())

    def hint(self) -> Content:
        """The keys."""
        # What is shown next is confirmed by enter, so a form never goes on to it by that key.
        go_on = ("enter", "does it") if self._direct else ("ctrl+s", "shows what it does")
        return keys(go_on, ("esc", "does not"), ("tab", "next field"))

    def _field(self, one: Field) -> ComposeResult:
        name = f"field-{one.name}"
        if one.text:
            yield Static(display.content(one.label, "$text-muted"), classes="label-above")
            yield EntryEditor(one.value, id=name)
            return
        if one.options:
            yield Static(display.content(one.label, "$text-muted"), classes="label-above")
            yield Ticks(id=name)
            return
        if one.choice:
            yield Choice(one.label, list(one.choice), one.value, id=name)
            if one.meanings:
                yield Static("", id=f"means-{one.name}", classes="means")
            return
        with Horizontal(classes="field"):
            yield Static(display.content(one.label, "$text-muted"), classes="label")
            if one.known is not None:
                yield NameInput(one.value, known=one.known, placeholder=one.placeholder, id=name)
            else:
                yield LineInput(one.value, placeholder=one.placeholder, id=name)

    def on_mount(self) -> None:
        for one in self._fields:
            widget = self.query_one(f"#field-{one.name}", Widget)
            if isinstance(widget, Ticks):
                for value, words, chosen in one.options:
                    widget.offer(value, display.line(words, 90), chosen=chosen)
            if isinstance(widget, Choice) and one.meanings:
                self.watch(widget, "value", partial(self._say_meaning, one))
        first = self.query_one(f"#field-{self._first}", Widget)
        if isinstance(first, LineInput | EntryEditor):
            first.deaf_to = self.opener
        first.focus()

    def _say_meaning(self, one: Field, chosen: str) -> None:
        """Say what the word that is chosen means."""
        said = display.joined((f"  {chosen}: {one.meanings.get(chosen, '')}", "$text-muted"))
        self.query_one(f"#means-{one.name}", Static).update(said)

    @on(Ticks.Done)
    def _ticked(self, event: Ticks.Done) -> None:
        event.stop()
        self.do_next()

    def values(self) -> Values:
        """What stands in the form now."""
        lines: dict[str, str] = {}
        several: dict[str, tuple[str, ...]] = {}
        for one in self._fields:
            widget = self.query_one(f"#field-{one.name}", Widget)
            if isinstance(widget, EntryEditor):
                lines[one.name] = widget.words
            elif isinstance(widget, Ticks):
                several[one.name] = widget.chosen
            elif isinstance(widget, Choice):
                lines[one.name] = widget.value
            elif isinstance(widget, Input):
                lines[one.name] = folded(widget.value)
        return Values(lines, several)

    def put(self, name: str, value: str) -> None:
        """Let a line hold another value."""
        widget = self.query_one(f"#field-{name}", Widget)
        if isinstance(widget, Input):
            widget.value = value

    def tree_changed(self) -> None:
        """Somebody changed the notes; the act is planned on what they are now."""
        tree = getattr(self.app, "note_tree", None)
        if tree is not None:
            self.note_tree = tree

    @on(Input.Changed)
    @on(TextArea.Changed)
    def _typed(self, event: Message) -> None:
        event.stop()
        if not self.busy:
            self.query_one(".problem", Static).update("")
        self.typed()

    def typed(self) -> None:
        """Something was typed."""

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.do_next()

    def do_next(self) -> None:
        """Go on to the next field; an act of one line is done instead."""
        if self._direct:
            self.do_go_on()
        elif self.focused is None or self.focused is not self.focus_chain[-1]:
            self.focus_next()
        else:
            key = spelled(keys_of(get(f"{self.WHERE}.go_on"), self.keymap)[0])
            self.tell(f"{key} shows what it does; nothing is done before.", "$text-muted")

    def do_go_on(self) -> None:
        values = self.values()
        if self.busy:
            return
        if self._needless and not values[self._needless]:
            self.dismiss(None)
            return
        self.busy = True
        self._plan(self.note_tree, values)

    @work(thread=True, group="notes-act", exit_on_error=False, description="plan")
    def _plan(self, tree: Tree, values: Values) -> None:
        try:
            planned = self._make(tree, values)
        except (Impossible, StoreError) as why:
            self.post_message(self.Refused(str(why)))
        else:
            self.post_message(self.Made(planned, values))

    @on(Made)
    def _planned(self, message: Made) -> None:
        message.stop()
        self.busy = False
        if not message.planned.edits:
            self.tell("There is nothing to change: it is so already.", "$text-warning")
            return
        values = message.values
        screen = PlanScreen(self.store, message.planned, lambda tree: self._make(tree, values))
        self.app.push_screen(screen, lambda said: self._shown(screen, said))
        if self._direct:
            self.call_after_refresh(screen.confirm_once)

    def _shown(self, screen: PlanScreen, said: str | None) -> None:
        if said is not None:
            self.made = screen.made
            self.dismiss(said)
