"""What deserves a finding in the cases: the rule and the line of each, and nothing else."""

from __future__ import annotations

from datetime import date

import pytest
from case_files import CASES

from floppy_tui.tiers.budget import Allowance
from floppy_tui.tiers.document import default_tier
from floppy_tui.tiers.findings import all_findings
from floppy_tui.tiers.layout import FILES, LEARNINGS, Role
from floppy_tui.tiers.reading import read_document
from floppy_tui.tiers.snapshot import Snapshot, memory_file

TODAY = date(2026, 10, 1)
FOUND: dict[str, dict[str, list[int]]] = {
    "04-paragraph-entries-under-h1": {"misplaced-pointer": [10]},
    "16-counters": {"malformed-marker": [9, 10, 11, 12], "no-condition": [8]},
    "18-malformed-dates": {
        "malformed-marker": [4, 7, 8, 9, 10, 11, 12, 13],
        "impossible-date": [5, 6],
    },
    "27-crlf-file": {"no-condition": [8]},
    "39-setext-headings-and-other-bullets": {"no-condition": [8]},
    "20-markers-that-are-only-text": {"stray-marker": [4]},
    "22-two-markers-on-one-entry": {"several-markers": [4, 5, 6, 7, 10]},
    "23-whitespace-around-markers": {"marker-without-text": [11], "empty-bullet": [12]},
    "31-non-ascii-scripts-and-emoji": {"stray-marker": [15]},
    "41-pinned-section-heading": {"pinned-heading": [7], "no-condition": [9]},
    "42-sources-and-expiry-in-brackets": {"no-condition": [11]},
    "47-html-blocks-and-link-definitions": {"hidden-marker": [12]},
}
CAPTAINS: dict[str, tuple[str, dict[str, list[int]]]] = {
    "17-grace-and-unmarked-legacy": ("data/captain.md", {"grace-in-pinned": [4]}),
    "34-tables-in-a-captain-file": ("data/captain.md", {"redundant-pinned": [25]}),
}
QUIET = (
    "01-single-line-bullets",
    "03-wrapped-bullet-marker-on-last-line",
    "07-markers-on-headings-with-body",
    "09-nested-bullets-unmarked-children",
    "29-bom-and-no-final-newline",
    "36-task-list-checkboxes",
    "38-front-matter-and-rules-in-a-tiered-file",
)


def home(case: str) -> Snapshot:
    """The home that a case's ``data/`` is."""
    root = CASES / case
    data = {path: (root / path).read_bytes() for path in FILES if (root / path).exists()}
    files = tuple(memory_file(path, data.get(path), Role.PRIMARY) for path in FILES)
    return Snapshot("home", Role.PRIMARY, TODAY, Allowance(digits="9000"), files, None)


def rules(snapshot: Snapshot, path: str) -> dict[str, list[int]]:
    document = snapshot.document(path)
    assert document is not None
    found: dict[str, list[int]] = {}
    for finding in all_findings(snapshot, document):
        found.setdefault(finding.rule, []).append(finding.line)
    return found


@pytest.mark.parametrize("case", FOUND)
def test_the_findings_of_a_case(case: str) -> None:
    assert rules(home(case), LEARNINGS) == FOUND[case]


@pytest.mark.parametrize("case", CAPTAINS)
def test_the_findings_of_a_captain_file(case: str) -> None:
    path, expected = CAPTAINS[case]
    assert rules(home(case), path) == expected


@pytest.mark.parametrize("case", QUIET)
def test_a_sound_file_has_none(case: str) -> None:
    assert rules(home(case), LEARNINGS) == {}


def test_statements_that_say_the_same_are_paired() -> None:
    snapshot = home("45-duplicates")
    pairs = {(p.left, p.right) for p in snapshot.near}
    assert {(0, 1), (0, 2), (0, 3)} <= pairs
    assert not {4, 5} & {at for pair in pairs for at in pair}
    assert snapshot.entries[1].id == f"{snapshot.entries[0].id}-2"


def test_every_case_reads_with_the_default_its_name_says() -> None:
    assert default_tier("notes/captain.md") == default_tier("data/captain-shared.md") == "pinned"
    assert default_tier("captain.md.tmpl") == "pinned"
    assert read_document(b"- One.\n", "x.md", default_tier("x.md")).entries[0].tier == "unmarked"
