"""A decisions document held against a home: what still fits becomes a decision, the rest is refused."""

from __future__ import annotations

from datetime import date

import pytest

from floppy_tui.handoff.document import (
    Act,
    Add,
    Archive,
    ArchiveSection,
    Condition,
    Document,
    Keep,
    Merge,
    Offload,
    ProposeOffload,
    Record,
    Reinforce,
    Retier,
    Rewrite,
    Route,
    TakeAsOne,
)
from floppy_tui.handoff.matching import to_decisions
from floppy_tui.tiers import decisions as made
from floppy_tui.tiers.budget import Allowance
from floppy_tui.tiers.decisions import Decision, Do, Move, Target, Verdict
from floppy_tui.tiers.layout import FILES, LEARNINGS, Role
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.snapshot import Snapshot, memory_file

TEXT = b"""# Learnings

## Port
### Rebuild
- The old port is gone. <!--a:2026-09-20-->
- The old port is gone. <!--a:2026-09-21-->
- Bytes \xff stay. <!--p:2026-09-25-->

## Fork
### Rebuild
- Rebuild in order.

## Fork
- Once more.

## \xff odd
- Odd.
"""


@pytest.fixture
def snapshot(today: date) -> Snapshot:
    files = [memory_file(path, TEXT if path == LEARNINGS else None, Role.PRIMARY) for path in FILES]
    return Snapshot("/home", Role.PRIMARY, today, Allowance("7500"), tuple(files), None)


def settled(snapshot: Snapshot, act: Act) -> Decision:
    """The one decision that ``act`` becomes."""
    (decision,), refusals = to_decisions(Document(by="", note="", decisions=(act,)), snapshot)
    assert refusals == ()
    return decision


def refused(snapshot: Snapshot, act: Act) -> str:
    """Why ``act`` is refused."""
    decisions, (refusal,) = to_decisions(Document(by="", note="", decisions=(act,)), snapshot)
    assert decisions == ()
    assert refusal.decision.do == act.__struct_config__.tag
    return refusal.why


def test_entries_are_named_by_id_and_carry_what_they_were(snapshot: Snapshot) -> None:
    first, second, third, *_ = snapshot.entries
    assert second.id == f"{first.id}-2"
    decision = settled(snapshot, Reinforce(entry=second.id, prose=second.prose, evidence="seen"))
    assert decision == Decision(
        do=Do.REINFORCE,
        targets=(Target(second.id, second.digest),),
        snapshot=snapshot.hash,
        file=LEARNINGS,
        evidence="seen",
    )
    decision = settled(snapshot, Merge(entries=(first.id, third.id), text="Both.", tier="aging"))
    assert [t.digest for t in decision.targets] == [first.digest, third.digest]
    assert (decision.text, decision.tier) == ("Both.", Tier.AGING)


def test_each_kind_brings_its_fields(snapshot: Snapshot) -> None:
    name = snapshot.entries[0].id
    assert settled(snapshot, Archive(entry=name, reason="gone")).reason == "gone"
    assert settled(snapshot, Keep(entry=name, reason="used")).reason == "used"
    assert settled(snapshot, Retier(entry=name, tier="pinned")).tier is Tier.PINNED
    assert settled(snapshot, Rewrite(entry=name, text="new")).text == "new"
    condition = settled(snapshot, Condition(entry=name, verdict="resolved", evidence="closed"))
    assert (condition.verdict, condition.evidence) == (Verdict.RESOLVED, "closed")


def test_an_entry_moves_or_is_proposed_to_with_all_that_was_said(snapshot: Snapshot) -> None:
    entry = snapshot.entries[0]
    where = {"entry": entry.id, "prose": entry.prose, "trigger": "at sea", "destination": "data/notes/sea.md"}
    moved = settled(snapshot, Offload(**where))
    assert moved == made.decide(
        snapshot, Do.OFFLOAD, entry, move=Move("at sea", "data/notes/sea.md", privacy="private")
    )
    proposed = settled(snapshot, ProposeOffload(**where, description="Use at sea.", privacy="public: chart"))
    assert (proposed.do, proposed.targets) == (Do.PROPOSE, moved.targets)
    assert proposed.move == Move("at sea", "data/notes/sea.md", "Use at sea.", "public: chart")
    assert not moved.move.public and proposed.move.public
    assert "changed since" in refused(snapshot, Offload(**(where | {"prose": "The old port is here."})))


