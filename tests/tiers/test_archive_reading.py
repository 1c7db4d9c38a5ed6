"""Archives of every family read as they should; nothing in one is dropped, and nothing stops the reader."""

from __future__ import annotations

from datetime import date

import pytest
from archive_texts import old_archives
from case_files import CASES
from hypothesis import given
from hypothesis import strategies as st
from strategies import ANY_BYTES

from floppy_tui.text.lines import decode, encode
from floppy_tui.tiers.archive import Archive, read_archive
from floppy_tui.tiers.archive_item import ArchivedItem

Row = tuple[tuple[int, int], str, str, str, date | None, str, str]


def case(name: str, file: str = "data/memory-archive.md") -> Archive:
    data = (CASES / name / file).read_bytes()
    archive = read_archive(decode(data))
    assert encode(archive.text) == data
    return archive


def row(item: ArchivedItem) -> Row:
    return (
        (item.first, item.last),
        item.heading,
        item.source,
        item.tier,
        item.reinforced,
        item.reason,
        item.prose,
    )


def rules(archive: Archive) -> list[tuple[str, int]]:
    return [(finding.rule, finding.line) for finding in archive.findings]


def day(month: int, number: int) -> date:
    return date(2026, month, number)


LEARN, CAPTAIN = "learnings.md", "captain.md"
FIRST, SECOND, BARN = "2026-08-10 stow", "2026-08-30 stow", "2026-09-11 stow"


def test_the_documented_form() -> None:
    archive = case("50-archive-canonical")
    assert [row(item) for item in archive.items] == [
        ((4, 4), FIRST, LEARN, "perishable", day(7, 2), "unreinforced 39d",
         "Honey is stored upstairs during the fair..."),
        ((5, 5), FIRST, LEARN, "aging", day(7, 3), "unreinforced 38d", "The lamp wick is sold by length."),
        ((8, 8), SECOND, LEARN, "aging", day(8, 20), "unreinforced 10p", "The press jams on thick card."),
        ((9, 9), SECOND, LEARN, "aging", day(8, 1), "budget oldest-first", "Ink is mixed by weight."),
        ((10, 10), SECOND, CAPTAIN, "aging", day(7, 30), "unreinforced 31d", "The small bench has no vice."),
        ((11, 11), SECOND, LEARN, "aging", None, "legacy-unvalidated", "Old rumour about the cellar key."),
    ]  # fmt: skip
    assert [item.day for item in archive.items] == [day(8, 10)] * 2 + [day(8, 30)] * 4
    assert all(item.known for item in archive.items)
    assert [(heading, len(items)) for heading, items in archive.passes] == [(FIRST, 2), (SECOND, 4)]
    assert archive.findings == ()


def test_headings_and_items_of_other_tools() -> None:
    archive = case("52-archive-other-headings")
    archivist = "2026-09-25T08:15:30.000Z archivist"
    assert [row(item) for item in archive.items] == [
        ((6, 6), "2026-08-28 chronicle", "learnings.md", "aging", day(7, 20), "unreinforced 39d",
         "Glue sets slower in the loft."),
        ((7, 8), "2026-08-28 chronicle", "corrections.md", "", None, "superseded by the note of 25 August",
         "Hung the long nets\nindoors."),
        ((11, 11), "2026-09-24 notes pass", "learnings.md", "aging", day(8, 1), "unreinforced 54d",
         "Stale line."),
        ((14, 14), archivist, "", "", None, "",
         "Prefers tea. — Facts, aging, last confirmed 2026-07-01; unconfirmed for 60+ days"),
        ((15, 15), archivist, "", "", None, "",
         "Old plan. — Projects, perishable, last confirmed 2026-09-01; superseded by [a1b2c3]"),
        ((18, 18), "2026-09", "learnings.md", "aging", day(8, 2), "completed", "Under a month heading."),
        ((21, 21), "Cleared in the spring round - quiet lines", "", "", None, "",
         "A cold line with no provenance at all."),
    ]  # fmt: skip
    assert [item.known for item in archive.items] == [True, True, True, False, False, True, False]
    assert [item.day for item in archive.items][3:] == [day(9, 25), day(9, 25), None, None]
    assert archive.passes[-1] == ("2026-08-08 stow", ())
    assert rules(archive) == [("passes-out-of-order", 23), ("empty-pass", 23)]


