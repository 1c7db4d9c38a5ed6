"""Every command that can be reached from where the person is, for the command palette."""

from __future__ import annotations

from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from floppy_tui.tui import display
from floppy_tui.tui.commands import Command, Commanded, active, keys_of, spelled


class Commands(Provider):
    """The registry, as the palette's hits."""

    def _offered(self) -> list[tuple[Commanded, Command]]:
        return active(self.screen.focused or self.screen)

    def _prompt(self, place: Commanded, command: Command) -> Content:
        keys = " ".join(spelled(key) for key in keys_of(command, place.keymap))
        why = place.why_not(command.name)
        return display.joined(
            (_title(command), "bold"),
            (f"  {keys}\n" if keys else "\n", "$text-accent"),
            (f"Not now: {why}" if why else command.help, "$text-muted"),
        )

    async def discover(self) -> Hits:
        for place, command in self._offered():
            act = partial(place.action_command, command.id)
            yield DiscoveryHit(self._prompt(place, command), act, text=_title(command))

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for place, command in self._offered():
            score = matcher.match(f"{_title(command)} {command.help}")
            if score > 0:
                act = partial(place.action_command, command.id)
                yield Hit(score, self._prompt(place, command), act, text=_title(command))


def _title(command: Command) -> str:
    return f"{command.where}: {command.label}"
