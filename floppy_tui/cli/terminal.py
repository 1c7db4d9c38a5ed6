"""The captain at a terminal: what is shown there, and what is typed there."""

from __future__ import annotations

import os
import sys

from floppy_tui.cli.exits import Unusable
from floppy_tui.cli.output import plainly


class Terminal:
    """The terminal that standard input is, whatever becomes of the other two."""

    def __init__(self, why: str) -> None:
        """Raises ``Unusable`` with ``why`` where standard input is none."""
        if not (sys.stdin and sys.stdin.isatty()):
            raise Unusable(why)
        self._in = sys.stdin.fileno()
        try:
            self._out = os.open(os.ttyname(self._in), os.O_WRONLY | os.O_NOCTTY | os.O_CLOEXEC)
        except OSError:
            # A terminal without a name here, such as one of another container.
            self._out = self._in

    def say(self, text: str) -> None:
        """Show ``text`` (lines; may quote entries)."""
        self._write(plainly(text) + b"\n")

    def ask(self, question: str) -> str:
        """The line that is typed after ``question``, without its line end; ``""`` where nothing comes."""
        self._write(plainly(question))
        typed = b""
        while not typed.endswith(b"\n") and (more := os.read(self._in, 4096)):
            typed += more
        if not typed.endswith(b"\n"):
            self._write(b"\n")
        return typed.removesuffix(b"\n").decode("utf-8", "replace")

    def _write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._out, data) :]
