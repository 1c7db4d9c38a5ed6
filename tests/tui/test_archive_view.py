"""The Archive view as a person uses it: looking, searching, and putting back."""

from __future__ import annotations

import time
from datetime import date
from pathlib import Path

import pytest
from view_pilot import ARCHIVE, LEARNINGS, PLAIN, Reader, lay, reading

from floppy_tui.store.live import Store

LOCK = "Lock is rusty."
ROPES = "Ropes lie in 4."
LAMP = "The lamp hums."
HAND = "Something that somebody wrote here by hand."
GROUPED = ["[2026-09-12 stow  (2)]", LAMP, HAND, "[2026-08-08 stow  (2)]", LOCK, ROPES]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return lay(tmp_path / "home", PLAIN)


async def test_items_stand_under_their_passes_newest_first(home: Path, today: date) -> None:
    async with reading(home, today) as reader:
        await reader.press("2")
        assert reader.listed() == GROUPED and reader.under_cursor() == LAMP
        assert "4 archived items in 2 passes" in reader.text()
        await reader.press("j", "j")
        assert reader.under_cursor() == LOCK
        await reader.press("k")
        assert reader.under_cursor() == HAND
        await reader.press("O")
        assert reader.listed() == GROUPED[3:] + GROUPED[:3] and reader.under_cursor() == HAND
        await reader.press("o")
        assert reader.listed()[0] == HAND and len(reader.listed()) == 4


@pytest.mark.parametrize(
    ("typed", "left"),
    [
        ("rusty", ["[2026-08-08 stow  (1 of 2)]", LOCK]),
        ("ropes lie", ["[2026-08-08 stow  (1 of 2)]", ROPES]),
        ("/l(amp|ock)/", ["[2026-09-12 stow  (1 of 2)]", LAMP, "[2026-08-08 stow  (1 of 2)]", LOCK]),
        ("reason:legacy", ["[2026-09-12 stow  (1 of 2)]", LAMP]),
        ("tier:perishable", ["[2026-08-08 stow  (1 of 2)]", LOCK]),
        ("source:unknown", ["[2026-09-12 stow  (1 of 2)]", HAND]),
        ("source:learnings date:2026-08", GROUPED[3:]),
        ("nothing", []),
    ],
)
async def test_the_search_as_one_types(home: Path, today: date, typed: str, left: list[str]) -> None:
    async with reading(home, today) as reader:
        await reader.press("2", "slash")
        await reader.type(typed)
        assert reader.listed() == left
        if not left:
            assert "Nothing in the archive matches." in reader.text()
        await reader.press("escape", "escape")
        assert reader.listed() == GROUPED


async def test_a_bad_pattern_is_named(home: Path, today: date) -> None:
    async with reading(home, today) as reader:
        await reader.press("2", "slash")
        await reader.type("/(/")
        assert "/(/ is not a regular expression" in reader.text()
        await reader.press("backspace", "backspace", "backspace")
        assert reader.listed() == GROUPED


async def test_the_detail_and_the_copy(home: Path, today: date) -> None:
    async with reading(home, today, (160, 50)) as reader:
        await reader.press("2", "G", "k")
        for words in (
            "perishable  data/memory-archive.md:5",
            "pass 2026-08-08 stow",
            "from learnings.md",
            "reinforced 2026-06-30",
            "reason unreinforced 39d",
        ):
            assert words in reader.text()
        await reader.press("y")
        assert reader.app.clipboard == LOCK
        await reader.press("g", "j")
        assert "Where it came from is unknown" in reader.text()


async def restore(reader: Reader, evidence: str) -> None:
    """Ask for the item under the cursor to be put back, with this evidence."""
    await reader.press("R")
    await reader.type(evidence)
    await reader.press("enter")


async def test_restore_puts_an_item_back_and_leaves_the_archive_alone(home: Path, today: date) -> None:
    async with reading(home, today) as reader:
        await reader.press("2", "G")
        await restore(reader, "seen in the shed this morning")
        assert reader.said[-1] == "Restored to data/learnings.md as aging."
        assert "In the memory again" not in reader.text()
        await reader.press("enter")
        assert "In the memory again: data/learnings.md:13." in reader.text()
        await reader.press("1")
        assert ROPES in reader.listed()
    restored = LEARNINGS + b"- Ropes lie in 4. <!--a:2026-10-01-->\n"
    assert reader.read("data/learnings.md") == restored
    assert reader.read("data/memory-archive.md") == ARCHIVE


