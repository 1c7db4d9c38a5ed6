"""Ratios of two measured times, the only speeds that hold from one machine to another."""

from __future__ import annotations

import os
import pty
import select
import signal
import statistics
import struct
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fcntl import ioctl
from pathlib import Path

Timed = Callable[[], float]
"""Does its work once and returns the seconds it took."""


@dataclass(frozen=True)
class Ratio:
    """How many times longer one thing takes than another, measured side by side."""

    name: str
    ours: float
    """Median seconds."""
    theirs: float
    """Median seconds of what it is held against."""
    ratio: float
    """Median of the ratios of each pair."""
    limit: float

    @property
    def line(self) -> str:
        """One row of the table that the bench step prints."""
        return (
            f"{self.name:44} {self.ours * 1000:9.1f} ms {self.theirs * 1000:9.1f} ms "
            f"{self.ratio:6.2f}  (at most {self.limit:g})"
        )


def timed(work: Callable[[], object]) -> Timed:
    """``work`` with a clock around it."""

    def once() -> float:
        began = time.perf_counter()
        work()
        return time.perf_counter() - began

    return once


def measure(name: str, ours: Timed, theirs: Timed, limit: float, rounds: int = 9) -> Ratio:
    """Run both in turn ``rounds`` times, after one unmeasured turn, so that a busy machine hits both."""
    ours()
    theirs()
    pairs: list[tuple[float, float]] = []
    for turn in range(rounds):
        if turn % 2:
            second = theirs()
            pairs.append((ours(), second))
        else:
            pairs.append((ours(), theirs()))
    return Ratio(
        name,
        statistics.median(a for a, _ in pairs),
        statistics.median(b for _, b in pairs),
        statistics.median(a / b for a, b in pairs),
        limit,
    )


def first_paint(
    command: Sequence[str | Path],
    shown: Sequence[str],
    environment: Mapping[str, str],
    size: tuple[int, int] = (24, 80),
    patience: float = 30.0,
) -> float:
    """Seconds from the start of ``command`` on a terminal of its own until every word of ``shown`` is on it.

    Each of ``shown`` is text that the program writes in one piece (one style, no cursor move inside). The
    program is then killed. Raises ``TimeoutError`` with what was missing after ``patience`` seconds.
    """
    arguments = [str(part) for part in command]
    missing = {word.encode() for word in shown}
    seen = b""
    began = time.perf_counter()
    child, terminal = pty.fork()
    if child == 0:
        try:
            ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
            os.execve(arguments[0], arguments, dict(environment))
        finally:
            os._exit(127)
    try:
        while missing:
            left = began + patience - time.perf_counter()
            if left <= 0 or not select.select([terminal], [], [], left)[0]:
                raise TimeoutError(
                    f"not shown within {patience:g} s: {sorted(missing)}; got {seen[-2000:]!r}"
                )
            try:
                seen += os.read(terminal, 65536)
            except OSError as ended:
                raise TimeoutError(f"ended before it showed {sorted(missing)}: {seen[-2000:]!r}") from ended
            missing = {word for word in missing if word not in seen}
        return time.perf_counter() - began
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)
