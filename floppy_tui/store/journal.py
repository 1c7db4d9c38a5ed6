"""The journal of an act: what it was about to change, kept so that it can be finished, undone or redone.

``$STATE/journal/<id>/`` holds, for the n-th file of an act, ``<n>.before`` and ``<n>.after`` (for an
archive, which only grows, ``<n>.tail``), ``<n>.old``, a hard link to the inode that the act displaced, and
``<n>.other-<m>``, what someone else had put where only the act should write. ``intent.json`` comes last: a
directory without it never changed anything. ``closed.json`` says that the act is over, and how.
"""

from __future__ import annotations

import hashlib
import os
import re
import socket
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import IntEnum, StrEnum
from pathlib import Path
from typing import Literal
from urllib.parse import quote_from_bytes, unquote_to_bytes

import msgspec

from floppy_tui.store.files import TEMPORARY, Directory, Refusal, StoreError, below, shown

INTENT = "intent.json"
CLOSED = "closed.json"
_CLOSING = "closing.json"
ID = re.compile(r"([0-9]{6,})-[0-9]{8}T[0-9]{6}Z")


class Rank(IntEnum):
    """The order in which the files of an act are written: a crash may duplicate, never lose."""

    RULE = 0
    """What keeps a destination out of git: there before anything private is."""
    ARCHIVE = 1
    DESTINATION = 2
    MEMORY = 3


@dataclass(frozen=True, slots=True)
class Change:
    """One file of an act: its bytes as planned on and as wanted; None is an absent file.

    Where both are the same the file is not written, only held to be so during the act.
    """

    path: Path
    before: bytes | None
    after: bytes | None
    rank: Rank
    mode: int = 0o600
    """The permission bits that a new file is made with."""


class Standing(StrEnum):
    """Where a file of an open act stands."""

    BEFORE = "before"
    AFTER = "after"
    NEITHER = "neither"
    MISSING = "missing"


class Stamp(msgspec.Struct, frozen=True):
    """What tells one content of a file from every other."""

    size: int
    sha256: str

    @classmethod
    def of(cls, data: bytes) -> Stamp:
        return cls(len(data), hashlib.sha256(data).hexdigest())

    def fits(self, data: bytes | None) -> bool:
        """Whether it is the stamp of ``data``."""
        return data is not None and len(data) == self.size and Stamp.of(data) == self


class Entered(msgspec.Struct, frozen=True):
    """One file of an act, as the journal holds it."""

    root: int
    """Which of the act's roots it lies under."""

    path: str
    """Its path from there, percent-encoded: a file name need not be UTF-8."""

    rank: int
    grows: bool
    """Whether the after-bytes are the before-bytes and a tail, of which the tail alone is kept."""

    before: Stamp | None
    after: Stamp | None
    mode: int
    """The permission bits that the file had, or that it is made with."""

    def standing(self, data: bytes | None) -> Standing:
        """Where the file stands that holds ``data``; None is an absent one."""
        for stamp, standing in ((self.before, Standing.BEFORE), (self.after, Standing.AFTER)):
            if data is None if stamp is None else stamp.fits(data):
                return standing
        return Standing.MISSING if data is None else Standing.NEITHER


class Intent(msgspec.Struct, frozen=True):
    """An act as it was about to begin."""

    id: str
    act: str
    at: str
    pid: int
    host: str
    roots: list[str]
    made: list[tuple[int, str]]
    """The directories that it makes, outermost first, each as root and percent-encoded path."""

    files: list[Entered]
    checked: bool = False
    """Whether it was looked at between its ranks, which nobody who finishes it could do again."""
    undoes: str = ""
    """The id of the act that it takes back."""
    turned: bool = False
    """Whether its ranks are those of the act that it takes back, turned round."""
    message: str = ""
    """What a commit of it says, where one may follow."""
    version: Literal[1] = 1

    def staged(self, number: int) -> str:
        """The name, beside the file itself, that its new bytes wait under."""
        return f"{TEMPORARY}{self.id}-{number}.tmp"


class Closed(msgspec.Struct, frozen=True):
    """How an act ended."""

    outcome: Literal["applied", "rolled-back"]
    at: str
    left: list[str] = []
    """What was not put back, in sentences."""


