"""The sample backlog, as the fleet's task tool writes it: what the memory waits for and what came of it."""

from __future__ import annotations

from floppy_tui.store.proposals import HELD, ITEM, TITLE

ABOVE = """\
# Backlog

What the fleet is at. The task tool keeps it; a line of one's own is left alone.

## In flight
- [ ] solver-dredging-k4 - Berths closed for dredging count as occupied (repo: berthplan) (kind: ship) \
(since {-6})
  The two golden files that change are the right ones: the office at Ostrów compared them.
- [ ] 412 - The solver cache survives a deploy (repo: berthplan) (kind: ship) (since {-2})
## Queued
"""
"""Up to where the queue of proposals stands."""

BELOW = """\
- [ ] gangway.reader_pairing - Pair a badge reader from any tablet (repo: gangway) (kind: scout) (since {-11})
- [ ] tidefeed-retries-q7 - Retries by the new contract blocked-by: 412 (repo: tidefeed) (kind: ship) \
(since {-10})
- [ ] price-freeze - No price changes around the invoice run (kind: docs) (since {-4}) \
(hold: which days the harbour office means) (hold-kind: captain)
- call the office at Łęgowo about the code page, it has no number yet
## Done
- [x] tidefeed-alert-routing-r3 - Alerts for missing readings ring the office too (repo: tidefeed) \
(kind: ship) (done {-2})
- [x] import-missing-voyage-r1 - The missing voyage of berth 4 (repo: manifests) (kind: scout) (done {-71})
"""
"""The rest of it: an item that an entry waits for is done."""


def item(body: str, days: int) -> str:
    """The item that holds the queue of proposals, ``body``, since ``days`` days ago."""
    head = f"- [ ] {ITEM} - {TITLE} (kind: captain) (since {{-{days}}}) (hold: {HELD}) (hold-kind: captain)"
    lines = (f"  {line}" if line else "" for line in body.rstrip("\n").split("\n"))
    return "\n".join((head, *lines, ""))
