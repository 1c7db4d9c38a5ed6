"""The Offload view as a captain uses it, over homes in real repositories: keys in, files out."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from moving_homes import (
    LINE,
    QUEUE,
    QUOTE,
    SKILL,
    TRIGGER,
    approve,
    held,
    lay,
    migrated,
    opened,
    propose,
    settle,
)
from repositories import commit, git, init, write
from textual.widgets import Input
from view_pilot import Reader, reading

from floppy_tui.offload.proposal import Proposal, State
from floppy_tui.offload.queue import read_queue
from floppy_tui.store.live import Store
from floppy_tui.tiers.decisions import Move
from floppy_tui.tui.filters.offload import parse
from floppy_tui.tui.offload_rows import MARKS, OffloadRow
from floppy_tui.tui.screens.offload import OffloadView
from floppy_tui.tui.screens.offload_approve import ApproveScreen
from floppy_tui.tui.screens.offload_form import MoveScreen
from floppy_tui.tui.screens.offload_migrate import MigrateScreen
from floppy_tui.tui.widgets.detail import Detail

WIDE = (160, 50)
NAME = "tide-gauges"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return settle(tmp_path / "home")


@pytest.fixture
def proposed(home: Path) -> str:
    """The id of the proposal to move what is known of the tide gauges."""
    return propose(opened(home)).id


@pytest.fixture
def approved(home: Path) -> str:
    """The id of that proposal, approved."""
    return approve(opened(home))


def queued(home: Path) -> Proposal:
    """The one proposal that the queue's file holds."""
    (found,) = read_queue((home / QUEUE).read_text()).proposals
    return found


def words_of(text: str) -> str:
    """``text`` without white space: however its lines were broken."""
    return "".join(text.split())


def says(reader: Reader, said: str) -> bool:
    """Whether the screen, or a pane on it (as far as it can be scrolled), shows ``said``."""
    panes = ("\n".join(line.plain for line in pane._lines) for pane in reader.app.screen.query(Detail))
    return any(words_of(said) in words_of(text) for text in (reader.text(), *panes))


async def sees(reader: Reader, *words: str) -> None:
    """Wait until each of ``words`` is shown."""
    for said in words:
        await reader.until(partial(says, reader, said))


async def shown(reader: Reader) -> OffloadView:
    """The Offload view, once the queue was looked at."""
    await reader.press("3")
    view = reader.view
    assert isinstance(view, OffloadView)
    await reader.until(lambda: view.look is not None and not view.looking)
    return view


def listed(reader: Reader) -> list[OffloadRow]:
    """The rows of the table."""
    source: Any = reader.rows.source
    return [source.row(source.key(n)) for n in range(len(source)) if source.key(n)]


async def confirmed(reader: Reader, *keys: str, words: str = "") -> None:
    """Press ``keys``, type ``words`` into the dialog that opens, and confirm."""
    await reader.press(*keys)
    await reader.type(words)
    await reader.press("enter")
    await reader.settle()


# What is shown.


async def test_an_empty_queue_says_why_and_what_would_fill_it(home: Path, today: date) -> None:
    async with reading(home, today, WIDE) as reader:
        await shown(reader)
        for words in (
            "tasks-axi is not on the PATH, so the queue is data/offload-proposals.md.",
            "Nothing is proposed: p proposes the candidate under the cursor",
            "0 proposals, 4 candidates (1 pass every test)",
        ):
            assert words in reader.text()
    assert not (home / QUEUE).exists()


async def test_candidates_stand_largest_first_with_every_test(home: Path, today: date) -> None:
    async with reading(home, today, WIDE) as reader:
        await shown(reader)
        assert reader.under_cursor() == QUOTE
        sizes = [row.tokens for row in listed(reader)]
        assert sizes == sorted(sizes, reverse=True) and len(sizes) == 4
        for test in (
            "Editable",
            "Durable",
            "Authority",
            "Conditional",
            "Fat",
            "Destination",
            "Not held elsewhere",
        ):
            assert says(reader, f"✓ {test}: ")
        await reader.press("G")
        assert says(reader, "✗ Not fat: ")


