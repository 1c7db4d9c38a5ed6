"""Each act changes what it says and nothing else: fields, pointers and links are read before and after."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from note_trees import (
    TODAY,
    VALUES,
    Drawn,
    after,
    case_tree,
    fields,
    led,
    note,
    paths_led,
    pointers,
    tree_of,
    trees,
)

from floppy_tui.notes.acts import covering, delete, join, new_note, over, recheck, rename, rewrite
from floppy_tui.notes.lint import lint
from floppy_tui.notes.note import Evidence, Kind
from floppy_tui.notes.planned import Impossible, Planned
from floppy_tui.notes.preview import FileStatus, difference
from floppy_tui.notes.profiles import Config, Profile
from floppy_tui.notes.quota import FILE
from floppy_tui.notes.rewriting import as_written
from floppy_tui.notes.tree import Tree
from floppy_tui.text.lines import is_blank, split_lines

PLACES = st.sampled_from(["", "yard", "yard/carts", "mill", "mill/stones"])


def made(tree: Tree, slug: str = "fresh", directory: str = "", **more: str) -> Planned:
    """A new note."""
    words = {"description": "what it says", "body": "Body.", "title": "Fresh", "hook": "how"} | more
    return new_note(
        tree,
        directory=directory,
        slug=slug,
        kind=Kind.PROJECT,
        evidence=None,
        as_of=date(2026, 9, 1),
        **words,
    )


def untouched(before: Tree, now: Tree, but: set[str]) -> None:
    """All files but those of the paths ``but`` are the same to the byte."""
    for path in before.texts.keys() - but:
        assert now.texts[path] == before.texts[path]


# -- new note


@given(trees(), PLACES, VALUES.filter(lambda v: v.strip() and "\t" not in v))
def test_a_new_note_has_its_pointer_and_no_finding(drawn: Drawn, directory: str, words: str) -> None:
    tree = drawn.tree
    now = after(tree, made(tree, directory=directory, description=words, hook=words))
    path = f"{directory}/fresh.md" if directory else "fresh.md"
    new = now.by_path[path]
    assert (new.name, new.description, new.type) == ("fresh", " ".join(words.split()), "project")
    assert new.evidence == ("read" if tree.profile is Profile.FLOPPY else "")
    assert new.day == date(2026, 9, 1)
    assert len(now.pointed_from(path)) == 1
    assert [f for f in lint(now) if f.path == path] == []
    for index, held in pointers(tree).items():
        assert [p for p in pointers(now)[index] if p[1] in tree.texts or not p[1]] == [
            p for p in held if p[1] in tree.texts or not p[1]
        ]
    assert {p: fields(now, p) for p in drawn.paths} == {p: fields(tree, p) for p in drawn.paths}
    untouched(tree, now, {path, *tree.index_by_path})


def test_a_note_in_a_new_half_brings_the_index_and_the_link_to_it() -> None:
    tree = case_tree("64", Profile.FLOPPY)
    planned = made(tree, directory="shed/tins")
    now = after(tree, planned)
    assert now.texts["shed/tins/INDEX.md"] == "# Tins\n\n- [Fresh](fresh.md) — how\n"
    assert now.texts["shed/INDEX.md"] == "# Shed\n\n- [Tins](tins/INDEX.md)\n"
    assert now.texts["MEMORY.md"] == tree.texts["MEMORY.md"] + "- [Shed](shed/INDEX.md)\n"
    assert any("shed/INDEX.md is new" in said for said in planned.notes)


def test_a_pointer_in_the_router_is_the_path_from_there() -> None:
    tree = case_tree("64", Profile.FLOPPY)
    planned = made(tree, directory="yard", pointer_in="MEMORY.md")
    assert "- [Fresh](yard/fresh.md) — how\n" in after(tree, planned).texts["MEMORY.md"]
    assert set(planned.edits) == {"MEMORY.md", "yard/fresh.md"}
    with pytest.raises(Impossible, match=r"counts in yard/INDEX\.md or in MEMORY\.md only"):
        made(tree, directory="yard", pointer_in="mill/INDEX.md")


def test_a_foreign_note_needs_no_pointer() -> None:
    tree = case_tree("64", Profile.FLOPPY)
    assert set(made(tree, directory="private").edits) == {"private/fresh.md"}


@pytest.mark.parametrize(
    ("slug", "said"),
    [
        ("", "needs a slug"),
        ("two words", "is no slug"),
        ("../up", "is no slug"),
        ("a/b", "is no slug"),
        (".hidden", "is no slug"),
        ("-dash", "is no slug"),
        ("x.md", "is no slug"),
        ("memory", "what an index or a README is called"),
        ("INDEX", "what an index or a README is called"),
        ("README", "what an index or a README is called"),
        ("manner", r"taken by manner\.md"),
        ("Rope-Length", r"taken by yard/rope-length\.md"),
        ("x" * 300, "longer than"),
    ],
)
def test_what_is_no_slug_is_refused(slug: str, said: str) -> None:
    tree = case_tree("64", Profile.FLOPPY)
    with pytest.raises(Impossible, match=said):
        made(tree, slug)
    with pytest.raises(Impossible, match=said if slug != "manner" else "called manner already"):
        rename(tree, "manner.md", slug)


@pytest.mark.parametrize(
    "directory", ["a/b/c", "..", "a//b", "/a", ".git", "a/", "a/../b", "Yard", "yard/CARTS/x"]
)
def test_where_no_note_can_lie_is_refused(directory: str) -> None:
    with pytest.raises(Impossible):
        made(case_tree("64", Profile.FLOPPY), directory=directory)


def test_a_note_without_words_or_from_the_future_is_refused() -> None:
    tree = case_tree("64", Profile.FLOPPY)
    for more in ({"description": " "}, {"body": "\n"}, {"description": "\x1b[0m"}):
        with pytest.raises(Impossible):
            made(tree, **more)
    with pytest.raises(Impossible, match="2026-10-03 is in the future"):
        recheck(tree, "manner.md", date(2026, 10, 3))
    recheck(tree, "manner.md", date(2026, 10, 2))


def test_a_note_that_takes_a_ceiling_says_so_and_what_it_needs() -> None:
    tree = case_tree("64", Profile.FLOPPY)
    planned = made(tree, directory="yard", body="x" * 9000)
    assert [said.split(" is ")[0] for said in planned.notes] == ["note_chars_max", "half_chars_max.yard"]
    assert set(over(after(tree, planned))) == {"note_chars_max", "half_chars_max.yard"}


def test_the_notes_that_may_cover_the_ground_are_found() -> None:
    found = covering(case_tree("64", Profile.FLOPPY), "how long the rope is")
    assert found[0][0].path == "yard/rope-length.md"
    assert covering(case_tree("64", Profile.FLOPPY), "  ") == ()


# -- rename


@given(trees(), st.data())
def test_a_renamed_note_takes_everything_that_leads_to_it_along(drawn: Drawn, data: st.DataObject) -> None:
    tree = drawn.tree
    path = data.draw(st.sampled_from(drawn.paths))
    stem = tree.by_path[path].stem
    now = after(tree, rename(tree, path, "fresh"))
    target = path.removesuffix(f"{stem}.md") + "fresh.md"

    def moved(p: str) -> str:
        return target if p == path else p

    assert now.by_path[target].name == "fresh"
    assert fields(now, target) == fields(tree, path) | {"name": "fresh"}
    assert [to for _, to in led(now)[target]] == [moved(to) for _, to in led(tree)[path]]
    for holder, links in led(tree).items():
        assert [to for _, to in led(now)[moved(holder)]] == [moved(to) for _, to in links]
    for index, held in pointers(tree).items():
        assert pointers(now)[index] == [(title, moved(to), hook) for title, to, hook in held]
    for holder, paths in paths_led(tree).items():
        assert paths_led(now)[moved(holder)] == [moved(to) for to in paths]
    if tree.quota:
        assert now.quota and now.quota.grandfathered == {moved(p) for p in tree.quota.grandfathered}
    back = after(now, rename(now, target, stem))
    plain = all(f"<./{stem}.md>" not in text for text in tree.texts.values())
    quoted = tree.by_path[path].front
    assert quoted is not None
    if plain:
        assert back.texts == tree.texts


def test_a_title_as_name_and_links_by_either_name() -> None:
    tree = tree_of(
        {
            "MEMORY.md": "- [T](tins-by-size.md)\n",
            "tins-by-size.md": note("Tins by size"),
            "b.md": note("b", "[[Tins by size]], [[tins-by-size|tins]], `[[tins-by-size]]`\n"),
        },
        Profile.AUTO,
    )
    now = after(tree, rename(tree, "tins-by-size.md", "tins"))
    assert now.by_path["b.md"].body == "\n[[tins]], [[tins|tins]], `[[tins-by-size]]`\n"
    assert now.texts["MEMORY.md"] == "- [T](tins.md)\n"


def test_links_in_notes_that_live_elsewhere_stay_and_are_named() -> None:
    files = {
        "MEMORY.md": "- [A](a.md)\n",
        "a.md": note("a"),
        "common/shared/b.md": note("b", "See [[a]].\n"),
        "private/c.md": note("c", "See [[a]].\n"),
    }
    tree = tree_of(files, linked=("common/shared",))
    planned = rename(tree, "a.md", "fresh")
    assert planned.notes == (
        "common/shared/b.md links to a.md and is reached through a symbolic link; its link stays.",
    )
    assert "private/c.md" in planned.edits and "common/shared/b.md" not in planned.edits
    for act in (
        lambda: rename(tree, "common/shared/b.md", "x"),
        lambda: recheck(tree, "common/shared/b.md", TODAY),
        lambda: delete(tree, "common/shared/b.md", replaced_by="x"),
    ):
        with pytest.raises(Impossible, match="reached through a symbolic link"):
            act()


# -- delete


@given(trees(), st.data())
def test_a_deleted_note_leaves_nothing_dangling(drawn: Drawn, data: st.DataObject) -> None:
    tree = drawn.tree
    path = data.draw(st.sampled_from(drawn.paths))
    heir = data.draw(st.sampled_from([None, *(p for p in drawn.paths if p != path)]))
    slug = tree.by_path[heir].slug if heir else None
    planned = delete(tree, path, replaced_by="the new one", relink=slug)
    now = after(tree, planned)
    assert planned.message == f"Remove {tree.by_path[path].slug}: replaced by the new one"
    assert path not in now.texts
    assert all(path not in paths for paths in paths_led(now).values())
    for holder, links in led(tree).items():
        if holder == path:
            continue
        kept = [(shown, to) for shown, to in links if to != path]
        if heir is None or holder == heir:
            assert led(now)[holder] == kept
        else:
            assert [to for _, to in led(now)[holder]] == [heir if to == path else to for _, to in links]
    assert {p: fields(now, p) for p in drawn.paths if p != path} == {
        p: fields(tree, p) for p in drawn.paths if p != path
    }


def test_a_deletion_says_what_replaced_the_note() -> None:
    tree = case_tree("64", Profile.FLOPPY)
    with pytest.raises(Impossible, match="Say what replaced the note"):
        delete(tree, "manner.md", replaced_by=" \n")
    with pytest.raises(Impossible, match="no other note 'manner'"):
        delete(tree, "manner.md", replaced_by="x", relink="manner")
    with pytest.raises(Impossible, match="lies in a foreign scope"):
        delete(tree, "manner.md", replaced_by="x", relink="bench-port")


def test_what_was_nested_below_the_pointer_is_kept_and_named() -> None:
    tree = case_tree("66", Profile.AUTO)
    planned = delete(tree, "tins.md", replaced_by="nothing; they are sold")
    assert "\n- four small\n- [Blank]" in after(tree, planned).texts["MEMORY.md"]
    assert planned.notes == ("MEMORY.md: what was nested below the pointer stays there: - four small.",)


# -- re-check and rewrite


@given(trees(), st.data(), st.dates(date(2020, 1, 1), TODAY))
def test_a_recheck_dates_one_note_and_changes_nothing_else(
    drawn: Drawn, data: st.DataObject, day: date
) -> None:
    tree = drawn.tree
    path = data.draw(st.sampled_from(drawn.paths))
    now = after(tree, recheck(tree, path, day))
    assert now.by_path[path].day == day
    assert {k: v for k, v in fields(now, path).items() if k not in ("metadata.as_of", "metadata")} == {
        k: v for k, v in fields(tree, path).items() if k not in ("metadata.as_of", "metadata")
    }
    assert now.by_path[path].body == tree.by_path[path].body
    untouched(tree, now, {path})
    assert recheck(now, path, day).edits == {}


@given(trees(), st.data(), st.text("ab \n", min_size=1).filter(str.strip))
def test_a_rewrite_puts_the_text_in_place(drawn: Drawn, data: st.DataObject, body: str) -> None:
    tree = drawn.tree
    path = data.draw(st.sampled_from(drawn.paths))
    old = tree.by_path[path]
    planned = rewrite(tree, path, body, description="now: this", as_of=TODAY, evidence=Evidence.MEASURED)
    new = after(tree, planned).by_path[path]
    assert (new.description, new.day, new.evidence) == ("now: this", TODAY, "measured")
    assert new.body.split() == body.split()
    if old.body and not is_blank(split_lines(body)[-1]):
        assert new.body.endswith("\n") == old.body.endswith("\n")
    eol = "\r\n" if "\r\n" in old.body else "\n"
    assert new.body.count(eol) == new.body.count("\n") or "\r\n" in old.body


@given(trees(), st.data())
def test_a_text_rewritten_as_it_is_stays_to_the_byte(drawn: Drawn, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(drawn.paths))
    body = drawn.tree.by_path[path].body
    if body.strip():
        assert rewrite(drawn.tree, path, body.replace("\r\n", "\n")).edits == {}
        assert rewrite(drawn.tree, path, body.replace("\r\n", "\n").strip("\n")).edits == {}


def test_lines_that_stay_keep_their_ends() -> None:
    assert as_written("\none\r\ntwo\nthree", "one\nnew\nthree\n") == "\none\r\nnew\nthree"
    assert as_written("", "one") == "one\n"
    assert as_written("\none\n\n\n", "one") == "\none\n\n\n"
    assert as_written("\r\none\r\n \r\n", "two\n") == "\r\ntwo\r\n \r\n"


# -- several at once, and how it is shown


def test_acts_are_joined_where_they_do_not_get_in_each_others_way() -> None:
    tree = case_tree("64", Profile.FLOPPY)
    one = rename(tree, "yard/rope-length.md", "cord")
    other = recheck(tree, "mill/stone-gap.md", TODAY)
    both = join(one, other)
    assert both.edits == {**one.edits, **other.edits}
    assert both.message.split("\n\n") == [one.message, other.message]
    with pytest.raises(Impossible, match=r"Both .* change MEMORY\.md"):
        join(made(tree), made(tree, "other"))
    chained = join(one, recheck(after(tree, one), "yard/cord.md", TODAY))
    assert after(tree, chained).by_path["yard/cord.md"].day == TODAY


def test_a_preview_pairs_what_moved_and_shows_what_changed() -> None:
    tree = case_tree("64", Profile.FLOPPY)
    shown = {diff.path: diff for diff in difference(rename(tree, "yard/rope-length.md", "cord"))}
    assert {path: diff.status for path, diff in shown.items()} == {
        "manner.md": FileStatus.CHANGED,
        "yard/INDEX.md": FileStatus.CHANGED,
        "yard/cord.md": FileStatus.MOVED,
    }
    assert shown["yard/cord.md"].came_from == "yard/rope-length.md"
    assert shown["yard/cord.md"].lines[3:6] == (" ---", "-name: rope-length", "+name: cord")
    gone = difference(delete(tree, "mill/stone-gap.md", replaced_by="x"))
    assert [(d.path, d.status) for d in gone if d.status is not FileStatus.CHANGED] == [
        ("mill/stone-gap.md", FileStatus.REMOVED)
    ]
    assert difference(made(tree))[1].status is FileStatus.NEW


def test_the_list_of_grandfathered_notes_follows() -> None:
    files = {"MEMORY.md": "- [A](a.md)\n- [B](b.md)\n", "a.md": note("a"), "b.md": note("b")}
    tree = tree_of(files | {FILE: "note_chars_max=10\ngrandfathered = a.md, b.md\r\n"}, config=Config())
    assert after(tree, rename(tree, "a.md", "c")).texts[FILE] == (
        "note_chars_max=10\ngrandfathered = c.md, b.md\r\n"
    )
    assert after(tree, delete(tree, "a.md", replaced_by="x")).texts[FILE] == (
        "note_chars_max=10\ngrandfathered = b.md\r\n"
    )
