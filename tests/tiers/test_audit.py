"""The audit: whatever is lost between the plan and the disk is named."""

from __future__ import annotations

import pytest
from homes import ago, do, home, on_section, the, written

from floppy_tui.text.lines import encode
from floppy_tui.tiers.audit import audit
from floppy_tui.tiers.decisions import Do
from floppy_tui.tiers.layout import ARCHIVE, LEARNINGS
from floppy_tui.tiers.stow import Plan, accept, plan

ITEM = "- (from learnings.md, tier: aging, reinforced: never) Stale. [archived: old]\n"
OLD = f"# Memory archive\n\n## 2026-10-01 stow\n{ITEM}"
BODY = f"""- Stale. <!--a:{ago(40)}-->
- Fresh. <!--a:{ago(4)}-->
- Unmarked.
- Twice. <!--a:{ago(4)}-->
- Twice. <!--a:{ago(4)}-->
- The gate sticks. <!--a:{ago(9)}-->
- The gate sticks in rain. <!--a:{ago(3)}-->
- Wordy, wordier, wordiest. <!--a:{ago(3)}-->

## Pool

Prose.

- One. <!--a:{ago(3)}-->
"""


@pytest.fixture
def planned() -> Plan:
    """A pass in which something of each outcome happens."""
    snapshot = home({"captain": "- Tea.\n", "learnings": BODY, "archive": OLD})
    decisions = [
        do(snapshot, Do.MERGE, "sticks.", "in rain", text="The gate sticks in rain."),
        do(snapshot, Do.REWRITE, "Wordy", text="Short."),
        on_section(snapshot, Do.ARCHIVE_SECTION, "Pool", reason="drained"),
    ]
    return plan(snapshot, accept(snapshot, decisions, ["stale", "grace"]))


def without(data: bytes | None, words: bytes) -> bytes:
    """``data`` without the lines that hold ``words``."""
    assert data is not None and words in data
    return b"".join(line for line in data.splitlines(keepends=True) if words not in line)


def test_what_was_planned_is_accounted_for(planned: Plan) -> None:
    assert not planned.refused
    assert audit(planned, written(planned)) == ()
    changed = {path: data for path, data in written(planned).items() if path != "data/captain.md"}
    assert audit(planned, changed) == ()


LOST = [
    (LEARNINGS, b"Fresh", "Fresh."),
    (LEARNINGS, b"Unmarked", "Unmarked."),
    (LEARNINGS, b"in rain", "The gate sticks."),
    (LEARNINGS, b"Short", "Wordy"),
    ("data/captain.md", b"Tea", "Tea."),
    (ARCHIVE, b"Stale. [archived: unreinforced", "Stale."),
    (ARCHIVE, b"Wordy", "Wordy"),
    (ARCHIVE, b"## Pool", "Prose."),
]


@pytest.mark.parametrize(("path", "words", "named"), LOST)
def test_what_is_lost_is_named(planned: Plan, path: str, words: bytes, named: str) -> None:
    found = written(planned)
    problems = audit(planned, found | {path: without(found[path], words)})
    assert any(named in problem for problem in problems), problems
    assert all(problem.endswith(".") for problem in problems)


def test_one_of_two_identical_entries_is_missed(planned: Plan) -> None:
    data = written(planned)[LEARNINGS] or b""
    line = f"- Twice. <!--a:{ago(4)}-->\n".encode()
    problems = audit(planned, written(planned) | {LEARNINGS: data.replace(line, b"", 1)})
    assert len(problems) == 1 and "Twice." in problems[0]


def test_an_item_of_an_earlier_pass_of_the_day_does_not_count(planned: Plan) -> None:
    assert audit(planned, written(planned) | {ARCHIVE: encode(OLD)})
    assert audit(planned, written(planned) | {ARCHIVE: None})


def test_a_file_that_is_gone_is_missed(planned: Plan) -> None:
    problems = audit(planned, written(planned) | {LEARNINGS: None})
    named = [e for e in planned.snapshot.entries if e.file == LEARNINGS]
    kept = [e for e in named if planned.fates[e.id].outcome.value != "archived"]
    assert len(problems) == len(kept)


def test_a_section_taken_as_one_and_one_that_was_split_are_found_again() -> None:
    body = f"# All\n\n## Pool\n\nProse.\n\n- One.\n- Two.\n\n## Old <!--a:{ago(2)}-->\n\nWords.\n\n- Three.\n"
    snapshot = home({"learnings": body})
    planned = plan(
        snapshot, [on_section(snapshot, Do.TAKE_AS_ONE, "Pool"), on_section(snapshot, Do.SPLIT, "Old")]
    )
    assert not planned.refused and audit(planned, written(planned)) == ()
    for words, named in ((b"- One", "One."), (b"Prose", "Prose."), (b"Three", "Old"), (b"Words", "Old")):
        found = written(planned)
        problems = audit(planned, found | {LEARNINGS: without(found[LEARNINGS], words)})
        assert any(named in problem for problem in problems), words
    assert the(snapshot, "Old").id in planned.fates