async def test_destinations_are_listed_with_the_reason_of_each_refused_one(home: Path, today: date) -> None:
    note = home / "data/notes/gauges.md"
    note.parent.mkdir()
    note.write_text("---\ndescription: Use when a gauge is read.\n---\n\n# Gauges\n")
    (home / "data/notes/plain.md").write_text("# Nothing says when\n")
    async with reading(home, today, WIDE) as reader:
        await shown(reader)
        assert says(reader, "✓ data/notes/gauges.md  a local note that is there")
        assert says(reader, "✗ data/notes/plain.md has no established trigger")


async def test_an_empty_memory_says_what_a_candidate_is(tmp_path: Path, today: date) -> None:
    home = settle(tmp_path / "home")
    for name in ("captain", "learnings"):
        (home / f"data/{name}.md").write_text("")
    async with reading(home, today) as reader:
        await shown(reader)
        await sees(reader, "There is no proposal, and no entry in the memory that could become one.")
        await reader.press("p")
        assert reader.said[-1] == "There is no row under the cursor."


async def test_the_detail_shows_all_that_is_decided_on(home: Path, approved: str, today: date) -> None:
    async with reading(home, today, WIDE) as reader:
        await shown(reader)
        await sees(
            reader,
            f"✓ approved {approved}",
            f"to {SKILL} (a new local skill)",
            f"trigger {TRIGGER}",
            "privacy Private: it stays in this home",
            "approval “tide-gauges” typed by captain at 2026-10-01T12:00:00+00:00",
            "The quote; the entry is unchanged in data/captain.md:4",
            "✓ Conditional:",
            f"To be written: {SKILL}",
            f"name: {NAME}",
            f"line {LINE}",
            "info/exclude",
        )


async def test_a_linked_worktree_says_whose_exclude_file_it_is(tmp_path: Path, today: date) -> None:
    main = settle(tmp_path / "main")
    linked = tmp_path / "linked"
    git(main, "worktree", "add", "-q", str(linked))
    propose(opened(lay(linked)))
    async with reading(linked, today, WIDE) as reader:
        await shown(reader)
        await sees(reader, "To be excluded from git", "worktree")
        assert says(reader, f"in {main}/.git/info/exclude")


async def test_a_damaged_quote_is_said_and_approves_nothing(home: Path, proposed: str, today: date) -> None:
    text = (home / QUEUE).read_text()
    (home / QUEUE).write_text(text.replace("sha256: ", "sha256: 00"))
    async with reading(home, today, WIDE) as reader:
        await shown(reader)
        await sees(reader, "damaged")
        problem = queued(home).problem
        assert problem and says(reader, problem)
        await reader.press("a")
        assert reader.said[-1] == f"{problem} R quotes it again."
        await confirmed(reader, "R")
        await sees(reader, "? proposed")
    assert not queued(home).problem and queued(home).quote == QUOTE


async def test_a_queue_that_cannot_be_read_is_said_in_the_view(
    home: Path, proposed: str, today: date
) -> None:
    (home / QUEUE).rename(home / "data/elsewhere.md")
    (home / QUEUE).symlink_to("elsewhere.md")
    async with reading(home, today, WIDE) as reader:
        await shown(reader)
        await sees(reader, "Could not be read (1)", "! error", "symbolic link", "Put it right and press r")
        assert "the queue could not be read, 4 candidates" in reader.text()
        await reader.press("a")
        assert reader.said[-1] == "This row says what could not be read; nothing can be done to it."
        await reader.press("j", "p")
        assert reader.said[-1] == "The queue could not be read, so nothing can be added to it."
        (home / QUEUE).unlink()
        (home / "data/elsewhere.md").rename(home / QUEUE)
        await reader.press("r")
        await sees(reader, "Proposals (1)")


def with_tool(home: Path, tmp_path: Path, today: date, script: str) -> Store:
    """The store of the home on a machine whose backlog tool is ``script``."""
    tool = tmp_path / "bin/tasks-axi"
    tool.parent.mkdir()
    tool.write_text(f"#!/bin/sh\n{script}\n")
    tool.chmod(0o755)
    env = {"PATH": f"{tool.parent}{os.pathsep}{os.environ['PATH']}"}
    return Store.open(home, env=env, cwd=home, today=lambda: today)


async def test_the_tool_is_quoted_where_it_fails(home: Path, tmp_path: Path, today: date) -> None:
    says_so = "echo 'error: backlog.md:7: what is [/foo]?' >&2; exit 3"
    store = with_tool(home, tmp_path, today, says_so)
    async with reading(home, today, WIDE, store=store) as reader:
        await shown(reader)
        await sees(reader, "! error", "backlog.md:7: what is [/foo]?", "the queue is the backlog item")
        assert reader.said == []