def test_what_is_new_names_no_entry_and_fits_any_home(snapshot: Snapshot) -> None:
    added = Add(file="data/captain.md", text="Ask first.", tier="pinned", evidence="the captain said so")
    assert settled(snapshot, added) == Decision(
        do=Do.ADD,
        snapshot=snapshot.hash,
        file="data/captain.md",
        text="Ask first.",
        tier=Tier.PINNED,
        evidence="the captain said so",
    )
    routed = settled(snapshot, Route(text="The lamp blinks.", owner="task:lamp-3"))
    assert routed == Decision(
        do=Do.ROUTE, snapshot=snapshot.hash, text="The lamp blinks.", owner="task:lamp-3"
    )
    record = Record(action="file", id="lamp-4", title="Mend it", body="Soon.", blocked_by=("lamp-3",))
    assert settled(snapshot, record).record == made.Record(
        "file", id="lamp-4", title="Mend it", body="Soon.", blocked_by=("lamp-3",)
    )
    left = settled(snapshot, Record(action="leave", id="lamp-4", judgment="whose lamp it is"))
    assert left.do is Do.RECORD and left.record == made.Record(
        "leave", id="lamp-4", judgment="whose lamp it is"
    )


def test_bytes_that_are_not_utf8_are_compared_as_they_were_shown(snapshot: Snapshot) -> None:
    entry = snapshot.entries[2]
    assert settled(snapshot, Keep(entry=entry.id, prose="Bytes \ufffd stay.")).id == entry.id


def test_a_changed_or_unknown_entry_is_refused_by_name(snapshot: Snapshot) -> None:
    name = snapshot.entries[0].id
    assert "changed since" in refused(snapshot, Keep(entry=name, prose="The old port is here."))
    assert "0123456789ab" in refused(snapshot, Archive(entry="0123456789ab", reason="gone"))
    assert f"{name}-9" in refused(snapshot, Merge(entries=(name, f"{name}-9"), text="x"))


def test_the_rest_of_a_document_stays(snapshot: Snapshot) -> None:
    acts = (Keep(entry="0" * 12), Keep(entry=snapshot.entries[0].id))
    decisions, refusals = to_decisions(Document(by="", note="", decisions=acts), snapshot)
    assert [len(decisions), len(refusals)] == [1, 1]


def test_a_section_is_named_by_its_headings(snapshot: Snapshot) -> None:
    decision = settled(snapshot, ArchiveSection(file=LEARNINGS, heading=("Port", "Rebuild"), reason="gone"))
    assert (decision.do, decision.file, decision.reason) == (Do.ARCHIVE_SECTION, LEARNINGS, "gone")
    assert decision.heading[-2:] == ("Port", "Rebuild")
    odd = settled(snapshot, TakeAsOne(file=LEARNINGS, heading=("\ufffd odd",), evidence="seen"))
    assert odd.heading[-1] == "\udcff odd"


def test_a_section_that_is_not_there_or_not_one_is_refused(snapshot: Snapshot) -> None:
    assert "no section Sail" in refused(snapshot, TakeAsOne(file=LEARNINGS, heading=("Sail",)))
    assert "several" in refused(snapshot, TakeAsOne(file=LEARNINGS, heading=("Rebuild",)))
    assert "several" in refused(snapshot, TakeAsOne(file=LEARNINGS, heading=("Fork",)))
    assert "data/x.md" in refused(snapshot, TakeAsOne(file="data/x.md", heading=("Port",)))
    assert "data/captain.md" in refused(snapshot, TakeAsOne(file="data/captain.md", heading=("Port",)))
