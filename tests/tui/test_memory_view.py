"""The Memory view as a person uses it."""

from __future__ import annotations

import subprocess
import sys
import time
from datetime import date, timedelta
from pathlib import Path

import pytest
from view_pilot import CAPTAIN, LEARNINGS, PLAIN, lay, reading

from floppy_tui.store.live import Store, StoreError
from floppy_tui.tui.widgets.gauge import Figures, Gauge

GATE = "The gate sticks in the rain."
CRANE = "The crane needs a seed above zero."
SLOT = "Pool slot five lies on the slow disk."
TIDE = "The tide table is wrong until 2026-10-09."
INVOICES = "Invoices come from the contract."
DAEMON = "Never restart the daemon by hand, see https://quay.test/daemon."
MAIN = "Merging to main is mine alone."
ANSWER = "Answer first, reasons after."
ALL = [MAIN, ANSWER, GATE, CRANE, SLOT, TIDE, INVOICES, DAEMON]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return lay(tmp_path / "home", PLAIN)


async def test_the_table_lists_every_entry_with_its_clock(home: Path, today: date) -> None:
    async with reading(home, today) as reader:
        assert reader.listed() == ALL
        lines = [line[1:].split() for line in reader.text().split("\n")]
        rows = [line for line in lines if line and line[0] in "◆●◌○·"]
        assert [line[:4] for line in rows] == [
            ["◆", "P", "11", "captain"],
            ["◆", "P", "11", "captain"],
            ["●", "a", "11d", "19d"],
            ["·", "-", "no", "date"],
            ["●", "a", "61d", "stale"],
            ["◌", "p", "3d", "4d"],
            ["○", "g", "grace", "15"],
            ["◆", "P", "25", "learnings"],
        ]
        assert "8 entries" in reader.text() and "1 stale" in reader.text()


async def test_the_keys_move_and_the_ends_are_ends(home: Path, today: date) -> None:
    async with reading(home, today) as reader:
        await reader.press("j", "j")
        assert reader.under_cursor() == GATE
        await reader.press("down", "k")
        assert reader.under_cursor() == GATE
        await reader.press("G", "j")
        assert reader.under_cursor() == DAEMON
        await reader.press("g", "up")
        assert reader.under_cursor() == MAIN


@pytest.mark.parametrize(
    ("typed", "left"),
    [
        ("tier:aging", [GATE, SLOT]),
        ("file:captain", [MAIN, ANSWER]),
        ("stale", [SLOT]),
        ("unmarked", [CRANE]),
        ("tokens>18 -daemon", [SLOT, TIDE]),
        ("quay", [TIDE, INVOICES, DAEMON]),
        ("nothing like it", []),
    ],
)
async def test_the_filter_line(home: Path, today: date, typed: str, left: list[str]) -> None:
    async with reading(home, today) as reader:
        await reader.press("slash")
        await reader.type(typed)
        assert reader.listed() == left
        await reader.press("enter", "q" if not left else "j")
        if left:
            assert reader.under_cursor() == left[min(1, len(left) - 1)]
            await reader.press("escape")
            assert reader.listed() == ALL


async def test_a_filter_without_result_says_how_to_go_back(home: Path, today: date) -> None:
    async with reading(home, today) as reader:
        await reader.press("slash")
        await reader.type("zzz")
        assert "No entry matches the filter. esc shows them all again." in reader.text()
        await reader.press("escape", "escape")
        assert reader.listed() == ALL


async def test_tab_completes_and_nonsense_is_named(home: Path, today: date) -> None:
    async with reading(home, today) as reader:
        await reader.press("slash")
        await reader.type("ti")
        await reader.press("tab")
        assert reader.view.filter_line.value == "tier:"
        assert "tier:pinned  tier:aging  tier:perishable  tier:grace  tier:unmarked" in reader.text()
        await reader.type("pe")
        await reader.press("tab")
        assert reader.listed() == [TIDE]
        await reader.type("x")
        assert "No tier is called perishablex" in reader.text()


async def test_the_cursor_stays_on_its_entry_whatever_the_order(home: Path, today: date) -> None:
    async with reading(home, today) as reader:
        await reader.press("j", "j")
        orders = []
        for _ in range(5):
            await reader.press("o")
            assert reader.under_cursor() == GATE
            orders.append(reader.listed())
        assert orders[0] == [MAIN, ANSWER, DAEMON, SLOT, GATE, TIDE, INVOICES, CRANE]
        assert orders[1][:3] == [SLOT, TIDE, GATE]
        assert orders[2][0] == DAEMON
        assert orders[3] == sorted(ALL)
        assert orders[4] == ALL
        await reader.press("O")
        assert reader.listed() == ALL[::-1] and reader.under_cursor() == GATE


