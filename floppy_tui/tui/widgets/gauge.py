"""The budget gauge: the total against the allowance, a segment a file, and what a pass would leave."""

from __future__ import annotations

from dataclasses import dataclass

from textual.app import RenderResult
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from floppy_tui.tiers.layout import Status
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tui import display
from floppy_tui.tui.memory_rows import short_name

_GLYPHS = ("█▓▒", "░", "·", "┃")
_ASCII = ("#=+", "-", ".", "|")
"""Segments by file, what a pass would take away, what is free, the allowance."""
_STYLES = ("$text-primary", "$text-accent", "$text-success")
_OVER = "bold $text-error"
_FAINT = "$text-muted"
_NARROWEST_BAR = 20


@dataclass(frozen=True)
class Figures:
    """What the gauge shows."""

    files: tuple[tuple[str, int, str], ...] = ()
    """Name, estimated tokens and remark (``absent``, ``refused``, ``read-only``) of each file."""
    total: int = 0
    allowance: str = ""
    """Its digits; ``""`` where there is no usable one."""
    limit: int | None = None
    within: bool = False
    after: int | None = None
    """The total after the pass that is open."""
    measured: int | None = None
    """The tokenizer's own count, for information."""

    @classmethod
    def of(cls, snapshot: Snapshot, after: int | None = None, measured: int | None = None) -> Figures:
        """The figures of a home."""
        files = []
        for file in snapshot.files:
            name = short_name(file.path)
            remark = "" if file.editable else "read-only"
            files.append((name, file.tokens, remark if file.status is Status.PRESENT else str(file.status)))
        allowance = snapshot.allowance
        return cls(
            tuple(files),
            snapshot.total,
            allowance.digits,
            allowance.tokens,
            snapshot.within_budget,
            after,
            measured,
        )


def grouped(digits: str) -> str:
    """A number's digits in groups of three; very long ones by their first and their count."""
    if len(digits) > 15:
        return f"{digits[:6]}… ({len(digits)} digits)"
    return f"{int(digits):,}"


class Gauge(Widget):
    """Two lines: the bar with the verdict, and the files with what was measured."""

    DEFAULT_CSS = "Gauge { height: 2; text-wrap: nowrap; text-overflow: ellipsis; }"
    figures: reactive[Figures | None] = reactive(None)

    def __init__(self, *, ascii_only: bool = False, id: str | None = None) -> None:
        super().__init__(id=id)
        self._glyphs = _ASCII if ascii_only else _GLYPHS

    def render(self) -> RenderResult:
        figures = self.figures
        if figures is None:
            return Content("")
        verdict = self.verdict(figures)
        bar = self.bar(figures, max(_NARROWEST_BAR, self.size.width - verdict.cell_length - 1))
        return Content("\n").join([bar + " " + verdict, self.legend(figures)])

    def verdict(self, figures: Figures) -> Content:
        """The total, the allowance and how far apart they are, in words."""
        if not figures.allowance:
            return display.joined(f"{figures.total:,} tokens, ", ("no usable allowance", _OVER))
        says = f"{figures.total:,} of {grouped(figures.allowance)} tokens, "
        if figures.limit is None:
            return display.joined(says, ("within budget", "$text-success"))
        apart = abs(figures.limit - figures.total)
        verdict = (f"{apart:,} free", "$text-success") if figures.within else (f"{apart:,} over", _OVER)
        return display.joined(says, verdict)

    def bar(self, figures: Figures, width: int) -> Content:
        """The bar; its whole length is the largest of total, allowance and what the pass would leave."""
        segments, gone, free, mark = self._glyphs
        limit = figures.limit or 0
        scale = max(figures.total, limit, figures.after or 0, 1)
        cells: list[tuple[str, str]] = []
        upto = 0
        for n, (_, tokens, _) in enumerate(figures.files):
            upto += tokens
            end = max(round(upto * width / scale), len(cells) + bool(tokens))
            cells.extend([(segments[n % 3], _STYLES[n % 3])] * (min(end, width) - len(cells)))
        if figures.after is not None:
            after = round(figures.after * width / scale)
            cells[after:] = [(gone, style) for _, style in cells[after:]]
            cells.extend([(gone, _FAINT)] * (after - len(cells)))
        cells.extend([(free, _FAINT)] * (width - len(cells)))
        if limit and limit < scale:
            cells[min(width - 1, round(limit * width / scale))] = (mark, _OVER)
        return Content.assemble(*cells).simplify()

    def legend(self, figures: Figures) -> Content:
        """The files with their segments, then the pass's and the tokenizer's totals."""
        segments, gone, _, _ = self._glyphs
        parts: list[Content] = []
        for n, (name, tokens, remark) in enumerate(figures.files):
            says = f"{tokens:,} {remark}".strip() if tokens or not remark else remark
            parts.append(display.joined((segments[n % 3], _STYLES[n % 3]), f" {name} {says}"))
        if figures.after is not None:
            parts.append(display.joined((gone, _FAINT), f" after the pass {figures.after:,}"))
        if figures.measured is not None:
            parts.append(display.content(f"measured {figures.measured:,}", _FAINT))
        return Content("  ").join(parts)
