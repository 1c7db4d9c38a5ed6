"""Markers: the trailing comments that give an entry its tier and its clock.

The spellings are ``<!--a:2026-08-03-->`` (aging), ``<!--p:2026-07-20-->`` (perishable), both with an
optional pass counter ``/6``, ``<!--P-->`` (pinned) and ``<!--g-->`` (grace). A marker counts only at the
end of a line, outside code; what merely looks like one is named and never read as one.
"""

from __future__ import annotations

import calendar
import re
from bisect import bisect_left
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from floppy_tui.text.dates import SHAPE, parse_date


class Tier(StrEnum):
    """What a pass does with an entry; ``UNMARKED`` is an unmarked entry of a file with a clock."""

    PINNED = "pinned"
    AGING = "aging"
    PERISHABLE = "perishable"
    GRACE = "grace"
    UNMARKED = "unmarked"


LETTERS = {Tier.AGING: "a", Tier.PERISHABLE: "p"}
TIERS = {"a": Tier.AGING, "p": Tier.PERISHABLE}
PINNED_MARK = "<!--P-->"
GRACE_MARK = "<!--g-->"
MOST_COUNTER_DIGITS = 4000
"""Longer counters are not numbers (``int`` refuses 4,300 digits): the marker reads as malformed."""

_DATED = re.compile(r"<!--([ap]):([0-9]{4}-[0-9]{2}-[0-9]{2})(?:/([0-9]+))?-->")
_LOOKS = re.compile(
    r"<!--\s*(?:[A-Za-z]|pinned|aging|perishable|grace)\s*(?:[:/](?:(?!-->)[^\n])*)?-->", re.IGNORECASE
)
_LOOSE_DATE = re.compile(r"([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})(?![0-9])")


@dataclass(frozen=True, slots=True)
class Marker:
    """One well-spelled marker. ``reinforced`` is None for pinned, grace and a day that does not exist."""

    tier: Tier
    reinforced: date | None
    passes: int
    spelled: str

    @property
    def impossible(self) -> bool:
        """Whether the grammar fits but the day does not exist (``2026-02-30``)."""
        return self.reinforced is None and self.tier in LETTERS


def parse_marker(comment: str) -> Marker | None:
    """The marker that ``comment`` (``<!--`` to ``-->``) spells, or None where it spells none."""
    if comment == PINNED_MARK:
        return Marker(Tier.PINNED, None, 0, comment)
    if comment == GRACE_MARK:
        return Marker(Tier.GRACE, None, 0, comment)
    match = _DATED.fullmatch(comment)
    if match is None or len(match[3] or "") > MOST_COUNTER_DIGITS:
        return None
    return Marker(TIERS[match[1]], parse_date(match[2]), int(match[3] or 0), comment)


def spell(tier: Tier, reinforced: date | None = None, passes: int = 0) -> str:
    """The one spelling of a marker; dated tiers need ``reinforced``, unmarked has none (``""``)."""
    if tier is Tier.PINNED:
        return PINNED_MARK
    if tier is Tier.GRACE:
        return GRACE_MARK
    if tier is Tier.UNMARKED:
        return ""
    if reinforced is None:
        raise ValueError(f"a marker of tier {tier} needs a date")
    return f"<!--{LETTERS[tier]}:{reinforced.isoformat()}{f'/{passes}' if passes else ''}-->"


def looks_like_marker(comment: str) -> bool:
    """Whether ``comment`` could be taken for a marker: a letter or tier name, then nothing, ``:``, ``/``."""
    return _LOOKS.fullmatch(comment) is not None


def without_markers(text: str) -> str:
    """``text`` with everything that is or looks like a marker removed: what identity is taken over."""
    kept: list[str] = []
    at = 0
    close = -1
    start = text.find("<!--")
    while start >= 0:
        if close < start + 4:
            close = text.find("-->", start + 4)
            if close < 0:
                break
        if _LOOKS.fullmatch(text, start, close + 3):
            kept.append(text[at:start])
            at = close + 3
        start = text.find("<!--", max(at, start + 4))
    return "".join((*kept, text[at:])) if kept else text


@dataclass(frozen=True, slots=True)
class Mark:
    """A marker, or a lookalike (``marker`` is None), at ``start:end`` of the text it was found in."""

    start: int
    end: int
    text: str
    marker: Marker | None


class LineEnd(NamedTuple):
    """What one block's text says about markers.

    ``final`` holds, in order, the markers and lookalikes that end their line; ``stray`` those outside
    code that stand in the middle of one.
    """

    final: tuple[Mark, ...]
    stray: tuple[Mark, ...]


