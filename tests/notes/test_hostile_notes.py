"""Texts that nobody meant as notes: they are read, in a time that grows with their size, not its square."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from note_trees import TODAY

from floppy_tui.notes.front import read_front
from floppy_tui.notes.index import Index
from floppy_tui.notes.links import code_spans, links_in, targets_in
from floppy_tui.notes.lint import lint
from floppy_tui.notes.loader import find_cut
from floppy_tui.notes.profiles import Config, Profile
from floppy_tui.notes.tree import build_tree

PIECES = {
    "brackets": "[[",
    "closed brackets": "]]",
    "both": "[[a]] ",
    "unclosed slugs": "[[a b",
    "nested": "[a](",
    "titles": '[a](b "',
    "single-quoted titles": "[a](b 'c",
    "angles": "[a](<b",
    "angles in lines": "[a](<b\n",
    "closers": "](",
    "literal": "](a.md",
    "definitions": "[a]: ",
    "backticks": "`",
    "runs of backticks": "` `` ``` ",
    "lines of backticks": "```\n",
    "fences with words": "``` a\n",
    "fences in fences": "~~~\n```\n",
    "tildes": "~~~ a\n```\n~~~~ b\n```\n",
    "escaped backticks": "\\`",
    "backslashes": "\\",
    "marks": "- ",
    "marks and blanks": "-  \t",
    "quotes": "> ",
    "numbers": "1. ",
    "rules": "* * -\n",
    "indented": "    [[a]]\n",
    "more and more indented": "    \t[[a]]\n     [[b]]\n",
    "indented and blank": "    [[a]]\n\n",
    "comments": "<!--\n",
    "closed comments": "<!-- a -->\n",
    "ends of comments": "-->",
    "pointers": "- [a](b.md) — c\n",
    "pointers in a line": "- [a](b.md) — c",
    "blanks": " ",
    "blank lines": " \n",
    "NUL": "\x00",
    "CR": "\r",
    "stray bytes": "\udcff[[\udcff]]",
    "keys": "a: b\n",
    "nested keys": "  a: b\n",
    "a long value": "word ",
    "empty keys": "a:\n",
    "private": "[a](private/b) `",
    "dashes": "-",
    "percents": "[a](%25%",
    "slashes": "[a](../",
    "letters and blanks": "[[a ",
    "hashes": "[[a#",
    "bars": "[[a|",
}

READERS: dict[str, Callable[[str], object]] = {
    "front matter": lambda text: read_front("---\n" + text),
    "closed front matter": lambda text: read_front(f"---\n{text}\n---\n"),
    "a value": lambda text: read_front(f"---\nname: {text}\nmetadata:\n  type: {text}\n---\n"),
    "links": links_in,
    "targets": targets_in,
    "code": code_spans,
    "pointers": lambda text: Index("MEMORY.md", text).links,
    "a pointer": lambda text: Index("MEMORY.md", f"- [{text}](a.md)").links,
    "a cut": lambda text: find_cut(Index("MEMORY.md", text + "\n" * 300), Profile.AUTO, Config()),
}


def seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


@pytest.mark.parametrize("reader", READERS)
def test_time_grows_with_the_size(reader: str) -> None:
    """Eight times the text takes eight times as long; a square would take 64 times."""
    read = READERS[reader]
    slow = []
    for name, piece in PIECES.items():
        small, large = (piece * (size // len(piece)) for size in (3_000, 24_000))
        for _ in range(3):
            ratio = seconds(lambda text=large: read(text)) / max(
                seconds(lambda text=small: read(text)), 0.002
            )  # type: ignore[misc]
            if ratio < 24:
                break
        else:
            slow.append(f"{name}: {ratio:.0f} times")
    assert slow == []


@pytest.mark.parametrize("profile", list(Profile))
def test_a_tree_of_such_texts_is_linted(profile: Profile) -> None:
    files = {
        "MEMORY.md": "".join(PIECES.values()),
        "yard/INDEX.md": "\n".join(PIECES.values()),
        "quota.lock": "\x00=\n",
    }
    for n, piece in enumerate(PIECES.values()):
        files[f"note-{n}.md"] = piece * (2_000 // len(piece))
        files[f"yard/note-{n}.md"] = f"---\nname: {piece}\ndescription: {piece * 9}\n---\n{piece * 9}"
    tree = build_tree(files, profile, Config(), TODAY)
    findings = lint(tree)
    assert {f.path for f in findings if f.rule == "no-front-matter"} >= {f"note-{n}.md" for n in range(10)}
    assert len({f.key for f in findings}) == len(findings)
