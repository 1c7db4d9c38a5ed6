"""An act on the notes as it is shown before it is done: what it is, what to know, every line it changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from floppy_tui.notes.planned import Impossible, Planned
from floppy_tui.notes.preview import FileStatus, difference
from floppy_tui.store.files import StoreError
from floppy_tui.tui import display
from floppy_tui.tui.commands import bindings
from floppy_tui.tui.screens.act import ActScreen, keys
from floppy_tui.tui.widgets.detail import Detail
from floppy_tui.tui.widgets.page import FAINT, Page
from floppy_tui.tui.widgets.stow_diff import STYLES, lines_of, wrapped

if TYPE_CHECKING:
    from floppy_tui.notes.tree import Tree
    from floppy_tui.store.note_tree import NoteStore

Make = Callable[["Tree"], Planned]
"""Plans an act on a reading of the tree; raises ``Impossible``."""
_WORDS = {
    FileStatus.NEW: "new file",
    FileStatus.REMOVED: "removed",
    FileStatus.CHANGED: "changed",
    FileStatus.MOVED: "moved",
}


class PlanScreen(ActScreen):
    """Dismissed with what was done, or None; ``made`` is the act as it was done."""

    WHERE = "plan"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("plan")]

    class Replanned(Message):
        """Files changed meanwhile; this is the act on what they hold now, or why there is none any more."""

        def __init__(self, planned: Planned | None, why: str) -> None:
            super().__init__()
            self.planned = planned
            self.why = why

    class Held(Message):
        """Somebody wraps; an abandoned lock may be taken over."""

        def __init__(self, why: str, abandoned: bool) -> None:
            super().__init__()
            self.why = why
            self.abandoned = abandoned

    def __init__(self, store: NoteStore, planned: Planned, make: Make) -> None:
        super().__init__()
        self.store = store
        self.made = planned
        self._make = make
        self._abandoned = False
        self._changed = False
        """Whether it is another than that which was shown first; enter may have been pressed for that one."""
        self._laid: tuple[Planned, int, Sequence[Content]] | None = None

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = display.line(capital(self.made.act), 70)
            yield Detail()
            yield Static("", classes="problem")
            yield Static("", classes="hint")

    def on_mount(self) -> None:
        pane = self.query_one(Detail)
        pane.show(self.lines, top=True)
        pane.focus()
        self._show_hint()

    def _show_hint(self) -> None:
        does = ("ctrl+s", "does it as it is now") if self._changed else ("enter", "does it")
        offered = [does, ("esc", "does not"), ("j k", "scroll")]
        if self._abandoned:
            offered.insert(0, ("T", "takes the lock over and does it"))
        self.query_one(".hint", Static).update(keys(*offered))

    def lines(self, width: int) -> Sequence[Content]:
        """What the pane shows."""
        if self._laid is None or self._laid[:2] != (self.made, width):
            self._laid = self.made, width, plan_lines(self.made, width)
        return self._laid[2]

    @work(thread=True, group="notes-act", exit_on_error=False, description="apply")
    def _apply(self, planned: Planned, take_over: bool) -> None:
        from floppy_tui.store.transaction import Conflict
        from floppy_tui.store.wrap_lock import Abandoned, Wrapped

        try:
            self.store.apply(planned, take_over=take_over)
        except (Wrapped, Abandoned) as held:
            self.post_message(self.Held(f"{held}.", isinstance(held, Abandoned)))
        except Conflict:
            try:
                again = self._make(self.store.read())
            except (Impossible, StoreError) as why:
                self.post_message(self.Replanned(None, str(why)))
            else:
                self.post_message(self.Replanned(again, ""))
        except StoreError as why:
            self.post_message(self.Refused(str(why)))
        else:
            self.post_message(self.Done(f"Done: {planned.act}."))

    @on(Held)
    def _held(self, message: Held) -> None:
        message.stop()
        self.busy = False
        self._abandoned = message.abandoned
        self.tell(message.why)
        self._show_hint()

    @on(Replanned)
    def _replanned(self, message: Replanned) -> None:
        message.stop()
        self.busy = False
        if message.planned is None:
            self.tell(f"Files changed meanwhile, and it cannot be done any more: {message.why}")
            return
        self.made, self._changed = message.planned, True
        self._show_hint()
        self.query_one(Detail).show(self.lines, top=True)
        self.tell("Files changed meanwhile: this is what it does to what they hold now.", "$text-warning")

    def why_not(self, name: str) -> str:
        acts = name in ("confirm", "again", "take_over")
        if acts and not self.made.edits:
            return "There is nothing to change: it is so already."
        if name == "confirm" and self._changed and not self.busy:
            return "It is another act than the one that was shown first; look at it, then ctrl+s does it."
        if name == "again" and not self._changed:
            return "It was shown once, and is still that: enter does it."
        if name == "take_over" and not self._abandoned:
            return "No abandoned lock stands in the way."
        return super().why_not("close" if acts else name)

    def _carry(self, take_over: bool) -> None:
        self.busy = True
        self.tell("A moment …", "$text-muted")
        self._apply(self.made, take_over)

    def do_confirm(self) -> None:
        self._carry(False)

    def confirm_once(self) -> None:
        """Do it, where nobody was faster."""
        if not self.busy and not self._changed:
            self._carry(False)

    def do_again(self) -> None:
        self._carry(False)

    def do_take_over(self) -> None:
        self._carry(True)


def plan_lines(planned: Planned, width: int) -> Sequence[Content]:
    """An act in lines of at most ``width`` cells."""
    page = Page(width)
    page.add((capital(planned.act), "bold"))
    for note in planned.notes:
        page.add(("! ", "bold $text-warning"), (note, "$text-warning"), indent=2)
    if planned.whole:
        page.add((f"Rewritten as a whole, under the wrap lock: {', '.join(planned.whole)}.", FAINT))
    for file in difference(planned):
        page.blank()
        came = f" from {file.came_from}" if file.came_from else ""
        page.add((file.path, "bold"), (f"  {_WORDS[file.status]}{came}", FAINT))
        body = file.lines[2:] if len(file.lines) > 1 else file.lines
        page.lines.extend(diff_lines(body, page.width))
        if not file.lines:
            page.add(("as it is", FAINT))
    if planned.message:
        page.blank().add(("A commit of it would say", FAINT))
        page.add(display.content(planned.message))
    return page.lines


def diff_lines(lines: Sequence[str], width: int) -> Iterator[Content]:
    """The lines of a diff, without its heads, as rows: removed and added ones tell by sign and by colour."""
    for line in lines_of(lines, ()):
        style = STYLES.get(line.kind, "")
        room = max(8, width - 2)
        first = True
        for start, end in wrapped(line.text, room):
            text = Content(line.text[start:end]).stylize(style)
            a, b = (max(0, min(edge, end) - start) for edge in line.changed)
            if a < b:
                text = text.stylize("bold underline", a, b)
            sign = line.kind if line.kind in "+-" and first else " "
            yield Content.assemble((f"{sign} ", style)) + text
            first = False


def capital(words: str) -> str:
    """``words`` with a capital first letter."""
    return words[:1].upper() + words[1:]
