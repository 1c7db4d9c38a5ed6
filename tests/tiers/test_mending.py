"""Repairs as decisions: each does what it says, loses nobody and does not stop the clocks of the others."""

from __future__ import annotations

import pytest
from edit_law import check_edit
from homes import COUNTING, STILL, home, text, written
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import memory_files

from floppy_tui.tiers.audit import audit
from floppy_tui.tiers.carrying import carry
from floppy_tui.tiers.decisions import Decision, Do, decide
from floppy_tui.tiers.findings import all_findings
from floppy_tui.tiers.layout import LEARNINGS
from floppy_tui.tiers.rules import chart
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tiers.stow import plan


def repairs(snapshot: Snapshot) -> list[Decision]:
    """A decision for every finding that has a repair."""
    return [
        decide(snapshot, Do.REPAIR, file=doc.file, rule=found.rule, line=found.line, text=found.message)
        for doc in snapshot.documents
        for found in all_findings(snapshot, doc)
        if found.repair is not None
    ]


@pytest.mark.parametrize(
    ("line", "mended"),
    [
        ("- a <!--a:2026-09-20--> <!--a:2026-09-25/1-->", "- a <!--a:2026-09-25/2-->"),
        ("- a <!--a:2031-01-01/2-->", "- a <!--a:2026-10-01/3-->"),
        ("- a <!--a:2026-02-30-->", "- a <!--a:2026-02-28-->"),
        ("- a <!-- a:2026-09-25 -->", "- a <!--a:2026-09-25-->"),
    ],
)
def test_a_repair_does_not_stop_the_tick(line: str, mended: str) -> None:
    snapshot = home({"learnings": f"{line}\n- b <!--a:2026-09-25-->\n"}, horizon=COUNTING)
    planned = plan(snapshot, repairs(snapshot))
    assert not planned.refused
    assert text(planned) == f"{mended}\n- b <!--a:2026-09-25/1-->\n"


@settings(max_examples=50)
@given(memory_files(), st.booleans(), st.booleans())
def test_repairs_of_any_file(data: bytes, tick: bool, one_by_one: bool) -> None:
    snapshot = home({"learnings": data}, horizon=COUNTING if tick else STILL)
    decisions = repairs(snapshot)
    for chosen in [[d] for d in decisions[:6]] if one_by_one else [decisions]:
        for path, settled in carry(snapshot, chart(snapshot, chosen)).settled.items():
            document = snapshot.document(path)
            assert document is not None
            check_edit(document, [*settled.done, *(act for act, _ in settled.refused)], settled)
        planned = plan(snapshot, chosen)
        assert audit(planned, written(planned)) == ()


@settings(max_examples=50)
@given(memory_files())
def test_a_tick_reaches_every_clock(data: bytes) -> None:
    snapshot = home({"learnings": data}, horizon=COUNTING)
    planned = plan(snapshot)
    (document,) = snapshot.documents
    after = planned.documents.get(LEARNINGS, document)
    for old, new in zip(document.entries, after.entries, strict=True):
        dated = old.reinforced is not None and not old.frozen and not document.blocked
        assert new.passes == old.passes + dated
