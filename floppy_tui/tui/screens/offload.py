"""The Offload view: the proposals of the queue, one at a time, and the entries that could be proposed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Static
from textual.worker import Worker, WorkerState, get_current_worker

from floppy_tui.offload.proposal import State
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tui import display
from floppy_tui.tui.commands import bindings
from floppy_tui.tui.display import TierMark
from floppy_tui.tui.filters import offload as offload_filter
from floppy_tui.tui.filters.words import Vocabulary
from floppy_tui.tui.offload_rows import SORTS, Group, Look, OffloadRow, groups
from floppy_tui.tui.screens import offload_asking as asking
from floppy_tui.tui.screens.listing import Arrangement, Asked
from floppy_tui.tui.screens.offload_acting import OffloadActing
from floppy_tui.tui.screens.offload_page import candidate_page, proposal_page, trouble_page
from floppy_tui.tui.widgets.detail import LayOut
from floppy_tui.tui.widgets.page import FAINT
from floppy_tui.tui.widgets.rows import Column, Rows

if TYPE_CHECKING:
    from floppy_tui.store.offloading import Preview

_SETTLES_AFTER = 0.25
"""Seconds without a change on disk until the queue is looked at again: it runs git and the backlog tool."""
_RESTS_AFTER = 0.15
"""Seconds that the cursor stays on a proposal before its destination is checked."""
Line = OffloadRow | str
"""A row, or a heading."""


class OffloadRows:
    """Rows of proposals and candidates, each under its heading."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._places = {line.key: n for n, line in enumerate(lines) if not isinstance(line, str)}

    def __len__(self) -> int:
        return len(self._lines)

    def key(self, index: int) -> str:
        line = self._lines[index]
        return "" if isinstance(line, str) else line.key

    def index(self, key: str) -> int:
        return self._places.get(key, -1)

    def row(self, key: str) -> OffloadRow | None:
        """The row of a key."""
        index = self.index(key)
        line = self._lines[index] if index >= 0 else ""
        return None if isinstance(line, str) else line

    def cells(self, index: int, widths: Sequence[int]) -> Sequence[Content]:
        line = self._lines[index]
        if isinstance(line, str):
            return (display.content(line),)
        first = display.line(line.lead, widths[5])
        if line.proposal is not None and line.proposal.problem:
            first = display.joined(("damaged ", "$text-error"), first)
        elif line.changed:
            first = display.joined(("changed ", "$text-warning"), first)
        return (
            display.content(line.mark.short, line.mark.style),
            display.content(f"{line.tokens:,}" if line.tokens else ""),
            display.line(line.file, widths[2], FAINT),
            display.line(line.destination, widths[3]),
            display.line(line.trigger, widths[4], FAINT),
            first,
        )


