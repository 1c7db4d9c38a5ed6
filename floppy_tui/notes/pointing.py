"""Pointer lines: how one is written, where in an index it goes, and how one leaves without other text."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from floppy_tui.notes.code import code_spans
from floppy_tui.notes.fences import unclosed
from floppy_tui.notes.front import read_front
from floppy_tui.notes.index import INDEX, ROUTER, Index, Pointer, spell_target
from floppy_tui.notes.planned import Impossible
from floppy_tui.notes.relinking import plain_words
from floppy_tui.text.lines import Splice, bare, eol_of, is_blank, main_eol, splice, split_lines

SEPARATOR = " — "
_BULLET = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]+|$)")
_BLOCK = re.compile(r"[ \t]*(?:#{1,6}(?:[ \t]|$)|>|`{3}|~{3}|<|\||(?:[-*_][ \t]*){3,}$)")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.S)
_SHORTENED = "…"


class Dropped(NamedTuple):
    """An index without some of its pointers."""

    text: str
    kept: tuple[str, ...]
    """Lines that were nested below a pointer and stay, at its own level."""
    gone: tuple[str, ...]
    """Lines that a pointer's words went on over and that go with it."""


def pointer_line(title: str, target: str, hook: str, limit: int | None = None) -> str:
    """``- [Title](path.md) — hook`` without a line end, its hook shortened to the ``limit`` in characters.

    ``target`` is a path as seen from the index. Raises ``Impossible`` where the link alone is too long.
    """
    title, hook = " ".join(title.split()), " ".join(hook.split())
    return shortened(f"- [{_label(title)}]({spell_target(target)})", hook, limit)


def shortened(link: str, hook: str, limit: int | None, separator: str = SEPARATOR) -> str:
    """The pointer ``link`` with as much of ``hook`` as the ``limit`` leaves room for."""
    line = f"{link}{separator}{hook}" if hook else link
    if limit is None or len(line) <= limit:
        return line
    if len(link) > limit:
        raise Impossible(
            f"A pointer line may have {limit} characters and '{link}' alone has {len(link)};"
            " shorten the title or the slug."
        )
    room = limit - len(link) - len(separator) - len(_SHORTENED)
    cut = hook[: max(0, room)]
    if len(hook) > room and " " in cut and not hook[len(cut) : len(cut) + 1].isspace():
        cut = cut.rpartition(" ")[0]
    cut = cut.rstrip(" ,;:.—–-")
    return f"{link}{separator}{cut}{_SHORTENED}" if cut else link


def _label(title: str) -> str:
    """``title`` as the text of a link: its brackets in pairs, or escaped."""
    depth = 0
    for c in re.sub(r"\\.", "", title):
        depth += (c == "[") - (c == "]")
        if depth < 0:
            break
    if depth or title.endswith("\\"):
        return re.sub(r"([\[\]\\])", r"\\\1", title)
    return title


def add_pointer(text: str, line: str, *, directory: str = "", before: int | None = None) -> str:
    """The index ``text`` of ``directory`` with the pointer ``line`` in the list where it belongs.

    That is after the last pointer of its kind (to a note of the same directory, to an index), else after
    the last pointer, else at the end. ``before`` is an offset that the line has to stand above, if it can.
    """
    places = [at for at in anchors(text, line, directory) if before is None or at < before]
    if places:
        return insert_line(text, line, places[0])
    end = _end(text)
    if before is not None and end >= before:
        front = read_front(text)
        top = front.body if front else 0
        free = [at for at in _starts(text) if top <= at < before and _free(text, at)]
        end = free[-1] if free else end
    return insert_line(text, line, end, apart=True)


def anchors(text: str, line: str, directory: str = "") -> list[int]:
    """Where a pointer ``line`` may follow another pointer, the best place first."""
    name = f"{directory}/{INDEX}" if directory else ROUTER
    new = Index(name, line).pointers
    index = Index(name, text)
    taken = _comments(text)
    found = [p for p in index.pointers if not _inside(taken, p.start)]
    wanted = _kind(new[0].path) if new else ""
    ranked = sorted(found, key=lambda p: (_kind(p.path) != wanted, -p.start))
    return [at for p in ranked if _free(text, at := item_end(text, p))]


def _kind(path: str) -> str:
    """What pointers stand together: those to indexes, and those to the notes of one directory."""
    head, _, name = path.rpartition("/")
    return "*" if name == INDEX else head


def insert_line(text: str, line: str, at: int, *, apart: bool = False) -> str:
    """``text`` with ``line`` where a line starts, or at the end.

    ``apart`` puts a blank line between it and what is no list.
    """
    eol = main_eol(text)
    above = split_lines(text[:at])[-1] if at else ""
    front = read_front(text)
    loose = is_blank(above) or _BULLET.match(above) or re.match(r"[ \t]+\S", above)
    blank = eol if apart and above and not loose and not (front and front.body == at) else ""
    if at == len(text) and above and not above.endswith("\n"):
        return text + eol + blank + line
    below = eol if apart and at < len(text) and not is_blank(text[at:].split("\n", 1)[0]) else ""
    return splice(text, [Splice(at, at, blank + line + eol + below)])


