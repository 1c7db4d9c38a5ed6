"""Bytes as text that comes back to the byte, its lines, and edits as splices.

Every file is held as ``str`` decoded with ``surrogateescape``: a byte that is not UTF-8 becomes a
lone surrogate and is written back as the same byte. Lines end at LF alone; CR, U+2028, U+0085 and
form feed are content.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

BOM = "\ufeff"
_STRAY = re.compile("[\ud800-\udfff]")


def decode(data: bytes) -> str:
    """Text of ``data``; undecodable bytes become lone surrogates (``encode`` is the inverse)."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """The bytes of ``text``; raises ``UnicodeEncodeError`` on a surrogate that ``decode`` never makes."""
    return text.encode("utf-8", "surrogateescape")


def readable(text: str) -> str:
    """``text`` with every undecodable byte as U+FFFD, for identity, JSON and the screen."""
    if text.isascii():
        return text
    return _STRAY.sub("\ufffd", text)


def split_lines(text: str) -> list[str]:
    """The lines of ``text`` with their LF; the last may lack one; an empty text has no line."""
    lines = text.split("\n")
    last = lines.pop()
    kept = [line + "\n" for line in lines]
    if last:
        kept.append(last)
    return kept


def bare(line: str) -> str:
    """``line`` without its line end (LF or CRLF)."""
    if line.endswith("\n"):
        line = line[:-1]
    if line.endswith("\r"):
        line = line[:-1]
    return line


def eol_of(line: str) -> str:
    """The line end of ``line``: ``"\\n"``, ``"\\r\\n"`` or ``""``."""
    if line.endswith("\r\n"):
        return "\r\n"
    return "\n" if line.endswith("\n") else ""


def main_eol(text: str) -> str:
    """The line end that ``text`` uses most, LF where it has none: what a new line is written with."""
    crlf = text.count("\r\n")
    return "\r\n" if crlf and crlf * 2 > text.count("\n") else "\n"


def is_blank(line: str) -> bool:
    """Whether ``line`` holds nothing but spaces, tabs and its line end."""
    return not line.strip(" \t\r\n")


class Splice(NamedTuple):
    """Replace ``text[start:end]`` by ``text``; ``start == end`` inserts."""

    start: int
    end: int
    text: str


def splice(text: str, splices: Iterable[Splice]) -> str:
    """``text`` with all ``splices`` applied to the one reading they were made on.

    Splices at one place are applied in the order given; overlapping ones raise ``ValueError``.
    """
    out: list[str] = []
    at = 0
    for cut in sorted(splices, key=lambda s: (s.start, s.end)):
        if cut.start < at or cut.end < cut.start or cut.end > len(text):
            raise ValueError(f"overlapping or foreign edit at {cut.start}")
        out.append(text[at : cut.start])
        out.append(cut.text)
        at = cut.end
    out.append(text[at:])
    return "".join(out)
