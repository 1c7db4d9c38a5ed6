"""What lint says of links: ``[[slugs]]`` that resolve to nothing, and links into the foreign scopes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from floppy_tui.notes.findings import Finding
from floppy_tui.notes.foreign import foreign_links, scopes
from floppy_tui.notes.links import Link, glance, links_in, slugs_in
from floppy_tui.notes.note import Scope
from floppy_tui.notes.rules import found, quoted
from floppy_tui.notes.tree import Tree

_WIRED = "is wired machine by machine, so that the link is dead elsewhere; say it in words."


def lint_links(tree: Tree) -> Iterator[Finding]:
    """The findings of the links of all notes and indexes; one for each slug or target of a file."""
    known = {word for note in tree.own for word in (note.name, note.stem)}
    foreign = scopes(tree)
    for note in tree.notes:
        seen = glance(note.text, foreign)
        if not seen.slugs <= known and (doubtful := slugs_in(note.text, note.body_start) - known):
            links = links_in(note.text, note.body_start, of=doubtful)
            yield from _slugs(tree, note.path, links, note.scope)
        if seen.targets and note.scope is Scope.OWN:
            yield from _targets(tree, note.path, note.text)
    for index in tree.indexes:
        if index.references:
            yield from _slugs(tree, index.path, index.references, Scope.OWN)
        yield from _targets(tree, index.path, index.text)


def _slugs(tree: Tree, path: str, links: Sequence[Link], scope: Scope) -> Iterator[Finding]:
    lines: dict[str, list[int]] = {}
    for link in links:
        lines.setdefault(link.slug, []).append(link.line)
    for slug, where in lines.items():
        note = tree.find(slug)
        if note is None:
            meant = tree.suggestion(slug)
            do = (
                f"{meant.slug} ({meant.path}) was probably meant; lead it there."
                if meant
                else "write the note, lead it to another, or make it plain words."
            )
            message = f"[[{_short(slug)}]] resolves to no note{_again(where)}; {do}"
            yield found(tree.profile, "link-dangling", path, where[0], message, about=slug)
        elif scope is Scope.OWN and note.scope is not Scope.OWN:
            message = f"[[{_short(slug)}]] leads to {note.path}{_again(where)}, which {_WIRED}"
            yield found(tree.profile, "link-into-foreign-scope", path, where[0], message, about=slug)


def _targets(tree: Tree, path: str, text: str) -> Iterator[Finding]:
    lines: dict[str, list[int]] = {}
    for link in foreign_links(tree, path, text):
        lines.setdefault(link.target, []).append(link.line)
    for target, where in lines.items():
        message = f"The link leads to {quoted(target)}{_again(where)}, which {_WIRED}"
        yield found(tree.profile, "link-into-foreign-scope", path, where[0], message, about=target)


def _again(lines: Sequence[int]) -> str:
    """`` (also in lines 4, 9)`` where it stands in more than one place."""
    more = list(dict.fromkeys(lines[1:]))
    if not more:
        return ""
    named = ", ".join(str(line) for line in more[:5]) + (", …" if len(more) > 5 else "")
    return f" (also in line{'' if len(more) == 1 else 's'} {named})"


def _short(slug: str) -> str:
    return quoted(slug)[1:-1]
