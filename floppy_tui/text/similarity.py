"""Which statements say nearly the same: token-set similarity, as a percentage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz import fuzz, process

from floppy_tui.text.identity import fold

NEAR = 85.0
"""From this token-set similarity (percent) on, two statements are shown as near-duplicates."""


class Pair(NamedTuple):
    """Two statements by their positions (``left < right``) and how alike they are, in percent."""

    left: int
    right: int
    score: float


def near_pairs(statements: Sequence[str], cutoff: float = NEAR) -> tuple[Pair, ...]:
    """Every pair of ``statements`` at least ``cutoff`` percent alike, most alike first."""
    folded = [fold(s) for s in statements]
    pairs: list[Pair] = []
    for left, text in enumerate(folded):
        rest = folded[left + 1 :]
        for _, score, at in process.extract(
            text, rest, scorer=fuzz.token_set_ratio, score_cutoff=cutoff, limit=None
        ):
            pairs.append(Pair(left, left + 1 + at, float(score)))
    pairs.sort(key=lambda p: (-p.score, p.left, p.right))
    return tuple(pairs)


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
