"""The files of a tree while an act is worked out on them, and what the act is in the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from floppy_tui.notes.index import Index
from floppy_tui.notes.note import Note
from floppy_tui.notes.planned import Edit, Impossible, Planned
from floppy_tui.notes.tree import Tree, build_tree


class Draft:
    """What an act has written so far, on top of one reading of the tree."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._after: dict[str, str | None] = {}
        self._said: dict[str, None] = {}

    def has(self, path: str) -> bool:
        """Whether there is a file ``path``."""
        return self._after.get(path, self.tree.texts.get(path)) is not None

    def text(self, path: str) -> str:
        """The text of ``path`` as it is by now; raises ``Impossible`` where there is no such file."""
        text = self._after[path] if path in self._after else self.tree.texts.get(path)
        if text is None:
            raise Impossible(f"There is no {path} in this memory; read it again.")
        return text

    def index(self, path: str) -> Index:
        """The index ``path`` as it is by now."""
        return Index(path, self.text(path))

    def put(self, path: str, text: str | None) -> None:
        """Let ``path`` hold ``text``; None removes it."""
        self._after[path] = text

    def say(self, *sentences: str) -> None:
        """Tell the captain something, once."""
        self._said.update(dict.fromkeys(sentences))

    def plan(self, act: str, message: str, whole: Sequence[str] = ()) -> Planned:
        """The act as it is by now."""
        edits = {
            path: Edit(before, after)
            for path, after in sorted(self._after.items())
            if (before := self.tree.texts.get(path)) != after
        }
        return Planned(act, edits, message, tuple(whole), tuple(self._said))


def note_at(tree: Tree, path: str) -> Note:
    """The note ``path``, which an act is about to change; raises ``Impossible`` where that cannot be."""
    note = tree.by_path.get(path)
    if note is None:
        raise Impossible(f"There is no note {path} in this memory; read it again.")
    if note.linked:
        raise Impossible(f"{path} is reached through a symbolic link; change it where it lives.")
    return note


def index_paths(draft: Draft) -> tuple[str, ...]:
    """The indexes of the tree and those too deep to be read, as far as the draft still holds them."""
    tree = draft.tree
    return tuple(p for p in (*(i.path for i in tree.indexes), *tree.too_deep) if draft.has(p))


def applied(tree: Tree, planned: Planned) -> Tree:
    """The tree as it reads after ``planned``."""
    return with_files(tree, {path: edit.after for path, edit in planned.edits.items()})


def with_files(tree: Tree, changed: Mapping[str, str | None]) -> Tree:
    """The tree with some files changed, added or (None) removed."""
    files = {**tree.texts, **changed}
    there = {path: text for path, text in files.items() if text is not None}
    fresh = build_tree(
        there,
        tree.profile,
        tree.config,
        tree.today,
        unread=tree.unread,
        layout=tree.layout,
        before=tree,
    )
    return replace(fresh, heat=tree.heat)


def join(*parts: Planned) -> Planned:
    """Several acts as one; raises ``Impossible`` where two of them change one file in different ways.

    An act may go on where an earlier one left a file.
    """
    edits: dict[str, Edit] = {}
    for part in parts:
        for path, edit in part.edits.items():
            was = edits.get(path)
            if was is None:
                edits[path] = edit
            elif was.after == edit.before:
                edits[path] = Edit(was.before, edit.after)
            elif was != edit:
                raise Impossible(
                    f"Both '{parts[0].act}' and '{part.act}' change {path}; do one after the other."
                )
    return Planned(
        "; ".join(part.act for part in parts),
        {path: edit for path, edit in sorted(edits.items()) if edit.before != edit.after},
        _messages(part.message for part in parts),
        tuple(dict.fromkeys(path for part in parts for path in part.whole)),
        tuple(dict.fromkeys(said for part in parts for said in part.notes)),
    )


def _messages(messages: Iterable[str]) -> str:
    said = [message.strip() for message in messages if message.strip()]
    if len(said) < 2:
        return said[0] if said else ""
    subject, _, body = said[0].partition("\n")
    return "\n\n".join(part for part in (subject, body.strip(), *said[1:]) if part)
