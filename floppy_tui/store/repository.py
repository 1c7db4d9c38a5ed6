"""What git says of a home or of a project's clone: it is only asked, and nothing of theirs is run.

Every question is a list of arguments with a time limit; hooks, the file system monitor and fetching are
off, and the variables that would point git elsewhere are taken away.
"""

from __future__ import annotations

import os
import shlex
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from git import Git
from git.exc import GitCommandNotFound, GitError

from floppy_tui.text.lines import decode, encode

TIMEOUT = 20.0
"""Seconds until git is given up on."""

_GUARDS = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")
_SET = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_PAGER": "cat",
}
_TAKEN = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_NAMESPACE",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_CONFIG",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_COUNT",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_GRAFT_FILE",
    "GIT_SHALLOW_FILE",
    "GIT_REPLACE_REF_BASE",
    "GIT_ATTR_SOURCE",
    "GIT_LITERAL_PATHSPECS",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "GIT_TRACE",
    "GIT_TRACE2",
    "GIT_TRACE_SETUP",
)


class Answer(NamedTuple):
    """One question to git and what it said."""

    command: tuple[str, ...]
    """As it can be typed, without the options that only keep hooks and monitors from running."""
    status: int
    out: str
    """To the byte (``floppy_tui.text.lines``)."""
    err: str

    @property
    def ok(self) -> bool:
        """Whether git ended well."""
        return self.status == 0

    @property
    def line(self) -> str:
        """The command as a shell takes it."""
        return shlex.join(self.command)

    @property
    def words(self) -> str:
        """Git's own words on one line, or how it ended where it said nothing."""
        said = " ".join((self.err.strip() or self.out.strip()).split())
        return said or f"git ended with status {self.status}"


class Ignored(NamedTuple):
    """The rule that git goes by for one path."""

    source: str
    """The file that the rule stands in, as git names it."""
    line: int
    pattern: str

    def __str__(self) -> str:
        return f"{self.source}:{self.line}: {self.pattern}"

    @property
    def negative(self) -> bool:
        """Whether the rule takes the path out again."""
        return self.pattern.startswith("!")


class Repository:
    """The work tree around ``root``, asked from there; there may be none, which is then what git says."""

    def __init__(self, root: Path, *, timeout: float = TIMEOUT) -> None:
        self.root = root
        self.timeout = timeout
        self._git = Git(root)

    def ask(self, *words: str, given: str = "") -> Answer:
        """Run ``git -C <root> <words>`` with ``given`` on its standard input; raises nothing.

        Where git could not be run or did not end in time, the status is not 0 and ``err`` says why.
        """
        return run(self._git, self.root, words, guards=_GUARDS, env=_SET, timeout=self.timeout, given=given)

    def top(self) -> Answer:
        """The top directory of the work tree; not ``ok`` where there is none."""
        return self.ask("rev-parse", "--show-toplevel")

    def prefix(self) -> Answer:
        """The path of ``root`` below the top, ending in ``/``; empty at the top itself."""
        return self.ask("rev-parse", "--show-prefix")

    def exclude_file(self) -> tuple[Answer, Path]:
        """The repository's own exclude file, its directory resolved but for ``info``; it may be missing.

        In a linked work tree it is the main repository's.
        """
        answer = self.ask("rev-parse", "--git-path", "info/exclude")
        said = self.root / answer.out.removesuffix("\n")
        return answer, Path(os.path.realpath(said.parent.parent)) / said.parent.name / said.name

    def linked(self) -> bool:
        """Whether this is a linked work tree, which shares the main repository's exclude file."""
        answer = self.ask("rev-parse", "--git-dir", "--git-common-dir")
        places = answer.out.split("\n")[:2]
        return answer.ok and len({os.path.realpath(self.root / place) for place in places}) == 2

    def tracked(self, *paths: str) -> tuple[Answer, tuple[str, ...]]:
        """What the index holds at or below each of ``paths``, in whatever case; all of it without any.

        Paths are below ``root``.
        """
        pathspecs = [f":(literal,icase){path}" for path in paths]
        answer = self.ask("ls-files", "-z", "--", *pathspecs)
        return answer, tuple(name for name in answer.out.split("\0") if name) if answer.ok else ()

    def check_ignore(self, path: str) -> tuple[Answer, Ignored | None]:
        """Whether git ignores ``path`` below ``root``, which need not be there, and by which rule.

        None where it does not; a tracked path is never ignored.
        """
        answer = self.ask("check-ignore", "-v", "--", path)
        found = self.ignored([path]) if answer.ok else {}
        return answer, found.get(path)

    def ignored(self, paths: Iterable[str]) -> Mapping[str, Ignored]:
        """The rule that ignores each of ``paths`` below ``root``; those that none ignores are left out."""
        names = list(paths)
        if not names:
            return {}
        asked = self.ask("check-ignore", "-v", "-z", "--stdin", given="".join(f"{name}\0" for name in names))
        if asked.status > 1 and len(names) > 1:
            # One path that git will not hear of, such as one inside a submodule, spoils the whole answer.
            return {path: rule for name in names for path, rule in self.ignored([name]).items()}
        found = {}
        for source, line, pattern, path in _fours(asked.out.split("\0")[:-1]):
            rule = Ignored(source, int(line), pattern) if line.isdigit() else None
            if rule is not None and not rule.negative:
                found[path] = rule
        return found

    def status(self, path: str) -> Answer:
        """What ``git status`` shows of ``path``; nothing where it is ignored or as committed."""
        return self.ask(
            "status",
            "--porcelain",
            "--untracked-files=all",
            "--ignore-submodules=none",
            "--",
            f":(literal){path}",
        )


