"""The app: it holds the newest reading of the home and hands it down; reading and writing is the store's.

Threads compute and post messages; only the handlers here change what is shown. Each worker has a description,
because Textual else makes one of its arguments, and the ``repr`` of a home is as long as the home.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on, work
from textual.app import ComposeResult, SystemCommand
from textual.binding import BindingType
from textual.containers import Container
from textual.filter import LineFilter
from textual.message import Message
from textual.screen import Screen
from textual.worker import get_current_worker

from floppy_tui.store.state import log_path
from floppy_tui.tiers.layout import Role
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tui import display
from floppy_tui.tui.acting import ActingApp, LaunchEditor
from floppy_tui.tui.commands import VIEWS, Commanded, active, bindings, keymap_problems
from floppy_tui.tui.screens.listing import Arrangement, Asked, Listing
from floppy_tui.tui.screens.memory import MemoryView
from floppy_tui.tui.speaking import Said
from floppy_tui.tui.styles.tiers import faint_variables, tier_variables
from floppy_tui.tui.widgets.keys import Keys
from floppy_tui.tui.widgets.top_line import TopLine

if TYPE_CHECKING:
    from floppy_tui.store.live import Store
    from floppy_tui.tiers.cards import Card

CardsOf = Mapping[str, Sequence["Card"]]
"""The cards that are about each entry, by its id."""
WIDE = 100
"""From this width on the detail stands beside the table."""
_CONSIDER_AFTER = 0.15
"""Seconds after the first paint until a pass is worked out, which would else take its time from it."""
_WATCH_AFTER = 0.1
"""Seconds after something is on screen until the disk is watched; what changed by then is read at once."""
_MEASURE_AFTER = 0.5
"""Seconds after the first paint until the tokenizer is loaded."""


def ascii_filter() -> LineFilter:
    """What draws with ASCII alone, loaded only where it is asked for."""
    from floppy_tui.tui.styles.ascii import AsciiFilter

    return AsciiFilter()


class FloppyApp(Commanded, ActingApp):
    """The app."""

    TITLE = "floppy-tui"
    CSS_PATH = "styles/app.tcss"
    WHERE = "app"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("app")]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012
    ENABLE_COMMAND_PALETTE = False

    class Read(Message):
        """The home was read."""

        def __init__(
            self, snapshot: Snapshot, changed: str, view: Listing, asked: Asked, arrangement: Arrangement
        ) -> None:
            super().__init__()
            self.snapshot = snapshot
            self.changed = changed
            self.view = view
            """The view that was shown, and its rows."""
            self.asked = asked
            self.arrangement = arrangement

    class Considered(Message):
        """What a pass would do with a reading was worked out."""

        def __init__(self, snapshot: Snapshot, cards: CardsOf, after: int | None) -> None:
            super().__init__()
            self.snapshot = snapshot
            self.cards = cards
            self.after = after

    class Measured(Message):
        """The tokenizer has counted a reading."""

        def __init__(self, snapshot: Snapshot, tokens: int) -> None:
            super().__init__()
            self.snapshot = snapshot
            self.tokens = tokens

    def __init__(
        self,
        store: Store,
        *,
        launch_editor: LaunchEditor | None = None,
        warnings: Sequence[str] = (),
    ) -> None:
        self.store = store
        settings = store.settings
        self.ascii_only: bool = settings.ascii
        self.marks = display.tier_marks(settings.ascii)
        self.snapshot: Snapshot | None = None
        self.cards: CardsOf | None = None
        """The cards of a pass over the snapshot, by entry; None until they are worked out."""
        self.after_pass: int | None = None
        """The total that the open pass would leave; None while none is open."""
        self.measured: int | None = None
        self.news = ""
        """What the last change on disk was."""
        self.log_file = log_path(store.home.own_state)
        self.launch_editor = launch_editor
        self._warnings = [*warnings]
        self._ascii = ascii_filter() if settings.ascii else None
        self._stop = asyncio.Event()
        self._recovered = False
        if settings.keymap:
            # Registers the wizard's commands, which the keymap may name; otherwise that can wait.
            import_module("floppy_tui.tui.screens.stow_commands")
        problems = keymap_problems(settings.keymap)
        self._warnings.extend(problems.values())
        self.keys_remapped = {k: v for k, v in settings.keymap.items() if k not in problems}
        super().__init__()
        if self.get_theme(settings.theme) is None:
            self._warnings.append(f"There is no theme called {settings.theme}; the palette lists them.")
        else:
            self.theme = settings.theme
        self.set_keymap(self.keys_remapped)
        default = settings.default_view
        self.view: Listing = self._make_view(default if default in dict(VIEWS) else VIEWS[0][0])
        """The view that is shown."""

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return tier_variables(self.current_theme)

    def get_css_variables(self) -> dict[str, str]:
        variables = super().get_css_variables()
        variables |= faint_variables(variables)
        return variables

    def get_line_filters(self) -> Sequence[LineFilter]:
        filters = super().get_line_filters()
        return [*filters, self._ascii] if self._ascii is not None else filters

    def compose(self) -> ComposeResult:
        yield TopLine()
        with Container(id="views"):
            yield self.view
        yield Keys()

    def on_load(self) -> None:
        # Before anything is composed: a small home is read by the time of the first frame.
        self.reread()

    def on_mount(self) -> None:
        top = self.query_one(TopLine)
        top.home = str(self.store.home.root)
        top.view = self.view.id or ""
        self.call_after_refresh(self._settle)

    def _settle(self) -> None:
        """What can wait until something is on screen."""
        for warning in self._warnings:
            self.say(warning, "warning")
        self.set_timer(_WATCH_AFTER, self._watch)

    def on_unmount(self) -> None:
        self._stop.set()

    # Views.

    def _views(self) -> Iterable[Listing]:
        return self.screen_stack[0].query(Listing) if self.screen_stack else ()

    async def show_view(self, name: str) -> None:
        """Show the view of this name; it is made when it is shown first."""
        base = self.screen_stack[0]
        shown = next((view for view in self._views() if view.id == name), None)
        if shown is None:
            shown = self._make_view(name)
            await base.query_one("#views").mount(shown)
            if self.snapshot is not None:
                shown.show_snapshot(self.snapshot)
        self.view = shown
        for view in self._views():
            view.display = view is shown
        shown.focus_first()
        base.query_one(TopLine).view = name

    def _make_view(self, name: str) -> Listing:
        if name == "archive":
            from floppy_tui.tui.screens.archive import ArchiveView

            return ArchiveView(self.marks, id=name)
        if name == "offload":
            from floppy_tui.tui.screens.offload import OffloadView

            return OffloadView(self.marks, id=name)
        return MemoryView(self.marks, id=name)

    @on(TopLine.ViewAsked)
    async def _view_asked(self, message: TopLine.ViewAsked) -> None:
        await self.show_view(message.view)

    # Reading.

    def reread(self) -> None:
        """Have the home read again."""
        self._read(self.snapshot, self.view, self.view.asked)

    @work(thread=True, exclusive=True, group="read", exit_on_error=False, description="read")
    def _read(self, before: Snapshot | None, view: Listing, asked: Asked) -> None:
        if not self._recovered:
            self._recovered = True
            for sentence in self.store.recover():
                self.post_message(Said(sentence, "warning"))
        snapshot = self.store.read()
        changed = ""
        if before is not None:
            from floppy_tui.tui.what_changed import same, what_changed

            if same(before, snapshot):
                return
            changed = what_changed(before, snapshot)
        arrangement = view.arrangement(snapshot, asked)
        if not get_current_worker().is_cancelled:
            self.post_message(self.Read(snapshot, changed, view, asked, arrangement))

    @on(Read)
    def _show(self, message: Read) -> None:
        message.stop()
        first = self.snapshot is None
        snapshot = self.snapshot = message.snapshot
        role = "" if snapshot.role is Role.PRIMARY else f" · {snapshot.role}"
        self.screen_stack[0].query_one(TopLine).home = f"{snapshot.root}{role}"
        if message.changed:
            self.news = f"{time.strftime('%H:%M')} {message.changed}"
        self.cards = None
        for view in self._views():
            if view is message.view and view.asked == message.asked:
                view.show_snapshot(snapshot, message.arrangement)
            else:
                view.show_snapshot(snapshot)
        for screen in self.screen_stack[1:]:
            told = getattr(screen, "snapshot_changed", None)
            if told is not None:
                told(snapshot)
        if first:
            self.set_timer(_CONSIDER_AFTER, self.consider)
            self.set_timer(_MEASURE_AFTER, lambda: self._measure(snapshot))
        else:
            self._measure(snapshot)
            self.consider()

    @work(group="changes", exit_on_error=False, description="changes")
    async def _watch(self) -> None:
        """Read again whenever something changed on disk, until the app ends."""
        async for paths in self.store.changes(self._stop):
            self.reread()
            if paths:
                for view in self._views():
                    view.disk_changed()

    def consider(self) -> None:
        """Work out what a pass would do, with the decisions of the one that is open."""
        if self.snapshot is not None:
            self._consider(self.snapshot)

    @work(thread=True, exclusive=True, group="consider", exit_on_error=False, description="consider")
    def _consider(self, snapshot: Snapshot) -> None:
        from floppy_tui.tiers.stow import plan

        decisions, _ = self.store.load_pass(snapshot)
        seen = snapshot
        if any(decision.move is not None for decision in decisions):
            # Where something goes is judged by what is there, which only a pass that moves something asks.
            seen = self.store.look_over(snapshot)
        made = plan(seen, decisions)
        cards: dict[str, list[Card]] = {}
        for card in made.cards:
            for entry in card.entries:
                cards.setdefault(entry, []).append(card)
        after = made.total if decisions else None
        if not get_current_worker().is_cancelled:
            self.post_message(self.Considered(snapshot, cards, after))

    @on(Considered)
    def _considered(self, message: Considered) -> None:
        message.stop()
        if message.snapshot is self.snapshot:
            self.cards = message.cards
            self.after_pass = message.after
            self._figures_changed()

    @work(thread=True, exclusive=True, group="measure", exit_on_error=False, description="measure")
    def _measure(self, snapshot: Snapshot) -> None:
        found = self.store.measure(snapshot)
        if found is not None and not get_current_worker().is_cancelled:
            self.post_message(self.Measured(snapshot, found.tokens))

    @on(Measured)
    def _measured_now(self, message: Measured) -> None:
        message.stop()
        if message.snapshot is self.snapshot:
            self.measured = message.tokens
            self._figures_changed()

    def _figures_changed(self) -> None:
        for view in self._views():
            view.figures_changed()

    # Commands.

    def why_not(self, name: str) -> str:
        above = [
            screen for screen in self.screen_stack[1:] if not screen.has_class("--textual-command-palette")
        ]
        beneath = bool(above)
        if name in dict(VIEWS) and beneath:
            return "Another screen is open; leave it first (esc)."
        if name == "stow":
            if beneath:
                return "A pass or a dialog is open already."
            if self.snapshot is None:
                return "The home is still being read."
        return ""

    async def do_memory(self) -> None:
        await self.show_view("memory")

    async def do_archive(self) -> None:
        await self.show_view("archive")

    async def do_offload(self) -> None:
        await self.show_view("offload")

    def do_stow(self) -> None:
        from floppy_tui.tui.screens.stow import StowScreen

        assert self.snapshot is not None
        screen: Screen[Any] = StowScreen(self.store, self.snapshot)
        self.push_screen(screen, lambda _: self.consider())

    def do_help(self) -> None:
        from floppy_tui.tui.screens.help import HelpScreen

        offered = active(self.screen.focused or self.screen)
        notes = [f"What went wrong unforeseen is written to {self.log_file}."]
        self.push_screen(HelpScreen(offered, list(self.marks.values()), notes))

    def do_palette(self) -> None:
        from textual.command import CommandPalette

        from floppy_tui.tui.palette import Commands

        if not self.screen.has_class("--textual-command-palette"):
            self.push_screen(CommandPalette(providers=[Commands], id="--command-palette"))

    def do_theme(self) -> None:
        self.search_themes()

    def do_reload(self) -> None:
        self.reread()
        self.view.reload()
        self.say("Read again.")

    def do_quit(self) -> None:
        self.exit()

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """None of Textual's own: the registry is the one list of commands."""
        return ()
