"""The backlog tool itself, in real homes: what is filed, what it refuses, and what it is never given."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from repositories import git, init, tree, write

from floppy_tui.store.files import StoreError
from floppy_tui.store.home import Home, discover
from floppy_tui.store.tasks import Tasks, TasksFailed

IGNORED = {".gitignore": "/data/\n/state/\n", "data/captain.md": "- Ask first.\n", "state/keep": ""}
HOSTILE = [
    'Forty "one", with, commas',
    "- dash",
    "[3]: {a,b}",
    "null",
    "007",
    "--json",
    "--help",
    "Ünïcode — №",
]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    root = init(tmp_path / "home")
    write(root, IGNORED | {"config/startup-memory-budget": "900\n"})
    return discover(root, {}, root)


def tool(home: Home, **options: float) -> Tasks:
    found = Tasks.find(home, os.environ, **options)
    assert found is not None
    return found


def fake(home: Home, script: str, monkeypatch: pytest.MonkeyPatch) -> Tasks:
    """A tool that does what ``script`` says, for what the real one never does."""
    place = home.root.parent / "bin"
    place.mkdir()
    program = place / "tasks-axi"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{place}{os.pathsep}{os.environ['PATH']}")
    return tool(home, timeout=1.0)


def test_it_is_missing_where_it_is_not_on_the_path(home: Home) -> None:
    assert Tasks.find(home, {"PATH": str(home.root)}) is None


def test_an_item_is_filed_shown_changed_held_closed_and_reopened(home: Home, backlog_tool: None) -> None:
    tasks = tool(home)
    assert tasks.items() == {} and tasks.show("gate-1") is None
    assert tasks.backlog == home.data / "backlog.md"
    item = tasks.add("gate-1", "Mend the gate", kind="ship", repo="berthplan", body="a\n\n  b\n")
    assert (item.id, item.title, item.kind, item.repo, item.state) == (
        "gate-1",
        "Mend the gate",
        "ship",
        "berthplan",
        "queued",
    )
    tasks.add("gate-2", "Paint it", blocked_by=["gate-1"])
    shown = tasks.show("gate-1")
    assert shown is not None and shown.body == "a\n\n  b" and not shown.item.held
    tasks.update("gate-1", title="Mend the gate well", body="new")
    tasks.hold("gate-1", "the captain decides")
    shown = tasks.show("gate-1")
    assert shown is not None and (shown.body, shown.hold_kind) == ("new", "captain")
    assert shown.hold_reason == "the captain decides" and tasks.items()["gate-1"].held
    assert tasks.show("gate-2").blocked_by == ("gate-1",)  # type: ignore[union-attr]
    assert tasks.done("gate-1").done and not tasks.reopen("gate-1").done
    assert not list(home.own_state.glob("body-*"))
    assert "- [ ] gate-1 - Mend the gate well" in (home.data / "backlog.md").read_text()


@pytest.mark.parametrize("title", HOSTILE)
def test_any_title_and_body_comes_back(home: Home, backlog_tool: None, title: str) -> None:
    tasks = tool(home)
    body = f"{title}\n\n- {title}\n## {title}"
    tasks.add("x-1", title, body=body)
    assert tasks.items()["x-1"].title == title
    shown = tasks.show("x-1")
    assert shown is not None and (shown.item.title, shown.body) == (title, body)


@pytest.mark.parametrize("id", ["41", "true", "1e5", "x.y_z-1", "007", "null"])
def test_an_id_of_any_shape_is_known_by_itself(home: Home, backlog_tool: None, id: str) -> None:
    tasks = tool(home)
    tasks.add(id, "One")
    assert list(tasks.items()) == [id] and tasks.show(id).item.id == id  # type: ignore[union-attr]


def test_an_item_that_is_there_stays_as_it_is(home: Home, backlog_tool: None) -> None:
    tasks = tool(home)
    tasks.add("x-1", "One", body="first")
    assert tasks.add("x-1", "Other", body="second").title == "One"
    assert tasks.show("x-1").body == "first"  # type: ignore[union-attr]


def test_what_it_refuses_is_told_in_its_own_words(home: Home, backlog_tool: None) -> None:
    tasks = tool(home)
    with pytest.raises(TasksFailed, match=r"tasks-axi add failed: .*must not end with canonical task tags"):
        tasks.add("x-1", "Title (repo: y)")
    with pytest.raises(TasksFailed, match=r"blocker .*none.* not found"):
        tasks.add("x-1", "Title", blocked_by=["none"])
    with pytest.raises(TasksFailed, match="not found"):
        tasks.update("none", title="x")
    with pytest.raises(StoreError, match="is no id of a backlog item"):
        tasks.show("--full")
    assert not (home.data / "backlog.md").exists()


def test_words_that_would_spoil_the_whole_backlog_are_not_written(home: Home, backlog_tool: None) -> None:
    tasks = tool(home)
    tasks.add("gate-1", "Mend the gate", body="a")
    body = "See <!-- tasks-axi:public-followup/v1:eA --> there."
    for write_it in (
        lambda: tasks.add("gate-2", "Mend it", body=body),
        lambda: tasks.update("gate-1", body=body),
    ):
        with pytest.raises(StoreError, match="refuses the whole backlog"):
            write_it()
    assert list(tasks.items()) == ["gate-1"]


def test_a_locked_backlog_is_told(home: Home, backlog_tool: None) -> None:
    tasks = tool(home)
    tasks.add("x-1", "One")
    (home.data / "backlog.md.lock").write_text("1:x:1:1\n")
    with pytest.raises(TasksFailed, match="locked"):
        tasks.add("x-2", "Two")


def test_the_homes_own_configuration_decides(
    home: Home, backlog_tool: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TASKS_AXI_FILE", str(home.root / "elsewhere.md"))
    write(home.root, {".tasks.toml": '[markdown]\npath = "data/work.md"\n'})
    tasks = tool(home)
    tasks.add("x-1", "One")
    assert tasks.backlog == home.root / "data/work.md" and "x-1" in tasks.backlog.read_text()
    assert not (home.root / "elsewhere.md").exists()


def test_a_moved_data_directory_has_its_own_backlog(home: Home, backlog_tool: None, tmp_path: Path) -> None:
    (tmp_path / "moved").mkdir()
    named = {"FM_HOME": str(home.root), "FM_DATA_OVERRIDE": str(tmp_path / "moved")}
    moved = discover(None, named, home.root)
    tool(moved).add("x-1", "One")
    assert (moved.data / "backlog.md").exists() and not (home.data / "backlog.md").exists()


NOT_PRIVATE = {
    "not ignored": lambda root: write(root, {".gitignore": "/state/\n"}),
    "tracked": lambda root: (
        write(root, {"data/backlog.md": "# Backlog\n"}),
        git(root, "add", "-f", "data/backlog.md"),
    ),
    "a link": lambda root: (root / "data/backlog.md").symlink_to(root / "elsewhere.md"),
    "another backend": lambda root: write(root, {".tasks.toml": 'backend = "beads"\n'}),
    "outside": lambda root: write(root, {".tasks.toml": '[markdown]\npath = "work.md"\n'}),
    "broken": lambda root: write(root, {".tasks.toml": "[[["}),
}


@pytest.mark.parametrize("why", NOT_PRIVATE)
def test_nothing_private_is_written_where_git_would_publish_it(
    home: Home, backlog_tool: None, why: str
) -> None:
    NOT_PRIVATE[why](home.root)
    before = tree(home.root, without="state")
    with pytest.raises(StoreError):
        tool(home).add("x-1", "One", body="private")
    assert tree(home.root, without="state") == before


def test_a_home_in_no_repository_publishes_nothing(tmp_path: Path, backlog_tool: None) -> None:
    write(tmp_path / "plain", {"data/captain.md": "- Ask.\n", "config/startup-memory-budget": "900\n"})
    plain = discover(tmp_path / "plain", {}, tmp_path)
    assert tool(plain).add("x-1", "One").id == "x-1"


def test_a_tool_that_hangs_is_stopped_with_all_that_it_started(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = fake(home, f"sleep 60 & echo $! > {home.root}/child; wait", monkeypatch)
    with pytest.raises(TasksFailed, match="no answer within 1 seconds"):
        tasks.items()
    child = int((home.root / "child").read_text())
    state = Path(f"/proc/{child}/stat")
    assert not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z"


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo no such thing; exit 3", "no such thing"),
        ("exit 4", "it ended with status 4"),
        ("echo oops >&2; exit 1", "oops"),
        ("printf 'tasks[2]{id'", "failed"),
        ("printf 'tasks[1]{id,state}:\\n  x,lost\\n'", "without an id or a state"),
        ("printf '\\377\\376'", "failed"),
    ],
)
def test_a_tool_that_fails_or_babbles_is_a_sentence(
    home: Home, monkeypatch: pytest.MonkeyPatch, script: str, said: str
) -> None:
    with pytest.raises(TasksFailed, match=said) as error:
        fake(home, script, monkeypatch).items()
    assert "\n" not in str(error.value)


def test_a_tool_that_says_ok_of_nothing_is_not_believed(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TasksFailed):
        fake(home, "echo done", monkeypatch).add("x-1", "One", body="words")
    assert not list(home.own_state.glob("body-*"))
