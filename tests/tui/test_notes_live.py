"""Changes on disk while the Notes view is open: they appear, and nothing that was set up is lost."""

from __future__ import annotations

import threading
from datetime import date
from pathlib import Path

import pytest
from notes_pilot import TREE, lay, note, notes_reading, open_notes
from pytest import MonkeyPatch

from floppy_tui.notes import lint
from floppy_tui.notes.findings import Finding
from floppy_tui.notes.tree import Tree


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return lay(tmp_path / "repo/.agent-memory", TREE)


async def test_a_change_appears_and_cursor_filter_order_and_mode_stay(tree: Path, today: date) -> None:
    async with notes_reading(tree, today, (160, 50)) as reader:
        await reader.until(lambda: any(w.group == "notes-changes" for w in reader.app.workers))
        await reader.press("slash")
        await reader.type("half:y,m")
        await reader.press("enter", "o", "G")
        assert reader.rows.key == "mill/stone.md"
        (tree / "mill/stone.md").write_bytes(note("stone", "Three cards, see [[nowhere]]."))
        (tree / "mill/axle.md").write_bytes(note("axle"))
        await reader.until(lambda: "Three cards" in reader.detail())
        assert reader.rows.key == "mill/stone.md" and reader.notes.asked.text == "half:y,m"
        assert reader.notes.asked.sort == "slug" and reader.rows.source.index("mill/axle.md") == 0
        assert reader.app.news[6:] == "new: axle; changed: stone"
        assert "new: axle; changed: stone" in reader.text()
        await reader.until(lambda: reader.app.linted is reader.app.note_tree)
        assert "[[nowhere]]" in reader.detail()

        await reader.press("i", "j", "j")
        at, text = reader.rows.key, (tree / "MEMORY.md").read_bytes()
        (tree / "MEMORY.md").write_bytes(text.replace(b"# Memory\n", b"# Memory\n\n- [Axle](mill/axle.md)\n"))
        await reader.until(lambda: "Axle" in " ".join(reader.rows_shown()))
        assert reader.notes.mode == "index" and reader.rows.key == at

        await reader.press("m", "G")
        assert reader.under_cursor().startswith("- [Manner]")
        (tree / "MEMORY.md").write_bytes(b"one\ntwo\n" + text)
        await reader.until(lambda: reader.listed()[:2] == ["one", "two"])
        assert reader.under_cursor().startswith("- [Manner]")


async def test_findings_come_when_they_are_ready_and_block_nothing(
    tree: Path, today: date, monkeypatch: MonkeyPatch
) -> None:
    done = threading.Event()
    real = lint.lint

    def slow(tree: Tree) -> tuple[Finding, ...]:
        done.wait(20)
        return real(tree)

    monkeypatch.setattr(lint, "lint", slow)
    async with notes_reading(tree, today, settled=False) as reader:
        await reader.ready(lambda: len(reader.rows.source) == 6)
        await reader.pilot.press("f")
        await reader.ready(lambda: "being checked" in reader.text())
        await reader.pilot.press("n", "j")
        await reader.ready(lambda: reader.rows.key == "mill/orphan.md")
        assert not reader.app.findings and "f findings …" in reader.text()
        done.set()
        await reader.settle()
        assert reader.app.findings and "✗" in reader.text() and reader.rows.key == "mill/orphan.md"


async def test_a_tree_that_cannot_be_read_any_more_is_said(tree: Path, today: date) -> None:
    async with notes_reading(tree, today, (160, 24)) as reader:
        (tree / "MEMORY.md").rename(tree / "aside")
        await reader.press("r")
        seen = " ".join(reader.text().split())
        assert "this memory has no index; write one. What is shown was read before." in seen
        assert len(reader.rows.source) == 6
        (tree / "aside").rename(tree / "MEMORY.md")
        await reader.press("r")
        assert "has no index" not in reader.text()
    store = open_notes(tree, today)
    (tree / "MEMORY.md").unlink()
    async with notes_reading(tree, today, (160, 24), notes=store) as reader:
        for key in ("n", "i", "l", "f"):
            await reader.press(key)
            assert "this memory has no index; write one." in " ".join(reader.text().split())
        (tree / "MEMORY.md").write_bytes(TREE["MEMORY.md"])
        await reader.press("r", "n")
        assert len(reader.rows.source) == 6
