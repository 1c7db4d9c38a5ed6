"""The rich sample home holds one of everything that a pass has a card for, on whatever day it is built."""

from __future__ import annotations

from collections import Counter
from datetime import date

import pytest
from sample_homes import DAYS, snapshot_of

from floppy_tui.demo import files
from floppy_tui.text.lines import bare, encode
from floppy_tui.tiers.archive_item import Departure, quote
from floppy_tui.tiers.conditions import find_condition
from floppy_tui.tiers.decisions import Verdict
from floppy_tui.tiers.document import Document, Entry, Kind
from floppy_tui.tiers.layout import CAPTAIN, LEARNINGS, SHARED
from floppy_tui.tiers.markers import Tier, repair
from floppy_tui.tiers.snapshot import Snapshot


@pytest.fixture(params=DAYS, ids=str)
def home(request: pytest.FixtureRequest) -> Snapshot:
    """The sample home on several days."""
    day: date = request.param
    return snapshot_of(files(day), day)


@pytest.fixture
def learnings(home: Snapshot) -> Document:
    """Its file with a clock."""
    document = home.document(LEARNINGS)
    assert document is not None
    return document


def starting(home: Snapshot, words: str) -> Entry:
    """The one entry that begins with ``words``."""
    (found,) = [e for e in home.entries if e.prose.startswith(words)]
    return found


def aged(home: Snapshot, tier: Tier, *, stale: bool) -> list[Entry]:
    """The entries of ``tier`` that are stale, or not."""
    return [e for e in home.entries if e.tier is tier and home.ages[e.id].stale is stale]


def under(document: Document, name: str) -> list[Entry]:
    """The entries under the heading ``name``."""
    return [e for e in document.entries if e.heading[-1:] == (name,)]


def test_every_tier_is_there_in_the_same_numbers_on_any_day(home: Snapshot) -> None:
    by_file = {
        file.path: Counter(e.tier.value for e in home.entries if e.file == file.path) for file in home.files
    }
    assert by_file == {
        CAPTAIN: {"pinned": 7},
        SHARED: {"pinned": 4},
        LEARNINGS: {"pinned": 5, "aging": 43, "perishable": 8, "unmarked": 14, "grace": 4},
    }
    assert len(aged(home, Tier.AGING, stale=True)) == 6
    assert len(aged(home, Tier.PERISHABLE, stale=True)) == 4


def test_the_files_are_of_the_size_of_real_ones(home: Snapshot) -> None:
    assert [round(file.size, -2) for file in home.files] == [1000, 400, 11000]
    assert [e.id for e in home.entries] == list(home.by_id)


def test_it_is_over_budget_by_a_sixth_and_a_sensible_pass_reaches_the_allowance(home: Snapshot) -> None:
    allowed = home.allowance.tokens
    assert allowed is not None
    assert 1.15 <= home.total / allowed <= 1.20
    leaving = [e for e in home.entries if e.tier is Tier.GRACE or home.ages[e.id].stale]
    after = home.total - sum(e.tokens for e in leaving)
    assert after > allowed, "something is left for eviction to do"
    evicted = 0
    # Room for the marks and pointers that the pass adds itself.
    for entry in sorted(aged(home, Tier.AGING, stale=False), key=lambda e: e.reinforced or date.max):
        if after + 100 > allowed:
            after -= entry.tokens
            evicted += 1
    assert 2 <= evicted <= 6


def test_each_file_has_another_header_pointer(home: Snapshot) -> None:
    said = {d.file: (d.pointer is not None, d.pointer_ok) for d in home.documents}
    assert said == {CAPTAIN: (False, False), SHARED: (True, False), LEARNINGS: (True, True)}
    assert all(file.document and not file.document.blocked for file in home.files)


def test_the_captains_file_has_prose_bullets_and_a_table(home: Snapshot) -> None:
    mine = [e for e in home.entries if e.file == CAPTAIN]
    assert Counter(e.kind for e in mine) == {Kind.SECTION: 3, Kind.ITEM: 4}
    assert "| new dependency | | yes |" in starting(home, "## Who decides").prose


def test_the_boundaries_of_the_aging_clock_are_there(home: Snapshot) -> None:
    days = {home.ages[e.id].days: home.ages[e.id].stale for e in home.entries if e.tier is Tier.AGING}
    assert days[29] is False and days[30] is True


@pytest.mark.parametrize(
    ("words", "stale", "verdict"),
    [
        ("The `/v2/levels` endpoint", True, Verdict.RESOLVED),
        ("Retries are off", True, Verdict.OPEN),
        ("Alerts for missing readings", True, Verdict.UNKNOWN),
        ("The staging key", True, None),
        ("The badge printer", False, Verdict.RESOLVED),
        ("The gauge at the north mole", False, Verdict.OPEN),
        ("The client stays at 3.x", False, Verdict.UNKNOWN),
    ],
)
def test_perishable_entries_name_conditions_of_every_kind(
    home: Snapshot, words: str, stale: bool, verdict: Verdict | None
) -> None:
    entry = starting(home, words)
    condition = find_condition(entry.prose, home.today)
    assert entry.tier is Tier.PERISHABLE and home.ages[entry.id].stale is stale
    assert (condition.verdict if condition else None) == verdict


