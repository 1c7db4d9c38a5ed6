"""The cards of Retain and Reinforce as a list: the retention plan, and what may be confirmed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.message import Message

from floppy_tui.tiers.cards import Card
from floppy_tui.tiers.decisions import Decision, Do, Verdict
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tui import display
from floppy_tui.tui.display import TierMark
from floppy_tui.tui.widgets.rows import HEADER, Column, Rows

RETAIN = (
    Column("place", "#", 4, right=True),
    Column("mark", "mark", 13),
    Column("tier", "tier", 4),
    Column("age", "age", 7, right=True),
    Column("tokens", "tokens", 6, right=True),
    Column("line", "entry", 0),
    Column("file", "file", 16, from_width=90),
)
REINFORCE = (
    Column("picked", "", 3),
    Column("mark", "decided", 13),
    Column("tier", "tier", 4),
    Column("age", "age", 7, right=True),
    Column("tokens", "tokens", 6, right=True),
    Column("line", "entry", 0),
    Column("file", "file", 16, from_width=90),
)

_SAID = {
    Do.REINFORCE: "evidence",
    Do.GRACE: "grace",
    Do.ARCHIVE: "archive",
    Do.EVICT: "archive",
    Do.ARCHIVE_SECTION: "archive",
    Do.RETIER: "retier",
    Do.REWRITE: "rewrite",
    Do.MERGE: "merge",
    Do.KEEP: "stay",
    Do.LOW_UTILITY: "low utility",
    Do.CONDITIONAL: "conditional",
    Do.TAKE_AS_ONE: "as one",
    Do.SPLIT: "split",
    Do.POINTER: "pointer",
    Do.REPAIR: "repair",
    Do.OFFLOAD: "offload",
    Do.PROPOSE: "propose",
    Do.ADD: "new entry",
    Do.ROUTE: "hand over",
}
_RECORDED = {"file": "file record", "correct": "correct record", "leave": "leave record"}


def in_words(decision: Decision) -> str:
    """A decision in a word or two."""
    if decision.do is Do.CONDITION:
        return f"{decision.verdict or Verdict.UNKNOWN}"
    if decision.record is not None:
        return _RECORDED.get(decision.record.action, "record")
    return _SAID.get(decision.do, f"{decision.do}")


class CardSource:
    """Rows made of cards."""

    def __init__(
        self,
        cards: Sequence[Card],
        snapshot: Snapshot,
        selected: frozenset[str],
        marks: Mapping[Tier, TierMark],
    ) -> None:
        self.cards, self.snapshot, self.selected = cards, snapshot, selected
        self._at = {card.key: at for at, card in enumerate(cards)}
        self._marks = marks

    def __len__(self) -> int:
        return len(self.cards)

    def key(self, index: int) -> str:
        """The card's key."""
        return self.cards[index].key

    def index(self, key: str) -> int:
        """Where the card with this key stands; -1 where it does not."""
        return self._at.get(key, -1)

    def cells(self, index: int, widths: Sequence[int]) -> Sequence[Content]:
        """The cells of one card; a section's card stands for all its entries."""
        card = self.cards[index]
        entries = [self.snapshot.by_id[i] for i in card.entries if i in self.snapshot.by_id]
        mark = f"✓ {in_words(card.decided)}" if card.decided else ""
        if card.kind == "retain":
            first = Content(str(index + 1))
            mark = "✓ keep" if card.decided and card.decided.do is Do.KEEP else mark
        else:
            first = Content("[×]" if card.key in self.selected else "[ ]" if card.offers else "")
        if len(entries) == 1:
            entry = entries[0]
            tier = self._marks[Tier.PINNED if entry.pinned else entry.tier]
            age = self.snapshot.ages[entry.id]
            about = [
                Content.assemble((tier.short, tier.style)),
                Content("–" if age.days is None else f"{age.days}d{' !' if age.stale else ''}"),
            ]
            line = display.line(entry.first_line, widths[5])
        else:
            about = [Content("§"), Content(f"{len(entries)}×" if entries else "")]
            line = display.line(" › ".join(card.heading) or card.title, widths[5])
        tokens = Content(f"{sum(e.tokens for e in entries):,}" if entries else "")
        file = display.line(card.file.removeprefix("data/"), widths[6])
        return [first, Content.styled(mark, "bold"), *about, tokens, line, file]


class StowRows(Rows, can_focus=False):
    """The list; the session says where its cursor is, a click asks for another place."""

    COMPONENT_CLASSES: ClassVar[set[str]] = set()

    class Picked(Message):
        """A row was clicked."""

        def __init__(self, key: str, toggle: bool) -> None:
            super().__init__()
            self.key = key
            self.toggle = toggle
            """Whether the click was on its box."""

    def show_cards(self, source: CardSource, cursor: str, plan: bool) -> None:
        """Show these cards with the cursor on one of them; ``plan`` where they are the retention plan."""
        self.columns = RETAIN if plan else REINFORCE
        self.source = source
        self.cursor = source.index(cursor)
        self.virtual_size = Size(self.size.width, len(source) + HEADER)
        self.refresh()
        # Scrolling waits for the next refresh, so only then is it known whether the cursor is in view.
        self.call_after_refresh(self._show_cursor)

    def on_click(self, event: events.Click) -> None:
        event.prevent_default()
        index = event.y - HEADER + round(self.scroll_y)
        if event.y >= HEADER and 0 <= index < len(self.source):
            self.post_message(self.Picked(self.source.key(index), event.x < 3))
