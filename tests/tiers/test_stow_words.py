"""Consolidation: merges and rewrites keep every word they drop, and nothing is done by half."""

from __future__ import annotations

import pytest
from homes import COUNTING, TODAY, ago, archived, cards, chosen, do, home, repeated, text, the, why, written

from floppy_tui.tiers.audit import audit
from floppy_tui.tiers.cards import ACCEPTABLE, Verb
from floppy_tui.tiers.decisions import Do, Verdict, decide
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.receipt import Receipt, as_json, as_markdown
from floppy_tui.tiers.stow import Outcome, accept, plan

SAID = "task lint-q4 hit it"
OLD = f"- Never force-push; use port 8080 after 9. <!--a:{ago(5)}-->\n"


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("Never force-push;  use port 8080 after 9.", True),
        ("Once more: Never  force-push; use port 8080\nafter 9.", True),
        ("Never force-push.", False),
        # The same words in another order, sign, case or number say something else.
        ("Use port 9 after 8080; never force-push.", False),
        ("never force-push; use port 8080 after 9.", False),
        ("Never force-push; use port 8081 after 9.", False),
        ("Never force push, use port 8080 after 9.", False),
    ],
)
def test_a_rewrite_archives_what_it_does_not_hold(words: str, kept: bool) -> None:
    snapshot = home({"learnings": OLD})
    planned = repeated(snapshot, [do(snapshot, Do.REWRITE, "Never", text=words)])
    fate = planned.fates[snapshot.entries[0].id]
    assert fate.outcome is Outcome.REWRITTEN and audit(planned, written(planned)) == ()
    came = f"- (from learnings.md, tier: aging, reinforced: {ago(5)}) "
    left = f"{came}{OLD[2:42]} [archived: superseded by {fate.into}]"
    assert archived(planned) == ([] if kept else [left])
    assert planned.actions["data/learnings.md"] == (("rewritten",) if kept else ("rewritten", "archived"))
    receipt = as_json(Receipt(planned, applied=True))
    assert len(receipt["archived"]) == (not kept) and receipt["rewritten"][0]["archived"] is not kept
    assert ("the former words are in the archive" in as_markdown(Receipt(planned, applied=True))) is not kept


PAIR = f"- The gate sticks. <!--a:{ago(9)}-->\n- The gate sticks in rain. <!--a:{ago(3)}-->\n"


def test_a_merge_is_one_statement_and_keeps_the_rest_in_the_archive() -> None:
    snapshot = home({"learnings": PAIR})
    merge = do(snapshot, Do.MERGE, "sticks.", "in rain", text="The gate sticks in rain.")
    planned = repeated(snapshot, [merge])
    # As old as the older of what it says.
    assert text(planned) == f"- The gate sticks in rain. <!--a:{ago(9)}-->\n"
    assert [f.outcome for f in planned.fates.values()] == [Outcome.MERGED, Outcome.DUPLICATE]
    assert len(archived(planned)) == 1 and audit(planned, written(planned)) == ()
    said = plan(snapshot, [merge.with_(evidence=SAID)])
    assert text(said) == f"- The gate sticks in rain. <!--a:{TODAY}-->\n"


def test_identical_statements_merge_without_an_archive() -> None:
    body = f"- The gate sticks. <!--a:{ago(9)}/2-->\n- The  gate\n  sticks. <!--a:{ago(3)}/1-->\n"
    snapshot = home({"learnings": body}, horizon=COUNTING)
    first, second = snapshot.entries
    assert second.id == f"{first.id}-2"
    (card,) = cards(plan(snapshot), "duplicate")
    planned = plan(snapshot, [chosen(card, Verb.EDIT, text=first.prose)])
    assert text(planned) == f"- The gate sticks. <!--a:{ago(3)}/2-->\n"
    assert planned.archive_text is None
    assert planned.actions["data/learnings.md"] == ("rewritten", "pruned")
    assert {f.outcome for f in planned.fates.values()} == {Outcome.DUPLICATE}


def test_a_decision_on_the_second_of_two_acts_on_that_one() -> None:
    days = (("Gate", 40), ("Lamp", 1), ("Gate", 50), ("Gate", 60))
    body = "".join(f"- {words}. <!--a:{ago(day)}-->\n" for words, day in days)
    snapshot = home({"learnings": body})
    second = next(e for e in snapshot.entries if e.id.endswith("-2"))
    for act, fields in (
        (Do.REINFORCE, {"evidence": SAID}),
        (Do.ARCHIVE, {"reason": "unreinforced 50d"}),
        (Do.REWRITE, {"text": "Gate, again."}),
    ):
        planned = repeated(snapshot, [decide(snapshot, act, second, **fields)])
        lines = text(planned).splitlines()
        assert lines[0] == f"- Gate. <!--a:{ago(40)}-->" and lines[-1] == f"- Gate. <!--a:{ago(60)}-->"
        assert f"- Gate. <!--a:{ago(50)}-->" not in lines
        assert audit(planned, written(planned)) == ()


