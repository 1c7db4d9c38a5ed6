"""One line to fill in: the reason why something leaves, the evidence for what stays, a trigger."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from floppy_tui.tui import display
from floppy_tui.tui.widgets.stow_inputs import LineInput, folded


@dataclass(frozen=True)
class Line:
    """One way to fill the line in."""

    title: Content
    """What is decided by it."""
    value: str
    confirm: str
    """What enter does, such as ``archives it (−41)``."""
    check: Callable[[str], str]
    """Why a text will not do, as a sentence; ``""`` where it will."""


class LineDialog(ModalScreen[tuple[int, str] | None]):
    """Asks for one line; gives the position of the way chosen and the text, or None.

    The key that opened it is deaf until another one was pressed, so that holding it types nothing.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "back"),
        Binding("up,shift+tab", "other(-1)", "the way before", show=False),
        Binding("down,tab", "other(1)", "the next way", show=False),
    ]

    def __init__(self, lines: Sequence[Line], label: str, placeholder: str, opener: str) -> None:
        super().__init__()
        self.lines = tuple(lines)
        self.label = label
        """What is asked for: ``reason``, ``evidence``."""
        self.placeholder = placeholder
        self.opener = opener
        self.at = 0
        self._typed = [display.one_line(line.value) for line in lines]

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(id="title")
            yield LineInput(self._typed[0], placeholder=self.placeholder, deaf_to=self.opener)
            yield Static(id="says")

    def on_mount(self) -> None:
        line = self.query_one(LineInput)
        line.cursor_position = len(line.value)
        line.focus()
        self._show()

    @property
    def text(self) -> str:
        """The line as it will be taken; what nobody touched is taken as it was given."""
        shown = self.query_one(LineInput).value
        given = self.lines[self.at].value
        return folded(given if shown == display.one_line(given) else shown)

    def _show(self) -> None:
        line = self.lines[self.at]
        count = len(self.lines)
        which = f"  ({self.at + 1} of {count}, ↑↓ for the others)" if count > 1 else ""
        self.query_one("#title", Static).update(display.joined(line.title, (which, "$text-muted")))
        problem = line.check(self.text)
        if problem:
            style = "$text-error" if self.text else "$text-muted"
            says = display.joined(
                ("esc", "bold"), " back   ", ("✗ " if self.text else "", style), (problem, style)
            )
        else:
            says = display.joined(
                ("enter", "bold reverse"), f" {line.confirm}   ", ("esc", "bold"), " does not"
            )
        self.query_one("#says", Static).update(says)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self._typed[self.at] = event.value
        self._show()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        text = self.text
        if self.lines[self.at].check(text):
            self._show()
        else:
            self.dismiss((self.at, text))

    def action_other(self, by: int) -> None:
        """Take another way to fill the line in; what was typed for this one stays with it."""
        if len(self.lines) < 2:
            return
        self.at = (self.at + by) % len(self.lines)
        line = self.query_one(LineInput)
        line.value = self._typed[self.at]
        line.cursor_position = len(line.value)
        self._show()

    def action_cancel(self) -> None:
        self.dismiss(None)
