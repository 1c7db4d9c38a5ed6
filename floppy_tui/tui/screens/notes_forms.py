"""The forms of the acts on the notes, one for each: what is asked for, and the act that it makes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

from textual.content import Content

from floppy_tui.notes import acts
from floppy_tui.notes.limits import sizes
from floppy_tui.notes.note import Evidence, Note
from floppy_tui.notes.planned import Impossible, Planned
from floppy_tui.notes.quota import HALF, NUMBERS
from floppy_tui.notes.tree import Tree
from floppy_tui.tui import display
from floppy_tui.tui.screens.notes_form import Field, NoteForm, Values

if TYPE_CHECKING:
    from floppy_tui.store.note_tree import NoteStore

UNSAID = "unsaid"
"""The choice that leaves a field out."""
EVIDENCE = (*(str(e) for e in Evidence), UNSAID)
MEANINGS = {
    Evidence.MEASURED: "it ran, and was seen to be so",
    Evidence.SOURCED: "quoted from its primary source, with a date",
    Evidence.DECIDED: "a choice; who made it and when is what counts",
    Evidence.READ: "taken from code or documents; true until something runs",
    UNSAID: "nothing is written of where it comes from",
}
"""What each evidence means, strongest first."""


def evidence_of(said: str) -> Evidence | None:
    """The evidence that a choice says."""
    return None if said == UNSAID else Evidence(said)


def recheck(store: NoteStore, tree: Tree, note: Note, today: date) -> NoteForm:
    """Asks for the day that the note was found still true; that day is written and nothing else."""

    def make(tree: Tree, values: Values) -> Planned:
        day = values.day("as_of")
        if day is None:
            raise Impossible("A re-check has a date: that of the run or of the look at its source.")
        return acts.recheck(tree, note.path, day)

    was = note.as_of or "undated"
    lead = [
        display.joined((note.slug, "bold"), f"  {note.description}"),
        display.joined((f"as_of: {was} → the date below. Nothing else changes.", "$text-muted")),
    ]
    fields = [Field("as_of", "as_of", today.isoformat(), "YYYY-MM-DD, in UTC: the date of its evidence")]
    return NoteForm(store, tree, f"Still true: {note.slug}", fields, make, lead=lead, direct=True)


def dated(store: NoteStore, tree: Tree, note: Note) -> NoteForm:
    """Asks, after an edit, for the date of the evidence that it rests on."""

    def make(tree: Tree, values: Values) -> Planned:
        day = values.day("as_of")
        if day is None:
            raise Impossible("Nothing was typed, so that the date stays.")
        return acts.recheck(tree, note.path, day)

    lead = [display.joined((note.slug, "bold"), f" was changed. Its as_of is {note.as_of or 'not there'}.")]
    fields = [Field("as_of", "as_of", "", "YYYY-MM-DD: of the new evidence; empty leaves it as it is")]
    return NoteForm(
        store, tree, "The date of the evidence", fields, make, lead=lead, direct=True, needless="as_of"
    )


def rewrite(store: NoteStore, tree: Tree, note: Note) -> NoteForm:
    """Asks for the whole of a note anew."""

    def make(tree: Tree, values: Values) -> Planned:
        return acts.rewrite(
            tree,
            note.path,
            values["body"],
            description=values["description"],
            as_of=values.day("as_of"),
            evidence=evidence_of(values["evidence"]),
        )

    fields = [
        Field("description", "description", note.description, "one line: what it is about"),
        evidence_field(note.evidence),
        Field("as_of", "as_of", note.as_of, "YYYY-MM-DD: the date of the evidence; empty leaves it"),
        Field("body", "what is true now, in the place of what was:", note.body.strip("\r\n"), text=True),
    ]
    return NoteForm(store, tree, f"Rewrite {note.slug}", fields, make, focus="body")


def delete(store: NoteStore, tree: Tree, note: Note) -> NoteForm:
    """Asks what replaced a note, and where the links to it lead from now on."""
    links = len(tree.mentions.get(note.path, ()))

    def make(tree: Tree, values: Values) -> Planned:
        by = values["replaced_by"]
        if not by:
            raise Impossible("Say what replaced it, a note or words: the commit keeps that.")
        wanted = values["links"] == "lead there"
        relink = by if wanted and tree.find(by) is not None else None
        planned = acts.delete(tree, note.path, replaced_by=by, relink=relink)
        if wanted and relink is None and tree.mentions.get(note.path):
            said = f"No note is called “{by}”, so that the links to it become words."
            planned = replace(planned, notes=(*planned.notes, said))
        return planned

    lead = [
        display.joined((note.slug, "bold"), f"  {note.description}"),
        display.joined((f"{display.counted(links, 'link')} to it. Its pointer goes with it.", "$text-muted")),
    ]
    fields = [
        Field(
            "replaced_by",
            "replaced by",
            "",
            "a slug (tab completes), or words such as: the pool is gone since 4.2",
            known=partial(_slugs, tree, note),
        ),
        Field("links", "links to it", choice=("lead there", "become words")),
    ]
    return NoteForm(store, tree, f"Delete {note.slug}", fields, make, lead=lead)


def rename(store: NoteStore, tree: Tree, note: Note) -> NoteForm:
    """Asks for another slug."""

    def make(tree: Tree, values: Values) -> Planned:
        return acts.rename(tree, note.path, values["slug"])

    fields = [Field("slug", "slug", note.slug, "letters, digits, - _ and .")]
    return NoteForm(store, tree, f"Rename {note.slug}", fields, make)


def merge(store: NoteStore, tree: Tree, paths: Sequence[str], reason: str) -> NoteForm:
    """Asks for what the merged note says."""
    notes = [tree.by_path[path] for path in paths]
    kept, others = notes[0], list(paths[1:])

    def make(tree: Tree, values: Values) -> Planned:
        return acts.merge(tree, kept.path, others, body=values["body"], description=values["description"])

    gone = ", ".join(n.slug for n in notes[1:])
    lead = [
        display.joined((reason, "$text-accent")),
        display.joined(
            (
                f"{gone} goes; links lead to {kept.slug}. The weakest evidence and the oldest date stay.",
                "$text-muted",
            ),
        ),
    ]
    body = acts.proposed_merge_body(tree, paths).strip("\r\n")
    fields = [
        Field("description", "description", kept.description, "one line: what both are about"),
        Field("body", f"what {kept.slug} says from now on:", body, text=True),
    ]
    return NoteForm(store, tree, f"Merge {gone} into {kept.slug}", fields, make, lead=lead, focus="body")


def quota(store: NoteStore, tree: Tree) -> NoteForm | None:
    """Asks which ceiling is raised, to what, and why; None where there is none."""
    limits = tree.quota
    if limits is None:
        return None
    used = sizes(tree)
    keys = [k for k in (*NUMBERS, *(HALF + half for half in limits.halves)) if limits.ceiling(k)]
    if not keys:
        return None
    full = max(keys, key=lambda key: used.get(key, 0) / max(limits.ceiling(key) or 1, 1))

    def make(tree: Tree, values: Values) -> Planned:
        number = values["number"].replace(",", "").replace("_", "")
        if not number.isascii() or not number.isdigit():
            raise Impossible("The new ceiling is a number, in digits.")
        return acts.raise_quota(tree, values["key"], int(number), values["reason"])

    lead = [_ceiling(tree, key, used.get(key, 0)) for key in keys]
    fields = [
        Field("key", "ceiling", full, "tab completes", known=lambda: keys),
        Field("number", "raise to", "", "a higher number"),
        Field("reason", "because", "", "which notes need the room, and why; the commit keeps it"),
    ]
    return NoteForm(store, tree, "Raise a quota", fields, make, lead=lead, focus="number")


def _ceiling(tree: Tree, key: str, used: int) -> Content:
    ceiling = (tree.quota.ceiling(key) if tree.quota else None) or 0
    style = "$text-error" if used > ceiling else "$text-warning" if used * 100 > ceiling * 96 else ""
    return display.joined((f"{key:<28} ", "$text-muted"), (f"{used:>9,} of {ceiling:,}", style))


def slug_from(title: str) -> str:
    """A slug that a title suggests."""
    words = re.sub(r"[^\w.]+", "-", title.casefold(), flags=re.UNICODE).strip("-._")
    return words[:60].rstrip("-._")


def evidence_field(said: str) -> Field:
    """Where the claim comes from."""
    chosen = said if said in EVIDENCE else UNSAID
    return Field("evidence", "evidence", chosen, choice=EVIDENCE, meanings=MEANINGS)


def _slugs(tree: Tree, but: Note) -> list[str]:
    return [note.slug for note in tree.notes if note.path != but.path]
