"""The captain's acts on the queue: proposed, approved in words, put off, said otherwise, and shown."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from moving_homes import (
    CAPTAIN,
    EXCLUDE,
    LINE,
    NOW,
    QUEUE,
    QUOTE,
    SKILL,
    TRIGGER,
    WITHOUT,
    approve,
    held,
    opened,
    propose,
    settle,
)
from repositories import commit, git, init, write

from floppy_tui.offload.proposal import Approval, Proposal, State
from floppy_tui.store.files import StoreError
from floppy_tui.store.live import Store
from floppy_tui.store.offloading import Offloading
from floppy_tui.tiers.decisions import Move
from floppy_tui.tiers.scope import PlaceKind

OTHER = QUOTE.replace("ten minutes", "two minutes")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return settle(tmp_path.resolve() / "home")


def only(offloading: Offloading) -> Proposal:
    (proposal,) = offloading.queue().proposals
    return proposal


def reword(root: Path, old: str, new: str) -> None:
    path = root / "data/captain.md"
    path.write_bytes(path.read_bytes().replace(old.encode(), new.encode()))


def test_a_proposal_moves_nothing_and_is_refreshed_rather_than_doubled(root: Path) -> None:
    offloading = opened(root)
    before = held(root)
    made = propose(offloading)
    assert held(root) == before
    assert only(offloading) == made
    assert (made.id, made.state, made.quote, made.proposed) == ("p1", State.PROPOSED, QUOTE, "2026-10-01")
    assert made.move == Move(TRIGGER, SKILL, "", made.move.privacy)
    assert made.move.privacy.startswith("Private")
    again = propose(offloading, "gauges")
    assert only(offloading) == again
    assert (again.id, again.move.destination) == ("p1", ".agents/skills/gauges/SKILL.md")
    assert offloading.where == QUEUE
    assert offloading.notes == (f"tasks-axi is not on the PATH, so the queue is {QUEUE}.",)


def test_what_fails_a_test_is_not_proposed_and_says_why(root: Path) -> None:
    offloading = opened(root)
    entries = offloading.store.read().entries
    with pytest.raises(StoreError, match="not worth moving"):
        offloading.propose(entries[0].id, Move(TRIGGER, "push"))
    with pytest.raises(StoreError, match=r"AGENTS\.md of the home"):
        propose(offloading, "AGENTS.md")
    with pytest.raises(StoreError, match="There is no entry 000000000000"):
        offloading.propose("000000000000", Move(TRIGGER, "tides"))
    assert offloading.queue().proposals == ()
    assert not (root / QUEUE).exists()


def test_an_approval_is_the_name_of_the_destination_and_says_who_and_when(root: Path) -> None:
    offloading = opened(root)
    made = propose(offloading)
    for words in ("", "yes", "tide gauges", "TIDE-GAUGES", SKILL, "tide-gauges and more"):
        with pytest.raises(StoreError, match="nothing is approved"):
            offloading.approve(made.id, words, "captain")
    assert only(offloading).state is State.PROPOSED
    approved = offloading.approve(made.id, " tide-gauges ", "ada")
    assert only(offloading) == approved
    assert approved.approval == Approval("tide-gauges", "ada", NOW.isoformat(timespec="seconds"), made.seal)
    assert (approved.state, approved.decided) == (State.APPROVED, "2026-10-01")
    assert approved.approved


def test_an_approval_is_refused_where_it_would_be_for_something_else(root: Path) -> None:
    offloading = opened(root)
    made = propose(offloading)
    (root / ".agents/skills/tide-gauges").mkdir(parents=True)
    with pytest.raises(StoreError, match="taken"):
        offloading.approve(made.id, "tide-gauges", "captain")
    (root / ".agents/skills/tide-gauges").rmdir()
    reword(root, "ten minutes", "two minutes")
    with pytest.raises(StoreError, match="propose it again"):
        offloading.approve(made.id, "tide-gauges", "captain")
    assert only(offloading).state is State.PROPOSED


def test_what_is_put_off_or_said_otherwise_is_not_approved_any_more(root: Path) -> None:
    offloading = opened(root)
    for act, state in ((offloading.reject, State.REJECTED), (offloading.defer, State.DEFERRED)):
        id = approve(offloading)
        assert act(id) == only(offloading)
        assert (only(offloading).state, only(offloading).approval) == (state, None)
        assert offloading.migrate(id).state == "unusable"
        if state is State.REJECTED:
            (root / QUEUE).unlink()
    id = approve(offloading)
    same = offloading.edit(id, trigger=TRIGGER)
    assert same.approved
    edited = offloading.edit(id, description="Use when\ngauges are read.", destination="gauges")
    assert edited == only(offloading)
    assert (edited.state, edited.approval) == (State.PROPOSED, None)
    assert edited.move.description == "Use when gauges are read."
    assert edited.move.destination == ".agents/skills/gauges/SKILL.md"
    with pytest.raises(StoreError, match="docs/"):
        offloading.edit(id, destination="docs/tides.md")


def test_an_entry_that_was_reworded_is_shown_and_can_be_quoted_anew(root: Path) -> None:
    offloading = opened(root)
    id = approve(offloading)
    assert offloading.repropose(id).approved, "nothing changed, so the approval stands"
    reword(root, "ten minutes", "two minutes")
    shown = offloading.as_json(only(offloading))
    assert (shown["quote"], shown["current"]) == (QUOTE, OTHER)
    assert offloading.preview(id).current == OTHER
    again = offloading.repropose(id)
    assert only(offloading) == again
    assert (again.quote, again.state, again.approval) == (OTHER, State.PROPOSED, None)
    (root / "data/captain.md").write_bytes(WITHOUT.encode())
    assert offloading.as_json(only(offloading))["current"] is None
    with pytest.raises(StoreError, match="cannot be quoted anew"):
        offloading.repropose(id)


def test_a_migrated_proposal_changes_no_more(root: Path) -> None:
    offloading = opened(root)
    id = approve(offloading)
    assert offloading.migrate(id).state == "migrated"
    for act in (offloading.reject, offloading.defer, offloading.repropose):
        with pytest.raises(StoreError, match="migrated already"):
            act(id)
    with pytest.raises(StoreError, match="migrated already"):
        offloading.approve(id, "tide-gauges", "captain")


def test_the_preview_is_what_is_written(root: Path) -> None:
    offloading = opened(root)
    id = approve(offloading)
    before = held(root)
    preview = offloading.preview(id)
    assert held(root) == before
    assert (preview.place.kind, preview.place.name) == (PlaceKind.NEW_SKILL, "tide-gauges")
    assert (preview.exclude_file, preview.exclude_line) == (str(root / ".git/info/exclude"), LINE)
    assert [test.name for test in preview.checks][-3:] == ["index", "disk", "exclude"]
    assert all(test.passes for test in preview.checks)
    assert preview.notes == ()
    offloading.migrate(id)
    assert (root / SKILL).read_text() == preview.skill_text
    assert (root / ".git/info/exclude").read_text() == f"{EXCLUDE}\n{preview.exclude_line}\n"


def test_the_checks_of_the_preview_say_what_stands_in_the_way(root: Path, tmp_path: Path) -> None:
    offloading = opened(root)
    id = approve(offloading)
    write(root, {".agents/skills/Tide-gauges/SKILL.md": "x"})
    commit(root, ".agents")
    (root / ".git/info/exclude").rename(tmp_path / "exclude")
    (root / ".git/info/exclude").symlink_to(tmp_path / "exclude")
    checks = {test.name: test for test in offloading.preview(id).checks}
    assert not any(checks[name].passes for name in ("destination", "index", "disk", "exclude"))
    assert "Tide-gauges" in checks["index"].why and "Tide-gauges" in checks["disk"].why
    assert "symbolic link" in checks["exclude"].why


def test_the_documented_keys(root: Path) -> None:
    offloading = opened(root)
    id = approve(offloading)
    shown = offloading.as_json(only(offloading))
    assert shown == {
        "id": id,
        "entry": only(offloading).entry,
        "file": "data/captain.md",
        "first_line": QUOTE.split("\n")[0],
        "tokens": only(offloading).tokens,
        "trigger": TRIGGER,
        "destination": SKILL,
        "description": "",
        "privacy": only(offloading).move.privacy,
        "shared_warning": None,
        "state": "approved",
        "approval": {"words": "tide-gauges", "by": "captain", "at": NOW.isoformat(timespec="seconds")},
        "quote": QUOTE,
        "current": QUOTE,
    }


def test_an_entry_of_the_shared_file_warns_of_every_home(root: Path) -> None:
    (root / "data/captain.md").rename(root / "data/captain-shared.md")
    offloading = opened(root)
    made = propose(offloading)
    assert "every home" in made.warning
    assert made.warning in offloading.preview(made.id).notes
    assert offloading.as_json(made)["shared_warning"] == made.warning


def test_candidates_show_every_test_largest_first(root: Path) -> None:
    found = opened(root).candidates()
    assert [candidate.entry.tokens for candidate in found] == sorted(
        (candidate.entry.tokens for candidate in found), reverse=True
    )
    assert len(found) == len(opened(root).store.read().entries)
    assert found[0].entry.prose == QUOTE
    assert all(len(candidate.tests) == 7 for candidate in found)


def test_a_home_is_looked_over_for_places_proposals_and_records(root: Path, tmp_path: Path) -> None:
    project = init(root / "projects/tidefeed")
    write(project, {"AGENTS.md": "# tidefeed\n"})
    commit(project, "AGENTS.md")
    git(project, "tag", "v1.2")
    approve(opened(root))
    store = opened(root).store
    before = store.read()
    seen = store.look_over(before)
    assert seen == before, "what was read of the memory is the same"
    assert seen.scope is not None
    assert seen.scope.pending == {only(opened(root)).entry}
    assert [place.path for place in seen.scope.places] == ["projects/tidefeed/AGENTS.md"]
    assert seen.records.releases == {"tidefeed": "v1.2"}
    assert seen.records.items == {}
    assert seen.records.note == "tasks-axi is not on the PATH, so no backlog id can be looked up."


@pytest.mark.usefixtures("backlog_tool")
def test_with_the_tool_the_queue_is_an_item_that_the_captain_holds(root: Path) -> None:
    offloading = opened(root, dict(os.environ))
    id = approve(offloading)
    tasks = offloading.tasks
    assert tasks is not None
    tasks.add("gate-1", "Mend the gate")
    records = offloading.store.look_over(offloading.store.read()).records
    assert records.note == ""
    assert {name: item.held for name, item in records.items.items()} == {
        "offload-proposals": True,
        "gate-1": False,
    }
    done = offloading.migrate(id)
    assert done.state == "migrated", done.why
    assert only(offloading).state is State.MIGRATED
    assert (root / "data/captain.md").read_bytes() == WITHOUT.encode()
    shown = tasks.show("offload-proposals")
    assert shown is not None and shown.hold_kind == "captain" and "state: migrated" in shown.body
    assert not (root / QUEUE).exists()
    assert git(root, "status", "--porcelain", "--untracked-files=all") == ""


def test_a_home_is_opened_without_git_or_the_rules_of_offload(root: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from floppy_tui.store.live import Store\n"
        f"Store.open(Path({str(root)!r}), env={{}}).read()\n"
        "print([name for name in sys.modules if name == 'git' or name.startswith('floppy_tui.offload')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "[]\n"
    assert CAPTAIN.encode() == (root / "data/captain.md").read_bytes()
    assert isinstance(opened(root).store, Store)
