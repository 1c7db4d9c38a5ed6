"""``archive``: looking through what left, and bringing it back without touching the archive."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]
Complained = Callable[[Result], str]

ARCHIVE = b"""# Memory archive

## 2026-08-08 stow
- (from learnings.md, tier: perishable, reinforced: 2026-06-30) The gate sticks until 2026-07-01. [archived: unreinforced 39d]
- (from captain.md, tier: pinned, reinforced: never) Two
  lines \xff here. [archived: superseded by words]

## 2026-09-09 stow
- (from learnings.md, tier: aging, reinforced: never) Cranes \x1b[31m turn. [archived: legacy-unvalidated]
- Someone's own \xe2\x80\xae line.
"""  # noqa: E501


@pytest.fixture
def home(home: Path) -> Path:
    """The home with two passes in its archive."""
    (home / "data/memory-archive.md").write_bytes(ARCHIVE)
    (home / "data/learnings.md").write_bytes(
        b"<!-- memory tiers: see the stow skill -->\r\n\r\n- Kept. <!--a:2026-09-30-->\r\n"
    )
    return home


def found(run: Run, home: Path, *words: str) -> list[str]:
    """The prose that the verb's JSON lists."""
    result = run("archive", *words, "--home", home, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    return [item["prose"].split()[0] for item in json.loads(result.stdout_bytes)]


def test_every_item_is_listed_in_the_stable_form(run: Run, home: Path) -> None:
    items = json.loads(run("archive", "list", "--home", home, "--json").stdout_bytes)
    assert items[1] == {
        "pass": "2026-08-08",
        "source": "captain.md",
        "tier": "pinned",
        "reinforced": None,
        "reason": "superseded by words",
        "prose": "Two\nlines \ufffd here.",
        "lines": [5, 6],
    }
    assert items[3]["source"] is None and items[3]["prose"] == "Someone's own \u202e line."


def test_words_patterns_and_filters_find(run: Run, home: Path) -> None:
    assert found(run, home, "list") == ["The", "Two", "Cranes", "Someone's"]
    assert found(run, home, "search", "sticks", "gate") == ["The"]
    assert found(run, home, "search", "/^two$/") == ["Two"]
    assert found(run, home, "search", "nothing like it") == []
    assert found(run, home, "list", "--source", "learnings.md", "--since", "2026-09-01") == ["Cranes"]
    assert found(run, home, "list", "--until", "2026-08-08", "--tier", "pinned") == ["Two"]
    assert found(run, home, "list", "--reason", "legacy") == ["Cranes"]


def test_what_is_printed_drives_no_terminal(run: Run, home: Path) -> None:
    result = run("archive", "list", "--home", home)
    assert result.stdout.splitlines()[0].endswith(
        "4 2026-08-08  learnings.md perishable (unreinforced 39d)  The gate sticks until 2026-07-01."
    )
    assert "Cranes ␛[31m turn." in result.stdout and "own ⟨U+202E⟩ line." in result.stdout


def test_an_item_is_shown_whole(run: Run, home: Path) -> None:
    result = run("archive", "show", "6", "--home", home)
    assert result.stdout.endswith("lines:      5-6\n\nTwo\nlines \ufffd here.\n")
    assert json.loads(run("archive", "show", "5", "--home", home, "--json").stdout)["lines"] == [5, 6]


def test_restore_stamps_it_and_leaves_the_archive(run: Run, home: Path) -> None:
    result = run(
        "archive", "restore", "9", "--tier", "aging", "--evidence", "task crane-3 saw it", "--home", home
    )
    assert (result.exit_code, result.stderr) == (0, "")
    assert (home / "data/memory-archive.md").read_bytes() == ARCHIVE
    assert (home / "data/learnings.md").read_bytes() == (
        b"<!-- memory tiers: see the stow skill -->\r\n\r\n- Kept. <!--a:2026-09-30-->\r\n"
        b"- Cranes \x1b[31m turn. <!--a:2026-10-01-->\r\n"
    )


def test_a_restore_says_what_it_became(run: Run, home: Path) -> None:
    words = ["--tier", "perishable", "--evidence", "task crane-3 saw it", "--home", home, "--json"]
    back = json.loads(run("archive", "restore", "9", *words).stdout_bytes)
    (entry,) = json.loads(run("entries", "--home", home, "--json").stdout_bytes)[1:]
    assert back == {
        "entry": entry["id"],
        "file": "data/learnings.md",
        "tier": "aging",
        "evidence": "task crane-3 saw it",
    }


REFUSED = {
    "no such line": ("restore", "1", "--tier", "aging", "--evidence", "task crane-3 saw it"),
    "no evidence": ("restore", "9", "--tier", "aging", "--evidence", "seems right"),
    "own words": ("restore", "4", "--tier", "aging", "--evidence", "The gate sticks"),
    "no option": ("restore", "9", "--tier", "aging"),
    "no tier": ("restore", "9", "--evidence", "task crane-3 saw it", "--tier", "grace"),
    "no item": ("show", "3"),
    "no date": ("list", "--since", "yesterday"),
    "no pattern": ("search", "/(/"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_changes_no_byte(
    run: Run, home: Path, seen: Callable[[Path], object], complained: Complained, name: str
) -> None:
    before = seen(home / "data")
    assert complained(run("archive", *REFUSED[name], "--home", home))
    assert seen(home / "data") == before


def test_a_linked_archive_is_refused(run: Run, home: Path, complained: Complained) -> None:
    (home / "data/memory-archive.md").rename(home / "real.md")
    (home / "data/memory-archive.md").symlink_to(home / "real.md")
    for words in (("list",), ("show", "4")):
        result = run("archive", *words, "--home", home)
        assert "memory-archive.md" in complained(result) and result.stdout == ""
