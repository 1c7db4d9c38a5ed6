"""The Offload view's filter: ``state:proposed file:captain candidates changed tokens>50 words``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from floppy_tui.offload.proposal import State
from floppy_tui.tui.filters.words import COMPARE, Vocabulary, Word, number, tests_of
from floppy_tui.tui.offload_rows import CANDIDATE, TROUBLE, OffloadRow

WORDS: dict[str, Callable[[OffloadRow], bool]] = {
    "proposals": lambda row: row.proposal is not None,
    "candidates": lambda row: row.candidate is not None,
    "passing": lambda row: row.passing,
    "changed": lambda row: row.changed,
    "shared": lambda row: row.file == "shared",
}
KINDS = (*(str(state) for state in State), CANDIDATE)
KEYS = ("state", "file", "to", "tokens")
Test = Callable[[OffloadRow], bool]


@dataclass(frozen=True)
class OffloadFilter:
    """What a filter line lets through."""

    tests: tuple[Test, ...]
    problem: str = ""
    """What in the line means nothing, as a sentence; that word is left out."""

    def lets(self, row: OffloadRow) -> bool:
        """Whether ``row`` passes every word; what could not be read always does."""
        return row.kind == TROUBLE or all(test(row) for test in self.tests)


def parse(line: str) -> OffloadFilter:
    """The filter that ``line`` spells. Several values of one key by commas: any of them."""
    return OffloadFilter(*tests_of(line, KEYS, _test))


def vocabulary(files: tuple[str, ...], destinations: tuple[str, ...]) -> Vocabulary:
    """What can be completed; ``files`` and ``destinations`` are those of the rows."""
    words = ("state:", "file:", "to:", "tokens>", *WORDS)
    return Vocabulary(words, {"state": KINDS, "file": files, "to": destinations})


def _test(word: Word) -> Test:
    """The test of one word; raises ``ValueError`` with the sentence that says why it is none."""
    said = word.value.casefold()
    if not word.key:
        return WORDS[said] if said in WORDS and not word.quoted else lambda row: said in row.haystack
    if word.key == "tokens":
        limit, compare = number(word), COMPARE[word.op]
        if limit is None:
            raise ValueError(f"{word.spelled} needs a number, such as tokens>50.")
        return lambda row: compare(row.tokens, limit)
    if word.op != ":":
        raise ValueError(f"{word.spelled} needs a colon, as in {word.key}:…")
    values = [value for value in said.split(",") if value]
    if word.key == "state":
        for value in values:
            if not any(kind.startswith(value) for kind in KINDS):
                raise ValueError(f"No state is called {value}: {', '.join(KINDS)}.")
        return lambda row: not values or any(row.kind.startswith(value) for value in values)
    if word.key == "file":
        return lambda row: not values or any(value in row.file.casefold() for value in values)
    return lambda row: not values or any(value in row.destination.casefold() for value in values)
