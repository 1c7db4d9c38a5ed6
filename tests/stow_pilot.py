"""A person at the Stow wizard: a small home on disk, the app over it, keys in, screen and files out."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from datetime import date
from pathlib import Path

from textual.pilot import Pilot
from textual.worker import WorkerCancelled, WorkerFailed

from floppy_tui.store.live import Store
from floppy_tui.tui.app import FloppyApp
from floppy_tui.tui.screens.stow import StowScreen

POINTER = b"<!-- memory tiers: see the stow skill -->\n"
FRESH = b"- The gate sticks in the rain. <!--a:2026-09-20-->\n"
ONE = b"- The crane needs a seed above zero.\n"
TWO = b"- The laptop resolves quay.test by its hosts file.\n"
STALE = b"- Pool slot five lies on the slow disk. <!--a:2026-08-01-->\n"
LEGACY = b"- Invoices come from the contract. <!--g-->\n"
HEAD = b"# Learnings\n" + POINTER + b"\n"
LEARNINGS = HEAD + FRESH + ONE + TWO + STALE + LEGACY
CAPTAIN = b"# Captain\n" + POINTER + b"\n- Merging to main is mine alone.\n"
SMALL: Mapping[str, bytes] = {
    "config/startup-memory-budget": b"7500\n",
    "data/captain.md": CAPTAIN,
    "data/learnings.md": LEARNINGS,
}
"""A home within budget: two unmarked entries, a stale one, one whose grace is over."""
ROUNDS = 4
"""Pauses until a message that sends a message that sends a message has been handled."""
_AWAITED = ("read", "consider")


def lay(root: Path, files: Mapping[str, bytes]) -> Path:
    """Write ``files`` below ``root`` and make its ``state``."""
    (root / "state").mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    return root


class Captain:
    """The person; ``press`` and ``type`` return when nothing is under way any more."""

    def __init__(self, pilot: Pilot[None], app: FloppyApp, home: Path) -> None:
        self.pilot = pilot
        self.app = app
        self.home = home

    @property
    def wizard(self) -> StowScreen:
        """The wizard, beneath whatever dialog is open."""
        return next(screen for screen in self.app.screen_stack if isinstance(screen, StowScreen))

    async def press(self, *keys: str) -> None:
        """Press keys, and wait after each."""
        for key in keys:
            await self.pilot.press(key)
            await self.settle()

    async def type(self, text: str) -> None:
        """Type a text."""
        await self.pilot.press(*("space" if c == " " else c for c in text))
        await self.settle()

    async def evidence(self, text: str) -> None:
        """Give evidence for what is under the cursor."""
        await self.press("v")
        await self.type(text)
        await self.press("enter")

    async def settle(self) -> None:
        """Wait until no plan, diff, save or reading is under way, and all that came of it is shown."""
        rounds = 0
        while rounds < ROUNDS:
            # A pause of no time ends when every widget has handled what was sent to it before.
            await self.pilot.pause(0)
            busy = [w for w in self.app.workers if not w.is_finished and self._awaited(w.group)]
            for worker in busy:
                with suppress(WorkerCancelled, WorkerFailed):
                    await worker.wait()
            rounds = 0 if busy else rounds + 1

    @staticmethod
    def _awaited(group: str) -> bool:
        return group.startswith("stow") or group in _AWAITED

    def text(self) -> str:
        """The screen as it is seen."""
        return "\n".join(strip.text.rstrip() for strip in self.app.screen._compositor.render_strips())

    def read(self, name: str) -> bytes:
        """A file of the home."""
        return (self.home / name).read_bytes()

    async def changes(self, name: str, data: bytes) -> None:
        """Somebody else writes a file, and the app is told."""
        (self.home / name).write_bytes(data)
        self.app.reread()
        await self.settle()


@asynccontextmanager
async def stowing(
    home: Path, today: date, size: tuple[int, int] = (80, 24), store: Store | None = None
) -> AsyncIterator[Captain]:
    """The app over ``home`` with the wizard open."""
    store = store or Store.open(home, env={}, cwd=home, today=lambda: today)
    app = FloppyApp(store)
    async with app.run_test(size=size) as pilot:
        captain = Captain(pilot, app, home)
        await captain.settle()
        await captain.press("s")
        yield captain
