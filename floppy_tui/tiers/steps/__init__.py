"""The cards of each step of a pass, from what was read and what was decided so far."""

from __future__ import annotations

from floppy_tui.tiers.cards import Card
from floppy_tui.tiers.deck import Deck
from floppy_tui.tiers.steps.clocks import decay, reinforce
from floppy_tui.tiers.steps.ending import apply
from floppy_tui.tiers.steps.filing import file
from floppy_tui.tiers.steps.offloading import relocate
from floppy_tui.tiers.steps.opening import account, read, retain
from floppy_tui.tiers.steps.reduction import consolidate, reduce


def all_cards(deck: Deck) -> tuple[Card, ...]:
    """The cards of every step, in order."""
    steps = (account, read, retain, reinforce, decay, consolidate, reduce, relocate, file, apply)
    return tuple(card for step in steps for card in step(deck))
