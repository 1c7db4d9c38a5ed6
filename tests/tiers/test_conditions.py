"""The condition of a perishable entry: what is one, what today says of it, and what admits a new one."""

from __future__ import annotations

import pytest
from homes import TODAY, ago, archived, cards, chosen, do, home, text, the, why

from floppy_tui.tiers.cards import Verb
from floppy_tui.tiers.conditions import checkable, find_condition
from floppy_tui.tiers.decisions import Do, Verdict, target
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.records import Item, Records
from floppy_tui.tiers.stow import accept, plan

SAID = "task lint-q4 hit it"
KNOWN = [
    ("The freeze lasts until 2026-10-01.", Verdict.OPEN, "until 2026-10-01"),
    ("The freeze lasts until 2026-09-30.", Verdict.RESOLVED, "until 2026-09-30"),
    ("Until the night of 2026-12-01 only.", Verdict.OPEN, "Until the night of 2026-12-01"),
    ("Due 2026-09-01, put off, now due 2026-12-01.", Verdict.OPEN, "due 2026-12-01"),
    ("2026-08-01: the key expires 2026-09-15.", Verdict.RESOLVED, "expires 2026-09-15"),
    ("The move is on 2026-12-24.", Verdict.OPEN, "2026-12-24"),
    # A day gone by that was not said to be the end tells nothing.
    ("Seen by the mate on 2026-07-20.", Verdict.UNKNOWN, "2026-07-20"),
    ("It fails due to the outage of 2026-07-20.", Verdict.UNKNOWN, "2026-07-20"),
    ("Broken until 2026-02-30, see issue 7.", Verdict.UNKNOWN, "issue 7"),
    ("tracked: afk-pi-wake", Verdict.UNKNOWN, "tracked: afk-pi-wake"),
    ("See PR #12.", Verdict.UNKNOWN, "PR #12"),
    ("Fixed by #4711.", Verdict.UNKNOWN, "#4711"),
    ("Waits for lint-q4.", Verdict.UNKNOWN, "lint-q4"),
    ("Needed below v2.3.", Verdict.UNKNOWN, "v2.3"),
    ("While the door is open.", Verdict.UNKNOWN, "While the door is open"),
    ("The fair is in August.", Verdict.UNKNOWN, "August"),
]


@pytest.mark.parametrize(("prose", "verdict", "words"), KNOWN)
def test_what_a_condition_says_today(prose: str, verdict: Verdict, words: str) -> None:
    found = find_condition(prose, TODAY)
    assert found is not None and (found.verdict, found.text) == (verdict, words)
    assert found.note.endswith((".", "know."))


@pytest.mark.parametrize("prose", ["", "The gate sticks.", "2026-08-01: the gate sticks.", "Port 8080."])
def test_what_names_none(prose: str) -> None:
    assert find_condition(prose, TODAY) is None and not checkable(prose)


ADMITTED = ["See lint-q4.", "Below v2.3 it fails.", "See issue 12.", "See PR 12.", "Until 2026-12-01.", "#12"]
STORED_AS_AGING = ["The gate sticks.", "While the door is open.", "Once the captain is back.", "In August."]


@pytest.mark.parametrize("prose", [*ADMITTED, *STORED_AS_AGING])
def test_a_new_perishable_entry_names_a_record_a_version_or_a_date(prose: str) -> None:
    snapshot = home({"learnings": f"- {prose}\n- Dated. {prose} <!--a:{ago(2)}-->\n"})
    admitted = prose in ADMITTED
    first, second = snapshot.entries
    stamp = do(snapshot, Do.REINFORCE, "Dated", evidence=SAID, tier=Tier.PERISHABLE)
    letter = "p" if admitted else "a"
    assert f"<!--{letter}:{TODAY}-->" in text(plan(snapshot, [stamp]))
    new = stamp.with_(targets=(target(first),))
    assert text(plan(snapshot, [new])).startswith(f"- {prose} <!--{letter}:{TODAY}-->")
    bare = plan(snapshot, [do(snapshot, Do.RETIER, "Dated", tier=Tier.PERISHABLE)])
    assert bool(bare.texts) is admitted and second.id in bare.fates
    assert admitted or "condition" in why(bare)


def test_what_is_perishable_already_keeps_a_clause_as_its_condition() -> None:
    snapshot = home({"learnings": f"- While the door is open. <!--p:{ago(2)}-->\n- Oil. <!--p:{ago(2)}-->\n"})
    assert ["no-condition" in c.title for c in cards(plan(snapshot), "finding")] == [True]
    refreshed = plan(snapshot, [do(snapshot, Do.REINFORCE, "door", evidence=SAID)])
    assert f"- While the door is open. <!--p:{TODAY}-->" in text(refreshed)


STALE = {
    "open": (f"- By 2026-12-01. <!--p:{ago(9)}/2-->\n", "conditions", f"- By 2026-12-01. <!--p:{TODAY}-->\n"),
    "resolved": (f"- Until 2026-09-01. <!--p:{ago(9)}-->\n", "conditions", ""),
    "unknown": (f"- See issue 12. <!--p:{ago(9)}-->\n", "stale", ""),
    "none": (f"- Oil. <!--p:{ago(9)}-->\n", "stale", ""),
}
CAUSES = {
    "resolved": "[archived: condition resolved: Until 2026-09-01]",
    "unknown": "[archived: unreinforced 9d]",
    "none": "[archived: unreinforced 9d]",
}


