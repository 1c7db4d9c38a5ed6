"""The help screen: what can be done at the place that had the keys, by which keys, and what not and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.screen import ModalScreen

from floppy_tui.tui import display
from floppy_tui.tui.commands import Command, Commanded, bindings, keys_of, spelled
from floppy_tui.tui.display import TierMark
from floppy_tui.tui.widgets.detail import Detail
from floppy_tui.tui.widgets.page import FAINT, HEADING, Page

_KEYS_WIDTH = 14


class HelpScreen(Commanded, ModalScreen[None]):
    """The screen."""

    WHERE = "help"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("help")]

    def __init__(
        self,
        offered: Sequence[tuple[Commanded, Command]],
        marks: Sequence[TierMark],
        notes: Sequence[str],
    ) -> None:
        super().__init__()
        self._offered = [(place.WHERE, command, place.why_not(command.name)) for place, command in offered]
        self._keymap: Mapping[str, str] = offered[0][0].keymap if offered else {}
        self._marks = marks
        self._notes = notes

    def compose(self) -> ComposeResult:
        yield Detail()

    def on_mount(self) -> None:
        pane = self.query_one(Detail)
        pane.border_title = Content("Help")
        pane.border_subtitle = Content("esc closes")
        pane.show(self._lines, top=True)

    def _lines(self, width: int) -> Sequence[Content]:
        page = Page(width)
        last = ""
        for where, command, why in self._offered:
            keys = " ".join(spelled(key) for key in keys_of(command, self._keymap))
            if where != last:
                if last:
                    page.blank()
                page.add((where.capitalize(), HEADING))
                last = where
            label = display.content(f"{keys or 'palette':<{_KEYS_WIDTH}}", FAINT if why else "bold")
            page.add(
                label,
                (command.help, FAINT if why else ""),
                (f" Not now: {why}" if why else "", FAINT),
                indent=_KEYS_WIDTH,
            )
        if self._marks:
            page.heading("Tiers")
        for mark in self._marks:
            page.add(mark.content())
        page.blank()
        for note in self._notes:
            page.add((note, FAINT))
        return page.lines

    def do_close(self) -> None:
        self.dismiss(None)
