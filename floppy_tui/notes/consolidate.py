"""Proposals to consolidate one half: merge, rewrite, delete, each with its reason as a number or a date."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from statistics import median
from typing import NamedTuple

from floppy_tui.notes.links import Link
from floppy_tui.notes.note import Note
from floppy_tui.notes.quota import half_of, warns_from
from floppy_tui.notes.tree import Tree
from floppy_tui.text.similarity import NEAR, near_pairs

_COMPARED = 1_200
"""Characters at the start of a note's text that are compared."""
_SMALL = 600
"""Characters; two notes of this size that link to each other may be one."""
_LONG = 3
"""Times the median of the half that a note is long from."""
_LONG_FROM = 2_000
"""Characters below which no note is long."""
_COLD_DAYS = 90
"""Days that the heat log has to span, and a note has to be old, before absence says anything."""
_BY = re.compile(r"\b(?:superseded|replaced|obsoleted)\s+by\b[^.\[\]]*$", re.I)
_OF = re.compile(r"\b(?:supersedes|replaces|obsoletes)\b[^.\[\]]*$", re.I)


class Shape(StrEnum):
    """What is proposed."""

    MERGE = "merge"
    REWRITE = "rewrite"
    DELETE = "delete"


class Proposal(NamedTuple):
    """One proposal, approved by itself."""

    shape: Shape
    paths: tuple[str, ...]
    """Of a merge the survivor first."""
    reason: str
    """With a number or a date."""
    score: float
    """How much speaks for it, up to 100."""


def proposals(tree: Tree, half: str) -> tuple[Proposal, ...]:
    """What might be consolidated among the notes of ``half`` (``root`` for those in no half), best first."""
    notes = [n for n in tree.own if half_of(n.path) == half and not n.linked]
    found = [*_merges(tree, notes), *_deletions(tree, notes), *_rewrites(tree, notes)]
    return tuple(sorted(found, key=lambda p: (-p.score, p.shape, p.paths)))


# -- merge


def _merges(tree: Tree, notes: Sequence[Note]) -> Iterator[Proposal]:
    done: set[tuple[str, str]] = set()
    for pair in near_pairs([_said(note) for note in notes], NEAR):
        survivor, other = _ordered(tree, notes[pair.left], notes[pair.right])
        if _fits(tree, survivor, other):
            done.add((survivor.path, other.path))
            reason = f"{int(pair.score)} % alike{_linked(tree, survivor)}"
            yield Proposal(Shape.MERGE, (survivor.path, other.path), reason, float(pair.score))
    for one, other in _mutual(tree, notes):
        survivor, other = _ordered(tree, one, other)
        size = survivor.chars + other.chars
        if (survivor.path, other.path) in done or max(survivor.chars, other.chars) > _SMALL:
            continue
        if _fits(tree, survivor, other):
            reason = f"they link to each other and have {size:,} characters together"
            yield Proposal(Shape.MERGE, (survivor.path, other.path), reason, 60.0 - size / 100)


def _said(note: Note) -> str:
    return f"{note.stem.replace('-', ' ').replace('_', ' ')} {note.description} {note.body[:_COMPARED]}"


def _ordered(tree: Tree, one: Note, other: Note) -> tuple[Note, Note]:
    """The survivor first: the one that more links lead to, then the longer, then the first by path."""
    ranked = sorted((one, other), key=lambda n: (-len(tree.mentions.get(n.path, ())), -n.chars, n.path))
    return ranked[0], ranked[1]


def _fits(tree: Tree, one: Note, other: Note) -> bool:
    """Whether the merged note can be within the quota, at the least as long as its longer part."""
    limit = tree.quota.note_chars_max if tree.quota else None
    return limit is None or max(one.chars, other.chars) <= limit


def _linked(tree: Tree, survivor: Note) -> str:
    count = len(tree.mentions.get(survivor.path, ()))
    return f"; {count} {'link leads' if count == 1 else 'links lead'} to {survivor.slug}" if count else ""


