"""A memory file as it stands on disk, and the entries, structure and findings that it holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import cached_property

from floppy_tui.text.lines import Splice, encode, split_lines
from floppy_tui.tiers.markers import Mark, Tier

POINTER = "<!-- memory tiers: see the stow skill -->"
"""The header pointer: the one line that names the stow skill as the owner of the scheme."""

Range = tuple[int, int]
"""Lines ``start:end``, from 0, half open."""


class Kind(StrEnum):
    """What an entry is made of."""

    ITEM = "item"
    SECTION = "section"
    PARAGRAPH = "paragraph"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in a file that deserves the captain's eye; nothing is ever repaired on its own."""

    rule: str
    """Kebab-case name of what was found."""
    line: int
    """From 1."""
    message: str
    """One sentence for the captain."""
    entry: int | None = None
    """Position in ``Document.entries`` of the entry it is about, if any."""
    repair: Splice | None = None
    """The edit that mends it, on the text it was found in; None where there is no mechanical one."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One fact of a memory file."""

    id: str
    """12 hex digits over the folded prose; a repeated one carries ``-2``, ``-3`` within a snapshot."""
    file: str
    """Path below the home, such as ``data/learnings.md``."""
    kind: Kind
    start: int
    end: int
    """Its lines ``start:end`` with everything nested in it, from 0, half open."""
    own: tuple[Range, ...]
    """The lines that are this entry's alone: without entries inside it and without structure."""
    prose: str
    """Its words without bullet and marker, LF line ends; a section begins with its heading line."""
    tier: Tier
    explicit: bool
    """Whether a marker says the tier."""
    reinforced: date | None
    passes: int
    tokens: int
    """``ceil(bytes / 3)`` of its own lines, marker included."""
    heading: tuple[str, ...]
    """The headings above it, outermost first; a section's own heading is not among them."""
    digest: str
    """SHA-256 of its own bytes: two readings of it are equal only to the byte."""
    default: Tier
    """The default tier of its file."""
    mark: Mark | None
    """The governing marker (absolute positions in the text), or None."""
    mark_at: int
    """Where a new marker goes (position in the text)."""
    mark_prefix: str
    """What stands before a new marker: one space, or a line end and indentation."""
    frozen: bool
    """Whether its final marker is unreadable or impossible: grace, decay and eviction leave it alone."""
    parent: int | None
    """Position in the document of the entry that it is nested in."""
    marks: tuple[Mark, ...] = ()
    """Every real marker that ends a line of its own text, the governing one included."""
    text_at: int = 0
    """Position where its prose begins: after the bullet of an item."""
    indent: str = ""
    """What its further lines are indented with."""
    last_mark: Mark | None = None
    """The last marker or lookalike of its text: what freezes it, where it is unreadable."""

    @property
    def lines(self) -> tuple[int, int]:
        """First and last line, from 1."""
        return self.start + 1, self.end

    @property
    def pinned(self) -> bool:
        """Whether no clock is ever read for it: grace has no meaning where the default is pinned."""
        return self.tier is Tier.PINNED or (self.tier is Tier.GRACE and self.default is Tier.PINNED)

    @property
    def first_line(self) -> str:
        """The first line of its prose, a section's heading without its hashes."""
        line = self.prose.split("\n", 1)[0]
        return line.lstrip("#").strip() if self.kind is Kind.SECTION else line


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading and the lines of its section, sub-sections included."""

    text: str
    """Without hashes and markers."""
    level: int
    start: int
    """Line of the heading, from 0."""
    body: int
    """First line below the heading."""
    end: int
    """Line after the last one of its section (up to the next heading of its level or above)."""
    path: tuple[str, ...]
    """The headings above it and its own text."""
    title: bool
    mark: Mark | None
    mark_at: int


@dataclass(frozen=True)
class Document:
    """One reading of one memory file; ``encode(text)`` is the file to the byte."""

    file: str
    default: Tier
    text: str
    entries: tuple[Entry, ...]
    headings: tuple[Heading, ...]
    findings: tuple[Finding, ...]
    pointer: Range | None
    """Line of the header pointer, if one stands in the header."""
    pointer_ok: bool
    """Whether the header pointer names the stow skill."""
    stray_pointers: tuple[int, ...]
    """Lines of further pointers, which belong in the header."""
    header_at: int
    """Line before which a new header pointer goes."""
    blocked: str
    """Why the file is not edited (conflict markers, an unclosed fence), or ``""``."""

    @cached_property
    def parents(self) -> frozenset[int]:
        """Positions of the entries that others are nested in."""
        return frozenset(e.parent for e in self.entries if e.parent is not None)

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text with their line ends."""
        return split_lines(self.text)

    @cached_property
    def starts(self) -> list[int]:
        """Position of each line's first character, and of the end of the text."""
        at = 0
        found = []
        for line in self.lines:
            found.append(at)
            at += len(line)
        found.append(at)
        return found

    @cached_property
    def size(self) -> int:
        """Bytes of the file."""
        return len(encode(self.text))

    def piece(self, ranges: Iterable[Range]) -> str:
        """The text of some line ranges."""
        return "".join(self.text[self.starts[a] : self.starts[b]] for a, b in ranges)

    def at_line(self, line: int) -> Entry | None:
        """The innermost entry whose own lines hold ``line`` (from 0)."""
        return next((e for e in self.entries if any(a <= line < b for a, b in e.own)), None)

    def section(self, path: tuple[str, ...]) -> Heading | None:
        """The first heading with this path (or, for a single name, this text)."""
        for heading in self.headings:
            if heading.path == path:
                return heading
        return next((h for h in self.headings if path and h.path[-len(path) :] == path), None)


def default_tier(file: str) -> Tier:
    """The default tier of a memory file by its name: ``captain*`` is pinned, all else aging."""
    name = file.rsplit("/", 1)[-1]
    return Tier.PINNED if name.startswith(("captain.md", "captain-shared.md")) else Tier.AGING


def number_ids(documents: Iterable[Document]) -> tuple[Document, ...]:
    """``documents`` in reading order with ``-2``, ``-3`` … on ids that were seen before."""
    seen: dict[str, int] = {}
    out = []
    for doc in documents:
        entries = []
        for entry in doc.entries:
            count = seen[entry.id] = seen.get(entry.id, 0) + 1
            entries.append(entry if count == 1 else replace(entry, id=f"{entry.id}-{count}"))
        out.append(replace(doc, entries=tuple(entries)))
    return tuple(out)
