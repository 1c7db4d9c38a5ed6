"""What every edit of a memory file has to keep, told from the bytes before and after it.

``check_edit`` is a second opinion: it follows each line of the old text into the new one and asks of every
entry that was not meant where its own lines went. It shares no code with the engine's own comparison.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from markdown_it import MarkdownIt

from floppy_tui.text.lines import BOM, encode
from floppy_tui.tiers.document import Document, Entry
from floppy_tui.tiers.edits import Act, Expected, base_id
from floppy_tui.tiers.markers import without_markers
from floppy_tui.tiers.reading import read_document
from floppy_tui.tiers.settling import Settled

BARE_BULLET = re.compile(r"[ \t]*(?:(?:[-+*]|[0-9]{1,9}[.)])(?:[ \t]+|(?=\r?\n|$)))+\r?\n?")
ODD = re.compile("[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029\ufeff\0]")


class Broken(Exception):
    """An edit that did what it must not, as a sentence."""


@dataclass
class Traced:
    """Where the lines of the old text stand in the new one."""

    to: dict[int, list[int]] = field(default_factory=dict)
    """Old line to its new lines: several where lines were put in, none where it went."""
    put_in: set[int] = field(default_factory=set)
    """New lines that hold text which no old line held."""


def blank(line: str) -> bool:
    return not line.strip(" \t\r\n")


def reading_of(entry: Entry) -> tuple[object, ...]:
    """What may not change of an entry that was not meant."""
    return base_id(entry), entry.tier, entry.reinforced, entry.passes, entry.explicit


def fits(entry: Entry, wanted: Expected) -> bool:
    """Whether the entry reads as an act promised."""
    told = (entry.tier, entry.reinforced, entry.passes) == (wanted.tier, wanted.reinforced, wanted.passes)
    return told and wanted.identity in (None, base_id(entry))


def check_edit(before: Document, acts: Sequence[Act], settled: Settled) -> None:
    """Raise ``Broken`` unless ``settled`` is ``before`` with the acts it says it did and nothing else."""
    if sorted(map(id, (*settled.done, *(act for act, _ in settled.refused)))) != sorted(map(id, acts)):
        raise Broken("an act is neither done nor refused")
    for _, why in settled.refused:
        if len(why.split()) < 4 or not why.rstrip("”").endswith("."):
            raise Broken(f"refused without a sentence: {why!r}")
    after = settled.document
    if not settled.done:
        if encode(after.text) != encode(before.text):
            raise Broken("everything was refused and the text is another")
        return
    if read_document(encode(after.text), before.file, before.default) != after:
        raise Broken("the settled document is not what its text reads as")
    if before.text.startswith(BOM) and not after.text.startswith(BOM):
        raise Broken("the byte order mark went")
    traced = trace(before, settled.done, after)
    check_entries(before, settled.done, after, traced)
    check_headings(before, settled.done, after, traced)
    only_cuts = not any(act.splices for act in settled.done)
    if only_cuts and empty_items(after.text) > empty_items(before.text):
        raise Broken("an empty list marker was left")


def cut_lines(acts: Sequence[Act]) -> set[int]:
    return {line for act in acts for a, b in act.cut for line in range(a, b)}


def trace(before: Document, acts: Sequence[Act], after: Document) -> Traced:
    """Follow the old lines; raise where one that had to stay is gone, moved or another."""
    cut = cut_lines(acts)
    lone_mark = 0 in cut and before.text.startswith(BOM)
    traced = Traced()
    blanks: dict[tuple[int, int], int] = {}
    found = after.lines
    j = 0
    for text, olds, place in _lines_meant(before, acts, cut):
        text = BOM + text if lone_mark and j == 0 and not text.startswith(BOM) else text
        while True:
            here = found[j] if j < len(found) else None
            if here == text:
                for old in olds:
                    traced.to.setdefault(old, []).append(j)
                if not olds:
                    traced.put_in.add(j)
                j += 1
                break
            if blank(text.removeprefix(BOM)):
                gap = _gap(before, place, cut)
                if gap is None:
                    raise Broken(f"blank line {place + 1} went, and nothing beside it did")
                blanks[gap] = blanks.get(gap, 0) - 1
                break
            if BARE_BULLET.fullmatch(text) and _emptied(before, place, cut):
                break
            if here is None or not blank(here):
                raise Broken(f"line {place + 1} {text!r} became {here!r}")
            gap = _gap(before, place, cut)
            if gap is None:
                raise Broken(f"a blank line came before line {place + 1}")
            blanks[gap] = blanks.get(gap, 0) + 1
            j += 1
    if lone_mark and found == [BOM]:
        j = 1
    if any(not blank(line) for line in found[j:]) or len(found) > j + 1 or (len(found) > j and not cut):
        raise Broken(f"nobody wrote {found[j:]!r} at the end")
    for region, count in blanks.items():
        runs = sum(line in cut and line - 1 not in cut for line in range(*region))
        if abs(count) > runs:
            raise Broken(f"{count} blank lines at the cuts of lines {region[0] + 1}-{region[1]}")
    return traced


def _lines_meant(
    before: Document, acts: Sequence[Act], cut: set[int]
) -> Iterator[tuple[str, frozenset[int], int]]:
    """The lines that the acts mean to leave, with the old lines each has letters of and its old place."""
    line_of = [at for at, line in enumerate(before.lines) for _ in line]
    gone = [line in cut for line in line_of]
    put: dict[int, str] = {}
    for start, end, text in sorted((s for act in acts for s in act.splices), key=lambda s: s[:2]):
        top = before.text[:start] == BOM
        whole = start == end and text.endswith("\n") and (start in before.starts or top)
        inside = line_of[min(start, len(line_of) - 1)] if line_of else -1
        if inside in cut and not whole:
            continue
        gone[start:end] = [True] * (end - start)
        put[start] = put.get(start, "") + text
    text, olds, last = "", set[int](), len(before.lines)
    for at in range(len(before.text) + 1):
        stays = at < len(before.text) and not gone[at]
        pieces = [(c, -1) for c in put.get(at, "")] + ([(before.text[at], line_of[at])] if stays else [])
        for c, old in pieces:
            text += c
            if old >= 0 and c != "\ufeff":
                olds.add(old)
            if c == "\n":
                yield text, frozenset(olds), min(olds, default=line_of[at] if at < len(line_of) else last)
                text, olds = "", set()
    if text:
        yield text, frozenset(olds), min(olds, default=last)


def _gap(before: Document, line: int, cut: set[int]) -> tuple[int, int] | None:
    """The lines around ``line`` that are cut, blank or bare bullets, if any of them is cut."""

    def loose(at: int) -> bool:
        return at in cut or blank(before.lines[at]) or BARE_BULLET.fullmatch(before.lines[at]) is not None

    first = last = line
    while first > 0 and loose(first - 1):
        first -= 1
    while last < len(before.lines) and loose(last):
        last += 1
    return (first, last) if cut & set(range(first, last)) else None


def _emptied(before: Document, line: int, cut: set[int]) -> bool:
    """Whether all that a bare bullet held has gone: what follows it does."""
    at = line + 1
    while at < len(before.lines) and blank(before.lines[at]):
        at += 1
    while at < len(before.lines) and BARE_BULLET.fullmatch(before.lines[at]) and at not in cut:
        at += 1
    return at in cut


def _says(line: str) -> bool:
    """Whether there is more on a line than markers: the loss of those changes no words."""
    return bool(without_markers(line).strip())


def check_entries(before: Document, acts: Sequence[Act], after: Document, traced: Traced) -> None:
    """Every entry is where its lines are and reads as it did, or as its act promised."""
    removed = {at for act in acts for at in act.removes}
    becomes = {at: wanted for act in acts for at, wanted in act.becomes.items()}
    adds = [wanted for act in acts for _, wanted in act.adds]
    owners = {line: at for at, e in enumerate(after.entries) for a, b in e.own for line in range(a, b)}
    spoken: set[int] = set()
    order: list[int] = []
    for at, entry in enumerate(before.entries):
        if at in removed:
            continue
        worded = [line for a, b in entry.own for line in range(a, b) if _says(before.lines[line])]
        own = worded or [line for a, b in entry.own for line in range(a, b)]
        there = {new for line in own for new in traced.to.get(line, [])}
        lines = {line for line in there if not blank(after.lines[line])}
        if not lines and at in becomes:
            adds.append(becomes[at])
            continue
        holders = {owners.get(line) for line in lines}
        if len(holders) != 1 or None in holders:
            raise Broken(f"“{entry.first_line}” is torn: {sorted(map(str, holders))}")
        (holder,) = holders
        assert holder is not None
        found = after.entries[holder]
        if at in becomes:
            if not fits(found, becomes[at]) or holder in spoken:
                raise Broken(f"“{entry.first_line}” should read {becomes[at]} and reads {found}")
            spoken.add(holder)
        elif reading_of(found) == reading_of(entry):
            if holder in spoken:
                raise Broken(f"“{entry.first_line}” is read as one with another")
            spoken.add(holder)
        elif entry.explicit or found.explicit or base_id(found) == base_id(entry):
            raise Broken(f"“{entry.first_line}” {reading_of(entry)} now reads {reading_of(found)}")
        else:
            mine = sum(len(after.lines[line].strip()) for line in lines)
            whole = sum(len(line.strip()) for line in after.piece(found.own).split("\n"))
            if whole <= mine:
                raise Broken(f"“{entry.first_line}” changed its words, and no larger entry has them")
        order.append(holder)
    if order != sorted(order):
        raise Broken("the order of the entries changed")
    for wanted in sorted(adds, key=lambda one: one.identity is None):
        new = next(
            (i for i, e in enumerate(after.entries) if i not in spoken and fits(e, wanted)),
            None,
        )
        if new is None:
            raise Broken(f"no new entry reads {wanted}")
        spoken.add(new)
    for at, entry in enumerate(after.entries):
        if at not in spoken and entry.explicit:
            raise Broken(f"nobody marked “{entry.first_line}”")


def check_headings(before: Document, acts: Sequence[Act], after: Document, traced: Traced) -> None:
    """No heading goes but those in the lines cut, and none comes but by words put in."""
    cut = cut_lines(acts)
    cut |= {
        heading.start
        for heading in before.headings
        for act in acts
        for start, end, _ in act.splices
        if start <= before.starts[heading.start] < end and "\n" in before.text[start:end]
    }
    touched = {
        bisect_right(before.starts, start) - 1 for act in acts for start, end, _ in act.splices if end > start
    }
    kept = {h.start: h for h in after.headings}
    for heading in before.headings:
        if heading.start in cut:
            continue
        new = kept.pop(traced.to.get(heading.start, [-1])[-1], None)
        if heading.start in touched and (new is None or new.text != heading.text):
            continue
        if new is None or (new.level, new.text) != (heading.level, heading.text):
            raise Broken(f"the heading “{heading.text}” went or is another")
    meant = {new for line in touched for new in traced.to.get(line, [])}
    for heading in kept.values():
        if heading.start not in traced.put_in | meant:
            raise Broken(f"“{heading.text}” became a heading")


def empty_items(text: str) -> int:
    """List items with nothing in them but a marker, as CommonMark sees them."""
    plain = ODD.sub("x", text.replace("\r\n", "\n").replace("\ufeff", ""))
    tokens = MarkdownIt("commonmark").enable("table").parse(plain)
    kept = [t for t in tokens if t.type != "html_block" or without_markers(t.content).strip()]
    return sum(a.type == "list_item_open" and b.type == "list_item_close" for a, b in pairwise(kept))