def run(
    git: Git,
    root: Path,
    words: Sequence[str],
    *,
    guards: Sequence[str],
    env: Mapping[str, str],
    timeout: float,
    given: str = "",
) -> Answer:
    """Run ``git -C <root> <words>`` for ``timeout`` seconds, ``given`` on its standard input; raises nothing.

    ``guards`` are options that are not shown, ``env`` is set; what would point git elsewhere is taken away.
    """
    shown, command = composed(root, words, guards=guards, env=env)
    try:
        with fed(given) as feed:
            status, out, err = git.execute(
                command,
                istream=feed,
                with_extended_output=True,
                with_exceptions=False,
                stdout_as_string=False,
                strip_newline_in_stdout=False,
                kill_after_timeout=timeout,
                env=env,
            )
    except GitCommandNotFound:
        return Answer(shown, 127, "", "git is not on the PATH; install it")
    except (GitError, OSError, ValueError) as error:
        return Answer(shown, 126, "", f"git could not be run ({error})")
    if status < 0:
        err = f"git gave no answer within {timeout:g} seconds"
    return Answer(shown, status, decode(bytes(out)), str(err))


def composed(
    root: Path, words: Sequence[str], *, guards: Sequence[str], env: Mapping[str, str]
) -> tuple[tuple[str, ...], list[str]]:
    """``git -C <root> <words>`` as it is shown, and as it is run with ``guards`` and without what misleads.

    ``env`` is what it will be run with.
    """
    shown = ("git", "-C", str(root), *words)
    set_too = [name for name in _TAKEN if name in os.environ]
    # An environment can be added to, not taken from, so `env` takes away what is set.
    without = ["env", *(word for name in set_too for word in ("-u", name))] if set_too else []
    added = [f"{name}={value}" for name, value in env.items() if name in set_too]
    return shown, [*without, *added, "git", *guards, *shown[1:]]


@contextmanager
def fed(given: str) -> Iterator[BinaryIO | None]:
    """``given`` as a file to read from; None where it is empty, so that no room on the disk is needed."""
    if not given:
        yield None
        return
    with tempfile.TemporaryFile() as feed:
        feed.write(encode(given))
        feed.seek(0)
        yield cast(BinaryIO, feed)


def _fours(fields: Sequence[str]) -> Iterator[tuple[str, str, str, str]]:
    for at in range(0, len(fields) - 3, 4):
        yield fields[at], fields[at + 1], fields[at + 2], fields[at + 3]
