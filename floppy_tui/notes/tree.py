"""A note tree as it was read once: notes, indexes, quotas and what was used; everything else is derived."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import NamedTuple

from floppy_tui.notes.findings import Finding
from floppy_tui.notes.index import INDEX, ROUTER, Index
from floppy_tui.notes.links import Link
from floppy_tui.notes.loader import Cut, find_cut
from floppy_tui.notes.note import Note, Scope
from floppy_tui.notes.profiles import COMMON, Config, Profile
from floppy_tui.notes.quota import FILE, Quota, half_of, read_quota
from floppy_tui.text.dates import parse_date

LEVELS = 3
"""How many files a session opens before it reaches a note, at most."""


class Unread(NamedTuple):
    """A file that could not be read, and why, in a sentence."""

    path: str
    message: str


class Heat(NamedTuple):
    """How often a note was opened, as far as anybody wrote it down."""

    times: int
    last: date


class Mention(NamedTuple):
    """A link to a note, and the note that it stands in."""

    path: str
    link: Link


@dataclass(frozen=True)
class Tree:
    """One reading of a note tree."""

    profile: Profile
    config: Config
    today: date
    """In UTC: ``as_of`` is."""
    notes: tuple[Note, ...]
    """Of all scopes, in path order."""
    indexes: tuple[Index, ...]
    """The router first, where there is one, then in path order; those too deep are left out."""
    quota_text: str | None = None
    """``quota.lock`` as it stands; None where there is none."""
    too_deep: tuple[str, ...] = ()
    """Indexes nested deeper than any session reaches."""
    unread: tuple[Unread, ...] = ()
    heat: Mapping[str, Heat] = field(default_factory=dict)
    """By slug."""
    layout: tuple[Finding, ...] = ()
    """Findings of how the tree lies on the disk, which the store makes."""
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Every file that was read, by path."""

    @cached_property
    def own(self) -> tuple[Note, ...]:
        """The notes of this memory: what quotas and pointers are about."""
        return tuple(n for n in self.notes if n.scope is Scope.OWN)

    @cached_property
    def by_path(self) -> Mapping[str, Note]:
        """The notes by path."""
        return {n.path: n for n in self.notes}

    @cached_property
    def index_by_path(self) -> Mapping[str, Index]:
        """The indexes by path."""
        return {i.path: i for i in self.indexes}

    @property
    def router(self) -> Index | None:
        """``MEMORY.md``."""
        return self.index_by_path.get(ROUTER)

    @cached_property
    def quota(self) -> Quota | None:
        """The ceilings, None where there is no ``quota.lock``."""
        return None if self.quota_text is None else read_quota(self.quota_text)

    @cached_property
    def cut(self) -> Cut | None:
        """Where the loader cuts the router, None where there is no router."""
        return None if self.router is None else find_cut(self.router, self.profile, self.config)

    @cached_property
    def by_slug(self) -> Mapping[str, Note]:
        """The notes by name, the first of a name: this memory's own, then in path order."""
        found: dict[str, Note] = {}
        for note in self._own_first:
            if note.name:
                found.setdefault(note.name, note)
        return found

    @cached_property
    def _own_first(self) -> list[Note]:
        return sorted(self.notes, key=lambda note: note.scope is not Scope.OWN)

    @cached_property
    def _by_stem(self) -> Mapping[str, Note]:
        found: dict[str, Note] = {}
        for note in self._own_first:
            found.setdefault(note.stem, note)
        return found

    def find(self, slug: str) -> Note | None:
        """The note that a link to ``slug`` resolves to: by name, then by file name."""
        return self.by_slug.get(slug) or self._by_stem.get(slug)

    def suggestion(self, slug: str) -> Note | None:
        """The note that was probably meant by a ``slug`` that resolves to none: ``_`` for ``-``, or case."""
        return self._folded.get(_fold(slug))

    @cached_property
    def _folded(self) -> Mapping[str, Note]:
        found: dict[str, Note] = {}
        for note in self.notes:
            for word in (note.name, note.stem):
                if word:
                    found.setdefault(_fold(word), note)
        return found

    @cached_property
    def known_as(self) -> Mapping[str, tuple[str, ...]]:
        """The paths of the notes that go by a slug, by name or file name, in any letter case (``folded``)."""
        found: dict[str, list[str]] = {}
        for note in self.notes:
            for word in {folded(note.name), folded(note.stem)} - {""}:
                found.setdefault(word, []).append(note.path)
        return {word: tuple(paths) for word, paths in found.items()}

    @cached_property
    def mentions(self) -> Mapping[str, tuple[Mention, ...]]:
        """The links that lead to each note, by its path, but for those in itself."""
        found: dict[str, list[Mention]] = {}
        for note in self.notes:
            for link in note.links:
                target = self.find(link.slug)
                if target is not None and target.path != note.path:
                    found.setdefault(target.path, []).append(Mention(note.path, link))
        return {path: tuple(links) for path, links in found.items()}

    @cached_property
    def half_chars(self) -> Mapping[str, int]:
        """Characters of each half's notes, largest first."""
        found: dict[str, int] = {}
        for note in self.own:
            half = half_of(note.path)
            found[half] = found.get(half, 0) + note.chars
        return dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))

    @property
    def chars(self) -> int:
        """Characters of all own notes."""
        return sum(self.half_chars.values())

    def pointed_from(self, path: str) -> tuple[Index, ...]:
        """The indexes in which a pointer to the note ``path`` counts, of those that hold one."""
        places = dict.fromkeys((ROUTER, posixpath.join(posixpath.dirname(path), INDEX)))
        holders = (self.index_by_path.get(place) for place in places)
        return tuple(index for index in holders if index is not None and path in index.reached)

    @property
    def free_form(self) -> bool:
        """Whether it is no index at all: a ``MEMORY.md`` without pointers, and no notes."""
        return self.router is not None and not self.notes and not self.router.links


