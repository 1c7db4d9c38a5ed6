"""Each ugly note tree has its trouble, and no other."""

from __future__ import annotations

import stat
from datetime import date
from pathlib import Path

import pytest
from demo.trees import read
from repositories import git

from floppy_tui.demo import UglyTree, build_ugly_tree
from floppy_tui.demo.note_tree import tree
from floppy_tui.notes.findings import Severity
from floppy_tui.notes.lint import lint
from floppy_tui.notes.note import Note
from floppy_tui.text.lines import decode


def regular(root: Path) -> dict[str, bytes]:
    """The regular files below ``root``, but for git's."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and not path.is_symlink() and ".git" not in path.relative_to(root).parts
    }


def test_empty_has_an_empty_router(tmp_path: Path, today: date) -> None:
    root = build_ugly_tree(tmp_path / "tree", UglyTree.EMPTY, today)
    assert regular(root) == {"MEMORY.md": b""}


def test_huge_is_large_and_has_no_error(tmp_path: Path, today: date) -> None:
    found = regular(build_ugly_tree(tmp_path / "tree", UglyTree.HUGE, today))
    notes = read(found, today)
    assert len(notes.own) == 1_500
    assert all(15_000 < note.chars <= 17_000 for note in notes.own)
    assert [f for f in lint(notes) if f.severity is Severity.ERROR] == []


def test_read_only_gives_nobody_the_right_to_write(tmp_path: Path, today: date) -> None:
    root = build_ugly_tree(tmp_path / "tree", "read-only", today)
    memory = root / ".agent-memory"
    modes = {stat.S_IMODE(path.stat().st_mode) & 0o222 for path in (memory, *memory.rglob("*"))}
    assert modes == {0} and stat.S_IMODE(root.stat().st_mode) == 0o700
    assert regular(root) == tree(today) | {".gitignore": b"/.agent-memory/private/\n"}
    assert git(root, "status", "--porcelain", "--untracked-files=all") == ""


def test_broken_has_hardly_a_note(tmp_path: Path, today: date) -> None:
    root = build_ugly_tree(tmp_path / "tree", "broken", today) / "memory"
    assert (root / "linked.md").is_symlink() and (root / "linked.md").read_bytes().startswith(b"---\n")
    assert stat.S_ISFIFO((root / "pipe.md").lstat().st_mode) and (root / "folder.md").is_dir()
    found = {path: data for path, data in regular(root).items() if path.rpartition("/")[2] != "MEMORY.md"}
    assert all(Note(path, decode(data)).front is None for path, data in found.items())
    with pytest.raises(UnicodeDecodeError):
        found["latin.md"].decode()
    assert found["windows.md"].startswith(b"\xef\xbb\xbf") and b"\r\n" in found["windows.md"]
    assert max(len(line) for line in found["long.md"].split(b"\n")) > 999_000
    assert b"<<<<<<<" in (root / "MEMORY.md").read_bytes()


def test_half_done_is_ignored_and_no_link(tmp_path: Path, today: date) -> None:
    root = build_ugly_tree(tmp_path / "tree", "half-done", today)
    assert git(root, "check-ignore", ".agent-memory") == ".agent-memory"
    assert (root / ".agent-memory").is_dir() and not (root / ".agent-memory").is_symlink()
    assert [path for path in git(root, "ls-files").split("\n") if path.startswith(".agent-memory")] == []
    assert git(root, "status", "--porcelain", "--untracked-files=all") == ""
    assert "memory_repo=" in (root / ".floppy/config").read_text()


def test_another_kind_is_refused_before_anything_is_made(tmp_path: Path, today: date) -> None:
    with pytest.raises(ValueError, match="sunken"):
        build_ugly_tree(tmp_path / "tree", "sunken", today)
    assert not (tmp_path / "tree").exists()
