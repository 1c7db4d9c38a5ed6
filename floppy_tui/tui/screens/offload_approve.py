"""The approval: what will happen is shown, and the captain types the destination's name to want it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from floppy_tui.tiers.scope import PlaceKind
from floppy_tui.tui import display
from floppy_tui.tui.commands import bindings
from floppy_tui.tui.screens import offload_asking as asking
from floppy_tui.tui.screens.act import keys
from floppy_tui.tui.screens.offload_act import PreviewScreen
from floppy_tui.tui.screens.offload_page import named, verdicts
from floppy_tui.tui.widgets.detail import Detail
from floppy_tui.tui.widgets.page import FAINT, Page
from floppy_tui.tui.widgets.stow_inputs import LineInput

if TYPE_CHECKING:
    from floppy_tui.store.offloading import Preview


class ApproveScreen(PreviewScreen):
    """The dialog; nothing in it is filled in beforehand."""

    WHERE = "approve"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("approve")]

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = display.line(f"Approve {self.proposal.id}, in your words", 60)
            yield Detail()
            yield LineInput(placeholder="type the destination's name here")
            yield Static("", classes="problem")
            does = ("enter", "approves where the name is right"), ("esc", "approves nothing")
            yield Static(keys(*does), classes="hint")

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(LineInput).focus()

    def lines(self, width: int) -> Sequence[Content]:
        page = Page(width)
        if self.preview is None:
            return named(page, self.proposal).add(("Checking where it would go …", FAINT)).lines
        return approval_page(page, self.preview).lines

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self.tell("")

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        preview, words = self.preview, event.value
        if preview is None:
            self.tell("It is still being checked where it would go; a moment.", "$text-warning")
        elif not words.strip():
            self.tell(f"Nothing is approved until you type {preview.place.name}.")
        elif words.strip() != preview.place.name:
            self.tell(f"Nothing was approved: expected “{preview.place.name}”, not “{words}”.")
        else:
            self.carry_out(partial(asking.approve, self.store, preview.proposal, words), "Approving …")


def approval_page(page: Page, preview: Preview) -> Page:
    """What an approval would be given to."""
    proposal, place = preview.proposal, preview.place
    named(page, proposal)
    for n, sentence in enumerate(what_happens(preview), 1):
        page.add((f"{n} ", "bold"), sentence, indent=2)
    for words in filter(None, (proposal.problem, proposal.warning, place.refused)):
        page.add((f"! {words}", "$text-warning"), indent=2)
    if preview.current is None:
        page.add(("! Nothing in the memory says the quote now.", "$text-warning"), indent=2)
    elif preview.current != proposal.quote:
        page.add(("! The entry has changed since it was quoted.", "$text-warning"), indent=2)
    page.blank()
    verdicts(page, [test for test in preview.checks if not test.passes])
    return page.add("To approve exactly this, type ", (place.name, "bold"), " and press enter.")


def what_happens(preview: Preview, *, landed: bool = False) -> list[str]:
    """What migrating it will do, in sentences; ``landed`` where its project holds the quote."""
    proposal, place = preview.proposal, preview.place
    leaves = f"The entry leaves {proposal.file}"
    if place.kind is PlaceKind.NEW_SKILL:
        description = proposal.move.description or proposal.move.trigger
        return [
            f"{place.path} is made, with the quote as its body and this description: {description}",
            f"{preview.exclude_line} is added to {preview.exclude_file}, so that git never takes it in.",
            f"{leaves}; from then on it is read in the skill only.",
        ]
    if landed:
        return [f"The project's default branch holds the quote in {place.path}.", f"{leaves}."]
    if place.kind in (PlaceKind.PROJECT, PlaceKind.PROJECT_SKILL):
        return [
            f"A ship task is filed for the project, with the quote and the target {place.path}.",
            f"{leaves} only once the project's default branch holds the quote.",
        ]
    return [f"The quote is added to {place.path}.", f"{leaves}; from then on it is read there only."]
