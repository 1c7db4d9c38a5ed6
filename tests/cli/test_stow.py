"""``stow --headless``: a whole pass by decisions and accepted kinds, and nothing where it is unusable."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from spoiled_homes import BAD_ALLOWANCES, BAD_FILES

from floppy_tui.cli.stow import KINDS
from floppy_tui.tiers.cards import ACCEPTABLE

Run = Callable[..., Result]
Complained = Callable[[Result], str]

POINTER = b"<!-- memory tiers: see the stow skill -->\n"
LEARNINGS = (
    POINTER
    + b"""# Learnings

- The gate sticks. <!--a:2026-08-01-->
- Cranes turn left. <!--a:2026-09-20-->
- Nobody marked this.
- A pool of worktrees. <!--a:2026-08-15-->
"""
)


@pytest.fixture
def home(home: Path) -> Path:
    """The home with two stale entries, a fresh one and one that nobody marked."""
    (home / "data/learnings.md").write_bytes(LEARNINGS)
    (home / "data/captain.md").write_bytes(POINTER + b"\n- Keep it short.\n")
    return home


@pytest.fixture
def ids(run: Run, home: Path) -> dict[str, str]:
    """Entry ids by their first word."""
    listed = json.loads(run("entries", "--home", home, "--json").stdout_bytes)
    return {entry["prose"].split()[0]: entry["id"] for entry in listed}


def decided(*decisions: Any) -> bytes:
    return json.dumps({"version": 1, "by": "first mate", "decisions": decisions}).encode()


def whole(ids: dict[str, str]) -> bytes:
    """Decisions that settle everything in the home."""
    return decided(
        {"do": "archive", "entry": ids["The"], "prose": "The gate sticks.", "reason": "the gate is gone"},
        {"do": "reinforce", "entry": ids["A"], "evidence": "task pool-2 used it"},
        {"do": "reinforce", "entry": ids["Nobody"], "evidence": "task mark-1 met it"},
    )


AFTER = (
    POINTER
    + b"""# Learnings

