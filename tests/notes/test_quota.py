"""``quota.lock`` and ``.floppy/config``: the first line of a key counts, and one number changes alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from floppy_tui.notes.profiles import Config, read_config, read_values
from floppy_tui.notes.quota import HALF, NUMBERS, half_of, raised, read_quota, warns_from, with_number
from floppy_tui.text.lines import decode, split_lines

KEYS = st.sampled_from([*NUMBERS, f"{HALF}yard", f"{HALF}root"])
LINES = st.one_of(
    st.builds(
        "{}{}{}={}{}".format,
        st.sampled_from(["", " ", "\t"]),
        KEYS,
        st.sampled_from(["", " "]),
        st.sampled_from(["", " ", "\t"]),
        st.sampled_from(["170", "0", "00170", "20k", "", "-1", "1.5", "٣", "9" * 5000, "1 2", "=3"]),
    ),
    st.sampled_from(
        ["", "# chars_max=5", "grandfathered=a.md, b/c.md,,", "what else", "=", "\x00", "\udcff=1"]
    ),
)
TEXTS = st.one_of(
    st.builds(
        lambda lines, end, bom, last: bom + end.join(lines) + last,
        st.lists(LINES, max_size=6),
        st.sampled_from(["\n", "\r\n"]),
        st.sampled_from(["", "\ufeff"]),
        st.sampled_from(["", "\n"]),
    ),
    st.binary(max_size=60).map(decode),
)


@given(TEXTS, KEYS, st.integers(0, 10**9))
def test_one_number_changes_alone(text: str, key: str, number: int) -> None:
    after = with_number(text, key, number)
    before, now = read_quota(text), read_quota(after)
    assert now.ceiling(key) == number
    for other in (*NUMBERS, f"{HALF}yard", f"{HALF}root"):
        assert other == key or now.ceiling(other) == before.ceiling(other)
    assert now.grandfathered == before.grandfathered
    old, new = split_lines(text), split_lines(after)
    line = now.lines[key] - 1
    changed = [n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b]
    assert changed in ([], [line], [line - 1], [line - 1, line])
    assert len(new) - len(old) == (0 if key in read_values(text) else 1)


@given(TEXTS)
def test_any_text_is_read(text: str) -> None:
    quota = read_quota(text)
    config = read_config(text)
    lines = split_lines(text)
    for bad in quota.bad:
        assert bad.key in lines[bad.line - 1]
        assert quota.ceiling(bad.key) is None
    assert all(isinstance(config.values[key], str) for key in config.values)


def test_the_first_of_a_key_counts_and_big_numbers_are_numbers() -> None:
    quota = read_quota(
        "chars_max = 5\nchars_max=7\nnote_chars_max=" + "0" * 30 + "170\npointers_max=" + "9" * 5000
    )
    assert (quota.chars_max, quota.note_chars_max, quota.bad) == (5, 170, ())
    assert quota.pointers_max is not None and quota.pointers_max > 10**17


@pytest.mark.parametrize(
    ("before", "after", "keys"),
    [
        ("chars_max=5", "chars_max=6", ("chars_max",)),
        ("chars_max=5", "chars_max=5\n", ()),
        ("chars_max=5", "chars_max=4", ()),
        ("chars_max=5", "", ("chars_max",)),
        ("chars_max=5", "chars_max=five", ("chars_max",)),
        ("chars_max=5", None, ("chars_max",)),
        (None, "chars_max=5", ()),
        ("half_chars_max.yard=5", "half_chars_max.yard=6\nhalf_chars_max.mill=1", ("half_chars_max.yard",)),
    ],
)
def test_what_is_a_raise(before: str | None, after: str | None, keys: tuple[str, ...]) -> None:
    assert raised(before, after) == keys


@given(st.integers(0, 10**9))
def test_a_ceiling_warns_at_96_percent_by_whole_numbers(ceiling: int) -> None:
    assert warns_from(ceiling) * 100 <= ceiling * 96 < (warns_from(ceiling) + 1) * 100


def test_halves() -> None:
    assert [half_of(path) for path in ("a.md", "yard/a.md", "yard/carts/a.md")] == ["root", "yard", "yard"]


def test_a_configuration_with_all_that_can_be_wrong() -> None:
    text = "memory_private_dir=../x\nnote_stale_days = 90\nnote_stale_days=5\nindex_chars_max=\n"
    text += "commit_push=maybe\n"
    config = read_config(text)
    assert (config.private_dir, config.note_stale_days, config.index_chars_max) == ("private", 90, 24_500)
    assert not config.push, "what cannot be read pushes nothing"
    assert [(p.key, p.line) for p in config.problems] == [
        ("memory_private_dir", 1),
        ("commit_push", 5),
        ("index_chars_max", 4),
    ]
    assert read_config("") == Config()
