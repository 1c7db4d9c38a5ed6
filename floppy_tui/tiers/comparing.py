"""Whether a planned text is the old one with just its acts done: every line and entry is followed.

Each entry that was not meant is looked for where its own lines went. It must say there what it said, with
the same tier and clock, or, where it is unmarked, be part of a larger unmarked entry.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from floppy_tui.text.lines import BOM, Splice, is_blank
from floppy_tui.tiers.document import Document, Entry, Heading
from floppy_tui.tiers.edits import Act, Expected, base_id, expected


def conflict(document: Document, acts: Sequence[Act]) -> str:
    """Why ``acts`` cannot be carried out together, as a sentence; ``""`` where they can."""
    removed: set[int] = set()
    cut: set[int] = set()
    becomes: set[int] = set()
    for act in acts:
        twice = next(iter(becomes & act.becomes.keys()), None)
        if twice is not None:
            return f"{_named(document.entries[twice])} is changed by another decision already."
        becomes |= act.becomes.keys()
        removed |= act.removes
        if act.cut:
            cut |= act.removes
    both = next(iter(becomes & removed), None)
    if both is not None:
        what = "leaves by another decision" if both in cut else "is changed by another decision already"
        return f"{_named(document.entries[both])} {what}."
    for at, entry in enumerate(document.entries):
        if at not in removed and _stands_in(document, entry, cut):
            return f"{_named(entry)} lives inside it and would stay: decide on it, or archive the section."
    return ""


def _stands_in(document: Document, entry: Entry, places: set[int]) -> bool:
    parent = entry.parent
    while parent is not None:
        if parent in places:
            return True
        parent = document.entries[parent].parent
    return False


def compare(document: Document, acts: Sequence[Act], splices: Sequence[Splice], after: Document) -> str:
    """Why ``after``, made by ``splices``, is not ``document`` with just ``acts`` done; ``""`` where it is."""
    if after.blocked:
        return f"This would leave a file that cannot be edited: {after.blocked}."
    moved = _Moved(document, splices, after)
    return _entries(document, acts, after, moved) or _headings(document, after, moved)


class _Moved:
    """Where the lines of the old text stand in the new one."""

    def __init__(self, document: Document, splices: Sequence[Splice], after: Document) -> None:
        ordered = sorted(splices, key=lambda s: (s.start, s.end))
        self._document, self._after = document, after
        self._ends = [s.end for s in ordered]
        self._starts = [s.start for s in ordered]
        self._shifts = [0]
        self.put_in: list[tuple[int, int]] = []
        """Ranges of the new text that the splices wrote, in order."""
        for cut in ordered:
            at = cut.start + self._shifts[-1]
            if cut.text:
                self.put_in.append((at, at + len(cut.text)))
            self._shifts.append(self._shifts[-1] + len(cut.text) - (cut.end - cut.start))
        ranges = sorted((a, b, at) for at, e in enumerate(after.entries) for a, b in e.own)
        self._from = [a for a, _, _ in ranges]
        self._owned = ranges

    def _first(self, line: int) -> int:
        """Position of the first letter of an old line."""
        start = self._document.starts[line]
        return start + 1 if start == 0 and self._document.text.startswith(BOM) else start

    def gone(self, line: int) -> bool:
        """Whether the beginning of an old line was taken out."""
        at = self._first(line)
        i = bisect_right(self._ends, at)
        return i < len(self._starts) and self._starts[i] <= at

    def line(self, line: int) -> int:
        """The new line in which an old one begins, or whatever stands in its place."""
        at = self._first(line)
        i = bisect_right(self._ends, at)
        if i < len(self._starts) and self._starts[i] < at:
            at = self._starts[i]
        return bisect_right(self._after.starts, at + self._shifts[i], 0, max(1, len(self._after.lines))) - 1

    def owner(self, line: int) -> int | None:
        """The new entry that owns a new line."""
        i = bisect_right(self._from, line) - 1
        if i < 0 or line >= self._owned[i][1]:
            return None
        return self._owned[i][2]

    def touched(self, first: int, last: int) -> bool:
        """Whether a splice lies in old lines ``first:last``."""
        a, b = self._document.starts[first], self._document.starts[last]
        i = bisect_left(self._ends, a)
        return i < len(self._starts) and self._starts[i] < b

    def written(self, first: int, last: int) -> bool:
        """Whether new lines ``first:last`` hold anything that a splice wrote."""
        a, b = self._after.starts[first], self._after.starts[last]
        i = bisect_right(self.put_in, (a, len(self._after.text) + 1)) - 1
        return any(start < b and end > a for start, end in self.put_in[max(0, i) : i + 2])


def _entries(document: Document, acts: Sequence[Act], after: Document, moved: _Moved) -> str:
    removed = {at for act in acts for at in act.removes}
    becomes = {at: one for act in acts for at, one in act.becomes.items()}
    taken: set[int] = set()
    last = -1
    for at, entry in enumerate(document.entries):
        if at in removed:
            continue
        holder = moved.owner(moved.line(entry.own[0][0]))
        if holder is None or holder < last:
            return _misread(entry, becomes.get(at))
        found = after.entries[holder]
        if holder not in taken and (becomes.get(at) or expected(entry)).fits(found):
            taken.add(holder)
        elif at in becomes or not _absorbed(document, entry, moved, after, holder):
            return _misread(entry, becomes.get(at))
        last = holder
    return _additions(acts, after, taken)


def _absorbed(document: Document, entry: Entry, moved: _Moved, after: Document, holder: int) -> bool:
    """Whether an unmarked entry stands with all its lines in a larger unmarked one."""
    larger = after.entries[holder]
    if entry.explicit or larger.explicit or base_id(larger) == base_id(entry):
        return False
    mine = {
        moved.line(line) for a, b in entry.own for line in range(a, b) if not is_blank(document.lines[line])
    }
    theirs = {line for a, b in larger.own for line in range(a, b) if not is_blank(after.lines[line])}
    return mine < theirs


def _additions(acts: Sequence[Act], after: Document, taken: set[int]) -> str:
    """Look for the new entries among those that no old one has become."""
    free = [e for at, e in enumerate(after.entries) if at not in taken]
    wanted = [one for _, one in sorted((pair for act in acts for pair in act.adds), key=lambda pair: pair[0])]
    for entry in free:
        if wanted and wanted[0].fits(entry):
            wanted.pop(0)
        elif entry.explicit:
            return f"“{entry.first_line[:60]}” would be read as an entry that nobody wrote."
    return "The new text would not be read as one entry of its own." if wanted else ""


def _headings(document: Document, after: Document, moved: _Moved) -> str:
    """No heading goes but with its own lines, and none comes but with words put in."""
    now = {heading.start: heading for heading in after.headings}
    for heading in document.headings:
        if moved.gone(heading.start):
            continue
        found = now.pop(moved.line(heading.start), None)
        if found is None or not _same(heading, found, moved.touched(heading.start, heading.body)):
            return f"The heading “{heading.text[:60]}” ({document.file}:{heading.start + 1}) would not stay."
    for heading in now.values():
        if not moved.written(heading.start, heading.body):
            return f"“{heading.text[:60]}” would become a heading."
    for line in (*([document.pointer[0]] if document.pointer else []), *document.stray_pointers):
        kept = moved.gone(line) or moved.line(line) in (
            *([after.pointer[0]] if after.pointer else []),
            *after.stray_pointers,
        )
        if not kept:
            return f"The header pointer ({document.file}:{line + 1}) would no longer be read as one."
    return ""


def _same(heading: Heading, found: Heading, touched: bool) -> bool:
    return touched or (heading.level, heading.text) == (found.level, found.text)


def _misread(entry: Entry, wanted: Expected | None) -> str:
    if wanted is not None and wanted.identity != base_id(entry):
        return "The new text would not be read as one entry of its own."
    if wanted is not None:
        return f"A new marker would not be read as that of {_named(entry)} alone."
    return f"{_named(entry)} would no longer be read as it is."


def _named(entry: Entry) -> str:
    return f"“{entry.first_line[:60]}” ({entry.file}:{entry.start + 1})"