def test_dated_lines_and_a_contract_comment() -> None:
    archive = case("54-archive-dated-line-shape", "memory/archive.md")
    assert [(item.first, item.last, item.known, item.heading) for item in archive.items] == [
        (line, line, False, "") for line in (9, 10, 11)
    ]
    assert archive.items[1].prose == (
        "2026-07-02 (from data/learnings.md, <!--P-->, archived 2026-08-20): gate opens inward."
        " Reason: gate replaced. Now: gates.md §East"
    )
    assert rules(archive) == [("marker-in-archive", 9)]


def test_a_memory_file_in_the_middle() -> None:
    archive = case("56-archive-whole-file-appended")
    known = [item for item in archive.items if item.known]
    assert [(item.first, item.heading, item.prose) for item in known] == [
        (4, "2026-08-08 stow", "Early item."),
        (18, "2026-09-01 stow", "Later item."),
    ]
    raw = [item for item in archive.items if not item.known]
    assert [(item.first, item.last, item.prose) for item in raw] == [
        (13, 13, "Body of the claim."),
        (15, 15, "A bullet that was live. <!--a:2026-08-01-->"),
    ]
    assert ("Learnings", ()) in archive.passes
    assert rules(archive) == [("marker-in-archive", 15)]


def test_brackets_everywhere() -> None:
    archive = case("58-archive-brackets-in-text")
    assert [(item.source, item.reason, item.prose) for item in archive.items] == [
        ("learnings.md", "unreinforced 45d", "(from the barn) the lamp [old] burns (slowly)."),
        ("learnings.md", "unreinforced 45d", 'Text that quotes "[archived: no]" itself.'),
        ("learnings.md", "superseded by [[lamp-note]] (see list)", "Reason with brackets."),
        ("learnings.md", "unreinforced 45d", "Marker left in. <!--a:2026-07-28-->"),
        ("dir (old)/learnings.md", "unreinforced 45d", "Bracket in the path."),
        ("learnings.md", "unreinforced 45d", "Blank after reason."),
        ("learnings.md", "unreinforced 45d", "No blank after provenance."),
    ]
    assert {(item.heading, item.tier, item.reinforced) for item in archive.items} == {
        (BARN, "aging", day(7, 28))
    }


