"""Changes on disk as they happen, from watched directories: an atomic replace ends the watch of a file.

What the system reports is taken as a hint. The directories are looked through again at each, so that
nothing falls between two watches, whatever appears, goes and comes back meanwhile.
"""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import AsyncGenerator, Collection, Iterable
from contextlib import aclosing, suppress
from pathlib import Path
from time import monotonic
from typing import Any

from floppy_tui.store.files import TEMPORARY

STEP_MS = 20
"""A burst is over when nothing happened for this long."""

DEBOUNCE_MS = 100
"""A burst that does not end is reported after this long."""

POLL_MS = 100
"""How often is looked where the system does not say."""

_RETRY = 0.05

_Stamp = tuple[int, int, int, int]
_Identity = tuple[int, int]


class _View:
    """What is looked at, and what stood there when it was looked at last."""

    def __init__(self, directories: Iterable[Path], names: Collection[str] | None, recursive: bool) -> None:
        self.directories = [Path(os.path.abspath(directory)) for directory in directories]
        self.names = names
        self.recursive = recursive
        self.watched: dict[str, _Identity] = {}
        """The directories that are to be watched: those asked for and the nearest ones above them."""

        self.inside: set[str] = set()
        """Those of them whose files count."""

        self.ways: set[str] = set()
        """The paths at which a directory asked for can appear or go."""

        self.stamps: dict[Path, _Stamp] = {}

    def look(self) -> frozenset[Path]:
        """Look again; returns the files that came, went or changed since the last look. Touches the disk."""
        self.watched, self.inside, self.ways = {}, set(), set()
        stamps: dict[Path, _Stamp] = {}
        for directory in self.directories:
            self._find(directory)
            self._enter(directory, stamps)
        changed = {path for path in self.stamps.keys() | stamps if self.stamps.get(path) != stamps.get(path)}
        self.stamps = stamps
        return frozenset(changed)

    def _find(self, directory: Path) -> None:
        """Note the nearest directory above ``directory`` that exists, and the way down from there."""
        way = directory
        for above in directory.parents:
            self.ways.add(str(way))
            with suppress(OSError):
                found = above.stat()
                if stat.S_ISDIR(found.st_mode):
                    self.watched[str(above)] = (found.st_dev, found.st_ino)
                    return
            way = above

    def _enter(self, directory: Path, stamps: dict[Path, _Stamp]) -> None:
        try:
            found = os.stat(directory)
            with os.scandir(directory) as listing:
                entries = list(listing)
        except OSError:
            return
        self.watched[str(directory)] = (found.st_dev, found.st_ino)
        self.inside.add(str(directory))
        for entry in entries:
            with suppress(OSError):
                if self.recursive and entry.is_dir(follow_symlinks=False):
                    if not _is_ours(directory, entry.name):
                        self._enter(directory / entry.name, stamps)
                elif self._counts(entry.name):
                    status = entry.stat(follow_symlinks=False)
                    stamps[directory / entry.name] = (
                        status.st_ino,
                        status.st_size,
                        status.st_mtime_ns,
                        status.st_ctime_ns,
                    )

    def _counts(self, name: str) -> bool:
        return not _is_temporary(name) and (self.names is None or name in self.names)

    def concerns(self, path: str) -> bool:
        """Whether a report about ``path`` is worth a look."""
        if path in self.ways or path in self.watched:
            return True
        above, name = os.path.split(path)
        # Below a watched tree it can be a directory, whatever its name.
        return above in self.inside and (self._counts(name) or (self.recursive and not _is_temporary(name)))

    def named(self, paths: Iterable[str]) -> frozenset[Path]:
        """Those of ``paths`` that are files which count: one can be changed and look as it did."""
        return frozenset(path for path in map(Path, paths) if path in self.stamps)


def _is_temporary(name: str) -> bool:
    return name.startswith(TEMPORARY)


def _is_ours(directory: Path, name: str) -> bool:
    """Whether it is our own state, or a repository's inside: of no interest below a watched directory."""
    return name == ".git" or (name == "floppy-tui" and directory.name == "state")


async def watch(
    directories: Iterable[Path],
    *,
    names: Collection[str] | None = None,
    recursive: bool = False,
    polling: bool = False,
    debounce_ms: int = DEBOUNCE_MS,
    stop: asyncio.Event,
) -> AsyncGenerator[frozenset[Path], None]:
    """Yield the files in ``directories`` that changed, a burst at a time, until ``stop`` is set.

    The first set is empty and says that the watch stands: what is read from then on goes stale only
    with a report. ``names`` are those that count, by default all but temporaries of ours; with
    ``recursive`` the directories below count too. A directory may be missing, vanish and come back.
    ``polling`` looks every ``POLL_MS`` instead of being told, as is done where the system cannot tell.
    Paths are below ``directories`` as given, made absolute. Nothing is read on the event loop.
    """
    view = _View(directories, names, recursive)
    await asyncio.to_thread(view.look)
    stopping = asyncio.ensure_future(stop.wait())
    try:
        if not polling:
            try:
                async with aclosing(_told(view, debounce_ms, stopping)) as told:
                    async for changed in told:
                        yield changed
                return
            except OSError:
                pass  # such as no more watches to be had, or a name that cannot be reported
        yield frozenset()
        interval = POLL_MS / 1000
        while not (await asyncio.wait((stopping,), timeout=interval))[0]:
            began = monotonic()
            changed = await asyncio.to_thread(view.look)
            # A slow file system is not kept busy with being looked at.
            interval = max(POLL_MS / 1000, 10 * (monotonic() - began))
            if changed:
                yield changed
    finally:
        stopping.cancel()


async def _told(
    view: _View, debounce_ms: int, stopping: asyncio.Future[Any]
) -> AsyncGenerator[frozenset[Path], None]:
    """The changes that the system reports, until ``stopping``; raises ``OSError`` where it does not."""
    from watchfiles import awatch

    first = True
    while not stopping.done():
        armed = view.watched
        done = asyncio.Event()
        reports = awatch(
            *armed,
            watch_filter=lambda _, path: view.concerns(path),
            debounce=debounce_ms,
            step=STEP_MS,
            stop_event=done,
            force_polling=False,
            recursive=False,
            ignore_permission_denied=True,
        )
        pending = asyncio.ensure_future(anext(reports, None))
        try:
            # After one turn of the loop the watch stands: what came before it shows in the look.
            await asyncio.sleep(0)
            changed = await asyncio.to_thread(view.look)
            while True:
                if changed or first:
                    first = False
                    yield changed
                if view.watched != armed:
                    break
                await asyncio.wait((pending, stopping), return_when=asyncio.FIRST_COMPLETED)
                if stopping.done():
                    return
                batch = pending.result() or set()
                pending = asyncio.ensure_future(anext(reports, None))
                changed = await asyncio.to_thread(view.look) | view.named(path for _, path in batch)
        except FileNotFoundError:
            # Gone between the look and the watch.
            await asyncio.wait((stopping,), timeout=_RETRY)
            await asyncio.to_thread(view.look)
        except (RuntimeError, ExceptionGroup) as error:
            # The watcher gives up on a name that is no UTF-8.
            raise OSError("the watch ended") from error
        finally:
            done.set()
            with suppress(Exception):
                await pending
            await reports.aclose()
