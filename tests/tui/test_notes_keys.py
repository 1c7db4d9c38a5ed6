"""Keys held or doubled among the notes: no dialog is passed unseen, none opened twice, nothing typed."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from notes_pilot import TREE, lay, note, notes_reading

from floppy_tui.tui.screens.notes_form import NoteForm
from floppy_tui.tui.screens.notes_plan import PlanScreen
from floppy_tui.tui.widgets.stow_inputs import LineInput
from floppy_tui.tui.widgets.ticks import Ticks

TODAY = date(2026, 10, 1)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return lay(tmp_path / "memory", TREE)


def held(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


FIRST = {"x": "", "R": "rope", "w": "Forty cells. **Wet** it is shorter.", "Q": "", "P": ""}
"""What stands in the first field of each act's form."""


@pytest.mark.parametrize("key", FIRST)
async def test_a_key_that_is_held_opens_one_form_and_types_nothing_and_enter_is_not_its_end(
    root: Path, key: str
) -> None:
    before = held(root)
    async with notes_reading(root, TODAY, (100, 40)) as reader:
        reader.notes.go_to("yard/rope.md")
        await reader.settle()
        await reader.press(key, key, key)
        await reader.settle()
        assert isinstance(reader.app.screen, NoteForm)
        assert len(reader.app.screen_stack) == 2
        first = reader.app.screen.focused
        assert getattr(first, "words", getattr(first, "value", None)) == FIRST[key]
        await reader.press("7", *["enter"] * 9)
        await reader.settle()
        assert isinstance(reader.app.screen, NoteForm), reader.text()
        assert held(root) == before


async def test_a_date_is_written_once_by_a_doubled_enter(root: Path) -> None:
    before = held(root)
    async with notes_reading(root, TODAY) as reader:
        reader.notes.go_to("yard/carts/bell.md")
        await reader.settle()
        await reader.press("c", "c", "enter", "enter", "enter")
        await reader.settle()
        assert len(reader.app.screen_stack) == 1
        assert [words for words in reader.said if words.startswith("Done:")] == ["Done: re-check bell."]
        assert len(reader.notes.notes_store.past_acts()) == 1
    after = held(root)
    assert after.pop("yard/carts/bell.md") == note("bell", evidence="read", as_of="2026-10-01")
    before.pop("yard/carts/bell.md")
    assert after == before


async def test_a_doubled_repair_or_undo_opens_one_dialog(root: Path) -> None:
    async with notes_reading(root, TODAY) as reader:
        await reader.press("f", "F", "F", "F")
        await reader.settle()
        assert isinstance(reader.app.screen, PlanScreen)
        assert len(reader.app.screen_stack) == 2
        await reader.press("enter", "enter")
        await reader.settle()
        assert len(reader.app.screen_stack) == 1
        await reader.press("u", "u", "u")
        await reader.settle()
        assert len(reader.app.screen_stack) == 2
        await reader.press("escape", "u")
        await reader.press("a")
        await reader.settle()
        assert len(reader.app.screen_stack) == 2


async def test_what_is_consolidated_is_opened_by_enter_which_then_types_nothing(root: Path) -> None:
    (root / "yard/rope-wet.md").write_bytes(note("rope-wet", "Forty cells. **Wet** it is shorter."))
    async with notes_reading(root, TODAY, (120, 40)) as reader:
        reader.notes.go_to("yard/rope.md")
        await reader.settle()
        await reader.press("M")
        await reader.settle()
        await reader.press("enter", "enter", "enter")
        await reader.settle()
        form = reader.app.screen
        assert isinstance(form, NoteForm), reader.text()
        assert not form.values()["body"].startswith("\n")


async def test_a_dialog_is_gone_through_by_the_mouse_alone(root: Path) -> None:
    before = held(root)
    async with notes_reading(root, TODAY) as reader:
        reader.notes.go_to("mill/stone.md")
        await reader.settle()
        await reader.press("P")
        await reader.settle()
        form = reader.app.screen
        assert isinstance(form, NoteForm)
        ticks = form.query_one("#field-notes", Ticks)
        await reader.pilot.click(ticks, offset=(6, 1))
        await reader.press("j")
        assert ticks.chosen == ("mill/stone.md",)
        form.query_one("#field-group", LineInput).value = "cards"
        hint = form.query_one(".hint")
        await reader.pilot.click(hint, offset=(3, 0))
        await reader.settle()
        assert isinstance(reader.app.screen, PlanScreen), reader.text()
        await reader.pilot.click(reader.app.screen.query_one(".hint"), offset=(20, 0))
        await reader.settle()
        assert reader.app.screen is form
        assert held(root) == before
        await reader.pilot.click(hint, offset=(3, 0))
        await reader.settle()
        await reader.pilot.click(reader.app.screen.query_one(".hint"), offset=(3, 0))
        await reader.settle()
        assert (root / "mill/cards/stone.md").read_bytes() == before["mill/stone.md"]


async def test_what_changes_nothing_is_said_and_not_shown(root: Path) -> None:
    async with notes_reading(root, TODAY) as reader:
        reader.notes.go_to("yard/rope.md")
        await reader.settle()
        await reader.press("w", "ctrl+s")
        await reader.settle()
        assert isinstance(reader.app.screen, NoteForm)
        assert "There is nothing to change" in reader.text()
