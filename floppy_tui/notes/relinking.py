"""Links that follow a note: ``[[slug]]`` and Markdown links re-pointed, or turned into their plain words.

What resolves to another note, or stands in code, is not touched.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from floppy_tui.notes.drafting import Draft, index_paths
from floppy_tui.notes.front import read_front
from floppy_tui.notes.index import Index, Pointer, resolve, spell_target
from floppy_tui.notes.links import Link, links_in, targets_in
from floppy_tui.notes.note import Note
from floppy_tui.text.lines import Splice, splice

_ENDS = re.compile(r"""[ \t]*(?:"[^"\n]*"|'[^'\n]*'|\([^)\n]*\))?[ \t]*\)""")
_WHOLE = re.compile(
    r"""\([ \t]*(?:<[^<>\n]*>|(?:[^\s()<>]|\([^\s()]*\))*)"""
    r"""[ \t]*(?:"[^"\n]*"|'[^'\n]*'|\([^)\n]*\))?[ \t]*\)"""
)
_RAW = re.compile(r"<[^<>\n]*>|(?:[^\s()<>]|\([^\s()]*\))+")
_PLAIN_TARGET = re.compile(r"[^\s<>()\\%#]+")


def relink(text: str, start: int, slug_for: Callable[[Link], str | None]) -> str:
    """``text`` with the ``[[links]]`` from ``start`` on led elsewhere.

    ``slug_for`` gives the new slug of a link, ``""`` for its plain words, None to let it stay.
    """
    cuts: list[Splice] = []
    for link in links_in(text, start):
        slug = slug_for(link)
        if slug == "":
            cuts.append(Splice(link.start, link.end, link.shown))
        elif slug is not None and slug != link.slug:
            cuts.append(Splice(link.slug_start, link.slug_end, slug))
    return splice(text, cuts) if cuts else text


def words_at(text: str, destination: int) -> Splice | None:
    """The splice that leaves of the inline link whose destination starts there its words; None for others."""
    opened = text.rfind("](", 0, destination)
    if opened < 0 or text[opened + 2 : destination].strip(" \t"):
        return None
    line_start = text.rfind("\n", 0, opened) + 1
    depth = 0
    for at in range(opened, line_start - 1, -1):
        depth += (text[at] == "]") - (text[at] == "[")
        if depth == 0:
            close = _WHOLE.match(text, opened + 1)
            lead = 1 if at > line_start and text[at - 1] == "!" else 0
            return Splice(at - lead, close.end(), text[at + 1 : opened]) if close else None
    return None


def retarget(text: str, path: str, moves: Mapping[str, str | None], *, home: str | None = None) -> str:
    """The file ``path`` with its Markdown links to the files ``moves`` leading to where these are now.

    None turns a link into its plain words. ``home`` is the directory that targets are spelled from
    afterwards, where the file itself moves.
    """
    before = posixpath.dirname(path)
    after = before if home is None else home
    cuts: dict[int, Splice] = {}
    for link in Index(path, text).links:
        if link.path in moves:
            new = moves[link.path]
            cuts[link.target_start] = (
                plain_words(text, link)
                if new is None
                else _spelled(text, link.target_start, link.target_end, link.path, new, after)
            )
    front = read_front(text)
    for other in targets_in(text, front.body if front else 0):
        led = resolve(before, other.target)
        if led not in moves or other.start in cuts:
            continue
        new = moves[led]
        if new is not None:
            end = _RAW.match(text, other.start)
            if end:
                cuts[other.start] = _spelled(text, other.start, end.end(), led, new, after)
        elif (words := words_at(text, other.start)) is not None:
            cuts[other.start] = words
    return splice(text, _apart(cuts.values())) if cuts else text


def _apart(cuts: Iterable[Splice]) -> list[Splice]:
    """Those of ``cuts`` that do not lie within the one before them."""
    found: list[Splice] = []
    for cut in sorted(cuts):
        if not found or cut.start >= found[-1].end:
            found.append(cut)
    return found


