"""A person at the Stow wizard: a small home on disk, the app over it, keys in, screen and files out."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from datetime import date
from pathlib import Path

from repositories import init
from textual import events
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
SKILL = ".agents/skills/tides/SKILL.md"
NOTE = "data/notes/gates.md"
TIDES = (
    b"---\nname: tides\ndescription: Use when a tide table is read.\n---\n\n# Tides\n\n- The float counts.\n"
)
GATES = b"---\ntrigger: when a gate is opened\n---\n\n# Gates\n\n- The gate of the lock opens by hand.\n"
TABLE = (
    b"- When the tide table is read, the float of the lock counts and the gauge at the gate does not: it is "
    b"half a metre high since the spring, and nobody has come to set it right. <!--a:2026-09-20-->\n"
)
"""An aging entry that skill and note could take, with a trigger in its words."""
PILOT = (
    b"- When a pilot boat calls at night, answer on channel twelve within a minute, and write its name, its "
    b"draught and its berth on the board before anything else is done.\n"
)
"""A pinned one that could be proposed."""
PLACES: Mapping[str, bytes] = {
    "config/startup-memory-budget": b"%d\n" % (-(-len(CAPTAIN + PILOT) // 3) + -(-len(HEAD + FRESH) // 3)),
    "data/captain.md": CAPTAIN + PILOT,
    "data/learnings.md": HEAD + FRESH + TABLE,
    NOTE: GATES,
    SKILL: TIDES,
}
"""A home over budget, until ``TABLE`` leaves it, with a skill and a note that are there."""
HOSTILE = (
    "[/foo] [@click=app.quit]now[/] [bold red]x[/] \x1b]52;c;aGk=\x07\x1b[2J "
    "\u202egnp.exe \u2066a\u2069 \x85\x9b31m <b>&#27;[31m</b> [link](javascript:x) \udcff\x00"
)
FORBIDDEN = "\x1b\x07\x9b\x85\u202e\u2066\u2069\udcff\x00"
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


def lay_places(root: Path, files: Mapping[str, bytes] = PLACES) -> Path:
    """A home in a git repository that ignores its memory and its own skills."""
    lay(init(root), files)
    (root / ".git/info/exclude").write_text("/data/\n/state/\n/.agents/skills/tides/\n")
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

    async def paste(self, text: str) -> None:
        """Paste a text into what has the focus, as a terminal does."""
        self.app.post_message(events.Paste(text))
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

    async def until(self, true: Callable[[], bool], most: float = 10.0) -> None:
        """Wait for what comes while something else is still under way; fails where it does not come."""
        end = time.monotonic() + most
        while not true():
            assert time.monotonic() < end, self.text()
            await self.pilot.pause(0.01)

    @staticmethod
    def _awaited(group: str) -> bool:
        return group.startswith(("stow", "offload")) or group in _AWAITED

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


def look(captain: Captain) -> str:
    """The screen, of which nothing drives the terminal; the app still runs."""
    shown = captain.text()
    found = [c for c in FORBIDDEN if c in shown]
    assert not found, (found, shown)
    assert captain.app.is_running and captain.app.return_code is None
    return shown


@asynccontextmanager
async def stowing(
    home: Path,
    today: date,
    size: tuple[int, int] = (80, 24),
    store: Store | None = None,
    settled: bool = True,
) -> AsyncIterator[Captain]:
    """The app over ``home`` with the wizard open, and with nothing under way where that is not said."""
    store = store or Store.open(home, env={}, cwd=home, today=lambda: today)
    app = FloppyApp(store)
    async with app.run_test(size=size) as pilot:
        captain = Captain(pilot, app, home)
        await captain.settle()
        if settled:
            await captain.press("s")
        else:
            await pilot.press("s")
            await captain.until(lambda: len(app.screen_stack) > 1)
        yield captain
