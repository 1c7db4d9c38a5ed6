"""Laying a sample home out on disk: into a new or empty directory only, over nothing, ever."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from floppy_tui.store.files import Directory, StoreError, refusing, shown

FOLDERS = ("data", "config", "state")
"""What every home has, also where nothing is in it."""


class NotEmpty(StoreError):
    """The directory holds something already, so nothing is laid out there."""

    def __init__(self, directory: Path) -> None:
        super().__init__(
            f"{shown(directory)} is not empty, and a sample home is never laid over anything; "
            "name a new or an empty directory."
        )


def lay(
    directory: Path,
    files: Mapping[str, bytes],
    links: Mapping[str, str] | None = None,
    *,
    folders: Sequence[str] = FOLDERS,
    durable: bool = True,
) -> Path:
    """Make ``directory`` (0700 where new) a home of ``files`` (0600, by path) and symbolic ``links``.

    It has ``folders`` whether anything is in them or not. What is not ``durable`` is written fast, and gone
    where the machine fails at once. Returns ``directory``. Raises ``NotEmpty`` where it holds anything,
    ``Refusal`` where it cannot be made.
    """
    with refusing(directory):
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        root = directory.resolve(strict=True)
        with Directory.open(root) as top:
            if top.names():
                raise NotEmpty(directory)
        for folder in folders:
            Directory.open(root, [folder], create=True).close()
        for path, data in files.items():
            *above, name = path.split("/")
            if not durable:
                _pour(root, above, name, data)
                continue
            with Directory.open(root, above, create=True) as inside:
                inside.create(name, data)
        for path, to in (links or {}).items():
            *above, name = path.split("/")
            with Directory.open(root, above, create=True) as inside:
                os.symlink(to, name, dir_fd=inside.fd)
    return directory


def _pour(root: Path, above: Sequence[str], name: str, data: bytes) -> None:
    """Write a file without waiting for the disk."""
    folder = root
    for part in above:
        folder = folder / part
        folder.mkdir(mode=0o700, exist_ok=True)
    fd = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(fd, "wb") as file:
        file.write(data)
