"""Entries that move: to a live owner in step Reduce, by a proposal in step Relocate; and the look around."""

from __future__ import annotations

import threading
from datetime import date
from pathlib import Path

import pytest
from stow_pilot import (
    CAPTAIN,
    FRESH,
    GATES,
    HEAD,
    HOSTILE,
    NOTE,
    PILOT,
    PLACES,
    SKILL,
    SMALL,
    TABLE,
    TIDES,
    Captain,
    lay,
    lay_places,
    look,
    stowing,
)

from floppy_tui.store.live import Store
from floppy_tui.tiers.cards import Step
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tui.widgets.stow_diff import StowDiff

QUOTE = TABLE.removeprefix(b"- ").partition(b" <!--")[0]
TRIGGER = "when the tide table is read"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return lay_places(tmp_path / "home")


def said(captain: Captain) -> str:
    """The screen, its lines joined."""
    return " ".join(captain.text().split())


def on_card(captain: Captain, kind: str) -> None:
    """The cursor stands on a card of this kind."""
    card = captain.wizard.session.current
    assert card is not None and card.kind == kind, card


async def to(captain: Captain, kind: str) -> None:
    """Go on to the next card of this kind in the step."""
    await captain.press("g")
    for _ in captain.wizard.session.cards_of(captain.wizard.session.step):
        card = captain.wizard.session.current
        if card is not None and card.kind == kind:
            return
        await captain.press("j")
    on_card(captain, kind)


