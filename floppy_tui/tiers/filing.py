"""The rules of the knowledge sweep: new entries, findings that belong elsewhere, and open records."""

from __future__ import annotations

import re

from floppy_tui.text.identity import identity
from floppy_tui.tiers.courses import Addition, Charted, Refused, admitted, writable
from floppy_tui.tiers.decisions import Decision, evidence_problem
from floppy_tui.tiers.document import POINTER, Document, Kind, default_tier
from floppy_tui.tiers.edits import base_id, insertions
from floppy_tui.tiers.layout import FILES, SHARED, Role, Status
from floppy_tui.tiers.markers import PINNED_MARK, Tier, spell, without_markers
from floppy_tui.tiers.reading import read_document
from floppy_tui.tiers.settling import Settled, settle
from floppy_tui.tiers.snapshot import Snapshot

OWNER = re.compile(r"shared|general|(?:project|task|entry):[A-Za-z0-9][A-Za-z0-9._-]*")
"""Who a finding can belong to, other than a memory file."""
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
"""The id of a backlog item."""


def add(snapshot: Snapshot, charted: Charted, decision: Decision) -> None:
    """A genuinely new entry; raises ``Refused`` where it is none, or has no place."""
    path = decision.file
    if path not in FILES:
        raise Refused(f"A new entry goes to one of {', '.join(FILES)}.")
    text = _words(decision.text)
    if without_markers(text).strip() != text.strip():
        raise Refused("It holds a marker: leave that to the pass, which stamps what it confirms.")
    home_of(snapshot, path)
    said = identity(without_markers(text))
    for entry in snapshot.entries:
        if base_id(entry) == said and charted.courses[entry.id].leaves is None:
            raise Refused(f"{entry.file}:{entry.start + 1} says that already.")
    if any(identity(without_markers(a.text)) == said for a in charted.additions):
        raise Refused("Another decision of this pass adds that already.")
    default = default_tier(path)
    tier = decision.tier or (Tier.PINNED if default is Tier.PINNED else Tier.AGING)
    if tier not in (Tier.PINNED, Tier.AGING, Tier.PERISHABLE):
        raise Refused("A new entry is pinned, aging or perishable.")
    tier = admitted(tier, text, snapshot.records)
    stamped = tier is not Tier.PINNED or default is not Tier.PINNED
    if (stamped or decision.evidence.strip()) and (problem := evidence_problem(decision.evidence, text)):
        raise Refused(problem)
    if tier is Tier.PINNED:
        marker = "" if default is Tier.PINNED else PINNED_MARK
    else:
        marker = spell(tier, snapshot.today)
    evidence = " ".join(decision.evidence.split())
    charted.additions.append(Addition(decision, path, text, tier, marker, evidence))


def _words(text: str) -> str:
    words = text.replace("\r\n", "\n").strip("\n").rstrip()
    if not words.strip():
        raise Refused("The finding is missing.")
    return writable(words)


def home_of(snapshot: Snapshot, path: str) -> Document:
    """The document that a new entry would go into, an empty one where there is no file yet.

    Raises ``Refused`` where the file is not this home's to edit.
    """
    file = snapshot.file(path)
    if file.refused is not None:
        raise Refused(file.refused.message)
    if path == SHARED and snapshot.role is Role.SECONDMATE:
        raise Refused(f"{path} is the primary's: hand it over as a finding for its owner, “shared”.")
    if file.status is Status.ABSENT:
        return read_document(f"{POINTER}\n", path, default_tier(path))
    document = snapshot.document(path)
    if document is None or not file.editable:
        raise Refused(f"{path} is not this home's to edit.")
    if document.blocked:
        raise Refused(f"{path} is not edited: {document.blocked}.")
    return document


def placed(document: Document, done: Settled, additions: list[Addition]) -> tuple[Settled, list[Addition]]:
    """The settled document with as many of ``additions`` as are read as one entry each; the rest is left."""
    left: list[Addition] = []
    for one in additions:
        kind = Kind.SECTION if one.text.startswith("#") else Kind.ITEM
        for act in insertions(document, one.text, kind, one.marker, one.decision):
            again = settle(document, [*done.done, act])
            if not again.refused:
                done = again
                break
        else:
            left.append(one)
    return done, left


def route(snapshot: Snapshot, charted: Charted, decision: Decision) -> None:
    """A finding for another owner; raises ``Refused``. In a primary home the shared file is its own."""
    owner = decision.owner.strip()
    if not OWNER.fullmatch(owner):
        raise Refused("A finding goes to project:<name>, task:<id>, shared or general.")
    text = _words(decision.text)
    kind, _, name = owner.partition(":")
    if owner == "shared" and snapshot.role is Role.PRIMARY:
        add(snapshot, charted, decision.with_(file=SHARED, tier=None, text=text))
        return
    if kind == "entry" and name not in snapshot.by_id:
        raise Refused(f"No entry has the id {name} any more.")
    if kind == "task" and not snapshot.records.note and name not in snapshot.records.items:
        raise Refused(f"The backlog knows no item {name}.")
    if any((d.owner, d.text) == (owner, decision.text) for d in charted.routes):
        raise Refused("Another decision of this pass hands that over already.")
    charted.routes.append(decision)


def record(snapshot: Snapshot, charted: Charted, decision: Decision) -> None:
    """An open record of the backlog: filed, corrected, or left with its judgment; raises ``Refused``."""
    named = decision.record
    if named is None or named.action not in ("file", "correct", "leave"):
        raise Refused("An open record is filed, corrected or left.")
    known = snapshot.records
    if named.id and not ID.fullmatch(named.id):
        raise Refused(f"“{named.id}” is no id of a backlog item: letters, digits, dots, dashes.")
    for one in named.blocked_by:
        if not ID.fullmatch(one) or (not known.note and one not in known.items):
            raise Refused(f"The backlog knows no item {one} to be blocked by.")
    if "\n" in named.title or "\r" in named.title:
        raise Refused("The title of a record is one line.")
    for words in (named.title, named.body, named.judgment):
        writable(words)
    if named.action == "file":
        if not named.title.strip():
            raise Refused("A record to be filed needs a title.")
        if named.id in known.items:
            raise Refused(f"The backlog holds an item {named.id} already: correct that one.")
    elif named.action == "correct":
        if not named.id or not (named.title.strip() or named.body.strip()):
            raise Refused("A correction names the item and its new title or body.")
        if named.blocked_by:
            raise Refused("A correction changes title and body; what blocks an item is set in the backlog.")
        if not known.note and named.id not in known.items:
            raise Refused(f"The backlog knows no item {named.id}.")
    elif not (named.id or named.title.strip()) or not named.judgment.strip():
        raise Refused("A record that is left names the item and the judgment it waits on.")
    if any(d.record == named for d in charted.records):
        raise Refused("Another decision of this pass says that of the record already.")
    charted.records.append(decision)
