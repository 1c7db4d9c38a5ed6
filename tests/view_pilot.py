"""A person at the views that list things: a home on disk, the app over it, keys in, screen and files."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from stow_pilot import Captain, lay
from textual.worker import WorkerCancelled, WorkerFailed

from floppy_tui.store.live import Store
from floppy_tui.tui.app import FloppyApp
from floppy_tui.tui.screens.listing import Listing
from floppy_tui.tui.widgets.rows import Rows

__all__ = ["ARCHIVE", "CAPTAIN", "LEARNINGS", "PLAIN", "Reader", "lay", "reading"]

CAPTAIN = b"""# Captain

- Merging to main is mine alone.
- Answer first, reasons after.
"""
LEARNINGS = b"""# Learnings
<!-- memory tiers: see the stow skill -->

- The gate sticks in the rain. <!--a:2026-09-20-->
- The crane needs a seed above zero.
- Pool slot five lies on the slow disk. <!--a:2026-08-01-->

## Quay

- The tide table is wrong until 2026-10-09. <!--p:2026-09-28-->
- Invoices come from the contract. <!--g-->
- Never restart the daemon by hand, see https://quay.test/daemon. <!--P-->
"""
ARCHIVE = b"""# Archive

## 2026-08-08 stow

- (from learnings.md, tier: perishable, reinforced: 2026-06-30) Lock is rusty. [archived: unreinforced 39d]
- (from learnings.md, tier: aging, reinforced: 2026-06-01) Ropes lie in 4. [archived: budget oldest-first]

## 2026-09-12 stow

- (from learnings.md, tier: aging, reinforced: never) The lamp hums. [archived: legacy-unvalidated]
- Something that somebody wrote here by hand.
"""
PLAIN: Mapping[str, bytes] = {
    "config/startup-memory-budget": b"7500\n",
    "data/captain.md": CAPTAIN,
    "data/learnings.md": LEARNINGS,
    "data/memory-archive.md": ARCHIVE,
}
"""A home with an entry of each tier, and an archive of two passes."""


class Reader(Captain):
    """The person."""

    @staticmethod
    def _awaited(group: str) -> bool:
        others = ("read", "consider", "arrange", "alike", "write", "log")
        if group.startswith("notes"):
            return group != "notes-changes"
        return group in others or group.startswith("offload")

    async def settle(self) -> None:
        """Wait as ever; a reading that fails, or gives way to a newer one, is no failure of the test."""
        while True:
            with suppress(WorkerFailed, WorkerCancelled):
                await super().settle()
                return

    @property
    def view(self) -> Listing:
        """The view that is shown."""
        return self.app.view

    @property
    def rows(self) -> Rows:
        """Its table."""
        return self.view.rows

    @property
    def said(self) -> list[str]:
        """What was said so far, in order."""
        return [notice.message for notice in self.app._notifications]

    def under_cursor(self) -> str:
        """The words of the row under the cursor."""
        return self.view.text(self.rows.key)

    def listed(self) -> list[str]:
        """The words of all rows in order, a heading in brackets."""
        source = self.rows.source
        keys = [source.key(n) for n in range(len(source))]
        return [
            self.view.text(key) if key else f"[{source.cells(n, [0])[0].plain}]" for n, key in enumerate(keys)
        ]

    async def until(self, true: Callable[[], bool], most: float = 5.0) -> None:
        """Wait for what comes from outside (the disk); fails where it does not come."""
        waited = 0.0
        while not true():
            assert waited < most, self.text()
            await self.pilot.pause(0.02)
            waited += 0.02
        await self.settle()


@asynccontextmanager
async def reading(
    home: Path,
    today: date,
    size: tuple[int, int] = (80, 24),
    *,
    store: Store | None = None,
    settings: Mapping[str, Any] | None = None,
    **options: Any,
) -> AsyncIterator[Reader]:
    """The app over ``home``; ``settings`` change those of the store, ``options`` go to the app."""
    store = store or Store.open(home, env={}, cwd=home, today=lambda: today)
    store.settings = replace(store.settings, **(settings or {}))
    app = FloppyApp(store, **options)
    async with app.run_test(size=size) as pilot:
        reader = Reader(pilot, app, home)
        await reader.settle()
        yield reader
