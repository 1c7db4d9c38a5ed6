"""Several notes made one: it claims no more than its weakest part does, and no later day than its oldest."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from floppy_tui.notes.code import code_spans
from floppy_tui.notes.deleting import remove
from floppy_tui.notes.drafting import Draft, applied, note_at, with_files
from floppy_tui.notes.fields import set_field
from floppy_tui.notes.limits import strain
from floppy_tui.notes.links import Link
from floppy_tui.notes.note import Evidence, Note
from floppy_tui.notes.planned import Impossible, Planned
from floppy_tui.notes.profiles import Profile
from floppy_tui.notes.rebasing import rebase
from floppy_tui.notes.relinking import linkable, relink, retarget
from floppy_tui.notes.rewriting import as_written
from floppy_tui.notes.tree import Tree
from floppy_tui.text.identity import fold
from floppy_tui.text.lines import bare, is_blank, main_eol, split_lines


def merge(
    tree: Tree, survivor: str, others: Sequence[str], *, body: str, description: str | None = None
) -> Planned:
    """Let the note ``survivor`` hold ``body`` and take the ``others`` in, which are deleted.

    It keeps its own name and type, the weakest evidence of all parts and their oldest day; pointers to the
    others go, links to them lead to it. Raises ``Impossible``.
    """
    parts = [note_at(tree, path) for path in dict.fromkeys((survivor, *others))]
    kept, gone = parts[0], parts[1:]
    if not gone:
        raise Impossible("A merge needs two notes or more; choose another one.")
    if any(note.scope is not kept.scope for note in gone):
        raise Impossible("Notes of different scopes cannot be merged: a fact would move to other readers.")
    if not body.strip():
        raise Impossible("A note needs a text; write what the merged note says.")
    draft = Draft(tree)
    draft.put(survivor, _merged(draft, kept, gone, body, description))
    slug = slug_after(tree, kept, gone)
    for note in gone:
        remove(draft, note, kept, slug)
    what = f"merge {', '.join(note.slug for note in gone)} into {kept.slug}"
    message = f"M{what[1:]}"
    draft.say(*strain(tree, applied(tree, draft.plan(what, message))))
    return draft.plan(what, message + _claims(tree, parts))


def _merged(draft: Draft, kept: Note, gone: Sequence[Note], body: str, description: str | None) -> str:
    tree = draft.tree
    paths = {note.path for note in gone}

    def inside(link: Link) -> str | None:
        found = tree.find(link.slug)
        return "" if found is not None and found.path in paths else None

    text = kept.text[: kept.body_start] + as_written(kept.body, body)
    text = relink(text, kept.body_start, inside)
    text = retarget(text, kept.path, dict.fromkeys(paths))
    parts = [kept, *gone]
    folded = " ".join((description or "").split())
    if folded and folded != kept.description:
        text = set_field(text, "description", folded, where=kept.path)
    evidence = weakest(tree, parts)
    if evidence is not None and evidence != kept.evidence:
        text = set_field(text, "metadata.evidence", evidence.value, where=kept.path)
    day = oldest(parts)
    if day is not None and day.isoformat() != kept.as_of:
        text = set_field(text, "metadata.as_of", day.isoformat(), where=kept.path)
    undated = [note.slug for note in parts if note.day is None]
    if undated and day is not None:
        draft.say(
            f"{', '.join(undated)} {'says' if len(undated) == 1 else 'say'} no day;"
            f" as_of is {day.isoformat()}, the oldest one known, and what is undated may be older."
        )
    return text


def weakest(tree: Tree, notes: Sequence[Note]) -> Evidence | None:
    """The weakest evidence of ``notes``; one that has none counts as the weakest there is.

    None in an auto-memory where no note has any.
    """
    order = list(Evidence)
    known = [Evidence(note.evidence) if note.evidence in order else None for note in notes]
    if tree.profile is Profile.AUTO and not any(known):
        return None
    return max((e or order[-1] for e in known), key=order.index)


def oldest(notes: Sequence[Note]) -> date | None:
    """The oldest day that one of ``notes`` says; None where none says any."""
    return min((note.day for note in notes if note.day is not None), default=None)


def _claims(tree: Tree, parts: Sequence[Note]) -> str:
    evidence, day = weakest(tree, parts), oldest(parts)
    said = []
    if evidence is not None:
        said.append(f"Evidence: {evidence}, the weakest of its parts.")
    if day is not None:
        said.append(f"As of: {day.isoformat()}, the oldest of its parts.")
    return "\n\n" + "\n".join(said) if said else ""


def slug_after(tree: Tree, kept: Note, gone: Sequence[Note]) -> str:
    """The slug that leads to ``kept`` once the notes ``gone`` are deleted."""
    after = with_files(tree, {note.path: None for note in gone})
    for slug in (kept.name, kept.stem):
        found = after.find(slug) if slug else None
        if found is not None and found.path == kept.path and linkable(slug):
            return slug
    raise Impossible(f"No link can lead to {kept.path} as it is named; rename it first.")


def proposed_merge_body(tree: Tree, paths: Sequence[str]) -> str:
    """The texts of the notes ``paths`` below each other, paragraphs that are the same only once.

    The first is the survivor: its text comes as it is. Relative links in the others are led on.
    """
    notes = [note_at(tree, path) for path in dict.fromkeys(paths)]
    first = notes[0]
    eol = main_eol(first.text)
    seen = {fold(block) for block in blocks(first.body)}
    added: list[str] = []
    for note in notes[1:]:
        for block in blocks(rebase(note.body, note.path, first.path, {})):
            if fold(block) not in seen:
                seen.add(fold(block))
                added.append(eol.join(bare(line) for line in split_lines(block)))
    lines = split_lines(first.body)
    while lines and is_blank(lines[-1]):
        lines.pop()
    body = "".join(lines)
    start = body + ("" if body.endswith("\n") or not body else eol)
    return start + "".join(f"{eol}{block}{eol}" for block in added)


def blocks(text: str) -> list[str]:
    """The paragraphs of ``text``: runs of lines without a blank one between them; a fence is never cut."""
    code = [(a, b) for a, b in code_spans(text) if "\n" in text[a:b]]
    found: list[str] = []
    run: list[str] = []
    at = 0
    for line in split_lines(text):
        inside = any(a < at < b for a, b in code)
        at += len(line)
        if is_blank(line) and not inside:
            if run:
                found.append("".join(run))
            run = []
        else:
            run.append(line)
    if run:
        found.append("".join(run))
    return found
