"""Changes around a note tree arrive in time, from wherever its parts lie, and from nowhere else."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from time import monotonic

import pytest
from note_trees import TODAY, note
from repositories import init, write
from watched import Watched, gathered

from floppy_tui.store.note_tree import NoteStore, open_tree

MEMORY = {"MEMORY.md": "# Memory\n", "yard/INDEX.md": "# Yard\n", "yard/rope.md": note("rope")}


@pytest.fixture
def code(tmp_path: Path) -> Path:
    root = init(tmp_path.resolve() / "code")
    write(root, {".floppy/config": "machine_key=mate\n", "docs/statuses/NOW.md": "# Now\n", "src/x.c": ""})
    write(root, {f".agent-memory/{path}": text for path, text in MEMORY.items()})
    return root


@pytest.fixture(params=[False, True], ids=["told", "polling"])
def store(request: pytest.FixtureRequest, code: Path) -> NoteStore:
    found = open_tree(code, env={}, cwd=code, today=lambda: TODAY)
    found.settings = replace(found.settings, polling=bool(request.param))
    return found


@pytest.fixture
async def watching(store: NoteStore) -> AsyncIterator[Watched]:
    async with gathered(store.changes) as watched:
        yield watched


async def test_a_change_arrives_well_within_300_ms(code: Path, watching: Watched) -> None:
    rope, took = code / ".agent-memory/yard/rope.md", []
    for number in range(7):
        began = monotonic()
        rope.write_text(f"{number}\n")
        await watching.until(rope)
        took.append(monotonic() - began)
        while not watching.reports.empty():
            watching.reports.get_nowait()
    assert sorted(took)[len(took) // 2] < 0.25


async def test_every_part_of_it_is_watched(code: Path, watching: Watched) -> None:
    for path in (
        ".agent-memory/MEMORY.md",
        ".agent-memory/quota.lock",
        ".agent-memory/new/deep/note.md",
        ".agent-memory/private/machines/mate/NOW.md",
        ".floppy/config",
        ".floppy/heat.log",
        "docs/statuses/NOW.md",
        "docs/statuses/JOURNAL.md",
    ):
        write(code, {path: "changed\n"})
        await watching.until(code / path)
    (code / ".agent-memory/yard/rope.md").unlink()
    await watching.until(code / ".agent-memory/yard/rope.md")


async def test_what_lies_around_it_is_not(code: Path, watching: Watched) -> None:
    for path in ("src/x.c", "docs/statuses/other.txt", "README.md", ".git/index.lock", ".floppy/run"):
        write(code, {path: "changed\n"})
    write(code, {".agent-memory/MEMORY.md": "# Mine\n"})
    assert await watching.next() == {code / ".agent-memory/MEMORY.md"}


async def test_a_scope_that_is_wired_meanwhile_is_watched_from_then_on(code: Path, watching: Watched) -> None:
    others = code.parent / "others"
    write(others, {"pin.md": "x", ".git/HEAD": "x"})
    (code / ".agent-memory/private").symlink_to(others)
    await watching.until(code / ".agent-memory/private")
    # What is to be read anew is said once more when it is watched.
    while await watching.next():
        pass
    write(others, {"pin.md": "y"})
    await watching.until(others / "pin.md")


async def test_a_store_is_watched_and_so_is_the_link_to_it(code: Path, store: NoteStore) -> None:
    first, second = code.parent / "one", code.parent / "two"
    (code / ".agent-memory").rename(init(first) / "berth")
    (code / ".agent-memory").symlink_to(first / "berth")
    write(init(second), {f"berth/{path}": text for path, text in MEMORY.items()})
    store.read()
    async with gathered(store.changes) as watched:
        write(first, {"berth/MEMORY.md": "# One\n", ".git/x": "x", "other.md": "x"})
        assert await watched.next() == {first / "berth/MEMORY.md"}
        (code / "link").symlink_to(second / "berth")
        (code / "link").rename(code / ".agent-memory")
        await watched.until(code / ".agent-memory")
        while await watched.next():
            pass
        write(second, {"berth/yard/rope.md": "two\n"})
        await watched.until(second / "berth/yard/rope.md")


async def test_a_memory_that_goes_and_comes_back_is_watched_on(code: Path, watching: Watched) -> None:
    memory, away = code / ".agent-memory", code / "away"
    memory.rename(away)
    await watching.until(memory / "MEMORY.md")
    away.rename(memory)
    await watching.until(memory / "MEMORY.md")
    write(memory, {"yard/rope.md": "again\n"})
    await watching.until(memory / "yard/rope.md")


async def test_a_bare_directory_is_watched(tmp_path: Path) -> None:
    root = tmp_path.resolve() / "memory"
    write(root, MEMORY)
    async with gathered(open_tree(root, env={}, cwd=root).changes) as watched:
        write(root, {"yard/rope.md": "x"})
        await watched.until(root / "yard/rope.md")
