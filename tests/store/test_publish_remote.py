"""Pushing a memory to a real remote on disk, to which somebody else pushes in between: nothing is forced."""

from __future__ import annotations

import time
from pathlib import Path
from typing import NamedTuple

import pytest
from publishing import MEMORY, SAID, code, held, hook, publisher, run
from repositories import commit, git, init, tree, write

from floppy_tui.store.publish import Publisher, Step


class Clones(NamedTuple):
    """The repository, its bare remote, and the clone of somebody else."""

    ours: Path
    remote: Path
    other: Path

    def others_push(self, files: dict[str, str]) -> str:
        """Somebody else pushes ``files``; his commit."""
        write(self.other, files)
        commit(self.other, *files)
        git(self.other, "push", "-q")
        return git(self.other, "rev-parse", "HEAD")

    def pushed(self) -> str:
        """What the remote's branch holds."""
        return git(self.remote, "rev-parse", "main")

    def head(self) -> str:
        return git(self.ours, "rev-parse", "HEAD")


def cloned(ours: Path) -> Clones:
    """A bare remote for ``ours``, which then tracks it, and another clone."""
    remote, other = ours.parent / "remote.git", ours.parent / "other"
    git(ours.parent, "clone", "-q", "--bare", str(ours), str(remote))
    git(ours, "remote", "add", "origin", str(remote))
    git(ours, "fetch", "-q")
    git(ours, "branch", "-q", "--set-upstream-to=origin/main")
    git(ours.parent, "clone", "-q", str(remote), str(other))
    return Clones(ours, remote, other)


@pytest.fixture
def clones(tmp_path: Path) -> Clones:
    return cloned(code(tmp_path / "code"))


def pushing(clones: Clones, *, then: object = None, **more: object) -> tuple[Step, ...]:
    """Change and commit ``a.md``, with pushing."""
    write(clones.ours, {f"{MEMORY}/a.md": "ours\n"})
    if callable(then):
        more["then"] = then
    return run(publisher(clones.ours, push=True), ["a.md"], **more)  # type: ignore[arg-type]


def stayed(clones: Clones, steps: tuple[Step, ...], title: str, words: str, pushed: str) -> None:
    """The commit is here as it was made, the step ``title`` failed with ``words``, and nothing was pushed."""
    assert (steps[-1].title.split(" (")[0], steps[-1].ok) == (title, False)
    assert words in steps[-1].result
    assert held(clones.ours) == [f"{MEMORY}/a.md"]
    assert (clones.ours / MEMORY / "a.md").read_text() == "ours\n"
    assert clones.pushed() == pushed


def test_it_pushes_where_the_branch_comes_from(clones: Clones) -> None:
    write(clones.ours, {"main.py": "unfinished\n"})
    steps = pushing(clones)
    assert [s.title for s in steps] == [
        *("Check the list", "Commit", "See what the commit holds", "Fetch", "Push"),
    ]
    assert steps[-1].ok
    assert clones.pushed() == clones.head()
    assert (clones.ours / "main.py").read_text() == "unfinished\n"


def test_never_push_stays_here(clones: Clones) -> None:
    before = clones.pushed()
    write(clones.ours, {f"{MEMORY}/a.md": "b\n"})
    steps = run(publisher(clones.ours), ["a.md"])
    assert steps[-1].title == "See what the commit holds"
    assert clones.pushed() == before
    assert publisher(clones.ours).standing().ahead == 1


def test_the_first_commit_of_a_clone_of_nothing_is_pushed(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "remote.git")
    git(tmp_path, "clone", "-q", "remote.git", "young")
    young = tmp_path / "young"
    write(young, {f"{MEMORY}/MEMORY.md": "# Index\n"})
    steps = run(publisher(young, push=True), ["MEMORY.md"])
    assert steps[-1].ok, steps
    assert git(tmp_path / "remote.git", "rev-parse", "main") == git(young, "rev-parse", "HEAD")


def test_what_was_not_pushed_before_goes_with_it_and_is_told(clones: Clones) -> None:
    write(clones.ours, {"b.py": "2\n"})
    commit(clones.ours, "b.py")
    steps = pushing(clones)
    assert steps[-1].ok
    assert "2 commits were pushed: this one, and those before it" in steps[-1].result


def test_what_others_pushed_in_between_is_rebased_onto(clones: Clones) -> None:
    theirs = clones.others_push({f"{MEMORY}/theirs.md": "t\n"})
    steps = pushing(clones)
    assert steps[-1].ok, steps
    assert "Rebase onto what others pushed (1)" in [s.title for s in steps]
    assert git(clones.remote, "rev-parse", "main^") == theirs
    assert (clones.ours / MEMORY / "theirs.md").read_text() == "t\n"
    assert held(clones.ours) == [f"{MEMORY}/a.md"]


