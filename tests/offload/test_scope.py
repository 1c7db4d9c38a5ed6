"""What the pass and the offload view learn of a home: its places, and every test of every entry."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
import scopes
from homes import LEARNINGS, SHARED, ago, home, the
from proposals import proposal
from scopes import NOTE, SKILL

from floppy_tui.offload.candidate import FAT, SHARED_WARNING, TESTS
from floppy_tui.offload.candidate import tests as all_tests
from floppy_tui.offload.destinations import Facts, Project, judge
from floppy_tui.offload.proposal import State
from floppy_tui.offload.scope import Candidate, HomeScope
from floppy_tui.tiers.decisions import Move
from floppy_tui.tiers.document import Entry
from floppy_tui.tiers.layout import CAPTAIN, Role
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.reading import read_document
from floppy_tui.tiers.scope import Place, PlaceKind, Scope, Stands
from floppy_tui.tiers.scope import Tested as Verdict
from floppy_tui.tiers.snapshot import Snapshot

GATE = (
    "When the gate at the river lock sticks, lift it by its left edge, and never pull: " + "it breaks. " * 12
)
AGENTS = "# tidefeed\n\n- Levels are in centimetres.\n"
SURVEY = scopes.survey(projects={"tidefeed": Project("tidefeed", "origin/main", AGENTS)})
AGING = Stands(editable=True, tier=Tier.AGING, dated=True, stale=False)
PINNED = Stands(editable=True, tier=Tier.PINNED, dated=False, stale=False)
MOVE = Move("when the gate sticks", NOTE, "Use when the gate sticks.", "private")


def entry(prose: str = GATE, file: str = LEARNINGS) -> Entry:
    """A fat entry."""
    return read_document(f"- {prose.strip()}\n", file, Tier.AGING).entries[0]


def judged(
    stands: Stands = AGING,
    move: Move = MOVE,
    *,
    of: Entry | None = None,
    autonomous: bool = True,
    pending: bool = False,
    held_by: str = "",
    place: Place | None = None,
) -> dict[str, Verdict]:
    """The seven tests by name; all are there, in their order, each with a sentence."""
    place = place or judge(move.destination, SURVEY)
    found = all_tests(
        of or entry(), stands, move, place, autonomous=autonomous, pending=pending, held_by=held_by
    )
    assert tuple(test.name for test in found) == TESTS
    assert all(test.why.endswith(".") for test in found), found
    return {test.name: test for test in found}


def failing(found: dict[str, Verdict]) -> list[str]:
    """The names of the tests that do not pass."""
    return [test.name for test in found.values() if not test.passes]


def test_a_current_aging_entry_may_go_to_a_live_owner() -> None:
    found = judged()
    assert failing(found) == []
    assert found["fat"].why == f"Fat: {entry().tokens} estimated tokens, from 50 on it is worth moving."
    assert NOTE in found["destination"].why
    assert "Private" in found["destination"].why


def test_a_pinned_entry_may_only_be_proposed() -> None:
    assert failing(judged(PINNED)) == ["authority"]
    assert failing(judged(PINNED, autonomous=False)) == []
    assert failing(judged(PINNED, replace(MOVE, destination="tides"), autonomous=False)) == []


@pytest.mark.parametrize("autonomous", [True, False])
@pytest.mark.parametrize(
    ("stands", "names"),
    [
        (replace(AGING, editable=False), ["editable"]),
        (replace(AGING, alone=False), ["editable"]),
        (replace(AGING, stale=True), ["durable"]),
        (replace(AGING, dated=False), ["durable", "authority"]),
        (replace(AGING, frozen=True), ["authority"]),
        (replace(AGING, tier=Tier.PERISHABLE), ["durable", "authority"]),
        (replace(AGING, tier=Tier.GRACE, dated=False), ["durable", "authority"]),
        (replace(AGING, tier=Tier.UNMARKED, dated=False), ["durable", "authority"]),
    ],
)
def test_how_an_entry_stands_decides(stands: Stands, names: list[str], autonomous: bool) -> None:
    assert failing(judged(stands, autonomous=autonomous)) == names


def test_a_pending_entry_is_left_to_its_proposal() -> None:
    assert failing(judged(pending=True)) == ["authority"]
    assert failing(judged(pending=True, autonomous=False)) == []


def test_the_pass_moves_nothing_out_of_the_shared_file() -> None:
    found = judged(of=entry(file=SHARED))
    assert failing(found) == ["authority"]
    assert SHARED_WARNING in found["authority"].why
    assert failing(judged(of=entry(file=SHARED), autonomous=False)) == []


@pytest.mark.parametrize(
    "trigger", ["", "  ", "always", "Every session.", "in every session", "when", "a\nb"]
)
def test_a_trigger_names_one_context(trigger: str) -> None:
    assert failing(judged(move=replace(MOVE, trigger=trigger))) == ["conditional"]


def test_words_that_read_like_a_rule_are_pointed_at() -> None:
    found = judged()
    assert "“never”" in found["conditional"].why
    assert "must run no risk" in found["conditional"].why
    assert "risk" not in judged(of=entry("Oil is in the shed. " * 9))["conditional"].why


def test_fat_is_fifty_tokens() -> None:
    assert FAT == 50
    thin, fat = (entry("x" * (3 * FAT - 2 - 1 - missing)) for missing in (3, 0))
    assert (thin.tokens, fat.tokens) == (49, 50)
    assert failing(judged(of=thin)) == ["fat"]
    assert failing(judged(of=fat)) == []


@pytest.mark.parametrize(
    ("destination", "privacy", "autonomous", "proposed"),
    [
        (NOTE, "private", True, True),
        ("lamps", "", True, True),
        ("tides", "private", False, False),
        ("projects/tidefeed/AGENTS.md", "private", False, False),
        ("projects/tidefeed/AGENTS.md", "", False, False),
        ("projects/tidefeed/AGENTS.md", "not public", False, False),
        ("projects/tidefeed/AGENTS.md", "Public: it is in the manual", False, True),
        ("projects/tidefeed/.agents/skills/x", "public", False, True),
        ("data/notes/none.md", "private", False, False),
        ("docs/gate.md", "public", False, False),
        ("", "public", False, False),
    ],
)
def test_a_destination_fits_the_privacy(
    destination: str, privacy: str, autonomous: bool, proposed: bool
) -> None:
    move = replace(MOVE, destination=destination, privacy=privacy)
    assert judged(move=move)["destination"].passes is autonomous
    found = judged(move=move, autonomous=False)["destination"]
    assert found.passes is proposed
    if destination.startswith("projects/") and not proposed:
        assert "“public”" in found.why


def test_a_stronger_owner_keeps_it_where_it_is() -> None:
    assert failing(judged(held_by=SKILL)) == ["unheld"]
    held = judged(held_by=NOTE)
    assert failing(held) == []
    assert "only its removal here is left" in held["unheld"].why


# -- a home

LEARNED = (
    f"- {GATE}<!--a:{ago(3)}-->\n"
    f"- Oil the pump. <!--a:{ago(2)}-->\n"
    f"- When the mill burns, {'run to the river. ' * 10}<!--a:{ago(40)}-->\n"
    f"- A task handed over says:\n  - which branch <!--a:{ago(4)}-->\n  - and by whom\n"
)
CAPTAINS = f"- When a ferry is late, {'say so to the mate at once. ' * 8}\n- Never push.\n"


def the_home(**fields: object) -> Snapshot:
    """A home with entries of each kind."""
    return home({"learnings": LEARNED, "captain": CAPTAINS}, **fields)  # type: ignore[arg-type]


def test_it_is_the_scope_that_the_pass_asks() -> None:
    scope: Scope = HomeScope(SURVEY)
    assert scope.pending == frozenset()


def test_places_that_may_be_used_come_first() -> None:
    facts = {
        "data/loose.md": replace(scopes.local("data/loose.md", "- x\n"), ignored=""),
        ".agents/skills": Facts(".agents/skills", exists=True),
        "data/gone.md": Facts("data/gone.md"),
    }
    scope = HomeScope(replace(SURVEY, facts={**facts, **SURVEY.facts}))
    assert [(p.path, bool(p.refused)) for p in scope.places] == [
        (NOTE, False),
        (SKILL, False),
        ("projects/tidefeed/AGENTS.md", False),
        ("data/loose.md", True),
    ]
    assert scope.place("lamps") == scope.places[1]
    assert scope.place("tides").kind is PlaceKind.NEW_SKILL


def test_a_suggestion_names_a_skill_that_is_free() -> None:
    snapshot = the_home()
    gate = the(snapshot, "river lock")
    move = HomeScope(SURVEY).suggested(gate)
    assert move == Move(
        "when the gate at the river lock sticks",
        ".agents/skills/gate-river-lock/SKILL.md",
        "Use when the gate at the river lock sticks.",
        "private",
    )
    taken = HomeScope(replace(SURVEY, taken={"Gate-River-Lock": "a file is there"}))
    assert taken.suggested(gate).destination == ".agents/skills/gate-river-lock-2/SKILL.md"
    other = proposal(entry="f" * 12, move=replace(move, destination="gate-river-lock"))
    assert HomeScope(SURVEY, (other,)).suggested(gate).destination.endswith("gate-river-lock-2/SKILL.md")
    outside = HomeScope(replace(SURVEY, repository="", note="no repository"))
    assert outside.suggested(gate) == move


def test_what_is_in_the_queue_is_suggested_again() -> None:
    gate = the(the_home(), "river lock")
    edited = Move("when it sticks", "gates", "Use when it sticks.", "private")
    queued = proposal(entry=f"{gate.id}-2", move=edited)
    assert HomeScope(SURVEY, (queued,)).suggested(gate) == edited
    over = queued.with_(state=State.REJECTED)
    assert HomeScope(SURVEY, (over,)).suggested(gate) != edited


@pytest.mark.parametrize("state", list(State))
def test_an_entry_is_pending_as_long_as_something_may_come_of_it(state: State) -> None:
    scope = HomeScope(SURVEY, (proposal(entry="0a1b2c3d4e5f-3", state=state),))
    over = state in (State.REJECTED, State.MIGRATED)
    assert scope.pending == (frozenset() if over else frozenset({"0a1b2c3d4e5f"}))


def verdicts(scope: HomeScope, of: Entry, move: Move, *, autonomous: bool = True) -> dict[str, Verdict]:
    """The tests of an aging entry by name, for a proposal those of a pinned one."""
    stands = AGING if autonomous else replace(AGING, tier=Tier.PINNED, dated=False)
    return {test.name: test for test in scope.tests(of, stands, move, autonomous=autonomous)}


def test_a_proposal_keeps_its_entry_from_the_pass() -> None:
    gate = entry()
    assert verdicts(HomeScope(SURVEY), gate, MOVE)["authority"].passes
    queued = HomeScope(SURVEY, (proposal(entry=gate.id, move=MOVE),))
    assert not verdicts(queued, gate, MOVE)["authority"].passes
    assert verdicts(queued, gate, MOVE, autonomous=False)["authority"].passes


def test_two_proposals_make_no_skill_of_one_name() -> None:
    gate = entry()
    move = replace(MOVE, destination="Tides")
    scope = HomeScope(SURVEY, (proposal(entry="f" * 12, id="p7"),))
    found = verdicts(scope, gate, move, autonomous=False)["destination"]
    assert not found.passes
    assert "p7" in found.why
    own = HomeScope(SURVEY, (proposal(entry=gate.id),))
    assert verdicts(own, gate, move, autonomous=False)["destination"].passes


def with_note(text: str) -> HomeScope:
    """A home whose note says ``text``."""
    return HomeScope(replace(SURVEY, facts={**SURVEY.facts, NOTE: scopes.local(NOTE, text)}))


def test_an_owner_that_holds_the_words_is_found() -> None:
    gate = entry()
    held = with_note(f"{scopes.GATE_NOTE}\n{gate.prose}\n")
    assert "only its removal" in verdicts(held, gate, MOVE)["unheld"].why
    found = verdicts(held, gate, replace(MOVE, destination=SKILL))["unheld"]
    assert not found.passes
    assert NOTE in found.why
    assert held.added(held.place(NOTE), gate.prose) == held.place(NOTE).text
    project = Project("tidefeed", "origin/main", f"{AGENTS}\n{gate.prose}\n")
    of_project = HomeScope(replace(SURVEY, projects={"tidefeed": project}))
    assert "projects/tidefeed/AGENTS.md" in verdicts(of_project, gate, MOVE)["unheld"].why
    loose = replace(scopes.local("data/loose.md", gate.prose), ignored="")
    refused = HomeScope(replace(SURVEY, facts={**SURVEY.facts, "data/loose.md": loose}))
    assert verdicts(refused, gate, MOVE)["unheld"].passes


def test_a_place_that_cannot_take_the_words_is_no_destination() -> None:
    gate = entry()
    fenced = with_note(f"{scopes.GATE_NOTE}\n```\nnever closed\n")
    found = verdicts(fenced, gate, MOVE)["destination"]
    assert not found.passes
    assert "never closed" in found.why
    with pytest.raises(ValueError, match="never closed"):
        fenced.added(fenced.place(NOTE), gate.prose)
    with pytest.raises(ValueError, match="cannot be given anything"):
        fenced.added(fenced.place("tides"), gate.prose)
    scope = HomeScope(SURVEY)
    after = scope.added(scope.place(NOTE), gate.prose)
    assert after == f"{scopes.GATE_NOTE}\n{gate.prose}\n"
    assert scope.holds(after, gate.prose)


def by_words(found: tuple[Candidate, ...], words: str) -> Candidate:
    """The candidate whose entry says ``words``."""
    (one,) = [candidate for candidate in found if words in candidate.entry.prose]
    return one


def test_every_entry_is_a_candidate_with_all_its_verdicts() -> None:
    snapshot = the_home()
    found = HomeScope(SURVEY).candidates(snapshot)
    assert len(found) == len(snapshot.entries)
    assert all(tuple(test.name for test in one.tests) == TESTS for one in found)
    tokens = [one.entry.tokens for one in found]
    assert tokens == sorted(tokens, reverse=True)
    # A new skill is made for a pinned entry alone.
    assert [t.name for t in by_words(found, "river lock").tests if not t.passes] == ["destination"]
    assert by_words(found, "ferry").passes
    assert [t.name for t in by_words(found, "mill").tests if not t.passes] == ["durable", "destination"]
    assert [t.name for t in by_words(found, "Never push").tests if not t.passes] == ["conditional", "fat"]
    parent = by_words(found, "handed over")
    assert not parent.passes
    assert not next(t for t in parent.tests if t.name == "editable").passes


def test_a_read_only_entry_is_listed_and_fails() -> None:
    shared = home({"shared": f"- {GATE}\n"}, role=Role.SECONDMATE)
    (one,) = HomeScope(SURVEY).candidates(shared)
    assert [t.name for t in one.tests if not t.passes] == ["editable"]


def test_outside_a_repository_every_candidate_fails_with_the_reason() -> None:
    outside = HomeScope(replace(SURVEY, repository="", note="not a git repository"))
    for one in outside.candidates(the_home(today=date(2026, 10, 1))):
        destination = next(t for t in one.tests if t.name == "destination")
        assert not destination.passes
        assert "not a git repository" in destination.why


def test_a_captains_entry_is_pinned_for_the_tests() -> None:
    snapshot = the_home()
    ferry = the(snapshot, "ferry")
    assert ferry.file == CAPTAIN
    one = by_words(HomeScope(SURVEY).candidates(snapshot), "ferry")
    assert "pinned" in next(t for t in one.tests if t.name == "authority").why
