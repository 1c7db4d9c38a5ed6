"""What the captain hands over in step File, as it stands in its form, and the decision that it comes to.

Knows no widget: the rules are the engine's, and only what is not there yet is told here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType

from floppy_tui.tiers.conditions import checkable
from floppy_tui.tiers.courses import SUPERSEDED
from floppy_tui.tiers.decisions import Decision, Do, Record, decide
from floppy_tui.tiers.document import default_tier
from floppy_tui.tiers.layout import CAPTAIN, LEARNINGS, SHARED, Role
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.snapshot import Snapshot

REASON = 60
"""Characters of a finding that the archive's reason names it by."""


class Question(StrEnum):
    """What a finding is beside the statements that are there."""

    NEW = "new"
    DUPLICATE = "duplicate"
    SUPERSEDING = "superseding"
    OBSOLETE = "obsolete"


class Owner(StrEnum):
    """Whom a finding can belong to, most specific last."""

    LEARNINGS = "learnings"
    CAPTAIN = "captain"
    SHARED = "shared"
    TASK = "task"
    PROJECT = "project"
    EVERYBODY = "everybody"


FILES = {Owner.LEARNINGS: LEARNINGS, Owner.CAPTAIN: CAPTAIN, Owner.SHARED: SHARED}


@dataclass(frozen=True)
class Finding:
    """A finding as far as its form is filled in."""

    words: str = ""
    question: Question = Question.NEW
    chosen: str = ""
    """Id of the statement that it duplicates, supersedes or makes obsolete."""
    owner: Owner = Owner.LEARNINGS
    task: str = ""
    project: str = ""
    tier: Tier = Tier.AGING
    evidence: str = ""
    bodies: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """By task: the whole body that it gets, as the captain has worded it so far."""

    @property
    def inscribed(self) -> bool:
        """Whether it goes into the body of a backlog item, which is then replaced as a whole."""
        return self.question is Question.NEW and self.owner is Owner.TASK

    def file(self, snapshot: Snapshot) -> str:
        """The memory file that it would be added to; ``""`` where it goes to another owner."""
        foreign = self.owner is Owner.SHARED and snapshot.role is Role.SECONDMATE
        return "" if foreign or self.question is not Question.NEW else FILES.get(self.owner, "")

    def demoted(self, snapshot: Snapshot) -> bool:
        """Whether it asks for perishable and names no condition that can be checked."""
        perishable = self.tier is Tier.PERISHABLE and bool(self.file(snapshot))
        return perishable and bool(self.words.strip()) and not checkable(self.words, snapshot.records)

    def stamped(self, snapshot: Snapshot) -> bool:
        """Whether its marker says that it was confirmed, so that evidence is needed."""
        file = self.file(snapshot)
        return bool(file) and not (self.tier is default_tier(file) is Tier.PINNED)

    def missing(self, snapshot: Snapshot) -> str:
        """What has still to be filled in, as a sentence; the rest is for the engine to judge."""
        if self.inscribed and not self.task:
            return "Name the backlog item."
        if not (self.bodies.get(self.task, "") if self.inscribed else self.words).strip():
            return "Say what was found."
        if self.question is not Question.NEW:
            if not self.chosen:
                return f"Choose the statement that {_OF[self.question]}: tab to the list, then ↑↓."
            return "" if self.chosen in snapshot.by_id else "That statement is gone: choose another one."
        return "Name the project." if self.owner is Owner.PROJECT and not self.project else ""

    def decision(self, snapshot: Snapshot, card: str) -> Decision:
        """What it comes to on ``snapshot``, whose entries hold ``chosen`` where that is named."""
        words = self.words.strip()
        match self.question:
            case Question.DUPLICATE:
                return decide(snapshot, Do.ROUTE, owner=f"entry:{self.chosen}", text=words, card=card)
            case Question.SUPERSEDING:
                entry = snapshot.by_id[self.chosen]
                return decide(snapshot, Do.REWRITE, entry, text=words, evidence=self.evidence, card=card)
            case Question.OBSOLETE:
                reason = f"{SUPERSEDED}{_first(words)}"
                return decide(snapshot, Do.ARCHIVE, snapshot.by_id[self.chosen], reason=reason, card=card)
        if file := self.file(snapshot):
            return decide(
                snapshot, Do.ADD, file=file, text=words, tier=self.tier, evidence=self.evidence, card=card
            )
        if self.owner is Owner.TASK:
            words = self.bodies.get(self.task, "")
        return decide(snapshot, Do.ROUTE, owner=self._owner, text=words, card=card)

    @property
    def _owner(self) -> str:
        return {
            Owner.TASK: f"task:{self.task}",
            Owner.PROJECT: f"project:{self.project}",
            Owner.EVERYBODY: "general",
        }.get(self.owner, "shared")


