"""Offload in a pass: what a live owner is given, what is only proposed, and what stays."""

from __future__ import annotations

from dataclasses import replace

import pytest
from homes import ago, archived, cards, chosen, home, text, the, why, written
from scopes import GATE_NOTE, LAMP_SKILL, NOTE, SKILL, looked_over, survey

from floppy_tui.offload.proposal import Proposal, State
from floppy_tui.tiers.audit import audit
from floppy_tui.tiers.cards import Step, Verb
from floppy_tui.tiers.decisions import Decision, Do, Move, decide
from floppy_tui.tiers.difference import changes
from floppy_tui.tiers.errands import Propose
from floppy_tui.tiers.layout import CAPTAIN, LEARNINGS, SHARED, Role
from floppy_tui.tiers.receipt import Receipt, as_json, as_markdown
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tiers.stow import Outcome, Plan, accept, plan, rebase

GATE = (
    "When the gate barrier sticks in the rain, lift it by hand at the hinge, wait until the motor stops "
    "humming, then let it down slowly; the second try without the wait burns the fuse of the whole quay."
)
LAMP = (
    "When a lamp on the quay is out, the oil for it stands in the shed behind the crane, on the upper "
    "shelf, and the key to the shed hangs in the office under the clock, since the old lock was changed."
)
PIN = (
    "When a pilot boat calls at night, answer on channel twelve within a minute and write its name, its "
    "draught and its berth on the board before anything else is done, whoever of us is on watch then."
)
OWN = f"- {GATE} <!--a:{ago(4)}-->\n- {LAMP} <!--a:{ago(9)}-->\n- Short one. <!--a:{ago(1)}-->\n"


def full(**fields: object) -> Snapshot:
    """A home over budget by a little, with a note and a skill that could take what it holds."""
    files = {"learnings": OWN, "captain": f"- {PIN}\n"}
    snapshot = home(files | fields.pop("files", {}), allowance=1, **fields)  # type: ignore[arg-type, operator]
    return looked_over(
        replace(snapshot, allowance=replace(snapshot.allowance, digits=str(snapshot.total - 9)))
    )


def offload(snapshot: Snapshot, words: str, path: str, trigger: str = "when it sticks") -> Decision:
    return decide(snapshot, Do.OFFLOAD, the(snapshot, words), move=Move(trigger, path))


def propose(
    snapshot: Snapshot, words: str, path: str = "pilots", trigger: str = "when a pilot calls"
) -> Decision:
    return decide(
        snapshot, Do.PROPOSE, the(snapshot, words), move=Move(trigger, path, "Use when a pilot calls.")
    )


def sound(planned: Plan) -> Plan:
    assert audit(planned, written(planned)) == ()
    return planned


def test_the_owner_gets_the_quote_and_the_memory_loses_the_entry() -> None:
    planned = sound(plan(full(), [offload(full(), "gate barrier", NOTE)]))
    before, after = planned.destinations[NOTE]
    assert before == GATE_NOTE and after == f"{GATE_NOTE}\n{GATE}\n"
    assert GATE not in text(planned) and LAMP in text(planned) and archived(planned) == []
    assert planned.within_budget and planned.actions[LEARNINGS] == ("pruned",)
    assert planned.fates[the(full(), "gate barrier").id].outcome is Outcome.RELOCATED
    assert f"+{GATE}" in changes(planned) and f"-- {GATE} <!--a:{ago(4)}-->" in changes(planned)


def test_the_receipt_names_trigger_owner_privacy_and_the_relief_that_was_measured() -> None:
    planned = plan(full(), [offload(full(), "gate barrier", NOTE)])
    receipt = Receipt(planned, applied=True)
    (one,) = as_json(receipt)["offloaded"]
    gone = planned.snapshot.file(LEARNINGS).tokens - planned.tokens(LEARNINGS)
    assert (one["destination"], one["trigger"], one["relief"]) == (NOTE, "when it sticks", gone)
    assert one["prose"] == GATE and one["privacy"]
    assert NOTE in as_markdown(receipt) and f"Relief: {gone} tokens." in as_markdown(receipt)


def test_the_audit_asks_the_owner_for_the_very_quote() -> None:
    planned = plan(full(), [offload(full(), "gate barrier", NOTE)])
    for held in (None, GATE_NOTE.encode(), f"{GATE_NOTE}\n{GATE[:-1]}\n".encode()):
        (problem,) = audit(planned, written(planned) | {NOTE: held})
        assert f"is not held by {NOTE}" in problem


