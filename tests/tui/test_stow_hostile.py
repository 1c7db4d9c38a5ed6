"""Entry text that tries to be markup, an escape or a link, on every card, dialog and page of the wizard."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from stow_pilot import HOSTILE, POINTER, lay, look, stowing

from floppy_tui.tiers.cards import Step


def entry(words: str, marker: str = "") -> str:
    return f"- {words} {HOSTILE}{' ' + marker if marker else ''}\n"


def hostile_home() -> dict[str, bytes]:
    old = "<!--a:2026-08-01-->"
    learnings = "".join(
        (
            f"# Learnings {HOSTILE}\n",
            POINTER.decode(),
            "\n",
            entry("fresh", "<!--a:2026-09-28-->"),
            entry("unmarked one"),
            entry("stale one", old),
            entry("stale one and the same again, or nearly", old),
            entry("perishable until 2026-09-01", "<!--p:2026-09-01-->"),
            entry("waiting until 2027-09-01", "<!--p:2026-09-01-->"),
            entry("grace over", "<!--g-->"),
            entry("malformed", "<!-- a:2026-08-01 -->"),
            entry("long " + "word by word " * 60, old),
            f"\n## Section {HOSTILE}\n\nProse of it. {HOSTILE}\n\n",
            entry("in it"),
            entry("in it too"),
        )
    )
    return {
        "config/startup-memory-budget": b"300\n",
        "data/captain.md": f"# Captain\n\n{entry('pinned')}".encode("utf-8", "surrogateescape"),
        "data/learnings.md": learnings.encode("utf-8", "surrogateescape"),
    }


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return lay(tmp_path / "home", hostile_home())


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_every_card_shows_it_as_text(home: Path, today: date, size: tuple[int, int]) -> None:
    async with stowing(home, today, size) as captain:
        session = captain.wizard.session
        seen = set()
        for step in Step:
            if step is Step.RECEIPT:
                continue
            await captain.press(str(step % 10))
            for card in session.cards_of(step)[: 3 if step is Step.RETAIN else None]:
                seen.add(card.kind)
                look(captain)
                if card.entries and step > Step.REINFORCE:
                    await captain.press("o")
                    look(captain)
                await captain.press("j")
        assert {"pointer", "finding", "retain", "unmarked", "section", "reinforce"} <= seen
        assert {"stale", "condition", "legacy", "near", "long", "learned", "apply"} <= seen
        await captain.press("5", "o", "o")
        assert "[@click=app.quit]now" in look(captain)


async def test_every_dialog_and_the_receipt_show_it_as_text(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        session = captain.wizard.session
        await captain.press("4", "v")
        look(captain)
        await captain.press("escape", "A")
        assert "[/foo]" in look(captain)
        await captain.press("escape", "3", "l")
        look(captain)
        await captain.press("escape", "5", "t")
        look(captain)
        await captain.press("escape", "x")
        look(captain)
        await captain.press("enter")
        await captain.press("6", "e")
        assert "[/foo]" in look(captain)
        await captain.type(" x")
        await captain.press("up", "home", "delete", "escape")
        assert len(session.drafts) == 1
        await captain.press("e")
        look(captain)
        await captain.press("escape", "x")
        look(captain)
        await captain.press("escape", "0", "enter")
        look(captain)
        await captain.press("y")
        assert session.step is Step.RECEIPT
        for _ in range(4):
            look(captain)
            await captain.press("pagedown")


async def test_words_that_nobody_touched_go_back_to_the_byte(home: Path, today: date) -> None:
    async with stowing(home, today) as captain:
        session = captain.wizard.session
        await captain.press("6")
        while session.current is not None and session.current.kind != "long":
            await captain.press("j")
        await captain.press("e")
        await captain.type(" so")
        await captain.press("ctrl+s")
        (decision,) = session.decisions
        prose = next(e.prose for e in session.snapshot.entries if e.prose.startswith("long"))
        assert decision.text == f"{prose} so"
