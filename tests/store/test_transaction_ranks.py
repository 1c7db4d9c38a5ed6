"""Acts that are looked at between their ranks, and the ignore rule that comes first and goes last."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from acts import CAPTAIN, EXCLUDE, LEARNINGS, NOW, RULED, SKILL, Act, hidden_skill
from os_calls import killed

from floppy_tui.store.files import StoreError
from floppy_tui.store.recovery import finish, open_journals, recover
from floppy_tui.store.transaction import Rank, Refused, apply

THEIRS = b"/theirs/\n"

pytestmark = pytest.mark.usefixtures("fast")


@pytest.fixture
def act(tmp_path: Path) -> Act:
    made = hidden_skill(tmp_path.resolve() / "home")
    made.lay_out()
    return made


def roots(act: Act) -> list[Path]:
    return [act.root / "data", act.root, act.root / ".git"]


def do(act: Act, between: Callable[[Rank], None] = lambda rank: None) -> str:
    return apply(
        act.state, roots(act), act.changes, act="move", now=NOW, audit=lambda held: [], between=between
    )


def test_each_rank_is_in_before_the_next_is_on_the_disk(act: Act) -> None:
    seen = []

    def look(rank: Rank) -> None:
        held = act.held()
        seen.append((rank, [c.after == now for c, now in zip(act.changes, held, strict=True)]))
        if rank is Rank.RULE:
            assert not (act.root / ".agents").exists()
        assert not list((act.root / "data").glob(".floppy-tui-*")) or rank is Rank.MEMORY

    do(act, look)
    assert seen == [
        (Rank.RULE, [False, False, True]),
        (Rank.ARCHIVE, [False, False, True]),
        (Rank.DESTINATION, [False, True, True]),
        (Rank.MEMORY, [True, True, True]),
    ]
    act.check_settled()


@pytest.mark.parametrize("at", Rank)
@pytest.mark.parametrize("error", [StoreError("It is not ignored."), KeyboardInterrupt()])
def test_what_the_look_raises_undoes_the_act(act: Act, at: Rank, error: BaseException) -> None:
    def look(rank: Rank) -> None:
        if rank is at:
            raise error

    with pytest.raises(Refused if isinstance(error, StoreError) else KeyboardInterrupt):
        do(act, look)
    assert act.at_before()
    assert not (act.root / ".agents").exists()
    act.check_settled()


@pytest.mark.parametrize(
    ("now", "left"),
    [
        (RULED + THEIRS, EXCLUDE + b"\n" + THEIRS),
        (THEIRS + RULED, THEIRS + EXCLUDE + b"\n"),
        (EXCLUDE + b"\n" + THEIRS, EXCLUDE + b"\n" + THEIRS),
        (THEIRS, THEIRS),
    ],
)
def test_only_the_line_of_the_act_is_taken_out_of_what_others_wrote(
    act: Act, now: bytes, left: bytes
) -> None:
    exclude = act.changes[2].path

    def look(rank: Rank) -> None:
        if rank is Rank.DESTINATION:
            exclude.write_bytes(now)
            raise StoreError("It is listed nowhere.")

    with pytest.raises(Refused):
        do(act, look)
    assert exclude.read_bytes() == left
    assert act.held()[:2] == [LEARNINGS, None]
    act.check_settled()


def test_the_rule_stays_as_long_as_what_it_hides_does(act: Act) -> None:
    skill, exclude = act.changes[1].path, act.changes[2].path

    def look(rank: Rank) -> None:
        if rank is Rank.DESTINATION:
            skill.write_bytes(SKILL + CAPTAIN)
            exclude.write_bytes(RULED + THEIRS)
            raise StoreError("It is listed nowhere.")

    with pytest.raises(Refused) as caught:
        do(act, look)
    assert any("SKILL.md holds what someone else wrote" in said for said in caught.value.left)
    assert skill.read_bytes() == SKILL + CAPTAIN
    assert exclude.read_bytes() == RULED + THEIRS
    assert act.held()[0] == LEARNINGS


def test_nobody_finishes_what_was_looked_at_on_its_way(act: Act) -> None:
    assert killed(lambda: do(act), 90)
    (found,) = open_journals(act.state, roots(act), now=NOW)
    with pytest.raises(Refused, match="roll it back and do it again"):
        finish(act.state, roots(act), found.id, now=NOW)
    recover(act.state, roots(act), now=NOW)
    assert act.at_before()
    act.check_settled()


def test_an_act_of_fewer_roots_is_rolled_back_by_who_knows_more(act: Act) -> None:
    fewer = roots(act)[:2]

    def pass_() -> None:
        apply(act.state, fewer, act.changes[:2], act="pass", now=NOW, audit=lambda held: [])

    assert killed(pass_, 100)
    assert recover(act.state, roots(act), now=NOW)
    assert act.at_before()
