"""A merged note claims no more than its weakest part, and nothing leads to what it took in."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from note_trees import Drawn, after, case_tree, led, note, paths_led, pointers, tree_of, trees

from floppy_tui.notes.acts import commit_refusal, merge, new_note, proposed_merge_body, raise_quota
from floppy_tui.notes.merging import blocks
from floppy_tui.notes.note import Evidence, Kind
from floppy_tui.notes.planned import Impossible
from floppy_tui.notes.profiles import Profile
from floppy_tui.notes.quota import FILE
from floppy_tui.notes.tree import Tree

ORDER = [*Evidence]


@given(trees(), st.data())
def test_a_merge_never_claims_more_and_leaves_nothing_dangling(drawn: Drawn, data: st.DataObject) -> None:
    tree = drawn.tree
    chosen = data.draw(st.lists(st.sampled_from(drawn.paths), min_size=2, unique=True))
    survivor, gone = chosen[0], set(chosen[1:])
    body = proposed_merge_body(tree, chosen)
    planned = merge(tree, survivor, chosen[1:], body=body if body.strip() else "x")
    now = after(tree, planned)
    parts = [tree.by_path[path] for path in chosen]
    new = now.by_path[survivor]
    assert (new.name, new.type, new.description) == (parts[0].name, parts[0].type, parts[0].description)
    known = [Evidence(n.evidence) if n.evidence in ORDER else Evidence.READ for n in parts]
    if any(n.evidence in ORDER for n in parts) or tree.profile is Profile.FLOPPY:
        assert new.evidence == max(known, key=ORDER.index)
    else:
        assert new.evidence == parts[0].evidence
    days = [n.day for n in parts if n.day]
    assert new.day == (min(days) if days else None)
    undated = [n.slug for n in parts if n.day is None]
    assert any("say" in said and undated[0] in said for said in planned.notes) == bool(undated and days)
    assert not gone & now.texts.keys()
    for holder, links in led(tree).items():
        if holder not in chosen:
            assert [to for _, to in led(now)[holder]] == [survivor if to in gone else to for _, to in links]
    assert all(not gone & set(paths) for paths in paths_led(now).values())
    for index, held in pointers(tree).items():
        assert pointers(now)[index] == [p for p in held if p[1] not in gone]
    for part in parts:
        for word in part.body.split():
            if "[" not in word and word not in ("words", "words]]"):
                assert word in new.body


def two(one: dict[str, str], other: dict[str, str], profile: Profile = Profile.FLOPPY) -> Tree:
    return tree_of(
        {
            "MEMORY.md": "- [A](a.md)\n- [B](b.md)\n",
            "a.md": note("a", "One.\n\nShared words.\n\nSee [[b]].\n", **one),
            "b.md": note("b", "Shared  words.\n\n```\nx\n\ny\n```\n\nSee [[a]].\n", **other),
        },
        profile,
    )


@pytest.mark.parametrize(
    ("one", "other", "profile", "evidence"),
    [
        ("measured", "sourced", Profile.FLOPPY, "sourced"),
        ("decided", "measured", Profile.FLOPPY, "decided"),
        ("measured", "", Profile.FLOPPY, "read"),
        ("measured", "guessed", Profile.FLOPPY, "read"),
        ("", "", Profile.AUTO, ""),
        ("measured", "", Profile.AUTO, "read"),
    ],
)
def test_the_weakest_evidence_survives(one: str, other: str, profile: Profile, evidence: str) -> None:
    tree = two({"evidence": one}, {"evidence": other}, profile)
    now = after(tree, merge(tree, "a.md", ["b.md"], body="Both.\n"))
    assert now.by_path["a.md"].evidence == evidence


def test_the_oldest_day_survives_and_an_undated_part_is_named() -> None:
    tree = two({"as_of": "2026-09-01"}, {"as_of": "2025-02-03"})
    planned = merge(tree, "a.md", ["b.md"], body="Both.\n", description="both of them")
    new = after(tree, planned).by_path["a.md"]
    assert (new.as_of, new.description, planned.notes) == ("2025-02-03", "both of them", ())
    assert planned.message == (
        "Merge b into a\n\nEvidence: read, the weakest of its parts.\n"
        "As of: 2025-02-03, the oldest of its parts."
    )
    tree = two({"as_of": "2026-09-01"}, {})
    planned = merge(tree, "a.md", ["b.md"], body="Both.\n")
    assert after(tree, planned).by_path["a.md"].day == date(2026, 9, 1)
    assert planned.notes[0].startswith("b says no day; as_of is 2026-09-01, the oldest one known")


def test_the_proposed_text_repeats_no_paragraph_and_cuts_no_fence() -> None:
    tree = two({}, {})
    body = proposed_merge_body(tree, ["a.md", "b.md"])
    assert body == "\nOne.\n\nShared words.\n\nSee [[b]].\n\n```\nx\n\ny\n```\n\nSee [[a]].\n"
    now = after(tree, merge(tree, "a.md", ["b.md"], body=body))
    assert now.by_path["a.md"].body == body.replace("[[b]]", "b")
    assert now.texts["MEMORY.md"] == "- [A](a.md)\n"


def test_relative_links_are_led_on_in_what_comes_from_another_directory() -> None:
    files = {
        "MEMORY.md": "- [A](a.md)\n- [Y](yard/INDEX.md)\n",
        "a.md": note("a"),
        "yard/INDEX.md": "- [B](b.md)\n- [C](c.md)\n",
        "yard/b.md": note("b", "See [c](c.md), ![p](p.png) and [web](https://x.example/c.md).\n"),
        "yard/c.md": note("c"),
    }
    assert proposed_merge_body(tree_of(files), ["a.md", "yard/b.md"]) == (
        "\nBody.\n\nSee [c](yard/c.md), ![p](yard/p.png) and [web](https://x.example/c.md).\n"
    )


def test_notes_of_one_name_become_one() -> None:
    tree = case_tree("66", Profile.AUTO)
    for survivor, gone in (("west-oven.md", "east-oven.md"), ("east-oven.md", "west-oven.md")):
        now = after(tree, merge(tree, survivor, [gone], body="See [[oven]].\n"))
        assert now.find("oven") is now.by_path[survivor]


def test_what_cannot_be_merged() -> None:
    tree = case_tree("64", Profile.FLOPPY)
    with pytest.raises(Impossible, match="two notes or more"):
        merge(tree, "manner.md", ["manner.md"], body="x")
    with pytest.raises(Impossible, match="different scopes"):
        merge(tree, "manner.md", ["private/bench-port.md"], body="x")
    with pytest.raises(Impossible, match="needs a text"):
        merge(tree, "manner.md", ["mill/stone-gap.md"], body=" ")
    with pytest.raises(Impossible, match="no note nix"):
        merge(tree, "manner.md", ["nix.md"], body="x")


@given(st.lists(st.sampled_from(["one\n", "two\r\n", "\n", " \n", "```\n", "x\n", "end"]), max_size=12))
def test_paragraphs_hold_all_words(lines: list[str]) -> None:
    text = "".join(lines)
    assert "".join(blocks(text)).split() == text.split()


# -- raising a quota


def test_a_quota_is_raised_in_place_with_its_reason() -> None:
    tree = case_tree("64", Profile.FLOPPY)
    planned = raise_quota(tree, "half_chars_max.yard", 12000, "The yard got carts.")
    assert planned.message == "Raise half_chars_max.yard from 9000 to 12000\n\nThe yard got carts."
    assert after(tree, planned).texts[FILE] == tree.texts[FILE].replace("yard=9000", "yard=12000")


@pytest.mark.parametrize(
    ("key", "number", "reason", "said"),
    [
        ("chars_max", 30000, " ", "with a reason"),
        ("chars_max", 20000, "why", "is 20,000 already"),
        ("chars_max", 100, "why", "goes upward"),
        ("half_chars_max.mill", 100, "why", "nothing to raise"),
        ("grandfathered", 1, "why", "is no ceiling"),
        ("chars_max", 10**19, "why", "larger than any memory"),
    ],
)
def test_a_raise_goes_upward_and_has_a_reason(key: str, number: int, reason: str, said: str) -> None:
    with pytest.raises(Impossible, match=said):
        raise_quota(case_tree("64", Profile.FLOPPY), key, number, reason)


def test_a_raise_on_its_own_is_not_committed() -> None:
    tree = case_tree("64", Profile.FLOPPY)
    raised = raise_quota(tree, "chars_max", 30000, "why").edits[FILE]
    made = new_note(
        tree,
        directory="yard",
        slug="fresh",
        description="d",
        kind=Kind.PROJECT,
        evidence=None,
        as_of=None,
        body="B",
    ).edits
    lock = {FILE: tuple(raised)}
    alone = commit_refusal(lock, tree)
    assert alone.startswith("quota.lock raises chars_max on its own")
    index = {"yard/INDEX.md": tuple(made["yard/INDEX.md"])}
    foreign = {"private/bench-port.md": ("a", "b")}
    removed = {"manner.md": ("a", None)}
    same = {"manner.md": ("a", "a")}
    assert commit_refusal(lock | index | foreign | removed | same, tree) == alone
    assert commit_refusal(lock | {path: tuple(edit) for path, edit in made.items()}, tree) == ""
    assert commit_refusal({FILE: (raised.after, raised.before)}, tree) == ""
    assert commit_refusal({FILE: (raised.before, None)}, tree).startswith("quota.lock raises chars_max,")
    assert commit_refusal({FILE: ("chars_max=1\n", "chars_max=x\n")}, tree) != ""
    assert commit_refusal(removed, tree) == ""
