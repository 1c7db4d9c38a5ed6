"""Where our own state lives, and the few files in it."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path

import pytest

from floppy_tui.store.files import Refusal
from floppy_tui.store.state import (
    clear_pass,
    git_dir,
    list_receipts,
    load_pass,
    log_path,
    open_state,
    save_pass,
    state_dir,
    write_receipt,
)

DAY = date(2026, 10, 1)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    made = tmp_path.resolve() / "home"
    made.mkdir()
    return made


def repository(root: Path) -> Path:
    (root / ".git").mkdir()
    (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return root / ".git"


def test_a_home_with_a_state_directory_keeps_it_there(home: Path) -> None:
    (home / "state").mkdir()
    assert state_dir(home, tiered=True) == home / "state" / "floppy-tui"
    assert list((home / "state").iterdir()) == []


def test_the_override_stands_for_the_state_directory(home: Path, tmp_path: Path) -> None:
    (home / "state").mkdir()
    assert state_dir(home, tiered=True, override=tmp_path / "o") == tmp_path.resolve() / "o" / "floppy-tui"


def test_a_repository_without_one_keeps_it_in_its_git_directory(home: Path) -> None:
    git = repository(home)
    (home / "memory").mkdir()
    (home / "state").mkdir()  # the sources of something, in a repository of code
    assert state_dir(home, tiered=False) == git / "floppy-tui"
    assert state_dir(home / "memory", tiered=False) == git / "floppy-tui"


@pytest.mark.parametrize("relative", [True, False])
def test_the_git_file_of_a_linked_work_tree_is_followed(home: Path, relative: bool) -> None:
    own = repository(home) / "worktrees" / "two"
    own.mkdir(parents=True)
    (own / "HEAD").write_text("ref: refs/heads/two\n")
    tree = home.with_name("two")
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {os.path.relpath(own, tree) if relative else own}\n")
    assert git_dir(tree) == own


@pytest.mark.parametrize("said", [b"gitdir: /nowhere\n", b"rubbish", b"\xff\x00"])
def test_a_git_file_that_leads_nowhere_is_none(home: Path, said: bytes) -> None:
    (home / ".git").write_bytes(said)
    assert git_dir(home) is None


def test_anything_else_keeps_it_with_the_user_by_the_hash_of_the_path(
    home: Path, clean_environment: Path
) -> None:
    first = state_dir(home, tiered=True)
    assert first.is_relative_to(clean_environment.resolve())
    assert state_dir(home.parent / "." / "home", tiered=True) == first
    assert state_dir(home.parent, tiered=True) != first
    assert not first.exists()


def test_a_linked_state_directory_is_refused(home: Path, tmp_path: Path) -> None:
    (home / "state").symlink_to(tmp_path)
    with pytest.raises(Refusal) as caught:
        state_dir(home, tiered=True)
    assert (caught.value.what, caught.value.path) == ("symlink", home / "state")


def test_it_is_private_and_ignored(home: Path) -> None:
    state = home / "state" / "floppy-tui"
    (home / "state").mkdir(mode=0o755)
    open_state(state).close()
    assert (state / ".gitignore").read_bytes() == b"*\n"
    assert state.stat().st_mode & 0o777 == 0o700
    assert (home / "state").stat().st_mode & 0o777 == 0o755


def test_the_open_pass_is_kept_until_it_is_cleared(home: Path) -> None:
    state = home / "s"
    assert load_pass(state) is None
    clear_pass(state)
    assert not state.exists()
    save_pass(state, b"one")
    save_pass(state, b"two")
    assert load_pass(state) == b"two"
    assert (state / "pass.json").stat().st_mode & 0o777 == 0o600
    clear_pass(state)
    assert load_pass(state) is None


def test_a_linked_pass_is_neither_read_nor_written(home: Path) -> None:
    state = home / "s"
    state.mkdir()
    (home / "other").write_bytes(b"other")
    (state / "pass.json").symlink_to(home / "other")
    for deed in (lambda: load_pass(state), lambda: save_pass(state, b"x"), lambda: clear_pass(state)):
        with pytest.raises(Refusal):
            deed()
    assert (home / "other").read_bytes() == b"other"


def test_receipts_are_numbered_and_never_written_over(home: Path) -> None:
    state = home / "s"
    assert list_receipts(state) == []
    written = [write_receipt(state, DAY, b"# %d" % n, b"{}") for n in range(11)]
    written.append(write_receipt(state, date(2026, 9, 30), b"# before", b'{"a":1}'))
    assert [path.name for path in written[:3]] == ["2026-10-01.md", "2026-10-01-2.md", "2026-10-01-3.md"]
    assert [path.read_bytes() for path in written[:2]] == [b"# 0", b"# 1"]
    assert written[-1].with_suffix(".json").read_bytes() == b'{"a":1}'
    assert list_receipts(state) == [*reversed(written[:11]), written[-1]]
    assert written[0].stat().st_mode & 0o777 == 0o600


def test_a_receipt_avoids_the_numbers_of_halves(home: Path) -> None:
    state = home / "s"
    write_receipt(state, DAY, b"#", b"{}")
    (state / "receipts" / "2026-10-01-2.json").write_bytes(b"half")
    assert write_receipt(state, DAY, b"#", b"{}").name == "2026-10-01-3.md"


def test_the_log_lies_in_it(home: Path) -> None:
    assert log_path(home / "s") == home / "s" / "floppy-tui.log"
