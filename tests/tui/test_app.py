"""The app around its views: help, palette, settings, what goes wrong, and leaving."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import OptionList
from view_pilot import LEARNINGS, PLAIN, Reader, lay, reading

from floppy_tui.store.live import Store, StoreError
from floppy_tui.tui import commands
from floppy_tui.tui.app import FloppyApp
from floppy_tui.tui.commands import Command, Commanded, at, keymap_problems, register, spelled
from floppy_tui.tui.screens.act import ConfirmScreen
from floppy_tui.tui.screens.addresses import AddressesScreen
from floppy_tui.tui.screens.archive import ArchiveView
from floppy_tui.tui.screens.help import HelpScreen
from floppy_tui.tui.screens.memory import MemoryView
from floppy_tui.tui.screens.notes import NotesView
from floppy_tui.tui.screens.notes_commit import CommitScreen
from floppy_tui.tui.screens.notes_consolidate import ConsolidateScreen
from floppy_tui.tui.screens.notes_follow import FollowScreen
from floppy_tui.tui.screens.notes_form import NoteForm
from floppy_tui.tui.screens.notes_journal import JournalForm
from floppy_tui.tui.screens.notes_new import NewNoteForm
from floppy_tui.tui.screens.notes_plan import PlanScreen
from floppy_tui.tui.screens.offload import OffloadView
from floppy_tui.tui.screens.offload_approve import ApproveScreen
from floppy_tui.tui.screens.offload_form import MoveScreen
from floppy_tui.tui.screens.offload_migrate import MigrateScreen
from floppy_tui.tui.screens.restore import RestoreScreen
from floppy_tui.tui.widgets.detail import Detail
from floppy_tui.tui.widgets.rows import Rows

PLACES: list[type[Commanded]] = [
    FloppyApp,
    MemoryView,
    ArchiveView,
    OffloadView,
    NotesView,
    FollowScreen,
    Rows,
    Detail,
    HelpScreen,
    AddressesScreen,
    RestoreScreen,
    ApproveScreen,
    ConfirmScreen,
    MoveScreen,
    MigrateScreen,
    NotesView,
    PlanScreen,
    NoteForm,
    NewNoteForm,
    JournalForm,
    ConsolidateScreen,
    CommitScreen,
]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return lay(tmp_path / "home", PLAIN)


# The registry.


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.WHERE)
def test_each_command_is_carried_out_by_its_place(place: type[Commanded]) -> None:
    assert at(place.WHERE)
    for command in at(place.WHERE):
        assert callable(getattr(place, f"do_{command.name}"))
        assert command.help.endswith(".") and command.label


def test_a_key_or_a_name_is_given_once() -> None:
    with pytest.raises(ValueError, match="two commands named memory\\.sort"):
        register(Command("memory.sort", "z", "x", "X."))
    with pytest.raises(ValueError, match="o is the key of memory\\.sort and of memory\\.other"):
        register(Command("memory.other", "o", "x", "X."))


@pytest.mark.parametrize(
    ("key", "as_printed"),
    [
        ("question_mark", "?"),
        ("slash", "/"),
        ("escape", "esc"),
        ("ctrl+p", "ctrl+p"),
        ("G", "G"),
        ("minus", "-"),
    ],
)
def test_keys_are_spelled_as_printed(key: str, as_printed: str) -> None:
    assert spelled(key) == as_printed


def test_a_bad_keymap_is_named() -> None:
    problems = keymap_problems(
        {"memory.sort": "y", "memory.nosuch": "z", "app.quit": "", "memory.copy": "c", "app.help": "f1"}
    )
    assert problems == {
        "memory.nosuch": "The keymap names memory.nosuch, which is no command; see the help screen.",
        "app.quit": "The keymap leaves app.quit without a key, so it keeps q.",
    }
    assert keymap_problems({"memory.sort": "y"}) == {
        "memory.sort": "The keymap gives y to memory.sort, but it belongs to memory.copy."
    }


async def test_the_keys_of_the_wizard_can_be_changed_too(home: Path, today: date) -> None:
    settings = home.parent / "config.toml"
    settings.write_text('keymap = { "stow.undo" = "Z" }\n')
    store = Store.open(home, env={"FLOPPY_CONFIG": str(settings)}, cwd=home, today=lambda: today)
    app = FloppyApp(store, warnings=store.warnings)
    assert app.keys_remapped == {"stow.undo": "Z"}


# Help and palette.


async def test_help_lists_what_can_be_done_here_and_why_not(home: Path, today: date) -> None:
    async with reading(home, today, (100, 60)) as reader:
        await reader.press("question_mark")
        seen = reader.text()
        assert "Sort by the next column." in seen and "Walk through a stow pass" in seen
        assert "Open the file at this entry" in seen and "Copy this item back" not in seen
        assert "floppy-tui.log" in seen
        await reader.press("question_mark", "2", "question_mark")
        assert "Copy this item back to its file, with evidence." in reader.text()
        await reader.press("escape")
        assert len(reader.app.screen_stack) == 1


async def test_the_palette_finds_and_runs_a_command(home: Path, today: date) -> None:
    async with reading(home, today) as reader:
        await reader.press("ctrl+p")
        await reader.type("archive")
        await reader.until(lambda: "app: Archive" in reader.text())
        prompts = [str(o.prompt) for o in reader.app.screen.query_one(OptionList).options]
        assert any(p.startswith("app: Archive  2\nShow the Archive view.") for p in prompts)
        await reader.press("enter")
        await reader.until(lambda: isinstance(reader.app.view, ArchiveView))


async def test_the_palette_chooses_a_theme(home: Path, today: date) -> None:
    async with reading(home, today) as reader:
        await reader.press("ctrl+p")
        await reader.type("theme")
        await reader.until(lambda: "app: theme" in reader.text())
        await reader.press("enter")
        await reader.until(lambda: "nord" in reader.text())
        await reader.type("nord")
        await reader.until(lambda: reader.app.screen.query_one(OptionList).option_count == 1)
        await reader.press("enter")
        await reader.until(lambda: reader.app.theme == "nord")


async def test_the_footer_does_what_is_clicked(home: Path, today: date) -> None:
    async with reading(home, today) as reader:
        last = reader.text().split("\n")[-1]
        assert " ".join(last.split()) == (
            "/ filter enter detail o sort y copy e edit s stow ^p menu q quit ? help"
        )
        await reader.pilot.click(offset=(last.index("o sort"), 23))
        await reader.settle()
        assert reader.view.asked.sort == "tier"
        await reader.pilot.click(offset=(last.index("? help"), 23))
        await reader.settle()
        assert isinstance(reader.app.screen, HelpScreen)


async def test_the_tabs_do_what_is_clicked(home: Path, today: date) -> None:
    async with reading(home, today) as reader:
        await reader.pilot.click(offset=(14, 0))
        await reader.settle()
        assert isinstance(reader.view, ArchiveView) and reader.rows.has_focus
        await reader.pilot.click(offset=(2, 0))
        await reader.settle()
        assert isinstance(reader.view, MemoryView) and reader.rows.has_focus


async def test_what_is_not_possible_now_says_why(tmp_path: Path, today: date) -> None:
    async with reading(lay(tmp_path / "home", {}), today, (100, 60)) as reader:
        await reader.press("y")
        assert reader.said[-1] == "There is no row under the cursor."
        await reader.press("question_mark")
        assert "Not now: There is no row under the" in reader.text()


async def test_the_footer_follows_the_focus(home: Path, today: date) -> None:
    async with reading(home, today) as reader:
        await reader.press("slash")
        assert " ".join(reader.text().split("\n")[-1].split()) == ("tab complete enter to the list ^p menu")


async def test_quit(home: Path, today: date) -> None:
    async with reading(home, today) as reader:
        await reader.press("q")
        assert not reader.app.is_running and reader.app.return_code == 0


# Settings.


async def test_keys_are_remapped_everywhere(home: Path, today: date) -> None:
    keymap = {"memory.sort": "f2", "memory.nosuch": "z"}
    async with reading(home, today, settings={"keymap": keymap}) as reader:
        assert "f2 sort" in reader.text()
        assert reader.said == ["The keymap names memory.nosuch, which is no command; see the help screen."]
        await reader.press("o")
        assert reader.view.asked.sort == "file"
        await reader.press("f2")
        assert reader.view.asked.sort == "tier"
        await reader.press("question_mark")
        assert "f2            Sort by the next column." in reader.text()


@pytest.mark.parametrize("theme", ["textual-light", "gruvbox", "ansi-dark"])
async def test_the_theme_is_that_of_the_settings(home: Path, today: date, theme: str) -> None:
    async with reading(home, today, settings={"theme": theme}) as reader:
        assert reader.app.theme == theme and reader.said == []
        await reader.press("j", "enter", "2")


async def test_an_unknown_theme_is_named(home: Path, today: date) -> None:
    async with reading(home, today, settings={"theme": "[/foo]"}) as reader:
        assert reader.said == ["There is no theme called [/foo]; the palette lists them."]
        assert reader.app.theme == "textual-dark"


@pytest.mark.parametrize(
    ("said", "view"), [("archive", ArchiveView), ("memory", MemoryView), ("fleet", MemoryView)]
)
async def test_the_default_view(home: Path, today: date, said: str, view: type) -> None:
    async with reading(home, today, settings={"default_view": said}) as reader:
        assert isinstance(reader.view, view) and reader.rows.has_focus and reader.listed()


async def test_ascii_draws_with_ascii_alone(home: Path, today: date) -> None:
    async with reading(home, today, settings={"ascii": True}) as reader:
        for keys in ((), ("enter",), ("question_mark",), ("escape", "2", "R"), ("escape", "ctrl+p")):
            await reader.press(*keys)
            assert reader.text().replace("🔎", "").isascii(), reader.text()
        await reader.press("escape", "1")
        assert "o a  11d 19d left" in reader.text()


async def test_without_colour_everything_is_still_said(
    home: Path, today: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "")
    async with reading(home, today) as reader:
        assert reader.app.no_color
        await reader.press("G", "k", "k", "enter")
        assert "◌ perishable" in reader.text() and "stale in 4 days" in reader.text()


# What goes wrong.


class Failing(Store):
    """A store whose reading fails as it is told to."""

    error: Exception

    def read(self) -> Any:
        raise self.error


def failing(home: Path, today: date, error: Exception) -> Store:
    """A store of ``home`` that raises ``error`` when it reads."""
    store = Store.open(home, env={}, cwd=home, today=lambda: today)
    broken = Failing(store.home, store.settings, store.today)
    broken.error = error
    return broken


async def test_what_the_store_cannot_do_is_its_sentence(home: Path, today: date) -> None:
    error = StoreError("The home is gone [/foo]; look for it.")
    async with reading(home, today, store=failing(home, today, error)) as reader:
        assert set(reader.said) == {"The home is gone [/foo]; look for it."}
        await reader.press("s")
        assert "The home is still being read." in reader.said


async def test_the_unforeseen_goes_to_the_log_and_is_said(home: Path, today: date) -> None:
    async with reading(home, today, store=failing(home, today, ZeroDivisionError("oh"))) as reader:
        log = home / "state/floppy-tui/floppy-tui.log"
        await reader.until(lambda: bool(reader.said))
        assert reader.said[-1] == (
            f"Something went wrong that should not (ZeroDivisionError); the details are in {log}."
        )
        assert "ZeroDivisionError: oh" in log.read_text() and "Traceback" not in reader.text()


async def test_a_crash_leaves_a_sentence_and_no_traceback(
    home: Path, today: date, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(self: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(MemoryView, "do_sort", crash)
    with pytest.raises(ZeroDivisionError):
        async with reading(home, today) as reader:
            await reader.pilot.press("o")
    said = "".join(capsys.readouterr())
    assert "Something went wrong that should not (ZeroDivisionError)" in said and "Traceback" not in said
    assert "ZeroDivisionError: oh" in (home / "state/floppy-tui/floppy-tui.log").read_text()


async def test_what_a_crash_left_is_rolled_back_and_said(
    home: Path, today: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Store, "recover", lambda self: ("A pass was rolled back.",))
    async with reading(home, today) as reader:
        assert "A pass was rolled back." in reader.said
        await reader.press("r")
        assert reader.said.count("A pass was rolled back.") == 1


async def test_looking_writes_nothing(home: Path, today: date) -> None:
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    async with reading(home, today) as reader:
        await use(reader)
    assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file()} == before
    assert before[home / "data/learnings.md"] == LEARNINGS


async def use(reader: Reader) -> None:
    """Walk through all that only looks."""
    for view in "12":
        await reader.press(view, "j", "enter", "v", "v", "escape", "o", "O", "y", "L", "escape", "r")
    assert commands.VIEWS
