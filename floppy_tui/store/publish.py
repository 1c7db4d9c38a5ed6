"""Committing a memory's own files, and nothing else, in the repository that holds them; then pushing.

The captain's hooks and credentials work here, unlike where git is only asked. Nothing is ever forced: a
conflict is taken back to the commit as it was made, a refusal is shown in git's own words.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from git import Git

from floppy_tui.store.files import shown
from floppy_tui.store.repository import Answer, run

TIMEOUT = 120.0
"""Seconds until git is given up on: hooks and networks take their time."""

_PUSH = "Push"
_GUARDS = ("-c", "core.quotePath=false", "-c", "color.ui=false")
_ENV = {
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat",
    "GIT_EDITOR": "true",
    "GIT_SEQUENCE_EDITOR": "true",
    # Nobody can be asked: the terminal is the screen of the program.
    "SSH_ASKPASS": "/bin/false",
    "SSH_ASKPASS_REQUIRE": "force",
}
_UNDER_WAY = {
    "MERGE_HEAD": "a merge",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
}


class Step(NamedTuple):
    """One step of a commit that ran."""

    title: str
    command: str
    """As a shell takes it; ``""`` where nothing was run."""
    result: str
    """Git's own words, by lines, or a sentence."""
    ok: bool


class Changed(NamedTuple):
    """One file that is not as it was committed."""

    path: str
    """Below the memory directory."""
    status: str
    """``A`` for a new one, ``M`` for a changed, ``D`` for a removed, ``U`` for one in conflict."""
    staged: bool
    """Whether the index holds something of it that is not committed."""


class Standing(NamedTuple):
    """The repository as it stands, without asking any remote."""

    top: Path | None
    """None where there is no repository."""
    problem: str
    """Why nothing can be committed, as a sentence; ``""`` where it can."""
    branch: str = ""
    """``""`` where none is checked out."""
    upstream: str = ""
    ahead: int = 0
    behind: int = 0
    files: tuple[Changed, ...] = ()
    """Of the memory, in path order."""
    others: int = 0
    """How many staged files lie elsewhere; they stay staged."""
    last: str = ""
    """When the last commit was made, in ISO 8601; ``""`` where there is none."""


