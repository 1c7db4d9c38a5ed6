"""Changes arrive in time, whatever goes and comes back on the way; nothing of ours is a change."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
import watchfiles
from watched import Watched, gathered

from floppy_tui.store import watch as module
from floppy_tui.store.watch import watch


@asynccontextmanager
async def watching(*directories: Path, **how: Any) -> AsyncIterator[Watched]:
    async with gathered(lambda stop: watch(directories, stop=stop, **how)) as watched:
        yield watched


@pytest.fixture(params=[False, True], ids=["told", "polling"])
def polling(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    made = tmp_path / "home" / "data"
    made.mkdir(parents=True)
    (made / "captain.md").write_bytes(b"- one\n")
    return made


def replace(path: Path, text: bytes = b"- replaced\n") -> None:
    staged = path.with_name(".floppy-tui-1.tmp")
    staged.write_bytes(text)
    staged.replace(path)


async def test_a_change_arrives_well_within_300_ms(data: Path, polling: bool) -> None:
    took = []
    async with watching(data, polling=polling) as watched:
        for number in range(9):
            began = monotonic()
            (data / "captain.md").write_bytes(b"- %d\n" % number)
            await watched.until(data / "captain.md")
            took.append(monotonic() - began)
            while not watched.reports.empty():
                watched.reports.get_nowait()
    assert sorted(took)[len(took) // 2] < 0.2


async def test_writing_replacing_making_and_removing_are_changes(data: Path, polling: bool) -> None:
    path, new = data / "captain.md", data / "learnings.md"
    deeds: list[tuple[Callable[[], object], Path]] = [
        (lambda: path.write_bytes(b"- two\n"), path),
        (lambda: replace(path), path),
        (lambda: replace(path, b"- again\n"), path),
        (lambda: new.write_bytes(b"- new\n"), new),
        (lambda: new.unlink(), new),
    ]
    async with watching(data, polling=polling) as watched:
        for deed, changed in deeds:
            deed()
            await watched.until(changed)


async def test_a_burst_is_a_few_reports(data: Path, polling: bool) -> None:
    paths = [data / f"{number}.md" for number in range(200)]
    async with watching(data, polling=polling) as watched:
        for path in paths:
            path.write_bytes(b"- one\n")
        (data / "last.md").write_bytes(b"")
        reports = 1
        while data / "last.md" not in await watched.next():
            reports += 1
    assert reports <= 10


async def test_only_the_names_asked_for_count_and_nothing_of_ours(data: Path, polling: bool) -> None:
    async with watching(data, names={"captain.md", "end.md"}, polling=polling) as watched:
        (data / "other.md").write_bytes(b"")
        (data / ".floppy-tui-7.tmp").write_bytes(b"")
        (data / "captain.md").read_bytes()
        (data / "end.md").write_bytes(b"")
        assert await watched.next() == {data / "end.md"}


async def test_a_directory_may_be_missing_vanish_and_come_back(data: Path, polling: bool) -> None:
    home = data.parent
    config = home / "config" / "deep"
    async with watching(data, config, polling=polling) as watched:
        config.mkdir(parents=True)
        (config / "budget").write_bytes(b"1\n")
        await watched.until(config / "budget")
        for _ in range(2):
            shutil.rmtree(home)
            await watched.until(data / "captain.md", config / "budget")
            data.mkdir(parents=True)
            (data / "captain.md").write_bytes(b"- back\n")
            config.mkdir(parents=True)
            (config / "budget").write_bytes(b"2\n")
            await watched.until(data / "captain.md", config / "budget")
        (data / "captain.md").write_bytes(b"- and on\n")
        await watched.until(data / "captain.md")


async def test_a_directory_that_is_swapped_in_one_go_is_watched_on(data: Path, polling: bool) -> None:
    async with watching(data, polling=polling) as watched:
        other = data.with_name("other")
        other.mkdir()
        (other / "captain.md").write_bytes(b"- other\n")
        data.rename(data.with_name("old"))
        other.rename(data)
        await watched.until(data / "captain.md")
        (data / "captain.md").write_bytes(b"- other still\n")
        await watched.until(data / "captain.md")


async def test_a_home_that_is_moved_away_and_back_is_watched_on(data: Path, polling: bool) -> None:
    async with watching(data, polling=polling) as watched:
        data.parent.rename(data.parent.with_name("away"))
        await watched.until(data / "captain.md")
        data.parent.with_name("away").rename(data.parent)
        await watched.until(data / "captain.md")
        (data / "captain.md").write_bytes(b"- on\n")
        await watched.until(data / "captain.md")


async def test_a_tree_is_watched_with_what_grows_in_it_but_not_our_state(data: Path, polling: bool) -> None:
    home = data.parent
    ours = home / "state" / "floppy-tui"
    ours.mkdir(parents=True)
    (home / ".git").mkdir()
    async with watching(home, recursive=True, polling=polling) as watched:
        (ours / "pass.json").write_bytes(b"{}")
        (home / ".git" / "index").write_bytes(b"")
        new = data / "half" / "group"
        new.mkdir(parents=True)
        (new / "note.md").write_bytes(b"one")
        seen: set[Path] = set()
        while new / "note.md" not in seen:
            seen |= await watched.next()
        (new / "note.md").write_bytes(b"two")
        while new / "note.md" not in (report := await watched.next()):
            seen |= report
        assert not {path for path in seen if path.is_relative_to(ours) or ".git" in path.parts}


async def test_where_the_system_cannot_tell_it_is_looked(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(*_: Any, **__: Any) -> None:
        raise OSError("OS file watch limit reached")

    monkeypatch.setattr(watchfiles, "awatch", exhausted)
    async with watching(data) as watched:
        (data / "captain.md").write_bytes(b"- two\n")
        await watched.until(data / "captain.md")


async def test_nothing_is_looked_at_on_the_event_loop(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    loop, looked = threading.get_ident(), set()
    look = module._View.look

    def noting(self: module._View) -> frozenset[Path]:
        looked.add(threading.get_ident())
        return look(self)

    monkeypatch.setattr(module._View, "look", noting)
    async with watching(data) as watched:
        replace(data / "captain.md")
        await watched.until(data / "captain.md")
    assert looked and loop not in looked


async def test_it_ends_soon_when_it_is_told_to(data: Path, polling: bool) -> None:
    stop = asyncio.Event()
    reports = watch([data], polling=polling, stop=stop)
    assert await anext(reports) == frozenset()
    pending = asyncio.ensure_future(anext(reports, None))
    await asyncio.sleep(0)
    stop.set()
    assert await asyncio.wait_for(pending, 2) is None


async def test_a_name_that_is_no_text_is_a_change_and_ends_no_watch(data: Path, polling: bool) -> None:
    odd = data / os.fsdecode(b"gr\xfcn.md")
    async with watching(data, polling=polling) as watched:
        odd.write_bytes(b"- green\n")
        await watched.until(odd)
        (data / "captain.md").write_bytes(b"- two\n")
        await watched.until(data / "captain.md")
