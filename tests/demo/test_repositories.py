"""The sample home stands in a repository that knows only what may be known, and one project is cloned."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner
from repositories import git

from floppy_tui.cli.main import main
from floppy_tui.demo import build, files
from floppy_tui.demo.note_tree import HEAT, ROOTS
from floppy_tui.demo.places import NOTE, PROJECT, RELEASES, SKILL, TIDEFEED


@pytest.fixture
def home(tmp_path: Path, today: date) -> Path:
    """The sample home, as ``demo`` lays it out."""
    return build(tmp_path / "home", today)


def test_only_what_is_for_everybody_is_committed(home: Path) -> None:
    tracked = git(home, "ls-files").split("\n")
    notes = [path for path in tracked if path.startswith(ROOTS)]
    assert [path for path in tracked if path not in notes] == [
        ".agents/skills/handover/SKILL.md",
        ".gitignore",
        "AGENTS.md",
        "docs/handbook.md",
    ]
    assert len(notes) > 15 and HEAT not in notes and not any("/private/" in path for path in notes)
    assert git(home, "status", "--porcelain", "--untracked-files=all") == ""
    assert git(home, "fsck", "--strict") == ""


def test_the_local_skill_and_the_notes_are_ignored_by_rules_of_their_own(home: Path) -> None:
    sources = [line.split(":")[0] for line in git(home, "check-ignore", "-v", SKILL, NOTE).split("\n")]
    assert sources == [".git/info/exclude", ".gitignore"]


def test_the_project_is_a_clone_with_releases(home: Path) -> None:
    clone = home / PROJECT
    assert git(clone, "rev-parse", "--show-toplevel") == str(clone)
    assert git(clone, "tag", "--sort=creatordate") == "\n".join(RELEASES)
    assert git(clone, "rev-parse", "--abbrev-ref", "origin/HEAD") == "origin/main"
    assert git(clone, "show", "origin/main:AGENTS.md") == TIDEFEED.rstrip("\n")
    assert git(clone, "status", "--porcelain") == ""


def test_it_is_the_same_on_any_machine_and_nothing_of_the_user_is_in_it(
    home: Path, tmp_path: Path, today: date, clean_environment: Path
) -> None:
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    (hooks / "reference-transaction").write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    (hooks / "reference-transaction").chmod(0o700)
    (clean_environment / ".gitconfig").write_text(
        f"[user]\nname = Somebody\nemail = s@b.test\n[core]\nhooksPath = {hooks}\n"
        "[init]\ndefaultBranch = trunk\n"
    )
    again = build(tmp_path / "again", today)
    for root in (again, again / PROJECT):
        other = home / root.relative_to(again)
        assert git(root, "show-ref") == git(other, "show-ref")
        assert git(root, "log", "--format=%an %cn") == git(other, "log", "--format=%an %cn")
        assert "Somebody" not in git(root, "log", "--format=%an%ae")
    assert not (tmp_path / "ran").exists()


def test_in_a_repository_of_somebody_else_it_stands_by_itself(tmp_path: Path, today: date) -> None:
    git(tmp_path, "init", "-q")
    home = build(tmp_path / "home", today)
    assert git(home, "rev-parse", "--show-toplevel") == str(home)


def test_without_git_it_is_laid_out_and_says_so(
    tmp_path: Path, today: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("FLOPPY_TODAY", today.isoformat())
    result = CliRunner().invoke(main, ["demo", str(tmp_path / "home"), "--no-open"])
    assert (result.exit_code, result.stdout) == (0, f"{tmp_path / 'home'}\n")
    assert result.stderr.startswith("floppy-tui: git is not on the PATH: ")
    assert result.stderr.count("\n") == 1
    assert all(
        (tmp_path / "home" / path).read_bytes() == data for path, data in files(today, tool=False).items()
    )


def test_where_git_fails_nothing_of_a_repository_is_left(
    tmp_path: Path, today: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = tmp_path / "git"
    fake.write_text('#!/bin/sh\ncase "$*" in *fast-import*) echo "no room for it" >&2; exit 128;; esac\n')
    fake.write_text(fake.read_text() + "mkdir -p .git; exec true\n")
    fake.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    said: list[str] = []
    home = build(tmp_path / "home", today, say=said.append)
    assert len(said) == 1 and "no room for it" in said[0]
    assert not (home / ".git").exists() and (home / "data/learnings.md").exists()
