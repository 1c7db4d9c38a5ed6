"""Numbers as a sentence says them."""

from __future__ import annotations


def counted(count: int, one: str, many: str = "") -> str:
    """A number with its word: ``1 entry``, ``2,000 entries``."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
