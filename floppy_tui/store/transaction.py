"""The one writer of memory files, archives and destinations: all changes of an act, or none.

An act is entered into the journal whole, then every file's new bytes are staged beside it, then they
are put in one after the other, archives first, so that a kill may duplicate an entry and never lose
one. Whatever goes wrong before the act is closed brings every file back to its before-bytes.
What remains is a writer that holds an old file open across the whole act: what it writes then is in
the journal, as ``<n>.old``, until the next act.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from floppy_tui.store.acts import prune
from floppy_tui.store.files import Refusal, StoreError, below, parent, read_below, refusing
from floppy_tui.store.journal import Change, Journal, Rank
from floppy_tui.store.lock import Busy
from floppy_tui.store.recovery import (
    RollBackFailed,
    Roots,
    holding_acts,
    interrupted,
    listed,
    make_over_nothing,
    put_back,
)
from floppy_tui.store.target import Conflict, Opened, Refused, Target

__all__ = [
    "Audit",
    "AuditFailed",
    "Between",
    "Busy",
    "Change",
    "Conflict",
    "Rank",
    "Refused",
    "RollBackFailed",
    "Unsettled",
    "apply",
]

Audit = Callable[[Mapping[Path, bytes | None]], Sequence[str]]
"""Given what is on the disk after the act, says what is not accounted for; nothing said is well."""


Between = Callable[[Rank], None]
"""Called with each rank when its files are in, before anything of the next is; raising undoes the act."""


class AuditFailed(Refused):
    """An act whose result was not what it promised; ``findings`` are the audit's sentences."""

    def __init__(self, findings: Sequence[str]) -> None:
        super().__init__("the audit refused the result: " + "; ".join(findings))
        self.findings = tuple(findings)


class Unsettled(StoreError):
    """An earlier act was interrupted, and nothing is written until it is finished or rolled back."""

    def __init__(self, id: str) -> None:
        super().__init__(id)
        self.id = id

    def __str__(self) -> str:
        return f"the act {self.id} was interrupted; finish it or roll it back, and try again"


def apply(
    state: Path,
    root: Roots,
    changes: Sequence[Change],
    *,
    act: str,
    now: datetime,
    audit: Audit,
    between: Between | None = None,
    undoes: str = "",
    turned: bool = False,
    message: str = "",
    timeout: float = 10.0,
) -> str:
    """Make all ``changes`` or none, and return the act's id; empty where there was nothing to write.

    ``act`` says in words what it is, ``message`` what a commit of it says, ``timeout`` is in seconds; with
    ``between``, whoever does it looks at it after each rank, and nothing of the next is on the disk until
    then. ``undoes`` is the id of the act that this one takes back; ``turned`` says that the ranks are its
    own, turned round. Raises ``Busy``, ``Unsettled``, ``Conflict``, ``AuditFailed``, ``Refused`` or
    ``Refusal``, with every file as it was (``Refused.left`` names what could not be), or
    ``RollBackFailed``.
    """
    roots = listed(root)
    # A stray byte of a file's name is no text, and JSON would refuse it.
    act, message = (words.encode("utf-8", "replace").decode("utf-8") for words in (act, message))
    with holding_acts(state, act=act, now=now, timeout=timeout) as acts:
        for unsettled in interrupted(acts):
            raise Unsettled(unsettled)
        modes = {change.path: _checked(change, roots) for change in changes}
        if len(modes) != len(changes):
            raise ValueError("two changes of one file")
        writes = sorted((c for c in changes if c.before != c.after), key=lambda change: change.rank)
        if not writes:
            _audit(audit, changes, roots)
            return ""
        with refusing(acts.path):
            journal = Journal.begin(
                acts,
                writes,
                [modes[change.path] for change in writes],
                _missing(writes, roots),
                roots,
                act=act,
                now=now,
                checked=between is not None,
                undoes=undoes,
                turned=turned,
                message=message,
            )
        with journal:
            try:
                _write(journal, writes, roots, lambda: _audit(audit, changes, roots), between)
            except BaseException as error:
                spared = error.path if isinstance(error, Conflict) and error.spared else None
                left, failures = put_back(acts, journal, roots, now, spared=spared)
                if failures:
                    reason = error.reason if isinstance(error, Refused) else str(error) or "it was stopped"
                    raise RollBackFailed(journal.id, reason, failures) from error
                if isinstance(error, Refused):
                    error.left = tuple(left)
                elif isinstance(error, StoreError):
                    raise Refused(str(error), getattr(error, "path", None), left) from error
                raise
        with suppress(OSError, StoreError):
            prune(acts)
        return journal.id


