"""A real terminal around the real program: keys in, the screen as a person would see it out."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pexpect
import pyte

PATIENCE = 20.0
"""Seconds to wait for something to appear; only a failing test waits that long."""


class Terminal:
    """The program in a pseudo-terminal of a given size; its output drawn on a screen of its own."""

    def __init__(self, *arguments: str, columns: int = 80, rows: int = 24, **environment: str) -> None:
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.raw = b""
        program = str(Path(sys.executable).with_name("floppy-tui"))
        kept = {k: v for k, v in os.environ.items() if not k.startswith("TEXTUAL")}
        self.child: pexpect.spawn[bytes] = pexpect.spawn(
            program,
            list(arguments),
            dimensions=(rows, columns),
            env={**kept, "TERM": "xterm-256color", "COLORTERM": "truecolor", **environment},
            timeout=PATIENCE,
        )

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.child.close(force=True)

    @property
    def text(self) -> str:
        """What stands on the screen now."""
        return "\n".join(self.screen.display)

    def read(self) -> bool:
        """Draw what the program has written since; whether it had written anything."""
        try:
            data = self.child.read_nonblocking(65536, timeout=0.05)
        except (pexpect.TIMEOUT, pexpect.EOF):
            return False
        self.raw += data
        self.stream.feed(data)
        return True

    def until(self, what: Callable[[str], bool] | str) -> str:
        """Wait until the screen shows ``what``; the screen's text then."""
        shown = what if callable(what) else lambda text: what in text
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.read()
            if shown(self.text):
                return self.text
        raise AssertionError(f"never seen: {what!r}\n{self.text}")

    def press(self, *keys: str) -> None:
        """Type ``keys`` one after the other."""
        for key in keys:
            self.child.send(key)

    def ended(self) -> int:
        """Wait for the program to end; its exit code."""
        end = time.monotonic() + PATIENCE
        while self.child.isalive() and time.monotonic() < end:
            self.read()
        while self.read():
            pass
        self.child.close()
        return self.child.exitstatus if self.child.exitstatus is not None else -1
