"""What a home is made of: its files, its role, and what may stand in a file's place.

Light on purpose: the accounting of a home starts from here without reading any Markdown.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from floppy_tui.tiers.budget import Allowance

CAPTAIN = "data/captain.md"
SHARED = "data/captain-shared.md"
LEARNINGS = "data/learnings.md"
ARCHIVE = "data/memory-archive.md"
FILES = (CAPTAIN, SHARED, LEARNINGS)
"""The always-loaded files, in the order in which they are read and reported."""
ALLOWANCE = "config/startup-memory-budget"
SHARED_ALONE = "primary-owned-shared-file-alone-exceeds-budget"


class Role(StrEnum):
    """Whether the home owns the shared file (primary) or inherits it (secondmate)."""

    PRIMARY = "primary"
    SECONDMATE = "secondmate"


class Status(StrEnum):
    """What was found at a memory file's path."""

    PRESENT = "present"
    ABSENT = "absent"
    REFUSED = "refused"


class Refused(NamedTuple):
    """A path that was not read: its kebab-case name and a sentence (what, where, what to do)."""

    exception: str
    message: str


def shared_alone(role: Role, allowance: Allowance, tokens: int) -> Refused | None:
    """The exception of a secondmate home whose shared file of ``tokens`` is alone over its allowance."""
    if role is not Role.SECONDMATE or not allowance.digits or allowance.allows(tokens):
        return None
    return Refused(
        SHARED_ALONE,
        f"{SHARED} alone is over this home's allowance and belongs to the primary: "
        "raise the allowance or ask the primary to trim it.",
    )