# Proposing.


async def test_a_candidate_is_proposed_and_nothing_moves(home: Path, today: date) -> None:
    before = held(home)
    async with reading(home, today, WIDE) as reader:
        await shown(reader)
        await reader.press("p")
        form = reader.app.screen
        assert isinstance(form, MoveScreen)
        move = form.move
        assert move.trigger and move.privacy == "private"
        await sees(reader, "✓ Conditional:", "Destinations that are there")
        await confirmed(reader)
        await sees(reader, "Proposals (1)", "? proposed", "1 proposal (1 to decide), 3 candidates")
        assert reader.rows.key == "p:p1" and reader.under_cursor() == QUOTE
        assert reader.said[-1] == "Proposed as p1; it waits for your approval (a), and nothing moves before."
    made = queued(home)
    assert (made.state, made.quote, made.move) == (State.PROPOSED, QUOTE, move)
    assert held(home) == before


async def test_the_form_judges_as_one_types_and_the_store_has_the_last_word(home: Path, today: date) -> None:
    (home / ".agents/skills/taken").mkdir(parents=True)
    async with reading(home, today, WIDE) as reader:
        await shown(reader)
        await reader.press("p")
        form: Any = reader.app.screen
        form.query_one("#destination", Input).value = "taken"
        await sees(reader, "✗ ", "a directory is there")
        await reader.press("enter")
        await sees(reader, "a directory is there")
        assert reader.app.screen is form
        form.query_one("#destination", Input).value = "docs/tides.md"
        await sees(reader, "reads docs/ on its own")
        form.query_one("#destination", Input).value = NAME
        await sees(reader, f"✓ Destination: {SKILL}")
        await reader.press("escape")
        assert len(reader.app.screen_stack) == 1
    assert not (home / QUEUE).exists()


async def test_what_is_in_the_queue_is_no_candidate(home: Path, proposed: str, today: date) -> None:
    async with reading(home, today) as reader:
        await shown(reader)
        assert listed(reader)[0].candidate is None and len(listed(reader)) == 4
        await reader.press("p")
        assert reader.said[-1].startswith("It is in the queue already")
        await reader.press("j", "a")
        assert reader.said[-1] == "This is a candidate and not in the queue; p proposes it."


# Deciding.


async def test_approval_is_typed_and_kept_in_words(home: Path, proposed: str, today: date) -> None:
    before = held(home)
    async with reading(home, today, WIDE) as reader:
        await shown(reader)
        await reader.press("a")
        dialog = reader.app.screen
        assert isinstance(dialog, ApproveScreen) and dialog.query_one(Input).value == ""
        await sees(
            reader,
            f"1 {SKILL} is made, with the quote as its body and this description: {TRIGGER}",
            f"2 {LINE} is added to",
            "3 The entry leaves data/captain.md; from then on it is read in the skill only.",
            f"To approve exactly this, type {NAME} and press enter.",
        )
        await confirmed(reader)
        await sees(reader, f"Nothing is approved until you type {NAME}.")
        await confirmed(reader, words="yes")
        await sees(reader, f"Nothing was approved: expected “{NAME}”, not “yes”.")
        assert queued(home).state is State.PROPOSED and queued(home).approval is None
        await confirmed(reader, "backspace", "backspace", "backspace", words=NAME)
        await sees(reader, "✓ approved")
        assert reader.said[-1] == "Approved p1 in words. Nothing has moved yet: m migrates it."
    made = queued(home)
    assert made.approved and made.approval is not None
    assert (made.approval.words, made.approval.by) == (NAME, opened(home).login())
    assert held(home) == before


async def test_esc_approves_nothing(home: Path, proposed: str, today: date) -> None:
    before = (home / QUEUE).read_bytes()
    async with reading(home, today) as reader:
        await shown(reader)
        await reader.press("a")
        await reader.type(NAME)
        await reader.press("escape")
    assert (home / QUEUE).read_bytes() == before


async def test_what_was_changed_meanwhile_is_not_approved(home: Path, proposed: str, today: date) -> None:
    async with reading(home, today, WIDE) as reader:
        await shown(reader)
        await reader.press("a")
        await sees(reader, "To approve exactly this")
        opened(home).edit(proposed, trigger="whenever it suits an agent")
        await confirmed(reader, words=NAME)
        await sees(reader, "p1 was changed in the queue meanwhile")
    assert queued(home).state is State.PROPOSED


