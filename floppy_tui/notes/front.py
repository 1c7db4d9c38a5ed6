"""Front matter as its other readers see it: by lines, ``key: value`` as it stands.

A ``#`` or a ``:`` in a value is text, a byte order mark and CRLF are seen through, and every field knows
where its value stands, so that an edit is a splice and everything else comes back to the byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from floppy_tui.notes.plain import is_plain
from floppy_tui.text.lines import BOM, bare

_KEY = re.compile(
    r"(?P<indent>[ \t]*)(?P<key>[A-Za-z0-9_][A-Za-z0-9_.-]*):(?P<blank>[ \t]*)(?P<value>.*)", re.S
)
_BLOCK = re.compile(r"[>|][+-]?[0-9]?[+-]?[ \t]*(?:#.*)?")
_UNFIT = r"\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff"
_LINE = re.compile(rf"( *+)([A-Za-z_][A-Za-z0-9_.-]{{0,99}}):(?: ++([^{_UNFIT}]*+))?\r?\n")
"""One ``key: value`` line without anything that YAML takes for the end of a line, or cannot hold."""
METADATA = "metadata"
_NESTED = METADATA + "."


class Field(NamedTuple):
    """One ``key: value`` line, with the lines that continue it."""

    key: str
    """``name``, or ``metadata.type`` for one nested in ``metadata:``."""
    value: str
    """Without quotes around it; a folded block is one line."""
    line: int
    """Of its key, from 1."""
    start: int
    """Where the value begins in the text: after the colon and one blank, if there is one."""
    end: int
    """Where the value ends: before the line end of its last line."""
    line_start: int
    line_end: int
    """The whole lines of the field, line end included."""
    indent: str


@dataclass(frozen=True, slots=True)
class Front:
    """The front matter of one note."""

    start: int
    """Of the first character between the ``---`` lines."""
    end: int
    """Of the closing ``---`` line."""
    body: int
    """Where the text after the closing line begins."""
    fields: Mapping[str, Field]
    """By key, in file order; the first of a key counts."""
    plain: bool = False
    """Whether it is certain that YAML reads every field the same; it may even where this is False."""

    def value(self, key: str) -> str:
        """The value of ``key``; ``""`` where it is missing or empty."""
        found = self.fields.get(key)
        return found.value if found else ""


def read_front(text: str) -> Front | None:
    """The front matter that ``text`` opens with; None where there is none or it is never closed."""
    at = 1 if text.startswith(BOM) else 0
    if not text.startswith("---", at):
        return None
    first = text.find("\n", at)
    if first < 0 or text[at:first].rstrip(" \t\r") != "---":
        return None
    return _read_plain(text, first + 1) or _read(text, first + 1)


def _read(text: str, start: int) -> Front | None:
    close = start
    while True:
        stop = text.find("\n", close)
        if text.startswith("---", close):
            line = text[close:] if stop < 0 else text[close:stop]
            if line.rstrip(" \t\r") == "---":
                break
        if stop < 0:
            return None
        close = stop + 1
    fields: dict[str, Field] = {}
    for found in _fields(text, start, close):
        fields.setdefault(found.key, found)
    return Front(start, close, len(text) if stop < 0 else stop + 1, fields)


def _read_plain(text: str, start: int) -> Front | None:
    """The front matter of plain ``key: value`` lines that most notes have; None for any other.

    It says the same as the thorough reading, many times faster, and YAML reads the same too.
    """
    fields: dict[str, Field] = {}
    at, line, inner, nested = start, 1, "", False
    new = tuple.__new__  # half the time of the constructor
    while match := _LINE.match(text, at):
        indent, key, value = match.groups()
        line += 1
        if not indent:
            inner, nested = "", key == METADATA and not value
        elif not nested or (inner and indent != inner):
            return None
        else:
            inner, key = indent, _NESTED + key
        if value:
            value = value.rstrip(" ")
            said = is_plain(key, value)
            begin = match.start(3)
        else:
            value = said = ""
            begin = match.end(2) + 1 if match[3] is None else match.start(3)
        if said is None or key in fields:
            return None
        end = match.end()
        fields[key] = new(Field, (key, said, line, begin, begin + len(value), at, end, indent))
        at = end
    if not text.startswith("---", at):
        return None
    stop = text.find("\n", at)
    if (text[at:] if stop < 0 else text[at:stop]).rstrip(" \t\r") != "---":
        return None
    return Front(start, at, len(text) if stop < 0 else stop + 1, fields, True)


def _fields(text: str, start: int, end: int) -> Iterator[Field]:
    lines: list[tuple[int, str]] = []
    at = start
    while at < end:
        stop = text.index("\n", at) + 1
        lines.append((at, text[at:stop]))
        at = stop
    nested, inner = False, 0
    n = 0
    while n < len(lines):
        at, whole = lines[n]
        line = bare(whole)
        match = _KEY.fullmatch(line)
        first = n
        n += 1
        if match is None:
            continue
        indent, key = match["indent"], match["key"]
        if not indent:
            nested, inner = key == METADATA, 0
        elif not nested or (inner and len(indent) > inner):
            continue
        else:
            inner = inner or len(indent)
        value = match["value"].rstrip(" \t")
        if key != METADATA or indent:
            block = bool(_BLOCK.fullmatch(value))
            while n < len(lines) and _continues(bare(lines[n][1]), len(indent), block=block, empty=not value):
                n += 1
        last_at, last = lines[n - 1]
        value_start = at + match.start("value") if value else at + match.end("blank")
        value_end = last_at + len(bare(last).rstrip(" \t")) if n - 1 > first else value_start + len(value)
        yield Field(
            key if not indent else _NESTED + key,
            _plain(value, [bare(rest) for _, rest in lines[first + 1 : n]]),
            first + 2,
            value_start,
            value_end,
            at,
            last_at + len(last),
            indent,
        )


def _continues(line: str, indent: int, *, block: bool, empty: bool) -> bool:
    """Whether ``line`` belongs to the value above it, whose key has that indentation."""
    words = line.lstrip(" \t")
    if not words:
        return block
    inner = len(line) - len(words)
    if inner <= indent:
        return not block and words.startswith("- ") and inner == indent
    return block or empty or not (words.startswith("#") or _KEY.fullmatch(line))


def _plain(value: str, rest: list[str]) -> str:
    """``value`` as its writer meant it: no quotes around it, a block or a wrapped value on one line."""
    if _BLOCK.fullmatch(value):
        value = ""
    words = " ".join(part for part in (value, *(line.strip() for line in rest)) if part)
    if len(words) < 2 or words[0] != words[-1] or words[0] not in "'\"":
        return words
    inner = words[1:-1]
    if words[0] == "'":
        return inner.replace("''", "'") if "'" not in inner.replace("''", "") else words
    return inner.replace('\\"', '"') if '"' not in inner.replace('\\"', "") else words
