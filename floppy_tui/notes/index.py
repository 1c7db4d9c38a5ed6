"""An index file: its pointers, ``- [Title](path.md) — hook``, and the other links to Markdown files in it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from urllib.parse import unquote

from floppy_tui.notes.code import Code
from floppy_tui.notes.front import read_front
from floppy_tui.notes.links import Link, links_in
from floppy_tui.text.lines import bare, split_lines

ROUTER = "MEMORY.md"
INDEX = "INDEX.md"
_PLAIN = re.compile(
    r" {0,3}[-*+][ \t]++\[(?P<title>[^\[\]\\`]*+)\]\((?P<target>[\w-]++(?:[./][\w-]++)*+)(?<=\.md)\)"
    r"(?:[ \t]*+(?P<separator>—|–|-++|:)(?:[ \t]++|$))?(?P<hook>.*)",
    re.S,
)
"""A pointer line as most are: nothing in its link is escaped or quoted."""
_POINTER = re.compile(r"[ ]{0,3}[-*+][ \t]+(?=\[)")
_LITERAL = re.compile(r"\]\(((?:[^)\]\n]|\](?!\())*+)\)")
_BARE = re.compile(r"((?:[^)\]\n]|\](?!\())*+)\)")
_SEPARATOR = re.compile(r"[ \t]*(?P<separator>—|–|-+|:)(?:[ \t]+|$)")
_MEANT = re.compile(r"%(?=[0-9A-Fa-f]{2})|[#&\\<>\x00-\x08\x0a-\x1f\x7f]")
"""What of a path would be taken for something else in a destination."""
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
    return "" if is_address(target) else _below(directory, target.partition("#")[0])


def _below(directory: str, target: str) -> str:
    """As ``resolve``, of a path and no more: a ``#`` in it is one of its letters."""
    if not target or target.startswith("/") or not target.endswith(".md"):
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
    encoded = _MEANT.sub(lambda match: f"%{ord(match[0]):02X}", path)
    if _SCHEME.match(path):
        encoded = f"./{encoded}"
    return f"<{encoded}>" if re.search(r"[\s()]", encoded) else encoded


def _links(text: str, directory: str) -> Iterator[Pointer]:
    if "](" not in text:
        return
    front = read_front(text)
    skip = front.body if front else 0
    code = Code(text, skip)
    at = 0
    for number, whole in enumerate(split_lines(text), 1):
        start, at = at, at + len(whole)
        if start < skip or "](" not in whole:
            continue
        line = bare(whole)
        place = Line(number, start, at)
        plain = _PLAIN.fullmatch(line)
        if plain is not None and "](" not in plain["hook"]:
            if not code.covers(start, start + plain.start("title")):
                yield _plain(plain, place, directory)
            continue
        opening = _POINTER.match(line)
        done = 0
        if opening is not None and not code.covers(start, start + opening.end()):
            first = _pointer(line, opening.end(), place, directory)
            if first is not None:
                yield first
                done = first.target_end - start
        yield from _others(line, done, place, directory, code)


class Line(NamedTuple):
    """Where a line stands."""

    number: int
    """From 1."""
    start: int
    end: int


def _plain(match: re.Match[str], line: Line, directory: str) -> Pointer:
    target = match["target"]
    begin, end = match.span("target")
    hook, separator = match["hook"].strip(" \t"), match["separator"] or ""
    path = f"{directory}/{target}" if directory else target
    places = line.start + begin, line.start + end
    return Pointer(match["title"], target, path, hook, separator, *line, *places, True, True)


def _others(line: str, done: int, place: Line, directory: str, code: Code) -> Iterator[Pointer]:
    """Links in prose, outside code, to Markdown files; from ``done`` on."""
    close = line.find("](", done)
    while close >= 0:
        raw_start, raw_end, link, after = _destination(line, close + 2)
        opening = line.rfind("[", done, close)
        if (
            after >= 0
            and link.path.endswith(".md")
            and not code.covers(place.start + close, place.start + after)
        ):
            title = line[opening + 1 : close] if opening >= 0 else ""
            path = resolve(directory, link.path)
            literal = _literal(line, close, directory, path)
            spans = place.start + raw_start, place.start + raw_end
            yield Pointer(title, link.target, path, "", "", *place, *spans, literal, False)
            done = raw_end
        close = line.find("](", max(close + 2, done))


def _pointer(line: str, at: int, place: Line, directory: str) -> Pointer | None:
    close = _label_end(line, at)
    if close < 0 or line[close + 1 : close + 2] != "(":
        return None
    raw_start, raw_end, link, after = _destination(line, close + 2)
    if after < 0:
        return None
    rest = line[after:]
    match = _SEPARATOR.match(rest)
    separator = match["separator"] if match else ""
    hook = (rest[match.end() :] if match else rest).strip(" \t")
    path = _below(directory, link.path)
    spans = place.start + raw_start, place.start + raw_end
    literal = not path or _literal(line, close, directory, path)
    title = line[at + 1 : close]
    return Pointer(title, link.target, path, hook, separator, *place, *spans, literal, True)


def _literal(line: str, close: int, directory: str, path: str) -> bool:
    """Whether who looks for ``](path.md)`` from ``close`` on finds the same path."""
    found = _LITERAL.search(line, close)
    return found is not None and found[1].endswith(".md") and _below(directory, found[1]) == path


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


class Destination(NamedTuple):
    """What a link leads to."""

    target: str
    """As Markdown reads it, a heading included."""
    path: str
    """The same without a heading; ``""`` where it is an address."""


def _destination(line: str, at: int) -> tuple[int, int, Destination, int]:
    """Start and end of the raw destination, what it says, and where the link ends (-1 for no link)."""
    from markdown_it.helpers import parseLinkDestination, parseLinkTitle

    size = len(line)
    n = _blanks(line, at)
    if line[n : n + 1] == ")":
        return n, n, Destination("", ""), n + 1
    found = parseLinkDestination(line, n, size)
    if found.ok:
        raw_end = found.pos
        n2 = _blanks(line, raw_end)
        if n2 > raw_end and n2 < size and line[n2] in "\"'(":
            title = parseLinkTitle(line, n2, size)
            if title.ok:
                n2 = _blanks(line, title.pos)
        if line[n2 : n2 + 1] == ")":
            path = "" if is_address(found.str) else _unquoted(found.str.partition("#")[0])
            return n, raw_end, Destination(_unquoted(found.str), path), n2 + 1
    # Not a link by Markdown's rules, such as one with a bare blank: the literal readers take it.
    literal = _BARE.match(line, at)
    if literal and literal[1].endswith(".md"):
        return literal.start(1), literal.end(1), Destination(literal[1], literal[1]), literal.end()
    return at, at, Destination("", ""), -1


def _unquoted(target: str) -> str:
    return unquote(target, errors="surrogateescape")


def _blanks(line: str, at: int) -> int:
    while at < len(line) and line[at] in " \t":
        at += 1
    return at
