"""The Notes view as a person uses it: the modes, what is jumped to and followed, and the app around it."""

from __future__ import annotations

import threading
from datetime import date
from pathlib import Path

import pytest
from notes_pilot import TREE, NotesReader, lay, note, notes_reading, open_notes
from textual.widgets import OptionList
from view_pilot import PLAIN

from floppy_tui.store.live import Store
from floppy_tui.store.note_tree import NoteStore, StoreError
from floppy_tui.tui.app import FloppyApp
from floppy_tui.tui.screens.memory import MemoryView
from floppy_tui.tui.screens.notes_follow import FollowScreen
from floppy_tui.tui.widgets.detail import Detail
from floppy_tui.tui.widgets.top_line import TopLine


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return lay(tmp_path / "repo/.agent-memory", TREE)


async def test_the_table_is_sorted_filtered_and_read(tree: Path, today: date) -> None:
    async with notes_reading(tree, today, (160, 50)) as reader:
        assert reader.rows_shown()[0].startswith("root  manner  user  measured  –")
        keys = [reader.rows.source.key(n) for n in range(len(reader.rows.source))]
        assert keys == [
            "manner.md",
            "mill/orphan.md",
            "mill/stone.md",
            "yard/carts/bell.md",
            "yard/rope.md",
            "private/port.md",
        ]
        assert "6 notes (1 foreign)" in reader.view.status and "1 aged" in reader.view.status
        seen = reader.text()
        assert "4 Notes" in seen and "629d!" in seen and "MEMORY.md" in seen and "about the manner" in seen
        detail = reader.detail()
        assert "→ rope  about the rope" in detail and "✗ gone-note  leads to no note" in detail
        assert "never logged: a hint, never proof" in detail and "Answer first." in detail
        while reader.notes.asked.sort != "age":
            await reader.press("o")
        assert reader.rows.source.key(0) == "yard/carts/bell.md"
        assert reader.rows.key == "manner.md"
        await reader.press("slash")
        await reader.type("aged")
        assert len(reader.rows.source) == 1
        await reader.press("escape", "escape")
        assert len(reader.rows.source) == 6


async def test_a_finding_leads_to_its_note_and_its_line(tree: Path, today: date) -> None:
    async with notes_reading(tree, today) as reader:
        await reader.press("f")
        rows = reader.rows_shown()
        assert rows[0].startswith("✗ error") and rows[-1].startswith("! warning")
        dangling = next(f for f in reader.notes.findings if f.rule == "link-dangling")
        reader.rows.move_to(dangling.key)
        await reader.settle()
        assert reader.notes.finding == dangling and reader.notes.note is not None
        assert "resolve" in reader.detail()
        await reader.press("enter")
        assert reader.notes.mode == "notes" and reader.rows.key == "manner.md"
        assert f"▸{dangling.line} Answer first." in reader.text()
        await reader.press("left_square_bracket")
        assert reader.notes.mode == "findings" and reader.notes.finding == dangling
        pointer = next(f for f in reader.notes.findings if f.rule == "pointer-dangling")
        reader.rows.move_to(pointer.key)
        await reader.settle()
        await reader.press("enter")
        assert reader.notes.mode == "router" and reader.under_cursor().startswith("- [Lost](lost.md)")
        assert reader.notes.index is not None and reader.notes.index.path == "yard/INDEX.md"
        await reader.press("m")
        assert reader.listed()[0] == "# Memory"


async def test_links_are_followed_and_come_back_from(tree: Path, today: date) -> None:
    async with notes_reading(tree, today) as reader:
        await reader.press("l")
        assert isinstance(reader.app.screen, FollowScreen)
        seen = reader.text()
        assert "→ rope" in seen and "✗ gone-note" in seen and "← pointer in MEMORY.md:5" in seen
        await reader.press("enter")
        assert reader.rows.key == "yard/rope.md"
        await reader.press("l")
        options = reader.app.screen.query_one(OptionList)
        said = [str(options.get_option_at_index(n).prompt) for n in range(options.option_count)]
        assert [words.split("  ")[0] for words in said] == [
            "← manner",
            "← stone",
            "← pointer in yard/INDEX.md:3",
        ]
        await reader.press("down", "enter")
        assert reader.rows.key == "mill/stone.md"
        await reader.press("left_square_bracket", "left_square_bracket")
        assert reader.rows.key == "manner.md"
        await reader.press("right_square_bracket")
        assert reader.rows.key == "yard/rope.md"
        await reader.press("left_square_bracket", "left_square_bracket")
        assert reader.said[-1] == "Nothing was followed to here."


