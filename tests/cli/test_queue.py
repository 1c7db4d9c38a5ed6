"""``queue``: what is proposed, what the captain types to it on a terminal, and what a migration leaves."""

from __future__ import annotations

import getpass
import json
import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pexpect
import pytest
from click.testing import Result
from repositories import commit, git, init
from terminals import Terminal

from floppy_tui.tiers.budget import estimate

Run = Callable[..., Result]
Complained = Callable[[Result], str]
Seen = Callable[[Path], dict[str, tuple[int, bytes]]]

TIDES = (
    "When the tide gauge at the mole is calibrated, take three readings before and three after, an hour "
    "apart, and throw away the first of each: the float sticks until it has moved once."
)
TIDES_LINE = f"- {TIDES} <!--P-->\n".encode()
LOCK = (
    "If the river lock is opened by hand, tell the harbour office first and write down who turned the wheel "
    "and when, because the insurance asks for both names within the day."
)
LEARNINGS = f"""# Learnings
<!-- memory tiers: see the stow skill -->

- {TIDES} <!--P-->
- {LOCK} <!--P-->
- Short and pinned. <!--P-->
""".encode()
KEYS = [
    "id", "entry", "file", "first_line", "tokens", "trigger", "destination", "description", "privacy",
    "shared_warning", "state", "approval", "quote", "current",
]  # fmt: skip
MOVE = (
    *("--trigger", "when the tide gauge is calibrated", "--destination", "tide-gauge"),
    *("--description", "Use when calibrating the tide gauge."),
)
SKILL = ".agents/skills/tide-gauge/SKILL.md"


@pytest.fixture
def home(home: Path) -> Path:
    """The home in a repository that keeps its memory out."""
    (home / "data/learnings.md").write_bytes(LEARNINGS)
    (home / ".gitignore").write_bytes(b"/config/\n/data/\n/projects/\n/state/\n")
    return init(home)


def asked(run: Run, home: Path, *words: str, code: int = 0) -> Any:
    """What a verb of the queue answers as JSON."""
    result = run("queue", *words, "--json", "--home", home)
    assert result.exit_code == code, result.output
    return json.loads(result.stdout_bytes)


def entry(run: Run, home: Path, words: str) -> str:
    """The id of the entry that begins with ``words``."""
    found = json.loads(run("entries", "--json", "--home", home).stdout_bytes)
    return next(e["id"] for e in found if e["prose"].startswith(words))


@pytest.fixture
def proposed(run: Run, home: Path) -> str:
    """The id of a proposal to make a skill of what is known of the tide gauge."""
    said: str = asked(run, home, "propose", entry(run, home, "When the tide"), *MOVE)["id"]
    return said


def typed(home: Path, proposal: str, words: str, *more: str) -> tuple[int, str]:
    """Approve on a terminal by typing ``words``: the exit code, and all that was shown."""
    arguments = ("queue", "approve", proposal, "--home", str(home), *more)
    with Terminal(*arguments, columns=160, rows=60, FLOPPY_TODAY="2026-10-01") as terminal:
        terminal.until("anything else to leave it:")
        terminal.press(words)
        return terminal.ended(), terminal.raw.decode()


def test_an_empty_queue_says_what_would_fill_it(run: Run, home: Path, seen: Seen) -> None:
    before = seen(home)
    assert asked(run, home, "list") == []
    for words in (("queue",), ("queue", "list")):
        result = run(*words, "--home", home)
        assert (result.exit_code, result.stderr) == (0, "")
        assert "queue candidates" in result.stdout
    assert seen(home) == before


