"""The gauge over the wizard: what the memory cost before, what it costs as planned, and what is allowed."""

from __future__ import annotations

from textual.app import RenderResult
from textual.content import Content
from textual.widget import Widget

from floppy_tui.tiers.stow import Plan
from floppy_tui.tui import display

MINUS = "−"


def count(tokens: int) -> str:
    """Tokens with separators."""
    return f"{tokens:,}"


def change(tokens: int) -> str:
    """Tokens gained or lost, signed: ``+6``, ``−41``, ``±0``."""
    return f"+{count(tokens)}" if tokens > 0 else f"{MINUS}{count(-tokens)}" if tokens else "±0"


class StowGauge(Widget):
    """Two lines: the numbers in words, and a bar in which a bold line stands for the allowance."""

    DEFAULT_CSS = """
    StowGauge { height: 2; padding: 0 1; background: $panel; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.plan: Plan | None = None

    def show(self, plan: Plan | None) -> None:
        """Show what ``plan`` comes to."""
        if plan is not self.plan:
            self.plan = plan
            self.refresh()

    def render(self) -> RenderResult:
        plan = self.plan
        if plan is None:
            return Content.styled("Working out the plan …", "$text-muted")
        width = self.content_size.width
        return Content("\n").join([self._words(plan, width), self._bar(plan, width)])

    def _words(self, plan: Plan, width: int) -> Content:
        before, planned = plan.snapshot.total, plan.total
        allowance = plan.snapshot.allowance
        allowed = allowance.tokens
        if not allowance.digits:
            limit, verdict, style = "no usable allowance", "", "$text-error"
        else:
            digits = count(allowed) if allowed is not None else display.one_line(allowance.digits, 12)
            limit = f"allowance {digits}"
            if plan.within_budget:
                left = f"{count(allowed - planned)} left" if allowed is not None else ""
                verdict, style = " · ".join(("within budget", left)).removesuffix(" · "), "$text-success"
            else:
                verdict, style = f"OVER by {count(plan.shortfall)}", "bold $text-error"
        parts: list[tuple[str, str]] = [
            (f"before {count(before)}", ""),
            (f" → planned {count(planned)}", "bold"),
            (f" ({change(planned - before)})", ""),
            (f" · {limit}", ""),
            (f" · {verdict}" if verdict else "", style),
        ]
        words = Content.assemble(*parts)
        if words.cell_length > width:
            short = [
                (f"{count(before)}→{count(planned)}", "bold"),
                (f" of {limit.split()[-1]} ", ""),
                (verdict, style),
            ]
            words = Content.assemble(*short).truncate(width, ellipsis=True)
        return words

    def _bar(self, plan: Plan, width: int) -> Content:
        before, planned = plan.snapshot.total, plan.total
        allowed = plan.snapshot.allowance.tokens
        scale = max(before, planned, allowed or 0, 1)
        room = max(1, width - 1)

        def cells(tokens: int) -> int:
            return -(-tokens * room // scale)

        filled, was = cells(planned), cells(before)
        limit = cells(allowed) if allowed is not None else None
        parts: list[tuple[str, str]] = []
        for at in range(width):
            if limit is not None and at == limit:
                parts.append(("┃", "bold"))
            elif at < filled:
                over = limit is not None and at > limit
                parts.append(("█", "$error" if over else "$success" if plan.within_budget else "$warning"))
            elif at < was:
                parts.append(("░", "$text-muted"))
            else:
                parts.append((" ", ""))
        return Content.assemble(*parts)
