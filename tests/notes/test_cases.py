"""The right reading of the cases that are note trees: pointers, fields, links, findings."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from case_files import CASES
from note_trees import case_tree, led, pointers, tree_of

from floppy_tui.notes.index import Pointer
from floppy_tui.notes.lint import lint, summarize
from floppy_tui.notes.profiles import Profile
from floppy_tui.notes.tree import Tree
from floppy_tui.text.lines import Splice, decode, encode, splice

FLOPPY, AUTO = Profile.FLOPPY, Profile.AUTO

PROFILES = {"60": AUTO, "62": AUTO, "64": FLOPPY, "66": AUTO, "68": AUTO, "70": AUTO, "72": AUTO}
POINTERS = {
    "60": [
        (1, "Lamp wick rule", "lamp-wick-rule.md", "—", "sold by length; measure before asking"),
        (2, "Gate key", "gate-key.md", "—", "who holds it, and when"),
        (3, "Working manner", "working-manner.md", "—", "short answers, proof first"),
    ],
    "66": [
        (5, "East oven", "east-oven.md", "—", "hot on the left"),
        (6, "West oven", "west-oven.md", "—", "hot on the right"),
        (7, "Yeast", "yeast.md", "—", "feed it at noon"),
        (8, "Yeast", "yeast.md", "—", "ask the night baker"),
        (9, "Mill tax", "mill-tax.md", "—", "paid in flour"),
        (10, "Case", "CASE-note.md", "—", "capital letters"),
        (16, "Tins", "tins.md", "—", "nine large"),
        (18, "Blank", "blank.md", "—", "see inside"),
    ],
    "68": [],
    "70": [
        (1, "Up", "../other/up.md", "—", "parent dir"),
        (2, "Down", "topics/down.md", "—", "sub dir"),
        (3, "Dot", "./dot.md", "—", "dot slash"),
        (4, "Blank", "two words.md", "—", "encoded blank"),
        (5, "Angle", "two words.md", "—", "angle brackets"),
        (6, "Title", "titled.md", "—", "with a title"),
        (7, "Br[ack]et", "bracket.md", "—", "bracket in the title"),
        (8, "Paren", "paren(1).md", "—", "bracket in the target"),
        (9, "Umlaut", "größe.md", "—", "non-ASCII target"),
        (10, "Dir", "topics/", "—", "a directory"),
        (11, "Data", "table.csv", "—", "not Markdown"),
        (12, "Absolute", "/home/nobody/x.md", "—", "absolute"),
        (13, "Escaped", "esc_aped.md", "—", "back-slash"),
        (14, "Empty", "", "—", "nothing"),
    ],
    "72": [
        (1, "A", "a-note.md", "—", "a"),
        (2, "B", "b_note.md", "—", "b"),
        (3, "C", "Title Case.md", "—", "c"),
    ],
}


class Fields(NamedTuple):
    """One row of a case's table of notes."""

    name: str
    description: str
    type: str
    nested: bool
    others: tuple[str, ...] = ()


SESSION = "metadata.originSessionId"
NOTES = {
    "60": {
        "lamp-wick-rule.md": Fields(
            "lamp-wick-rule",
            "Wick is sold by length: measure first, then ask",
            "project",
            True,
            ("metadata.node_type", SESSION, "metadata.modified"),
        ),
        "gate-key.md": Fields(
            "gate-key",
            "The caretaker holds the key until noon",
            "reference",
            True,
            ("metadata.node_type",),
        ),
        "working-manner.md": Fields(
            "working-manner",
            "Short answers, proof first",
            "user",
            True,
            ("metadata.node_type", SESSION),
        ),
    },
    "62": {
        "barge-timetable-board.md": Fields(
            "Barge Timetable Board",
            "Columns, lamps and the crank of the board",
            "project",
            False,
            ("originSessionId",),
        ),
        "colon_trap.md": Fields(
            "colon-trap", "Rule: count first, then carry; note: never both", "feedback", False
        ),
        "hash-trap.md": Fields("hash-trap", "Use rack #3 # not rack 4", "reference", False),
        "both.md": Fields(
            "both", "folded over two lines", "feedback", True, ("created", "supersedes", "relates_to")
        ),
    },
}

