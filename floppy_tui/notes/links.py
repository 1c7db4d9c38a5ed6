"""``[[slug]]`` links in the text of a note, and what of a text is code, where nothing is a link.

A slug is letters, digits, ``_ - . /`` and inner blanks; with a quote or a ``$`` it is a shell test. An alias
(``|``), a heading (``#``) and an ending ``.md`` are seen through.
"""

from __future__ import annotations

import re
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


def links_in(text: str, start: int = 0) -> tuple[Link, ...]:
    """The links of ``text`` from ``start`` on, in order, none of them in code."""
    links: list[Link] = []
    code: Code | None = None
    line, counted = 1, 0
    for match in _LINK.finditer(text, start):
        at, end = match.span()
        if at and text[at - 1] == "\\" and _escaped(text, start, at):
            continue
        slug, alias = match.groups()
        slug = slug.removesuffix(".md")
        if not slug or slug[-1] == " ":
            continue
        if code is None:
            code = Code(text, start)
        if code.covers(at, end):
            continue
        line += text.count("\n", counted, at)
        counted = at
        begin = match.start(1)
        shown = alias.strip() if alias else ""
        links.append(Link(slug, line, at, end, begin, begin + len(slug), shown or slug))
    return tuple(links)


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
    at = text.find("]", start)
    while at >= 0:
        opening, after = at, text[at + 1 : at + 2]
        at = text.find("]", at + 1)
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