async def test_the_index_folds_and_shows_what_nothing_leads_to(tree: Path, today: date) -> None:
    async with notes_reading(tree, today) as reader:
        await reader.press("i")
        rows = [row.strip() for row in reader.rows_shown()]
        assert rows[0].startswith("▾ MEMORY.md") and rows[1].startswith("▾ Yard — ropes and carts")
        assert any(row.startswith("✗ Lost — it is not there") for row in rows)
        assert rows[-2] == "[no pointer: no session reaches these notes (1)]"
        assert rows[-1].startswith("orphan — about the orphan")
        await reader.press("j", "space")
        folded = [row.strip() for row in reader.rows_shown()]
        assert folded[1].startswith("▸ Yard") and folded[2].startswith("▾ Mill")
        await reader.press("right", "j", "left")
        assert reader.notes.index is not None and reader.notes.index.path == "yard/INDEX.md"
        await reader.press("slash")
        await reader.type("bell")
        assert [row.strip()[:7] for row in reader.rows_shown()] == [
            "▾ MEMOR",
            "▾ Yard ",
            "▾ Carts",
            "Bell — ",
        ]
        await reader.press("enter", "G")
        assert reader.notes.note is not None and reader.notes.note.slug == "bell"
        await reader.press("enter")
        assert "yard/carts/bell.md" in reader.text() and "It is so." in reader.detail()


async def test_the_cut_is_drawn_where_the_loader_stops(tmp_path: Path, today: date) -> None:
    lines = [f"- [Note {n}](n{n}.md) \u2014 hook {n}\n" for n in range(1, 231)]
    files = {"MEMORY.md": "".join(lines).encode(), "n1.md": note("n1")}
    async with notes_reading(lay(tmp_path / "memory", files), today) as reader:
        assert "230/200 lines over, 30 pointers lost" in reader.text()
        await reader.press("m")
        rows = reader.rows_shown()
        assert rows[200] == "[the loader stops at 200 lines: 30 lines below are never read]"
        assert rows[201] == "[30 pointers lost: Note 201, Note 202, Note 203 and 27 more]"
        assert rows[199].endswith("hook 200") and "lost" in rows[202]
        await reader.press("G")
        assert "below the cut: no session reads it" in reader.detail()
        assert "Lost below line 201 (30)" in reader.detail()
        await reader.press("slash")
        await reader.type("lost")
        assert len(reader.rows.source) == 32
        await reader.press("enter", "g", "k")
        assert reader.under_cursor().startswith("- [Note 201]")


async def test_only_what_is_open_is_offered(tree: Path, today: date) -> None:
    async with notes_reading(tree, today) as reader:
        line = reader.app.query_one(TopLine)
        assert line.offered == ("notes",) and ".agent-memory · floppy" in reader.text()
        await reader.press("1", "s")
        assert reader.app.view is reader.notes
        assert (
            reader.said == ["No tiered memory is open here, only a note tree; open a home to have this."] * 2
        )
        await reader.press("question_mark")
        seen = "\n".join(line.plain for line in reader.app.screen.query_one(Detail)._lines)
        assert "Show the Notes view." in seen and "Memory view" not in seen and "stow" not in seen


async def test_a_home_with_a_tree_shows_both(tree: Path, today: date) -> None:
    root = lay(tree.parent, PLAIN)
    home = Store.open(root, env={}, cwd=root, today=lambda: today)
    async with notes_reading(tree, today, (100, 30), home=home) as reader:
        assert isinstance(reader.app.view, MemoryView)
        assert "1 Memory  2 Archive  3 Offload  4 Notes" in reader.text()
        await reader.until(lambda: reader.app.note_tree is not None)
        assert reader.app.linted is None
        assert str(root) in reader.app.query_one(TopLine).home
        await reader.press("4")
        assert reader.rows.key == "manner.md" and reader.app.linted is reader.app.note_tree
        assert reader.app.query_one(TopLine).home == f"{tree} · floppy"
        await reader.press("1", "4", "r")
        assert reader.app.view is reader.notes and reader.rows.key == "manner.md"