def test_malformed_markers_are_found_with_their_repairs(home: Snapshot, learnings: Document) -> None:
    found = [f for f in learnings.findings if f.rule in ("malformed-marker", "impossible-date")]
    assert [f.rule for f in found] == ["malformed-marker"] * 3 + ["impossible-date"]
    assert learnings.findings == tuple(found)
    tails = [bare(learnings.lines[f.line - 1]).partition("<!--") for f in found]
    marks = [sep + rest for _, sep, rest in tails]
    repairs = [repair(mark, Tier.AGING, home.today) for mark in marks]
    assert [f.repair and f.repair.text for f in found] == repairs
    assert (
        marks[0].startswith("<!-- a:")
        and "/" in marks[1]
        and marks[2].endswith(" seen in import run 8812-->")
    )
    assert all(f.entry is not None and learnings.entries[f.entry].frozen for f in found)


def test_the_impossible_day_is_long_past_and_one_date_is_ahead(home: Snapshot) -> None:
    mended = repair(starting(home, "The release branch").mark.text, Tier.AGING, home.today)  # type: ignore[union-attr]
    assert mended is not None and (home.today - date.fromisoformat(mended[6:16])).days >= 30
    assert [e for e in home.entries if e.reinforced and e.reinforced > home.today] == [
        starting(home, "A crewmate that edits `openapi.yaml`")
    ]


def test_one_statement_stands_twice_and_two_pairs_nearly_so(home: Snapshot) -> None:
    exact, *near = [(home.entries[p.left].prose, home.entries[p.right].prose) for p in home.near]
    assert exact[0] == exact[1]
    begins = [(left[:13], right[:13]) for left, right in near]
    assert begins == [("Staging deplo",) * 2, ("`make verify`",) * 2]


def test_a_journal_and_a_list_are_wholly_unmarked(learnings: Document) -> None:
    journal = under(learnings, "Moving the sensor gateway")
    assert {e.tier for e in journal} == {Tier.UNMARKED}
    assert Counter(e.kind for e in journal) == {Kind.PARAGRAPH: 2, Kind.ITEM: 4}
    plain = under(learnings, "Odds and ends")
    assert {(e.tier, e.kind) for e in plain} == {(Tier.UNMARKED, Kind.ITEM)}
    assert {e.tier for e in under(learnings, "Older notes, not yet confirmed")} == {Tier.GRACE}


def test_entries_have_many_shapes(home: Snapshot, learnings: Document) -> None:
    parent = starting(home, "A task handed over")
    children = [e for e in learnings.entries if e.parent is not None]
    assert [learnings.entries[c.parent or 0] for c in children] == [parent, parent]
    assert [home.ages[c.id].stale for c in children] == [False, True]
    assert starting(home, "Level corrections").prose.endswith("what berthplan sees\n```")
    assert starting(home, "### Restore drill").kind is Kind.SECTION
    assert starting(home, "Safari keeps").prose.count("\n") == 1
    assert 850 <= len(encode(learnings.piece(starting(home, "Re-planning").own))) <= 950
    assert starting(home, "A crewmate silent").passes == 3
    scripts = [word for word in ("Łęgowo", "Θαλασσινή", "🧊", "Brännholmen", "’") if word in learnings.text]
    assert len(scripts) == 5


def test_the_archive_is_of_six_passes_and_the_time_before(home: Snapshot) -> None:
    archive = home.archive
    assert [len(items) for _, items in archive.passes] == [4, 5, 7, 8, 6, 6, 5]
    assert archive.findings == ()
    known = [item for item in archive.items if item.known]
    assert [item.known for item in archive.items] == [False] * 4 + [True] * 37
    lines = archive.text.split("\n")
    for item in known:
        departure = Departure(item.source, Tier(item.tier), item.reinforced, item.reason, item.prose)
        assert "\n".join(lines[item.first - 1 : item.last]) + "\n" == quote(departure)
    assert sum("\n" in item.prose for item in known) == 3


def test_the_archive_gives_every_reason_and_its_days_add_up(home: Snapshot) -> None:
    kinds = Counter()
    for item in home.archive.items[4:]:
        word = item.reason.split(":")[0].split(" by ")[0].split(" ")
        kinds[word[0] if word[0] in ("unreinforced", "superseded") else " ".join(word)] += 1
        assert item.day is not None and item.day < home.today
        if word[0] == "unreinforced":
            assert item.reinforced is not None
            assert item.reason == f"unreinforced {(item.day - item.reinforced).days}d"
            assert (item.day - item.reinforced).days >= (30 if item.tier == "aging" else 7)
    assert set(kinds) == {
        "unreinforced", "superseded", "budget oldest-first", "legacy-unvalidated", "low utility",
        "condition resolved",
    }  # fmt: skip
