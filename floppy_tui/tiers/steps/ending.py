"""Step 10: the whole change."""

from __future__ import annotations

from collections.abc import Iterator

from floppy_tui.tiers.cards import Card, Step
from floppy_tui.tiers.deck import Deck


def apply(deck: Deck) -> Iterator[Card]:
    """The whole change."""
    yield Card(
        "apply:change",
        Step.APPLY,
        "apply",
        "The whole change",
        f"{deck.snapshot.total} estimated tokens before, {deck.total} after.",
    )