_OF = {
    Question.DUPLICATE: "says it already",
    Question.SUPERSEDING: "gets these words",
    Question.OBSOLETE: "does not hold any more",
}


def _first(words: str) -> str:
    """The first words of a finding, on one line."""
    line = " ".join(words.split())
    return line if len(line) <= REASON else f"{line[:REASON].rpartition(' ')[0] or line[:REASON]} …"


def finding_of(decision: Decision) -> Finding:
    """The form as it was filled in for a decision."""
    kind, _, name = decision.owner.partition(":")
    known = Finding(words=decision.text, evidence=decision.evidence, chosen=decision.id)
    match decision.do:
        case Do.REWRITE:
            return replace(known, question=Question.SUPERSEDING)
        case Do.ARCHIVE:
            words = decision.reason.removeprefix(SUPERSEDED)
            return replace(known, question=Question.OBSOLETE, words=words)
        case Do.ADD:
            owner = next((o for o, file in FILES.items() if file == decision.file), Owner.LEARNINGS)
            return replace(known, owner=owner, tier=decision.tier or default_tier(decision.file))
    match kind:
        case "entry":
            return replace(known, question=Question.DUPLICATE, chosen=name)
        case "task":
            return replace(known, words="", owner=Owner.TASK, task=name, bodies={name: decision.text})
        case "project":
            return replace(known, owner=Owner.PROJECT, project=name)
        case "general":
            return replace(known, owner=Owner.EVERYBODY)
    return replace(known, owner=Owner.SHARED, tier=Tier.PINNED)


class Act(StrEnum):
    """What is done about an open record."""

    FILE = "file"
    CORRECT = "correct"
    LEAVE = "leave"


@dataclass(frozen=True)
class OpenRecord:
    """An open record as far as its form is filled in."""

    act: Act = Act.FILE
    id: str = ""
    title: str = ""
    body: str = ""
    blocked_by: str = ""
    """Ids, apart by commas or blanks."""
    judgment: str = ""
    held: tuple[str, str] | None = None
    """Title and body that the item has now; None where they were not seen."""

    def missing(self, snapshot: Snapshot) -> str:
        """What has still to be filled in, as a sentence; the rest is for the engine to judge."""
        if self.act is Act.FILE:
            return "" if self.title.strip() else "Give the record a title."
        if not self.id:
            return "Name the backlog item." if self.act is Act.CORRECT or not self.title.strip() else ""
        if self.act is Act.LEAVE:
            return "" if self.judgment.strip() else "Say which judgment it waits on."
        if self.held is not None and not any(self._corrected):
            return "Title and body are as they stand: correct one of them."
        return ""

    @property
    def _corrected(self) -> tuple[str, str]:
        """The new title and body, each empty where it stays."""
        title, body = self.title.strip(), self.body
        was_title, was_body = self.held or ("", "")
        return "" if title == was_title.strip() else title, "" if body.strip() == was_body.strip() else body

    def decision(self, snapshot: Snapshot, card: str) -> Decision:
        """What it comes to."""
        title, body = self._corrected if self.act is Act.CORRECT else (self.title.strip(), self.body.strip())
        filed = self.act is Act.FILE
        record = Record(
            action=self.act.value,
            id=self.id,
            title=title,
            body=body if self.act is not Act.LEAVE else "",
            blocked_by=tuple(self.blocked_by.replace(",", " ").split()) if filed else (),
            judgment=self.judgment.strip() if self.act is Act.LEAVE else "",
        )
        return decide(snapshot, Do.RECORD, record=record, card=card)


def record_of(record: Record) -> OpenRecord:
    """The form as it was filled in for a record."""
    return OpenRecord(
        act=Act(record.action) if record.action in [*Act] else Act.FILE,
        id=record.id,
        title=record.title,
        body=record.body,
        blocked_by=", ".join(record.blocked_by),
        judgment=record.judgment,
    )