def _spelled(text: str, start: int, end: int, path: str, new: str, directory: str) -> Splice:
    """The destination between ``start`` and ``end``, which led to ``path``, spelled to lead to ``new``."""
    bracketed = text[start] == "<" and end - start > 1
    if bracketed:
        start, end = start + 1, end - 1
    raw = text[start:end]
    old_name, new_name = posixpath.basename(path), posixpath.basename(new)
    before, hash_, fragment = raw.partition("#")
    swapped = f"{before[: len(before) - len(old_name)]}{new_name}{hash_}{fragment}"
    if before.endswith(old_name) and _PLAIN_TARGET.fullmatch(new_name) and resolve(directory, swapped) == new:
        return Splice(start, end, swapped)
    spelled = spell_target(relative(new, directory))
    inner = (spelled[1:-1] if spelled.startswith("<") else spelled) + hash_ + fragment
    return Splice(start, end, f"<{inner}>" if spelled.startswith("<") and not bracketed else inner)


def plain_words(text: str, link: Pointer) -> Splice:
    """The splice that leaves of a Markdown link its words."""
    close = _ENDS.match(text, link.target_end)
    end = close.end() if close else link.target_end
    start = text.rfind("](", link.start, link.target_start) - len(link.title) - 1
    return Splice(start, end, link.title)


def relative(path: str, directory: str) -> str:
    """``path`` as a link in a file of ``directory`` names it; both below the memory directory."""
    own = directory.split("/") if directory else []
    parts = path.split("/")
    shared = 0
    while shared < min(len(own), len(parts) - 1) and own[shared] == parts[shared]:
        shared += 1
    return "/".join([".."] * (len(own) - shared) + parts[shared:])


def follow(draft: Draft, path: str, slug: str, moved: str | None) -> int:
    """Lead all links to the note ``path`` to ``slug``, and Markdown links to the file ``moved``.

    With ``slug`` ``""`` and ``moved`` None they become their plain words, as do those in the note at
    ``moved`` itself. A link in a note that lives
    elsewhere stays, and the captain is told. Returns how many notes changed.
    """
    tree = draft.tree
    count = 0
    holders = {mention.path for mention in tree.mentions.get(path, ())} | {path}

    def leads(link: Link) -> bool:
        found = tree.find(link.slug)
        return found is not None and found.path == path

    for index in index_paths(draft):
        before = draft.text(index)
        front = read_front(before)
        after = relink(before, front.body if front else 0, _to(slug, leads))
        if after != before:
            draft.put(index, after)
    for note in tree.notes:
        mentions = moved != path and _may_mention(note, path)
        if not (mentions or note.path in holders) or not draft.has(note.path):
            continue
        before = draft.text(note.path)
        front = read_front(before)
        itself = note.path == moved and moved != path
        own = "" if itself else slug
        after = relink(before, front.body if front else 0, _to(own, leads))
        if mentions:
            after = retarget(after, note.path, {path: None if itself else moved})
        if after == before:
            continue
        if note.linked:
            draft.say(f"{note.path} links to {path} and is reached through a symbolic link; its link stays.")
            continue
        count += 1
        draft.put(note.path, after)
    return count


def linkable(slug: str) -> bool:
    """Whether a ``[[link]]`` can spell ``slug``."""
    return [link.slug for link in links_in(f"[[{slug}]]")] == [slug]


def mentioning(notes: Iterable[Note], paths: Collection[str]) -> Iterator[Note]:
    """The notes that may hold Markdown links to ``paths``."""
    for note in notes:
        if any(_may_mention(note, path) for path in paths):
            yield note


def _to(slug: str, leads: Callable[[Link], bool]) -> Callable[[Link], str | None]:
    return lambda link: slug if leads(link) else None


def _may_mention(note: Note, path: str) -> bool:
    """Whether a Markdown link to ``path`` may stand in ``note``: a cheap look before the thorough one."""
    if "](" not in note.text:
        return False
    name = posixpath.basename(path).removesuffix(".md")
    return name in note.text or "%" in note.text or "\\" in note.text
