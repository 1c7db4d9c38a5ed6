"""The Memory view's filter: ``tier:aging file:learnings stale unmarked tokens>50 free words``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from floppy_tui.tiers.markers import Tier
from floppy_tui.tui.filters.words import COMPARE, Vocabulary, Word, number, split
from floppy_tui.tui.memory_rows import MemoryRow

NUMBERS: dict[str, Callable[[MemoryRow], int | None]] = {
    "tokens": lambda row: row.tokens,
    "age": lambda row: row.days,
    "left": lambda row: row.left,
}
STATES: dict[str, Callable[[MemoryRow], bool]] = {
    "stale": lambda row: row.stale,
    "unmarked": lambda row: row.tier is Tier.UNMARKED,
    "finding": lambda row: row.findings > 0,
    "readonly": lambda row: not row.editable,
}
KEYS = ("tier", "file", *NUMBERS)
Test = Callable[[MemoryRow], bool]


@dataclass(frozen=True)
class MemoryFilter:
    """What a filter line lets through."""

    tests: tuple[Test, ...]
    problem: str = ""
    """What in the line means nothing, as a sentence; that word is left out."""

    def lets(self, row: MemoryRow) -> bool:
        """Whether ``row`` passes every word."""
        return all(test(row) for test in self.tests)


def parse(line: str) -> MemoryFilter:
    """The filter that ``line`` spells. Several values of one key by commas: any of them."""
    tests: list[Test] = []
    problem = ""
    for word in split(line, KEYS):
        test = _test(word)
        if isinstance(test, str):
            problem = problem or test
        else:
            tests.append(_turned(test) if word.minus else test)
    return MemoryFilter(tuple(tests), problem)


def vocabulary(files: tuple[str, ...]) -> Vocabulary:
    """What can be completed; ``files`` are the names of the memory files."""
    words = ("tier:", "file:", "stale", "unmarked", "tokens>", "age>", "left<", "finding", "readonly")
    return Vocabulary(words, {"tier": tuple(str(t) for t in Tier), "file": files})


def _turned(test: Test) -> Test:
    return lambda row: not test(row)


def _test(word: Word) -> Test | str:
    """The test of one word, or the sentence that says why it is none."""
    if not word.key:
        if not word.quoted and word.value.casefold() in STATES:
            return STATES[word.value.casefold()]
        sought = word.value.casefold()
        return lambda row: sought in row.haystack
    if word.key in NUMBERS:
        wanted, of, compare = number(word), NUMBERS[word.key], COMPARE[word.op]
        if wanted is None:
            return f"{word.spelled} needs a number, such as {word.key}>50."
        limit = wanted
        return lambda row: (value := of(row)) is not None and compare(value, limit)
    if word.op != ":":
        return f"{word.spelled} needs a colon, as in {word.key}:…"
    values = [v for v in word.value.casefold().split(",") if v]
    if word.key == "file":
        return lambda row: any(v in row.file for v in values)
    tiers = {t for t in Tier for v in values if t.startswith(v)}
    unknown = [v for v in values if not any(t.startswith(v) for t in Tier)]
    if unknown:
        return f"No tier is called {unknown[0]}: {', '.join(Tier)}."
    return lambda row: row.tier in tiers if tiers else True