def scan(text: str, shift: int = 0) -> LineEnd:
    """Find markers in ``text``, the lines of one block without fences: code spans hide what they hold.

    Positions are in ``text``, plus ``shift``. Source: the memory scheme's rules for markers; code spans,
    escapes and comments as CommonMark pairs them.
    """
    final: list[Mark] = []
    stray: list[Mark] = []
    follows, closes = -1, False
    for start, end in reversed(_comments(text)):
        rest = _after_blanks(text, end)
        closes = closes if rest == follows else rest == len(text) or text[rest] == "\n"
        follows = start
        comment = text[start:end]
        marker = parse_marker(comment)
        if marker is not None or looks_like_marker(comment):
            (final if closes else stray).append(Mark(start + shift, end + shift, comment, marker))
    return LineEnd(tuple(reversed(final)), tuple(reversed(stray)))


_BLANKS = re.compile(r"[ \t]*(?:\r(?=\n|\Z))?")


def _after_blanks(text: str, at: int) -> int:
    """Position of the first character from ``at`` on that is no blank, or of the line's end."""
    found = _BLANKS.match(text, at)
    return found.end() if found else at


_SPECIAL = re.compile(r"\\|`+|<!--")


def _comments(text: str) -> list[tuple[int, int]]:
    """Spans of the comments of ``text`` that are not inside a code span and not escaped."""
    found: list[tuple[int, int]] = []
    at = 0
    if "`" not in text and "\\" not in text:
        while (start := text.find("<!--", at)) >= 0 and (close := text.find("-->", start + 2)) >= 0:
            at = close + 3
            found.append((start, at))
        return found
    runs: dict[int, list[int]] = {}
    for run in re.finditer("`+", text):
        runs.setdefault(len(run[0]), []).append(run.start())
    while match := _SPECIAL.search(text, at):
        piece = match[0]
        if piece == "\\":
            at = match.end() + 1
        elif piece == "<!--":
            close = text.find("-->", match.start() + 2)
            if close < 0:
                break
            at = close + 3
            found.append((match.start(), at))
        else:
            later = runs.get(len(piece), [])
            next_run = bisect_left(later, match.end())
            at = later[next_run] + len(piece) if next_run < len(later) else match.end()
    return found


def repair(comment: str, default: Tier, today: date) -> str | None:
    """The well-spelled text that a lookalike, impossible or future marker was meant as.

    ``""`` takes the marker out (the entry then reads as unmarked, which it does already); words inside
    the comment are kept as a comment of their own. None where ``comment`` needs no repair.
    """
    marker = parse_marker(comment)
    if marker is not None:
        if marker.impossible:
            return _nearest_real(marker, comment)
        if marker.reinforced is not None and marker.reinforced > today:
            return spell(marker.tier, today, marker.passes)
        return None
    body = comment[4:-3].strip()
    letter = body[:1]
    word = body.split(":")[0].split("/")[0].strip().casefold()
    rest = body[len(word) :].strip()
    if word in ("pinned", "aging", "perishable", "grace"):
        letter = {"pinned": "P", "grace": "g"}.get(word, word[0])
    dated = _LOOSE_DATE.search(rest)
    if dated is None:
        words = rest.lstrip(":/ \t")
        if letter == "P" and not rest.startswith(":"):
            return "" if default is Tier.PINNED else PINNED_MARK
        if letter in "gG" and not words:
            return "" if default is Tier.PINNED else GRACE_MARK
        return _note(words) if any(c.isalnum() for c in words) else ""
    tier = TIERS.get(letter.lower(), Tier.AGING)
    day = parse_date(f"{dated[1]}-{int(dated[2]):02}-{int(dated[3]):02}")
    tail = rest[dated.end() :].strip()
    counter = re.match(r"/([0-9]{1,18})(?![0-9])", tail)
    if counter:
        tail = tail[counter.end() :].strip()
    words = tail.strip("/ \t") if any(c.isalpha() for c in tail) and len(tail) > 3 else ""
    kept = f" {_note(words)}" if words else ""
    if day is None or (default is Tier.PINNED and letter.lower() not in TIERS):
        return kept.strip()
    return spell(tier, min(day, today), int(counter[1]) if counter else 0) + kept


def _note(words: str) -> str:
    """A comment that keeps ``words`` and does not look like a marker itself."""
    comment = f"<!-- {words} -->"
    return f"<!-- note: {words} -->" if looks_like_marker(comment) else comment


def _nearest_real(marker: Marker, comment: str) -> str:
    """``comment`` with a day past the month's end moved to its last day; ``""`` where no month fits."""
    shape = SHAPE.search(comment)
    if shape is None:
        return ""
    year, month, day = int(shape[1]), int(shape[2]), int(shape[3])
    if not 1 <= month <= 12 or year < 1 or day < 1:
        return ""
    return spell(marker.tier, date(year, month, calendar.monthrange(year, month)[1]), marker.passes)
