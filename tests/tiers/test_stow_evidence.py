"""Evidence: what confirms an entry, what does not, and what is refused without any."""

from __future__ import annotations

import pytest
from homes import TODAY, ago, archived, do, home, on_section, repeated, text, the, why

from floppy_tui.tiers.decisions import Do, Verdict, evidence_problem
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.stow import plan

PROSE = "The gate sticks in the rain (see PR 123)."
SAID = "task lint-q4 hit it"
NONE = [
    "",
    "  \n",
    "-",
    "...",
    "none",
    "None!",
    "n/a",
    "TBD",
    "no evidence",
    "No evidence in this session.",
    "there is no confirming session evidence",
    "without any proof",
    "zero confirmation so far",
    "nothing confirmed it",
    "nobody has checked",
    "not confirmed this session",
    "never verified",
    "hasn't been tested yet",
    "could not check it",
    "unverified",
    "seems right",
    "It seems right.",
    "looks good to me",
    "plausible",
    "very plausible and important",
    "important",
    "this is important",
    "prior knowledge",
    "known from before",
    "I know it from memory",
    "common sense",
    "obvious",
    "still true",
    "trust me",
    "evidence",
    PROSE,
    PROSE.upper(),
    "the gate   sticks\nin the rain",
    "sticks",
    "see PR 123",
    f"confirmed: {PROSE}",
    f"It is true that {PROSE}",
]
SOME = [
    SAID,
    "the captain said so today",
    "PR 12",
    "ran make verify and it failed as told",
    "tests passed",
    "checked the source",
    "the lint run does not check links; seen in run 12",
    "an unchecked box bit me",
    "confirmed by running it",
    "現場で確認した",
]


@pytest.mark.parametrize("said", NONE)
def test_what_is_no_evidence(said: str) -> None:
    problem = evidence_problem(said, PROSE)
    assert problem.endswith(".")
    body = f"- {PROSE} <!--a:{ago(40)}-->\n- Unmarked.\n"
    snapshot = home({"learnings": body})
    planned = plan(snapshot, [do(snapshot, Do.REINFORCE, "gate", evidence=said)])
    assert why(planned) == problem
    assert not planned.texts and not planned.reinforced and not planned.reset_safe


@pytest.mark.parametrize("said", SOME)
def test_what_is_evidence(said: str) -> None:
    assert evidence_problem(said, PROSE) == ""


BODY = f"""- Stale. <!--a:{ago(40)}-->
- Fresh, until issue 12 is closed. <!--p:{ago(2)}/2-->
- Unmarked.
- Confirmed no more. <!--g-->
- Pinned here. <!--P-->
"""
STAMPED = [
    ("Stale", {}, f"- Stale. <!--a:{ago(0)}-->"),
    ("Fresh", {}, f"- Fresh, until issue 12 is closed. <!--p:{ago(0)}-->"),
    ("Unmarked", {}, f"- Unmarked. <!--a:{ago(0)}-->"),
    ("Unmarked", {"tier": Tier.PINNED}, "- Unmarked. <!--P-->"),
    ("Confirmed", {}, f"- Confirmed no more. <!--a:{ago(0)}-->"),
    ("Pinned", {}, "- Pinned here. <!--P-->"),
]


@pytest.mark.parametrize(("words", "fields", "line"), STAMPED)
def test_evidence_stamps_today_and_is_named(words: str, fields: dict[str, Tier], line: str) -> None:
    snapshot = home({"learnings": BODY, "captain": "- Tea.\n"})
    planned = repeated(snapshot, [do(snapshot, Do.REINFORCE, words, evidence=f"  {SAID}\n", **fields)])
    was = next(one for one in BODY.split("\n") if words in one)
    assert text(planned) == BODY.replace(was, line)
    (named,) = planned.reinforced
    assert (named.entry, named.evidence) == (the(snapshot, words).id, SAID)


def test_a_pinned_preference_is_confirmed_without_a_byte() -> None:
    snapshot = home({"captain": "- Tea.\n"})
    planned = plan(snapshot, [do(snapshot, Do.REINFORCE, "Tea", evidence=SAID)])
    assert not planned.texts and [e.evidence for e in planned.reinforced] == [SAID]


