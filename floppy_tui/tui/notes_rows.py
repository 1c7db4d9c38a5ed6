"""What the table of notes knows of each note, made once for each reading of the tree. Pure."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import NamedTuple

from floppy_tui.notes.note import Evidence, Kind, Note, Scope
from floppy_tui.notes.quota import ROOT, half_of, warns_from
from floppy_tui.notes.tree import Tree
from floppy_tui.tui.notes_seen import Seen

OVER, NEAR = "over", "near"


class NoteRow(NamedTuple):
    """One note of the table."""

    path: str
    half: str
    """Of a foreign note, its scope."""
    slug: str
    description: str
    type: str
    evidence: str
    days: int | None
    """Since its evidence; None where it is undated."""
    aged: bool
    ahead: int
    """Days that its date is ahead of today."""
    chars: int
    size: str
    """``over`` or ``near`` its quota, else ``""``."""
    links_in: int
    links_out: int
    dangling: int
    """Links of it that lead nowhere."""
    orphan: bool
    """An own note without a pointer."""
    heat: int
    last: date | None
    """When it was opened last, as far as anybody wrote it down."""
    errors: int
    warnings: int
    infos: int
    rules: frozenset[str]
    scope: Scope
    haystack: str
    """Case folded path, title, description and text, for free words."""
    place: int


def note_rows(seen: Seen) -> tuple[NoteRow, ...]:
    """The rows of a tree in path order."""
    tree = seen.tree
    pointed = pointed_notes(tree)
    return tuple(_row(seen, note, place, pointed) for place, note in enumerate(tree.notes))


def pointed_notes(tree: Tree) -> frozenset[str]:
    """The paths of the own notes that a pointer leads to from where it counts."""
    return frozenset(note.path for note in tree.own if tree.pointed_from(note.path))


def _row(seen: Seen, note: Note, place: int, pointed: frozenset[str]) -> NoteRow:
    tree = seen.tree
    own = note.scope is Scope.OWN
    days = note.age(tree.today)
    heat = tree.heat.get(note.slug)
    errors, warnings, infos = seen.counts(note.path)
    return NoteRow(
        note.path,
        half_of(note.path) if own else str(note.scope),
        note.slug,
        note.description,
        note.type,
        note.evidence,
        days,
        days is not None and days > tree.config.note_stale_days,
        max(0, (note.day - tree.today).days) if note.day else 0,
        note.chars,
        size_of(tree, note),
        len(tree.mentions.get(note.path, ())),
        len(note.links),
        sum(tree.find(link.slug) is None for link in note.links),
        own and note.path not in pointed,
        heat.times if heat else 0,
        heat.last if heat else None,
        errors,
        warnings,
        infos,
        frozenset(f.rule for f in seen.found.get(note.path, ())),
        note.scope,
        "\n".join((note.path, note.slug, note.description, note.body)).casefold(),
        place,
    )


def size_of(tree: Tree, note: Note) -> str:
    """Whether an own note is ``over`` or ``near`` its quota; one that is grandfathered is never over."""
    limit = tree.quota.note_chars_max if tree.quota else None
    if limit is None or tree.quota is None or note.scope is not Scope.OWN:
        return ""
    if note.path in tree.quota.grandfathered:
        return NEAR if note.chars > limit else ""
    return OVER if note.chars > limit else NEAR if note.chars > warns_from(limit) else ""


_EVIDENCE = {evidence: n for n, evidence in enumerate(reversed(Evidence))}
_KINDS = {kind: n for n, kind in enumerate(Kind)}
SORTS: dict[str, Callable[[NoteRow], tuple[object, ...]]] = {
    "half": lambda row: (row.scope is not Scope.OWN, row.half != ROOT, row.half, row.place),
    "slug": lambda row: (row.slug.casefold(), row.place),
    "type": lambda row: (_KINDS.get(row.type, -1), row.type, row.place),  # type: ignore[call-overload]
    "evidence": lambda row: (_EVIDENCE.get(row.evidence, -1), row.evidence, row.place),  # type: ignore[call-overload]
    "age": lambda row: (row.days is None, -(row.days or 0), row.place),
    "chars": lambda row: (-row.chars, row.place),
    "links": lambda row: (-row.links_in, -row.links_out, row.place),
    "heat": lambda row: (-row.heat, row.place),
    "findings": lambda row: (-row.errors, -row.warnings, -row.infos, row.place),
}
"""How each column sorts: what needs a look first (unknown, weak, old, large, wrong) comes first."""