def test_a_proposal_is_listed_with_all_that_an_agent_may_lean_on(run: Run, home: Path, proposed: str) -> None:
    (listed,) = asked(run, home, "list")
    assert list(listed) == KEYS
    identity = entry(run, home, "When the tide")
    assert listed == {
        "id": proposed,
        "entry": identity,
        "file": "data/learnings.md",
        "first_line": TIDES,
        "tokens": listed["tokens"],
        "trigger": "when the tide gauge is calibrated",
        "destination": SKILL,
        "description": "Use when calibrating the tide gauge.",
        "privacy": "private",
        "shared_warning": None,
        "state": "proposed",
        "approval": None,
        "quote": TIDES,
        "current": TIDES,
    }
    assert listed["tokens"] == -(-len(f"- {TIDES} <!--P-->\n".encode()) // 3)


def test_the_home_and_the_form_may_be_said_before_the_verb(run: Run, home: Path, proposed: str) -> None:
    wanted = asked(run, home, "list")
    for words in (("queue", "--json", "--home", home), ("queue", "--json", "--home", home, "list")):
        assert json.loads(run(*words).stdout_bytes) == wanted
    assert json.loads(run("--home", home, "queue", "list", "--json").stdout_bytes) == wanted


def test_the_table_is_for_people(run: Run, home: Path, proposed: str) -> None:
    lines = run("queue", "--home", home).stdout.splitlines()
    assert lines[0].split() == ["id", "state", "tokens", "file", "destination", "first", "line"]
    assert lines[1].split()[:2] == [proposed, "proposed"]
    assert lines[1].index("data/learnings.md") == lines[0].index("file")
    assert lines[1].index(SKILL) == lines[0].index("destination")
    assert TIDES.startswith(lines[1].rpartition("  ")[2].rstrip("…")) and len(lines[1]) < 160
    assert "data/offload-proposals.md" in "\n".join(lines[2:])


def test_a_changed_entry_is_told_of_and_quoted_anew_when_asked(run: Run, home: Path, proposed: str) -> None:
    (home / "data/learnings.md").write_bytes(LEARNINGS.replace(b"three after", b"four after"))
    assert "The entry" in run("queue", "--home", home).stdout.splitlines()[2]
    assert asked(run, home, "list")[0]["quote"] == TIDES
    again = asked(run, home, "repropose", proposed)
    assert (again["id"], again["state"]) == (proposed, "proposed")
    assert again["quote"] == again["current"] == TIDES.replace("three after", "four after")


def test_an_entry_that_is_gone_has_no_prose_now(run: Run, home: Path, proposed: str) -> None:
    (home / "data/learnings.md").write_bytes(b"# Learnings\n\n- Something else altogether. <!--P-->\n")
    assert asked(run, home, "list")[0]["current"] is None
    assert "not there any more" in run("queue", "--home", home).stdout


def test_show_tells_what_would_be_written(run: Run, home: Path, proposed: str) -> None:
    shown = run("queue", "show", proposed, "--home", home)
    assert shown.exit_code == 0
    found = asked(run, home, "show", proposed)
    assert list(found)[: len(KEYS)] == KEYS
    assert found["skill"].startswith("---\n") and TIDES in found["skill"]
    assert found["exclude_line"] == "/.agents/skills/tide-gauge/"
    assert Path(home, found["exclude_file"]) == home / ".git/info/exclude"
    assert found["checks"] and {test["passes"] for test in found["checks"]} == {True}
    for line in (*found["skill"].splitlines(), found["exclude_line"]):
        assert f"    {line}".rstrip() in shown.stdout.splitlines()
    assert all(f"  yes  {test['why']}\n" in shown.stdout for test in found["checks"])


@pytest.mark.parametrize("verb", ["show", "reject", "defer", "migrate", "repropose"])
def test_a_proposal_that_is_not_there_is_named(
    run: Run, home: Path, seen: Seen, complained: Complained, verb: str
) -> None:
    before = seen(home)
    assert "p9" in complained(run("queue", verb, "p9", "--home", home))
    assert seen(home) == before


def test_nobody_is_asked_without_a_terminal(
    run: Run, home: Path, proposed: str, seen: Seen, complained: Complained
) -> None:
    before = seen(home)
    said = complained(run("queue", "approve", proposed, "--home", home, input=b"tide-gauge\n"))
    assert "no terminal" in said and "nothing is approved" in said
    assert seen(home) == before


@pytest.mark.parametrize("words", ["tide\r", "TIDE-GAUGE\r", "tide-gauge \r", "yes\r", "\r", "\x04", "p1\r"])
def test_other_words_approve_nothing(home: Path, proposed: str, words: str, seen: Seen) -> None:
    before = seen(home / "data")
    code, shown = typed(home, proposed, words)
    assert code == 1
    assert "nothing is approved" in shown
    assert seen(home / "data") == before


def test_the_name_typed_on_a_terminal_approves(run: Run, home: Path, proposed: str) -> None:
    code, shown = typed(home, proposed, "tide-gauge\r")
    assert code == 0
    assert TIDES[:60] in shown and "/.agents/skills/tide-gauge/" in shown
    (listed,) = asked(run, home, "list")
    assert listed["state"] == "approved"
    approval = listed["approval"]
    assert (approval["words"], approval["by"]) == ("tide-gauge", getpass.getuser())
    assert datetime.fromisoformat(approval["at"]).tzinfo is not None
    assert not (home / SKILL).exists(), "nothing moves by an approval"


def test_the_answer_alone_goes_to_standard_output(home: Path, proposed: str, tmp_path: Path) -> None:
    answer = tmp_path / "answer.json"
    shell = f"exec floppy-tui queue approve {proposed} --json --home {home} > {answer}"
    with Terminal("queue", columns=160, rows=60) as terminal:
        program = terminal.child.command
        terminal.child.close(force=True)
        assert program is not None
        again = shell.replace("floppy-tui", os.fsdecode(program), 1)
        terminal.child = pexpect.spawn("/bin/sh", ["-c", again], dimensions=(60, 160), timeout=20)
        terminal.until("anything else to leave it:")
        terminal.press("tide-gauge\r")
        assert terminal.ended() == 0
    assert json.loads(answer.read_bytes())["state"] == "approved"


def test_a_migration_shows_its_steps_and_the_entry_lives_elsewhere(
    run: Run, home: Path, proposed: str
) -> None:
    assert typed(home, proposed, "tide-gauge\r")[0] == 0
    done = asked(run, home, "migrate", proposed)
    assert (done["state"], done["id"]) == ("migrated", proposed)
    assert [step["number"] for step in done["steps"]] == sorted(step["number"] for step in done["steps"])
    assert all(list(step) == ["number", "title", "command", "result", "ok"] for step in done["steps"])
    assert all(step["ok"] for step in done["steps"])
    assert TIDES in (home / SKILL).read_text()
    assert (home / "data/learnings.md").read_bytes() == LEARNINGS.replace(TIDES_LINE, b"")
    assert done["relief"] == estimate(len(LEARNINGS)) - estimate(len(LEARNINGS) - len(TIDES_LINE))
    (listed,) = asked(run, home, "list")
    assert (listed["state"], listed["current"]) == ("migrated", None)


def test_a_person_sees_each_step_with_its_command(run: Run, home: Path, proposed: str) -> None:
    assert typed(home, proposed, "tide-gauge\r")[0] == 0
    result = run("queue", "migrate", proposed, "--home", home)
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0].startswith("1. ") and lines[0].endswith(": ok")
    assert any(line.startswith("   $ git ") and "check-ignore" in line for line in lines)
    assert "tokens freed" in lines[-1]


