"""Edits of a memory file as acts: text spliced, lines cut, and how each touched entry must read after."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date

from floppy_tui.text.identity import identity
from floppy_tui.text.lines import BOM, Splice, bare, eol_of, is_blank, main_eol, splice
from floppy_tui.tiers.document import POINTER, Document, Entry, Heading, Kind, Range
from floppy_tui.tiers.markers import Tier, parse_marker, spell, without_markers
from floppy_tui.tiers.reading import read_document


@dataclass(frozen=True, slots=True)
class Expected:
    """How an entry must read afterwards; ``identity`` is None where any prose will do."""

    identity: str | None
    tier: Tier
    reinforced: date | None
    passes: int
    explicit: bool | None = None
    """Whether a marker says so; None where that is left open."""

    def fits(self, entry: Entry) -> bool:
        """Whether ``entry`` reads so."""
        same = self.identity is None or base_id(entry) == self.identity
        marked = self.explicit is None or entry.explicit == self.explicit
        told = (self.tier, self.reinforced, self.passes) == (entry.tier, entry.reinforced, entry.passes)
        return same and marked and told


@dataclass(frozen=True, slots=True)
class Act:
    """One change of one document, by positions in ``Document.entries``."""

    key: object
    """Whatever names it to the caller."""
    splices: tuple[Splice, ...] = ()
    cut: tuple[Range, ...] = ()
    """Lines that go."""
    removes: frozenset[int] = frozenset()
    becomes: dict[int, Expected] = field(default_factory=dict)
    adds: tuple[tuple[int, Expected], ...] = ()
    """New entries, each before the entry at a position (or at the end)."""


def base_id(entry: Entry) -> str:
    """The identity of an entry without the suffix that a duplicate carries."""
    return entry.id.partition("-")[0]


def expected(entry: Entry) -> Expected:
    """An entry as it is."""
    return Expected(base_id(entry), entry.tier, entry.reinforced, entry.passes, entry.explicit)


def promised(document: Document, named: str | None, marker: str) -> Expected:
    """How an entry of the identity ``named`` reads with ``marker``, ``""`` for none.

    Raises ``ValueError`` where ``marker`` is no marker.
    """
    if not marker:
        tier = Tier.PINNED if document.default is Tier.PINNED else Tier.UNMARKED
        return Expected(named, tier, None, 0, False)
    wanted = parse_marker(marker)
    if wanted is None:
        raise ValueError(f"{marker!r} is no marker")
    return Expected(named, wanted.tier, wanted.reinforced, wanted.passes, True)


# -- what a single act is made of


def mark(document: Document, at: int, marker: str, key: object = None) -> Act:
    """Give the entry at ``at`` the marker spelled ``marker``; ``""`` takes its marker away."""
    entry = document.entries[at]
    after = promised(document, base_id(entry), marker)
    return Act(key, tuple(_marking(document, entry, marker)), becomes={at: after})


def _marking(document: Document, entry: Entry, marker: str) -> Iterable[Splice]:
    if entry.mark is None:
        if marker:
            yield Splice(entry.mark_at, entry.mark_at, entry.mark_prefix + marker)
    elif marker:
        yield Splice(entry.mark.start, entry.mark.end, marker)
    else:
        for found in entry.marks:
            yield unmark(document, found.start, found.end)


def unmark(document: Document, start: int, end: int) -> Splice:
    """The edit that takes out a marker with the blanks before it, or its line where nothing else is on it."""
    line = line_at(document, start)
    first, after = document.starts[line], document.starts[line + 1]
    text = document.text
    if is_blank(text[first:start]) and is_blank(text[end:after]):
        return Splice(first, after, "")
    while start > first and text[start - 1] in " \t":
        start -= 1
    return Splice(start, end, "")


def line_at(document: Document, position: int) -> int:
    """The line (from 0) that holds ``position``."""
    low, high = 0, len(document.lines)
    while low < high - 1:
        middle = (low + high) // 2
        if document.starts[middle] <= position:
            low = middle
        else:
            high = middle
    return low


def remove(document: Document, positions: Iterable[int], key: object = None) -> Act:
    """Let the entries at ``positions`` leave: their own lines, and no heading but their own."""
    gone = frozenset(positions)
    cut = tuple(r for at in sorted(gone) for r in document.entries[at].own)
    return Act(key, cut=cut, removes=gone)


def remove_section(document: Document, heading: Heading, key: object = None) -> Act:
    """Let a heading and all below it leave; the header pointer stays."""
    start, end = section_lines(document, heading)
    kept = [document.pointer] if document.pointer else []
    kept += [(at, at + 1) for at in document.stray_pointers]
    cut: list[Range] = []
    at = start
    for a, b in sorted(r for r in kept if start <= r[0] < end):
        cut.append((at, a))
        at = b
    cut.append((at, end))
    return Act(key, cut=tuple(r for r in cut if r[0] < r[1]), removes=frozenset(inside(document, heading)))


def section_lines(document: Document, heading: Heading) -> Range:
    """The lines of a heading's section without trailing blank lines."""
    end = heading.end
    while end > heading.body and is_blank(document.lines[end - 1]):
        end -= 1
    return heading.start, end


