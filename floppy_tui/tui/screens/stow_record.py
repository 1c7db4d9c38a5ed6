"""The form of an open record: a backlog item to be filed or corrected, or left with what it waits on."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from floppy_tui.tui import display
from floppy_tui.tui.screens.stow_form import FormDialog, ReadBody, item_lines
from floppy_tui.tui.screens.stow_handed import Act, OpenRecord
from floppy_tui.tui.screens.stow_session import PassSession
from floppy_tui.tui.widgets.choice import Choice
from floppy_tui.tui.widgets.page import FAINT
from floppy_tui.tui.widgets.stow_inputs import EntryEditor, LineInput, NameInput, folded


class RecordDialog(FormDialog):
    """Gives the record; one to be corrected is shown as it is, and what stands there then replaces it."""

    HEADING = "An open record"

    def __init__(self, session: PassSession, card: str, record: OpenRecord, read_body: ReadBody) -> None:
        super().__init__(session, card, read_body)
        self._given = record
        self._filled = ("", "", "")
        """The item that the fields were filled in from, with its title and body."""

    def fields(self) -> ComposeResult:
        given = self._given
        yield Choice("it is to be", list(_VERBS.values()), _VERBS[given.act], id="act")
        yield self.row("item", NameInput(given.id, known=self.known_items, id="item"), "item")
        yield Static(id="about")
        yield self.row("title", LineInput(given.title, id="title"), "title")
        blocking = NameInput(
            given.blocked_by,
            known=self.known_items,
            several=True,
            placeholder="ids of the items that it waits for, if any",
            id="blocked",
        )
        yield self.row("blocked by", blocking, "blocked")
        yield Static("body", classes="label", id="body")
        yield EntryEditor(given.body)
        waits = "the judgment that it waits on, and whose"
        yield self.row("judgment", LineInput(given.judgment, placeholder=waits, id="judgment"), "judgment")

    def on_mount(self) -> None:
        act = self.query_one("#act", Choice)
        self.watch(act, "value", self.changed, init=False)
        act.focus()
        self.ready = True
        self.changed()

    @property
    def form(self) -> OpenRecord:
        line = {i.id: folded(i.value) for i in self.query(LineInput)}
        act = next(act for act, verb in _VERBS.items() if verb == self.query_one("#act", Choice).value)
        item = self.session.snapshot.records.items.get(line["item"])
        return OpenRecord(
            act=act,
            id=line["item"],
            title=line["title"],
            body=self.query_one(EntryEditor).words,
            blocked_by=line["blocked"],
            judgment=line["judgment"],
            held=(item.title, self.bodies.get(item.id, "")) if item is not None else None,
        )

    def settle_fields(self) -> None:
        form = self.form
        writes = form.act is not Act.LEAVE
        self.query_one(EntryEditor).display = writes
        self.query_one("#body").display = writes
        self.show_rows(title=writes or not form.id, blocked=form.act is Act.FILE, judgment=not writes)
        if form.act is Act.CORRECT:
            self.want_body(form.id)
            self._fill_in(form)
        self.query_one("#item", LineInput).placeholder = _ITEM[form.act]
        self.query_one("#about", Static).update(self._about(form))

    def _fill_in(self, form: OpenRecord) -> None:
        """Show a known item's title and body as they are, but where something else was typed."""
        if form.held is None:
            return
        now = (form.id, *form.held)
        before, self._filled = self._filled, now
        if before == now:
            return
        if form.title in ("", before[1]):
            self.query_one("#title", LineInput).value = display.one_line(form.held[0])
        if form.body in ("", before[2]) and form.body != form.held[1]:
            self.query_one(EntryEditor).load(form.held[1])

    def _about(self, form: OpenRecord) -> Content:
        records = self.session.snapshot.records
        lines = [display.content(_MEANS[form.act], FAINT)]
        blocking = form.blocked_by.replace(",", " ").split()
        typed = form.id if form.act is not Act.FILE else blocking[-1] if blocking else ""
        if typed or form.act is not Act.FILE:
            lines += item_lines(records, typed, max(20, self.size.width - 4))
        return Content("\n").join(lines)

    def problem(self) -> str:
        form = self.form
        if form.act is not Act.CORRECT or not form.id or form.id in self.bodies:
            return ""
        return "" if form.id in self.unread and not form.body.strip() else self.not_read(form.id)

    def does(self) -> str:
        form = self.form
        name = display.one_line(form.id or form.title, 40)
        return {
            Act.FILE: "files it as a queued backlog item",
            Act.CORRECT: f"corrects {name}",
            Act.LEAVE: f"leaves {name} with its judgment",
        }[form.act]


_VERBS = {Act.FILE: "filed", Act.CORRECT: "corrected", Act.LEAVE: "left"}
_ITEM = {
    Act.FILE: "an id, or empty: one is made from the title",
    Act.CORRECT: "the id of the item",
    Act.LEAVE: "the id of the item, where it has one",
}
_MEANS = {
    Act.FILE: "Open work that no record holds: it becomes a queued backlog item.",
    Act.CORRECT: "What stands in title and body replaces what the item says now.",
    Act.LEAVE: "Nothing is written; the receipt says what it waits on.",
}
