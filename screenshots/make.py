"""Makes the pictures of the README anew from the demo home: ``python screenshots/make.py``.

The app itself is driven by keys at a fixed size and a fixed day, and what it shows is saved as it is.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable
from datetime import date
from pathlib import Path

from textual.pilot import Pilot

from floppy_tui.demo import build
from floppy_tui.store.opened import open_any
from floppy_tui.tui.app import FloppyApp

TODAY = date(2026, 11, 30)
SIZE = (120, 36)
SETTLED = 0.8
"""Seconds for workers to bring what was asked for."""

Step = Callable[["Pilot[None]"], Awaitable[None]]


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Press keys as a person would, each after the last one has had its effect."""
    for key in keys:
        await pilot.press(key)
        await pilot.pause(SETTLED)


async def memory(pilot: Pilot[None]) -> None:
    """The memory, with a stale entry in detail."""
    await press(pilot, *["j"] * 15)


async def archive(pilot: Pilot[None]) -> None:
    """The cold tier."""
    await press(pilot, "2", "j", "j")


async def stow(pilot: Pilot[None]) -> None:
    """The first stale entry of a pass."""
    await press(pilot, "s", "right_square_bracket", "right_square_bracket", "right_square_bracket")
    await press(pilot, "right_square_bracket")


async def offload(pilot: Pilot[None]) -> None:
    """The queue of proposals, with one of them in detail."""
    await press(pilot, "3")
    await pilot.pause(SETTLED * 5)
    await press(pilot, "j", "j", "enter")


async def notes(pilot: Pilot[None]) -> None:
    """The note tree, with one of its notes in detail."""
    await press(pilot, "4", *["j"] * 5)


async def findings(pilot: Pilot[None]) -> None:
    """What lint says of the notes, with one finding in detail."""
    await press(pilot, "4", "f", "j", "j")


PICTURES = {
    "memory": memory,
    "archive": archive,
    "stow": stow,
    "offload": offload,
    "notes": notes,
    "findings": findings,
}
TOOL = Path(sys.prefix) / "tasks-axi" / "node_modules" / ".bin"
"""Where ``python tests/check.py tools`` puts the backlog tool."""


async def picture(home: Path, name: str, step: Step, into: Path) -> None:
    """Drive the app to what a picture shows and save it."""
    path = os.pathsep.join((str(TOOL), os.environ.get("PATH", os.defpath)))
    env = {"PATH": path, "FLOPPY_TODAY": TODAY.isoformat()}
    opened = open_any(home, env=env, cwd=home, today=lambda: TODAY)
    app = FloppyApp(opened.home, opened.notes)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause(SETTLED * 3)
        await step(pilot)
        await pilot.pause(SETTLED)
        (into / f"{name}.svg").write_text(app.export_screenshot(title="floppy-tui"), encoding="utf-8")


def main() -> None:
    """Save every picture beside this file, or in the directory named."""
    into = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    for name, step in PICTURES.items():
        # A path that is the same each time, so that the picture is.
        home = Path(tempfile.gettempdir()) / "demo-home"
        try:
            asyncio.run(picture(build(home, TODAY), name, step, into))
        finally:
            shutil.rmtree(home)
        sys.stdout.write(f"{name}.svg\n")


if __name__ == "__main__":
    main()
