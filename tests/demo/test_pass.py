"""A pass over the rich sample home has work in every step, and what it proposes reaches the allowance."""

from __future__ import annotations

from collections import Counter
from datetime import date

import pytest
from sample_homes import DAYS, snapshot_of

from floppy_tui.demo import files
from floppy_tui.tiers.cards import ACCEPTABLE, KINDS, Step
from floppy_tui.tiers.decisions import Do
from floppy_tui.tiers.layout import FILES
from floppy_tui.tiers.stow import accept, plan

ELSEWHERE = {"exception", "routed", "low-utility", "no-convergence"}
"""Cards of homes that are broken, of secondmates, and of what the captain says in a pass."""
LOOKED_OVER = {"offload", "relocate"}
"""Cards that need a look at the disk and at git."""


@pytest.mark.parametrize("day", DAYS, ids=str)
def test_every_kind_of_card_is_there(day: date) -> None:
    planned = plan(snapshot_of(files(day), day))
    kinds = Counter(card.kind for card in planned.cards)
    sections = Counter(card.step for card in planned.cards if card.kind == "section")
    assert set(kinds) == set(KINDS) - ELSEWHERE - LOOKED_OVER
    few = ("pointer", "stale", "condition", "legacy", "duplicate", "near")
    assert [kinds[kind] for kind in few] == [2, 6, 4, 4, 1, 2]
    assert sections == {Step.REINFORCE: 2, Step.CONSOLIDATE: 5}


@pytest.mark.parametrize("day", DAYS, ids=str)
def test_the_proposals_of_a_pass_reach_the_allowance_with_a_few_evictions(day: date) -> None:
    home = snapshot_of(files(day), day)
    decisions = accept(home, (), ACCEPTABLE)
    planned = plan(home, decisions)
    assert planned.refused == () and planned.within_budget
    assert 2 <= [decision.do for decision in decisions].count(Do.EVICT) <= 6
    assert set(planned.texts) == set(FILES)
    assert not plan(home, [d for d in decisions if d.do is not Do.EVICT]).within_budget
