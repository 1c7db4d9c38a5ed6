"""The tick of the pass horizon: one a day, never on a clock set back, never on what cannot be read."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
from acts import NOW

from floppy_tui.store.files import Directory
from floppy_tui.store.tick import NAME, Tick, claim_tick, due_tick

DAY = date(2026, 10, 1)


@pytest.fixture
def state(tmp_path: Path) -> Path:
    made = tmp_path.resolve() / "state"
    made.mkdir()
    return made


def claim(state: Path, day: date = DAY) -> Tick:
    due = due_tick(state, day)
    claimed = claim_tick(state, day, state=state / "floppy-tui", now=NOW)
    assert claimed == due
    return claimed


def test_one_a_day(state: Path) -> None:
    assert claim(state)
    assert (state / NAME).read_bytes() == b"2026-10-01\n"
    again = claim(state)
    assert (again.claimed, again.why, again.exception) == (False, "already-claimed-today", "")
    assert claim(state, DAY + timedelta(days=1))
    assert (state / NAME).read_bytes() == b"2026-10-02\n"


def test_asking_claims_nothing(state: Path) -> None:
    assert due_tick(state, DAY)
    assert list(state.iterdir()) == []


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (b"2026-10-02\n", "clock-set-back"),
        (b"2026-10-01", "already-claimed-today"),
        (b"", "tick-malformed"),
        (b"2026-09-31\n", "tick-malformed"),
        (b"2026-09-30\n\n", "tick-malformed"),
        (b"2026-09-30 \n", "tick-malformed"),
        (b"\xff", "tick-malformed"),
        (b"9" * 5000, "too-large"),
    ],
)
def test_no_tick_and_no_byte_changed(state: Path, said: bytes, why: str) -> None:
    (state / NAME).write_bytes(said)
    tick = claim(state)
    assert (tick.claimed, tick.why) == (False, why)
    assert bool(tick.exception) == (why != "already-claimed-today")
    assert (state / NAME).read_bytes() == said


def test_a_link_is_no_tick(state: Path) -> None:
    (state / "other").write_bytes(b"2026-09-01\n")
    (state / NAME).symlink_to("other")
    assert claim(state).why == "symlink"
    assert (state / "other").read_bytes() == b"2026-09-01\n"


def test_no_state_no_tick(state: Path, tmp_path: Path) -> None:
    tick = claim_tick(state / "none", DAY, state=state / "floppy-tui", now=NOW)
    assert (tick.claimed, tick.why) == (False, "state-absent")
    assert not (state / "none").exists()


def test_a_tick_that_cannot_be_written_is_none(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace = Directory.replace

    def failing(self: Directory, name: str, data: bytes) -> None:
        if name == NAME:
            raise PermissionError(13, "Permission denied")
        replace(self, name, data)

    monkeypatch.setattr(Directory, "replace", failing)
    tick = claim_tick(state, DAY, state=state / "floppy-tui", now=NOW)
    assert (tick.claimed, tick.why) == (False, "unreadable")
    assert str(state / NAME) in tick.exception
