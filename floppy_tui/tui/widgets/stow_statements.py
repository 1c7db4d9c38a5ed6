"""The statements that a finding may repeat or supersede: a short list, of which one is chosen by its id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

from textual import events
from textual.app import RenderResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from floppy_tui.tiers.document import Entry
from floppy_tui.tiers.markers import Tier
from floppy_tui.tui import display
from floppy_tui.tui.display import TierMark


class Alike(NamedTuple):
    """A statement of the memory and how much it is like the finding, in percent."""

    entry: Entry
    score: float | None
    """None where it was chosen and is not among the most alike any more."""


class Statements(Widget, can_focus=True):
    """The list; arrows and clicks choose, and the one chosen stays so while the others change."""

    DEFAULT_CSS = """
    Statements { height: auto; }
    Statements:focus { background: $boost; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "by(-1)", "the one before", show=False),
        Binding("down,j", "by(1)", "the next one", show=False),
    ]

    class Chosen(Message):
        """Another statement was chosen."""

        def __init__(self, entry: str) -> None:
            super().__init__()
            self.entry = entry
            """Its id."""

    def __init__(self, marks: Mapping[Tier, TierMark], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._marks = marks
        self.alike: Sequence[Alike] = ()
        self.chosen = ""
        """The id of the one chosen, ``""`` for none."""

    def show(self, alike: Sequence[Alike], chosen: str) -> None:
        """Show these, most alike first."""
        if (list(alike), chosen) != (list(self.alike), self.chosen):
            self.alike, self.chosen = tuple(alike), chosen
            self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return max(1, len(self.alike))

    def render(self) -> RenderResult:
        if not self.alike:
            return Content.styled("  No statement of the memory is like it.", "$text-muted")
        width = self.content_size.width
        return Content("\n").join(self._line(one, width) for one in self.alike)

    def _line(self, one: Alike, width: int) -> Content:
        entry, here = one.entry, one.entry.id == self.chosen
        mark = self._marks[Tier.PINNED if entry.pinned else entry.tier]
        score = f"{one.score:3.0f}%" if one.score is not None else "   –"
        where = f"{entry.file.removeprefix('data/')}:{entry.lines[0]}"
        head = display.joined(
            ("▸ " if here else "  ", "bold"),
            (f"{score} ", "$text-muted"),
            (f"{mark.short} ", mark.style),
            (f"{where}  ", "$text-muted"),
        )
        words = display.line(entry.first_line, max(8, width - head.cell_length), "bold" if here else "")
        return (head + words).truncate(max(1, width))

    def action_by(self, step: int) -> None:
        ids = [one.entry.id for one in self.alike]
        if ids:
            at = ids.index(self.chosen) + step if self.chosen in ids else 0
            self.post_message(self.Chosen(ids[min(max(at, 0), len(ids) - 1)]))

    def on_click(self, event: events.Click) -> None:
        row = event.get_content_offset_capture(self).y
        if 0 <= row < len(self.alike):
            self.post_message(self.Chosen(self.alike[row].entry.id))
