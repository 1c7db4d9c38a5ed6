"""Real shapes of memory files read as they should, and every file comes back to the byte."""

from __future__ import annotations

from pathlib import Path

import pytest
from case_files import Expected, all_files, memory_files, name_of

from floppy_tui.text.lines import encode
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.reading import read_document

MEMORY_FILES = memory_files()
ALL_FILES = all_files()


def test_the_cases_are_there() -> None:
    assert len(MEMORY_FILES) >= 38
    assert len(ALL_FILES) >= 90


@pytest.mark.parametrize("case", MEMORY_FILES, ids=lambda case: name_of(case.path))
def test_entries(case: Expected) -> None:
    document = read_document(case.path.read_bytes(), case.file, Tier(case.default))
    read = [
        {
            "lines": list(entry.lines),
            "kind": str(entry.kind),
            "tier": str(entry.tier),
            "explicit": entry.explicit,
            "reinforced": entry.reinforced.isoformat() if entry.reinforced else None,
            "passes": entry.passes,
        }
        for entry in document.entries
    ]
    assert read == case.entries


@pytest.mark.parametrize("default", [Tier.PINNED, Tier.AGING])
@pytest.mark.parametrize("path", ALL_FILES, ids=name_of)
def test_every_file_comes_back(path: Path, default: Tier) -> None:
    data = path.read_bytes()
    assert encode(read_document(data, path.name, default).text) == data