def _write(
    journal: Journal,
    writes: Sequence[Change],
    roots: Sequence[Path],
    audit: Callable[[], None],
    between: Between | None,
) -> None:
    turned = journal.intent.turned
    pairs: list[tuple[Target, Change]] = []
    with Opened() as opened:
        for group in _groups(turned, between):
            numbered = [(n, change) for n, change in enumerate(writes) if change.rank in group]
            if turned and numbered:
                # Nothing is left of what a rule hid when the rule goes.
                _settle(pairs)
                pairs = []
            make_over_nothing(journal, roots, [change.path for _, change in numbered])
            these = [(Target.open(journal, n, change.path, roots, opened), change) for n, change in numbered]
            # All are staged before any is put in: a full disk shows while nothing is changed yet.
            for target, change in these:
                if change.after is not None:
                    with refusing(target.path):
                        target.stage(change.after, journal)
            for target, change in these:
                with refusing(target.path):
                    target.install(change.after, change.before, journal, keep=True)
            pairs += these
            if between is not None:
                between(group[0])
        audit()
        _settle(pairs)
        with refusing(journal.directory.path):
            journal.close()


def _groups(turned: bool, between: Between | None) -> list[tuple[Rank, ...]]:
    """The ranks whose files are written together: a rule is there before anything that it hides is staged."""
    ranks = tuple(Rank)
    if between is not None:
        return [(rank,) for rank in ranks]
    return [ranks[:-1], ranks[-1:]] if turned else [ranks[:1], ranks[1:]]


def _settle(pairs: Sequence[tuple[Target, Change]]) -> None:
    for target, change in pairs:
        with refusing(target.path):
            target.settle(change.after, change.before)


def _audit(audit: Audit, changes: Sequence[Change], roots: Sequence[Path]) -> None:
    held = {change.path: read_below(change.path, roots) for change in changes}
    for change in changes:
        if held[change.path] != change.after:
            raise Conflict(change.path, spared=False)
    try:
        findings = audit(held)
    except Exception as error:
        raise AuditFailed([f"it broke off ({error})"]) from error
    if findings:
        raise AuditFailed(findings)


def _checked(change: Change, roots: Sequence[Path]) -> int:
    """The mode of a file that holds its before-bytes and may be written; raises ``Conflict``, ``Refusal``."""
    if read_below(change.path, roots) != change.before:
        raise Conflict(change.path)
    if change.before is None:
        return change.mode
    with refusing(change.path), parent(change.path, roots) as directory:
        found = directory.status(change.path.name)
        if found is None:
            raise Conflict(change.path)
        if change.after != change.before and not directory.writable(change.path.name):
            raise Refusal(change.path, "unreadable")
        return stat.S_IMODE(found.st_mode)


def _missing(writes: Sequence[Change], roots: Sequence[Path]) -> list[Path]:
    """The directories that are to be made for ``writes``, outermost first."""
    found: dict[Path, None] = {}
    for change in writes:
        root, names = below(change.path, roots)
        for depth in range(1, len(names)):
            path = root.joinpath(*names[:depth])
            if not os.path.lexists(path):
                found[path] = None
    return list(found)