def build_tree(
    files: Mapping[str, str],
    profile: Profile,
    config: Config,
    today: date,
    *,
    linked: Iterable[str] = (),
    heat: str = "",
    unread: Iterable[Unread] = (),
    layout: Iterable[Finding] = (),
    before: Tree | None = None,
) -> Tree:
    """The tree of ``files`` (text by path: every ``*.md`` below the memory directory, and ``quota.lock``).

    ``linked`` are directories (paths) that are reached through symbolic links; ``heat`` is the text of the
    heat log. Notes and indexes that did not change since ``before`` are shared with it, readings and all.
    """
    known = {n.path: n for n in before.notes} if before else {}
    known_indexes = {i.path: i for i in before.indexes} if before else {}
    foreign = tuple(f"{name}/" for name in (config.private_dir, COMMON)) if profile is Profile.FLOPPY else ()
    links = tuple(f"{directory}/" for directory in linked)
    status = re.compile(rf"(?:.*/)?machines/[^/]+/{re.escape(config.status_name)}")
    notes: list[Note] = []
    indexes: list[Index] = []
    too_deep: list[str] = []
    for path in sorted(files):
        text = files[path]
        name = posixpath.basename(path)
        if not name.endswith(".md"):
            continue
        scope = Scope.OWN
        if path.startswith(foreign):
            scope = Scope.COMMON if path.startswith(f"{COMMON}/") else Scope.PRIVATE
        if name in (ROUTER, INDEX):
            if scope is Scope.OWN and (path == ROUTER or name == INDEX):
                if path.count("/") >= LEVELS:
                    too_deep.append(path)
                elif path != INDEX:
                    index = known_indexes.get(path)
                    indexes.append(index if index and index.text == text else Index(path, text))
            continue
        if scope is not Scope.OWN and (name == "README.md" or status.fullmatch(path)):
            continue
        note = known.get(path)
        through = path.startswith(links)
        if note is None or note.text != text or (note.scope, note.linked) != (scope, through):
            note = Note(path, text, scope, through)
        notes.append(note)
    indexes.sort(key=lambda i: (i.path != ROUTER, i.path))
    return Tree(
        profile,
        config,
        today,
        tuple(notes),
        tuple(indexes),
        files.get(FILE),
        tuple(too_deep),
        tuple(unread),
        read_heat(heat),
        tuple(layout),
        files,
    )


def read_heat(text: str) -> Mapping[str, Heat]:
    """The heat log by slug; lines that are not ``YYYY-MM-DD slug`` do not count."""
    found: dict[str, Heat] = {}
    for line in text.split("\n"):
        words = line.split()
        day = parse_date(words[0]) if len(words) == 2 else None
        if day is not None:
            slug = words[1]
            was = found.get(slug)
            found[slug] = Heat(was.times + 1 if was else 1, max(day, was.last) if was else day)
    return found


def folded(name: str) -> str:
    """``name`` as a disk sees it that tells no letter case and no composition."""
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _fold(slug: str) -> str:
    return re.sub(r"[\s_-]+", "-", slug).casefold()
