"""What git knows of an entry: only of a tracked file, and only by looking."""

from __future__ import annotations

import subprocess
from datetime import date
from pathlib import Path

import pytest

from floppy_tui.store.git import Version, history
from floppy_tui.store.live import Store

FIRST = "# Learnings\n\n- The gate sticks [/x] in frost. <!--a:2026-09-20-->\n"


def git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(root), *words], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/learnings.md").write_text(FIRST)
    git(tmp_path, "init", "-q")
    return tmp_path


def commit(home: Path, subject: str) -> Version:
    git(home, "add", "data/learnings.md")
    git(home, "commit", "-q", "-m", subject, "--date", "2026-09-20T12:00:00")
    return Version(git(home, "log", "-1", "--format=%h"), "2026-09-20", subject)


def test_the_commit_that_brought_an_entry(home: Path) -> None:
    store = Store.open(home, env={}, cwd=home, today=lambda: date(2026, 10, 1))
    assert store.history(store.read().entries[0]) == ()
    brought = commit(home, "Note the gate")
    (home / "data/learnings.md").write_text(FIRST + "- Another. <!--a:2026-09-21-->\n")
    commit(home, "Note another")
    gate, another = store.read().entries
    assert store.history(gate) == (brought,)
    assert [v.subject for v in store.history(another)] == ["Note another"]


def test_no_repository_and_no_history(tmp_path: Path) -> None:
    (tmp_path / "learnings.md").write_text(FIRST)
    assert history(tmp_path / "learnings.md", "The gate") == ()
    assert history(tmp_path / "absent" / "learnings.md", "The gate") == ()
    assert history(tmp_path / "learnings.md", "bad \udcff byte \0") == ()
