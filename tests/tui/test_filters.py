"""The filter lines: what their words mean, what they complete, and what they say of nonsense."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from floppy_tui.tiers.archive import read_archive
from floppy_tui.tiers.archive_search import ArchiveFilter
from floppy_tui.tiers.markers import Tier
from floppy_tui.tui.filters import archive, memory
from floppy_tui.tui.filters.words import completions, split
from floppy_tui.tui.memory_rows import MemoryRow


def row(**said: object) -> MemoryRow:
    """A row that says what is given, and plain things else."""
    plain: dict[str, object] = {
        "id": "1",
        "tier": Tier.AGING,
        "days": 12,
        "left": 18,
        "stale": False,
        "cause": "",
        "tokens": 40,
        "file": "learnings",
        "lead": "The gate",
        "haystack": "the gate sticks: see http://quay.test\nquay",
        "place": 0,
        "findings": 0,
        "editable": True,
    }
    return MemoryRow(**{**plain, **said})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "lets"),
    [
        ("", True),
        ("gate", True),
        ("GATE Sticks", True),
        ("gate lamp", False),
        ("-lamp", True),
        ("-gate", False),
        ('"the gate"', True),
        ('"gate the"', False),
        ("tier:aging", True),
        ("tier:ag", True),
        ("tier:pinned", False),
        ("tier:pinned,aging", True),
        ("-tier:pinned", True),
        ("tier:", True),
        ("file:learn", True),
        ("file:shared", False),
        ("tokens>39", True),
        ("tokens>40", False),
        ("tokens>=40 tokens<41", True),
        ("tokens=40", True),
        ("age>10 left<19", True),
        ("stale", False),
        ("-stale", True),
        ('"stale"', False),
        ("unmarked", False),
        ("finding", False),
        ("readonly", False),
        ("http://quay.test", True),
        ("sticks:", True),
    ],
)
def test_memory_words(line: str, lets: bool) -> None:
    wanted = memory.parse(line)
    assert wanted.lets(row()) is lets and not wanted.problem


def test_memory_states() -> None:
    assert memory.parse("stale").lets(row(stale=True))
    assert memory.parse("unmarked").lets(row(tier=Tier.UNMARKED))
    assert memory.parse("finding").lets(row(findings=1))
    assert memory.parse("readonly").lets(row(editable=False))
    assert not memory.parse("age>3").lets(row(days=None))


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("tier:agng", "No tier is called agng: pinned, aging, perishable, grace, unmarked."),
        ("tokens>many", "tokens>many needs a number, such as tokens>50."),
        ("tier>aging", "tier>aging needs a colon, as in tier:…"),
    ],
)
def test_nonsense_is_named_and_left_out(line: str, says: str) -> None:
    wanted = memory.parse(f"{line} gate")
    assert wanted.problem == says and wanted.lets(row())


@given(st.text(max_size=40))
def test_any_line_is_a_filter(line: str) -> None:
    memory.parse(line).lets(row())
    archive.parse(line)
    for word in split(line, memory.KEYS):
        assert line[word.start :].startswith(word.spelled)


def test_completions() -> None:
    vocabulary = memory.vocabulary(("captain", "shared", "learnings"))
    assert completions("ti", vocabulary) == ("tier:",)
    assert completions("gate tier:p", vocabulary) == ("gate tier:pinned", "gate tier:perishable")
    assert completions("file:", vocabulary) == ("file:captain", "file:shared", "file:learnings")
    assert completions("-st", vocabulary) == ("-stale",)
    assert completions("tier:pinned", vocabulary) == ()
    assert completions("tier:pinned ", vocabulary) == ()
    assert completions("", vocabulary) == ()


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("lock rusty", ArchiveFilter("lock rusty")),
        ("/ro.es? lie/", ArchiveFilter("/ro.es? lie/")),
        ("reason:budget tier:aging", ArchiveFilter(reason="budget", tier="aging")),
        ('reason:"budget oldest-first" x', ArchiveFilter("x", reason="budget oldest-first")),
        ("source:learnings", ArchiveFilter(source="learnings.md")),
        ("source:notes.md", ArchiveFilter(source="notes.md")),
        ("since:2026-08", ArchiveFilter(since=date(2026, 8, 1))),
        ("until:2026-02", ArchiveFilter(until=date(2026, 2, 28))),
        ("date:2026", ArchiveFilter(since=date(2026, 1, 1), until=date(2026, 12, 31))),
        ("date:2026-08-08", ArchiveFilter(since=date(2026, 8, 8), until=date(2026, 8, 8))),
        ("/usr/bin", ArchiveFilter("/usr/bin")),
        ("tier: x", ArchiveFilter("x")),
    ],
)
def test_archive_words(line: str, wanted: ArchiveFilter) -> None:
    spelled = archive.parse(line, ("learnings.md",))
    assert spelled.wanted == wanted and not spelled.problem


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("since:yesterday", "since:yesterday is no date: write 2026, 2026-08 or 2026-08-31."),
        ("date:2026-13", "date:2026-13 is no date: write 2026, 2026-08 or 2026-08-31."),
        ("-tier:aging", "-tier:aging means nothing here; write tier:…"),
        ("/a/ b", "The pattern /a/ is looked for alone, without the other words."),
    ],
)
def test_archive_nonsense_is_named(line: str, says: str) -> None:
    assert archive.parse(line).problem == says


def test_the_archives_own_words_are_completed() -> None:
    known = "- (from notes.md, tier: aging, reinforced: never) x [archived: budget oldest-first]\n"
    text = f"## 2026-08-08 stow\n\n{known}- y\n"
    vocabulary = archive.vocabulary(read_archive(text))
    assert completions("reason:b", vocabulary) == ("reason:budget",)
    assert completions("source:", vocabulary) == ("source:notes.md", "source:unknown")
    assert completions("since:", vocabulary) == ("since:2026-08-08",)
