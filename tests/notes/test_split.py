"""A split moves notes with their pointers below an index; what led somewhere leads there still."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from note_trees import Drawn, after, case_tree, fields, led, note, paths_led, pointers, tree_of, trees

from floppy_tui.notes.acts import proposed_split, split_index
from floppy_tui.notes.index import index_for
from floppy_tui.notes.lint import lint
from floppy_tui.notes.planned import Impossible
from floppy_tui.notes.profiles import Profile
from floppy_tui.notes.quota import half_of
from floppy_tui.notes.rebasing import rebase


@given(trees(), st.data())
def test_a_split_moves_notes_and_pointers_and_nothing_is_lost(drawn: Drawn, data: st.DataObject) -> None:
    tree = drawn.tree
    beside = [p for p in drawn.paths if p.count("/") < 2]
    if not beside:
        return
    index = index_for(data.draw(st.sampled_from(beside)))
    own = [p for p in beside if index_for(p) == index]
    chosen = data.draw(st.lists(st.sampled_from(own), min_size=1, unique=True))
    planned = split_index(tree, index, "group", chosen, title="The group", hook="what is in it")
    now = after(tree, planned)
    directory = index.rpartition("/")[0]
    below = f"{directory}/group/INDEX.md".lstrip("/")
    assert planned.whole == (index,)

    def moved(path: str) -> str:
        return f"{directory}/group/{path.rpartition('/')[2]}".lstrip("/") if path in chosen else path

    assert {n.path for n in now.own} == {moved(p) for p in drawn.paths}
    for path in drawn.paths:
        assert fields(now, moved(path)) == fields(tree, path)
        assert [(shown, moved(to)) for shown, to in led(tree)[path]] == led(now)[moved(path)]
        assert [moved(to) for to in paths_led(tree)[path]] == paths_led(now)[moved(path)]
        assert index == "MEMORY.md" or half_of(moved(path)) == half_of(path)
    held = [(title, moved(to), hook) for title, to, hook in pointers(tree)[index]]
    there = pointers(now)[index] + pointers(now)[below]
    new = ("The group", below, "what is in it")
    assert sorted(there) == sorted([*held, new])
    assert {to for _, to, _ in pointers(now)[below]} == {moved(path) for path in chosen}
    before = {finding.rule for finding in lint(tree)}
    assert {finding.rule for finding in lint(now)} <= before
    assert all(
        tree.texts[index].count(words) == (now.texts[index] + now.texts[below]).count(words)
        for words in ("Some prose.", "a child", "its own", "apart", "goes on", "## Part")
    )


def test_the_pointer_lines_move_as_they_stand() -> None:
    files = {
        "MEMORY.md": "- [Yard](yard/INDEX.md)\n- [Cart A](yard/cart-a.md) — always\n",
        "yard/INDEX.md": (
            "# Yard\r\n\r\n- [Rope](rope.md)\r\n- [Cart A](./cart-a.md) — one, see [rope](rope.md)\r\n"
            "  - child\r\n- [Cart B](cart-b.md) — two"
        ),
        "yard/rope.md": note("rope", "To [a](cart-a.md#top) and [[cart-a]].\n"),
        "yard/cart-a.md": note(
            "cart-a", "To [rope](rope.md), [b](cart-b.md), ![p](img/p.png)\n\n[r]: rope.md\n"
        ),
        "yard/cart-b.md": note("cart-b"),
    }
    tree = tree_of(files)
    planned = split_index(tree, "yard/INDEX.md", "carts", ["yard/cart-a.md", "yard/cart-b.md"], title="Carts")
    now = after(tree, planned)
    assert now.texts["yard/INDEX.md"] == "# Yard\r\n\r\n- [Rope](rope.md)\r\n- [Carts](carts/INDEX.md)"
    assert now.texts["yard/carts/INDEX.md"] == (
        "# Carts\r\n\r\n- [Cart A](./cart-a.md) — one, see [rope](../rope.md)\r\n"
        "  - child\r\n- [Cart B](cart-b.md) — two\r\n"
    )
    assert now.texts["MEMORY.md"].endswith("- [Cart A](yard/carts/cart-a.md) — always\n")
    assert now.by_path["yard/rope.md"].body == "\nTo [a](carts/cart-a.md#top) and [[cart-a]].\n"
    assert now.by_path["yard/carts/cart-a.md"].body == (
        "\nTo [rope](../rope.md), [b](cart-b.md), ![p](../img/p.png)\n\n[r]: ../rope.md\n"
    )


def test_a_second_split_adds_to_the_group() -> None:
    tree = case_tree("64", Profile.FLOPPY)
    planned = split_index(tree, "yard/INDEX.md", "carts", ["yard/rope-length.md"])
    now = after(tree, planned)
    assert now.texts["yard/INDEX.md"] == "# Yard\n\n- [Carts](carts/INDEX.md) — sub-index\n"
    assert now.texts["yard/carts/INDEX.md"] == (
        "# Carts\n- [Bell](cart-bell.md) — test it\n- [Ropes](rope-length.md) — how long\n"
    )


def test_a_split_of_the_router_makes_a_half() -> None:
    tree = case_tree("64", Profile.FLOPPY)
    planned = split_index(tree, "MEMORY.md", "desk", ["manner.md"], title="Desk", hook="how we work")
    now = after(tree, planned)
    assert "- [Desk](desk/INDEX.md) — how we work\n- [Yard]" in now.texts["MEMORY.md"]
    assert planned.notes == ("The notes count toward the half desk from now on.",)


def test_what_cannot_be_split() -> None:
    tree = case_tree("64", Profile.FLOPPY)
    for index, group, paths, said in (
        ("yard/carts/INDEX.md", "x", ["yard/carts/cart-bell.md"], "on the last level"),
        ("nix/INDEX.md", "x", [], "no index"),
        ("yard/INDEX.md", "a/b", ["yard/rope-length.md"], "no name of a directory"),
        ("yard/INDEX.md", "..", ["yard/rope-length.md"], "no name of a directory"),
        ("yard/INDEX.md", "CARTS", ["yard/rope-length.md"], "a directory yard/carts already"),
        ("MEMORY.md", "private", ["manner.md"], "a foreign scope"),
        ("yard/INDEX.md", "x", [], "No notes are chosen"),
        ("yard/INDEX.md", "x", ["manner.md"], "does not lie beside"),
    ):
        with pytest.raises(Impossible, match=said):
            split_index(tree, index, group, paths)


def test_a_note_that_only_a_moved_line_leads_to_stops_the_split() -> None:
    files = {
        "MEMORY.md": "- [Yard](yard/INDEX.md)\n",
        "yard/INDEX.md": "- [A](a.md) — see [B](b.md)\n",
        "yard/a.md": note("a"),
        "yard/b.md": note("b"),
    }
    with pytest.raises(Impossible, match=r"yard/b\.md would be left without a pointer"):
        split_index(tree_of(files), "yard/INDEX.md", "x", ["yard/a.md"])


def test_groups_are_proposed_by_the_words_that_slugs_share() -> None:
    slugs = ["cart-bell", "cart-axle", "cart-load", "rope-old", "rope-new", "gate-rope", "lamp"]
    files = {"MEMORY.md": "".join(f"- [{s}]({s}.md)\n" for s in slugs)} | {f"{s}.md": note(s) for s in slugs}
    assert proposed_split(tree_of(files), "MEMORY.md") == (
        ("cart", ("cart-axle.md", "cart-bell.md", "cart-load.md")),
        ("rope", ("gate-rope.md", "rope-new.md", "rope-old.md")),
    )
    assert proposed_split(tree_of(files), "nix/INDEX.md") == ()


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("[a](b.md)", "[a](../b.md)"),
        ("[a](<b c.md>)", "[a](<../b c.md>)"),
        ("[a](b.md#x?y)", "[a](../b.md#x?y)"),
        ('[a](b.md "tip")', '[a](../b.md "tip")'),
        ("[a](sub/b(1).md)", "[a](../sub/b(1).md)"),
        ("[a](dir/)", "[a](../dir/)"),
        ("[a](../b.md)", "[a](../../b.md)"),
        ("[a](down/b.md)", "[a](b.md)"),
        ("[a](b%20c.md)", "[a](../b%20c.md)"),
        ('<img src="p.png">', '<img src="../p.png">'),
        ("[a]: b.md", "[a]: ../b.md"),
        ("[a](moved.md)", "[a](moved.md)"),
        ("[a](/b.md) [c](#here) [d](https://x.example/y.md) [e]() `[f](b.md)`", None),
        ("```\n[a](b.md)\n```", None),
    ],
)
def test_relative_links_lead_where_they_led(before: str, expected: str | None) -> None:
    moves = {"yard/moved.md": "yard/down/moved.md"}
    assert rebase(before, "yard/x.md", "yard/down/x.md", moves) == (before if expected is None else expected)
