"""A new note: first the notes that may cover its ground already, then its fields, text and pointer."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Static
from textual.worker import get_current_worker

from floppy_tui.notes import acts
from floppy_tui.notes.note import Evidence, Kind, Note
from floppy_tui.notes.planned import Impossible, Planned
from floppy_tui.notes.profiles import Profile
from floppy_tui.notes.tree import Tree
from floppy_tui.tui import display
from floppy_tui.tui.commands import bindings
from floppy_tui.tui.screens.act import keys
from floppy_tui.tui.screens.notes_form import Field, NoteForm, Values
from floppy_tui.tui.screens.notes_forms import UNSAID, evidence_field, evidence_of, slug_from

if TYPE_CHECKING:
    from floppy_tui.store.note_tree import NoteStore

_RESTS_AFTER = 0.12
"""Seconds without a key until what was typed is compared with the notes."""
_MOST = 3


class NewNoteForm(NoteForm):
    """The form; ``wanted`` is the note that the captain would rather go to."""

    WHERE = "newnote"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("newnote")]

    class Covered(Message):
        """What may cover the ground of what was typed."""

        def __init__(self, found: tuple[tuple[Note, float], ...]) -> None:
            super().__init__()
            self.found = found

    def __init__(self, store: NoteStore, tree: Tree, beside: str) -> None:
        floppy = tree.profile is Profile.FLOPPY
        self.wanted: Note | None = None
        self._covering: tuple[tuple[Note, float], ...] = ()
        self._rest: Timer | None = None
        self._compared = ""
        self._proposed = ""
        """The slug that the title suggested last: where it was changed, it stays as typed."""
        fields = [
            Field("title", "title", "", "what its pointer calls it"),
            Field("hook", "hook", "", "a few words: why to open it"),
            Field("slug", "slug", "", "its name and its file; the title suggests one"),
            Field("description", "description", "", "one line: what it is about"),
            Field("directory", "directory", beside, "empty for MEMORY.md's own", known=lambda: _places(tree)),
            Field("kind", "type", str(Kind.PROJECT), choice=[str(k) for k in Kind]),
            evidence_field(str(Evidence.READ) if floppy else UNSAID),
            Field("as_of", "as_of", "", "YYYY-MM-DD: the date of its evidence, in UTC; may be empty"),
            Field("confirm", "to confirm", "", "while it is read: what would a measurement need?"),
            Field("body", "the one fact:", text=True),
        ]
        super().__init__(store, tree, "A new note", fields, _make)

    def compose_beside(self) -> ComposeResult:
        yield Static(
            Content("Type a title: notes that may cover the ground already are shown here."),
            classes="covering",
        )

    def hint(self) -> Content:
        return keys(
            ("ctrl+s", "shows what it does"),
            ("ctrl+g", "goes to the note found"),
            ("tab", "next field"),
            ("esc", "leaves"),
        )

    def typed(self) -> None:
        values = self.values()
        suggested = slug_from(values["title"])
        if values["slug"] in ("", self._proposed) and suggested != values["slug"]:
            self._proposed = suggested
            self.put("slug", suggested)
        said = " ".join(values[name] for name in ("title", "description") if values[name])
        if said != self._compared:
            self._compared = said
            if self._rest is not None:
                self._rest.stop()
            self._rest = self.set_timer(_RESTS_AFTER, lambda: self._compare(self.note_tree, said))

    @work(thread=True, exclusive=True, group="notes-covering", exit_on_error=False, description="covering")
    def _compare(self, tree: Tree, words: str) -> None:
        found = acts.covering(tree, words, _MOST)
        if not get_current_worker().is_cancelled:
            self.post_message(self.Covered(found))

    @on(Covered)
    def _covered(self, message: Covered) -> None:
        message.stop()
        self._covering = message.found
        width = max(20, self.size.width - 12)
        if message.found:
            rows = [
                display.line(f"{score:3.0f} %  {note.slug}  {note.description}", width)
                for note, score in message.found
            ]
            shown = Content("\n").join(
                [Content("May cover it already; one fact has one note:").stylize("$text-warning"), *rows]
            )
        else:
            shown = Content("No note seems to cover this ground.").stylize("$text-muted")
        self.query_one(".covering", Static).update(shown)

    def why_not(self, name: str) -> str:
        if name == "cover" and not self._covering:
            return "No note was found that covers this."
        return super().why_not("close" if name == "cover" else name)

    def do_cover(self) -> None:
        self.wanted = self._covering[0][0]
        self.dismiss(None)


def _make(tree: Tree, values: Values) -> Planned:
    evidence = evidence_of(values["evidence"])
    body = values["body"]
    if evidence is Evidence.READ:
        if not values["confirm"]:
            raise Impossible("It is only read: say under “to confirm” what a measurement would need.")
        body = f"{body.rstrip()}\n\nTo confirm: {values['confirm']}"
    if not values["body"].strip():
        raise Impossible("A note needs a text; write the one fact that it holds.")
    return acts.new_note(
        tree,
        directory=values["directory"].strip("/"),
        slug=values["slug"],
        description=values["description"] or values["hook"],
        kind=Kind(values["kind"]),
        evidence=evidence,
        as_of=values.day("as_of"),
        body=body,
        title=values["title"],
        hook=values["hook"] or values["description"],
    )


def _places(tree: Tree) -> Iterable[str]:
    return sorted({posixpath.dirname(n.path) for n in tree.own} | {i.directory for i in tree.indexes} - {""})