async def test_rejecting_and_deferring_take_a_key_and_enter(home: Path, approved: str, today: date) -> None:
    before = held(home)
    async with reading(home, today, WIDE) as reader:
        await shown(reader)
        await reader.press("x")
        await sees(reader, "Reject p1", "It takes your approval back.")
        await reader.press("x", "escape")
        assert queued(home).state is State.APPROVED
        await confirmed(reader, "x")
        await sees(reader, "✗ rejected")
        assert queued(home).state is State.REJECTED and queued(home).approval is None
        await reader.press("x")
        assert reader.said[-1] == "It is rejected already."
        await confirmed(reader, "d")
        await sees(reader, "– deferred")
        await reader.press("m")
        assert reader.said[-1] == "It is deferred: only what you approved in words (a) is migrated."
    assert queued(home).state is State.DEFERRED
    assert held(home) == before


async def test_an_edit_takes_an_approval_back(home: Path, approved: str, today: date) -> None:
    before = queued(home).move
    async with reading(home, today, WIDE) as reader:
        await shown(reader)
        await reader.press("e")
        await sees(reader, "It is approved: any change takes the approval back.")
        await confirmed(reader)
        await sees(reader, "Nothing was changed; esc leaves it as it is.")
        form: Any = reader.app.screen
        form.query_one("#trigger", Input).value = "when a gauge is read"
        await confirmed(reader)
        await sees(reader, "? proposed")
        assert reader.said[-1] == "Changed trigger of p1. Its approval was taken back."
    assert queued(home).move == replace(before, trigger="when a gauge is read")
    assert queued(home).approval is None


async def test_an_entry_that_changed_is_shown_beside_its_quote(
    home: Path, approved: str, today: date
) -> None:
    async with reading(home, today, WIDE) as reader:
        await shown(reader)
        captain = (home / "data/captain.md").read_bytes()
        (home / "data/captain.md").write_bytes(captain.replace(b"twice", b"three times"))
        await sees(
            reader, "changed When a tide", "The quote The entry now", "! It has changed since it was quoted"
        )
        assert "- When a tide" in reader.text() and "+ When a tide" in reader.text()
        await reader.press("a")
        assert reader.said[-1] == "It is approved already; m migrates it."
        await reader.press("R")
        await sees(reader, "It is proposed as it is now, and waits for your approval anew.")
        await confirmed(reader)
        await sees(reader, "? proposed", "the entry is unchanged")
    assert queued(home).quote == QUOTE.replace("twice", "three times")
    assert queued(home).state is State.PROPOSED and queued(home).approval is None


async def test_words_given_to_something_else_count_for_nothing(
    home: Path, approved: str, today: date
) -> None:
    text = (home / QUEUE).read_text()
    assert TRIGGER in text
    (home / QUEUE).write_text(text.replace(TRIGGER, "Always."))
    async with reading(home, today, WIDE) as reader:
        await shown(reader)
        await sees(reader, "? proposed", "It was given to something else than stands here now.")
        await reader.press("m")
        assert reader.said[-1] == "It is proposed: only what you approved in words (a) is migrated."


# Migrating.


async def test_a_migration_is_shown_step_by_step_until_it_is_closed(
    home: Path, approved: str, today: date
) -> None:
    before = held(home)
    async with reading(home, today, WIDE) as reader:
        await shown(reader)
        await reader.press("m")
        await sees(reader, f"1 {SKILL} is made", "Whatever fails before the entry leaves is taken back")
        assert held(home) == before
        await reader.press("escape")
        assert held(home) == before and queued(home).state is State.APPROVED
        await confirmed(reader, "m")
        screen = reader.app.screen
        assert isinstance(screen, MigrateScreen) and not screen.busy
        await reader.press("g")
        await sees(
            reader,
            "✓ 1 Find the home and its repository",
            "rev-parse --show-toplevel",
            "✓ 3 Keep the skill out of git",
            "check-ignore",
            "✓ 6 Remove the entry from its memory file",
            "✓ 7 Mark the proposal as migrated",
        )
        await reader.press("G")
        await sees(reader, f"✓ Migrated: the entry lives in {SKILL}")
        await reader.press("enter")
        await sees(reader, "→ migrated", "freed")
        await reader.press("x")
        assert reader.said[-1] == "It has been migrated; it stays in the queue as a record."
    assert held(home) == migrated(home, before)
    assert queued(home).state is State.MIGRATED


