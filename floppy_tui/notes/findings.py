"""What lint says: a rule, how severe it is, where, and whether it can be repaired without a judgment."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How severe a finding is; errors make a memory red."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding."""

    rule: str
    """Kebab-case."""
    severity: Severity
    path: str
    """Below the memory directory; what is about the whole memory names ``MEMORY.md`` or ``quota.lock``."""
    line: int
    """From 1; 0 where it is about the file as a whole."""
    message: str
    """A sentence; it names the limit or the value that it speaks of."""
    repair: str = ""
    """What the mechanical repair does, as a sentence; ``""`` where there is none."""
    about: str = ""
    """What a repair has to know: a slug, a path, a key."""

    @property
    def key(self) -> str:
        """Tells it from the other findings of one reading, and stays when lines move."""
        return f"{self.path}:{self.rule}:{self.about}:{self.message}"
