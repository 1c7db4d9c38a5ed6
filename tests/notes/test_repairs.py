"""What can be repaired without a judgment: the finding is gone, and the rest reads as before."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from note_trees import Drawn, after, case_tree, findings_of, led, note, tree_of, trees

from floppy_tui.notes.findings import Finding, Severity
from floppy_tui.notes.lint import lint
from floppy_tui.notes.planned import Impossible
from floppy_tui.notes.profiles import Profile
from floppy_tui.notes.quota import FILE
from floppy_tui.notes.repairs import REPAIRS, can_repair, repair
from floppy_tui.notes.rules import RULES
from floppy_tui.notes.tree import Tree


def only(tree: Tree, rule: str, at: int = 0) -> Finding:
    return findings_of(tree, rule)[at]


def repaired(tree: Tree, rule: str, at: int = 0) -> Tree:
    """The tree with one finding repaired, which lint offered, and which is then gone."""
    finding = only(tree, rule, at)
    assert finding.repair
    now = after(tree, repair(tree, finding))
    assert len(findings_of(now, rule)) == len(findings_of(tree, rule)) - 1
    return now


def count(tree: Tree) -> dict[str, int]:
    found: dict[str, int] = {}
    for finding in lint(tree):
        found[finding.rule] = found.get(finding.rule, 0) + 1
    return found


def test_every_repair_is_of_a_rule() -> None:
    assert REPAIRS.keys() <= RULES.keys()
    assert all(words.endswith(".") for words in REPAIRS.values())


def with_all_repairs(tree: Tree) -> Tree:
    for _ in range(300):
        offered = [f for f in lint(tree) if f.repair]
        if not offered:
            return tree
        tree = after(tree, repair(tree, offered[0]))
    raise AssertionError("the repairs come to no end")


@pytest.mark.parametrize("profile", list(Profile))
@pytest.mark.parametrize("case", ["60", "62", "64", "66", "70", "72"])
def test_repairs_of_the_cases_come_to_an_end_and_repair(case: str, profile: Profile) -> None:
    tree = case_tree(case, profile)
    for finding in lint(tree):
        assert finding.repair == can_repair(tree, finding)
        if not finding.repair:
            continue
        now = after(tree, repair(tree, finding))
        assert finding.key not in {f.key for f in lint(now)}
    done = with_all_repairs(tree)
    assert len(lint(done)) < len(lint(tree)) or not any(f.repair for f in lint(tree))


@st.composite
def spoiled(draw: st.DrawFn) -> Drawn:
    """A tree with pointers gone and doubled, indexes gone, names and types as they should not be."""
    tree, paths = draw(trees())
    files = dict(tree.texts)
    for path in draw(st.lists(st.sampled_from(sorted(files)), max_size=3, unique=True)):
        text = files[path]
        if path in tree.index_by_path:
            lines = text.split("\n")
            lines.insert(draw(st.integers(0, len(lines))), draw(st.sampled_from(ODD_POINTERS)))
            files[path] = "\n".join(lines)
            if draw(st.sampled_from([False] * 3 + [True])):
                del files[path]
        else:
            old, new = draw(st.sampled_from(SPOILS))
            files[path] = text.replace(old, new)
            if draw(st.sampled_from([False] * 3 + [True])):
                del files[path]
    return Drawn(tree_of(files, tree.profile), sorted(p for p in paths if p in files))


ODD_POINTERS = [
    "- [Gone](gone.md) — it was here",
    "- [Gone](GATE-KEY.md)",
    "- [Rope](<rope.md>) — again",
    "- [Rope](rope.md) — and more",
    "- [Umlaut](gr%C3%B6%C3%9Fe.md)",
    "See [gone](gone.md) for it, and [[nowhere]].",
    "- [Port](private/port.md) — foreign",
    "Read [[gate_key]].",
]
SPOILS = [
    ("name: rope", "name: Rope of the yard"),
    ("name: ", "nome: "),
    ("  type: project", "  kind: x"),
    ("type: project", "type: Project"),
    ("metadata:", "type: user\nmetadata:"),
    ("what it says", "what: it # says"),
    ("2026-08-20", "2026/8/20"),
    ("read", "Read."),
    ("[[gate-key]]", "[[gate_key]]"),
    ("Body", "[[Größe]]"),
]


@given(spoiled())
def test_what_is_offered_repairs_and_changes_nothing_else(drawn: Drawn) -> None:
    tree = drawn.tree
    for finding in lint(tree):
        assert finding.repair == can_repair(tree, finding)
        if not finding.repair:
            if finding.rule in REPAIRS:
                with pytest.raises(Impossible):
                    repair(tree, finding)
            continue
        planned = repair(tree, finding)
        now = after(tree, planned)
        assert finding.key not in {f.key for f in lint(now)}, finding
        for path, links in led(tree).items():
            kept = [to for _, to in led(now).get(path, [])]
            if finding.rule not in (
                "link-dangling",
                "link-into-foreign-scope",
                "name-not-file-name",
                "name-missing",
            ):
                assert kept == [to for _, to in links]
        if path_kinds(planned.edits) == {"note"} and finding.rule != "name-not-file-name":
            assert set(planned.edits) == {finding.path}


def path_kinds(edits: Mapping[str, object]) -> set[str]:
    return {"index" if path.endswith(("INDEX.md", "MEMORY.md")) else "note" for path in edits}


@given(spoiled())
def test_repairing_all_that_is_offered_comes_to_an_end(drawn: Drawn) -> None:
    done = with_all_repairs(drawn.tree)
    before, now = count(drawn.tree), count(done)
    for rule in ("note-without-pointer", "index-unlinked", "index-parent-missing", "pointer-dangling"):
        if now.get(rule):
            assert before.get(rule)
            assert all(f.rule != rule or f.repair == "" for f in lint(done))


# -- each by itself


def flat(**files: str) -> Tree:
    named = {f"{name}.md": text for name, text in files.items()}
    pointed = "".join(f"- [{name}]({name}.md)\n" for name in files if name != "MEMORY")
    return tree_of({"MEMORY.md": pointed} | named | {FILE: "pointer_line_max=60\n"})


def test_a_name_follows_the_file_and_links_follow_the_name() -> None:
    tree = flat(a=note("Old name"), b=note("b", "[[Old name]] and [[a|the a]]\n"))
    now = repaired(tree, "name-not-file-name")
    assert now.by_path["a.md"].name == "a"
    assert now.by_path["b.md"].body == "\n[[a]] and [[a|the a]]\n"


def test_a_name_that_is_taken_is_not_given() -> None:
    tree = flat(a=note("other"), b=note("A"))
    assert [f.repair for f in findings_of(tree, "name-not-file-name") if f.path == "a.md"] == [""]


def test_a_flat_type_moves_and_keeps_its_spelling() -> None:
    text = (
        "---\r\nname: a\r\ntype: 'user'\r\ndescription: d\r\nmetadata:\r\n    evidence: read\r\n---\r\nB\r\n"
    )
    now = repaired(flat(a=text), "flat-type")
    head = "---\r\nname: a\r\ndescription: d\r\nmetadata:\r\n    evidence: read\r\n"
    assert now.texts["a.md"] == f"{head}    type: 'user'\r\n---\r\nB\r\n"


def test_types_that_disagree_are_a_judgment() -> None:
    tree = case_tree("62", Profile.AUTO)
    finding = Finding("flat-type", Severity.ERROR, "both.md", 1, "", about="project")
    assert can_repair(tree, finding) == ""
    with pytest.raises(Impossible, match=r"flat-type in both\.md cannot be repaired without a judgment"):
        repair(tree, finding)


def test_a_missing_pointer_is_made_of_the_heading_and_the_description() -> None:
    tree = tree_of(
        {"MEMORY.md": "# Index\n", "a.md": note("a", "# The rope\n\nText.\n", description="it: is")}
    )
    assert (
        repaired(tree, "note-without-pointer").texts["MEMORY.md"]
        == "# Index\n\n- [The rope](a.md) — it: is\n"
    )


def test_a_half_without_index_gets_one() -> None:
    tree = tree_of({"MEMORY.md": "# Index\n", "yard/a.md": note("a")})
    now = repaired(tree, "note-without-pointer")
    assert now.texts["yard/INDEX.md"] == "# Yard\n\n- [A](a.md) — what it says\n"
    assert now.texts["MEMORY.md"] == "# Index\n\n- [Yard](yard/INDEX.md)\n"


def test_an_index_is_linked_from_a_parent_that_is_made() -> None:
    files = {
        "MEMORY.md": "# Index\n",
        "yard/carts/INDEX.md": "# The carts\n\n- [A](a.md)\n",
        "yard/carts/a.md": note("a"),
    }
    now = repaired(tree_of(files), "index-parent-missing")
    assert now.texts["yard/INDEX.md"] == "# Yard\n\n- [The carts](carts/INDEX.md)\n"
    assert findings_of(now, "index-unlinked") == []


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("- [Gone](gone.md) — was here\n", ""),
        ("- [Gone](A.md) — x\n", "- [Gone](a.md) — x\n"),
        ("- [Gone](b.md) — x\n", "- [Gone](yard/b.md) — x\n"),
        ("See [gone](gone.md).\n", "See gone.\n"),
        ("- [Gone](gone.md) — was here\n  - words\n", "- words\n"),
        ("- [Gone](gone.md)\n- [More](gone.md)\n", ""),
    ],
)
def test_what_is_done_with_a_dangling_pointer(line: str, left: str) -> None:
    tree = tree_of({"MEMORY.md": f"# I\n\n{line}", "a.md": note("a"), "yard/b.md": note("b")})
    assert repaired(tree, "pointer-dangling").texts["MEMORY.md"] == f"# I\n\n{left}"


def test_a_repeated_pointer_leaves_what_only_it_says() -> None:
    tree = case_tree("66", Profile.AUTO)
    now = repaired(tree, "pointer-repeated")
    assert "- [Yeast](yeast.md) — feed it at noon; ask the night baker\n- [Mill" in now.texts["MEMORY.md"]
    long = tree_of(
        {
            "MEMORY.md": f"- [A](a.md) — {'x ' * 20}\n- [A](a.md) — {'y ' * 20}\n",
            "a.md": note("a"),
            FILE: "pointer_line_max=60\n",
        }
    )
    assert only(long, "pointer-repeated").repair == ""
    same = tree_of({"MEMORY.md": "- [A](a.md) — x y\n- [B](a.md) — X  y\n", "a.md": note("a")})
    assert repaired(same, "pointer-repeated").texts["MEMORY.md"] == "- [A](a.md) — x y\n"


def test_targets_are_spelled_plainly_where_they_can_be() -> None:
    tree = case_tree("70", Profile.AUTO)
    offered = {f.about: f.repair for f in findings_of(tree, "pointer-not-literal")}
    assert {path for path, words in offered.items() if words} == {"esc_aped.md"}
    now = repaired(tree, "pointer-not-literal", [*offered].index("esc_aped.md") + 1)
    assert "- [Escaped](esc_aped.md) — back-slash\n" in now.texts["MEMORY.md"]


def test_a_long_hook_is_shortened_where_the_note_says_it_whole() -> None:
    said = "how long the rope of the yard has to be cut before it is wet"
    tree = flat(a=note("a", description=said), MEMORY=f"- [A](a.md) — {said}\n")
    assert repaired(tree, "pointer-line-too-long").texts["MEMORY.md"] == (
        "- [A](a.md) — how long the rope of the yard has to be cut…\n"
    )
    other = flat(a=note("a"), MEMORY=f"- [A](a.md) — {said}\n")
    assert only(other, "pointer-line-too-long").repair == ""


def test_links_are_led_to_what_they_mean_and_out_of_foreign_scopes() -> None:
    files = {
        "MEMORY.md": "- [A](a-b.md)\n\nSee [[a_b]] and [the port](private/port.md).\n",
        "a-b.md": note("a-b", "[[A-B|words]], [[a_b]], [[port|the port]], ![p](private/p.png)\n"),
        "private/port.md": note("port"),
    }
    done = with_all_repairs(tree_of(files))
    assert done.texts["MEMORY.md"] == "- [A](a-b.md)\n\nSee [[a-b]] and the port.\n"
    assert done.by_path["a-b.md"].body == "\n[[a-b|words]], [[a-b]], the port, p\n"


def test_values_that_are_nearly_right_and_yaml() -> None:
    text = (
        "---\nname: a\ndescription: a: b # c\nmetadata:\n"
        "  type: Project\n  evidence: READ.\n  as_of: 2026/8/3\n---\nB\n"
    )
    done = with_all_repairs(flat(a=text))
    assert done.texts["a.md"] == (
        "---\nname: a\ndescription: 'a: b # c'\nmetadata:\n"
        "  type: project\n  evidence: read\n  as_of: 2026-08-03\n---\nB\n"
    )


def test_nothing_reached_through_a_link_is_repaired() -> None:
    tree = tree_of({"MEMORY.md": "", "common/x/a.md": note("b")}, linked=("common/x",))
    assert [f.repair for f in findings_of(tree, "name-not-file-name")] == [""]
