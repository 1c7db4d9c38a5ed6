"""What a path holds: a home, a note tree, or both; the nearest of either where none is named."""

from __future__ import annotations

from pathlib import Path

import pytest
from note_trees import note
from repositories import write

from floppy_tui.store.accounting import NoHome
from floppy_tui.store.opened import Opened, open_any

HOME = {"data/learnings.md": "# Learnings\n", "config/startup-memory-budget": "7500\n"}
TREE = {"MEMORY.md": "# Memory\n\n- [Rope](rope.md) — how long\n", "rope.md": note("rope")}


def roots(opened: Opened) -> tuple[Path | None, Path | None]:
    return opened.home and opened.home.home.root, opened.notes and opened.notes.home.root


@pytest.fixture
def home(tmp_path: Path) -> Path:
    root = tmp_path.resolve() / "home"
    write(root, {**HOME, **{f".agent-memory/{name}": text for name, text in TREE.items()}})
    return root


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path.resolve() / "notes"
    write(root, TREE)
    return root


def named(path: Path | str | None, cwd: Path | None = None, **env: str) -> Opened:
    return open_any(None if path is None else Path(path), env=env, cwd=cwd or Path("/"))


def why_not(path: Path | None, cwd: Path | None = None) -> str:
    with pytest.raises(NoHome) as raised:
        named(path, cwd)
    return str(raised.value)


def test_a_home_comes_with_the_tree_in_it(home: Path) -> None:
    assert roots(named(home)) == (home, home / ".agent-memory")
    assert roots(named(None, FM_HOME=str(home))) == (home, home / ".agent-memory")
    later = open_any(home, env={}, cwd=home, later=True)
    assert later.notes is None and later.find_notes is not None
    assert later.find_notes().home.root == home / ".agent-memory"


def test_a_home_without_one_is_a_home(home: Path) -> None:
    (home / ".agent-memory/MEMORY.md").unlink()
    assert roots(named(home)) == (home, None)


def test_a_note_tree_alone_has_no_home(home: Path, tree: Path) -> None:
    assert roots(named(tree)) == (None, tree)
    assert roots(named("notes", tree.parent)) == (None, tree)
    assert roots(named(home / ".agent-memory")) == (None, home / ".agent-memory")


def test_the_nearest_of_either_counts_and_the_other_at_the_same_root_is_offered(
    home: Path, tree: Path
) -> None:
    both = (home, home / ".agent-memory")
    for place in (home, home / "data", home / ".agent-memory"):
        assert roots(named(None, place)) == both
    inner = home / "projects/boat"
    write(inner, {f".agent-memory/{name}": text for name, text in TREE.items()})
    assert roots(named(None, inner)) == (None, inner / ".agent-memory")
    write(tree / "deep/home", HOME)
    assert roots(named(None, tree / "deep/home/data")) == (tree / "deep/home", None)
    assert roots(named(None, tree / "deep")) == (None, tree)


def test_a_link_into_a_store_is_the_repository_s(tree: Path) -> None:
    code = tree.parent / "code"
    write(code, {".floppy/config": "project_key=berth\n"})
    (code / ".agent-memory").symlink_to(tree)
    opened = named(code / ".agent-memory")
    assert opened.notes is not None and opened.notes.home.repository == code


def test_what_holds_neither_is_said_to(tmp_path: Path) -> None:
    place = tmp_path.resolve()
    (place / "empty").mkdir()
    said = why_not(place / "empty")
    assert str(place / "empty") in said and "neither a home nor a note tree" in said
    assert "neither a home nor a note tree at or above" in why_not(None, place)
    assert str(place / "gone") in why_not(place / "gone")


def test_a_memory_that_should_be_there_is_named(tmp_path: Path, home: Path) -> None:
    code = tmp_path.resolve() / "code"
    write(code, {".floppy/config": "", ".agent-memory/rope.md": note("rope")})
    missing = str(code / ".agent-memory/MEMORY.md")
    assert missing in why_not(code) and missing in why_not(None, code / ".agent-memory")
    # Inside a home, that is there all the same.
    inner = home / "projects/boat"
    write(inner, {".floppy/config": ""})
    assert roots(named(None, inner)) == (home, home / ".agent-memory")
