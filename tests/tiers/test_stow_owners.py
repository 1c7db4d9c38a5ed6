"""Whose file it is: read-only in a secondmate home, not edited while it is broken, and pinned entries."""

from __future__ import annotations

import pytest
from homes import HEADER, ago, archived, cards, do, home, on_section, repeated, text, the, why, written

from floppy_tui.tiers.budget import estimate
from floppy_tui.tiers.cards import ACCEPTABLE, Step
from floppy_tui.tiers.decisions import Do, decide
from floppy_tui.tiers.layout import CAPTAIN, SHARED, Role
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.receipt import Receipt, as_json, as_markdown
from floppy_tui.tiers.stow import Outcome, accept, plan

SAID = "task lint-q4 hit it"
INHERITED = f"""- Ask before any merge.
- The old port is 8080. <!--a:{ago(40)}-->
- Ask before any merge!
- Twice. <!--a:{ago(40)}--> <!--a:{ago(3)}-->
- Said already. <!--P-->

## Old rules

- One rule. <!--a:{ago(50)}-->
""".encode()


def test_a_shared_file_is_routed_and_not_a_byte_of_it_changes() -> None:
    snapshot = home({"shared": INHERITED, "learnings": "- A pool.\n"}, role=Role.SECONDMATE)
    planned = repeated(snapshot, accept(snapshot, [], ACCEPTABLE))
    assert SHARED not in planned.texts and written(planned)[SHARED] == INHERITED
    assert planned.actions[SHARED] == ("routed",)
    titles = [c.title for c in cards(planned, "routed")]
    assert [t for t in titles if "header pointer" in t]
    assert [t for t in titles if "several-markers" in t]
    assert len([t for t in titles if t in ("The old port is 8080.", "One rule.")]) == 2
    assert not [t for t in titles if "redundant-pinned" in t]
    assert {e.exception for e in planned.exceptions} == {"routed"}
    assert not planned.reset_safe
    receipt = as_json(Receipt(planned, applied=True))
    assert len(receipt["routed"]) == len(titles)
    assert "## Routed to the primary" in as_markdown(Receipt(planned, applied=True))


def test_the_same_file_is_a_primary_home_s_to_change() -> None:
    snapshot = home({"shared": INHERITED})
    planned = plan(snapshot, accept(snapshot, [], ["headers", "stale", "repairs"]))
    assert set(planned.actions[SHARED]) == {"rewritten", "archived"} and not cards(planned, "routed")


ON_SHARED = [
    (Do.REINFORCE, ("old port",), {"evidence": SAID}),
    (Do.ARCHIVE, ("old port",), {"reason": "unreinforced 40d"}),
    (Do.ARCHIVE, ("merge!",), {"reason": "superseded by the other one"}),
    (Do.RETIER, ("old port",), {"tier": Tier.PINNED}),
    (Do.REWRITE, ("old port",), {"text": "The port is 9090."}),
    (Do.MERGE, ("old port", "A pool"), {"text": "Ports and pools."}),
    (Do.GRACE, ("merge!",), {}),
]


@pytest.mark.parametrize(("act", "words", "fields"), ON_SHARED)
def test_what_is_decided_on_an_inherited_entry_is_routed_by_name(
    act: Do, words: tuple[str, ...], fields: dict[str, object]
) -> None:
    pointer = b"<!-- memory tiers: see the stow skill -->\n\n"
    shared = pointer + b"- The old port is 8080.\n- Ask before any merge!\n"
    snapshot = home({"shared": shared, "learnings": f"- A pool. <!--a:{ago(1)}-->\n"}, role=Role.SECONDMATE)
    assert plan(snapshot).reset_safe
    planned = plan(snapshot, [do(snapshot, act, *words, **fields)])
    assert "belongs to the primary" in why(planned)
    assert not planned.texts and planned.archive_text is None
    (card,) = cards(planned, "routed")
    assert the(snapshot, words[0]).first_line in card.title and card.step is Step.READ
    assert planned.actions[SHARED] == ("routed",) and not planned.reset_safe


def test_a_section_and_a_pointer_of_an_inherited_file() -> None:
    snapshot = home({"shared": INHERITED}, role=Role.SECONDMATE)
    section = decide(snapshot, Do.ARCHIVE_SECTION, file=SHARED, heading=("Old rules",), reason="gone")
    pointer = decide(snapshot, Do.POINTER, file=SHARED)
    planned = plan(snapshot, [section, pointer])
    assert len(planned.refused) == 2 and not planned.texts