def item_end(text: str, pointer: Pointer) -> int:
    """Where the list item of ``pointer`` ends, with all that is nested in it."""
    return _item(text, pointer).end


class _Item(NamedTuple):
    wrapped: int
    """Where the indented lines end that the words of the pointer go on over."""
    end: int


def _item(text: str, pointer: Pointer) -> _Item:
    own = _column(text[pointer.start : pointer.end])
    at = pointer.end
    for line in _lines(text, at):
        if not _continues(line) or _column(line) <= own:
            break
        at += len(line)
    wrapped = end = at
    blank = False
    for line in _lines(text, at):
        at += len(line)
        if is_blank(line):
            blank = True
        elif _column(line) > own or (not blank and _continues(line)):
            end = at
            blank = False
        else:
            break
    return _Item(wrapped, end)


def _continues(line: str) -> bool:
    """Whether ``line`` goes on with the paragraph above it."""
    said = bare(line)
    return not is_blank(line) and not _BULLET.match(said) and not _BLOCK.match(said)


def _lines(text: str, at: int) -> Iterator[str]:
    while at < len(text):
        stop = text.find("\n", at)
        end = len(text) if stop < 0 else stop + 1
        yield text[at:end]
        at = end


def _column(line: str) -> int:
    spread = bare(line).expandtabs(4)
    return len(spread) - len(spread.lstrip(" "))


def drop_pointers(index: Index, paths: Collection[str]) -> Dropped:
    """``index`` without its links to ``paths``.

    A pointer line goes; what is nested below it was written by somebody and stays, at the pointer's own
    level. A link in prose, or in a line that leads to another file too, becomes its plain words.
    """
    return drop(index, [p for p in index.links if p.path and p.path in paths])


def drop(index: Index, pointers: Iterable[Pointer]) -> Dropped:
    """``index`` without ``pointers``, which are some of its links; see ``drop_pointers``."""
    goes = sorted(pointers, key=lambda p: (p.start, p.target_start), reverse=True)
    others = {p.line for p in index.links if p not in goes}
    lines = {p.line for p in goes if p.listed and p.line not in others}
    text = index.text
    kept: list[str] = []
    gone: list[str] = []
    for pointer in goes:
        if pointer.line not in lines:
            text = splice(text, [plain_words(text, pointer)])
        elif pointer.listed:
            text = _without(text, pointer, kept, gone)
    return Dropped(text, tuple(dict.fromkeys(kept)), tuple(gone))


def _without(text: str, pointer: Pointer, kept: list[str], gone: list[str]) -> str:
    item = _item(text, pointer)
    gone.extend(bare(line).strip() for line in split_lines(text[pointer.end : item.wrapped]))
    start, end = pointer.start, item.wrapped
    if end == len(text) and start and not text.endswith("\n"):
        start -= len(eol_of(split_lines(text[:start])[-1]))
    cuts = [Splice(start, end, "")]
    lines = split_lines(text[item.wrapped : item.end])
    own = _column(text[pointer.start : pointer.end])
    nested = [line for line in lines if not is_blank(line) and _column(line) > own]
    by = min(map(_column, nested), default=own) - own
    at = item.wrapped
    for line in lines:
        if not is_blank(line) and _column(line) > own:
            kept.append(bare(line).strip())
            cuts.append(Splice(at, at + _lead(line, by), ""))
        at += len(line)
    return splice(text, cuts)


def _lead(line: str, columns: int) -> int:
    """How many characters at the start of ``line`` make up ``columns``."""
    n = column = 0
    while n < len(line) and column < columns and line[n] in " \t":
        column += 1 if line[n] == " " else 4 - column % 4
        n += 1
    return n


def _comments(text: str) -> list[tuple[int, int]]:
    code = list(code_spans(text))
    found: list[tuple[int, int]] = []
    at = 0
    while (match := _COMMENT.search(text, at)) is not None:
        inside = next((b for a, b in code if a <= match.start() < b), None)
        if inside is not None:
            at = max(inside, match.start() + 1)
            continue
        found.append(match.span())
        at = match.end()
    return found


def _inside(spans: Iterable[tuple[int, int]], at: int) -> bool:
    return any(a < at < b for a, b in spans)


def _free(text: str, at: int) -> bool:
    """Whether a line may begin at ``at``: not in front matter, a fence or a comment."""
    front = read_front(text)
    if front is not None and at < front.body:
        return False
    return not _inside([*code_spans(text, front.body if front else 0), *_comments(text)], at)


def _starts(text: str) -> list[int]:
    found = [0]
    for line in split_lines(text):
        found.append(found[-1] + len(line))
    return found


def _end(text: str) -> int:
    """The end of ``text``, or the start of what is never closed in it."""
    front = read_front(text)
    start = front.body if front else 0
    spans = [*code_spans(text, start), *_comments(text)]
    at = len(text)
    for a, b in sorted(spans, reverse=True):
        if b >= at and _open(text[a:b]):
            at = max(start, text.rfind("\n", 0, a) + 1)
    return at


def _open(span: str) -> bool:
    if span.startswith("<!--"):
        return not span.endswith("-->")
    return unclosed(span)
