"""Keeping the open pass on disk: the newest state is written, one write at a time, and none is overtaken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock

from floppy_tui.tiers.decisions import Decision

State = tuple[tuple[Decision, ...], int]


class PassKeeper:
    """Writes states in the order in which they were put, but for those that a newer one overtook."""

    def __init__(self, save: Callable[[Sequence[Decision], int], None]) -> None:
        self._save = save
        self._lock = Lock()
        self._next: State | None = None
        self._busy = False

    def put(self, decisions: tuple[Decision, ...], step: int) -> bool:
        """Have this state written; True where nobody is writing, so that ``drain`` must be called."""
        with self._lock:
            self._next = (decisions, step)
            start, self._busy = not self._busy, True
        return start

    def drain(self) -> None:
        """Write until nothing newer is there; blocks, and raises what saving raises."""
        while True:
            with self._lock:
                state, self._next = self._next, None
                if state is None:
                    self._busy = False
                    return
            try:
                self._save(*state)
            except BaseException:
                with self._lock:
                    self._busy = False
                raise
