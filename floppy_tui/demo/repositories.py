"""The git repositories of the samples, the same on any machine: a home, one project's clone, a note tree."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import NamedTuple

from floppy_tui.demo import note_tree, places
from floppy_tui.store.files import Directory
from floppy_tui.text.lines import decode

SIGNED = "First Mate <mate@example.org>"
BRANCH = "refs/heads/main"
REMOTE = "refs/remotes/origin/main"
MISSING = "git is not on the PATH"
OUTSIDE = "{}: the sample home is in no repository, so no entry of it can be moved to a skill or a project."


class Commit(NamedTuple):
    """One commit of a sample's history."""

    files: Mapping[str, bytes]
    said: str
    tag: str = ""


def establish(root: Path, committed: Mapping[str, bytes], today: date) -> str:
    """Make repositories of a laid-out home at ``root`` (resolved) and of its project.

    ``committed`` are the home's files that its one commit holds. Returns ``""``, or in a sentence why there
    are no repositories; nothing of them is left behind then.
    """
    if not have_git():
        return OUTSIDE.format(MISSING)
    project = root / places.PROJECT
    ours = [Commit(committed, "Keep who we are and how we work")]
    why = made(root, ours, today, local=places.EXCLUDED + note_tree.EXCLUDED)
    if not why:
        files = {path: text.encode() for path, text in places.CLONED.items()}
        releases = [Commit(files, f"Release {tag}", tag) for tag in places.RELEASES]
        why = made(project, releases, today, upstream=True)
    if why:
        for place in (root, project):
            shutil.rmtree(place / ".git", ignore_errors=True)
        return OUTSIDE.format(f"git would not make one ({why})")
    return ""


def have_git() -> bool:
    """Whether there is a git to make repositories with."""
    return shutil.which("git") is not None


def made(
    root: Path, history: Sequence[Commit], today: date, *, local: str = "", upstream: bool = False
) -> str:
    """Make a repository with this history around the files at ``root``; why not, in git's words.

    ``local`` is what its exclude file says; ``upstream`` gives it the branches of a clone's remote.
    """
    from floppy_tui.store.repository import Repository

    there = Repository(root)
    name, _, address = SIGNED.removesuffix(">").partition(" <")
    steps = [
        (("init", "-q", "--template=", "-b", BRANCH.rpartition("/")[2]), ""),
        (("config", "user.name", name), ""),
        (("config", "user.email", address), ""),
        (("fast-import", "--quiet"), "".join(_stream(history, today - timedelta(days=3)))),
        (("reset", "-q"), ""),
    ]
    if upstream:
        steps.append((("update-ref", REMOTE, BRANCH), ""))
        steps.append((("symbolic-ref", "refs/remotes/origin/HEAD", REMOTE), ""))
    for words, given in steps:
        answer = there.ask(*words, given=given)
        if not answer.ok:
            return answer.words
    with Directory.open(root, [".git", "info"], create=True) as info:
        info.create("exclude", local.encode())
    return ""


def pushed(root: Path, remote: Path) -> str:
    """Make the bare repository ``remote`` and the upstream of the one at ``root``; why not, in git's words.

    It holds what was pushed to it, and no protocol was needed for that.
    """
    from floppy_tui.store.repository import Repository

    branch = BRANCH.rpartition("/")[2]
    remote.mkdir(mode=0o700, parents=True)
    there, here = Repository(remote), Repository(root)
    exported = here.ask("fast-export", BRANCH)
    steps = [
        (there, ("init", "-q", "--bare", "--template=", "-b", branch), ""),
        (there, ("fast-import", "--quiet"), exported.out),
        (here, ("remote", "add", "origin", str(remote.resolve())), ""),
        (here, ("update-ref", REMOTE, BRANCH), ""),
        (here, ("branch", "-q", "--set-upstream-to", f"origin/{branch}", branch), ""),
    ]
    for at, words, given in steps:
        answer = at.ask(*words, given=given)
        if not answer.ok:
            return answer.words
    return ""


def _stream(commits: Sequence[Commit], last: date) -> Iterator[str]:
    for number, (files, said, tag) in enumerate(commits, 1):
        day = last - timedelta(days=20 * (len(commits) - number))
        at = int(datetime.combine(day, time(12), UTC).timestamp())
        yield f"commit {BRANCH}\nmark :{number}\ncommitter {SIGNED} {at} +0000\n{_data(said)}"
        for path, content in files.items():
            yield f"M 100644 inline {path}\n{_data(decode(content))}"
        if tag:
            yield f"reset refs/tags/{tag}\nfrom :{number}\n\n"


def _data(text: str) -> str:
    return f"data {len(text.encode())}\n{text}\n"
