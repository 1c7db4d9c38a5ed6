"""Lines of a detail pane, put together part by part and wrapped to a width."""

from __future__ import annotations

from textual.content import Content
from textual.style import Style

from floppy_tui.tui import display

MOST = 10_000
"""Characters of one text that a pane shows."""
FAINT = "$text-muted"
HEADING = "bold $text-accent"
Part = str | Content | tuple[str, str | Style]


class Page:
    """Lines of at most ``width`` cells."""

    def __init__(self, width: int) -> None:
        self.width = max(width, 1)
        self.lines: list[Content] = []

    def add(self, *parts: Part, indent: int = 0) -> Page:
        """A paragraph; further lines of it are indented by ``indent`` cells."""
        whole = display.joined(*parts)
        for paragraph in whole.split("\n", allow_blank=True):
            wrapped = paragraph.wrap(max(self.width - indent, 8)) or [Content("")]
            for n, line in enumerate(wrapped):
                self.lines.append(Content(" " * indent) + line if n and indent else line)
        return self

    def labelled(self, label: str, *parts: Part) -> Page:
        """A paragraph after a faint label."""
        return self.add((f"{label} ", FAINT), *parts, indent=2)

    def heading(self, text: str) -> Page:
        """A blank line and a heading."""
        return self.blank().add((text, HEADING))

    def blank(self) -> Page:
        """A blank line."""
        self.lines.append(Content(""))
        return self

    def step(self, number: int, title: str, command: str, result: str, *, ok: bool) -> Page:
        """A step that ran: what it was, whether it went well, its command and what that gave."""
        sign, style = ("✓", "$text-success") if ok else ("✗", "$text-error")
        self.add((f"{sign} {number} ", f"bold {style}"), (title, "bold"), indent=4)
        if command:
            self.add((f"    $ {command}", "$text-accent"), indent=6)
        for line in result.rstrip("\n").split("\n") if result else ():
            # Git writes its progress over itself; the last is what a terminal would show.
            line = line.rstrip("\r").rpartition("\r")[2]
            self.add((f"    {line}", "" if ok else "$text-error"), indent=6)
        return self

    def body(self, text: str, *, raw: bool) -> Page:
        """Untrusted text, laid out as Markdown or as it stands; of a very long one, its beginning."""
        more = len(text) - MOST
        text = text[:MOST]
        self.add(display.content(text.rstrip("\n")) if raw else display.markdown(text, self.width))
        if more > 0:
            self.add((f"… {display.counted(more, 'more character')}; the file holds them all.", FAINT))
        return self