class OffloadView(OffloadActing):
    """The view."""

    WHERE = "offload"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("offload")]
    COLUMNS = (
        Column("state", "state", 10),
        Column("tokens", "tokens", 7, right=True),
        Column("file", "file", 9, from_width=60),
        Column("destination", "to", 16, from_width=48),
        Column("trigger", "trigger", 24, from_width=90),
        Column("entry", "entry", 0),
    )
    SORTS = tuple(SORTS)
    PLACEHOLDER = "/ filter: state:proposed file:captain candidates passing changed tokens>50 words"

    class Looked(Message):
        """A look is over."""

        def __init__(self, look: Look) -> None:
            super().__init__()
            self.look = look

    class Previewed(Message):
        """What a proposal would do was worked out."""

        def __init__(self, key: str, preview: Preview) -> None:
            super().__init__()
            self.key = key
            self.preview = preview

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, OffloadView.Previewed) and message.key == self.key

    def __init__(self, marks: Mapping[Tier, TierMark], *, id: str | None = None) -> None:
        super().__init__(marks, id=id)
        self.look: Look | None = None
        """What the last look has shown; None until there was one."""
        self._grouped: tuple[Look | None, tuple[Group, ...]] = (None, ())
        self.looking = False
        """Whether a look is under way."""
        self._again = False
        """Whether something changed during the look under way."""
        self._outdated = False
        """Whether something changed while another view was shown."""
        self._counts = ""
        self.previews: dict[str, Preview] = {}
        """By row; what is shown of one stays until a newer one is there."""
        self._settling: Timer | None = None
        self._resting: Timer | None = None

    def compose_top(self) -> ComposeResult:
        yield Static(classes="queue")

    def on_mount(self) -> None:
        self.rows.empty = Content(LOOKING)
        self.look_again()

    # Looking at the queue.

    def look_again(self) -> None:
        """Have the queue, the disk and git looked at: now, or once more after the look under way."""
        self._outdated = False
        if self.looking:
            self._again = True
            return
        self.looking = True
        self.show_status()
        self._look_at_it()

    def reload(self) -> None:
        self.look_again()

    def disk_changed(self) -> None:
        if self._settling is not None:
            self._settling.stop()
        if self.display:
            self._settling = self.set_timer(_SETTLES_AFTER, self.look_again)
        else:
            self._outdated = True

    def focus_first(self) -> None:
        super().focus_first()
        if self._outdated:
            self.look_again()

    @work(thread=True, group="offload-look", exit_on_error=False, description="look")
    def _look_at_it(self) -> None:
        self.post_message(self.Looked(asking.look_at(self.floppy.store)))

    @on(Looked)
    def _looked(self, message: Looked) -> None:
        message.stop()
        self.look = message.look
        self._end_look()
        self.query_one(".queue", Static).update(top_words(message.look))
        self.rearrange()
        self._preview_soon(self.rows.key)

    def _end_look(self) -> None:
        self.looking = False
        if self._again:
            self._again = False
            self.look_again()
        self.show_status()

    @on(Worker.StateChanged)
    def _worker_failed(self, event: Worker.StateChanged) -> None:
        """Hand what should not happen to the app, which says it and logs it; go on with what is known."""
        if event.state is WorkerState.ERROR:
            if event.worker.group == "offload-look":
                self._end_look()
            self.app.post_message(event)

    # What is shown.

    def arrangement(self, snapshot: Snapshot, asked: Asked) -> Arrangement:
        """The rows of the last look as asked."""
        look = self.look
        if look is None:
            return Arrangement(empty=Content(LOOKING))
        if self._grouped[0] is not look:
            self._grouped = (look, groups(look))
        wanted = offload_filter.parse(asked.text)
        lines: list[Line] = []
        for group in self._grouped[1]:
            found = [row for row in group.rows if wanted.lets(row)]
            found.sort(key=SORTS[asked.sort], reverse=asked.reverse)
            if found:
                whole = len(group.rows)
                count = f"{whole:,}" if len(found) == whole else f"{len(found):,} of {whole:,}"
                lines.extend((f"{group.title} ({count})", *found))
        some = any(group.rows for group in self._grouped[1])
        empty = Content("Nothing matches the filter. esc shows all again.") if some else nothing_queued()
        return Arrangement(OffloadRows(lines), status_words(look, self._grouped[1]), wanted.problem, empty)

    def vocabulary(self) -> Vocabulary:
        rows = [row for group in self._grouped[1] for row in group.rows]
        files = {row.file for row in rows} - {""}
        destinations = {row.destination for row in rows} - {""}
        return offload_filter.vocabulary(tuple(sorted(files)), tuple(sorted(destinations)))

    def show_arrangement(self, asked: Asked, arrangement: Arrangement) -> None:
        self.filter_line.vocabulary = self.vocabulary()
        self._counts = arrangement.status
        super().show_arrangement(asked, arrangement)
        if self.go_to:
            self._go_to_proposed()

    def _go_to_proposed(self) -> None:
        """Put the cursor on what was just proposed, as soon as a look has found it."""
        proposals = self.look.proposals if self.look is not None else ()
        found = next((p.id for p in reversed(proposals) if p.entry == self.go_to), "")
        if found:
            self.go_to = ""
            self.rows.move_to(f"p:{found}")

    def show_status(self) -> None:
        self.status = "  ".join(filter(None, ("looking …" if self.looking else "", self._counts)))
        super().show_status()

    def show_snapshot(self, snapshot: Snapshot, arrangement: Arrangement | None = None) -> None:
        super().show_snapshot(snapshot, arrangement)
        if self.look is not None and self.look.snapshot.hash != snapshot.hash:
            self.disk_changed()

    def row(self) -> OffloadRow | None:
        """The row under the cursor."""
        source = self.rows.source
        return source.row(self.rows.key) if isinstance(source, OffloadRows) else None

    def lines(self, key: str) -> LayOut:
        source, look = self.rows.source, self.look
        row = source.row(key) if isinstance(source, OffloadRows) else None
        if row is None or look is None:
            return lambda width: ()
        if row.proposal is not None:
            return partial(proposal_page, look, row.proposal, self.previews.get(key), self.raw)
        if row.candidate is not None:
            return partial(candidate_page, row.candidate, look.places, self.marks, self.raw)
        return partial(trouble_page, look, row)

    def text(self, key: str) -> str:
        row = self.row()
        if row is None:
            return ""
        if row.proposal is not None:
            return row.proposal.quote
        return row.candidate.entry.prose if row.candidate is not None else row.trouble

    # What a proposal would do.

    @on(Rows.Highlighted)
    def _rests_on(self, message: Rows.Highlighted) -> None:
        self._preview_soon(message.key)

    def _preview_soon(self, key: str) -> None:
        if self._resting is not None:
            self._resting.stop()
        if key.startswith("p:"):
            self._resting = self.set_timer(_RESTS_AFTER, partial(self._preview, key))

    @work(thread=True, exclusive=True, group="offload-preview", exit_on_error=False, description="preview")
    def _preview(self, key: str) -> None:
        preview = asking.preview(self.floppy.store, key.removeprefix("p:"))
        if not get_current_worker().is_cancelled:
            self.post_message(self.Previewed(key, preview))

    @on(Previewed)
    def _previewed(self, message: Previewed) -> None:
        message.stop()
        self.previews[message.key] = message.preview
        if self.rows.key == message.key:
            self.show_detail(top=False)