def _mutual(tree: Tree, notes: Sequence[Note]) -> Iterator[tuple[Note, Note]]:
    own = {note.path: note for note in notes}
    for path, mentions in tree.mentions.items():
        for mention in mentions:
            back = tree.mentions.get(mention.path, ())
            both = path in own and mention.path in own and path < mention.path
            if both and any(m.path == path for m in back):
                yield own[path], own[mention.path]


# -- delete


def _deletions(tree: Tree, notes: Sequence[Note]) -> Iterator[Proposal]:
    span = _Span.of(tree)
    superseded = _superseded(tree, notes)
    for note in notes:
        reasons: list[tuple[str, float]] = []
        if note.path in superseded:
            reasons.append((superseded[note.path], 90.0))
        alone = not tree.mentions.get(note.path)
        age = note.age(tree.today)
        if alone and age is not None and age > tree.config.note_stale_days:
            reasons.append((f"no note links to it, and as_of is {note.as_of}, {age:,} days ago", 45.0))
        if span is not None and _cold(tree, note, span):
            reasons.append(
                (
                    f"the heat log of {span.days} days, up to {span.last}, has no line for it"
                    " (a hint, never proof)",
                    25.0,
                )
            )
        if reasons and (len(reasons) > 1 or reasons[0][1] > 25.0 or alone):
            score = min(99.0, sum(points for _, points in reasons))
            yield Proposal(Shape.DELETE, (note.path,), "; ".join(why for why, _ in reasons), score)


class _Span(NamedTuple):
    days: int
    """At the least: only the last line of each slug is known."""
    last: str

    @classmethod
    def of(cls, tree: Tree) -> _Span | None:
        days = sorted(heat.last for heat in tree.heat.values())
        if not days or (days[-1] - days[0]).days <= _COLD_DAYS:
            return None
        return cls((days[-1] - days[0]).days, days[-1].isoformat())


def _cold(tree: Tree, note: Note, span: _Span) -> bool:
    heat = tree.heat.get(note.slug) or tree.heat.get(note.stem)
    if note.day is None:
        return heat is None
    if (note.age(tree.today) or 0) <= _COLD_DAYS:
        return False
    return heat is None or heat.last < note.day


def _superseded(tree: Tree, notes: Sequence[Note]) -> Mapping[str, str]:
    """The notes that some text says are superseded, and where it says so."""
    found: dict[str, str] = {}
    for note in notes:
        for link in note.links:
            target = tree.find(link.slug)
            if target is not None and target.path != note.path and _before(note, link, _BY):
                found.setdefault(note.path, f"its line {link.line} says superseded by [[{link.slug}]]")
    for note in tree.own:
        for link in note.links:
            target = tree.find(link.slug)
            if target is not None and target.path != note.path and _before(note, link, _OF):
                found.setdefault(
                    target.path, f"line {link.line} of {note.path} says that it replaces this one"
                )
    return found


def _before(note: Note, link: Link, words: re.Pattern[str]) -> bool:
    start = note.text.rfind("\n", 0, link.start) + 1
    return words.search(note.text[start : link.start]) is not None


# -- rewrite in place


def _rewrites(tree: Tree, notes: Sequence[Note]) -> Iterator[Proposal]:
    limit = tree.config.note_stale_days
    middle = int(median(n.chars for n in notes)) if notes else 0
    ceiling = tree.quota.note_chars_max if tree.quota else None
    for note in notes:
        reasons: list[tuple[str, float]] = []
        age = note.age(tree.today)
        if age is not None and age > limit:
            points = 40.0 + min(20.0, 5.0 * age / max(1, limit))
            reasons.append((f"as_of is {note.as_of}, {age:,} days ago", points))
        if ceiling is not None and note.chars > warns_from(ceiling):
            reasons.append((f"{note.chars:,} characters of note_chars_max {ceiling:,}", 50.0))
        elif note.chars >= _LONG_FROM and note.chars > _LONG * middle:
            reasons.append(
                (f"{note.chars:,} characters, where half of the notes have {middle:,} at most", 35.0)
            )
        if reasons:
            best = max(points for _, points in reasons)
            score = min(99.0, best + 5.0 * (len(reasons) - 1))
            yield Proposal(Shape.REWRITE, (note.path,), "; ".join(why for why, _ in reasons), score)
