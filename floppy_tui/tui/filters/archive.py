"""The Archive view's filter: ``reason:unreinforced tier:aging source:learnings since:2026-08 words``."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass, replace
from datetime import date

from floppy_tui.text.dates import parse_date
from floppy_tui.tiers.archive import Archive
from floppy_tui.tiers.archive_search import UNKNOWN, ArchiveFilter
from floppy_tui.tui.filters.words import Vocabulary, split

KEYS = ("reason", "tier", "source", "since", "until", "date")


@dataclass(frozen=True)
class Spelled:
    """What a filter line asks of the archive."""

    wanted: ArchiveFilter
    problem: str = ""
    """What in the line means nothing, as a sentence; that word is left out."""


def parse(line: str, sources: tuple[str, ...] = ()) -> Spelled:
    """The filter that ``line`` spells; a source may be named without its ``.md``."""
    wanted = ArchiveFilter()
    words: list[str] = []
    problem = ""
    for word in split(line, KEYS):
        value = word.value
        if not word.key:
            words.append(f"-{value}" if word.minus else value)
        elif word.minus or word.op != ":":
            problem = problem or f"{word.spelled} means nothing here; write {word.key}:…"
        elif not value:
            continue
        elif word.key == "source":
            wanted = replace(wanted, source=value if value in sources else _source(value, sources))
        elif word.key in ("since", "until", "date"):
            span = days(value)
            if span is None:
                problem = problem or f"{word.spelled} is no date: write 2026, 2026-08 or 2026-08-31."
                continue
            if word.key in ("since", "date"):
                wanted = replace(wanted, since=span[0])
            if word.key in ("until", "date"):
                wanted = replace(wanted, until=span[1])
        elif word.key == "tier":
            wanted = replace(wanted, tier=value)
        else:
            wanted = replace(wanted, reason=value)
    patterns = [w for w in words if is_pattern(w)]
    if patterns and len(words) > 1:
        problem = problem or f"The pattern {patterns[0]} is looked for alone, without the other words."
        words = patterns[:1]
    return Spelled(replace(wanted, query=" ".join(words)), problem)


def is_pattern(word: str) -> bool:
    """Whether a free word is a regular expression between slashes."""
    return len(word) > 2 and word.startswith("/") and word.endswith("/")


def days(text: str) -> tuple[date, date] | None:
    """First and last day of a year, a month or a day; None where ``text`` is none of them."""
    shape = re.fullmatch(r"([0-9]{4})(?:-([0-9]{2}))?(?:-([0-9]{2}))?", text)
    if shape is None:
        return None
    first = parse_date(f"{shape[1]}-{shape[2] or '01'}-{shape[3] or '01'}")
    if first is None:
        return None
    if shape[3]:
        return first, first
    month = first.month if shape[2] else 12
    return first, date(first.year, month, calendar.monthrange(first.year, month)[1])


def vocabulary(archive: Archive) -> Vocabulary:
    """What can be completed, from what stands in the archive."""
    reasons = {i.reason.split(" ", 1)[0] or UNKNOWN for i in archive.items}
    tiers = {i.tier or UNKNOWN for i in archive.items}
    sources = {i.source or UNKNOWN for i in archive.items}
    passes = sorted({i.day.isoformat() for i in archive.items if i.day}, reverse=True)
    return Vocabulary(
        tuple(f"{key}:" for key in KEYS),
        {
            "reason": tuple(sorted(reasons)),
            "tier": tuple(sorted(tiers)),
            "source": tuple(sorted(sources)),
            **dict.fromkeys(("since", "until", "date"), tuple(passes)),
        },
    )


def _source(value: str, sources: tuple[str, ...]) -> str:
    """``learnings`` as the ``learnings.md`` of the archive, where it names one; else as it is."""
    name = value.casefold()
    for source in sources:
        if source.casefold() in (f"{name}.md", f"data/{name}.md"):
            return source.rsplit("/", 1)[-1]
    return value
