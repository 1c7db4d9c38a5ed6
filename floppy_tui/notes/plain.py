"""Values of front matter of which it is certain that YAML reads them as they stand in their line.

Only what is certain is let through; whatever else there is, YAML itself is asked. Source: the YAML 1.1 types
that PyYAML resolves plain scalars to.
"""

from __future__ import annotations

import re

from floppy_tui.text.dates import parse_date

CHECKED = ("name", "description", "type", "metadata.type", "metadata.evidence", "metadata.as_of")
"""The fields that have to read the same by lines and as YAML."""
_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
"""What YAML takes for something else than a text, in some letter case."""
_TOKEN = re.compile(r"(?![0-9]{4}-)[0-9A-Za-z-]{1,64}")
_TIME = re.compile(r"T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,6})?Z?")
_COUNTED = re.compile(r"[0-9][^ ]* +[^\W\d_]")
_LIST = re.compile(r"\[(?:[A-Za-z][\w-]*(?:, ?[A-Za-z][\w-]*)*)?\]", re.A)


def is_plain(key: str, value: str) -> str | None:
    """What ``value`` says, for its line and for YAML alike; None where that is not certain.

    ``value`` is not empty, on one line, without blanks around it and without control characters. Of a
    ``key`` that is not checked it is enough that YAML can read it.
    """
    first = value[0]
    if first.isalpha() or first == "(":
        if ": " in value or " #" in value or value[-1] == ":":
            return None
        return value if len(value) > 5 or value.casefold() not in _WORDS else None
    if first in "\"'":
        inner = value[1:-1]
        if len(value) < 2 or value[-1] != first or first in inner or (first == '"' and "\\" in inner):
            return None
        return inner
    if "0" <= first <= "9":
        return value if _is_plain_number(key, value) else None
    return value if first == "[" and key not in CHECKED and _LIST.fullmatch(value) else None


def _is_plain_number(key: str, value: str) -> bool:
    """As ``is_plain``, of a ``value`` that begins with a digit."""
    if parse_date(value) is not None:
        return True
    if _COUNTED.match(value):
        return not (": " in value or " #" in value or value[-1] == ":")
    if key in CHECKED:
        return False
    return bool(_TOKEN.fullmatch(value)) or (
        parse_date(value[:10]) is not None and bool(_TIME.fullmatch(value[10:]))
    )
