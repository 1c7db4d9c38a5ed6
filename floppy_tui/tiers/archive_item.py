"""The one form of an archived item: how what leaves memory is quoted, and how the quote is read back.

``- (from learnings.md, tier: perishable, reinforced: 2026-06-30) <prose> [archived: unreinforced 39d]``

Further lines of the prose stand indented by two spaces under the bullet, empty ones stay empty, so that
whatever the prose holds, reading gives it back to the byte.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from floppy_tui.text.dates import parse_date
from floppy_tui.tiers.markers import Tier

INDENT = "  "
"""What stands before each further line of an item."""
ARCHIVED = "[archived: "
FROM = "(from "

_BLANKS = " \t\r"
_MOST_FIELDS = 8
_PAREN = re.compile(r"[()]")
_FIELD = re.compile(r"([a-z][a-z-]*):[ \t]*(.*)", re.DOTALL)
_NESTED_FENCE = re.compile(
    r"[ \t>]*+(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]++)*+(`{3,}(?=[^`]*\Z)|~{3,})(.*)", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Departure:
    """What leaves memory for the archive."""

    source: str
    """The file it leaves, such as ``learnings.md``."""
    tier: Tier
    reinforced: date | None
    reason: str
    prose: str
    """LF line ends, no live markers, no blanks before or after."""


@dataclass(frozen=True, slots=True)
class ArchivedItem:
    """One thing that left memory, as the archive quotes it."""

    heading: str
    """Text of the heading it stands under; ``""`` under none or under the file's title."""
    day: date | None
    """The day of its pass, where the heading begins with one."""
    source: str
    """File it came from, as written; ``""`` where unknown."""
    tier: str
    """As written; ``""`` where unknown."""
    reinforced: date | None
    reason: str
    """Why it left, white space folded; ``""`` where unknown."""
    prose: str
    """What was quoted, to the byte, LF line ends; an item of unknown provenance without its bullet."""
    first: int
    last: int
    """Its lines, from 1, both inclusive."""
    known: bool
    """Whether its provenance could be read."""


class Quoted(NamedTuple):
    """What the text of a documented item says."""

    source: str
    tier: str
    reinforced: date | None
    reason: str
    prose: str


class Provenance(NamedTuple):
    """What stands between ``(from`` and its closing bracket."""

    source: str
    tier: str
    reinforced: date | None
    named: bool
    """Whether a tier or a date is named: without, only a reason makes it provenance."""


def as_quoted(departure: Departure) -> Quoted:
    """What reading the quote of ``departure`` gives back.

    Unmarked and unconfirmed entries are written as aging. A reason is one line, and may not hold what opens
    a reason.
    """
    tier = Tier.AGING if departure.tier in (Tier.GRACE, Tier.UNMARKED) else departure.tier
    reason = " ".join(departure.reason.split()).replace(ARCHIVED, ARCHIVED.replace("[", "("))
    return Quoted(departure.source, tier.value, departure.reinforced, reason, departure.prose.strip(" \t\n"))


def quote(departure: Departure) -> str:
    """The text of the item that quotes ``departure``, LF line ends, the last one included.

    Raises ``ValueError`` for a source that could not be read back (unbalanced brackets, a line break).
    """
    source, tier, reinforced, reason, prose = as_quoted(departure)
    inside = f"{source}, tier: {tier}, reinforced: {reinforced.isoformat() if reinforced else 'never'}"
    if closing_paren(f"({inside})") != len(inside) + 1 or read_provenance(inside).source != source:
        raise ValueError(f"the archive cannot name a source called {source!r}")
    first, *rest = prose.split("\n")
    lines = [f"- {FROM}{inside}) {first}", *(INDENT + line if line else "" for line in rest)]
    apart = f"\n{INDENT}" if _ends_in_fence([first, *rest]) else " "
    return "\n".join(lines) + f"{apart}{ARCHIVED}{reason}]\n"


def _ends_in_fence(lines: Sequence[str]) -> bool:
    """Whether the last of ``lines`` closes a fence or stands in one, however deep in lists and quotes."""
    opened, closed = "", False
    for line in lines:
        fence = _NESTED_FENCE.match(line)
        closed = False
        if fence and not opened:
            opened = fence[1]
        elif fence and fence[1].startswith(opened) and not fence[2].strip(_BLANKS):
            opened, closed = "", True
    return closed or bool(opened)


def parse_quoted(text: str, provenances: dict[str, Provenance]) -> Quoted | None:
    """What ``text``, the item without its bullet and indentation, says; None where it has no provenance.

    ``provenances`` remembers those already read, for an archive repeats few of them often.
    """
    if not text.startswith(FROM):
        return None
    close = closing_paren(text)
    if close < 0:
        return None
    inside = text[len(FROM) : close]
    provenance = provenances.get(inside)
    if provenance is None:
        provenance = provenances[inside] = read_provenance(inside)
    body = text[close + 1 :]
    if body.startswith((" ", "\n")):
        body = body[1:]
    parts = _split_reason(body)
    if parts is None:
        if not provenance.named:
            return None
        parts = body, ""
    return Quoted(provenance.source, provenance.tier, provenance.reinforced, parts[1], parts[0])


def read_provenance(inside: str) -> Provenance:
    """What ``learnings.md, tier: aging, …`` says. Fields are taken off the end: a source may hold commas."""
    source = inside.replace("\n", " ")
    fields: dict[str, str] = {}
    for _ in range(_MOST_FIELDS):
        comma = source.rfind(", ")
        field = _FIELD.fullmatch(source, comma + 2) if comma >= 0 else None
        if field is None:
            break
        fields.setdefault(field[1], field[2])
        source = source[:comma]
    named = "tier" in fields or "reinforced" in fields
    return Provenance(source, fields.get("tier", ""), parse_date(fields.get("reinforced", "")), named)


def closing_paren(text: str) -> int:
    """Where the bracket that opens ``text`` is closed, or -1."""
    close = text.find(")")
    if text.find("(", 1, max(close, 1)) < 0:
        return close
    depth = 0
    for paren in _PAREN.finditer(text):
        depth += 1 if paren[0] == "(" else -1
        if depth == 0:
            return paren.start()
    return -1


def _split_reason(body: str) -> tuple[str, str] | None:
    """Prose and reason of what follows the provenance; None where no reason is given.

    The reason reaches from the last ``[archived: `` to the last ``]``; words after that stay in the prose.
    """
    opened = body.rfind(ARCHIVED)
    close = body.rfind("]")
    if opened < 0 or close < opened:
        return None
    prose, rest = body[:opened], body[close + 1 :]
    line = prose.rfind("\n")
    if not prose[line + 1 :].strip(" \t"):
        prose = prose[: max(line, 0)]
    else:
        prose = prose.removesuffix(" ")
    if rest.strip(" \t\r\n"):
        prose += rest
    return prose, " ".join(body[opened + len(ARCHIVED) : close].split())


def unquoted(line: str, inner: str) -> str:
    """A further line of an item as it was before it was indented by ``inner``; wrapped ones were not."""
    if line.startswith(inner):
        return line[len(inner) :]
    if line.startswith("\t"):
        return line[1:]
    return line if line.strip(_BLANKS) else ""
