"""The wrap lock of a floppy memory: made as the shell scripts make it, respected, and taken over when old."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from os_calls import before_each_call

from floppy_tui.store.files import Refusal
from floppy_tui.store.wrap_lock import Abandoned, Wrapped, drop_dead, lock_place, read_lock, wrapping

NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)


def held_by_script(place: Path, age: timedelta) -> None:
    """The lock as the floppy scripts make it, taken that long ago."""
    place.mkdir()
    owner = place / "owner"
    owner.write_text("owner=denoise eval\nsince=2026-12-01T09:00:00Z\npid=4711\nhost=mole\n")
    at = (NOW - age).timestamp()
    os.utime(owner, (at, at))


def test_the_lock_of_a_store_is_named_for_the_project() -> None:
    assert lock_place(Path("/r/.git"), None) == Path("/r/.git/wrap.lock")
    assert lock_place(Path("/s/.git"), "team/acme") == Path("/s/.git/wrap-team-acme.lock")


def test_it_is_taken_and_given_back(tmp_path: Path) -> None:
    place = tmp_path / "wrap.lock"
    now = datetime.now(UTC).replace(microsecond=0)
    assert read_lock(place, now) is None
    with wrapping(place, owner="floppy-tui\nowner=root", now=now) as warning:
        assert warning == ""
        lines = (place / "owner").read_text().splitlines()
        assert lines[:2] == ["owner=floppy-tui owner=root", f"since={now:%Y-%m-%dT%H:%M:%SZ}"]
        assert lines[2] == f"pid={os.getpid()}"
        assert len(lines) == 4
        with pytest.raises(Wrapped, match="floppy-tui"), wrapping(place, owner="other", now=now):
            raise AssertionError("two at once")
    assert not place.exists()


def test_it_is_given_back_where_the_act_fails(tmp_path: Path) -> None:
    place = tmp_path / "wrap.lock"
    with pytest.raises(ZeroDivisionError), wrapping(place, owner="floppy-tui", now=NOW):
        raise ZeroDivisionError
    assert not place.exists()


@pytest.mark.parametrize("take_over", [False, True])
def test_a_young_one_is_respected(tmp_path: Path, take_over: bool) -> None:
    place = tmp_path / "wrap.lock"
    held_by_script(place, timedelta(minutes=29, seconds=59))
    with (
        pytest.raises(Wrapped, match="denoise eval on mole"),
        wrapping(place, owner="floppy-tui", now=NOW, take_over=take_over),
    ):
        raise AssertionError("not respected")
    assert "denoise eval" in (place / "owner").read_text()


def test_an_old_one_is_taken_over_only_where_that_is_said(tmp_path: Path) -> None:
    place = tmp_path / "wrap.lock"
    held_by_script(place, timedelta(minutes=30))
    with pytest.raises(Abandoned, match="take it over"), wrapping(place, owner="floppy-tui", now=NOW):
        raise AssertionError("taken over unasked")
    assert "denoise eval" in (place / "owner").read_text()
    with wrapping(place, owner="floppy-tui", now=NOW, take_over=True) as warning:
        assert "denoise eval" in warning
        assert "floppy-tui" in (place / "owner").read_text()
        assert sorted(p.name for p in tmp_path.iterdir()) == ["wrap.lock"]
    assert [*tmp_path.iterdir()] == []


def test_one_without_an_owner_counts_as_abandoned(tmp_path: Path) -> None:
    place = tmp_path / "wrap.lock"
    place.mkdir()
    found = read_lock(place, NOW)
    assert found is not None
    assert found.stale


def test_what_another_took_over_meanwhile_is_not_released(tmp_path: Path) -> None:
    place = tmp_path / "wrap.lock"
    with wrapping(place, owner="floppy-tui", now=NOW):
        (place / "owner").write_text("owner=other\n")
    assert (place / "owner").read_text() == "owner=other\n"


def test_garbage_in_it_is_shown_and_harmless(tmp_path: Path) -> None:
    place = tmp_path / "wrap.lock"
    place.mkdir()
    (place / "owner").write_bytes(b"\xff\x00=\n\nowner\nowner=\x1b[2J" + b"x" * 10_000)
    with pytest.raises(Wrapped) as wrapped, wrapping(place, owner="floppy-tui", now=datetime.now(UTC)):
        raise AssertionError("not respected")
    assert "by ␛[2Jxxx" in str(wrapped.value)
    assert len(str(wrapped.value)) < 400 + len(str(place))


@pytest.mark.parametrize("odd", ["large", "link", "pipe", "directory"])
def test_whatever_the_owner_file_is_its_age_counts(tmp_path: Path, odd: str) -> None:
    place = tmp_path / "wrap.lock"
    place.mkdir()
    (tmp_path / "kept").write_text("kept\n")
    owner = place / "owner"
    if odd == "large":
        owner.write_bytes(b"x" * 100_000)
    elif odd == "link":
        owner.symlink_to(tmp_path / "kept")
    elif odd == "pipe":
        os.mkfifo(owner)
    else:
        owner.mkdir()
    now = datetime.now(UTC)
    with pytest.raises(Wrapped), wrapping(place, owner="floppy-tui", now=now, take_over=True):
        raise AssertionError("not respected")
    at = (now - timedelta(hours=1)).timestamp()
    os.utime(owner, (at, at), follow_symlinks=False)
    with wrapping(place, owner="floppy-tui", now=now, take_over=True):
        assert (place / "owner").read_text().startswith("owner=floppy-tui\n")
    assert not place.exists()
    assert (tmp_path / "kept").read_text() == "kept\n"


def test_what_else_lies_in_an_abandoned_one_is_not_deleted(tmp_path: Path) -> None:
    place = tmp_path / "wrap.lock"
    held_by_script(place, timedelta(hours=1))
    (place / "half-written.md").write_text("kept\n")
    with wrapping(place, owner="floppy-tui", now=NOW, take_over=True):
        pass
    assert [p.read_text() for p in tmp_path.rglob("*.md")] == ["kept\n"]
    assert not place.exists()


def test_a_script_that_has_not_yet_said_who_it_is_is_waited_for(tmp_path: Path) -> None:
    place = tmp_path / "wrap.lock"
    script = subprocess.Popen(
        ["sh", "-c", "mkdir wrap.lock; echo; sleep 0.1; echo owner=script > wrap.lock/owner"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
    )
    with script:
        assert script.stdout is not None
        script.stdout.readline()
        with (
            pytest.raises(Wrapped, match="script"),
            wrapping(place, owner="floppy-tui", now=datetime.now(UTC), take_over=True),
        ):
            raise AssertionError("not respected")


def taken_by_script(place: Path) -> None:
    """A script takes the lock over, whosever it is."""
    place.rename(place.with_name("theirs"))
    held_by_script(place, timedelta())


@pytest.mark.parametrize("call", ["rename", "open"])
def test_a_script_that_takes_it_over_between_two_steps_has_it(tmp_path: Path, call: str) -> None:
    place = tmp_path / "wrap.lock"
    if call == "rename":
        held_by_script(place, timedelta(hours=1))

    def hook(number: int, name: str, args: tuple[Any, ...]) -> None:
        begun = name == "rename" or (name == "open" and args[0] == "owner" and args[1] & os.O_CREAT)
        if name == call and begun and not (tmp_path / "theirs").exists():
            taken_by_script(place)

    with (
        before_each_call(hook),
        pytest.raises(Wrapped, match="denoise eval"),
        wrapping(place, owner="floppy-tui", now=NOW, take_over=True),
    ):
        raise AssertionError("not respected")
    assert (place / "owner").read_text().startswith("owner=denoise eval\n")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["theirs", "wrap.lock"]


def test_ours_take_turns_at_every_step_but_not_in_between(tmp_path: Path) -> None:
    place = tmp_path / "wrap.lock"
    held_by_script(place, timedelta(hours=1))
    taken: list[str] = []

    def free() -> bool:
        other = os.open(tmp_path, os.O_RDONLY)
        try:
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        finally:
            os.close(other)
        return True

    def hook(number: int, name: str, args: tuple[Any, ...]) -> None:
        if name in ("mkdir", "rename", "unlink", "rmdir"):
            taken.append(name)
            assert not free(), name

    with before_each_call(hook), wrapping(place, owner="floppy-tui", now=NOW, take_over=True):
        assert free()
    assert taken == ["mkdir", "rename", "unlink", "rmdir", "mkdir", "unlink", "rmdir"]


def contend(place: Path, rounds: int) -> None:
    """Hold the lock ``rounds`` times, and leave it behind as abandoned every other time."""
    inside = place.with_name("inside")
    for turn in range(rounds):
        while True:
            try:
                with wrapping(place, owner="floppy-tui", now=datetime.now(UTC), take_over=True):
                    os.close(os.open(inside, os.O_CREAT | os.O_EXCL))  # nobody else is here
                    os.sched_yield()
                    inside.unlink()
                    if turn % 2:
                        (place / "owner").write_text("owner=somebody else\n")
                        os.utime(place / "owner", (1, 1))
                break
            except Wrapped:
                os.sched_yield()


def test_however_many_take_leave_and_take_over_it_is_held_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", lambda fd: None)
    place = tmp_path / "wrap.lock"
    children = []
    for _ in range(4):
        child = os.fork()
        if child == 0:
            try:
                contend(place, 20)
                os._exit(0)
            finally:
                os._exit(1)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 4
    assert {p.name for p in tmp_path.iterdir()} <= {"wrap.lock"}


def test_a_link_is_no_lock(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    place = tmp_path / "wrap.lock"
    place.symlink_to("elsewhere")
    with pytest.raises(Refusal), wrapping(place, owner="floppy-tui", now=NOW, take_over=True):
        raise AssertionError("followed")
    assert [*(tmp_path / "elsewhere").iterdir()] == []


TAKER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from floppy_tui.store.wrap_lock import wrapping
from floppy_tui.store.files import StoreError
sys.stdin.readline()
try:
    with wrapping(Path(sys.argv[1]), owner=sys.argv[2], now=datetime.now(UTC), take_over=True):
        print("in", flush=True)
        sys.stdin.readline()
except StoreError:
    print("out", flush=True)
"""