async def test_a_failed_migration_says_what_was_taken_back(home: Path, approved: str, today: date) -> None:
    before = held(home)
    async with reading(home, today, WIDE) as reader:
        await shown(reader)
        await reader.press("m")
        await sees(reader, "Whatever fails")
        (home / f".agents/skills/{NAME}").mkdir(parents=True)
        await reader.press("enter")
        await sees(reader, "✗ 2 Check the destination again", "✗ Not migrated: ", "enter closes this")
        await reader.press("escape")
        await sees(reader, "! failed", "! It failed: ")
        (home / f".agents/skills/{NAME}").rmdir()
        (home / ".agents/skills").rmdir()
        (home / ".agents").rmdir()
    assert held(home) == before
    assert queued(home).state is State.FAILED and queued(home).approved


async def test_a_line_can_be_left_in_its_place(home: Path, approved: str, today: date) -> None:
    async with reading(home, today) as reader:
        await shown(reader)
        await reader.press("m")
        await reader.type("mm")
        assert reader.app.screen.query_one(Input).value == ""
        await reader.type("Tide gauges: see the skill.")
        await reader.press("enter")
        await sees(reader, "✓ Migrated:")
    assert "- Tide gauges: see the skill.\n" in (home / "data/captain.md").read_text()


async def test_only_the_approved_is_migrated(home: Path, proposed: str, today: date) -> None:
    async with reading(home, today) as reader:
        await shown(reader)
        await reader.press("m")
        assert reader.said[-1] == "It is proposed: only what you approved in words (a) is migrated."
        assert len(reader.app.screen_stack) == 1


@pytest.mark.usefixtures("backlog_tool")
async def test_a_project_is_waited_for_and_the_backlog_holds_the_queue(
    home: Path, tmp_path: Path, today: date
) -> None:
    upstream = init(tmp_path / "upstream")
    write(upstream, {"AGENTS.md": "# tidefeed\n"})
    commit(upstream, ".")
    with (home / ".git/info/exclude").open("a") as file:
        file.write("\n/projects/\n")
    (home / "projects").mkdir()
    git(home, "clone", "-q", str(upstream), "projects/tidefeed")
    env = dict(os.environ)
    approve(opened(home, env), "projects/tidefeed/AGENTS.md", "tidefeed", privacy="public: anybody may know")
    store = Store.open(home, env=env, cwd=home, today=lambda: today)
    async with reading(home, today, WIDE, store=store) as reader:
        await shown(reader)
        await sees(reader, "Queue: the backlog item offload-proposals.")
        await reader.press("m")
        await sees(reader, "A ship task is filed for the project")
        await reader.press("enter")
        await sees(reader, "✓ It is waiting for ", "tasks-axi add ", "enter closes this")
        await reader.press("enter")
        await sees(reader, "… waiting", "ship task ")
        await reader.press("m")
        assert reader.said[-1].endswith("r looks whether the project holds the quote.")
        await reader.press("x")
        assert "close that first, or edit the proposal (e)" in reader.said[-1]
        write(upstream, {"AGENTS.md": f"# tidefeed\n\n{QUOTE}\n"})
        commit(upstream, "AGENTS.md")
        git(home / "projects/tidefeed", "fetch", "-q")
        await reader.press("r")
        await sees(reader, "✓ approved", "its quote is on the project's default branch")
        await reader.press("m")
        await sees(reader, "1 The project's default branch holds the quote in projects/tidefeed/AGENTS.md.")
        await reader.press("enter")
        await sees(reader, "✓ Migrated: the entry lives in projects/tidefeed/AGENTS.md")
    assert QUOTE not in (home / "data/captain.md").read_text()
    assert not (home / QUEUE).exists()


# Living on.


async def test_a_change_on_disk_keeps_cursor_and_filter(home: Path, proposed: str, today: date) -> None:
    async with reading(home, today, WIDE) as reader:
        await shown(reader)
        await reader.press("slash")
        await reader.type("-passing tokens>1")
        await reader.press("enter", "G", "k")
        under = reader.under_cursor()
        assert under == "Never push on a Friday."
        opened(home).defer(proposed)
        await sees(reader, "– deferred")
        assert reader.under_cursor() == under and reader.view.asked.text == "-passing tokens>1"


