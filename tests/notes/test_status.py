"""Status files have a limit and sections; a journal is appended to and never rewritten."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from floppy_tui.notes.planned import Impossible
from floppy_tui.notes.status import StatusFile, StatusKind, append_to, dated, sections

JOURNAL = "# Journal\n\n## 2026-09-01\n\nOne.\n\n### Why\n\nTwo.\n\n## 2026-09-02 — ropes\n\nThree.\n"
LINES = st.lists(
    st.sampled_from(
        [
            "# Journal",
            "## 2026-09-01",
            "### Why ##",
            "words",
            "",
            " ",
            "```",
            "```sh\n# no heading\n```",
            "---",
            "- x",
        ]
    ),
    max_size=10,
)


def test_a_section_holds_what_is_below_it() -> None:
    found = sections(JOURNAL)
    assert [(s.heading, s.line, s.level) for s in found] == [
        ("Journal", 1, 1),
        ("2026-09-01", 3, 2),
        ("Why", 7, 3),
        ("2026-09-02 — ropes", 11, 2),
    ]
    assert JOURNAL[found[1].start : found[1].end] == "## 2026-09-01\n\nOne.\n\n### Why\n\nTwo.\n\n"
    assert sections("---\n# not: this\n---\n```\n# nor this\n```\n#nor\n") == ()


@given(
    LINES, st.sampled_from(["\n", "\r\n"]), st.sampled_from([None, "2026-09-01", "Why", "new"]), st.booleans()
)
def test_what_stood_in_a_journal_is_still_there(
    lines: list[str], eol: str, heading: str | None, ended: bool
) -> None:
    text = "\n".join(lines) + ("\n" if ended and lines else "")
    text = text.replace("\n", eol)
    try:
        got = append_to(text, heading, "new words\nand more")
    except Impossible:
        assert "```" in lines
        return
    # Something was put in at one place.
    assert any(got.startswith(text[:at]) and got.endswith(text[at:]) for at in range(len(text) + 1))
    assert len(got) > len(text)
    assert f"new words{eol}and more" in got or eol not in text
    before, now = sections(text), sections(got)
    at = got.index("new words")
    if heading is None:
        assert got.startswith(text.rstrip(" \r\n"))
        assert [s.heading for s in now] == [s.heading for s in before]
        return
    own = next(s for s in reversed(now) if s.heading == heading)
    assert own.start < at < own.end
    old = [s for s in before if s.heading == heading]
    assert len(now) == len(before) + (0 if old else 1)
    if old:
        assert got.endswith(text[old[-1].end :]) and got.startswith(text[: old[-1].end].rstrip(" \r\n"))


def test_words_go_to_the_end_of_a_section_or_into_a_new_one() -> None:
    assert append_to(JOURNAL, "2026-09-01", "Four.") == JOURNAL.replace("Two.\n", "Two.\n\nFour.\n")
    assert append_to(JOURNAL, None, "Four.\n") == JOURNAL + "\nFour.\n"
    heading = dated(date(2026, 10, 1), " carts ")
    assert append_to(JOURNAL, heading, "Four.") == JOURNAL + "\n## 2026-10-01 — carts\n\nFour.\n"
    assert append_to("", dated(date(2026, 10, 1)), "Four.") == "## 2026-10-01\n\nFour.\n"
    assert append_to("# J", "x", "Four.") == "# J\n\n## x\n\nFour."


def test_what_cannot_be_appended() -> None:
    with pytest.raises(Impossible, match="nothing to append"):
        append_to(JOURNAL, None, "\n ")
    with pytest.raises(Impossible, match="never closed"):
        append_to("# J\n\n```\ncode\n", None, "x")


def test_a_current_state_file_has_a_limit() -> None:
    def status(size: int, limit: int | None = 100) -> tuple[int, bool, bool]:
        file = StatusFile(StatusKind.NOW, "docs/statuses/NOW.md", "x" * (size - 1) + "\r\n", limit)
        return file.chars, file.near, file.over

    assert status(96) == (96, False, False)
    assert status(97) == (97, True, False)
    assert status(100) == (100, True, False)
    assert status(101) == (101, False, True)
    assert status(10**5, None) == (10**5, False, False)
    missing = StatusFile(StatusKind.JOURNAL, "x", None)
    assert (missing.chars, missing.over, missing.sections) == (0, False, ())
