"""A real process is killed before each file operation of an act: no entry is lost, and all is put back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from acts import ACTS, NOW, Act
from os_calls import killed

from floppy_tui.store.journal import Standing
from floppy_tui.store.recovery import finish, open_journals, recover

pytestmark = pytest.mark.usefixtures("fast")


@pytest.mark.parametrize("make", ACTS.values(), ids=ACTS)
def test_a_kill_anywhere_loses_no_entry_and_is_put_back(
    make: Callable[[Path], Act], tmp_path: Path, swaps: str
) -> None:
    outcomes = set()
    number = 0
    while True:
        act = make(tmp_path.resolve() / f"home{number}")
        act.lay_out()
        came_to_it = killed(act.do, number)
        assert act.lost() == set(), number
        said = recover(act.state, act.root, now=NOW)
        assert act.at_before() or act.at_after(), number
        assert bool(said) <= act.at_before(), number
        outcomes.add(("back" if said else "nothing", act.at_after()))
        act.check_settled()
        if not came_to_it:
            break
        number += 1 if swaps == "exchange" else 2
    assert number > 50
    assert outcomes == {("nothing", False), ("back", False), ("nothing", True)}
    assert act.at_after()


def test_the_mode_of_a_file_survives(act: Act) -> None:
    number = 0
    while killed(act.do, number):
        recover(act.state, act.root, now=NOW)
        assert {c.path.stat().st_mode & 0o777 for c in act.changes if c.before is not None} <= {0o640}
        if act.at_after():
            return
        number += 4


def test_a_kill_of_the_recovery_is_recovered_from(tmp_path: Path, swaps: str) -> None:
    for number in (152, 173) if swaps == "exchange" else (165,):  # amid the files, and when all are in
        inner = 0
        while True:
            act = ACTS["stow_pass"](tmp_path.resolve() / f"home{number}-{inner}")
            act.lay_out()
            assert killed(act.do, number)
            came_to_it = killed(lambda: recover(act.state, act.root, now=NOW), inner)  # noqa: B023
            assert act.lost() == set(), (number, inner)
            recover(act.state, act.root, now=NOW)
            assert act.at_before(), (number, inner)
            act.check_settled()
            if not came_to_it:
                break
            inner += 1


@pytest.mark.parametrize("make", ACTS.values(), ids=ACTS)
def test_an_interrupted_act_is_finished_instead(
    make: Callable[[Path], Act], tmp_path: Path, swaps: str
) -> None:
    number = 0
    finished = 0
    while True:
        act = make(tmp_path.resolve() / f"home{number}")
        act.lay_out()
        if not killed(act.do, number):
            break
        for found in open_journals(act.state, act.root, now=NOW):
            assert {standing for _, standing in found.files} <= {Standing.BEFORE, Standing.AFTER}
            said = finish(act.state, act.root, found.id, now=NOW)
            assert said == [
                "the act “stow pass” of 2026-10-01T12:00:00 was interrupted and has been finished"
            ]
            assert act.at_after(), number
            act.check_settled()
            finished += 1
        number += 3
    assert finished > 7