class Damaged(StoreError):
    """A journal that does not hold what it must; nothing is done by it."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.path = path

    def __str__(self) -> str:
        return f"{shown(self.path)} is damaged, so its act is left as it stands; look at the files it names"


class Journal:
    """One act's directory in the journal, opened."""

    def __init__(self, directory: Directory, intent: Intent) -> None:
        self.directory = directory
        self.intent = intent
        self.others: list[tuple[int, Path]] = []
        """What ``keep_other`` kept: the number of the file it was written for, and where it is."""
        self.mine: list[Path] | None = None
        """The directories that this process made for the act; None where another process began it."""

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.directory.close()

    @property
    def id(self) -> str:
        """The act's id; ids sort in the order of the acts, even where the clock was set back."""
        return self.intent.id

    @classmethod
    def begin(
        cls,
        acts: Directory,
        changes: Sequence[Change],
        modes: Sequence[int],
        made: Sequence[Path],
        roots: Sequence[Path],
        *,
        act: str,
        now: datetime,
        checked: bool = False,
        undoes: str = "",
        turned: bool = False,
        message: str = "",
    ) -> Journal:
        """Enter an act whole, down to the disk, before anything of it is done.

        What could not be entered leaves nothing behind; raises ``OSError``.
        """
        last = max((int(match[1]) for match in map(ID.fullmatch, acts.names()) if match), default=0)
        at = now.astimezone(UTC)
        name = f"{last + 1:06}-{at:%Y%m%dT%H%M%SZ}"
        intent = Intent(
            id=name,
            act=act,
            at=now.isoformat(timespec="seconds"),
            pid=os.getpid(),
            host=socket.gethostname(),
            roots=[quote_from_bytes(os.fsencode(root)) for root in roots],
            made=[_placed(path, roots) for path in made],
            files=[_entered(change, mode, roots) for change, mode in zip(changes, modes, strict=True)],
            checked=checked,
            undoes=undoes,
            turned=turned,
            message=message,
        )
        acts.make(name)
        try:
            directory = Directory.open(acts.path, [name])
            try:
                for number, (change, entry) in enumerate(zip(changes, intent.files, strict=True)):
                    if entry.grows and change.before is not None and change.after is not None:
                        directory.create(f"{number}.tail", change.after[len(change.before) :])
                        continue
                    if change.before is not None:
                        directory.create(f"{number}.before", change.before)
                    if change.after is not None:
                        directory.create(f"{number}.after", change.after)
                # Written now, so that closing is one rename, which works on a full disk too.
                directory.create(_CLOSING, msgspec.json.encode(Closed("applied", intent.at)))
                directory.replace(INTENT, msgspec.json.encode(intent))
            except BaseException:
                directory.close()
                raise
        except BaseException:
            with suppress(OSError, Refusal):
                discard(acts, name)
            raise
        journal = cls(directory, intent)
        journal.mine = []
        return journal

    @classmethod
    def load(cls, acts: Directory, name: str) -> Journal:
        """The act ``name``; raises ``Damaged`` or ``Refusal``."""
        directory = Directory.open(acts.path, [name])
        try:
            intent = msgspec.json.decode(directory.read(INTENT) or b"", type=Intent)
            if intent.id != name:
                raise Damaged(directory.path)
        except msgspec.MsgspecError as error:
            directory.close()
            raise Damaged(directory.path) from error
        except BaseException:
            directory.close()
            raise
        return cls(directory, intent)

    def paths(self, roots: Sequence[Path]) -> list[Path]:
        """Its files as they lie under ``roots``; raises ``Damaged`` where one would lie elsewhere."""
        return [self._path(entry.root, entry.path, roots) for entry in self.intent.files]

    def made(self, roots: Sequence[Path]) -> list[Path]:
        """The directories that it makes, outermost first."""
        return [self._path(root, path, roots) for root, path in self.intent.made]

    def begun_on(self) -> list[Path]:
        """The roots as they were called when the act began: a home can be moved."""
        return [Path(os.fsdecode(unquote_to_bytes(root))) for root in self.intent.roots]

    def _path(self, root: int, path: str, roots: Sequence[Path]) -> Path:
        if not 0 <= root < len(roots):
            raise Damaged(self.directory.path)
        names = tuple(os.fsdecode(unquote_to_bytes(name)) for name in path.split("/"))
        full = roots[root].joinpath(*names)
        try:
            sound = below(full, [roots[root]])[1] == names
        except Refusal:
            sound = False
        if not sound:
            raise Damaged(self.directory.path)
        return full

    def texts(self, number: int, current: bytes | None) -> tuple[bytes | None, bytes | None]:
        """The before- and after-bytes of a file that holds ``current``; raises ``Damaged``."""
        entry = self.intent.files[number]
        if not entry.grows or entry.before is None:
            return self._blob(number, "before", entry.before), self._blob(number, "after", entry.after)
        head = current[: entry.before.size] if current is not None else None
        if not entry.before.fits(head):
            head = self._blob(number, "old", entry.before)
        tail = self.directory.read(f"{number}.tail")
        if head is None or tail is None or entry.after is None or not entry.after.fits(head + tail):
            raise Damaged(self.directory.path)
        return head, head + tail

    def _blob(self, number: int, kind: str, stamp: Stamp | None) -> bytes | None:
        if stamp is None:
            return None
        data = self.directory.read(f"{number}.{kind}")
        if not stamp.fits(data):
            raise Damaged(self.directory.path)
        return data

    def keep(self, number: int, directory: Directory, name: str) -> bool:
        """Hard-link the file about to be displaced into the journal; False where that is impossible.

        It is what a writer that still holds the old file open goes on writing to.
        """
        kept = self.directory.status(f"{number}.old")
        if kept is not None:
            found = directory.status(name)
            if found is not None and (found.st_dev, found.st_ino) == (kept.st_dev, kept.st_ino):
                return True
            self.directory.move(f"{number}.old", self._aside(number))
        return directory.link(name, f"{number}.old", self.directory)

    def keep_other(self, number: int, directory: Directory, name: str) -> None:
        """Take what someone else wrote at ``name`` out of the way: into the journal, if that is possible."""
        aside = self._aside(number)
        if directory.link(name, aside, self.directory):
            directory.remove(name)
            self.others.append((number, self.directory.path / aside))
        else:
            self.others.append((number, directory.path / name))

    def drop_displaced(self) -> None:
        """Let go of the displaced files that nobody wrote to since."""
        for name in self.directory.names():
            number, _, kind = name.partition(".")
            if kind == "old":
                before = self.intent.files[int(number)].before
                if before is None or before.fits(self.directory.read(name)):
                    self.directory.remove(name)

    def written_to(self) -> list[tuple[int, Path]]:
        """Displaced files that nothing but the journal holds any more, with the numbers of their targets."""
        found = []
        for name in self.directory.names():
            number, _, kind = name.partition(".")
            status = self.directory.status(name) if kind == "old" else None
            if status is not None and status.st_nlink == 1:
                found.append((int(number), self.directory.path / name))
        return found

    def _aside(self, number: int) -> str:
        taken = sum(name.startswith(f"{number}.other") for name in self.directory.names())
        return f"{number}.other-{taken + 1}"

    def close(self, outcome: Closed | None = None) -> None:
        """Say that the act is over, by default as it was meant: from here on it is not rolled back."""
        if outcome is not None:
            self.directory.replace(_CLOSING, msgspec.json.encode(outcome))
        self.directory.move(_CLOSING, CLOSED)
        # A close that is lost with the power leaves an act whose files all stand where it wanted them.
        with suppress(OSError):
            self.directory.sync()


def discard(acts: Directory, name: str) -> None:
    """Remove an act from the journal; a kill on the way leaves one that counts as never entered."""
    with Directory.open(acts.path, [name]) as directory:
        directory.remove(INTENT)
        for inner in directory.names():
            directory.remove(inner)
    os.rmdir(name, dir_fd=acts.fd)


def _placed(path: Path, roots: Sequence[Path]) -> tuple[int, str]:
    root, names = below(path, roots)
    return roots.index(root), "/".join(quote_from_bytes(os.fsencode(name)) for name in names)


def _entered(change: Change, mode: int, roots: Sequence[Path]) -> Entered:
    root, path = _placed(change.path, roots)
    before, after = change.before, change.after
    grows = (
        change.rank is Rank.ARCHIVE and before is not None and after is not None and after.startswith(before)
    )
    return Entered(
        root=root,
        path=path,
        rank=int(change.rank),
        grows=grows,
        before=None if before is None else Stamp.of(before),
        after=None if after is None else Stamp.of(after),
        mode=mode,
    )