async def test_what_changed_while_another_view_was_shown_is_there_on_return(
    home: Path, proposed: str, today: date
) -> None:
    async with reading(home, today, WIDE) as reader:
        view = await shown(reader)
        await reader.press("1")
        seen = view.look
        opened(home).defer(proposed)
        await reader.until(lambda: view._outdated)
        assert view.look is seen
        await reader.press("3")
        await sees(reader, "– deferred")


async def test_a_slow_tool_holds_nothing_up(home: Path, tmp_path: Path, today: date) -> None:
    go = tmp_path / "go"
    store = with_tool(home, tmp_path, today, f"while [ ! -e {go} ]; do sleep 0.02; done; exit 3")
    async with reading(home, today, store=store) as reader:
        await reader.pilot.press("3")
        await reader.pilot.pause(0.05)
        assert "Looking at the queue, the disk and git" in reader.text()
        assert "looking …" in reader.text()
        await reader.pilot.press("1", "j", "3")
        await reader.pilot.pause(0.05)
        assert "looking …" in reader.text()
        go.touch()
        await reader.settle()
        assert "looking …" not in reader.text() and "! error" in reader.text()


async def test_it_opens_first_where_the_settings_say_so(home: Path, proposed: str, today: date) -> None:
    async with reading(home, today, settings={"default_view": "offload"}) as reader:
        await sees(reader, "Proposals (1)")


async def test_the_footer_says_what_works_here_and_now(home: Path, approved: str, today: date) -> None:
    async with reading(home, today, WIDE) as reader:
        await shown(reader)
        line = reader.text().split("\n")[-1]
        tokens = queued(home).tokens
        able, unable = line.split("q quit")
        assert f"x reject  d defer  e edit  m migrate −{tokens}" in able
        assert "a approve" in unable and "p propose" in unable
        await reader.press("j")
        able, unable = reader.text().split("\n")[-1].split("q quit")
        assert "p propose" in able and "x reject" in unable


async def test_it_can_be_read_in_ascii(home: Path, approved: str, today: date) -> None:
    async with reading(home, today, settings={"ascii": True}) as reader:
        await shown(reader)
        await reader.press("enter")
        await sees(reader, "* approved")
        assert reader.text().isascii()
        await reader.press("m")
        assert reader.text().isascii()


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_nothing_is_cut_off_at_either_size(
    home: Path, proposed: str, today: date, size: tuple[int, int]
) -> None:
    async with reading(home, today, size) as reader:
        await shown(reader)
        for key in ("a", "e", "x"):
            await reader.press(key)
            await reader.settle()
            hint = reader.app.screen.query_one(".hint")
            assert hint.region.bottom < size[1] and hint.region.height == 1
            await reader.press("escape")


# The filter.


def row(**fields: Any) -> OffloadRow:
    """A row of the table."""
    plain: dict[str, Any] = {
        "key": "p:p1", "mark": MARKS[State.PROPOSED], "tokens": 60, "file": "captain", "destination": NAME,
        "trigger": "", "lead": "", "haystack": "the gate", "place": 0,
    }  # fmt: skip
    return OffloadRow(**plain | fields)


PROPOSED = row(proposal=Proposal(
    id="p1", entry="e", file="data/captain.md", first_line="", tokens=60, move=Move("", "")
))  # fmt: skip


@pytest.mark.parametrize(
    ("line", "lets"),
    [
        ("", True),
        ("state:prop", True),
        ("state:rejected,proposed", True),
        ("-state:proposed", False),
        ("state:candidate", False),
        ("proposals", True),
        ("candidates", False),
        ("changed", False),
        ("file:cap", True),
        ("file:learnings", False),
        ("to:TIDE", True),
        ("tokens>50", True),
        ("tokens<50", False),
        ("gate", True),
        ('"changed"', False),
        ("nowhere", False),
    ],
)
def test_the_filter_lets_through(line: str, lets: bool) -> None:
    found = parse(line)
    assert found.lets(PROPOSED) is lets and not found.problem


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (
            "state:open",
            "No state is called open: proposed, approved, rejected, deferred, migrated, failed, candidate.",
        ),
        ("tokens:many", "tokens:many needs a number, such as tokens>50."),
        ("file>captain", "file>captain needs a colon, as in file:…"),
    ],
)
def test_the_filter_names_what_means_nothing(line: str, problem: str) -> None:
    assert parse(line).problem == problem and parse(line).lets(PROPOSED)