@pytest.mark.parametrize("name", STALE)
def test_what_a_stale_perishable_entry_is_proposed_for(name: str) -> None:
    body, kind, after = STALE[name]
    kept = f"- Fresh. <!--a:{ago(1)}-->\n"
    snapshot = home({"learnings": body + kept})
    (card,) = cards(plan(snapshot), "condition")
    assert card.accept == kind and card.blocks and "9d" in card.why
    assert card.offer(Verb.EVIDENCE) and card.offer(Verb.RETIER) and card.offer(Verb.STAY)
    planned = plan(snapshot, accept(snapshot, [], [kind]))
    assert text(planned) == after + kept and planned.reset_safe
    if name == "open":
        (evidence,) = planned.reinforced
        assert evidence.evidence == f"looked up on {TODAY}: 2026-12-01 is still ahead."
    else:
        assert archived(planned)[0].endswith(CAUSES[name])


def test_what_the_captain_says_of_a_condition() -> None:
    snapshot = home({"learnings": f"- See issue 12. <!--p:{ago(9)}-->\n- Dated. <!--a:{ago(1)}-->\n"})
    resolved = do(snapshot, Do.CONDITION, "issue", verdict=Verdict.RESOLVED, evidence="issue 12 was closed")
    assert archived(plan(snapshot, [resolved]))[0].endswith("[archived: condition resolved: issue 12]")
    unknown = plan(snapshot, [resolved.with_(verdict=Verdict.UNKNOWN)])
    assert not unknown.texts and cards(unknown, "condition")[0].open and not unknown.reset_safe
    assert "open, resolved or unknown" in why(plan(snapshot, [resolved.with_(verdict=None)]))
    other = do(snapshot, Do.CONDITION, "Dated", verdict=Verdict.RESOLVED)
    assert "perishable" in why(plan(snapshot, [other]))


def test_what_proves_durable_is_promoted() -> None:
    snapshot = home({"learnings": f"- See issue 12. <!--p:{ago(9)}/2-->\n"})
    (card,) = cards(plan(snapshot), "condition")
    promoted = plan(snapshot, [chosen(card, Verb.RETIER)])
    assert text(promoted) == f"- See issue 12. <!--a:{ago(9)}/2-->\n" and promoted.reset_safe
    said = plan(snapshot, [chosen(card, Verb.RETIER, evidence=SAID)])
    assert text(said) == f"- See issue 12. <!--a:{TODAY}-->\n"
    old = home({"learnings": f"- See issue 12. <!--p:{ago(90)}-->\n"})
    kept = plan(old, [do(old, Do.RETIER, "issue", tier=Tier.AGING)])
    assert [e.exception for e in kept.exceptions] == ["kept-stale"] and not kept.reset_safe
    assert the(old, "issue").id in kept.fates


BACKLOG = Records(
    items={
        one.id: one
        for one in (
            Item("lint-q4", "Lint", "done"),
            Item("berth-move", "Move", "in_flight"),
            Item("rates", "Rates", "queued", held=True),
            Item("41", "Forty-one", "done"),
            Item("Feed.v2", "The feed", "queued"),
        )
    },
    releases={"berthplan": "v2.4.1", "feed": "0.9"},
    note="",
)
LOOKED_UP = [
    ("Retries are off until lint-q4 is done.", Verdict.RESOLVED, "The backlog item lint-q4 is done."),
    ("tracked: berth-move", Verdict.OPEN, "The backlog item berth-move is in flight."),
    ("Waits for lint-q4 and berth-move.", Verdict.OPEN, "The backlog item berth-move is in flight."),
    ("Until task rates is done.", Verdict.OPEN, "The backlog item rates is queued and held."),
    ("Blocked by `rates`.", Verdict.OPEN, "The backlog item rates is queued and held."),
    ("Once Feed.v2 ships.", Verdict.OPEN, "The backlog item Feed.v2 is queued."),
    ("Needed until #41, as before.", Verdict.RESOLVED, "The backlog item 41 is done."),
    ("Keep it until berthplan 2.4 is out.", Verdict.RESOLVED, "The newest release of berthplan is v2.4.1."),
    ("Keep it until berthplan v2.10 is out.", Verdict.OPEN, "The newest release of berthplan is v2.4.1."),
    ("It breaks below feed 0.9.0.", Verdict.RESOLVED, "The newest release of feed is 0.9."),
]


@pytest.mark.parametrize(("prose", "verdict", "note"), LOOKED_UP)
def test_what_is_waited_for_is_looked_up(prose: str, verdict: Verdict, note: str) -> None:
    found = find_condition(prose, TODAY, BACKLOG)
    assert found is not None and (found.verdict, found.note) == (verdict, note)


UNSETTLED = [
    # Where it was seen is not what it waits for.
    "Seen again in lint-q4.",
    "Fixed by lint-q4, says the mate.",
    # A plain word or number is no id.
    "Wait until the rates fall.",
    "Until 41 boxes are gone.",
    "Until gateway 2.4 is out.",
    "Until version 3.",
    "Waits for lint-q40.",
]


@pytest.mark.parametrize("prose", UNSETTLED)
def test_unknown_stays_unknown(prose: str) -> None:
    found = find_condition(prose, TODAY, BACKLOG)
    assert found is not None and found.verdict is Verdict.UNKNOWN
