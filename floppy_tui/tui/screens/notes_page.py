"""The detail of one note: its fields, its links both ways, its heat, what lint says, and its text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.content import Content

from floppy_tui.notes.findings import Finding
from floppy_tui.notes.front import METADATA
from floppy_tui.notes.note import Note, Scope
from floppy_tui.notes.quota import warns_from
from floppy_tui.notes.tree import Tree
from floppy_tui.notes.yaml import differs, read_yaml
from floppy_tui.text.lines import bare, split_lines
from floppy_tui.tui import display
from floppy_tui.tui.notes_seen import Seen
from floppy_tui.tui.screens.notes_mode import SEVERITY
from floppy_tui.tui.widgets.page import FAINT, MOST, Page

MARK = "▸"
"""Stands before a line that was jumped to."""
_SAID = ("name", "description", "metadata.type", "metadata.evidence", "metadata.as_of")
"""The fields that the first lines say as they stand."""
_MOST_LINKS = 12
_MOST_FRONT = 20_000
"""Characters of front matter that YAML is asked about: it is slow."""
_CONTEXT = 400
"""Lines shown before one that was jumped to."""


def note_page(seen: Seen, note: Note, raw: bool, line: int, width: int) -> Sequence[Content]:
    """The lines of a note; with ``line`` its file as it stands, that line marked."""
    tree = seen.tree
    page = Page(width)
    page.add((note.slug, "bold"), (f"  {note.path}", FAINT))
    if note.description:
        page.add(note.description)
    page.add(_standing(tree, note))
    if note.scope is not Scope.OWN:
        said = f"Of the {note.scope} scope: checked as a note; it needs no pointer and counts to no quota."
        page.add((said, FAINT))
    if note.linked:
        page.add(("It is reached through a symbolic link, so nothing here writes it.", "$text-warning"))
    _fields(page, note)
    _pointers(page, tree, note)
    _links(page, tree, note)
    _heat(page, tree, note)
    findings(page, seen.found.get(note.path, ()))
    page.blank()
    if raw or line:
        numbered(page, note.text, line)
    else:
        page.body(note.body.strip("\n") or "This note has no text.", raw=False)
    return page.lines


def _standing(tree: Tree, note: Note) -> Content:
    """Type, evidence, age and size, on one line where there is room."""
    parts: list[Content] = [
        display.content(note.type or "no type", "" if note.type else FAINT),
        display.content(note.evidence or "no evidence", "" if note.evidence else FAINT),
        _age(tree, note),
    ]
    limit = tree.quota.note_chars_max if tree.quota else None
    if limit is None or note.scope is not Scope.OWN:
        parts.append(display.content(display.counted(note.chars, "character")))
    else:
        said = f"{note.chars:,} of {limit:,} characters"
        over = note.chars > limit
        style = "$text-error" if over else "$text-warning" if note.chars > warns_from(limit) else ""
        parts.append(display.content(f"{said}, over" if over else said, style))
    return Content(" · ").join(parts)


def _age(tree: Tree, note: Note) -> Content:
    days = note.age(tree.today)
    if days is None:
        return display.content(f"as of “{note.as_of}”, no date" if note.as_of else "undated", FAINT)
    ahead = (note.day - tree.today).days if note.day else 0
    if ahead > 0:
        return display.content(f"as of {note.as_of}, {display.counted(ahead, 'day')} ahead", "$text-error")
    said = f"as of {note.as_of}, {display.counted(days, 'day')} ago"
    if days > tree.config.note_stale_days:
        return display.content(f"{said}, aged (over {tree.config.note_stale_days:,})", "$text-warning")
    return display.content(said)


def _fields(page: Page, note: Note) -> None:
    """The fields that are not said above, as they stand, and what YAML makes of the front matter."""
    front = note.front
    if front is None:
        page.add(("No front matter: the file does not open with a closed --- block.", "$text-error"))
        return
    for field in front.fields.values():
        if field.key not in _SAID and (field.value or field.key != METADATA):
            page.labelled(f"{field.key}:", field.value or ("empty", FAINT))
    if front.end > _MOST_FRONT:
        page.add(("The front matter is too long to be read as YAML here.", FAINT))
        return
    whole = read_yaml(note.text[: front.body])
    if whole.problem:
        page.add((f"YAML cannot read the front matter: {whole.problem}", "$text-warning"))
        return
    other = differs(front, whole)
    if other:
        page.add((f"YAML reads these otherwise: {', '.join(other)}", "$text-warning"))
    for key, value in _beyond(whole.values, frozenset(front.fields)):
        page.labelled(f"{key} (by YAML):", value)


def _beyond(values: object, known: frozenset[str], above: str = "") -> Iterator[tuple[str, str]]:
    """What YAML reads that the lines do not: deeper keys and lists."""
    if not isinstance(values, dict):
        return
    for key, value in values.items():
        name = f"{above}{key}"
        if isinstance(value, dict):
            yield from _beyond(value, known, f"{name}.")
        elif name not in known or isinstance(value, list):
            yield name, ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _pointers(page: Page, tree: Tree, note: Note) -> None:
    if note.scope is not Scope.OWN:
        return
    page.heading("Pointers")
    found = tree.pointed_from(note.path)
    if not found:
        page.add(("none: no session reaches this note", "$text-error"), indent=2)
    for index in found:
        for pointer in index.links:
            if pointer.path == note.path:
                page.add((f"{index.path}:{pointer.line} ", FAINT), pointer.hook or pointer.title, indent=2)


def _links(page: Page, tree: Tree, note: Note) -> None:
    if note.links:
        page.heading("Links to")
    for link in note.links[:_MOST_LINKS]:
        target = tree.find(link.slug)
        if target is not None:
            page.add(("→ ", FAINT), target.slug, (f"  {target.description}", FAINT), indent=4)
        else:
            page.add(("✗ ", "$text-error"), link.slug, (dangling_words(tree, link.slug), FAINT), indent=4)
    _more(page, len(note.links))
    mentions = tree.mentions.get(note.path, ())
    if mentions:
        page.heading("Linked from")
    for mention in mentions[:_MOST_LINKS]:
        source = tree.by_path[mention.path]
        page.add(("← ", FAINT), source.slug, (f"  line {mention.link.line}", FAINT), indent=4)
    _more(page, len(mentions))


def _more(page: Page, count: int) -> None:
    if count > _MOST_LINKS:
        page.add((f"… {count - _MOST_LINKS:,} more (l lists them all)", FAINT))


def dangling_words(tree: Tree, slug: str) -> str:
    """That a link leads nowhere, and where it may have been meant to."""
    meant = tree.suggestion(slug)
    return "  leads to no note" + (f"; perhaps {meant.slug} ({meant.path})" if meant else "")


def _heat(page: Page, tree: Tree, note: Note) -> None:
    page.blank()
    heat = tree.heat.get(note.slug)
    if heat is None:
        page.labelled("heat", "never logged: a hint, never proof")
    else:
        page.labelled("heat", f"opened {display.counted(heat.times, 'time')}, last on {heat.last}")


def findings(page: Page, found: Sequence[Finding]) -> None:
    """What lint says of a file, with the repairs."""
    if found:
        page.heading("Findings")
    for finding in found:
        one_finding(page, finding)


def one_finding(page: Page, finding: Finding) -> None:
    """One finding with its repair."""
    mark = SEVERITY[finding.severity]
    where = f" line {finding.line}:" if finding.line else ":"
    page.add((f"{mark.glyph} {finding.rule}", mark.style), (where, FAINT), f" {finding.message}", indent=4)
    if finding.repair:
        page.add(("  F repairs it: ", FAINT), finding.repair, indent=4)


def numbered(page: Page, text: str, mark: int = 0, around: int = 0) -> None:
    """A file as it stands, by line numbers; ``mark`` is the line that stands out, from 1.

    With ``around`` only so many lines above and below it are shown.
    """
    lines = split_lines(text)
    wide = len(str(len(lines)))
    first = max(1, mark - (around or _CONTEXT))
    last = min(len(lines), mark + around) if around else len(lines)
    shown = 0
    if first > 1 and not around:
        page.add((f"… {display.counted(first - 1, 'line')} above", FAINT))
    for number in range(first, last + 1):
        line, here = bare(lines[number - 1])[:MOST], number == mark
        lead = f"{MARK if here else ' '}{number:>{wide}} "
        page.add((lead, "bold" if here else FAINT), (line, "bold" if here else ""), indent=wide + 2)
        shown += len(line)
        if shown >= MOST and number >= mark and number < len(lines):
            left = display.counted(len(lines) - number, "more line")
            page.add((f"… {left}; the file holds them all.", FAINT))
            return
