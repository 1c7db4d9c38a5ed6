"""Untrusted text on its way to the screen: nothing of it acts, hides or escapes."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from floppy_tui.tiers.markers import Tier
from floppy_tui.tui import display

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=60)
HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("\x1b]52;c;eA==\x07", "␛]52;c;eA==␇"),
        ("a\u202eb", "a⟨U+202E⟩b"),
        ("a\u200bb", "a⟨U+200B⟩b"),
        ("\udcff", "\ufffd"),
        ("\x9b2J", "⟨U+009B⟩2J"),
        ("one\r\ntwo\rthree", "one\ntwo␍three"),
        ("\u2028", "⟨U+2028⟩"),
        ("\U000e0041", "⟨U+E0041⟩"),
        ("a\tb", "a    b"),
        ("[@click=app.quit]x[/]", "[@click=app.quit]x[/]"),
        ("Łęgowo αβγ 漢字 🧊", "Łęgowo αβγ 漢字 🧊"),
    ],
)
def test_what_acts_or_hides_is_shown(text: str, seen: str) -> None:
    assert display.shown(text) == seen
    assert display.content(text, "bold").plain == seen


@given(ANY_TEXT)
def test_nothing_invisible_is_left_but_line_ends(text: str) -> None:
    seen = display.shown(text)
    assert all(c == "\n" or unicodedata.category(c) not in HIDDEN - {"Cf"} for c in seen)
    assert not set(seen) & set(
        "\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202d\u202e\u2066\u2067\u2069\ufeff"
    )
    seen.encode("utf-8")


@given(ANY_TEXT, st.integers(0, 30))
def test_one_line_is_one_line_of_at_most_its_width(text: str, width: int) -> None:
    line = display.line(text, width)
    assert "\n" not in line.plain and line.cell_length <= width


def test_a_line_of_megabytes_costs_nothing() -> None:
    assert display.one_line("word " * 10_000_000, 20) == "word word word word…"


@given(ANY_TEXT, st.integers(1, 60))
def test_markdown_of_anything_is_lines_without_controls(text: str, width: int) -> None:
    plain = display.markdown(text, width).plain
    assert not any(unicodedata.category(c) == "Cc" and c != "\n" for c in plain)


def test_markdown_is_laid_out() -> None:
    blocks = [
        "# Title",
        "Some *slanted* `code`.",
        "1. one\n2. two\n   - in it",
        "> quoted",
        "```\nfenced\n```",
        "| a | b |\n|--|--|\n| 1 | 2 |",
    ]
    text = "\n\n".join(blocks)
    assert display.markdown(text, 40).plain.split("\n") == [
        "Title",
        "",
        "Some slanted code.",
        "",
        "1. one",
        "2. two",
        "   • in it",
        "",
        "▎ quoted",
        "",
        "fenced",
        "",
        "a │ b",
        "1 │ 2",
    ]


def test_markdown_keeps_the_indentation_of_what_it_wraps() -> None:
    assert display.markdown("- one two three four", 12).plain == "• one two\n  three four"


def test_a_link_shows_its_address_and_acts_on_nothing() -> None:
    laid = display.markdown("[safe](http://evil.test/x) [other](javascript:alert) <b>&#27;[2J</b>", 80)
    assert "safe ⟨http://evil.test/x⟩" in laid.plain and "\x1b" not in laid.plain
    metas = [style.meta for _, _, style in laid.spans if not isinstance(style, str)]
    assert metas == [{"address": "http://evil.test/x"}]


@pytest.mark.parametrize("address", ["http://a.test", "https://a.test/x?y=z", "HTTPS://a.test"])
def test_web_addresses_may_be_opened(address: str) -> None:
    assert display.web_address(address) == address


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "file:///etc/passwd", "http://", "http://a b", "http://a\u202eb", "a.test", ""],
)
def test_nothing_else_may(address: str) -> None:
    assert display.web_address(address) == ""


def test_the_clipboard_gets_no_escapes() -> None:
    assert display.copyable("a\tb\r\nc\x1b[201~\udcff\u202e") == "a\tb\nc␛[201~\ufffd\u202e"


@pytest.mark.parametrize("ascii_only", [False, True])
def test_tiers_differ_by_glyph_letter_and_word(ascii_only: bool) -> None:
    marks = display.tier_marks(ascii_only)
    assert set(marks) == set(Tier)
    for part in ("glyph", "letter", "word"):
        assert len({getattr(mark, part) for mark in marks.values()}) == len(Tier)
    if ascii_only:
        assert all(mark.content().plain.isascii() for mark in marks.values())
    else:
        assert [m.content().plain for m in marks.values()] == [
            "◆ pinned",
            "● aging",
            "◌ perishable",
            "○ grace",
            "· unmarked",
        ]
