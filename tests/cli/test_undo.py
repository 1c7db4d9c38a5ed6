"""``undo``: the last act of a home or of its notes comes back to the byte, or a sentence says why not."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from note_trees import TODAY, note
from os_calls import changing, killed

from floppy_tui.notes.acts import delete
from floppy_tui.store import live, note_tree
from floppy_tui.store.live import Store
from floppy_tui.store.note_tree import open_tree

Run = Callable[..., Result]
Complained = Callable[[Result], str]

NOW = datetime(2026, 10, 1, 12, tzinfo=UTC)
LEARNINGS = b"# Learnings\n\n- The gate sticks. <!--a:2026-08-01-->\n- Cranes turn. <!--a:2026-09-20-->\n"
ARCHIVE = b"# Memory archive\n"


@pytest.fixture
def home(home: Path) -> Path:
    """The home with a stale entry."""
    (home / "data/learnings.md").write_bytes(LEARNINGS)
    (home / "data/memory-archive.md").write_bytes(ARCHIVE)
    return home


def held(home: Path) -> list[bytes]:
    return [(home / "data" / name).read_bytes() for name in ("learnings.md", "memory-archive.md")]


def stow(run: Run, home: Path) -> list[bytes]:
    """A pass that takes the stale entry out; what is held after it."""
    done = run("stow", "--headless", "--accept", "headers,stale", "--home", home)
    assert done.exit_code in (0, 3), done.output
    assert held(home) != [LEARNINGS, ARCHIVE]
    return held(home)


def listed(run: Run, home: Path) -> list[dict[str, Any]]:
    acts: list[dict[str, Any]] = json.loads(run("undo", "--list", "--home", home, "--json").stdout_bytes)
    return acts


def with_notes(home: Path) -> Path:
    """The home with a note tree in it; where that is."""
    memory = home / ".agent-memory"
    (memory / "yard").mkdir(parents=True)
    (memory / "MEMORY.md").write_text("# Memory\n\n- [Yard](yard/INDEX.md) — ropes\n")
    (memory / "quota.lock").write_text("chars_max=9000\n")
    (memory / "yard/INDEX.md").write_text("# Yard\n\n- [Rope](rope.md) — it\n")
    (memory / "yard/rope.md").write_text(note("rope"))
    return memory


def delete_rope(memory: Path) -> str:
    store = open_tree(memory, cwd=memory, today=lambda: TODAY)
    return store.apply(delete(store.read(), "yard/rope.md", replaced_by="the new rope", relink=None))


def test_a_pass_comes_back_and_is_done_again(run: Run, home: Path) -> None:
    after = stow(run, home)
    result = run("undo", "--home", home)
    assert (result.exit_code, result.stderr) == (0, "")
    assert held(home) == [LEARNINGS, ARCHIVE]
    lines = result.stdout.splitlines()
    assert lines[0] == "Undone: stow pass of 2026-10-01"
    assert {"learnings.md", "memory-archive.md"} <= set(lines)
    assert lines[-1].startswith("What the pass did outside the memory stays")
    result = run("undo", "--redo", "--home", home)
    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, "Done again: stow pass of 2026-10-01")
    assert held(home) == after


def test_an_act_is_named_by_its_id_both_ways(run: Run, home: Path) -> None:
    after = stow(run, home)
    (act,) = listed(run, home)
    assert (act["words"], act["kind"], act["why_not"]) == ("stow pass of 2026-10-01", "done", None)
    undone = json.loads(run("undo", act["act"], "--home", home, "--json").stdout_bytes)
    assert undone["undoes"] == act["act"] and undone["words"] == act["words"]
    assert held(home) == [LEARNINGS, ARCHIVE]
    again = json.loads(run("undo", act["act"], "--redo", "--home", home, "--json").stdout_bytes)
    assert again["undoes"] == undone["act"]
    assert held(home) == after
    assert [(a["act"], a["kind"]) for a in listed(run, home)] == [
        (again["act"], "done"),
        (undone["act"], "undone"),
        (act["act"], "done"),
    ]


def test_what_cannot_be_undone_is_said_and_stays(
    run: Run, home: Path, complained: Complained, seen: Callable[[Path], object]
) -> None:
    assert "Nothing was done yet" in complained(run("undo", "--home", home))
    assert "Nothing was undone" in complained(run("undo", "--redo", "--home", home))
    assert run("undo", "--list", "--home", home).stdout == ""
    stow(run, home)
    (act,) = listed(run, home)
    with (home / "data/memory-archive.md").open("ab") as archive:
        archive.write(b"- Theirs.\n")
    before = seen(home / "data")
    for words in ((), (act["act"],)):
        assert "memory-archive.md is no longer what the act left" in complained(
            run("undo", *words, "--home", home)
        )
    assert "There is no act 7\u241b[1m here" in complained(run("undo", "7\x1b[1m", "--home", home))
    assert "It was not undone" in complained(run("undo", act["act"], "--redo", "--home", home))
    assert "--list" in complained(run("undo", act["act"], "--list", "--home", home))
    assert seen(home / "data") == before
    lines = run("undo", "--list", "--home", home).stdout.splitlines()
    assert lines[0] == f"{act['act']}  stow pass of 2026-10-01"
    assert "memory-archive.md is no longer" in lines[2]


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, int], None]:
    """Set the seconds at which a home and a note tree do what they do."""

    def clocks(home: int, notes: int) -> None:
        for module, seconds in ((live, home), (note_tree, notes)):
            monkeypatch.setattr(module, "_now", lambda at=NOW + timedelta(seconds=seconds): at)

    return clocks


def test_of_a_home_and_its_notes_the_newer_act_comes_back(
    run: Run, home: Path, clocks: Callable[[int, int], None]
) -> None:
    memory = with_notes(home)
    tree = {path: path.read_bytes() for path in memory.rglob("*") if path.is_file()}
    clocks(5, 7)
    stow(run, home)
    delete_rope(memory)
    assert [act["words"].split()[0] for act in listed(run, home)] == ["delete", "stow"]
    clocks(9, 8)
    assert run("undo", "--home", home).stdout.startswith("Undone: delete")
    assert {path: path.read_bytes() for path in memory.rglob("*") if path.is_file()} == tree
    assert run("undo", "--home", home).stdout.startswith("Undone: stow")
    assert held(home) == [LEARNINGS, ARCHIVE]
    assert run("undo", "--redo", "--home", home).stdout.startswith("Done again: stow")
    assert run("undo", "--redo", "--home", home).stdout.startswith("Done again: delete")
    assert not (memory / "yard/rope.md").exists()


def test_an_id_that_both_have_is_not_guessed_at(
    run: Run, home: Path, clocks: Callable[[int, int], None], complained: Complained
) -> None:
    memory = with_notes(home)
    clocks(5, 5)
    after = stow(run, home)
    id = delete_rope(memory)
    assert [act["act"] for act in listed(run, home)] == [id, id]
    assert "Both the home and its notes" in complained(run("undo", id, "--home", home))
    assert run("undo", id, "--home", memory).stdout.startswith("Undone: delete")
    assert held(home) == after
    assert (memory / "yard/rope.md").read_text() == note("rope")


def test_an_interrupted_act_is_put_back_first(run: Run, home: Path) -> None:
    after = stow(run, home)
    store = Store.open(home, env={}, cwd=home, today=lambda: TODAY)
    (act,) = store.past_acts()
    assert killed(lambda: store.undo(act.id), 20, changing)
    result = run("undo", "--home", home)
    assert result.exit_code == 0
    assert "was interrupted and has been rolled back" in result.stderr
    assert held(home) == [LEARNINGS, ARCHIVE]
    assert held(home) != after
