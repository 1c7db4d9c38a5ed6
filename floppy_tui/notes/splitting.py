"""Splitting an index that grew too long: a group of its notes moves below it, with an index of its own."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from floppy_tui.notes.drafting import Draft, applied, index_paths, note_at
from floppy_tui.notes.grandfathered import regrandfather
from floppy_tui.notes.index import INDEX, ROUTER, Index, Pointer
from floppy_tui.notes.limits import strain
from floppy_tui.notes.mending_indexes import title_of
from floppy_tui.notes.note import Note, Scope
from floppy_tui.notes.placing import add_to_index, line_limit
from floppy_tui.notes.planned import Impossible, Planned
from floppy_tui.notes.pointing import insert_line, item_end, pointer_line
from floppy_tui.notes.rebasing import rebase
from floppy_tui.notes.relinking import mentioning, relative, retarget
from floppy_tui.notes.slugs import check_case, check_free, words_of
from floppy_tui.notes.tree import LEVELS, Tree, folded
from floppy_tui.text.lines import Splice, eol_of, main_eol, splice, split_lines

_SAFE = re.compile(r"[\w][\w.-]*")
FEWEST = 3
"""Notes that are worth an index of their own."""
_SHORTEST = 3
"""Characters of a word that may name a group."""


def split_index(
    tree: Tree, index_path: str, group: str, paths: Sequence[str], *, title: str = "", hook: str = ""
) -> Planned:
    """Move the notes ``paths`` of the index into the directory ``group`` below it, pointers with them.

    Slugs stay, so that links by slug hold; links by path, in the notes and to them, are led on. The index
    keeps one pointer to the new one, which is written where the first pointer stood that moved.
    """
    index = tree.index_by_path.get(index_path)
    if index is None:
        raise Impossible(f"There is no index {index_path}; read the memory again.")
    if index.level >= LEVELS:
        raise Impossible(
            f"{index_path} is on the last level that a session reads; it cannot be split further."
        )
    _check_group(tree, index, group)
    notes = _chosen(tree, index, paths)
    directory = posixpath.join(index.directory, group)
    below = f"{directory}/{INDEX}"
    moves = {note.path: f"{directory}/{posixpath.basename(note.path)}" for note in notes}
    for target in moves.values():
        check_free(tree, target)
    draft = Draft(tree)
    lines = _lift(draft, index, moves, below, title, hook)
    _write_below(
        draft, index, below, lines, [n for n in notes if not tree.pointed_from(n.path)], moves, title
    )
    for path, target in moves.items():
        draft.put(target, rebase(draft.text(path), path, target, moves))
        draft.put(path, None)
        regrandfather(draft, path, target)
    _lead_on(draft, moves)
    if index_path == ROUTER:
        draft.say(f"The notes count toward the half {group} from now on.")
    what = f"split {group} off {index_path}"
    message = f"Split {group} off {index_path}: {len(moves)} notes have an index of their own"
    after = applied(tree, draft.plan(what, message))
    _check_reached(tree, after, moves)
    draft.say(*strain(tree, after))
    return draft.plan(what, message, whole=(index_path,))


def _check_group(tree: Tree, index: Index, group: str) -> None:
    if not _SAFE.fullmatch(group) or group.endswith(".md"):
        raise Impossible(f"'{group}' is no name of a directory; write one word such as carts.")
    if index.path == ROUTER and folded(group) in (folded(tree.config.private_dir), "common"):
        raise Impossible(f"{group} is a foreign scope; choose another name for the half.")
    check_case(tree, posixpath.join(index.directory, group))


def _chosen(tree: Tree, index: Index, paths: Sequence[str]) -> list[Note]:
    notes = [note_at(tree, path) for path in dict.fromkeys(paths)]
    if not notes:
        raise Impossible("No notes are chosen; choose those that move into the group.")
    for note in notes:
        if note.scope is not Scope.OWN or posixpath.dirname(note.path) != index.directory:
            raise Impossible(f"{note.path} does not lie beside {index.path}; choose notes of that directory.")
    return notes


def _lift(
    draft: Draft, index: Index, moves: Mapping[str, str], below: str, title: str, hook: str
) -> list[str]:
    """Take the pointers that move out of ``index``, which points to ``below`` instead; their lines."""
    text = index.text
    cuts: list[Splice] = []
    items: list[str] = []
    end = 0
    for pointer in index.pointers:
        if pointer.path not in moves or pointer.start < end:
            continue
        end = item_end(text, pointer)
        items.append(rebase(text[pointer.start : end], index.path, below, moves))
        cuts.append(Splice(pointer.start, end, ""))
    if not cuts:
        if below not in index.reached:
            add_to_index(draft, index.path, below, title, hook)
        return items
    if below not in index.reached:
        line = pointer_line(
            title or words_of(below), relative(below, index.directory), hook, line_limit(draft.tree)
        )
        first = cuts[0]
        eol = eol_of(text[first.start : first.end]) or main_eol(text)
        cuts[0] = Splice(first.start, first.end, _indent(text, first.start) + line + eol)
    after = splice(text, cuts)
    if text and not text.endswith("\n"):
        after = after.removesuffix("\n").removesuffix("\r")
    draft.put(index.path, after)
    return items


def _indent(text: str, at: int) -> str:
    return text[at : at + len(text[at:]) - len(text[at:].lstrip(" "))]


def _write_below(
    draft: Draft,
    index: Index,
    below: str,
    items: Sequence[str],
    unpointed: Sequence[Note],
    moves: Mapping[str, str],
    title: str,
) -> None:
    eol = main_eol(index.text)
    lines = [item if item.endswith("\n") else item + eol for item in items]
    directory = posixpath.dirname(below)
    limit = line_limit(draft.tree)
    for note in unpointed:
        target = relative(moves[note.path], directory)
        line = pointer_line(title_of(note.path, note.text, note.body_start), target, note.description, limit)
        lines.append(line + eol)
    if not draft.has(below):
        draft.put(below, f"# {title or words_of(below)}{eol}{eol}{''.join(lines)}")
        return
    text = draft.text(below)
    last = _last(Index(below, text).pointers)
    if not lines:
        return
    words = "".join(lines)
    words = words[: -len(eol_of(split_lines(words)[-1]))]
    at = item_end(text, last) if last else len(text)
    draft.put(below, insert_line(text, words, at, apart=last is None))


def _last(pointers: Sequence[Pointer]) -> Pointer | None:
    return pointers[-1] if pointers else None


def _lead_on(draft: Draft, moves: Mapping[str, str]) -> None:
    """Lead Markdown links to the notes that moved on, in the notes and indexes that stay."""
    for index in index_paths(draft):
        before = draft.text(index)
        after = retarget(before, index, dict(moves))
        if after != before:
            draft.put(index, after)
    for note in mentioning(draft.tree.notes, moves):
        if note.path in moves:
            continue
        before = draft.text(note.path)
        after = retarget(before, note.path, dict(moves))
        if after == before:
            continue
        if note.linked:
            draft.say(
                f"{note.path} links to a note that moves and is reached through a symbolic link; it stays."
            )
            continue
        draft.put(note.path, after)


def _check_reached(before: Tree, after: Tree, moves: Mapping[str, str]) -> None:
    for note in before.own:
        now = moves.get(note.path, note.path)
        if before.pointed_from(note.path) and not after.pointed_from(now):
            raise Impossible(
                f"{note.path} would be left without a pointer; give it a pointer line of its own first."
            )


def proposed_split(tree: Tree, index_path: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Groups that the notes beside an index fall into, by a word that their slugs share; largest first.

    A note is in one group at most; a word that all of them share tells nothing.
    """
    index = tree.index_by_path.get(index_path)
    if index is None or index.level >= LEVELS:
        return ()
    rest = [n for n in tree.own if posixpath.dirname(n.path) == index.directory and not n.linked]
    groups: list[tuple[str, tuple[str, ...]]] = []
    for leading in (True, False):
        while True:
            best = _best(rest, leading)
            if best is None:
                break
            word, members = best
            groups.append((word, tuple(n.path for n in members)))
            rest = [n for n in rest if n not in members]
    return tuple(sorted(groups, key=lambda group: (-len(group[1]), group[0])))


def _best(notes: Sequence[Note], leading: bool) -> tuple[str, list[Note]] | None:
    words = {n.path: _words(n.stem)[: 1 if leading else None] for n in notes}
    counts = Counter(word for own in words.values() for word in dict.fromkeys(own))
    fit = [(w, c) for w, c in counts.items() if FEWEST <= c < len(notes) and _names(w)]
    if not fit:
        return None
    word = min(fit, key=lambda pair: (-pair[1], pair[0]))[0]
    return word, [n for n in notes if word in words[n.path]]


def _words(slug: str) -> list[str]:
    return [word for word in re.split(r"[-_.\s]+", slug.casefold()) if word]


def _names(word: str) -> bool:
    return len(word) >= _SHORTEST and not word.isdigit() and bool(_SAFE.fullmatch(word))
