"""The text of a local skill, and the one line that keeps it out of git."""

from __future__ import annotations

from collections.abc import Mapping


def write_skill(name: str, description: str, quote: str) -> str:
    """The text of a ``SKILL.md``: front matter, a blank line, and the quote to the byte."""
    raise NotImplementedError


def skill_problem(text: str, name: str, description: str, quote: str) -> str:
    """Why ``text`` is not that skill, as a sentence; ``""`` where it parses, says so and holds the quote."""
    raise NotImplementedError


def read_front(text: str) -> Mapping[str, object]:
    """The front matter of a text, empty where it has none; raises ``ValueError`` with a sentence."""
    raise NotImplementedError


def exclude_line(prefix: str, name: str) -> str:
    """The pattern for the skill's directory: ``prefix`` is the home below its repository, ending in ``/``."""
    raise NotImplementedError


def with_line(data: bytes, line: str) -> bytes:
    """``data`` with ``line`` at its end; unchanged where that very line is there."""
    raise NotImplementedError


def without_line(data: bytes, before: bytes, line: str) -> bytes:
    """``data`` without what ``with_line`` added to ``before``, and with all that others wrote since."""
    raise NotImplementedError