LAMP = "- (from learnings.md, tier: aging, reinforced: 2026-07-01) lamp [archived: old]"


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("a\n\nb", [(1, 1, "a"), (3, 3, "b")]),
        ("# Title\n\nabout it\n\nfirst\nsecond", [(5, 6, "first\nsecond")]),
        ("# Title\n- first\n\nsecond", [(2, 2, "first"), (4, 4, "second")]),
        ("## 2026-08-08 stow\nfirst", [(2, 2, "first")]),
        ("- a\n  b\n\n  c\n\n\nd", [(1, 4, "a\nb\n\nc"), (7, 7, "d")]),
        ("1. a\n   b\n2. c\n-", [(1, 2, "a\nb"), (3, 3, "c"), (4, 4, "")]),
        ("  - a\n  - b\n    c", [(1, 1, "a"), (2, 3, "b\nc")]),
        ("- a\nwrapped\n# h\nb", [(1, 2, "a\nwrapped"), (4, 4, "b")]),
        (f"{LAMP}\nnot its line", [(1, 1, "lamp"), (2, 2, "not its line")]),
        (f"{LAMP}\n\n  but this is", [(1, 3, "lamp\n\nbut this is")]),
        ("- (from a.md, tier: aging)\n  lamp\n  [archived: old]  \n", [(1, 3, "lamp")]),
        ("- (from a.md,\n  tier: aging) lamp\nburns [archived: so\n  old]", [(1, 4, "lamp\nburns")]),
        ("- (from here on) the lamp burns", [(1, 1, "(from here on) the lamp burns")]),
        ("- (from a.md, tier: aging the lamp", [(1, 1, "(from a.md, tier: aging the lamp")]),
        ("- (from a.md, tier: aging) lamp", [(1, 1, "lamp")]),
        ("- (from a.md) lamp [archived: ", [(1, 1, "(from a.md) lamp [archived: ")]),
        (f"```\n# no\n{LAMP}\n```\nb", [(1, 4, f"```\n# no\n{LAMP}\n```"), (5, 5, "b")]),
        (f"```\nno\n{LAMP}", [(1, 2, "```\nno"), (3, 3, "lamp")]),
        ("```\nno\n\n## 2026-08-08 stow\n- b", [(1, 2, "```\nno"), (5, 5, "b")]),
        ("````\n```\n- a\n````\n- b", [(1, 4, "````\n```\n- a\n````"), (5, 5, "b")]),
        ("``` a`b\n- b", [(1, 1, "``` a`b"), (2, 2, "b")]),
        (f"<!--\nsample:\n--> no\n{LAMP}\n-->\nb", [(6, 6, "b")]),
        (f"<!--\nopen\n{LAMP}", [(1, 2, "<!--\nopen"), (3, 3, "lamp")]),
        ("<!-- one -->\n<!-- two\nlines -->\na", [(4, 4, "a")]),
        ("<!-- two\nlines --> a\nb", [(2, 3, "lines --> a\nb")]),
        ("<!-- two\n\n# h\n-->", [(1, 1, "<!-- two"), (4, 4, "-->")]),
        ("<!-- one --> and text", [(1, 1, "<!-- one --> and text")]),
        ("a\n---\n***\n* * *\nb", [(1, 1, "a"), (5, 5, "b")]),
        ("#no heading\n#", [(1, 1, "#no heading")]),
        ("\ufeff- a\r\n  b\r\n\r\n- c\r", [(1, 2, "a\nb"), (4, 4, "c")]),
        ("a\u2028b\x0cc\u0085d\re", [(1, 1, "a\u2028b\x0cc\u0085d\re")]),
        ("", []),
        ("\n \n", []),
    ],
)  # fmt: skip
def test_nothing_is_dropped(text: str, items: list[tuple[int, int, str]]) -> None:
    assert [(item.first, item.last, item.prose) for item in read_archive(text).items] == items


def test_words_after_the_reason_stay() -> None:
    [item] = read_archive("- (from a.md) lamp [archived: old] and more").items
    assert (item.known, item.prose, item.reason) == (True, "lamp and more", "old")


def test_what_is_left_open_is_named() -> None:
    assert rules(read_archive("<!-- open\n\n```\n## 2026-08-08 stow\n- a\n\n<!--\n")) == [
        ("unclosed-comment", 1),
        ("unclosed-fence", 3),
        ("unclosed-comment", 7),
    ]


@pytest.mark.parametrize(
    ("heading", "found"),
    [
        ("2026-08-08 stow", day(8, 8)),
        ("2026-08-08", day(8, 8)),
        ("2026-02-30 stow", None),
        ("2026-08-081", None),
        ("stow 2026-08-08", None),
        ("２０２６-08-08 stow", None),
    ],
)
def test_the_day_of_a_pass(heading: str, found: date | None) -> None:
    [item] = read_archive(f"### {heading} ###\n- a").items
    assert (item.heading, item.day) == (heading, found)


@given(st.one_of(ANY_BYTES.map(decode), old_archives(), st.text(max_size=80)))
def test_any_text_is_read_and_each_line_at_most_once(text: str) -> None:
    archive = read_archive(text)
    assert archive.text == text
    last = 0
    for item in archive.items:
        assert last < item.first <= item.last <= text.count("\n") + 1
        last = item.last
    assert tuple(item for group in archive.passes for item in group.items) == archive.items


@given(st.text("ab-*1.) \t\n`~[]:(", max_size=60), st.sampled_from(["\n", "\r\n"]))
def test_every_line_without_structure_is_in_an_item(text: str, eol: str) -> None:
    covered = {
        line
        for item in read_archive(text.replace("\n", eol)).items
        for line in range(item.first, item.last + 1)
    }
    for number, line in enumerate(text.split("\n"), 1):
        is_rule = not line.strip("- \t") or not line.strip("* \t")
        assert number in covered or is_rule