def test_a_condition_found_open_needs_evidence_too() -> None:
    snapshot = home({"learnings": BODY})
    for said, done in (("", False), ("seems right", False), (SAID, True)):
        planned = plan(snapshot, [do(snapshot, Do.CONDITION, "Fresh", verdict=Verdict.OPEN, evidence=said)])
        assert bool(planned.texts) is done is not bool(planned.refused)


@pytest.mark.parametrize(
    ("words", "tier"),
    [
        ("Unmarked", Tier.AGING),
        ("Unmarked", Tier.PERISHABLE),
        ("Unmarked", Tier.PINNED),
        ("Confirmed", Tier.PINNED),
        ("Confirmed", Tier.AGING),
        ("Pinned", Tier.AGING),
    ],
)
def test_a_retier_never_confirms_by_itself(words: str, tier: Tier) -> None:
    snapshot = home({"learnings": BODY.replace("marked.", "marked, see issue 1.")})
    planned = plan(snapshot, [do(snapshot, Do.RETIER, words, tier=tier)])
    assert "evidence" in why(planned) or "condition" in why(planned)
    assert not planned.texts


def test_evidence_and_a_new_tier_given_apart_come_to_one_marker() -> None:
    snapshot = home({"learnings": BODY})
    evidence = do(snapshot, Do.REINFORCE, "Fresh", evidence=SAID)
    promoted = do(snapshot, Do.RETIER, "Fresh", tier=Tier.AGING)
    for order in ([evidence, promoted], [promoted, evidence]):
        planned = plan(snapshot, order)
        assert f"- Fresh, until issue 12 is closed. <!--a:{ago(0)}-->" in text(planned)
        assert [e.evidence for e in planned.reinforced] == [SAID] and not planned.refused


def test_evidence_outdoes_grace_and_grace_never_takes_evidence_back() -> None:
    snapshot = home({"learnings": BODY})
    evidence = do(snapshot, Do.REINFORCE, "Unmarked", evidence=SAID)
    grace = do(snapshot, Do.GRACE, "Unmarked")
    for order in ([grace, evidence], [evidence, grace]):
        planned = plan(snapshot, order)
        assert f"- Unmarked. <!--a:{ago(0)}-->" in text(planned)
        assert planned.graced == ()


def test_a_rewrite_with_evidence_is_confirmed_by_it() -> None:
    snapshot = home({"learnings": BODY})
    decision = do(snapshot, Do.REWRITE, "Stale", text="Stale no more.", evidence=SAID)
    planned = plan(snapshot, [decision])
    assert f"- Stale no more. <!--a:{ago(0)}-->" in text(planned)
    assert [e.evidence for e in planned.reinforced] == [SAID]
    bad = plan(snapshot, [decision.with_(evidence="obvious")])
    assert not bad.texts and bad.refused


def test_nobody_archives_as_stale_what_this_pass_confirmed() -> None:
    snapshot = home({"learnings": BODY})
    evidence = do(snapshot, Do.REINFORCE, "Stale", evidence=SAID)
    planned = plan(snapshot, [evidence, do(snapshot, Do.ARCHIVE, "Stale", reason="unreinforced 40d")])
    assert "evidence" in why(planned) and archived(planned) == []


def test_a_section_taken_as_one_with_evidence_names_it() -> None:
    snapshot = home({"learnings": "# All\n\n## Pool\n\n- One.\n- Two.\n"})
    planned = plan(snapshot, [on_section(snapshot, Do.TAKE_AS_ONE, "Pool", evidence=SAID)])
    assert text(planned) == f"# All\n\n## Pool <!--a:{TODAY}-->\n\n- One.\n- Two.\n"
    assert {e.evidence for e in planned.reinforced} == {SAID}
    said = plan(snapshot, [on_section(snapshot, Do.TAKE_AS_ONE, "Pool", evidence="looks right")])
    assert said.refused and not said.texts