async def test_a_click_selects_and_a_click_on_a_title_sorts(home: Path, today: date) -> None:
    async with reading(home, today) as reader:
        y = next(n for n, line in enumerate(reader.text().split("\n")) if "crane" in line)
        await reader.pilot.click(offset=(40, y))
        await reader.settle()
        assert reader.under_cursor() == CRANE
        header = reader.text().split("\n")[4]
        await reader.pilot.click(offset=(header.index("tokens"), 4))
        await reader.settle()
        assert reader.listed()[0] == DAEMON and reader.under_cursor() == CRANE
        await reader.pilot.click(offset=(header.index("tokens"), 4))
        await reader.settle()
        assert reader.listed()[-1] == DAEMON


async def test_the_detail_says_all_about_an_entry(home: Path, today: date) -> None:
    async with reading(home, today, (160, 50)) as reader:
        await reader.press("G", "k", "k")
        seen = reader.text()
        for words in (
            "perishable",
            "data/learnings.md:10",
            "Learnings › Quay",
            "Reinforced 2026-09-28, 3 days ago; stale in 4 days.",
            "marker <!--p:2026-09-28-->",
            "A pass today",
        ):
            assert words in seen
        await reader.press("v")
        assert reader.text().count("<!--p:2026-09-28-->") == 2


async def test_the_commits_of_an_entry_are_shown_where_its_file_is_tracked(home: Path, today: date) -> None:
    for words in (["init", "-q"], ["add", "data/learnings.md"], ["commit", "-q", "-m", "Note [/x] the gate"]):
        subprocess.run(["git", "-C", str(home), *words], check=True)
    async with reading(home, today, (160, 50)) as reader:
        await reader.press("j", "j")
        await reader.until(lambda: "Note [/x] the gate" in reader.text())
        assert "In git" in reader.text()


async def test_what_says_something_alike_is_shown(tmp_path: Path, today: date) -> None:
    twice = LEARNINGS + b"- The gate sticks in the heavy rain. <!--a:2026-09-01-->\n"
    home = lay(tmp_path / "home", {**PLAIN, "data/learnings.md": twice})
    async with reading(home, today, (160, 50)) as reader:
        await reader.press("G")
        await reader.until(lambda: "Says something alike" in reader.text())
        assert "100% data/learnings.md:4 The gate sticks in the rain." in reader.text()


async def test_a_narrow_screen_folds_the_detail_away(home: Path, today: date) -> None:
    async with reading(home, today) as reader:
        assert not reader.view.detail.display
        await reader.press("j", "enter")
        assert reader.view.detail.display and "Pinned: no clock is read for it." in reader.text()
        await reader.press("j")
        assert reader.under_cursor() == GATE and "marker <!--a:2026-09-20-->" in reader.text()
        await reader.press("enter")
        assert reader.view.detail.has_focus
        await reader.press("escape")
        assert reader.rows.has_focus
        await reader.press("escape")
        assert not reader.view.detail.display


async def test_copy_takes_the_words(home: Path, today: date) -> None:
    async with reading(home, today) as reader:
        await reader.press("G", "y")
        assert reader.app.clipboard == DAEMON and reader.said[-1] == f"Copied {len(DAEMON)} characters."


