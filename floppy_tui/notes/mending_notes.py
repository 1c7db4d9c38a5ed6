"""The repairs inside notes that need no judgment: a field moved or spelled for all readers, a link."""

from __future__ import annotations

import re
from datetime import date
from enum import StrEnum

from floppy_tui.notes.drafting import Draft
from floppy_tui.notes.fields import remove_field, set_field, set_raw
from floppy_tui.notes.findings import Finding
from floppy_tui.notes.front import METADATA, Front, read_front
from floppy_tui.notes.links import targets_in
from floppy_tui.notes.note import Evidence, Kind, Note, Scope
from floppy_tui.notes.planned import Impossible
from floppy_tui.notes.relinking import follow, linkable, relink, words_at
from floppy_tui.notes.slugs import taken_by
from floppy_tui.notes.tree import Tree
from floppy_tui.notes.yaml import CHECKED, differs, read_yaml, spelled
from floppy_tui.text.dates import parse_date
from floppy_tui.text.lines import splice

_DAY = re.compile(r"([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})(?:[T ][0-9:.+ ]+(?:Z|UTC)?)?")


def note_of(tree: Tree, finding: Finding) -> Note | None:
    """The note that ``finding`` is about, where it has front matter and may be written."""
    note = tree.by_path.get(finding.path)
    return note if note is not None and not note.linked and note.front is not None else None


# -- the name


def can_name(tree: Tree, finding: Finding) -> str:
    """What naming a note by its file does."""
    note = note_of(tree, finding)
    if note is None or note.name == note.stem or taken_by(tree, note.stem, path=note.path):
        return ""
    mentions = tree.mentions.get(note.path, ())
    if (mentions or note.links) and not linkable(note.stem):
        return ""
    links = f", and {len(mentions)} {'link' if len(mentions) == 1 else 'links'} to it follow"
    return f"The name becomes '{note.stem}', as the file is called{links if mentions else ''}."


def name(draft: Draft, finding: Finding) -> None:
    """Name a note by its file; links by its old name follow."""
    note = draft.tree.by_path[finding.path]
    if note.name:
        follow(draft, note.path, note.stem, note.path)
    draft.put(note.path, set_field(draft.text(note.path), "name", note.stem, where=note.path))


# -- the type


def can_nest_type(tree: Tree, finding: Finding) -> str:
    """What moving a flat type below ``metadata:`` does."""
    note = note_of(tree, finding)
    fields = note.front.fields if note and note.front else {}
    if "type" not in fields:
        return ""
    nested = fields.get(f"{METADATA}.type")
    if nested is not None and nested.value:
        if nested.value != fields["type"].value:
            return ""
        return f"The flat type goes; metadata.type says {nested.value} too."
    if METADATA in fields and fields[METADATA].value:
        return ""
    return f"type: {fields['type'].value} moves below metadata:."


def nest_type(draft: Draft, finding: Finding) -> None:
    """Move a flat type below ``metadata:``, its value as it is spelled."""
    path = finding.path
    text = draft.text(path)
    front = read_front(text)
    if front is None or "type" not in front.fields:
        return
    flat = front.fields["type"]
    raw = text[flat.start : flat.end]
    text = remove_field(text, "type", where=path)
    if not front.value(f"{METADATA}.type"):
        if "\n" in raw:
            text = set_field(text, f"{METADATA}.type", flat.value, where=path)
        else:
            text = set_raw(text, f"{METADATA}.type", raw, where=path)
    draft.put(path, text)


# -- values that are nearly right


def can_respell_word(tree: Tree, finding: Finding) -> str:
    """What spelling a known type or evidence as it should be does."""
    found = _word(tree, finding)
    return f"{found[0]} is spelled {found[1]}." if found else ""


def respell_word(draft: Draft, finding: Finding) -> None:
    """Spell a type or evidence as it should be."""
    found = _word(draft.tree, finding)
    if found:
        text = draft.text(finding.path)
        draft.put(finding.path, set_field(text, found[0], found[1], where=finding.path))


def _word(tree: Tree, finding: Finding) -> tuple[str, str] | None:
    note = note_of(tree, finding)
    if note is None or note.front is None:
        return None
    key, values = _VOCABULARIES.get(finding.rule, ("", Kind))
    if key not in note.front.fields:
        return None
    said = note.front.value(key)
    word = said.strip(" \t.,;'\"").casefold()
    if word == said:
        return None
    return next(((key, v.value) for v in values if v.value == word), None)


_VOCABULARIES: dict[str, tuple[str, type[StrEnum]]] = {
    "type-unknown": ("metadata.type", Kind),
    "evidence-unknown": ("metadata.evidence", Evidence),
}


def can_respell_day(tree: Tree, finding: Finding) -> str:
    """What spelling a date as ISO does."""
    note = note_of(tree, finding)
    day = _day(note.as_of) if note else None
    return f"as_of is spelled {day.isoformat()}." if day else ""


