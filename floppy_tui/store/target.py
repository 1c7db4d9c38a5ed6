"""One file of an act: its new bytes staged beside it, put in over exactly the old ones, and put back.

For ``transaction`` alone. What is displaced ends under the staged name, so that it can be compared
after the fact: another writer may come between any check and any rename.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from floppy_tui.store.files import Directory, Refusal, StoreError, exchange, parent, read_open, shown
from floppy_tui.store.journal import Damaged, Entered, Journal, Rank, Standing
from floppy_tui.text.lines import decode


class Refused(StoreError):
    """An act that did not happen; ``left`` names, in sentences, what could not be left as it was."""

    def __init__(self, reason: str, path: Path | None = None, left: Sequence[str] = ()) -> None:
        super().__init__(reason, path, left)
        self.reason = reason
        self.path = path
        self.left = tuple(left)

    def __str__(self) -> str:
        return "; ".join((self.reason, *(self.left or ("nothing was changed",))))


class Conflict(Refused):
    """A file that does not hold the bytes that the act was planned on.

    ``spared`` says that it holds the other's bytes as if the act had never touched it.
    """

    def __init__(self, path: Path, *, spared: bool = True) -> None:
        super().__init__(f"{shown(path)} was changed by someone else; look at it and plan again", path)
        self.spared = spared


class Opened:
    """The directories of an act's files, each opened once, closed together."""

    def __init__(self) -> None:
        self._directories: dict[Path, Directory] = {}

    def __enter__(self) -> Opened:
        return self

    def __exit__(self, *_: object) -> None:
        for directory in self._directories.values():
            directory.close()

    def directory(self, path: Path, roots: Sequence[Path]) -> Directory:
        """The directory of the file ``path``; raises ``Refusal``."""
        if path.parent not in self._directories:
            self._directories[path.parent] = parent(path, roots)
        return self._directories[path.parent]


