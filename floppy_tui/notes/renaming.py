"""Renaming the slug of a note: file, name, pointers and links in one act."""

from __future__ import annotations

import posixpath

from floppy_tui.notes.drafting import Draft, index_paths, note_at
from floppy_tui.notes.fields import set_field
from floppy_tui.notes.grandfathered import regrandfather
from floppy_tui.notes.note import Note
from floppy_tui.notes.planned import Impossible, Planned
from floppy_tui.notes.relinking import follow, retarget
from floppy_tui.notes.slugs import check_free, check_slug
from floppy_tui.notes.tree import Tree


def rename(tree: Tree, path: str, slug: str) -> Planned:
    """Give the note ``path`` the slug ``slug``: file, name, pointers and the links to it follow."""
    note = note_at(tree, path)
    if slug == note.stem and slug == note.name:
        raise Impossible(f"{path} is called {slug} already.")
    check_slug(tree, slug, path=path)
    directory = posixpath.dirname(path)
    target = f"{directory}/{slug}.md" if directory else f"{slug}.md"
    check_free(tree, target, moved=path)
    draft = Draft(tree)
    links = follow(draft, path, slug, target)
    draft.put(path, with_name(draft.text(path), note, slug))
    if target != path:
        move(draft, path, target)
    if note.name and note.name != note.stem:
        draft.say(f"Its name was '{note.name}'.")
    what = f"rename {note.stem} to {slug}"
    return draft.plan(what, f"Rename {note.stem} to {slug}" + (f", {_links(links)}" if links else ""))


def with_name(text: str, note: Note, slug: str) -> str:
    """The ``text`` of ``note`` with its name set to ``slug``; as it is where it has no front matter."""
    if note.front is None or note.name == slug:
        return text
    return set_field(text, "name", slug, where=note.path)


def move(draft: Draft, path: str, target: str) -> None:
    """Move the file of a note, its pointers with it; links in it are not touched."""
    text = draft.text(path)
    draft.put(path, None)
    draft.put(target, text)
    for index in index_paths(draft):
        before = draft.text(index)
        after = retarget(before, index, {path: target})
        if after != before:
            draft.put(index, after)
    regrandfather(draft, path, target)


def _links(files: int) -> str:
    return "with the links in one note" if files == 1 else f"with the links in {files} notes"
