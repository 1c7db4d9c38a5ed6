"""The repairs of indexes that need no judgment: a pointer added, removed, led on or spelled plainly."""

from __future__ import annotations

import posixpath
import re

from floppy_tui.notes.code import Code
from floppy_tui.notes.drafting import Draft
from floppy_tui.notes.findings import Finding
from floppy_tui.notes.index import INDEX, ROUTER, Index, Pointer, index_for, parent_of, spell_target
from floppy_tui.notes.note import Note, Scope
from floppy_tui.notes.placing import add_to_index, home_index, line_limit, tell
from floppy_tui.notes.planned import Impossible
from floppy_tui.notes.pointing import SEPARATOR, drop, pointer_line, shortened
from floppy_tui.notes.profiles import Profile
from floppy_tui.notes.relinking import relative, retarget
from floppy_tui.notes.slugs import words_of
from floppy_tui.notes.tree import LEVELS, Tree, folded
from floppy_tui.text.identity import fold
from floppy_tui.text.lines import Splice, bare, splice

_TITLE = re.compile(r"^ {0,3}#[ \t]+(.+?)(?:[ \t]+#+)?[ \t\r]*$", re.M)


def title_of(path: str, text: str, start: int = 0) -> str:
    """What a pointer to a note or an index is called: its first heading of the first level, else its slug."""
    match = _TITLE.search(text, start)
    if match is None or Code(text, start).covers(match.start(), match.end()):
        return words_of(path)
    return match[1].strip() or words_of(path)


# -- a pointer that is missing


def can_point(tree: Tree, finding: Finding) -> str:
    """What adding the pointer to a note does."""
    note = tree.by_path.get(finding.path)
    if note is None or note.scope is not Scope.OWN or note.path.count("/") >= LEVELS:
        return ""
    index = home_index(tree, note.path)
    try:
        line = pointer_line(*_pointer_words(tree, note, index), line_limit(tree))
    except Impossible:
        return ""
    new = "" if index in tree.index_by_path else ", which is new,"
    return f"{index}{new} gets the line {line}"


def point(draft: Draft, finding: Finding) -> None:
    """Add the pointer to a note."""
    note = draft.tree.by_path[finding.path]
    index = home_index(draft.tree, note.path)
    title, _, hook = _pointer_words(draft.tree, note, index)
    add_to_index(draft, index, note.path, title, hook)


def _pointer_words(tree: Tree, note: Note, index: str) -> tuple[str, str, str]:
    target = relative(note.path, posixpath.dirname(index))
    limit = line_limit(tree)
    title = title_of(note.path, note.text, note.body_start)
    for words in (title, words_of(note.path)):
        if limit is None or len(f"- [{words}]({spell_target(target)})") <= limit:
            title = words
            break
    return title, target, note.description


def can_link_index(tree: Tree, finding: Finding) -> str:
    """What linking an index from the one above does."""
    index = tree.index_by_path.get(finding.path)
    if index is None or index.path == ROUTER:
        return ""
    parent = parent_of(index.path)
    if parent in tree.index_by_path:
        return f"{parent} gets a pointer to {index.path}."
    return f"{parent} is made, with a pointer to {index.path}, and linked from the index above it."


def link_index(draft: Draft, finding: Finding) -> None:
    """Link an index from the one above, which is made where it is missing."""
    index = draft.index(finding.path)
    add_to_index(draft, parent_of(index.path), index.path, title_of(index.path, index.text), "")


# -- a pointer that leads nowhere


def can_mend_dangling(tree: Tree, finding: Finding) -> str:
    """What is done with a pointer to a missing file."""
    pointers = _dangling(tree, finding)
    if not pointers:
        return ""
    meant = {_meant(tree, finding.path, p) for p in pointers}
    if meant == {""}:
        if all(p.listed for p in pointers):
            return "The pointer is removed."
        return "The link becomes its words."
    return " ".join(f"The pointer leads to {path}." for path in sorted(meant - {""}))


def mend_dangling(draft: Draft, finding: Finding) -> None:
    """Lead a pointer to the file that it means, or remove it."""
    pointers = _dangling(draft.tree, finding)
    moves = {p.path: meant for p in pointers if (meant := _meant(draft.tree, finding.path, p))}
    text = draft.text(finding.path)
    index = Index(finding.path, text)
    dropped = drop(index, [p for p in pointers if p.path not in moves])
    tell(draft, finding.path, dropped)
    text = retarget(dropped.text, finding.path, moves) if moves else dropped.text
    draft.put(finding.path, text)


def _dangling(tree: Tree, finding: Finding) -> list[Pointer]:
    index = tree.index_by_path.get(finding.path)
    if index is None:
        return []
    there = tree.texts.keys() | {file.path for file in tree.unread}
    found = [p for p in index.links if p.path and p.path not in there]
    named = [p for p in found if finding.about == p.path]
    return named or [p for p in found if p.line == finding.line]


def _meant(tree: Tree, index: str, pointer: Pointer) -> str:
    """The note that a dangling pointer means: one in other letter case, or the only one of that file name."""
    name = posixpath.basename(pointer.path)
    alike = tree.known_as.get(folded(name.removesuffix(".md")), ())
    for path in alike:
        if folded(path) == folded(pointer.path):
            return path
    if name in (INDEX, ROUTER):
        return ""
    same = [p for p in alike if posixpath.basename(p) == name and tree.by_path[p].scope is Scope.OWN]
    if len(same) == 1 and index in (ROUTER, index_for(same[0])) and not tree.pointed_from(same[0]):
        return same[0]
    return ""


