"""Committing a memory: exactly the files asked for, with the captain's hooks, or nothing at all."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from publishing import MEMORY, SAID, code, held, hook, publisher, run, state
from repositories import commit, git, init, tree, write

from floppy_tui.store.files import StoreError
from floppy_tui.store.publish import Publisher

ODD = ["-lead.md", "two words.md", "größe.md", "[ab]*.md", "yard/rope (1).md", ":top.md", "new\nline.md"]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return code(tmp_path / "code")


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
    shown = there.diff([*ODD, "a.md"])
    assert shown.count("diff --git ") == len(ODD) + 1
    assert "not asked for" not in shown
    steps = run(there, [*ODD, "a.md"])
    assert steps[-1].ok, steps
    assert held(repository) == sorted(f"{MEMORY}/{name}" for name in [*ODD, "a.md"])
    assert git(repository, "log", "-1", "--format=%B").strip() == SAID.strip()
    assert git(repository, "diff", "--cached") == before
    assert [c.path for c in there.standing().files] == ["beside.md"]


def test_a_rename_is_two_files_and_the_diff_shows_both(repository: Path) -> None:
    (repository / MEMORY / "a.md").rename(repository / MEMORY / "new name.md")
    there = publisher(repository)
    assert [(c.path, c.status) for c in there.standing().files] == [("a.md", "D"), ("new name.md", "A")]
    shown = there.diff(["a.md", "new name.md"])
    assert f"--- a/{MEMORY}/a.md" in shown and f"+++ b/{MEMORY}/new name.md" in shown
    assert "\n-a\n" in shown and "\n+a\n" in shown
    assert run(there, ["a.md", "new name.md"])[-1].ok
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


def test_a_memory_that_is_the_repository_and_one_in_a_store(tmp_path: Path) -> None:
    store = init(tmp_path / "store")
    write(store, {"acme/a.md": "a\n", "mill/a.md": "a\n"})
    commit(store, ".")
    write(store, {"acme/a.md": "b\n", "mill/a.md": "b\n"})
    git(store, "add", "acme/a.md")
    whole, part = Publisher(store, push=False), Publisher(store / "mill", push=False)
    assert ([c.path for c in whole.standing().files], whole.standing().others) == (
        ["acme/a.md", "mill/a.md"],
        0,
    )
    assert ([c.path for c in part.standing().files], part.standing().others) == (["a.md"], 1)
    assert run(part, ["a.md"])[-1].ok
    assert held(store) == ["mill/a.md"]
    assert git(store, "status", "--porcelain") == "M  acme/a.md"
    assert run(whole, ["acme/a.md"])[-1].ok


def test_without_a_branch_it_is_committed_as_well(repository: Path) -> None:
    git(repository, "checkout", "-q", "--detach")
    write(repository, {f"{MEMORY}/a.md": "b\n"})
    assert publisher(repository).standing().branch == ""
    assert run(publisher(repository), ["a.md"])[-1].ok
    assert git(repository, "rev-parse", "HEAD^") == git(repository, "rev-parse", "main")


@pytest.mark.parametrize("there", [True, False])
def test_what_left_the_index_alone_is_compared_with_the_commit(repository: Path, there: bool) -> None:
    git(repository, "rm", "-q", "--cached", f"{MEMORY}/a.md")
    if there:
        write(repository, {f"{MEMORY}/a.md": "b\n"})
    else:
        (repository / MEMORY / "a.md").unlink()
    made = publisher(repository)
    assert made.standing().files == (("a.md", "M" if there else "D", True),)
    assert ("\n+b\n" in made.diff(["a.md"])) is there
    assert run(made, ["a.md"])[-1].ok
    assert git(repository, "status", "--porcelain") == ""


def test_a_repository_within_is_no_file_of_the_memory(repository: Path) -> None:
    code(repository / MEMORY / "inner")
    assert publisher(repository).standing().files == ()


# Where it fails.


def refusing_hook(repository: Path, patch: pytest.MonkeyPatch) -> str:
    hook(repository, "pre-commit", "echo 'the hook says no' >&2; exit 1")
    return "the hook says no"


def nobody(repository: Path, patch: pytest.MonkeyPatch) -> str:
    for role in ("AUTHOR", "COMMITTER"):
        patch.delenv(f"GIT_{role}_NAME")
        patch.delenv(f"GIT_{role}_EMAIL")
    git(repository, "config", "user.useConfigOnly", "true")
    return "Please tell me who you are"


def locked_index(repository: Path, patch: pytest.MonkeyPatch) -> str:
    (repository / ".git/index.lock").touch()
    return "index.lock"


@pytest.mark.parametrize("fails", [refusing_hook, nobody, locked_index])
def test_where_it_fails_index_and_files_are_as_they_were(
    repository: Path, monkeypatch: pytest.MonkeyPatch, fails: Callable[[Path, pytest.MonkeyPatch], str]
) -> None:
    write(repository, {f"{MEMORY}/a.md": "half\n", f"{MEMORY}/meant.md": "m\n", "main.py": "2\n"})
    git(repository, "add", "main.py", f"{MEMORY}/a.md")
    git(repository, "add", "--intent-to-add", f"{MEMORY}/meant.md")
    write(repository, {f"{MEMORY}/a.md": "whole\n", f"{MEMORY}/new.md": "n\n"})
    (repository / MEMORY / "MEMORY.md").unlink()
    before, files = state(repository), tree(repository, without=".git")
    words = fails(repository, monkeypatch)
    steps = run(publisher(repository), ["a.md", "meant.md", "new.md", "MEMORY.md"])
    assert not steps[-1].ok
    assert words in steps[-1].result
    (repository / ".git/index.lock").unlink(missing_ok=True)
    # What it remembers of the files' times may be fresher.
    assert [s.replace("\n  ", " ").split(" ctime")[0] for s in state(repository)] == [
        s.replace("\n  ", " ").split(" ctime")[0] for s in before
    ]
    assert git(repository, "diff", "--cached", "--name-status").split() == [
        *("M", f"{MEMORY}/a.md", "M", "main.py"),
    ]
    assert tree(repository, without=".git") == files


@pytest.mark.parametrize(
    ("paths", "message", "words"),
    [
        ([], SAID, "No file"),
        (["a.md"], " \n", "message"),
        (["MEMORY.md"], SAID, "as it was committed"),
        (["../main.py"], SAID, "does not lie below"),
        (["/etc/passwd"], SAID, "does not lie below"),
        (["ignored.md"], SAID, "git ignores it"),
        (["a.md", "yard"], SAID, "as it was committed"),
        (["yard/n.md"], SAID, "yard is a symbolic link, which is never followed"),
    ],
)
def test_what_is_refused_before_anything_is_done(
    tmp_path: Path, repository: Path, paths: list[str], message: str, words: str
) -> None:
    (repository / ".git/info/exclude").write_text("ignored.md\n")
    write(repository, {f"{MEMORY}/yard/n.md": "n\n"})
    commit(repository, f"{MEMORY}/yard/n.md")
    write(repository, {f"{MEMORY}/a.md": "b\n", f"{MEMORY}/ignored.md": "n\n", "main.py": "2\n"})
    write(tmp_path, {"elsewhere/n.md": "of nobody's business\n"})
    if "yard/n.md" in paths:
        (repository / MEMORY / "yard/n.md").unlink()
        (repository / MEMORY / "yard").rmdir()
        (repository / MEMORY / "yard").symlink_to(tmp_path / "elsewhere")
    before = tree(repository)
    (step,) = run(publisher(repository), paths, message)
    assert not step.ok
    assert words in step.result
    assert tree(repository) == before


def test_where_nothing_can_be_committed_it_says_why(tmp_path: Path, repository: Path) -> None:
    (tmp_path / "bare").mkdir()
    assert "no git repository" in Publisher(tmp_path / "bare", push=True).standing().problem
    assert "work tree" in Publisher(repository / ".git", push=True).standing().problem
    write(repository, {f"{MEMORY}/a.md": "b\n"})
    (repository / ".git/MERGE_HEAD").write_text(git(repository, "rev-parse", "HEAD") + "\n")
    (step,) = run(publisher(repository), ["a.md"])
    assert "A merge is under way" in step.result


def test_a_file_in_conflict_is_not_committed(repository: Path) -> None:
    git(repository, "switch", "-q", "-c", "theirs")
    write(repository, {f"{MEMORY}/a.md": "theirs\n"})
    commit(repository, f"{MEMORY}/a.md")
    git(repository, "switch", "-q", "main")
    write(repository, {f"{MEMORY}/a.md": "ours\n"})
    git(repository, "stash", "-q")
    git(repository, "merge", "-q", "theirs")
    with pytest.raises(Exception, match="stash"):
        git(repository, "stash", "pop", "-q")
    assert publisher(repository).standing().files == (("a.md", "U", True),)
    (step,) = run(publisher(repository), ["a.md"])
    assert "a.md is in conflict" in step.result


# The captain's settings and hooks.


@pytest.fixture
def peculiar(repository: Path) -> Path:
    """With settings of the captain that would change what git tells us."""
    for setting in (
        *("diff.noprefix=true", "diff.mnemonicPrefix=true", "diff.relative=true", "diff.external=false"),
        *("color.ui=always", "core.quotePath=true", "status.relativePaths=true", "diff.renames=copies"),
        *("commit.cleanup=strip", "log.showSignature=true", "status.showUntrackedFiles=no"),
    ):
        git(repository, "config", *setting.split("="))
    return repository


def test_whatever_the_settings_the_difference_is_gits_own_to_the_byte(tmp_path: Path, peculiar: Path) -> None:
    root = peculiar.rename(tmp_path / 'od:d "place" \\')
    (root / MEMORY / "a.md").write_bytes(b"a\r\n\xff\n")
    write(root, {f"{MEMORY}/größe.md": "g\n", f"{MEMORY}/beside.md": "x\n"})
    before = tree(root)
    shown = publisher(root).diff(["a.md", "größe.md", "gone.md"])
    assert tree(root) == before
    assert f"--- a/{MEMORY}/a.md\n+++ b/{MEMORY}/a.md\n@@ -1 +1,2 @@\n-a\n+a\r\n+\udcff\n" in shown
    assert f"new file mode 100644\nindex 0000000..01058d8\n--- /dev/null\n+++ b/{MEMORY}/größe.md\n" in shown
    assert "beside" not in shown
    assert publisher(root).diff([]) == ""


def test_whatever_the_settings_the_commit_is_found_to_hold_the_list(peculiar: Path) -> None:
    write(peculiar, {f"{MEMORY}/a.md": "b\n", f"{MEMORY}/größe.md": "g\n", "main.py": "2\n"})
    git(peculiar, "add", "main.py")
    standing = publisher(peculiar).standing()
    assert ([c.path for c in standing.files], standing.others) == (["a.md", "größe.md"], 1)
    assert standing.last.startswith("20")
    assert run(publisher(peculiar), ["a.md", "größe.md"])[-1].ok
    assert git(peculiar, "log", "-1", "--no-show-signature", "--format=%B").strip() == SAID.strip()


def test_where_git_gives_no_difference_it_says_so(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(repository, {f"{MEMORY}/a.md": "b\n"})
    with monkeypatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(repository / "absent"))
        with pytest.raises(StoreError, match="cannot be shown: there is no room for it"):
            publisher(repository).diff(["a.md"])
        assert "could not be run" in run(publisher(repository), ["a.md"])[-1].result
    (repository / ".git/HEAD").unlink()
    with pytest.raises(StoreError, match="cannot be shown"):
        publisher(repository).diff(["a.md"])


def test_what_is_said_of_a_signature_is_no_part_of_the_answer(peculiar: Path) -> None:
    """A signed commit, of which the captain's settings have every reading say how it is signed."""
    signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n -----END PGP SIGNATURE-----"
    signed = git(peculiar, "cat-file", "commit", "HEAD").replace("\n\n", f"\n{signature}\n\n", 1)
    (peculiar / "signed").write_text(f"{signed}\n")
    git(peculiar, "update-ref", "HEAD", git(peculiar, "hash-object", "-tcommit", "-w", "signed"))
    git(peculiar, "config", "gpg.program", str(hook(peculiar, "gpg", "echo 'Good signature' >&2")))
    assert len(git(peculiar, "log", "-1", "--format=%cI").split()) > 1
    assert len(publisher(peculiar).standing().last.split()) == 1


