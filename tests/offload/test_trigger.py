"""A trigger is the entry's own words or the heading that it stands under, or nothing at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import memory_texts

from floppy_tui.offload.candidate import description_of, skill_name_of, trigger_of
from floppy_tui.offload.destinations import name_problem
from floppy_tui.text.visible import visible
from floppy_tui.tiers.document import Entry
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.reading import read_document


def entry(text: str, at: int = 0) -> Entry:
    """An entry of a memory file."""
    return read_document(text, "data/learnings.md", Tier.AGING).entries[at]


@pytest.mark.parametrize(
    ("prose", "trigger"),
    [
        ("When the gauge reads above 4 m, close the gate.", "when the gauge reads above 4 m"),
        ("**If the mill stops:** call the mate.", "if the mill stops"),
        ("Before you push: fetch.", "before you push"),
        ("Close the gate when the gauge reads above 4.5 m; then call.", "when the gauge reads above 4.5 m"),
        ("Close it while a barge\n  lies in the lock, always.", "while a barge lies in the lock"),
        ("The pump is old. After a flood, oil it.", "after a flood"),
        ("Once the tide turns, open the lock.", "once the tide turns"),
        ("For tide tables, ask the harbour office.", "for tide tables"),
        ("For the ferry: two ropes.", "for the ferry"),
        ("**berthplan:** lengths are in metres.", "when it is about berthplan"),
        ("Tide gauges: read them twice.", "when it is about Tide gauges"),
        ("Read `when x` twice before mooring at the quay.", "before mooring at the quay"),
        ("Label both ends before unplugging anything", "before unplugging anything"),
        # What names no context, or one that only the words before it make clear.
        ("The gate sticks.", ""),
        ("Call if needed.", ""),
        ("Even when it rains, go.", ""),
        ("Nobody knows when the ferry comes.", ""),
        ("Changed after 2026-08-01.", ""),
        ("Read its last line before you restart it.", ""),
        ("The gauge is wrong after its repair.", ""),
        ("For example, this.", ""),
        ("For now: wait.", ""),
        ("Once a week it is oiled.", ""),
        ("Note: the gate sticks.", ""),
        ("http://example.org/when is down.", ""),
        ("The word `when x` is code.", ""),
        ("The whenever-gate is green.", ""),
    ],
)
def test_a_trigger_is_a_clause_of_the_entry(prose: str, trigger: str) -> None:
    assert trigger_of(entry(f"- {prose}\n")) == trigger


@pytest.mark.parametrize(
    ("headings", "trigger"),
    [
        ("# Learnings\n\n## Tide gauges\n", "when it is about Tide gauges"),
        ("# Learnings\n\n## berthplan\n\n### Map view\n", "when it is about berthplan, Map view"),
        ("# Learnings\n\n## Misc notes\n", ""),
        ("# Learnings\n\n## 2026-08-01\n", ""),
        ("# Captain preferences\n", ""),
    ],
)
def test_a_heading_that_names_a_context_is_a_trigger(headings: str, trigger: str) -> None:
    assert trigger_of(entry(f"{headings}\n- The gate sticks.\n")) == trigger


def test_a_section_is_about_its_heading() -> None:
    assert trigger_of(entry("# L\n\n## Restore drill\n\nIf idle.\n")) == "when it is about Restore drill"
    assert trigger_of(entry("# L\n\n## When the mill burns\n\nRun.\n")) == "when the mill burns"


def test_a_long_trigger_is_cut_at_a_word() -> None:
    trigger = trigger_of(entry(f"- When {'the gauge reads high and ' * 20}more, go.\n"))
    assert len(trigger) <= 120
    assert trigger.startswith("when the gauge reads high and the gauge")
    assert trigger.endswith("…")


def test_what_is_hidden_stays_out() -> None:
    found = entry("- When the \x1b[31mred\u202e lamp\udcff burns, go.\n")
    assert trigger_of(found) == "when the [31mred lamp burns"


@pytest.mark.parametrize(
    ("trigger", "description"),
    [
        ("", ""),
        ("when the gauge reads above 4 m", "Use when the gauge reads above 4 m (Tide gauges)."),
        ("Before a release.", "Use before a release (Tide gauges)."),
        ("for tide tables", "Use for tide tables (Tide gauges)."),
        ("when it is about Tide gauges", "Use when it is about Tide gauges."),
        ("tides", "Use when this comes up: tides (Tide gauges)."),
        ("Use at night", "Use at night."),
        ("  when\n it  rains ", "Use when it rains (Tide gauges)."),
    ],
)
def test_a_description_states_the_condition(trigger: str, description: str) -> None:
    found = entry("# Learnings\n\n## Tide gauges\n\n- The gate sticks.\n")
    assert description_of(trigger, found) == description


@pytest.mark.parametrize(
    ("prose", "name"),
    [
        ("When the tide gauge reads above 4 m, close it.", "tide-gauge-reads"),
        ("Die Größe der Schleuse Łęgowo.", "die-grosse-der"),
        ("The gate.", "gate"),
    ],
)
def test_a_skill_is_named_after_what_it_is_about(prose: str, name: str) -> None:
    assert skill_name_of(entry(f"- {prose}\n")) == name


def test_words_without_a_letter_of_ours_are_named_by_the_id() -> None:
    found = entry("- 日本語 🦀\n")
    assert skill_name_of(found) == f"memory-{found.id[:6]}"


@given(st.one_of(memory_texts(), st.text(max_size=200)))
def test_whatever_the_words_are_the_trigger_is_one_plain_line_of_them(text: str) -> None:
    for found in read_document(text, "data/learnings.md", Tier.AGING).entries:
        trigger = trigger_of(found)
        assert visible(trigger) == trigger == " ".join(trigger.split())
        assert len(trigger) <= 120
        description = description_of(trigger, found)
        assert visible(description) == description
        assert bool(description) == bool(trigger)
        assert name_problem(skill_name_of(found)) == ""
        if trigger and not trigger.startswith("when it is about"):
            said = " ".join("".join(c for c in found.prose if visible(c) == c or c.isspace()).split())
            plain = said.replace("**", "").replace("__", "").casefold()
            assert trigger.rstrip("…").casefold() in plain
