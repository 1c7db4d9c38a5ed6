"""A pointer line goes where it belongs and leaves without text that somebody wrote."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from note_trees import Drawn, after, index_texts, note, tree_of, trees

from floppy_tui.notes.acts import delete, new_note
from floppy_tui.notes.index import Index
from floppy_tui.notes.note import Kind
from floppy_tui.notes.planned import Impossible, Planned
from floppy_tui.notes.pointing import add_pointer, drop_pointers, pointer_line
from floppy_tui.notes.profiles import Config, Profile
from floppy_tui.notes.tree import Tree

TARGETS = st.lists(st.sampled_from(["a.md", "b.md", "carts/INDEX.md", "c.md"]), max_size=4, unique=True)


def said(index: Index) -> list[tuple[str, str, str]]:
    return [(p.title, p.path, p.hook) for p in index.links]


@given(TARGETS.flatmap(lambda targets: index_texts("Yard", targets)))
def test_a_pointer_is_one_new_line(text: str) -> None:
    line = pointer_line("New", "new.md", "what it says")
    got = add_pointer(text, line)
    at = got.index(line)
    eol = "\r\n" if "\r\n" in text else "\n"
    rest = got[:at] + got[at + len(line) :]
    assert rest.replace(eol, "").replace("\n", "") == text.replace(eol, "").replace("\n", "")
    assert 0 < len(rest) - len(text) <= 2 * len(eol) or not text
    before, now = Index("MEMORY.md", text), Index("MEMORY.md", got)
    there = [p for p in now.links if p.path == "new.md"]
    assert len(there) == 1 and there[0].listed and there[0].literal
    assert (there[0].title, there[0].hook) == ("New", "what it says")
    assert [p for p in said(now) if p[1] != "new.md"] == said(before)
    assert drop_pointers(now, {"new.md"}).text.rstrip("\r\n") == text.rstrip("\r\n")


@given(TARGETS.flatmap(lambda targets: index_texts("Yard", targets)), st.sampled_from(["a.md", "b.md"]))
def test_a_dropped_pointer_takes_no_other_words_along(text: str, path: str) -> None:
    index = Index("MEMORY.md", text)
    dropped = drop_pointers(index, {path})
    now = Index("MEMORY.md", dropped.text)
    assert path not in now.reached
    assert said(now) == [p for p in said(index) if p[1] != path]
    for words in ("Some prose.", "a child", "its own", "apart", "## Part", "- [No](no.md)"):
        assert dropped.text.count(words) == text.count(words)
    assert text.count("goes on") - dropped.text.count("goes on") == len(dropped.gone)
    if text.endswith("\n"):
        assert dropped.text.endswith("\n") or not dropped.text


def test_a_pointer_follows_those_of_its_kind() -> None:
    text = (
        "# Yard\n\n- [A](a.md) — x\n  - child\n  goes on\n\n## Groups\n\n- [Carts](carts/INDEX.md)\n\nEnd.\n"
    )
    got = add_pointer(text, "- [New](new.md)", directory="yard")
    assert got == text.replace("  goes on\n", "  goes on\n- [New](new.md)\n")
    got = add_pointer(text, "- [Mill](mill/INDEX.md)", directory="yard")
    assert got == text.replace("INDEX.md)\n", "INDEX.md)\n- [Mill](mill/INDEX.md)\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "- [N](n.md)\n"),
        ("# Index\n", "# Index\n\n- [N](n.md)\n"),
        ("# Index", "# Index\n\n- [N](n.md)"),
        ("# Index\r\n\r\n- [A](a.md)", "# Index\r\n\r\n- [A](a.md)\r\n- [N](n.md)"),
        ("---\nx: y\n---\n", "---\nx: y\n---\n- [N](n.md)\n"),
        ("Prose.\n\n```\n- [A](a.md)\n", "Prose.\n\n- [N](n.md)\n\n```\n- [A](a.md)\n"),
        ("Prose.\n\n<!--\n- [A](a.md)\n", "Prose.\n\n- [N](n.md)\n\n<!--\n- [A](a.md)\n"),
        ("- [A](a.md)\n<!--\n- [B](b.md)\n-->\n", "- [A](a.md)\n- [N](n.md)\n<!--\n- [B](b.md)\n-->\n"),
    ],
)
def test_where_a_pointer_goes_in_a_list_of_none(text: str, expected: str) -> None:
    assert add_pointer(text, "- [N](n.md)") == expected


def test_nested_bullets_stay_at_the_level_of_the_pointer() -> None:
    text = "- [A](a.md) — x\n  - one\n    - deeper\n  - two\n- [B](b.md)\n"
    dropped = drop_pointers(Index("MEMORY.md", text), {"a.md"})
    assert dropped.text == "- one\n  - deeper\n- two\n- [B](b.md)\n"
    assert dropped.kept == ("- one", "- deeper", "- two")


def test_a_pointer_nested_below_one_that_goes_goes_too() -> None:
    text = "- [A](a.md)\n  - [B](b.md)\n    - words\n- [C](c.md)\n"
    dropped = drop_pointers(Index("MEMORY.md", text), {"a.md", "b.md"})
    assert dropped.text == "- words\n- [C](c.md)\n"


def test_links_in_prose_and_shared_lines_become_their_words() -> None:
    text = '- [A](a.md "tip") — see [B](b.md)\n\nRead [the A](a.md) first.\n'
    dropped = drop_pointers(Index("MEMORY.md", text), {"a.md"})
    assert dropped.text == "- A — see [B](b.md)\n\nRead the A first.\n"


def test_a_hook_is_shortened_at_a_word_and_a_bare_link_may_be_too_long() -> None:
    assert pointer_line("T", "t.md", "one two three", 22) == "- [T](t.md) — one two…"
    assert pointer_line("T", "t.md", "one two three", 12) == "- [T](t.md)"
    with pytest.raises(Impossible, match="may have 10 characters"):
        pointer_line("T", "t.md", "one", 10)


@pytest.mark.parametrize("title", ["plain", "a [b] c", "a ] b [", "open [", "back\\", "two\nlines"])
def test_any_title_is_read_back(title: str) -> None:
    index = Index("MEMORY.md", pointer_line(title, "t.md", "hook") + "\n")
    assert [(p.path, p.hook, p.literal) for p in index.pointers] == [("t.md", "hook", True)]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("- [A](a.md)", ""),
        ("- [B](b.md)\n- [A](a.md)", "- [B](b.md)"),
        ("- [B](b.md)\r\n- [A](a.md)", "- [B](b.md)"),
        ("- [A](a.md)\r\n- [B](b.md)", "- [B](b.md)"),
        ("- [A](a.md)\n---\n- [B](b.md)\n", "---\n- [B](b.md)\n"),
        ("- [A](a.md)\nlazy words\n", "lazy words\n"),
    ],
)
def test_line_ends_around_a_dropped_pointer(text: str, left: str) -> None:
    assert drop_pointers(Index("MEMORY.md", text), {"a.md"}).text == left


# -- the loader's cut


def many(count: int, config: Config | None = None, profile: Profile = Profile.AUTO) -> Tree:
    names = [f"n{n:03}" for n in range(count)]
    router = "# Index\n\n" + "".join(f"- [{name}]({name}.md) — hook\n" for name in names)
    files = {f"{name}.md": note(name) for name in names} | {"MEMORY.md": router}
    return tree_of(files, profile, config=config or Config())


def added(tree: Tree) -> Planned:
    return new_note(
        tree, directory="", slug="fresh", description="d", kind=Kind.USER, evidence=None, as_of=None, body="B"
    )


def test_a_new_pointer_stands_above_the_cut_and_what_that_costs_is_said() -> None:
    tree = many(198)
    assert tree.cut is not None and not tree.cut.over
    planned = added(tree)
    now = after(tree, planned)
    assert now.cut is not None and "fresh.md" not in {p.path for p in now.cut.lost}
    assert [p.path for p in now.cut.lost] == ["n197.md"]
    assert any("n197 would not be loaded any more" in said for said in planned.notes)


def test_in_a_router_that_is_over_the_cut_it_goes_above_what_is_lost() -> None:
    tree = many(150, Config(index_chars_max=1000), Profile.FLOPPY)
    now = after(tree, added(tree))
    assert now.cut is not None and now.cut.lost
    assert "fresh.md" not in {p.path for p in now.cut.lost}


def test_with_room_it_goes_to_the_end_and_nothing_is_said() -> None:
    tree = many(20)
    planned = added(tree)
    assert after(tree, planned).texts["MEMORY.md"] == tree.texts["MEMORY.md"] + "- [Fresh](fresh.md)\n"
    assert planned.notes == ()


@given(trees(), st.data())
def test_a_deleted_note_is_pointed_to_by_nobody(drawn: Drawn, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(drawn.paths))
    now = after(drawn.tree, delete(drawn.tree, path, replaced_by="nothing"))
    for index in now.indexes:
        assert path not in index.reached
        assert [p for p in said(index) if p[1]] == [
            p for p in said(drawn.tree.index_by_path[index.path]) if p[1] not in ("", path)
        ]
