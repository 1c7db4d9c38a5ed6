"""The retention plan: one table, every factor shown, nothing open in it."""

from __future__ import annotations

from homes import COUNTING, HEADER, ago, cards, chosen, do, home, the, why

from floppy_tui.tiers.cards import Step, Verb
from floppy_tui.tiers.decisions import Do
from floppy_tui.tiers.layout import Role
from floppy_tui.tiers.retention import retention
from floppy_tui.tiers.stow import plan

SAID = "task lint-q4 hit it"
BODY = f"""- Stale aging. <!--a:{ago(40)}-->
- Old aging. <!--a:{ago(20)}-->
- Never do this aging. <!--a:{ago(20)}-->
- Young aging. <!--a:{ago(2)}-->
- Only when building aging. <!--a:{ago(1)}-->
- Perishable of issue 1. <!--p:{ago(1)}-->
- Unmarked.
- Legacy. <!--g-->
- Counted aging. <!--a:{ago(2)}/3-->
"""


def order(snapshot: object, **marks: Do) -> list[str]:
    found = retention(snapshot, {the(snapshot, w).id: mark for w, mark in marks.items()})
    assert [row.place for row in found] == list(range(1, len(found) + 1))
    return [row.entry.prose.split()[0] for row in found]


def test_the_order_and_its_factors() -> None:
    snapshot = home({"captain": "- Tea.\n", "learnings": BODY}, horizon=COUNTING)
    expected = [
        "Tea.",
        "Never",
        "Young",
        "Counted",
        "Old",
        "Only",
        "Perishable",
        "Unmarked.",
        "Legacy.",
        "Stale",
    ]
    assert order(snapshot) == expected
    marked = order(snapshot, Legacy=Do.KEEP, Young=Do.LOW_UTILITY, Never=Do.CONDITIONAL)
    assert (marked[0], marked[-2:]) == ("Legacy.", ["Never", "Young"])
    names = {tuple(f.name for f in row.factors) for row in retention(snapshot, {})}
    assert names == {("mark", "clock", "tier", "evidence", "scope", "last reinforced", "passes")}
    row = next(r for r in retention(snapshot, {}) if r.entry.prose.startswith("Never"))
    assert all(f"{f.name}: {f.value}" in row.reason for f in row.factors)
    assert "scope: broad (“Never”)" in row.reason and "last reinforced: 20d ago" in row.reason


def test_evidence_of_this_pass_counts() -> None:
    snapshot = home({"learnings": BODY})
    planned = plan(snapshot, [do(snapshot, Do.REINFORCE, "Only", evidence=SAID)])
    rows = [c.title for c in cards(planned, "retain")]
    assert rows[0].endswith("Only when building aging.")


def test_one_row_an_entry_and_nothing_open() -> None:
    snapshot = home({"captain": "- Tea.\n", "learnings": BODY})
    planned = plan(snapshot)
    rows = planned.step(Step.RETAIN)
    assert {c.entries for c in rows} == {(e.id,) for e in snapshot.entries}
    assert not [c for c in rows if c.open or c.blocks or c.accept]


def test_the_captain_s_marks_are_shown_and_change_no_byte() -> None:
    snapshot = home({"learnings": BODY})
    row = next(c for c in plan(snapshot).step(Step.RETAIN) if c.entries == (the(snapshot, "Young").id,))
    for verb, fields in (
        (Verb.STAY, {}),
        (Verb.LEAVE, {"reason": "read once"}),
        (Verb.EDIT, {"reason": "at sea"}),
    ):
        decision = chosen(row, verb, **fields)
        planned = plan(snapshot, [decision])
        again = next(c for c in planned.step(Step.RETAIN) if c.key == row.key)
        assert again.decided is decision and not planned.texts and not planned.refused
        assert f"mark: {decision.do.value}" in again.why
    assert "low utility" in why(plan(snapshot, [chosen(row, Verb.LEAVE)]))
    assert "trigger" in why(plan(snapshot, [chosen(row, Verb.EDIT)]))


def test_what_another_home_owns_is_shown_too() -> None:
    snapshot = home({"shared": (HEADER + "- Ask.\n").encode()}, role=Role.SECONDMATE)
    (row,) = plan(snapshot).step(Step.RETAIN)
    assert row.title == "1. Ask."


def test_a_mark_on_what_another_home_owns_is_no_change_to_it() -> None:
    snapshot = home({"shared": (HEADER + "- Ask.\n").encode()}, role=Role.SECONDMATE)
    planned = plan(snapshot, [do(snapshot, Do.LOW_UTILITY, "Ask", reason="read once")])
    assert planned.reset_safe and not planned.refused and not cards(planned, "routed")
