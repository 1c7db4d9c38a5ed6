"""A new note with its pointer, and the notes that may cover its ground already."""

from __future__ import annotations

import posixpath
from datetime import date, timedelta

from floppy_tui.notes.drafting import Draft, applied
from floppy_tui.notes.fields import set_field, spell
from floppy_tui.notes.foreign import scopes
from floppy_tui.notes.limits import strain
from floppy_tui.notes.links import links_in
from floppy_tui.notes.note import Evidence, Kind, Note
from floppy_tui.notes.placing import add_to_index, home_index
from floppy_tui.notes.planned import Impossible, Planned
from floppy_tui.notes.profiles import Profile
from floppy_tui.notes.slugs import check_case, check_free, check_slug
from floppy_tui.notes.tree import LEVELS, Tree
from floppy_tui.text.similarity import similar

_UNSAFE = {"", ".", ".."}


def new_note(
    tree: Tree,
    *,
    directory: str,
    slug: str,
    description: str,
    kind: Kind,
    evidence: Evidence | None,
    as_of: date | None,
    body: str,
    title: str = "",
    hook: str = "",
    pointer_in: str | None = None,
) -> Planned:
    """Write a note and its pointer, both or neither.

    ``directory`` is ``""`` for the memory directory itself. Without ``evidence`` a floppy memory says
    ``read``. The pointer goes into the index of the directory, or into ``pointer_in``. Raises ``Impossible``.
    """
    check_slug(tree, slug)
    check_directory(tree, directory)
    path = f"{directory}/{slug}.md" if directory else f"{slug}.md"
    check_free(tree, path)
    draft = Draft(tree)
    text = note_text(tree, slug, description, kind, evidence, as_of, body)
    draft.put(path, text)
    if is_foreign(tree, path):
        draft.say(f"{path} lies in a foreign scope: it needs no pointer and counts toward no quota.")
    else:
        add_to_index(draft, home_index(tree, path, pointer_in), path, title, hook)
    for link in links_in(text):
        if link.slug != slug and tree.find(link.slug) is None:
            draft.say(f"[[{link.slug}]] leads to no note.")
    message = f"Add {slug}: {' '.join(description.split())}"
    planned = draft.plan(f"new note {slug}", message)
    draft.say(*strain(tree, applied(tree, planned)))
    return draft.plan(f"new note {slug}", message)


def note_text(
    tree: Tree,
    slug: str,
    description: str,
    kind: Kind,
    evidence: Evidence | None,
    as_of: date | None,
    body: str,
) -> str:
    """The text of a new note; raises ``Impossible`` where a field of it cannot be written."""
    description = " ".join(description.split())
    if not description:
        raise Impossible("A note needs a description; say in one line what it is about.")
    if not body.strip():
        raise Impossible("A note needs a text; write the one fact that it holds.")
    if as_of is not None:
        check_day(tree, as_of)
    if evidence is None and tree.profile is Profile.FLOPPY:
        evidence = Evidence.READ
    lines = ["---", f"name: {spell(slug)}", f"description: {checked(description)}", "metadata:"]
    lines.append(f"  type: {kind}")
    if evidence is not None:
        lines.append(f"  evidence: {evidence}")
    if as_of is not None:
        lines.append(f"  as_of: {as_of.isoformat()}")
    return "\n".join([*lines, "---", "", body.strip("\r\n")]) + "\n"


def checked(value: str) -> str:
    """``value`` as it is spelled in front matter; raises ``Impossible`` where readers could not agree."""
    text = set_field("---\ndescription:\n---\n", "description", value)
    return text.removeprefix("---\ndescription:").removesuffix("\n---\n").removeprefix(" ")


def check_day(tree: Tree, day: date) -> None:
    """Raise ``Impossible`` for a day further ahead than lint lets pass."""
    if day > tree.today + timedelta(days=1):
        raise Impossible(f"{day.isoformat()} is in the future; date a note by its evidence.")


def check_directory(tree: Tree, directory: str) -> None:
    """Raise ``Impossible`` where no note can go into ``directory``."""
    if not directory:
        return
    parts = directory.split("/")
    unsafe = any(p in _UNSAFE or p.startswith((".", "-")) or p != p.strip() for p in parts)
    if unsafe or any(c in "\\\x00\n\r" for c in directory):
        raise Impossible(f"'{directory}' is no directory of a memory; write one such as yard or yard/carts.")
    if len(parts) >= LEVELS and not is_foreign(tree, directory + "/"):
        raise Impossible(f"A note in {directory} would lie deeper than any session reads; go further up.")
    check_case(tree, directory)
    for note in tree.notes:
        if note.linked and f"{directory}/".startswith(posixpath.dirname(note.path) + "/"):
            raise Impossible(f"{directory} is reached through a symbolic link; write where it lives.")


def is_foreign(tree: Tree, path: str) -> bool:
    """Whether ``path`` lies in a scope that is not this memory's own."""
    return path.partition("/")[0] in scopes(tree) and "/" in path


def covering(tree: Tree, words: str, most: int = 5) -> tuple[tuple[Note, float], ...]:
    """The notes that may cover the ground of ``words`` already, and how alike they are in percent."""
    if not words.strip():
        return ()
    said = [f"{note.slug} {note.description}" for note in tree.notes]
    spread = [text.replace("-", " ").replace("_", " ") for text in said]
    return tuple(
        (tree.notes[pair.right], pair.score) for pair in similar(words.replace("-", " "), spread, most=most)
    )
