"""Opening the app from the command line: on the home that was named, and only on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import Result

from floppy_tui.store.note_tree import NoTree

Run = Callable[..., Result]
Complained = Callable[[Result], str]


def found(find: Callable[[], Any]) -> Any:
    """The note tree of a home, which is looked for later; None where there is none."""
    try:
        return find()
    except NoTree:
        return None


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The roots of the homes and note trees that an app, which only notes them, was opened on."""
    roots: list[Path] = []

    class Noting:
        return_code = 0

        def __init__(self, home: Any, notes: Any, *, find_notes: Any, warnings: object) -> None:
            notes = notes or (find_notes and found(find_notes))
            roots.extend(store.home.root for store in (home, notes) if store is not None)

        def run(self) -> None:
            """Show nothing."""

    module = ModuleType("floppy_tui.tui.app")
    module.FloppyApp = Noting  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "floppy_tui.tui.app", module)
    monkeypatch.setenv("TEXTUAL_DRIVER", "any")
    return roots


def test_a_path_the_environment_or_the_place_says_which(
    run: Run, home: Path, opened: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(home).exit_code == 0
    assert run("--home", home).exit_code == 0
    monkeypatch.chdir(home / "data")
    assert run().exit_code == 0
    monkeypatch.chdir("/")
    monkeypatch.setenv("FM_HOME", str(home))
    assert run().exit_code == 0
    assert opened == [home] * 4


def test_a_home_called_like_a_verb_is_opened_by_its_path(
    run: Run, home: Path, opened: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    home.rename(home.with_name("report"))
    monkeypatch.chdir(home.parent)
    assert run("./report").exit_code == 0
    assert opened == [home.with_name("report")]


def test_the_demo_is_opened_where_it_was_laid_out(run: Run, tmp_path: Path, opened: list[Path]) -> None:
    assert run("demo", tmp_path / "demo").exit_code == 0
    assert opened == [tmp_path / "demo", tmp_path / "demo/.agent-memory"]


def test_a_note_tree_is_opened_alone_and_with_the_home_that_it_lies_in(
    run: Run, home: Path, tmp_path: Path, opened: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = tmp_path / "project/.agent-memory"
    notes.mkdir(parents=True)
    (notes / "MEMORY.md").write_text("# Memory\n")
    assert run(notes).exit_code == 0
    assert run("--home", notes.parent).exit_code == 0
    monkeypatch.chdir(notes)
    assert run().exit_code == 0
    assert opened == [notes] * 3
    (home / "memory").mkdir()
    (home / "memory/MEMORY.md").write_text("# Memory\n")
    assert run(home).exit_code == 0
    assert opened[3:] == [home, home / "memory"]


def test_without_a_terminal_nothing_is_drawn(run: Run, home: Path, complained: Complained) -> None:
    result = run(home)
    assert "terminal" in complained(result) and result.stdout == ""


def test_no_home_opens_nothing(
    run: Run, tmp_path: Path, opened: list[Path], complained: Complained, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "neither a home nor a note tree" in complained(run())
    assert "neither a verb nor a directory" in complained(run("reprot"))
    assert opened == []
