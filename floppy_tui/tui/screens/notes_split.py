"""Splitting an index: which one, and which of its notes move into a group of their own."""

from __future__ import annotations

import posixpath
from collections import Counter
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widgets import Static

from floppy_tui.notes import acts
from floppy_tui.notes.index import INDEX, Index
from floppy_tui.notes.note import Note
from floppy_tui.notes.planned import Impossible, Planned
from floppy_tui.notes.slugs import words_of
from floppy_tui.notes.tree import LEVELS, Tree
from floppy_tui.tui import display
from floppy_tui.tui.screens.notes_form import Field, NoteForm, Values
from floppy_tui.tui.widgets.ticks import Ticks

if TYPE_CHECKING:
    from floppy_tui.store.note_tree import NoteStore

_NAMED = 6
"""How many proposed groups are named."""


def splittable(tree: Tree) -> list[Index]:
    """The indexes that can be split, the one with the most notes beside it first."""
    counts = Counter(posixpath.dirname(note.path) for note in tree.own if not note.linked)
    found = [i for i in tree.indexes if i.level < LEVELS and counts[i.directory]]
    return sorted(found, key=lambda index: (-counts[index.directory], index.path))


def beside(tree: Tree, index: Index) -> list[Note]:
    """The notes that an index could hand on to a group."""
    return [n for n in tree.own if posixpath.dirname(n.path) == index.directory and not n.linked]


class SplitForm(NoteForm):
    """The form: another index offers its own notes, and the name of a proposed group chooses those of it."""

    def __init__(self, store: NoteStore, tree: Tree, index: Index) -> None:
        self._index = index
        self._groups = dict(acts.proposed_split(tree, index.path))
        self._said = index.path, next(iter(self._groups), "")
        """The index and the proposed group that the notes were offered for."""
        fields = [
            Field(
                "index",
                "index",
                index.path,
                "tab completes",
                known=lambda: [i.path for i in splittable(self.note_tree)],
            ),
            Field("group", "group", self._said[1], "the name of its directory", known=lambda: self._groups),
            Field("title", "title", "", "as its pointer calls it; the name where it is empty"),
            Field("hook", "hook", "", "what it holds, in a few words"),
            Field("notes", "the notes that move (space chooses):", options=self._offered(tree)),
        ]
        lead = [self._groups_said()]
        super().__init__(store, tree, "Split an index", fields, _make, lead=lead, focus="group")

    def _offered(self, tree: Tree) -> list[tuple[str, str, bool]]:
        chosen = self._groups.get(self._said[1], ())
        notes = beside(tree, self._index)
        return [(n.path, f"{n.slug}  {n.description}", n.path in chosen) for n in notes]

    def _groups_said(self) -> Content:
        said = f"{self._index.path} has {display.counted(len(self._index.pointers), 'pointer line')}."
        if self._groups:
            groups = [f"{word} ({len(paths)})" for word, paths in self._groups.items()]
            said += f" By shared words: {', '.join(groups[:_NAMED])}."
        return display.content(said, "$text-muted")

    def typed(self) -> None:
        """Follow the index that is named, and the proposed group that is."""
        values = self.values()
        index, group = self.note_tree.index_by_path.get(values["index"]), values["group"]
        if index is None or (index.path, group) == self._said:
            return
        if index.path != self._index.path:
            self._index = index
            self._groups = dict(acts.proposed_split(self.note_tree, index.path))
            group = next(iter(self._groups), "")
        elif group not in self._groups:
            # A name of the captain's own, for the notes that are chosen already.
            return
        self._said = index.path, group
        self.put("group", group)
        self.query_one(".lead", Static).update(self._groups_said())
        notes = self.query_one("#field-notes", Ticks)
        notes.forget()
        for path, words, chosen in self._offered(self.note_tree):
            notes.offer(path, display.line(words, 90), chosen=chosen)


def _make(tree: Tree, values: Values) -> Planned:
    if not values["group"]:
        raise Impossible("The group needs a name: that of its directory, such as carts.")
    return acts.split_index(
        tree,
        values["index"],
        values["group"],
        values.several["notes"],
        title=values["title"] or words_of(f"{values['group']}/{INDEX}"),
        hook=values["hook"],
    )
