"""The checkable condition that a perishable entry names, and what its own words and today tell about it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from floppy_tui.text.dates import parse_date
from floppy_tui.tiers.decisions import Verdict
from floppy_tui.tiers.records import NO_RECORDS, Item, Records

_CLAUSE = re.compile(
    r"\b(?:until|till|expires?|expiry|unless|once|when|while|after|before|as long as|not before|by|due)\b"
    r"[: ]+(?P<what>[^.;()\n]{3,120})",
    re.IGNORECASE,
)
_DATED = re.compile(
    r"\b(?:(?:until|till|through|due(?! to\b)|expires?|expiry|expected|scheduled)\b[^0-9.;\n]{0,40}?"
    r"|(?:by|before) )(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})(?![0-9])",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"(?:\btracked:? *(?P<tracked>[A-Za-z0-9][\w.-]*[A-Za-z0-9]))"
    r"|(?P<number>(?:\b(?:issue|pr|pull|ticket|order|run|case)\s+#?|#)[A-Za-z]{0,8}-?[0-9]+)"
    r"|(?P<backlog>\b[^\W\d_]\w*(?:-\w+)*-[^\W\d_]*[0-9]+\w*\b)"
    r"|(?P<version>\bv?[0-9]+\.[0-9]+(?:\.[0-9]+)*\b|\bversion\s+[0-9]+\b)",
    re.IGNORECASE,
)
_WAITS = re.compile(
    r"\b(?:until|till|unless|once|when|while|after|before|below|as long as|wait(?:s|ing)? (?:for|on)|pending"
    r"|blocked[- ]by|blocked on|depends on|tracked(?: in| by| as)?)\b[: ]+(?:[^.;\n]|\.(?=\w)){2,160}",
    re.IGNORECASE,
)
"""What an entry says that it waits for, up to the end of the clause."""
_TOKEN = re.compile(r"(?P<quote>[`“\"'])?(?<![\w.-])(?P<id>[A-Za-z0-9][A-Za-z0-9._-]*)")
_NAMED = re.compile(
    r"(?:\b(?:task|item|backlog|tracked(?: in| by| as)?|blocked[- ]by)\b:?\s+|#)$", re.IGNORECASE
)
_FLOOR = re.compile(r"\bv?[0-9]+(?:\.[0-9]+)+\b|\b(?:v|version )[0-9]+\b", re.IGNORECASE)
_DATE = re.compile(r"(?<![0-9-])(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})(?![0-9-])")
_MONTH = re.compile(
    r"\b(?:january|february|march|april|june|july|august|september|october|november|december)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Condition:
    """What an entry waits for, and what is known about it."""

    text: str
    """In the entry's own words."""
    verdict: Verdict
    note: str
    """One sentence: how the verdict was come to, or why there is none."""


def find_condition(prose: str, today: date, records: Records = NO_RECORDS) -> Condition | None:
    """The condition that ``prose`` names; None where it names none that anybody could check.

    What a backlog item or a release of a project settles is looked up in ``records``, where the words say
    that it is waited for. A day still ahead (or today) is open; the day that it was to last until, the last
    of several, is resolved once it has gone by.
    """
    plain = _without_lead_date(prose)
    if known := _recorded(plain, records) or _released(plain, records):
        return known
    ends = [(day, m[0]) for m in _DATED.finditer(plain) if (day := parse_date(m["day"])) is not None]
    if ends:
        last, words = max(ends)
        return _looked_up(" ".join(words.split()), last, today)
    if named := _REFERENCE.search(plain):
        text = " ".join(named[0].split())
        return Condition(text, Verdict.UNKNOWN, _not_found(text, records))
    for dated in _DATE.finditer(plain):
        if (day := parse_date(dated["day"])) is None:
            continue
        if day >= today:
            return _looked_up(dated["day"], day, today)
        note = f"{day} is past, but not said to be its end: say what you know."
        return Condition(dated["day"], Verdict.UNKNOWN, note)
    if mentioned := next(iter(_items(plain, records)), None):
        note = f"{_stands(mentioned)}, but it is not said to be what this waits for: say what you know."
        return Condition(mentioned.id, Verdict.UNKNOWN, note)
    for loose in (_CLAUSE, _MONTH):
        if found := loose.search(plain):
            text = " ".join(found[0].split())
            return Condition(text, Verdict.UNKNOWN, "Only you can tell whether that still holds.")
    return None


