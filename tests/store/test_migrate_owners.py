"""Migrations to owners that are there: a local note or skill at once, a project once the quote has landed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from moving_homes import (
    CAPTAIN,
    LINE,
    QUOTE,
    STANDING,
    TRIGGER,
    WITHOUT,
    Meddler,
    approve,
    failing,
    held,
    opened,
    propose,
    settle,
)
from repositories import commit, git, init, write

from floppy_tui.offload.proposal import State
from floppy_tui.store.files import StoreError
from floppy_tui.store.offloading import Offloading
from floppy_tui.store.to_project import NO_TOOL

NOTE = "data/notes/tides.md"
NOTED = "---\ntrigger: when tides matter\n---\n\n# Tides\n\n- High water comes twice a day."
SKILL = ".agents/skills/tides/SKILL.md"
SKILLED = "---\nname: tides\ndescription: Use when tides matter.\n---\n\nHigh water comes twice a day.\n"
AGENTS = "# tidefeed\n\n- A level is in centimetres.\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    home = settle(tmp_path.resolve() / "home")
    write(home, {NOTE: NOTED, SKILL: SKILLED})
    with (home / ".git/info/exclude").open("a") as file:
        file.write("\n/.agents/skills/tides/\n/projects/\n")
    return home


@pytest.mark.parametrize(("path", "text"), [(NOTE, NOTED), (SKILL, SKILLED)])
def test_a_local_owner_gets_the_quote_and_the_entry_leaves_at_once(root: Path, path: str, text: str) -> None:
    (root / path).chmod(0o640)
    offloading = opened(root)
    id = approve(offloading, path, "tides")
    before = held(root)
    done = offloading.migrate(id)
    assert done.state == "migrated", done.why
    end = "" if text.endswith("\n") else "\n"
    assert held(root) == before | {
        path: (0o100640, f"{text}{end}\n{QUOTE}\n".encode()),
        "data/captain.md": (before["data/captain.md"][0], WITHOUT.encode()),
    }
    assert [ran.number for ran in done.steps] == [1, 2, 3, 4, 5, 6, 7]
    assert all(ran.ok for ran in done.steps)
    assert LINE not in (root / ".git/info/exclude").read_text()


def test_a_note_that_holds_the_quote_is_left_as_it_is(root: Path) -> None:
    (root / NOTE).write_text(f"{NOTED}\n\n{QUOTE}\n")
    offloading = opened(root)
    id = approve(offloading, NOTE, "tides")
    before = held(root)
    done = offloading.migrate(id)
    assert done.state == "migrated", done.why
    assert held(root) == before | {"data/captain.md": (before["data/captain.md"][0], WITHOUT.encode())}


def test_a_note_that_may_take_nothing_any_more_fails(root: Path) -> None:
    offloading = opened(root)
    id = approve(offloading, NOTE, "tides")
    commit(root, NOTE)
    assert "tracked" in failing(offloading, id)[1]
    git(root, "rm", "-q", "--cached", NOTE)
    (root / ".gitignore").write_text("/state/\n/data/*.md\n")
    assert "not ignored" in failing(offloading, id)[1]
    (root / ".gitignore").write_text("/state/\n/data/\n")
    (root / NOTE).write_text(f"{NOTED}\n```\nnever closed\n")
    assert failing(offloading, id)[1]
    (root / NOTE).unlink()
    assert "not there" in failing(offloading, id)[1]


def test_a_note_that_others_write_to_meanwhile_keeps_their_words(root: Path) -> None:
    note = root / NOTE
    for step in (3, 4, 5):
        note.write_text(NOTED)
        offloading = opened(root)
        id = approve(offloading, NOTE, "tides")
        before = held(root)
        done = offloading.migrate(id, on_step=Meddler(step, lambda: note.write_text("theirs\n")))
        assert done.state == "failed"
        assert note.read_text() == "theirs\n"
        note.write_text(NOTED)
        assert held(root) == before


# -- projects


@pytest.fixture
def project(root: Path, tmp_path: Path) -> Path:
    """The project's own repository, of which the home has a clone."""
    upstream = init(tmp_path.resolve() / "upstream")
    write(upstream, {"AGENTS.md": AGENTS})
    commit(upstream, ".")
    (root / "projects").mkdir()
    git(root, "clone", "-q", str(upstream), str(root / "projects/tidefeed"))
    return upstream


