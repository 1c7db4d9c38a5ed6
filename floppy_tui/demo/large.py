"""Large sample homes for tests and measurements: the same content for the same numbers, on any machine."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from random import Random

from floppy_tui.demo import home
from floppy_tui.demo.lay import lay
from floppy_tui.tiers.archive_item import Departure, quote
from floppy_tui.tiers.budget import estimate
from floppy_tui.tiers.layout import ALLOWANCE, ARCHIVE, FILES, LEARNINGS
from floppy_tui.tiers.markers import Tier, spell

AREAS = (
    "anchorage", "basin", "berth plan", "bollards", "bridge", "buoys", "crane queue", "customs", "depths",
    "dredging", "ferry ramp", "gangway", "gauges", "invoices", "lock", "manifests", "map view", "moorings",
    "pilots", "plotter", "quay cameras", "reefers", "replica", "scheduler", "seals", "shore power", "signals",
    "simulator", "stowage", "tide table", "tugs", "weather feed",
)  # fmt: skip
WHEN = (
    "after midnight", "at the full hour", "before a restart", "behind the proxy", "below zero", "by default",
    "during a shift", "during a deploy", "for foreign vessels", "for the first hour", "in a draft",
    "in staging", "in the nightly run", "near the limit", "on a cold cache", "on a pool slot",
    "on the replica", "on the slow disk", "under load", "when two crewmates meet", "while a dump runs",
    "while the feed is down", "with an empty table", "with the old export", "without a license",
    "without a timezone", "without warning", "with two screens",
)  # fmt: skip
WHAT = (
    "answers", "badges", "batches", "berths", "bookings", "cables", "columns", "contracts", "counters",
    "credentials", "dashboards", "deadlines", "drafts", "exports", "fixtures", "headers", "heartbeats",
    "indexes", "intervals", "keys", "labels", "leases", "lines", "messages", "migrations", "offsets",
    "orders", "partitions", "permits", "phrases", "plans", "prices", "queries", "readings", "receipts",
    "reports", "retries", "routes", "samples", "schedules", "screenshots", "sessions", "shapes", "snapshots",
    "tables", "tickets", "tiles", "tokens", "units", "vessels", "voyages", "warnings",
)  # fmt: skip
DOES = (
    "are cached", "are cut", "are doubled", "are dropped", "are guessed", "are ignored", "are locked",
    "are lost", "are merged", "are padded", "are queued", "are refused", "are renamed", "are repeated",
    "are reset", "are rounded", "are shifted", "are skipped", "are sorted", "are split", "are swapped",
    "are throttled", "arrive late", "arrive twice", "collide", "drift", "expire", "time out",
)  # fmt: skip
SO = (
    "ask for them again", "ask the office first", "compare by number", "count them before and after",
    "give each its own slot", "keep the raw ones", "leave the old name in place", "look at the log instead",
    "make a copy first", "never trust the total", "order them by receipt", "pin the version",
    "read them from the file", "retry once", "run it twice", "say so in the ticket", "set the limit by hand",
    "start with an empty one", "store both", "strip the suffix", "take the later one", "tell the captain",
    "turn the check off for them", "use the identifier", "wait for the second one", "write the unit down",
)  # fmt: skip

TIERS = [Tier.AGING] * 12 + [Tier.PERISHABLE] * 3 + [Tier.UNMARKED] * 2 + [Tier.PINNED] * 2 + [Tier.GRACE]
"""How often each tier occurs among twenty entries."""
REASONS = ("unreinforced {days}d", "unreinforced {days}d", "budget oldest-first", "low utility: seldom read")
SECTION = 25
"""Entries under one heading."""
PASS = 40
"""Archived items of one pass."""


def build_large(directory: Path, today: date, entries: int, archived: int) -> Path:
    """Lay out a home with exactly ``entries`` entries in ``learnings.md`` and ``archived`` in the archive.

    The captain's files are those of the rich sample; the total is a sixth over the allowance. Returns
    ``directory``; raises like ``build``.
    """
    return lay(directory, files(today, entries, archived))


def files(today: date, entries: int, archived: int) -> dict[str, bytes]:
    """The large home's files by their paths, as ``build_large`` lays them out."""
    found = home.memory(today)
    found[LEARNINGS] = "".join(_learnings(today, entries)).encode()
    found[ARCHIVE] = "".join(_archive(today, archived)).encode()
    total = sum(estimate(len(found[path])) for path in FILES)
    found[ALLOWANCE] = f"{max(1, total * 6 // 7)}\n".encode()
    return found


def _learnings(today: date, entries: int) -> Iterator[str]:
    facts = _facts("learnings")
    chance = Random("markers")
    yield "# Learnings\n<!-- memory tiers: see the stow skill -->\n"
    for number in range(entries):
        if number % SECTION == 0:
            yield f"\n## {AREAS[number // SECTION % len(AREAS)].capitalize()} {number // SECTION + 1}\n\n"
        tier = chance.choice(TIERS)
        last = today - timedelta(days=chance.randrange(45 if tier is Tier.AGING else 12))
        marker = spell(tier, last)
        yield f"- {next(facts)}{' ' if marker else ''}{marker}\n"


def _archive(today: date, archived: int) -> Iterator[str]:
    facts = _facts("archive")
    chance = Random("reasons")
    passes = -(-archived // PASS)
    yield "# Memory archive\n"
    for number in range(archived):
        day = today - timedelta(days=2 * (passes - number // PASS))
        if number % PASS == 0:
            yield f"\n## {day} stow\n"
        tier = chance.choice((Tier.AGING, Tier.AGING, Tier.PERISHABLE))
        days = chance.randrange(30, 50) if tier is Tier.AGING else chance.randrange(7, 15)
        reason = chance.choice(REASONS).format(days=days)
        yield quote(Departure("learnings.md", tier, day - timedelta(days=days), reason, next(facts)))


def _facts(seed: str) -> Iterator[str]:
    """Statements without end, of one to three sentences and a number; every seventh has a line for each."""
    chance = Random(seed)
    number = 0
    while True:
        number += 1
        said = []
        for _ in range(chance.choice((1, 1, 1, 2, 2, 3))):
            thing = f"{chance.choice(AREAS)} {chance.choice(WHAT)}"
            said.append(
                f"{thing.capitalize()} {chance.choice(DOES)} {chance.choice(WHEN)}: {chance.choice(SO)}."
            )
        # Keeps the short ones from being the same by accident.
        said.append(f"Seen in run {chance.randrange(10_000, 100_000)}.")
        yield ("\n  " if number % 7 == 0 else " ").join(said)
