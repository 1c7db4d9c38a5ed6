"""A real process that migrates is killed before each file operation: all is done, or nothing is left."""

from __future__ import annotations

from pathlib import Path

import pytest
from moving_homes import QUOTE, SKILL, approve, held, migrated, opened, settle
from os_calls import killed
from repositories import copied, git

from floppy_tui.offload.proposal import State

pytestmark = pytest.mark.usefixtures("fast")


def check_nothing_lost(root: Path) -> None:
    """The quote is somewhere, and nothing private is where git would see it."""
    places = [root / "data/captain.md", root / SKILL]
    texts = [place.read_text().replace("\n  and", "\nand") for place in places if place.exists()]
    assert any(QUOTE in text for text in texts)
    if (root / ".agents/skills/tide-gauges").exists():
        assert git(root, "status", "--porcelain", "--untracked-files=all") == ""


def test_a_kill_anywhere_loses_nothing_and_leaves_nothing_half_done(tmp_path: Path) -> None:
    template = settle(tmp_path.resolve() / "home")
    id = approve(opened(template))
    before = held(template)
    outcomes = set()
    number, came_to_it = 0, True
    while came_to_it:
        root = copied(template, tmp_path.resolve() / f"{number}" / "home")
        offloading = opened(root)
        came_to_it = killed(lambda: offloading.migrate(id), number)  # noqa: B023
        check_nothing_lost(root)
        said = offloading.store.recover()
        now = held(root)
        assert now in (before, migrated(root, before)), number
        assert now == before or not any("migration" in sentence for sentence in said), (number, said)
        (proposal,) = opened(root).queue().proposals
        assert proposal.state in (State.APPROVED, State.MIGRATED)
        outcomes.add((bool(said), now == before, proposal.state))
        if number % 16 == 0:
            assert opened(root).migrate(id).proposal.state is State.MIGRATED
            assert held(root) == migrated(root, before)
        number += 1
    assert number > 250
    assert outcomes >= {
        (False, True, State.APPROVED),
        (True, True, State.APPROVED),
        (False, False, State.APPROVED),
        (False, False, State.MIGRATED),
    }


def test_a_kill_of_the_recovery_is_recovered_from(tmp_path: Path) -> None:
    template = settle(tmp_path.resolve() / "home")
    id = approve(opened(template))
    before = held(template)
    late = None
    for number in range(150, 280, 4):
        root = copied(template, tmp_path.resolve() / f"find{number}" / "home")
        killed(lambda: opened(root).migrate(id), number)  # noqa: B023
        gone = "tide gauge" not in (root / "data/captain.md").read_text()
        if gone and any("migration" in sentence for sentence in opened(root).store.recover()):
            late = number
    assert late is not None
    inner, came_to_it = 0, True
    while came_to_it:
        root = copied(template, tmp_path.resolve() / f"again{inner}" / "home")
        assert killed(lambda: opened(root).migrate(id), late)  # noqa: B023
        came_to_it = killed(lambda: opened(root).store.recover(), inner)  # noqa: B023
        check_nothing_lost(root)
        opened(root).store.recover()
        assert held(root) == before, inner
        inner += 2
    assert inner > 60