class Publisher:
    """Commits files below ``root`` (a resolved memory directory), and pushes where ``push`` is set."""

    def __init__(self, root: Path, *, push: bool, timeout: float = TIMEOUT) -> None:
        self.root = root
        self.push = push
        self.timeout = timeout
        self._git = Git(root)

    def _ask(self, *words: str, given: str = "") -> Answer:
        return run(self._git, self.root, words, guards=_GUARDS, env=_ENV, timeout=self.timeout, given=given)

    # -- looking

    def standing(self) -> Standing:
        """How the repository stands, and what of the memory is not committed."""
        top = self._ask("rev-parse", "--show-toplevel")
        if not top.ok:
            said = f"{shown(self.root)} lies in no git repository, so that nothing of it can be committed."
            return Standing(None, said if top.status == 128 else f"{top.words}.")
        place = Path(top.out.removesuffix("\n"))
        asked = self._ask(
            "status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--no-renames", "--", "."
        )
        if not asked.ok:
            return Standing(place, f"{asked.words}.")
        fields = asked.out.split("\0")
        head = dict(f[2:].split(" ", 1) for f in fields if f.startswith("# ") and " " in f[2:])
        ahead, behind = (int(n[1:]) for n in head.get("branch.ab", "+0 -0").split(" "))
        branch = head.get("branch.head", "")
        prefix = self._prefix()
        return Standing(
            place,
            self._under_way(),
            "" if branch == "(detached)" else branch,
            head.get("branch.upstream", ""),
            ahead,
            behind,
            tuple(sorted(_changed(fields, prefix))),
            self._staged_elsewhere(prefix),
            self._ask("log", "-1", "--format=%cI").out.strip(),
        )

    def _prefix(self) -> str:
        return self._ask("rev-parse", "--show-prefix").out.removesuffix("\n")

    def _under_way(self) -> str:
        for name, what in _UNDER_WAY.items():
            answer = self._ask("rev-parse", "--git-path", name)
            if answer.ok and os.path.lexists(self.root / answer.out.removesuffix("\n")):
                return f"{what.capitalize()} is under way in this repository; finish it or abort it first."
        return ""

    def _staged_elsewhere(self, prefix: str) -> int:
        asked = self._ask("diff", "--cached", "--name-only", "-z", "--no-renames")
        return sum(1 for name in asked.out.split("\0") if name and not name.startswith(prefix or "\0"))

    def committed(self, path: str) -> str | None:
        """The text of a file as it was committed last; None where it was not."""
        answer = self._ask("cat-file", "blob", f"HEAD:./{path}")
        return answer.out if answer.ok else None

    def diff(self, paths: Sequence[str]) -> str:
        """The difference of exactly these files to what is committed, the new ones whole."""
        born = self._ask("rev-parse", "--verify", "-q", "HEAD").ok
        known = set(self._known(paths)) if born else set()
        old = [path for path in paths if path in known]
        plain = ("--no-ext-diff", "--no-textconv", "--no-renames")
        parts = [self._ask("diff", *plain, "HEAD", "--", *old).out] if old else []
        for path in paths:
            if path not in known and os.path.lexists(self.root / path):
                parts.append(self._ask("diff", *plain, "--no-index", "--", os.devnull, path).out)
        return "".join(parts)

    def _known(self, paths: Sequence[str]) -> Iterator[str]:
        """Those of ``paths`` that HEAD holds."""
        asked = self._ask("ls-tree", "-r", "-z", "--name-only", "HEAD", "--", *paths)
        yield from (name for name in asked.out.split("\0") if name)

    # -- committing

    def commit(
        self,
        paths: Sequence[str],
        message: str,
        on_step: Callable[[Step], None],
        stopped: Callable[[], bool] = lambda: False,
    ) -> tuple[Step, ...]:
        """Commit exactly ``paths`` with ``message``, then push; each step as it ran, the failed one last.

        Where it fails before the commit the index is as it was; afterwards the commit stays. ``stopped`` is
        asked between the steps.
        """
        steps: list[Step] = []
        for step in self._steps(paths, message):
            steps.append(step)
            on_step(step)
            if not step.ok:
                break
            # Behind the push there is nothing left to stop.
            if step.title != _PUSH and stopped():
                steps.append(Step("Stopped", "", "Stopped as asked; what is above was done.", False))
                on_step(steps[-1])
                break
        return tuple(steps)

    def _steps(self, paths: Sequence[str], message: str) -> Iterator[Step]:
        wanted = sorted(set(paths))
        standing = self.standing()
        why = self._why_not(wanted, message, standing)
        if why:
            yield Step("Check the list", "", why, False)
            return
        counted = f"{len(wanted)} file{'' if len(wanted) == 1 else 's'} of {shown(self.root)}"
        yield Step("Check the list", "", f"{counted}, and nothing else.", True)
        statuses = {c.path: c for c in standing.files}
        unknown = [p for p in wanted if statuses[p].status == "A" and not statuses[p].staged]
        if unknown:
            answer = self._ask("add", "--intent-to-add", "--", *unknown)
            if not answer.ok:
                self._forget(unknown)
            yield _step("Make the new files known to git", answer)
            if not answer.ok:
                return
        before = self._head()
        answer = self._ask("commit", "-F", "-", "--only", "--", *wanted, given=message.strip() + "\n")
        if not answer.ok and unknown and self._head() == before:
            self._forget(unknown)
        yield _step("Commit", answer)
        if answer.ok:
            yield from self._after(wanted, before)

    def _after(self, wanted: Sequence[str], before: str) -> Iterator[Step]:
        made = self._head()
        answer = self._ask("show", "--format=%h %s", "--name-only", "--no-renames", "-z", made)
        head, *names = answer.out.replace("\0\n", "\0").split("\0")
        prefix = self._prefix()
        held = sorted(name.strip("\n") for name in names if name.strip("\n"))
        if held != sorted(prefix + path for path in wanted):
            said = f"The commit holds other files than were asked for: {', '.join(held)}"
            yield _step("See what the commit holds", answer, f"{said}. Nothing was pushed.", ok=False)
            return
        yield _step("See what the commit holds", answer, f"{head.strip()}: {len(held)} as asked.")
        if self.push:
            yield from self._pushed(made)

    def _pushed(self, made: str) -> Iterator[Step]:
        upstream = self._ask("rev-parse", "--abbrev-ref", "--symbolic-full-name", "@{upstream}")
        if not upstream.ok:
            said = (
                "This branch has no upstream, so that nothing was pushed: the commit is here. Set one with "
                "`git push -u`, or say commit_push=never."
            )
            yield _step("Find where to push", upstream, said)._replace(ok=False)
            return
        fetched = self._ask("fetch")
        yield _step("Fetch", fetched, fetched.words if fetched.err or fetched.out else "Up to date.")
        if not fetched.ok:
            return
        behind = self._ask("rev-list", "--count", "HEAD..@{upstream}").out.strip()
        if behind not in ("", "0"):
            rebased = self._ask("rebase", "@{upstream}")
            if rebased.ok:
                yield _step(f"Rebase onto the {behind} that others pushed", rebased)
            else:
                yield self._taken_back(rebased, made)
                return
        pushed = self._ask("push")
        if pushed.ok:
            yield _step(_PUSH, pushed)
        else:
            yield _step(_PUSH, pushed, f"{_said(pushed)}\nNothing was forced; the commit is here.")

    def _taken_back(self, rebased: Answer, made: str) -> Step:
        """The rebase that did not go through, undone: everything is as after the commit."""
        said = _said(rebased)
        if self._under_way():
            aborted = self._ask("rebase", "--abort")
            said += "\n" + (
                "The rebase was aborted"
                if aborted.ok
                else f"The rebase could not be aborted: {aborted.words}"
            )
        if self._head() == made:
            said += "\nThe commit is here as it was made, and was not pushed; pull and settle it with git."
        return _step("Rebase onto what others pushed", rebased, said, ok=False)

    def _why_not(self, wanted: Sequence[str], message: str, standing: Standing) -> str:
        if standing.top is None or standing.problem:
            return standing.problem
        if not wanted:
            return "No file was chosen."
        if not message.strip():
            return "A commit needs a message; say what was learned, and what replaced what."
        statuses = {c.path: c.status for c in standing.files}
        for path in wanted:
            parts = PurePosixPath(path).parts
            if path.startswith("/") or ".." in parts or not parts:
                return f"{path} does not lie below {shown(self.root)}."
            if path not in statuses:
                return f"{path} is as it was committed, or git ignores it."
            if statuses[path] == "U":
                return f"{path} is in conflict; settle it with git first."
        return ""

    def _head(self) -> str:
        return self._ask("rev-parse", "-q", "--verify", "HEAD").out.strip()

    def _forget(self, unknown: Sequence[str]) -> None:
        """Take back that the index knows of ``unknown``; the files stay."""
        self._ask("rm", "--cached", "-q", "-f", "--", *unknown)


def _changed(fields: Sequence[str], prefix: str) -> Iterator[Changed]:
    for field in fields:
        kind = field[:2]
        if kind == "? ":
            path, status, staged = field[2:], "A", False
        elif kind == "1 ":
            _, xy, _, head, _, work, *_ = field.split(" ", 8)
            path = field.split(" ", 8)[8]
            status = "D" if work == "000000" else "A" if head == "000000" else "M"
            staged = xy[0] != "."
        elif kind == "u ":
            path, status, staged = field.split(" ", 10)[10], "U", True
        else:
            continue
        if path.startswith(prefix):
            yield Changed(path.removeprefix(prefix), status, staged)


def _step(title: str, answer: Answer, result: str = "", *, ok: bool | None = None) -> Step:
    return Step(title, answer.line, result or _said(answer), answer.ok if ok is None else ok)


def _said(answer: Answer) -> str:
    """Git's own words, by lines."""
    lines = [line.rstrip() for line in (answer.out + "\n" + answer.err).splitlines() if line.strip()]
    return "\n".join(lines) or answer.words
