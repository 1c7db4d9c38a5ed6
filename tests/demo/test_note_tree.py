"""The sample home's note tree is one that people keep: well linked, measured, and with the usual mistakes."""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path

import pytest
from demo.trees import read, repaired
from repositories import git
from sample_homes import DAYS

from floppy_tui.demo import build, files
from floppy_tui.demo.note_tree import HEAT, JOURNAL, tree
from floppy_tui.notes.findings import Severity
from floppy_tui.notes.index import index_for
from floppy_tui.notes.lint import lint
from floppy_tui.notes.note import Evidence, Kind, Note, Scope
from floppy_tui.notes.profiles import MEMORY_DIR, STATUSES_NOW
from floppy_tui.notes.quota import raised, warns_from
from floppy_tui.notes.tree import Tree
from floppy_tui.notes.yaml import differs, read_yaml
from floppy_tui.text.lines import decode


def pointed(notes: Tree, note: Note) -> list[str]:
    """The indexes that point to ``note``, once for each pointer."""
    return [i.path for i in notes.indexes for p in i.pointers if p.path == note.path]


def dangling(notes: Tree) -> dict[str, str]:
    """The links that lead to no note, and the note that each was probably meant for."""
    lost = [link.slug for note in notes.notes for link in note.links if notes.find(link.slug) is None]
    meant = {slug: notes.suggestion(slug) for slug in lost}
    return {slug: note.path if note else "" for slug, note in meant.items()}


@pytest.fixture(params=DAYS, ids=str)
def notes(request: pytest.FixtureRequest) -> Tree:
    """The sample home's note tree on several days."""
    day: date = request.param
    return read(files(day), day)


def test_it_has_three_levels_and_two_halves(notes: Tree) -> None:
    assert (len(notes.own), len(notes.notes), len(notes.indexes)) == (13, 15, 4)
    assert {index.level for index in notes.indexes} == {1, 2, 3} and notes.too_deep == ()
    assert set(notes.half_chars) == {"root", "harbour", "ferry"}
    assert [n.path for n in notes.notes if n.scope is Scope.PRIVATE] == [
        "private/pilot-names.md",
        "private/terminal-key-cabinet.md",
    ]
    assert {Evidence(n.evidence) for n in notes.notes} == set(Evidence)
    assert {Kind(n.type) for n in notes.notes} == set(Kind)


def test_the_usual_mistakes_are_in_it(notes: Tree) -> None:
    own = {n.path: n for n in notes.own}
    assert [n.path for n in notes.own if not notes.pointed_from(n.path)] == ["ferry/ramp-angle.md"]
    assert [n.path for n in notes.own if len(pointed(notes, n)) > 1] == ["ferry/ticket-hall-printer.md"]
    lost = [p.path for i in notes.indexes for p in i.pointers if p.path not in {**own, **notes.texts}]
    assert lost == ["harbour/crane-order-printer.md"]
    assert [n.path for n in notes.notes if n.name != n.stem] == ["harbour/gauges/north-mole-offset.md"]
    assert [n.path for n in notes.notes if n.front and n.front.value("type")] == ["ferry/boarding-groups.md"]
    assert dangling(notes) == {
        "crane-order-printer": "",
        "tide_table_source": "harbour/gauges/tide-table-source.md",
    }
    foreign = [(m.path, n.path) for n in notes.notes if n.scope is not Scope.OWN for m in linked(notes, n)]
    assert foreign == [("ferry/gate-network.md", "private/terminal-key-cabinet.md")]


def linked(notes: Tree, note: Note) -> list[Note]:
    """The own notes that link to ``note``."""
    found = (notes.by_path[mention.path] for mention in notes.mentions.get(note.path, ()))
    return [n for n in found if n.scope is Scope.OWN]


