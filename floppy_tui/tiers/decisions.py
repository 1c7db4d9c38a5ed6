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
    OFFLOAD = "offload"
    """Move an aging entry to a live owner that holds its quote (``move``)."""
    PROPOSE = "propose-offload"
    """Put a proposal into the queue (``move``); nothing moves by it."""
    ADD = "add"
    """A new entry: ``text`` in ``file`` with ``tier``, and the ``evidence`` for it."""
    ROUTE = "route"
    """A finding (``text``) that belongs to another ``owner`` than a memory file."""
    RECORD = "record"
    """An open record filed, corrected or left (``record``)."""


LEAVING = frozenset({Do.ARCHIVE, Do.EVICT, Do.ARCHIVE_SECTION, Do.MERGE, Do.OFFLOAD})
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


@dataclass(frozen=True, slots=True)
class Move:
    """Where an entry would live instead, and when it is needed there."""

    trigger: str
    """The one-line condition under which it is needed."""
    destination: str
    """A path below the home, such as ``.agents/skills/tides/SKILL.md``, or a bare skill name."""
    description: str = ""
    """The new skill's description line; the trigger where it is empty."""
    privacy: str = ""
    """The privacy verdict in words; private unless it begins with ``public``."""

    @property
    def public(self) -> bool:
        """Whether the captain said that others may read it."""
        return self.privacy.strip().casefold().startswith("public")


@dataclass(frozen=True, slots=True)
class Record:
    """What is done about one open record of the backlog."""

    action: str
    """``file``, ``correct`` or ``leave``."""
    id: str = ""
    """The item's id; for ``file`` it may be empty, and one is made from the title."""
    title: str = ""
    body: str = ""
    blocked_by: tuple[str, ...] = ()
    judgment: str = ""
    """For ``leave``: what it waits on."""


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
    move: Move | None = None
    owner: str = ""
    """For a finding: ``project:<name>``, ``shared``, ``general``, ``task:<id>``, or ``entry:<id>`` where an
    entry says it already."""
    record: Record | None = None
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
    r"\b(?:no|not any|without|lacks?|lacking|zero)\b(?: \w+){0,4} (?:evidence|proof|confirmation)\b"
    r"|\b(?:nobody|nothing|no one|none)\b(?: \w+){0,4} (?:confirm|verif|check|exercis|test)"
    r"|\b(?:not|never|\w+n.t) (?:been |be |yet |actually |really ){0,2}"
    r"(?:confirmed|verified|checked|exercised|tested|re-?derived)\b"
    r"|\b(?:cannot|can.t|can not|could not|couldn.t|did not|didn.t|do not|don.t|have not|haven.t|unable to) "
    r"(?:actually |really |yet )?(?:confirm|verif|check|exercis|test|re-?deriv|come up|came up)"
    r"|\bun(?:confirmed|verified|tested|exercised|proven)\b"
)
_SAYS_NOTHING = """
    a all also an and as because been before believe case common confirmed correct current entry
    evidence evident experience fact feel feels fine from general good guess holds i important in info
    information is it its just knew know knowledge known likely look looks memory me my n na none
    nothing obvious obviously of ok okay our plausible plausibly previous previously prior probably
    quite really relevant right s same say says see seem seemed seems self sense session so sound sounds
    stated statement still sure tbd that the there think this to todo true trust unchecked unknown us
    useful valid very was we well yes above
"""
_EMPTY = frozenset(_SAYS_NOTHING.split())
"""Words that, with none beside them, name nothing that happened: plausibility, importance, old knowledge."""


def evidence_problem(evidence: str, prose: str) -> str:
    """Why ``evidence`` is none for an entry that says ``prose``, as a sentence; ``""`` where it will do.

    It must be words from outside the entry: plausibility, importance, prior knowledge, the entry's own
    text, or saying that there is none, is not evidence.
    """
    said = fold(evidence)
    words = _letters(said)
    if not words:
        return "Evidence is missing: say in words what in this session confirmed it."
    if _NO_EVIDENCE.search(said):
        return "That says that there is no evidence: take the path without evidence instead."
    if _EMPTY.issuperset(words.split()):
        return f"“{evidence.strip()}” is not evidence: name what in this session confirmed it."
    own = _letters(fold(prose))
    if f" {words} " in f" {own} ":
        return "That is the entry's own text, which is no evidence for itself."
    if own and _EMPTY.issuperset(f" {words} ".replace(f" {own} ", " ").split()):
        return "That is the entry's own text, which is no evidence for itself."
    return ""


def _letters(text: str) -> str:
    return " ".join(re.findall(r"\w+", text))