async def test_restore_needs_evidence_and_takes_the_chosen_tier(home: Path, today: date) -> None:
    async with reading(home, today) as reader:
        await reader.press("2", "G")
        await restore(reader, "obviously")
        assert "“obviously” is not evidence" in reader.text()
        assert reader.read("data/learnings.md") == LEARNINGS
        await reader.press("shift+tab", "left", "tab")
        await reader.type(" no: the foreman said it")
        await reader.press("enter")
    assert reader.read("data/learnings.md") == LEARNINGS + b"- Ropes lie in 4. <!--P-->\n"


async def test_esc_restores_nothing(home: Path, today: date) -> None:
    async with reading(home, today) as reader:
        await reader.press("2", "G", "R")
        await reader.type("the foreman said it")
        await reader.press("escape")
        assert len(reader.app.screen_stack) == 1
    assert reader.read("data/learnings.md") == LEARNINGS


async def test_an_item_of_unknown_provenance_asks_for_its_file(home: Path, today: date) -> None:
    async with reading(home, today) as reader:
        await reader.press("2", "j", "R")
        assert "Where it came from is unknown: choose the file and the tier." in reader.text()
        await reader.type("the foreman said it")
        await reader.press("enter")
    restored = LEARNINGS + b"- Something that somebody wrote here by hand. <!--a:2026-10-01-->\n"
    assert reader.read("data/learnings.md") == restored


async def test_what_cannot_be_restored_is_a_sentence(home: Path, today: date) -> None:
    async with reading(home, today) as reader:
        await reader.press("2", "G", "R")
        await reader.type("the foreman said it")
        (home / "data/learnings.md").unlink()
        (home / "data/learnings.md").symlink_to("captain.md")
        await reader.press("enter")
        assert "learnings.md is a symbolic link, which is never followed" in reader.said[-1]
    assert reader.read("data/captain.md") == PLAIN["data/captain.md"]


async def test_the_archive_grows_while_it_is_looked_at(home: Path, today: date) -> None:
    async with reading(home, today) as reader:
        await reader.press("2", "G")
        new = b"- (from learnings.md, tier: aging, reinforced: never) New. [archived: x]\n"
        await reader.changes("data/memory-archive.md", ARCHIVE + b"\n## 2026-10-01 stow\n\n" + new)
        assert reader.under_cursor() == ROPES and reader.listed()[:2] == ["[2026-10-01 stow  (1)]", "New."]
        assert "the archive changed" in reader.text()


async def test_an_archive_that_is_not_there_says_what_would_fill_it(tmp_path: Path, today: date) -> None:
    home = lay(tmp_path / "home", {k: v for k, v in PLAIN.items() if "archive" not in k})
    async with reading(home, today) as reader:
        await reader.press("2")
        assert "data/memory-archive.md does not exist yet" in reader.text()
        assert "What a stow pass archives (s) appears here" in reader.text()
        await reader.press("R")
        assert reader.said[-1] == "There is no archived item under the cursor."


async def test_five_thousand_items_open_and_search_at_once(tmp_path: Path, today: date) -> None:
    parts = []
    for n in range(5000):
        if n % 50 == 0:
            parts.append(f"\n## {date.fromordinal(today.toordinal() - 200 + n // 50)} stow\n\n")
        parts.append(
            f"- (from learnings.md, tier: aging, reinforced: never) Fact {n} of many. [archived: x]\n"
        )
    store = Store.open(
        lay(tmp_path / "home", {**PLAIN, "data/memory-archive.md": "".join(parts).encode()}),
        env={},
        cwd=tmp_path,
        today=lambda: today,
    )
    async with reading(tmp_path / "home", today, store=store) as reader:
        began = time.process_time()
        await reader.press("2")
        assert len(reader.rows.source) == 5100
        await reader.press("slash")
        await reader.type("fact 4321")
        await reader.press("enter")
        assert time.process_time() - began < 4
        assert reader.listed() == ["[2026-06-09 stow  (1 of 50)]", "Fact 4321 of many."]
