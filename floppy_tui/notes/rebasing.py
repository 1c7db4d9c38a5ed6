"""Relative links in a text that moves to another directory: they lead where they led before."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from urllib.parse import unquote

from floppy_tui.notes.code import Code
from floppy_tui.notes.front import read_front
from floppy_tui.notes.index import spell_target
from floppy_tui.notes.relinking import relative
from floppy_tui.text.lines import Splice, splice

_DESTINATION = re.compile(
    r"""\]\([ \t]*(?P<inline><[^<>\n]*>|[^\s()<>]+(?:\([^\s()]*\)[^\s()<>]*)*)
    |^[ ]{0,3}\[[^\]\n]+\]:[ \t]*(?P<reference><[^<>\n]*>|[^\s<>]+)
    |\b(?:src|href)=(?P<quote>["'])(?P<html>[^"'\n]+)(?P=quote)""",
    re.M | re.X,
)
_ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|[/#?]|$")


def rebase(text: str, old: str, new: str, moves: Mapping[str, str]) -> str:
    """``text`` of the file ``old`` with its relative links as they have to be in the file ``new``.

    ``moves`` are files that move at the same time. Web addresses, absolute paths and code are not touched.
    """
    before, after = posixpath.dirname(old), posixpath.dirname(new)
    front = read_front(text)
    start = front.body if front else 0
    code = Code(text, start)
    cuts: list[Splice] = []
    for match in _DESTINATION.finditer(text, start):
        if code.covers(*match.span()):
            continue
        group = next(g for g in ("inline", "reference", "html") if match[g] is not None)
        raw = match[group]
        led = _rebased(raw.strip("<>") if raw.startswith("<") else raw, before, after, moves)
        if led is not None:
            lead = 1 if raw.startswith("<") else 0
            cuts.append(Splice(match.start(group) + lead, match.end(group) - lead, led))
    return splice(text, cuts) if cuts else text


def _rebased(target: str, before: str, after: str, moves: Mapping[str, str]) -> str | None:
    path, tail = re.fullmatch(r"([^#?]*)(.*)", target, re.S).groups()  # type: ignore[union-attr]
    if _ELSEWHERE.match(path):
        return None
    slash = "/" if path.endswith("/") else ""
    led = posixpath.normpath(posixpath.join(before, path))
    moved = moves.get(posixpath.normpath(posixpath.join(before, unquote(path))))
    new = spell_target(relative(moved, after)) if moved is not None else relative(led, after) + slash
    if posixpath.normpath(posixpath.join(after, path)) == posixpath.normpath(posixpath.join(after, new)):
        return None
    return new + tail
