"""Links in the text of a note: their forms, and what is code, held against markdown-it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from markdown_it import MarkdownIt
from markdown_it.token import Token
from strategies import memory_texts

from floppy_tui.notes.code import code_spans
from floppy_tui.notes.links import glance, links_in, slugs_in, targets_in
from floppy_tui.text.lines import decode

MARKDOWN = MarkdownIt("commonmark").enable("table")


def slugs(text: str) -> list[str]:
    return [link.slug for link in links_in(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[[a]]", [("a", "a")]),
        ("[[a.md]]", [("a", "a")]),
        ("[[ a ]]", [("a", "a")]),
        ("[[a b]]", [("a b", "a b")]),
        ("[[a|the words]]", [("a", "the words")]),
        ("[[a\\|the words]]", [("a", "the words")]),
        ("[[a#part]]", [("a", "a")]),
        ("[[a.md#part|the words]]", [("a", "the words")]),
        ("[[a|]]", [("a", "a")]),
        ("[[größe/日本]]", [("größe/日本", "größe/日本")]),
        ("[[[[a]]]]", [("a", "a")]),
        ("![[a]]", [("a", "a")]),
        ("[[a]](a.md)", [("a", "a")]),
        ("[[a]] [[b]]", [("a", "a"), ("b", "b")]),
        ("\\\\[[a]]", [("a", "a")]),
        *((text, []) for text in ("[[]]", "[[ ]]", "[[a\nb]]", '[[ -z "$x" ]]', "[[a]", "[a]]", "[[#part]]")),
        *(
            (text, [])
            for text in ("[[.md]]", "[[|a]]", "\\[[a]]", "[[a'b]]", "[[$a]]", "[[a", "[[", "`[[a]]`")
        ),
    ],
)
def test_forms_of_links(text: str, found: list[tuple[str, str]]) -> None:
    for before, after in (("", ""), ("See ", "."), ("x\n\n- y ", " z\n")):
        links = links_in(before + text + after)
        assert [(link.slug, link.shown) for link in links] == found
        for link in links:
            whole = before + text + after
            assert whole[link.slug_start : link.slug_end] == link.slug
            assert whole[link.start : link.end].startswith("[[")
            assert whole[link.start : link.end].endswith("]]")
            assert link.line == whole[: link.start].count("\n") + 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[x](a.md)", ["a.md"]),
        ("![x](a.png)", ["a.png"]),
        ("[x](<a b.md>)", ["a b.md"]),
        ("[x](a%20b.md)", ["a b.md"]),
        ("[x](a\\_b.md)", ["a_b.md"]),
        ('[x](a.md "title")', ["a.md"]),
        ("[x](a(1).md)", ["a(1).md"]),
        ("[x](a.md#part)", ["a.md#part"]),
        ("[a[b]c](a.md)", ["a.md"]),
        ("[![x](a.png)](b.md)", ["a.png", "b.md"]),
        ("[[a]](a.md)", ["a.md"]),
        ("[x]: a.md", ["a.md"]),
        ("- x\n[y]: <a b.md>", ["a b.md"]),
        ("Note [x]: a.md", []),
        ("`[x](a.md)`", []),
        ("```\n[x](a.md)\n```", []),
        ("[x] (a.md)", []),
        ("[x](", []),
        ("[x]()", [""]),
    ],
)
def test_destinations_of_markdown_links(text: str, found: list[str]) -> None:
    assert [target.target for target in targets_in(text)] == found
    assert [t.line for t in targets_in("\n" + text)] == [t.line + 1 for t in targets_in(text)]


# -- code

LINKS = ["[[?]]", "[[?]]", "`[[?]]`", "``a ` [[?]]``"]
INLINE: SearchStrategy[str] = st.sampled_from(
    ["gate", "lamp", "the", "größe", "`", "`", "``", "\\`", "\\\\", "`code`", "*b*", *LINKS]
)
WORDS = st.lists(INLINE, min_size=1, max_size=6).map(" ".join).map(lambda words: f"x {words}")
LINES = st.lists(WORDS, min_size=1, max_size=3)


def under(first: str, rest: str, lines: list[str]) -> str:
    """``lines`` behind a mark of the first of them."""
    return "\n".join((first if n == 0 else rest) + line for n, line in enumerate(lines))


BLOCKS: SearchStrategy[str] = st.one_of(
    LINES.map("\n".join),
    LINES.map("\n".join),
    WORDS.map("## {}".format),
    LINES.map(lambda lines: under("> ", "> ", lines)),
    LINES.map(lambda lines: under("- ", "  ", lines)),
    LINES.map(lambda lines: under("1. ", "   ", lines)),
    st.tuples(WORDS, WORDS).map(lambda pair: f"- {pair[0]}\n- {pair[1]}"),
    st.tuples(WORDS, WORDS).map(lambda pair: f"- {pair[0]}\n  - {pair[1]}"),
    st.tuples(WORDS, WORDS).map(lambda pair: f"- {pair[0]}\n\n  {pair[1]}"),
    st.tuples(WORDS, WORDS).map(lambda pair: f"- {pair[0]}\n\n    {pair[1]}"),
    st.tuples(WORDS, WORDS).map(lambda pair: f"- {pair[0]}\n\n      {pair[1]}"),
    LINES.map(lambda lines: under("    ", "    ", lines)),
    LINES.map(lambda lines: under("```sh\n", "", lines) + "\n```"),
    LINES.map(lambda lines: under("~~~\n", "", lines) + "\n~~~~"),
    LINES.map(lambda lines: under("- ```\n  ", "  ", lines) + "\n  ```"),
    LINES.map(lambda lines: under("> ```\n> ", "> ", lines) + "\n> ```"),
    st.just("***"),
    st.just("x\n---"),
)


@st.composite
def notes_with_code(draw: st.DrawFn) -> str:
    """Blocks with a blank line between them, sometimes a fence that is never closed; each link is its own."""
    blocks = draw(st.lists(BLOCKS, min_size=1, max_size=5))
    if draw(st.sampled_from([False] * 5 + [True])):
        blocks.append("```\n" + draw(WORDS))
    pieces = "\n\n".join(blocks).split("[[?]]")
    text = pieces[0] + "".join(f"[[s{n}]]{piece}" for n, piece in enumerate(pieces[1:]))
    text += draw(st.sampled_from(["", "\n"]))
    return text.replace("\n", draw(st.sampled_from(["\n", "\n", "\n", "\r\n"])))


def in_code(text: str) -> dict[str, bool]:
    """Every slug in ``text``, and whether markdown-it takes it for code."""
    found: dict[str, bool] = {}

    def walk(tokens: list[Token]) -> None:
        for token in tokens:
            if token.children:
                walk(token.children)
            else:
                code = token.type in ("fence", "code_block", "code_inline")
                found.update(dict.fromkeys(slugs_in(token.content), code))

    walk(MARKDOWN.parse(text))
    return found


@given(notes_with_code())
@settings(max_examples=300)
def test_code_is_what_markdown_it_takes_for_code(text: str) -> None:
    code = in_code(text)
    assert set(code) == slugs_in(text)
    assert slugs(text) == [slug for slug in sorted(code, key=lambda s: int(s[1:])) if not code[slug]]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("- a stray ` tick\n- see [[x]]\n- another ` tick", ["x"]),
        ("a ` tick\n\n[[x]] and ` another", ["x"]),
        ("a ` tick\n \t\n[[x]] and ` another", ["x"]),
        ("a ` tick\r\n\r\n[[x]] and ` another", ["x"]),
        ("a ` tick\n[[x]] and ` another", []),
        ("# a ` tick\n[[x]] and ` another", ["x"]),
        ("| a ` | b |\n| [[x]] | ` |", ["x"]),
        ("``` not a fence ` [[x]]\n[[y]]", ["x", "y"]),
        ("``` a ``` [[x]]\n\n[[y]]", ["x", "y"]),
        ("~~~ a ~~~\n[[x]]", []),
        ("```\n~~~\n```\n[[x]]\n~~~\n[[y]]\n~~~", ["x"]),
        ("~~~\n```\n~~~\n[[x]]\n```\n[[y]]\n```", ["x"]),
        ("````\n```\n[[x]]\n````\n[[y]]", ["y"]),
        ("```\n[[x]]\n``` x\n[[y]]", []),
        ("\\`[[x]]\\`", ["x"]),
        ("\\\\`[[x]]`", []),
        ("`a\\` [[x]]`", ["x"]),
        ("Para.\n\n    [[x]]\n\n    [[y]]\nback [[z]]", ["z"]),
        ("Para.\n    [[x]] goes on", ["x"]),
        ("- item\n\n    [[x]] of the item", ["x"]),
        ("- item\n\n      [[x]] is code", []),
        ("- item\n    - nested [[x]]\n\n      more [[y]]", ["x", "y"]),
        ("10. item\n\n    [[x]] of the item", ["x"]),
        ("\t[[x]]", []),
    ],
)
def test_where_code_begins_and_ends(text: str, found: list[str]) -> None:
    assert slugs(text) == found


ANY_TEXT = st.one_of(
    memory_texts(), st.binary(max_size=200).map(decode), st.text("`~[]()<>:a. \n\\|#-", max_size=60)
)


@given(ANY_TEXT)
@settings(max_examples=200)
def test_a_first_look_overlooks_nothing(text: str) -> None:
    assert glance(text, ("a",)).slugs >= slugs_in(text)
    if any("a" in target.target for target in targets_in(text)):
        assert glance(text, ("a",)).targets
    assert bool(targets_in(text, of=("a",))) <= glance(text, ("a",)).targets
    assert not glance(text, ()).targets


@given(ANY_TEXT)
@settings(max_examples=150)
def test_any_text_is_read(text: str) -> None:
    spans = code_spans(text)
    assert all(0 <= a < b <= len(text) for a, b in spans)
    assert all(one[1] <= two[0] for one, two in pairwise(spans))
    links = links_in(text)
    assert {link.slug for link in links} <= slugs_in(text)
    for link in links:
        assert text[link.slug_start : link.slug_end] == link.slug
        assert link.line == text[: link.start].count("\n") + 1
        assert not any(a < link.end and link.start < b for a, b in spans)
    for target in targets_in(text):
        assert text[: target.start].rstrip(" \t").endswith(("(", ":"))
        assert target.line == text[: target.start].count("\n") + 1
