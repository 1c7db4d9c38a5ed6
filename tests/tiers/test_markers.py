"""Markers: one spelling each, read only at a line's end and outside code; what looks like one is found."""

from __future__ import annotations

from datetime import date

import pytest
from edit_acts import read
from hypothesis import given
from hypothesis import strategies as st
from strategies import LOOKALIKES, MARKERS, prose

from floppy_tui.text.identity import identity
from floppy_tui.tiers.markers import (
    Tier,
    looks_like_marker,
    parse_marker,
    repair,
    scan,
    spell,
    without_markers,
)

TODAY = date(2026, 10, 1)
DAYS = st.dates(date(1, 1, 1), date(9999, 12, 31))


@given(st.sampled_from([Tier.AGING, Tier.PERISHABLE]), DAYS, st.integers(0, 10**12))
def test_a_dated_marker_comes_back(tier: Tier, day: date, passes: int) -> None:
    spelled = spell(tier, day, passes)
    marker = parse_marker(spelled)
    assert marker is not None
    assert (marker.tier, marker.reinforced, marker.passes) == (tier, day, passes)
    assert not marker.impossible and looks_like_marker(spelled)


def test_the_other_markers_come_back() -> None:
    for tier, spelled in ((Tier.PINNED, "<!--P-->"), (Tier.GRACE, "<!--g-->")):
        assert spell(tier) == spelled
        marker = parse_marker(spelled)
        assert marker is not None and marker.tier is tier and marker.reinforced is None
    assert spell(Tier.UNMARKED) == ""
    with pytest.raises(ValueError, match="needs a date"):
        spell(Tier.AGING)


@given(LOOKALIKES)
def test_what_only_looks_like_a_marker_is_none(comment: str) -> None:
    marker = parse_marker(comment)
    assert looks_like_marker(comment)
    assert marker is None or marker.impossible or marker.reinforced is not None


@pytest.mark.parametrize(
    "comment",
    ["<!-- note -->", "<!-- P.S. -->", "<!---->", "<!--pin-->", "<!-- a divider -->", "<!--http://x-->"],
)
def test_other_comments_are_content(comment: str) -> None:
    assert parse_marker(comment) is None and not looks_like_marker(comment)
    assert without_markers(f"gate {comment}") == f"gate {comment}"


def test_a_counter_too_long_for_a_number_is_no_marker() -> None:
    assert parse_marker(f"<!--a:2026-08-03/{'1' * 4001}-->") is None
    assert parse_marker("<!--a:2026-08-03/007-->") == parse_marker("<!--a:2026-08-03/007-->")


# -- what is read of a line


