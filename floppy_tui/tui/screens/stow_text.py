"""The words of an entry to be edited, and what a merge would lose of each of its sources."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static, TextArea

from floppy_tui.text.lines import encode
from floppy_tui.tiers.budget import estimate
from floppy_tui.tiers.leaving import lost_words
from floppy_tui.tui import display
from floppy_tui.tui.widgets.stow_gauge import change
from floppy_tui.tui.widgets.stow_inputs import EntryEditor

MOST = 600
"""Characters of a source, and of the list of its lost words, that are shown."""


class Source(NamedTuple):
    """One entry whose words go into the text."""

    name: str
    """Where it stands."""
    prose: str


class Edited(NamedTuple):
    """What the dialog was left with."""

    words: str
    taken: bool
    """Whether they were confirmed; a draft otherwise."""


class TextDialog(ModalScreen[Edited]):
    """Asks for the new words; they are kept as a draft where it is left without taking them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "back", priority=True),
        Binding("ctrl+s", "take", "take it", priority=True),
    ]

    def __init__(
        self, title: Content, draft: str, sources: Sequence[Source], check: Callable[[str], str]
    ) -> None:
        super().__init__()
        self.heading = title
        self.draft = draft
        self.sources = tuple(sources)
        self.check = check
        """Why the words will not do, as a sentence; ``""`` where they will."""

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(self.heading)
            with VerticalScroll(can_focus=False):
                yield Static(id="sources")
            yield EntryEditor(self.draft)
            yield Static(id="says")

    def on_mount(self) -> None:
        editor = self.query_one(EntryEditor)
        editor.move_cursor(editor.document.end)
        editor.focus()
        self._show()

    @property
    def words(self) -> str:
        """The text as it stands."""
        return self.query_one(EntryEditor).words

    @on(TextArea.Changed)
    def _changed(self, event: TextArea.Changed) -> None:
        event.stop()
        self._show()

    def _show(self) -> None:
        words = self.words
        self.query_one("#sources", Static).update(self._sources(words))
        was = sum(estimate(len(encode(source.prose))) for source in self.sources)
        now = estimate(len(words.strip().encode("utf-8", "replace")))
        tokens = f"{was:,} → {now:,} tokens ({change(now - was)})   "
        problem = self.check(words)
        if problem:
            says = display.joined(tokens, ("✗ ", "bold $text-error"), (problem, "$text-error"), "   ")
        else:
            says = display.joined(tokens, ("ctrl+s", "bold reverse"), " takes it   ")
        says += display.joined(("esc", "bold"), " back, the words are kept")
        self.query_one("#says", Static).update(says)

    def _sources(self, words: str) -> Content:
        """Each source with the words that the result no longer holds; one alone needs no quote."""
        lines: list[Content] = []
        for source in self.sources:
            lost = lost_words(source.prose, words)
            if len(self.sources) > 1:
                lines.append(
                    display.joined((source.name, "bold"), " ", display.content(_short(source.prose)))
                )
            if not lost:
                lines.append(display.content("  ✓ no word of it is lost", "$text-success"))
            else:
                said = f"  the result no longer holds: {_short(', '.join(lost))}"
                lines.append(display.content(said, "$text-warning"))
                lines.append(
                    display.content("  so the old words go to the archive, as superseded", "$text-muted")
                )
        return Content("\n").join(lines)

    def action_take(self) -> None:
        if not self.check(self.words):
            self.dismiss(Edited(self.words.strip(), True))

    def action_cancel(self) -> None:
        self.dismiss(Edited(self.words, False))


def _short(text: str) -> str:
    return text if len(text) <= MOST else f"{text[:MOST]}… ({len(text) - MOST:,} more characters)"
