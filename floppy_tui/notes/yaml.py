"""Front matter as python-frontmatter reads it: for the detail, and to check the line-based reading."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, NamedTuple

from floppy_tui.notes.front import Front
from floppy_tui.text.lines import BOM, readable

CHECKED = ("name", "description", "type", "metadata.type", "metadata.evidence", "metadata.as_of")
"""The fields that are read by both and have to agree."""


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

    try:
        values, _ = frontmatter.parse(readable(text.removeprefix(BOM)).replace("\r\n", "\n"))
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        words = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
        return Whole({}, " ".join(str(words).split()), mark.line + 1 if mark is not None else 0)
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        return Whole({}, " ".join(str(error).split()) or type(error).__name__)
    return Whole(values, "")


def reads_the_same(text: str, front: Front) -> bool:
    """Whether it is certain, without asking it, that YAML reads what the line-based readers do."""
    return False


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
        said = "" if field is None else " ".join(field.value.split())
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