def test_two_go_to_one_owner_in_their_order() -> None:
    snapshot = full()
    tight = replace(snapshot, allowance=replace(snapshot.allowance, digits=str(snapshot.total - 80)))
    planned = sound(
        plan(
            tight,
            [offload(tight, "gate barrier", NOTE), offload(tight, "lamp on", NOTE)],
        )
    )
    assert planned.destinations[NOTE][1] == f"{GATE_NOTE}\n{GATE}\n\n{LAMP}\n"
    assert text(planned) == f"- Short one. <!--a:{ago(1)}-->\n"


def test_an_owner_that_holds_it_already_is_left_as_it_is() -> None:
    held = survey({NOTE: f"{GATE_NOTE}\n{GATE}\n"})
    snapshot = looked_over(full(), seen=held)
    planned = sound(plan(snapshot, [offload(snapshot, "gate barrier", NOTE)]))
    before, after = planned.destinations[NOTE]
    assert before == after == held.facts[NOTE].text and GATE not in text(planned)
    assert not any(NOTE in line for line in changes(planned))


REFUSED = [
    ("gate barrier", ".agents/skills/new/SKILL.md", "", ""),
    ("gate barrier", "docs/gate.md", "", ""),
    ("gate barrier", "../gate.md", "", ""),
    ("gate barrier", "data/learnings.md", "", ""),
    ("gate barrier", NOTE, "-", ""),
    ("Short one", NOTE, "", "50"),
    ("pilot boat", NOTE, "", ""),
]


@pytest.mark.parametrize(("words", "path", "trigger", "said"), REFUSED)
def test_what_the_pass_never_moves_by_itself(words: str, path: str, trigger: str, said: str) -> None:
    snapshot = full()
    given = offload(snapshot, words, path, "" if trigger else "when it sticks")
    planned = plan(snapshot, [given])
    assert planned.destinations == {} and planned.texts == {} and said in why(planned)


def test_a_stale_entry_is_archived_and_never_moved() -> None:
    snapshot = full(files={"learnings": OWN.replace(ago(4), ago(31))})
    assert plan(snapshot, [offload(snapshot, "gate barrier", NOTE)]).refused
    fresh = decide(snapshot, Do.REINFORCE, the(snapshot, "gate barrier"), evidence="task lint-q4 hit it")
    assert not plan(snapshot, [fresh, offload(snapshot, "gate barrier", NOTE)]).refused


def test_nothing_is_moved_while_the_plan_is_within_budget_without_it() -> None:
    roomy = replace(full(), allowance=replace(full().allowance, digits="9000"))
    planned = plan(roomy, [offload(roomy, "gate barrier", NOTE)])
    assert "speculatively" in why(planned) and planned.texts == {} and planned.destinations == {}
    assert not cards(plan(roomy), "offload") and not cards(plan(roomy), "relocate")


def test_a_home_that_was_not_looked_over_moves_nothing() -> None:
    blind = replace(full(), scope=None)
    assert "looked" in why(plan(blind, [offload(blind, "gate barrier", NOTE)]))
    (card,) = cards(plan(blind), "owners")
    assert "not looked at yet" in card.title


def test_the_cards_go_largest_first_with_every_verdict_and_leave_by_their_own_verb() -> None:
    snapshot = full()
    dealt = cards(plan(snapshot), "offload")
    sizes = [snapshot.by_id[c.entries[0]].tokens for c in dealt]
    assert sizes == sorted(sizes, reverse=True) and len(dealt) == 2
    card = next(c for c in dealt if c.entries == (the(snapshot, "gate barrier").id,))
    assert card.why.count("✓") == 7 and card.offers[0].verb is Verb.LEAVE and card.offers[0].effect < 0
    assert card.offers[0].decision.move.destination == NOTE  # type: ignore[union-attr]
    assert not accept(snapshot, [], ("headers", "repairs", "grace", "stale", "legacy", "conditions"))
    done = plan(snapshot, [chosen(card, Verb.LEAVE)])
    assert [c.decided is not None for c in cards(done, "offload")] == [True] and done.within_budget
    assert not cards(done, "evict")


def test_offload_comes_before_eviction_and_eviction_leaves_proposals_alone() -> None:
    snapshot = full()
    kinds = [c.kind for c in plan(snapshot).step(Step.REDUCE)]
    assert kinds.index("offload") < kinds.index("evict")
    waiting = looked_over(snapshot, asked(snapshot, "lamp on"))
    assert the(snapshot, "lamp on").id not in {e for c in cards(plan(waiting), "evict") for e in c.entries}
    evict = decide(waiting, Do.EVICT, the(waiting, "lamp on"), reason="budget oldest-first")
    assert plan(waiting, [evict]).refused
    assert plan(waiting, [offload(waiting, "lamp on", SKILL)]).refused


