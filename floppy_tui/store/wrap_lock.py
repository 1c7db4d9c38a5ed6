"""The wrap lock of a floppy memory: who rewrites a whole index or status file, and nobody beside him.

It is a directory, because making one is atomic, with a file ``owner`` of ``owner=``, ``since=``, ``pid=``
and ``host=`` in it; its other readers are shell scripts. Its age is that of ``owner``: the holder is a
session, not a process, so that a process that is gone says nothing. It serves one machine.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple

from floppy_tui.notes.profiles import read_values
from floppy_tui.store.files import Directory, Refusal, StoreError, refusing, shown
from floppy_tui.text.lines import decode
from floppy_tui.text.visible import visible

STALE_MINUTES = 30
"""From this age on a wrap is taken for abandoned: it takes minutes."""
_OWNER = "owner"
_LIMIT = 1 << 16
_MOST = 80
"""How many characters of what a holder says of himself are shown."""
_TURN = 2.0
"""Seconds until no more turns are waited for: each takes a moment."""
_BEGUN = 0.5
"""Seconds that a script may take between making the directory and saying whose it is."""
_TICK = 0.01


class Held(NamedTuple):
    """Who holds the lock, as far as he said so."""

    owner: str
    since: str
    pid: str
    host: str
    minutes: int | None
    """How old it is; None where its owner file is missing."""

    @property
    def stale(self) -> bool:
        """Whether it is taken for abandoned."""
        return self.minutes is None or self.minutes >= STALE_MINUTES

    def __str__(self) -> str:
        owner, host, since = (visible(said)[:_MOST] for said in (self.owner, self.host, self.since))
        who = owner or "somebody who did not say who"
        where = f" on {host}" if host else ""
        since = f" since {since}" if since else ""
        age = f", {self.minutes} minutes ago" if self.minutes is not None else ""
        return f"{who}{where}{since}{age}"


class Wrapped(StoreError):
    """Somebody else wraps now."""

    def __init__(self, place: Path, held: Held) -> None:
        super().__init__(place, held)
        self.held = held

    def __str__(self) -> str:
        return f"The memory is being wrapped by {self.held} ({shown(self.args[0])}); wait until it is done"


class Abandoned(StoreError):
    """Somebody else began to wrap long ago; the lock may be taken over."""

    def __init__(self, place: Path, held: Held) -> None:
        super().__init__(place, held)
        self.held = held

    def __str__(self) -> str:
        return (
            f"The memory was being wrapped by {self.held} ({shown(self.args[0])}), which is more than "
            f"{STALE_MINUTES} minutes; look for a half-written index before you take it over"
        )


def lock_place(git_dir: Path, key: str | None) -> Path:
    """Where the lock is: of the memory within its repository, or of the project ``key`` within a store."""
    return git_dir / ("wrap.lock" if key is None else f"wrap-{key.replace('/', '-')}.lock")


def read_lock(place: Path, now: datetime) -> Held | None:
    """Who holds the lock at ``place``; None where it is free. Raises ``Refusal`` where no lock belongs."""
    try:
        with Directory.open(place.parent, [place.name]) as lock, refusing(place):
            found = lock.status(_OWNER)
            if found is None:
                return Held("", "", "", "", None)
            said: Mapping[str, str] = {}
            with suppress(Refusal):
                said = read_values(decode(lock.read(_OWNER, limit=_LIMIT) or b""))
            owner, since, pid, host = (said.get(k, "") for k in ("owner", "since", "pid", "host"))
            minutes = max(0, int((now.timestamp() - found.st_mtime) // 60))
            return Held(owner, since, pid, host, minutes)
    except Refusal as refusal:
        if refusal.what == "vanished":
            return None
        raise


@contextmanager
def wrapping(place: Path, *, owner: str, now: datetime, take_over: bool = False) -> Iterator[str]:
    """Hold the lock at ``place`` and yield ``""``, or the warning where an abandoned one was taken over.

    ``owner`` is who the others are told of. Raises ``Wrapped``, or ``Abandoned`` unless ``take_over``.
    """
    mine = _spelled(owner, now)
    warning = _take(place, mine, now, take_over=take_over)
    try:
        yield warning
    finally:
        _release(place, mine)


def _spelled(owner: str, now: datetime) -> bytes:
    since = now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    name = " ".join(owner.split())
    return f"owner={name}\nsince={since}\npid={os.getpid()}\nhost={socket.gethostname()}\n".encode()


def _take(place: Path, mine: bytes, now: datetime, *, take_over: bool) -> str:
    warning = ""
    with Directory.open(place.parent) as above, refusing(place), _in_turn(above):
        while not _made(above, place, mine):
            held = _settled(place, now)
            if held is None:
                continue
            if not held.stale:
                raise Wrapped(place, held)
            if not take_over:
                raise Abandoned(place, held)
            # Whoever moves it away has it: of two that take over, one finds it gone.
            aside = f"{place.name}.{os.getpid()}-{os.urandom(4).hex()}"
            with suppress(FileNotFoundError):
                above.move(place.name, aside)
                moved = read_lock(place.with_name(aside), now)
                if moved is not None and not moved.stale:
                    # A script took it over in between, and its lock was moved.
                    with suppress(OSError):
                        above.move(aside, place.name)
                    raise Wrapped(place, moved)
                _clear(above, place.with_name(aside))
                warning = f"The wrap lock of {held} was taken over."
    return warning


@contextmanager
def _in_turn(above: Directory) -> Iterator[None]:
    """Only one process of ours at a time takes or gives back a lock in the directory ``above``.

    Between a step and the next, another one would see a lock that nobody owns. Where the system has no such
    turns, or one of us hangs, the steps themselves still keep two from holding it.
    """
    import fcntl

    until = monotonic() + _TURN
    with suppress(OSError):
        while monotonic() < until:
            try:
                fcntl.flock(above.fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                sleep(_TICK)
    try:
        yield
    finally:
        with suppress(OSError):
            fcntl.flock(above.fd, fcntl.LOCK_UN)


def _made(above: Directory, place: Path, mine: bytes) -> bool:
    """Make the lock; False where another one is there."""
    try:
        above.add(place.name)
    except FileExistsError:
        return False
    try:
        with Directory.open(place.parent, [place.name]) as lock:
            lock.create(_OWNER, mine, mode=0o644)
    except BaseException:
        with suppress(OSError):
            os.rmdir(place.name, dir_fd=above.fd)
        raise
    # A script that saw it without an owner may have taken it over.
    with Directory.open(place.parent, [place.name]) as lock:
        return lock.read(_OWNER, limit=_LIMIT) == mine


def _settled(place: Path, now: datetime) -> Held | None:
    """Who holds the lock, once he has had the time to say so; None where nobody does."""
    until = monotonic() + _BEGUN
    while True:
        held = read_lock(place, now)
        if held is None or held.minutes is not None or monotonic() > until:
            return held
        sleep(_TICK)


def _clear(above: Directory, place: Path) -> None:
    """Remove the lock ``place`` of ``above``; what else lies in it stays."""
    with suppress(OSError):
        with Directory.open(place.parent, [place.name]) as lock:
            lock.remove(_OWNER)
        os.rmdir(place.name, dir_fd=above.fd)


def drop_dead(place: Path, *, owner: str, now: datetime) -> bool:
    """Give back what a process called ``owner`` held here when it was killed; whether there was any.

    Only for an owner that is a process, as we are, and no session.
    """
    held = read_lock(place, now)
    if held is None or (held.owner, held.host) != (owner, socket.gethostname()) or _lives(held.pid):
        return False
    since = held.since
    _release(place, f"owner={owner}\nsince={since}\npid={held.pid}\nhost={held.host}\n".encode())
    return True


def _lives(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except (ValueError, OverflowError, PermissionError):
        return True
    return True


def _release(place: Path, mine: bytes) -> None:
    """Give the lock back, if it is still ours."""
    with suppress(OSError, StoreError), Directory.open(place.parent) as above, _in_turn(above):
        with Directory.open(place.parent, [place.name]) as lock:
            ours = lock.read(_OWNER, limit=_LIMIT) == mine
        if ours:
            _clear(above, place)
