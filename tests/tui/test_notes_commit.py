"""Committing the notes under a person's keys: exactly the files chosen, each step shown, git's own words."""

from __future__ import annotations

import tempfile
from datetime import date
from pathlib import Path

import pytest
from notes_pilot import TREE, NotesReader, lay, note, notes_reading
from repositories import commit, git, init

from floppy_tui.notes.acts import recheck
from floppy_tui.tui.screens.notes_commit import CommitScreen
from floppy_tui.tui.screens.notes_form import NoteForm
from floppy_tui.tui.widgets.stow_inputs import EntryEditor

TODAY = date(2026, 10, 1)
MEMORY = ".agent-memory"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A floppy repository with a bare remote on disk, to which it pushes."""
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Captain")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "captain@example.org")
    root = init(tmp_path / "code")
    tree = {f"{MEMORY}/{path}": data for path, data in TREE.items() if not path.startswith("private/")}
    lay(root, tree | {".floppy/config": b"commit_push=auto\n", "main.py": b"1\n"})
    commit(root, ".")
    git(tmp_path, "clone", "-q", "--bare", str(root), "remote.git")
    git(root, "remote", "add", "origin", str(tmp_path / "remote.git"))
    git(root, "fetch", "-q")
    git(root, "branch", "-q", "--set-upstream-to=origin/main")
    return root


async def opened(reader: NotesReader) -> CommitScreen:
    await reader.press("K")
    await reader.settle()
    screen = reader.app.screen
    assert isinstance(screen, CommitScreen)
    return screen


def held(root: Path) -> list[str]:
    said = git(root, "show", "--format=", "--name-only", "--no-renames", "-z", "HEAD")
    return sorted(name for name in said.split("\0") if name)


async def test_the_files_chosen_are_committed_and_pushed(repository: Path, tmp_path: Path) -> None:
    rope = repository / MEMORY / "yard/rope.md"
    rope.write_bytes(note("rope", "Fifty cells."))
    (repository / MEMORY / "mill/new.md").write_bytes(note("new"))
    (repository / "main.py").write_bytes(b"unfinished\n")
    async with notes_reading(repository, TODAY, (120, 40)) as reader:
        screen = await opened(reader)
        assert screen.chosen == ("mill/new.md", "yard/rope.md")
        shown = reader.text()
        assert "+ Fifty cells." in shown
        assert "main.py" not in shown
        assert "pushed to origin/main" in shown
        await reader.press("space")
        await reader.settle()
        assert screen.chosen == ("yard/rope.md",)
        await reader.press("ctrl+s")
        await reader.settle()
        assert "A commit needs a message" in reader.text()
        await reader.press("tab")
        await reader.type("Rope: fifty cells")
        await reader.press("ctrl+s")
        await reader.settle()
        shown = reader.text()
        assert "Committed and pushed." in shown, shown
        assert "$ git" in shown
        await reader.press("enter")
        await reader.settle()
    assert held(repository) == [f"{MEMORY}/yard/rope.md"]
    assert git(repository, "log", "-1", "--format=%B").strip() == "Rope: fifty cells"
    assert git(tmp_path / "remote.git", "rev-parse", "main") == git(repository, "rev-parse", "HEAD")
    assert (repository / "main.py").read_bytes() == b"unfinished\n"


async def test_a_raise_goes_into_one_commit_with_its_notes_and_never_alone(repository: Path) -> None:
    async with notes_reading(repository, TODAY, (120, 40)) as reader:
        await reader.press("Q")
        await reader.settle()
        assert isinstance(reader.app.screen, NoteForm)
        assert "half_chars_max.yard" in reader.text()
        form = reader.app.screen
        form.query_one("#field-number").value = "400"  # type: ignore[attr-defined]
        form.query_one("#field-reason").value = "the rope has more to say"  # type: ignore[attr-defined]
        await reader.press("ctrl+s")
        await reader.settle()
        await reader.press("enter")
        await reader.settle()
        screen = reader.app.screen
        assert isinstance(screen, CommitScreen)
        assert screen.chosen == ("quota.lock",)
        await reader.press("ctrl+s")
        await reader.settle()
        assert "raises half_chars_max.yard on its own" in reader.text()
        assert held(repository) != [f"{MEMORY}/quota.lock"]
        await reader.press("escape")
        await reader.settle()
        (repository / MEMORY / "yard/rope.md").write_bytes(note("rope", "Fifty cells, and more."))
        await opened(reader)
        await reader.press("ctrl+s")
        await reader.settle()
        assert "Committed and pushed." in reader.text()
    assert held(repository) == [f"{MEMORY}/quota.lock", f"{MEMORY}/yard/rope.md"]
    said = git(repository, "log", "-1", "--format=%B").strip()
    assert said == "Raise half_chars_max.yard from 300 to 400\n\nthe rope has more to say"


async def test_a_conflict_is_shown_in_gits_words(repository: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "remote.git", "other")
    other = tmp_path / "other" / MEMORY / "yard/rope.md"
    other.write_bytes(note("rope", "Sixty cells."))
    commit(tmp_path / "other", f"{MEMORY}/yard/rope.md")
    git(tmp_path / "other", "push", "-q")
    rope = repository / MEMORY / "yard/rope.md"
    rope.write_bytes(note("rope", "Fifty cells."))
    async with notes_reading(repository, TODAY, (100, 50)) as reader:
        screen = await opened(reader)
        screen.query_one("#message").load("Rope")  # type: ignore[attr-defined]
        await reader.press("ctrl+s")
        await reader.settle()
        shown = reader.text()
        assert "CONFLICT" in shown
        assert "Committed here, and not pushed" in shown
    assert rope.read_bytes() == note("rope", "Fifty cells.")
    assert git(repository, "status", "--porcelain") == ""


async def test_what_goes_with_it_and_why_no_difference_is_shown(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "main.py").write_bytes(b"2\n")
    commit(repository, "main.py")
    (repository / MEMORY / "yard/rope.md").write_bytes(note("rope", "Fifty cells."))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "absent"))
    async with notes_reading(repository, TODAY, (120, 40)) as reader:
        await opened(reader)
        assert "1 earlier commit not yet pushed would go with it" in reader.text()
        assert "The difference cannot be shown: there is no room for it" in reader.text()
        assert "commits these files" in reader.text()


async def test_notes_that_nothing_would_publish_are_said_to_be_so(repository: Path) -> None:
    (repository / ".gitignore").write_bytes(f"/{MEMORY}\n".encode())
    git(repository, "rm", "-rq", "--cached", MEMORY)
    git(repository, "commit", "-qm", "The store holds them")
    async with notes_reading(repository, TODAY, (120, 40)) as reader:
        screen = await opened(reader)
        assert screen.chosen == ()
        assert "git ignores it" in reader.text()


async def test_the_message_is_proposed_from_acts_on_the_files_of_the_commit_alone(repository: Path) -> None:
    lay(repository, {"docs/statuses/JOURNAL.md": b"# Journal\n"})
    async with notes_reading(repository, TODAY, (120, 40)) as reader:
        store = reader.notes.notes_store
        store.append_journal("Why", "So.")
        tree = store.read()
        store.apply(recheck(tree, "yard/rope.md", TODAY))
        screen = await opened(reader)
        assert screen.query_one("#message", EntryEditor).words == "Re-check rope: still true on 2026-10-01"
