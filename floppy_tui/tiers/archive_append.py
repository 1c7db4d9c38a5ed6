"""Appending to the archive, and the proof that what left is really held there.

Appending adds bytes at the end of the file and touches none before. Where the old text leaves a fence
open, a line that closes it comes first, so that every Markdown reader sees the pass. An open comment is left
as it is: closing it would hide what follows it already, and reading takes such a comment as text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date

from floppy_tui.text.lines import BOM, eol_of, is_blank, main_eol
from floppy_tui.tiers.archive import read_archive
from floppy_tui.tiers.archive_item import Departure, Quoted, as_quoted, quote

TITLE = "# Memory archive"
"""What a new archive begins with."""


def pass_heading(today: date) -> str:
    """The text of the heading of the pass of ``today``."""
    return f"{today.isoformat()} stow"


def append_pass(text: str, departures: Sequence[Departure], today: date) -> str:
    """``text`` with ``departures`` quoted at its end, under the heading of today's pass.

    That heading is opened unless it is already the last one of the file. New lines end as most of ``text``
    does. Raises ``ValueError`` where a source cannot be quoted.
    """
    if not departures:
        return text
    heading = f"## {pass_heading(today)}"
    quoted = "".join(quote(departure) for departure in departures)
    eol = main_eol(text)
    old = _ended(text)
    if not text.strip(f" \t\r\n{BOM}"):
        return old + f"{TITLE}\n\n{heading}\n{quoted}".replace("\n", eol)
    archive = read_archive(text)
    added = ""
    # Closing this fence would close an earlier one too, and with it hide every pass between.
    if archive.open_fence and not archive.cut_fence:
        added = f"{archive.open_fence}\n"
    if archive.last_heading != heading:
        apart = not added and is_blank(old[old.rfind("\n", 0, -1) + 1 :])
        added += f"{heading}\n" if apart else f"\n{heading}\n"
    return old + (added + quoted).replace("\n", eol)


def _ended(text: str) -> str:
    """``text`` with its last line ended, as the line before it is: how its items are read stays the same."""
    if not text.removeprefix(BOM) or text.endswith("\n"):
        return text
    if text.endswith("\r"):
        return text + "\n"
    return text + (eol_of(text[: text.rfind("\n") + 1]) or "\n")


def held(archive: str, departure: Departure, today: date) -> bool:
    """Whether the text ``archive`` holds ``departure`` under today's pass, as reading finds it."""
    return not missing("", archive, [departure], today)


def missing(before: str, after: str, departures: Iterable[Departure], today: date) -> tuple[Departure, ...]:
    """Those of ``departures`` that ``after`` does not hold under today's pass beyond what ``before`` held.

    Held means: read back with its prose, source, tier, date and reason, as often as it left.
    """
    there = _under_today(after, today)
    there.subtract(_under_today(before, today))
    absent: list[Departure] = []
    for departure in departures:
        wanted = as_quoted(departure)
        there[wanted] -= 1
        if there[wanted] < 0:
            absent.append(departure)
    return tuple(absent)


def _under_today(text: str, today: date) -> Counter[Quoted]:
    heading = pass_heading(today)
    return Counter(
        Quoted(item.source, item.tier, item.reinforced, item.reason, item.prose)
        for item in read_archive(text).items
        if item.known and item.heading == heading
    )