FINDINGS = {
    "60": [
        ("evidence-missing", "MEMORY.md", 0),
        ("notes-undated", "MEMORY.md", 0),
        ("link-dangling", "gate-key.md", 9),
    ],
    "62": [
        ("evidence-missing", "MEMORY.md", 0),
        ("notes-undated", "MEMORY.md", 0),
        ("name-not-file-name", "barge-timetable-board.md", 2),
        ("flat-type", "barge-timetable-board.md", 4),
        ("types-disagree", "both.md", 6),
        ("name-not-file-name", "colon_trap.md", 2),
        ("yaml-unreadable", "colon_trap.md", 3),
        ("flat-type", "colon_trap.md", 4),
        ("yaml-differs", "hash-trap.md", 3),
        ("flat-type", "hash-trap.md", 4),
    ],
    "64": [
        ("notes-undated", "MEMORY.md", 0),
        ("note-aged", "mill/stone-gap.md", 7),
    ],
    "66": [
        ("evidence-missing", "MEMORY.md", 0),
        ("notes-undated", "MEMORY.md", 0),
        ("pointer-repeated", "MEMORY.md", 8),
        ("pointer-dangling", "MEMORY.md", 9),
        ("pointer-dangling", "MEMORY.md", 10),
        ("note-without-pointer", "_draft.md", 0),
        ("name-not-file-name", "_draft.md", 2),
        ("description-missing", "blank.md", 3),
        ("type-unknown", "blank.md", 5),
        ("note-without-pointer", "case-note.md", 0),
        ("name-not-file-name", "east-oven.md", 2),
        ("note-without-pointer", "orphan.md", 0),
        ("name-not-file-name", "west-oven.md", 2),
        ("slug-taken", "west-oven.md", 2),
    ],
    "68": [],
    "70": [
        ("evidence-missing", "MEMORY.md", 0),
        ("notes-undated", "MEMORY.md", 0),
        ("pointer-leaves-memory", "MEMORY.md", 1),
        ("pointer-not-literal", "MEMORY.md", 4),
        ("pointer-repeated", "MEMORY.md", 5),
        ("pointer-not-literal", "MEMORY.md", 5),
        ("pointer-not-literal", "MEMORY.md", 6),
        ("pointer-not-literal", "MEMORY.md", 8),
        ("pointer-not-a-note", "MEMORY.md", 10),
        ("pointer-not-a-note", "MEMORY.md", 11),
        ("pointer-not-a-note", "MEMORY.md", 12),
        ("pointer-not-literal", "MEMORY.md", 13),
        ("pointer-not-a-note", "MEMORY.md", 14),
    ],
    "72": [
        ("evidence-missing", "MEMORY.md", 0),
        ("notes-undated", "MEMORY.md", 0),
        ("link-dangling", "a-note.md", 9),
        ("link-dangling", "a-note.md", 9),
        ("link-dangling", "a-note.md", 9),
        ("link-dangling", "a-note.md", 17),
        ("link-dangling", "a-note.md", 20),
    ],
}


def tree_at(case: str) -> Tree:
    return case_tree(case, PROFILES[case])


@pytest.mark.parametrize("case", POINTERS)
def test_the_pointers_of_a_case(case: str) -> None:
    tree = tree_at(case)
    assert tree.router is not None

    def row(pointer: Pointer) -> tuple[int, str, str, str, str]:
        return pointer.line, pointer.title, pointer.target, pointer.separator, pointer.hook

    assert [row(p) for p in tree.router.links] == POINTERS[case]
    assert all(p.listed for p in tree.router.links)


@pytest.mark.parametrize("case", NOTES)
def test_the_notes_of_a_case(case: str) -> None:
    tree = tree_at(case)
    assert {n.path for n in tree.notes} == set(NOTES[case])
    for path, said in NOTES[case].items():
        note = tree.by_path[path]
        assert note.front is not None
        keys = set(note.front.fields)
        assert (note.name, note.description, note.type) == said[:3]
        assert ("metadata.type" in keys) is said.nested
        checked = {"name", "description", "type", "metadata", "metadata.type"}
        assert tuple(k for k in note.front.fields if k not in checked) == said.others


@pytest.mark.parametrize("case", FINDINGS)
def test_the_findings_of_a_case(case: str) -> None:
    findings = lint(tree_at(case))
    assert [(f.rule, f.path, f.line) for f in findings] == FINDINGS[case]


def test_the_links_of_case_60() -> None:
    links = led(tree_at("60"))
    assert links["lamp-wick-rule.md"] == [("gate-key", "gate-key.md")]
    assert links["gate-key.md"] == [("lamp-wick-rule", "lamp-wick-rule.md"), ("not-written-yet", "")]


def test_the_other_reading_of_the_traps_of_case_62() -> None:
    tree = tree_at("62")
    said = {f.path: f for f in lint(tree) if f.rule.startswith("yaml")}
    assert "mapping values are not allowed" in said["colon_trap.md"].message
    assert said["hash-trap.md"].about == "description"
    assert tree.by_path["hash-trap.md"].whole["description"] == "Use rack"
    both = tree.by_path["both.md"].whole
    assert both["supersedes"] == ["barge-timetable-board", "colon-trap"]
    assert both["relates_to"] == ["colon-trap", "hash-trap"]


