"""What the Notes view makes of a tree, without a screen: rows, filters, index, gauges, pages, changes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import date

import pytest
from notes_pilot import TREE, note

from floppy_tui.notes.lint import lint
from floppy_tui.notes.profiles import Config, Profile
from floppy_tui.notes.tree import Tree, build_tree
from floppy_tui.text.lines import decode
from floppy_tui.tui.filters.notes import parse, parse_findings, vocabulary
from floppy_tui.tui.filters.words import completions
from floppy_tui.tui.notes_changed import same_tree, tree_changes
from floppy_tui.tui.notes_nodes import matching, nodes, shown_nodes
from floppy_tui.tui.notes_rows import SORTS, note_rows
from floppy_tui.tui.notes_seen import Place, Seen
from floppy_tui.tui.screens.notes_page import MARK, note_page
from floppy_tui.tui.widgets.notes_gauges import NotesGauges, items

TODAY = date(2026, 10, 1)
HEAT = "2026-09-01 rope\n2026-09-07 rope\n"


def tree_of(
    files: Mapping[str, bytes] = TREE, profile: Profile = Profile.FLOPPY, before: Tree | None = None
) -> Tree:
    texts = {path: decode(data) for path, data in files.items()}
    return build_tree(
        texts, profile, Config(), TODAY, heat="2026-09-01 rope\n2026-09-07 rope\n", before=before
    )


def seen_of(files: Mapping[str, bytes] = TREE, profile: Profile = Profile.FLOPPY) -> Seen:
    tree = tree_of(files, profile)
    return Seen(tree, lint(tree), True)


SEEN = seen_of()
ROWS = note_rows(SEEN)


@pytest.mark.parametrize(
    ("line", "slugs"),
    [
        ("", "manner orphan stone port bell rope"),
        ("half:yard", "bell rope"),
        ("half:ROOT,mill", "manner orphan stone"),
        ("-half:yard scope:own", "manner orphan stone"),
        ("scope:priv", "port"),
        ("type:ref", "stone"),
        ("evidence:read,none", "orphan bell"),
        ("aged", "bell"),
        ("undated -orphan", "manner stone port"),
        ("dangling", "manner"),
        ("age>100", "bell"),
        ("age<100", "rope"),
        ("chars>1", "manner orphan stone port bell rope"),
        ("in>=2 out:0", "rope"),
        ("heat:2", "rope"),
        ("rule:without-pointer", "orphan"),
        ("finding:warn", "bell"),
        ("finding", "manner orphan bell"),
        ("forty CELLS", "rope"),
        ('"aged"', ""),
        ("nothing like it", ""),
    ],
)
def test_the_filter_lets_through_what_it_says(line: str, slugs: str) -> None:
    wanted = parse(line)
    assert not wanted.problem
    assert [row.slug for row in ROWS if wanted.lets(row)] == slugs.split()


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("chars>many", "chars>many needs a number, such as chars>50."),
        ("half>3", "half>3 needs a colon, as in half:…"),
        ("scope:mine", "No scope is called mine: own, private, common."),
        ("finding:bad", "No finding is called bad: error, warning, info."),
    ],
)
def test_what_a_filter_cannot_mean_is_said(line: str, problem: str) -> None:
    assert parse(f"{line} half:yard").problem == problem
    assert len([row for row in ROWS if parse(f"{line} half:yard").lets(row)]) == 2


def test_the_filter_line_completes_what_the_tree_holds() -> None:
    words = vocabulary(("yard", "mill"), ("link-dangling",))
    assert completions("half:y", words) == ("half:yard",)
    assert completions("aged rule:", words) == ("aged rule:link-dangling",)
    assert completions("or", words) == ("orphan",)


@pytest.mark.parametrize(
    ("line", "count"),
    [("error", 3), ("severity:error,warning", 5), ("rule:dangling", 2), ("in:yard -error", 1), ("repair", 2)],
)
def test_findings_are_filtered(line: str, count: int) -> None:
    wanted = parse_findings(line)
    found = [f"{f.severity} {f.rule} {f.path}" for f in SEEN.findings if wanted.lets(f)]
    assert len(found) == count, found
    assert parse_findings("severity:bad").problem


def test_each_column_puts_what_needs_a_look_first() -> None:
    first = {sort: min(ROWS, key=key).slug for sort, key in SORTS.items()}
    assert first == {
        "half": "manner",
        "slug": "bell",
        "type": "manner",
        "evidence": "orphan",
        "age": "bell",
        "chars": "rope",
        "links": "rope",
        "heat": "rope",
        "findings": "manner",
    }


def test_the_index_is_walked_once_whatever_leads_where() -> None:
    files = dict(TREE)
    files["yard/INDEX.md"] += (
        b"- [Up](../MEMORY.md) \xe2\x80\x94 loops\n- [Stone](../mill/stone.md)\n- [Rope](rope.md)\n"
    )
    files["lone/INDEX.md"] = b"- [Note](note.md)\n"
    files["lone/note.md"] = note("note")
    files["a/b/c/INDEX.md"] = b"- [Deep](deep.md)\n"
    found = nodes(tree_of(files))
    shown = [f"{'  ' * node.depth}{node.kind} {node.path}{'' if node.counts else ' no'}" for node in found]
    assert shown == [
        "index MEMORY.md",
        "  index yard/INDEX.md",
        "    note yard/rope.md",
        "    index yard/carts/INDEX.md",
        "      note yard/carts/bell.md",
        "    missing yard/lost.md",
        "    index MEMORY.md",
        "    note mill/stone.md no",
        "    note yard/rope.md",
        "  index mill/INDEX.md",
        "    note mill/stone.md",
        "  note manner.md",
        "heading ",
        "index lone/INDEX.md",
        "  note lone/note.md",
        "heading ",
        "note mill/orphan.md",
        "heading ",
        "missing a/b/c/INDEX.md",
    ]
    keys = [node.key for node in found if node.key]
    assert len(keys) == len(set(keys))
    yard = found[1]
    assert yard.below == 7 and found[0].below == 11
    assert len(list(shown_nodes(found, frozenset({yard.key})))) == len(found) - 7
    bells = [node for node in found if node.path == "yard/carts/bell.md" or node.path == "mill/orphan.md"]
    assert [node.path or node.title for node in matching(found, bells)] == [
        "MEMORY.md",
        "yard/INDEX.md",
        "yard/carts/INDEX.md",
        "yard/carts/bell.md",
        "no pointer: no session reaches these notes (1)",
        "mill/orphan.md",
    ]


def test_the_index_of_a_place_is_where_its_pointer_stands_or_would() -> None:
    def index(place: Place) -> str:
        found = place.index_of(SEEN)
        return found.path if found else ""

    assert index(Place("yard/carts/bell.md")) == "yard/carts/INDEX.md"
    assert index(Place("mill/orphan.md")) == "mill/INDEX.md"
    assert index(Place("yard/lost.md", within="yard/INDEX.md")) == "yard/INDEX.md"
    assert index(Place("mill/INDEX.md", within="MEMORY.md")) == "mill/INDEX.md"
    assert index(Place()) == ""


def gauges(seen: Seen, width: int, height: int) -> list[str]:
    widget = NotesGauges()
    widget.set_reactive(NotesGauges.seen, seen)
    lines = widget.lines(width, height)
    assert all(line.cell_length <= width for line in lines)
    return [line.plain for line in lines]


def test_the_gauges_fit_and_say_in_words_what_is_near_and_over() -> None:
    tree = SEEN.tree
    yard = tree.half_chars["yard"]
    quota = f"half_chars_max.yard={yard}\nhalf_chars_max.mill=10\nnote_chars_max=4000\npointers_max=2\n"
    many = dict(TREE) | {f"half{n}/n{n}.md": note(f"n{n}") for n in range(12)}
    many["quota.lock"] = quota.encode()
    seen = seen_of(many)
    said = {item.label: (item.state, item.share) for item in items(seen)}
    assert said["yard"] == ("near", 1.0) and said["mill"][0] == "over" and said["most pointers"][0] == "over"
    assert said["corpus"] == ("", -1.0) and said["MEMORY.md"][0] == ""
    labels = [item.label for item in items(seen)]
    assert labels[:4] == ["MEMORY.md", "corpus", "longest note", "most pointers"]
    assert labels[4:6] == ["mill", "yard"]
    low = gauges(seen, 78, 24)
    assert len(low) <= 3 and "over" in " ".join(low) and "halves" in low[-1]
    high = gauges(seen, 158, 50)
    assert len(high) <= 7 and all(f"half{n} " in " ".join(high) for n in range(12))
    assert gauges(seen, 30, 24)[0].startswith("█") and gauges(seen, 18, 24)[0] == "MEMORY.md 123/24,…"


def page(seen: Seen, path: str, raw: bool = False, line: int = 0) -> str:
    found = note_page(seen, seen.tree.by_path[path], raw, line, 90)
    assert all(content.cell_length <= 90 for content in found)
    return "\n".join(content.plain for content in found)


def test_a_note_is_shown_with_all_that_is_known_of_it() -> None:
    rope = page(SEEN, "yard/rope.md")
    assert "project · measured · as of 2026-09-20, 11 days ago · " in rope and " of 4,000 characters" in rope
    assert "yard/INDEX.md:3 how long it is" in rope and "← manner  line 9" in rope
    assert "heat opened 2 times, last on 2026-09-07" in rope and "Forty cells. Wet it" in rope
    bell = page(SEEN, "yard/carts/bell.md")
    assert "aged (over 180)" in bell and "! note-aged line 7: " in bell and "undated" not in bell
    assert "Of the private scope" in page(SEEN, "private/port.md")
    assert "none: no session reaches this note" in page(SEEN, "mill/orphan.md")
    raw = page(SEEN, "manner.md", raw=True)
    assert "  2 name: manner" in raw or " 2 name: manner" in raw
    assert f"\n{MARK}9 Answer first." in page(SEEN, "manner.md", line=9)


def test_front_matter_is_shown_as_it_stands_and_as_yaml_reads_it() -> None:
    odd = (
        b"---\nname: odd\ndescription: about: it # too\ntype: user\nkeys: [a, b]\nmore:\n  deep: 1\n"
        b"metadata:\n  evidence: read\n  as_of: 2026-10-20\n---\n"
    )
    readable = odd.replace(b"about: it # too", b"about it # too")
    files = {
        "MEMORY.md": b"",
        "odd.md": odd,
        "readable.md": readable,
        "bare.md": b"words\n",
        "date.md": note("date", as_of="soon"),
    }
    seen = seen_of(files)
    shown = page(seen, "odd.md")
    assert "about: it # too" in shown and "YAML cannot read the front matter: " in shown
    assert "type: user" in shown and "19 days ahead" in shown and "This note has no text." in shown
    shown = page(seen, "readable.md")
    assert "YAML reads these otherwise: description" in shown
    assert "keys (by YAML): a, b" in shown and "more.deep (by YAML): 1" in shown
    assert "No front matter" in page(seen, "bare.md") and "no type · no evidence" in page(seen, "bare.md")
    assert "as of “soon”, no date" in page(seen, "date.md")


def test_a_long_note_is_shown_from_the_line_that_was_jumped_to() -> None:
    long = note("long", "".join(f"line {n} is here\n" for n in range(3_000)))
    shown = page(seen_of({"MEMORY.md": b"", "long.md": long}), "long.md", line=2_000)
    assert f"{MARK}2000 line 1991 is here" in shown and "lines above" in shown and "more lines" in shown


def test_what_changed_is_said_in_one_line() -> None:
    old = tree_of()
    assert same_tree(old, tree_of(before=old)) and tree_changes(old, tree_of()) == ""
    files = {path: data for path, data in TREE.items() if path != "manner.md"}
    files["yard/rope.md"] += b"more\n"
    files |= {f"yard/n{n}.md": note(f"n{n}") for n in range(4)}
    new = tree_of(files)
    assert not same_tree(old, new)
    assert tree_changes(old, new) == "new: n0, n1 and 2 more; changed: rope; gone: manner"
    assert tree_changes(old, replace(old, today=date(2026, 10, 2))) == "it is 2026-10-02 now"
    assert tree_changes(old, replace(old, config=Config(language="de"))) == "the configuration changed"


def test_nothing_of_the_notes_is_loaded_before_it_is_needed() -> None:
    code = (
        "import sys, floppy_tui.tui.app, floppy_tui.store.opened, floppy_tui.store.live\n"
        "print(*[name for name in sys.modules if name.startswith('floppy_tui.notes')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split() == []
