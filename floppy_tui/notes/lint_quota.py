"""What lint says of sizes: every ceiling of ``quota.lock``, at 96% and beyond it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from floppy_tui.notes.findings import Finding, Severity
from floppy_tui.notes.profiles import Profile
from floppy_tui.notes.quota import FILE, HALF, POINTER_LINE_MAX, Quota, warns_from
from floppy_tui.notes.rules import found, quoted
from floppy_tui.notes.tree import Tree
from floppy_tui.text.lines import bare

CONFIG = ".floppy/config"
"""Where a finding about the repository's configuration is; not below the memory directory."""
_SIZES = ("index_chars_max", "note_stale_days", "statuses_now_chars_max")


def lint_quota(tree: Tree) -> Iterator[Finding]:
    """The findings of sizes; auto-memory has no quotas."""
    if tree.profile is Profile.AUTO:
        return
    for problem in tree.config.problems:
        if problem.key in _SIZES:
            yield found(
                tree.profile, "quota-not-a-number", CONFIG, problem.line, problem.message, about=problem.key
            )
    quota = tree.quota
    if quota is None:
        message = (
            f"There is no {FILE}, so that nothing bounds this memory; write one with numbers measured on it"
            f" (its notes have {tree.chars:,} characters now)."
        )
        yield found(tree.profile, "quota-missing", FILE, 0, message)
    else:
        for bad in quota.bad:
            message = f"{bad.key} is {quoted(bad.value)}, which is no number; write it in digits."
            yield found(tree.profile, "quota-not-a-number", FILE, bad.line, message, about=bad.key)
        yield from _notes(tree, quota)
        yield from _corpus(tree, quota)
        yield from _halves(tree, quota)
    yield from _pointers(tree, quota or Quota())


def _notes(tree: Tree, quota: Quota) -> Iterator[Finding]:
    limit = quota.note_chars_max
    if limit is None:
        return
    for note in tree.own:
        said = f"The note has {note.chars:,} characters of {limit:,} (note_chars_max)"
        if note.chars > limit:
            old = note.path in quota.grandfathered
            message = f"{said}, grandfathered" if old else said
            yield found(
                tree.profile,
                "note-over-quota",
                note.path,
                0,
                f"{message}; split it into single facts, or cut what went stale.",
                about="note_chars_max",
                severity=Severity.WARNING if old else None,
            )
        elif note.chars > warns_from(limit):
            message = f"{said}; split it while it is a small act."
            yield found(tree.profile, "note-near-quota", note.path, 0, message, about="note_chars_max")


def _corpus(tree: Tree, quota: Quota) -> Iterator[Finding]:
    limit, size = quota.chars_max, tree.chars
    if limit is None or size <= warns_from(limit):
        return
    halves = ", ".join(f"{half} {chars:,}" for half, chars in tree.half_chars.items())
    said = f"The notes have {size:,} characters of {limit:,} (chars_max): {halves or 'none'}"
    line = quota.lines.get("chars_max", 0)
    if size > limit:
        message = f"{said}; delete what went stale, or raise it together with the notes that need it."
        yield found(tree.profile, "corpus-over-quota", FILE, line, message, about="chars_max")
    else:
        message = f"{said}; delete what went stale while it is a small act."
        yield found(tree.profile, "corpus-near-quota", FILE, line, message, about="chars_max")


def _halves(tree: Tree, quota: Quota) -> Iterator[Finding]:
    for half, limit in quota.halves.items():
        size = tree.half_chars.get(half, 0)
        if size <= warns_from(limit):
            continue
        key = HALF + half
        said = f"The notes of {half} have {size:,} characters of {limit:,} ({key})"
        line = quota.lines.get(key, 0)
        if size > limit:
            message = (
                f"{said}; delete what went stale in it, or raise it together with the notes that need it."
            )
            yield found(tree.profile, "half-over-quota", FILE, line, message, about=key)
        else:
            message = f"{said}; delete what went stale in it while it is a small act."
            yield found(tree.profile, "half-near-quota", FILE, line, message, about=key)


def _pointers(tree: Tree, quota: Quota) -> Iterator[Finding]:
    longest = POINTER_LINE_MAX if quota.pointer_line_max is None else quota.pointer_line_max
    most = quota.pointers_max
    for index in tree.indexes:
        for pointer in index.pointers:
            size = len(bare(index.text[pointer.start : pointer.end]))
            if size > longest:
                message = (
                    f"The pointer line has {size:,} characters of {longest:,} (pointer_line_max);"
                    " shorten the words after the link."
                )
                yield found(
                    tree.profile,
                    "pointer-line-too-long",
                    index.path,
                    pointer.line,
                    message,
                    about=pointer.path or pointer.target,
                )
        if most is None:
            continue
        count = len(index.pointers)
        said = f"The index has {count:,} pointers of {most:,} (pointers_max)"
        if count > most:
            first = next(islice(index.pointers, most, None))
            message = f"{said}; move a group of its notes to an index of their own."
            yield found(
                tree.profile, "pointers-over-quota", index.path, first.line, message, about="pointers_max"
            )
        elif count > warns_from(most):
            message = f"{said}; plan how to split it."
            yield found(tree.profile, "pointers-near-quota", index.path, 0, message, about="pointers_max")
