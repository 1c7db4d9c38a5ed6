"""The gauges of a note tree: the router against the loader's cut, corpus, longest note, the halves."""

from __future__ import annotations

from typing import NamedTuple

from textual.app import RenderResult
from textual.content import Content
from textual.geometry import Size
from textual.reactive import reactive
from textual.widget import Widget

from floppy_tui.notes.limits import sizes
from floppy_tui.notes.quota import Quota, warns_from
from floppy_tui.tui import display
from floppy_tui.tui.notes_seen import Seen

_GLYPHS = ("█", "░")
_ASCII = ("#", "-")
_FAINT = "$text-muted"
_STATES = {"over": "bold $text-error", "near": "bold $text-warning", "": ""}
_LEAST_BAR, _MOST_BAR = 6, 24
_GAP = 3
_LOW = 30
"""A screen of fewer lines shows three lines of gauges."""
_FEW, _MANY = 3, 7
_LABEL = 18
"""Cells of a name, at most."""


class Item(NamedTuple):
    """One gauge."""

    label: str
    """Untrusted: a half is a directory."""
    used: int
    limit: int | None
    """None where there is no ceiling: only the size is shown."""
    unit: str = ""
    """Said behind the figures where it is not characters."""
    remark: str = ""
    """What that has led to."""

    @property
    def state(self) -> str:
        """``over`` or ``near`` its ceiling, else ``""``."""
        if self.limit is None:
            return ""
        return "over" if self.used > self.limit else "near" if self.used > warns_from(self.limit) else ""

    @property
    def share(self) -> float:
        """How much of the ceiling is used; below 0 where there is none."""
        return -1.0 if self.limit is None else self.used / max(self.limit, 1)


def items(seen: Seen) -> tuple[Item, ...]:
    """The gauges of a reading: router, corpus and longest note first, then the halves, fullest first."""
    tree = seen.tree
    quota, measured = tree.quota or Quota(), sizes(tree)
    found: list[Item] = []
    if tree.cut is not None:
        cut = tree.cut
        remark = f"{display.counted(len(cut.lost), 'pointer')} lost" if cut.over else ""
        found.append(
            Item("MEMORY.md", cut.used, cut.limit, "" if cut.measure == "characters" else cut.measure, remark)
        )
    found.append(Item("corpus", tree.chars, quota.chars_max))
    # Of those that the ceiling is about: one note may be grandfathered, pointers are counted by index.
    found.append(Item("longest note", measured["note_chars_max"], quota.note_chars_max))
    if quota.pointers_max is not None:
        found.append(Item("most pointers", measured["pointers_max"], quota.pointers_max))
    halves = dict.fromkeys(quota.halves, 0) | dict(tree.half_chars)
    found.extend(
        sorted(
            (Item(half, chars, quota.halves.get(half)) for half, chars in halves.items()),
            key=lambda item: (-item.share, -item.used, item.label),
        )
        if len(halves) > 1 or quota.halves
        else ()
    )
    return tuple(found)


class NotesGauges(Widget):
    """The gauges, as many beside each other as fit."""

    DEFAULT_CSS = "NotesGauges { height: auto; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }"
    seen: reactive[Seen | None] = reactive(None, layout=True)

    def __init__(self, *, ascii_only: bool = False, id: str | None = None) -> None:
        super().__init__(id=id)
        self._glyphs = _ASCII if ascii_only else _GLYPHS

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self.lines(width, viewport.height))

    def render(self) -> RenderResult:
        return Content("\n").join(self.lines(self.content_size.width, self.app.size.height))

    def lines(self, width: int, height: int) -> list[Content]:
        """The lines for a width, on a screen of that height."""
        if self.seen is None:
            return [Content(""), Content("")]
        rows = self._packed(list(items(self.seen)), width, _FEW if height < _LOW else _MANY)
        return [self._line(row, width) for row in rows]

    def _packed(self, left: list[Item], width: int, most: int) -> list[list[Item]]:
        """The items by lines; the last one counts those that do not fit, of which none is worse."""
        rows: list[list[Item]] = []
        while left and len(rows) < most:
            row = [left.pop(0)]
            while left and self._least([*row, left[0]]) <= width:
                row.append(left.pop(0))
            rows.append(row)
        while left:
            more = Item(f"+{display.counted(len(left), 'half', 'halves')}", sum(i.used for i in left), None)
            if self._least([*rows[-1], more]) <= width or len(rows[-1]) == 1:
                rows[-1].append(more)
                break
            left.insert(0, rows[-1].pop())
        return rows

    def _least(self, row: list[Item]) -> int:
        bars = sum(_LEAST_BAR + 1 for item in row if item.limit is not None)
        return sum(self._words(item).cell_length for item in row) + bars + _GAP * (len(row) - 1)

    def _line(self, row: list[Item], width: int) -> Content:
        if self._least(row) > width:
            # Words before bars, where one gauge alone is too wide.
            return self._words(row[0]).truncate(width, ellipsis=True)
        with_bar = [item for item in row if item.limit is not None]
        spare = max(0, width - self._least(row)) // max(1, len(with_bar))
        bar = min(_MOST_BAR, _LEAST_BAR + spare)
        line = Content(" " * _GAP).join([self._gauge(item, bar) for item in row])
        return line.truncate(width, ellipsis=True)

    def _gauge(self, item: Item, width: int) -> Content:
        words = self._words(item)
        if item.limit is None:
            return words
        full = min(width, round(width * item.share)) or int(item.used > 0)
        used, free = self._glyphs
        style = _STATES[item.state] or "$text-success"
        return display.joined((used * full, style), (free * (width - full), _FAINT), " ", words)

    def _words(self, item: Item) -> Content:
        label = display.line(item.label, _LABEL, _FAINT)
        if item.limit is None:
            return display.joined(label, f" {item.used:,}")
        figures = f" {item.used:,}/{item.limit:,}" + (f" {item.unit}" if item.unit else "")
        parts: list[Content | tuple[str, str]] = [label, (figures, _STATES[item.state])]
        if item.state:
            parts.append((f" {item.state}", _STATES[item.state]))
        if item.remark:
            parts.append((f", {item.remark}", _STATES["over"]))
        return display.joined(*parts)