async def test_an_offload_gives_the_owner_the_quote_and_is_told_of(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        await captain.press("7")
        await to(captain, "offload")
        assert "x offload to tides −65 …" in said(captain) and "✓ Durable" in captain.text()
        await captain.press("x")
        assert TRIGGER in captain.text() and SKILL in said(captain)
        await captain.press("enter")
        session = captain.wizard.session
        (decision,) = session.decisions
        assert decision.do.value == "offload"
        assert decision.move is not None and decision.move.destination == SKILL
        assert session.plan is not None and session.plan.within_budget
        await captain.press("0", "d")
        assert f"{SKILL} " in said(captain) and "given a quote" in said(captain)
        assert "1 to other owners" in said(captain)
        await captain.press("enter", "y")
        assert session.step is Step.RECEIPT
    assert captain.read(SKILL) == TIDES + b"\n" + QUOTE + b"\n"
    assert captain.read("data/learnings.md") == HEAD + FRESH
    (receipt,) = (home / "state/floppy-tui/receipts").glob("*.md")
    assert SKILL in receipt.read_text() and f"for: {TRIGGER}" in receipt.read_text()


async def test_the_diff_names_the_memory_file_and_the_owner(home: Path, today: date) -> None:
    async with stowing(home, today, (160, 50)) as captain:
        await captain.press("7")
        await to(captain, "offload")
        lines = captain.wizard.query_one(StowDiff).lines
        assert [line.text for line in lines if line.kind == "f"] == ["data/learnings.md", SKILL]
        assert [line.text for line in lines if line.kind == "+"] == ["", QUOTE.decode()]


async def test_a_trigger_is_one_context_and_never_left_empty(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        await captain.press("7")
        await to(captain, "offload")
        await captain.press("x", "x", "ctrl+u")
        assert "Say when it is needed" in captain.text()
        await captain.press("enter")
        await captain.type("always")
        assert "Not conditional" in captain.text()
        await captain.press("enter")
        assert captain.wizard.session.decisions == ()
        await captain.press("ctrl+u")
        await captain.type("at the lock")
        await captain.press("enter")
        (decision,) = captain.wizard.session.decisions
        assert decision.move is not None and decision.move.trigger == "at the lock"


@pytest.mark.parametrize("key", ["tab", "down"])
async def test_another_owner_is_chosen_in_the_line(home: Path, today: date, key: str) -> None:
    async with stowing(home, today) as captain:
        await captain.press("7")
        await to(captain, "offload")
        await captain.press("x", key)
        assert NOTE in said(captain) and "(2 of 2" in said(captain)
        await captain.press("enter", "0", "enter", "y")
    assert captain.read(NOTE) == GATES + b"\n" + QUOTE + b"\n" and captain.read(SKILL) == TIDES


async def test_neither_a_nor_accepting_the_rest_moves_or_proposes(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        session = captain.wizard.session
        for step in "78":
            await captain.press(step, "g")
            assert any(card.open for card in session.cards_of(session.step))
            await captain.press("A", "enter")
            assert "No open card of this step can be accepted" in captain.text()
        await captain.press("7", "a", "enter", "8", "a", "escape")
        assert session.decisions == ()
        await captain.press("7")
        await to(captain, "offload")
        await captain.press("s")
        assert [d.do.value for d in session.decisions] == ["keep"]


async def test_a_home_without_places_says_why_nothing_can_be_offloaded(tmp_path: Path, today: date) -> None:
    files = {name: data for name, data in PLACES.items() if name not in (SKILL, NOTE)}
    home = lay_places(tmp_path / "home", files)
    async with stowing(home, today) as captain:
        await captain.press("7")
        await to(captain, "owners")
        assert "There is no local note or skill" in captain.text()
        (home / "data/notes").mkdir()
        (home / NOTE).write_bytes(GATES.replace(b"trigger", b"about"))
        await captain.changes("data/learnings.md", HEAD + FRESH + TABLE + b"- More.\n")
        assert f"✗ {NOTE}" in captain.text()


class Slow(Store):
    """Looking around takes its time."""

    gate: threading.Event

    def look_over(self, snapshot: Snapshot) -> Snapshot:
        assert self.gate.wait(30)
        return super().look_over(snapshot)


def slow(home: Path, today: date) -> Slow:
    store = Slow.open(home, env={}, cwd=home, today=lambda: today)
    assert isinstance(store, Slow)
    store.gate = threading.Event()
    return store


async def test_the_wizard_can_be_used_while_it_looks_around(home: Path, today: date) -> None:
    store = slow(home, today)
    async with stowing(home, today, store=store, settled=False) as captain:
        session, pilot = captain.wizard.session, captain.pilot
        await captain.until(lambda: session.settled)
        assert "looking around" in captain.text()
        await pilot.press("7")
        await pilot.press("g")
        await captain.until(lambda: "were not looked at yet" in said(captain))
        await pilot.press("3", "s")
        await captain.until(lambda: len(session.decisions) == 1 and session.settled)
        await pilot.press("0", "enter")
        await captain.until(lambda: "still being looked at" in captain.text())
        await pilot.press("3", "G")
        card = session.current
        store.gate.set()
        await captain.settle()
        assert "looking around" not in captain.text() and session.snapshot.scope is not None
        assert session.current is not None and card is not None and session.current.key == card.key
        assert [d.do.value for d in session.decisions] == ["keep"] and session.settled
        await captain.press("7")
        assert any(c.kind == "offload" for c in session.cards_of(Step.REDUCE))


async def test_what_was_found_takes_the_place_of_the_card_that_waited_for_it(home: Path, today: date) -> None:
    store = slow(home, today)
    async with stowing(home, today, store=store, settled=False) as captain:
        session = captain.wizard.session
        await captain.until(lambda: session.settled)
        await captain.pilot.press("7", "g")
        await captain.until(lambda: "were not looked at yet" in said(captain))
        store.gate.set()
        await captain.settle()
        on_card(captain, "offload")
        assert "is gone" not in captain.text()


async def test_the_trigger_of_a_conditional_mark_is_filled_in(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        session = captain.wizard.session
        await captain.press("3", "G")
        assert session.current is not None and "tide table" in session.current.title
        await captain.press("c")
        await captain.paste("at the lock alone")
        await captain.press("enter", "7")
        await to(captain, "offload")
        assert "✓ Conditional: at the lock alone" in said(captain)
        await captain.press("x", "enter")
        assert [d.move.trigger for d in session.decisions if d.move] == ["at the lock alone"]


async def test_a_saved_offload_is_gone_on_with_and_never_called_refused(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        await captain.press("7")
        await to(captain, "offload")
        await captain.press("x", "enter", "escape")
    store = slow(home, today)
    async with stowing(home, today, store=store, settled=False) as captain:
        session = captain.wizard.session
        await captain.until(lambda: session.settled)
        assert [d.do.value for d in session.decisions] == ["offload"]
        store.gate.set()
        await captain.settle()
        assert session.plan is not None and session.plan.within_budget and not session.plan.refused
        assert captain.wizard.notices == []


async def test_a_change_of_the_memory_looks_around_again(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        await captain.press("7")
        await to(captain, "offload")
        await captain.press("x", "enter", "k")
        key = captain.wizard.session.current
        (home / SKILL).write_bytes(TIDES + b"- More.\n")
        await captain.changes("data/captain.md", CAPTAIN + PILOT.replace(b"twelve", b"nine"))
        session = captain.wizard.session
        assert session.current is not None and key is not None and session.current.key == key.key
        await captain.press("0", "enter", "y")
        assert session.step is Step.RECEIPT
    assert captain.read(SKILL) == TIDES + b"- More.\n\n" + QUOTE + b"\n"


async def test_an_owner_that_changed_meanwhile_is_not_overwritten(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        await captain.press("7")
        await to(captain, "offload")
        await captain.press("x", "enter", "0")
        (home / SKILL).write_bytes(TIDES + b"- By somebody else.\n")
        await captain.press("enter", "y")
        assert "Nothing was changed" in captain.text()
        assert captain.read(SKILL) == TIDES + b"- By somebody else.\n"
        await captain.press("enter", "y")
        assert captain.wizard.session.step is Step.RECEIPT
    assert captain.read(SKILL) == TIDES + b"- By somebody else.\n\n" + QUOTE + b"\n"


async def test_a_proposal_goes_by_the_form_and_moves_nothing(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        session = captain.wizard.session
        await captain.press("8")
        on_card(captain, "relocate")
        assert "✓ Authority: pinned" in said(captain)
        await captain.press("a")
        assert "Nothing moves by it" in said(captain) and "Offload view" in said(captain)
        assert "when a pilot boat calls at night" in captain.text()
        await captain.press("ctrl+u")
        await captain.type("AGENTS.md")
        await captain.press("enter")
        assert session.decisions == () and "No destination" in captain.text()
        await captain.press("ctrl+u")
        await captain.type("pilot-boats")
        await captain.press("enter")
        (decision,) = session.decisions
        assert decision.do.value == "propose-offload" and decision.move is not None
        assert decision.move.destination == "pilot-boats"
        await captain.press("0", "d")
        assert "Proposes “When a pilot boat" in said(captain) and "only proposed" in said(captain)
        await captain.press("enter", "y")
        assert "propose" in said(captain)
    assert captain.read("data/captain.md") == PLACES["data/captain.md"]
    assert captain.read("data/learnings.md") == PLACES["data/learnings.md"]
    queue = captain.read("data/offload-proposals.md").decode()
    assert ".agents/skills/pilot-boats/SKILL.md" in queue and "pilot boat calls" in queue
    assert not (home / ".agents/skills/pilot-boats").exists()


async def test_a_conditional_mark_asks_for_the_proposal_with_its_trigger(tmp_path: Path, today: date) -> None:
    files = {**PLACES, "config/startup-memory-budget": b"7500\n"}
    home = lay_places(tmp_path / "home", files)
    async with stowing(home, today) as captain:
        session = captain.wizard.session
        assert not session.cards_of(Step.RELOCATE)
        await captain.press("3", "g")
        key = next(c.key for c in session.cards_of(Step.RETAIN) if "When a pilot" in c.title)
        while session.current is not None and session.current.key != key:
            await captain.press("j")
        await captain.press("c")
        await captain.type("on the night watch")
        await captain.press("enter", "8")
        on_card(captain, "relocate")
        assert not session.cards_of(Step.RELOCATE)[0].open
        await captain.press("a")
        assert "on the night watch" in captain.text()
        await captain.press("enter")
        assert [d.move.trigger for d in session.decisions if d.move] == ["on the night watch"]
        await captain.press("8", "a")
        assert "on the night watch" in captain.text()
        await captain.press("escape", "u")
        assert [d.do.value for d in session.decisions] == ["conditional"]


async def test_hostile_owners_and_entries_are_text(tmp_path: Path, today: date) -> None:
    odd = "data/notes/[/foo]\u202e[@click=app.quit].md"
    note = f"---\ntrigger: when a gate [/foo] \u202e opens\n---\n\n- gate, lock, float {HOSTILE}\n"
    entry = TABLE.replace(b"the spring", f"the spring {HOSTILE}".encode("utf-8", "surrogateescape"))
    files = {
        **{name: data for name, data in PLACES.items() if name != NOTE},
        odd: note.encode("utf-8", "surrogateescape"),
        "data/captain.md": CAPTAIN + PILOT.replace(b"twelve", b"twelve [/foo] \x1b[2J"),
        "data/learnings.md": HEAD + FRESH + entry,
    }
    async with stowing(lay_places(tmp_path / "home", files), today) as captain:
        await captain.press("7")
        await to(captain, "offload")
        for key in ("o", "d", "x", "tab", "escape"):
            await captain.press(key)
            look(captain)
        await captain.press("x", "enter", "8", "a")
        look(captain)
        await captain.press("enter", "0", "d")
        look(captain)
        await captain.press("pagedown", "enter")
        look(captain)
        await captain.press("y", "pagedown")
        look(captain)
        assert captain.wizard.session.step is Step.RECEIPT


async def test_a_home_in_no_repository_has_its_wizard_all_the_same(tmp_path: Path, today: date) -> None:
    home = lay(tmp_path / "home", {**SMALL, "config/startup-memory-budget": b"100\n"})
    async with stowing(home, today) as captain:
        await captain.press("7")
        await to(captain, "owners")
        assert captain.wizard.session.settled and not captain.wizard.notices
