"""Grace: one cycle for an unmarked entry, none for any other, and what ends it."""

from __future__ import annotations

import pytest
from homes import TODAY, ago, archived, cards, do, home, on_section, repeated, text, the, why

from floppy_tui.tiers.cards import ACCEPTABLE, Verb
from floppy_tui.tiers.decisions import Do
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.stow import accept, plan

SAID = "task lint-q4 hit it"
LEGACY = "- Old one. <!--g-->\n- Old two.\n"


def test_the_first_pass_marks_and_the_next_one_archives() -> None:
    snapshot = home({"learnings": LEGACY})
    planned = repeated(snapshot, accept(snapshot, [], ["grace", "legacy"]))
    assert text(planned) == "- Old two. <!--g-->\n"
    assert archived(planned) == [
        "- (from learnings.md, tier: aging, reinforced: never) Old one. [archived: legacy-unvalidated]"
    ]
    assert planned.graced == (the(snapshot, "two").id,) and planned.reset_safe
    assert planned.actions["data/learnings.md"] == ("rewritten", "archived")


def test_an_unmarked_entry_is_not_archived_in_the_pass_that_finds_it() -> None:
    snapshot = home({"learnings": LEGACY})
    for reason in ("legacy-unvalidated", "unreinforced 90d", "low utility: long", "gone"):
        planned = plan(snapshot, [do(snapshot, Do.ARCHIVE, "two", reason=reason)])
        assert "grace cycle first" in why(planned) and planned.archive_text is None


@pytest.mark.parametrize("act", [Do.ARCHIVE, Do.MERGE, Do.EVICT])
def test_what_was_given_grace_stays_for_the_whole_pass(act: Do) -> None:
    snapshot = home({"learnings": f"{LEGACY}- Old two!\n"}, allowance=5)
    grace = do(snapshot, Do.GRACE, "two.")
    words = ("two.", "two!") if act is Do.MERGE else ("two.",)
    later = do(snapshot, act, *words, reason="superseded by the other", text="Old two.")
    planned = plan(snapshot, [grace, later])
    assert [r.decision for r in planned.refused] == [later]
    assert "- Old two. <!--g-->\n" in text(planned)


def test_an_accepted_eviction_leaves_the_graced_alone() -> None:
    body = f"- Legacy. \n- Aging. <!--a:{ago(9)}-->\n- Other. <!--a:{ago(8)}-->\n"
    snapshot = home({"learnings": body}, allowance=25)
    planned = plan(snapshot, accept(snapshot, [], ["grace", "eviction"]))
    assert text(planned) == "- Legacy. <!--g--> \n"
    assert {d.evicted for d in planned.departures} == {True}


def test_grace_is_given_once() -> None:
    snapshot = home({"learnings": LEGACY + f"- Dated. <!--a:{ago(2)}-->\n- Pinned. <!--P-->\n"})
    for words in ("one", "Dated", "Pinned"):
        assert plan(snapshot, [do(snapshot, Do.GRACE, words)]).refused


@pytest.mark.parametrize(
    ("verb", "fields", "after", "safe"),
    [
        (Verb.LEAVE, {}, "", True),
        (Verb.EVIDENCE, {"evidence": SAID}, f"- Old one. <!--a:{ago(0)}-->\n", True),
        (Verb.STAY, {}, "- Old one. <!--g-->\n", False),
    ],
)
def test_how_a_grace_cycle_ends(verb: Verb, fields: dict[str, object], after: str, safe: bool) -> None:
    snapshot = home({"learnings": LEGACY + f"- Fresh. <!--a:{ago(1)}-->\n"})
    start = accept(snapshot, [], ["grace"])
    (card,) = cards(plan(snapshot, start), "legacy")
    offer = card.offer(verb)
    assert offer is not None and card.blocks
    planned = plan(snapshot, [*start, offer.decision.with_(**fields)])
    assert text(planned) == after + f"- Old two. <!--g-->\n- Fresh. <!--a:{ago(1)}-->\n"
    assert planned.reset_safe is safe
    assert [e.exception for e in planned.exceptions] == ([] if safe else ["kept-unconfirmed"])


MERGES = [
    ("unmarked alone get their cycle", ("- One.\n", "- Two.\n"), "- One. Two. <!--g-->\n"),
    ("a date stays", ("- One.\n", f"- Two. <!--a:{ago(9)}-->\n"), f"- One. Two. <!--a:{ago(9)}-->\n"),
    ("grace that is over needs evidence", ("- One. <!--g-->\n", "- Two. <!--g-->\n"), None),
    ("with an unmarked one too", ("- One. <!--g-->\n", "- Two.\n"), None),
    ("a pinned one holds it", ("- One. <!--g-->\n", "- Two. <!--P-->\n"), "- One. Two. <!--P-->\n"),
]


