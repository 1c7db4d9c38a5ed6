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
_TARGET = re.compile(r"\][(:][ \t]*+(<[^<>\n]*>|[^\s<>]+)")
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
    at = find("]", start)
    while 0 <= at < size:
        opening, after = at, text[at + 1]
        at = find("]", at + 1)
        if after != "(" and after != ":":
            continue
        match = _TARGET.match(text, opening)
        if match is None or (of and not any(word in match[1] for word in of)):
            continue
        if after == ":" and not _defines(text, start, opening):
            continue
        if code is None:
            code = Code(text, start)
        if code.covers(match.start(1), match.end(1)):
            continue
        line += text.count("\n", counted, match.start())
        counted = match.start()
        targets.append(Target(_decoded(match[1]), line, match.start(1)))
    return tuple(targets)


def _defines(text: str, start: int, at: int) -> bool:
    """Whether the ``]`` at ``at`` ends the label of a link definition."""
    line = max(text.rfind("\n", start, at) + 1, start)
    return _LABEL.fullmatch(text, line, at) is not None


def _decoded(raw: str) -> str:
    from markdown_it.common.utils import unescapeAll

    if raw.startswith("<"):
        return unquote(unescapeAll(raw[1:-1]), errors="surrogateescape")
    depth = 0
    escaped = False
    for n, c in enumerate(raw):
        if escaped:
            escaped = False
        elif c == "\\":
            escaped = True
        elif c == "(":
            depth += 1
        elif c == ")":
            depth -= 1
            if depth < 0:
                raw = raw[:n]
                break
    return unquote(unescapeAll(raw), errors="surrogateescape")
