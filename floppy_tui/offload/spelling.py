"""Untrusted words on one line of the queue: plain where they can be, else as a JSON string."""

from __future__ import annotations

import json
import re

from floppy_tui.text.visible import visible

STRING = r'"(?:[^"\\]|\\.)*"'
"""A regular expression for what ``spelled_out`` gives."""
RESERVED = "tasks-axi:public-followup"
"""What the backlog tool takes for its own data in any body: it refuses the whole backlog for it."""
_RESERVED = re.compile(r"tasks-axi:(?=public-followup)")


def spell(value: str) -> str:
    """``value`` for a field: as it is, or as a JSON string where it is not one plain, harmless line."""
    plain = bool(value) and value == value.strip() and not value.startswith('"')
    return value if plain and harmless(value) == value else spelled_out(value)


def unspell(raw: str) -> str:
    """The value that a field holds; what is no JSON string stands for itself."""
    raw = raw.strip(" \t\r")
    if raw.startswith('"'):
        try:
            value = json.loads(raw)
        except (ValueError, RecursionError):
            return raw
        return value if isinstance(value, str) else raw
    return raw


def spelled_out(value: str) -> str:
    """``value`` as a JSON string on one line in which nothing is hidden; any text reads back equal."""
    inside = "".join(c if c not in '"\\' and visible(c) == c else json.dumps(c)[1:-1] for c in value)
    return '"' + _RESERVED.sub(r"tasks-axi\\u003a", inside) + '"'


def harmless(line: str) -> str:
    """``line`` to be looked at in the queue: nothing hidden in it, nothing that the backlog tool reads."""
    return _RESERVED.sub("tasks-axi: ", visible(line))
