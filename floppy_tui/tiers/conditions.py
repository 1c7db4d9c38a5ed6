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
    r"\b(?:until|till|by|before|through|due|expires?|expiry|expected|scheduled)\b[^0-9.;\n]{0,40}?"
    r"(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})(?![0-9])",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"(?:\btracked:? *(?P<tracked>[A-Za-z0-9][\w.-]*[A-Za-z0-9]))"
    r"|(?P<number>(?:\b(?:issue|pr|pull|ticket|order|run|case)\s+#?|#)[A-Za-z]{0,8}-?[0-9]+)"
    r"|(?P<backlog>\b[^\W\d_]\w*(?:-\w+)*-[^\W\d_]*[0-9]+\w*\b)"
    r"|(?P<version>\bv?[0-9]+\.[0-9]+(?:\.[0-9]+)*\b|\bversion\s+[0-9]+\b)",
    re.IGNORECASE,
)
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

    Only dates are looked up here: a day still ahead (or today) is open, a day gone by is resolved.
    """
    if dated := _DATED.search(prose):
        day = parse_date(dated["day"])
        text = " ".join(dated[0].split())
        if day is not None:
            open_ = day >= today
            note = f"{day} is {'still ahead' if day > today else 'today' if open_ else 'past'}."
            return Condition(text, Verdict.OPEN if open_ else Verdict.RESOLVED, note)
    plain = _without_lead_date(prose)
    if named := _REFERENCE.search(plain):
        text = " ".join(named[0].split())
        return Condition(text, Verdict.UNKNOWN, "Nothing here can look that up yet: say what you know.")
    if (clause := _CLAUSE.search(plain)) is not None:
        text = " ".join(clause[0].split())
        return Condition(text, Verdict.UNKNOWN, "Only you can tell whether that still holds.")
    if month := _MONTH.search(plain):
        return Condition(month[0], Verdict.UNKNOWN, "Only you can tell whether that still holds.")
    return None


def _without_lead_date(prose: str) -> str:
    """``prose`` without a date that it begins with: that says when it was written, not what it waits for."""
    return re.sub(r"^\W*[0-9]{4}-[0-9]{2}-[0-9]{2}", "", prose)
