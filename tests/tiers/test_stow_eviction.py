"""Eviction: the pool, the convergence check, the order, and not one entry more than needed."""

from __future__ import annotations

import pytest
from homes import COUNTING, HEADER, ago, archived, cards, chosen, do, home, repeated, text, the, why, written
from hypothesis import given
from hypothesis import strategies as st

from floppy_tui.tiers.audit import audit
from floppy_tui.tiers.budget import estimate
from floppy_tui.tiers.cards import Verb
from floppy_tui.tiers.decisions import Do
from floppy_tui.tiers.layout import Role
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.receipt import Receipt, as_json
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tiers.stow import Plan, accept, plan

SAID = "task lint-q4 hit it"


def line(words: str, days: int, size: int = 45) -> str:
    """An aging entry of ``size`` bytes."""
    tail = f" <!--a:{ago(days)}-->\n"
    return f"- {words} ".ljust(size - len(tail), "x") + tail


def costs(*lines: str) -> int:
    """Estimated tokens of the learnings that hold ``lines``."""
    return estimate(len((HEADER + "".join(lines)).encode()))


def evicted(snapshot: Snapshot) -> Plan:
    """The pass with every eviction that is proposed."""
    return repeated(snapshot, accept(snapshot, [], ["eviction"]))


def kept(planned: Plan) -> list[str]:
    return [one.split()[1] for one in text(planned).splitlines() if one.startswith("- ")]


A, B, C, D = line("A", 20), line("B", 10), line("C", 10), line("D", 5)
ALL = (A, B, C, D)


@pytest.mark.parametrize(
    ("allowance", "left"),
    [
        (costs(*ALL), ["A", "B", "C", "D"]),
        (costs(*ALL) - 1, ["B", "C", "D"]),
        (costs(B, C, D), ["B", "C", "D"]),
        (costs(B, C, D) - 1, ["C", "D"]),
        (costs(C, D) - 1, ["D"]),
    ],
)
def test_the_oldest_go_first_and_not_one_more_than_needed(allowance: int, left: list[str]) -> None:
    planned = evicted(home({"learnings": "".join(ALL)}, allowance=allowance))
    assert kept(planned) == left
    assert planned.within_budget and not planned.refused
    assert planned.reset_safe
    assert all("[archived: budget oldest-first]" in one for one in archived(planned))


def test_ties_go_by_size_then_by_file_order() -> None:
    rows = (line("Small", 9, 40), line("Large", 9, 60), line("Same", 9, 60), line("Young", 8, 90))
    for count, left in ((1, ["Small", "Same", "Young"]), (2, ["Small", "Young"]), (3, ["Young"])):
        keep = [r for r in rows if r.split()[1] in left]
        assert kept(evicted(home({"learnings": "".join(rows)}, allowance=costs(*keep)))) == left, count


def test_where_all_would_not_be_enough_nothing_is_evicted_and_the_floor_is_named() -> None:
    body = "".join(ALL) + "- Never do this without asking. <!--P-->\n"
    snapshot = home({"learnings": body, "captain": "- " + "Tea. " * 30 + "\n"}, allowance=60)
    assert not cards(plan(snapshot), "evict")
    (card,) = cards(plan(snapshot), "no-convergence")
    planned = plan(snapshot, [do(snapshot, Do.EVICT, "A x")])
    assert "would not reach" in why(planned) and planned.archive_text is None
    least = home({"learnings": body.replace("".join(ALL), ""), "captain": "- " + "Tea. " * 30 + "\n"}).total
    floor = sum(e.tokens for e in snapshot.entries if e.pinned)
    assert f"hold {least} estimated tokens: a shortfall of {least - 60}" in card.why
    assert f"alone holds {floor}" in card.why
    receipt = as_json(Receipt(plan(snapshot), applied=True))
    assert receipt["decision"]["shortfall"] == snapshot.total - 60
    assert receipt["decision"]["pinned_floor"] == floor
    assert len(receipt["decision"]["options"]) == 2 and receipt["reset_safe"] is False


UNTOUCHABLE = {
    "perishable": "- Old, see issue 1. <!--p:2026-09-30-->\n",
    "pinned": "- Old. <!--P-->\n",
    "unmarked": "- Old.\n",
    "grace": "- Old. <!--g-->\n",
    "impossible date": "- Old. <!--a:2026-02-30-->\n",
    "unreadable marker": "- Old. <!--a:2026-09-01--> <!--a:soon-->\n",
    "holds others": "- Old. <!--a:2026-09-20-->\n  - I. <!--a:2026-09-25-->\n  - II. <!--a:2026-09-26-->\n",
}


@pytest.mark.parametrize("name", UNTOUCHABLE)
def test_only_dated_aging_entries_are_in_the_pool(name: str) -> None:
    body = UNTOUCHABLE[name] + line("Young", 1)
    snapshot = home({"learnings": body}, allowance=costs(body) - 1)
    entry = the(snapshot, "Old")
    shown = [c.entries[0] for c in cards(plan(snapshot), "evict")]
    assert shown and entry.id not in shown
    planned = plan(snapshot, [do(snapshot, Do.EVICT, "Old")])
    assert planned.refused and "Old" in text(planned)


def test_a_file_of_another_home_is_not_in_the_pool() -> None:
    shared = (HEADER + line("Theirs", 25)).encode()
    mine = line("Mine", 1)
    snapshot = home({"shared": shared, "learnings": mine}, role=Role.SECONDMATE, allowance=55)
    assert [c.title for c in cards(plan(snapshot), "evict")] == [the(snapshot, "Mine").first_line]


