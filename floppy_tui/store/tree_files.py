"""Reading a note tree from disk: every Markdown file below a directory, no link followed but the scopes'.

A directory is opened from the one above it and a file from its directory, so that neither can be swapped for
a link meanwhile. Reading a file takes few calls: trees are large, and they are read at every change.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple

from floppy_tui.notes.quota import FILE as QUOTA
from floppy_tui.notes.tree import Unread
from floppy_tui.store.files import LIMIT, Refusal, shown
from floppy_tui.text.lines import decode

MOST = 20_000
"""Files, and directories as well; a directory of more is no memory."""
MOST_BYTES = 1 << 30
"""Of all files together."""
DEEPEST = 32
"""Levels of directories; three are reached by an index."""
_FRESH_NS = 100_000_000
"""A file that changed this short a time before it was read can change again and look as it did."""
_ATTEMPTS = 5
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC

Stamp = tuple[int, int, int, int]


class Read(NamedTuple):
    """One file as it was read last."""

    stamp: Stamp
    text: str
    settled: bool = True
    """Whether the stamp is old enough to tell that the file did not change."""


class Reading(NamedTuple):
    """What a directory held."""

    files: Mapping[str, Read]
    """By path below it."""
    linked: tuple[str, ...]
    """The scopes that are reached by a link, by path."""
    unread: tuple[Unread, ...]


def read_files(root: Path, scopes: Collection[str], before: Reading | None = None) -> Reading:
    """Every ``*.md`` below ``root`` (resolved) and its ``quota.lock``; what cannot be read is named.

    Of links, those at the paths ``scopes`` alone are followed. Hidden files and directories do not count.
    Files whose stamp is as in ``before`` are not read again.
    """
    reader = _Reader(str(root), scopes, before.files if before else {})
    try:
        reader.enter(str(root), None, "", 0)
    except _Enough as enough:
        reader.unread.append(Unread(".", str(enough)))
    return Reading(reader.files, tuple(reader.linked), tuple(reader.unread))


def linked_places(root: Path, scopes: Collection[str]) -> dict[str, Path]:
    """The directories that the scopes reached by a link lie in, resolved, by scope."""
    return {
        scope: Path(os.path.realpath(root / scope))
        for scope in scopes
        if os.path.islink(root / scope) and os.path.isdir(root / scope)
    }


class _Enough(Exception):
    """There is more than any memory holds; a sentence."""


class _Reader:
    def __init__(self, root: str, scopes: Collection[str], before: Mapping[str, Read]) -> None:
        self.root = root
        self.scopes = scopes
        self.before = before
        self.now = time.time_ns()
        self.files: dict[str, Read] = {}
        self.linked: list[str] = []
        self.unread: list[Unread] = []
        self.seen: set[tuple[int, int]] = set()
        self.bytes = 0

    def enter(self, name: str, above: int | None, path: str, depth: int) -> None:
        """Read the directory ``name`` of the opened one ``above``, which is called ``path``."""
        try:
            fd = os.open(name, _DIRECTORY, dir_fd=above)
            try:
                self._list(fd, path, depth)
            finally:
                os.close(fd)
        except FileNotFoundError:
            return
        except OSError as error:
            self._refuse(path, Refusal.of(error, self._place(path)))

    def _place(self, path: str) -> Path:
        return Path(self.root, path)

    def _refuse(self, path: str, refusal: Refusal) -> None:
        self.unread.append(Unread(path or ".", f"{refusal}."))

    def _list(self, fd: int, path: str, depth: int) -> None:
        found = os.fstat(fd)
        if (found.st_dev, found.st_ino) in self.seen:
            return
        self.seen.add((found.st_dev, found.st_ino))
        if depth > DEEPEST:
            deep = f"{shown(self._place(path))} lies more than {DEEPEST} directories deep"
            self.unread.append(Unread(path, f"{deep}; what is there is not read."))
            return
        if len(self.seen) > MOST:
            raise self._enough(f"There are more than {MOST:,} directories")
        with os.scandir(fd) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
        prefix = f"{path}/" if path else ""
        for entry in entries:
            name = entry.name
            if name[0] == ".":
                continue
            inner = prefix + name
            wanted = name.endswith(".md") or inner == QUOTA
            if entry.is_symlink():
                self._link(inner, depth, wanted=wanted)
            elif entry.is_dir(follow_symlinks=False):
                if wanted:
                    self._refuse(inner, Refusal(self._place(inner), "directory"))
                self.enter(name, fd, inner, depth + 1)
            elif wanted:
                try:
                    self._file(entry, fd, inner)
                except FileNotFoundError:
                    continue
                except Refusal as refusal:
                    self._refuse(inner, refusal)
                except OSError as error:
                    self._refuse(inner, Refusal.of(error, self._place(inner)))

    def _link(self, path: str, depth: int, *, wanted: bool) -> None:
        place = self._place(path)
        if path in self.scopes and os.path.isdir(place):
            self.linked.append(path)
            self.enter(os.path.realpath(place), None, path, depth + 1)
        elif wanted:
            self._refuse(path, Refusal(place, "symlink"))

    def _file(self, entry: os.DirEntry[str], fd: int, path: str) -> None:
        if len(self.files) >= MOST:
            raise self._enough(f"There are more than {MOST:,} files")
        known = self.before.get(path)
        if known is not None and known.settled and _stamp(entry.stat(follow_symlinks=False)) == known.stamp:
            self._keep(path, known)
            return
        # Looked at before it is opened: opening a device can have effects of its own.
        if not entry.is_file(follow_symlinks=False):
            raise self._no_file(entry.stat(follow_symlinks=False).st_mode, path)
        for _ in range(_ATTEMPTS):
            read = self._once(entry.name, fd, path)
            if read is not None:
                self._keep(path, read)
                return
        raise Refusal(self._place(path), "changing")

    def _keep(self, path: str, read: Read) -> None:
        self.bytes += read.stamp[1]
        if self.bytes > MOST_BYTES:
            raise self._enough(f"There are more than {MOST_BYTES:,} bytes of notes")
        self.files[path] = read

    def _once(self, name: str, directory: int, path: str) -> Read | None:
        """The file as it is now, or None where it changed during the reading."""
        fd = os.open(name, _READ, dir_fd=directory)
        try:
            found = os.fstat(fd)
            if not stat.S_ISREG(found.st_mode):
                raise self._no_file(found.st_mode, path)
            size = found.st_size
            if size > LIMIT:
                raise Refusal(self._place(path), "too-large", str(LIMIT))
            data = os.read(fd, size + 1)
            stamp = _stamp(found)
            if len(data) != size or _stamp(os.fstat(fd)) != stamp:
                return None
        finally:
            os.close(fd)
        return Read(stamp, decode(data), self.now - stamp[3] > _FRESH_NS)

    def _enough(self, what: str) -> _Enough:
        return _Enough(f"{what} below {shown(Path(self.root))}; the rest is not read.")

    def _no_file(self, mode: int, path: str) -> Refusal:
        return Refusal(self._place(path), "fifo" if stat.S_ISFIFO(mode) else "not-regular")


def _stamp(found: os.stat_result) -> Stamp:
    return (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
