"""Only what is local, private and read at a known time takes an entry; everything else says why not."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
import scopes
from hypothesis import example, given
from hypothesis import strategies as st

from floppy_tui.offload.destinations import Facts, Project, Survey, judge, name_problem, spelled
from floppy_tui.text.visible import visible
from floppy_tui.tiers.scope import Place, PlaceKind

AGENTS = "# tidefeed\n\n- Levels are in centimetres.\n"
PROJECT_SKILL = "---\ndescription: Use when a level is corrected.\n---\n\n- Once.\n"
TIDEFEED = Project("tidefeed", "origin/main", AGENTS, {".agents/skills/levels/SKILL.md": PROJECT_SKILL})


def seen(**fields: object) -> Survey:
    """A home with a note, a skill and a project."""
    return scopes.survey(projects={"tidefeed": TIDEFEED}, **fields)


def with_facts(path: str, text: str = "- Some words.\n", **fields: object) -> Survey:
    """A home in which one more file is there."""
    base = seen()
    return replace(base, facts={**base.facts, path: replace(scopes.local(path, text), **fields)})  # type: ignore[arg-type]


def refused(destination: str, survey: Survey | None = None) -> str:
    """Why nothing goes there: it must be a sentence, and the place must not be live."""
    place = judge(destination, survey or seen())
    assert place.refused.endswith((".", "…")), place
    assert visible(place.refused) == place.refused
    assert not place.live
    return place.refused


@pytest.mark.parametrize(
    ("typed", "path"),
    [
        ("tides", ".agents/skills/tides/SKILL.md"),
        (" tides ", ".agents/skills/tides/SKILL.md"),
        ("./tides", ".agents/skills/tides/SKILL.md"),
        ("v2.1_x-Y", ".agents/skills/v2.1_x-Y/SKILL.md"),
        (".agents/skills/tides", ".agents/skills/tides/SKILL.md"),
        ("./.agents/skills/tides/", ".agents/skills/tides/SKILL.md"),
        (".agents/skills/tides/SKILL.md", ".agents/skills/tides/SKILL.md"),
        ("projects/a/.claude/skills/tides/", "projects/a/.claude/skills/tides/SKILL.md"),
        ("./data/notes/gate.md", "data/notes/gate.md"),
        ("AGENTS.md", "AGENTS.md"),
        ("tides.md", "tides.md"),
        ("..", ".."),
        (".agents/skills/..", ".agents/skills/.."),
        ("tide gate", "tide gate"),
        ("", ""),
    ],
)
def test_a_destination_is_spelled_out(typed: str, path: str) -> None:
    assert spelled(typed) == path
    assert spelled(path) == path


def test_a_skill_that_is_there_is_live() -> None:
    place = judge("lamps", seen())
    assert place == Place(
        scopes.SKILL,
        "lamps",
        PlaceKind.SKILL,
        live=True,
        privacy=f"Private: local, untracked, and ignored by {scopes.IGNORED}.",
        trigger="Use when a lamp on the quay is out.",
        text=scopes.LAMP_SKILL,
    )


def test_a_note_that_is_there_is_live() -> None:
    place = judge(scopes.NOTE, seen())
    assert (place.name, place.kind, place.live, place.private) == ("gate", PlaceKind.NOTE, True, True)
    assert place.trigger == "Use when working at the gate or its barrier."
    assert place.refused == ""


def test_a_new_skill_is_allowed_and_not_live() -> None:
    place = judge("tides", seen())
    assert (place.kind, place.refused, place.live, place.text) == (PlaceKind.NEW_SKILL, "", False, None)
    assert place.private
    assert place.path == ".agents/skills/tides/SKILL.md"


def test_a_project_takes_by_a_ship_task_only() -> None:
    place = judge("projects/tidefeed/AGENTS.md", seen())
    assert (place.kind, place.name, place.refused) == (PlaceKind.PROJECT, "tidefeed", "")
    assert (place.live, place.private, place.text) == (False, False, AGENTS)
    assert "everyone" in place.privacy
    skill = judge("projects/tidefeed/.agents/skills/levels", seen())
    assert (skill.kind, skill.name, skill.text) == (PlaceKind.PROJECT_SKILL, "levels", PROJECT_SKILL)
    assert skill.trigger == "Use when a level is corrected."
    new = judge("projects/tidefeed/.agents/skills/other/SKILL.md", seen())
    assert (new.kind, new.refused, new.text, new.live) == (PlaceKind.PROJECT_SKILL, "", None, False)


@pytest.mark.parametrize(
    ("destination", "why"),
    [
        ("", "No destination is named"),
        ("  ", "No destination is named"),
        ("AGENTS.md", "every session"),
        ("./CLAUDE.md", "every session"),
        ("agents.MD", "every session"),
        ("docs/gate.md", "docs/"),
        ("Docs/", "docs/"),
        ("data/captain.md", "part of the memory"),
        ("data/captain-shared.md", "part of the memory"),
        ("data/Learnings.md", "part of the memory"),
        ("data/memory-archive.md", "part of the memory"),
        ("data/backlog.md", "other tools"),
        ("data/offload-proposals.md", "other tools"),
        ("data/secondmates.md", "other tools"),
        ("/etc/passwd", "below the home"),
        ("~/notes.md", "below the home"),
        ("data/../AGENTS.md", "“..”"),
        ("data//gate.md", "between two slashes"),
        ("data/./gate.md", "“.”"),
        ("data/notes/", "between two slashes"),
        ("..", "“..”"),
        (".", "“.”"),
        (".agents/skills/../x/SKILL.md", "“..”"),
        ("data\\gate.md", "backslash"),
        ("data/ga\nte.md", "control characters"),
        ("data/ga\x1bte.md", "control characters"),
        ("data/ga\u202ete.md", "control characters"),
        ("data/\udcff.md", "control characters"),
        ("tides.md", "no destination"),
        ("notes/gate.md", "no destination"),
        ("data/gate.txt", "no destination"),
        ("data/.md", "no destination"),
        ("state/x.md", "no destination"),
        ("config/startup-memory-budget", "no destination"),
        (".git/hooks/x", "no destination"),
        (".agents/skills/tides/other.md", "no destination"),
        (".agents/skills/a/b/SKILL.md", "no destination"),
        (".agents/skills/tides/skill.md", "no destination"),
        ("projects/tidefeed/README.md", "no destination"),
        ("projects/tidefeed/docs/AGENTS.md", "no destination"),
        ("projects/AGENTS.md", "no destination"),
        ("data/.hidden.md", "hidden"),
        ("data/.x/gate.md", "hidden"),
        ("data/notes/other.md", "not there"),
        ("tide gate", "no destination"),
        ("größe", "no destination"),
        (".agents/skills/tide gate/SKILL.md", "no plain name"),
        (".agents/skills/größe/SKILL.md", "no plain name"),
        ("-tides", "begins with “-”"),
        (".tides", "begins with “.”"),
        ("x" * 65, "longer than 64"),
        ("projects/-x/AGENTS.md", "begins with “-”"),
        ("projects/none/AGENTS.md", "no clone"),
        ("projects/tidefeed/.agents/skills/LEVELS/SKILL.md", "already"),
        ("projects/tidefeed/.agents/skills/a b/SKILL.md", "no plain name"),
    ],
)
def test_what_can_be_no_destination_says_why(destination: str, why: str) -> None:
    assert why in refused(destination)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("lamps", ""),
        ("Lamps", "the skill lamps is there"),
        ("LAMPS", "the skill lamps is there"),
        ("handover", "tracked in the home's index"),
        ("HandOver", "tracked in the home's index"),
    ],
)
def test_a_name_that_exists_is_taken_in_any_case(name: str, why: str) -> None:
    survey = replace(seen(), taken={"handover": "tracked in the home's index"})
    if why:
        assert why in refused(name, survey)
    else:
        assert judge(name, survey).live


@pytest.mark.parametrize("path", [scopes.SKILL, scopes.NOTE])
@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"tracked": True}, "tracked in the home's index"),
        ({"ignored": ""}, "not ignored"),
        ({"owned": False}, "not yours alone"),
        ({"text": None}, "no readable file"),
        ({"text": None, "trouble": "it is a symlink"}, "it is a symlink"),
        ({"trouble": "its directory is a symlink"}, "its directory is a symlink"),
        ({"text": "- No front matter.\n"}, "no established trigger"),
        ({"text": "---\ndescription: 7\n---\n"}, "no established trigger"),
        ({"text": "---\ndescription: ' '\n---\n"}, "no established trigger"),
        ({"text": "---\ndescription: [\n---\n"}, "no established trigger"),
        ({"text": "---\ndescription: never closed\n"}, "no established trigger"),
    ],
)
def test_a_file_that_is_there_must_be_private_and_have_a_trigger(
    path: str, fields: dict[str, object], why: str
) -> None:
    base = seen()
    survey = replace(base, facts={path: replace(base.facts[path], **fields)})  # type: ignore[arg-type]
    assert why in refused(path, survey)


def test_a_note_may_have_its_trigger_from_the_memory() -> None:
    survey = with_facts("data/ferry.md")
    assert "no established trigger" in refused("data/ferry.md", survey)
    named = replace(survey, mentions={"data/ferry.md": "When a ferry is late, read\x1b data/ferry.md."})
    place = judge("data/ferry.md", named)
    assert place.live
    assert place.trigger == "When a ferry is late, read␛ data/ferry.md."
    keyed = with_facts("data/ferry.md", "---\ntrigger: when a ferry is late\n---\n")
    assert judge("data/ferry.md", keyed).trigger == "when a ferry is late"


def test_a_directory_that_is_a_symlink_takes_no_new_skill() -> None:
    for above in (".agents", ".agents/skills"):
        survey = replace(seen(), facts={above: Facts(above, exists=True, trouble="it is a symlink")})
        assert refused("tides", survey) == f"{above} cannot be used: it is a symlink."


ALLOWED = ["tides", "lamps", scopes.NOTE, "projects/tidefeed/AGENTS.md"]


@pytest.mark.parametrize("destination", ALLOWED)
def test_nothing_is_allowed_where_git_cannot_vouch_for_it(destination: str) -> None:
    assert judge(destination, seen()).refused == ""
    outside = replace(seen(), repository="", note="fatal: not a git repository")
    assert "no git repository (fatal: not a git repository)" in refused(destination, outside)
    assert "no git repository" in refused(destination, replace(outside, note=""))
    unread = replace(seen(), note="its index could not be read")
    assert "index could not be read" in refused(destination, unread)


@pytest.mark.parametrize(
    ("project", "why"),
    [
        (replace(TIDEFEED, agents=None), "no AGENTS.md on origin/main"),
        (replace(TIDEFEED, agents=None, note="it is too large"), "(it is too large)"),
        (replace(TIDEFEED, branch="", note="it has no commit yet"), "it has no commit yet"),
        (replace(TIDEFEED, branch=""), "no default branch"),
    ],
)
def test_a_project_without_a_committed_agents_file_is_refused(project: Project, why: str) -> None:
    survey = replace(seen(), projects={"tidefeed": project})
    assert why in refused("projects/tidefeed/AGENTS.md", survey)


# -- no other path, ever

SHAPES = re.compile(
    r"\.agents/skills/(?P<skill>[A-Za-z0-9_][A-Za-z0-9._-]{0,63})/SKILL\.md|data/notes/gate\.md"
    r"|projects/tidefeed/(?:AGENTS\.md|\.(?:agents|claude)/skills/[A-Za-z0-9_][A-Za-z0-9._-]{0,63}/SKILL\.md)"
)
PARTS = ["data", "notes", "gate.md", "captain.md", ".agents", "skills", "tides", "lamps", "SKILL.md"]
PARTS += ["projects", "tidefeed", "AGENTS.md", "..", ".", "", "docs", "~", ".git", "-x", "x ", "\x00", "\\"]
PATHS = st.one_of(
    st.lists(st.sampled_from(PARTS), max_size=6).map("/".join),
    st.text(max_size=20),
    st.text(max_size=12).map("data/{}".format),
    st.text(max_size=12).map("projects/tidefeed/{}".format),
    st.text(max_size=12).map(".agents/skills/{}".format),
    st.text(max_size=12).map(".agents/skills/{}/SKILL.md".format),
)


@given(PATHS)
@example("/tides")
@example(".agents/skills/tides/SKILL.md\n")
@example("tides\n")
@example(".//tides")
def test_no_path_of_another_shape_is_ever_allowed(destination: str) -> None:
    place = judge(destination, seen())
    if place.refused:
        assert visible(place.refused) == place.refused
        assert not place.live
        return
    assert place.kind is not None
    match = SHAPES.fullmatch(place.path)
    assert match
    assert spelled(place.path) == place.path
    assert destination.strip(" ").removeprefix("./").rstrip("/") in place.path
    if place.kind is PlaceKind.NEW_SKILL:
        assert match["skill"].casefold() != "lamps"
        assert name_problem(match["skill"]) == ""


@given(st.text(max_size=20), st.text(max_size=20))
def test_a_survey_of_anything_raises_nothing(path: str, words: str) -> None:
    facts = {path: Facts(path, exists=True, text=words, ignored=words)}
    project = Project(words, words, words, {path: words}, note=words)
    survey = Survey(words, facts, {words: words}, {words: project}, {path: words})
    for destination in (path, words, f"projects/{words}/AGENTS.md", f"projects/{words}/{path}"):
        judge(destination, survey)
