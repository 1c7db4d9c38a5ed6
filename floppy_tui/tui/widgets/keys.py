"""The footer: what can be done here and now, by which key; a click does it too."""

from __future__ import annotations

from typing import NamedTuple

from textual import events
from textual.app import RenderResult
from textual.content import Content
from textual.dom import DOMNode
from textual.screen import Screen
from textual.widget import Widget

from floppy_tui.tui.commands import Command, Commanded, active, keys_of, spelled

_BETWEEN = 2


class Shown(NamedTuple):
    """One key of the footer and the cells that it takes."""

    start: int
    end: int
    place: Commanded
    command: Command
    text: Content


def _typed(focused: DOMNode, place: Commanded, command: Command) -> bool:
    """Whether no key reaches the command, because there is none or the focused input takes it as text."""
    keys = keys_of(command, place.keymap)
    return all(focused.check_consume_key(key, c if len(c := spelled(key)) == 1 else None) for key in keys)


class Keys(Widget):
    """The footer line; what does not fit is left to the help screen."""

    DEFAULT_CSS = "Keys { dock: bottom; height: 1; background: $footer-background; }"

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._changed)

    def on_unmount(self) -> None:
        self.screen.bindings_updated_signal.unsubscribe(self)

    def _changed(self, _screen: Screen[object]) -> None:
        self.refresh()

    def shown(self, width: int) -> list[Shown]:
        """What fits into ``width`` cells, commands that can be carried out first; help always."""
        focused = self.screen.focused or self.screen
        offered = [(p, c) for p, c in active(focused) if c.footer and not _typed(focused, p, c)]
        able = [(p, c) for p, c in offered if not p.why_not(c.name)]
        unable = [(p, c) for p, c in offered if p.why_not(c.name)]
        placed: list[Shown] = []
        at = 1
        last = [pc for pc in able if pc[1].id == "app.help"]
        for n, (place, command) in enumerate([pc for pc in able if pc not in last] + unable + last):
            keys = keys_of(command, place.keymap)
            faint = n >= len(able) - len(last) and (place, command) not in last
            text = Content.assemble(
                (
                    spelled(keys[0]).replace("ctrl+", "^"),
                    "$text-muted" if faint else "bold $footer-key-foreground",
                ),
                " ",
                (place.label_of(command), "$text-muted" if faint else "$footer-description-foreground"),
            )
            room = width if (place, command) in last or not last else width - 8
            if at + text.cell_length > room:
                continue
            placed.append(Shown(at, at + text.cell_length, place, command, text))
            at += text.cell_length + _BETWEEN
        return placed

    def render(self) -> RenderResult:
        line = Content("")
        for key in self.shown(self.size.width):
            line = line.pad_right(key.start - line.cell_length) + key.text
        return line

    async def on_click(self, event: events.Click) -> None:
        event.stop()
        for key in self.shown(self.size.width):
            if key.start <= event.x < key.end:
                await key.place.action_command(key.command.id)
