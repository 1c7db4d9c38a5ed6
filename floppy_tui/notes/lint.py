"""Lint: every finding of a note tree, and what was counted on the way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from floppy_tui.notes.findings import Finding, Severity
from floppy_tui.notes.index import ROUTER
from floppy_tui.notes.lint_index import lint_index
from floppy_tui.notes.lint_links import lint_links
from floppy_tui.notes.lint_notes import lint_notes
from floppy_tui.notes.lint_quota import lint_quota
from floppy_tui.notes.note import Scope
from floppy_tui.notes.repairs import can_repair
from floppy_tui.notes.rules import RULES, found
from floppy_tui.notes.tree import Tree

_ORDER = {name: place for place, name in enumerate(RULES)}


class Summary(NamedTuple):
    """What was checked, and how it stands."""

    notes: int
    """Of this memory itself."""
    pointers: int
    """Pointer lines of all indexes."""
    indexes: int
    private: int
    """Notes of the private scope."""
    common: int
    """Notes of the common scope."""
    errors: int
    warnings: int


def lint(tree: Tree) -> tuple[Finding, ...]:
    """All findings of ``tree``: those of ``MEMORY.md`` first, then by path and line.

    Foreign notes are checked as notes, and their links; no quota and no pointer is about them.
    """
    findings: list[Finding] = [*tree.layout]
    findings += (found(tree.profile, "file-unreadable", file.path, 0, file.message) for file in tree.unread)
    for part in (lint_notes, lint_index, lint_quota, lint_links):
        findings += part(tree)
    findings.sort(key=lambda f: (f.path != ROUTER, f.path, f.line, _ORDER[f.rule]))
    return tuple(_with_repairs(tree, findings))


def summarize(tree: Tree, findings: Iterable[Finding]) -> Summary:
    """What lint counted in ``tree`` and among its ``findings``."""
    severities = [finding.severity for finding in findings]
    return Summary(
        notes=len(tree.own),
        pointers=sum(len(index.pointers) for index in tree.indexes),
        indexes=len(tree.indexes),
        private=sum(1 for note in tree.notes if note.scope is Scope.PRIVATE),
        common=sum(1 for note in tree.notes if note.scope is Scope.COMMON),
        errors=severities.count(Severity.ERROR),
        warnings=severities.count(Severity.WARNING),
    )


def _with_repairs(tree: Tree, findings: Sequence[Finding]) -> Iterable[Finding]:
    """The findings, each with the sentence of the repair that can be done for it."""
    return [replace(f, repair=words) if (words := can_repair(tree, f)) else f for f in findings]