def inside(document: Document, heading: Heading) -> list[int]:
    """Positions of the entries of a heading's section, its own included."""
    return [i for i, e in enumerate(document.entries) if heading.start <= e.start < heading.end]


def take_as_one(document: Document, heading: Heading, marker: str, key: object = None) -> Act:
    """One marker on the heading, those inside removed: the section then reads as one entry."""
    positions = inside(document, heading)
    one = promised(document, None, marker)
    inner = [document.entries[at] for at in positions if document.entries[at].start != heading.start]
    cut = tuple(r for entry in inner if not entry.prose for r in entry.own)
    splices = [
        unmark(document, found.start, found.end)
        for at in positions
        for found in document.entries[at].marks
        if document.entries[at].prose and (heading.mark is None or found.start != heading.mark.start)
    ]
    if heading.mark is None:
        splices.append(Splice(heading.mark_at, heading.mark_at, " " + marker))
    else:
        splices.append(Splice(heading.mark.start, heading.mark.end, marker))
    before = positions[0] if positions else len(document.entries)
    return Act(key, tuple(splices), cut, frozenset(positions), adds=((before, one),))


def split_section(document: Document, heading: Heading, key: object = None) -> Act | None:
    """Move the heading's marker to each entry inside; None where there is none to take it."""
    if heading.mark is None or heading.mark.marker is None:
        return None
    marker = heading.mark.text
    cut = unmark(document, heading.mark.start, heading.mark.end)
    bare_one = read_document(splice(document.text, [cut]), document.file, document.default)
    shift = cut.end - cut.start
    again = next((h for h in bare_one.headings if h.start == heading.start), None)
    if again is None:
        return None
    splices = [cut]
    adds: list[tuple[int, Expected]] = []
    positions = inside(document, heading)
    kept: dict[int, Expected] = {}
    was = {
        (document.entries[i].start, base_id(document.entries[i])): i
        for i in positions
        if document.entries[i].explicit and document.entries[i].start != heading.start
    }
    for at in inside(bare_one, again):
        entry = bare_one.entries[at]
        if entry.explicit:
            old = was.get((entry.start, base_id(entry)))
            if old is None:
                return None
            kept[old] = expected(entry)
            continue
        if entry.kind is Kind.SECTION and entry.start == heading.start:
            return None
        splices.append(Splice(entry.mark_at + shift, entry.mark_at + shift, entry.mark_prefix + marker))
        following = next((p for p in positions if document.entries[p].start > entry.start), None)
        before = following if following is not None else (positions[-1] + 1 if positions else 0)
        adds.append((before, promised(document, base_id(entry), marker)))
    if not adds:
        return None
    gone = frozenset(p for p in positions if p not in kept)
    return Act(key, tuple(splices), removes=gone, becomes=kept, adds=tuple(adds))


def reword(document: Document, at: int, text: str, marker: str, key: object = None) -> Act:
    """Let the entry at ``at`` say ``text`` (LF line ends), with ``marker`` or none; it must own one range."""
    entry = document.entries[at]
    (start, end) = entry.own[0]
    if len(entry.own) != 1:
        raise ValueError("this entry has others inside it")
    last = document.starts[end - 1] + len(bare(document.lines[end - 1]))
    eol = eol_of(document.lines[start]) or main_eol(document.text)
    lines = text.strip("\n").rstrip().split("\n")
    lead = next((i for i, line in enumerate(lines) if is_blank(line)), len(lines)) - 1
    if entry.kind is Kind.SECTION:
        lead = 0
    elif any(re.match(r"[ \t]*(?:[-+*]|[0-9]+[.)]|```|~~~)(?:[ \t]|$|`|~)", line) for line in lines[1:]):
        nested = next(i for i, line in enumerate(lines) if i and re.match(r"[ \t]*[-+*0-9`~]", line))
        lead = min(lead, nested - 1)
    if marker:
        lines[lead] = f"{lines[lead].rstrip()} {marker}"
    body = [lines[0], *(entry.indent + line if line.strip() else line for line in lines[1:])]
    if entry.kind is Kind.ITEM and document.text[entry.text_at - 1] not in " \t":
        body[0] = f" {body[0]}"
    after = promised(document, identity(without_markers(text)), marker)
    return Act(key, (Splice(entry.text_at, last, eol.join(body)),), becomes={at: after})


