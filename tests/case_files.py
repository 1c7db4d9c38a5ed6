"""The small files of ``tests/cases`` and what is known of each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

CASES = Path(__file__).parent / "cases"


class Expected(NamedTuple):
    """One memory file of a case and the entries that a right reading finds in it."""

    path: Path
    file: str
    """Path below the case, as the reading is told it."""
    default: str
    entries: list[dict[str, Any]]


def memory_files() -> list[Expected]:
    """Every file that an ``expected.json`` speaks of."""
    return [
        Expected(told.parent / said["file"], said["file"], said["default"], said["entries"])
        for told in sorted(CASES.glob("*/expected.json"))
        for said in json.loads(told.read_bytes())["files"]
    ]


def all_files() -> list[Path]:
    """Every file of every case but what tells its reading."""
    return [
        path
        for path in sorted(CASES.glob("*/**/*"))
        if path.is_file() and path.name not in ("expected.json", "expect.md")
    ]


def name_of(path: Path) -> str:
    """How a test calls a case's file."""
    return path.relative_to(CASES).as_posix()
