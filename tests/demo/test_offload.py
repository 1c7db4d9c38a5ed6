"""The sample home has something to move, places to move it to, and a queue that the captain has looked at."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner
from sample_homes import DAYS, snapshot_of

from floppy_tui.cli.main import main
from floppy_tui.demo import build, files
from floppy_tui.demo.home import BACKLOG
from floppy_tui.demo.places import NOTE, PROJECT, SKILL
from floppy_tui.offload.proposal import State
from floppy_tui.offload.queue import read_queue
from floppy_tui.store.live import Store
from floppy_tui.tiers.cards import ACCEPTABLE
from floppy_tui.tiers.conditions import find_condition
from floppy_tui.tiers.decisions import Do, Verdict
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tiers.stow import accept, plan


def looked_over(tmp_path: Path, today: date) -> Snapshot:
    """The sample home with its places, its proposals and its records."""
    home = build(tmp_path / "home", today)
    store = Store.open(home, cwd=home, today=lambda: today)
    return store.look_over(store.read())


@pytest.mark.parametrize("day", DAYS, ids=str)
def test_the_queue_quotes_entries_that_are_there_to_the_byte(day: date) -> None:
    found = files(day, tool=False)
    queue = read_queue(found["data/offload-proposals.md"].decode())
    entries = snapshot_of(found, day).by_id
    assert queue.problems == ()
    assert [p.state for p in queue.proposals] == [State.REJECTED, State.DEFERRED, State.PROPOSED]
    for proposal in queue.proposals:
        entry = entries[proposal.entry]
        assert not proposal.problem and proposal.quote == entry.prose
        assert (proposal.file, proposal.tokens) == (entry.file, entry.tokens)
        assert entry.pinned and proposal.tokens >= 50


def test_the_backlog_is_as_the_tool_writes_it(tmp_path: Path, today: date, backlog_tool: None) -> None:
    home = build(tmp_path / "home", today)
    assert not (home / "data/offload-proposals.md").exists()
    assert (home / BACKLOG).read_bytes() == files(today)[BACKLOG]
    words = ["tasks-axi", "render", "--file", BACKLOG]
    subprocess.run(words, cwd=home, check=True, capture_output=True, timeout=60)
    assert (home / BACKLOG).read_bytes() == files(today)[BACKLOG]


@pytest.mark.parametrize("tool", [True, False])
def test_the_queue_is_the_same_with_the_tool_and_without_it(
    tmp_path: Path, today: date, tool: bool, request: pytest.FixtureRequest
) -> None:
    if tool:
        request.getfixturevalue("backlog_tool")
    home = build(tmp_path / "home", today)
    result = CliRunner().invoke(main, ["queue", "list", "--json", "--home", str(home)])
    assert (result.exit_code, result.stderr) == (0, "")
    listed = json.loads(result.stdout_bytes)
    assert [p["state"] for p in listed] == ["rejected", "deferred", "proposed"]
    assert all(p["quote"] == p["current"] for p in listed)


def test_places_of_every_kind_are_there_and_some_are_refused(tmp_path: Path, today: date) -> None:
    scope = looked_over(tmp_path, today).scope
    assert scope is not None
    allowed = {place.path: place.live for place in scope.places if not place.refused}
    assert allowed == {NOTE: True, SKILL: True, f"{PROJECT}/AGENTS.md": False}
    refused = {place.path: place.refused for place in scope.places if place.refused}
    assert "trigger" in refused["data/notes/ferry.md"]
    assert "tracked" in refused[".agents/skills/handover/SKILL.md"]
    assert scope.place("installer-signing").refused == ""


def test_a_pass_offers_to_move_some_entries_and_to_propose_others(tmp_path: Path, today: date) -> None:
    home = looked_over(tmp_path, today)
    planned = plan(home)
    kinds = Counter(card.kind for card in planned.cards)
    assert (kinds["offload"], kinds["relocate"]) == (5, 2)
    offers = [card.offers[0] for card in planned.cards if card.kind == "offload"]
    assert {o.decision.move.destination for o in offers if o.decision.move} == {NOTE, SKILL}
    moved = [o.decision for o in offers]
    settled = accept(home, moved, ACCEPTABLE)
    after = plan(home, settled)
    assert after.refused == () and after.within_budget
    assert Do.EVICT not in {decision.do for decision in settled}, "what moves is not evicted"


def test_the_backlog_and_the_releases_tell_of_conditions(
    tmp_path: Path, today: date, backlog_tool: None
) -> None:
    home = looked_over(tmp_path, today)
    said = {}
    for entry in home.entries:
        if entry.tier is Tier.PERISHABLE and (found := find_condition(entry.prose, today, home.records)):
            said[found.text] = (found.verdict, found.note)
    assert said["tidefeed-alert-routing-r3"][0] is Verdict.RESOLVED
    assert said["4.2"] == (Verdict.OPEN, "The newest release of tidefeed is v4.1.0.")
    assert {"412", "gangway.reader_pairing", "price-freeze"} <= set(home.records.items)
