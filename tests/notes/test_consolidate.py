"""What might be consolidated, each with its reason as a number or a date, best first."""

from __future__ import annotations

import re

from hypothesis import given
from note_trees import Drawn, case_tree, note, tree_of, trees

from floppy_tui.notes.consolidate import Proposal, Shape, proposals
from floppy_tui.notes.profiles import Profile
from floppy_tui.notes.quota import FILE
from floppy_tui.notes.tree import Tree

LONG = "The wick counter cuts to the centimetre, and the lamp of the mill burns two hours on each of them. "


def memory(heat: str = "", quota: str = "", **notes: str) -> Tree:
    files = {f"{name.replace('_', '-')}.md": text for name, text in notes.items()}
    files["MEMORY.md"] = "".join(f"- [X]({path})\n" for path in files)
    return tree_of(files | ({FILE: quota} if quota else {}), heat=heat)


def said(tree: Tree, shape: Shape) -> list[Proposal]:
    return [p for p in proposals(tree, "root") if p.shape is shape]


@given(trees())
def test_every_proposal_has_a_number_and_its_notes_are_of_the_half(drawn: Drawn) -> None:
    for half in ("root", "yard"):
        found = proposals(drawn.tree, half)
        assert [p.score for p in found] == sorted((p.score for p in found), reverse=True)
        assert found == proposals(drawn.tree, half)
        for proposal in found:
            assert re.search(r"\d", proposal.reason)
            assert all(("yard/" in path) == (half == "yard") for path in proposal.paths)
            assert len(proposal.paths) == (2 if proposal.shape is Shape.MERGE else 1)
            assert 0 < proposal.score <= 100


def test_notes_that_say_nearly_the_same_may_be_one_and_the_linked_one_survives() -> None:
    tree = memory(
        a=note("a", LONG * 2), b=note("b", LONG * 2 + "Also at night."), c=note("c", "See [[b]].\n")
    )
    assert [(p.paths, p.reason) for p in said(tree, Shape.MERGE)] == [
        (("b.md", "a.md"), "98 % alike; 1 link leads to b")
    ]


def test_small_notes_that_link_to_each_other_may_be_one() -> None:
    tree = memory(a=note("a", "Ropes: [[b]].\n"), b=note("b", "Gates, see [[a]].\n"))
    merge = said(tree, Shape.MERGE)
    assert [p.paths for p in merge] == [("b.md", "a.md")]
    assert merge[0].reason == f"they link to each other and have {tree.chars} characters together"


def test_aged_and_long_notes_may_be_rewritten() -> None:
    notes = {f"n{n}": note(f"n{n}", f"{n} ropes\n") for n in range(5)}
    tree = memory(**notes, old=note("old", as_of="2025-01-10"), long=note("long", "w " * 2000))
    assert [(p.paths, p.reason) for p in said(tree, Shape.REWRITE)] == [
        (("old.md",), "as_of is 2025-01-10, 629 days ago"),
        (
            ("long.md",),
            f"{tree.by_path['long.md'].chars:,} characters, where half of the notes have 95 at most",
        ),
    ]
    tight = memory(quota="note_chars_max=120\n", a=note("a", "x" * 30), b=note("b"))
    assert [p.reason for p in said(tight, Shape.REWRITE)] == [
        f"{tight.by_path['a.md'].chars} characters of note_chars_max 120"
    ]


def test_what_is_superseded_goes_first() -> None:
    tree = memory(
        a=note("a", "One.\n\nSuperseded by [[b]] since May.\n"),
        b=note("b", "This replaces the old [[c]].\n"),
        c=note("c"),
        d=note("d", "It was replaced by a lamp. See [[b]].\n"),
    )
    assert [(p.paths, p.reason) for p in said(tree, Shape.DELETE)] == [
        (("a.md",), "its line 11 says superseded by [[b]]"),
        (("c.md",), "line 9 of b.md says that it replaces this one"),
    ]


def test_aged_notes_that_nothing_links_to_may_go() -> None:
    tree = memory(a=note("a", as_of="2025-01-10"), b=note("b", "[[c]]\n"), c=note("c", as_of="2025-01-10"))
    assert [(p.paths, p.reason) for p in said(tree, Shape.DELETE)] == [
        (("a.md",), "no note links to it, and as_of is 2025-01-10, 629 days ago")
    ]


def test_the_heat_log_hints_where_it_is_long_enough() -> None:
    notes = {
        "cold": note("cold", as_of="2026-05-01"),
        "warm": note("warm", as_of="2026-05-01"),
        "fresh": note("fresh", as_of="2026-09-20"),
        "undated": note("undated"),
    }
    heat = "2026-04-01 cold\n2026-06-01 warm\n2026-09-30 other\n"
    assert [(p.paths[0], p.reason) for p in said(memory(heat, **notes), Shape.DELETE)] == [
        (path, "the heat log of 182 days, up to 2026-09-30, has no line for it (a hint, never proof)")
        for path in ("cold.md", "undated.md")
    ]
    assert said(memory("2026-09-01 warm\n2026-09-30 other\n", **notes), Shape.DELETE) == []


def test_the_case_with_halves() -> None:
    assert [(p.shape, p.paths) for p in proposals(case_tree("64", Profile.FLOPPY), "mill")] == [
        (Shape.REWRITE, ("mill/stone-gap.md",))
    ]