def test_a_merge_names_each_entry_once() -> None:
    snapshot = home({"learnings": PAIR})
    merge = do(snapshot, Do.MERGE, "sticks.", "sticks.", text="Gate.")
    assert "two entries" in why(plan(snapshot, [merge]))
    thrice = do(snapshot, Do.MERGE, "sticks.", "sticks.", "in rain", text="Gate.")
    planned = plan(snapshot, [thrice])
    assert text(planned) == f"- Gate. <!--a:{ago(9)}-->\n" and audit(planned, written(planned)) == ()


def test_a_merge_that_cannot_be_written_is_not_done_at_all() -> None:
    captain = "- Tea at four.\n"
    # Cutting one of two marked children would let the other stand for the parent.
    nested = f"- Parent\n  - one <!--a:{ago(2)}-->\n  - two <!--a:{ago(2)}-->\n"
    snapshot = home({"captain": captain, "learnings": nested + f"- Lamp. <!--a:{ago(3)}-->\n"})
    merge = do(snapshot, Do.MERGE, "Tea", "one", "Lamp", text="Tea at four, one lamp.")
    planned = plan(snapshot, [merge])
    assert [r.decision for r in planned.refused] == [merge]
    assert not planned.texts and planned.archive_text is None
    assert {f.outcome for f in planned.fates.values()} == {Outcome.KEPT}
    assert planned.actions == dict.fromkeys(planned.actions, ("unchanged",))


def test_words_that_cannot_be_one_entry_take_their_evidence_with_them() -> None:
    snapshot = home({"learnings": f"- Gate. <!--a:{ago(40)}-->\n\n## Next\n\n- Lamp. <!--a:{ago(1)}-->\n"})
    evidence = do(snapshot, Do.REINFORCE, "Gate", evidence=SAID)
    rewrite = do(snapshot, Do.REWRITE, "Gate", text="```\nnever closed")
    planned = plan(snapshot, [evidence, rewrite])
    assert {r.decision.do for r in planned.refused} == {Do.REINFORCE, Do.REWRITE}
    assert not planned.texts and planned.reinforced == ()
    assert [c for c in planned.undecided if c.kind == "stale"]


def test_what_was_reinforced_first_counts_in_a_merge() -> None:
    same = f"- Gate. <!--a:{ago(40)}-->\n- gate. <!--a:{ago(50)}-->\n"
    snapshot = home({"learnings": same})
    first, second = snapshot.entries
    evidence = do(snapshot, Do.REINFORCE, "Gate", evidence=SAID)
    merge = do(snapshot, Do.MERGE, "Gate", "gate", text="Gate.")
    planned = plan(snapshot, [evidence, merge])
    assert text(planned) == f"- Gate. <!--a:{TODAY}-->\n"
    assert [e.entry for e in planned.reinforced] == [first.id] != [second.id]
    other = home({"learnings": PAIR})
    planned = plan(
        other,
        [
            do(other, Do.REINFORCE, "sticks.", evidence=SAID),
            do(other, Do.MERGE, "sticks.", "in rain", text="The gate sticks in rain."),
        ],
    )
    # Only one of the two statements was confirmed, so the merged one is as old as the other.
    assert text(planned) == f"- The gate sticks in rain. <!--a:{ago(3)}-->\n"
    assert planned.reinforced == ()


def test_a_merged_entry_stays_perishable_only_with_a_condition() -> None:
    body = f"- Until issue 12. <!--p:{ago(2)}-->\n- Until issue 13. <!--p:{ago(3)}-->\n"
    snapshot = home({"learnings": body})
    merge = do(snapshot, Do.MERGE, "issue 12", "issue 13", text="Until issues 12 and 13, see issue 12.")
    assert "<!--p:" in text(plan(snapshot, [merge]))
    assert "<!--a:" in text(plan(snapshot, [merge.with_(text="For a while.")]))
    rewrite = do(snapshot, Do.REWRITE, "issue 12", text="For good.")
    assert "condition" in why(plan(snapshot, [rewrite]))
    evidence = do(snapshot, Do.REINFORCE, "issue 12", evidence=SAID)
    assert "condition" in why(plan(snapshot, [evidence, rewrite]))
    promoted = do(snapshot, Do.RETIER, "issue 12", tier=Tier.AGING)
    assert "- For good. <!--a:" in text(plan(snapshot, [promoted, rewrite]))