def checkable(prose: str, records: Records = NO_RECORDS) -> bool:
    """Whether ``prose`` names what a new perishable entry must: a record, a version or a date.

    A mere clause ("until the move") can be told by nobody but its author, so it admits nothing.
    """
    plain = _without_lead_date(prose)
    if _REFERENCE.search(plain) or any(_items(plain, records)):
        return True
    return any(parse_date(dated["day"]) is not None for dated in _DATE.finditer(plain))


def _items(words: str, records: Records) -> Iterator[Item]:
    """The backlog items that ``words`` name; an id that is a plain word or number has to be marked as one."""
    for token in _TOKEN.finditer(words):
        for id in (token["id"], token["id"].rstrip(".-_")):
            item = records.items.get(id)
            if item is None:
                continue
            telling = re.search(r"[A-Za-z]", id) and re.search(r"[0-9._-]", id)
            if telling or token["quote"] or _NAMED.search(words[: token.start()]):
                yield item
            break


def _recorded(plain: str, records: Records) -> Condition | None:
    """What the backlog says of the items that ``plain`` waits for: open as long as one of them is."""
    waited = [found for clause in _WAITS.finditer(plain) for found in _items(clause[0], records)]
    items = list(dict.fromkeys(waited))
    if not items:
        return None
    left = [item for item in items if not item.done]
    shown = ", ".join(item.id for item in left or items)
    note = "; ".join(_stands(item) for item in left or items)
    return Condition(shown, Verdict.OPEN if left else Verdict.RESOLVED, f"{note}.")


def _stands(item: Item) -> str:
    state = {"done": "done", "in_flight": "in flight"}.get(item.state, item.state)
    return f"The backlog item {item.id} is {state}{' and held' if item.held and not item.done else ''}"


def _released(plain: str, records: Records) -> Condition | None:
    """Whether a project's newest release has reached the version that ``plain`` waits for."""
    for clause in _WAITS.finditer(plain):
        floor = _FLOOR.search(clause[0])
        named = [
            name
            for name in records.releases
            if floor and re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", clause[0], re.IGNORECASE)
        ]
        if floor is None or len(named) != 1:
            continue
        newest = records.releases[named[0]]
        reached = _version(newest) >= _version(floor[0])
        note = f"The newest release of {named[0]} is {newest}."
        return Condition(" ".join(floor[0].split()), Verdict.RESOLVED if reached else Verdict.OPEN, note)
    return None


def _version(text: str) -> tuple[int, ...]:
    numbers = [int(part[:9]) for part in re.findall(r"[0-9]+", text)]
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)


def _not_found(text: str, records: Records) -> str:
    """Why nothing is known of what ``text`` names."""
    if records.note:
        return f"{records.note.rstrip('.')}, so nothing is known of it: say what you know."
    return f"No backlog item or release here tells of {text}: say what you know."


def _looked_up(text: str, day: date, today: date) -> Condition:
    if day >= today:
        return Condition(text, Verdict.OPEN, f"{day} is {'today' if day == today else 'still ahead'}.")
    return Condition(text, Verdict.RESOLVED, f"{day} is past.")


def _without_lead_date(prose: str) -> str:
    """``prose`` without a date that it begins with: that says when it was written, not what it waits for."""
    return re.sub(r"^\W*[0-9]{4}-[0-9]{2}-[0-9]{2}", "", prose)
