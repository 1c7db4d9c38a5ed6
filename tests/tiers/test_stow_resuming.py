"""Decisions over time: replaced on their card, refused on other bytes, carried over to newer ones."""

from __future__ import annotations

from dataclasses import replace

import pytest
from homes import HEADER, TODAY, ago, archived, cards, chosen, do, home, on_section, text, the, why

from floppy_tui.tiers.cards import ACCEPTABLE, Verb
from floppy_tui.tiers.decisions import Decision, Do, Target, decide
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tiers.stow import accept, plan, rebase

SAID = "task lint-q4 hit it"
BODY = f"- Stale. <!--a:{ago(40)}-->\n- Fresh. <!--a:{ago(4)}-->\n- Unmarked.\n"


@pytest.fixture
def snapshot() -> Snapshot:
    """A home with a stale, a fresh and an unmarked entry."""
    return home({"learnings": BODY})


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"snapshot": "0" * 64}, "earlier reading"),
        ({"targets": (Target("0123456789ab", "0" * 64),)}, "No entry has the id"),
        ({"targets": ()}, "names no entry"),
    ],
)
def test_a_decision_on_something_else_is_refused(
    snapshot: Snapshot, fields: dict[str, object], said: str
) -> None:
    decision = do(snapshot, Do.REINFORCE, "Stale", evidence=SAID)
    planned = plan(snapshot, [decision.with_(**fields)])
    assert said in why(planned) and not planned.texts and not planned.reset_safe


@pytest.mark.parametrize(
    ("act", "fields"),
    [
        (Do.REINFORCE, {"evidence": SAID}),
        (Do.ARCHIVE, {"reason": "unreinforced 40d"}),
        (Do.RETIER, {"tier": "pinned"}),
        (Do.REWRITE, {"text": "Anew."}),
        (Do.EVICT, {}),
        (Do.KEEP, {}),
        (Do.LOW_UTILITY, {"reason": "long"}),
    ],
)
def test_other_bytes_under_the_same_id_are_refused(
    snapshot: Snapshot, act: Do, fields: dict[str, object]
) -> None:
    entry = the(snapshot, "Stale")
    decision = replace(do(snapshot, act, "Stale", **fields), targets=(Target(entry.id, "0" * 64),))
    planned = plan(snapshot, [decision])
    assert "changed since" in why(planned) and not planned.texts


def test_the_later_decision_on_a_card_replaces_the_earlier(snapshot: Snapshot) -> None:
    (card,) = cards(plan(snapshot), "stale")
    leave, evidence = chosen(card, Verb.LEAVE), chosen(card, Verb.EVIDENCE, evidence=SAID)
    planned = plan(snapshot, [leave, evidence])
    assert planned.archive_text is None and f"- Stale. <!--a:{TODAY}-->" in text(planned)
    assert cards(planned, "stale")[0].decided is evidence
    back = plan(snapshot, [leave, evidence, leave])
    assert "Stale" not in text(back) and cards(back, "stale")[0].decided is leave
    # A later one that is refused leaves the card open: what it replaced is not done behind its back.
    refused = plan(snapshot, [leave, chosen(card, Verb.EVIDENCE, evidence="obvious")])
    assert refused.archive_text is None and cards(refused, "stale")[0].open
    assert not refused.reset_safe


def test_what_was_replaced_settles_nothing_else() -> None:
    body = (
        f"- Deploys go out on Tuesday before noon. <!--a:{ago(40)}-->\n"
        f"- Deploys go out on Tuesday before noon, mostly. <!--a:{ago(3)}-->\n"
    )
    snapshot = home({"learnings": body})
    (card,) = cards(plan(snapshot), "stale")
    gone = [chosen(card, Verb.LEAVE)]
    assert not cards(plan(snapshot, gone), "near")
    assert cards(plan(snapshot, [*gone, chosen(card, Verb.EVIDENCE, evidence=SAID)]), "near")


def test_a_document_s_keep_decides_the_question_and_is_named(snapshot: Snapshot) -> None:
    planned = plan(snapshot, [do(snapshot, Do.KEEP, "Stale"), do(snapshot, Do.KEEP, "Unmarked")])
    assert not planned.undecided and not planned.texts
    assert [e.exception for e in planned.exceptions] == ["kept-unmarked", "kept-stale"]
    assert not planned.reset_safe


KINDS = {
    "headers": b"- Fresh. <!--a:2026-09-30-->\n",
    "repairs": f"{HEADER}- Fresh. <!-- a:{ago(3)} -->\n".encode(),
    "grace": f"{HEADER}- Unmarked.\n".encode(),
    "stale": f"{HEADER}- Stale. <!--a:{ago(30)}-->\n".encode(),
    "legacy": f"{HEADER}- Old. <!--g-->\n".encode(),
    "conditions": f"{HEADER}- By {ago(3)}. <!--p:{ago(9)}-->\n- By {ago(-9)}. <!--p:{ago(9)}-->\n".encode(),
    "eviction": f"{HEADER}- Aging, and of some length. <!--a:{ago(9)}-->\n".encode(),
}


