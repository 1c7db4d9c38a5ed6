"""Step File: what the captain hands over, whom it goes to, and what is refused in words."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from homes import home as memory
from stow_pilot import (
    CAPTAIN,
    FRESH,
    HEAD,
    HOSTILE,
    POINTER,
    SMALL,
    Captain,
    lay,
    lay_places,
    look,
    stowing,
)

from floppy_tui.store.live import Store
from floppy_tui.tiers import stow
from floppy_tui.tiers.cards import Step
from floppy_tui.tiers.decisions import Decision
from floppy_tui.tiers.layout import Role
from floppy_tui.tiers.markers import Tier
from floppy_tui.tui.screens import stow_working
from floppy_tui.tui.screens.stow_form import FormDialog
from floppy_tui.tui.screens.stow_handed import Finding, Owner, Question, finding_of
from floppy_tui.tui.widgets.stow_inputs import EntryEditor
from floppy_tui.tui.widgets.stow_statements import Statements

NAME = "data/learnings.md"
TIDE = "The quay floods at spring tide."
BACKLOG = b"""\
# Backlog

## In flight
- [ ] lock-h2 - Mend the lock (kind: ship) (since 2026-09-20)
  The upper hinge is worn.
## Queued
- [ ] crane-k4 - Oil the crane (since 2026-09-21)
## Done
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return lay(tmp_path / "home", SMALL | {NAME: HEAD + FRESH})


@pytest.fixture
def worked(tmp_path: Path, backlog_tool: None) -> Path:
    """A home with a backlog and the tool for it."""
    return lay_places(tmp_path / "home", SMALL | {NAME: HEAD + FRESH, "data/backlog.md": BACKLOG})


def tooled(home: Path, today: date) -> Store:
    return Store.open(home, env=os.environ, cwd=home, today=lambda: today)


def said(captain: Captain) -> str:
    """The screen, its lines joined."""
    return " ".join(captain.text().split())


def decisions(captain: Captain) -> tuple[Decision, ...]:
    return captain.wizard.session.decisions


async def begin(captain: Captain, words: str) -> None:
    """Open the form of a finding and put its words in."""
    await captain.press("9", "g", "e")
    await captain.paste(words)


async def choose(captain: Captain, field: str, times: int, key: str = "right") -> None:
    """Move one of the form's choices."""
    captain.app.screen.query_one(f"#{field}").focus()
    await captain.press(*[key] * times)


async def fill(captain: Captain, field: str, text: str) -> None:
    """Put a text into one of the form's lines, in place of what stands there."""
    captain.app.screen.query_one(f"#{field}").focus()
    await captain.press("ctrl+u")
    await captain.paste(text)


async def apply(captain: Captain) -> None:
    await captain.press("0", "enter", "y")
    assert captain.wizard.session.step is Step.RECEIPT


