"""Decisions: frozen data that names what it was made on, and the rules for evidence."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from floppy_tui.text.identity import fold
from floppy_tui.tiers.document import Entry
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.snapshot import Snapshot


class Do(StrEnum):
    """What a decision does. The words are those of the hand-off document."""

    REINFORCE = "reinforce"
    """Refresh the date, or stamp an unmarked or grace entry; needs evidence."""
    GRACE = "grace"
    """Mark an unmarked entry ``<!--g-->`` and keep it for this whole pass."""
    ARCHIVE = "archive"
    RETIER = "retier"
    REWRITE = "rewrite"
    MERGE = "merge"
    CONDITION = "condition"
    """What was found out about a perishable entry's condition (``verdict``)."""
    KEEP = "keep"
    """Leave it as it is; ``reason`` may say why."""
    LOW_UTILITY = "low-utility"
    """A mark in the retention plan: first to leave while over budget."""
    CONDITIONAL = "conditional"
    """A mark in the retention plan: needed only where ``reason`` (a trigger) holds."""
    ARCHIVE_SECTION = "archive-section"
    TAKE_AS_ONE = "take-as-one"
    SPLIT = "split-section"
    POINTER = "pointer"
    """Add or correct a file's header pointer."""
    REPAIR = "repair"
    """Take the repair of a finding (``rule`` on ``line``)."""
    EVICT = "evict"
    """Archive an aging entry for the budget, oldest first."""


LEAVING = frozenset({Do.ARCHIVE, Do.EVICT, Do.ARCHIVE_SECTION, Do.MERGE})
"""Decisions by which an entry leaves the memory."""


class Verdict(StrEnum):
    """What is known about a perishable entry's condition."""

    OPEN = "open"
    RESOLVED = "resolved"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Target:
    """An entry as it was when it was decided on: its id and the hash of its bytes."""

    id: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One decision of the captain; confirming executes this same object."""

    do: Do
    targets: tuple[Target, ...] = ()
    snapshot: str = ""
    """Hash of the snapshot it was made on."""
    file: str = ""
    """For acts on a file or a section."""
    heading: tuple[str, ...] = ()
    """For acts on a section: the headings above it and its own text."""
    rule: str = ""
    line: int = 0
    """For a repair: the finding's line, from 1."""
    evidence: str = ""
    reason: str = ""
    text: str = ""
    tier: Tier | None = None
    verdict: Verdict | None = None
    card: str = ""
    """The card it was made on; ``""`` where it came in a document."""
    by: str = "captain"
    """Who proposed it; only the captain's decisions are ever in a plan."""

    @property
    def id(self) -> str:
        """The first target's id, ``""`` for acts on files and sections."""
        return self.targets[0].id if self.targets else ""

    def with_(self, **fields: object) -> Decision:
        """A copy with some fields filled in (evidence, reason, text, tier, verdict, card)."""
        return replace(self, **fields)  # type: ignore[arg-type]


def target(entry: Entry) -> Target:
    """What a decision on ``entry`` names."""
    return Target(entry.id, entry.digest)


def decide(snapshot: Snapshot, do: Do, *entries: Entry, **fields: object) -> Decision:
    """A decision on ``entries`` of ``snapshot``, with what it was made on filled in."""
    named = tuple(target(e) for e in entries)
    file = entries[0].file if entries else ""
    fields.setdefault("file", file)
    return Decision(do=do, targets=named, snapshot=snapshot.hash, **fields)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Refusal:
    """A decision that is not carried out, and why, as a sentence."""

    decision: Decision
    why: str


_NO_EVIDENCE = re.compile(
    r"\b(?:no|without|lacks?|lacking|zero|any)\b(?: \w+){0,4} (?:evidence|proof|confirmation)\b"
    r"|\b(?:not|never|un|cannot|can ?not|could not|couldn.?t|wasn.?t|isn.?t)[ -]?"
    r"(?:been |be |yet )?(?:confirm|verif|check|exercis|test)"
)
_SAYS_NOTHING = frozenset(
    {
        "as before", "because", "common knowledge", "common sense", "evidence", "fine", "general knowledge",
        "i think so", "important", "it is important", "it seems right", "known", "looks fine", "looks ok",
        "looks right", "n a", "na", "none", "nothing", "obvious", "obviously", "ok", "okay", "plausible",
        "plausibly", "prior knowledge", "probably", "same as before", "see above", "seems fine", "seems ok",
        "seems plausible", "seems right", "seems true", "self evident", "sounds right", "still current",
        "still holds", "still relevant", "still true", "still valid", "tbd", "todo", "true", "trust me",
        "unknown", "useful", "very important", "well known", "yes",
    }
)  # fmt: skip


def evidence_problem(evidence: str, prose: str) -> str:
    """Why ``evidence`` is none for an entry that says ``prose``, as a sentence; ``""`` where it will do.

    It must be words from outside the entry: plausibility, importance, prior knowledge, the entry's own
    text, or saying that there is none, is not evidence.
    """
    said = fold(evidence)
    words = _letters(said)
    if not words:
        return "Evidence is missing: say in words what in this session confirmed it."
    if words in _SAYS_NOTHING:
        return f"“{evidence.strip()}” is not evidence: name what in this session confirmed it."
    if _NO_EVIDENCE.search(said):
        return "That says that there is no evidence: take the path without evidence instead."
    if words in _letters(fold(prose)):
        return "That is the entry's own text, which is no evidence for itself."
    return ""


def _letters(text: str) -> str:
    return " ".join(re.findall(r"\w+", text))
