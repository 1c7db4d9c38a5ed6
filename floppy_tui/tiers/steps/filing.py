"""Step 9: the knowledge sweep. Findings go to their owners; open records are filed, corrected or left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from floppy_tui.tiers.cards import Card, Offer, Step, Verb
from floppy_tui.tiers.decisions import Decision, Do, Record
from floppy_tui.tiers.deck import Deck
from floppy_tui.tiers.layout import LEARNINGS

FINDING = "file:finding"
RECORD = "file:record"
_SWEEP = (
    "Sweep the session: operational facts, preferences said in passing, facts about a project, standing "
    "decisions. Each goes to its most specific owner, once, in the words of one statement."
)
_OPEN = (
    "What this session holds of work under way: file what was never filed, correct what is stale, or leave "
    "it with the judgment it waits on."
)


def file(deck: Deck) -> Iterator[Card]:
    """The invitations to hand something over, and what was handed over so far."""
    # What a rule refuses was handed over all the same: it keeps its card, to be changed.
    refused = [r.decision for r in deck.refused]
    given = [*deck.good, *(d for d in refused if d.card.startswith((f"{FINDING}:", f"{RECORD}:")))]
    findings = [d for d in given if d.do in (Do.ADD, Do.ROUTE) or d.card.startswith(f"{FINDING}:")]
    records = [d for d in given if d.do is Do.RECORD]
    new = Decision(do=Do.ADD, snapshot=deck.snapshot.hash, file=LEARNINGS, card=_next(FINDING, findings))
    yield _invitation(FINDING, "learned", "Is there anything that this session learned?", _SWEEP, new)
    for at, decision in enumerate(findings, 1):
        yield _handed(decision, "learned", at, _finding(deck, decision))
    record = Decision(
        do=Do.RECORD,
        snapshot=deck.snapshot.hash,
        record=Record("file"),
        card=_next(RECORD, records),
    )
    yield _invitation(RECORD, "record", "Is there open work that no record holds?", _OPEN, record)
    for at, decision in enumerate(records, 1):
        yield _handed(decision, "record", at, _record(decision))


def _next(prefix: str, decisions: list[Decision]) -> str:
    used = [int(tail) for d in decisions if (tail := d.card.rpartition(":")[2]).isdecimal()]
    return f"{prefix}:{max(used, default=0) + 1}"


def _invitation(key: str, kind: str, title: str, why: str, decision: Decision) -> Card:
    form = key.rpartition(":")[2]
    offer = Offer(Verb.EDIT, f"new {form}", decision, (form,))
    return Card(key, Step.FILE, kind, title, why, offers=(offer,), optional=True)


def _handed(decision: Decision, kind: str, at: int, why: str) -> Card:
    said = decision.record.title or decision.record.id if decision.record is not None else decision.text
    title = said.strip().split("\n", 1)[0] or decision.reason
    entries = tuple(t.id for t in decision.targets)
    key = decision.card or f"file:{kind}:handed:{at}"
    form = "record" if decision.record is not None else "finding"
    offers = (Offer(Verb.EDIT, "change", decision, (form,)),) if decision.card else ()
    card = Card(key, Step.FILE, kind, title, why, decision.file, entries, offers=offers, optional=True)
    return replace(card, decided=decision)


def _finding(deck: Deck, decision: Decision) -> str:
    if decision.do is Do.ADD:
        one = next((a for a in deck.charted.additions if a.decision is decision), None)
        tier = one.tier if one else decision.tier
        asked = decision.tier is not None and tier is not decision.tier
        told = " It names no condition that can be checked, so it is stored as aging." if asked else ""
        return f"New, to {decision.file}, {tier}.{told}"
    if decision.do is Do.ROUTE:
        kind, _, name = decision.owner.partition(":")
        return {
            "project": f"For the project {name}: a ship task records it in its AGENTS.md.",
            "task": f"For the body of the backlog item {name}, which is looked at before it is replaced.",
            "general": "For everybody: a ship task records it in the shared repository.",
            "entry": f"The entry {name} says it already.",
        }.get(kind, "A preference for every home.")
    return {
        Do.REWRITE: "It supersedes a statement, which gets these words.",
        Do.ARCHIVE: "It makes a statement obsolete, which is archived.",
    }.get(decision.do, "")


def _record(decision: Decision) -> str:
    record = decision.record
    if record is None:
        return ""
    blocked = f" Blocked by {', '.join(record.blocked_by)}." if record.blocked_by else ""
    return {
        "file": f"Filed as a queued backlog item.{blocked}",
        "correct": f"The backlog item {record.id} is corrected.",
        "leave": f"Left. It waits on: {record.judgment}",
    }.get(record.action, "")
