"""The git repositories of a sample home: the home itself and one project's clone, the same on any machine."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

from floppy_tui.demo import places
from floppy_tui.store.files import Directory
from floppy_tui.text.lines import decode

SIGNED = "First Mate <mate@example.org>"
BRANCH = "refs/heads/main"
REMOTE = "refs/remotes/origin/main"
MISSING = "git is not on the PATH"
OUTSIDE = "{}: the sample home is in no repository, so no entry of it can be moved to a skill or a project."


def establish(root: Path, committed: Mapping[str, bytes], today: date) -> str:
    """Make repositories of a laid-out home at ``root`` (resolved) and of its project.

    ``committed`` are the home's files that its one commit holds. Returns ``""``, or in a sentence why there
    are no repositories; nothing of them is left behind then.
    """
    if shutil.which("git") is None:
        return OUTSIDE.format(MISSING)
    project = root / places.PROJECT
    why = _made(root, _history([(committed, "")], today), local=places.EXCLUDED)
    if not why:
        files = {path: text.encode() for path, text in places.CLONED.items()}
        why = _made(project, _history([(files, tag) for tag in places.RELEASES], today), cloned=True)
    if why:
        for place in (root, project):
            shutil.rmtree(place / ".git", ignore_errors=True)
        return OUTSIDE.format(f"git would not make one ({why})")
    return ""


def _made(root: Path, history: str, *, local: str = "", cloned: bool = False) -> str:
    """Make a repository with this history around the files at ``root``; why not, in git's words."""
    from floppy_tui.store.repository import Repository

    there = Repository(root)
    steps = [
        (("init", "-q", "--template=", "-b", BRANCH.rpartition("/")[2]), ""),
        (("fast-import", "--quiet"), history),
        (("reset", "-q"), ""),
    ]
    if cloned:
        steps.append((("update-ref", REMOTE, BRANCH), ""))
        steps.append((("symbolic-ref", "refs/remotes/origin/HEAD", REMOTE), ""))
    for words, given in steps:
        answer = there.ask(*words, given=given)
        if not answer.ok:
            return answer.words
    with Directory.open(root, [".git", "info"], create=True) as info:
        info.create("exclude", local.encode())
    return ""


def _history(commits: Sequence[tuple[Mapping[str, bytes], str]], today: date) -> str:
    """The stream that makes these commits (files, and a tag or none), the last one of three days ago."""
    return "".join(_stream(commits, today - timedelta(days=3)))


def _stream(commits: Sequence[tuple[Mapping[str, bytes], str]], last: date) -> Iterator[str]:
    for number, (files, tag) in enumerate(commits, 1):
        day = last - timedelta(days=20 * (len(commits) - number))
        at = int(datetime.combine(day, time(12), UTC).timestamp())
        said = f"Release {tag}" if tag else "Keep who we are and how we work"
        yield f"commit {BRANCH}\nmark :{number}\ncommitter {SIGNED} {at} +0000\n{_data(said)}"
        for path, content in files.items():
            yield f"M 100644 inline {path}\n{_data(decode(content))}"
        if tag:
            yield f"reset refs/tags/{tag}\nfrom :{number}\n\n"


def _data(text: str) -> str:
    return f"data {len(text.encode())}\n{text}\n"
