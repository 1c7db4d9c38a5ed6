"""What the pass is told of the places where an entry could live instead of the memory.

The offload room knows the rules and gives a ``Scope``; the pass asks it and names nothing of its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple, Protocol

from floppy_tui.tiers.decisions import Move
from floppy_tui.tiers.document import Entry
from floppy_tui.tiers.markers import Tier


class PlaceKind(StrEnum):
    """What a destination is."""

    NOTE = "note"
    """A local on-demand note below ``data/``."""
    SKILL = "skill"
    """A local skill that is there: ``.agents/skills/<name>/SKILL.md``."""
    NEW_SKILL = "new-skill"
    """A local skill still to be made, by an approved migration only."""
    PROJECT = "project"
    """A project's committed ``AGENTS.md``, by a ship task only."""
    PROJECT_SKILL = "project-skill"
    """A skill in a project's own repository, by a ship task only."""


@dataclass(frozen=True, slots=True)
class Place:
    """One destination and what is known of it."""

    path: str
    """Below the home, such as ``.agents/skills/tides/SKILL.md``."""
    name: str
    """What the captain types to approve it."""
    kind: PlaceKind | None
    """None where the path can be no destination at all."""
    refused: str = ""
    """Why nothing goes there, as a sentence; ``""`` where something may."""
    live: bool = False
    """Whether it is there and can be given a quote right now."""
    private: bool = True
    """Whether what goes there stays on this machine."""
    privacy: str = ""
    """Its privacy and visibility, in words."""
    trigger: str = ""
    """When it is read, in its own words."""
    text: str | None = None
    """What it holds, where it is there and readable."""


@dataclass(frozen=True, slots=True)
class Stands:
    """How an entry stands, as the decisions of a pass so far leave it."""

    editable: bool
    tier: Tier
    """Pinned for whatever is never asked for its clock."""
    dated: bool
    stale: bool
    frozen: bool = False
    """Whether its marker cannot be read."""
    alone: bool = True
    """Whether no other entry stands inside it."""


class Tested(NamedTuple):
    """One test of a candidate."""

    name: str
    """``editable``, ``durable``, ``authority``, ``conditional``, ``fat``, ``destination`` or ``unheld``."""
    passes: bool
    why: str
    """The verdict in a sentence."""


class Scope(Protocol):
    """The places of one home and the proposals under way; pure, made from one look at the disk."""

    @property
    def places(self) -> tuple[Place, ...]:
        """The places that exist, those allowed first; each refused one with its reason."""

    @property
    def pending(self) -> frozenset[str]:
        """Identities (without suffix) of entries with a proposal that is neither rejected nor migrated."""

    @property
    def rejected(self) -> frozenset[str]:
        """Identities of entries that the captain let stay: they are not offered again unasked."""

    def place(self, path: str) -> Place:
        """What is known of the destination that ``path`` spells (a bare name is a local skill)."""

    def trigger(self, entry: Entry) -> str:
        """A trigger from the entry's own words, ``""`` where they name none."""

    def suggested(self, entry: Entry) -> Move:
        """A proposal for an entry: trigger, the path of a new local skill, description line, privacy."""

    def tests(self, entry: Entry, stands: Stands, move: Move, *, autonomous: bool) -> tuple[Tested, ...]:
        """Every test with its verdict: ``autonomous`` for the pass's own act, else for a proposal."""

    def added(self, place: Place, quote: str) -> str:
        """The text of a live place with ``quote`` in it; its own text where it holds it already.

        Raises ``ValueError`` with a sentence where it cannot be put in so that it is read as it stands.
        """

    def holds(self, text: str, quote: str) -> bool:
        """Whether ``text`` holds ``quote`` line by line, to the byte but for line ends."""


_WORD = re.compile(r"[^\W\d_]{4,}")
_ANYWHERE = """
    about after again also always another because been before both cannot down each even ever every from
    have here into just like made make more most much must need never next once only other over same
    should since some still such take than that their them then there these they this those time under
    until used very want well were what when where which while whole will with without work working
    would your
"""
_COMMON = frozenset(_ANYWHERE.split())
"""Words that any two statements share."""
_HELD = 4
"""How many words of what a place holds an entry must share where the place's own line shares none."""


def akin(prose: str, place: Place) -> int:
    """How many words an entry shares with a place that is about the same; 0 where it is not.

    It is where the line that it is read by shares one and it holds another, or where it holds several.
    """
    words = _words(prose)
    said, held = words & _words(f"{place.name} {place.trigger}"), words & _words(place.text or "")
    whole = len(said | held)
    return whole if (said and whole > 1) or len(held) >= _HELD else 0


@lru_cache(maxsize=256)
def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold())) - _COMMON
