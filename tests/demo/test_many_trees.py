"""Large sample note trees hold what was asked for, the same every time, and only what can be repaired."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner
from demo.trees import read, repaired
from repositories import git, tree
from sample_homes import DAYS

from floppy_tui.cli.main import main
from floppy_tui.demo import NotEmpty, build_auto, build_tree
from floppy_tui.demo.many_trees import auto_files, files
from floppy_tui.demo.tree_faults import COUNT, FEWEST
from floppy_tui.notes.findings import Severity
from floppy_tui.notes.lint import lint
from floppy_tui.notes.loader import LINES_MAX
from floppy_tui.notes.note import Evidence, Kind
from floppy_tui.notes.profiles import Config, Profile
from floppy_tui.notes.quota import read_quota, warns_from
from floppy_tui.notes.tree import Tree
from floppy_tui.notes.tree import build_tree as read_tree
from floppy_tui.text.lines import decode
from floppy_tui.text.similarity import near_pairs


@pytest.fixture(scope="module")
def notes() -> Tree:
    """The tree of 150 notes."""
    day = date(2026, 10, 1)
    return read(files(day), day)


def test_it_holds_150_notes_in_four_halves(notes: Tree) -> None:
    assert (len(notes.own), len(notes.notes)) == (150, 151)
    assert set(notes.half_chars) == {"harbour", "ferry", "fleet", "office", "root"}
    assert [i.path for i in notes.indexes if i.level == 3] == [
        f"harbour/{group}/INDEX.md" for group in ("berths", "cranes", "gauges")
    ]
    assert all(600 <= note.chars <= 2_000 for note in notes.own)
    assert len({note.stem for note in notes.own}) == 150


def test_its_notes_differ_in_everything_that_a_column_shows(notes: Tree) -> None:
    assert {Evidence(n.evidence) for n in notes.own} == set(Evidence)
    assert {Kind(n.type) for n in notes.own} == set(Kind)
    ages = [n.age(notes.today) for n in notes.own]
    assert 10 <= ages.count(None) <= 20
    assert 3 <= sum(1 for age in ages if age is not None and age > notes.config.note_stale_days) <= 10
    assert sum(1 for n in notes.own if n.links) > 100
    shown = {link.shown == link.slug for n in notes.own for link in n.links}
    assert shown == {True, False}, "some links have words of their own"
    assert 20 < sum(1 for n in notes.own if n.slug not in notes.heat) < 75


@pytest.mark.parametrize("day", DAYS[::2], ids=str)
def test_it_is_red_and_clean_by_repairs_alone(day: date) -> None:
    found = read(files(day), day)
    findings = lint(found)
    offered = [f for f in findings if f.repair]
    assert len(offered) == COUNT == 20
    assert all(f.repair for f in findings if f.severity is Severity.ERROR)
    assert Counter(f.rule for f in offered) == {
        "note-without-pointer": 4, "link-dangling": 4, "pointer-dangling": 3, "flat-type": 3,
        "name-not-file-name": 2, "pointer-repeated": 2, "pointer-not-literal": 1, "index-unlinked": 1,
    }  # fmt: skip
    after, count = repaired(found)
    assert count == COUNT
    assert {f.rule for f in lint(after)} == {"note-aged", "notes-undated"}


def test_six_notes_are_nearly_the_same_as_others_and_weaker(notes: Tree) -> None:
    strength = list(Evidence)
    pairs = near_pairs([n.body for n in notes.own])
    assert len(pairs) == 6
    for pair in pairs:
        one, other = sorted((notes.own[pair.left], notes.own[pair.right]), key=lambda n: len(n.stem))
        assert other.stem == f"{one.stem}-in-winter"
        assert strength.index(Evidence(other.evidence)) >= strength.index(Evidence(one.evidence))
        assert one.path.rpartition("/")[0] == other.path.rpartition("/")[0]
    assert any(notes.mentions.get(notes.own[p.right].path) for p in pairs), "links to re-point"


def test_one_half_has_no_room_for_another_large_note(notes: Tree) -> None:
    quota = notes.quota
    assert quota is not None and quota.halves.keys() == notes.half_chars.keys() - {"root"}
    used = notes.half_chars
    assert all(used[half] <= warns_from(ceiling) for half, ceiling in quota.halves.items())
    assert used["office"] + max(n.chars for n in notes.own) + 200 > quota.halves["office"]
    assert quota.chars_max is not None and notes.chars < quota.chars_max * 0.8


@pytest.mark.parametrize("count", [0, 1, 7, FEWEST - 1, FEWEST, 400])
def test_as_many_notes_as_are_asked_for(today: date, count: int) -> None:
    found = read(files(today, count), today)
    assert len(found.own) == count == len({n.stem for n in found.own})
    offered = [f for f in lint(found) if f.repair]
    assert len(offered) == (COUNT if count >= FEWEST else 0)
    assert all(f.repair for f in lint(found) if f.severity is Severity.ERROR)


def test_it_is_a_repository_that_holds_what_is_for_everybody(tmp_path: Path, today: date) -> None:
    root = build_tree(tmp_path / "tree", today)
    assert git(root, "rev-list", "--count", "HEAD") == "1"
    assert git(root, "status", "--porcelain", "--untracked-files=all") == ""
    assert git(root, "fsck", "--strict") == ""
    found = files(today)
    untracked = found.keys() - set(git(root, "ls-files").split("\n"))
    assert untracked == {path for path in found if "/private/" in path or path.endswith("heat.log")}
    assert git(root, "remote") == ""
    assert read_quota((root / ".agent-memory/quota.lock").read_text()).bad == ()


def test_it_was_pushed_to_a_remote_and_can_be_again(tmp_path: Path, today: date) -> None:
    remote = tmp_path / "deep" / "remote.git"
    root = build_tree(tmp_path / "tree", today, notes=12, remote=remote)
    assert git(remote, "rev-parse", "main") == git(root, "rev-parse", "HEAD", "@{u}").split("\n")[1]
    assert git(remote, "rev-parse", "--is-bare-repository") == "true"
    assert git(root, "rev-parse", "--abbrev-ref", "@{u}") == "origin/main"
    git(root, "commit", "-q", "--allow-empty", "-m", "More")
    git(root, "push", "-q")
    git(tmp_path, "clone", "-q", str(remote), "second")
    assert git(tmp_path / "second", "rev-parse", "HEAD") == git(root, "rev-parse", "HEAD")


def test_it_is_laid_out_the_same_every_time_and_over_nothing(tmp_path: Path, today: date) -> None:
    roots = [build_tree(tmp_path / name, today, notes=70) for name in ("one", "two")]
    one, two = (tree(root, without=".git") for root in roots)
    assert one == two and len(one) > 80
    assert git(roots[0], "rev-parse", "HEAD") == git(roots[1], "rev-parse", "HEAD")
    with pytest.raises(NotEmpty):
        build_tree(roots[0], today)
    assert tree(roots[0], without=".git") == one


def test_without_git_it_is_laid_out_and_says_so(
    tmp_path: Path, today: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    said: list[str] = []
    root = build_tree(tmp_path / "tree", today, notes=3, remote=tmp_path / "remote.git", say=said.append)
    assert len(said) == 1 and said[0].startswith("git is not on the PATH: ")
    assert (root / ".agent-memory/MEMORY.md").is_file() and not (root / ".git").exists()


def test_an_auto_memory_is_longer_than_its_loader_takes(tmp_path: Path, today: date) -> None:
    root = build_auto(tmp_path / "memory", today)
    found = {p.name: p.read_bytes() for p in root.iterdir()}
    assert found == auto_files(today)
    texts = {path: decode(data) for path, data in found.items()}
    notes = read_tree(texts, Profile.AUTO, Config(), today)
    cut = notes.cut
    assert cut is not None and cut.over and cut.measure == "lines" and cut.used > LINES_MAX
    assert 20 < len(cut.lost) < 60
    assert len(notes.own) == 190 and all(n.front and n.front.value("type") for n in notes.own)
    assert all(n.name != n.stem and not n.evidence for n in notes.own)
    assert {f.rule for f in lint(notes) if f.severity is Severity.ERROR} == {"index-over-cut"}


def test_the_demo_lays_it_out_with_a_remote_out_of_sight(
    tmp_path: Path, today: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FLOPPY_TODAY", today.isoformat())
    root = tmp_path / "tree"
    result = CliRunner().invoke(main, ["demo", "--notes", str(root), "--no-open", "--json"])
    assert (result.exit_code, result.stderr) == (0, "")
    assert json.loads(result.stdout_bytes) == {"notes": str(root)}
    assert [path.name for path in tmp_path.iterdir()] == ["tree"]
    assert git(root, "status", "--short", "--branch") == "## main...origin/main"
    assert (root / ".agent-memory/MEMORY.md").read_bytes() == files(today)[".agent-memory/MEMORY.md"]
