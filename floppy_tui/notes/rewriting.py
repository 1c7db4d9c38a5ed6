"""The answers to an aged note that keep it: re-checked, and rewritten in place. Each is about one note."""

from __future__ import annotations

from datetime import date
from difflib import SequenceMatcher

from floppy_tui.notes.drafting import Draft, applied, note_at
from floppy_tui.notes.fields import set_field
from floppy_tui.notes.limits import strain
from floppy_tui.notes.making import check_day
from floppy_tui.notes.note import Evidence
from floppy_tui.notes.planned import Impossible, Planned
from floppy_tui.notes.tree import Tree
from floppy_tui.text.lines import bare, is_blank, main_eol, split_lines


def recheck(tree: Tree, path: str, day: date) -> Planned:
    """Date the note ``path`` by evidence of ``day``, and change nothing else."""
    note = note_at(tree, path)
    check_day(tree, day)
    draft = Draft(tree)
    if note.as_of != day.isoformat():
        draft.put(path, set_field(note.text, "metadata.as_of", day.isoformat(), where=path))
    return draft.plan(f"re-check {note.slug}", f"Re-check {note.slug}: still true on {day.isoformat()}")


def rewrite(
    tree: Tree,
    path: str,
    body: str,
    *,
    description: str | None = None,
    as_of: date | None = None,
    evidence: Evidence | None = None,
) -> Planned:
    """Put ``body`` in the place of the text of the note ``path``, with the fields that are given."""
    note = note_at(tree, path)
    if not body.strip():
        raise Impossible("A note needs a text; delete the note where nothing of it is true any more.")
    draft = Draft(tree)
    text = note.text[: note.body_start] + as_written(note.body, body)
    if description is not None:
        folded = " ".join(description.split())
        if not folded:
            raise Impossible("A note needs a description; say in one line what it is about.")
        if folded != note.description:
            text = set_field(text, "description", folded, where=path)
    if evidence is not None and evidence != note.evidence:
        text = set_field(text, "metadata.evidence", evidence.value, where=path)
    if as_of is not None and as_of.isoformat() != note.as_of:
        check_day(tree, as_of)
        text = set_field(text, "metadata.as_of", as_of.isoformat(), where=path)
    draft.put(path, text)
    what, message = f"rewrite {note.slug}", f"Rewrite {note.slug}"
    draft.say(*strain(tree, applied(tree, draft.plan(what, message))))
    return draft.plan(what, message)


def as_written(old: str, new: str) -> str:
    """``new`` with the lines that ``old`` has to the byte, and the line ends of ``old`` elsewhere.

    Blank lines before the first words and after the last ones stay, where ``new`` has none.
    """
    eol = main_eol(old)
    before = split_lines(old)
    full = [n for n, line in enumerate(before) if not is_blank(line)]
    given = split_lines(new)
    if full and given and not is_blank(given[0]):
        new = "".join(before[: full[0]]) + new
    if full and given and not is_blank(given[-1]):
        new = new.removesuffix("\n") + "\n" + "".join(before[full[-1] + 1 :])
    wanted = [bare(line) for line in split_lines(new)]
    lines = [line + eol for line in wanted]
    same = SequenceMatcher(None, [bare(line) for line in before], wanted, autojunk=False)
    for was, now, size in same.get_matching_blocks():
        for n in range(size):
            if before[was + n].endswith("\n"):
                lines[now + n] = before[was + n]
    text = "".join(lines)
    if old and not old.endswith("\n"):
        return text.removesuffix("\n").removesuffix("\r")
    return text
