"""Index files: every pointer lies where it says, leads where Markdown leads, and never out of the memory."""

from __future__ import annotations

import posixpath
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from markdown_it import MarkdownIt
from note_trees import index_texts
from strategies import memory_texts

from floppy_tui.notes.index import (
    Index,
    Pointer,
    chars_of,
    index_for,
    is_address,
    leaves,
    parent_of,
    resolve,
    spell_target,
)
from floppy_tui.text.lines import decode, split_lines

PARTS = [
    "a.md",
    "größe.md",
    "two words.md",
    "..",
    ".",
    "yard",
    "",
    "a%20b.md",
    "a#b.md",
    "x(1).md",
    "~",
    "c:d.md",
]
TARGETS: SearchStrategy[str] = st.lists(st.sampled_from(PARTS), max_size=5).map("/".join)
PIECES = st.sampled_from(
    [
        "[",
        "]",
        "](",
        ")",
        "(",
        "- ",
        "* ",
        "[A](a.md)",
        " — ",
        "hook",
        "\\",
        "`",
        "<a b.md>",
        '"t"',
        "a.md",
        "\n",
        "\n",
    ]
)
TEXTS: SearchStrategy[str] = st.one_of(
    index_texts("Index", ["a.md", "yard/INDEX.md", "<two words.md>", "a%20b.md", "x(1).md"]),
    st.lists(PIECES, max_size=25).map("".join),
    memory_texts(),
    st.binary(max_size=100).map(decode),
)


@given(TEXTS, st.sampled_from(["MEMORY.md", "yard/INDEX.md"]))
@settings(max_examples=200)
def test_every_pointer_lies_where_it_says(text: str, path: str) -> None:
    index = Index(path, text)
    lines = split_lines(text)
    for pointer in index.links:
        assert text[pointer.start : pointer.end] == lines[pointer.line - 1]
        assert pointer.start <= pointer.target_start <= pointer.target_end <= pointer.end
        raw = text[pointer.target_start : pointer.target_end]
        assert raw or not pointer.target
        before = text[pointer.start : pointer.target_start].rstrip(" \t").removesuffix("<")
        assert before.endswith(f"{pointer.title}](")
        if pointer.listed:
            assert (
                text[pointer.start : pointer.end]
                .lstrip(" ")
                .startswith(("- ", "* ", "+ ", "-\t", "*\t", "+\t"))
            )
            assert pointer.hook == pointer.hook.strip(" \t")
            assert pointer.hook in text[pointer.target_end : pointer.end]
        else:
            assert not pointer.hook and not pointer.separator
        assert not pointer.path or not leaves("", pointer.path)
    places = [(p.line, p.target_start) for p in index.links]
    assert places == sorted(places)
    assert index.reached == {p.path for p in index.links if p.path}


@given(st.sampled_from(["", "yard", "yard/carts"]), TARGETS)
def test_a_target_never_leads_out_of_the_memory(directory: str, target: str) -> None:
    path = resolve(directory, target)
    if path:
        assert path.endswith(".md") and path == posixpath.normpath(path)
        assert not path.startswith(("/", "../")) and path != ".."
        assert not leaves(directory, target.partition("#")[0])


NAMES = st.text(
    st.characters(exclude_characters="/\n\r", exclude_categories=["Cs"]), min_size=1, max_size=12
).filter(lambda name: name not in (".", ".."))


@given(
    st.lists(
        st.sampled_from(["yard", "two words", "50%25", "a(b", "c)d", "e<f>", "g:h", "#", "&amp;", "\\"]),
        max_size=3,
    ),
    NAMES,
)
@settings(max_examples=200)
def test_any_path_can_be_spelled_as_a_target(directories: list[str], name: str) -> None:
    path = "/".join([*directories, f"{name}.md"])
    (pointer,) = Index("MEMORY.md", f"- [X]({spell_target(path)}) — hook\n").pointers
    assert (pointer.path, pointer.title, pointer.hook) == (path, "X", "hook")


MARKDOWN = MarkdownIt("commonmark")


