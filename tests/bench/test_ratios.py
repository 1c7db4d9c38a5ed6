"""What the program may cost, each held against the same work done bare in the same run."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from bench.large_files import learnings, learnings_of
from bench.ratios import Ratio, first_paint, measure, timed
from markdown_it import MarkdownIt

from floppy_tui.demo.large import files as large_home
from floppy_tui.text.lines import decode
from floppy_tui.tiers.archive import read_archive
from floppy_tui.tiers.archive_search import ArchiveFilter, search
from floppy_tui.tiers.budget import Allowance
from floppy_tui.tiers.decisions import Decision, Do, decide
from floppy_tui.tiers.layout import ARCHIVE, CAPTAIN, LEARNINGS, SHARED, Role
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.reading import read_document
from floppy_tui.tiers.snapshot import MemoryFile, Snapshot, memory_file
from floppy_tui.tiers.stow import plan

pytestmark = pytest.mark.bench

Hold = Callable[[Ratio], None]
PROGRAM = Path(sys.executable).with_name("floppy-tui")
BARE_APP = Path(__file__).with_name("bare_app.py")


def exists(module: str) -> bool:
    """Whether ``module`` is there; false too where its package is not."""
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


COMPILED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""As on a captain's machine: what was compiled once stays compiled, ours as well as Textual."""


def run(*command: str | Path) -> None:
    """Run to the end; a failing exit code is an error."""
    words = [str(part) for part in command]
    subprocess.run(words, check=True, capture_output=True, timeout=60, env=COMPILED)


@pytest.fixture(scope="module")
def demo_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample home as the program lays it out."""
    if not exists("floppy_tui.cli.demo"):
        pytest.skip("the command line is still to come")
    home = tmp_path_factory.mktemp("demo") / "home"
    run(PROGRAM, "demo", home, "--no-open")
    return home


def test_report_against_an_empty_python(demo_home: Path, hold: Hold) -> None:
    hold(
        measure(
            "report headless / python -c pass",
            timed(lambda: run(PROGRAM, "report", "--home", demo_home)),
            timed(lambda: run(sys.executable, "-c", "pass")),
            limit=6,
            rounds=15,
        )
    )


def test_parse_against_the_block_parse_alone(hold: Hold) -> None:
    data = learnings_of(400_000)
    text = decode(data)
    markdown = MarkdownIt("commonmark").enable("table")
    hold(
        measure(
            f"parse {len(data) // 1000} kB / markdown-it's block parse of it",
            timed(lambda: read_document(data, "data/learnings.md", Tier.AGING)),
            timed(lambda: markdown.block.parse(text, markdown, {}, [])),
            limit=2.5,
        )
    )


def test_replan_against_parsing_the_home(hold: Hold) -> None:
    bytes_of = {CAPTAIN: learnings(100), SHARED: learnings(80, 1000), LEARNINGS: learnings(320, 2000)}

    def parse() -> tuple[MemoryFile, ...]:
        return tuple(memory_file(path, data, Role.PRIMARY) for path, data in bytes_of.items())

    snapshot = Snapshot("home", Role.PRIMARY, date(2026, 10, 1), Allowance("7500"), parse(), None)
    assert len(snapshot.entries) >= 500
    stale = iter([e for e in snapshot.entries if snapshot.ages[e.id].stale and snapshot.editable(e)])
    decisions: list[Decision] = []

    def replan() -> None:
        """Plan with one more decision than before, up to the gauge and the cards that the wizard shows."""
        decisions.append(decide(snapshot, Do.ARCHIVE, next(stale), reason="unreinforced 30d"))
        planned = plan(snapshot, decisions)
        assert len(planned.departures) == len(decisions), planned.refused
        assert planned.total < snapshot.total and planned.undecided

    try:
        ratio = measure("re-plan / parsing a home of 500", timed(replan), timed(parse), limit=3)
    except NotImplementedError:
        pytest.skip("the plan is still to come")
    hold(ratio)


def test_archive_against_a_block_parse_of_it(hold: Hold) -> None:
    text = decode(large_home(date(2026, 10, 1), entries=20, archived=5000)[ARCHIVE])
    markdown = MarkdownIt("commonmark").enable("table")

    def open_and_search() -> None:
        """As the archive view does: read it all, then look for words in it."""
        archive = read_archive(text)
        assert len(archive.items) >= 5000
        search(archive, ArchiveFilter("the harbour"))

    hold(
        measure(
            "open and search an archive of 5,000 / its block parse",
            timed(open_and_search),
            timed(lambda: markdown.block.parse(text, markdown, {}, [])),
            limit=1,
        )
    )


def test_first_paint_against_a_bare_app(demo_home: Path, hold: Hold) -> None:
    if not exists("floppy_tui.tui.app"):
        pytest.skip("the screen is still to come")
    environment = {
        **COMPILED,
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "FM_HOME": str(demo_home),
    }
    hold(
        measure(
            "first paint on the demo home / a bare app",
            lambda: first_paint([PROGRAM, demo_home], PAINTED, environment),
            lambda: first_paint([sys.executable, BARE_APP], ["bare", "entry-12", "Quit"], environment),
            limit=1.5,
            # A start of a process is where a busy machine shows most: the median of few says little.
            rounds=25,
        )
    )


PAINTED = ["captain 326", "Merging to", "quit"]
"""On the first screen that shows the memory: of its gauge, of its table, of its footer."""
