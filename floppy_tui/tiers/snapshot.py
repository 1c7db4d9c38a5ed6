"""A home as it was read at one moment: immutable, and all that a pass is planned on."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING

from floppy_tui.text.lines import decode, encode
from floppy_tui.tiers.budget import Allowance, estimate
from floppy_tui.tiers.clocks import Age, Horizon, age
from floppy_tui.tiers.document import Document, Entry, default_tier, number_ids
from floppy_tui.tiers.layout import SHARED, Refused, Role, Status, shared_alone
from floppy_tui.tiers.reading import read_document
from floppy_tui.tiers.records import NO_RECORDS, Records

# Neither is needed to show the memory, which is what a captain waits for.
if TYPE_CHECKING:
    from floppy_tui.text.similarity import Pair
    from floppy_tui.tiers.archive import Archive
    from floppy_tui.tiers.scope import Scope


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """One of the three always-loaded files."""

    path: str
    """Below the home, such as ``data/captain.md``."""
    status: Status
    document: Document | None
    editable: bool
    """False for the shared file of a secondmate home and for a file that was not read."""
    refused: Refused | None = None

    @property
    def size(self) -> int:
        """Bytes; 0 for an absent or refused file."""
        return self.document.size if self.document else 0

    @property
    def tokens(self) -> int:
        """Its estimate, rounded up for this file alone."""
        return estimate(self.size)


@dataclass(frozen=True)
class Snapshot:
    """One home at one moment."""

    root: str
    """The home's path, for the captain's eyes only."""
    role: Role
    today: date
    allowance: Allowance
    files: tuple[MemoryFile, ...]
    archive_text: str | None
    """None where there is no archive yet."""
    archive_refused: Refused | None = None
    horizon: Horizon = field(default_factory=Horizon)
    warnings: tuple[str, ...] = ()
    scope: Scope | None = field(default=None, compare=False)
    """Where entries could live instead; None until the home was looked over for it."""
    records: Records = field(default=NO_RECORDS, compare=False)
    """What conditions are looked up in."""

    @cached_property
    def documents(self) -> tuple[Document, ...]:
        """The files that were read, in reading order, ids numbered over the whole home."""
        return number_ids(f.document for f in self.files if f.document)

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """All entries in reading order."""
        return tuple(e for doc in self.documents for e in doc.entries)

    @cached_property
    def by_id(self) -> dict[str, Entry]:
        """The entries by their ids, which are unique within a snapshot."""
        return {e.id: e for e in self.entries}

    @cached_property
    def places(self) -> dict[str, tuple[Document, int]]:
        """Where each entry stands, by id: its document and its position there."""
        return {e.id: (doc, at) for doc in self.documents for at, e in enumerate(doc.entries)}

    @cached_property
    def ages(self) -> dict[str, Age]:
        """Where each entry stands on its clock, by id."""
        return {e.id: age(e, self.today, self.horizon) for e in self.entries}

    @cached_property
    def archive(self) -> Archive:
        """The cold tier."""
        from floppy_tui.tiers.archive import read_archive

        return read_archive(self.archive_text or "")

    @cached_property
    def near(self) -> tuple[Pair, ...]:
        """Pairs of near-duplicates, by positions in ``entries``, most alike first."""
        from floppy_tui.text.similarity import near_pairs

        return near_pairs([e.prose for e in self.entries])

    @cached_property
    def total(self) -> int:
        """The sum of the three per-file estimates."""
        return sum(f.tokens for f in self.files)

    @cached_property
    def hash(self) -> str:
        """SHA-256 over every byte of the memory that was read: what a decision was made on."""
        whole = hashlib.sha256()
        for file in self.files:
            data = encode(file.document.text) if file.document else b""
            whole.update(f"{file.path}\0{file.status}\0{len(data)}\0".encode())
            whole.update(data)
        return whole.hexdigest()

    @property
    def within_budget(self) -> bool:
        """Whether the total is within a usable allowance."""
        return self.allowance.allows(self.total)

    @cached_property
    def exceptions(self) -> tuple[Refused, ...]:
        """Everything that keeps the accounting from being trusted, in the order of the report."""
        found: list[Refused] = []
        if self.allowance.exception:
            found.append(Refused(self.allowance.exception, self.allowance.message))
        found.extend(f.refused for f in self.files if f.refused)
        if self.archive_refused:
            found.append(self.archive_refused)
        if alone := shared_alone(self.role, self.allowance, self.file(SHARED).tokens):
            found.append(alone)
        return tuple(found)

    def file(self, path: str) -> MemoryFile:
        """The memory file at ``path`` (one of ``FILES``); raises ``KeyError`` for any other."""
        for file in self.files:
            if file.path == path:
                return file
        raise KeyError(path)

    def document(self, path: str) -> Document | None:
        """The document at ``path`` with its home-wide ids, or None where none was read."""
        return next((d for d in self.documents if d.file == path), None)

    def editable(self, entry: Entry) -> bool:
        """Whether an act may change this entry: its file is this home's own and can be edited."""
        file = self.file(entry.file)
        return file.editable and file.document is not None and not file.document.blocked


def memory_file(path: str, data: bytes | None, role: Role, refused: Refused | None = None) -> MemoryFile:
    """The memory file at ``path`` from its bytes (None: absent or refused)."""
    if refused is not None:
        return MemoryFile(path, Status.REFUSED, None, False, refused)
    if data is None:
        return MemoryFile(path, Status.ABSENT, None, False)
    document = read_document(data, path, default_tier(path))
    return MemoryFile(path, Status.PRESENT, document, not (path == SHARED and role is Role.SECONDMATE))


def archive_text(data: bytes | None) -> str | None:
    """The archive's text from its bytes."""
    return None if data is None else decode(data)
