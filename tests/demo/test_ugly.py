"""Each ugly home has its trouble, and no other."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from sample_homes import snapshot_of

from floppy_tui.demo import Ugly, build_ugly
from floppy_tui.tiers.layout import CAPTAIN, LEARNINGS, SHARED, Status


def regular(home: Path) -> dict[str, bytes]:
    """The regular files of a home."""
    return {
        path.relative_to(home).as_posix(): path.read_bytes()
        for path in home.rglob("*")
        if path.is_file() and not path.is_symlink()
    }


def test_empty_has_directories_and_no_file(tmp_path: Path, today: date) -> None:
    home = build_ugly(tmp_path, Ugly.EMPTY, today)
    assert sorted(path.name for path in home.iterdir()) == ["config", "data", "state"]
    assert regular(home) == {}


def test_huge_is_large_in_every_direction(tmp_path: Path, today: date) -> None:
    home = snapshot_of(regular(build_ugly(tmp_path, Ugly.HUGE, today)), today)
    document = home.document(LEARNINGS)
    assert document is not None
    assert (len(document.entries), len(home.archive.items)) == (2_000, 20_000)
    assert max(len(line) for line in document.lines) > 999_000


def test_read_only_needs_a_pointer_that_only_the_primary_may_add(tmp_path: Path, today: date) -> None:
    home = snapshot_of(regular(build_ugly(tmp_path, "read-only", today)), today)
    shared = home.file(SHARED)
    assert shared.document is not None and shared.document.pointer is None and not shared.editable
    assert home.file(CAPTAIN).status is Status.ABSENT
    assert home.within_budget and home.exceptions == ()
    assert [age.stale for age in home.ages.values()].count(True) == 1


def test_broken_is_broken_in_three_places(tmp_path: Path, today: date) -> None:
    made = build_ugly(tmp_path, "broken", today)
    assert (made / CAPTAIN).is_symlink() and (made / CAPTAIN).read_bytes()
    home = snapshot_of(regular(made), today)
    assert home.allowance.exception and home.allowance.message
    document = home.document(LEARNINGS)
    assert document is not None and document.blocked
    assert [finding.rule for finding in document.findings] == ["conflict-markers"]


def test_another_kind_is_refused_before_anything_is_made(tmp_path: Path, today: date) -> None:
    with pytest.raises(ValueError, match="sunken"):
        build_ugly(tmp_path / "home", "sunken", today)
    assert not (tmp_path / "home").exists()
