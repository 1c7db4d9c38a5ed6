"""What stands around the sample memory: where its entries could live instead, and where they could not."""

from __future__ import annotations

AGENTS = """\
# The harbour fleet

This home keeps a first mate and its crew: who they are, how they work, what they may do. What they remember \
is below `data/`, which never leaves this machine.

- Read `data/captain.md` and `data/learnings.md` before anything else.
- A task begins with its backlog item and ends with a stow pass.
"""

HANDBOOK = """\
# Handbook

For people. A session reads nothing below `docs/` unless it is sent there.
"""

HANDOVER = """\
---
name: handover
description: Use when a task changes hands, to write down what the next crewmate has to know.
---

Say which branch holds the work, which test was red, and what was tried and given up.
"""
"""A skill of the fleet's own: committed, so no entry of the memory may go into it."""

GAUGES = """\
---
name: tide-gauges
description: Use when reading, polling or calibrating tide gauges, or when a level of tidefeed looks wrong.
---

The gauges are the harbour office's, and so are their faults: say which gauge and which minute before anyone \
drives out.

- The gauge at the river lock has two floats; the lower one counts.
- After a calibration the first three readings are thrown away.
"""
"""A local skill: not committed and kept out by ``EXCLUDED``, so an entry may go into it."""

CUSTOMS = """\
---
trigger: when manifests are imported, or customs refuses one
---

# Customs and manifests

- The customs office answers the telephone from 07:00 to 11:00, and mail never.
- A refused manifest keeps its number; the corrected one gets a letter behind it.
- A header is as the agent typed it; customs goes by the voyage number.
"""
"""A local note with a trigger: an entry may go into it."""

FERRY = """\
# Ferry terminal

- The terminal's people are on the third floor, behind the ticket hall.
"""
"""A local note that nothing says when to read."""

EXCLUDED = """\
# What only this machine keeps out of the repository.
/.agents/skills/tide-gauges/
"""

TIDEFEED = """\
# tidefeed

Reads the tide gauges and hands levels to berthplan.

- A level is in centimetres above chart datum, everywhere.
- A reading is never changed; a correction is a reading of its own.
"""
"""The ``AGENTS.md`` of the one project that is cloned here."""

TIDEFEED_README = """\
# tidefeed

`tidefeed read GAUGE` prints the last reading.
"""

SKILL = ".agents/skills/tide-gauges/SKILL.md"
NOTE = "data/notes/customs.md"
PROJECT = "projects/tidefeed"
RELEASES = ("v3.9.0", "v4.0.0", "v4.1.0")
"""Oldest first; an entry waits for 4.2."""

TRACKED = {
    "AGENTS.md": AGENTS,
    "docs/handbook.md": HANDBOOK,
    ".agents/skills/handover/SKILL.md": HANDOVER,
}
"""What is committed in the home's repository, beside ``.gitignore``."""
LOCAL = {SKILL: GAUGES, NOTE: CUSTOMS, "data/notes/ferry.md": FERRY}
"""What only this machine holds."""
CLONED = {"AGENTS.md": TIDEFEED, "README.md": TIDEFEED_README}
"""The project's files, by their paths below ``PROJECT``."""
