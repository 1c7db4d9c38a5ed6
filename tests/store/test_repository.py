"""What git says of a home, on real repositories: in its own words, and nothing of theirs is run."""

from __future__ import annotations

from pathlib import Path

import pytest
from repositories import commit, git, init, tree, write

from floppy_tui.store.repository import Repository

SKILL = ".agents/skills/tides/SKILL.md"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return init(tmp_path.resolve() / "a home")


def test_where_the_work_tree_begins(home: Path, tmp_path: Path) -> None:
    inner = home / "fleet" / "mate"
    inner.mkdir(parents=True)
    assert Repository(home).top().out == f"{home}\n"
    assert Repository(home).prefix().out == "\n"
    assert Repository(inner).prefix().out == "fleet/mate/\n"
    assert Repository(inner).exclude_file()[1] == home / ".git/info/exclude"
    outside = Repository(tmp_path).top()
    assert not outside.ok
    assert outside.words.startswith("fatal: not a git repository")
    assert outside.line == f"git -C {tmp_path} rev-parse --show-toplevel"
    assert Repository(home).top().line == f"git -C '{home}' rev-parse --show-toplevel"


def test_a_linked_work_tree_shares_the_exclude_file_of_the_main_one(home: Path, tmp_path: Path) -> None:
    write(home, {"README.md": "Hello.\n"})
    commit(home, "README.md")
    other = tmp_path.resolve() / "other"
    git(home, "worktree", "add", "-q", str(other))
    assert Repository(other).exclude_file()[1] == home / ".git/info/exclude"
    assert Repository(other).linked()
    assert not Repository(home).linked()


def test_the_index_is_searched_in_any_case_and_names_are_literal(home: Path) -> None:
    write(home, {".agents/skills/Tides/SKILL.md": "x", ".agents/skills/*/SKILL.md": "y", "top.md": "z"})
    commit(home, ".agents", "top.md")
    ask = Repository(home)
    assert ask.tracked(".agents/skills/tides")[1] == (".agents/skills/Tides/SKILL.md",)
    assert ask.tracked(".agents/skills/*")[1] == (".agents/skills/*/SKILL.md",)
    assert ask.tracked(".agents/skills/tide")[1] == ()
    assert len(ask.tracked()[1]) == 3
    assert ask.tracked(".agents/skills/tides")[0].words.startswith(".agents/skills/Tides")


@pytest.mark.parametrize(
    ("rules", "ignored"),
    [
        ("", ""),
        ("/.agents/skills/tides/\n", ".git/info/exclude:1: /.agents/skills/tides/"),
        ("/.agents/skills/tides/\n!/.agents/skills/tides/\n", ""),
        ("SKILL.md\n!SKILL.md\n", ""),
    ],
)
def test_a_path_is_ignored_only_where_the_last_rule_says_so(home: Path, rules: str, ignored: str) -> None:
    (home / ".git/info/exclude").write_text(rules)
    answer, rule = Repository(home).check_ignore(SKILL)
    assert str(rule or "") == ignored
    assert answer.line.endswith(f"check-ignore -v -- {SKILL}")
    odd = 'data/on\ne "two".md'
    (home / ".git/info/exclude").write_text(rules + "/data/\n")
    assert Repository(home).ignored([odd, "top.md"])[odd].pattern == "/data/"


def test_a_tracked_path_is_not_ignored(home: Path) -> None:
    write(home, {"data/note.md": "x\n", ".gitignore": "/data/\n"})
    commit(home, "data/note.md")
    assert set(Repository(home).ignored(["data/note.md", "data/other.md"])) == {"data/other.md"}


def test_one_path_that_git_will_not_hear_of_spoils_no_other(home: Path) -> None:
    write(home, {".gitignore": "/data/\n", "link": ""})
    (home / "link").unlink()
    (home / "link").symlink_to("data")
    found = Repository(home).ignored(["link/a.md", "data/b.md", "../c.md"])
    assert set(found) == {"data/b.md"}


def test_nothing_is_written_and_nothing_of_theirs_is_run(home: Path, tmp_path: Path) -> None:
    write(home, {"a.md": "a\n"})
    commit(home, "a.md")
    hook = tmp_path / "monitor"
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    hook.chmod(0o755)
    git(home, "config", "core.fsmonitor", str(hook))
    (home / ".git/hooks").mkdir()
    (home / ".git/hooks/post-index-change").write_text(hook.read_text())
    (home / ".git/hooks/post-index-change").chmod(0o755)
    (home / "a.md").touch()
    before = tree(home)
    ask = Repository(home)
    assert ask.status("a.md").out == ""
    ask.tracked("a.md")
    ask.check_ignore(SKILL)
    assert tree(home) == before
    assert not (tmp_path / "ran").exists()


def test_variables_that_point_git_elsewhere_do_not_count(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "no index"))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(home))
    monkeypatch.setenv("GIT_GLOB_PATHSPECS", "1")
    inner = home / "fleet"
    inner.mkdir()
    assert Repository(inner).top().out == f"{home}\n"
    assert Repository(home).tracked()[0].ok


def test_git_that_is_not_there_or_does_not_end(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Repository(home, timeout=0.2).ask("-c", "alias.z=!sleep 20", "z")
    assert not slow.ok
    assert slow.words == "git gave no answer within 0.2 seconds"
    monkeypatch.setenv("PATH", str(home))
    gone = Repository(home).top()
    assert not gone.ok
    assert gone.words == "git is not on the PATH; install it"