LOOKING = "Looking at the queue, the disk and git …"


def top_words(look: Look) -> Content:
    """Where the queue lives and why there; that nothing is proposed, and what would fill it."""
    parts: list[Content] = []
    if not any(look.where in note for note in look.notes):
        parts.append(display.joined(("Queue: ", FAINT), (look.where, "bold"), "."))
    parts.extend(display.content(note, FAINT) for note in look.notes)
    if not look.proposals and not look.unread:
        parts.append(display.content(NOTHING))
    return Content(" ").join(parts)


NOTHING = (
    "Nothing is proposed: p proposes the candidate under the cursor, and so can a pass (s) "
    "and an agent's document. Nothing moves before you approve it."
)


def nothing_queued() -> Content:
    """Why there are neither proposals nor candidates, and what would bring some."""
    return display.content(
        "There is no proposal, and no entry in the memory that could become one.\n\n"
        "An entry that is needed only in a nameable context can live outside the always-loaded memory: "
        "it is proposed here or in a pass (s), approved by you in words, and then migrated."
    )


def status_words(look: Look, grouped: Sequence[Group]) -> str:
    """How many of what."""
    _, proposals, candidates = (group.rows for group in grouped)
    open_ = sum(row.proposal is not None and row.proposal.state is State.PROPOSED for row in proposals)
    passing = sum(row.passing for row in candidates)
    said = display.counted(len(proposals), "proposal") if not look.unread else "the queue could not be read"
    said += f" ({open_:,} to decide)" if open_ else ""
    return f"{said}, {display.counted(len(candidates), 'candidate')} ({passing:,} pass every test)"
