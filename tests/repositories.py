"""Real repositories for tests, made with the git that is there, and whole trees to compare."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from pathlib import Path


def git(root: Path, *words: str) -> str:
    """Run git in ``root``; what it said, without its last line end."""
    done = subprocess.run(
        ["git", "-C", str(root), *words],
        check=True,
        capture_output=True,
        text=True,
        timeout=30,
        env=os.environ | {"GIT_OPTIONAL_LOCKS": "0"},
    )
    return done.stdout.removesuffix("\n")


def init(root: Path) -> Path:
    """Make ``root`` a repository on the branch ``main``, without samples, and return it."""
    root.mkdir(parents=True, exist_ok=True)
    git(root, "init", "-q", "--template=", "-b", "main")
    (root / ".git/info").mkdir()
    return root


def commit(root: Path, *paths: str) -> None:
    """Commit ``paths``, ignored or not."""
    git(root, "add", "-f", "--", *paths)
    git(root, "commit", "-q", "--no-verify", "-m", "Keep")


def write(root: Path, files: dict[str, str]) -> None:
    """Lay ``files`` out below ``root``."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def copied(template: Path, root: Path) -> Path:
    """A copy of everything below ``template`` at ``root``, with its modes and links."""
    return Path(shutil.copytree(template, root, symlinks=True))


def tree(root: Path, *, without: str = "") -> dict[str, tuple[int, bytes | str]]:
    """Everything below ``root``: mode, and the bytes of a file or the aim of a link, by path.

    ``without`` is a directory that is left out, such as our own state.
    """
    found: dict[str, tuple[int, bytes | str]] = {}
    for above, directories, files in os.walk(root):
        for name in (*directories, *files):
            path = Path(above, name)
            key = str(path.relative_to(root))
            if without and (key == without or key.startswith(f"{without}/")):
                continue
            mode = path.lstat().st_mode
            if stat.S_ISLNK(mode):
                found[key] = (mode, os.readlink(path))
            else:
                found[key] = (mode, path.read_bytes() if stat.S_ISREG(mode) else "")
    return found
