"""A whole pass at the keyboard, down to the bytes on disk."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from stow_pilot import CAPTAIN, FRESH, HEAD, LEARNINGS, LEGACY, ONE, SMALL, STALE, TWO, lay, stowing

from floppy_tui.tiers.cards import Step

ARCHIVED = b"""\
## 2026-10-01 stow
- (from learnings.md, tier: aging, reinforced: 2026-08-01) Pool slot five lies on the slow disk. \
[archived: unreinforced 61d]
- (from learnings.md, tier: aging, reinforced: never) Invoices come from the contract. \
[archived: legacy-unvalidated]
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return lay(tmp_path / "home", SMALL)


async def test_a_whole_pass_ends_in_the_right_bytes(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        await captain.press("4")
        await captain.evidence("ran the crane suite")
        await captain.press("a")
        assert captain.wizard.session.step is Step.DECAY
        await captain.press("x", "enter", "x", "enter")
        assert captain.wizard.session.step is Step.APPLY
        assert "Reset-safe as planned" in captain.text()
        assert captain.read("data/learnings.md") == LEARNINGS
        await captain.press("enter", "y")
        assert captain.wizard.session.step is Step.RECEIPT
        shown = captain.text()
        assert "This home is reset-safe" in shown
        assert "no claim that the records are correct" in " ".join(shown.split())
        await captain.press("q")
        assert len(captain.app.screen_stack) == 1
    stamped = ONE.rstrip(b"\n") + b" <!--a:2026-10-01-->\n"
    graced = TWO.rstrip(b"\n") + b" <!--g-->\n"
    assert captain.read("data/learnings.md") == HEAD + FRESH + stamped + graced
    assert captain.read("data/captain.md") == CAPTAIN
    assert captain.read("data/memory-archive.md").endswith(ARCHIVED)
    receipts = sorted((home / "state/floppy-tui/receipts").iterdir())
    assert [path.name for path in receipts] == ["2026-10-01.json", "2026-10-01.md"]
    document = json.loads(receipts[0].read_bytes())
    assert document["reset_safe"] and document["reinforced"][0]["evidence"] == "ran the crane suite"
    assert not (home / "state/floppy-tui/pass.json").exists()


async def test_a_doubled_or_held_x_archives_nothing(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        await captain.press("5")
        await captain.pilot.press("x", "x")
        await captain.settle()
        await captain.press("x", "x", "x")
        assert captain.wizard.session.decisions == ()
        assert "unreinforced 61d" in captain.text() and "61dx" not in captain.text()
        await captain.press("escape")
        assert captain.wizard.session.decisions == ()
        assert captain.wizard.session.counts(Step.DECAY) == (2, 0)


async def test_moving_and_enter_decide_nothing(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        keys = ("j", "k", "down", "up", "g", "G", "enter", "space", "n")
        for step in "45":
            await captain.press(step, *keys)
        await captain.press(*"123678920")
        await captain.press("left_square_bracket", "right_square_bracket", "d", "o", "J", "K", "pagedown")
        assert captain.wizard.session.decisions == ()


async def test_the_reason_can_be_reworded_and_is_not_left_empty(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        await captain.press("5", "x")
        await captain.press(*["backspace"] * len("unreinforced 61d"))
        assert "Say why it leaves" in captain.text()
        await captain.press("enter")
        assert captain.wizard.session.decisions == ()
        await captain.type("superseded by the new rack")
        await captain.press("enter")
        assert [d.reason for d in captain.wizard.session.decisions] == ["superseded by the new rack"]


async def test_undo_takes_the_last_decision_back_and_returns_to_its_card(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        session = captain.wizard.session
        await captain.press("4", "a", "a")
        assert len(session.decisions) == 2 and session.step is Step.DECAY
        await captain.press("u")
        assert len(session.decisions) == 1 and session.step is Step.REINFORCE
        assert session.current is not None and session.current.decided is None
        assert session.current.title.startswith("The laptop")
        await captain.press("ctrl+r")
        assert len(session.decisions) == 2
        await captain.press("u", "u", "u")
        assert session.decisions == ()


async def test_another_decision_on_a_card_replaces_the_first_and_undo_brings_that_back(
    home: Path, today: date
) -> None:
    async with stowing(home, today) as captain:
        session = captain.wizard.session
        await captain.press("5", "s", "k", "x", "enter")
        assert [d.do.value for d in session.decisions] == ["archive"]
        await captain.press("u")
        assert [d.do.value for d in session.decisions] == ["keep"]


async def test_evidence_that_is_none_is_named_while_it_is_typed(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        await captain.press("4", "v")
        assert "Evidence is missing" in captain.text()
        await captain.type("prior knowledge")
        assert "is not evidence" in captain.text()
        await captain.press("enter")
        assert captain.wizard.session.decisions == ()
        await captain.type(" of the crane suite, run today")
        assert "is not evidence" not in captain.text()
        await captain.press("enter")
        assert len(captain.wizard.session.decisions) == 1
        await captain.press("full_stop")
        evidences = [d.evidence for d in captain.wizard.session.decisions]
        assert evidences == ["prior knowledge of the crane suite, run today"] * 2


async def test_several_are_given_one_evidence_or_one_grace(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        session = captain.wizard.session
        await captain.press("4", "space", "space", "x")
        assert session.decisions == () and len(session.selected) == 2
        await captain.evidence("both were exercised today")
        assert [d.evidence for d in session.decisions] == ["both were exercised today"] * 2
        assert session.step is Step.DECAY
        await captain.press("u", "g", "space", "space", "a")
        assert [d.do.value for d in session.decisions] == ["grace"] * 2


async def test_accepting_the_rest_lists_it_first_and_removes_nothing(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        session = captain.wizard.session
        await captain.press("4", "A")
        assert "The crane needs a seed" in captain.text() and "The laptop resolves" in captain.text()
        await captain.press("A")
        assert session.decisions == ()
        await captain.press("escape", "A", "enter")
        assert [d.do.value for d in session.decisions] == ["grace"] * 2
        await captain.press("5", "A")
        assert len(session.decisions) == 2


async def test_retier_keeps_the_date_without_evidence(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        await captain.press("5", "t")
        assert "pinned" in captain.text() and "perishable" in captain.text()
        await captain.press("2")
        assert "must name a condition" in captain.text()
        await captain.press("enter")
        assert captain.wizard.session.decisions == ()
        await captain.press("escape", "t", "1", "enter")
        await captain.press("0", "enter", "y")
    pinned = STALE.replace(b"<!--a:2026-08-01-->", b"<!--P-->")
    assert captain.read("data/learnings.md") == HEAD + FRESH + ONE + TWO + pinned + LEGACY


async def test_marks_of_the_retention_plan_have_keys_of_their_own(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        session = captain.wizard.session
        await captain.press("3")
        assert session.counts(Step.RETAIN)[0] == 0
        await captain.press("s", "l")
        assert "low utility" in captain.text()
        await captain.type("never asked for")
        await captain.press("enter", "c")
        await captain.type("only on the quay")
        await captain.press("enter")
        said = [(d.do.value, d.reason) for d in session.decisions]
        assert said == [("keep", ""), ("low-utility", "never asked for"), ("conditional", "only on the quay")]
        assert session.step is Step.RETAIN


async def test_next_open_finds_what_was_left_in_earlier_steps(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        session = captain.wizard.session
        await captain.press("5", "s", "s")
        assert session.step is Step.APPLY
        await captain.press("n")
        assert session.step is Step.REINFORCE and session.current is not None and session.current.open
        await captain.press("s", "s", "1")
        assert "to apply" in captain.text()
        await captain.press("n")
        assert session.step is Step.APPLY


async def test_after_the_receipt_nothing_is_decided_any_more(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        await captain.press("5", "x", "enter", "0", "enter", "y")
        before = captain.read("data/learnings.md")
        await captain.press("u", "a", "x", "s", "5", "left_square_bracket", "enter", "j", "pagedown")
        assert captain.wizard.session.step is Step.RECEIPT and "receipt" in captain.text().lower()
        await captain.press("escape")
    assert captain.read("data/learnings.md") == before
    assert not (home / "state/floppy-tui/pass.json").exists()