def test_a_repair_of_words_that_are_replaced_is_moot() -> None:
    body = f"- Gate. <!--a:soon--> <!--a:{ago(2)}-->\n"
    snapshot = home({"learnings": body})
    rewrite = do(snapshot, Do.REWRITE, "Gate", text="Gate, told anew.")
    planned = plan(snapshot, [*accept(snapshot, [], ["repairs"]), rewrite])
    assert text(planned) == f"- Gate, told anew. <!--a:{ago(2)}-->\n" and not planned.refused


def test_repairs_and_a_new_tier_meet_on_one_entry() -> None:
    body = f"- Tea. <!--a:{ago(9)}--> <!--a:{ago(2)}-->\n"
    snapshot = home({"captain": body})
    decisions = [*accept(snapshot, [], ["repairs"]), do(snapshot, Do.RETIER, "Tea", tier=Tier.PINNED)]
    planned = plan(snapshot, decisions)
    assert text(planned, "captain") == "- Tea.\n" and not planned.refused
    evidence = [*decisions[:-1], do(snapshot, Do.REINFORCE, "Tea", evidence=SAID)]
    assert text(plan(snapshot, evidence), "captain") == f"- Tea. <!--a:{TODAY}-->\n"


def test_a_repair_that_splits_a_paragraph_is_accounted_for() -> None:
    body = f"Intro.\n\n# All\n\nAlpha beta <!-- a:{ago(2)} -->\ngamma delta\n\n- Item. <!--a:{ago(1)}-->\n"
    snapshot = home({"learnings": body})
    planned = plan(snapshot, accept(snapshot, [], ["repairs"]))
    assert f"Alpha beta <!--a:{ago(2)}-->\ngamma delta" in text(planned) and not planned.refused
    assert audit(planned, written(planned)) == ()


def test_near_duplicates_are_dealt_and_left() -> None:
    body = (
        f"- Deploys go out on Tuesday before noon. <!--a:{ago(9)}-->\n"
        f"- Deploys go out on Tuesday before noon, mostly. <!--a:{ago(3)}-->\n"
    )
    snapshot = home({"learnings": body})
    (card,) = cards(plan(snapshot), "near")
    assert (card.accept, card.blocks) == ("", False)
    assert card.entries[0] == the(snapshot, "noon.").id
    left = plan(snapshot, [chosen(card, Verb.STAY)])
    assert left.reset_safe and not left.texts
    assert cards(plan(snapshot, accept(snapshot, [], ACCEPTABLE)), "near")[0].open


def test_what_holds_a_merged_statement_does_not_leave_after_it() -> None:
    snapshot = home({"learnings": PAIR.replace(ago(9), ago(40)).replace("rain.", "rain (issue 1).")})
    merge = do(snapshot, Do.MERGE, "sticks.", "in rain", text="The gate sticks, mostly in rain.")
    for later in (
        do(snapshot, Do.ARCHIVE, "sticks.", reason="unreinforced 40d"),
        do(snapshot, Do.ARCHIVE, "in rain", reason="gone"),
        do(snapshot, Do.REWRITE, "sticks.", text="No gate."),
        do(snapshot, Do.EVICT, "sticks."),
    ):
        planned = plan(snapshot, [merge, later])
        assert [r.decision for r in planned.refused] == [later]
        assert "- The gate sticks, mostly in rain. " in text(planned)
        assert audit(planned, written(planned)) == ()


def test_two_statements_do_not_supersede_each_other() -> None:
    snapshot = home({"captain": "- Tea at four.\n- Tea at five.\n- Tea at six.\n"})
    four, five, six = (the(snapshot, words) for words in ("four", "five", "six"))
    first = do(snapshot, Do.ARCHIVE, "four", reason=f"superseded by {five.id}")
    back = do(snapshot, Do.ARCHIVE, "five", reason=f"superseded by {four.id}")
    on = do(snapshot, Do.ARCHIVE, "five", reason=f"superseded by {six.id}")
    itself = do(snapshot, Do.ARCHIVE, "six", reason=f"superseded by {six.id}")
    assert text(plan(snapshot, [first, on]), "captain") == "- Tea at six.\n"
    assert why(plan(snapshot, [first, back])) == "“Tea at four.” leaves as superseded by this one."
    assert "by itself" in why(plan(snapshot, [itself]))


@pytest.mark.parametrize("bad", ["\ud800", "\udfff"])
def test_a_character_that_stands_for_no_byte_is_refused(bad: str) -> None:
    snapshot = home({"learnings": f"- See issue 1. <!--p:{ago(40)}-->\n"})
    for decision in (
        do(snapshot, Do.REWRITE, "issue", text=f"See issue 1 {bad}"),
        do(snapshot, Do.ARCHIVE, "issue", reason=f"gone {bad}"),
        do(snapshot, Do.CONDITION, "issue", verdict=Verdict.RESOLVED, reason=bad),
    ):
        assert "cannot be written" in why(plan(snapshot, [decision]))
