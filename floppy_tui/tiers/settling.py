"""Carrying edits out: compose the text, read it again, compare, and refuse what would change another entry.

All edits of one act go into one reading. Taking lines away can change how Markdown reads what is left, so
every planned result is parsed and each entry that was not meant is looked for; where a plain cut will not
do, one blank line stays in its place; where that does not help either, the act is refused.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from floppy_tui.text.identity import fold
from floppy_tui.text.lines import Splice, bare, eol_of, is_blank, main_eol, splice
from floppy_tui.tiers.document import Document, Entry, Range
from floppy_tui.tiers.edits import Act, Expected, base_id, expected, line_at
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.reading import read_document


@dataclass(frozen=True, slots=True)
class Settled:
    """A document with its acts carried out."""

    document: Document
    done: tuple[Act, ...]
    refused: tuple[tuple[Act, str], ...]


@lru_cache(maxsize=24)
def _read(text: str, file: str, default: Tier) -> Document:
    return read_document(text, file, default)


def compose(document: Document, acts: Sequence[Act], spaced: frozenset[int] = frozenset()) -> str:
    """The text with ``acts`` carried out; the cuts of those at the positions ``spaced`` leave a blank line.

    A cut takes at most one blank line that it would have doubled, and a bullet that it leaves empty.
    """
    lines = document.lines
    gone: set[int] = set()
    blank_in_place: set[int] = set()
    for at, act in enumerate(acts):
        for a, b in act.cut:
            gone.update(range(a, b))
            if at in spaced:
                blank_in_place.add(a)
    _empty_bullets(lines, gone)
    extra: set[int] = set()
    splices: list[Splice] = []
    for a, b in _runs(gone):
        if any(a <= line < b for line in blank_in_place):
            eol = eol_of(lines[a]) or main_eol(document.text)
            splices.append(Splice(document.starts[a], document.starts[a], eol))
            continue
        above = a - 1
        while above >= 0 and (above in gone or above in extra):
            above -= 1
        open_above = above < 0 or is_blank(lines[above])
        if open_above and b < len(lines) and is_blank(lines[b]):
            extra.add(b)
        elif b == len(lines) and above >= 0 and is_blank(lines[above]):
            extra.add(above)
    gone |= extra
    for line in gone:
        splices.append(Splice(document.starts[line], document.starts[line + 1], ""))
    for act in acts:
        for cut in act.splices:
            if not _at_line_start(document, cut) and line_at(document, cut.start) in gone:
                continue
            splices.append(cut)
    return splice(document.text, splices)


def _at_line_start(document: Document, cut: Splice) -> bool:
    """Whether ``cut`` inserts whole lines, which stay when the line below them goes."""
    if cut.start != cut.end:
        return False
    at = bisect_left(document.starts, cut.start)
    return document.starts[at] == cut.start and cut.text.endswith("\n")


def _runs(lines: set[int]) -> list[Range]:
    runs: list[Range] = []
    for line in sorted(lines):
        if runs and runs[-1][1] == line:
            runs[-1] = (runs[-1][0], line + 1)
        else:
            runs.append((line, line + 1))
    return runs


_BARE_BULLET = re.compile(r"([ \t]*)(?:[-+*]|[0-9]{1,9}[.)])[ \t]*")


def _empty_bullets(lines: Sequence[str], gone: set[int]) -> None:
    """Let a bullet of its own line go with the last of what was nested in it."""
    for line in sorted(gone, reverse=True):
        above = line - 1
        while above >= 0 and (above in gone or is_blank(lines[above])):
            above -= 1
        if above < 0:
            continue
        bullet = _BARE_BULLET.fullmatch(bare(lines[above]))
        if bullet is None or above + 1 not in gone:
            continue
        below = line + 1
        while below < len(lines) and (below in gone or is_blank(lines[below])):
            below += 1
        deeper = below < len(lines) and _indent(lines[below]) > _indent(bullet[1] + "x")
        if not deeper:
            gone.add(above)


def _indent(line: str) -> int:
    width = 0
    for c in line:
        if c == "\t":
            width += 4 - width % 4
        elif c == " ":
            width += 1
        else:
            break
    return width


def settle(document: Document, acts: Sequence[Act]) -> Settled:
    """Carry out as many of ``acts`` as leave every other entry as it was; the rest is refused by name."""
    if document.blocked and acts:
        why = f"{document.file} is not edited: {document.blocked}."
        return Settled(document, (), tuple((act, why) for act in acts))
    done: list[Act] = []
    spaced: set[int] = set()
    refused: list[tuple[Act, str]] = []

    def attempt(more: Sequence[Act], blank: bool) -> str:
        trial = [*done, *more]
        spaces = frozenset(spaced | ({len(trial) - 1} if blank else set()))
        return check(document, trial, _result(document, trial, spaces))

    def go(pending: Sequence[Act]) -> None:
        why = attempt(pending, False)
        if not why:
            done.extend(pending)
        elif len(pending) > 1:
            half = len(pending) // 2
            go(pending[:half])
            go(pending[half:])
        elif pending[0].cut and not attempt(pending, True):
            done.extend(pending)
            spaced.add(len(done) - 1)
        else:
            refused.append((pending[0], why))

    if acts:
        go(acts)
    return Settled(_result(document, done, frozenset(spaced)), tuple(done), tuple(refused))


def _result(document: Document, acts: Sequence[Act], spaced: frozenset[int]) -> Document:
    if not acts:
        return document
    return _read(compose(document, acts, spaced), document.file, document.default)


def check(document: Document, acts: Sequence[Act], after: Document) -> str:
    """Why ``after`` is not ``document`` with just ``acts`` done, as a sentence; ``""`` where it is."""
    if after.blocked:
        return f"This would leave a file that cannot be edited: {after.blocked}."
    removed: set[int] = set()
    becomes: dict[int, Expected] = {}
    adds: dict[int, list[Expected]] = {}
    for act in acts:
        removed |= act.removes
        becomes.update(act.becomes)
        for before, new in act.adds:
            adds.setdefault(before, []).append(new)
    wanted: list[tuple[Expected, Entry | None]] = []
    for at in range(len(document.entries) + 1):
        wanted.extend((new, None) for new in adds.get(at, ()))
        if at < len(document.entries) and at not in removed:
            entry = document.entries[at]
            wanted.append((becomes.get(at) or expected(entry), entry))
    return _align(wanted, after.entries)


def _align(wanted: Sequence[tuple[Expected, Entry | None]], found: Sequence[Entry]) -> str:
    i = 0
    for entry in found:
        if i < len(wanted) and wanted[i][0].fits(entry):
            i += 1
            continue
        if entry.explicit:
            return _misread(wanted[i] if i < len(wanted) else None, entry)
        whole = fold(entry.prose)
        while i < len(wanted):
            _, old = wanted[i]
            if old is None or old.explicit or wanted[i][0].identity != base_id(old):
                break
            if not _held(old, whole):
                break
            i += 1
    if i < len(wanted):
        return _misread(wanted[i], None)
    return ""


def _held(old: Entry, whole: str) -> bool:
    """Whether every line of an unmarked entry stands in the larger unmarked one."""
    return all(fold(line) in whole for line in old.prose.split("\n"))


def _misread(want: tuple[Expected, Entry | None] | None, entry: Entry | None) -> str:
    if want is not None and want[1] is not None:
        old = want[1]
        return f"“{old.first_line[:60]}” ({old.file}:{old.start + 1}) would no longer be read as it is."
    if want is not None:
        return "The new text would not be read as one entry of its own."
    name = entry.first_line[:60] if entry else ""
    return f"“{name}” would be read as an entry that nobody wrote."
