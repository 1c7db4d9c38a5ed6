"""Archived items are found by words, patterns and filters, and taken out without what must not come back."""

from __future__ import annotations

import itertools
import json
from datetime import date

import pytest
from archive_texts import old_archives
from case_files import CASES
from hypothesis import given
from hypothesis import strategies as st

from floppy_tui.text.lines import decode
from floppy_tui.tiers.archive import Archive, read_archive
from floppy_tui.tiers.archive_search import ArchiveFilter, as_json, restorable, search

TEXT = """\
# Memory archive

- a line of before
## 2026-08-08 stow
- (from data/learnings.md, tier: aging, reinforced: 2026-07-01) The Lamp is up. [archived: unreinforced 38d]
- (from captain.md, tier: pinned, reinforced: never) Straße 7 [archived: superseded by the lamp]
## 2026-09-01 stow
- (from learnings.md, tier: perishable, reinforced: 2026-08-02) Gate R-9 [archived: unreinforced 30d]
"""


@pytest.fixture
def archive() -> Archive:
    return read_archive(TEXT)


@pytest.mark.parametrize(
    ("wanted", "lines"),
    [
        (ArchiveFilter(), [3, 5, 6, 8]),
        (ArchiveFilter("  "), [3, 5, 6, 8]),
        (ArchiveFilter("LAMP"), [5, 6]),
        (ArchiveFilter("is lamp"), [5]),
        (ArchiveFilter("strasse"), [6]),
        (ArchiveFilter("2026-09-01"), [8]),
        (ArchiveFilter("/r-\\d$/"), [8]),
        (ArchiveFilter("/^the lamp/"), [5]),
        (ArchiveFilter("/"), [5]),
        (ArchiveFilter("/lamp"), []),
        (ArchiveFilter(reason="Unreinforced"), [5, 8]),
        (ArchiveFilter(reason="unknown"), [3]),
        (ArchiveFilter(tier="pinned"), [6]),
        (ArchiveFilter(tier="unknown"), [3]),
        (ArchiveFilter(source="learnings.md"), [5, 8]),
        (ArchiveFilter(source="data/learnings.md"), [5]),
        (ArchiveFilter(source="unknown"), [3]),
        (ArchiveFilter(since=date(2026, 8, 8)), [5, 6, 8]),
        (ArchiveFilter(since=date(2026, 8, 9)), [8]),
        (ArchiveFilter(until=date(2026, 8, 8)), [5, 6]),
        (ArchiveFilter("lamp", tier="aging", reason="unreinforced", until=date(2026, 8, 31)), [5]),
    ],
)
def test_what_is_found(archive: Archive, wanted: ArchiveFilter, lines: list[int]) -> None:
    assert [item.first for item in search(archive, wanted)] == lines


@pytest.mark.parametrize("query", ["/[/", "/(a/", "/*/", f"/{'a' * 401}/"])
def test_a_bad_pattern_is_refused_in_a_sentence(archive: Archive, query: str) -> None:
    with pytest.raises(ValueError, match=r"(is not a regular expression|is longer than).*\.$"):
        search(archive, ArchiveFilter(query))


def test_a_pattern_without_end_is_refused() -> None:
    archive = read_archive("- " + "a" * 80 + "b")
    with pytest.raises(ValueError, match="takes too long"):
        search(archive, ArchiveFilter("/^(a|aa)+$/"))


def test_a_search_ends_with_its_time(archive: Archive) -> None:
    seconds = itertools.count()
    with pytest.raises(ValueError, match="takes too long"):
        search(archive, ArchiveFilter("/lamp/"), lambda: float(next(seconds)))


@given(
    old_archives(),
    st.one_of(st.text(max_size=8), st.text("[]()*+?{}\\/ab1,|^$", max_size=8).map("/{}/".format)),
)
def test_a_search_finds_or_refuses(text: str, query: str) -> None:
    archive = read_archive(text)
    try:
        found = search(archive, ArchiveFilter(query))
    except ValueError as error:
        assert str(error).endswith(".")
    else:
        assert set(found) <= set(archive.items)


CUT = "The text ends in dots as it was archived: what was cut cannot come back."
FOREIGN = "Where it came from is unknown: choose the file and the tier."


@pytest.mark.parametrize(
    ("prose", "text", "warnings"),
    [
        ("lamp", "lamp", []),
        ("lamp...", "lamp...", [CUT]),
        ("lamp… <!--g-->", "lamp…", ["A marker left in the text is dropped: <!--g-->.", CUT]),
        (
            "## Lamp <!--a:2026-07-28-->\n\n`<!--P-->` pins\n<!--p:2026-07-28/2-->\nand on",
            "## Lamp\n\n`<!--P-->` pins\nand on",
            ["A marker left in the text is dropped: <!--a:2026-07-28--> <!--p:2026-07-28/2-->."],
        ),
        ("so:\n```\na <!--P-->\n\n```\n<!-- note -->", "so:\n```\na <!--P-->\n\n```\n<!-- note -->", []),
        ("<!--P--> in the middle", "<!--P--> in the middle", []),
        (
            "<!--P-->",
            "",
            ["A marker left in the text is dropped: <!--P-->.", "It holds no text to put back."],
        ),
    ],
)
def test_what_is_put_back(prose: str, text: str, warnings: list[str]) -> None:
    quoted = "\n".join(f"  {line}" if line else "" for line in prose.split("\n")).strip()
    [item] = read_archive(f"- (from a.md, tier: aging) {quoted}\n  [archived: old]\n").items
    assert item.prose == prose
    assert restorable(item) == (text, tuple(warnings))


def test_what_is_put_back_from_the_cases() -> None:
    marked = read_archive(decode((CASES / "58-archive-brackets-in-text/data/memory-archive.md").read_bytes()))
    dropped = ("A marker left in the text is dropped: <!--a:2026-07-28-->.",)
    assert restorable(marked.items[3]) == ("Marker left in.", dropped)
    cut = read_archive(decode((CASES / "50-archive-canonical/data/memory-archive.md").read_bytes()))
    assert restorable(cut.items[0]) == ("Honey is stored upstairs during the fair...", (CUT,))
    [raw] = read_archive("- cold").items
    assert restorable(raw) == ("cold", (FOREIGN,))


def test_as_json(archive: Archive) -> None:
    assert [as_json(item) for item in archive.items[:2]] == [
        {
            "pass": "",
            "source": None,
            "tier": None,
            "reinforced": None,
            "reason": None,
            "prose": "a line of before",
            "lines": [3, 3],
        },
        {
            "pass": "2026-08-08",
            "source": "data/learnings.md",
            "tier": "aging",
            "reinforced": "2026-07-01",
            "reason": "unreinforced 38d",
            "prose": "The Lamp is up.",
            "lines": [5, 5],
        },
    ]
    [item] = read_archive("## caf\udce9\n- na\udcefve").items
    assert as_json(item)["pass"] == "caf\ufffd"
    assert json.dumps(as_json(item), ensure_ascii=False).encode()


@given(old_archives())
def test_every_item_is_json_and_can_be_put_back(text: str) -> None:
    for item in read_archive(text).items:
        assert json.dumps(as_json(item), ensure_ascii=False).encode()
        prose, _ = restorable(item)
        assert prose == prose.strip(" \t\r\n")
        assert restorable(item)[0] == prose
