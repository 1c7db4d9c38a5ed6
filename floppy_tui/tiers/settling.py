"""Carrying edits out: compose the text, read it again, compare, and refuse what would change another entry.

All edits of one act go into one reading. Taking lines away can change how Markdown reads what is left, so
every planned result is parsed and each entry that was not meant is looked for; where a plain cut will not
do, one blank line stays in its place; where that does not help either, the act is refused.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from floppy_tui.text.lines import BOM, Splice, bare, eol_of, is_blank, main_eol, splice
from floppy_tui.tiers.comparing import compare, conflict
from floppy_tui.tiers.document import Document, Range
from floppy_tui.tiers.edits import Act, line_at
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.pieces import bullets_only, columns
from floppy_tui.tiers.reading import read_document


@dataclass(frozen=True, slots=True)
class Settled:
    """A document with its acts carried out."""

    document: Document
    done: tuple[Act, ...]
    refused: tuple[tuple[Act, str], ...]
    spaced: frozenset[int] = frozenset()
    """Positions in ``done`` of the acts whose cut left a blank line in its place."""


@lru_cache(maxsize=24)
def _read(text: str, file: str, default: Tier) -> Document:
    return read_document(text, file, default)


def compose(document: Document, acts: Sequence[Act], spaced: frozenset[int] = frozenset()) -> str:
    """The text with ``acts`` carried out; the cuts of those at the positions ``spaced`` leave a blank line.

    Raises ``ValueError`` where two acts change the same text.
    """
    return splice(document.text, splices_of(document, acts, spaced))


def splices_of(document: Document, acts: Sequence[Act], spaced: frozenset[int] = frozenset()) -> list[Splice]:
    """The edits that carry ``acts`` out, as for ``compose``.

    A cut takes at most one blank line that it would have doubled, and a bullet that it leaves empty.
    """
    lines = document.lines
    gone: set[int] = set()
    blank_in_place: set[int] = set()
    for at, act in enumerate(acts):
        for a, b in act.cut:
            gone.update(range(a, b))
            if at in spaced:
                blank_in_place.update(range(a, b))
    _empty_bullets(document, gone)
    extra: set[int] = set()
    splices: list[Splice] = []
    above = -1
    for a, b in _runs(gone):
        if a - 1 not in extra:
            above = a - 1
        open_above = above < 0 or is_blank(lines[above])
        if b == len(lines):
            if above >= 0 and open_above:
                extra.add(above)
        elif is_blank(lines[b]):
            if open_above:
                extra.add(b)
        elif (
            not open_above
            and not blank_in_place.isdisjoint(range(a, b))
            and not bullets_only(bare(lines[above]))
        ):
            eol = eol_of(lines[a]) or main_eol(document.text)
            splices.append(Splice(document.starts[a], document.starts[a], eol))
    gone |= extra
    mark = len(BOM) if document.text.startswith(BOM) else 0
    for line in gone:
        splices.append(Splice(document.starts[line] or mark, document.starts[line + 1], ""))
    for act in acts:
        for cut in act.splices:
            if not _at_line_start(document, cut) and line_at(document, cut.start) in gone:
                continue
            splices.append(cut)
    return splices


def _at_line_start(document: Document, cut: Splice) -> bool:
    """Whether ``cut`` inserts whole lines, which stay when the line below them goes."""
    if cut.start != cut.end or not cut.text.endswith("\n"):
        return False
    at = bisect_left(document.starts, cut.start)
    return document.starts[at] == cut.start or document.text[: cut.start] == BOM


def _runs(lines: set[int]) -> list[Range]:
    runs: list[Range] = []
    for line in sorted(lines):
        if runs and runs[-1][1] == line:
            runs[-1] = (runs[-1][0], line + 1)
        else:
            runs.append((line, line + 1))
    return runs


def _empty_bullets(document: Document, gone: set[int]) -> None:
    """Let a bullet of its own line go with the last of what was nested in it; an underline is no bullet."""
    lines = document.lines
    headings = {line for heading in document.headings for line in range(heading.start, heading.body)}
    waiting = sorted(gone)
    while waiting:
        line = waiting.pop()
        above = line - 1
        if above < 0 or above in gone or above in headings:
            continue
        bullet = bare(lines[above]).removeprefix(BOM)
        if not bullets_only(bullet) or not _within(lines[line], bullet):
            continue
        below = line + 1
        while below < len(lines) and (below in gone or is_blank(lines[below])):
            below += 1
        if below == len(lines) or not _within(lines[below], bullet):
            gone.add(above)
            waiting.append(above)


def _within(line: str, bullet: str) -> bool:
    """Whether ``line`` is indented as what stands in the item of ``bullet`` is."""
    return columns(line[: _blanks(line)]) > columns(bullet[: _blanks(bullet)])


def _blanks(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


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
        return _problem(document, trial, frozenset(spaced | ({len(trial) - 1} if blank else set())))

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
    for kin in _families(document, refused):
        if len(kin) > 1 and not attempt(kin, False):
            done.extend(kin)
            refused = [(act, why) for act, why in refused if all(act is not one for one in kin)]
    text = compose(document, done, frozenset(spaced)) if done else document.text
    after = _read(text, document.file, document.default)
    return Settled(after, tuple(done), tuple(refused), frozenset(spaced))


def _families(document: Document, refused: Sequence[tuple[Act, str]]) -> list[list[Act]]:
    """The acts that take entries out of one and the same outermost entry: together they may be possible."""
    found: dict[int, list[Act]] = {}
    for act, _ in refused:
        if act.cut and act.removes:
            top = min(act.removes)
            while (parent := document.entries[top].parent) is not None:
                top = parent
            found.setdefault(top, []).append(act)
    return list(found.values())


def _problem(document: Document, acts: Sequence[Act], spaced: frozenset[int]) -> str:
    """Why ``acts`` do not do together what they promise, as a sentence; ``""`` where they do."""
    if why := conflict(document, acts):
        return why
    splices = splices_of(document, acts, spaced)
    try:
        text = splice(document.text, splices)
    except ValueError:
        return "Another decision changes the same words."
    return compare(document, acts, splices, _read(text, document.file, document.default))