def test_in_a_store_the_memory_of_another_project_stays_as_it_is(tmp_path: Path) -> None:
    store = init(tmp_path / "store")
    write(store, {"acme/a.md": "a\n", "mill/a.md": "a\n"})
    commit(store, ".")
    clones = cloned(store)
    theirs = clones.others_push({"acme/theirs.md": "t\n"})
    write(store, {"acme/unfinished.md": "u\n", "mill/a.md": "b\n"})
    assert run(Publisher(store / "mill", push=True), ["a.md"])[-1].ok
    assert git(clones.remote, "rev-parse", "main^") == theirs
    assert held(clones.remote, "main") == ["mill/a.md"]
    assert git(store, "status", "--porcelain") == "?? acme/unfinished.md"


# What the captain's settings would push or move besides.


@pytest.mark.parametrize(
    "setting", ["remote.origin.push=+refs/heads/*:refs/heads/*", "push.default=matching"]
)
def test_nothing_but_the_branch_is_pushed_and_nothing_by_force(clones: Clones, setting: str) -> None:
    git(clones.ours, "branch", "shared")
    git(clones.ours, "push", "-q", "origin", "shared")
    git(clones.ours, "branch", "secret")
    git(clones.ours, "config", *setting.split("=", 1))
    git(clones.other, "fetch", "-q")
    git(clones.other, "switch", "-q", "shared")
    theirs = clones.others_push({"theirs.py": "t\n"})
    assert pushing(clones)[-1].ok
    assert clones.pushed() == clones.head()
    said = git(clones.remote, "for-each-ref", "--format=%(refname:short) %(objectname)")
    assert said.split("\n") == [f"main {clones.head()}", f"shared {theirs}"]


def test_a_mirror_is_refused_by_git(clones: Clones) -> None:
    git(clones.ours, "config", "remote.origin.mirror", "true")
    before = clones.pushed()
    stayed(
        clones, pushing(clones), "Push", "Nothing was forced. The commit is here and was not pushed", before
    )


def test_a_rebase_puts_nothing_away_and_moves_no_other_branch(clones: Clones) -> None:
    for setting in ("rebase.autoStash", "rebase.updateRefs", "rebase.forkPoint"):
        git(clones.ours, "config", setting, "true")
    write(clones.ours, {"b.py": "2\n"})
    commit(clones.ours, "b.py")
    git(clones.ours, "branch", "kept")
    kept = git(clones.ours, "rev-parse", "kept")
    clones.others_push({"theirs.py": "t\n"})
    assert pushing(clones)[-1].ok
    assert git(clones.ours, "rev-parse", "kept") == kept
    git(clones.other, "pull", "-q", "--rebase")
    theirs = clones.others_push({"theirs.py": "u\n"})
    write(clones.ours, {"main.py": "unfinished\n", f"{MEMORY}/a.md": "more\n"})
    steps = run(publisher(clones.ours, push=True), ["a.md"])
    assert "unstaged changes" in steps[-1].result
    assert (clones.ours / "main.py").read_text() == "unfinished\n"
    assert git(clones.ours, "stash", "list") == ""
    assert clones.pushed() == theirs


# What is in the way.


def test_a_conflict_is_shown_and_taken_back_to_the_commit(clones: Clones) -> None:
    theirs = clones.others_push({f"{MEMORY}/a.md": "theirs\n"})
    steps = pushing(clones)
    stayed(clones, steps, "Rebase onto what others pushed", "CONFLICT", theirs)
    assert "rebase --abort\nThe rebase was aborted." in steps[-1].result
    assert "was not pushed; pull and settle it" in steps[-1].result
    assert git(clones.ours, "status", "--porcelain") == ""
    standing = publisher(clones.ours).standing()
    assert (standing.ahead, standing.behind, standing.problem) == (1, 1, "")


@pytest.mark.parametrize(
    ("theirs", "ours", "staged", "words"),
    [
        ({"main.py": "theirs\n"}, {"main.py": "unfinished\n"}, False, "unstaged changes"),
        ({"b.py": "theirs\n"}, {"main.py": "unfinished\n"}, True, "uncommitted changes"),
        ({"new.md": "theirs\n"}, {"new.md": "unfinished\n"}, False, "untracked working tree files"),
    ],
)
def test_unfinished_work_is_in_the_way_of_a_rebase_and_stays(
    clones: Clones, theirs: dict[str, str], ours: dict[str, str], staged: bool, words: str
) -> None:
    made = clones.others_push(theirs)
    write(clones.ours, ours)
    if staged:
        git(clones.ours, "add", *ours)
    before = git(clones.ours, "status", "--porcelain")
    stayed(clones, pushing(clones), "Rebase onto what others pushed", words, made)
    assert git(clones.ours, "status", "--porcelain") == before
    assert all((clones.ours / name).read_text() == text for name, text in ours.items())


