"""The captain's own editor, run on a memory file; what it writes is read again like anybody's change."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from floppy_tui.store.files import StoreError
from floppy_tui.store.settings import Settings

_PLUS = frozenset(
    {"vi", "vim", "nvim", "view", "gvim", "nano", "pico", "emacs", "emacsclient", "micro", "kak"}
)
_COLON = frozenset({"hx", "helix", "subl"})
_GOTO = frozenset({"code", "code-insiders", "codium", "cursor"})


def editor_command(words: list[str], path: Path, line: int) -> list[str]:
    """The argument list that opens ``path`` (absolute) at ``line`` (from 1), as far as the editor can."""
    name = os.path.basename(words[0])
    if name in _PLUS:
        return [*words, f"+{line}", str(path)]
    if name in _COLON:
        return [*words, f"{path}:{line}"]
    if name in _GOTO:
        return [*words, "--goto", f"{path}:{line}"]
    return [*words, str(path)]


def edit(path: Path, line: int, settings: Settings, env: Mapping[str, str] = os.environ) -> None:
    """Run the editor until it ends; raises ``StoreError`` where it cannot be run or fails."""
    words = settings.editor_words(env)
    try:
        done = subprocess.run(editor_command(words, path.absolute(), line), check=False)
    except OSError as error:
        raise StoreError(
            f"{words[0]} could not be run ({error.strerror}); set EDITOR to your editor."
        ) from error
    if done.returncode:
        raise StoreError(f"{words[0]} ended with exit code {done.returncode}.")
