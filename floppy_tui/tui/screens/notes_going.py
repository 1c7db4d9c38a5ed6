"""Going about in the Notes view: to the place of a finding, along links and back, up and down the index."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from textual.widgets import Input

from floppy_tui.notes.index import INDEX, ROUTER
from floppy_tui.tiers.markers import Tier
from floppy_tui.tui.display import TierMark
from floppy_tui.tui.notes_seen import Place, Seen
from floppy_tui.tui.screens.listing import Asked
from floppy_tui.tui.screens.notes_acting import NotesActing
from floppy_tui.tui.screens.notes_index import IndexTree, NodeRows
from floppy_tui.tui.screens.notes_mode import Mode
from floppy_tui.tui.screens.notes_router import RouterPreview

if TYPE_CHECKING:
    from floppy_tui.tui.screens.notes_follow import Way


class Stop(NamedTuple):
    """Somewhere to go, or to come back to."""

    mode: str
    key: str
    """Of the row; ``""`` where ``path`` and ``line`` say it."""
    path: str
    line: int = 0


class NotesGoing(NotesActing):
    """A view with modes in which one goes from place to place."""

    seen: Seen | None
    """What is shown; None until it was read."""
    index_tree: IndexTree
    preview: RouterPreview

    def __init__(self, marks: Mapping[Tier, TierMark], *, id: str | None = None) -> None:
        super().__init__(marks, id=id)
        self._wanted: Stop | None = None
        """Where the cursor is wanted as soon as its row is there."""
        self.marked: tuple[str, int] = ("", 0)
        """The row whose text is scrolled to a line, and the line."""
        self.left_behind: list[Stop] = []
        """Where following something has left, the last at the end."""
        self.left_ahead: list[Stop] = []
        """Where going back has left."""

    @property
    def shown_mode(self) -> Mode:
        """The mode that is shown."""
        raise NotImplementedError

    @property
    def place(self) -> Place:
        """What the row under the cursor is about."""
        raise NotImplementedError

    def show_mode(self, name: str) -> None:
        """Show a mode; each keeps its own filter, order, cursor and scroll."""
        raise NotImplementedError

    def go_to(self, path: str, line: int = 0) -> None:
        self.left_behind.append(self._here())
        self.left_ahead.clear()
        name = posixpath.basename(path)
        texts = self.note_tree.texts if self.note_tree else {}
        by_lines = name in (ROUTER, INDEX) or (path in texts and not name.endswith(".md"))
        # The row may be of a reading that is still to come: what was just written.
        self._go(Stop("router" if by_lines else "notes", "", path, line), unfiltered=True)

    def _here(self) -> Stop:
        """Where the cursor is."""
        return Stop(self.mode, self.rows.key, self.preview.file)

    def _go(self, stop: Stop, *, unfiltered: bool) -> None:
        """Have the cursor put on a place as soon as its row is there."""
        if stop.mode == "router":
            self.preview.file = stop.path
        self.show_mode(stop.mode)
        if unfiltered and self.asked.text:
            self.asked = Asked("", self.asked.sort, self.asked.reverse)
            with self.prevent(Input.Changed):
                self.filter_line.value = ""
        self._wanted = stop
        self.rearrange()

    def reach(self) -> None:
        """Put the cursor where it is wanted, if its row is there by now."""
        stop = self._wanted
        if stop is None or self.seen is None or stop.mode != self.mode:
            return
        key = stop.key or self.shown_mode.key_of(self.seen, stop.path, stop.line)
        if not key or self.rows.source.index(key) < 0:
            return
        self._wanted = None
        self.marked = (key, stop.line)
        self.rows.move_to(key)
        if stop.line and stop.mode == "notes" and not self.screen.has_class("-wide"):
            self.add_class("-detail")
        self.show_detail(top=True)

    def do_open(self) -> None:
        finding = self.finding
        if self.mode != "findings" or finding is None:
            super().do_open()
        elif finding.path in (self.note_tree.texts if self.note_tree else ()):
            self.go_to(finding.path, finding.line)
        else:
            self.floppy.say(f"{finding.path} is not among the files that can be shown here.", "warning")

    def index_led_to(self) -> str:
        """The index that the pointer under the cursor leads to."""
        path = self.place.path
        indexes = self.note_tree.index_by_path if self.note_tree else {}
        return path if self.mode == "router" and path in indexes and path != self.preview.file else ""

    def do_follow(self) -> None:
        from floppy_tui.tui.screens.notes_follow import FollowScreen, ways

        index = self.index_led_to()
        if index:
            self.go_to(index)
            return
        note = self.note
        assert note is not None and self.note_tree is not None
        found = ways(self.note_tree, note, itself=self.mode != "notes")
        if found:
            self.floppy.push_screen(FollowScreen(note.slug, found), self._follow)
        else:
            self.floppy.say("No link leads from this note, and none to it.")

    def _follow(self, way: Way | None) -> None:
        if way is not None and way.path:
            self.go_to(way.path, way.line)

    def do_backward(self) -> None:
        self.left_ahead.append(self._here())
        self._go(self.left_behind.pop(), unfiltered=False)

    def do_forward(self) -> None:
        self.left_behind.append(self._here())
        self._go(self.left_ahead.pop(), unfiltered=False)

    def do_fold(self) -> None:
        folded = self.rows.key in self.index_tree.folded
        self._fold(not folded)

    def do_unfold(self) -> None:
        self._fold(False)

    def do_shut(self) -> None:
        source = self.rows.source
        if not self._fold(True) and isinstance(source, NodeRows) and self.rows.key:
            self.rows.move_to(source.above(self.rows.key))

    def _fold(self, folded: bool) -> bool:
        done = self.seen is not None and self.index_tree.fold(self.seen, self.rows.key, folded)
        if done:
            self.rearrange()
        return done