# -- a pointer that stands twice


def can_unrepeat(tree: Tree, finding: Finding) -> str:
    """What is done with a pointer that stands in an index for the second time."""
    found = _repeated(tree, finding)
    if found is None:
        return ""
    first, again = found
    hook = _joined(tree, first, again)
    if hook is None:
        return ""
    if hook == first.hook:
        return f"The line goes; line {first.line} says the same."
    return f"The line goes, and what it says goes to line {first.line}."


def unrepeat(draft: Draft, finding: Finding) -> None:
    """Let a repeated pointer go; what only it says goes to the first one."""
    found = _repeated(draft.tree, finding)
    if found is None:
        return
    first, again = found
    hook = _joined(draft.tree, first, again)
    if hook is None:
        return
    index = draft.index(finding.path)
    dropped = drop(index, [again])
    tell(draft, finding.path, dropped)
    text = dropped.text
    if hook != first.hook:
        line = bare(text[first.start : first.end])
        text = splice(text, [Splice(first.start, first.start + len(line), _with_hook(line, first, hook))])
    draft.put(finding.path, text)


def _repeated(tree: Tree, finding: Finding) -> tuple[Pointer, Pointer] | None:
    index = tree.index_by_path.get(finding.path)
    if index is None:
        return None
    again = next((p for p in index.pointers if p.line == finding.line and p.path), None)
    if again is None or any(p.line == again.line and p is not again for p in index.links):
        return None
    first = next((p for p in index.pointers if p.path == again.path), None)
    return None if first is None or first.line == again.line else (first, again)


def _joined(tree: Tree, first: Pointer, again: Pointer) -> str | None:
    """The hook of the first line with what the second adds to it; None where that is no line any more."""
    if not again.hook or fold(again.hook) in fold(first.hook):
        return first.hook
    hook = f"{first.hook}; {again.hook}" if first.hook else again.hook
    limit = line_limit(tree)
    if limit is not None and _length(first, hook) > limit:
        return None
    return hook


def _length(pointer: Pointer, hook: str) -> int:
    old = len(f"{pointer.separator} {pointer.hook}") if pointer.hook else 0
    return pointer.end - pointer.start - old + len(hook) + len(SEPARATOR)


def _with_hook(line: str, pointer: Pointer, hook: str) -> str:
    """The ``line`` of ``pointer`` with another hook."""
    link = line[: len(line.rstrip(" \t")) - len(pointer.hook)] if pointer.hook else line.rstrip(" \t")
    return f"{link}{hook}" if pointer.hook else f"{link}{SEPARATOR}{hook}"


# -- how a pointer is spelled


def can_spell(tree: Tree, finding: Finding) -> str:
    """What spelling a pointer's target plainly does."""
    found = _spelled(tree, finding)
    return f"The target is spelled {found[1]}." if found else ""


def spell_plainly(draft: Draft, finding: Finding) -> None:
    """Spell a pointer's target so that readers of the raw line find the same file."""
    found = _spelled(draft.tree, finding)
    if found:
        pointer, target = found
        text = draft.text(finding.path)
        draft.put(finding.path, splice(text, [Splice(pointer.target_start, pointer.target_end, target)]))


def _spelled(tree: Tree, finding: Finding) -> tuple[Pointer, str] | None:
    index = tree.index_by_path.get(finding.path)
    pointer = next((p for p in index.pointers if p.line == finding.line), None) if index else None
    if index is None or pointer is None or pointer.literal:
        return None
    target = relative(pointer.path, index.directory)
    if spell_target(target) != target:
        return None
    after = splice(index.text, [Splice(pointer.target_start, pointer.target_end, target)])
    new = next((p for p in Index(index.path, after).pointers if p.line == finding.line), None)
    if new is None or not new.literal or (new.path, new.hook) != (pointer.path, pointer.hook):
        return None
    return pointer, target


# -- a pointer line that is too long


def can_shorten(tree: Tree, finding: Finding) -> str:
    """What shortening a pointer's hook does, where the note says the whole of it."""
    line = _short(tree, finding)
    return f"The hook is shortened; the note's description says it whole: {line}" if line else ""


def shorten(draft: Draft, finding: Finding) -> None:
    """Shorten the hook of a pointer."""
    line = _short(draft.tree, finding)
    index = draft.tree.index_by_path[finding.path]
    pointer = next(p for p in index.pointers if p.line == finding.line)
    old = bare(index.text[pointer.start : pointer.end])
    draft.put(finding.path, splice(index.text, [Splice(pointer.start, pointer.start + len(old), line)]))


def _short(tree: Tree, finding: Finding) -> str:
    index = tree.index_by_path.get(finding.path)
    pointer = next((p for p in index.pointers if p.line == finding.line), None) if index else None
    limit = line_limit(tree)
    if index is None or pointer is None or limit is None or tree.profile is Profile.AUTO:
        return ""
    note = tree.by_path.get(pointer.path)
    if note is None or not pointer.hook or fold(pointer.hook) not in fold(note.description):
        return ""
    if any(p.line == pointer.line and p is not pointer for p in index.links):
        return ""
    old = bare(index.text[pointer.start : pointer.end]).rstrip(" \t")
    link = old[: -len(pointer.hook)].rstrip(" \t")
    if pointer.separator:
        link = link.removesuffix(pointer.separator).rstrip(" \t")
    try:
        return shortened(link, pointer.hook, limit)
    except Impossible:
        return ""
