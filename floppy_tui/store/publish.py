"""Committing a memory's own files, and nothing else, in the repository that holds them; then pushing.

The captain's hooks and credentials work here, unlike where git is only asked. Where it fails before the
commit the index is as it was; afterwards the commit stays. Nothing is ever forced.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from pathlib import Path, PurePosixPath

from floppy_tui.store import uncommitted
from floppy_tui.store.attended import TIMEOUT, Attended, never
from floppy_tui.store.files import shown
from floppy_tui.store.pushing import Step, pushed, said, step
from floppy_tui.store.uncommitted import PLAIN, Changed, Standing, branch, head, pathspecs

__all__ = ["TIMEOUT", "Changed", "Publisher", "Standing", "Step"]


class _Stop(Exception):
    """Stopped as asked, between two steps."""


class Publisher:
    """Commits files below ``root`` (a resolved memory directory), and pushes where ``push`` is set."""

    def __init__(self, root: Path, *, push: bool, timeout: float = TIMEOUT) -> None:
        self.root = root
        self.push = push
        self._git = Attended(root, timeout=timeout)

    # -- looking

    def standing(self) -> Standing:
        """How the repository stands, and what of the memory is not committed."""
        return uncommitted.standing(self._git)

    def committed(self, path: str) -> str | None:
        """The text of a file as it was committed last; None where it was not."""
        return uncommitted.committed(self._git, path)

    def diff(self, paths: Sequence[str]) -> str:
        """The difference of exactly these files to what is committed, the new ones whole.

        Raises ``StoreError`` with git's own words where it gives none.
        """
        return uncommitted.difference(self._git, paths)

    # -- committing

    def commit(
        self,
        paths: Sequence[str],
        message: str,
        on_step: Callable[[Step], None],
        stopped: Callable[[], bool] = never,
    ) -> tuple[Step, ...]:
        """Commit exactly ``paths`` with ``message``, then push; each step as it ran, the failed one last.

        ``stopped`` is asked between the steps, and while a hook or the network takes its time.
        """
        steps: list[Step] = []

        def go_on() -> None:
            if stopped():
                raise _Stop

        def tell(ran: Step) -> bool:
            steps.append(ran)
            on_step(ran)
            return ran.ok

        running = self._steps(sorted(set(paths)), message, go_on, stopped)
        try:
            while (ran := next(running, None)) is not None and tell(ran):
                pass
        except _Stop:
            tell(Step("Stopped", "", "Stopped as asked; what is above was done.", False))
        finally:
            running.close()
        return tuple(steps)

    def _steps(
        self, wanted: Sequence[str], message: str, go_on: Callable[[], None], stopped: Callable[[], bool]
    ) -> Generator[Step, None, None]:
        git = self._git
        now = self.standing()
        why = self._why_not(wanted, message, now)
        if why:
            yield Step("Check the list", "", why, False)
            return
        counted = f"{len(wanted)} file{'' if len(wanted) == 1 else 's'} of {shown(self.root)}"
        yield Step("Check the list", "", f"{counted}, and nothing else.", True)
        go_on()
        new = [c.path for c in now.files if c.status == "A" and not c.staged and c.path in set(wanted)]
        # What the captain has told git of by himself is left as he has it.
        new = sorted(set(new) - uncommitted.in_index(git, new))
        before, ours = head(git), branch(git)
        try:
            if new:
                answer = git.do("add", "--intent-to-add", "--", *pathspecs(new))
                yield step("Make the new files known to git", answer)
                if not answer.ok:
                    return
            words = ("commit", "--cleanup=whitespace", "-F", "-", "--only", "--", *pathspecs(wanted))
            answer = git.do(*words, given=message.strip() + "\n", stopped=stopped)
            if not answer.ok:
                yield step("Commit", answer, said(answer) + self._moved(before))
                return
            made = head(git)
            yield step("Commit", answer)
        finally:
            self._forget(new)
        held = self._held(wanted, made, before, ours)
        yield held
        if held.ok and self.push:
            go_on()
            yield from pushed(git, made, go_on, stopped)

    def _held(self, wanted: Sequence[str], made: str, before: str, ours: str) -> Step:
        """Whether the commit ``made`` holds exactly the list, and stands on ``before``."""
        git, title = self._git, "See what the commit holds"
        answer = git.look("diff-tree", "--root", "-r", "--no-commit-id", "--name-only", "-z", *PLAIN, made)
        names = {name for name in answer.out.split("\0") if name}
        asked = {uncommitted.prefix(git) + path for path in wanted}
        stands = git.look("rev-parse", "-q", "--verify", f"{made}^").out.strip()
        if (stands, head(git), branch(git)) != (before, made, ours):
            why = "Another process moved HEAD meanwhile; look at `git log`."
        elif names - asked:
            why = f"The commit holds what was not asked for: {', '.join(sorted(names - asked))}."
        elif asked - names:
            why = f"The commit lacks what was asked for: {', '.join(sorted(asked - names))}."
        else:
            short = git.look("log", "-1", "--no-show-signature", "--format=%h %s", made).out.strip()
            return step(title, answer, f"{short}: {len(names)} as asked.")
        return step(title, answer, f"{why} Nothing was pushed.", ok=False)

    def _moved(self, before: str) -> str:
        now = head(self._git)
        return "" if now == before else f"\nHEAD moved meanwhile, to {now}; look at `git log`."

    def _forget(self, new: Sequence[str]) -> None:
        """Take back that the index knows of ``new``, where they were not committed; the files stay."""
        left = sorted(set(new) - uncommitted.in_head(self._git, new)) if new else []
        if left:
            self._git.do("rm", "--cached", "--quiet", "--force", "--", *pathspecs(left))

    def _why_not(self, wanted: Sequence[str], message: str, now: Standing) -> str:
        if now.top is None or now.problem:
            return now.problem
        if not wanted:
            return "No file was chosen."
        if not message.strip():
            return "A commit needs a message; say what was learned, and what replaced what."
        statuses = {c.path: c.status for c in now.files}
        for path in wanted:
            parts = PurePosixPath(path).parts
            if path.startswith("/") or ".." in parts or not parts:
                return f"{path} does not lie below {shown(self.root)}."
            for above in PurePosixPath(path).parents:
                if os.path.islink(self.root / above):
                    return f"{shown(self.root / above)} is a symbolic link, which is never followed."
            if path not in statuses:
                return f"{path} is as it was committed, or git ignores it."
            if statuses[path] == "U":
                return f"{path} is in conflict; settle it with git first."
        return ""
