"""Committing a memory: exactly the files asked for, with hooks, pushed to a real remote, nothing forced."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from repositories import commit, git, init, tree, write

from floppy_tui.store.publish import Publisher, Step

MEMORY = ".agent-memory"
SAID = "Remove oven: replaced by east-oven\n\n# kept, though it begins like a comment\n"


@pytest.fixture(autouse=True)
def who(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Captain")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "captain@example.org")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "no-config"))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = init(tmp_path / "code")
    write(
        root, {f"{MEMORY}/MEMORY.md": "# Index\n", f"{MEMORY}/a.md": "a\n", "main.py": "1\n", "b.py": "1\n"}
    )
    commit(root, ".")
    return root


def publisher(root: Path, *, push: bool = False) -> Publisher:
    return Publisher(root / MEMORY, push=push)


def run(made: Publisher, paths: list[str], message: str = SAID) -> tuple[Step, ...]:
    seen: list[Step] = []
    steps = made.commit(paths, message, seen.append)
    assert tuple(seen) == steps
    return steps


def held(root: Path, commit: str = "HEAD") -> list[str]:
    said = git(root, "show", "--format=", "--name-only", "--no-renames", "-z", commit)
    return sorted(name for name in said.split("\0") if name)


ODD = ["-lead.md", "two words.md", "größe.md", "[ab]*.md", "yard/rope (1).md", ":top.md"]


def test_exactly_the_list_is_committed_whatever_the_names(repository: Path) -> None:
    write(repository, {f"{MEMORY}/{name}": name for name in ODD} | {f"{MEMORY}/a.md": "b\n"})
    write(repository, {f"{MEMORY}/beside.md": "not asked for\n", "main.py": "2\n", "b.py": "2\n"})
    git(repository, "add", "main.py")
    before = git(repository, "diff", "--cached")
    there = publisher(repository)
    standing = there.standing()
    assert [(c.path, c.status) for c in standing.files] == sorted(
        [(name, "A") for name in [*ODD, "beside.md"]] + [("a.md", "M")]
    )
    assert (standing.branch, standing.upstream, standing.others, standing.problem) == ("main", "", 1, "")
    steps = run(there, [*ODD, "a.md"])
    assert all(step.ok for step in steps), steps
    assert held(repository) == sorted(f"{MEMORY}/{name}" for name in [*ODD, "a.md"])
    assert git(repository, "log", "-1", "--format=%B").strip() == SAID.strip()
    assert git(repository, "diff", "--cached") == before
    assert [c.path for c in there.standing().files] == ["beside.md"]


def test_a_rename_is_two_files_and_the_diff_shows_both(repository: Path) -> None:
    (repository / MEMORY / "a.md").rename(repository / MEMORY / "new name.md")
    there = publisher(repository)
    assert [(c.path, c.status) for c in there.standing().files] == [("a.md", "D"), ("new name.md", "A")]
    shown = there.diff(["a.md", "new name.md"])
    assert "-a\n" in shown
    assert "+a\n" in shown
    assert "main.py" not in shown
    steps = run(there, ["a.md", "new name.md"])
    assert steps[-1].ok
    assert held(repository) == [f"{MEMORY}/a.md", f"{MEMORY}/new name.md"]
    assert git(repository, "status", "--porcelain") == ""


def test_the_first_commit_of_a_repository(tmp_path: Path) -> None:
    root = init(tmp_path / "young")
    write(root, {f"{MEMORY}/MEMORY.md": "# Index\n", "other.py": "1\n"})
    there = publisher(root)
    assert "+# Index" in there.diff(["MEMORY.md"])
    assert run(there, ["MEMORY.md"])[-1].ok
    assert held(root) == [f"{MEMORY}/MEMORY.md"]
    assert there.committed("MEMORY.md") == "# Index\n"
    assert there.committed("a.md") is None


def test_a_hook_that_refuses_leaves_index_and_files_as_they_were(repository: Path) -> None:
    hook = repository / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho 'the hook says no' >&2\nexit 1\n")
    hook.chmod(0o755)
    write(repository, {f"{MEMORY}/a.md": "b\n", f"{MEMORY}/new.md": "n\n", "main.py": "2\n"})
    git(repository, "add", "main.py")
    before = (git(repository, "status", "--porcelain"), git(repository, "rev-parse", "HEAD"))
    files = tree(repository, without=".git")
    steps = run(publisher(repository), ["a.md", "new.md"])
    assert not steps[-1].ok
    assert "the hook says no" in steps[-1].result
    assert (git(repository, "status", "--porcelain"), git(repository, "rev-parse", "HEAD")) == before
    assert tree(repository, without=".git") == files


@pytest.mark.parametrize(
    ("paths", "message", "words"),
    [
        ([], SAID, "No file"),
        (["a.md"], " \n", "message"),
        (["MEMORY.md"], SAID, "as it was committed"),
        (["../main.py"], SAID, "does not lie below"),
        (["ignored.md"], SAID, "git ignores it"),
    ],
)
def test_what_is_refused_before_anything_is_done(
    repository: Path, paths: list[str], message: str, words: str
) -> None:
    (repository / ".git/info/exclude").write_text("ignored.md\n")
    write(repository, {f"{MEMORY}/a.md": "b\n", f"{MEMORY}/ignored.md": "n\n", "main.py": "2\n"})
    before = tree(repository)
    (step,) = run(publisher(repository), paths, message)
    assert words in step.result
    after = tree(repository)
    # Looking refreshes what git remembers of the files' times, and nothing else.
    before.pop(".git/index"), after.pop(".git/index")
    assert after == before


def test_outside_a_repository_and_within_a_merge_it_says_so(tmp_path: Path, repository: Path) -> None:
    (tmp_path / "bare").mkdir()
    assert "no git repository" in Publisher(tmp_path / "bare", push=True).standing().problem
    write(repository, {f"{MEMORY}/a.md": "b\n"})
    (repository / ".git/MERGE_HEAD").write_text(git(repository, "rev-parse", "HEAD") + "\n")
    (step,) = run(publisher(repository), ["a.md"])
    assert "A merge is under way" in step.result


# With a remote.


@pytest.fixture
def clones(tmp_path: Path, repository: Path) -> Iterator[tuple[Path, Path, Path]]:
    """The repository, a bare remote on disk, and the clone of somebody who pushes in between."""
    remote, other = tmp_path / "remote.git", tmp_path / "other"
    git(tmp_path, "clone", "-q", "--bare", str(repository), str(remote))
    git(repository, "remote", "add", "origin", str(remote))
    git(repository, "fetch", "-q")
    git(repository, "branch", "-q", "--set-upstream-to=origin/main")
    git(tmp_path, "clone", "-q", str(remote), str(other))
    yield repository, remote, other


def others_push(other: Path, files: dict[str, str]) -> str:
    write(other, files)
    commit(other, *files)
    git(other, "push", "-q")
    return git(other, "rev-parse", "HEAD")


def test_it_pushes_where_the_branch_comes_from(clones: tuple[Path, Path, Path]) -> None:
    repository, remote, _ = clones
    write(repository, {f"{MEMORY}/a.md": "b\n", "main.py": "unfinished\n"})
    steps = run(publisher(repository, push=True), ["a.md"])
    assert [s.title for s in steps] == [
        "Check the list",
        "Commit",
        "See what the commit holds",
        "Fetch",
        "Push",
    ]
    assert all(step.ok for step in steps), steps
    assert git(remote, "rev-parse", "main") == git(repository, "rev-parse", "HEAD")
    assert (repository / "main.py").read_text() == "unfinished\n"


def test_never_push_stays_here(clones: tuple[Path, Path, Path]) -> None:
    repository, remote, _ = clones
    write(repository, {f"{MEMORY}/a.md": "b\n"})
    before = git(remote, "rev-parse", "main")
    steps = run(publisher(repository), ["a.md"])
    assert steps[-1].title == "See what the commit holds"
    assert git(remote, "rev-parse", "main") == before
    assert publisher(repository).standing().ahead == 1


def test_what_others_pushed_in_between_is_rebased_onto(clones: tuple[Path, Path, Path]) -> None:
    repository, remote, other = clones
    theirs = others_push(other, {f"{MEMORY}/theirs.md": "t\n"})
    write(repository, {f"{MEMORY}/a.md": "b\n"})
    steps = run(publisher(repository, push=True), ["a.md"])
    assert all(step.ok for step in steps), steps
    assert git(remote, "rev-parse", "main^") == theirs
    assert (repository / MEMORY / "theirs.md").read_text() == "t\n"
    assert held(repository) == [f"{MEMORY}/a.md"]


def test_a_conflict_is_shown_and_taken_back_to_the_commit(clones: tuple[Path, Path, Path]) -> None:
    repository, remote, other = clones
    theirs = others_push(other, {f"{MEMORY}/a.md": "theirs\n"})
    write(repository, {f"{MEMORY}/a.md": "ours\n"})
    steps = run(publisher(repository, push=True), ["a.md"])
    assert not steps[-1].ok
    assert "CONFLICT" in steps[-1].result
    assert "not pushed" in steps[-1].result
    assert (repository / MEMORY / "a.md").read_text() == "ours\n"
    assert git(repository, "status", "--porcelain") == ""
    assert held(repository) == [f"{MEMORY}/a.md"]
    assert git(remote, "rev-parse", "main") == theirs
    standing = publisher(repository).standing()
    assert (standing.ahead, standing.behind, standing.problem) == (1, 1, "")


def test_unfinished_work_is_in_the_way_of_a_rebase_and_stays(
    clones: tuple[Path, Path, Path],
) -> None:
    repository, remote, other = clones
    theirs = others_push(other, {"main.py": "theirs\n"})
    write(repository, {f"{MEMORY}/a.md": "b\n", "main.py": "unfinished\n"})
    steps = run(publisher(repository, push=True), ["a.md"])
    assert not steps[-1].ok
    assert "unstaged changes" in steps[-1].result
    assert (repository / "main.py").read_text() == "unfinished\n"
    assert git(remote, "rev-parse", "main") == theirs
    assert held(repository) == [f"{MEMORY}/a.md"]


def test_a_refused_push_and_a_missing_upstream_leave_the_commit_here(clones: tuple[Path, Path, Path]) -> None:
    repository, remote, _ = clones
    hook = remote / "hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho 'not today' >&2\nexit 1\n")
    hook.chmod(0o755)
    write(repository, {f"{MEMORY}/a.md": "b\n"})
    steps = run(publisher(repository, push=True), ["a.md"])
    assert not steps[-1].ok
    assert "not today" in steps[-1].result
    assert held(repository) == [f"{MEMORY}/a.md"]
    git(repository, "switch", "-q", "-c", "alone")
    write(repository, {f"{MEMORY}/a.md": "c\n"})
    steps = run(publisher(repository, push=True), ["a.md"])
    assert not steps[-1].ok
    assert "no upstream" in steps[-1].result
    assert held(repository) == [f"{MEMORY}/a.md"]


def test_it_can_be_stopped_between_the_steps(clones: tuple[Path, Path, Path]) -> None:
    repository, remote, _ = clones
    write(repository, {f"{MEMORY}/a.md": "b\n"})
    before = git(remote, "rev-parse", "main")
    seen: list[Step] = []
    steps = publisher(repository, push=True).commit(["a.md"], SAID, seen.append, lambda: len(seen) >= 3)
    assert steps[-1].title == "Stopped"
    assert held(repository) == [f"{MEMORY}/a.md"]
    assert git(remote, "rev-parse", "main") == before
