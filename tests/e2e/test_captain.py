"""A captain at a real terminal of 80 by 24: from the first screen to the receipt, and the bytes on disk."""

from __future__ import annotations

from pathlib import Path

import pytest
from terminals import Terminal

LEARNINGS = """\
# Learnings
<!-- memory tiers: see the stow skill -->

- The lamp is lit at six. <!--a:2026-08-01-->
- The gate sticks in frost. <!--a:2026-09-20-->
- The old rota hangs in the shed. <!--g-->
"""
ARCHIVE = """\
# Memory archive

## 2026-08-08 stow
- (from learnings.md, tier: aging, reinforced: 2026-07-01) An early fact. [archived: unreinforced 38d]
"""
DAY = {"FLOPPY_TODAY": "2026-10-01"}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    root = tmp_path / "home"
    for name in ("data", "config", "state"):
        (root / name).mkdir(parents=True)
    (root / "data/learnings.md").write_text(LEARNINGS)
    (root / "data/memory-archive.md").write_text(ARCHIVE)
    (root / "config/startup-memory-budget").write_text("900\n")
    return root


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (160, 50)])
def test_a_whole_pass_from_the_first_screen_to_the_receipt(home: Path, columns: int, rows: int) -> None:
    with Terminal(str(home), columns=columns, rows=rows, **DAY) as terminal:
        terminal.until("The lamp is lit at six.")
        terminal.press("s")
        terminal.until("Stow pass of 2026-10-01")
        terminal.press("n")
        terminal.until("x  archive")
        terminal.press("x", "x", "x")
        terminal.until("unreinforced 61d")
        assert (home / "data/learnings.md").read_text() == LEARNINGS
        terminal.press("\r")
        terminal.until("The old rota hangs in the shed.")
        terminal.press("x")
        terminal.until("legacy-unvalidated")
        terminal.press("\r")
        terminal.until("10 Apply")
        terminal.press("\r")
        terminal.until("y")
        terminal.press("y")
        terminal.until("Stow receipt, 2026-10-01")
        terminal.press("\x1b")
        terminal.until("The gate sticks in frost.")
        terminal.press("q")
        assert terminal.ended() == 0
    assert (home / "data/learnings.md").read_text() == (
        "# Learnings\n<!-- memory tiers: see the stow skill -->\n\n"
        "- The gate sticks in frost. <!--a:2026-09-20-->\n"
    )
    assert (home / "data/memory-archive.md").read_text() == ARCHIVE + (
        "\n## 2026-10-01 stow\n"
        "- (from learnings.md, tier: aging, reinforced: 2026-08-01) The lamp is lit at six. "
        "[archived: unreinforced 61d]\n"
        "- (from learnings.md, tier: aging, reinforced: never) The old rota hangs in the shed. "
        "[archived: legacy-unvalidated]\n"
    )
    assert (home / "state/floppy-tui/receipts/2026-10-01.md").exists()
