"""Clones of projects: the default branch as the last fetch left it, and what an agent reads there."""

from __future__ import annotations

from pathlib import Path

import pytest
from repositories import commit, git, init, tree, write

from floppy_tui.store.projects import LARGEST, look_at_project, look_at_projects

SKILL = ".agents/skills/tides/SKILL.md"


@pytest.fixture
def upstream(tmp_path: Path) -> Path:
    made = init(tmp_path.resolve() / "upstream")
    write(made, {"AGENTS.md": "# tidefeed\n", SKILL: "skill\n", "README.md": "r\n"})
    commit(made, ".")
    return made


@pytest.fixture
def clone(tmp_path: Path, upstream: Path) -> Path:
    place = tmp_path.resolve() / "home/projects/tidefeed"
    place.parent.mkdir(parents=True)
    git(tmp_path, "clone", "-q", str(upstream), str(place))
    return place


def test_the_remote_branch_counts_and_not_what_is_checked_out(clone: Path) -> None:
    write(clone, {"AGENTS.md": "# changed here\n"})
    git(clone, "checkout", "-q", "-b", "task")
    commit(clone, "AGENTS.md")
    before = tree(clone)
    found = look_at_project(clone)
    assert tree(clone) == before
    assert (found.name, found.branch, found.note) == ("tidefeed", "origin/main", "")
    assert found.agents == "# tidefeed\n"
    assert found.skills == {SKILL: "skill\n"}


def test_what_landed_shows_after_a_fetch_that_others_do(clone: Path, upstream: Path) -> None:
    write(upstream, {"AGENTS.md": "# tidefeed\n\nMore.\n"})
    commit(upstream, "AGENTS.md")
    assert look_at_project(clone).agents == "# tidefeed\n"
    git(clone, "fetch", "-q")
    assert look_at_project(clone).agents == "# tidefeed\n\nMore.\n"


def test_without_a_head_of_the_remote_its_main_or_master_counts(clone: Path) -> None:
    git(clone, "remote", "set-head", "origin", "--delete")
    assert look_at_project(clone).branch == "origin/main"
    git(clone, "update-ref", "refs/remotes/origin/master", "refs/remotes/origin/main")
    git(clone, "update-ref", "-d", "refs/remotes/origin/main")
    assert look_at_project(clone).branch == "origin/master"
    git(clone, "update-ref", "-d", "refs/remotes/origin/master")
    found = look_at_project(clone)
    assert (found.branch, found.agents) == ("", None)
    assert found.note == "no default branch of its remote is known here; fetch it once"


def test_without_a_remote_the_local_branch_counts(upstream: Path, tmp_path: Path) -> None:
    git(upstream, "checkout", "-q", "-b", "task")
    assert look_at_project(upstream).branch == "main"
    git(upstream, "branch", "-q", "-D", "main")
    assert look_at_project(upstream).branch == "task"
    assert look_at_project(init(tmp_path / "empty")).note == "it has no commit yet"


@pytest.mark.parametrize(
    ("tags", "newest"),
    [
        ([], ""),
        (["v1.9.0", "v1.10.0", "v1.10.0-rc.1", "v2.0-beta", "nightly", "2026-01-01"], "v1.10.0"),
        (["tidefeed@4.2", "other@9.0", "release-4.1.9"], "tidefeed@4.2"),
        (["v3", "2.9.9"], "v3"),
    ],
)
def test_the_newest_release_is_the_highest_version(clone: Path, tags: list[str], newest: str) -> None:
    for tag in tags:
        git(clone, "tag", tag)
    assert look_at_project(clone).release == newest


def test_what_is_no_file_or_too_large_is_named(clone: Path, upstream: Path) -> None:
    (upstream / "AGENTS.md").unlink()
    (upstream / "AGENTS.md").symlink_to("README.md")
    write(
        upstream,
        {
            SKILL: "x" * (LARGEST + 1),
            ".claude/skills/a\nb/SKILL.md": "odd \udcff".encode("utf-8", "surrogateescape").decode("latin-1"),
        },
    )
    commit(upstream, ".")
    git(clone, "fetch", "-q")
    found = look_at_project(clone)
    assert found.agents is None
    assert list(found.skills) == [".claude/skills/a\nb/SKILL.md"]
    assert "AGENTS.md is no regular file on origin/main" in found.note
    assert f"{SKILL} on origin/main is too large to be looked into" in found.note


def test_the_clones_of_a_home_by_name(clone: Path, upstream: Path) -> None:
    projects = clone.parent
    (projects / "linked").symlink_to(upstream)
    (projects / "plain").mkdir()
    (projects / "broken/.git").mkdir(parents=True)
    found = look_at_projects(projects)
    assert sorted(found) == ["broken", "linked", "tidefeed"]
    assert found["linked"].note == "it is a symbolic link, which is not followed"
    assert found["broken"].note
    assert look_at_projects(projects / "missing") == {}


def test_a_directory_inside_the_homes_own_repository_is_no_clone(clone: Path) -> None:
    home = init(clone.parent.parent)
    (home / "projects/broken/.git").mkdir(parents=True)
    assert look_at_projects(home / "projects")["broken"].note == "it is no clone of its own"