def test_the_flat_types_of_case_62_are_errors_in_a_floppy_memory() -> None:
    findings = lint(case_tree("62", FLOPPY))
    errors = [(f.rule, f.path) for f in findings if f.severity == "error"]
    assert [path for rule, path in errors if rule == "flat-type"] == [
        "barge-timetable-board.md",
        "colon_trap.md",
        "hash-trap.md",
    ]
    assert [path for rule, path in errors if rule == "name-not-file-name"] == [
        "barge-timetable-board.md",
        "colon_trap.md",
    ]


def test_the_scopes_of_case_64() -> None:
    tree = tree_at("64")
    assert [i.path for i in tree.indexes] == [
        "MEMORY.md",
        "mill/INDEX.md",
        "yard/INDEX.md",
        "yard/carts/INDEX.md",
    ]
    assert [n.slug for n in tree.own] == ["manner", "stone-gap", "cart-bell", "rope-length"]
    assert {n.path for n in tree.notes if n not in tree.own} == {
        "private/bench-port.md",
        "common/shared/wet-rope.md",
    }
    quota = tree.quota
    assert quota is not None
    assert (quota.chars_max, quota.note_chars_max, quota.pointers_max, quota.pointer_line_max) == (
        20_000,
        4_000,
        40,
        170,
    )
    assert (quota.halves, quota.grandfathered, quota.bad) == ({"yard": 9_000}, frozenset(), ())
    findings = lint(tree)
    assert [f.severity for f in findings] == ["warning", "warning"]
    assert "3 notes" in findings[0].message
    assert "1 in private/, 1 in common/" in findings[0].message
    assert summarize(tree, findings) == (4, 7, 4, 1, 1, 0, 2)
    assert led(tree)["manner.md"] == [
        ("rope-length", "yard/rope-length.md"),
        ("the gap", "mill/stone-gap.md"),
    ]


def test_the_mess_of_case_66() -> None:
    tree = tree_at("66")
    assert led(tree)["east-oven.md"] == [("oven", "east-oven.md")]
    taken = next(f for f in lint(tree) if f.rule == "slug-taken")
    assert "east-oven.md" in taken.message
    dangling = [f for f in lint(tree) if f.rule == "pointer-dangling"]
    assert [f.about for f in dangling] == ["mill-tax.md", "CASE-note.md"]
    assert "case-note.md" not in dangling[0].message
    assert "case-note.md" in dangling[1].message


@pytest.mark.parametrize("place", ["memory", ".claude/agent-memory/reviewer"])
def test_the_free_forms_of_case_68(place: str) -> None:
    root = next(CASES.glob("68-*")) / place
    tree = tree_of({"MEMORY.md": decode((root / "MEMORY.md").read_bytes())}, AUTO)
    assert tree.free_form
    assert lint(tree) == ()


def test_where_the_pointers_of_case_70_lead() -> None:
    tree = tree_at("70")
    assert [path for _, path, _ in pointers(tree)["MEMORY.md"]] == [
        "",
        "topics/down.md",
        "dot.md",
        "two words.md",
        "two words.md",
        "titled.md",
        "bracket.md",
        "paren(1).md",
        "größe.md",
        "",
        "",
        "",
        "esc_aped.md",
        "",
    ]
    assert not [f for f in lint(tree) if f.rule == "note-without-pointer"]


def test_the_links_of_case_72() -> None:
    tree = tree_at("72")
    a, b, c = "a-note.md", "b_note.md", "Title Case.md"
    assert led(tree)[a] == [
        ("b_note", b),
        ("b-note", ""),
        ("Title Case", c),
        ("b_note", b),
        ("self", a),
        ("a-note", a),
        ("topics/x", ""),
        ("nowhere", ""),
        ("odd", ""),
        ("b_note", b),
        ("embed-me", ""),
        ("b_note", b),
    ]
    dangling = {f.about: f.message for f in lint(tree) if f.rule == "link-dangling"}
    assert set(dangling) == {"b-note", "topics/x", "nowhere", "odd", "embed-me"}
    assert [slug for slug, said in dangling.items() if "b_note" in said] == ["b-note"]


@pytest.mark.parametrize("case", PROFILES)
def test_every_file_of_a_case_comes_back(case: str) -> None:
    """To the byte, and whatever of it was read lies where it says."""
    for path in sorted(next(CASES.glob(f"{case}-*")).rglob("*.md")):
        assert encode(decode(path.read_bytes())) == path.read_bytes()
    tree = tree_at(case)
    for note in tree.notes:
        assert note.front is not None
        assert note.text[: note.body_start] + note.body == note.text
        for field in note.front.fields.values():
            there = Splice(field.start, field.end, "x")
            back = Splice(field.start, field.start + 1, note.text[field.start : field.end])
            assert splice(splice(note.text, [there]), [back]) == note.text
            assert note.text[field.line_start :].lstrip(" ").startswith(field.key.rpartition(".")[2] + ":")
        for link in note.links:
            assert note.text[link.start : link.end].startswith("[[")
            assert note.text[link.slug_start : link.slug_end] == link.slug