def test_what_is_not_approved_does_not_move(run: Run, home: Path, proposed: str, seen: Seen) -> None:
    before = seen(home)
    result = run("queue", "migrate", proposed, "--home", home)
    assert result.exit_code == 2 and result.stderr
    assert seen(home) == before


def test_a_failed_migration_leaves_nothing_behind(run: Run, home: Path, proposed: str, seen: Seen) -> None:
    assert typed(home, proposed, "tide-gauge\r")[0] == 0
    (home / ".agents/skills/Tide-Gauge").mkdir(parents=True)
    before = seen(home / ".agents") | seen(home / ".git/info")
    done = asked(run, home, "migrate", proposed, code=1)
    assert done["state"] == "failed" and done["why"]
    assert [step["ok"] for step in done["steps"]][-1] is False
    assert seen(home / ".agents") | seen(home / ".git/info") == before
    assert (home / "data/learnings.md").read_bytes() == LEARNINGS
    assert asked(run, home, "list")[0]["state"] == f"failed: {done['why']}"
    assert "failed" in run("queue", "--home", home).stdout


@pytest.mark.parametrize(("verb", "state"), [("reject", "rejected"), ("defer", "deferred")])
def test_the_captain_says_no_or_not_now(run: Run, home: Path, proposed: str, verb: str, state: str) -> None:
    result = run("queue", verb, proposed, "--home", home)
    assert (result.exit_code, result.stderr) == (0, "")
    assert state in result.stdout
    assert asked(run, home, "list")[0]["state"] == state
    assert run("queue", "migrate", proposed, "--home", home).exit_code == 2


def test_candidates_come_with_the_verdict_of_every_test(run: Run, home: Path) -> None:
    found = asked(run, home, "candidates")
    assert [c["tokens"] for c in found] == sorted((c["tokens"] for c in found), reverse=True)
    names = ["editable", "durable", "authority", "conditional", "fat", "destination", "unheld"]
    assert all([test["name"] for test in c["tests"]] == names for c in found)
    short = next(c for c in found if c["first_line"] == "Short and pinned.")
    assert not short["passes"]
    assert {"fat", "conditional"} <= {test["name"] for test in short["tests"] if not test["passes"]}
    (alone,) = asked(run, home, "candidates", short["entry"])
    assert alone == short
    shown = run("queue", "candidates", short["entry"], "--home", home).stdout
    assert "  NO   Not fat: " in shown


def test_an_unknown_entry_is_no_candidate(run: Run, home: Path, complained: Complained) -> None:
    assert "abcdef012345" in complained(run("queue", "candidates", "abcdef012345", "--home", home))
    result = run("queue", "propose", "abcdef012345", *MOVE, "--home", home)
    assert "abcdef012345" in complained(result)


