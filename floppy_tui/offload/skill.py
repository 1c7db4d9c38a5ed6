"""The text of a local skill, and the one line that keeps it out of git.

Front matter comes from files that anybody may have written: it is read by a safe loader, never beyond
``MOST`` characters, and without YAML's aliases, which a few lines of can unfold to any size.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import yaml  # type: ignore[import-untyped]
from frontmatter.default_handlers import YAMLHandler

from floppy_tui.text.lines import BOM, bare, decode, encode, readable, split_lines
from floppy_tui.text.visible import visible

MOST = 64 * 1024
"""Characters of a front matter that are looked at."""
_WIDE = 1_000_000
"""A width that no line is folded at."""
_ESCAPED = re.compile(r"[\\*?\[]")


def write_skill(name: str, description: str, quote: str) -> str:
    """The text of a ``SKILL.md``: front matter, a blank line, and the quote to the byte.

    Each field stays on one line and parses back equal; an undecodable byte of the description, which YAML
    cannot hold, becomes U+FFFD.
    """
    end = "" if quote.endswith("\n") else "\n"
    return f"---\n{_field('name', name)}\n{_field('description', description)}\n---\n\n{quote}{end}"


def _field(key: str, value: str) -> str:
    value = readable(value)
    plain = YAMLHandler().export({key: value}, width=_WIDE)
    if "\n" not in plain and _parses(plain, {key: value}):
        return plain
    quoted = yaml.dump(value, default_style='"', allow_unicode=True, width=_WIDE).strip()
    return f"{key}: {quoted}"


def _parses(front: str, fields: dict[str, str]) -> bool:
    try:
        return bool(_loaded(front) == fields)
    except ValueError:
        return False


def skill_problem(text: str, name: str, description: str, quote: str) -> str:
    """Why ``text`` is not that skill, as a sentence; ``""`` where it parses, says so and holds the quote."""
    try:
        front = read_front(text)
    except ValueError as problem:
        return str(problem)
    if not front:
        return "It has no front matter, so no session would list it."
    for key, value in (("name", name), ("description", readable(description))):
        if front.get(key) != value:
            return f"The {key} in its front matter is not the one that was to be written."
    body = "".join(split_lines(text)[_front_end(text) :]).removeprefix("\n")
    if body not in (quote, f"{quote}\n"):
        return "Its body is not the quote to the byte."
    return ""


def read_front(text: str) -> Mapping[str, object]:
    """The front matter of a text by its keys that are words, empty where it has none.

    Raises ``ValueError`` with a sentence where it is not closed, not YAML, no mapping, too long, or holds
    aliases; nothing else, whatever the text.
    """
    end = _front_end(text)
    loaded = _loaded("".join(split_lines(text)[1 : end - 1])) if end else None
    if loaded is None:
        return {}
    if not isinstance(loaded, dict):
        raise ValueError("Its front matter names no fields: write it as “key: value” lines.")
    return {key: value for key, value in loaded.items() if isinstance(key, str)}


def _front_end(text: str) -> int:
    """The line below the front matter, 0 where there is none; raises ``ValueError`` where none closes it."""
    if not text.startswith(("---", f"{BOM}---")):
        return 0
    lines = split_lines(text)
    if bare(lines[0]).removeprefix(BOM) != "---":
        return 0
    for at, line in enumerate(lines[1:], 1):
        if bare(line) == "---":
            return at + 1
    raise ValueError("Its front matter is never closed: put a line “---” below it.")


def _loaded(front: str) -> Any:
    if len(front) > MOST:
        raise ValueError(f"Its front matter is longer than {MOST // 1024} KiB: make it shorter.")
    try:
        if "*" in front and any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(front)):
            raise ValueError("Its front matter uses YAML aliases, which are not followed: write them out.")
        return YAMLHandler().load(front)
    except (yaml.YAMLError, ValueError, RecursionError, ArithmeticError, LookupError, TypeError) as problem:
        if isinstance(problem, ValueError) and str(problem).startswith("Its front matter"):
            raise
        raise ValueError(f"Its front matter cannot be read as YAML{_reason(problem)}: mend it.") from problem


def _reason(problem: Exception) -> str:
    """What YAML says is wrong, in brackets; ``""`` where it says nothing in a few words."""
    said = getattr(problem, "problem", None)
    mark = getattr(problem, "problem_mark", None)
    if not said or mark is None:
        return ""
    words = " ".join(visible(str(said)).split())[:120]
    return f" ({words}, line {mark.line + 2})"


def exclude_line(prefix: str, name: str) -> str:
    """The pattern of a skill's directory for the exclude file.

    ``prefix`` is the home below the top of its repository as ``git rev-parse --show-prefix`` prints it:
    empty, or ending in ``/``. Raises ``ValueError`` where it has a line end, which no pattern can hold.
    """
    if "\n" in prefix or "\0" in prefix:
        raise ValueError("The home's path in its repository has a line end, which no ignore rule can name.")
    escaped = _ESCAPED.sub(r"\\\g<0>", prefix)
    return f"/{escaped}.agents/skills/{name}/"


def with_line(data: bytes, line: str) -> bytes:
    """``data`` with ``line`` at its end, on a line of its own; unchanged where that very line is there."""
    rule = encode(line)
    if any(there.removesuffix(b"\r") == rule for there in data.split(b"\n")):
        return data
    return data + (b"\n" if data and not data.endswith(b"\n") else b"") + rule + b"\n"


def without_line(data: bytes, before: bytes, line: str) -> bytes:
    """``data`` without what ``with_line`` added to ``before``, and with all that others wrote since.

    The line end that ``before`` lacked goes too where nothing came after it.
    """
    after = with_line(before, line)
    if after == before:
        return data
    if data.startswith(after):
        rest = data[len(after) :]
        return before + (after[len(before) : -len(encode(line)) - 1] + rest if rest else b"")
    lines = split_lines(decode(data))
    at = next((at for at, there in enumerate(lines) if bare(there) == line), None)
    if at is None:
        return data
    left = encode("".join(lines[:at] + lines[at + 1 :]))
    return before if left == before + b"\n" and not before.endswith(b"\n") else left
