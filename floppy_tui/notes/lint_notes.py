"""What lint says of single notes, of every scope: their front matter, their names, their dates."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from floppy_tui.notes.findings import Finding
from floppy_tui.notes.front import Front
from floppy_tui.notes.index import ROUTER
from floppy_tui.notes.note import Evidence, Kind, Note, Scope
from floppy_tui.notes.profiles import COMMON, Profile
from floppy_tui.notes.rules import found, quoted
from floppy_tui.notes.tree import LEVELS, Tree
from floppy_tui.notes.yaml import differs, read_yaml
from floppy_tui.text.dates import SHAPE

_KINDS = frozenset(Kind)
_EVIDENCES = frozenset(Evidence)
_KINDS_SAID = ", ".join(list(Kind)[:-1]) + f" or {list(Kind)[-1]}"
_EVIDENCES_SAID = "measured, read, decided or sourced"
_SLACK = timedelta(days=1)
"""A session that writes its local date may be ahead of UTC by this much."""


def lint_notes(tree: Tree) -> Iterator[Finding]:
    """The findings of every note by itself, and of the names that two of them share."""
    for note in tree.notes:
        front = note.front
        if front is None:
            yield _no_front(tree, note)
            continue
        for rule in (_name, _description, _type, _evidence, _dated):
            yield from rule(tree, note, front)
        if not front.plain:
            yield from _as_yaml(tree, note, front)
    yield from _counted(tree)
    for note in tree.own:
        if note.path.count("/") >= LEVELS:
            yield _too_deep(tree, note.path, "note")
    for path in tree.too_deep:
        yield _too_deep(tree, path, "index")


def _line(front: Front, *keys: str) -> int:
    """The line of the first of ``keys`` that is there; of the opening --- where none is."""
    return next((front.fields[key].line for key in keys if key in front.fields), 1)


def _no_front(tree: Tree, note: Note) -> Finding:
    first = note.text.lstrip("\ufeff").split("\n", 1)[0].rstrip(" \t\r")
    said = (
        "The front matter of the note is never closed; end it with a line ---."
        if first == "---"
        else "The note has no front matter; open it with name, description and metadata between --- lines."
    )
    return found(tree.profile, "no-front-matter", note.path, 1, said)


def _name(tree: Tree, note: Note, front: Front) -> Iterator[Finding]:
    name, stem = front.value("name"), note.stem
    if name and name == stem and tree.by_slug[name] is note:
        return
    line = _line(front, "name")
    if not name:
        said = f"The note has no name; set name: {stem}, as its file is called."
        yield found(tree.profile, "name-missing", note.path, line, said, about=stem)
        return
    if name != stem:
        said = f"The name is {quoted(name)} and the file {quoted(stem + '.md')}; set one after the other."
        yield found(tree.profile, "name-not-file-name", note.path, line, said, about=stem)
    first = tree.by_slug[name]
    if first.path != note.path:
        said = (
            f"The name {quoted(name)} is taken by {first.path}, where links to it lead;"
            " rename one of the two, or merge them."
        )
        yield found(tree.profile, "slug-taken", note.path, line, said, about=name)


def _description(tree: Tree, note: Note, front: Front) -> Iterator[Finding]:
    if not note.description:
        said = "The note has no description; say in one line what it is about."
        yield found(tree.profile, "description-missing", note.path, _line(front, "description", "name"), said)


def _type(tree: Tree, note: Note, front: Front) -> Iterator[Finding]:
    nested, flat = front.value("metadata.type"), front.value("type")
    kind = nested or flat
    if not kind:
        line = _line(front, "metadata.type", "type", "metadata")
        said = f"The note has no type; set metadata.type to {_KINDS_SAID}."
        yield found(tree.profile, "type-missing", note.path, line, said)
        return
    if kind not in _KINDS:
        line = _line(front, "metadata.type" if nested else "type")
        said = f"The type is {quoted(kind)}; set it to {_KINDS_SAID}."
        yield found(tree.profile, "type-unknown", note.path, line, said, about=kind)
    if flat and not nested:
        said = f"The type {quoted(flat)} stands at the top level; move it below metadata:."
        yield found(tree.profile, "flat-type", note.path, _line(front, "type"), said, about=flat)
    elif flat and flat != nested:
        said = (
            f"The type is {quoted(flat)} at the top level and {quoted(nested)} below metadata:, which counts;"
            " remove the one that is wrong."
        )
        yield found(tree.profile, "types-disagree", note.path, _line(front, "type"), said, about=flat)


def _evidence(tree: Tree, note: Note, front: Front) -> Iterator[Finding]:
    evidence = note.evidence
    if not evidence:
        if tree.profile is Profile.FLOPPY:
            line = _line(front, "metadata.evidence", "metadata")
            said = f"The note has no evidence; set metadata.evidence to {_EVIDENCES_SAID}."
            yield found(tree.profile, "evidence-missing", note.path, line, said)
    elif evidence not in _EVIDENCES:
        line = _line(front, "metadata.evidence")
        said = f"The evidence is {quoted(evidence)}; set it to {_EVIDENCES_SAID}."
        yield found(tree.profile, "evidence-unknown", note.path, line, said, about=evidence)


def _dated(tree: Tree, note: Note, front: Front) -> Iterator[Finding]:
    said = note.as_of
    if not said:
        return
    day, today = note.day, tree.today
    if day is not None and day <= today and (today - day).days <= tree.config.note_stale_days:
        return
    line = _line(front, "metadata.as_of")
    if day is None:
        if SHAPE.fullmatch(said):
            message = f"as_of is {said}, which is in no calendar; take the date from the note's evidence."
            yield found(tree.profile, "as-of-impossible", note.path, line, message, about=said)
        else:
            message = f"as_of is {quoted(said)}; spell the date YYYY-MM-DD, with nothing after it."
            yield found(tree.profile, "as-of-not-iso", note.path, line, message, about=said)
        return
    if day - today > _SLACK:
        message = (
            f"as_of is {said}, {(day - today).days} days ahead of {today.isoformat()} (UTC; one is"
            " allowed); take the date from the note's evidence."
        )
        yield found(tree.profile, "as-of-in-future", note.path, line, message, about=said)
    age, limit = (today - day).days, tree.config.note_stale_days
    if age > limit:
        message = (
            f"as_of is {said}, {age:,} days ago (note_stale_days is {limit:,}); check the note, then move the"
            " date, update, rewrite or delete it."
        )
        yield found(tree.profile, "note-aged", note.path, line, message, about=str(age))


def _as_yaml(tree: Tree, note: Note, front: Front) -> Iterator[Finding]:
    whole = read_yaml(note.text)
    if whole.problem:
        message = (
            f"YAML cannot read this front matter: {whole.problem}; put the value it trips over into quotes."
        )
        about = next((key for key, field in front.fields.items() if field.line == whole.line), "")
        yield found(tree.profile, "yaml-unreadable", note.path, whole.line or 1, message, about=about)
        return
    for key in differs(front, whole):
        message = f"YAML reads {key} otherwise than it stands here; put the value into quotes."
        yield found(tree.profile, "yaml-differs", note.path, _line(front, key), message, about=key)


def _counted(tree: Tree) -> Iterator[Finding]:
    """What is counted in one line for all notes together."""
    readable = [note for note in tree.notes if note.front is not None]
    if tree.profile is Profile.AUTO:
        bare = sum(1 for note in readable if not note.evidence)
        if bare:
            message = f"{_notes(bare)} no evidence; add metadata.evidence when one is next touched."
            yield found(tree.profile, "evidence-missing", ROUTER, 0, message)
    undated = [note for note in readable if not note.as_of]
    if undated:
        foreign = [
            f"{count} in {name}/"
            for scope, name in ((Scope.PRIVATE, tree.config.private_dir), (Scope.COMMON, COMMON))
            if (count := sum(1 for note in undated if note.scope is scope))
        ]
        among = f" ({', '.join(foreign)})" if foreign else ""
        message = (
            f"{_notes(len(undated))} no as_of{among}; add it when one is next touched, from its own evidence."
        )
        yield found(tree.profile, "notes-undated", ROUTER, 0, message)


def _notes(count: int) -> str:
    return "1 note has" if count == 1 else f"{count:,} notes have"


def _too_deep(tree: Tree, path: str, what: str) -> Finding:
    said = (
        f"The {what} lies {path.count('/')} directories deep, and a session comes no deeper than"
        f" {LEVELS - 1}; move it up, with its pointer."
    )
    return found(tree.profile, "too-deep", path, 0, said)
