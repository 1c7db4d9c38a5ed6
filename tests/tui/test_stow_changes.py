"""What the world does while a pass is open: files change, the app is left, plans take their time."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from stow_pilot import CAPTAIN, FRESH, HEAD, LEARNINGS, LEGACY, ONE, SMALL, STALE, TWO, lay, stowing

from floppy_tui.store.live import Store
from floppy_tui.tiers import stow
from floppy_tui.tiers.cards import Step

NAME = "data/learnings.md"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return lay(tmp_path / "home", SMALL)


async def test_leaving_asks_nothing_and_the_pass_is_gone_on_with(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        await captain.press("4", "a", "right_square_bracket", "escape")
        assert len(captain.app.screen_stack) == 1
        await captain.press("s")
        session = captain.wizard.session
        assert session.step is Step.DECAY and [d.do.value for d in session.decisions] == ["grace"]
    async with stowing(home, today) as captain:
        session = captain.wizard.session
        assert session.step is Step.DECAY and [d.do.value for d in session.decisions] == ["grace"]
        await captain.press("u")
        assert session.decisions == () and session.step is Step.REINFORCE
    assert captain.read(NAME) == LEARNINGS


async def test_a_change_on_disk_keeps_the_card_and_the_decisions_that_hold(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        session = captain.wizard.session
        await captain.press("4", "a", "a")
        assert session.current is not None and session.current.title.startswith("Pool slot")
        changed = HEAD + b"- A new one came. <!--a:2026-10-01-->\n" + FRESH + ONE + STALE + LEGACY
        await captain.changes(NAME, changed)
        assert session.current is not None and session.current.title.startswith("Pool slot")
        assert [d.id for d in session.decisions] == [
            e.id for e in session.snapshot.entries if "crane" in e.prose
        ]
        assert "Dropped, grace" in captain.text()
        await captain.press("exclamation_mark")
        assert "is gone" in captain.text()
        await captain.press("escape", "x", "enter", "0", "enter", "y")
    graced = ONE.rstrip(b"\n") + b" <!--g-->\n"
    assert captain.read(NAME) == changed.replace(STALE, b"").replace(ONE, graced)


async def test_a_card_that_goes_away_leaves_its_keys_to_no_other(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        session = captain.wizard.session
        await captain.press("5")
        await captain.changes(NAME, LEARNINGS.replace(STALE, b""))
        assert "This card is gone" in captain.text() and "Pool slot" in captain.text()
        await captain.press("s", "x", "enter", "v", "a", "e", "t")
        assert session.decisions == ()
        await captain.press("j")
        assert session.current is not None and session.current.title.startswith("Invoices")
        await captain.press("s")
        assert len(session.decisions) == 1


async def test_an_open_line_survives_a_change_on_disk(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        await captain.press("4", "v")
        await captain.type("ran the crane")
        await captain.changes(NAME, LEARNINGS.replace(FRESH, FRESH + b"- One more.\n"))
        assert "ran the crane" in captain.text()
        await captain.type(" suite")
        await captain.press("enter")
        decided = captain.wizard.session.decisions
        assert [d.evidence for d in decided] == ["ran the crane suite"]
        assert decided[0].snapshot == captain.wizard.session.snapshot.hash


async def test_an_open_line_about_what_has_gone_decides_nothing(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        await captain.press("5", "x")
        await captain.changes(NAME, LEARNINGS.replace(STALE, STALE.replace(b"five", b"six")))
        await captain.press("enter")
        assert captain.wizard.session.decisions == ()
        assert "Dropped, archive" in captain.text()


async def test_decisions_made_while_planning_are_neither_lost_nor_moved(
    home: Path, today: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = threading.Event()
    plan = stow.plan

    def slow(*arguments: Any) -> stow.Plan:
        gate.wait(30)
        return plan(*arguments)

    async with stowing(home, today) as captain:
        session = captain.wizard.session
        await captain.press("4")
        monkeypatch.setattr(stow, "plan", slow)
        titles = [card.title for card in session.cards_of(Step.REINFORCE)[:2]]
        await captain.pilot.press("a", "a", "5", "s", "s")
        await captain.pilot.pause()
        assert not session.settled
        assert "planning" in captain.text()
        before = session.snapshot
        (home / NAME).write_bytes(LEARNINGS + b"- Written meanwhile. <!--a:2026-10-01-->\n")
        captain.app.reread()
        while session.snapshot is before:
            await captain.pilot.pause()
        await captain.pilot.press("u", "4", "s")
        gate.set()
        await captain.settle()
        assert session.settled and session.plan is not None and not session.plan.refused
        said = [(d.do.value, session.snapshot.by_id[d.id].prose) for d in session.decisions]
        assert said == [
            ("grace", titles[0]),
            ("keep", "Pool slot five lies on the slow disk."),
            ("keep", titles[1]),
        ]


async def test_what_the_engine_refuses_is_said_and_stays_on_its_card(home: Path, today: date) -> None:
    pinned = b"- Nothing goes out during a crane shift.\n"
    twice = CAPTAIN + pinned + pinned
    (home / "data/captain.md").write_bytes(twice)
    async with stowing(home, today) as captain:
        session = captain.wizard.session
        await captain.press("6", "x")
        await captain.press(*["backspace"] * 40)
        await captain.type("just old")
        await captain.press("enter")
        assert "Not done, archive" in captain.text()
        await captain.press("6", "g")
        assert "✗ refused" in captain.text() and "A pinned entry leaves only as superseded" in captain.text()
        await captain.press("0")
        assert "refused" in captain.text() or "Not reset-safe" in captain.text()
        assert session.plan is not None and not session.plan.reset_safe
        await captain.press("6", "s")
        assert session.plan is not None and not session.plan.refused
    assert captain.read("data/captain.md") == twice


async def test_a_failed_apply_changes_nothing_and_the_pass_goes_on(home: Path, today: date) -> None:
    class Slipping(Store):
        """Somebody writes between the plan and the apply."""

        def apply(self, plan: stow.Plan) -> Any:
            (home / NAME).write_bytes(LEARNINGS + b"- Slipped in.\n")
            return super().apply(plan)

    store = Slipping.open(home, env={}, cwd=home, today=lambda: today)
    async with stowing(home, today, store=store) as captain:
        session = captain.wizard.session
        await captain.press("5", "x", "enter", "0", "enter", "y")
        assert "Nothing was changed" in captain.text()
        assert session.step is Step.APPLY and len(session.decisions) == 1
        captain.app.reread()
        await captain.settle()
        assert session.settled and len(session.decisions) == 1
    assert captain.read(NAME) == LEARNINGS + b"- Slipped in.\n"
    assert not (home / "data/memory-archive.md").exists()


async def test_a_pass_that_cannot_be_saved_says_so(home: Path, today: date) -> None:
    class Full(Store):
        """No room on the disk."""

        def save_pass(self, decisions: Sequence[Any], step: int) -> None:
            from floppy_tui.store.live import StoreError

            raise StoreError("The disk is full.")

    store = Full.open(home, env={}, cwd=home, today=lambda: today)
    async with stowing(home, today, store=store) as captain:
        await captain.press("4", "a")
        assert "The disk is full" in captain.text()
        assert len(captain.wizard.session.decisions) == 1
        await captain.press("escape")
        assert len(captain.app.screen_stack) == 1


async def test_asking_to_apply_is_void_where_the_memory_changed_meanwhile(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        await captain.press("5", "x", "enter", "0", "enter")
        changed = LEARNINGS.replace(ONE, b"")
        await captain.changes(NAME, changed)
        await captain.press("y")
        assert "Not applied" in captain.text()
    assert captain.read(NAME) == changed and TWO in changed


async def test_a_decision_that_cannot_be_planned_is_taken_back(
    home: Path, today: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = stow.plan

    def broken(snapshot: Any, decisions: Sequence[Any] = ()) -> stow.Plan:
        if any(d.do.value == "archive" for d in decisions):
            raise ValueError("overlapping edit")
        return plan(snapshot, decisions)

    async with stowing(home, today) as captain:
        session = captain.wizard.session
        monkeypatch.setattr(stow, "plan", broken)
        await captain.press("4", "a", "5")
        await captain.pilot.press("x", "enter")
        while any(d.do.value == "archive" for d in session.decisions) or not session.settled:
            await captain.pilot.pause()
        assert "Taken back, it could not be planned: archive" in captain.text()
        assert [d.do.value for d in session.decisions] == ["grace"]
