"""Steps 8 to 10: what is still to come, and the whole change."""

from __future__ import annotations

from collections.abc import Iterator

from floppy_tui.tiers.cards import Card, Step
from floppy_tui.tiers.deck import Deck


def later(deck: Deck) -> Iterator[Card]:
    """The steps whose work comes with a later release."""
    yield Card(
        "relocate:later",
        Step.RELOCATE,
        "later",
        "Relocating pinned entries is still to come",
        "Proposals for pinned entries that are needed only in one context come with a later release; "
        "nothing is moved until then.",
    )
    yield Card(
        "file:later",
        Step.FILE,
        "later",
        "Filing findings and open records is still to come",
        "New facts are written by hand or by an agent for now, and picked up as unmarked entries.",
    )


def apply(deck: Deck) -> Iterator[Card]:
    """The whole change."""
    yield Card(
        "apply:change",
        Step.APPLY,
        "apply",
        "The whole change",
        f"{deck.snapshot.total} estimated tokens before, {deck.total} after.",
    )
