"""The wizard's panes by themselves: diffs, the gauge's words, typed text, the keeper of the pass."""

from __future__ import annotations

import threading
from difflib import unified_diff
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from floppy_tui.tui.screens.stow_keeping import PassKeeper
from floppy_tui.tui.widgets.stow_diff import MOST, common, lines_of, of_one_card, wrapped
from floppy_tui.tui.widgets.stow_gauge import change
from floppy_tui.tui.widgets.stow_inputs import EntryEditor, symbols

NAME = "data/learnings.md"
HEAD = (f"--- {NAME}", f"+++ {NAME}")
words = st.text(st.sampled_from("ab-+@ \t漢é\u202e\x1b"), max_size=60)


@given(words, st.integers(2, 20))
def test_wrapping_loses_no_character_but_blanks_between_rows(text: str, width: int) -> None:
    rows = list(wrapped(text, width))
    assert all(cell_len(text[a:b]) <= width for a, b in rows)
    assert rows[-1][1] == len(text)
    for (_, end), (start, _) in pairwise(rows):
        assert not text[end:start].strip()


@given(words, words)
def test_what_two_texts_share_is_found(a: str, b: str) -> None:
    head, tail = common(a, b)
    assert a[:head] == b[:head] and (not tail or a[-tail:] == b[-tail:])
    assert head + tail <= min(len(a), len(b))
    assert a == b or a[head : len(a) - tail] != b[head : len(b) - tail]


@given(st.lists(words, max_size=8), st.lists(words, max_size=8))
def test_every_line_of_a_diff_is_shown(old: list[str], new: list[str]) -> None:
    diff = list(unified_diff(old, new, NAME, NAME, lineterm=""))
    shown = list(lines_of(diff))
    signs = [line.kind for line in shown if line.kind in "+-"]
    body = [line for line in diff[2:] if not line.startswith("@@")]
    assert sorted(signs) == sorted(line[0] for line in body if line[0] in "+-")
    assert not any(c in line.text for line in shown for c in "\x1b\u202e\n")


def test_only_what_changed_in_a_line_is_set_off() -> None:
    old, new = "- The gate. <!--a:2026-08-03-->", "- The gate. <!--a:2026-10-01-->"
    _, _, removed, added = lines_of([*HEAD, "@@ -1 +1 @@", f"-{old}", f"+{new}"])
    assert removed.text[slice(*removed.changed)] == "08-03"
    assert added.text[slice(*added.changed)] == "10-01"


def test_text_that_looks_like_a_files_name_is_text() -> None:
    shown = list(lines_of([*HEAD, "@@ -1 +1 @@", "--- x", "+++ y"]))
    assert [(line.kind, line.text) for line in shown[2:]] == [("-", "-- x"), ("+", "++ y")]


def test_a_change_at_the_end_of_a_very_long_line_is_shown() -> None:
    old, new = "x" * 100_000 + " old", "x" * 100_000 + " new"
    _, _, removed, added = lines_of([*HEAD, "@@ -1 +1 @@", f"-{old}", f"+{new}"])
    assert len(added.text) < MOST and added.text.endswith("new") and removed.text.endswith("old")
    assert "99,801 characters as before" in added.text


def test_the_memory_stands_before_the_archive_in_the_diff_of_one_card() -> None:
    archive = [
        "--- data/memory-archive.md",
        "+++ data/memory-archive.md",
        "@@ after line 3 @@",
        " a",
        " b",
        "+c",
    ]
    memory = [*HEAD, "@@ -1,3 +1,2 @@", " d", " e", "-f", " g"]
    tight = of_one_card([*archive, *memory], 1)
    assert tight == [*memory[:3], " e", "-f", " g", *archive[:3], " b", "+c"]


@pytest.mark.parametrize(("tokens", "said"), [(6, "+6"), (-1234, "−1,234"), (0, "±0")])
def test_a_change_of_tokens_is_signed(tokens: int, said: str) -> None:
    assert change(tokens) == said


@given(st.text(st.sampled_from("a\r\x0b\x0c\x1c\x85\u2028\u2029\x1b\n\udcff\u202e\ue000"), max_size=20))
def test_the_editor_keeps_every_separator(text: str) -> None:
    editor = EntryEditor(text)
    assert editor.words == text
    shown = "\n".join(editor.get_line(at).plain for at in range(editor.document.line_count))
    assert len(shown) == len(text) and not set(shown) & set("\r\x0b\x0c\x1c\x85\u2028\u2029\x1b\udcff\u202e")


@given(st.text(max_size=20))
def test_symbols_stand_one_for_one(text: str) -> None:
    assert len(symbols(text)) == len(text)


def test_the_newest_pass_is_kept_and_no_older_one_after_it() -> None:
    written: list[int] = []
    entered, gate = threading.Event(), threading.Event()

    def save(_decisions: object, step: int) -> None:
        entered.set()
        gate.wait(30)
        written.append(step)

    keeper = PassKeeper(save)
    assert keeper.put((), 1)
    writer = threading.Thread(target=keeper.drain)
    writer.start()
    entered.wait(30)
    assert not keeper.put((), 2) and not keeper.put((), 3)
    gate.set()
    writer.join(30)
    assert written == [1, 3] and keeper.put((), 4)


def test_a_save_that_failed_is_tried_again_by_the_next() -> None:
    def save(_decisions: object, _step: int) -> None:
        raise OSError("full")

    keeper = PassKeeper(save)
    for _ in range(2):
        assert keeper.put((), 1)
        with pytest.raises(OSError, match="full"):
            keeper.drain()
