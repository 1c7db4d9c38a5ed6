"""``[[slug]]`` links in the text of a note, and what of a text is code, where nothing is a link.

A slug is letters, digits, ``_ - . /`` and inner blanks; with a quote or a ``$`` it is a shell test. An alias
(``|``), a heading (``#``) and an ending ``.md`` are seen through.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote

_LINK = re.compile(r"\[\[([^\[\]\n]+)\]\]")
_TARGET = re.compile(r"(?:\]\([ \t]*|^ {0,3}\[[^\[\]\n]+\]:[ \t]*)(<[^<>\n]*>|[^\s<>]+)", re.M)
_SLUG = re.compile(r"[\w.\-/]+(?: +[\w.\-/]+)*")
_FENCE = re.compile(r"^(?:[ \t]*(?:[-*+>]|[0-9]{1,9}[.)])[ \t]+)*[ \t]*(`{3,}(?=[^`\n]*$)|~{3,})", re.M)
_TICKS = re.compile(r"(?<!\\)(`+)")


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
    if "[[" not in text:
        return ()
    found = [m for m in _LINK.finditer(text, start) if _slug(m) is not None]
    if not found:
        return ()
    spans = list(code_spans(text, start))
    links: list[Link] = []
    line, counted, at = 1, 0, 0
    for match in found:
        while at < len(spans) and spans[at][1] <= match.start():
            at += 1
        if at < len(spans) and spans[at][0] < match.end():
            continue
        line += text.count("\n", counted, match.start())
        counted = match.start()
        inner = _slug(match)
        assert inner is not None
        slug, slug_start, slug_end = inner
        alias = match[1].partition("|")[2].strip()
        links.append(Link(slug, line, match.start(), match.end(), slug_start, slug_end, alias or slug))
    return tuple(links)


def targets_in(text: str, start: int = 0) -> tuple[Target, ...]:
    """The destinations of Markdown links, images and link definitions in ``text``, none of them in code."""
    places = [m.span(1) for m in _TARGET.finditer(text, start)]
    if not places:
        return ()
    return tuple(Target(_decoded(text[a:b]), line, a) for (a, b), line in _outside_code(text, start, places))


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


def _outside_code(
    text: str, start: int, places: list[tuple[int, int]]
) -> Iterator[tuple[tuple[int, int], int]]:
    """Those of ``places`` (in order) that no code overlaps, each with its line."""
    spans = list(code_spans(text, start))
    line, counted, at = 1, 0, 0
    for place in places:
        while at < len(spans) and spans[at][1] <= place[0]:
            at += 1
        if at < len(spans) and spans[at][0] < place[1]:
            continue
        line += text.count("\n", counted, place[0])
        counted = place[0]
        yield place, line


def _slug(match: re.Match[str]) -> tuple[str, int, int] | None:
    """The slug that a ``[[…]]`` names, and where it stands; None where it is no link."""
    target = match[1].partition("|")[0].partition("#")[0]
    slug = target.strip(" \t").removesuffix(".md")
    if not _SLUG.fullmatch(slug):
        return None
    start = match.start(1) + len(target) - len(target.lstrip(" \t"))
    return slug, start, start + len(slug)


def code_spans(text: str, start: int = 0) -> Iterator[tuple[int, int]]:
    """Where the code of ``text`` stands from ``start`` on: fences (the lines too) and spans, in order."""
    at = start
    while True:
        opening = _FENCE.search(text, at)
        yield from _inline(text, at, opening.start() if opening else len(text))
        if opening is None:
            return
        fence = opening[1]
        closing = re.compile(rf"^[ \t>]*{re.escape(fence[0])}{{{len(fence)},}}[ \t\r]*$", re.M)
        line = text.find("\n", opening.end())
        closed = closing.search(text, line + 1) if line >= 0 else None
        end = closed.end() if closed else len(text)
        yield opening.start(), end
        if closed is None:
            return
        at = end


def _inline(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Code spans between ``start`` and ``end``: as many backticks close as opened, within a paragraph."""
    at = start
    while True:
        opening = _TICKS.search(text, at, end)
        if opening is None:
            return
        ticks = opening[1]
        blank = re.compile(r"\n[ \t\r]*\n").search(text, opening.end(), end)
        limit = blank.start() if blank else end
        closed = re.compile(rf"(?<!`){ticks}(?!`)").search(text, opening.end(), limit)
        if closed is None:
            at = opening.end()
            continue
        yield opening.start(), closed.end()
        at = closed.end()
