"""Calendar dates as memory files spell them: ``YYYY-MM-DD`` in ASCII digits and nothing else."""

from __future__ import annotations

import re
from datetime import date

SHAPE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")


def parse_date(text: str) -> date | None:
    """The date that ``text`` spells, or None where the shape is wrong or no such day exists."""
    match = SHAPE.fullmatch(text)
    if match is None:
        return None
    try:
        return date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        return None