async def test_the_settings_may_name_the_notes_first(tree: Path, today: date, tmp_path: Path) -> None:
    root = lay(tree.parent, PLAIN)
    settings = tmp_path / "config.toml"
    settings.write_text('default_view = "notes"\nkeymap = { "notes.table" = "N" }\n')
    home = Store.open(root, env={"FLOPPY_CONFIG": str(settings)}, cwd=root, today=lambda: today)
    async with notes_reading(tree, today, home=home) as reader:
        assert reader.rows.key == "manner.md" and "N notes" in reader.text()
        await reader.until(lambda: reader.app.snapshot is not None)
        await reader.press("i", "N", "1")
        assert isinstance(reader.app.view, MemoryView) and len(reader.rows.source) > 3


@pytest.mark.parametrize(
    ("router", "words"),
    [
        (b"Just words.\n", "MEMORY.md holds free text without pointers"),
        (b"# Memory\n", "There are no notes here yet."),
    ],
    ids=["free form", "no notes"],
)
async def test_what_is_missing_is_said_with_what_would_fill_it(
    tmp_path: Path, today: date, router: bytes, words: str
) -> None:
    async with notes_reading(lay(tmp_path / "memory", {"MEMORY.md": router}), today) as reader:
        for key in "ni":
            await reader.press(key)
            seen = " ".join(reader.text().split())
            assert key == "i" or (words in seen and "a writes one" in seen)
        await reader.press("f")
        assert "Lint finds nothing wrong" in reader.text()


async def test_the_tree_of_a_home_is_looked_for_after_the_first_screen(tree: Path, today: date) -> None:
    root = lay(tree.parent, PLAIN)
    home = Store.open(root, env={}, cwd=root, today=lambda: today)
    asked = threading.Event()

    def find() -> NoteStore:
        asked.wait(20)
        return open_notes(tree, today)

    app = FloppyApp(home, find_notes=find)
    async with app.run_test(size=(80, 24)) as pilot:
        reader = NotesReader(pilot, app, root)
        await reader.ready(lambda: app.snapshot is not None and len(reader.rows.source) > 3)
        assert "4 Notes" not in reader.text()
        await pilot.press("4")
        await reader.ready(lambda: reader.said == ["It is still being looked for a note tree."])
        asked.set()
        await reader.until(lambda: app.note_tree is not None)
        assert "4 Notes" in reader.text()
        await reader.press("4")
        assert reader.rows.key == "manner.md"

    def none() -> NoteStore:
        raise StoreError("There is no MEMORY.md; write one.")

    app = FloppyApp(home, find_notes=none)
    async with app.run_test(size=(80, 24)) as pilot:
        reader = NotesReader(pilot, app, root)
        await reader.until(lambda: app.find_notes is None)
        await reader.press("4")
        assert reader.said == ["There is no MEMORY.md; write one."] and "4 Notes" not in reader.text()


async def test_status_files_stand_against_their_limits(tree: Path, today: date) -> None:
    lay(
        tree.parent,
        {
            ".floppy/config": b"statuses_now_chars_max=40\nmemory_language=de\nnote_stale_days=90\n",
            "docs/statuses/NOW.md": b"# Now\n\n## Gate\n\nThe gate is open.\n\n## Crane\n\nIt waits.\n",
        },
    )
    async with notes_reading(tree, today) as reader:
        await reader.press("S")
        rows = reader.rows_shown()
        assert rows[0] == "this memory: floppy, language de"
        assert rows[1] == "docs/statuses/NOW.md  the project's state  55  40  over"
        assert [row.split()[0] for row in rows[2:5]] == ["Now", "Gate", "Crane"]
        assert all(row.endswith("absent") for row in rows[5:])
        detail = reader.detail()
        assert "memory_language" in detail and "after 90 days" in detail and "chars_max=20000" in detail
        await reader.press("j", "j", "j")
        assert "The gate is open." in reader.detail() and "The crane" not in reader.detail()
        assert "1 over the limit; notes in de" in reader.text()
        (tree.parent / "docs/statuses/NOW.md").write_bytes(b"# Now\n\n## Gate\n\nShut.\n")
        await reader.press("r")
        assert "Shut." in reader.detail() and "over the limit" not in reader.text()
