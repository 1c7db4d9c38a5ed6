"""Acts on the notes where something stands in the way: a lock, a stop, a refusal, a journal's past."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import nullcontext
from datetime import date
from pathlib import Path

import pytest
from notes_pilot import TREE, NotesReader, lay, note, notes_reading
from repositories import commit, git, init, tree

from floppy_tui.store.note_tree import NoteStore
from floppy_tui.tui.screens.notes_commit import CommitScreen
from floppy_tui.tui.screens.notes_plan import PlanScreen
from floppy_tui.tui.screens.notes_split import SplitForm

TODAY = date(2026, 10, 1)
MEMORY = ".agent-memory"
PAST = "# Journal\n\n## 2026-09-01\n\nWhy it was.\r\n\n## Before\n\nOlder.\n"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A floppy repository that pushes to a bare remote on disk, with three notes that make a group."""
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Captain")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "captain@example.org")
    root = init(tmp_path / "code")
    files = {f"{MEMORY}/{path}": data for path, data in TREE.items() if not path.startswith("private/")}
    tides = [f"tide-{letter}" for letter in "abc"]
    files |= {f"{MEMORY}/mill/{tide}.md": note(tide) for tide in tides}
    index = f"{MEMORY}/mill/INDEX.md"
    files[index] += "".join(f"- [{tide}]({tide}.md) — {tide}\n" for tide in tides).encode()
    lay(root, files | {".floppy/config": b"commit_push=auto\n", "docs/statuses/JOURNAL.md": PAST.encode()})
    commit(root, ".")
    git(tmp_path, "clone", "-q", "--bare", str(root), "remote.git")
    git(root, "remote", "add", "origin", str(tmp_path / "remote.git"))
    git(root, "fetch", "-q")
    git(root, "branch", "-q", "--set-upstream-to=origin/main")
    return root


def kept(root: Path) -> dict[str, tuple[int, bytes | str]]:
    return {path: held for path, held in tree(root).items() if not path.startswith(".git/")}


async def at(reader: NotesReader, path: str) -> None:
    reader.notes.go_to(path)
    await reader.settle()


async def test_a_split_waits_for_who_wraps_and_takes_over_only_when_told_to(repository: Path) -> None:
    lock = repository / ".git/wrap.lock"
    lock.mkdir()
    said = b"owner=night shift\nsince=2026-10-01T00:00:00Z\npid=7\nhost=quay\n"
    (lock / "owner").write_bytes(said)
    before = kept(repository)
    async with notes_reading(repository, TODAY, (100, 40)) as reader:
        await reader.press("i")
        await at(reader, "yard/INDEX.md")
        await reader.press("P")
        await reader.settle()
        assert reader.app.screen.query_one("#field-index").value == "yard/INDEX.md"  # type: ignore[attr-defined]
        await reader.press("escape", "n")
        await at(reader, "yard/rope.md")
        await reader.press("P")
        await reader.settle()
        form = reader.app.screen
        assert isinstance(form, SplitForm), reader.text()
        assert form.values().lines["index"] == "mill/INDEX.md"
        assert form.values().several["notes"] == ("mill/tide-a.md", "mill/tide-b.md", "mill/tide-c.md")
        form.put("index", "yard/INDEX.md")
        await reader.settle()
        assert form.values().lines["group"] == ""
        assert "[ ] rope" in reader.text()
        form.put("index", "mill/INDEX.md")
        await reader.settle()
        form.put("group", "tides")
        await reader.settle()
        assert len(form.values().several["notes"]) == 3
        await reader.press("ctrl+s")
        await reader.settle()
        assert isinstance(reader.app.screen, PlanScreen), reader.text()
        await reader.press("enter")
        await reader.settle()
        assert "night shift on quay" in reader.text()
        await reader.press("T")
        await reader.settle()
        assert "No abandoned lock" in reader.text()
        assert kept(repository) == before

        old = (lock / "owner").stat().st_mtime - 3_600
        os.utime(lock / "owner", (old, old))
        await reader.press("enter")
        await reader.settle()
        assert "look for a half-written index" in reader.text()
        assert "takes the lock over" in reader.text()
        await reader.press("enter")
        await reader.settle()
        assert kept(repository) == before
        assert (lock / "owner").read_bytes() == said
        await reader.press("T")
        await reader.settle()
    assert (repository / MEMORY / "mill/tides/tide-b.md").read_bytes() == note("tide-b")
    assert not lock.exists()


