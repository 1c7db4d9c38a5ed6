"""The decisions document: one JSON object, typed; of a bad one nothing is taken.

``{"version": 1, "by": "first mate", "note": "…", "decisions": [{"do": "reinforce", …}, …]}``
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

Name = Annotated[str, Meta(min_length=1)]
"""The id of an entry, as ``entries --json`` gives it; or the path of a memory file."""
Heading = Annotated[tuple[str, ...], Meta(min_length=1)]
"""The headings above a section and its own, outermost first."""
Said = Annotated[str, Meta(min_length=1)]
TierName = Literal["pinned", "aging", "perishable"]
MemoryFile = Literal["data/captain.md", "data/captain-shared.md", "data/learnings.md"]
# No line end after it either: `$` stands before the last one, and a schema knows no `\Z`.
Owner = Annotated[str, Meta(pattern=r"^(project:[A-Za-z0-9._-]+|shared|general|task:\S+)$(?!\n)")]
"""Who a finding belongs to."""
PRIVATE = "private"
"""The privacy verdict where a document gives none."""


class _Act(Struct, frozen=True, kw_only=True, tag_field="do", forbid_unknown_fields=True):
    """One thing to do; its kind stands in ``do``."""


class _OnEntry(_Act, frozen=True, kw_only=True):
    entry: Name
    prose: str | None = None
    """The entry's prose as it was read: where it is given, it must still be the same."""


class Reinforce(_OnEntry, tag="reinforce", frozen=True, kw_only=True):
    """Refresh or stamp an entry that this session confirmed."""

    evidence: str


class Archive(_OnEntry, tag="archive", frozen=True, kw_only=True):
    """Let an entry leave the memory."""

    reason: str


class Retier(_OnEntry, tag="retier", frozen=True, kw_only=True):
    """Give an entry another tier; it takes today's date only with evidence."""

    tier: TierName
    evidence: str = ""


class Rewrite(_OnEntry, tag="rewrite", frozen=True, kw_only=True):
    """Say an entry in other words."""

    text: str
    evidence: str = ""


class Merge(_Act, tag="merge", frozen=True, kw_only=True):
    """Put one statement in the place of several entries."""

    entries: Annotated[tuple[Name, ...], Meta(min_length=2)]
    text: str
    tier: TierName | None = None
    evidence: str = ""


class Condition(_OnEntry, tag="condition", frozen=True, kw_only=True):
    """Say what is known about the condition that a perishable entry waits on."""

    verdict: Literal["open", "resolved", "unknown"]
    evidence: str = ""


class Keep(_OnEntry, tag="keep", frozen=True, kw_only=True):
    """Leave an entry as it is."""

    reason: str = ""


class ArchiveSection(_Act, tag="archive-section", frozen=True, kw_only=True):
    """Let a heading and all below it leave the memory as one item."""

    file: Name
    heading: Heading
    reason: str


class TakeAsOne(_Act, tag="take-as-one", frozen=True, kw_only=True):
    """Put one marker on a heading for all below it: dated with evidence, else one grace cycle."""

    file: Name
    heading: Heading
    evidence: str = ""


class Offload(_OnEntry, tag="offload", frozen=True, kw_only=True):
    """Move an entry to a live owner that holds its quote."""

    trigger: Said
    destination: Said
    privacy: Said = PRIVATE


class ProposeOffload(_OnEntry, tag="propose-offload", frozen=True, kw_only=True):
    """Put an entry into the captain's queue: nothing moves by it."""

    trigger: Said
    destination: Said
    description: str = ""
    """The new skill's description line; the trigger where it is empty."""
    privacy: Said = PRIVATE


class Add(_Act, tag="add", frozen=True, kw_only=True):
    """Write a new entry, stamped today."""

    file: MemoryFile
    text: Said
    tier: TierName
    evidence: str = ""


class Route(_Act, tag="route", frozen=True, kw_only=True):
    """Bring a finding to an owner that is no memory file."""

    text: Said
    owner: Owner


class Record(_Act, tag="record", frozen=True, kw_only=True):
    """File an open record in the backlog, correct one, or leave it with the judgment it waits on."""

    action: Literal["file", "correct", "leave"]
    id: str = ""
    title: str = ""
    body: str = ""
    blocked_by: tuple[Name, ...] = ()
    judgment: str = ""

    def __post_init__(self) -> None:
        needed = {"file": ("title",), "correct": ("id",), "leave": ("id", "judgment")}[self.action]
        for name in needed:
            if not getattr(self, name).strip():
                raise ValueError(f"a record to {self.action} needs its `{name}`")


OnEntry = Reinforce | Archive | Retier | Rewrite | Condition | Keep | Offload | ProposeOffload
OnSection = ArchiveSection | TakeAsOne
Filing = Add | Route | Record
"""Acts that are on nothing that the memory holds yet."""
Act = OnEntry | OnSection | Filing | Merge
CAPTAINS = ("approve", "reject", "defer", "migrate")
"""What is done with a proposal, by the captain and never by a document."""


class _Read(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The document as JSON spells it."""

    version: Literal[1]
    by: str = ""
    note: str = ""
    decisions: tuple[Act, ...] | UnsetType = UNSET
    proposals: msgspec.Raw | UnsetType = UNSET


class Document(Struct, frozen=True, kw_only=True):
    """A decisions document of which every part was understood."""

    by: str
    """Who decided, in their own words."""
    note: str
    decisions: tuple[Act, ...]


class BadDocument(Exception):
    """A document that is not taken; its ``str`` is one sentence with the JSON path and the reason."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, reason)
        self.path = path
        """Such as ``$.decisions[2].evidence``; ``$`` for the whole."""
        self.reason = reason

    def __str__(self) -> str:
        return f"The decisions document is not usable at {self.path}: {self.reason}."


_PLACED = re.compile(r"(?s)(?P<reason>.*) - at `(?P<path>.*)`")
_CAPTAINS = re.compile(rf"Invalid value '(?P<kind>{'|'.join(CAPTAINS)})'")


def read_decisions(data: bytes) -> Document:
    """The decisions that ``data``, a JSON document, holds; raises ``BadDocument`` at its first fault."""
    try:
        read = msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"), type=_Read)
    except msgspec.ValidationError as error:
        placed = _PLACED.fullmatch(str(error))
        path = placed["path"] if placed else "$"
        raise BadDocument(path, _reason(placed["reason"] if placed else str(error), path)) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadDocument("$", f"it is not JSON in UTF-8 ({error})") from None
    except RecursionError:
        raise BadDocument("$", "it is nested too deeply") from None
    if read.proposals is not UNSET:
        raise BadDocument("$.proposals", "proposals are not carried out; only decisions are")
    if isinstance(read.decisions, UnsetType):
        raise BadDocument("$", "object missing required field `decisions`")
    return Document(by=read.by, note=read.note, decisions=read.decisions)


def _reason(reason: str, path: str) -> str:
    """Why it is not taken, as the second half of a sentence."""
    if path.endswith(".do") and (act := _CAPTAINS.fullmatch(reason)):
        return (
            f"`{act['kind']}` is the captain's own act on a proposal, by `floppy-tui queue {act['kind']}` "
            "or on the screen; a document can propose, and can never approve"
        )
    if path.endswith(".owner") and "matching regex" in reason:
        return "an owner is `project:<name>`, `shared`, `general` or `task:<id>`"
    return reason[:1].lower() + reason[1:].rstrip(".")