def respell_day(draft: Draft, finding: Finding) -> None:
    """Spell a date as ISO, year first in the old spelling too."""
    text = draft.text(finding.path)
    front = read_front(text)
    day = _day(front.value("metadata.as_of")) if front else None
    if day:
        draft.put(finding.path, set_field(text, "metadata.as_of", day.isoformat(), where=finding.path))


def _day(said: str) -> date | None:
    match = _DAY.fullmatch(said)
    return None if match is None else parse_date(f"{match[1]}-{match[2]:0>2}-{match[3]:0>2}")


# -- YAML


def can_quote(tree: Tree, finding: Finding) -> str:
    """What quoting the values does that YAML reads otherwise."""
    note = note_of(tree, finding)
    if note is None:
        return ""
    try:
        text, keys = _quoted(note.text, note.path)
    except Impossible:
        return ""
    if text == note.text or not keys:
        return ""
    return f"{' and '.join(keys)} {'is' if len(keys) == 1 else 'are'} quoted, so that YAML reads the same."


def quote(draft: Draft, finding: Finding) -> None:
    """Quote the values that YAML reads otherwise."""
    text, _ = _quoted(draft.text(finding.path), finding.path)
    draft.put(finding.path, text)


def _quoted(text: str, path: str) -> tuple[str, list[str]]:
    front = read_front(text)
    if front is None:
        raise Impossible(f"{path} has no front matter.")
    before = read_yaml(text)
    keys = (
        [k for k in CHECKED if _misread(text, front, k)] if before.problem else list(differs(front, before))
    )
    changed = []
    for key in keys:
        if key not in front.fields:
            continue
        after = set_field(text, key, front.value(key), where=path)
        if after != text:
            changed.append(key)
            text = after
    front = read_front(text)
    whole = read_yaml(text)
    if front is None or whole.problem or differs(front, whole):
        raise Impossible(f"{path} has a front matter that YAML cannot read either way; edit it by hand.")
    return text, changed


def _misread(text: str, front: Front, key: str) -> bool:
    """Whether YAML reads the value of ``key`` otherwise by itself already."""
    field = front.fields.get(key)
    if field is None:
        return False
    whole = read_yaml(f"---\nvalue: {text[field.start : field.end]}\n---\n")
    return bool(whole.problem) or spelled(whole.values.get("value")) != field.value


# -- links


def can_lead(tree: Tree, finding: Finding) -> str:
    """What leading a dangling link to the note that was probably meant does."""
    meant = _meant(tree, finding)
    return f"The link leads to [[{meant}]]." if meant else ""


def lead(draft: Draft, finding: Finding) -> None:
    """Lead the links of one dangling slug in a file to the note that was probably meant."""
    meant = _meant(draft.tree, finding)
    text = draft.text(finding.path)
    front = read_front(text)
    slug = finding.about
    start = front.body if front else 0
    draft.put(finding.path, relink(text, start, lambda link: meant if link.slug == slug else None))


def _meant(tree: Tree, finding: Finding) -> str:
    """The slug that was probably meant, of a note that links of this file may lead to."""
    holder = tree.by_path.get(finding.path)
    there = holder.links if holder else ()
    if finding.path in tree.index_by_path:
        there = tree.index_by_path[finding.path].references
    if (holder is not None and holder.linked) or all(link.slug != finding.about for link in there):
        return ""
    meant = None if tree.find(finding.about) else tree.suggestion(finding.about)
    own = holder is None or holder.scope is Scope.OWN
    if meant is None or (own and meant.scope is not Scope.OWN):
        return ""
    return next((s for s in (meant.name, meant.stem) if s and tree.find(s) is meant and linkable(s)), "")


def can_unlink_foreign(tree: Tree, finding: Finding) -> str:
    """What leaving of a link into a foreign scope its words does."""
    return "The link becomes its words." if _unlinked(tree, finding) is not None else ""


def unlink_foreign(draft: Draft, finding: Finding) -> None:
    """Leave of the links of a file into a foreign scope by one slug or target their words."""
    text = _unlinked(draft.tree, finding)
    if text is not None:
        draft.put(finding.path, text)


def _unlinked(tree: Tree, finding: Finding) -> str | None:
    holder = tree.by_path.get(finding.path)
    text = tree.texts.get(finding.path)
    if text is None or (holder is not None and holder.linked):
        return None
    front = read_front(text)
    start = front.body if front else 0
    words = relink(text, start, lambda link: "" if link.slug == finding.about else None)
    cuts = [words_at(words, link.start) for link in targets_in(words) if link.target == finding.about]
    if None in cuts:
        return None
    try:
        after = splice(words, [cut for cut in cuts if cut is not None])
    except ValueError:  # An image within a link, both of them into that scope.
        return None
    return None if after == text else after
