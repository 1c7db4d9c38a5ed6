"""Words that are changed, sections, evictions, the mouse, and what fits the screen."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest
from stow_pilot import CAPTAIN, HEAD, Captain, lay, stowing

from floppy_tui.demo import build
from floppy_tui.tiers.cards import Step
from floppy_tui.tui.widgets.stow_keys import StowKeys
from floppy_tui.tui.widgets.stow_rows import StowRows
from floppy_tui.tui.widgets.stow_steps import StowSteps

NAME = "data/learnings.md"
LONGER = (
    b"- Staging goes out at 05:45 and takes nine minutes; the office is told by mail. <!--a:2026-09-20-->\n"
)
SHORTER = (
    b"- Staging goes out at 06:30 and takes nine minutes; the office is told by mail. <!--a:2026-09-10-->\n"
)


def home_with(root: Path, learnings: bytes, allowance: bytes = b"7500\n") -> Path:
    files: Mapping[str, bytes] = {
        "config/startup-memory-budget": allowance,
        "data/captain.md": CAPTAIN,
        NAME: HEAD + learnings,
    }
    return lay(root / "home", files)


async def test_a_merge_names_the_words_that_it_loses_and_archives_them(tmp_path: Path, today: date) -> None:
    home = home_with(tmp_path, LONGER + SHORTER)
    async with stowing(home, today) as captain:
        await captain.press("6", "e")
        shown = captain.text()
        assert "Merge into one current statement" in shown
        assert "no longer holds: 06, 30" in shown or "no longer holds: 05, 45" in shown
        await captain.type(" Early or late.")
        await captain.press("ctrl+s")
        (decision,) = captain.wizard.session.decisions
        assert decision.do.value == "merge" and decision.text.endswith("by mail. Early or late.")
        await captain.press("0", "enter", "y")
    merged = captain.read(NAME)
    assert merged.count(b"Staging goes out") == 1 and b"Early or late. <!--a:2026-09-10-->" in merged
    assert b"[archived: superseded by " in captain.read("data/memory-archive.md")


async def test_words_begun_are_kept_as_a_draft(tmp_path: Path, today: date) -> None:
    home = home_with(tmp_path, LONGER + SHORTER)
    async with stowing(home, today) as captain:
        await captain.press("6", "e")
        await captain.type(" begun")
        await captain.press("escape")
        assert captain.wizard.session.decisions == ()
        await captain.press("e")
        assert "by mail. begun" in " ".join(captain.text().split())


async def test_a_rewrite_needs_other_words_than_those_that_stand(tmp_path: Path, today: date) -> None:
    home = home_with(tmp_path, b"- " + b"Long winded words. " * 40 + b"<!--a:2026-09-20-->\n")
    async with stowing(home, today) as captain:
        await captain.press("6", "e", "ctrl+s")
        assert "These are the words as they stand" in captain.text()
        await captain.press("f7", "delete")
        assert "The new statement is missing" in captain.text()
        await captain.pilot.press(*"Short", "enter", "enter", *"words.")
        await captain.press("ctrl+s", "0", "enter", "y")
    assert captain.read(NAME) == HEAD + b"- Short <!--a:2026-09-20-->\n\n  words.\n"


async def test_an_eviction_has_one_reason_alone(tmp_path: Path, today: date) -> None:
    lines = [
        b"- Number %d of the aging ones, with words. <!--a:2026-09-%02d-->\n" % (n, n) for n in range(10, 20)
    ]
    home = home_with(tmp_path, b"".join(lines), b"240\n")
    async with stowing(home, today) as captain:
        session = captain.wizard.session
        await captain.press("7")
        assert session.current is not None and session.current.kind == "evict"
        await captain.press("x")
        assert "budget oldest-first" in captain.text()
        await captain.type(" and more")
        assert "The reason is always" in captain.text()
        await captain.press("enter", "escape")
        assert session.decisions == ()
        while session.current is not None and session.current.kind == "evict" and session.current.open:
            await captain.press("x", "enter")
        assert session.settled and session.plan is not None and session.plan.within_budget
        assert session.step is Step.APPLY
        await captain.press("enter", "y")
    assert captain.read(NAME) == HEAD + b"".join(lines[len(session.decisions) :])


async def test_a_section_leaves_as_one_with_a_reason_of_the_captains(tmp_path: Path, today: date) -> None:
    section = b"## The move\n\nHow it went.\n\n- Evening one.\n- Evening two.\n"
    home = home_with(tmp_path, LONGER + b"\n" + section)
    async with stowing(home, today) as captain:
        await captain.press("4")
        assert "archive section" in captain.text()
        await captain.press("x", "enter")
        assert captain.wizard.session.decisions == ()
        await captain.type("over since spring")
        await captain.press("enter", "0", "enter", "y")
    assert captain.read(NAME) == HEAD + LONGER
    assert b"## The move" in captain.read("data/memory-archive.md")


async def test_a_secondmates_shared_file_is_routed_and_keeps_its_bytes(tmp_path: Path, today: date) -> None:
    home = home_with(tmp_path, LONGER)
    shared = b"# Shared\n\n- Times are in UTC.\n"
    lay(home, {"data/captain-shared.md": shared, ".fm-secondmate-home": b""})
    async with stowing(home, today) as captain:
        session = captain.wizard.session
        await captain.press("2")
        while session.current is not None and session.current.kind != "routed":
            await captain.press("j")
        await captain.press("a", "s", "x", "e", "v", "t")
        assert session.decisions == () and "routed" in captain.text()
        await captain.press("0", "enter", "y")
    assert captain.read("data/captain-shared.md") == shared


async def test_the_mouse_does_what_the_keys_do(tmp_path: Path, today: date) -> None:
    home = home_with(tmp_path, b"- One thing.\n- Two things.\n- Three things.\n")
    async with stowing(home, today) as captain:
        session, pilot = captain.wizard.session, captain.pilot
        folded = captain.wizard.query_one(StowSteps).render().plain  # type: ignore[union-attr]
        await pilot.click(StowSteps, offset=(1 + folded.index("4:"), 0))
        await captain.settle()
        assert session.step is Step.REINFORCE
        await pilot.click(StowRows, offset=(12, 2))
        await pilot.click(StowRows, offset=(2, 3))
        await captain.settle()
        assert session.current is not None and session.current.title == "Three things."
        assert [session.card(k).title for k in session.selected] == ["Three things."]  # type: ignore[union-attr]
        keys = captain.wizard.query_one(StowKeys).render().plain  # type: ignore[union-attr]
        row, column = next(
            (y, line.index("grace")) for y, line in enumerate(keys.split("\n")) if "grace" in line
        )
        await pilot.click(StowKeys, offset=(1 + column, row))
        await captain.settle()
        assert [d.do.value for d in session.decisions] == ["grace"]


async def walk(captain: Captain, most: int) -> None:
    """Look at the first cards of every step: the way out is always in sight, and no label is cut off."""
    session = captain.wizard.session
    for step in Step:
        if step is Step.RECEIPT:
            continue
        await captain.press(str(step % 10), "g")
        for _ in session.cards_of(step)[:most]:
            lines = captain.text().split("\n")
            assert len(lines) == captain.app.size.height and "esc leave" in lines[-1]
            keys = captain.wizard.query_one(StowKeys)
            assert keys.size.height == len(keys.render().plain.split("\n"))  # type: ignore[union-attr]
            assert all(len(line) <= captain.app.size.width for line in lines)
            await captain.press("j")


@pytest.mark.parametrize(("size", "most"), [((80, 24), 8), ((100, 30), 2)])
async def test_every_step_of_the_sample_home_fits(
    tmp_path: Path, today: date, size: tuple[int, int], most: int
) -> None:
    home = build(tmp_path / "home", today)
    async with stowing(home, today, size) as captain:
        await walk(captain, most)