def asked(snapshot: Snapshot, words: str, state: State = State.PROPOSED) -> Proposal:
    entry = the(snapshot, words)
    return Proposal(
        id="p1",
        entry=entry.id,
        file=entry.file,
        first_line=entry.first_line,
        tokens=entry.tokens,
        move=Move("when a lamp is out", "lamps-2"),
        state=state,
        quote=entry.prose,
    )


def test_a_pinned_entry_is_only_proposed() -> None:
    snapshot = full()
    (card,) = cards(plan(snapshot), "relocate")
    assert card.entries == (the(snapshot, "pilot boat").id,) and card.offers[0].needs == ("move",)
    planned = plan(snapshot, [chosen(card, Verb.ACCEPT)])
    assert planned.texts == {} and planned.destinations == {} and not planned.within_budget
    assert planned.actions[CAPTAIN] == ("proposed-offload",)
    (one,) = planned.proposed
    assert planned.errands[0] == (Propose(one), planned.decisions[0]) and one.quote == PIN
    (told,) = as_json(Receipt(planned, applied=True))["proposed"]
    assert told["state"] == "proposed" and told["destination"].startswith(".agents/skills/")
    assert "Proposed to be offloaded" in as_markdown(Receipt(planned, applied=True))


def test_what_is_proposed_or_was_rejected_is_not_dealt_again_unasked() -> None:
    snapshot = full()
    assert not cards(plan(looked_over(snapshot, asked(snapshot, "pilot boat"))), "relocate")
    rejected = looked_over(snapshot, asked(snapshot, "pilot boat", State.REJECTED))
    assert not cards(plan(rejected), "relocate")
    mark = decide(rejected, Do.CONDITIONAL, the(rejected, "pilot boat"), reason="when a pilot calls")
    assert cards(plan(rejected, [mark]), "relocate")


def test_within_budget_the_captain_may_ask_by_marking_it_conditional() -> None:
    snapshot = full()
    roomy = replace(snapshot, allowance=replace(snapshot.allowance, digits="9000"))
    mark = decide(roomy, Do.CONDITIONAL, the(roomy, "pilot boat"), reason="when a pilot calls")
    (card,) = cards(plan(roomy, [mark]), "relocate")
    assert card.optional and card.offers[0].decision.move.trigger == "when a pilot calls"  # type: ignore[union-attr]


def test_what_leaves_or_changes_is_not_proposed_as_well() -> None:
    snapshot = full()
    given = propose(snapshot, "pilot boat")
    gone = decide(snapshot, Do.ARCHIVE, the(snapshot, "pilot boat"), reason="superseded by the new watch")
    for order in ([given, gone], [gone, given]):
        planned = plan(snapshot, order)
        assert planned.proposed == () and [r.decision for r in planned.refused] == [given]


def test_the_shared_file_of_a_secondmate_is_never_moved_from() -> None:
    snapshot = full(files={"shared": f"- {PIN} Twice.\n"}, role=Role.SECONDMATE)
    assert "routed" in why(plan(snapshot, [propose(snapshot, "Twice.")]))
    assert SHARED not in {c.file for c in cards(plan(snapshot), "relocate")}


def test_a_shared_entry_says_who_else_loses_it() -> None:
    snapshot = full(files={"shared": f"- {PIN} Twice.\n"})
    planned = plan(snapshot, [propose(snapshot, "Twice.")])
    (told,) = as_json(Receipt(planned, applied=True))["proposed"]
    assert told["shared_warning"] is True
    assert "Every inheriting home would lose it." in as_markdown(Receipt(planned, applied=True))


def test_moves_outlive_a_change_elsewhere_in_the_home() -> None:
    snapshot = full()
    later = full(files={"captain": f"- {PIN}\n- And more.\n"})
    given = [offload(snapshot, "gate barrier", NOTE), propose(snapshot, "pilot boat")]
    kept, dropped = rebase(later, given)
    assert not dropped and not plan(later, kept).refused
    changed = full(files={"learnings": OWN.replace("humming", "turning")})
    kept, dropped = rebase(changed, given)
    assert [d.do for d in kept] == [Do.PROPOSE] and len(dropped) == 1


def test_a_nested_entry_with_others_inside_stays() -> None:
    files = {"learnings": f"- {GATE} <!--a:{ago(4)}-->\n  - {LAMP} <!--a:{ago(9)}-->\n"}
    snapshot = full(files=files)
    assert plan(snapshot, [offload(snapshot, "gate barrier", NOTE)]).destinations == {}
    inner = plan(snapshot, [offload(snapshot, "lamp on", SKILL)])
    assert inner.destinations[SKILL] == (LAMP_SKILL, f"{LAMP_SKILL}\n{LAMP}\n") and sound(inner)
    assert text(inner) == f"- {GATE} <!--a:{ago(4)}-->\n"
