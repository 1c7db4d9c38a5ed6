"""Dialogs that stay open until the store has done what was confirmed in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.style import Style
from textual.widgets import Static
from textual.worker import Worker, WorkerState

from floppy_tui.store.files import StoreError
from floppy_tui.tui import display
from floppy_tui.tui.commands import Commanded, bindings
from floppy_tui.tui.widgets.detail import Detail, LayOut

Act = Callable[[], str]
"""Does one thing, in a thread, and gives what was done as a sentence; raises ``StoreError``."""


def keys(*pairs: tuple[str, str]) -> Content:
    """The keys of a dialog and what each does; in a ``Hinted`` one a click on a key is that key."""
    return Content("   ").join(
        display.joined((key, "bold"), f" {does}").stylize(Style.from_meta({_KEY: _NAMES.get(key, key)}))
        for key, does in pairs
    )


_KEY = "key"
_NAMES = {"esc": "escape", "j k": "down"}


class Hinted:
    """A screen that says its keys; mix it in before the Textual class."""

    def on_click(self, event: events.Click) -> None:
        key = event.style.meta.get(_KEY)
        if isinstance(key, str) and isinstance(self, Screen):
            event.stop()
            # As from outside: a key that the screen itself sends does not come back up to it.
            self.app.call_later(self.app.simulate_key, key)


class ActScreen(Commanded, Hinted, ModalScreen[str | None]):
    """Dismissed with what was done, in a sentence, or with None where nothing was."""

    class Done(Message):
        """It was done."""

        def __init__(self, said: str) -> None:
            super().__init__()
            self.said = said

    class Refused(Message):
        """Nothing was done."""

        def __init__(self, why: str) -> None:
            super().__init__()
            self.why = why

    busy = False
    """Whether it is being done."""

    def on_mount(self) -> None:
        # A notice from before would stand on the keys.
        self.app.clear_notifications()

    def carry_out(self, act: Act, doing: str) -> None:
        """Do it, once, saying ``doing`` meanwhile."""
        if not self.busy:
            self.busy = True
            self.tell(doing, "$text-muted")
            self._act(act)

    @work(thread=True, group="write", exit_on_error=False, description="act")
    def _act(self, act: Act) -> None:
        try:
            said = act()
        except StoreError as why:
            self.post_message(self.Refused(str(why)))
        else:
            self.post_message(self.Done(said))

    @on(Done)
    def _done(self, message: Done) -> None:
        message.stop()
        self.busy = False
        self.dismiss(message.said)

    @on(Refused)
    def _refused(self, message: Refused) -> None:
        message.stop()
        self.busy = False
        self.tell(message.why)

    @on(Worker.StateChanged)
    def _failed(self, event: Worker.StateChanged) -> None:
        if event.state is WorkerState.ERROR:
            self.gone_wrong()
            self.app.post_message(event)

    def gone_wrong(self) -> None:
        """What should not happen has happened to a worker; the app says so."""
        self.busy = False
        self.tell("")

    def tell(self, words: str, style: str = "$text-error") -> None:
        """Say something in the dialog: why not, or what is under way."""
        if words:
            # A notice from before would stand on it.
            self.app.clear_notifications()
        self.query_one(".problem", Static).update(display.content(words, style))

    def refuse(self, why: str) -> None:
        # In the dialog itself: a notice would stand on its keys.
        self.tell(why, "$text-warning")

    def why_not(self, name: str) -> str:
        if name == "close" and self.busy:
            return "It is being done; a moment."
        return ""

    def do_close(self) -> None:
        self.dismiss(None)


class ConfirmScreen(ActScreen):
    """Shows what one key has asked for; enter does it."""

    WHERE = "confirm"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("confirm")]

    def __init__(self, title: str, lines: LayOut, does: str, act: Act) -> None:
        super().__init__()
        self._title = title
        self._lines = lines
        self._does = does
        self._acts = act

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = display.line(self._title, 60)
            yield Detail()
            yield Static("", classes="problem")
            yield Static(keys(("enter", self._does), ("esc", "does not")), classes="hint")

    def on_mount(self) -> None:
        pane = self.query_one(Detail)
        pane.show(self._lines, top=True)
        pane.focus()
        self.call_after_refresh(self._fit)

    def _fit(self) -> None:
        """No higher than what it shows."""
        pane = self.query_one(Detail)
        pane.styles.height = len(self._lines(pane.scrollable_content_region.width))

    def do_confirm(self) -> None:
        self.carry_out(self._acts, "A moment …")
