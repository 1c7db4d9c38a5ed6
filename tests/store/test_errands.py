"""What a pass has done outside the memory: in a real backlog, each errand by itself, none twice."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path

import pytest
from repositories import init, write

from floppy_tui.offload.proposal import State
from floppy_tui.store.errands import DECISION, run_errands
from floppy_tui.store.files import StoreError
from floppy_tui.store.home import Home, discover
from floppy_tui.store.proposals import FILE, ITEM, QueueStore
from floppy_tui.store.tasks import Tasks
from floppy_tui.tiers.decisions import Move, Record
from floppy_tui.tiers.errands import Decide, Decided, Done, Errand, Inscribe, Keep, Propose, Ship
from floppy_tui.tiers.relocating import Proposed

DAY = date(2026, 10, 1)
WORDS = "The quay floods at spring tide.\n- Twice a month (repo: x)"
MOVE = Move("when a pilot calls", ".agents/skills/pilots/SKILL.md", "Use when a pilot calls.", "private")
ONE = Proposed(
    "0a1b2c3d4e5f", "data/captain.md", "Answer on channel twelve", 80, MOVE, "Answer on channel\r twelve \n"
)
TWO = Proposed("1a1b2c3d4e5f", "data/captain-shared.md", "Be brief", 60, MOVE, "Be brief")
OVER = Decide(120, 800, "900", ("raise it", "trim it"), (("data/captain.md", "Answer (now)", 80),))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    root = init(tmp_path / "home")
    write(root, {".gitignore": "/data/\n/state/\n", "data/captain.md": "- Ask.\n", "state/keep": ""})
    write(root, {"config/startup-memory-budget": "900\n"})
    return discover(root, {}, root)


def run(home: Home, *errands: Errand) -> tuple[Done, ...]:
    tasks = Tasks.find(home, os.environ)
    return run_errands(home, tasks, QueueStore(home, tasks), errands, DAY)


def the_tool(home: Home) -> Tasks:
    tasks = Tasks.find(home, os.environ)
    assert tasks is not None
    return tasks


def body(home: Home, id: str) -> str:
    shown = the_tool(home).show(id)
    assert shown is not None
    return shown.body


def test_a_finding_becomes_one_ship_task_however_often_it_is_filed(home: Home, backlog_tool: None) -> None:
    first, second = run(home, Ship(WORDS, "berthplan"), Ship(WORDS.upper(), ""))
    assert first.ok and second.ok and first.id != second.id
    shown = the_tool(home).show(first.id)
    assert shown is not None and (shown.item.kind, shown.item.repo) == ("ship", "berthplan")
    assert "> The quay floods at spring tide.\n> - Twice a month (repo: x)" in shown.body
    (again,) = run(home, Ship(WORDS, "berthplan"))
    assert again.ok and again.id == first.id and len(the_tool(home).items()) == 2


def test_a_body_is_looked_at_and_replaced_only_where_nothing_goes(home: Home, backlog_tool: None) -> None:
    the_tool(home).add("gate-1", "Gate")
    (empty,) = run(home, Inscribe("It sticks.", "gate-1"))
    (same,) = run(home, Inscribe("It sticks.", "gate-1"))
    assert empty.ok and same.ok and body(home, "gate-1") == "It sticks."
    (other,) = run(home, Inscribe("It creaks.", "gate-1"))
    assert not other.ok and "considered replacement" in other.said and body(home, "gate-1") == "It sticks."
    (whole,) = run(home, Inscribe("It sticks.\nIt creaks.", "gate-1"))
    assert whole.ok and whole.former == "It sticks." and body(home, "gate-1") == "It sticks.\nIt creaks."
    (none,) = run(home, Inscribe("x", "none-1"))
    assert not none.ok and "knows no item none-1" in none.said


def test_records_are_filed_corrected_and_left(home: Home, backlog_tool: None) -> None:
    the_tool(home).add("gate-1", "Gate", body="old words")
    filed, fixed, left = run(
        home,
        Keep(Record("file", "", "Move the gate", "Why it moves", ("gate-1",))),
        Keep(Record("correct", "gate-1", "The gate", "new words")),
        Keep(Record("leave", "gate-1", judgment="whether it moves")),
    )
    assert filed.ok and fixed.ok and left.ok and fixed.former == "Gate\nold words"
    shown = the_tool(home).show(filed.id)
    assert shown is not None and shown.blocked_by == ("gate-1",) and shown.item.state == "queued"
    assert body(home, "gate-1") == "new words" and "whether it moves" in left.said
    (again,) = run(home, Keep(Record("file", "", "Move the gate", "Why it moves", ("gate-1",))))
    assert again.ok and again.id == filed.id and len(the_tool(home).items()) == 2
    (clash,) = run(home, Keep(Record("file", "gate-1", "Something else")))
    assert not clash.ok and "is there already" in clash.said


def test_the_captains_decision_is_one_held_item_refreshed_and_closed(home: Home, backlog_tool: None) -> None:
    (held,) = run(home, OVER)
    assert held.ok and held.id == DECISION
    later = Decide(40, 800, "900", OVER.options)
    run(home, later)
    shown = the_tool(home).show(DECISION)
    assert shown is not None and shown.hold_kind == "captain" and "40 estimated tokens" in shown.item.title
    assert "1. raise it\n2. trim it" in shown.body and "Answer" not in shown.body
    assert list(the_tool(home).items()) == [DECISION]
    (closed,) = run(home, Decided())
    assert closed.ok and the_tool(home).items()[DECISION].done and "Within budget" in body(home, DECISION)
    assert run(home, Decided()) == (Done(Decided(), True, ""),)
    run(home, OVER)
    item = the_tool(home).items()[DECISION]
    assert not item.done and item.held and len(the_tool(home).items()) == 1


def test_proposals_of_a_pass_go_into_the_one_held_item(home: Home, backlog_tool: None) -> None:
    done = run(home, Propose(ONE), Propose(TWO))
    assert [(d.ok, d.id) for d in done] == [(True, "p1"), (True, "p2")]
    shown = the_tool(home).show(ITEM)
    assert shown is not None and shown.item.held and shown.hold_kind == "captain"
    queue = QueueStore(home, the_tool(home)).read()
    first, second = queue.proposals
    assert first.quote == ONE.quote and first.move == MOVE and first.proposed == "2026-10-01"
    assert not first.warning and "every home" in second.warning and "> Be brief" in queue.text
    assert "x-axi" not in queue.text
    run(home, Propose(ONE))
    assert [p.id for p in QueueStore(home, the_tool(home)).read().proposals] == ["p1", "p2"]


def test_what_the_captain_said_stands_when_the_same_is_proposed_again(home: Home, backlog_tool: None) -> None:
    run(home, Propose(ONE))
    store = QueueStore(home, the_tool(home))
    from floppy_tui.offload.queue import put

    queue = store.read()
    store.write(queue, put(queue, queue.proposals[0].with_(state=State.DEFERRED, decided="2026-10-02")))
    run(home, Propose(ONE))
    assert store.read().proposals[0].state is State.DEFERRED


def test_the_queue_is_held_again_where_somebody_closed_or_freed_it(home: Home, backlog_tool: None) -> None:
    run(home, Propose(ONE))
    the_tool(home).done(ITEM)
    run(home, Propose(TWO))
    item = the_tool(home).items()[ITEM]
    assert not item.done and item.held


def test_who_wrote_meanwhile_wins_and_a_hand_edit_survives(home: Home, backlog_tool: None) -> None:
    run(home, Propose(ONE))
    store = QueueStore(home, the_tool(home))
    before = store.read()
    path = the_tool(home).backlog
    path.write_text(path.read_text().replace("  # Offload", "  My own note.\n\n  # Offload", 1))
    with pytest.raises(StoreError, match="meanwhile"):
        store.write(before, before)
    run(home, Propose(TWO))
    assert "My own note." in store.read().text and len(store.read().proposals) == 2


def test_without_the_tool_the_queue_is_a_file_and_the_rest_is_told(home: Home) -> None:
    proposed, shipped, decided = run(home, Propose(ONE), Ship(WORDS, "x"), Decided())
    assert proposed.ok and FILE in proposed.said and decided.ok
    assert not shipped.ok and "not on the PATH" in shipped.said
    text = (home.root / FILE).read_bytes().decode()
    assert "## p1" in text and (home.root / FILE).stat().st_mode & 0o777 == 0o600
    assert QueueStore(home, None).read().proposals[0].quote == ONE.quote


def test_what_the_file_held_is_in_the_item_once_the_tool_is_there(
    home: Home, backlog_tool: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_errands(home, None, QueueStore(home, None), [Propose(ONE)], DAY)
    kept = (home.root / FILE).read_bytes()
    run(home, Propose(TWO))
    store = QueueStore(home, the_tool(home))
    assert {p.quote for p in store.read().proposals} == {ONE.quote, TWO.quote}
    assert (home.root / FILE).read_bytes() == kept and FILE in store.notes[0]


def test_a_queue_that_git_would_publish_is_not_written(home: Home) -> None:
    write(home.root, {".gitignore": "/state/\n"})
    (done,) = run(home, Propose(ONE))
    assert not done.ok and "git does not ignore it" in done.said and not (home.root / FILE).exists()


def test_one_failure_ends_none_of_the_others(home: Home, backlog_tool: None) -> None:
    done = run(home, Keep(Record("file", "", "bad (repo: x)")), Ship(WORDS, "x"), OVER)
    assert [d.ok for d in done] == [False, True, True]
    assert "must not end with canonical task tags" in done[0].said