def test_what_this_pass_touched_or_the_captain_keeps_is_not_evicted() -> None:
    snapshot = home({"learnings": "".join(ALL)}, allowance=costs(*ALL) - 1)
    (first,) = cards(plan(snapshot), "evict")
    stay = chosen(first, Verb.STAY)
    evidence = do(snapshot, Do.REINFORCE, "A x", evidence=SAID)
    retained = next(c for c in cards(plan(snapshot), "retain") if c.entries == first.entries)
    for decision in (stay, evidence, chosen(retained, Verb.STAY), do(snapshot, Do.KEEP, "A x")):
        planned = plan(snapshot, accept(snapshot, [decision], ["eviction"]))
        assert kept(planned) == ["A", "C", "D"], decision
        assert not planned.refused and planned.within_budget
    assert next(c.decided for c in cards(plan(snapshot, [stay]), "evict")) is stay


def test_an_eviction_and_another_decision_on_one_entry() -> None:
    snapshot = home({"learnings": "".join(ALL)}, allowance=costs(*ALL) - 1)
    evict = do(snapshot, Do.EVICT, "A x", card="reduce:evict:" + the(snapshot, "A x").id)
    evidence = do(snapshot, Do.REINFORCE, "A x", evidence=SAID)
    for order in ([evict, evidence], [evidence, evict]):
        planned = repeated(snapshot, order)
        assert [r.decision for r in planned.refused] == [evict]
        assert kept(planned) == ["A", "B", "C", "D"]
        assert [c.entries for c in cards(planned, "evict")] == [(the(snapshot, "B x").id,)]


def test_out_of_order_or_unneeded_evictions_are_refused() -> None:
    snapshot = home({"learnings": "".join(ALL)}, allowance=costs(*ALL) - 1)
    young = do(snapshot, Do.EVICT, "D x")
    assert "Older entries go first" in why(plan(snapshot, [young]))
    both = plan(snapshot, [do(snapshot, Do.EVICT, "A x"), do(snapshot, Do.EVICT, "B x")])
    assert "within budget without it" in why(both) and kept(both) == ["B", "C", "D"]
    rich = home({"learnings": "".join(ALL)})
    assert "within budget" in why(plan(rich, [do(rich, Do.EVICT, "A x")]))
    named = plan(snapshot, [do(snapshot, Do.ARCHIVE, "D x", reason="budget oldest-first")])
    assert "evicted" in why(named)


def test_headers_and_grace_count_before_anything_is_evicted() -> None:
    body = "".join((*ALL, "- Unmarked.\n"))
    snapshot = home({"learnings": body}, allowance=costs(body) + 2, horizon=COUNTING)
    assert snapshot.within_budget
    planned = plan(snapshot, accept(snapshot, [], ["grace", "eviction"]))
    assert planned.within_budget and kept(planned) == ["B", "C", "D", "Unmarked."]


def test_low_utility_leaves_before_by_its_own_card() -> None:
    snapshot = home({"learnings": "".join(ALL)}, allowance=costs(*ALL) - 1)
    row = next(c for c in cards(plan(snapshot), "retain") if c.entries == (the(snapshot, "D x").id,))
    mark = chosen(row, Verb.LEAVE, reason="read once")
    (card,) = cards(plan(snapshot, [mark]), "low-utility")
    planned = plan(snapshot, [mark, card.offers[0].decision])
    assert kept(planned) == ["A", "B", "C"] and planned.reset_safe
    assert "[archived: low utility: read once]" in archived(planned)[0]
    assert not cards(planned, "evict")


def test_an_entry_that_cannot_be_cut_makes_room_for_the_next() -> None:
    nested = f"- Parent\n  - one <!--a:{ago(29)}-->\n  - two <!--a:{ago(2)}-->\n"
    body = nested + A + B
    snapshot = home({"learnings": body}, allowance=costs(body) - 1)
    planned = evicted(snapshot)
    assert planned.within_budget and not planned.refused
    assert "one" in text(planned) and kept(planned) == ["Parent", "B"]


ROW = st.tuples(st.integers(0, 29), st.integers(30, 80), st.sampled_from(["\n", "\n\n"]))
ROWS = st.lists(ROW, min_size=1, max_size=8)


@given(ROWS, st.integers(1, 400))
def test_eviction_never_takes_more_than_it_must(rows: list[tuple[int, int, str]], allowance: int) -> None:
    lines = [line(f"E{at}", days, size) for at, (days, size, _) in enumerate(rows)]
    body = "".join(one.rstrip("\n") + gap for one, (_, _, gap) in zip(lines, rows, strict=True))
    snapshot = home({"learnings": body}, allowance=allowance)
    planned = evicted(snapshot)
    assert not planned.refused and audit(planned, written(planned)) == ()
    gone = [i for d in planned.departures for i in d.entries]
    order = sorted(snapshot.entries, key=lambda e: (e.reinforced, -e.tokens, e.start))
    assert gone == sorted((e.id for e in order[: len(gone)]), key=gone.index)
    if gone:
        assert planned.within_budget
        fewer = plan(snapshot, [d for d in planned.decisions if d.id != order[len(gone) - 1].id])
        assert not fewer.within_budget
    elif not snapshot.within_budget:
        assert cards(planned, "no-convergence")


def test_tier_words_of_the_archive() -> None:
    snapshot = home({"learnings": "".join(ALL)}, allowance=costs(*ALL) - 1)
    (departed,) = evicted(snapshot).departures
    assert departed.evicted and departed.departure.tier is Tier.AGING
    came = f"- (from learnings.md, tier: aging, reinforced: {ago(20)}) A x"
    assert archived(evicted(snapshot))[0].startswith(came)