def test_lint_shows_each_of_them_and_repairs_most(notes: Tree) -> None:
    findings = lint(notes)
    errors = Counter(f.rule for f in findings if f.severity is Severity.ERROR)
    assert errors == {
        "note-without-pointer": 1, "pointer-dangling": 1, "pointer-line-too-long": 1, "flat-type": 1,
        "name-not-file-name": 1, "link-dangling": 2, "link-into-foreign-scope": 1,
    }  # fmt: skip
    assert {f.rule for f in findings} - errors.keys() == {
        "pointer-repeated", "yaml-unreadable", "yaml-differs", "note-aged", "notes-undated",
        "half-near-quota",
    }  # fmt: skip
    after, count = repaired(notes)
    assert count >= 8
    assert {f.rule for f in lint(after) if f.severity is Severity.ERROR} <= {
        "pointer-line-too-long", "link-dangling",
    }  # fmt: skip


def test_dates_are_as_old_as_on_any_day(notes: Tree) -> None:
    ages = {n.path: n.age(notes.today) for n in notes.own}
    old = {path: age for path, age in ages.items() if age is not None and age > notes.config.note_stale_days}
    assert old == {"harbour/mooring-table.md": 412}
    assert [path for path, age in ages.items() if age is None] == [
        "ferry/ticket-hall-printer.md",
        "one-fact-one-note.md",
    ]


def test_two_front_matters_are_read_otherwise_by_yaml(notes: Tree) -> None:
    whole = {n.path: read_yaml(n.text) for n in notes.notes}
    assert [path for path, said in whole.items() if said.problem] == ["harbour/customs-code-pages.md"]
    fronts = {n.path: n.front for n in notes.notes}
    assert {
        path: differs(front, whole[path])
        for path, front in fronts.items()
        if front and not whole[path].problem and differs(front, whole[path])
    } == {"harbour/quay-cameras.md": ("description",)}


def test_quotas_are_measured_and_one_half_is_nearly_full(notes: Tree) -> None:
    quota = notes.quota
    assert quota is not None and quota.bad == () and quota.chars_max is not None
    assert notes.chars < warns_from(quota.chars_max) * 0.9
    assert quota.note_chars_max and max(n.chars for n in notes.own) < warns_from(quota.note_chars_max)
    assert quota.pointers_max and max(len(i.pointers) for i in notes.indexes) < quota.pointers_max
    assert dict(quota.halves).keys() == {"ferry"}
    assert warns_from(quota.halves["ferry"]) < notes.half_chars["ferry"] <= quota.halves["ferry"]
    long = [
        p for i in notes.indexes for p in i.pointers if p.end - p.start - 1 > (quota.pointer_line_max or 0)
    ]
    assert [p.path for p in long] == ["harbour/customs-code-pages.md"]
    assert raised(notes.quota_text, notes.quota_text) == ()


def test_what_was_read_is_logged_and_one_note_never_was(notes: Tree) -> None:
    assert set(notes.heat) <= {n.slug for n in notes.own}
    assert "mooring-table" not in notes.heat
    assert all(0 < (notes.today - heat.last).days < 60 for heat in notes.heat.values())


def test_the_status_files_are_there(today: date) -> None:
    found = tree(today)
    assert len(decode(found[STATUSES_NOW])) < 12_000
    assert decode(found[JOURNAL]).count("\n## ") == 4
    assert f"{MEMORY_DIR}/private/machines/mate/NOW.md" in found


def test_the_home_holds_it_and_its_repository_what_is_for_everybody(tmp_path: Path, today: date) -> None:
    home = build(tmp_path / "home", today)
    found = tree(today)
    assert all((home / path).read_bytes() == data for path, data in found.items())
    tracked = set(git(home, "ls-files").split("\n"))
    private = {path for path in found if "/private/" in path}
    assert found.keys() - tracked == private | {HEAT}
    assert git(home, "status", "--porcelain", "--untracked-files=all") == ""
    sources = [
        line.split(":")[0] for line in git(home, "check-ignore", "-v", *sorted(private), HEAT).split("\n")
    ]
    assert set(sources[:-1]) == {".gitignore"} and sources[-1] == ".git/info/exclude"


def test_every_note_stands_where_its_index_would_be(notes: Tree) -> None:
    assert {index_for(n.path) for n in notes.own} == set(notes.index_by_path)