@pytest.mark.parametrize(
    ("line", "tier"),
    [
        ("gate <!--P-->", Tier.PINNED),
        ("gate<!--P-->", Tier.PINNED),
        ("gate\u00a0<!--P-->", Tier.PINNED),
        ("gate\u200b<!--P-->", Tier.PINNED),
        ("gate <!--P-->  \t", Tier.PINNED),
        ("gate <!--P--> <!-- note -->", Tier.PINNED),
        ("gate <!-- note --> <!--P-->", Tier.PINNED),
        ("gate <!-- note --><!--P--><!-- more -->", Tier.PINNED),
        ("gate <!--P--> <!-- note --> <!--g-->", Tier.GRACE),
        ("gate <!--g--><!--P-->", Tier.PINNED),
        ("gate <!--P--> mid <!--g-->", Tier.GRACE),
        ("gate <!--P--> and on", Tier.UNMARKED),
        ("gate <!--P-->.", Tier.UNMARKED),
        ("gate <!--P-->\u200b", Tier.UNMARKED),
        ("gate <!--P-->\u00a0", Tier.UNMARKED),
        ("gate <!--P-->\x0c", Tier.UNMARKED),
        ("gate <!--P-->\u2028", Tier.UNMARKED),
        ("gate `<!--P-->`", Tier.UNMARKED),
        ("gate ``a ` <!--P-->``", Tier.UNMARKED),
        ("gate `code` <!--P-->", Tier.PINNED),
        ("gate `open <!--P-->", Tier.PINNED),
        ("gate ``open` <!--P-->", Tier.PINNED),
        ("gate <!--> and <!--P-->", Tier.PINNED),
        ("gate \\<!--P-->", Tier.UNMARKED),
        ("gate \\\\<!--P-->", Tier.PINNED),
        ("gate \\` <!--P-->", Tier.PINNED),
        ("gate \\`<!--P-->` and", Tier.UNMARKED),
        ("gate `\\` <!--P-->", Tier.PINNED),
        ("gate <b>bold</b> <!--P-->", Tier.PINNED),
        ("[ ] gate <!--P-->", Tier.PINNED),
        ("<!-- id 7 --> gate <!--P-->", Tier.PINNED),
        ("<div>gate</div> <!--P-->", Tier.PINNED),
        ("gate <!--a:2026-02-30-->", Tier.AGING),
        ("gate <!--p:2031-01-01/2-->", Tier.PERISHABLE),
        ("gate <!--A:2026-08-03-->", Tier.UNMARKED),
        ("gate <!-- P -->", Tier.UNMARKED),
        ("gate <!--a:２０２６-08-03-->", Tier.UNMARKED),
        ("gate <!--a:2026-08-03/-->", Tier.UNMARKED),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_a_line(line: str, tier: Tier, end: str) -> None:
    (entry,) = read(f"- {line}{end}").entries
    assert entry.tier is tier
    assert entry.explicit == (tier is not Tier.UNMARKED)


@pytest.mark.parametrize(
    ("text", "tiers"),
    [
        ("- a `x\n  y <!--P-->` z\n", "unmarked"),
        ("- a `x <!--P-->\n  y` z\n", "unmarked"),
        ("- a <!-- open\n  and closed --> <!--P-->\n", "pinned"),
        ("- a <!--P--> <!-- open\n  and closed -->\n", "pinned"),
        ("- a\n  <!--P-->\n", "pinned"),
        ("- a\n\n  <!--P-->\n", "pinned"),
        ("- a\n  - b <!--g-->\n  <!--P-->\n", "pinned"),
        ("- a <!--g-->\n  - b\n  <!--P-->\n", "grace pinned"),
        ("- a\n- b\n<!--P-->\n", "unmarked pinned"),
        ("- a\n  - b\n<!--P-->\n", "pinned"),
        ("- a\n\n<!--P-->\n", "unmarked"),
        ("- a\n\n| x |\n| - |\n| y |\n<!--P-->\n", "pinned"),
        ("- a\n\n| x <!--P--> |\n| - |\n| y <!--P-->\n", "unmarked"),
        ("- a\n\n```\nx <!--P-->\n```\n<!--g-->\n", "grace"),
        ("- a\n\n      code <!--P-->\n", "unmarked"),
        ("- a\n\n---\n<!--P-->\n", "unmarked"),
        ("- a\n\nword\n<!--P-->\n", "unmarked pinned"),
        ("- a\n\n> word\n<!--P-->\n", "unmarked pinned"),
        ("- a\n\n## B\n<!--P-->\n\nword\n", "unmarked pinned"),
        ("- a\n\nB\n---\n<!--P-->\n\nword\n", "unmarked pinned"),
        ("- a\n\nB <!--P-->\nC\n---\n\nword\n", "unmarked unmarked"),
        ("- a\n\nRules:\n<!--P-->\n- b\n", "unmarked unmarked"),
        ("- a\n\nRules:\n- b\n<!--P-->\n", "unmarked pinned"),
        ("- a\n\n- b\n<!--P-->\n<!--g-->\n", "unmarked grace"),
        ("<details>\n- a <!--P-->\n</details>\n", ""),
        ("[a]: b.md <!--P-->\n", "pinned"),
    ],
)
def test_a_marker_of_several_lines(text: str, tiers: str) -> None:
    for same in (text, text.replace("\n", "\r\n"), text.removesuffix("\n")):
        assert " ".join(e.tier for e in read(same).entries) == tiers, same


def test_a_lone_carriage_return_is_text() -> None:
    assert not read("- a <!--P-->\r\r\n- b\n").entries[0].explicit
    assert len(read("- a <!--P-->\r- b <!--g-->\n").entries) == 1


@given(st.lists(st.one_of(MARKERS, LOOKALIKES, st.just("<!-- note -->"), prose()), max_size=6))
def test_marks_are_told_where_they_stand(parts: list[str]) -> None:
    text = " ".join(parts) + "\n"
    ends = scan(text, 7)
    for mark in (*ends.final, *ends.stray):
        assert text[mark.start - 7 : mark.end - 7] == mark.text
        assert mark.marker == parse_marker(mark.text)
    starts = [mark.start for mark in ends.final]
    assert starts == sorted(starts)


# -- findings and their repairs


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("- a <!-- a:2026-08-03 -->\n", ["malformed-marker"]),
        ("- a <!--a:2026-02-30-->\n", ["impossible-date"]),
        ("- a <!--P--> <!--g-->\n", ["several-markers"]),
        ("- a <!--P--> and on\n", ["stray-marker"]),
        ("- a\n\n<!--P-->\n", ["orphan-marker"]),
        ("- a\n\nRules:\n<!--P-->\n- b\n", ["label-marker"]),
        ("- a\n\nB <!--P-->\nC\n---\n\nword\n", ["stray-marker"]),
        ("- a\n\n<div>\nb <!--P-->\n</div>\n", ["hidden-marker"]),
        ("- <!--P-->\n", ["marker-without-text"]),
        ("- a <!--a:2026-08-03-->\n  - b <!--A:2026-08-03-->\n", ["malformed-marker"]),
        ("- a\n  - b <!--A:2026-08-03-->\n", ["malformed-marker"]),
        ("## H <!--P-->\n\nword <!--A:2026-08-03-->\n\n- b <!--x-->\n", ["malformed-marker"] * 2),
        ("# T\n\nintro <!--x-->\n\n- a\n", ["malformed-marker"]),
        ("- a\n\n## H <!--x-->\n\n- b\n", ["malformed-marker"]),
        ("- a `<!--x-->`\n- b <!-- note -->\n", []),
        ("<!--\n\n- a\n", ["unclosed-comment"]),
    ],
)
def test_what_is_found(text: str, rules: list[str]) -> None:
    assert [f.rule for f in read(text).findings] == rules


