"""A field of front matter is a splice: it reads as asked, everywhere, and nothing else changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from note_trees import VALUES, note_texts

from floppy_tui.notes.fields import remove_field, set_field
from floppy_tui.notes.front import METADATA, read_front
from floppy_tui.notes.planned import Impossible
from floppy_tui.notes.yaml import read_yaml, spelled

KEYS = st.sampled_from(
    ["name", "description", "metadata.type", "metadata.evidence", "metadata.as_of", "other"]
)


def others(text: str, key: str) -> dict[str, str]:
    front = read_front(text)
    assert front is not None
    return {k: f.value for k, f in front.fields.items() if k not in (key, METADATA)}


@given(note_texts("rope"), KEYS, VALUES)
def test_a_field_reads_as_asked_and_nothing_else_changes(text: str, key: str, value: str) -> None:
    after = set_field(text, key, value)
    front, old = read_front(after), read_front(text)
    assert front is not None and old is not None
    assert front.value(key) == value.strip(" \t")
    assert others(after, key) == others(text, key)
    assert after[front.body :] == text[old.body :]
    assert after.startswith("\ufeff") == text.startswith("\ufeff")
    assert set_field(after, key, value) == after
    field = old.fields.get(key)
    if field is not None:
        assert after.startswith(text[: field.start]) and after.endswith(text[field.end :])
    else:
        # A line, or two with ``metadata:``, was put in between two lines.
        new = front.fields[key]
        start = new.line_start
        if key.startswith(METADATA) and METADATA not in old.fields:
            start = front.fields[METADATA].line_start
        assert after[:start] + after[new.line_end :] == text
        assert after[start : new.line_end].count("\r\n") == (
            after[start : new.line_end].count("\n") if "\r\n" in text else 0
        )


@given(VALUES)
def test_yaml_reads_what_the_lines_say(value: str) -> None:
    text = set_field("---\nname: x\n---\n", "description", value)
    text = set_field(text, "metadata.note", value)
    whole = read_yaml(text)
    assert whole.problem == ""
    assert (
        spelled(whole.values["description"])
        == spelled(whole.values["metadata"]["note"])
        == value.strip(" \t")
    )


@given(note_texts("rope"), KEYS)
def test_a_field_is_removed_and_nothing_else_changes(text: str, key: str) -> None:
    try:
        after = remove_field(text, key)
    except Impossible:
        # Taken out, the line above would take the next ones for its own.
        return
    front = read_front(after)
    assert front is not None and key not in front.fields
    assert others(after, key) == others(text, key)


@given(note_texts("rope"), VALUES)
def test_a_new_field_goes_without_a_trace(text: str, value: str) -> None:
    added = set_field(text, "metadata.checked_by", value)
    front = read_front(text)
    assert front is not None
    if METADATA in front.fields:
        assert remove_field(added, "metadata.checked_by") == text


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("cut long", "cut long"),
        ("2026-08-20", "2026-08-20"),
        ("3 ropes", "3 ropes"),
        ("how: this", "'how: this'"),
        ("rack #3 # not 4", "'rack #3 # not 4'"),
        ("rack #3", "'rack #3'"),
        ("it's", "it's"),
        ("'quoted' it's", "'''quoted'' it''s'"),
        ("yes", "'yes'"),
        ("1.5", "'1.5'"),
        ("- dash", "'- dash'"),
        ("ends:", "'ends:'"),
        ("", ""),
    ],
)
def test_quotes_are_written_only_where_yaml_needs_them(value: str, written: str) -> None:
    text = set_field("---\nname: x\ndescription: y\n---\n", "description", value)
    assert text == f"---\nname: x\ndescription: {written}\n---\n"


@pytest.mark.parametrize("old", ['"{}"', "'{}'", "{}"])
def test_the_quotes_of_a_field_stay(old: str) -> None:
    text = f"---\nmetadata:\n  as_of: {old}\n---\n"
    assert set_field(text.format("2026-01-01"), "metadata.as_of", "2026-02-02") == text.format("2026-02-02")


def test_a_folded_value_becomes_one_line() -> None:
    text = "---\ndescription: >-\n  over\n  two\nname: x\n---\n"
    assert set_field(text, "description", "one") == "---\ndescription: one\nname: x\n---\n"


@pytest.mark.parametrize("value", ["two\nlines", "a\x00b", "a\u2028b", "\x1b[31m", "\udcff"])
def test_what_no_field_can_hold_is_refused(value: str) -> None:
    with pytest.raises(Impossible, match="description has to be one line"):
        set_field("---\nname: x\n---\n", "description", value)


def test_where_there_is_no_front_matter_nothing_is_written() -> None:
    with pytest.raises(Impossible, match=r"a\.md has no front matter"):
        set_field("Text.\n", "name", "x", where="a.md")


def test_metadata_in_braces_is_left_alone() -> None:
    with pytest.raises(Impossible, match=r"metadata\.as_of cannot be written"):
        set_field("---\nmetadata: {type: user}\n---\n", "metadata.as_of", "2026-01-01")
