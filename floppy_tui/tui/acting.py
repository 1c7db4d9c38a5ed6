"""What the app does for its views: clipboard, editor, web addresses, putting back from the archive."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textual import work
from textual.app import SuspendNotSupported

from floppy_tui.store.files import StoreError
from floppy_tui.tui import display
from floppy_tui.tui.speaking import Said, SpeakingApp

if TYPE_CHECKING:
    from floppy_tui.store.live import Store
    from floppy_tui.store.settings import Settings
    from floppy_tui.tiers.archive_item import ArchivedItem
    from floppy_tui.tiers.snapshot import Snapshot
    from floppy_tui.tui.screens.restore import Restoring

MOST_COPIED = 50_000
"""Characters; terminals drop or choke on more."""
LaunchEditor = Callable[[Path, int], None]
"""Edits a file at a line in the person's editor until it ends; raises ``StoreError`` or ``OSError``."""


class ActingApp(SpeakingApp):
    """An app over what is open."""

    settings: Settings
    home_store: Store | None
    """The store of the home; None where only a note tree is open."""
    launch_editor: LaunchEditor | None
    """None for the editor of the settings or the environment."""

    @property
    def store(self) -> Store:
        """The store of the home, for what is offered only where one is open."""
        assert self.home_store is not None, "no home is open"
        return self.home_store

    def reread(self) -> None:
        """Have the home read again."""
        raise NotImplementedError

    def copy(self, text: str) -> None:
        """Put a text on the clipboard, as far as the terminal takes it."""
        if len(text) > MOST_COPIED:
            self.say("The text is too long for a terminal's clipboard; open the file instead.", "warning")
            return
        self.copy_to_clipboard(display.copyable(text))
        self.say(f"Copied {display.counted(len(text), 'character')}.")

    def edit(self, file: str, line: int) -> None:
        """Hand the terminal to the editor, on a memory file at a line; afterwards the home is read again."""
        self.edit_file(self.store.home.path(file), line)
        self.reread()

    def edit_file(self, path: Path, line: int) -> bool:
        """Hand the terminal to the editor, on any file at a line; whether it was edited."""
        problem = ""
        try:
            with self.suspend():
                # The app does not resume where the body raises.
                try:
                    (self.launch_editor or self._own_editor)(path, line)
                except (OSError, StoreError) as error:
                    problem = str(error)
        except SuspendNotSupported:
            problem = "This terminal cannot be handed to an editor; open the file from another one."
        if problem:
            self.say(problem, "error")
        return not problem

    def _own_editor(self, path: Path, line: int) -> None:
        from floppy_tui.store.editor import edit

        edit(path, line, self.settings)

    def ask_to_open(self, addresses: Sequence[str]) -> None:
        """Show web addresses; the one that is chosen is opened."""
        from floppy_tui.tui.screens.addresses import AddressesScreen

        safe = [address for address in addresses if display.web_address(address)]
        if safe:
            self.push_screen(AddressesScreen(safe), self._open_address)
        else:
            self.say("There is no web address in this text.")

    def _open_address(self, address: str | None) -> None:
        if address and display.web_address(address):
            self.open_url(address)

    def ask_to_restore(self, item: ArchivedItem, snapshot: Snapshot) -> None:
        """Ask for tier and evidence, then put an archived item back."""
        from floppy_tui.tui.screens.restore import RestoreScreen

        self.push_screen(RestoreScreen(item, snapshot), self._restore_confirmed)

    def _restore_confirmed(self, restoring: Restoring | None) -> None:
        if restoring is not None:
            self._restore(restoring)

    @work(thread=True, group="write", exit_on_error=False, description="write")
    def _restore(self, restoring: Restoring) -> None:
        source = restoring.item.source.rsplit("/", 1)[-1]
        self.store.restore(restoring.item, restoring.evidence, restoring.tier)
        self.post_message(Said(f"Restored to data/{source} as {restoring.tier}."))
        self.call_from_thread(self.reread)
