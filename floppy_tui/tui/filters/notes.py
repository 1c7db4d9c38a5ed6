"""The filters of the Notes view: ``half:yard type:project aged orphan rule:link chars>2000 free words``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from floppy_tui.notes.findings import Finding, Severity
from floppy_tui.notes.note import Evidence, Kind, Scope
from floppy_tui.tui.filters.words import COMPARE, Vocabulary, Word, number, tests_of
from floppy_tui.tui.notes_rows import NEAR, OVER, NoteRow

Test = Callable[[NoteRow], bool]
NUMBERS: dict[str, Callable[[NoteRow], int | None]] = {
    "chars": lambda row: row.chars,
    "age": lambda row: row.days,
    "heat": lambda row: row.heat,
    "in": lambda row: row.links_in,
    "out": lambda row: row.links_out,
}
STATES: dict[str, Test] = {
    "aged": lambda row: row.aged,
    "undated": lambda row: row.days is None,
    "orphan": lambda row: row.orphan,
    "dangling": lambda row: row.dangling > 0,
    "over": lambda row: row.size == OVER,
    "near": lambda row: row.size in (NEAR, OVER),
    "finding": lambda row: bool(row.rules),
}
WORDS: dict[str, tuple[str, ...]] = {
    "type": tuple(str(kind) for kind in Kind),
    "evidence": tuple(str(evidence) for evidence in Evidence),
    "scope": tuple(str(scope) for scope in Scope),
    "finding": tuple(str(severity) for severity in Severity),
}
KEYS = ("half", "rule", *WORDS, *NUMBERS)
_NO_VALUE = "none"
"""Stands for a field that a note does not have."""


@dataclass(frozen=True)
class NotesFilter:
    """What a filter line lets through."""

    tests: tuple[Test, ...]
    problem: str = ""
    """What in the line means nothing, as a sentence; that word is left out."""

    def lets(self, row: NoteRow) -> bool:
        """Whether ``row`` passes every word."""
        return all(test(row) for test in self.tests)


def parse(line: str) -> NotesFilter:
    """The filter that ``line`` spells. Several values of one key by commas: any of them."""
    return NotesFilter(*tests_of(line, KEYS, _test))


def vocabulary(halves: tuple[str, ...], rules: tuple[str, ...]) -> Vocabulary:
    """What can be completed; ``halves`` and ``rules`` are those of the tree."""
    words = ("half:", "type:", "evidence:", *(w for w in STATES if w != "finding"), "finding:", "rule:")
    values = {key: (*said, _NO_VALUE) if key in ("type", "evidence") else said for key, said in WORDS.items()}
    more = ("scope:", "chars>", "age>", "heat>", "in<", "out>")
    return Vocabulary((*words, *more), {**values, "half": halves, "rule": rules})


def _test(word: Word) -> Test:
    """The test of one word; raises ``ValueError`` with the sentence that says why it is none."""
    said = word.value.casefold()
    if not word.key:
        return STATES[said] if said in STATES and not word.quoted else lambda row: said in row.haystack
    if word.key in NUMBERS:
        wanted, of, compare = number(word), NUMBERS[word.key], COMPARE[word.op]
        if wanted is None:
            raise ValueError(f"{word.spelled} needs a number, such as {word.key}>50.")
        limit = wanted
        return lambda row: (value := of(row)) is not None and compare(value, limit)
    values = colon_values(word)
    if word.key == "half":
        return lambda row: not values or any(row.half.casefold().startswith(v) for v in values)
    if word.key == "rule":
        return lambda row: not values or any(v in rule for v in values for rule in row.rules)
    known = WORDS[word.key]
    if word.key in ("scope", "finding"):
        check_known(word.key, values, known)
    if word.key == "finding":
        tests = [_FOUND[s] for s in known if not values or any(s.startswith(v) for v in values)]
        return lambda row: any(test(row) for test in tests)
    key = word.key
    return lambda row: not values or any(_says(getattr(row, key), v) for v in values)


_FOUND: dict[str, Test] = {
    Severity.ERROR: lambda row: row.errors > 0,
    Severity.WARNING: lambda row: row.warnings > 0,
    Severity.INFO: lambda row: row.infos > 0,
}


def _says(value: str, wanted: str) -> bool:
    return value.casefold().startswith(wanted) or (not value and wanted == _NO_VALUE)


def colon_values(word: Word) -> list[str]:
    """The values behind a ``key:``; raises ``ValueError`` for another operator."""
    if word.op != ":":
        raise ValueError(f"{word.spelled} needs a colon, as in {word.key}:…")
    return [value for value in word.value.casefold().split(",") if value]


def check_known(key: str, values: list[str], known: tuple[str, ...]) -> None:
    """Raise ``ValueError`` where one of ``values`` begins no word of ``known``."""
    for value in values:
        if not any(word.startswith(value) for word in known):
            raise ValueError(f"No {key} is called {value}: {', '.join(known)}.")


# The findings' own.

FINDING_KEYS = ("severity", "rule", "in")


@dataclass(frozen=True)
class FindingsFilter:
    """What a filter line lets through of the findings."""

    tests: tuple[Callable[[Finding], bool], ...]
    problem: str = ""

    def lets(self, finding: Finding) -> bool:
        """Whether ``finding`` passes every word."""
        return all(test(finding) for test in self.tests)


def parse_findings(line: str) -> FindingsFilter:
    """The filter that ``line`` spells: ``severity:error rule:link in:yard repair free words``."""
    return FindingsFilter(*tests_of(line, FINDING_KEYS, _finding_test))


def findings_vocabulary(rules: tuple[str, ...], halves: tuple[str, ...]) -> Vocabulary:
    """What can be completed."""
    values = {"severity": WORDS["finding"], "rule": rules, "in": halves}
    return Vocabulary(("severity:", "rule:", "in:", *WORDS["finding"], "repair"), values)


def _finding_test(word: Word) -> Callable[[Finding], bool]:
    said = word.value.casefold()
    if not word.key:
        if said in WORDS["finding"] and not word.quoted:
            return lambda finding: finding.severity == said
        if said == "repair" and not word.quoted:
            return lambda finding: bool(finding.repair)
        return lambda finding: said in f"{finding.rule} {finding.path} {finding.message}".casefold()
    values = colon_values(word)
    if word.key == "severity":
        check_known("severity", values, WORDS["finding"])
        return lambda finding: not values or any(finding.severity.startswith(v) for v in values)
    if word.key == "rule":
        return lambda finding: not values or any(v in finding.rule for v in values)
    return lambda finding: not values or any(finding.path.casefold().startswith(v) for v in values)
