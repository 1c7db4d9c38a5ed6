"""The checkable condition that a perishable entry names, and what its own words and today tell about it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from floppy_tui.text.dates import parse_date
from floppy_tui.tiers.decisions import Verdict

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


def find_condition(prose: str, today: date) -> Condition | None:
    """The condition that ``prose`` names; None where it names none that anybody could check.

    Only dates are looked up here: a day still ahead (or today) is open; the day that it was to last until,
    the last of several, is resolved once it has gone by.
    """
    plain = _without_lead_date(prose)
    ends = [(day, m[0]) for m in _DATED.finditer(plain) if (day := parse_date(m["day"])) is not None]
    if ends:
        last, words = max(ends)
        return _looked_up(" ".join(words.split()), last, today)
    if named := _REFERENCE.search(plain):
        text = " ".join(named[0].split())
        return Condition(text, Verdict.UNKNOWN, "Nothing here can look that up yet: say what you know.")
    for dated in _DATE.finditer(plain):
        if (day := parse_date(dated["day"])) is None:
            continue
        if day >= today:
            return _looked_up(dated["day"], day, today)
        note = f"{day} is past, but not said to be its end: say what you know."
        return Condition(dated["day"], Verdict.UNKNOWN, note)
    for loose in (_CLAUSE, _MONTH):
        if found := loose.search(plain):
            text = " ".join(found[0].split())
            return Condition(text, Verdict.UNKNOWN, "Only you can tell whether that still holds.")
    return None


def checkable(prose: str, today: date) -> bool:
    """Whether ``prose`` names what a new perishable entry must: a record, a version or a date.

    A mere clause ("until the move") can be told by nobody but its author, so it admits nothing.
    """
    plain = _without_lead_date(prose)
    if _REFERENCE.search(plain):
        return True
    return any(parse_date(dated["day"]) is not None for dated in _DATE.finditer(plain))


def _looked_up(text: str, day: date, today: date) -> Condition:
    if day >= today:
        return Condition(text, Verdict.OPEN, f"{day} is {'today' if day == today else 'still ahead'}.")
    return Condition(text, Verdict.RESOLVED, f"{day} is past.")


def _without_lead_date(prose: str) -> str:
    """``prose`` without a date that it begins with: that says when it was written, not what it waits for."""
    return re.sub(r"^\W*[0-9]{4}-[0-9]{2}-[0-9]{2}", "", prose)