async def test_a_link_is_opened_only_after_its_address_was_shown(
    home: Path, today: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with reading(home, today) as reader:
        opened: list[str] = []
        monkeypatch.setattr(reader.app, "open_url", opened.append)
        await reader.press("L")
        assert reader.said[-1] == "There is no web address in this text."
        await reader.press("G", "L")
        assert "https://quay.test/daemon" in reader.text() and not opened
        await reader.press("escape")
        assert not opened
        await reader.press("L", "enter")
        assert opened == ["https://quay.test/daemon"]


async def test_the_editor_gets_file_and_line_and_the_home_is_read_again(
    home: Path, today: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    launched: list[tuple[Path, int]] = []

    def edit(path: Path, line: int) -> None:
        launched.append((path, line))
        path.write_bytes(path.read_bytes().replace(b"sticks", b"jams"))

    async with reading(home, today, launch_editor=edit) as reader:
        await reader.press("j", "j", "e")
        assert launched == [] and "cannot be handed to an editor" in reader.said[-1]
        monkeypatch.setattr(reader.app, "suspend", no_suspense)
        await reader.press("e")
        assert launched == [(home / "data/learnings.md", 4)]
        assert reader.under_cursor() == "The gate jams in the rain."


async def test_an_editor_that_fails_is_a_sentence(
    home: Path, today: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(path: Path, line: int) -> None:
        raise StoreError("no-such-editor could not be run.")

    async with reading(home, today, launch_editor=fail) as reader:
        monkeypatch.setattr(reader.app, "suspend", no_suspense)
        await reader.press("e")
        assert reader.said[-1] == "no-such-editor could not be run."


async def test_the_editor_of_the_settings_is_run(
    home: Path, today: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = home / "editor.py"
    script.write_text("import sys; open(sys.argv[-1], 'ab').write(b'- By the editor.\\n')")
    async with reading(home, today, settings={"editor": f"{sys.executable} {script}"}) as reader:
        monkeypatch.setattr(reader.app, "suspend", no_suspense)
        await reader.press("e")
        assert "By the editor." in reader.listed()


class no_suspense:
    """A terminal that is handed over and back without effect."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, *error: object) -> None:
        return None


# What changes on disk.


async def test_a_change_on_disk_is_shown_and_keeps_cursor_filter_and_scroll(
    tmp_path: Path, today: date
) -> None:
    many = b"".join(
        b"- Number %d of many lines. <!--a:2026-09-%02d-->\n" % (n, n % 28 + 1) for n in range(60)
    )
    home = lay(tmp_path / "home", {**PLAIN, "data/learnings.md": many})
    async with reading(home, today) as reader:
        await reader.press("slash")
        await reader.type("number")
        await reader.press("enter", *["j"] * 30)
        key, line = reader.rows.key, reader.rows.cursor - round(reader.rows.scroll_y)
        assert reader.under_cursor() == "Number 30 of many lines."
        await reader.changes("data/learnings.md", b"- One more number.\n- Another number.\n" + many)
        assert reader.rows.key == key and reader.rows.cursor == 32
        assert reader.rows.cursor - round(reader.rows.scroll_y) == line
        assert len(reader.listed()) == 62 and "learnings: 2 new" in reader.text()
        await reader.changes("data/learnings.md", many.replace(b"- Number 30 of", b"- Number thirty of"))
        assert reader.under_cursor() == "Number thirty of many lines."
        assert reader.rows.cursor - round(reader.rows.scroll_y) == line
        assert "learnings: 1 reworded, 2 gone" in reader.text()


async def test_the_watch_shows_a_change_by_itself(home: Path, today: date) -> None:
    async with reading(home, today) as reader:
        await reader.press("j", "j")
        later = home / "data" / "later"
        later.write_bytes(LEARNINGS.replace(b"2026-09-20", b"2026-10-01"))
        later.replace(home / "data/learnings.md")
        await reader.until(lambda: "learnings: 1 marked" in reader.text())
        assert reader.under_cursor() == GATE
        (home / "data/learnings.md").unlink()
        await reader.until(lambda: "learnings: absent" in reader.text())
        assert reader.listed() == [MAIN, ANSWER]


async def test_what_is_typed_is_not_disturbed_by_a_change(home: Path, today: date) -> None:
    async with reading(home, today) as reader:
        await reader.press("slash")
        await reader.type("gat")
        await reader.changes("data/learnings.md", LEARNINGS + b"- A gate of its own.\n")
        await reader.type("e")
        assert reader.view.filter_line.value == "gate" and reader.view.filter_line.has_focus
        assert reader.listed() == [GATE, "A gate of its own."]


# What there is to say where there is nothing to show.


async def test_an_empty_home_says_why_and_what_would_fill_it(tmp_path: Path, today: date) -> None:
    home = lay(tmp_path / "home", {"data/captain.md": b"# Captain\n"})
    async with reading(home, today, (99, 40)) as reader:
        seen = " ".join(reader.text().split())
        assert "data/captain.md holds no entries." in seen
        assert "data/learnings.md does not exist." in seen
        assert "what you write there with an editor" in seen
        assert "no usable allowance" in seen and "config/startup-memory-budget" in seen.replace(" ", "")


async def test_a_refused_file_is_named(tmp_path: Path, today: date) -> None:
    home = lay(tmp_path / "home", {**PLAIN})
    (home / "data/learnings.md").unlink()
    (home / "data/learnings.md").symlink_to(home / "data/captain.md")
    async with reading(home, today, (160, 50)) as reader:
        assert "symbolic link" in reader.text() and "learnings refused" in reader.text()
        assert reader.listed() == [MAIN, ANSWER]
    assert (home / "data/captain.md").read_bytes() == CAPTAIN


async def test_a_read_only_file_says_so(tmp_path: Path, today: date) -> None:
    shared = b"- Times are written in UTC.\n"
    files = {**PLAIN, "data/captain-shared.md": shared, ".fm-secondmate-home": b""}
    home = lay(tmp_path / "home", files)
    async with reading(home, today, (160, 50)) as reader:
        assert "shared 10 read-only" in reader.text() and "secondmate" in reader.text()
        await reader.press("slash")
        await reader.type("readonly")
        assert reader.listed() == ["Times are written in UTC."]
        assert "Read-only here: this file belongs to the primary home." in reader.text()


# The gauge.


@pytest.mark.parametrize(
    ("figures", "bar", "says"),
    [
        (
            Figures(
                (("captain", 20, ""), ("shared", 0, "absent"), ("learnings", 30, "")), 50, "100", 100, True
            ),
            "████▒▒▒▒▒▒··········",
            "50 of 100 tokens, 50 free",
        ),
        (
            Figures((("captain", 50, ""), ("learnings", 150, "")), 200, "100", 100, False),
            "█████▓▓▓▓▓┃▓▓▓▓▓▓▓▓▓",
            "200 of 100 tokens, 100 over",
        ),
        (
            Figures((("captain", 60, ""), ("learnings", 140, "")), 200, "400", 400, True, after=100),
            "███▓▓░░░░░··········",
            "200 of 400 tokens, 200 free",
        ),
        (
            Figures((("captain", 9, ""),), 9, "", None, False),
            "████████████████████",
            "9 tokens, no usable allowance",
        ),
        (
            Figures((("captain", 9, ""),), 9, "9" * 5000, None, True),
            "████████████████████",
            "9 of 999999… (5000 digits) tokens, within budget",
        ),
    ],
)
def test_the_gauge(figures: Figures, bar: str, says: str) -> None:
    gauge = Gauge()
    assert gauge.bar(figures, 20).plain == bar
    assert gauge.verdict(figures).plain == says


async def test_the_gauge_shows_what_an_open_pass_would_leave(home: Path, today: date) -> None:
    async with reading(home, today) as reader:
        assert "after the pass" not in reader.text()
        await reader.press("s", "5", "x", "enter", "escape")
        assert len(reader.app.screen_stack) == 1
        assert "after the pass" in reader.text()


async def test_ten_thousand_entries_do_not_block(tmp_path: Path, today: date) -> None:
    day = today - timedelta(days=3)
    lines = (f"- Entry {n} says its own thing. <!--a:{day}-->\n" for n in range(10_000))
    files = {"config/startup-memory-budget": b"7500\n", "data/learnings.md": "".join(lines).encode()}
    store = Store.open(lay(tmp_path / "home", files), env={}, cwd=tmp_path, today=lambda: today)
    store.load_pass = hang  # type: ignore[method-assign]
    async with reading(tmp_path / "home", today, store=store) as reader:
        began = time.process_time()
        for key in ("G", "g", "pagedown", "j", "o", "O", "G"):
            await reader.press(key)
        assert time.process_time() - began < 3
        assert reader.under_cursor() and len(reader.rows.source) == 10_000


async def test_a_line_of_megabytes_is_shown_by_its_beginning(tmp_path: Path, today: date) -> None:
    huge = b"- " + b"word " * 1_000_000 + b"end <!--a:2026-09-20-->\n"
    home = lay(tmp_path / "home", {**PLAIN, "data/learnings.md": huge})
    async with reading(home, today, (160, 50)) as reader:
        began = time.process_time()
        await reader.press("G", "v", "v", "L", "y")
        assert time.process_time() - began < 3
        await reader.press("enter", "G")
        assert "4,990,003 more characters; the file holds them all." in " ".join(reader.text().split())
        assert reader.said[-1].startswith("The text is too long")


def hang(snapshot: object) -> tuple[tuple[()], tuple[()]]:
    """The plan of so large a home is another test's subject."""
    raise StoreError("no plan here")
