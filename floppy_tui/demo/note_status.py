"""What stands around the sample note tree: its configuration, its status files, and which notes were read."""

from __future__ import annotations

CONFIG = """\
memory_dir=.agent-memory
memory_language=en
machine_key=mate
commit_push=never
statuses_now=docs/statuses/NOW.md
statuses_now_chars_max=12000
watched_dirs=docs/statuses
"""

NOW = """\
# Current state

Rewritten in place: what is true now. Why it became so is in the journal.

## Where things stand

- berthplan 2.8 is out at all four offices; Brännholmen plans its ice berths by hand.
- tidefeed waits for 4.2, the retries are off until then (`tidefeed-retries-q7`).
- The ferry terminal's gates are ours to call, not to open.

## What is frozen

- The golden files of Ostrów block a release, those of Brännholmen warn. Decided on {-47}.
- The screen at the ramp repeats the operator and has no timer. Decided on {-52}.

## What is red

- `test_second_caller` and `test_second_caller_waits` on `gate-retries`.

## What waits for the captain

- Whether the offices get a second plan beside the live one in the middle of a shift.
- The date of the next restore drill; the last one was {-16}.
"""

JOURNAL = """\
# Journal

A section a day, the newest last; what is written stays as it was written.

## {-52} The screen at the ramp

Took the timer out. Twice in a month a group was called onto a ramp that was still moving, both times with \
the screen ahead of the operator by 20 to 40 s. Rejected: a timer that waits for the sensor, because the \
sensor says “moving” for up to 90 s after the ramp stands still.

## {-47} Golden files

Both offices at the table. In three months the files of Brännholmen were regenerated eleven times and looked \
at twice. They warn from now on. Not rejected for good: a file per kind of ice berth, once there is a second \
winter to compare.

## {-16} Restore drill

Eleven minutes on a pool slot. The first try failed after four, for want of the extension.

## {-9} North mole

20 cm too high by the office's own letter. Did nothing, on purpose: the correction belongs into the gauge.
"""

READ = (
    (-58, "harbour-time"),
    (-55, "one-fact-one-note"),
    (-51, "boarding-groups"),
    (-47, "berth-plan-golden-files"),
    (-44, "one-fact-one-note"),
    (-40, "customs-code-pages"),
    (-36, "customs-code-pages"),
    (-31, "quay-cameras"),
    (-31, "harbour-time"),
    (-26, "one-fact-one-note"),
    (-22, "ramp-angle"),
    (-20, "ramp-angle"),
    (-17, "boarding-groups"),
    (-14, "gate-network"),
    (-13, "gate-network"),
    (-12, "harbour-time"),
    (-9, "river-lock-floats"),
    (-9, "tide-table-source"),
    (-6, "gate-network"),
    (-5, "one-fact-one-note"),
    (-4, "gate-network"),
    (-4, "boarding-groups"),
    (-2, "harbour-time"),
    (-1, "gate-network"),
)
"""Which note was opened how many days ago, as far as anybody wrote it down."""
HEAT = "".join(f"{{{days}}} {slug}\n" for days, slug in READ)
"""The heat log; the mooring table was never opened."""
