"""Finding an archived item again, and taking it out: filters, words, patterns, restore, JSON.

A pattern is run item by item with a time limit each, and with a limit for the whole search where a clock is
given: one that backtracks without end is refused with a sentence instead of blocking.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from floppy_tui.text.lines import readable
from floppy_tui.tiers.archive import Archive, searched
from floppy_tui.tiers.archive_item import ArchivedItem
from floppy_tui.tiers.markers import scan

UNKNOWN = "unknown"
"""As a filter's reason, tier or source: what names none."""
LONGEST_PATTERN = 400
"""Characters; a longer pattern is refused."""
SECONDS_AN_ITEM = 0.1
SECONDS_A_SEARCH = 2.0


@dataclass(frozen=True, slots=True)
class ArchiveFilter:
    """What to look for; an empty filter finds everything."""

    query: str = ""
    """Words that must all occur, in any case and order; or ``/regular expression/``, in any case."""
    reason: str = ""
    """Words of the reason, such as ``unreinforced``."""
    tier: str = ""
    source: str = ""
    """A file as written, or the end of its path."""
    since: date | None = None
    until: date | None = None
    """Days of the pass, both inclusive; an item under no day is in no span."""


def search(
    archive: Archive, wanted: ArchiveFilter, clock: Callable[[], float] | None = None
) -> tuple[ArchivedItem, ...]:
    """The items that ``wanted`` lets through, in file order.

    ``clock`` gives seconds from any start. Raises ``ValueError`` with a sentence for the captain where the
    pattern is no regular expression or takes too long.
    """
    if wanted == ArchiveFilter():
        return archive.items
    matches = _pattern(wanted.query, clock)
    found: Iterable[tuple[ArchivedItem, str]] = zip(archive.items, archive.folded, strict=True)
    if wanted.since is not None or wanted.until is not None:
        first, last = wanted.since or date.min, wanted.until or date.max
        found = [(i, t) for i, t in found if i.day is not None and first <= i.day <= last]
    if wanted.tier:
        tier = wanted.tier.casefold()
        found = [(i, t) for i, t in found if tier in (i.tier.casefold() or UNKNOWN).split(" ")]
    if wanted.source:
        source = wanted.source.casefold()
        found = [(i, t) for i, t in found if _is_source(i.source.casefold() or UNKNOWN, source)]
    if wanted.reason:
        reason = wanted.reason.casefold()
        found = [(i, t) for i, t in found if reason in (i.reason.casefold() or UNKNOWN)]
    if matches is not None:
        return tuple(i for i, _ in found if matches(searched(i)))
    for word in wanted.query.casefold().split():
        found = [(i, t) for i, t in found if word in t]
    return tuple(i for i, _ in found)


def _is_source(source: str, wanted: str) -> bool:
    return source == wanted or source.endswith(f"/{wanted}")


def _pattern(query: str, clock: Callable[[], float] | None) -> Callable[[str], bool] | None:
    """The test for a query between slashes; None where the query is words."""
    query = query.strip()
    if len(query) < 3 or not query.startswith("/") or not query.endswith("/"):
        return None
    # Slow to import, and needed by few; the standard library's expressions know no time limit.
    import regex  # type: ignore[import-untyped]

    spelled = query[1:-1]
    if len(spelled) > LONGEST_PATTERN:
        raise ValueError(f"The pattern is longer than {LONGEST_PATTERN} characters.")
    try:
        compiled = regex.compile(spelled, regex.IGNORECASE | regex.MULTILINE)
    except (regex.error, RecursionError, OverflowError) as error:
        raise ValueError(f"{query} is not a regular expression: {error}.") from None
    until = clock() + SECONDS_A_SEARCH if clock is not None else 0.0

    def matches(text: str) -> bool:
        try:
            if clock is not None and clock() > until:
                raise TimeoutError
            return compiled.search(text, timeout=SECONDS_AN_ITEM) is not None
        except TimeoutError:
            raise ValueError(f"{query} takes too long to look for; make it simpler.") from None

    return matches


def restorable(item: ArchivedItem) -> tuple[str, tuple[str, ...]]:
    """The prose of ``item`` ready to be put back, and what the captain should know, in sentences.

    Markers that were left at the end of a line, outside code, are taken out: the restored entry is stamped
    anew.
    """
    prose, dropped = _without_marks(item.prose.strip(" \t\r\n"))
    warnings: list[str] = []
    if not item.known:
        warnings.append("Where it came from is unknown: choose the file and the tier.")
    if dropped:
        warnings.append(f"A marker left in the text is dropped: {' '.join(dropped)}.")
    if prose.endswith(("...", "…")):
        warnings.append("The text ends in dots as it was archived: what was cut cannot come back.")
    if not prose:
        warnings.append("It holds no text to put back.")
    return prose, tuple(warnings)


_FENCE_LINE = re.compile(r"[ \t]*(`{3,}(?=[^`\n]*\Z)|~{3,})(.*)", re.DOTALL)


def _without_marks(text: str) -> tuple[str, list[str]]:
    """``text`` without the markers that end its lines, and those markers; fences are left as they are."""
    if "<!--" not in text:
        return text, []
    kept: list[str] = []
    block: list[str] = []
    dropped: list[str] = []

    def close_block() -> None:
        lines = "\n".join(block)
        marks = scan(lines).final
        dropped.extend(mark.text for mark in marks)
        for mark in reversed(marks):
            lines = lines[: mark.start].rstrip(" \t") + lines[mark.end :]
        # A line of a block is blank only where it held nothing but markers.
        kept.extend(line for line in lines.split("\n") if line.strip(" \t\r"))
        block.clear()

    opened = ""
    for line in text.split("\n"):
        fence = _FENCE_LINE.match(line)
        if opened or fence:
            close_block()
            kept.append(line)
            if not opened and fence:
                opened = fence[1]
            elif fence and fence[1].startswith(opened) and not fence[2].strip():
                opened = ""
        elif not line.strip(" \t\r"):
            close_block()
            kept.append(line)
        else:
            block.append(line)
    close_block()
    return "\n".join(kept).strip(" \t\r\n"), dropped


def as_json(item: ArchivedItem) -> dict[str, Any]:
    """``item`` as the command line prints it: unknown is null, undecodable bytes are U+FFFD."""
    return {
        "pass": item.day.isoformat() if item.day else readable(item.heading),
        "source": readable(item.source) or None,
        "tier": readable(item.tier) or None,
        "reinforced": item.reinforced.isoformat() if item.reinforced else None,
        "reason": readable(item.reason) or None,
        "prose": readable(item.prose),
        "lines": [item.first, item.last],
    }
