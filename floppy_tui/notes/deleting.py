"""Deleting a note: its pointers go with it, its links are led on, and the message says what replaced it."""

from __future__ import annotations

from floppy_tui.notes.drafting import Draft, note_at
from floppy_tui.notes.grandfathered import regrandfather
from floppy_tui.notes.note import Note, Scope
from floppy_tui.notes.placing import take_out
from floppy_tui.notes.planned import Impossible, Planned
from floppy_tui.notes.relinking import follow, linkable
from floppy_tui.notes.tree import Tree


def delete(tree: Tree, path: str, *, replaced_by: str, relink: str | None = None) -> Planned:
    """Remove the note ``path``.

    ``replaced_by`` is what replaced it, a slug or words, for the message. Links to it lead to the note
    ``relink`` afterwards, or become their plain words. Raises ``Impossible``.
    """
    note = note_at(tree, path)
    said = " ".join(replaced_by.split())
    if not said:
        raise Impossible("Say what replaced the note, or why there is no need of one: the message tells it.")
    heir = _heir(tree, note, relink) if relink else None
    draft = Draft(tree)
    remove(draft, note, heir, relink or "")
    return draft.plan(f"delete {note.slug}", f"Remove {note.slug}: replaced by {said}")


def remove(draft: Draft, note: Note, heir: Note | None, slug: str = "") -> None:
    """Take ``note`` out of the draft, with its pointers; links to it lead to ``heir``, or become words.

    ``slug`` is what ``heir`` is found by.
    """
    follow(draft, note.path, slug if heir else "", heir.path if heir else None)
    draft.put(note.path, None)
    take_out(draft, note.path)
    regrandfather(draft, note.path, None)


def _heir(tree: Tree, note: Note, slug: str) -> Note:
    heir = tree.find(slug)
    if heir is None or heir.path == note.path:
        raise Impossible(f"There is no other note '{slug}' for the links to lead to; choose one that exists.")
    if not linkable(slug):
        raise Impossible(f"No link can spell '{slug}'; rename that note first.")
    if heir.scope is not note.scope and heir.scope is not Scope.OWN:
        raise Impossible(f"{heir.path} lies in a foreign scope, where no link of this memory may lead.")
    return heir
