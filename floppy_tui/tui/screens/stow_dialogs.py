"""The wizard's other dialogs: a choice, a list to confirm, a list to read, the confirmation of the apply."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import LoadingIndicator, OptionList, Static
from textual.widgets.option_list import Option

from floppy_tui.tui import display


class Choice(NamedTuple):
    """One thing to choose."""

    label: str
    detail: str = ""


class ChoiceDialog(ModalScreen[int | None]):
    """Asks for one of a few; gives its position, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "back"),
        Binding("j", "by(1)", "down", show=False),
        Binding("k", "by(-1)", "up", show=False),
    ]

    def __init__(self, title: Content, choices: Sequence[Choice], at: int = 0) -> None:
        super().__init__()
        self.heading = title
        self.choices = tuple(choices)
        self.at = at

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(self.heading)
            yield OptionList(
                *(
                    Option(
                        display.joined((f"{n} ", "bold"), (c.label, "bold"), ("  " + c.detail, "$text-muted"))
                    )
                    for n, c in enumerate(self.choices, 1)
                ),
                markup=False,
            )
            yield Static(display.joined(("enter", "bold reverse"), " takes it   ", ("esc", "bold"), " back"))

    def on_mount(self) -> None:
        options = self.query_one(OptionList)
        options.highlighted = self.at
        options.focus()

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(event.option_index)

    def key_number(self, number: int) -> None:
        """Take a choice by its number."""
        if 1 <= number <= len(self.choices):
            self.dismiss(number - 1)

    def on_key(self, event: events.Key) -> None:
        if event.character and event.character.isdecimal():
            event.stop()
            self.key_number(int(event.character))

    def action_by(self, step: int) -> None:
        options = self.query_one(OptionList)
        if step > 0:
            options.action_cursor_down()
        else:
            options.action_cursor_up()

    def action_cancel(self) -> None:
        self.dismiss(None)


class PageDialog(ModalScreen[bool | None]):
    """Lists something; gives True where it was confirmed by ``confirm``, which is never the opening key."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "back"),
        Binding("j,down", "by(1)", "down", show=False),
        Binding("k,up", "by(-1)", "up", show=False),
        Binding("pagedown,ctrl+f", "by(10)", "down", show=False),
        Binding("pageup,ctrl+b", "by(-10)", "up", show=False),
    ]

    def __init__(
        self,
        title: Content,
        lines: Sequence[Content],
        confirm: str = "",
        does: str = "",
        esc: str = "closes this",
    ) -> None:
        super().__init__()
        self.heading = title
        self.lines = tuple(lines)
        self.confirm = confirm
        """The key, as Textual spells it; ``""`` where there is nothing to confirm."""
        self.does = does
        self.esc = esc

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(self.heading)
            with VerticalScroll(id="page", can_focus=False):
                yield Static(Content("\n").join(self.lines))
            keys = [display.joined((self.confirm, "bold reverse"), f" {self.does}")] if self.confirm else []
            keys.append(display.joined(("esc", "bold"), f" {self.esc}"))
            yield Static(Content("   ").join(keys))

    def on_key(self, event: events.Key) -> None:
        if self.confirm and event.key == self.confirm:
            event.stop()
            self.dismiss(True)
        elif not self.confirm and event.key in ("enter", "q", "exclamation_mark"):
            event.stop()
            self.dismiss(None)

    def action_by(self, lines: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_cancel(self) -> None:
        self.dismiss(None)


class BusyScreen(ModalScreen[None]):
    """Says what is being done; no key ends it."""

    def __init__(self, says: str) -> None:
        super().__init__()
        self.says = says

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(display.content(self.says))
            yield LoadingIndicator()
