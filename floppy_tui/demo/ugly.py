"""Sample homes that make trouble: what a person meets on a bad day, each with its clear sentence to earn."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from pathlib import Path

from floppy_tui.demo import home, large
from floppy_tui.demo.dated import dated
from floppy_tui.demo.lay import lay
from floppy_tui.tiers.layout import ALLOWANCE, CAPTAIN, LEARNINGS, SHARED


class Ugly(StrEnum):
    """What is wrong with a home."""

    EMPTY = "empty"
    """The directories of a home and not one file."""
    HUGE = "huge"
    """2,000 entries, one line of a megabyte, 20,000 archived items."""
    READ_ONLY = "read-only"
    """A secondmate home: the shared file, which it may not change, needs its header pointer."""
    BROKEN = "broken"
    """A bad allowance, a symlinked ``captain.md`` and merge-conflict markers in ``learnings.md``."""


SHARED_WITHOUT_POINTER = """\
# Captain, for every home

- Commit messages say why; what is in the diff needs no sentence.
- A secondmate reports to its primary before it reports to me.
"""

SECONDMATE_LEARNINGS = """\
# Learnings
<!-- memory tiers: see the stow skill -->

- The ferry terminal's gates answer only on the office's network. <!--a:{-3}-->
- The test gate's battery lasts a day; charge it before a demo. <!--a:{-33}-->
- Boarding groups are called by the ramp, not by us, until {+20}. <!--p:{-2}-->
"""

CONFLICT = """\
# Learnings
<!-- memory tiers: see the stow skill -->

- The secret store answers 404, not 403, for a secret that one may not read. <!--a:{-12}-->
<<<<<<< HEAD
- Staging deploys go out at 05:45. <!--a:{-3}-->
=======
- Staging deploys go out at 06:30. <!--a:{-9}-->
>>>>>>> crewmate/deploy-times
- The plotter prints A1 at 98 %. <!--a:{-41}-->
"""

LINE = 1_000_000
"""Bytes of the huge home's long line, about."""


def build_ugly(directory: Path, kind: Ugly | str, today: date) -> Path:
    """Lay out a home with the trouble named ``kind`` and return ``directory``; raises like ``build``.

    A ``kind`` that is none raises ``ValueError``.
    """
    match Ugly(kind):
        case Ugly.EMPTY:
            return lay(directory, {})
        case Ugly.HUGE:
            return lay(directory, _huge(today))
        case Ugly.READ_ONLY:
            return lay(directory, _secondmate(today))
        case Ugly.BROKEN:
            return lay(directory, _broken(today), {CAPTAIN: "../notes/captain.md"})


def _huge(today: date) -> dict[str, bytes]:
    found = large.files(today, 1_999, 20_000)
    dump = "the gauges' dump of one night, pasted whole: " + "0.94 0.93 0.95 " * (LINE // 15)
    found[LEARNINGS] += dated(f"- {dump}end. <!--a:{{-20}}-->\n", today)
    return found


def _secondmate(today: date) -> dict[str, bytes]:
    found = home.memory(today)
    return {
        ".fm-secondmate-home": b"",
        ".gitignore": found[".gitignore"],
        ALLOWANCE: b"1000\n",
        SHARED: dated(SHARED_WITHOUT_POINTER, today),
        LEARNINGS: dated(SECONDMATE_LEARNINGS, today),
    }


def _broken(today: date) -> dict[str, bytes]:
    found = home.memory(today)
    return {
        ".gitignore": found[".gitignore"],
        ALLOWANCE: b"+7500\n\n",
        SHARED: found[SHARED],
        LEARNINGS: dated(CONFLICT, today),
        "notes/captain.md": found[CAPTAIN],
    }