@pytest.mark.parametrize(
    ("text", "frozen"),
    [
        ("- a <!--x-->\n", True),
        ("- a <!--a:2026-02-30-->\n", True),
        ("- a <!--P--> <!--x-->\n", True),
        ("- a <!--x--> <!--P-->\n", False),
        ("- a <!--x--> and on <!--P-->\n", False),
        ("- a <!--a:2031-01-01-->\n", False),
        ("- a <!--a:2026-08-03-->\n  - b <!--x-->\n", True),
        ("## H <!--a:2026-08-03-->\n\nword <!--x-->\n", True),
        ("- z <!--P-->\n\n## H\n\nword <!--x-->\n\nmore\n", True),
    ],
)
def test_an_unreadable_last_marker_freezes(text: str, frozen: bool) -> None:
    assert read(text).entries[-1].frozen == frozen


@pytest.mark.parametrize("default", [Tier.PINNED, Tier.AGING])
def test_what_says_nothing_in_a_pinned_file(default: Tier) -> None:
    found = [f.rule for f in read("- a <!--P-->\n- b <!--g-->\n", default).findings]
    assert found == (["redundant-pinned", "grace-in-pinned"] if default is Tier.PINNED else [])
    assert [e.pinned for e in read("- a <!--P-->\n- b <!--g-->\n", default).entries] == [
        True,
        default is Tier.PINNED,
    ]


@pytest.mark.parametrize(
    ("comment", "mended"),
    [
        ("<!-- a:2026-08-03 -->", "<!--a:2026-08-03-->"),
        ("<!--a:2026-8-3-->", "<!--a:2026-08-03-->"),
        ("<!--a:2026/08/03-->", "<!--a:2026-08-03-->"),
        ("<!--A:2026-08-03/2-->", "<!--a:2026-08-03/2-->"),
        ("<!--aging:2026-08-03-->", "<!--a:2026-08-03-->"),
        ("<!--perishable: 2026-08-03-->", "<!--p:2026-08-03-->"),
        ("<!--a:2026-08-03 seen twice-->", "<!--a:2026-08-03--> <!-- seen twice -->"),
        ("<!--a:2026-02-30-->", "<!--a:2026-02-28-->"),
        ("<!--a:2026-13-01-->", ""),
        ("<!--a:2031-01-01/3-->", "<!--a:2026-10-01/3-->"),
        ("<!-- a:2031-01-01 -->", "<!--a:2026-10-01-->"),
        ("<!-- P -->", "<!--P-->"),
        ("<!--pinned-->", "<!--P-->"),
        ("<!--G-->", "<!--g-->"),
        ("<!--a-->", ""),
        ("<!--P:x-->", "<!-- note: x -->"),
        ("<!--P: until the move-->", "<!-- until the move -->"),
        ("<!--a:2026-08-03-->", None),
        ("<!--P-->", None),
    ],
)
def test_a_repair(comment: str, mended: str | None) -> None:
    assert repair(comment, Tier.AGING, TODAY) == mended


@given(LOOKALIKES, st.sampled_from([Tier.PINNED, Tier.AGING]), prose(odd=False))
def test_a_repaired_line_needs_no_repair(comment: str, default: Tier, words: str) -> None:
    before = read(f"- z\n- {words} {comment}\n", default)
    mended = repair(comment, default, TODAY)
    if mended is None:
        return
    after = read(f"- z\n- {words} {mended}".rstrip() + "\n", default)
    entry = after.entries[1]
    assert not entry.frozen and not [f for f in after.findings if f.rule != "redundant-pinned"]
    assert entry.reinforced is None or entry.reinforced <= TODAY
    if " <!-- " not in mended and not mended.startswith("<!-- "):
        assert entry.id == before.entries[1].id == identity(words)
