"""What is known outside the memory that an entry's condition can be looked up in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Item:
    """One item of the backlog."""

    id: str
    title: str
    state: str
    """``queued``, ``in_flight`` or ``done``."""
    held: bool = False
    kind: str = ""
    repo: str = ""

    @property
    def done(self) -> bool:
        """Whether it is closed."""
        return self.state == "done"


@dataclass(frozen=True)
class Records:
    """The backlog's items and the newest releases of projects, as they were when the home was looked over."""

    items: Mapping[str, Item] = field(default_factory=lambda: MappingProxyType({}))
    """By id, whatever its shape."""
    releases: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """The newest version tag of each project clone, by the project's name."""
    note: str = "The backlog was not looked at."
    """Why an id cannot be looked up, as a sentence; ``""`` where the backlog was read."""


NO_RECORDS = Records()
