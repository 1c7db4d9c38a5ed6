"""One reading of a note tree with what lint says of it: what the Notes view and its modes show. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from floppy_tui.notes.findings import Finding, Severity
from floppy_tui.notes.index import Index, index_for
from floppy_tui.notes.note import Note
from floppy_tui.notes.tree import Tree

if TYPE_CHECKING:
    from floppy_tui.notes.status import StatusFile

SEVERITIES = {severity: n for n, severity in enumerate(Severity)}
"""Worst first."""
MOST_TYPED = 200_000
"""Characters of a note that is still rewritten here."""
LONGEST_TYPED = 50_000
"""Characters of one line of it: each key lays the whole line out anew."""


def why_not_typed(note: Note) -> str:
    """Why a note is not rewritten here, as a sentence; ``""`` where it can be."""
    text = note.text
    if len(text) > MOST_TYPED or (
        len(text) > LONGEST_TYPED and max(map(len, text.split("\n"))) > LONGEST_TYPED
    ):
        return f"{note.path} is too long to be typed in here; e opens it in your editor."
    return ""


@dataclass(frozen=True, eq=False)
class Seen:
    """What is shown."""

    tree: Tree
    findings: tuple[Finding, ...] = ()
    """What lint says; those of the reading before where it is not done with this one."""
    linted: bool = False
    """Whether the findings are about this reading."""
    statuses: tuple[StatusFile, ...] = ()
    root: str = ""
    """Where the memory directory lies (untrusted: a directory may be called anything)."""

    @cached_property
    def found(self) -> Mapping[str, Sequence[Finding]]:
        """The findings of each file, worst first."""
        found: dict[str, list[Finding]] = {}
        for finding in self.findings:
            found.setdefault(finding.path, []).append(finding)
        for findings in found.values():
            findings.sort(key=lambda f: (SEVERITIES[f.severity], f.line))
        return found

    def counts(self, path: str = "") -> tuple[int, int, int]:
        """Errors, warnings and what is information, of a file or of all."""
        findings = self.found.get(path, ()) if path else self.findings
        errors, warnings, infos = (sum(f.severity is severity for f in findings) for severity in Severity)
        return errors, warnings, infos


class Place(NamedTuple):
    """What a row is about."""

    path: str = ""
    """A file below the memory directory; ``""`` for none."""
    line: int = 0
    """In it, from 1; 0 for the file as a whole."""
    within: str = ""
    """The index that the row stands in."""
    finding: Finding | None = None

    def note(self, seen: Seen) -> Note | None:
        """The note that it is, or leads to."""
        return seen.tree.by_path.get(self.path)

    def index_of(self, seen: Seen) -> Index | None:
        """The index that it is, or stands in; else the one that a pointer to the note stands in or would."""
        indexes = seen.tree.index_by_path
        found = indexes.get(self.path) or indexes.get(self.within)
        if found is None and self.path in seen.tree.by_path:
            pointed = seen.tree.pointed_from(self.path)
            return pointed[-1] if pointed else indexes.get(index_for(self.path), seen.tree.router)
        return found
