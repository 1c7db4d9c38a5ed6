"""The log of unforeseen errors: tracebacks go there, and the captain is shown its path."""

from __future__ import annotations

import os
import traceback
from pathlib import Path

_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def user_log() -> Path:
    """The log of what belongs to no home, in the user's own directory for logs."""
    from platformdirs import user_log_path

    return user_log_path("floppy-tui") / "floppy-tui.log"


def write_log(error: BaseException, path: Path) -> bool:
    """Append the traceback of ``error`` to ``path`` (made 0600 where missing); False where it cannot be."""
    text = "".join(traceback.format_exception(error))
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fd = os.open(path, _APPEND, 0o600)
        try:
            os.write(fd, f"{text}\n".encode("utf-8", "backslashreplace"))
        finally:
            os.close(fd)
    except OSError:
        return False
    return True
