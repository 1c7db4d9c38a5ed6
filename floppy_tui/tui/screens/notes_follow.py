"""The links of a note and those that lead to it, to go to one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from floppy_tui.notes.note import Note
from floppy_tui.notes.tree import Tree
from floppy_tui.tui import display
from floppy_tui.tui.commands import Commanded, bindings
from floppy_tui.tui.screens.notes_page import dangling_words
from floppy_tui.tui.widgets.options import Options
from floppy_tui.tui.widgets.page import FAINT


class Way(NamedTuple):
    """One way to go."""

    shown: Content
    path: str
    """``""`` where it leads nowhere."""
    line: int = 0


def ways(tree: Tree, note: Note, *, itself: bool) -> tuple[Way, ...]:
    """Where the links of a note lead, then where it is linked from; ``itself`` first where that is asked."""
    found: list[Way] = []
    if itself:
        found.append(Way(display.joined(("this note  ", FAINT), note.slug), note.path))
    for link in note.links:
        target = tree.find(link.slug)
        if target is not None:
            words = display.joined(("→ ", FAINT), target.slug, (f"  {target.description}", FAINT))
            found.append(Way(words, target.path))
        else:
            said = dangling_words(tree, link.slug)
            meant = tree.suggestion(link.slug)
            words = display.joined(("✗ ", "$text-error"), link.slug, (said, FAINT))
            found.append(Way(words, meant.path if meant else ""))
    for mention in tree.mentions.get(note.path, ()):
        source = tree.by_path[mention.path]
        words = display.joined(("← ", FAINT), source.slug, (f"  line {mention.link.line}", FAINT))
        found.append(Way(words, source.path, mention.link.line))
    for index in tree.pointed_from(note.path):
        for pointer in index.links:
            if pointer.path == note.path:
                said = f"{index.path}:{pointer.line}"
                words = display.joined(("← pointer in ", FAINT), said)
                found.append(Way(words, index.path, pointer.line))
    return tuple(found)


class FollowScreen(Commanded, ModalScreen[Way]):
    """Dismissed with the way to go, or None."""

    WHERE = "follow"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("follow")]

    def __init__(self, title: str, ways: Sequence[Way]) -> None:
        super().__init__()
        self._title = title
        self._ways = ways

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = display.line(f"Links of {self._title}", 60)
            yield Options(*(Option(way.shown, disabled=not way.path) for way in self._ways))
            yield Static(Content("enter goes there, [ comes back, esc stays here"), classes="hint")

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(self._ways[event.option_index])

    def do_close(self) -> None:
        self.dismiss(None)
