"""A quote goes into a file so that it is read as it stands, and the file keeps every byte that it had."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import ANY_BYTES, memory_texts

from floppy_tui.offload.placing import added, holds
from floppy_tui.text.lines import decode, encode
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.reading import read_document

NOTE = "data/tides.md"
QUOTE = "The gate sticks.\n  Lift it.\n\n- twice"


def quotes_of(text: str) -> list[str]:
    """The quotes of all entries that a memory file holds."""
    return [entry.prose for entry in read_document(text, "data/learnings.md", Tier.AGING).entries]


@given(ANY_BYTES.map(decode), memory_texts().map(quotes_of))
def test_a_quote_is_in_the_file_or_refused_in_words(text: str, quotes: list[str]) -> None:
    for quote in quotes[:3]:
        try:
            result = added(text, NOTE, quote)
        except ValueError as problem:
            assert str(problem).endswith(".")
            continue
        assert encode(result).startswith(encode(text))
        assert holds(result, quote)
        assert quote.replace("\n", "") in result.replace("\r\n", "").replace("\n", "")
        before = read_document(text, NOTE, Tier.AGING)
        after = read_document(result, NOTE, Tier.AGING)
        assert [h.text for h in after.headings[: len(before.headings)]] == [h.text for h in before.headings]


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("", f"{QUOTE}\n"),
        ("\ufeff", f"\ufeff\n\n{QUOTE}\n"),
        ("# Tides\n", f"# Tides\n\n{QUOTE}\n"),
        ("# Tides", f"# Tides\n\n{QUOTE}\n"),
        ("# Tides\n\n\n", f"# Tides\n\n\n{QUOTE}\n"),
        ("# Tides\n  ", f"# Tides\n  \n{QUOTE}\n"),
        ("a\r\nb\r\n", "a\r\nb\r\n\r\n" + QUOTE.replace("\n", "\r\n") + "\r\n"),
        ("---\ntrigger: tides\n---\n", f"---\ntrigger: tides\n---\n\n{QUOTE}\n"),
        ("```\ncode\n```\n", f"```\ncode\n```\n\n{QUOTE}\n"),
        ("- a list\n", f"- a list\n\n{QUOTE}\n"),
    ],
)
def test_it_stands_at_the_end_after_a_blank_line(text: str, result: str) -> None:
    assert added(text, NOTE, QUOTE) == result


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("```\ncode\n", "never closed"),
        ("- a\n  ~~~\n  code\n", "never closed"),
        ("<!-- open\n", "comment"),
        ("<pre>\n", "HTML"),
        ("---\ntrigger: tides\n", "front matter"),
        ("<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n", "conflict"),
    ],
)
def test_what_would_swallow_it_is_named(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why) as refused:
        added(text, NOTE, QUOTE)
    assert NOTE in str(refused.value)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("---\nopen: yes\n", "a\n---\nb"),
        ("<!--\nopen\n", "a\n-->\nb"),
        ("- a list\n", "  indented under it"),
    ],
)
def test_a_quote_that_closes_what_is_open_is_refused(text: str, quote: str) -> None:
    with pytest.raises(ValueError, match=NOTE):
        added(text, NOTE, quote)


def test_a_blank_quote_goes_nowhere() -> None:
    assert not holds("", "")
    assert not holds("\n \n", " ")
    with pytest.raises(ValueError, match="no words"):
        added("# Tides\n", NOTE, " \n")


@pytest.mark.parametrize(
    ("text", "held"),
    [
        (f"# Tides\n\n{QUOTE}\n", True),
        (QUOTE, True),
        (f"\ufeff{QUOTE}", True),
        (QUOTE.replace("\n", "\r\n"), True),
        (f"before\n{QUOTE}\nafter\n", True),
        (f"The gate sticks.\n{QUOTE}\n", True),
        (f"<!--\n{QUOTE}\n-->\n\n{QUOTE}\n", True),
        (f"- {QUOTE}\n", False),
        (QUOTE.replace("\n", "\n  "), False),
        (f"{QUOTE}s", False),
        (QUOTE.replace("\n\n", "\n"), False),
        (QUOTE.replace("Lift", "lift"), False),
        (QUOTE.rsplit("\n", 1)[0], False),
        (f"```\n{QUOTE}\n```\n", False),
        (f"<!--\n{QUOTE}\n-->\n", False),
        (f"<!-- {QUOTE} -->\n", False),
        (f"<!-- old:\n{QUOTE}\n-->\n", False),
        (f"---\n{QUOTE}\n---\n", False),
        ("", False),
    ],
)
def test_held_means_line_by_line_where_it_is_read(text: str, held: bool) -> None:
    assert holds(text, QUOTE) is held


@given(st.text(alphabet="ab \n\r-`", max_size=40), st.text(alphabet="ab \n\r-`", max_size=12))
def test_nothing_is_held_that_is_not_there(text: str, quote: str) -> None:
    if holds(text, quote):
        assert quote.replace("\r", "").strip("\n") in text.replace("\r", "")
