"""Memory files of any size, the same each time, in the shapes that real ones have."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import count, islice

SMALL = "the gate of never while because until after a lamp before and".split()  # noqa: SIM905
SYLLABLES = "ba ri mo lu ten gar vi sho ke dal op un is ter fa ne wo cra mil est".split()  # noqa: SIM905
FIRST_DAY = date(2026, 7, 1)


def word(n: int) -> str:
    """One of some thousands of words, every third a small one, as prose has them."""
    if n % 3 == 0:
        return SMALL[n // 3 % len(SMALL)]
    mixed = n * 2654435761 >> 5
    return "".join(SYLLABLES[(mixed >> shift) % len(SYLLABLES)] for shift in (0, 7, 14)[: 2 + mixed % 2])


def entries(number: int, start: int = 0) -> list[str]:
    """``number`` list items: most of one line, some wrapped, some with nested items.

    No two say the same but for every fiftieth, which says again what the one before it says. ``start``
    gives another file other words.
    """
    words = map(word, count(start * 97))
    made: list[str] = []
    for n in range(number):
        day = (FIRST_DAY + timedelta(days=n % 90)).isoformat()
        mark = (f" <!--a:{day}-->", f" <!--p:{day}/2-->", " <!--P-->", "", f" <!--a:{day}-->")[n % 5]
        lead = " ".join(islice(words, 9 + n % 7))
        if n % 50 == 49:
            made.append(made[-1].replace("(see", "once more (see"))
        elif n % 10 == 3:
            made.append(f"- {lead}\n  {' '.join(islice(words, 12))}\n  {' '.join(islice(words, 8))}.{mark}\n")
        elif n % 10 == 7:
            nested = "".join(f"  - {' '.join(islice(words, 7))}\n" for _ in range(3))
            made.append(f"- {lead}:{mark}\n{nested}")
        else:
            made.append(f"- {lead} (see `slot-{n}`).{mark}\n")
    return made


def learnings(number: int, start: int = 0) -> bytes:
    """A file of ``number`` entries under a heading for every twenty, a fence or a table now and then."""
    parts = ["# Learnings\n<!-- memory tiers: see the stow skill -->\n"]
    for n, entry in enumerate(entries(number, start)):
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
    number = 1000
    while len(data := learnings(number)) < size:
        number = number * size // len(data) + 1
    return data
