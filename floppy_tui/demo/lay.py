"""Laying a sample home out on disk: into a new or empty directory only, over nothing, ever."""

from __future__ import annotations

import os
from collections.abc import Mapping
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


def lay(directory: Path, files: Mapping[str, bytes], links: Mapping[str, str] | None = None) -> Path:
    """Make ``directory`` (0700 where new) a home of ``files`` (0600, by path) and symbolic ``links``.

    Returns ``directory``. Raises ``NotEmpty`` where it holds anything, ``Refusal`` where it cannot be made.
    """
    with refusing(directory):
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        root = directory.resolve(strict=True)
        with Directory.open(root) as top:
            if top.names():
                raise NotEmpty(directory)
        for folder in FOLDERS:
            Directory.open(root, [folder], create=True).close()
        for path, data in files.items():
            *folders, name = path.split("/")
            with Directory.open(root, folders, create=True) as inside:
                inside.create(name, data)
        for path, to in (links or {}).items():
            *folders, name = path.split("/")
            with Directory.open(root, folders, create=True) as inside:
                os.symlink(to, name, dir_fd=inside.fd)
    return directory
