"""The editor on an index under the wrap lock: who wraps is waited for, an abandoned lock is asked about."""

from __future__ import annotations

import os
from contextlib import nullcontext
from datetime import date
from pathlib import Path

import pytest
from notes_pilot import TREE, lay, note, notes_reading
from repositories import init

from floppy_tui.tui.screens.act import ConfirmScreen

TODAY = date(2026, 10, 1)
OWNER = b"owner=night shift\nsince=2026-10-01T00:00:00Z\npid=7\nhost=quay\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = init(tmp_path / "code")
    lay(root / ".agent-memory", TREE)
    return lay(root, {".floppy/config": b""})


async def test_an_index_is_edited_under_the_lock_and_an_abandoned_one_is_asked_about(root: Path) -> None:
    lock = root / ".git/wrap.lock"
    lock.mkdir()
    (lock / "owner").write_bytes(OWNER)
    seen: list[bytes] = []

    def edit(path: Path, line: int) -> None:
        seen.append((lock / "owner").read_bytes())
        path.write_bytes(path.read_bytes() + b"- [Bell](carts/bell.md)\n")

    async with notes_reading(root, TODAY, launch_editor=edit) as reader:
        reader.app.suspend = nullcontext  # type: ignore[method-assign,assignment]
        await reader.press("i", "j", "e")
        await reader.settle()
        assert "night shift on quay" in reader.said[-1]
        assert not seen
        old = (lock / "owner").stat().st_mtime - 3_600
        os.utime(lock / "owner", (old, old))
        await reader.press("e", "e")
        await reader.settle()
        assert isinstance(reader.app.screen, ConfirmScreen)
        assert "half-written index" in reader.text()
        await reader.press("escape", "e")
        await reader.settle()
        assert not seen
        assert (lock / "owner").read_bytes() == OWNER
        await reader.press("enter")
        await reader.settle()
        assert [held.split(b"\n")[0] for held in seen] == [b"owner=floppy-tui"]
        assert not lock.exists()
        await reader.press("e")
        await reader.settle()
        assert len(seen) == 2
        assert not lock.exists()


async def test_what_would_be_slow_to_type_in_is_left_to_the_editor(root: Path) -> None:
    (root / ".agent-memory/yard/rope.md").write_bytes(note("rope", "0.94 " * 12_000))
    async with notes_reading(root, TODAY) as reader:
        reader.notes.go_to("yard/rope.md")
        await reader.settle()
        await reader.press("w")
        await reader.settle()
        assert "e opens it in your editor" in reader.said[-1]
        assert len(reader.app.screen_stack) == 1