async def test_the_journal_is_appended_to_and_taken_back(repository: Path) -> None:
    journal = repository / "docs/statuses/JOURNAL.md"
    async with notes_reading(repository, TODAY, (100, 40)) as reader:
        await reader.press("S")
        await reader.settle()
        await reader.press("a")
        await reader.settle()
        await reader.press("ctrl+s")
        await reader.settle()
        assert journal.read_bytes() == PAST.encode(), reader.text()
        await reader.type("Fifty, by the gauge.")
        await reader.press("ctrl+s")
        await reader.settle()
        assert journal.read_bytes() == f"{PAST}\n## 2026-10-01\n\nFifty, by the gauge.\n".encode()
        await reader.press("u")
        await reader.settle()
        assert "append to the journal" in reader.text()
        await reader.press("enter")
        await reader.settle()
    assert journal.read_bytes() == PAST.encode()


def stopping(reader: NotesReader, monkeypatch: pytest.MonkeyPatch, title: str) -> None:
    """Have the person press escape while the step after ``title`` would be about to run."""
    publish = NoteStore.commit

    def slowly(store: NoteStore, paths, message, on_step: Callable, stopped) -> object:  # type: ignore[no-untyped-def]
        def told(step) -> None:  # type: ignore[no-untyped-def]
            on_step(step)
            if step.title == title:
                reader.app.call_from_thread(reader.app.screen.do_close)

        return publish(store, paths, message, told, stopped)

    monkeypatch.setattr(NoteStore, "commit", slowly)


@pytest.mark.parametrize(
    ("title", "said", "pushed"),
    [
        ("Commit", "Committed here, and not pushed", False),
        ("Push", "Committed and pushed", True),
        ("Check the list", "Nothing was committed", False),
    ],
)
async def test_a_commit_stops_between_its_steps_and_says_what_was_done(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, title: str, said: str, pushed: bool
) -> None:
    was = git(repository, "rev-parse", "HEAD")
    (repository / MEMORY / "yard/rope.md").write_bytes(note("rope", "Fifty cells."))
    async with notes_reading(repository, TODAY, (100, 50)) as reader:
        stopping(reader, monkeypatch, title)
        await reader.press("K")
        await reader.settle()
        screen = reader.app.screen
        assert isinstance(screen, CommitScreen)
        screen.query_one("#message").load("Rope")  # type: ignore[attr-defined]
        await reader.press("ctrl+s")
        await reader.settle()
        assert said in reader.text()
    there = git(tmp_path / "remote.git", "rev-parse", "main")
    assert (there == git(repository, "rev-parse", "HEAD") != was) is pushed


async def test_a_refused_raise_leaves_the_choice_and_the_words_as_they_were(repository: Path) -> None:
    quota = repository / MEMORY / "quota.lock"
    quota.write_bytes(quota.read_bytes().replace(b"yard=300", b"yard=400"))
    rope = repository / MEMORY / "yard/rope.md"
    rope.write_bytes(note("rope", "Fifty cells."))
    async with notes_reading(repository, TODAY, (100, 50)) as reader:
        await reader.press("K")
        await reader.settle()
        screen = reader.app.screen
        assert isinstance(screen, CommitScreen)
        await reader.press("down", "space", "tab")
        await reader.type("More room")
        await reader.press("ctrl+s")
        await reader.settle()
        assert "raises half_chars_max.yard on its own" in reader.text()
        assert "commits these files" in reader.text()
        await reader.press("space", "ctrl+s")
        await reader.settle()
        assert "Committed and pushed." in reader.text()
    assert git(repository, "log", "-1", "--format=%B").strip() == "More room"
    held = git(repository, "show", "--format=", "--name-only", "HEAD").split()
    assert held == [f"{MEMORY}/quota.lock", f"{MEMORY}/yard/rope.md"]


async def test_an_edit_leaves_the_date_where_none_is_typed(repository: Path) -> None:
    async with notes_reading(repository, TODAY, launch_editor=edit) as reader:
        reader.app.suspend = nullcontext  # type: ignore[method-assign,assignment]
        await at(reader, "yard/rope.md")
        await reader.press("e")
        await reader.ready(lambda: len(reader.app.screen_stack) == 2)
        await reader.press("enter")
        await reader.settle()
        assert len(reader.app.screen_stack) == 1
    said = "Fifty cells. **Wet** it is shorter."
    assert (repository / MEMORY / "yard/rope.md").read_bytes() == note("rope", said, as_of="2026-09-20")


def edit(path: Path, line: int) -> None:
    path.write_bytes(path.read_bytes().replace(b"Forty", b"Fifty"))
