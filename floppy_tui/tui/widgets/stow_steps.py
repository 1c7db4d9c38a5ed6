"""The steps of the pass with what is open and decided in each: a column, or one line where it is narrow."""

from __future__ import annotations

from collections.abc import Mapping

from textual import events
from textual.app import RenderResult
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from floppy_tui.tiers.cards import Step

DONE, HERE = "✓", "▸"


class StowSteps(Widget):
    """All steps; a click goes to one."""

    DEFAULT_CSS = """
    StowSteps { width: 27; height: 1fr; padding: 0 1; background: $panel; }
    """

    class Picked(Message):
        """A step was clicked."""

        def __init__(self, step: Step) -> None:
            super().__init__()
            self.step = step

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.counts: Mapping[Step, tuple[int, int]] = {}
        """Open and decided cards of each step."""
        self.step = Step.ACCOUNT
        self.closed = False
        """Whether the pass is over: then only the receipt can be seen."""

    def show(self, counts: Mapping[Step, tuple[int, int]], step: Step, closed: bool = False) -> None:
        """Show these counts, with the cursor on ``step``."""
        self.counts, self.step, self.closed = counts, step, closed
        self.refresh()

    def render(self) -> RenderResult:
        return self._folded() if self.size.height <= 1 else self._column()

    def _column(self) -> Content:
        lines = []
        for step in Step:
            open_, decided = self.counts.get(step, (0, 0))
            here = step is self.step
            name = f"{HERE if here else ' '} {step:>2} {step.title}"
            state = f"{open_} open" if open_ else f"{decided} {DONE}" if decided else ""
            if open_ and decided:
                state = f"{open_} open {decided} {DONE}"
            room = max(1, self.content_size.width - len(name))
            style = "bold reverse" if here else "$text-muted" if not open_ else ""
            lines.append(Content.assemble((name + state.rjust(room), style)))
            if step in (Step.READ, Step.FILE):
                lines.append(Content(""))
        return Content("\n").join(lines)

    def _folded(self) -> Content:
        parts: list[tuple[str, str]] = []
        for step in Step:
            text, style = self._short(step)
            parts += [(text, style), (" ", "")]
        return Content.assemble(*parts).truncate(max(1, self.content_size.width))

    def _short(self, step: Step) -> tuple[str, str]:
        open_, decided = self.counts.get(step, (0, 0))
        if step is self.step:
            said = f" {open_} open" if open_ else ""
            said += f" {decided} {DONE}" if decided else ""
            return f"{HERE} {int(step)} {step.title}{said} ", "bold reverse"
        mark = f":{open_}" if open_ else DONE if decided else ""
        return f"{int(step)}{mark}", "" if open_ else "$text-muted"

    def on_click(self, event: events.Click) -> None:
        step = self._at(event.get_content_offset_capture(self).x, event.get_content_offset_capture(self).y)
        if step is not None:
            self.post_message(self.Picked(step))

    def _at(self, x: int, y: int) -> Step | None:
        if self.size.height > 1:
            row = y - (y > 2) - (y > 10)
            return Step(row + 1) if 0 <= row < len(Step) and y not in (2, 10) else None
        start = 0
        for step in Step:
            start += len(self._short(step)[0]) + 1
            if x < start:
                return step
        return None
