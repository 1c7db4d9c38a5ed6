"""The pinned half of the sample memory: what the captain prefers and where authority ends."""

from __future__ import annotations

CAPTAIN = """\
# Captain

How I want to be worked with. When something here surprises me, ask before you change it.

## Working style

Answer first, reasons after, and no more than fits on my phone while I stand on a quay. Say plainly what you \
did not check. I would rather read “I don’t know yet” than a good guess.

## Authority

- Merging to `main` of berthplan is mine alone, also at night, also when everything is green.
- Nothing that a harbour office can see goes out during a crane shift (06:00 to 14:00).
- Spend up to 40 a month on a tool without asking; above that, write me two sentences.
- Customer data stays in the country it was made in. No exception, no “just for debugging”.

## Who decides

| matter | you alone | ask me |
| --- | --- | --- |
| dependency bump, patch level | yes | |
| new dependency | | yes |
| schema change | | yes |
| wording of a log line | yes | |

## Quiet hours

Between 21:00 and 06:30 only a stopped crane or a lost manifest may ring.
"""
"""No header pointer: the pass proposes to add one."""

SHARED = """\
# Captain, for every home
<!-- memory tiers: see the curate skill -->

- Commit messages say why; what is in the diff needs no sentence.
- Never rewrite the history of a branch that another crewmate has checked out.
- Times are written in UTC in logs and in harbour time in anything a person reads.
- A secondmate reports to its primary before it reports to me.
"""
"""Its header pointer names an owner of long ago: the pass proposes to correct it."""
