"""The loader's cut: what is loaded fits, one line more would not, and what counts is what a session reads."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from note_trees import index_texts

from floppy_tui.notes.index import Index, chars_of
from floppy_tui.notes.loader import LINES_MAX, UNITS_MAX, find_cut, units_of
from floppy_tui.notes.profiles import Config, Profile
from floppy_tui.text.lines import split_lines

TEXTS = st.one_of(
    st.lists(st.sampled_from(["x", "größe", "🦀", "- [A](a.md) — a", "", "y" * 30]), max_size=12).map(
        "\n".join
    ),
    index_texts("Memory", ["a.md", "yard/INDEX.md"]),
)


@given(TEXTS, st.integers(0, 120), st.sampled_from(["\n", "\r\n"]))
def test_what_a_floppy_session_loads_fits_and_no_line_more_would(text: str, limit: int, end: str) -> None:
    text = text.replace("\n", end)
    router = Index("MEMORY.md", text)
    cut = find_cut(router, Profile.FLOPPY, Config(index_chars_max=limit))
    assert (cut.used, cut.limit, cut.over) == (chars_of(text), limit, chars_of(text) > limit)
    if cut.line is None or cut.offset is None:
        assert not cut.lost
        return
    lines = split_lines(text)
    assert text[: cut.offset] == "".join(lines[: cut.line - 1])
    assert chars_of(text[: cut.offset]) <= limit < chars_of("".join(lines[: cut.line]))
    assert [p.line for p in cut.lost] == [p.line for p in router.pointers if p.start >= cut.offset]


@given(
    st.lists(st.tuples(st.sampled_from(["x", "é", "🦀"]), st.sampled_from([0, 1, 50, 120, 400])), max_size=6),
    st.integers(1, 80),
)
@settings(max_examples=60)
def test_what_an_auto_session_loads_fits_and_no_line_more_would(
    parts: list[tuple[str, int]], times: int
) -> None:
    text = "".join(letter * size + "\n" for letter, size in parts) * times
    cut = find_cut(Index("MEMORY.md", text), Profile.AUTO, Config())

    def fits(part: str) -> bool:
        return part.count("\n") <= LINES_MAX and len(part.encode("utf-16-le")) // 2 <= UNITS_MAX

    assert cut.over is not fits(text)
    if cut.line is not None:
        lines = split_lines(text)
        assert fits(text[: cut.offset]) and not fits("".join(lines[: cut.line]))
        assert cut.used > cut.limit
    else:
        assert cut.used <= cut.limit
    used = {"lines": text.count("\n"), "UTF-16 units": units_of(text)}
    limits = {"lines": LINES_MAX, "UTF-16 units": UNITS_MAX}
    assert (cut.used, cut.limit) == (used[cut.measure], limits[cut.measure])


def counted(text: str) -> tuple[int, int]:
    """Lines and units that count of ``text``, as the cut tells them."""
    fill = "x" * 98 + "\n"
    lines = find_cut(Index("MEMORY.md", text + "\n" * 300), Profile.AUTO, Config())
    units = find_cut(Index("MEMORY.md", text + fill * 300), Profile.AUTO, Config())
    assert lines.measure == "lines" and units.measure in ("lines", "UTF-16 units")
    wide = find_cut(Index("MEMORY.md", text + "x" * 30_000 + "\n"), Profile.AUTO, Config())
    assert wide.measure == "UTF-16 units"
    return lines.used - 300, wide.used - 30_001


@pytest.mark.parametrize(
    ("text", "lines", "units"),
    [
        ("", 0, 0),
        ("ab\n", 1, 3),
        ("ab\r\n", 1, 3),
        ("🦀\n", 1, 3),
        ("---\na: b\n---\nx\n", 1, 2),
        ("---\na: b\nx\n", 3, 11),
        ("<!-- a -->\nx\n", 1, 2),
        ("   <!-- a\nb\n-->\nx\n", 1, 2),
        ("<!-- a --> b\nx\n", 2, 5),
        ("<!-- a\n--> b <!-- c\nd -->\n", 1, 4),
        ("a <!-- b -->\n", 1, 13),
        ("<!-- never closed\nx\n", 2, 20),
        ("    <!-- code -->\n", 1, 18),
        ("```\n<!-- a -->\n```\n", 3, 19),
        ("~~~\n```\n<!-- a -->\n~~~\n<!-- b -->\n", 4, 23),
        ("```not a fence```\n<!-- a -->\n", 1, 18),
    ],
)
def test_what_counts(text: str, lines: int, units: int) -> None:
    assert counted(text) == (lines, units)
