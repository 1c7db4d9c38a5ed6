"""A home given as files by path, read without a disk."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from floppy_tui.tiers.budget import read_allowance
from floppy_tui.tiers.layout import ALLOWANCE, ARCHIVE, FILES, Role
from floppy_tui.tiers.snapshot import Snapshot, archive_text, memory_file

DAYS = [date(2024, 2, 29), date(2025, 3, 30), date(2026, 1, 1), date(2026, 11, 30)]
"""Days that a sample home has to be the same on: a leap day, the turn of a year, around a February."""


def snapshot_of(files: Mapping[str, bytes], today: date) -> Snapshot:
    """The snapshot of a home that holds exactly ``files``, by their paths below its root."""
    role = Role.SECONDMATE if ".fm-secondmate-home" in files else Role.PRIMARY
    return Snapshot(
        root="sample",
        role=role,
        today=today,
        allowance=read_allowance(files.get(ALLOWANCE, b"")),
        files=tuple(memory_file(path, files.get(path), role) for path in FILES),
        archive_text=archive_text(files.get(ARCHIVE)),
    )
