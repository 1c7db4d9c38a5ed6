"""Consolidating one half: what could be merged, rewritten or deleted, each for a reason and by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option
from textual.worker import get_current_worker

from floppy_tui.notes.consolidate import Proposal, Shape, proposals
from floppy_tui.notes.tree import Tree
from floppy_tui.tui import display
from floppy_tui.tui.commands import Commanded, bindings
from floppy_tui.tui.notes_seen import why_not_typed
from floppy_tui.tui.screens.act import Hinted, keys
from floppy_tui.tui.widgets.detail import Detail
from floppy_tui.tui.widgets.options import Options
from floppy_tui.tui.widgets.page import FAINT, HEADING, Page

if TYPE_CHECKING:
    from floppy_tui.store.note_tree import NoteStore
    from floppy_tui.tui.screens.notes_form import NoteForm

_STYLES = {Shape.MERGE: "$text-accent", Shape.REWRITE: "$text-warning", Shape.DELETE: "$text-error"}


class ConsolidateScreen(Commanded, Hinted, ModalScreen[None]):
    """The proposals of a half; ``done`` is told of each act that was done, in a sentence."""

    WHERE = "consolidate"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("consolidate")]

    class Proposed(Message):
        """What could be done, as the notes are now."""

        def __init__(self, tree: Tree, found: tuple[Proposal, ...]) -> None:
            super().__init__()
            self.tree = tree
            self.found = found

    def __init__(self, store: NoteStore, tree: Tree, half: str, done: Callable[[str | None], None]) -> None:
        super().__init__()
        self._store = store
        self.note_tree = tree
        self._half = half
        self._done = done
        self._skipped: set[tuple[str, ...]] = set()
        self._found: tuple[Proposal, ...] | None = None

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = display.line(f"Consolidate {self._half}", 60)
            yield Static(
                Content("Looking for notes that say the same, went stale or went cold …"), classes="lead"
            )
            with Horizontal(classes="panes"):
                yield Options(id="proposals")
                yield Detail()
            yield Static(
                keys(
                    ("enter", "opens it, to be decided"),
                    ("s", "leaves it"),
                    ("tab", "the texts"),
                    ("esc", "ends"),
                ),
                classes="hint",
            )

    def on_mount(self) -> None:
        self._list.focus()
        self._propose(self.note_tree)

    @property
    def _list(self) -> OptionList:
        return self.query_one("#proposals", OptionList)

    def tree_changed(self) -> None:
        """The notes are others now, by an act of this or of somebody else."""
        tree = getattr(self.app, "note_tree", None)
        if tree is not None and tree is not self.note_tree:
            self._propose(tree)

    @work(thread=True, exclusive=True, group="notes-consolidate", exit_on_error=False, description="alike")
    def _propose(self, tree: Tree) -> None:
        found = proposals(tree, self._half)
        if not get_current_worker().is_cancelled:
            self.post_message(self.Proposed(tree, found))

    @on(Proposed)
    def _proposed(self, message: Proposed) -> None:
        message.stop()
        self.note_tree = message.tree
        self._found = tuple(p for p in message.found if (p.shape, *p.paths) not in self._skipped)
        self._show()

    def _show(self) -> None:
        found = self._found or ()
        at = self._list.highlighted or 0
        self._list.clear_options()
        self._list.add_options([Option(self._row(p)) for p in found])
        if found:
            self._list.highlighted = min(at, len(found) - 1)
            said = f"{display.counted(len(found), 'proposal')} in {self._half}; each is decided by itself."
        else:
            said = f"Nothing in {self._half} asks to be merged, rewritten or deleted."
        self.query_one(".lead", Static).update(display.content(said))
        self._show_texts()
        self.refresh_bindings()

    def _row(self, proposal: Proposal) -> Content:
        names = " + ".join(self._slug(path) for path in proposal.paths)
        return display.joined(
            (f"{proposal.shape:8}", f"bold {_STYLES[proposal.shape]}"), f"{names}  ", (proposal.reason, FAINT)
        )

    def _slug(self, path: str) -> str:
        note = self.note_tree.by_path.get(path)
        return note.slug if note else path

    @property
    def proposal(self) -> Proposal | None:
        """The one under the cursor."""
        at = self._list.highlighted
        found = self._found or ()
        return found[at] if at is not None and at < len(found) else None

    @on(OptionList.OptionHighlighted)
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        self._show_texts()

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        why = self.why_not("decide")
        if why:
            self.refuse(why)
        else:
            self.do_decide()

    def _show_texts(self) -> None:
        proposal = self.proposal
        lines = partial(_texts, self.note_tree, proposal) if proposal else lambda width: ()
        self.query_one(Detail).show(lines, top=True)

    def why_not(self, name: str) -> str:
        if name in ("decide", "skip"):
            if self._found is None:
                return "The notes are still being compared."
            if self.proposal is None:
                return "There is no proposal under the cursor."
        if name == "decide" and self.proposal is not None and self.proposal.shape is not Shape.DELETE:
            notes = [self.note_tree.by_path[path] for path in self.proposal.paths]
            return next((why for note in notes if (why := why_not_typed(note))), "")
        return ""

    def do_decide(self) -> None:
        from floppy_tui.tui.screens import notes_forms

        proposal, tree = self.proposal, self.note_tree
        assert proposal is not None
        notes = [tree.by_path[path] for path in proposal.paths]
        form: NoteForm
        if proposal.shape is Shape.MERGE:
            form = notes_forms.merge(self._store, tree, proposal.paths, proposal.reason)
        elif proposal.shape is Shape.REWRITE:
            form = notes_forms.rewrite(self._store, tree, notes[0])
        else:
            form = notes_forms.delete(self._store, tree, notes[0])
        form.opener = "enter"
        self.app.push_screen(form, partial(self._decided, form))

    def _decided(self, form: NoteForm, said: str | None) -> None:
        if said is not None:
            self._done(said)

    def do_skip(self) -> None:
        proposal = self.proposal
        assert proposal is not None
        self._skipped.add((proposal.shape, *proposal.paths))
        self._found = tuple(p for p in self._found or () if p is not proposal)
        self._show()

    def do_close(self) -> None:
        self.dismiss(None)


def _texts(tree: Tree, proposal: Proposal, width: int) -> Sequence[Content]:
    page = Page(width)
    page.add((f"{proposal.shape}: ", HEADING), proposal.reason)
    for n, path in enumerate(proposal.paths):
        note = tree.by_path.get(path)
        if note is None:
            continue
        page.blank()
        stays = "  stays" if proposal.shape is Shape.MERGE and n == 0 else ""
        page.add((note.slug, "bold"), (f"  {path}{stays}", FAINT))
        known = f"{note.evidence or 'no evidence'} · as_of {note.as_of or 'undated'}"
        page.add((f"{known} · {note.chars:,} characters", FAINT))
        page.body(note.body, raw=False)
    return page.lines
