"""The web addresses of a text: one is opened only here, after its whole address was shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from floppy_tui.tui import display
from floppy_tui.tui.commands import Commanded, bindings
from floppy_tui.tui.widgets.options import Options


class AddressesScreen(Commanded, ModalScreen[str]):
    """Dismissed with the address to open, or ``""``."""

    WHERE = "addresses"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("addresses")]

    def __init__(self, addresses: Sequence[str]) -> None:
        super().__init__()
        self._addresses = addresses

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = Content("Open a web address")
            yield Options(*(Option(display.content(address)) for address in self._addresses))
            yield Static(Content("enter opens it in your browser, esc opens nothing"), classes="hint")

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(self._addresses[event.option_index])

    def do_close(self) -> None:
        self.dismiss("")
