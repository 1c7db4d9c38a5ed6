"""The mistakes in a large sample tree, about twenty: each of them is repaired without a judgment."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from floppy_tui.demo.many_notes import Draft
from floppy_tui.demo.many_words import AREAS, Area
from floppy_tui.notes.index import INDEX, ROUTER

FEWEST = 60
"""How many notes a tree needs to have room for all of them."""

UNPOINTED = (("ferry", 3), ("office", 5), ("harbour/cranes", 2), ("fleet", 1))
"""Notes without a pointer, by area and place in it."""
REPEATED = (("ferry", 0), ("fleet", 4))
"""Notes whose pointer stands there twice."""
SPELLED = (("ferry", 4),)
"""Notes whose pointer spells its target as the literal readers do not take it."""
FLAT = (("ferry", 6), ("fleet", 6), ("harbour", 1))
RENAMED = (("office", 3), ("harbour/berths", 3))
"""Notes whose name has ``_`` where their file has ``-``."""
UNDERSCORED = (("ferry", 1), ("office", 0), ("harbour/gauges", 1), ("fleet", 2))
"""Notes whose first link has ``_`` where the slug has ``-``."""
GONE = {
    "ferry": "- [Old ramp, light](old-ramp-light.md) — two short, one long",
    "office": "- [Fax line](fax-line.md) — answers with a tone, not with a page",
    "harbour/berths": "- [Berth 13, name](berth-13-name.md) — there is none, and customs asks for it",
}
"""Pointers to notes that are no more."""
UNLINKED = "harbour/gauges"
"""The area whose index is not linked from the one above it."""
COUNT = sum(map(len, (UNPOINTED, REPEATED, SPELLED, FLAT, RENAMED, UNDERSCORED, GONE))) + 1


@dataclass(frozen=True)
class Sample:
    """A tree before it is spelled."""

    drafts: tuple[Draft, ...]
    indexes: Mapping[str, str] = field(default_factory=dict)
    """The indexes' texts, by path below the memory directory."""

    def files(self) -> dict[str, str]:
        """Notes and indexes by path."""
        return {**self.indexes, **{draft.path: draft.text() for draft in self.drafts}}


def sample(drafts: Iterable[Draft]) -> Sample:
    """The tree of ``drafts`` with its indexes and, where there are ``FEWEST``, its mistakes."""
    found = tuple(drafts)
    if len(found) < FEWEST:
        return plain(found)
    chosen = _Chosen(found)
    broken = tuple(_broken(draft, chosen) for draft in found)
    indexes = _indexes(found, without=chosen.of(UNPOINTED), unlinked=(UNLINKED,))
    for slug in chosen.of(REPEATED) | chosen.of(SPELLED):
        draft = chosen.by_slug[slug]
        path = f"{draft.area}/{INDEX}"
        odd = draft.pointer.replace(f"({slug}.md)", f"({slug.replace('-', '%2D', 1)}.md)")
        twice = f"{draft.pointer}\n{draft.pointer}"
        indexes[path] = indexes[path].replace(draft.pointer, odd if slug in chosen.of(SPELLED) else twice)
    for area, line in GONE.items():
        indexes[f"{area}/{INDEX}"] += f"{line}\n"
    return Sample(broken, indexes)


def plain(drafts: Iterable[Draft]) -> Sample:
    """The tree of ``drafts`` with its indexes, and no mistake."""
    found = tuple(drafts)
    return Sample(found, _indexes(found))


class _Chosen:
    """Which notes have which mistake."""

    def __init__(self, drafts: tuple[Draft, ...]) -> None:
        self.by_slug = {draft.slug: draft for draft in drafts}
        self._areas: dict[str, list[Draft]] = {}
        for draft in drafts:
            self._areas.setdefault(draft.area, []).append(draft)

    def of(self, places: Iterable[tuple[str, int]]) -> frozenset[str]:
        """The slugs of the notes at ``places``."""
        return frozenset(self._areas[area][n].slug for area, n in places)

    def linking(self, places: Iterable[tuple[str, int]]) -> frozenset[str]:
        """The slugs of the notes at ``places``, or of the next ones there that link to one named as its file.

        A link with ``_`` to a note that is named so would resolve.
        """
        renamed = self.of(RENAMED)

        def fits(draft: Draft) -> bool:
            return bool(draft.others) and draft.others[0] not in renamed

        return frozenset(next(filter(fits, self._areas[area][n:])).slug for area, n in places)


def _broken(draft: Draft, chosen: _Chosen) -> Draft:
    links = draft.links
    if draft.slug in chosen.linking(UNDERSCORED):
        slug = draft.others[0]
        links = links.replace(f"[[{slug}", f"[[{slug.replace('-', '_')}", 1)
    name = draft.slug.replace("-", "_") if draft.slug in chosen.of(RENAMED) else ""
    return replace(draft, links=links, name=name, flat=draft.slug in chosen.of(FLAT))


def _indexes(
    drafts: tuple[Draft, ...], *, without: Iterable[str] = (), unlinked: Iterable[str] = ()
) -> dict[str, str]:
    """Every index that ``drafts`` need, by path: those below it first, then its notes.

    ``without`` are slugs that get no pointer, ``unlinked`` areas whose index gets none.
    """
    found = {}
    there = [area for area in AREAS if not area.path or any(_within(draft, area) for draft in drafts)]
    for area in there:
        below = (a for a in there if a.path and posixpath.dirname(a.path) == area.path)
        lines = [
            f"- [{a.title}]({posixpath.relpath(a.path, area.path or '.')}/{INDEX}) — {a.hook}"
            for a in below
            if a.path not in unlinked
        ]
        lines += [d.pointer for d in drafts if d.area == area.path and d.slug not in without]
        path = f"{area.path}/{INDEX}" if area.path else ROUTER
        found[path] = "\n".join((f"# {area.title}", "", *lines, ""))
    return found


def _within(draft: Draft, area: Area) -> bool:
    return draft.area == area.path or draft.area.startswith(f"{area.path}/")
