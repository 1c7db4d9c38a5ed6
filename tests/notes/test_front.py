"""Front matter: every field lies where it says, and the quick reading is the thorough one and YAML's."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from note_trees import VALUES, note_texts

from floppy_tui.notes import front as fronts
from floppy_tui.notes.front import read_front
from floppy_tui.notes.plain import CHECKED, is_plain
from floppy_tui.notes.yaml import differs, read_yaml, spelled
from floppy_tui.text.lines import BOM, Splice, decode, encode, splice

ODD_VALUES = st.sampled_from(
    [
        *("a", "a b", "a: b", "a #b", "a#b", "a:b", "a:", ": a", "#", "- a", "[a, b]", "[a", "{a: b}", "&a"),
        *("yes", "No", "NULL", "~", "true", "12", "012", "0x_", "0b_", "1_0", "1:30", "1.5", "+1", ".5", "-"),
        *("2026-08-20", "2026-02-30", "2026-8-2", "0000-01-01", "3 ropes", "3-a", "3 : a", "(a)", "*a"),
        *("2026-08-04T16:04:24.602Z", "2026-13-04T99:04:24Z", "00000000-0000-4000-8000-000000000001"),
        *("'a'", "'a''b'", "'a", "'a' b", "''", "'", '"a"', '"a\\n"', '"a\\"b"', '"a" b', '""', '"', "\\"),
        *("größe", "日本", "🦀 x", "\xa0a", "a\xa0", "a\tb", "a\u2028b", "a\x85b", "\udcff", "a\x00"),
        *("\r", "!", "%a", "@a", "`a`", "y", "=", "<<", "a\x7f", "a\\", "a'b", 'a"b', "a ", "  a", "", "---"),
        *("...", "a ---", "? a", "\ufeff", "|", ">-", "x" * 2000),
    ]
)  # fmt: skip
KEYS = st.sampled_from(
    [
        "name",
        "description",
        "type",
        "metadata",
        "as_of",
        "evidence",
        "a.b",
        "yes",
        "2026-13-01",
        "k" * 101,
        "a b",
    ]
)
INDENTS = st.sampled_from(["", "", "  ", "   ", "\t"])
BLANKS = st.sampled_from([" ", " ", "", "  ", "\t"])
FIELDS = st.sampled_from(["name", "description", "type", "  type", "  as_of"])
OTHER_LINES = ["metadata:", "metadata: ", "metadata:", "", "# a comment", "  # one", "- item", "  - item"]
LINES: SearchStrategy[str] = st.one_of(
    st.builds("{}{}:{}{}".format, INDENTS, KEYS, BLANKS, ODD_VALUES),
    st.builds("{}: {}".format, FIELDS, VALUES),
    st.sampled_from([*OTHER_LINES, "  more", "----", "..."]),
)


@st.composite
def front_texts(draw: st.DrawFn) -> str:
    """A note with anything for a front matter, closed almost always."""
    lines = draw(st.lists(LINES, max_size=8))
    end = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    opening = draw(st.sampled_from(["---", "---", "---", "--- ", BOM + "---", "----"]))
    closing = draw(st.sampled_from(["---", "---", "---", "---\t", "", "----"]))
    body = draw(st.sampled_from(["", "Body.\n", "---\nmore: x\n---\n"]))
    return end.join([opening, *lines, closing, body])


ANY_TEXT: SearchStrategy[str] = st.one_of(
    front_texts(), note_texts("rope"), st.binary(max_size=80).map(decode), st.text(max_size=60)
)


@given(ANY_TEXT)
@settings(max_examples=150)
def test_any_text_is_read_and_every_field_lies_where_it_says(text: str) -> None:
    front = read_front(text)
    if front is None:
        return
    assert text[front.end :].startswith("---")
    assert text[: front.start].removeprefix(BOM).startswith("---")
    assert text[front.start - 1] == "\n" and (front.body == len(text) or text[front.body - 1] == "\n")
    for key, field in front.fields.items():
        assert front.start <= field.line_start < field.start <= field.end < field.line_end <= front.end
        assert text[: field.line_start].count("\n") == field.line - 1
        assert text[field.line_end - 1] == "\n"
        assert text[field.line_start :].startswith(f"{field.indent}{key.rpartition('metadata.')[2]}:")
        assert key.startswith("metadata.") is bool(field.indent)
        lines = text[field.line_start : field.line_end].count("\n")
        if lines == 1:
            assert text[field.start : field.end].strip(" \t") == text[field.start : field.end]
    starts = [f.line_start for f in front.fields.values()]
    assert starts == sorted(starts)


@given(ANY_TEXT, VALUES.filter(lambda value: value == value.strip() and "\n" not in value))
@settings(max_examples=100)
def test_a_value_is_spliced_and_everything_else_comes_back(text: str, value: str) -> None:
    front = read_front(text)
    if front is None:
        return
    for field in front.fields.values():
        after = splice(text, [Splice(field.start, field.end, value)])
        assert after.startswith(text[: field.start]) and after.endswith(text[field.end :])
        back = splice(after, [Splice(field.start, field.start + len(value), text[field.start : field.end])])
        assert encode(back) == encode(text)


def thorough(text: str) -> fronts.Front | None:
    """The front matter as the slow reading alone finds it."""
    return fronts._read(text, text.index("\n") + 1)


@given(st.one_of(front_texts(), note_texts("rope")))
@settings(max_examples=200)
def test_the_quick_reading_is_the_thorough_one(text: str) -> None:
    front = read_front(text)
    if front is None or not front.plain:
        return
    slow = thorough(text)
    assert slow is not None
    assert (slow.start, slow.end, slow.body) == (front.start, front.end, front.body)
    assert list(slow.fields.items()) == list(front.fields.items())


@given(st.one_of(front_texts(), note_texts("rope")))
@settings(max_examples=200)
@example("---\nname: x\nmetadata:\n  type: 0x_\n---\n")
@example("---\nmodified: 2026-13-04T16:04:24Z\n---\n")
def test_whatever_is_called_plain_yaml_reads_the_same(text: str) -> None:
    front = read_front(text)
    if front is None or not front.plain:
        return
    whole = read_yaml(text)
    assert whole.problem == ""
    assert differs(front, whole) == ()


PLAIN = [
    "---\nname: rope\ndescription: How long, and why: see below\nmetadata: \n  type: project\n---\n",
    '---\nname: rope\ndescription: "Wick is sold: measure"\nmetadata:\n  as_of: 2026-08-20\n---\n',
    "---\r\nname: rope\r\nmetadata:\r\n    modified: 2026-08-04T16:04:24.602Z\r\n---\r\n",
    "---\nname: rope\noriginSessionId: 00000000-0000-4000-8000-000000000001\ntags: [a, b]\n---",
    BOM + "---\nname: 'rope'\ndescription: 3 größen\n---\n",
    "---\n---\n",
]


@pytest.mark.parametrize("text", PLAIN)
def test_what_most_notes_have_is_plain(text: str) -> None:
    """Else every note would cost a run of YAML."""
    front = read_front(text.replace("why: see", "why see"))
    assert front is not None and front.plain


CODES = [
    *range(0x800),
    *range(0x1FF0, 0x2100),
    *range(0x2FF0, 0x3100),
    *range(0xD7F0, 0xD810),
    *range(0xDFF0, 0xE010),
    *range(0xFDF0, 0x10010),
    *(plane + code for plane in range(0x10000, 0x110000, 0x10000) for code in (0, 0xFFFD, 0xFFFE, 0xFFFF)),
]


@pytest.mark.parametrize("shape", ["{}x", "x{}x", "'{}'"])
def test_no_character_that_is_let_through_troubles_yaml(shape: str) -> None:
    lines: dict[str, str] = {}
    for code in CODES:
        value = shape.format(chr(code)).strip(" ")
        if fronts._LINE.fullmatch(f"key: {value}\n") and (said := is_plain("name", value)) is not None:
            lines[f"k{code}: {value}\n"] = said
    assert len(lines) > 1000
    whole = read_yaml(f"---\n{''.join(lines)}---\n")
    assert whole.problem == ""
    for line, said in lines.items():
        assert spelled(whole.values[line.partition(":")[0]]).split() == said.split()


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("---\na: 1\na: 2\n---\n", "a", "1"),
        ("---\nmetadata:\n  source:\n    type: user\n  type: project\n---\n", "metadata.type", "project"),
        ("---\nother:\n  type: user\nmetadata:\n  type: project\n---\n", "metadata.type", "project"),
        ("---\ndescription: goes on\n  over two lines\n---\n", "description", "goes on over two lines"),
        ("---\ndescription: >-\n  goes\n\n  on\nname: x\n---\n", "description", "goes on"),
        ("---\nname: x\n  type: y\n---\n", "name", "x"),
        ("---\nname: 'it''s'\n---\n", "name", "it's"),
        ("---\nname: 'a' and 'b'\n---\n", "name", "'a' and 'b'"),
        ('---\nname: "a \\"b\\""\n---\n', "name", 'a "b"'),
        ("---\nname:x\n---\n", "name", "x"),
        ("---\nname: a # b: c\n---\n", "name", "a # b: c"),
    ],
)
def test_how_lines_are_read(text: str, key: str, value: str) -> None:
    front = read_front(text)
    assert front is not None
    assert front.value(key) == value


@pytest.mark.parametrize(
    "text", ["", "---", "---\n", "--\n---\n", " ---\n---\n", "---x\n---\n", "---\nname: x\n", "x\n---\n---\n"]
)
def test_what_is_no_front_matter(text: str) -> None:
    assert read_front(text) is None


def test_yaml_that_no_screen_could_show_is_a_problem() -> None:
    for inner in ("a: &x {b: *x}", "a: &a [x, x]\nb: [*a, *a]", "a: " + "[" * 80 + "]" * 80):
        assert read_yaml(f"---\n{inner}\n---\n").problem
    for inner in (
        "a: [b",
        "d: 2026-02-30",
        "a: !!int x",
        "a: !!timestamp x",
        "? [a]\n: b",
        "a: " + "[" * 9999,
    ):
        assert read_yaml(f"---\n{inner}\n---\n").problem
    assert read_yaml("---\nas_of: 2026-08-20\n---\n").values == {"as_of": date(2026, 8, 20)}
    assert "description" in CHECKED
