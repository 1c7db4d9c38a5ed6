"""A filter line split into words: ``tier:aging``, ``tokens>50``, ``"two words"``, ``-not``, ``/pattern/``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, TypeVar

_WORD = re.compile(
    r"""(?P<minus>-(?=\S))?
        (?:(?P<key>[a-z]+)(?P<op>:|>=|<=|>|<|=))?
        (?:"(?P<quoted>[^"]*)"?|(?P<plain>[^\s"]*))
    """,
    re.VERBOSE | re.IGNORECASE,
)
_PATTERN = re.compile(r"/.*/(?=\s|$)")
Row = TypeVar("Row")


class Word(NamedTuple):
    """One word of a filter line."""

    key: str
    """Before the operator, lower case; ``""`` for a free word."""
    op: str
    """``:``, ``>``, ``>=``, ``<``, ``<=``, ``=``; ``""`` for a free word."""
    value: str
    quoted: bool
    minus: bool
    """Whether a ``-`` turns it round."""
    start: int
    """Where it begins in the line."""
    spelled: str

    @property
    def free(self) -> str:
        """What is looked for where the key turns out to be none: all of it, without the ``-``."""
        return self.spelled[self.minus :]


def split(line: str, keys: Iterable[str] = ()) -> list[Word]:
    """The words of ``line``; a ``key:`` that is none of ``keys`` is a free word (``http://…``)."""
    known = set(keys)
    words: list[Word] = []
    at = 0
    while at < len(line):
        if line[at].isspace():
            at += 1
            continue
        pattern = _PATTERN.match(line, at)
        if pattern and len(pattern[0]) > 2:
            words.append(Word("", "", pattern[0], False, False, at, pattern[0]))
            at = pattern.end()
            continue
        found = _WORD.match(line, at)
        if found is None or found.end() == at:
            at += 1
            continue
        key = (found["key"] or "").lower()
        minus = found["minus"] is not None
        if key and key not in known:
            found = re.compile(r"\S+").match(line, at)
            assert found is not None
            words.append(Word("", "", found[0][minus:], False, minus, at, found[0]))
        else:
            quoted = found["quoted"]
            value = found["plain"] if quoted is None else quoted
            words.append(Word(key, found["op"] or "", value, quoted is not None, minus, at, found[0]))
        at = found.end()
    return words


def tests_of(
    line: str, keys: Iterable[str], test: Callable[[Word], Callable[[Row], bool]]
) -> tuple[tuple[Callable[[Row], bool], ...], str]:
    """The tests that the words of ``line`` ask for, those with a ``-`` turned round.

    Beside them, as a sentence, what means nothing: ``test`` raises ``ValueError`` for it, and it is left out.
    """
    tests: list[Callable[[Row], bool]] = []
    problem = ""
    for word in split(line, keys):
        try:
            asked = test(word)
        except ValueError as why:
            problem = problem or str(why)
        else:
            tests.append(_not(asked) if word.minus else asked)
    return tuple(tests), problem


def _not(test: Callable[[Row], bool]) -> Callable[[Row], bool]:
    return lambda row: not test(row)


class Vocabulary(NamedTuple):
    """What can be typed: single words, and the values of each key."""

    words: tuple[str, ...]
    values: Mapping[str, tuple[str, ...]]


def completions(line: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Whole lines that complete the last word of ``line``, best first; none where it is finished."""
    if line.count('"') % 2 or line[-1:].isspace() or not line:
        return ()
    last = line.split()[-1]
    before = line[: len(line) - len(last)]
    minus = "-" if last.startswith("-") else ""
    typed = last.removeprefix("-").casefold()
    key, colon, value = typed.partition(":")
    if colon:
        offered = [f"{key}:{_quoted(v)}" for v in vocabulary.values.get(key, ()) if _fits(v, value)]
    else:
        offered = [w for w in vocabulary.words if w.startswith(typed)]
    return tuple(f"{before}{minus}{o}" for o in offered if o.casefold() != typed)


def _fits(offered: str, typed: str) -> bool:
    return offered.casefold().startswith(typed)


def _quoted(value: str) -> str:
    return f'"{value}"' if re.search(r"\s", value) else value


def number(word: Word) -> int | None:
    """The number that a word's value spells; None where it spells none."""
    return int(word.value) if re.fullmatch(r"[0-9]{1,12}", word.value) else None


COMPARE: Mapping[str, Callable[[int, int], bool]] = {
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "=": lambda a, b: a == b,
    ":": lambda a, b: a == b,
}
"""What each operator asks of a number."""
