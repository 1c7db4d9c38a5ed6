"""The wrap lock of a floppy memory: made as the shell scripts make it, respected, and taken over when old."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

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
    (place / "owner").write_bytes(b"\xff\x00=\n\nowner\n" + b"x" * 100_000)
    assert read_lock(place, datetime.now(UTC)) is not None


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
