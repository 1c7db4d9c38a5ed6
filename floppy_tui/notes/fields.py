"""Writing one field of a front matter: a splice, so that everything else comes back to the byte.

What is written reads the same by lines and as YAML; where that cannot be, nothing is written.
"""

from __future__ import annotations

import re

from floppy_tui.notes.front import METADATA, Front, read_front
from floppy_tui.notes.planned import Impossible
from floppy_tui.text.dates import parse_date
from floppy_tui.text.lines import Splice, main_eol, splice

_NESTED = METADATA + "."
_WORDS = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}
"""What YAML takes for something else than a text."""
_UNFIT = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
"""What YAML cannot hold, or takes for a line end."""


def set_field(text: str, key: str, value: str, *, where: str = "The note") -> str:
    """``text`` with ``key`` (``description``, ``metadata.as_of``) set to ``value``, one line.

    A field that is there keeps its place and its quotes; a new one is written among its siblings.
    Raises ``Impossible`` where the front matter, or the value, cannot be written so that all readers agree.
    """
    if _UNFIT.search(value):
        raise Impossible(f"{key} has to be one line without control characters; write it in plain words.")
    value = value.strip(" \t")
    front = _front(text, key, where)
    field = front.fields.get(key)
    old = text[field.start : field.end] if field else ""
    return set_raw(text, key, spell(value, old), where=where)


def set_raw(text: str, key: str, raw: str, *, where: str = "The note") -> str:
    """As ``set_field``, with the value spelled as it shall stand."""
    front = _front(text, key, where)
    field = front.fields.get(key)
    if field is not None:
        blank = "" if not raw or text[field.start - 1] in " \t" else " "
        after = splice(text, [Splice(field.start, field.end, blank + raw)])
        return _checked(text, after, key, where)
    eol = main_eol(text)
    for at, line in _places(front, key, f"{raw}{eol}" if raw else eol, eol):
        after = splice(text, [Splice(at, at, line)])
        if _kept(text, after, key):
            return _checked(text, after, key, where)
    raise Impossible(f"{where} has a front matter that {key} cannot be written into; edit it by hand.")


def remove_field(text: str, key: str, *, where: str = "The note") -> str:
    """``text`` without the lines of ``key``; as it is where there is none.

    Raises ``Impossible`` where other fields would then read otherwise.
    """
    after = text
    while (front := read_front(after)) is not None and key in front.fields:
        field = front.fields[key]
        after = splice(after, [Splice(field.line_start, field.line_end, "")])
    if not _kept(text, after, key):
        raise Impossible(f"{where} has a front matter that {key} cannot be taken out of; edit it by hand.")
    return after


def spell(value: str, old: str = "") -> str:
    """``value`` as it is written: plain, in the quotes of ``old``, or in single ones where YAML needs some.

    A backslash means nothing to the readers by lines, so that double quotes are kept, never chosen.
    """
    if len(old) >= 2 and old[0] == old[-1] == '"' and "\n" not in old and not re.search(r'["\\]', value):
        return f'"{value}"'
    kept = len(old) >= 2 and old[0] == old[-1] == "'" and "\n" not in old
    if kept or not _plain(value):
        return "'" + value.replace("'", "''") + "'"
    return value


def _plain(value: str) -> bool:
    """Whether YAML reads ``value`` without quotes as the text that it is."""
    if not value or parse_date(value) is not None:
        return True
    if ": " in value or " #" in value or "\t" in value or value.endswith(":"):
        return False
    if value.casefold() in _WORDS:
        return False
    if value[0].isdigit():
        return bool(re.match(r"[0-9][^ ]* +[^\W\d_]", value))
    return bool(re.match(r"[\w(]", value)) and value[0] != "="


def _front(text: str, key: str, where: str) -> Front:
    front = read_front(text)
    if front is None:
        raise Impossible(f"{where} has no front matter to write {key} into; open it in the editor.")
    return front


def _places(front: Front, key: str, rest: str, eol: str) -> list[tuple[int, str]]:
    """Where a line of ``key`` may go, and the line; the best place first."""
    if not key.startswith(_NESTED):
        line = f"{key}: {rest}" if rest != eol else f"{key}:{eol}"
        first = [front.start] if key in ("name", "description") else []
        name = front.fields.get("name")
        if key == "description" and name is not None:
            first.insert(0, name.line_end)
        return [(at, line) for at in (*first, front.end)]
    own = key.removeprefix(_NESTED)
    line = f"{own}: {rest}" if rest != eol else f"{own}:{eol}"
    above = front.fields.get(METADATA)
    if above is None:
        return [(front.end, f"{METADATA}:{eol}  {line}")]
    if above.value:
        return []
    siblings = [f for k, f in front.fields.items() if k.startswith(_NESTED)]
    if not siblings:
        return [(above.line_end, f"  {line}")]
    last = max(f.line_end for f in siblings)
    return [(last, siblings[0].indent + line)]


def _checked(before: str, after: str, key: str, where: str) -> str:
    if not _kept(before, after, key):
        raise Impossible(f"{where} has a front matter that {key} cannot be written into; edit it by hand.")
    return after


def _kept(before: str, after: str, key: str) -> bool:
    """Whether every other field, and the text below, reads in ``after`` as in ``before``."""
    old, new = read_front(before), read_front(after)
    if old is None or new is None or before[old.body :] != after[new.body :]:
        return False
    return _others(old, key) == _others(new, key)


def _others(front: Front, key: str) -> dict[str, str]:
    return {k: field.value for k, field in front.fields.items() if k not in (key, METADATA)}
