"""The store's own state: where it lives, the saved pass and the receipts; its one writer."""

from __future__ import annotations

import hashlib
import os
import re
from contextlib import suppress
from datetime import date
from pathlib import Path

from floppy_tui.store.files import Directory, Refusal, read_regular, refusing

NAME = "floppy-tui"
"""The name of our directory, wherever it lies."""

JOURNAL = "journal"
"""The directory of the acts, below ours."""
_PASS = "pass.json"
_RECEIPTS = "receipts"
_RECEIPT = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:-([0-9]+))?\.md")
_GITDIR = b"gitdir:"


def state_dir(
    root: Path, *, tiered: bool, override: Path | None = None, user_state: Path | None = None
) -> Path:
    """Where the state of the home or note tree at ``root`` lives; nothing is made by asking.

    In the ``state/`` of a ``tiered`` home (or in ``override``, which stands for that directory);
    else in the git directory of the work tree around ``root``; else under ``user_state``, by default
    the user's own state directory, by the hash of the path. Raises ``Refusal`` on a linked ``state/``.
    """
    if override is not None:
        return Path(os.path.realpath(override)) / NAME
    root = Path(os.path.realpath(root))
    if tiered:
        own = root / "state"
        if own.is_symlink():
            raise Refusal(own, "symlink")
        if own.is_dir():
            return own / NAME
    git = git_dir(root)
    if git is not None:
        return git / NAME
    if user_state is None:
        from platformdirs import user_state_path

        user_state = user_state_path(NAME)
    return Path(os.path.realpath(user_state)) / hashlib.sha256(os.fsencode(root)).hexdigest()[:16]


def git_dir(root: Path) -> Path | None:
    """The git directory of the work tree that ``root`` lies in, found by reading alone, or None.

    The ``.git`` file of a linked work tree or submodule is followed to the directory that it names.
    """
    return next((found for tree in (root, *root.parents) if (found := _git_dir_of(tree)) is not None), None)


def work_tree(root: Path) -> Path | None:
    """The work tree that ``root`` lies in, found by reading alone, or None."""
    return next((tree for tree in (root, *root.parents) if _git_dir_of(tree) is not None), None)


def _git_dir_of(tree: Path) -> Path | None:
    dot = tree / ".git"
    found = dot
    if dot.is_file():
        with suppress(Refusal):
            said = read_regular(dot, limit=1 << 16) or b""
            if said.startswith(_GITDIR):
                found = tree / os.fsdecode(said[len(_GITDIR) :].strip())
    return Path(os.path.realpath(found)) if (found / "HEAD").is_file() else None


def shared_git_dir(root: Path) -> Path | None:
    """The git directory that all work trees of the repository around ``root`` share, or None.

    It holds the exclude file; like ``git_dir``, it is found by reading alone.
    """
    own = git_dir(root)
    if own is None:
        return None
    with suppress(Refusal):
        said = read_regular(own / "commondir", limit=1 << 16)
        if said is not None:
            return Path(os.path.realpath(own / os.fsdecode(said.strip())))
    return own


def open_state(state: Path) -> Directory:
    """The state directory opened; it, what is missing above it, and its ``.gitignore`` are made.

    Raises ``Refusal`` where a part of it is a link, no directory, or cannot be made.
    """
    missing = []
    above = state
    while not above.is_dir() and above != above.parent:
        missing.append(above.name)
        above = above.parent
    with refusing(state):
        directory = Directory.open(above, missing[::-1], create=True)
        if directory.status(".gitignore") is None:
            directory.replace(".gitignore", b"*\n")
    return directory


def log_path(state: Path) -> Path:
    """The file that tracebacks go to; its path is what the captain is shown."""
    return state / "floppy-tui.log"


def save_pass(state: Path, document: bytes) -> None:
    """Keep the decisions of the open pass; raises ``Refusal``."""
    with open_state(state) as directory, refusing(state / _PASS):
        directory.replace(_PASS, document)


def load_pass(state: Path) -> bytes | None:
    """The decisions of the pass that was left open, or None; raises ``Refusal``."""
    return read_regular(state / _PASS)


def clear_pass(state: Path) -> None:
    """Forget the open pass: it was applied or given up; raises ``Refusal``."""
    if read_regular(state / _PASS) is not None:
        with open_state(state) as directory, refusing(state / _PASS):
            directory.remove(_PASS)


def write_receipt(state: Path, day: date, markdown: bytes, document: bytes) -> Path:
    """Write the receipt of a pass of ``day`` as Markdown and as JSON; returns the Markdown's path.

    A second one of a day gets ``-2``; none is ever written over. Raises ``Refusal``.
    """
    with open_state(state) as above, refusing(state / _RECEIPTS):
        above.make(_RECEIPTS)
        with Directory.open(state, [_RECEIPTS]) as directory:
            names = set(directory.names())
            number = 1
            while True:
                stem = f"{day}" if number == 1 else f"{day}-{number}"
                number += 1
                if f"{stem}.json" in names or f"{stem}.md" in names:
                    continue
                try:
                    # The JSON is created exclusively and first: whoever makes it owns the number.
                    directory.create(f"{stem}.json", document)
                except FileExistsError:
                    continue
                try:
                    directory.create(f"{stem}.md", markdown)
                except BaseException:
                    directory.remove(f"{stem}.json")
                    raise
                directory.sync()
                return directory.path / f"{stem}.md"


def list_receipts(state: Path) -> list[Path]:
    """The Markdown receipts, newest first; the JSON of each lies beside it."""
    found = []
    with suppress(FileNotFoundError, NotADirectoryError):
        for name in os.listdir(state / _RECEIPTS):
            match = _RECEIPT.fullmatch(name)
            if match:
                found.append((match[1], int(match[2] or 1), name))
    return [state / _RECEIPTS / name for _, _, name in sorted(found, reverse=True)]
