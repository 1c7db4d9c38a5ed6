"""An index file: its pointers, ``- [Title](path.md) — hook``, and the other links to Markdown files in it."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from urllib.parse import unquote

from floppy_tui.notes.front import read_front
from floppy_tui.notes.links import Link, code_spans, links_in
from floppy_tui.text.lines import bare, split_lines

ROUTER = "MEMORY.md"
INDEX = "INDEX.md"
_POINTER = re.compile(r"[ ]{0,3}[-*+][ \t]+(?=\[)")
_LITERAL = re.compile(r"\]\(([^)\n]*\.md)\)")
_SEPARATOR = re.compile(r"[ \t]*(?P<separator>—|–|-+|:)[ \t]+")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


class Pointer(NamedTuple):
    """One pointer line, or another link to a Markdown file in an index."""

    title: str
    target: str
    """The destination as Markdown reads it: no angle brackets, escapes or percent codes."""
    path: str
    """Where it leads, below the memory directory; ``""`` where it names no note in there."""
    hook: str
    separator: str
    line: int
    """From 1."""
    start: int
    end: int
    """Of the line, line end included."""
    target_start: int
    target_end: int
    """Of the destination as it stands in the text, angle brackets included, title not."""
    literal: bool
    """Whether a reader that looks for ``](path.md)`` in the raw line finds the same target."""
    listed: bool
    """Whether the line is a pointer line; else it is a link in prose."""


@dataclass(frozen=True)
class Index:
    """``MEMORY.md`` or an ``INDEX.md``."""

    path: str
    text: str

    @property
    def directory(self) -> str:
        """Where it lies, ``""`` for the memory directory itself."""
        return posixpath.dirname(self.path)

    @property
    def chars(self) -> int:
        """Its size in characters, one line end per line."""
        return chars_of(self.text)

    @property
    def level(self) -> int:
        """1 for the router, 2 for a half's index, 3 for a group's."""
        return self.path.count("/") + 1

    @cached_property
    def links(self) -> tuple[Pointer, ...]:
        """All links to files, in order; pointer lines and others."""
        return tuple(_links(self.text, self.directory))

    @cached_property
    def pointers(self) -> tuple[Pointer, ...]:
        """The pointer lines."""
        return tuple(p for p in self.links if p.listed)

    @cached_property
    def references(self) -> tuple[Link, ...]:
        """Its ``[[links]]`` to notes."""
        front = read_front(self.text)
        return links_in(self.text, front.body if front else 0)

    @cached_property
    def reached(self) -> frozenset[str]:
        """The paths that some link of it leads to."""
        return frozenset(p.path for p in self.links if p.path)


def chars_of(text: str) -> int:
    """Characters of ``text``: a line end is one, and a last line without one has one all the same."""
    count = len(text) - (text.count("\r\n") if "\r" in text else 0)
    return count + (1 if text and not text.endswith("\n") else 0)


def parent_of(path: str) -> str:
    """The index directly above the index ``path``."""
    above = posixpath.dirname(posixpath.dirname(path))
    return f"{above}/{INDEX}" if above else ROUTER


def index_for(path: str) -> str:
    """The index of the directory that the note ``path`` lies in."""
    directory = posixpath.dirname(path)
    return f"{directory}/{INDEX}" if directory else ROUTER


def resolve(directory: str, target: str) -> str:
    """The path below the memory directory that ``target`` leads to from ``directory``; ``""`` for none.

    A web address, an absolute path, a directory, what is no Markdown file and what leaves the memory
    directory lead to none.
    """
    target = target.partition("#")[0]
    if not target or target.startswith("/") or is_address(target) or not target.endswith(".md"):
        return ""
    return "" if leaves(directory, target) else posixpath.normpath(posixpath.join(directory, target))


def is_address(target: str) -> bool:
    """Whether ``target`` is a web address or the like, or a heading of the same file."""
    return target.startswith("#") or bool(_SCHEME.match(target))


def leaves(directory: str, target: str) -> bool:
    """Whether the relative ``target`` leads out of the memory directory from ``directory``."""
    path = posixpath.normpath(posixpath.join(directory, target))
    return path == ".." or path.startswith("../")


def spell_target(path: str) -> str:
    """``path`` as a link destination that Markdown and the literal readers take alike where they can."""
    if re.search(r"[\s<>()\\]", path):
        if ")" not in path and "(" not in path:
            return "<" + path.replace("<", "\\<").replace(">", "\\>") + ">"
        return "<" + path + ">"
    return path


def _links(text: str, directory: str) -> Iterator[Pointer]:
    front = read_front(text)
    fences = list(code_spans(text, front.body if front else 0))
    starts = [span[0] for span in fences]
    at = 0
    skip = front.body if front else 0
    for number, whole in enumerate(split_lines(text), 1):
        start, at = at, at + len(whole)
        if start < skip or "](" not in whole:
            continue
        inside = bisect_right(starts, start) - 1
        if inside >= 0 and fences[inside][1] > start:
            continue
        line = bare(whole)
        opening = _POINTER.match(line)
        first = None
        if opening is not None:
            first = _pointer(line, opening.end(), start, at, number, directory)
            if first is not None:
                yield first
        yield from _others(line, first, start, at, number, directory, fences)


def _others(
    line: str,
    first: Pointer | None,
    start: int,
    end: int,
    number: int,
    directory: str,
    code: list[tuple[int, int]],
) -> Iterator[Pointer]:
    """Links in prose: what the literal readers take, outside code."""
    for match in _LITERAL.finditer(line):
        where = start + match.start(1)
        if first is not None and first.start <= where <= max(first.target_end, first.target_start):
            continue
        if any(a <= where < b for a, b in code):
            continue
        title = line[: match.start()].rpartition("[")[2]
        target = unquote(match[1].strip("<>"))
        path = resolve(directory, target)
        yield Pointer(
            title, target, path, "", "", number, start, end, where, start + match.end(1), True, False
        )


def _pointer(line: str, at: int, start: int, end: int, number: int, directory: str) -> Pointer | None:
    close = _label_end(line, at)
    if close < 0 or line[close + 1 : close + 2] != "(":
        return None
    title = line[at + 1 : close]
    opened = close + 2
    raw_start, raw_end, target, after = _destination(line, opened)
    if after < 0:
        return None
    rest = line[after:]
    match = _SEPARATOR.match(rest)
    separator = match["separator"] if match else ""
    hook = (rest[match.end() :] if match else rest).strip(" \t")
    literal = _LITERAL.search(line, close)
    path = resolve(directory, target)
    return Pointer(
        title,
        target,
        path,
        hook,
        separator,
        number,
        start,
        end,
        start + raw_start,
        start + raw_end,
        not path or (literal is not None and resolve(directory, literal[1]) == path),
        True,
    )


def _label_end(line: str, at: int) -> int:
    """The index of the ``]`` that closes the ``[`` at ``at``; -1 for none."""
    depth = 0
    n = at
    while n < len(line):
        c = line[n]
        if c == "\\":
            n += 2
            continue
        if c == "[":
            depth += 1
        elif c == "]":
            depth -= 1
            if depth == 0:
                return n
        n += 1
    return -1


def _destination(line: str, at: int) -> tuple[int, int, str, int]:
    """Start and end of the raw destination, the destination, and where the link ends (-1 for no link)."""
    from markdown_it.helpers import parseLinkDestination, parseLinkTitle

    size = len(line)
    n = _blanks(line, at)
    if line[n : n + 1] == ")":
        return n, n, "", n + 1
    found = parseLinkDestination(line, n, size)
    if found.ok:
        raw_end = found.pos
        n2 = _blanks(line, raw_end)
        if n2 > raw_end and n2 < size and line[n2] in "\"'(":
            title = parseLinkTitle(line, n2, size)
            if title.ok:
                n2 = _blanks(line, title.pos)
        if line[n2 : n2 + 1] == ")":
            return n, raw_end, unquote(found.str, errors="surrogateescape"), n2 + 1
    # Not a link by Markdown's rules, such as one with a bare blank: the literal readers take it.
    literal = re.compile(r"([^)\n]*\.md)\)").match(line, at)
    if literal:
        return literal.start(1), literal.end(1), literal[1], literal.end()
    return at, at, "", -1


def _blanks(line: str, at: int) -> int:
    while at < len(line) and line[at] in " \t":
        at += 1
    return at
