"""One look at a home and its repository: what is there, what git says of it, and what could not be read."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path

import pytest
from repositories import commit, git, init, tree, write

from floppy_tui.offload.destinations import Survey, judge
from floppy_tui.store import survey as surveying
from floppy_tui.store.live import Store
from floppy_tui.store.survey import survey

TIDES = "---\nname: tides\ndescription: When tides are read.\n---\n\nThe river lock has two floats.\n"
FILES = {
    ".gitignore": "/data/\n/state/\n",
    ".agents/skills/tides/SKILL.md": TIDES,
    ".agents/skills/Handover/SKILL.md": TIDES,
    ".agents/skills/empty/notes.txt": "",
    "data/captain.md": "# Captain\n\n- Before a manifest is read, see data/notes/customs.md.\n",
    "data/notes/customs.md": "# Customs\n",
    "data/notes/a/b/c/deep.md": "# Deep\n",
    "data/notes/a/b/c/d/deeper.md": "# Deeper\n",
    "data/backlog.md": "# Backlog\n",
    "data/memory-archive.md": "# Archive\n",
    "data/.hidden/x.md": "x\n",
    "data/picture.png": "x",
    "config/startup-memory-budget": "900\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    home = init(tmp_path.resolve() / "home")
    write(home, FILES)
    (home / ".git/info/exclude").write_text("/.agents/skills/tides/\n")
    commit(home, ".agents/skills/Handover", ".gitignore")
    return home


def looked(root: Path, env: dict[str, str] | None = None) -> Survey:
    store = Store.open(None if env else root, env=env or {}, cwd=root, today=lambda: date(2026, 10, 1))
    return survey(store.home, store.read())


def test_notes_and_skills_are_found_with_what_git_says_of_them(root: Path) -> None:
    before = tree(root)
    found = looked(root)
    assert tree(root) == before
    assert found.repository == str(root)
    assert found.note == ""
    assert sorted(found.facts) == [
        ".agents/skills/Handover/SKILL.md",
        ".agents/skills/tides/SKILL.md",
        "data/notes/a/b/c/deep.md",
        "data/notes/customs.md",
    ]
    tides = found.facts[".agents/skills/tides/SKILL.md"]
    assert (tides.text, tides.tracked, tides.owned, tides.trouble) == (TIDES, False, True, "")
    assert tides.ignored == ".git/info/exclude:1: /.agents/skills/tides/"
    assert found.facts[".agents/skills/Handover/SKILL.md"].tracked
    note = found.facts["data/notes/customs.md"]
    assert (note.tracked, note.ignored) == (False, ".gitignore:1: /data/")
    assert found.mentions == {
        "data/notes/customs.md": "Before a manifest is read, see data/notes/customs.md."
    }
    assert found.taken == {
        "Handover": "tracked in the home's index",
        "empty": "a directory is there",
        "tides": "a directory is there",
    }


def test_a_name_that_only_the_index_has_is_taken(root: Path) -> None:
    git(root, "rm", "-q", "-r", "--cached", ".agents/skills/Handover")
    write(root, {".agents/skills/gone/SKILL.md": "x"})
    commit(root, ".agents/skills/gone")
    (root / ".agents/skills/gone/SKILL.md").unlink()
    (root / ".agents/skills/gone").rmdir()
    found = looked(root)
    assert found.taken["gone"] == "tracked in the home's index"
    assert not found.facts[".agents/skills/Handover/SKILL.md"].tracked
    assert found.facts[".agents/skills/Handover/SKILL.md"].ignored == ""


def test_links_and_what_is_no_file_are_named_and_not_followed(root: Path, tmp_path: Path) -> None:
    write(tmp_path, {"elsewhere/SKILL.md": "secret\n"})
    (root / ".agents/skills/linked").symlink_to(tmp_path / "elsewhere")
    (root / "data/notes/linked.md").symlink_to(tmp_path / "elsewhere/SKILL.md")
    (root / "data/linked").symlink_to(tmp_path / "elsewhere")
    os.mkfifo(root / "data/notes/pipe.md")
    (root / "data/notes/others.md").write_text("x\n")
    (root / "data/notes/others.md").chmod(0o666)
    (root / "data/notes/large.md").write_bytes(b"x" * (surveying.LARGEST + 1))
    found = looked(root)
    for path, trouble in (
        (".agents/skills/linked/SKILL.md", "symbolic link"),
        ("data/notes/linked.md", "symbolic link"),
        ("data/notes/pipe.md", "named pipe"),
        ("data/notes/large.md", "larger than"),
    ):
        assert found.facts[path].text is None
        assert trouble in found.facts[path].trouble
    assert not found.facts["data/notes/others.md"].owned
    assert found.taken["linked"] == "a file or link is there"
    assert "data/linked/SKILL.md" not in found.facts
    assert found.facts["data/notes/customs.md"].ignored, "one odd path spoils no other"


def test_a_way_to_the_skills_that_cannot_be_used_is_named(root: Path, tmp_path: Path) -> None:
    init(root / ".agents/skills")
    assert "a repository of its own" in looked(root).facts[".agents/skills"].trouble
    (root / ".agents").rename(tmp_path / "moved")
    (root / ".agents").symlink_to(tmp_path / "moved")
    found = looked(root)
    assert "symbolic link" in found.facts[".agents"].trouble
    assert [path for path in found.facts if path.startswith(".agents/")] == []
    assert "symbolic link" in judge("new-one", found).refused


def test_a_home_outside_any_repository_says_so(tmp_path: Path) -> None:
    root = tmp_path.resolve() / "home"
    write(root, FILES)
    found = looked(root)
    assert found.repository == ""
    assert found.note.startswith("fatal: not a git repository")
    assert found.facts["data/notes/customs.md"].ignored == ""
    assert found.taken["tides"] == "a directory is there"


def test_a_home_below_the_top_of_its_repository(tmp_path: Path) -> None:
    top = init(tmp_path.resolve() / "fleet")
    root = top / "homes/one"
    write(root, FILES)
    commit(top, "homes/one/.gitignore", "homes/one/.agents/skills/Handover")
    found = looked(root)
    assert found.repository == str(top)
    assert found.facts["data/notes/customs.md"].ignored == "homes/one/.gitignore:1: /data/"
    assert found.facts[".agents/skills/Handover/SKILL.md"].tracked


def test_data_that_lies_elsewhere_is_asked_of_the_repository_around_it(root: Path, tmp_path: Path) -> None:
    other = init(tmp_path.resolve() / "memory")
    write(other, {"captain.md": "# Captain\n", "open.md": "x\n", "kept/closed.md": "y\n", "in.md": "z\n"})
    (other / ".git/info/exclude").write_text("/kept/\n")
    commit(other, "in.md")
    found = looked(root, {"FM_HOME": str(root), "FM_DATA_OVERRIDE": str(other)})
    told = {path: (fact.tracked, fact.ignored) for path, fact in found.facts.items() if "data" in path}
    assert told == {
        "data/in.md": (True, ""),
        "data/kept/closed.md": (False, ".git/info/exclude:1: /kept/"),
        "data/open.md": (False, ""),
    }
