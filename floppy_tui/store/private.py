"""Whether what is written to a file of the home stays out of its repository."""

from __future__ import annotations

from pathlib import Path

from floppy_tui.store.files import StoreError, shown
from floppy_tui.store.home import Home


def check_ignored(home: Home, path: Path) -> None:
    """Raise ``StoreError`` where git does not ignore ``path``; a home in no repository publishes nothing.

    A link is refused: what is written through it lies somewhere else.
    """
    from floppy_tui.store.repository import Repository

    if path.is_symlink():
        raise StoreError(f"{shown(path)} is a symbolic link, so nothing private is written to it.")
    repository = Repository(path.parent if path.parent.is_dir() else home.root)
    top = repository.top()
    if not top.ok and "not a git repository" in top.err:
        return
    answer, rule = repository.check_ignore(str(path))
    if rule is None:
        why = "git does not ignore it" if answer.status == 1 else answer.words
        raise StoreError(
            f"Nothing private is written to {shown(path)}: {why}. "
            "Add it to .git/info/exclude or .gitignore, untracked, and try again."
        )
