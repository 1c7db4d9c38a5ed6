"""``[[slug]]`` links in the text of a note, and what of a text is code, where nothing is a link.

A slug is letters, digits, ``_ - . /`` and inner blanks; with a quote or a ``$`` it is a shell test. An alias
(``|``), a heading (``#``) and an ending ``.md`` are seen through.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple
from urllib.parse import unquote

from floppy_tui.notes.code import Code
from floppy_tui.notes.code import code_spans as code_spans

_LINK = re.compile(
    r"\[\[[ \t]*+(?P<slug>[\w.\-/]++(?: ++[\w.\-/]++)*+)[ \t]*+"
    r"(?:#[^\[\]\n|]*+)?(?:\\?\|(?P<alias>[^\[\]\n]*+))?\]\]"
)
"""A bar may be escaped, as it has to be in a table."""
_BEGIN = re.compile(r"[ \t]*+(<[^<>\n]*+>|[^\s<>()\\]*+)")
_SPECIAL = re.compile(r"\\.|[\s<>()]")
_DEPTH = 32
"""So many brackets in one another, and no more, are part of a destination, as for markdown-it."""
_LABEL = re.compile(r" {0,3}\[[^\[\]\n]+")


class Target(NamedTuple):
    """The destination of one Markdown link."""

    target: str
    """As Markdown reads it: no angle brackets, escapes or percent codes."""
    line: int
    """From 1."""
    start: int


class Link(NamedTuple):
    """One link to another note."""

    slug: str
    """What it resolves by."""
    line: int
    """From 1."""
    start: int
    end: int
    """Of the whole ``[[…]]``."""
    slug_start: int
    slug_end: int
    """Of the slug inside it, as it stands (an ending ``.md`` not included)."""
    shown: str
    """The words a reader sees: its alias, or the slug."""


def links_in(text: str, start: int = 0, *, of: Collection[str] | None = None) -> tuple[Link, ...]:
    """The links of ``text`` from ``start`` on, none of them in code; with ``of`` only those to these."""
    links: list[Link] = []
    code: Code | None = None
    line, counted = 1, 0
    for match in _matches(text, start):
        at, end = match.span()
        slug = match["slug"].removesuffix(".md")
        if of is not None and slug not in of:
            continue
        if not slug or slug[-1] == " " or (at and text[at - 1] == "\\" and _escaped(text, start, at)):
            continue
        if code is None:
            code = Code(text, start)
        if code.covers(at, end):
            continue
        line += text.count("\n", counted, at)
        counted = at
        begin = match.start("slug")
        alias = match["alias"]
        links.append(Link(slug, line, at, end, begin, begin + len(slug), (alias or "").strip() or slug))
    return tuple(links)


class Glance(NamedTuple):
    """What a quick first look at a text finds; a thorough one finds nothing beyond it."""

    slugs: set[str]
    """What ``[[…]]`` there are to, or look as if, code among them."""
    targets: bool
    """Whether a Markdown link may have one of the words in its destination that were asked for."""


def glance(text: str, words: tuple[str, ...]) -> Glance:
    """A quick first look at all of ``text``, at slugs and at destinations that hold any of ``words``."""
    slugs: set[str] = set()
    targets = False
    find, size = text.find, len(text) - 1
    line, last, at = 0, 0, find("]")
    while 0 <= at < size:
        after = text[at + 1]
        if after == "]":
            opening = text.rfind("[", last, at)
            if opening > 0 and text[opening - 1] == "[":
                said = text[opening + 1 : at].partition("|")[0].partition("#")[0]
                slugs.add(said.strip(" \t\\").removesuffix(".md"))
        elif (after == "(" or after == ":") and at >= line:
            # A destination ends with its line; what is below the first of a line was seen with it.
            line = find("\n", at)
            line = line if line >= 0 else len(text)
            targets = targets or any(find(word, at, line) >= 0 for word in words)
        last, at = at, find("]", at + 1)
    return Glance(slugs, targets)


def slugs_in(text: str, start: int = 0) -> set[str]:
    """The slugs that ``text`` may link to from ``start`` on, those in code too: a quick first look."""
    return {match["slug"].removesuffix(".md") for match in _matches(text, start)}


def _matches(text: str, start: int) -> list[re.Match[str]]:
    found = []
    find, match, size = text.find, _LINK.match, len(text) - 1
    at = find("[", start)
    while 0 <= at < size:
        if text[at + 1] == "[" and (link := match(text, at)) is not None:
            found.append(link)
            at = find("[", link.end())
        else:
            at = find("[", at + 1)
    return found


def _escaped(text: str, start: int, at: int) -> bool:
    """Whether a backslash takes its meaning from the character at ``at``."""
    back = at
    while back > start and text[back - 1] == "\\":
        back -= 1
    return (at - back) % 2 == 1


def targets_in(text: str, start: int = 0, *, of: tuple[str, ...] = ()) -> tuple[Target, ...]:
    """The destinations of Markdown links, images and link definitions in ``text``, none of them in code.

    Only those that hold one of the words ``of``, where there are any.
    """
    targets: list[Target] = []
    code: Code | None = None
    line, counted = 1, 0
    find, size = text.find, len(text) - 1
    at, before = find("]", start), start - 1
    while 0 <= at < size:
        opening, last, after = at, before, text[at + 1]
        at, before = find("]", at + 1), at
        if after == ":":
            if not _defines(text, start, last, opening):
                continue
        elif after != "(":
            continue
        begin, end = _destination(text, opening + 2)
        raw = text[begin:end]
        if after == "(" and text[end : end + 1] not in (")", " ", "\t", "\n", "\r"):
            continue
        if end < begin or (of and not any(word in raw for word in of)):
            continue
        if code is None:
            code = Code(text, start)
        if code.covers(opening, end):
            continue
        line += text.count("\n", counted, begin)
        counted = begin
        targets.append(Target(_decoded(raw), line, begin))
    return tuple(targets)


def _defines(text: str, start: int, last: int, at: int) -> bool:
    """Whether the ``]`` at ``at``, after one at ``last``, ends the label of a link definition."""
    line = text.rfind("\n", max(last, start), at) + 1
    if line == 0 and last >= start:
        return False
    return _LABEL.fullmatch(text, max(line, start), at) is not None


def _destination(text: str, at: int) -> tuple[int, int]:
    """Where the destination that begins at ``at``, after blanks, does and ends; before that for none."""
    match = _BEGIN.match(text, at)
    assert match is not None
    begin, end = match.span(1)
    if text[end : end + 1] in ("", ")", " ", "\t", "\n", "\r") or text[begin : begin + 1] == "<":
        return begin, end
    depth = 0
    for special in _SPECIAL.finditer(text, end):
        mark = special[0]
        if mark == "(":
            depth += 1
            if depth > _DEPTH:
                return begin, begin - 1
        elif mark == ")":
            depth -= 1
            if depth < 0:
                return begin, special.start()
        elif mark[0] != "\\":
            return begin, special.start()
    return begin, len(text)


def _decoded(raw: str) -> str:
    from markdown_it.common.utils import unescapeAll

    return unquote(unescapeAll(raw[1:-1] if raw.startswith("<") else raw), errors="surrogateescape")
