"""The migration of an approved proposal: what it will do, then each step as it runs, until it is closed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from floppy_tui.store.files import StoreError
from floppy_tui.tui import display
from floppy_tui.tui.commands import bindings
from floppy_tui.tui.offload_rows import waiting
from floppy_tui.tui.screens.act import keys
from floppy_tui.tui.screens.offload_act import PreviewScreen
from floppy_tui.tui.screens.offload_approve import what_happens
from floppy_tui.tui.screens.offload_page import named
from floppy_tui.tui.widgets.detail import Detail
from floppy_tui.tui.widgets.page import FAINT, Page
from floppy_tui.tui.widgets.stow_inputs import LineInput, folded

if TYPE_CHECKING:
    from floppy_tui.offload.proposal import Proposal
    from floppy_tui.store.live import Store
    from floppy_tui.store.migrate import Migration, Ran


class MigrateScreen(PreviewScreen):
    """The screen; dismissed with what came of it, or None where it was never begun."""

    WHERE = "migrate"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("migrate")]

    class Stepped(Message):
        """A step has run."""

        def __init__(self, ran: Ran) -> None:
            super().__init__()
            self.ran = ran

    class Ended(Message):
        """It is over."""

        def __init__(self, migration: Migration | None, why: str) -> None:
            super().__init__()
            self.migration = migration
            self.why = why
            """Why it could not even be begun."""

    def __init__(self, store: Store, proposal: Proposal, opener: str) -> None:
        super().__init__(store, proposal)
        self._opener = opener
        self._steps: list[Ran] = []
        self._migration: Migration | None = None
        self._over = ""
        """What came of it, in a sentence; ``""`` until it is over."""

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = display.line(f"Migrate {self.proposal.id}", 70)
            yield Detail()
            yield LineInput(
                placeholder="a line to leave in its place, only where it is hard to find; else nothing",
                deaf_to=self._opener,
            )
            yield Static("", classes="problem")
            yield Static(
                keys(("enter", "migrates it"), ("esc", "leaves everything as it is")), classes="hint"
            )

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(LineInput).focus()

    def lines(self, width: int) -> Sequence[Content]:
        page = Page(width)
        if not (self._steps or self._over or self.busy):
            return self._before(page).lines
        for ran in self._steps:
            page.step(ran.number, ran.title, ran.command, ran.result, ok=ran.ok)
        if self.busy:
            page.add((f"… step {len(self._steps) + 1} is under way", FAINT))
        elif self._over:
            good = self._migration is not None and self._migration.state in ("migrated", "waiting")
            page.blank().add(
                ("✓ " if good else "✗ ", "bold"),
                (self._over, "bold $text-success" if good else "bold $text-error"),
                indent=2,
            )
        return page.lines

    def _before(self, page: Page) -> Page:
        """What it will do."""
        named(page, self.proposal)
        if self.preview is None:
            return page.add(("Checking where it would go …", FAINT))
        landed = bool(self.proposal.task) and not waiting(self.proposal)
        for n, sentence in enumerate(what_happens(self.preview, landed=landed), 1):
            page.add((f"{n} ", "bold"), sentence, indent=2)
        for note in self.preview.notes:
            page.add((note, "$text-warning"), indent=2)
        return page.blank().add(("Whatever fails before the entry leaves is taken back as a whole.", FAINT))

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self.busy or self._over:
            return
        self.busy = True
        pane = self.query_one(Detail)
        self.query_one(LineInput).display = False
        pane.focus()
        self.query_one(".hint", Static).update(Content("it runs; each step is shown when it is done"))
        pane.show(self.lines, top=True)
        self._migrate(folded(event.value))

    @work(thread=True, group="offload-act", exit_on_error=False, description="migrate")
    def _migrate(self, pointer: str) -> None:
        from floppy_tui.store.offloading import Offloading

        try:
            migration = Offloading(self.store).migrate(
                self.proposal.id,
                pointer=pointer,
                on_step=self._tell_step,
            )
        except StoreError as why:
            self.post_message(self.Ended(None, str(why)))
        else:
            self.post_message(self.Ended(migration, ""))

    def _tell_step(self, ran: Ran) -> None:
        self.post_message(self.Stepped(ran))

    @on(Stepped)
    def _stepped(self, message: Stepped) -> None:
        message.stop()
        self._steps.append(message.ran)
        self._show_end()

    @on(Ended)
    def _ended(self, message: Ended) -> None:
        message.stop()
        self._migration = message.migration
        if message.migration is not None:
            self._steps = [*message.migration.steps]
        self._end(outcome(message.migration) if message.migration is not None else message.why)

    def _end(self, said: str) -> None:
        self.busy, self._over = False, said
        self.query_one(".hint", Static).update(keys(("enter", "closes this"), ("j k", "scroll")))
        self._show_end()

    def _show_end(self) -> None:
        pane = self.query_one(Detail)
        pane.show(self.lines, top=False)
        pane.do_last()

    def gone_wrong(self) -> None:
        self._end("It ended in a way that should not be; the log says how, and r shows how things stand.")

    def why_not(self, name: str) -> str:
        if name == "leave" and not self.busy and not self._over:
            return "It has not begun: enter in the line below migrates it, esc leaves it."
        return super().why_not("close" if name == "leave" else name)

    def do_leave(self) -> None:
        self.do_close()

    def do_close(self) -> None:
        self.dismiss(self._over or None)


def outcome(migration: Migration) -> str:
    """What came of a migration, in a sentence."""
    proposal = migration.proposal
    if migration.state == "migrated":
        freed = f", {migration.relief:,} tokens freed" if migration.relief is not None else ""
        said = f"Migrated: the entry lives in {proposal.move.destination}{freed}."
        return f"{said} {migration.why}".rstrip()
    if migration.state == "waiting":
        why = migration.why or f"it is {proposal.note}"
        return why[:1].upper() + why[1:]
    return f"Not migrated: {migration.why}"
