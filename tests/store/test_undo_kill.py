"""A real process is killed before each step of taking an act back, or of doing it again: nothing is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from acts import LEARNINGS, NOW, RULED, SKILL, Act, hidden_skill, rename, stow_pass
from os_calls import changing, killed

from floppy_tui.store import target
from floppy_tui.store.recovery import recover
from floppy_tui.store.undo import latest, past, redo, undo

pytestmark = pytest.mark.usefixtures("fast")


def back(act: Act, id: str) -> str:
    return undo(act.state, [act.root], id, now=NOW)


def forth(act: Act, id: str) -> str:
    return redo(act.state, [act.root], id, now=NOW)


def kills(
    place: Path, make: Callable[[Path], Act], *, again: bool = False, step: int = 1
) -> Iterator[tuple[int, Act, str]]:
    """The act after a kill before each step of its undoing (or its redoing), at last one without a kill."""
    for number in count(step=step):
        act = make(place.resolve() / f"home{number}")
        act.lay_out()
        id = act.do()
        deed = back
        if again:
            id, deed = back(act, id), forth
        came_to_it = killed(lambda: deed(act, id), number, changing)  # noqa: B023
        yield number, act, id
        if not came_to_it:
            assert number > 20
            return


@pytest.mark.parametrize("make", [stow_pass, rename])
def test_a_kill_anywhere_loses_no_entry_and_is_put_back(tmp_path: Path, make: Callable[[Path], Act]) -> None:
    outcomes = set()
    for number, act, id in kills(tmp_path, make):
        assert act.lost() == set(), number
        said = recover(act.state, act.root, now=NOW)
        assert act.at_before() or act.at_after(), number
        act.check_settled()
        outcomes.add((bool(said), act.at_before()))
        modes = {c.path.stat().st_mode & 0o777 for c in act.changes if c.before is not None and c.after}
        assert modes <= {0o640}
        done, undone = latest(act.state, [act.root])
        assert (done is None) == act.at_before(), number
        if done is not None:
            assert (done.id, done.why_not) == (id, ""), number
            back(act, id)
            assert act.at_before()
        elif undone is not None:
            forth(act, undone.id)
            assert act.at_after()
    assert outcomes == {(False, False), (True, False), (False, True)}


def test_a_kill_anywhere_in_doing_it_again_loses_no_entry_either(tmp_path: Path) -> None:
    outcomes = set()
    for number, act, _ in kills(tmp_path, stow_pass, again=True, step=2):
        assert act.lost() == set(), number
        recover(act.state, act.root, now=NOW)
        assert act.at_before() or act.at_after(), number
        outcomes.add(act.at_after())
    assert outcomes == {True, False}
    assert [one.words for one in past(act.state)] == [
        "redo of stow pass",
        "undo of stow pass",
        "stow pass",
    ]


def test_without_an_exchange_of_names_nothing_is_lost_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(target, "exchange", lambda *_: False)
    for number, act, _ in kills(tmp_path, stow_pass, step=3):
        assert act.lost() == set(), number
        recover(act.state, act.root, now=NOW)
        assert act.at_before() or act.at_after(), number


@pytest.mark.parametrize("again", [False, True])
def test_what_a_rule_keeps_out_of_git_is_never_there_without_it(tmp_path: Path, again: bool) -> None:
    def check(act: Act, number: int) -> None:
        skills = [p for p in (act.root / ".agents").rglob("*") if p.is_file() and p.read_bytes()]
        ruled = (act.root / ".git/info/exclude").read_bytes() == RULED
        assert ruled or not skills, (number, skills)

    for number, act, _ in kills(tmp_path, hidden_skill, again=again):
        check(act, number)
        recover(act.state, act.root, now=NOW)
        check(act, number)
        assert act.at_before() or act.at_after(), number
        assert act.held()[1] in (None, SKILL)


def test_what_somebody_writes_after_a_kill_stays(tmp_path: Path) -> None:
    """Whatever it begins with: what the act brought back is not taken out of it."""
    theirs = LEARNINGS + b"\n- Theirs.\n"
    left = set()
    for number, act, _ in kills(tmp_path, stow_pass, step=2):
        act.changes[0].path.write_bytes(theirs)
        said = [s for s in recover(act.state, act.root, now=NOW) if "left alone" in s]
        left |= {s.rsplit("/")[-1] for s in said}
        assert act.changes[0].path.read_bytes() == theirs, number
        assert act.lost() == set(), number
    assert left == {"learnings.md holds what someone else wrote and is left alone"}