def test_of_several_that_take_over_at_once_one_has_it_and_a_killed_one_leaves_it(tmp_path: Path) -> None:
    place = tmp_path / "wrap.lock"
    held_by_script(place, timedelta(days=300))
    takers = [
        subprocess.Popen(
            [sys.executable, "-c", TAKER, str(place), f"taker {n}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for n in range(4)
    ]
    try:
        for taker in takers:
            assert taker.stdin is not None
            taker.stdin.write("go\n")
            taker.stdin.flush()
        said = [taker.stdout.readline().strip() for taker in takers if taker.stdout is not None]
        assert sorted(said) == ["in", "out", "out", "out"]
        inside = takers[said.index("in")]
        inside.kill()
        inside.wait(10)
    finally:
        for taker in takers:
            taker.kill()
            taker.communicate()
    found = read_lock(place, datetime.now(UTC))
    assert found is not None
    assert found.owner == f"taker {said.index('in')}"
    assert not found.stale


def test_what_a_killed_process_of_ours_held_is_given_back(tmp_path: Path) -> None:
    place = tmp_path / "wrap.lock"
    child = os.fork()
    if child == 0:
        with wrapping(place, owner="floppy-tui", now=NOW):
            os._exit(0)
    assert not drop_dead(place, owner="other", now=NOW)
    os.waitpid(child, 0)
    assert drop_dead(place, owner="floppy-tui", now=NOW) and not place.exists()
    assert not drop_dead(place, owner="floppy-tui", now=NOW)


def test_what_anybody_else_holds_is_not(tmp_path: Path) -> None:
    place = tmp_path / "wrap.lock"
    with wrapping(place, owner="floppy-tui", now=NOW):
        assert not drop_dead(place, owner="floppy-tui", now=NOW)
    held_by_script(place, timedelta(hours=2))
    owner = place / "owner"
    for said in ("owner=floppy-tui\npid=0x1\n", "owner=floppy-tui\npid=999999999\nhost=other\n", ""):
        owner.write_text(said)
        assert not drop_dead(place, owner="floppy-tui", now=NOW) and place.is_dir()
