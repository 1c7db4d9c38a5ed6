"""The lock of a home's own state: two copies of the program take turns, and the holder has a name."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

import msgspec

from floppy_tui.store.files import Directory, Refusal, StoreError, refusing, shown
from floppy_tui.store.state import open_state

_LOCK = "lock"
_HOLDER = "lock.json"


class Holder(msgspec.Struct, frozen=True):
    """Who holds the lock: what the other copy is told."""

    pid: int
    host: str
    since: str
    act: str

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host} since {self.since}, for: {self.act}"


class Busy(StoreError):
    """The lock was not free in time; ``holder`` is None where the other did not say who it is."""

    def __init__(self, lock: Path, holder: Holder | None) -> None:
        super().__init__(lock, holder)
        self.lock = lock
        self.holder = holder

    def __str__(self) -> str:
        held = f" ({self.holder})" if self.holder else ""
        return f"{shown(self.lock)} is held by another copy of the program{held}; try again when it is done"


@contextmanager
def holding(state: Path, *, act: str, now: datetime, timeout: float = 10.0) -> Iterator[Directory]:
    """Hold the lock of the state directory ``state`` and yield it opened, made where it is missing.

    ``timeout`` is in seconds. Raises ``Busy`` with the holder, or ``Refusal`` on an unsafe directory.
    """
    from filelock import FileLock, Timeout

    with open_state(state) as directory:
        directory.read(_LOCK)  # refuses by name what is not a file
        lock = FileLock(state / _LOCK, timeout=timeout, mode=0o600)
        try:
            lock.acquire()
        except Timeout:
            raise Busy(state / _LOCK, _holder(directory)) from None
        except OSError as error:
            raise Refusal.of(error, state / _LOCK) from error
        try:
            mine = Holder(os.getpid(), socket.gethostname(), now.isoformat(timespec="seconds"), act)
            with refusing(state / _HOLDER):
                directory.replace(_HOLDER, msgspec.json.encode(mine))
            yield directory
        finally:
            with suppress(OSError):
                directory.remove(_HOLDER)
            lock.release()


def _holder(directory: Directory) -> Holder | None:
    with suppress(Refusal, msgspec.MsgspecError):
        data = directory.read(_HOLDER)
        return None if data is None else msgspec.json.decode(data, type=Holder)
    return None