@given(st.one_of(TARGETS, TARGETS.map("<{}>".format)), st.sampled_from(["", ' "t"', " 't'", " (t)", " "]))
@settings(max_examples=200)
def test_a_destination_is_read_as_markdown_it_reads_it(target: str, title: str) -> None:
    line = f"- [X]({target}{title}) — hook"
    links = [t for b in MARKDOWN.parse(line) for t in b.children or () if t.type == "link_open"]
    found = Index("MEMORY.md", line).pointers
    if not links:
        assert all(p.literal and p.target.endswith(".md") for p in found), "only the literal readers take it"
        return
    (pointer,) = found
    assert pointer.target == unquote(str(links[0].attrs["href"]))
    assert pointer.hook == "hook"


def one(line: str, path: str = "MEMORY.md") -> Pointer:
    (pointer,) = Index(path, line).links
    return pointer


@pytest.mark.parametrize(
    ("line", "title", "hook"),
    [
        ("- [A](a.md) — how long", "A", "how long"),
        ("- [A](a.md) - how long", "A", "how long"),
        ("- [A](a.md): how long", "A", "how long"),
        ("- [A](a.md) -- how long", "A", "how long"),
        ("- [A](a.md) how long", "A", "how long"),
        ("- [A](a.md)", "A", ""),
        ("- [A](a.md) —", "A", ""),
        ("* [A `b`](a.md) – x\r\n", "A `b`", "x"),
        ("   + [A [b] c](a.md) — see [B](b.html)", "A [b] c", "see [B](b.html)"),
        ("- [A \\] b](a.md) — x", "A \\] b", "x"),
    ],
)
def test_forms_of_pointer_lines(line: str, title: str, hook: str) -> None:
    pointer = one(line)
    assert (pointer.path, pointer.title, pointer.hook, pointer.listed) == ("a.md", title, hook, True)


def test_links_in_prose_count_as_reached_and_are_no_pointers() -> None:
    text = "[A](a.md) and [B](<b.md>) or\n> [C](yard/c.md#part).\n- [D](d.md) — with [E](e.md)\n[x](y.txt)\n"
    index = Index("MEMORY.md", text)
    assert [(p.path, p.listed, p.literal) for p in index.links] == [
        ("a.md", False, True),
        ("b.md", False, False),
        ("yard/c.md", False, False),
        ("d.md", True, True),
        ("e.md", False, True),
    ]
    assert [p.path for p in index.pointers] == ["d.md"]


@pytest.mark.parametrize(
    "text",
    [
        "```\n- [A](a.md)\n```",
        "`- [A](a.md)`",
        "---\nx: \n- [A](a.md)\n---",
        "Para.\n\n    [A](a.md)",
        "- [A] (a.md)",
        "- [A](a.md",
    ],
)
def test_what_is_no_pointer(text: str) -> None:
    assert Index("MEMORY.md", text).links == ()


def test_a_name_with_a_number_sign_is_told_from_a_heading() -> None:
    assert one("- [A](a%23b.md#part)").path == "a#b.md"
    assert one("- [A](a.md#b)").path == "a.md"
    assert resolve("", "a.md#part") == "a.md"


@pytest.mark.parametrize(
    "address", ["https://a/b.md", "mailto:a.md", "#part", "file:///a.md", "obsidian:a.md"]
)
def test_an_address_is_no_path(address: str) -> None:
    assert is_address(address)
    assert resolve("yard", address) == ""


def test_where_indexes_stand() -> None:
    assert [parent_of(p) for p in ("yard/INDEX.md", "yard/carts/INDEX.md")] == ["MEMORY.md", "yard/INDEX.md"]
    assert [index_for(p) for p in ("a.md", "yard/a.md", "yard/carts/a.md")] == [
        "MEMORY.md",
        "yard/INDEX.md",
        "yard/carts/INDEX.md",
    ]
    assert [Index(p, "").level for p in ("MEMORY.md", "yard/INDEX.md", "yard/carts/INDEX.md")] == [1, 2, 3]


@given(st.text("ab\r\n", max_size=30))
def test_a_size_has_one_line_end_per_line(text: str) -> None:
    lines = split_lines(text)
    assert chars_of(text) == sum(
        len(line.removesuffix("\n").removesuffix("\r") if line.endswith("\n") else line) + 1 for line in lines
    )