def test_merges_are_not_taken_apart(clones: Clones) -> None:
    git(clones.ours, "switch", "-q", "-c", "side")
    write(clones.ours, {"side.py": "1\n"})
    commit(clones.ours, "side.py")
    git(clones.ours, "switch", "-q", "main")
    git(clones.ours, "merge", "-q", "--no-ff", "-m", "Merge", "side")
    theirs = clones.others_push({"theirs.py": "t\n"})
    stayed(clones, pushing(clones), "Rebase onto what others pushed", "There are merges", theirs)


def test_a_push_that_is_refused_is_shown(clones: Clones) -> None:
    hook(clones.remote, "pre-receive", "echo 'not today' >&2; exit 1")
    before = clones.pushed()
    stayed(clones, pushing(clones), "Push", "not today", before)


def test_what_is_pushed_after_the_fetch_is_not_overwritten(clones: Clones) -> None:
    pushed: list[str] = []

    def then(step: Step) -> None:
        if step.title == "Fetch":
            pushed.append(clones.others_push({"theirs.py": "t\n"}))

    steps = pushing(clones, then=then)
    stayed(clones, steps, "Push", "[rejected]", pushed[0])
    assert "Nothing was forced" in steps[-1].result


def test_a_remote_that_is_not_there_is_shown(clones: Clones) -> None:
    before = clones.pushed()
    away = clones.remote.rename(clones.remote.with_name("away.git"))
    steps = pushing(clones)
    away.rename(clones.remote)
    stayed(clones, steps, "Fetch", "does not appear to be a git repository", before)


@pytest.mark.parametrize(
    ("commands", "words"),
    [
        (["switch -q -c alone"], "The branch alone has no upstream; set one with `git push -u origin alone`"),
        (
            ["switch -q -c alone --track main"],
            "The upstream of alone is no remote's branch (refs/heads/main)",
        ),
        (["checkout -q --detach"], "No branch is checked out"),
    ],
)
def test_where_there_is_nowhere_to_push_it_says_what_to_do(
    clones: Clones, commands: list[str], words: str
) -> None:
    before = clones.pushed()
    for command in commands:
        git(clones.ours, *command.split())
    main = git(clones.ours, "rev-parse", "main")
    steps = pushing(clones)
    stayed(clones, steps, "Find where to push", words, before)
    assert "The commit is here" in steps[-1].result
    assert git(clones.ours, "rev-parse", "main") == main


# Somebody else at work in the same clone, and stopping.


def test_another_process_that_commits_before_the_rebase_is_told_of(clones: Clones) -> None:
    theirs = clones.others_push({"theirs.py": "t\n"})

    def then(step: Step) -> None:
        if step.title == "Fetch":
            git(clones.ours, "commit", "-q", "--allow-empty", "-m", "Beside")

    steps = pushing(clones, then=then)
    assert "Another process moved HEAD meanwhile" in steps[-1].result
    assert git(clones.ours, "log", "-1", "--format=%s") == "Beside"
    assert clones.pushed() == theirs


def test_a_rebase_of_somebody_else_is_not_aborted(clones: Clones) -> None:
    theirs = clones.others_push({"theirs.py": "t\n"})
    under_way = clones.ours / ".git/rebase-merge"

    def then(step: Step) -> None:
        if step.title == "Fetch":
            under_way.mkdir()

    stayed(
        clones, pushing(clones, then=then), "Rebase onto what others pushed", "A rebase is under way", theirs
    )
    assert under_way.is_dir()


@pytest.mark.parametrize("last", ["See what the commit holds", "Fetch", "Rebase"])
def test_it_can_be_stopped_between_the_steps(clones: Clones, last: str) -> None:
    theirs = clones.others_push({"theirs.py": "t\n"})
    seen: list[str] = []
    steps = pushing(
        clones,
        then=lambda step: seen.append(step.title.split(" onto")[0]),
        stopped=lambda: last in seen,
    )
    stayed(clones, steps, "Stopped", "what is above was done", theirs)
    assert seen[-2] == last


def test_stopped_after_the_last_step_it_is_done(clones: Clones) -> None:
    seen: list[str] = []
    steps = pushing(clones, then=lambda step: seen.append(step.title), stopped=lambda: "Push" in seen)
    assert (steps[-1].title, steps[-1].ok) == ("Push", True)
    assert clones.pushed() == clones.head()


@pytest.mark.parametrize("side", ["upload", "receive"])
def test_a_network_that_gives_no_answer_can_be_stopped(clones: Clones, side: str) -> None:
    waits = clones.ours.parent / "waits"
    git(clones.ours, "config", f"remote.origin.{side}pack", f"touch {waits}; sleep 60; false")
    before, started = clones.pushed(), time.monotonic()
    steps = pushing(clones, stopped=waits.exists)
    title = "Fetch" if side == "upload" else "Push"
    stayed(clones, steps, title, "stopped as asked", before)
    assert time.monotonic() - started < 10
    assert SAID.strip() == git(clones.ours, "log", "-1", "--format=%B").strip()
    assert not [name for name in tree(clones.ours) if name.endswith(".lock")]
