"""Which statements say nearly the same: token-set similarity, as a percentage.

Comparing all with all is quadratic, so only statements that share some of their rarer words are compared.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rapidfuzz import fuzz, process

from floppy_tui.text.identity import fold

NEAR = 85.0
"""From this token-set similarity (percent) on, two statements are shown as near-duplicates."""
FEWEST_WORDS = 4
"""Statements of fewer words are only compared for being the same: they are part of many others."""
_RARE = 10
"""How many of its rarest words a statement is looked up by."""
_COMMON = 60
"""A word in more statements than these says too little to look anything up by."""
_WORD = re.compile(r"\w+")


class Pair(NamedTuple):
    """Two statements by their positions (``left < right``) and how alike they are, in percent."""

    left: int
    right: int
    score: float


def near_pairs(statements: Sequence[str], cutoff: float = NEAR) -> tuple[Pair, ...]:
    """The pairs of ``statements`` at least ``cutoff`` percent alike, most alike first.

    Of statements that are the same but for case and spacing, each is paired with the first one alone.
    """
    first: dict[str, int] = {}
    pairs: list[Pair] = []
    for at, statement in enumerate(statements):
        folded = fold(statement)
        before = first.setdefault(folded, at)
        if before != at:
            pairs.append(Pair(before, at, 100.0))
    for left, right in _candidates(first):
        score = float(fuzz.token_set_ratio(left, right, score_cutoff=cutoff))
        if score >= cutoff:
            one, other = sorted((first[left], first[right]))
            pairs.append(Pair(one, other, score))
    pairs.sort(key=lambda p: (-p.score, p.left, p.right))
    return tuple(pairs)


def _candidates(statements: Sequence[str] | dict[str, int]) -> Iterator[tuple[str, str]]:
    """Pairs of different statements that share at least two of the rarer words of one of them."""
    words = {s: set(_WORD.findall(s)) for s in statements}
    counts = Counter(word for own in words.values() for word in own)
    holders: dict[str, list[str]] = defaultdict(list)
    for statement, own in words.items():
        for word in own:
            if 1 < counts[word] <= _COMMON:
                holders[word].append(statement)
    seen: set[tuple[str, str]] = set()
    for statement, own in words.items():
        if len(own) < FEWEST_WORDS:
            continue
        rare = sorted((w for w in own if w in holders), key=lambda w: (counts[w], w))[:_RARE]
        shared = Counter(other for word in rare for other in holders[word] if other != statement)
        for other, count in shared.items():
            pair = (statement, other) if statement < other else (other, statement)
            if count >= min(2, len(rare)) and len(words[other]) >= FEWEST_WORDS and pair not in seen:
                seen.add(pair)
                yield pair


def similar(statement: str, others: Sequence[str], cutoff: float = 60.0, most: int = 5) -> tuple[Pair, ...]:
    """The ``others`` most like ``statement``; ``right`` is a position in ``others``, ``left`` is -1."""
    found = process.extract(
        fold(statement),
        [fold(s) for s in others],
        scorer=fuzz.token_set_ratio,
        score_cutoff=cutoff,
        limit=most,
    )
    return tuple(Pair(-1, at, float(score)) for _, score, at in found)
