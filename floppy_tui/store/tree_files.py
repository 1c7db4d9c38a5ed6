"""Reading a note tree from disk: every Markdown file below a directory, no link followed but the scopes'."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from floppy_tui.notes.quota import FILE as QUOTA
from floppy_tui.notes.tree import Unread
from floppy_tui.store.files import Refusal, read_open
from floppy_tui.text.lines import decode

MOST = 20_000
"""Files; a directory of more is no memory."""
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC

Stamp = tuple[int, int, int, int]


class Read(NamedTuple):
    """One file as it was read last."""

    stamp: Stamp
    text: str


class Reading(NamedTuple):
    """What a directory held."""

    files: dict[str, Read]
    """By path below it."""
    linked: tuple[str, ...]
    """The scopes that are reached by a link, by path."""
    places: tuple[Path, ...]
    """Where those lie."""
    unread: tuple[Unread, ...]


def read_files(root: Path, scopes: Collection[str], before: Reading | None = None) -> Reading:
    """Every ``*.md`` below ``root`` (resolved) and its ``quota.lock``; what cannot be read is named.

    Of links, those at the paths ``scopes`` alone are followed. Files whose stamp is as in ``before`` are not
    read again.
    """
    reader = _Reader(root, scopes, before.files if before else {})
    reader.enter(root, "")
    return Reading(reader.files, tuple(reader.linked), tuple(reader.places), tuple(reader.unread))


class _Reader:
    def __init__(self, root: Path, scopes: Collection[str], before: dict[str, Read]) -> None:
        self.root = root
        self.scopes = scopes
        self.before = before
        self.files: dict[str, Read] = {}
        self.linked: list[str] = []
        self.places: list[Path] = []
        self.unread: list[Unread] = []
        self.seen: set[tuple[int, int]] = set()

    def enter(self, place: Path, prefix: str) -> None:
        """Read the directory ``place``, whose files are called ``prefix`` and their name."""
        try:
            fd = os.open(place, _DIRECTORY)
        except OSError as error:
            self.unread.append(Unread(prefix.rstrip("/") or ".", f"{Refusal.of(error, place)}."))
            return
        try:
            self._listed(fd, place, prefix)
        finally:
            os.close(fd)

    def _listed(self, fd: int, place: Path, prefix: str) -> None:
        found = os.fstat(fd)
        if (found.st_dev, found.st_ino) in self.seen:
            return
        self.seen.add((found.st_dev, found.st_ino))
        with os.scandir(fd) as listing:
            entries = sorted(listing, key=lambda e: e.name)
        for entry in entries:
            name = entry.name
            if name.startswith("."):
                continue
            path = f"{prefix}{name}"
            wanted = name.endswith(".md") or path == QUOTA
            if entry.is_symlink():
                self._link(place / name, path, wanted=wanted)
            elif entry.is_dir(follow_symlinks=False):
                if wanted:
                    self.unread.append(Unread(path, f"{Refusal(place / name, 'directory')}."))
                self.enter(place / name, f"{path}/")
            elif wanted:
                if len(self.files) >= MOST:
                    if len(self.files) == MOST and not any(u.path == "." for u in self.unread):
                        said = f"There are more than {MOST:,} files below {self.root}; the rest is not read."
                        self.unread.append(Unread(".", said))
                    return
                self._file(fd, name, place / name, path)

    def _link(self, place: Path, path: str, *, wanted: bool) -> None:
        if path in self.scopes and os.path.isdir(place):
            real = Path(os.path.realpath(place))
            self.linked.append(path)
            self.places.append(real)
            self.enter(real, f"{path}/")
        elif wanted:
            self.unread.append(Unread(path, f"{Refusal(place, 'symlink')}."))

    def _file(self, fd: int, name: str, place: Path, path: str) -> None:
        try:
            known = self.before.get(path)
            if known is not None and _stamp(os.stat(name, dir_fd=fd, follow_symlinks=False)) == known.stamp:
                self.files[path] = known
                return
            # Looked at before it is opened: opening a device can have effects of its own.
            if not stat.S_ISREG(os.stat(name, dir_fd=fd, follow_symlinks=False).st_mode):
                raise Refusal(place, "fifo")
            for _ in _TRIES:
                opened = os.open(name, _READ, dir_fd=fd)
                try:
                    stamp = _stamp(os.fstat(opened))
                    data = read_open(opened, place)
                finally:
                    os.close(opened)
                if data is not None:
                    self.files[path] = Read(stamp, decode(data))
                    return
            raise Refusal(place, "changing")
        except FileNotFoundError:
            return
        except Refusal as refusal:
            self.unread.append(Unread(path, f"{refusal}."))
        except OSError as error:
            self.unread.append(Unread(path, f"{Refusal.of(error, place)}."))


_TRIES = range(5)


def _stamp(found: os.stat_result) -> Stamp:
    return (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def directories(root: Path, reading: Reading | None) -> Iterator[Path]:
    """What is to be watched for a reading of ``root``."""
    yield root
    if reading is not None:
        with suppress(OSError):
            yield from reading.places
