"""What linting a note tree may cost, held against reading and decoding its files alone in the same run."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from bench.large_notes import files
from bench.ratios import Ratio, measure, timed

from floppy_tui.notes.lint import lint, summarize
from floppy_tui.notes.profiles import Config, Profile
from floppy_tui.notes.tree import build_tree
from floppy_tui.text.lines import decode

pytestmark = pytest.mark.bench


def test_lint_against_reading_and_decoding(tmp_path: Path, hold: Callable[[Ratio], None]) -> None:
    for path, data in files().items():
        place = tmp_path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    places = {p.relative_to(tmp_path).as_posix(): p for p in sorted(tmp_path.rglob("*")) if p.is_file()}

    def read() -> dict[str, str]:
        return {path: decode(place.read_bytes()) for path, place in places.items()}

    def read_and_lint() -> None:
        """All of it, from the bytes on: nothing of an earlier reading is used again."""
        tree = build_tree(read(), Profile.FLOPPY, Config(), date(2026, 10, 1))
        findings = lint(tree)
        summary = summarize(tree, findings)
        assert (summary.notes, summary.errors) == (1500, 0)
        assert {f.rule for f in findings} == {"note-aged", "notes-undated", "yaml-differs", "yaml-unreadable"}

    text = read()
    assert sum(map(len, text.values())) > 1500 * 16_500
    hold(
        measure(
            "lint 1,500 notes of 17 kB / reading and decoding them",
            timed(read_and_lint),
            timed(read),
            limit=8,
        )
    )
