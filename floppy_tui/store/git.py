"""What git knows of a memory file, where it is tracked: looked at, never written."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from git import Git
from git.exc import GitError

MOST = 5
"""How many commits are told of."""
_TIMEOUT = 5.0
"""Seconds until git is given up on."""


class Version(NamedTuple):
    """A commit that added or took away a statement."""

    commit: str
    day: str
    """YYYY-MM-DD, its author's day."""
    subject: str


def history(path: Path, words: str) -> tuple[Version, ...]:
    """The newest commits in which the count of ``words`` in the file ``path`` changed, newest first.

    Empty where the file is not tracked, git is not there, or it does not answer in time.
    """
    git = ["git", "-c", "core.fsmonitor=false", "-c", "core.quotePath=true"]
    asked = [*git, "log", f"-n{MOST}", "--no-ext-diff", "--no-textconv", "--no-show-signature"]
    asked += ["--format=%h%x00%as%x00%s", f"-S{words}", "--", path.name]
    try:
        there = Git(path.parent)
        there.execute([*git, "ls-files", "--error-unmatch", "--", path.name], kill_after_timeout=_TIMEOUT)
        said = there.execute(asked, kill_after_timeout=_TIMEOUT)
    except (GitError, OSError, UnicodeError, ValueError):
        return ()
    rows = (line.split("\0") for line in str(said).split("\n"))
    return tuple(Version(*row) for row in rows if len(row) == 3)
