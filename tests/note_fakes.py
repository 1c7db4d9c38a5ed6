"""A note store that only reads, until there is a real one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from floppy_tui.notes.profiles import Profile, read_config
from floppy_tui.notes.tree import Tree, build_tree
from floppy_tui.store.settings import Settings
from floppy_tui.text.lines import decode


@dataclass
class FakeHome:
    root: Path
    profile: Profile

    @property
    def own_state(self) -> Path:
        return self.root.parent / "own-state"

    @property
    def display_root(self) -> str:
        return str(self.root)


class FakeNotes:
    def __init__(self, root: Path, profile: Profile, today: date) -> None:
        self.home = FakeHome(root, profile)
        self.settings = Settings()
        self.today = today
        self._last: Tree | None = None

    def recover(self) -> tuple[str, ...]:
        return ()

    def statuses(self) -> tuple[Any, ...]:
        return ()

    def read(self) -> Tree:
        root = self.home.root
        files = {
            str(path.relative_to(root)): decode(path.read_bytes())
            for path in root.rglob("*")
            if path.is_file() and (path.suffix == ".md" or path.name == "quota.lock")
        }
        config = root.parent / ".floppy/config"
        text = config.read_text() if config.exists() else ""
        self._last = build_tree(files, self.home.profile, read_config(text), self.today, before=self._last)
        return self._last

    async def changes(self, stop: asyncio.Event) -> AsyncIterator[frozenset[Path]]:
        from floppy_tui.store.watch import watch

        async for paths in watch((self.home.root,), recursive=True, stop=stop):
            yield paths
