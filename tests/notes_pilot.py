"""A person at the Notes view: a note tree on disk, the app over it, keys in, screen and files."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path
from typing import Any

from view_pilot import Reader, lay

from floppy_tui.store.live import Store
from floppy_tui.store.note_tree import NoteStore, find_tree
from floppy_tui.store.settings import Settings
from floppy_tui.tui.app import FloppyApp
from floppy_tui.tui.screens.notes import NotesView

__all__ = ["TREE", "NotesReader", "lay", "note", "notes_reading", "open_notes"]


def note(
    name: str, body: str = "It is so.", *, type: str = "project", evidence: str = "measured", as_of: str = ""
) -> bytes:
    """The file of a note."""
    dated = f"  as_of: {as_of}\n" if as_of else ""
    return (
        f"---\nname: {name}\ndescription: about the {name}\nmetadata:\n  type: {type}\n"
        f"  evidence: {evidence}\n{dated}---\n\n{body}\n"
    ).encode()


TREE: Mapping[str, bytes] = {
    "MEMORY.md": b"# Memory\n\n- [Yard](yard/INDEX.md) \xe2\x80\x94 ropes and carts\n"
    b"- [Mill](mill/INDEX.md) \xe2\x80\x94 stones\n- [Manner](manner.md) \xe2\x80\x94 how to answer\n",
    "manner.md": note("manner", "Answer first. See [[rope]] and [[gone-note]].", type="user"),
    "yard/INDEX.md": b"# Yard\n\n- [Rope](rope.md) \xe2\x80\x94 how long it is\n"
    b"- [Carts](carts/INDEX.md) \xe2\x80\x94 bells\n- [Lost](lost.md) \xe2\x80\x94 it is not there\n",
    "yard/rope.md": note("rope", "Forty cells. **Wet** it is shorter.", as_of="2026-09-20"),
    "yard/carts/INDEX.md": b"- [Bell](bell.md) \xe2\x80\x94 loud\n",
    "yard/carts/bell.md": note("bell", evidence="read", as_of="2025-01-10"),
    "mill/INDEX.md": b"# Mill\n\n- [Stone](stone.md) \xe2\x80\x94 the gap\n",
    "mill/stone.md": note("stone", "Two cards. See [[rope]] and https://mill.test/gap.", type="reference"),
    "mill/orphan.md": note("orphan", "Nothing points here.", evidence="read"),
    "private/port.md": note("port", "The bench listens on 4020."),
    "quota.lock": b"chars_max=20000\nnote_chars_max=4000\npointers_max=40\nhalf_chars_max.yard=300\n",
}
"""Two halves and a group: an aged, an undated and a foreign note, an orphan, links that dangle."""


class NotesReader(Reader):
    """The person; ``home`` is the memory directory."""

    @property
    def notes(self) -> NotesView:
        """The view."""
        view = self.app.view
        assert isinstance(view, NotesView)
        return view

    async def ready(self, true: Callable[[], bool], most: float = 5.0) -> None:
        """Wait for something while a worker is held up, which ``settle`` would wait for."""
        end = time.monotonic() + most
        while not true():
            assert time.monotonic() < end, self.text()
            await self.pilot.pause(0.01)

    def rows_shown(self) -> list[str]:
        """The rows of the mode shown as their cells, a heading in brackets."""
        source, widths = self.rows.source, self.rows.widths()
        shown = []
        for n in range(len(source)):
            cells = [cell.plain for cell in source.cells(n, widths)]
            shown.append("  ".join(c for c in cells if c) if source.key(n) else f"[{cells[0].strip('─ ')}]")
        return shown

    def detail(self) -> str:
        """The whole detail."""
        return "\n".join(line.plain for line in self.view.lines(self.rows.key)(200))


def open_notes(root: Path, today: date) -> NoteStore:
    """The store of the tree at ``root``."""
    return NoteStore(find_tree(root, root), Settings(), lambda: today, {})


@asynccontextmanager
async def notes_reading(
    root: Path,
    today: date,
    size: tuple[int, int] = (80, 24),
    *,
    home: Store | None = None,
    notes: NoteStore | None = None,
    settled: bool = True,
    **options: Any,
) -> AsyncIterator[NotesReader]:
    """The app over the note tree at ``root``, beside ``home`` where there is one."""
    app = FloppyApp(home, notes or open_notes(root, today), **options)
    async with app.run_test(size=size) as pilot:
        reader = NotesReader(pilot, app, root)
        if settled:
            await reader.settle()
        yield reader
