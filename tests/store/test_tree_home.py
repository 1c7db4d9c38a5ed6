"""Finding note trees on disk: repositories, stores behind links, bare directories, and what is none."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path

import pytest
from note_trees import note
from repositories import git, init, tree, write

from floppy_tui.demo import build
from floppy_tui.notes.profiles import Profile
from floppy_tui.store.tree_home import NoTree, TreeHome, find_tree

ROUTER = {"MEMORY.md": "# Memory\n\n- [Rope](rope.md) — how long\n", "rope.md": note("rope")}
HALVES = {**ROUTER, "yard/INDEX.md": "# Yard\n", "quota.lock": "chars_max=9000\n"}


def lay(root: Path, files: dict[str, str], below: str = "") -> Path:
    write(root, {f"{below}{name}": text for name, text in files.items()})
    return root


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path.resolve()


@pytest.fixture
def code(place: Path) -> Path:
    """A repository with a memory of its own."""
    root = init(place / "code")
    lay(root, {".floppy/config": "note_stale_days=90\n"})
    return lay(root, HALVES, ".agent-memory/")


@pytest.fixture
def wired(place: Path) -> tuple[Path, Path]:
    """A repository whose memory is a link into another one, and where it leads."""
    store = init(place / "store")
    lay(store, HALVES, "berth/")
    root = init(place / "code")
    lay(root, {".floppy/config": "project_key=berth\n"})
    (root / ".agent-memory").symlink_to("../store/berth")
    return root, store / "berth"


def found(path: Path | None, cwd: Path | None = None) -> TreeHome:
    return find_tree(path, cwd or Path("/"))


def refused(path: Path | None, cwd: Path | None = None) -> str:
    with pytest.raises(NoTree) as raised:
        found(path, cwd)
    return str(raised.value)


def test_a_repository_with_its_memory(code: Path) -> None:
    home = found(code)
    assert (home.root, home.repository, home.git) == (code / ".agent-memory", code, code)
    assert home.profile is Profile.FLOPPY and home.config.note_stale_days == 90
    assert not home.external and home.display_root == str(code)
    assert home.scopes() == ("private", "common", "common/shared", "common/private")
    assert home.own_state.parent == code / ".git/floppy-tui"


@pytest.mark.parametrize(
    "inside", [".", ".agent-memory", ".agent-memory/yard", ".floppy", ".agent-memory/yard/carts", "src/deep"]
)
def test_from_anywhere_in_it_the_repository_is_found(code: Path, inside: str) -> None:
    # Seen from in between, a half that has a group looks like a memory of its own.
    lay(code, {".agent-memory/yard/carts/INDEX.md": "# Carts\n", "src/deep/docs/INDEX.md": "# Code\n"})
    assert found(None, code / inside) == found(code)


def test_the_memory_directory_by_itself_has_the_configuration_above_it(code: Path) -> None:
    assert found(code / ".agent-memory") == found(code)
    assert found(Path(".agent-memory"), code) == found(code)
    assert found(Path(), code / ".agent-memory") == found(code)


def test_a_half_is_no_memory_by_itself(code: Path) -> None:
    lay(code, {".agent-memory/yard/carts/INDEX.md": "# Carts\n"})
    assert str(code / ".agent-memory/yard/MEMORY.md") in refused(code / ".agent-memory/yard")


def test_a_repository_that_is_set_up_without_a_word_has_the_defaults(place: Path) -> None:
    lay(place, ROUTER, ".agent-memory/")
    assert found(place).profile is Profile.AUTO
    (place / ".floppy").mkdir()
    home = found(place)
    assert (home.profile, home.repository) == (Profile.FLOPPY, place)
    assert found(place / ".agent-memory") == home


@pytest.mark.parametrize("absolute", [False, True])
def test_a_memory_elsewhere_is_named_by_the_configuration(place: Path, absolute: bool) -> None:
    root, memory = init(place / "code"), init(place / "elsewhere") / "notes"
    lay(memory, ROUTER)
    lay(root, {".floppy/config": f"memory_dir = {memory if absolute else '../elsewhere/notes'}\r\n"})
    home = found(root)
    assert (home.root, home.repository, home.git) == (memory, root, place / "elsewhere")
    assert home.external and home.profile is Profile.FLOPPY
    assert home.display_root == str(memory)


def test_a_link_into_a_store_is_resolved_once(wired: tuple[Path, Path]) -> None:
    root, memory = wired
    home = found(root)
    assert (home.root, home.repository, home.git) == (memory, root, memory.parent)
    assert home.external and home.config.project_key == "berth"
    assert home.own_state.is_relative_to(memory.parent / ".git/floppy-tui")
    assert found(None, root) == home
    # Named by the link, it is that repository's; named in the store, nobody says whose it is.
    assert found(root / ".agent-memory") == home
    bare = found(memory)
    assert (bare.root, bare.repository, bare.git) == (memory, None, memory.parent)
    assert bare.profile is Profile.FLOPPY and bare.own_state == home.own_state


def test_memories_of_one_store_keep_their_state_apart(wired: tuple[Path, Path]) -> None:
    _, memory = wired
    lay(memory.parent, HALVES, "tides/")
    one, other = found(memory), found(memory.parent / "tides")
    assert one.own_state != other.own_state
    assert one.own_state.parent == other.own_state.parent


def test_a_store_within_the_repository_is_external_all_the_same(place: Path) -> None:
    root = init(place / "code")
    lay(init(root / "vendor/store"), HALVES, "berth/")
    lay(root, {".floppy/config": "memory_dir=vendor/store/berth\n"})
    home = found(root)
    assert home.external and home.git == root / "vendor/store"


def test_a_linked_work_tree_has_the_memory_of_its_own(code: Path, place: Path) -> None:
    git(code, "add", "-A")
    git(code, "commit", "-qm", "Keep")
    git(code, "worktree", "add", "-q", str(place / "other"))
    home = found(place / "other")
    assert home.root == place / "other/.agent-memory" and home.git == place / "other"
    assert home.own_state != found(code).own_state
    assert not home.external


@pytest.mark.parametrize("mark", ["quota.lock", "yard/INDEX.md"])
def test_a_bare_directory_of_the_floppy_kind(place: Path, mark: str) -> None:
    lay(place, {**ROUTER, mark: ""})
    home = found(place)
    assert (home.root, home.repository, home.profile) == (place, None, Profile.FLOPPY)
    assert home.git is None and not home.external


@pytest.mark.parametrize("other", [{}, {"yard/note.md": "x"}, {".hidden/INDEX.md": ""}, {"INDEX.md": ""}])
def test_a_bare_directory_of_an_agent(place: Path, other: dict[str, str], clean_environment: Path) -> None:
    lay(place / "here", {**ROUTER, **other})
    home = found(place / "here")
    assert (home.root, home.repository, home.profile) == (place / "here", None, Profile.AUTO)
    assert home.scopes() == ()
    assert home.own_state.is_relative_to(clean_environment)
    assert found(None, place / "here") == home


@pytest.mark.parametrize("name", ["memory", ".agent-memory"])
def test_a_directory_that_holds_one(place: Path, name: str) -> None:
    lay(place, ROUTER, f"{name}/")
    (place / "src").mkdir()
    home = found(place)
    assert (home.root, home.profile) == (place / name, Profile.AUTO)
    assert found(None, place / "src") == home == found(place / name)


def test_a_home_holds_both(place: Path) -> None:
    home = build(place / "home", date(2026, 10, 1))
    held = found(home)
    assert held.root == home / ".agent-memory" and held.profile is Profile.FLOPPY
    assert found(None, home / "data") == held


def test_the_nearest_counts(code: Path) -> None:
    lay(code / "sub", ROUTER, "memory/")
    assert found(None, code / "sub").root == code / "sub/memory"
    assert found(None, code / "sub/memory").profile is Profile.AUTO
    assert found(None, code).root == code / ".agent-memory"


def test_none_where_there_is_none(place: Path) -> None:
    lay(place, {"docs/INDEX.md": "# Docs\n", "memory/words.txt": "x", "memory/part/INDEX.md": "x"})
    (place / "empty").mkdir()
    assert str(place / "empty") in refused(place / "empty")
    assert "at or above" in refused(None, place)
    assert "does not exist" in refused(place / "gone")
    assert "is no directory" in refused(place / "docs/INDEX.md")
    assert str(place / "MEMORY.md") in refused(place)


def test_a_memory_without_an_index_is_named(code: Path) -> None:
    (code / ".agent-memory/MEMORY.md").unlink()
    for said in (refused(code), refused(None, code / ".agent-memory"), refused(code / ".agent-memory")):
        assert str(code / ".agent-memory/MEMORY.md") in said
    (code / ".floppy/config").unlink()
    assert str(code / ".agent-memory/MEMORY.md") in refused(code)


def test_a_memory_that_is_not_there_is_named(code: Path) -> None:
    config = code / ".floppy/config"
    config.write_text("memory_dir=nowhere\n")
    assert "nowhere" in refused(code) and "does not exist" in refused(code)
    config.write_text("memory_dir=.agent-memory/rope.md\n")
    assert "is no directory" in refused(code)
    (code / "gone").symlink_to("../store/never")
    config.write_text("memory_dir=gone\n")
    assert "is a link to" in refused(code) and str(code.parent / "store/never") in refused(None, code)


def test_a_configuration_that_cannot_be_read_is_not_guessed(code: Path) -> None:
    config = code / ".floppy/config"
    moved = code.parent / "dotfiles"
    config.rename(moved)
    config.symlink_to(moved)
    assert found(code).config.note_stale_days == 90
    moved.unlink()
    assert "leads nowhere" in refused(code)
    config.unlink()
    config.mkdir()
    assert "is a directory" in refused(code) and "is a directory" in refused(None, code)
    config.rmdir()
    os.mkfifo(config)
    assert "named pipe" in refused(code)
    config.unlink()
    config.write_text("# " + "x" * (2 << 20))
    assert "larger than" in refused(code)
    config.write_text("memory_dir=a\0b\n")
    assert "NUL" in refused(code)


def test_hostile_names_are_shown_and_found(place: Path) -> None:
    odd = place / "a\nb\x1b[31m \udcff \u202e"
    lay(odd, ROUTER)
    assert found(odd).root == odd
    (odd / "MEMORY.md").unlink()
    said = refused(odd)
    assert "\n" not in said and "\x1b" not in said and said.isprintable()


def test_an_index_that_is_no_file_is_still_where_a_memory_is(place: Path) -> None:
    (place / "MEMORY.md").symlink_to("nowhere")
    assert found(place).root == place


def test_asking_makes_nothing(code: Path, place: Path, clean_environment: Path) -> None:
    lay(place / "bare", ROUTER)
    before = tree(place), tree(clean_environment)
    found(code)
    found(place / "bare")
    refused(place)
    assert (tree(place), tree(clean_environment)) == before