def test_a_hook_has_patterns_and_languages_and_no_terminal(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("GIT_LITERAL_PATHSPECS", "1")
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    seen = repository.parent / "seen"
    hook(
        repository,
        "pre-commit",
        f"(git diff --cached --name-only -- '*.md'; echo $LC_ALL; ps -o tty= -p $$) > {seen}",
    )
    write(repository, {f"{MEMORY}/a.md": "b\n"})
    steps = run(publisher(repository), ["a.md"])
    assert steps[-1].ok, steps
    assert seen.read_text().split() == [f"{MEMORY}/a.md", "C.UTF-8", "?"]


def test_what_a_hook_adds_is_found_in_the_commit(repository: Path) -> None:
    hook(repository, "pre-commit", "echo 3 > main.py; git add main.py")
    write(repository, {f"{MEMORY}/a.md": "b\n"})
    steps = run(publisher(repository), ["a.md"])
    assert steps[-1].title == "See what the commit holds"
    assert "what was not asked for: main.py. Nothing was pushed" in steps[-1].result
    assert not steps[-1].ok


ANOTHER = 'git update-ref HEAD "$(git commit-tree -p HEAD -m theirs HEAD^{tree})"'


@pytest.mark.parametrize(
    ("when", "words"),
    [("pre-commit", "HEAD moved meanwhile"), ("post-commit", "Another process moved HEAD meanwhile")],
)
def test_another_process_that_commits_meanwhile_is_told_of(repository: Path, when: str, words: str) -> None:
    hook(repository, when, ANOTHER)
    write(repository, {f"{MEMORY}/a.md": "b\n", f"{MEMORY}/new.md": "n\n"})
    steps = run(publisher(repository, push=True), ["a.md", "new.md"])
    assert not steps[-1].ok
    assert words in steps[-1].result
    assert git(repository, "log", "-1", "--format=%s") == "theirs"
    kept = when == "post-commit"
    assert git(repository, "ls-files", f"{MEMORY}/new.md") == (f"{MEMORY}/new.md" if kept else "")


def alive(pid: Path) -> bool:
    """Whether the process that wrote its number there runs."""
    try:
        stat = Path(f"/proc/{pid.read_text().strip()}/stat").read_text()
    except FileNotFoundError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize("why", ["stopped", "late", "stubborn"])
def test_a_hook_that_does_not_end_is_ended_with_all_it_started(repository: Path, why: str) -> None:
    pid = repository.parent / "pid"
    deaf = "trap '' TERM; " if why == "stubborn" else ""
    hook(repository, "pre-commit", f"{deaf}(sh -c 'echo $$ > {pid}.new; mv {pid}.new {pid}; exec sleep 60')")
    write(repository, {f"{MEMORY}/a.md": "b\n", f"{MEMORY}/new.md": "n\n"})
    before, started = git(repository, "rev-parse", "HEAD"), time.monotonic()
    made = publisher(repository, timeout=0.5 if why == "late" else 30)
    steps = run(made, ["a.md", "new.md"], stopped=lambda: why != "late" and pid.exists())
    assert steps[-1].title == "Commit"
    assert ("no answer within 0.5 seconds" if why == "late" else "stopped as asked") in steps[-1].result
    assert time.monotonic() - started < 10
    assert not alive(pid)
    assert git(repository, "rev-parse", "HEAD") == before
    assert git(repository, "status", "--porcelain").split("\n") == [
        f" M {MEMORY}/a.md",
        f"?? {MEMORY}/new.md",
    ]
    assert not (repository / ".git/index.lock").exists()


def test_a_process_that_a_hook_leaves_behind_is_not_waited_for(repository: Path) -> None:
    pid = repository.parent / "pid"
    hook(repository, "pre-commit", f"sleep 60 & echo $! > {pid}")
    write(repository, {f"{MEMORY}/a.md": "b\n"})
    started = time.monotonic()
    steps = run(publisher(repository), ["a.md"])
    try:
        assert steps[-1].ok, steps
        assert "1 file changed" in steps[1].result
        assert time.monotonic() - started < 10
        assert alive(pid)
    finally:
        os.kill(int(pid.read_text()), signal.SIGKILL)


def test_of_much_that_a_hook_says_the_end_is_kept(repository: Path) -> None:
    hook(repository, "pre-commit", "seq 100000; exit 1")
    write(repository, {f"{MEMORY}/a.md": "b\n"})
    lines = run(publisher(repository), ["a.md"])[-1].result.split("\n")
    assert (lines[0], lines[-1], len(lines)) == ("(99600 lines before)", "100000", 401)


def test_stopped_before_the_commit_nothing_is_done(repository: Path) -> None:
    write(repository, {f"{MEMORY}/a.md": "b\n", f"{MEMORY}/new.md": "n\n"})
    before = tree(repository)
    steps = run(publisher(repository), ["a.md", "new.md"], stopped=lambda: True)
    assert [s.title for s in steps] == ["Check the list", "Stopped"]
    assert tree(repository) == before


def test_where_nobody_listens_any_more_the_index_is_put_back(repository: Path) -> None:
    write(repository, {f"{MEMORY}/new.md": "n\n"})

    def gone(step: object) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        publisher(repository).commit(
            ["new.md"], SAID, lambda step: gone(step) if "new files" in step.title else None
        )
    assert git(repository, "status", "--porcelain") == f"?? {MEMORY}/new.md"
