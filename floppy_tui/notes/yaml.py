"""Front matter as python-frontmatter reads it: for the detail, and to check the line-based reading."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, NamedTuple

from floppy_tui.notes.front import Front, read_front
from floppy_tui.notes.plain import CHECKED as CHECKED
from floppy_tui.text.lines import BOM, readable

_DEPTH = 50


class Whole(NamedTuple):
    """What YAML makes of a front matter."""

    values: Mapping[str, Any]
    problem: str
    """Why it cannot be read, in YAML's words; ``""`` where it can."""
    line: int = 0
    """The line of the note, from 1, that it trips over; 0 where it does not say."""


def read_yaml(text: str) -> Whole:
    """The whole front matter of a note's ``text``."""
    import frontmatter
    from yaml import YAMLError  # type: ignore[import-untyped]

    front = read_front(text)
    if front is not None:
        text = text[: front.body]
    try:
        values, _ = frontmatter.parse(readable(text.removeprefix(BOM)).replace("\r\n", "\n"))
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        words = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
        return Whole({}, " ".join(str(words).split()), mark.line + 1 if mark is not None else 0)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        return Whole({}, " ".join(str(error).split()) or type(error).__name__)
    return Whole(values, "") if _is_tree(values) else Whole({}, "it repeats itself or is nested too deep")


def _is_tree(values: object) -> bool:
    """Whether no part of ``values`` is in it twice, as aliases make it: those would never end on a screen."""
    seen: set[int] = set()
    parts = [(values, 0)]
    while parts:
        part, depth = parts.pop()
        if not isinstance(part, (dict, list, tuple, set)):
            continue
        if id(part) in seen or depth > _DEPTH:
            return False
        seen.add(id(part))
        parts += ((inner, depth + 1) for inner in (part.values() if isinstance(part, dict) else part))
    return True


def differs(front: Front, whole: Whole) -> tuple[str, ...]:
    """The checked fields that YAML reads otherwise than the line-based readers."""
    found = []
    for key in CHECKED:
        field = front.fields.get(key)
        value: Any = whole.values
        for part in key.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        if field is None and value is None:
            continue
        if isinstance(value, (dict, list, tuple, set)):
            found.append(key)
            continue
        said = "" if field is None else " ".join(readable(field.value).split())
        if said != " ".join(spelled(value).split()):
            found.append(key)
    return tuple(found)


def spelled(value: object) -> str:
    """A scalar as a person would write it."""
    if value is None:
        return ""
    if isinstance(value, date) and not isinstance(value, datetime):
        return value.isoformat()
    return str(value)
