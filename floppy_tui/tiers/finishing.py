"""From drafts to entries: prose, identity, tokens, the governing marker, and what deserves a finding."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date

from floppy_tui.text.identity import digest, identity
from floppy_tui.text.lines import BOM, Splice, bare, encode, eol_of, is_blank
from floppy_tui.tiers.budget import estimate
from floppy_tui.tiers.document import Document, Entry, Heading, Kind, Range
from floppy_tui.tiers.markers import Mark, Tier, repair, without_markers
from floppy_tui.tiers.pieces import Draft, Source, bullets_only, without


def finish(
    *,
    source: Source,
    text: str,
    file: str,
    default: Tier,
    drafts: Sequence[Draft],
    headings: tuple[Heading, ...],
    pointer: Range | None,
    pointer_ok: bool,
    stray_pointers: tuple[int, ...],
    header_at: int,
    blocked: str,
) -> Document:
    """The document that ``drafts`` (with their marks mended) and the rest make."""
    ordered = sorted(drafts, key=lambda d: (d.start, -d.end))
    entries: list[Entry] = []
    places: dict[int, int] = {}
    for draft in ordered:
        entry = _entry(source, draft, file, default, places)
        if not draft.marks and (not entry.prose or bullets_only(entry.prose)):
            continue
        places[id(draft)] = len(entries)
        entries.append(entry)
    owner = _owners(e.own for e in entries)
    findings = sorted((replace(f, entry=owner(f.line - 1)) for f in source.findings), key=lambda f: f.line)
    return Document(
        file=file,
        default=default,
        text=text,
        entries=tuple(entries),
        headings=headings,
        findings=tuple(findings),
        pointer=pointer,
        pointer_ok=pointer_ok,
        stray_pointers=stray_pointers,
        header_at=header_at,
        blocked=blocked,
    )


def _entry(source: Source, draft: Draft, file: str, default: Tier, places: dict[int, int]) -> Entry:
    own = _tidy(source, draft.own)
    raw = encode("".join(["".join(source.lines[a:b]) for a, b in own]))
    real = [m for m in draft.marks if m.marker is not None]
    mark = real[-1] if real else None
    prose = _prose(source, draft, own, real)
    if mark is not None and draft.kind is Kind.ITEM and draft.end - draft.start == 1 and not prose:
        source.found("marker-without-text", draft.start, "A marker stands here with no text to govern.")
    tier: Tier
    if mark is None or mark.marker is None:
        tier = default if default is Tier.PINNED else Tier.UNMARKED
        reinforced, passes = None, 0
    else:
        tier = mark.marker.tier
        reinforced, passes = mark.marker.reinforced, mark.marker.passes
    last = draft.marks[-1] if draft.marks else None
    frozen = last is not None and (last.marker is None or last.marker.impossible)
    if draft.mark_line >= 0:
        mark_at, prefix = source.end_of(draft.mark_line), " "
    else:
        line = draft.mark_after
        mark_at = source.starts[line] + len(bare(source.lines[line]))
        prefix = (eol_of(source.lines[line]) or "\n") + draft.indent
    parent = draft.parent
    while parent is not None and id(parent) not in places:
        parent = parent.parent
    return Entry(
        id=identity(without_markers(prose)),
        file=file,
        kind=draft.kind,
        start=draft.start,
        end=draft.end,
        own=own,
        prose=prose,
        tier=tier,
        explicit=mark is not None,
        reinforced=reinforced,
        passes=passes,
        tokens=estimate(len(raw)),
        heading=draft.path,
        digest=digest(raw),
        default=default,
        mark=mark,
        mark_at=mark_at,
        mark_prefix=prefix,
        frozen=frozen,
        parent=places[id(parent)] if parent is not None else None,
        marks=tuple(real),
        text_at=_text_at(source, draft),
        indent=" " * draft.node.column if draft.node else "",
        last_mark=last,
    )


def _text_at(source: Source, draft: Draft) -> int:
    line = source.lines[draft.start]
    if draft.node is not None:
        return source.starts[draft.start] + min(draft.node.content, len(bare(line)))
    first = source.first_column(draft.start)
    return source.starts[draft.start] + first + len(line[first:]) - len(line[first:].lstrip(" \t"))


def _tidy(source: Source, own: Sequence[Range]) -> tuple[Range, ...]:
    """``own`` in order, joined where only blank lines stand between, without blank lines at the edges."""
    if len(own) == 1 and not is_blank(source.lines[own[0][0]]) and not is_blank(source.lines[own[0][1] - 1]):
        return (own[0],)
    joined: list[Range] = []
    for a, b in sorted(own):
        while a < b and is_blank(source.lines[a]) and joined:
            a += 1
        while b > a and is_blank(source.lines[b - 1]):
            b -= 1
        if a >= b:
            continue
        if joined and all(is_blank(line) for line in source.lines[joined[-1][1] : a]):
            joined[-1] = (joined[-1][0], b)
        else:
            joined.append((a, b))
    return tuple(joined)


def _prose(source: Source, draft: Draft, own: Sequence[Range], marks: Sequence[Mark]) -> str:
    by_line: dict[int, list[Mark]] = {}
    for mark in marks:
        by_line.setdefault(source.line_of(mark.start, draft.start), []).append(mark)
    node = draft.node
    lines: list[str] = []
    for a, b in own:
        for at in range(a, b):
            line = bare(without(source, at, by_line[at]) if at in by_line else source.lines[at])
            if node is not None and at == node.block.start:
                line = line[node.content :]
            elif at in by_line and is_blank(line):
                continue
            elif node is not None and at < node.block.end:
                line = dedent(line, node.column)
            lines.append(line)
    while lines and is_blank(lines[0]):
        lines.pop(0)
    text = "\n".join(lines).rstrip(" \t\r\n")
    return text.removeprefix(BOM).lstrip(" \t") if draft.start == 0 else text.lstrip(" \t")


def dedent(line: str, width: int) -> str:
    """``line`` without up to ``width`` columns of indentation; what a tab spans beyond stays as spaces."""
    if line.startswith(" " * width):
        return line[width:]
    column = 0
    at = 0
    while at < len(line) and column < width and line[at] in " \t":
        column += 4 - column % 4 if line[at] == "\t" else 1
        at += 1
    return " " * max(0, column - width) + line[at:]


def adopt_lookalikes(source: Source, drafts: Sequence[Draft], default: Tier) -> None:
    """Give each lookalike that governs nothing to the entry on whose lines it stands; note the others."""
    known = {mark.start for draft in drafts for mark in draft.marks}
    free = [mark for mark in source.lookalikes if mark.start not in known]
    if not free:
        return
    owner = _owners(draft.own for draft in drafts)
    for mark in free:
        line = source.line_of(mark.start)
        at = owner(line)
        if at is not None:
            drafts[at].marks.append(mark)
        else:
            _misspelled(source, mark, line, default)


def _owners(owned: Iterable[Sequence[Range]]) -> Callable[[int], int | None]:
    """Which of some owners, told by position, owns a line; no line has two."""
    ranges = sorted((a, b, at) for at, own in enumerate(owned) for a, b in own)
    firsts = [a for a, _, _ in ranges]

    def owner(line: int) -> int | None:
        i = bisect_right(firsts, line) - 1
        return ranges[i][2] if i >= 0 and line < ranges[i][1] else None

    return owner


def mend_marks(source: Source, drafts: Sequence[Draft], default: Tier) -> None:
    """Note what deserves a finding about the marks of each entry, with its repair."""
    for draft in drafts:
        if not draft.marks:
            continue
        draft.marks.sort(key=lambda m: m.start)
        real = [m for m in draft.marks if m.marker is not None]
        for mark in draft.marks:
            line = source.line_of(mark.start, draft.start)
            if mark.marker is None or mark.marker.impossible:
                _misspelled(source, mark, line, default)
        if len(real) > 1:
            for mark in real[:-1]:
                line = source.line_of(mark.start, draft.start)
                message = f"{mark.text} is followed by another marker; the last governs."
                source.found("several-markers", line, message, _swap(source, mark, line, ""))
        if not real or default is not Tier.PINNED:
            continue
        tier = real[-1].marker.tier if real[-1].marker else None
        line = source.line_of(real[-1].start, draft.start)
        drop = _swap(source, real[-1], line, "")
        if tier is Tier.PINNED:
            source.found(
                "redundant-pinned", line, "This file is pinned by default: the marker says nothing.", drop
            )
        elif tier is Tier.GRACE:
            source.found(
                "grace-in-pinned", line, "Grace has no meaning in a file that is pinned by default.", drop
            )


def _misspelled(source: Source, mark: Mark, line: int, default: Tier) -> None:
    mended = repair(mark.text, default, date.max)
    rule = "malformed-marker" if mark.marker is None else "impossible-date"
    what = "is no marker" if mark.marker is None else "names a day that does not exist"
    source.found(rule, line, f"{mark.text} {what}.", _swap(source, mark, line, mended or ""))


def _swap(source: Source, mark: Mark, line: int, text: str) -> Splice:
    """The edit that puts ``text`` in the place of ``mark``; taking it out takes the blanks before it."""
    start = mark.start
    if not text:
        first, after = source.starts[line], source.starts[line + 1]
        whole = source.lines[line]
        while start > first and whole[start - first - 1] in " \t":
            start -= 1
        if start == first:
            if is_blank(whole[mark.end - first :]):
                return Splice(first, after, "")
            start = mark.start
    return Splice(start, mark.end, text)