def test_a_broken_file_is_not_edited_and_named() -> None:
    broken = f"- Gate. <!--a:{ago(40)}-->\n- Free.\n\n```\nopen\n".encode()
    snapshot = home({"learnings": broken, "captain": "- Tea.\n"})
    decisions = [
        do(snapshot, Do.ARCHIVE, "Gate", reason="unreinforced 40d"),
        do(snapshot, Do.GRACE, "Free"),
        decide(snapshot, Do.POINTER, file="data/learnings.md"),
    ]
    planned = plan(snapshot, decisions)
    assert len(planned.refused) == 3 and not planned.texts
    assert [e.exception for e in planned.exceptions] == ["not-edited: data/learnings.md"]
    assert planned.actions["data/learnings.md"] == ("unchanged",)


def test_a_file_that_was_not_read_stays_absent() -> None:
    planned = plan(home({"captain": "- Tea.\n"}))
    assert written(planned)["data/learnings.md"] is None
    assert planned.actions["data/learnings.md"] == ("unchanged",) and planned.reset_safe


PINNED = [
    "- Ask before any merge.\n",
    f"- Once marked stale. <!--a:{ago(3)}-->\n- Ask before any merge. <!--P-->\n",
    "- Ask before any merge. <!--g-->\n",
]


@pytest.mark.parametrize("body", PINNED)
@pytest.mark.parametrize("reason", ["unreinforced 400d", "legacy-unvalidated", "low utility: long", "gone"])
def test_a_pinned_entry_is_never_archived_by_a_clock_or_for_the_budget(body: str, reason: str) -> None:
    snapshot = home({"captain": body}, allowance=5)
    entry = the(snapshot, "merge")
    planned = plan(snapshot, accept(snapshot, [do(snapshot, Do.ARCHIVE, "merge", reason=reason)], ACCEPTABLE))
    assert planned.fates[entry.id].outcome in (Outcome.KEPT, Outcome.MARKED)
    assert "pinned" in next(r.why for r in planned.refused if r.decision.do is Do.ARCHIVE)
    assert [r.why for r in plan(snapshot, [do(snapshot, Do.EVICT, "merge")]).refused]
    assert not [c for c in planned.cards if entry.id in c.entries and c.kind in ("stale", "evict", "legacy")]


def test_grace_and_pinned_do_not_meet() -> None:
    snapshot = home({"captain": "- Ask.\n- Tea. <!--g-->\n", "learnings": "- Gate. <!--P-->\n"})
    for words in ("Ask", "Tea", "Gate"):
        assert plan(snapshot, [do(snapshot, Do.GRACE, words)]).refused
    (card,) = cards(plan(snapshot), "finding")
    assert "grace-in-pinned" in card.title and not card.blocks
    planned = plan(snapshot, accept(snapshot, [], ["repairs"]))
    assert text(planned, "captain") == "- Ask.\n- Tea.\n"
    assert plan(snapshot).reset_safe


def test_the_captain_archives_a_superseded_pinned_entry_on_its_own_card() -> None:
    body = "- Releases go out on Tuesday before noon.\n- Releases go out on Tuesday before noon today.\n"
    snapshot = home({"captain": body})
    (card,) = cards(plan(snapshot), "near")
    assert card.accept == ""
    decision = card.offers[0].decision
    planned = repeated(snapshot, [decision])
    assert not planned.refused and len(archived(planned)) == 1
    assert "tier: pinned, reinforced: never" in archived(planned)[0]
    assert planned.actions[CAPTAIN] == ("archived",)
    bare = plan(snapshot, [decision.with_(reason="superseded by")])
    assert bare.refused and bare.archive_text is None


def test_two_pinned_entries_are_not_merged() -> None:
    snapshot = home({"captain": "- Tea.\n- Coffee.\n", "learnings": f"- Milk. <!--a:{ago(2)}-->\n"})
    assert "pinned" in why(plan(snapshot, [do(snapshot, Do.MERGE, "Tea", "Coffee", text="Tea. Coffee.")]))
    planned = plan(snapshot, [do(snapshot, Do.MERGE, "Milk", "Tea", text="Tea. Milk.")])
    assert text(planned, "captain") == "- Tea. Milk.\n- Coffee.\n"
    assert text(planned) == HEADER.rstrip("\n") + "\n"
    assert planned.total == estimate(len(written(planned)[CAPTAIN] or b"")) + 14


def test_a_section_with_a_pinned_entry_stays() -> None:
    body = f"# All\n\n## Pool\n\n- One. <!--a:{ago(1)}-->\n- Two. <!--P-->\n"
    snapshot = home({"learnings": body})
    for act in (Do.ARCHIVE_SECTION, Do.TAKE_AS_ONE):
        planned = plan(snapshot, [on_section(snapshot, act, "Pool", reason="gone", evidence=SAID)])
        assert "pinned" in why(planned) and not planned.texts