def set_pointer(document: Document, key: object = None) -> Act:
    """Add the header pointer, correct an outdated one, or move one that stands below entries."""
    splices: list[Splice] = []
    eol = main_eol(document.text)
    if document.pointer is not None:
        line = document.pointer[0]
        if not document.pointer_ok:
            start = document.starts[line]
            text = bare(document.lines[line])
            kept = BOM if text.startswith(BOM) else ""
            splices.append(Splice(start, start + len(text), kept + POINTER))
        return Act(key, tuple(splices))
    cut = tuple((at, at + 1) for at in document.stray_pointers)
    at = document.starts[document.header_at]
    before = document.text[:at]
    lead = eol if before and not before.endswith("\n") else ""
    at = at or _after_mark(document)
    follows = document.lines[document.header_at] if document.header_at < len(document.lines) else ""
    gap = eol if document.header_at == 0 and follows and not is_blank(follows.removeprefix(BOM)) else ""
    tail = "" if lead and not follows else eol
    splices.append(Splice(at, at, lead + POINTER + tail + gap))
    return Act(key, tuple(splices), cut=cut)


def _after_mark(document: Document) -> int:
    """Where the text begins: after a byte order mark."""
    return len(BOM) if document.text.startswith(BOM) else 0


def tick(document: Document, passes: dict[int, int], key: object = None) -> Act:
    """Write the pass counters ``passes`` (by position) into the markers of dated entries."""
    splices: list[Splice] = []
    becomes: dict[int, Expected] = {}
    for at, count in passes.items():
        entry = document.entries[at]
        if entry.mark is None or entry.reinforced is None:
            continue
        splices.append(Splice(entry.mark.start, entry.mark.end, spell(entry.tier, entry.reinforced, count)))
        becomes[at] = Expected(base_id(entry), entry.tier, entry.reinforced, count)
    return Act(key, tuple(splices), becomes=becomes)


def insertions(document: Document, prose: str, kind: Kind, marker: str, key: object = None) -> list[Act]:
    """Where a statement could be put in: after the last list, at the end, under the title; try in turn."""
    new = promised(document, identity(without_markers(prose)), marker)
    eol = main_eol(document.text)
    tail = f" {marker}" if marker else ""
    total = len(document.lines)
    acts: list[Act] = []

    def put(line: int, before: int, bullet: str, gap_above: bool, gap_below: bool) -> None:
        lines = prose.split("\n")
        if kind is Kind.SECTION:
            body = [lines[0] + tail, *lines[1:]]
        else:
            lead = next((i for i, text in enumerate(lines) if is_blank(text)), len(lines)) - 1
            ends = next(
                (i - 1 for i, text in enumerate(lines) if i and re.match(r"[ \t]*[-+*0-9`~|>#]", text)), lead
            )
            lines[min(lead, ends)] += tail
            pad = " " * (len(bullet) + 1)
            body = [f"{bullet} {lines[0]}", *(pad + text if text.strip() else text for text in lines[1:])]
        text = eol.join(body) + eol
        at = document.starts[line] or _after_mark(document)
        if line and not document.text[:at].endswith("\n"):
            text = eol + text
        if gap_above and line and not is_blank(document.lines[line - 1]):
            text = eol + text
        if gap_below and line < total and not is_blank(document.lines[line]):
            text += eol
        acts.append(Act(key, (Splice(at, at, text),), adds=((before, new),)))

    items = [(i, e) for i, e in enumerate(document.entries) if e.kind is Kind.ITEM and e.parent is None]
    if kind is not Kind.SECTION and items:
        last = items[-1][1]
        found = re.match(r"[ \t]*([-+*])[ \t]", document.lines[last.start].removeprefix(BOM))
        if found and len(last.own) == 1:
            following = next((i for i, e in enumerate(document.entries) if e.start >= last.end), None)
            put(last.end, len(document.entries) if following is None else following, found[1], False, False)
    put(total, len(document.entries), "-", True, False)
    tops = {document.pointer[1] if document.pointer else document.header_at: None, document.header_at: None}
    for line in tops if kind is not Kind.SECTION else ():
        following = next((i for i, e in enumerate(document.entries) if e.start >= line), None)
        put(line, len(document.entries) if following is None else following, "-", True, True)
    return acts
