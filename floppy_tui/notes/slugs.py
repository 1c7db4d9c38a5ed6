"""What may be the slug of a note: one safe segment that no other note goes by, on any disk."""

from __future__ import annotations

import posixpath
import re

from floppy_tui.notes.planned import Impossible
from floppy_tui.notes.tree import Tree, folded
from floppy_tui.text.lines import encode

_SAFE = re.compile(r"[\w][\w.-]*")
_RESERVED = {"memory", "index", "readme"}
_BYTES_MAX = 200
"""Of a slug; with its ending and a temporary name beside it, it still fits every file system."""


def check_slug(tree: Tree, slug: str, *, path: str = "") -> None:
    """Raise ``Impossible`` where ``slug`` cannot be that of a new note, or of the renamed note ``path``."""
    if not slug:
        raise Impossible("A note needs a slug; write one such as rope-length.")
    if not _SAFE.fullmatch(slug) or slug.endswith(".md"):
        raise Impossible(
            f"'{slug}' is no slug: write letters, digits, - _ and . only, beginning with a letter or digit,"
            " without .md."
        )
    if len(encode(slug)) > _BYTES_MAX:
        raise Impossible(f"The slug is longer than {_BYTES_MAX} bytes; write a shorter one.")
    if folded(slug) in _RESERVED:
        raise Impossible(f"'{slug}' is what an index or a README is called; choose another slug.")
    other = taken_by(tree, slug, path=path)
    if other:
        raise Impossible(f"'{slug}' is taken by {other}; choose another slug.")


def taken_by(tree: Tree, slug: str, *, path: str = "") -> str:
    """The path of a note, not ``path`` itself, that goes by ``slug``, or by it in other letter case."""
    return next((other for other in tree.known_as.get(folded(slug), ()) if other != path), "")


def check_free(tree: Tree, path: str, *, moved: str = "") -> None:
    """Raise ``Impossible`` where a file is at ``path`` already, on a disk that knows no letter case too."""
    wanted = folded(path)
    for other in (*tree.texts, *(file.path for file in tree.unread)):
        if other != moved and folded(other) == wanted:
            raise Impossible(f"There is a file {other} already; choose another slug.")


def check_case(tree: Tree, directory: str) -> None:
    """Raise ``Impossible`` where a directory differs from ``directory``, or one above it, in case alone."""
    parts = directory.split("/")
    for other in {posixpath.dirname(path) for path in tree.texts}:
        for own, there in zip(parts, other.split("/"), strict=False):
            if own != there:
                if folded(own) == folded(there):
                    raise Impossible(f"There is a directory {other} already; spell it so, or choose another.")
                break


def words_of(path: str) -> str:
    """What a note or an index is called where nobody gave it a title: its slug, or directory, in words."""
    name = posixpath.basename(path).removesuffix(".md")
    if name in ("INDEX", "MEMORY"):
        name = posixpath.basename(posixpath.dirname(path)) or "Memory"
    words = re.sub(r"[-_.\s]+", " ", name).strip() or name
    return words[:1].upper() + words[1:]
