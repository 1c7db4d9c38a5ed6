"""The Archive view: what left the memory, by pass, searched as one types, and the way back."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import ClassVar

from textual.binding import BindingType
from textual.content import Content

from floppy_tui.text.identity import identity
from floppy_tui.tiers.archive import Archive
from floppy_tui.tiers.archive_item import ArchivedItem
from floppy_tui.tiers.archive_search import restorable, search
from floppy_tui.tiers.layout import ARCHIVE
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tui import display
from floppy_tui.tui.commands import bindings
from floppy_tui.tui.display import TierMark
from floppy_tui.tui.filters import archive as archive_filter
from floppy_tui.tui.filters.words import Vocabulary
from floppy_tui.tui.memory_rows import lead, short_name
from floppy_tui.tui.screens.listing import Arrangement, Asked, Listing
from floppy_tui.tui.widgets.detail import LayOut
from floppy_tui.tui.widgets.page import FAINT, Page
from floppy_tui.tui.widgets.rows import Column, Source

Line = ArchivedItem | str
"""A row: an item, or the heading of a pass."""


class ItemRows:
    """Rows of archived items, under the headings of their passes where they are grouped."""

    def __init__(self, lines: Sequence[Line], marks: Mapping[Tier, TierMark]) -> None:
        self._lines = lines
        self._marks = marks
        self._places = {str(line.first): n for n, line in enumerate(lines) if not isinstance(line, str)}

    def __len__(self) -> int:
        return len(self._lines)

    def key(self, index: int) -> str:
        line = self._lines[index]
        return "" if isinstance(line, str) else str(line.first)

    def index(self, key: str) -> int:
        return self._places.get(key, -1)

    def item(self, key: str) -> ArchivedItem | None:
        """The item of a key."""
        index = self.index(key)
        line = self._lines[index] if index >= 0 else ""
        return None if isinstance(line, str) else line

    def cells(self, index: int, widths: Sequence[int]) -> Sequence[Content]:
        line = self._lines[index]
        if isinstance(line, str):
            return (display.content(line),)
        return (
            tier_of(line, self._marks),
            display.line(line.heading, widths[1], FAINT),
            display.line(short_name(line.source) or "unknown", widths[2], FAINT),
            display.line(line.reason or "unknown", widths[3]),
            display.line(lead(line.prose), widths[4]),
        )


def tier_of(item: ArchivedItem, marks: Mapping[Tier, TierMark], *, word: bool = False) -> Content:
    """The mark of an item's tier; a question mark where it is none of ours."""
    try:
        return marks[Tier(item.tier)].content(word=word)
    except ValueError:
        return display.content(f"? {display.one_line(item.tier, 20) or 'unknown'}" if word else "?", FAINT)


SORTS: dict[str, Callable[[ArchivedItem], tuple[int | str, ...]]] = {
    "pass": lambda item: (-item.first,),
    "tier": lambda item: (item.tier, -item.first),
    "source": lambda item: (item.source, -item.first),
    "reason": lambda item: (item.reason.casefold(), -item.first),
    "item": lambda item: (item.prose.casefold(), -item.first),
}


