"""Sample text whose dates are relative to today: ``{-12}`` is the day twelve days ago, ``{+9}`` one ahead."""

from __future__ import annotations

import re
from datetime import date, timedelta

_PLACE = re.compile(r"\{(?:(?P<days>0|[+-][0-9]+)(?P<slashes>/?)|(?P<never>february-30))\}")


def dated(text: str, today: date) -> bytes:
    """``text`` as bytes, each ``{-N}``, ``{0}`` and ``{+N}`` replaced by that day (``{-N/}`` with slashes).

    ``{february-30}`` is a day that never was, in the last year whose end of February is 30 days past.
    """

    def day(place: re.Match[str]) -> str:
        if place["never"]:
            passed = date(today.year, 2, 28) + timedelta(days=30) <= today
            return f"{today.year if passed else today.year - 1:04}-02-30"
        spelled = (today + timedelta(days=int(place["days"]))).isoformat()
        return spelled.replace("-", "/") if place["slashes"] else spelled

    return _PLACE.sub(day, text).encode()