- Cranes turn left. <!--a:2026-09-20-->
- Nobody marked this. <!--a:2026-10-01-->
- A pool of worktrees. <!--a:2026-10-01-->
"""
)
ARCHIVED = (
    b"- (from learnings.md, tier: aging, reinforced: 2026-08-01) The gate sticks. "
    b"[archived: the gate is gone]\n"
)


def test_a_whole_pass_from_standard_input(run: Run, home: Path, ids: dict[str, str]) -> None:
    result = run("stow", "--headless", "--decisions", "-", "--home", home, "--json", input=whole(ids))
    assert (result.exit_code, result.stderr) == (0, "")
    receipt = json.loads(result.stdout_bytes)
    assert (receipt["reset_safe"], receipt["applied"]) == (True, True)
    assert [a["reason"] for a in receipt["archived"]] == ["the gate is gone"]
    assert {e["evidence"] for e in receipt["reinforced"]} == {"task pool-2 used it", "task mark-1 met it"}
    assert (home / "data/learnings.md").read_bytes() == AFTER
    assert (home / "data/memory-archive.md").read_bytes().endswith(b"## 2026-10-01 stow\n" + ARCHIVED)
    assert json.loads(run("receipt", "--home", home, "--json").stdout_bytes) == receipt


def test_a_finding_that_could_not_be_filed_is_in_the_receipt_and_not_safe(
    run: Run, home: Path, ids: dict[str, str]
) -> None:
    document = json.loads(whole(ids))
    document["decisions"].append({"do": "route", "owner": "general", "text": "Berths count from the sea."})
    given = json.dumps(document).encode()
    result = run("stow", "--headless", "--decisions", "-", "--home", home, "--json", input=given)
    receipt = json.loads(result.stdout_bytes)
    assert (result.exit_code, receipt["reset_safe"]) == (3, False)
    assert (home / "data/learnings.md").read_bytes() == AFTER
    (found,) = receipt["routed"]
    assert found["what"] == "Berths count from the sea." and found["filed"] is False
    assert "tasks-axi is not on the PATH" in found["said"]


def test_a_dry_run_says_it_all_and_writes_nothing(
    run: Run, home: Path, ids: dict[str, str], tmp_path: Path, seen: Callable[[Path], object]
) -> None:
    (tmp_path / "decisions.json").write_bytes(whole(ids))
    before = seen(home)
    words = ["stow", "--headless", "--dry-run", "--decisions", tmp_path / "decisions.json", "--home", home]
    result = run(*words)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "**This home is reset-safe.**" in result.stdout
    lines = result.stdout.splitlines()
    assert "-- The gate sticks. <!--a:2026-08-01-->" in lines
    assert "+- Nobody marked this. <!--a:2026-10-01-->" in lines
    assert "+" + ARCHIVED.decode().rstrip("\n") in lines
    diff = json.loads(run(*words, "--json").stdout_bytes)["diff"]
    assert diff == lines[-len(diff) :]
    assert seen(home) == before


def test_what_nobody_decided_does_not_happen(run: Run, home: Path) -> None:
    result = run("stow", "--headless", "--home", home, "--json")
    assert (result.exit_code, result.stderr) == (3, "")
    receipt = json.loads(result.stdout_bytes)
    assert not receipt["reset_safe"] and receipt["undecided"]
    assert (home / "data/learnings.md").read_bytes() == LEARNINGS
    assert not (home / "data/memory-archive.md").exists()


def test_proposals_are_accepted_by_kind(run: Run, home: Path) -> None:
    words = ["--accept", "stale, grace", "--accept", "headers"]
    result = run("stow", "--headless", *words, "--home", home, "--json")
    assert result.exit_code == 0
    assert (home / "data/learnings.md").read_bytes() == (
        POINTER + b"# Learnings\n\n- Cranes turn left. <!--a:2026-09-20-->\n- Nobody marked this. <!--g-->\n"
    )
    reasons = [a["reason"] for a in json.loads(result.stdout_bytes)["archived"]]
    assert reasons == ["unreinforced 61d", "unreinforced 47d"]


def test_the_help_tells_every_kind_that_the_engine_takes(run: Run) -> None:
    assert tuple(KINDS) == ACCEPTABLE
    told = run("stow", "--help").stdout
    assert all(f"{kind} (" in told for kind in KINDS)


def test_what_no_longer_fits_is_named_and_the_rest_is_done(run: Run, home: Path, ids: dict[str, str]) -> None:
    document = decided(
        {"do": "archive", "entry": ids["The"], "prose": "The gate swings.", "reason": "gone"},
        {"do": "keep", "entry": "0123456789ab"},
        {"do": "reinforce", "entry": ids["A"], "evidence": "task pool-2 used it"},
    )
    result = run("stow", "--headless", "--decisions", "-", "--home", home, "--json", input=document)
    assert result.exit_code == 3
    refused = json.loads(result.stdout_bytes)["refused"]
    assert [r["entry"] for r in refused] == [ids["The"], "0123456789ab"]
    assert "changed since" in refused[0]["why"]
    after = (home / "data/learnings.md").read_bytes()
    assert after == LEARNINGS.replace(b"2026-08-15", b"2026-10-01")


def test_evidence_that_is_none_is_refused_by_the_engine(run: Run, home: Path, ids: dict[str, str]) -> None:
    document = decided({"do": "reinforce", "entry": ids["A"], "evidence": "seems right"})
    result = run("stow", "--headless", "--decisions", "-", "--home", home, input=document)
    assert result.exit_code == 3 and "## Not carried out" in result.stdout
    assert (home / "data/learnings.md").read_bytes() == LEARNINGS


UNUSABLE: dict[str, tuple[tuple[str, ...], bytes, str]] = {
    "not headless": ((), b"", "--headless"),
    "unknown kind": (("--headless", "--accept", "stale,all"), b"", "all; it takes headers, repairs, grace"),
    "absent file": (("--headless", "--decisions", "/nowhere"), b"", "/nowhere does not exist"),
    "a directory": (("--headless", "--decisions", "/"), b"", "directory"),
    "no JSON": (("--headless", "--decisions", "-"), b"{", "not JSON"),
    "a fault": (
        ("--headless", "--decisions", "-"),
        decided({"do": "archive", "entry": "a"}),
        "$.decisions[0]: object missing required field `reason`",
    ),
    "an approval": (
        ("--headless", "--decisions", "-"),
        decided({"do": "approve", "id": "p1", "words": "tides"}),
        "a document can propose, and can never approve",
    ),
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_what_is_unusable_changes_no_byte(
    run: Run, home: Path, seen: Callable[[Path], object], complained: Complained, name: str
) -> None:
    words, document, said = UNUSABLE[name]
    before = seen(home)
    assert said in complained(run("stow", *words, "--home", home, input=document))
    assert seen(home) == before


@pytest.mark.parametrize("name", BAD_ALLOWANCES)
def test_no_pass_is_applied_on_a_bad_allowance(
    run: Run, home: Path, seen: Callable[[Path], object], complained: Complained, name: str
) -> None:
    BAD_ALLOWANCES[name][0](home)
    before = seen(home)
    result = run("stow", "--headless", "--accept", "stale,grace", "--home", home)
    assert complained(result) and result.stdout == ""
    result = run("stow", "--headless", "--accept", "stale,grace", "--dry-run", "--home", home, "--json")
    assert complained(result)
    assert json.loads(result.stdout_bytes)["reset_safe"] is False
    assert seen(home) == before


@pytest.mark.parametrize("path", ["data/captain-shared.md", "data/memory-archive.md"])
@pytest.mark.parametrize("name", BAD_FILES)
def test_no_pass_is_applied_over_an_unsafe_file(
    run: Run, home: Path, seen: Callable[[Path], object], complained: Complained, name: str, path: str
) -> None:
    BAD_FILES[name][0](home / path)
    before = seen(home)
    result = run("stow", "--headless", "--accept", "stale,grace", "--home", home)
    assert path in complained(result) and result.stdout == ""
    assert seen(home) == before
