"""The steps of a pass and their cards: one proposal each, with its reason, effect and possible decisions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from floppy_tui.tiers.decisions import Decision, Do


class Step(IntEnum):
    """The steps of a pass, in order."""

    ACCOUNT = 1
    READ = 2
    RETAIN = 3
    REINFORCE = 4
    DECAY = 5
    CONSOLIDATE = 6
    REDUCE = 7
    RELOCATE = 8
    FILE = 9
    APPLY = 10
    RECEIPT = 11

    @property
    def title(self) -> str:
        """The step's name on screen."""
        return self.name.capitalize()


class Verb(StrEnum):
    """How a card is decided; the screen gives each verb one key."""

    ACCEPT = "accept"
    """Take a proposal that removes nothing."""
    LEAVE = "leave"
    """Let something leave the memory: always asks for its reason and a confirmation."""
    STAY = "stay"
    EVIDENCE = "evidence"
    EDIT = "edit"
    RETIER = "retier"


@dataclass(frozen=True, slots=True)
class Offer:
    """One possible decision of a card; ``needs`` names the fields that the captain fills in first."""

    verb: Verb
    label: str
    """Verb in words, such as ``archive`` or ``grace``."""
    decision: Decision
    needs: tuple[str, ...] = ()
    """Of ``evidence``, ``reason``, ``text``, ``tier``, ``verdict``, ``trigger``; or a form: ``move``,
    ``finding``, ``record``."""
    effect: int = 0
    """Estimated tokens of the file after it, less those before it."""


@dataclass(frozen=True, slots=True)
class Card:
    """One proposal of a step."""

    key: str
    """Stable while the pass lasts: step, kind and what it is about."""
    step: Step
    kind: str
    """One of the names in ``KINDS``."""
    title: str
    """What is proposed, one line; may quote entry text (untrusted)."""
    why: str
    """Its evidence or reason: full sentences, may quote entry text (untrusted)."""
    file: str = ""
    entries: tuple[str, ...] = ()
    """Ids of the entries that it is about."""
    heading: tuple[str, ...] = ()
    """The section that it is about."""
    offers: tuple[Offer, ...] = ()
    accept: str = ""
    """The kind under which ``--accept`` takes its proposal, ``""`` where it never does."""
    decided: Decision | None = None
    blocks: bool = False
    """Whether leaving it open keeps the pass from being reset-safe."""
    optional: bool = False
    """Whether it may be decided and does not wait for it."""

    @property
    def open(self) -> bool:
        """Whether it waits for a decision."""
        return bool(self.offers) and self.decided is None and not self.optional

    @property
    def proposal(self) -> Offer | None:
        """What the engine proposes: the first offer, where it needs nothing more than a confirmation."""
        return self.offers[0] if self.offers and set(self.offers[0].needs) <= {"reason"} else None

    def offer(self, verb: Verb, do: Do | None = None) -> Offer | None:
        """The first offer with this verb (and this decision), if any."""
        return next((o for o in self.offers if o.verb is verb and do in (None, o.decision.do)), None)


KINDS = {
    "budget": "what the memory costs",
    "exception": "something that keeps the pass from being reset-safe",
    "file": "a memory file as it was found",
    "pointer": "a header pointer that is missing or outdated",
    "routed": "a change that the owner of a read-only file has to make",
    "finding": "a malformed marker or other oddity, with its repair where there is one",
    "retain": "the retention plan, one row an entry",
    "reinforce": "a dated entry that this session may have confirmed",
    "unmarked": "an unmarked entry: evidence or one grace cycle",
    "section": "a section of unmarked entries: take it as one or each by itself",
    "stale": "a stale dated entry",
    "condition": "a stale perishable entry and its condition",
    "legacy": "an entry whose grace cycle is over",
    "duplicate": "the same statement twice",
    "near": "nearly the same statement twice",
    "long": "a long entry that could say it shorter",
    "low-utility": "an entry marked as of low utility",
    "evict": "an aging entry, oldest first, for the budget",
    "no-convergence": "the budget cannot be reached by eviction",
    "offload": "a conditional aging entry that a live owner could hold",
    "owners": "why no entry can be offloaded now",
    "learned": "a finding of this session, or the invitation to hand one over",
    "relocate": "a pinned entry that could be proposed to live elsewhere",
    "record": "an open record, or the invitation to hand one over",
    "apply": "the whole change",
}
"""What each kind of card is about."""
ACCEPTABLE = ("headers", "repairs", "grace", "stale", "legacy", "conditions", "eviction")
"""What ``--accept`` can name, in the order of the steps."""
