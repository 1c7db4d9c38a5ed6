"""Links from committed memory into the scopes that are wired machine by machine: dead everywhere else."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import NamedTuple

from floppy_tui.notes.index import is_address
from floppy_tui.notes.links import targets_in
from floppy_tui.notes.profiles import COMMON, Profile
from floppy_tui.notes.tree import Tree


class Foreign(NamedTuple):
    """One such link."""

    target: str
    line: int
    """From 1."""


def scopes(tree: Tree) -> tuple[str, ...]:
    """The directories of the foreign scopes; auto-memory has none."""
    return () if tree.profile is Profile.AUTO else (tree.config.private_dir, COMMON)


def leads_into(tree: Tree, directory: str, target: str) -> str:
    """The foreign scope that the link destination ``target`` leads into from ``directory``; ``""`` for none.

    A target that would be right from the memory directory counts where it leads to nothing from its own.
    """
    target = target.partition("#")[0]
    if not target or target.startswith("/") or is_address(target):
        return ""
    path = posixpath.normpath(posixpath.join(directory, target))
    head = path.partition("/")[0]
    names = scopes(tree)
    if head in names:
        return head
    meant = posixpath.normpath(target).partition("/")[0]
    if meant in names and "/" in target and path not in tree.texts:
        return "" if any(other.startswith(path + "/") for other in tree.texts) else meant
    return ""


def foreign_links(tree: Tree, path: str, text: str) -> Iterator[Foreign]:
    """The Markdown links of the file ``path`` into a foreign scope, outside code; no ``[[links]]``."""
    names = scopes(tree)
    if not names:
        return
    directory = posixpath.dirname(path)
    for target in targets_in(text, of=names):
        if leads_into(tree, directory, target.target):
            yield Foreign(target.target, target.line)