def land(project: Path, root: Path, path: str, text: str) -> None:
    write(project, {path: text})
    commit(project, path)
    git(root / "projects/tidefeed", "fetch", "-q")


def with_tool(root: Path) -> Offloading:
    return opened(root, dict(os.environ))


def waiting(offloading: Offloading, path: str, words: str) -> tuple[str, str]:
    """Approve the move to a project's ``path`` and have its ship task filed; the ids of both."""
    id = approve(offloading, path, words, privacy="public: anybody may know")
    before = held(offloading.home.root)
    done = offloading.migrate(id)
    assert done.state == "waiting", done.why
    after = held(offloading.home.root)
    after.pop("data/backlog.md")
    before.pop("data/backlog.md", None)
    assert after == before
    assert done.proposal.note == f"waiting for {done.proposal.task}"
    return id, done.proposal.task


@pytest.mark.usefixtures("backlog_tool")
@pytest.mark.parametrize(
    ("path", "words"), [("AGENTS.md", "tidefeed"), (".agents/skills/gauges/SKILL.md", "gauges")]
)
def test_a_project_gets_a_ship_task_and_the_entry_stays_until_it_has_landed(
    root: Path, project: Path, path: str, words: str
) -> None:
    offloading = with_tool(root)
    id, task = waiting(offloading, f"projects/tidefeed/{path}", words)
    tasks = offloading.tasks
    assert tasks is not None
    shown = tasks.show(task)
    assert shown is not None
    assert (shown.item.kind, shown.item.repo, shown.item.state) == ("ship", "tidefeed", "queued")
    assert QUOTE in shown.body and f"Target: {path} " in shown.body
    assert offloading.as_json(offloading.queue().proposals[0])["state"] == f"approved: waiting for {task}"

    again = offloading.migrate(id)
    assert (again.state, again.proposal.task) == ("waiting", task)
    assert len(tasks.items()) == 2, "the queue and one task"

    tasks.done(task)
    stopped = offloading.migrate(id)
    assert stopped.state == "failed"
    assert "is done, but the quote is not on the default branch" in stopped.why
    assert (root / "data/captain.md").read_bytes() == CAPTAIN.encode()

    land(project, root, path, f"{AGENTS}\n{QUOTE}\n")
    assert "default branch" in offloading.queue().proposals[0].note
    done = offloading.migrate(id)
    assert done.state == "migrated", done.why
    assert (root / "data/captain.md").read_bytes() == WITHOUT.encode()
    assert any(f"show origin/main:{path}" in ran.command for ran in done.steps)
    assert offloading.queue().proposals[0].state is State.MIGRATED
    assert done.relief


@pytest.mark.usefixtures("backlog_tool")
def test_a_task_that_the_queue_could_not_be_told_of_is_found_again(
    root: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offloading = with_tool(root)
    id = approve(offloading, "projects/tidefeed/AGENTS.md", "tidefeed", privacy="public")

    def full(*_: object) -> None:
        raise StoreError("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(type(offloading.queue_store), "write", full)
        assert "The disk is full." in offloading.migrate(id).why
    assert offloading.migrate(id).state == "waiting"
    assert offloading.tasks is not None
    assert len(offloading.tasks.items()) == 2


def test_what_keeps_an_entry_from_a_project(root: Path, project: Path) -> None:
    offloading = opened(root)
    target = "projects/tidefeed/AGENTS.md"
    with pytest.raises(StoreError, match="private"):
        propose(offloading, target)
    with pytest.raises(StoreError):
        propose(offloading, "projects/absent/AGENTS.md", privacy="public")
    id = approve(offloading, target, "tidefeed", privacy="public")
    assert failing(offloading, id)[1] == NO_TOOL
    land(project, root, "AGENTS.md", f"{AGENTS}- {STANDING}\n")
    assert failing(offloading, id)[1] == NO_TOOL, "a bullet before it makes it another line"
    (root / "projects/tidefeed/.git").rename(root / "projects/tidefeed/git")
    assert failing(offloading, id)[1]
    (root / "projects/tidefeed/git").rename(root / "projects/tidefeed/.git")
    land(project, root, "AGENTS.md", f"{AGENTS}\n{QUOTE}\n")
    done = offloading.migrate(id)
    assert done.state == "migrated", "no task is needed where the project holds it already"
    assert done.proposal.move.trigger == TRIGGER
