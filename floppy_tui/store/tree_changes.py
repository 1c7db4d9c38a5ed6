"""What changes on disk around a note tree: the tree and its linked scopes whole, else what is named."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AsyncExitStack, aclosing, suppress
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from floppy_tui.store.note_statuses import status_files, status_place
from floppy_tui.store.tree_files import linked_places
from floppy_tui.store.tree_home import CONFIG, HEAT, TreeHome
from floppy_tui.store.watch import watch


class Watched(NamedTuple):
    """What is to be watched."""

    trees: tuple[Path, ...]
    """With everything below them, the insides of repositories left out."""
    directories: tuple[Path, ...] = ()
    """For the files ``names`` in them alone: one may be the top of a large repository."""
    names: frozenset[str] = frozenset()


def watched(home: TreeHome) -> Watched:
    """What is to be watched for the tree at ``home``."""
    trees = tuple(dict.fromkeys((home.root, *linked_places(home.root, home.scopes()).values())))
    if home.repository is None:
        return Watched(trees)
    files = [home.repository / CONFIG, home.repository / HEAT]
    files += [status_place(home, status.path) for status in status_files(home)]
    if home.external:
        # The link itself can be wired to another store.
        files.append(home.repository / PurePosixPath(home.config.memory_dir))
    files = [file for file in files if not any(file.is_relative_to(tree) for tree in trees)]
    directories = tuple(dict.fromkeys(file.parent for file in files))
    return Watched(trees, directories, frozenset(file.name for file in files))


async def tree_changes(
    look: Callable[[], Watched], *, polling: bool, stop: asyncio.Event
) -> AsyncGenerator[frozenset[Path], None]:
    """The paths that changed on disk, in bursts, until ``stop`` is set.

    An empty set says that the watch stands, again where what is to be watched (``look`` says it, and touches
    the disk) has changed.
    """
    now = await asyncio.to_thread(look)
    while not stop.is_set():
        streams = [watch(now.trees, recursive=True, polling=polling, stop=stop)]
        if now.directories:
            streams.append(watch(now.directories, names=now.names, polling=polling, stop=stop))
        async with aclosing(_merged(streams)) as bursts:
            async for paths in bursts:
                # Looked at before it is told: whoever is told may change something at once.
                before, now = now, await asyncio.to_thread(look)
                if paths or now == before:
                    yield paths
                if now != before:
                    break
            else:
                return


async def _merged(
    streams: Sequence[AsyncGenerator[frozenset[Path], None]],
) -> AsyncGenerator[frozenset[Path], None]:
    """The bursts of all ``streams`` as they come; the first one, which is empty, when all of them stand."""
    async with AsyncExitStack() as stack:
        for stream in streams:
            await stack.enter_async_context(aclosing(stream))
        waiting = {asyncio.ensure_future(anext(stream)): stream for stream in streams}
        try:
            coming = set(streams)
            burst: set[Path] = set()
            while waiting:
                done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                first = bool(coming)
                for task in done:
                    stream = waiting.pop(task)
                    with suppress(StopAsyncIteration):
                        burst |= task.result()
                        coming.discard(stream)
                        waiting[asyncio.ensure_future(anext(stream))] = stream
                if not coming and (burst or first):
                    yield frozenset(burst)
                    burst = set()
        finally:
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
