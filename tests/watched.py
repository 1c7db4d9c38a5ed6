"""Watches under way, gathered from the side: what they report, and when."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

LONG = 10.0
"""Seconds after which a change is held to be lost; how soon it must come is a test of its own."""


class Watched:
    """A watch under way: what it reported."""

    def __init__(self) -> None:
        self.reports: asyncio.Queue[frozenset[Path]] = asyncio.Queue()

    async def next(self) -> frozenset[Path]:
        return await asyncio.wait_for(self.reports.get(), LONG)

    async def until(self, *paths: Path) -> None:
        """Wait until each of ``paths`` was reported."""
        wanted = set(paths)
        while wanted:
            wanted -= await self.next()


@asynccontextmanager
async def gathered(
    watch: Callable[[asyncio.Event], AsyncIterator[frozenset[Path]]],
) -> AsyncIterator[Watched]:
    """What ``watch`` reports until the block ends, from when it stands."""
    stop, watched = asyncio.Event(), Watched()

    async def gather() -> None:
        async for changed in watch(stop):
            watched.reports.put_nowait(changed)

    task = asyncio.create_task(gather())
    try:
        assert await watched.next() == frozenset()
        yield watched
    finally:
        stop.set()
        await asyncio.wait_for(task, LONG)