async def test_a_new_fact_is_added_with_its_evidence(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        await begin(captain, TIDE)
        assert "Evidence is missing" in captain.text()
        await captain.press("ctrl+s")
        assert decisions(captain) == () and isinstance(captain.app.screen, FormDialog)
        await fill(captain, "evidence", "stood in the water today")
        assert f"adds it to {NAME}, aging (+" in captain.text()
        await captain.press("ctrl+s")
        session = captain.wizard.session
        assert session.current is not None and session.current.key == "file:finding"
        await captain.press("j")
        assert TIDE in captain.text() and "✓ decided" in captain.text()
        await apply(captain)
    assert captain.read(NAME) == HEAD + FRESH + b"- " + TIDE.encode() + b" <!--a:2026-10-01-->\n"


async def test_what_was_begun_is_kept_and_nothing_is_decided_by_leaving(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        await begin(captain, TIDE)
        await fill(captain, "evidence", "stood in it")
        await choose(captain, "tier", 1)
        await captain.press("escape")
        assert decisions(captain) == ()
        await captain.press("e")
        shown = captain.text()
        assert TIDE in shown and "stood in it" in shown and "[perishable]" in shown


async def test_a_perishable_fact_without_a_condition_is_said_to_become_aging(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        await begin(captain, "The gate sticks for now.")
        await choose(captain, "tier", 1)
        await fill(captain, "evidence", "stood before it")
        assert "names no condition that can be checked" in said(captain) and "stored as aging" in said(
            captain
        )
        assert f"{NAME}, aging" in captain.text()
        captain.app.screen.query_one(EntryEditor).focus()
        await captain.type(" Until 2026-11-01.")
        assert "names no condition" not in said(captain) and f"{NAME}, perishable" in captain.text()
        await captain.press("ctrl+s")
        await apply(captain)
    assert b"- The gate sticks for now. Until 2026-11-01. <!--p:2026-10-01-->\n" in captain.read(NAME)


async def test_a_preference_is_pinned_and_needs_no_evidence(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        await begin(captain, "Never at night.")
        await choose(captain, "owner", 1)
        assert "[pinned]" in captain.text() and "if there is any" in captain.text()
        await captain.press("ctrl+s")
        await apply(captain)
    assert captain.read("data/captain.md") == CAPTAIN + b"- Never at night.\n"


async def test_a_secondmates_finding_for_the_shared_file_is_routed(home: Path, today: date) -> None:
    shared = b"# Shared\n" + POINTER + b"\n- Times are in UTC.\n"
    lay(home, {"data/captain-shared.md": shared, ".fm-secondmate-home": b""})
    async with stowing(home, today) as captain:
        await begin(captain, "Depths are in metres.")
        await choose(captain, "owner", 2)
        assert "routed to the primary" in said(captain) and "routes it to the primary" in said(captain)
        await captain.press("ctrl+s")
        (decision,) = decisions(captain)
        assert (decision.do.value, decision.owner) == ("route", "shared")
        await apply(captain)
    assert captain.read("data/captain-shared.md") == shared
    (receipt,) = (home / "state/floppy-tui/receipts").glob("*.md")
    assert "Depths are in metres." in receipt.read_text()


async def test_a_duplicate_names_the_statement_that_says_it(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        await begin(captain, "In the rain the gate sticks.")
        assert "learnings.md:4  The gate sticks in the rain." in captain.text()
        await choose(captain, "question", 1)
        await captain.press("ctrl+s")
        (decision,) = decisions(captain)
        entry = next(e for e in captain.wizard.session.snapshot.entries if "rain" in e.prose)
        assert (decision.do.value, decision.owner) == ("route", f"entry:{entry.id}")
        await apply(captain)
    assert captain.read(NAME) == HEAD + FRESH


async def test_a_statement_is_chosen_by_keys_or_the_mouse_and_stays_chosen(home: Path, today: date) -> None:
    (home / NAME).write_bytes(HEAD + FRESH + b"- The gate of the lock sticks. <!--a:2026-09-21-->\n")
    async with stowing(home, today) as captain:
        await begin(captain, "The gate sticks in fog.")
        session = captain.wizard.session
        ids = [e.id for e in session.snapshot.entries if "gate" in e.prose]
        statements = captain.app.screen.query_one(Statements)
        order = [one.entry.id for one in statements.alike]
        assert sorted(order) == sorted(ids)
        statements.focus()
        await captain.press("down")
        assert "[duplicate]" in captain.text() and statements.chosen == order[0]
        await captain.press("down", "down")
        assert statements.chosen == order[1]
        await captain.pilot.click(Statements, offset=(20, 0))
        await captain.settle()
        assert statements.chosen == order[0]
        captain.app.screen.query_one(EntryEditor).focus()
        await captain.paste(" Nothing else is known about that whole matter, in particular about hinges.")
        assert statements.chosen == order[0]
        await captain.press("ctrl+s")
        assert [d.owner for d in decisions(captain)] == [f"entry:{order[0]}"]


async def test_superseding_words_take_the_place_of_the_old_ones(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        await begin(captain, "The gate sticks in the frost.")
        await choose(captain, "question", 2)
        assert "No longer held: rain;" in captain.text() and "go to the archive" in said(captain)
        await captain.press("ctrl+s")
        await apply(captain)
    assert captain.read(NAME) == HEAD + b"- The gate sticks in the frost. <!--a:2026-09-20-->\n"
    assert b"The gate sticks in the rain." in captain.read("data/memory-archive.md")


async def test_an_obsolete_statement_leaves_by_the_line_for_it(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        await begin(captain, "The gate was oiled and sticks in the rain no more.")
        await choose(captain, "question", 3)
        await captain.press("ctrl+s")
        assert decisions(captain) == () and "superseded by The gate was oiled" in captain.text()
        await captain.press("escape")
        assert decisions(captain) == ()
        await captain.press("e", "ctrl+s", "enter")
        (decision,) = decisions(captain)
        assert decision.do.value == "archive" and decision.reason.startswith("superseded by The gate was")
        assert captain.wizard.session.step is Step.FILE
        await apply(captain)
    assert captain.read(NAME) == HEAD.rstrip(b"\n") + b"\n"
    assert b"sticks in the rain" in captain.read("data/memory-archive.md")


async def test_what_the_engine_refuses_is_said_in_the_form(home: Path, today: date) -> None:
    lay(
        home, {"config/startup-memory-budget": b"%d\n" % (-(-len(CAPTAIN) // 3) + -(-len(HEAD + FRESH) // 3))}
    )
    async with stowing(home, today) as captain:
        await begin(captain, "The gate sticks in the rain.")
        await fill(captain, "evidence", "stood before it")
        assert f"{NAME}:4 says that already" in said(captain)
        captain.app.screen.query_one(EntryEditor).focus()
        await captain.type(" And in fog.")
        assert "over budget with it: make room first" in said(captain)
        await captain.press("ctrl+s", "escape")
        assert decisions(captain) == ()


async def test_a_finding_that_a_later_change_makes_impossible_stays_and_can_be_changed(
    home: Path, today: date
) -> None:
    async with stowing(home, today) as captain:
        await begin(captain, TIDE)
        await fill(captain, "evidence", "stood in the water today")
        await captain.press("ctrl+s")
        added = HEAD + FRESH + b"- " + TIDE.encode() + b" <!--a:2026-09-30-->\n"
        await captain.changes(NAME, added)
        await captain.press("9", "g", "j")
        assert "✗ refused" in captain.text() and "says that already" in said(captain)
        await captain.press("e")
        await captain.type(" Twice a month.")
        await captain.press("ctrl+s")
        session = captain.wizard.session
        assert len(decisions(captain)) == 1 and session.plan is not None and not session.plan.refused
        await apply(captain)
    assert captain.read(NAME) == added + f"- {TIDE} Twice a month. <!--a:2026-10-01-->\n".encode()


async def test_undo_takes_a_finding_back_and_stays_in_the_step(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        await begin(captain, "Never at night.")
        await choose(captain, "owner", 1)
        await captain.press("ctrl+s", "u")
        session = captain.wizard.session
        assert decisions(captain) == () and session.step is Step.FILE
        assert session.current is not None and session.current.key == "file:finding"
        await captain.press("ctrl+r")
        assert len(decisions(captain)) == 1 and session.step is Step.FILE


async def test_two_findings_handed_over_while_planning_are_two(
    home: Path, today: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = threading.Event()

    def slow(*arguments: Any) -> stow.Plan:
        gate.wait(30)
        return stow.plan(*arguments)

    async with stowing(home, today) as captain:
        session, pilot = captain.wizard.session, captain.pilot
        await begin(captain, "Never at night.")
        await choose(captain, "owner", 1)
        # What a form asks is answered at once, the wizard's own plan is not.
        monkeypatch.setattr(stow_working, "stow", SimpleNamespace(plan=slow, rebase=stow.rebase))
        await pilot.press("ctrl+s")
        await captain.until(lambda: len(session.decisions) == 1)
        await pilot.press("e", *"Ask", "left_square_bracket")
        await captain.until(lambda: "✗ Evidence is missing" in captain.text())
        captain.app.screen.query_one("#owner").focus()
        await pilot.press("right")
        await captain.until(lambda: "ctrl+s adds it" in captain.text())
        await pilot.press("ctrl+s")
        await captain.until(lambda: len(session.decisions) == 2)
        assert not session.settled
        gate.set()
        await captain.settle()
        assert [d.text for d in session.decisions] == ["Never at night.", "Ask["]
        assert session.plan is not None and len(session.plan.added) == 2


async def test_a_note_on_a_task_replaces_its_body_which_is_shown_first(worked: Path, today: date) -> None:
    async with stowing(worked, today, store=tooled(worked, today)) as captain:
        await begin(captain, "The lower one too.")
        await choose(captain, "owner", 3)
        assert "Name the backlog item" in captain.text() and "crane-k4" in captain.text()
        await fill(captain, "task", "lo")
        assert "The backlog knows no item lo" in captain.text()
        await captain.press("tab")
        shown = captain.text()
        assert "The upper hinge is worn." in shown and "The lower one too." in shown
        assert "has the body of lock-h2 replaced by it" in said(captain)
        editor = captain.app.screen.query_one(EntryEditor)
        editor.focus()
        editor.move_cursor((0, 0))
        await captain.press("delete")
        assert "is no longer in it" in said(captain)
        await captain.press("ctrl+s")
        assert decisions(captain) == ()
        await captain.type("T")
        await captain.press("ctrl+s", "0", "d")
        assert "Replaces the body of the backlog item lock-h2" in said(captain)
        await apply(captain)
    kept = "  The upper hinge is worn.\n\n  The lower one too.\n"
    assert kept in captain.read("data/backlog.md").decode()


async def test_the_statement_comes_back_where_another_owner_is_chosen(worked: Path, today: date) -> None:
    async with stowing(worked, today, store=tooled(worked, today)) as captain:
        await begin(captain, "The lower one too.")
        await choose(captain, "owner", 3)
        await fill(captain, "task", "lock-h2")
        assert "The upper hinge is worn." in captain.text()
        await choose(captain, "owner", 3, "left")
        assert "The upper hinge is worn." not in captain.text() and "The lower one too." in captain.text()


async def test_records_are_filed_corrected_and_left(worked: Path, today: date) -> None:
    async with stowing(worked, today, store=tooled(worked, today)) as captain:
        await captain.press("9", "G", "e")
        assert "Give the record a title" in captain.text()
        await fill(captain, "title", "Paint the bollards")
        await fill(captain, "blocked", "crane-k4, nobody")
        assert "knows no item nobody" in said(captain)
        await fill(captain, "blocked", "crane-k4, lock")
        await captain.press("tab", "ctrl+s", "e")
        await choose(captain, "act", 1)
        await fill(captain, "item", "crane-k4")
        assert "Oil the crane" in captain.text() and "as they stand" in captain.text()
        await fill(captain, "title", "Grease the crane")
        await captain.press("ctrl+s", "e")
        await choose(captain, "act", 2)
        await fill(captain, "item", "lock-h2")
        assert "Say which judgment" in captain.text()
        await fill(captain, "judgment", "whether the lock stays")
        await captain.press("ctrl+s", "0", "d")
        shown = said(captain)
        assert "Files the record “Paint the bollards”, blocked by crane-k4, lock-h2" in shown
        assert "Corrects the record crane-k4" in shown
        await captain.press(*["j"] * 6)
        assert "Leaves the record lock-h2, which waits on: whether the lock stays" in said(captain)
        await apply(captain)
        await captain.press(*["pagedown"] * 3)
        assert "Corrected crane-k4" in captain.text() and "waits on: whether the lock" in said(captain)
    backlog = captain.read("data/backlog.md").decode()
    assert "Paint the bollards blocked-by: crane-k4 blocked-by: lock-h2" in backlog
    assert "crane-k4 - Grease the crane" in backlog and "The upper hinge is worn." in backlog


async def test_what_could_not_be_filed_is_told_and_opens_the_next_pass(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        await begin(captain, "The tide feed is in centimetres.")
        await choose(captain, "owner", 4)
        assert "Name the project" in captain.text()
        await fill(captain, "project", "tidefeed")
        await captain.press("ctrl+s", "9", "G", "e")
        await choose(captain, "act", 1)
        await fill(captain, "item", "lock-h2")
        assert "✗" in captain.text()
        await captain.press("ctrl+s", "escape")
        assert len(decisions(captain)) == 1
        await apply(captain)
        await captain.press("pagedown")
        assert "tasks-axi is not on the PATH" in said(captain)
    async with stowing(home, today) as captain:
        assert [d.owner for d in decisions(captain)] == ["project:tidefeed"]
        assert captain.wizard.session.step is Step.FILE


async def test_hostile_words_names_and_items_are_text(worked: Path, today: date) -> None:
    hostile = f"- gate and quay {HOSTILE} <!--a:2026-09-28-->\n".encode("utf-8", "surrogateescape")
    title = "Odd [/foo] [@click=app.quit]now[/] \u202egnp"
    item = f"- [ ] odd-x1 - {title} (since 2026-09-20)\n  [/foo] \u202ebody\n"
    (worked / "data/backlog.md").write_bytes(BACKLOG.replace(b"## Done\n", item.encode() + b"## Done\n"))
    (worked / NAME).write_bytes(HEAD + hostile)
    async with stowing(worked, today, store=tooled(worked, today)) as captain:
        await begin(captain, "gate and quay [/foo] [@click=app.quit]now[/]")
        assert "[@click=app.quit]now" in look(captain)
        await choose(captain, "question", 2)
        look(captain)
        await choose(captain, "question", 2, "left")
        await choose(captain, "owner", 3)
        await fill(captain, "task", "odd-x1")
        assert "[/foo]" in look(captain)
        await captain.press("ctrl+s", "j")
        look(captain)
        await captain.press("G", "e")
        await choose(captain, "act", 1)
        await fill(captain, "item", "odd-x1")
        look(captain)
        await captain.press("ctrl+s", "0", "d", "pagedown")
        look(captain)


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_the_forms_fit(worked: Path, today: date, size: tuple[int, int]) -> None:
    lines = b"".join(b"- The gate number %d sticks in the rain. <!--a:2026-09-20-->\n" % n for n in range(9))
    (worked / NAME).write_bytes(HEAD + lines)
    async with stowing(worked, today, size, tooled(worked, today)) as captain:
        await begin(captain, "The gate sticks in the rain and in the frost and in the fog of November.")
        await choose(captain, "owner", 3)
        for _ in range(3):
            shown = captain.text().split("\n")
            assert "esc back" in shown[-1] and all(len(line) <= size[0] for line in shown)
            assert any("Statements like it" in line for line in shown)
            await choose(captain, "question", 1)


def known() -> Iterator[Finding]:
    """A finding of every kind."""
    snapshot = memory({"learnings": "- One.\n", "captain": "- Two.\n"})
    (entry,) = [e.id for e in snapshot.entries if e.prose == "One."]
    yield Finding("New.", evidence="seen", tier=Tier.PERISHABLE)
    yield Finding("New.", owner=Owner.CAPTAIN, tier=Tier.PINNED)
    yield Finding("New.", owner=Owner.SHARED, tier=Tier.PINNED)
    yield Finding(owner=Owner.TASK, task="lock-h2", bodies={"lock-h2": "New."})
    yield Finding("New.", owner=Owner.PROJECT, project="tidefeed")
    yield Finding("New.", owner=Owner.EVERYBODY)
    yield Finding("New.", question=Question.DUPLICATE, chosen=entry)
    yield Finding("New.", question=Question.SUPERSEDING, chosen=entry, evidence="seen")
    yield Finding("New.", question=Question.OBSOLETE, chosen=entry)


@pytest.mark.parametrize("finding", known())
@pytest.mark.parametrize("role", [*Role])
def test_a_form_can_be_filled_in_again_from_its_decision(finding: Finding, role: Role) -> None:
    snapshot = memory({"learnings": "- One.\n", "captain": "- Two.\n"}, role=role)
    assert finding.missing(snapshot) == ""
    again = finding_of(finding.decision(snapshot, "file:finding:1"))
    assert replace(again, bodies=dict(again.bodies)) == replace(finding, bodies=dict(finding.bodies))
    assert again.decision(snapshot, "file:finding:1") == finding.decision(snapshot, "file:finding:1")
