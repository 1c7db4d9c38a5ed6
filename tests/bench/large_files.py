"""Memory files of any size, the same each time, in the shapes that real ones have."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import cycle, islice

WORDS = (
    "gate lamp barge mill rope daemon slot branch never restart while runs are active because the cache "
    "keeps stale state until the lock file goes and a worker must create its own task branch before editing"
)
FIRST_DAY = date(2026, 7, 1)


def entries(count: int) -> list[str]:
    """``count`` list items: most of one line, some wrapped, some with nested items, each its own words."""
    words = cycle(WORDS.split())
    made = []
    for n in range(count):
        day = (FIRST_DAY + timedelta(days=n % 90)).isoformat()
        mark = (f" <!--a:{day}-->", f" <!--p:{day}/2-->", " <!--P-->", "", f" <!--a:{day}-->")[n % 5]
        lead = f"{n} {' '.join(islice(words, 9 + n % 7))}"
        if n % 10 == 3:
            made.append(f"- {lead}\n  {' '.join(islice(words, 12))}\n  {' '.join(islice(words, 8))}.{mark}\n")
        elif n % 10 == 7:
            nested = "".join(f"  - {' '.join(islice(words, 7))}\n" for _ in range(3))
            made.append(f"- {lead}:{mark}\n{nested}")
        else:
            made.append(f"- {lead} (see `slot-{n}`).{mark}\n")
    return made


def learnings(count: int) -> bytes:
    """A file of ``count`` entries under a heading for every twenty, a fence or a table now and then."""
    parts = ["# Learnings\n<!-- memory tiers: see the stow skill -->\n"]
    for n, entry in enumerate(entries(count)):
        if n % 20 == 0:
            parts.append(f"\n## Topic {n // 20}\n\n")
        if n % 100 == 50:
            parts.append("\n```sh\ngit switch -c task\n```\n\n")
        if n % 100 == 90:
            parts.append("\n| what | where |\n| --- | --- |\n| lamp | gate |\n\n")
        parts.append(entry)
    return "".join(parts).encode()


def learnings_of(size: int) -> bytes:
    """A file of at least ``size`` bytes and hardly more."""
    count = 1000
    while len(data := learnings(count)) < size:
        count = count * size // len(data) + 1
    return data