@pytest.mark.parametrize("kind", ACCEPTABLE)
def test_accept_takes_its_kind_and_no_other(kind: str) -> None:
    snapshot = home({"learnings": KINDS[kind]}, allowance=20 if kind == "eviction" else None)
    assert accept(snapshot, [], [k for k in ACCEPTABLE if k != kind]) == ()
    taken = accept(snapshot, [], [kind])
    planned = plan(snapshot, taken)
    assert taken and planned.texts and not planned.refused
    assert {c.accept for c in planned.cards if c.decided in taken and c.decided.card == c.key} == {kind}
    assert not [c for c in planned.undecided if c.accept == kind]


def test_accept_leaves_what_was_decided(snapshot: Snapshot) -> None:
    keep = do(snapshot, Do.KEEP, "Stale")
    taken = accept(snapshot, [keep], ACCEPTABLE)
    assert taken[0] is keep and [d.do for d in taken[1:]] == [Do.GRACE]


def settled(snapshot: Snapshot) -> list[Decision]:
    return [
        do(snapshot, Do.ARCHIVE, "Stale", reason="unreinforced 40d", card="decay:stale:x"),
        do(snapshot, Do.REINFORCE, "Fresh", evidence=SAID),
        do(snapshot, Do.GRACE, "Unmarked"),
    ]


def test_rebase_keeps_what_still_stands_and_names_the_rest(snapshot: Snapshot) -> None:
    decisions = settled(snapshot)
    assert rebase(snapshot, decisions) == (tuple(decisions), ())
    now = home({"learnings": "- New on top.\n" + BODY.replace("Fresh.", "Fresh fish.")})
    kept, dropped = rebase(now, decisions)
    assert [(d.do, d.snapshot) for d in kept] == [(Do.ARCHIVE, now.hash), (Do.GRACE, now.hash)]
    assert [r.decision for r in dropped] == [decisions[1]] and "gone" in dropped[0].why
    planned = plan(now, kept)
    assert not planned.refused
    assert text(planned) == f"- New on top.\n- Fresh fish. <!--a:{ago(4)}-->\n- Unmarked. <!--g-->\n"
    remarked = home({"learnings": BODY.replace(ago(40), ago(39))})
    kept, dropped = rebase(remarked, decisions)
    assert len(kept) == 2 and "changed on disk" in dropped[0].why


def test_of_several_identical_statements_none_is_the_one(snapshot: Snapshot) -> None:
    kept, dropped = rebase(home({"learnings": BODY + BODY}), settled(snapshot))
    assert kept == () and all("more than once" in r.why for r in dropped)


def test_a_statement_that_moved_to_another_file_is_another(snapshot: Snapshot) -> None:
    twice = home({"captain": "- Ask first.\n", "learnings": "- Ask first.\n"})
    first, second = twice.entries
    merge = decide(twice, Do.ARCHIVE, first, reason=f"superseded by {second.id}")
    now = home({"captain": "- Other.\n", "learnings": "- Ask first.\n"})
    kept, dropped = rebase(now, [merge])
    assert kept == () and dropped[0].why.startswith("“Ask first.” stands in data/learnings.md now")
    same = home({"captain": f"- Ask first. <!--a:{ago(1)}-->\n- More.\n", "learnings": "- Ask us.\n"})
    gone = do(same, Do.ARCHIVE, "Ask us", reason=f"superseded by {the(same, 'Ask first').id}")
    kept, dropped = rebase(home({"captain": "- More.\n", "learnings": "- Ask us.\n"}), [gone])
    assert kept == () and "by which it was superseded" in dropped[0].why


def test_sections_are_carried_over_only_as_they_were() -> None:
    body = "# All\n\n## Pool\n\nProse.\n\n- One.\n- Two.\n"
    snapshot = home({"learnings": body})
    (card,) = cards(plan(snapshot), "section")
    take, singly = chosen(card, Verb.ACCEPT), chosen(card, Verb.STAY)
    lower = home({"learnings": f"# All\n\n- Above. <!--a:{ago(1)}-->\n\n{body[7:]}"})
    for decision in (take, singly):
        kept, dropped = rebase(lower, [decision])
        assert not dropped and cards(plan(lower, kept), "section")[0].decided is kept[0]
    grown = home({"learnings": body + "- Three.\n"})
    kept, _ = rebase(grown, [take])
    assert "reads as it did" in why(plan(grown, kept))
    nameless = on_section(snapshot, Do.ARCHIVE_SECTION, "Pool", reason="gone")
    kept, dropped = rebase(grown, [nameless])
    assert kept == () and "does not say" in dropped[0].why


def test_repairs_follow_their_finding() -> None:
    body = f"- Gate. <!-- a:{ago(3)} -->\n- Lamp. <!--a:soon-->\n"
    snapshot = home({"learnings": body})
    gate, lamp = cards(plan(snapshot), "finding")
    decisions = [chosen(gate, Verb.ACCEPT), chosen(lamp, Verb.STAY)]
    now = home({"learnings": f"- New. <!--x: y-->\n- Newer. <!--a:{ago(1)}-->\n{body}"})
    kept, dropped = rebase(now, decisions)
    assert not dropped and len(kept) == 2
    planned = plan(now, kept)
    assert text(planned) == f"- New. <!--x: y-->\n- Newer. <!--a:{ago(1)}-->\n" + body.replace(
        "<!-- ", "<!--"
    ).replace(" -->", "-->")
    assert [c.decided and c.decided.do for c in cards(planned, "finding")] == [None, Do.REPAIR, Do.KEEP]
    kept, dropped = rebase(home({"learnings": "- Gate.\n"}), decisions)
    assert kept == () and len(dropped) == 2 and archived(planned) == []
