"""The restore dialog: which tier an archived item gets back in its file, and what confirmed it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from floppy_tui.tiers.archive_item import ArchivedItem
from floppy_tui.tiers.archive_search import restorable
from floppy_tui.tiers.decisions import evidence_problem
from floppy_tui.tiers.layout import FILES
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tui import display
from floppy_tui.tui.commands import Commanded, bindings
from floppy_tui.tui.memory_rows import short_name
from floppy_tui.tui.widgets.choice import Choice

TIERS = (Tier.PINNED, Tier.AGING, Tier.PERISHABLE)


@dataclass(frozen=True)
class Restoring:
    """What the captain confirmed."""

    item: ArchivedItem
    evidence: str
    tier: Tier


class RestoreScreen(Commanded, ModalScreen[Restoring | None]):
    """Dismissed with what to restore, or None."""

    WHERE = "restore"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("restore")]

    def __init__(self, item: ArchivedItem, snapshot: Snapshot) -> None:
        super().__init__()
        self._item = item
        self._prose, self._warnings = restorable(item)
        names = [file.path for file in snapshot.files if file.editable or file.document is None]
        self._files = tuple(name for name in FILES if name in names)
        source = f"data/{item.source.rsplit('/', 1)[-1]}"
        self._source = source if source in FILES else ""
        """The file it came from; ``""`` where that is none of the memory's."""

    def compose(self) -> ComposeResult:
        tiers = [str(tier) for tier in TIERS]
        with Vertical() as box:
            box.border_title = Content("Restore from the archive")
            with VerticalScroll(classes="quote", can_focus=False):
                yield Static(display.content(self._prose))
            if self._warnings:
                yield Static(display.content("\n".join(self._warnings), "$text-warning"))
            if self._source:
                yield Static(display.content(f"goes back to {self._source}"), classes="hint")
            else:
                yield Choice("file", [short_name(name) for name in self._files], "learnings", id="file")
            chosen = self._item.tier if self._item.tier in tiers else str(Tier.AGING)
            yield Choice("tier", tiers, chosen, id="tier")
            yield Input(
                placeholder="evidence: what in this session confirmed it?", compact=True, id="evidence"
            )
            yield Static("", classes="problem")
            yield Static(
                Content("tab moves, ←/→ choose, enter in the evidence restores, esc does not"), classes="hint"
            )

    def on_mount(self) -> None:
        self.query_one("#evidence", Input).focus()

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self.query_one(".problem", Static).update("")

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        problem = evidence_problem(event.value, self._prose)
        if not self._prose:
            problem = "The item holds no text to put back."
        if problem:
            self.query_one(".problem", Static).update(display.content(problem, "$text-error"))
            return
        item = self._item
        if not self._source:
            name = self.query_one("#file", Choice).value
            item = replace(item, source=next(f for f in self._files if short_name(f) == name).split("/")[-1])
        tier = Tier(self.query_one("#tier", Choice).value)
        self.dismiss(Restoring(item, event.value.strip(), tier))

    def do_close(self) -> None:
        self.dismiss(None)