@dataclass(frozen=True, slots=True)
class Target:
    """The place of a file of an act, in its opened directory."""

    number: int
    entry: Entered
    path: Path
    directory: Directory
    staged: str

    @classmethod
    def open(cls, journal: Journal, number: int, path: Path, roots: Sequence[Path], opened: Opened) -> Target:
        """The ``number``-th file of the act in ``journal``, which is ``path``; raises ``Refusal``."""
        entry, staged = journal.intent.files[number], journal.intent.staged(number)
        return cls(number, entry, path, opened.directory(path, roots), staged)

    @property
    def name(self) -> str:
        """The file's own name."""
        return self.path.name

    def standing(self) -> Standing:
        """Where the file stands now; what is no file stands at neither."""
        try:
            return self.entry.standing(self.directory.read(self.name))
        except Refusal:
            return Standing.NEITHER

    def stage(self, data: bytes, journal: Journal) -> None:
        """Have ``data`` wait under the staged name, from what is on the disk already where that will do."""
        directory = self.directory
        if directory.status(self.staged) is not None:
            with suppress(Refusal):
                if directory.read(self.staged) == data:
                    return
            self.clean(journal)
        old = f"{self.number}.old"
        # A second name takes no room, so this puts a file back on a full disk as well.
        kept = journal.directory
        if kept.status(old) is not None and kept.read(old) == data and kept.link(old, self.staged, directory):
            return
        directory.create(self.staged, data, like=directory.status(self.name), mode=self.entry.mode)

    def install(self, new: bytes | None, expect: bytes | None, journal: Journal, *, keep: bool) -> None:
        """Put what is staged (nothing, where ``new`` is None) in over exactly ``expect``.

        ``keep`` also links what is displaced into the journal. Raises ``Conflict``, with the other's
        bytes where they were, where the file holds anything else at any moment of it.
        """
        directory, name, staged = self.directory, self.name, self.staged
        if directory.read(name) != expect:
            raise Conflict(self.path)
        if expect is None:
            self._create()
            return
        if keep:
            journal.keep(self.number, directory, name)
        if new is None:
            directory.move(name, staged)
            if not self._displaced(expect):
                self._create()
                raise Conflict(self.path)
        elif exchange(directory, staged, name):
            if not self._displaced(expect):
                exchange(directory, staged, name)
                raise Conflict(self.path)
        else:
            self._rename_over(new, expect, journal)
        directory.sync()

    def settle(self, new: bytes | None, expect: bytes | None) -> None:
        """Let go of what ``install`` displaced, unless it was written to meanwhile: then it goes back.

        Raises ``Conflict`` in that case.
        """
        if expect is not None and self.directory.status(self.staged) is not None:
            if not self._displaced(expect):
                if self.directory.read(self.name) != new:
                    raise Conflict(self.path, spared=False)
                if new is None:
                    self._create()
                elif not exchange(self.directory, self.staged, self.name):
                    self.directory.move(self.staged, self.name)
                raise Conflict(self.path)
            self.directory.remove(self.staged)

    def put_back(self, journal: Journal) -> bool:
        """Bring the before-bytes back where the file holds the after-bytes; False where it holds others."""
        directory = self.directory
        try:
            current = directory.read(self.name)
        except Refusal:
            return False
        standing = self.entry.standing(current)
        if standing is Standing.NEITHER and current is not None and self._ruled(journal):
            return self._take_out(current, journal)
        if standing is Standing.AFTER:
            before, after = journal.texts(self.number, current)
            if before is not None:
                self.stage(before, journal)
            elif directory.status(self.staged) is not None:
                self.clean(journal)
            try:
                self.install(before, after, journal, keep=False)
            except Conflict:
                return False
        return standing in (Standing.AFTER, Standing.BEFORE)

    def gained(self, journal: Journal) -> bool:
        """Whether the file holds what the act put in."""
        standing = self.standing()
        if standing is Standing.NEITHER and self._ruled(journal):
            current = self.directory.read(self.name)
            return current is not None and self._without(current, journal) != current
        return standing is Standing.AFTER

    def _ruled(self, journal: Journal) -> bool:
        """Whether all that the act did to the file was to add a rule to it."""
        return self.entry.rank == Rank.RULE and not journal.intent.turned

    def _take_out(self, current: bytes, journal: Journal) -> bool:
        """Take the act's own line out of what others wrote to since; False where that keeps failing."""
        left = self._without(current, journal)
        if left == current:
            return True
        try:
            self.stage(left, journal)
            self.install(left, current, journal, keep=False)
            self.settle(left, current)
        except Conflict:
            return False
        return True

    def _without(self, current: bytes, journal: Journal) -> bytes:
        from floppy_tui.offload.skill import without_line

        before, after = journal.texts(self.number, current)
        before = before or b""
        line = decode((after or b"")[len(before) :]).strip("\n")
        return without_line(current, before, line) if line else current

    def untouched(self) -> bool:
        """Whether the act's bytes still wait to be put in: whatever the file holds is not of the act."""
        after = self.entry.after
        with suppress(Refusal):
            return after is not None and after.fits(self.directory.read(self.staged))
        return False

    def clean(self, journal: Journal) -> None:
        """Empty the staged name; what someone else wrote there is kept with the journal."""
        found = self.directory.status(self.staged)
        if found is not None:
            if self._ours(found, journal):
                self.directory.remove(self.staged)
            else:
                journal.keep_other(self.number, self.directory, self.staged)

    def _ours(self, found: os.stat_result, journal: Journal) -> bool:
        """Whether the staged file is the target itself, or holds a text of the act, or how one begins."""
        directory = self.directory
        here = directory.status(self.name)
        if here is not None and (here.st_dev, here.st_ino) == (found.st_dev, found.st_ino):
            return True
        try:
            data = directory.read(self.staged)
            current = directory.read(self.name) if here is not None else None
        except Refusal:
            return False
        if data is None or self.entry.standing(data) in (Standing.BEFORE, Standing.AFTER):
            return True
        with suppress(Damaged):
            return any(
                text is not None and text.startswith(data) for text in journal.texts(self.number, current)
            )
        return False

    def _displaced(self, expect: bytes) -> bool:
        """Whether what was displaced is what was expected; raises ``Refusal`` where it cannot be read."""
        try:
            return self.directory.read(self.staged) == expect
        except Refusal as refusal:
            if refusal.what in ("io-error", "unreadable"):
                raise
            return False

    def _create(self) -> None:
        """Give the staged file the target's name, over nothing."""
        directory = self.directory
        try:
            if directory.link(self.staged, self.name):
                directory.remove(self.staged)
            elif directory.status(self.name) is None:
                directory.move(self.staged, self.name)
            else:
                raise Conflict(self.path)
        except FileExistsError:
            raise Conflict(self.path) from None
        directory.sync()

    def _rename_over(self, new: bytes, expect: bytes, journal: Journal) -> None:
        """Install without an exchange: the displaced file is compared by its descriptor.

        A file that replaces the target between the look at it and the rename is lost here; the
        exchange, where the system has one, has no such moment.
        """
        directory = self.directory
        with directory.opened(self.name) as fd:
            if read_open(fd, self.path) != expect:
                raise Conflict(self.path)
            directory.move(self.staged, self.name)
            if self._kept(fd, journal):
                if self._displaced(expect):
                    return
            else:
                data = read_open(fd, self.path)
                if data == expect:
                    return
                directory.create(self.staged, data or b"", like=os.fstat(fd))
            if directory.read(self.name) != new:
                raise Conflict(self.path, spared=False)
            directory.move(self.staged, self.name)
        raise Conflict(self.path)

    def _kept(self, fd: int, journal: Journal) -> bool:
        """Give the file opened as ``fd`` the staged name, by its link in the journal, if it has one."""
        old = f"{self.number}.old"
        kept, theirs = journal.directory.status(old), os.fstat(fd)
        if kept is None or (kept.st_dev, kept.st_ino) != (theirs.st_dev, theirs.st_ino):
            return False
        return journal.directory.link(old, self.staged, self.directory)