@pytest.mark.parametrize(("lines", "after"), [m[1:] for m in MERGES], ids=[m[0] for m in MERGES])
def test_a_merge_confirms_nothing(lines: tuple[str, str], after: str | None) -> None:
    snapshot = home({"learnings": "".join(lines)})
    merge = do(snapshot, Do.MERGE, "One", "Two", text="One. Two.")
    planned = plan(snapshot, [merge])
    if after is None:
        assert "evidence" in why(planned) and text(planned) == "".join(lines)
    else:
        assert text(planned) == after and planned.reset_safe
    said = plan(snapshot, [merge.with_(evidence=SAID)])
    assert text(said) in (f"- One. Two. <!--a:{ago(0)}-->\n", "- One. Two. <!--P-->\n")
    assert [e.evidence for e in said.reinforced] == [SAID] and said.reset_safe


FROZEN = [
    f"- Gate. <!-- a:{ago(90)} -->\n",
    "- Gate. <!--a:soon-->\n",
    "- Gate. <!--a:2026-02-30-->\n",
    "- Gate. <!--p:2026-02-30/9-->\n",
    "- Gate. <!--x:2026-01-01-->\n",
    f"- Gate. <!--a:{ago(90)}--> <!--a:soon-->\n",
    "- Gate. <!--g--> <!--g: gone-->\n",
]


@pytest.mark.parametrize("line", FROZEN)
def test_an_unreadable_final_marker_freezes_grace_decay_and_eviction(line: str) -> None:
    snapshot = home({"learnings": line}, allowance=5)
    entry = the(snapshot, "Gate")
    assert entry.frozen
    kinds = [kind for kind in ACCEPTABLE if kind != "repairs"]
    planned = plan(snapshot, accept(snapshot, [], kinds))
    assert text(planned) == line and planned.archive_text is None
    for act, reason in (
        (Do.GRACE, ""),
        (Do.ARCHIVE, "unreinforced 90d"),
        (Do.ARCHIVE, "legacy-unvalidated"),
        (Do.ARCHIVE, "low utility: long"),
        (Do.EVICT, ""),
    ):
        assert plan(snapshot, [do(snapshot, act, "Gate", reason=reason)]).refused
    blocking = [c for c in plan(snapshot).undecided if c.blocks]
    assert [c.kind for c in blocking] == ["finding"]


@pytest.mark.parametrize("line", FROZEN)
def test_evidence_thaws_it(line: str) -> None:
    snapshot = home({"learnings": line})
    planned = repeated(snapshot, [do(snapshot, Do.REINFORCE, "Gate", evidence=SAID)])
    (entry,) = planned.documents["data/learnings.md"].entries
    assert entry.tier in (Tier.AGING, Tier.PERISHABLE) and entry.reinforced == TODAY
    # A marker is replaced where it stood: the unreadable one behind it still has to be repaired.
    assert planned.reset_safe is not entry.frozen
    assert entry.frozen is (line.count("<!--") == 2)
    whole = plan(snapshot, accept(snapshot, planned.decisions, ["repairs"]))
    assert whole.reset_safe and not whole.refused
    assert text(whole).startswith(f"- Gate. <!--{'p' if 'p:' in line else 'a'}:{TODAY}-->")
    assert ("<!-- gone -->" in text(whole)) is ("gone" in line)


def test_other_findings_do_not_freeze() -> None:
    body = f"- Ahead. <!--a:{ago(-3)}-->\n- Twice. <!--a:soon--> <!--a:{ago(50)}-->\n"
    snapshot = home({"learnings": body})
    assert not any(e.frozen for e in snapshot.entries)
    planned = plan(snapshot, accept(snapshot, [], ["stale"]))
    assert text(planned) == f"- Ahead. <!--a:{ago(-3)}-->\n"
    assert len(cards(planned, "finding")) == 1


@pytest.mark.parametrize(
    ("line", "mended", "exception"),
    [
        (f"- Gate. <!-- a:{ago(3)} -->\n", f"- Gate. <!--a:{ago(3)}-->\n", None),
        ("- Gate. <!-- g -->\n", "- Gate. <!--g-->\n", "kept-unconfirmed"),
        ("- Gate. <!--x: soon-->\n", "- Gate. <!--g--> <!-- soon -->\n", None),
    ],
)
def test_what_a_repair_brings_to_light_is_named(line: str, mended: str, exception: str | None) -> None:
    snapshot = home({"learnings": line})
    planned = plan(snapshot, accept(snapshot, [], ACCEPTABLE))
    assert text(planned) == mended
    assert [e.exception for e in planned.exceptions] == ([exception] if exception else [])
    assert planned.reset_safe is (exception is None)


def test_a_section_gets_one_cycle_as_one() -> None:
    body = "# All\n\n## Pool\n\nThe pool is old.\n\n- One.\n- Two.\n"
    snapshot = home({"learnings": body})
    planned = repeated(snapshot, accept(snapshot, [], ["grace"]))
    assert text(planned) == body.replace("Pool", "Pool <!--g-->")
    assert planned.graced == ("data/learnings.md#All / Pool",) and planned.reset_safe
    marked = home({"learnings": body.replace("One.", "One. <!--g-->")})
    again = plan(marked, [on_section(marked, Do.TAKE_AS_ONE, "Pool")])
    assert "unmarked entries only" in why(again) and not again.texts