class ArchiveView(Listing):
    """The view."""

    WHERE = "archive"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("archive")]
    COLUMNS = (
        Column("tier", "tier", 4),
        Column("pass", "pass", 16, from_width=110),
        Column("source", "source", 10, from_width=60),
        Column("reason", "reason", 20, from_width=44),
        Column("item", "item", 0),
    )
    SORTS = tuple(SORTS)
    PLACEHOLDER = "/ search: words or /regex/ reason:unreinforced tier:aging source:learnings since:2026-08"

    def __init__(self, marks: Mapping[Tier, TierMark], *, id: str | None = None) -> None:
        super().__init__(marks, id=id)
        self._vocabulary = Vocabulary((), {})

    def on_mount(self) -> None:
        self.rows.empty = Content("Reading the archive …")

    def arrangement(self, snapshot: Snapshot, asked: Asked) -> Arrangement:
        """The items of ``snapshot`` as asked."""
        archive = snapshot.archive
        self._vocabulary = archive_filter.vocabulary(archive)
        spelled = archive_filter.parse(asked.text, self._vocabulary.values["source"])
        problem = spelled.problem
        try:
            found = search(archive, spelled.wanted, clock=time.monotonic)
        except ValueError as error:
            return Arrangement(problem=str(error), empty=display.content(str(error)))
        if asked.sort == "pass":
            lines = by_pass(archive, found, newest_first=not asked.reverse)
        else:
            lines = [*sorted(found, key=SORTS[asked.sort], reverse=asked.reverse)]
        count = len(archive.items)
        some = display.counted(count, "archived item")
        if len(found) != count:
            some = f"{len(found):,} of {some}"
        status = f"{some} in {display.counted(len(archive.passes), 'pass', 'passes')}"
        empty = Content("Nothing in the archive matches. esc shows it all again.")
        return Arrangement(
            ItemRows(lines, self.marks),
            status,
            problem,
            empty if count else nothing_archived(snapshot),
        )

    def vocabulary(self) -> Vocabulary:
        return self._vocabulary

    def show_arrangement(self, asked: Asked, arrangement: Arrangement) -> None:
        self.filter_line.vocabulary = self._vocabulary
        super().show_arrangement(asked, arrangement)

    def item(self, key: str) -> ArchivedItem | None:
        """The item of a row."""
        source: Source = self.rows.source
        return source.item(key) if isinstance(source, ItemRows) else None

    def lines(self, key: str) -> LayOut:
        item, snapshot = self.item(key), self.snapshot
        if item is None or snapshot is None:
            return lambda width: ()
        return partial(item_page, snapshot, item, self.raw, self.marks)

    def text(self, key: str) -> str:
        item = self.item(key)
        return item.prose if item else ""

    def why_not(self, name: str) -> str:
        if name == "restore":
            if not self.rows.key:
                return "There is no archived item under the cursor."
            return ""
        return super().why_not(name)

    def do_restore(self) -> None:
        item = self.item(self.rows.key)
        assert item is not None and self.snapshot is not None
        self.floppy.ask_to_restore(item, self.snapshot)


def by_pass(archive: Archive, found: Sequence[ArchivedItem], *, newest_first: bool) -> list[Line]:
    """``found`` under the headings of their passes, each with its count; an archive grows at its end."""
    number = {item.first: n for n, group in enumerate(archive.passes) for item in group.items}
    groups = [list(group) for _, group in groupby(found, key=lambda item: number[item.first])]
    lines: list[Line] = []
    for group in reversed(groups) if newest_first else groups:
        whole = len(archive.passes[number[group[0].first]].items)
        count = f"{len(group):,}" if len(group) == whole else f"{len(group):,} of {whole:,}"
        lines.append(f"{display.one_line(group[0].heading) or 'under no heading'}  ({count})")
        lines.extend(group)
    return lines


def nothing_archived(snapshot: Snapshot) -> Content:
    """Why the archive is empty, and what would fill it."""
    if snapshot.archive_refused is not None:
        return display.content(snapshot.archive_refused.message)
    if snapshot.archive_text is None:
        why = f"{ARCHIVE} does not exist yet: nothing has left this memory so far."
    else:
        why = f"{ARCHIVE} holds no items."
    return display.content(f"{why}\n\nWhat a stow pass archives (s) appears here, with its way back.")


def item_page(
    snapshot: Snapshot, item: ArchivedItem, raw: bool, marks: Mapping[Tier, TierMark], width: int
) -> Sequence[Content]:
    """The lines of the detail of one archived item."""
    page = Page(width)
    where = f"{ARCHIVE}:{item.first}" + (f"–{item.last}" if item.last != item.first else "")
    page.add(tier_of(item, marks, word=True), (f"  {where}", FAINT))
    page.blank()
    page.body(item.prose, raw=raw)
    page.blank()
    page.labelled("pass", item.heading or "under no heading")
    page.labelled("from", item.source or "unknown")
    page.labelled(
        "reinforced", str(item.reinforced) if item.reinforced else "never" if item.known else "unknown"
    )
    page.labelled("reason", item.reason or "unknown")
    prose, warnings = restorable(item)
    living = snapshot.by_id.get(identity(prose)) if prose else None
    if living is not None:
        page.add((f"In the memory again: {living.file}:{living.lines[0]}.", "$text-success"))
    for warning in warnings:
        page.add((warning, "$text-warning"))
    return page.lines
