"""The knowledge sweep: new entries, findings for other owners, open records, and what they leave undone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from homes import HEADER, TODAY, ago, cards, chosen, home, text, the, why, written

from floppy_tui.tiers.audit import audit
from floppy_tui.tiers.cards import Step, Verb
from floppy_tui.tiers.decisions import Decision, Do, Record, decide
from floppy_tui.tiers.errands import Decide, Decided, Done, Inscribe, Keep, Ship
from floppy_tui.tiers.layout import CAPTAIN, LEARNINGS, SHARED, Role
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.receipt import Receipt, as_json, as_markdown
from floppy_tui.tiers.records import Item, Records
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tiers.stow import Plan, plan, rebase

SAID = "task lint-q4 hit it"
HOME = {"learnings": f"- Old. <!--a:{ago(2)}-->\n", "captain": "- Ask first.\n", "shared": "- Be kind.\n"}
KNOWN = Records(items={"lint-q4": Item("lint-q4", "Lint", "queued")}, note="")


def new(snapshot: Snapshot, words: str, file: str = LEARNINGS, **fields: object) -> Decision:
    return decide(snapshot, Do.ADD, file=file, text=words, **{"evidence": SAID} | fields)


def route(snapshot: Snapshot, owner: str, words: str = "The quay floods at spring tide.") -> Decision:
    return decide(snapshot, Do.ROUTE, owner=owner, text=words)


def noted(snapshot: Snapshot, *what: object) -> Decision:
    return decide(snapshot, Do.RECORD, record=Record(*what))  # type: ignore[arg-type]


def refusal(snapshot: Snapshot, decision: Decision) -> str:
    planned = plan(snapshot, [decision])
    assert planned.texts == {} and not planned.reset_safe
    return why(planned)


def test_a_new_fact_is_stamped_and_joins_the_list() -> None:
    planned = plan(home(HOME), [new(home(HOME), "The quay floods at spring tide.")])
    assert text(planned) == f"- Old. <!--a:{ago(2)}-->\n- The quay floods at spring tide. <!--a:{TODAY}-->\n"
    assert planned.actions[LEARNINGS] == ("added",) and planned.actions[CAPTAIN] == ("unchanged",)
    assert planned.reset_safe and audit(planned, written(planned)) == ()


def test_the_audit_misses_a_new_entry_that_is_not_there() -> None:
    planned = plan(home(HOME), [new(home(HOME), "The quay floods.")])
    before = planned.snapshot.document(LEARNINGS)
    assert before is not None
    (problem,) = audit(planned, written(planned) | {LEARNINGS: before.text.encode()})
    assert "The quay floods." in problem


def test_several_new_entries_stand_in_their_order() -> None:
    snapshot = home(HOME)
    facts = [new(snapshot, f"Fact number {n}.") for n in range(3)]
    assert text(plan(snapshot, facts)).split("\n")[1:4] == [
        f"- Fact number {n}. <!--a:{TODAY}-->" for n in range(3)
    ]


def test_a_file_is_made_only_by_a_new_fact() -> None:
    snapshot = home({"captain": "- Ask first.\n"})
    planned = plan(snapshot, [new(snapshot, "The quay floods.")])
    assert planned.texts[LEARNINGS] == HEADER.rstrip("\n") + f"\n\n- The quay floods. <!--a:{TODAY}-->\n"
    assert planned.actions[LEARNINGS] == ("added",)
    assert plan(snapshot).texts == {}


def test_a_pinned_preference_needs_no_date_and_no_evidence() -> None:
    snapshot = home(HOME)
    planned = plan(snapshot, [new(snapshot, "Never at night.", CAPTAIN, evidence="")])
    assert text(planned, "captain") == "- Ask first.\n- Never at night.\n"


def test_a_pinned_fact_among_the_learnings_is_marked() -> None:
    snapshot = home(HOME)
    planned = plan(snapshot, [new(snapshot, "Port 8080 is ours.", tier=Tier.PINNED)])
    assert "- Port 8080 is ours. <!--P-->\n" in text(planned)


def test_a_perishable_one_without_a_condition_is_stored_as_aging_and_said_so() -> None:
    snapshot = home(HOME)
    vague = plan(snapshot, [new(snapshot, "The gate sticks for now.", tier=Tier.PERISHABLE)])
    assert f"The gate sticks for now. <!--a:{TODAY}-->" in text(vague)
    (one,) = as_json(Receipt(vague, applied=False))["added"]
    assert (one["tier"], one["asked"]) == ("aging", "perishable")
    assert "names no condition that can be checked" in as_markdown(Receipt(vague, applied=False))
    checked = plan(snapshot, [new(snapshot, "Gate shut until 2026-12-01.", tier=Tier.PERISHABLE)])
    assert f"<!--p:{TODAY}-->" in text(checked)


def test_a_perishable_one_may_wait_for_any_item_that_the_backlog_knows() -> None:
    snapshot = replace(
        home(HOME), records=Records(items={"rates": Item("rates", "Rates", "queued")}, note="")
    )
    planned = plan(snapshot, [new(snapshot, "Old rates until task rates is done.", tier=Tier.PERISHABLE)])
    assert f"<!--p:{TODAY}-->" in text(planned)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"words": "Old."}, "data/learnings.md:3 says that already."),
        ({"words": "  "}, "The finding is missing."),
        ({"words": "New.", "evidence": "seems right"}, "is not evidence"),
        ({"words": "New.", "file": "data/other.md"}, "A new entry goes to one of data/captain.md"),
        ({"words": "New.", "tier": Tier.GRACE}, "A new entry is pinned, aging or perishable."),
        ({"words": "New. <!--a:2026-01-01-->"}, "It holds a marker"),
        ({"words": "```\nopen"}, "There is no place in data/learnings.md"),
    ],
)
def test_what_is_not_added(fields: dict[str, object], said: str) -> None:
    snapshot = home(HOME)
    assert said in refusal(snapshot, new(snapshot, **fields))  # type: ignore[arg-type]


def test_a_net_increase_must_leave_the_plan_within_budget() -> None:
    full = home(HOME)
    tight = home(HOME, allowance=full.total + 20)
    small, large = new(tight, "Tide low."), new(tight, "The quay floods at spring tide, up to the rails.")
    planned = plan(tight, [small, large])
    assert [r.decision for r in planned.refused] == [large]
    assert "estimated tokens over budget with it: make room first" in why(planned)
    assert "Tide low." in text(planned) and planned.within_budget and not planned.reset_safe
    told = as_json(Receipt(planned, applied=False))["refused"]
    assert told[0]["text"] == large.text
    assert large.text.split(",")[0] in as_markdown(Receipt(planned, applied=False))


def test_room_made_in_the_same_pass_counts() -> None:
    many = {"learnings": "".join(f"- Fact {n} of the harbour. <!--a:{ago(3)}-->\n" for n in range(4))}
    tight = home(many, allowance=home(many).total)
    fact = new(tight, "The quay floods.")
    assert plan(tight, [fact]).refused
    gone = decide(tight, Do.ARCHIVE, the(tight, "Fact 2"), reason="superseded by the new harbour")
    planned = plan(tight, [gone, fact])
    assert not planned.refused and planned.within_budget and "The quay floods." in text(planned)


def test_nothing_is_added_in_a_secondmate_home_to_what_the_primary_owns() -> None:
    mate = home(HOME, role=Role.SECONDMATE)
    assert "the primary's" in refusal(mate, new(mate, "Be brief.", SHARED))
    planned = plan(mate, [route(mate, "shared", "Be brief.")])
    assert planned.texts == {} and [d.text for d in planned.routed] == ["Be brief."]
    (one,) = [r for r in as_json(Receipt(planned, applied=True))["routed"] if r.get("owner")]
    assert one["owner"] == "shared" and one["why"] == "It belongs to the primary home."
    assert "routed" in {e.exception for e in planned.exceptions} and not planned.reset_safe


def test_a_shared_preference_of_a_primary_home_is_its_own() -> None:
    snapshot = home(HOME)
    planned = plan(snapshot, [route(snapshot, "shared", "Be brief.")])
    assert text(planned, "shared") == "- Be kind.\n- Be brief.\n"


def test_findings_for_others_become_errands_and_change_no_byte() -> None:
    snapshot = replace(home(HOME), records=KNOWN)
    given = [route(snapshot, owner) for owner in ("project:berthplan", "general", "task:lint-q4")]
    planned = plan(snapshot, given)
    words = "The quay floods at spring tide."
    assert planned.texts == {} and planned.reset_safe
    assert [e for e, _ in planned.errands] == [
        Ship(words, "berthplan"),
        Ship(words, ""),
        Inscribe(words, "lint-q4"),
        Decided(),
    ]
    assert [d for _, d in planned.errands] == [*given, None]


@pytest.mark.parametrize(
    ("owner", "said"),
    [
        ("task:none", "The backlog knows no item none."),
        ("project:", "A finding goes to"),
        ("project:../x", "A finding goes to"),
        ("nobody", "A finding goes to"),
        ("entry:000000000000", "No entry has the id"),
    ],
)
def test_owners_that_are_none(owner: str, said: str) -> None:
    snapshot = replace(home(HOME), records=KNOWN)
    assert said in refusal(snapshot, route(snapshot, owner))


def test_what_an_entry_says_already_is_told_and_done() -> None:
    snapshot = home(HOME)
    planned = plan(snapshot, [route(snapshot, f"entry:{the(snapshot, 'Old').id}")])
    assert planned.reset_safe and [e for e, _ in planned.errands] == [Decided()]
    assert "An entry says it already." in as_markdown(Receipt(planned, applied=True))


RECORDS = [
    (("file", "", "Move the gate"), ""),
    (("file", "gate-1", "Move the gate", "", ("lint-q4",)), ""),
    (("correct", "lint-q4", "", "It waits for the gate."), ""),
    (("leave", "lint-q4", "", "", (), "whether the gate moves"), ""),
    (("file", "", ""), "A record to be filed needs a title."),
    (("file", "lint-q4", "Again"), "The backlog holds an item lint-q4 already"),
    (("file", "", "x", "", ("none",)), "The backlog knows no item none to be blocked by."),
    (("file", "", "two\nlines"), "The title of a record is one line."),
    (("file", "a b", "x"), "is no id of a backlog item"),
    (("correct", "none", "x"), "The backlog knows no item none."),
    (("correct", "lint-q4", "x", "", ("lint-q4",)), "A correction changes title and body"),
    (("correct", "lint-q4"), "A correction names the item and its new title or body."),
    (("leave", "lint-q4"), "A record that is left names the item and the judgment it waits on."),
    (("burn", "lint-q4"), "An open record is filed, corrected or left."),
]


@pytest.mark.parametrize(("what", "said"), RECORDS)
def test_open_records_are_filed_corrected_or_left(what: tuple[object, ...], said: str) -> None:
    snapshot = replace(home(HOME), records=KNOWN)
    decision = noted(snapshot, *what)
    if said:
        assert said in refusal(snapshot, decision)
        return
    planned = plan(snapshot, [decision])
    assert planned.reset_safe and planned.errands[0] == (Keep(decision.record), decision)  # type: ignore[arg-type]
    (told,) = as_json(Receipt(planned, applied=True))["records"]
    assert told["action"] == what[0] and told["filed"] is None


def test_an_unread_backlog_refuses_nothing_that_the_tool_may_know() -> None:
    snapshot = home(HOME)
    assert plan(snapshot, [noted(snapshot, "correct", "any-1", "New title")]).refused == ()


def test_what_could_not_be_filed_keeps_the_receipt_from_being_reset_safe() -> None:
    snapshot = home(HOME)
    planned = plan(snapshot, [route(snapshot, "general")])
    failed = Done(planned.errands[0][0], False, "tasks-axi says: the backlog is locked.")
    receipt = Receipt(planned, applied=True, done=(failed, Done(Decided(), True, "")))
    told = as_json(receipt)
    assert planned.reset_safe and not receipt.reset_safe and told["reset_safe"] is False
    assert {"exception": "not-filed", "message": failed.said} in told["exceptions"]
    assert "The quay floods at spring tide." in as_markdown(receipt) and failed.said in as_markdown(receipt)


def test_a_home_that_ends_over_budget_asks_the_captain_with_two_options() -> None:
    snapshot = home(HOME | {"captain": "- Ask first, " + "always " * 40 + ".\n"}, allowance=60)
    (asked,) = [e for e, _ in plan(snapshot).errands if isinstance(e, Decide)]
    assert asked.shortfall == plan(snapshot).shortfall > 0 and asked.floor == plan(snapshot).floor
    assert len(asked.options) == 2 and asked.pinned[0][0] == CAPTAIN
    assert [e for e, _ in plan(home(HOME)).errands] == [Decided()]
    assert plan(home(HOME, allowance=None)).errands == ()


def test_the_step_invites_and_lists_what_was_handed_over() -> None:
    snapshot = replace(home(HOME), records=KNOWN)
    first, open_work = plan(snapshot).step(Step.FILE)
    assert (first.key, open_work.key) == ("file:finding", "file:record") and not plan(snapshot).undecided
    given: list[Decision] = []
    for words in ("The quay floods.", "The crane turns left only."):
        (invitation, *_) = cards(plan(snapshot, given), "learned")
        given.append(chosen(invitation, Verb.EDIT, text=words, evidence=SAID))
    given.append(chosen(open_work, Verb.EDIT, record=Record("file", "", "Move the gate")))
    planned = plan(snapshot, given)
    assert [d.card for d in given] == ["file:finding:1", "file:finding:2", "file:record:1"]
    told = [(c.key, c.title, c.decided) for c in planned.step(Step.FILE) if c.decided]
    assert told == [(d.card, d.text or "Move the gate", d) for d in given]


def test_a_finding_that_supersedes_rewrites_and_one_that_ends_a_statement_archives() -> None:
    snapshot = home(HOME)
    (invitation, *_) = cards(plan(snapshot), "learned")
    card = invitation.offers[0].decision.card
    anew = decide(snapshot, Do.REWRITE, the(snapshot, "Old"), text="Newer.", evidence=SAID, card=card)
    planned = plan(snapshot, [anew])
    assert text(planned) == f"- Newer. <!--a:{TODAY}-->\n"
    assert [c.title for c in cards(planned, "learned")][1:] == ["Newer."]
    ended = decide(snapshot, Do.ARCHIVE, the(snapshot, "Old"), reason="superseded by the flood", card=card)
    listed = cards(plan(snapshot, [ended]), "learned")[1]
    assert listed.title == "superseded by the flood" and "archived" in listed.why


def test_findings_outlive_a_change_on_disk() -> None:
    snapshot, later = home(HOME), home(HOME | {"captain": "- Ask twice.\n"})
    given = [new(snapshot, "The quay floods."), route(snapshot, "general"), noted(snapshot, "file", "", "x")]
    kept, dropped = rebase(later, given)
    assert not dropped and not plan(later, kept).refused
    again: Plan = plan(later, [*kept, *kept])
    assert len(again.added) == len(again.routed) == len(again.records) == 1