def test_entry_text_drives_no_terminal(run: Run, home: Path) -> None:
    hostile = LEARNINGS.replace(b"by hand", b"by \x1b]52;c;eA==\x07hand \xe2\x80\xae")
    (home / "data/learnings.md").write_bytes(hostile)
    move = ("--trigger", "if the lock is \x1b[2Jopened", "--destination", "river-lock")
    said = asked(run, home, "propose", entry(run, home, "If the river"), *move)
    for words in (("list",), ("show", said["id"]), ("candidates",)):
        for form in ((), ("--json",)):
            shown = run("queue", *words, *form, "--home", home).stdout_bytes
            assert b"\x1b" not in shown and "\u202e".encode() not in shown


def test_an_approval_holds_for_what_was_shown_and_for_nothing_else(
    run: Run, home: Path, proposed: str
) -> None:
    arguments = ("queue", "approve", proposed, "--home", str(home))
    with Terminal(*arguments, columns=160, rows=60, FLOPPY_TODAY="2026-10-01") as terminal:
        terminal.until("anything else to leave it:")
        identity = entry(run, home, "When the tide")
        asked(run, home, "propose", identity, "--trigger", "when anything is read", *MOVE[2:])
        terminal.press("tide-gauge\r")
        assert terminal.ended() == 2
        assert "changed in the queue meanwhile" in terminal.raw.decode()
    (listed,) = asked(run, home, "list")
    assert (listed["state"], listed["approval"]) == ("proposed", None)


def test_what_cannot_be_approved_is_not_asked_for(run: Run, home: Path, proposed: str) -> None:
    (home / ".agents/skills/tide-gauge").mkdir(parents=True)
    arguments = ("queue", "approve", proposed, "--home", str(home))
    with Terminal(*arguments, columns=160, rows=60) as terminal:
        assert terminal.ended() == 2
        assert "Nothing is approved." in terminal.raw.decode()


@pytest.fixture
def upstream(home: Path, tmp_path: Path) -> Path:
    """A project's own repository, cloned into the home."""
    project = init(tmp_path / "upstream")
    (project / "AGENTS.md").write_bytes(b"# gauges\n")
    commit(project, "AGENTS.md")
    (home / "projects").mkdir()
    git(home, "clone", "-q", str(project), str(home / "projects/gauges"))
    return project


def test_a_project_is_asked_by_a_ship_task_and_waited_for(
    run: Run, home: Path, upstream: Path, backlog_tool: None
) -> None:
    identity = entry(run, home, "When the tide")
    move = ("--trigger", "when the tide gauge is calibrated", "--destination", "projects/gauges/AGENTS.md")
    proposal = asked(run, home, "propose", identity, *move, "--privacy", "public: everybody may know it")[
        "id"
    ]
    assert not (home / "data/offload-proposals.md").exists()
    assert "offload-proposals" in (home / "data/backlog.md").read_text()
    assert typed(home, proposal, "gauges\r")[0] == 0
    filed = asked(run, home, "migrate", proposal, code=3)
    assert filed["state"] == "waiting" and filed["task"] in filed["why"]
    assert f"{filed['task']} - " in (home / "data/backlog.md").read_text()
    assert asked(run, home, "list")[0]["state"] == f"approved: waiting for {filed['task']}"
    assert asked(run, home, "migrate", proposal, code=3)["task"] == filed["task"]
    assert (home / "data/learnings.md").read_bytes() == LEARNINGS

    (upstream / "AGENTS.md").write_text(f"# gauges\n\n{TIDES}\n")
    commit(upstream, "AGENTS.md")
    git(home / "projects/gauges", "fetch", "-q")
    result = run("queue", "migrate", proposal, "--home", home)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    assert (home / "data/learnings.md").read_bytes() == LEARNINGS.replace(TIDES_LINE, b"")
    assert asked(run, home, "list")[0]["state"] == "migrated"


def test_what_the_backlog_tool_says_is_said(
    run: Run, home: Path, backlog_tool: None, complained: Complained
) -> None:
    (home / "data/backlog.md").mkdir()
    assert "tasks-axi" in complained(run("queue", "--home", home))


def test_problems_of_the_text_are_told_beside_what_could_be_read(run: Run, home: Path, proposed: str) -> None:
    queue = home / "data/offload-proposals.md"
    text = queue.read_text()
    queue.write_text(f"{text}\nA note of the captain's.\n\n{text[text.index('## p1') :]}")
    result = run("queue", "list", "--json", "--home", home)
    assert result.exit_code == 0 and "twice" in result.stderr
    assert [p["id"] for p in json.loads(result.stdout_bytes)] == [proposed]
    queue.write_text(text.replace("> When the tide", "> When the ride"))
    assert run("queue", "show", proposed, "--home", home).exit_code == 0
