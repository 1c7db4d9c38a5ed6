"""The clocks at their boundaries: days, passes, a clock set back, and what clears a counter."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from homes import COUNTING, STILL, TODAY, ago, cards, do, home, text, the
from hypothesis import given
from hypothesis import strategies as st

from floppy_tui.tiers.clocks import Horizon, age, tick_allowed
from floppy_tui.tiers.decisions import Do
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.stow import accept, plan

COUNTED = Horizon(on=True, tick=False)
SAID = "task lint-q4 hit it"


@pytest.mark.parametrize(
    ("marker", "horizon", "stale"),
    [
        (f"<!--a:{ago(29)}-->", STILL, ""),
        (f"<!--a:{ago(30)}-->", STILL, "unreinforced 30d"),
        (f"<!--p:{ago(6)}-->", STILL, ""),
        (f"<!--p:{ago(7)}-->", STILL, "unreinforced 7d"),
        # This pass's tick counts: eight before it make nine, nine make ten.
        (f"<!--a:{ago(1)}/8-->", COUNTING, ""),
        (f"<!--a:{ago(1)}/9-->", COUNTING, "unreinforced 10p"),
        (f"<!--p:{ago(1)}/1-->", COUNTING, ""),
        (f"<!--p:{ago(1)}/2-->", COUNTING, "unreinforced 3p"),
        # Claimed already today, or the clock set back: the counter is read as it stands.
        (f"<!--a:{ago(1)}/9-->", COUNTED, ""),
        (f"<!--a:{ago(1)}/10-->", COUNTED, "unreinforced 10p"),
        (f"<!--p:{ago(1)}/2-->", COUNTED, ""),
        (f"<!--p:{ago(1)}/3-->", COUNTED, "unreinforced 3p"),
        # Without the flag a counter says nothing.
        (f"<!--a:{ago(29)}/99-->", STILL, ""),
        (f"<!--p:{ago(6)}/99-->", STILL, ""),
        # Days win as the cause.
        (f"<!--a:{ago(30)}/40-->", COUNTING, "unreinforced 30d"),
        (f"<!--p:{ago(8)}/40-->", COUNTED, "unreinforced 8d"),
        # No clock is read for these.
        ("<!--P-->", COUNTING, ""),
        ("<!--g-->", COUNTING, ""),
        ("", COUNTING, ""),
        ("<!--a:2026-02-30-->", COUNTING, ""),
        ("<!--p:2026-13-01/9-->", COUNTING, ""),
        # A day to come is age nought.
        (f"<!--a:{ago(-400)}-->", STILL, ""),
        (f"<!--p:{ago(-1)}-->", STILL, ""),
    ],
)
def test_when_an_entry_is_stale(marker: str, horizon: Horizon, stale: str) -> None:
    snapshot = home({"learnings": f"- The gate sticks. {marker}\n"}, horizon=horizon)
    found = snapshot.ages[the(snapshot, "gate").id]
    assert (found.stale, found.cause) == (bool(stale), stale)
    shown = [c for kind in ("stale", "condition") for c in cards(plan(snapshot), kind)]
    assert len(shown) == bool(stale)
    assert all(stale in c.why and c.blocks for c in shown)


@given(st.dates(date(2020, 1, 1), date(2030, 12, 31)), st.integers(-40, 60))
def test_a_clock_counts_whole_calendar_days(reinforced: date, days: int) -> None:
    today = reinforced + timedelta(days)
    snapshot = home({"learnings": f"- The gate sticks. <!--a:{reinforced}-->\n"}, today=today)
    found = age(snapshot.entries[0], today)
    assert (found.days, found.left, found.stale) == (max(0, days), 30 - max(0, days), days >= 30)


@pytest.mark.parametrize(
    ("on", "last", "malformed", "expected", "said"),
    [
        (True, None, False, (True, True), ""),
        (True, TODAY - timedelta(1), False, (True, True), ""),
        (True, TODAY, False, (True, False), "already"),
        (True, TODAY + timedelta(1), False, (True, False), "set back"),
        (True, None, True, (True, False), "no date"),
        (False, TODAY - timedelta(1), False, (False, False), ""),
    ],
)
def test_one_tick_a_day(
    on: bool, last: date | None, malformed: bool, expected: tuple[bool, bool], said: str
) -> None:
    found = tick_allowed(on, last, TODAY, malformed)
    assert (found.on, found.tick) == expected
    assert said in found.note


ALL = f"""- Aging. <!--a:{ago(3)}-->
- Counted. <!--a:{ago(3)}/4-->
- Perishable, see issue 12. <!--p:{ago(2)}/1-->
- Pinned. <!--P-->
- Graced. <!--g-->
- Unmarked.
- Impossible. <!--a:2026-02-30/2-->
- Unreadable. <!--a:{ago(3)}/2--> <!--a:soon-->
"""
TICKED = f"""- Aging. <!--a:{ago(3)}/1-->
- Counted. <!--a:{ago(3)}/5-->
- Perishable, see issue 12. <!--p:{ago(2)}/2-->
{"".join(ALL.splitlines(keepends=True)[3:])}"""


@pytest.mark.parametrize(("horizon", "after"), [(STILL, ALL), (COUNTED, ALL), (COUNTING, TICKED)])
def test_only_a_pass_that_counts_advances_counters(horizon: Horizon, after: str) -> None:
    snapshot = home({"learnings": ALL, "captain": f"- Tea. <!--a:{ago(1)}-->\n"}, horizon=horizon)
    assert text(plan(snapshot)) == after
    counted = "/1" if horizon.tick else ""
    assert text(plan(snapshot), "captain") == f"- Tea. <!--a:{ago(1)}{counted}-->\n"


@pytest.mark.parametrize("horizon", [STILL, COUNTED, COUNTING])
def test_reinforcement_clears_the_counter_with_and_without_the_flag(horizon: Horizon) -> None:
    snapshot = home({"learnings": f"- Counted. <!--a:{ago(3)}/4-->\n"}, horizon=horizon)
    planned = plan(snapshot, [do(snapshot, Do.REINFORCE, "Counted", evidence=SAID)])
    assert text(planned) == f"- Counted. <!--a:{ago(0)}-->\n"
    assert not planned.exceptions


@pytest.mark.parametrize("spelled", [f"<!--a:{ago(0)}-->", f"<!--a:{ago(0)}/3-->"])
def test_what_is_reinforced_twice_on_one_day_is_not_counted(spelled: str) -> None:
    snapshot = home({"learnings": f"- Counted. {spelled}\n"}, horizon=COUNTING)
    planned = plan(snapshot, [do(snapshot, Do.REINFORCE, "Counted", evidence=SAID)])
    assert text(planned) == f"- Counted. <!--a:{ago(0)}-->\n"


@pytest.mark.parametrize(("horizon", "count"), [(STILL, 4), (COUNTED, 4), (COUNTING, 5)])
def test_a_retier_without_evidence_keeps_date_and_counter(horizon: Horizon, count: int) -> None:
    snapshot = home({"learnings": f"- Counted, see issue 12. <!--a:{ago(3)}/4-->\n"}, horizon=horizon)
    down = plan(snapshot, [do(snapshot, Do.RETIER, "Counted", tier=Tier.PERISHABLE)])
    assert text(down) == f"- Counted, see issue 12. <!--p:{ago(3)}/{count}-->\n"
    same = plan(snapshot, [do(snapshot, Do.RETIER, "Counted", tier=Tier.AGING)])
    assert text(same) == f"- Counted, see issue 12. <!--a:{ago(3)}/{count}-->\n"
    fresh = plan(snapshot, [do(snapshot, Do.RETIER, "Counted", tier=Tier.PERISHABLE, evidence=SAID)])
    assert text(fresh) == f"- Counted, see issue 12. <!--p:{ago(0)}-->\n"


def test_a_rewrite_counts_and_keeps_the_date() -> None:
    snapshot = home({"learnings": f"- Counted. <!--a:{ago(3)}/4-->\n"}, horizon=COUNTING)
    planned = plan(snapshot, [do(snapshot, Do.REWRITE, "Counted", text="Told in other words.")])
    assert text(planned) == f"- Told in other words. <!--a:{ago(3)}/5-->\n"


def test_an_entry_that_counts_up_to_the_last_pass_but_one_is_not_called_stale() -> None:
    snapshot = home({"learnings": f"- Counted. <!--a:{ago(3)}/8-->\n"}, horizon=COUNTING)
    planned = plan(snapshot)
    assert text(planned) == f"- Counted. <!--a:{ago(3)}/9-->\n"
    assert planned.exceptions == () and planned.reset_safe


def test_a_repair_and_a_tick_in_one_pass() -> None:
    body = f"- Twice. <!--a:{ago(9)}--> <!--a:{ago(3)}/1-->\n- Other. <!--a:{ago(2)}-->\n"
    snapshot = home({"learnings": body}, horizon=COUNTING)
    planned = plan(snapshot, accept(snapshot, [], ["repairs"]))
    assert not planned.refused
    assert text(planned) == f"- Twice. <!--a:{ago(3)}/2-->\n- Other. <!--a:{ago(2)}/1-->\n"


def test_a_future_date_repaired_while_passes_are_counted() -> None:
    body = f"- Ahead. <!--a:{ago(-9)}/1-->\n- Other. <!--a:{ago(2)}-->\n"
    snapshot = home({"learnings": body}, horizon=COUNTING)
    planned = plan(snapshot, accept(snapshot, [], ["repairs"]))
    assert text(planned) == f"- Ahead. <!--a:{ago(0)}/2-->\n- Other. <!--a:{ago(2)}/1-->\n"


def test_read_only_and_blocked_files_are_not_counted() -> None:
    body = f"- Inherited. <!--a:{ago(3)}/1-->\n"
    snapshot = home({"learnings": "```\nopen\n" + body, "captain": body}, horizon=COUNTING)
    assert set(plan(snapshot).texts) == {"data/captain.md"}
