"""The app: it holds the newest reading of what is open and hands it down; reading and writing is the store's.

A tiered home is open, a note tree, or both; only the views of what is open are offered.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.app import ComposeResult, SystemCommand
from textual.binding import BindingType
from textual.containers import Container
from textual.filter import LineFilter
from textual.screen import Screen

from floppy_tui.store.state import log_path
from floppy_tui.tiers.layout import Role
from floppy_tui.tui import display
from floppy_tui.tui.acting import LaunchEditor
from floppy_tui.tui.commands import VIEWS, Command, Commanded, active, bindings, keymap_problems
from floppy_tui.tui.home_reading import HomeReading
from floppy_tui.tui.screens.listing import Listing
from floppy_tui.tui.screens.memory import MemoryView
from floppy_tui.tui.styles.tiers import faint_variables, tier_variables
from floppy_tui.tui.tree_reading import TreeReading
from floppy_tui.tui.widgets.keys import Keys
from floppy_tui.tui.widgets.top_line import TopLine

if TYPE_CHECKING:
    from floppy_tui.store.live import Store
    from floppy_tui.store.note_tree import NoteStore

WIDE = 100
"""From this width on the detail stands beside the table."""
_WATCH_AFTER = 0.1
"""Seconds after something is on screen until the disk is watched; what changed by then is read at once."""
_TREE_AFTER = 0.4
"""Seconds after the first paint until a note tree is read that is not shown yet."""
_OF_HOME = ("memory", "archive", "offload")
_NO_HOME = "No tiered memory is open here, only a note tree; open a home to have this."
_NOTES_MARKS = (
    "Among the notes: ✗ is an error, ! a warning, · an information; an age or a size with ! behind it is "
    "past its limit, links with ! lead nowhere, and +3d is a date ahead of today."
)
_LOOKING = "It is still being looked for a note tree."
_NO_TREE = "This home holds no note tree, and none is around it: there is nothing to show."


def ascii_filter() -> LineFilter:
    """What draws with ASCII alone, loaded only where it is asked for."""
    from floppy_tui.tui.styles.ascii import AsciiFilter

    return AsciiFilter()


class FloppyApp(Commanded, TreeReading, HomeReading):
    """The app."""

    TITLE = "floppy-tui"
    CSS_PATH = "styles/app.tcss"
    WHERE = "app"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("app")]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012
    ENABLE_COMMAND_PALETTE = False

    def __init__(
        self,
        store: Store | None,
        notes: NoteStore | None = None,
        *,
        find_notes: Callable[[], NoteStore] | None = None,
        launch_editor: LaunchEditor | None = None,
        warnings: Sequence[str] = (),
    ) -> None:
        opened = store or notes
        if opened is None:
            raise ValueError("neither a home nor a note tree is open")
        self.home_store = store
        self.notes_store = notes
        self.find_notes = None if notes is not None else find_notes
        self.why_no_tree = ""
        self.settings = settings = opened.settings
        self.ascii_only: bool = settings.ascii
        self.marks = display.tier_marks(settings.ascii)
        self.snapshot = None
        self.cards = None
        self.after_pass = None
        self.measured = None
        self.note_tree = None
        self.statuses = ()
        self.linted = None
        self.findings = ()
        self.tree_problem = ""
        self.news = ""
        self.log_file = log_path(opened.home.own_state)
        self.launch_editor = launch_editor
        self._warnings = [*warnings]
        self._ascii = ascii_filter() if settings.ascii else None
        self.stopping = asyncio.Event()
        self._recovered = False
        self._tree_recovered = False
        if settings.keymap:
            # Registers the commands that the keymap may name; otherwise that can wait.
            import_module("floppy_tui.tui.screens.stow_commands")
            import_module("floppy_tui.tui.screens.notes_commands")
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
        if default == "notes":
            # Whoever wants the notes first waits for them.
            self.find_tree_now()
        offered = [name for name, _ in VIEWS if self._has(name)]
        self.view = self._make_view(default if default in offered else offered[0])

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
        if self.view.OF_HOME:
            self.reread()
        else:
            self.reread_tree()

    def on_mount(self) -> None:
        self.query_one(TopLine).view = self.view.id or ""
        self.show_offered()
        self.call_after_refresh(self._settle)

    def _settle(self) -> None:
        """What can wait until something is on screen."""
        for warning in self._warnings:
            self.say(warning, "warning")
        if self.home_store is not None:
            if not self.view.OF_HOME:
                self.reread()
            self.set_timer(_WATCH_AFTER, self.watch_home)
        if self.notes_store is not None or self.find_notes is not None:
            self.set_timer(_TREE_AFTER if self.view.OF_HOME else _WATCH_AFTER, self.begin_tree)

    def on_unmount(self) -> None:
        self.stopping.set()

    # Views.

    def views_made(self) -> Iterable[Listing]:
        return self.screen_stack[0].query(Listing) if self.screen_stack else ()

    async def show_view(self, name: str) -> None:
        """Show the view of this name; it is made when it is shown first."""
        base = self.screen_stack[0]
        shown = next((view for view in self.views_made() if view.id == name), None)
        if shown is None:
            shown = self._make_view(name)
            await base.query_one("#views").mount(shown)
            if self.snapshot is not None:
                shown.show_snapshot(self.snapshot)
            shown.tree_changed()
        self.view = shown
        for view in self.views_made():
            view.display = view is shown
        shown.focus_first()
        base.query_one(TopLine).view = name
        self.show_where()

    def _has(self, view: str) -> bool:
        """Whether what this view shows is open."""
        return (self.home_store if view in _OF_HOME else self.notes_store) is not None

    def show_offered(self) -> None:
        self.screen_stack[0].query_one(TopLine).offered = tuple(n for n, _ in VIEWS if self._has(n))
        self.show_where()

    def show_where(self) -> None:
        if not self.view.OF_HOME:
            where = self.tree_words()
        elif self.snapshot is None:
            where = str(self.store.home.root)
        else:
            role = "" if self.snapshot.role is Role.PRIMARY else f" · {self.snapshot.role}"
            where = f"{self.snapshot.root}{role}"
        self.screen_stack[0].query_one(TopLine).home = where

    def _make_view(self, name: str) -> Listing:
        if name == "notes":
            from floppy_tui.tui.screens.notes import NotesView

            return NotesView(self.marks, id=name)
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

    # Commands.

    def offers(self, command: Command) -> bool:
        name = command.name
        if name == "stow":
            return self.home_store is not None
        return name not in dict(VIEWS) or self._has(name)

    def why_not(self, name: str) -> str:
        if self.home_store is None and (name in _OF_HOME or name == "stow"):
            return _NO_HOME
        if self.notes_store is None and name == "notes":
            return _LOOKING if self.find_notes is not None else self.why_no_tree or _NO_TREE
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

    async def do_notes(self) -> None:
        await self.show_view("notes")

    def do_stow(self) -> None:
        from floppy_tui.tui.screens.stow import StowScreen

        assert self.snapshot is not None
        screen: Screen[Any] = StowScreen(self.store, self.snapshot)
        self.push_screen(screen, lambda _: self.consider())

    def do_help(self) -> None:
        from floppy_tui.tui.screens.help import HelpScreen

        offered = active(self.screen.focused or self.screen)
        notes = [f"What went wrong unforeseen is written to {self.log_file}."]
        if self.notes_store is not None:
            notes.insert(0, _NOTES_MARKS)
        marks = self.marks.values() if self.home_store is not None else ()
        self.push_screen(HelpScreen(offered, list(marks), notes))

    def do_palette(self) -> None:
        from textual.command import CommandPalette

        from floppy_tui.tui.palette import Commands

        if not self.screen.has_class("--textual-command-palette"):
            self.push_screen(CommandPalette(providers=[Commands], id="--command-palette"))

    def do_theme(self) -> None:
        self.search_themes()

    def do_reload(self) -> None:
        self.reread()
        self.reread_tree()
        self.view.reload()
        self.say("Read again.")

    def do_quit(self) -> None:
        self.exit()

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """None of Textual's own: the registry is the one list of commands."""
        return ()
