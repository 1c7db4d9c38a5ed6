"""Large sample homes have the size that was asked for, and the same content every time."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from sample_homes import snapshot_of

from floppy_tui.demo import build_large
from floppy_tui.demo.large import files
from floppy_tui.tiers.layout import LEARNINGS
from floppy_tui.tiers.markers import Tier


@pytest.mark.parametrize(("entries", "archived"), [(0, 0), (1, 1), (25, 40), (500, 5_000)])
def test_it_holds_exactly_what_was_asked_for(today: date, entries: int, archived: int) -> None:
    home = snapshot_of(files(today, entries, archived), today)
    document = home.document(LEARNINGS)
    assert document is not None
    assert (len(document.entries), document.findings) == (entries, ())
    assert (len(home.archive.items), home.archive.findings) == (archived, ())
    assert all(item.known for item in home.archive.items)
    assert not home.within_budget and home.allowance.digits


def test_five_hundred_entries_have_every_tier_stale_and_fresh(today: date) -> None:
    home = snapshot_of(files(today, 500, 0), today)
    assert {e.tier for e in home.entries} == set(Tier)
    ages = [(e.tier, home.ages[e.id].stale) for e in home.entries]
    assert all((tier, stale) in ages for tier in (Tier.AGING, Tier.PERISHABLE) for stale in (False, True))
    assert len(home.near) < 30
    assert len({e.id.split("-")[0] for e in home.entries}) == len(home.entries)


def test_it_is_laid_out_the_same_every_time(tmp_path: Path, today: date) -> None:
    homes = [build_large(tmp_path / name, today, 60, 90) for name in ("one", "two")]
    one, two = (
        {path.relative_to(home): path.read_bytes() for path in home.rglob("*") if path.is_file()}
        for home in homes
    )
    assert one == two and len(one) == 6
