"""Pushing what was committed: fetched, rebased onto what others pushed, and never forced.

Only the branch that is checked out goes, and only to its upstream, whatever else the captain's settings
would push. A conflict is taken back to the commit as it was made; a refusal is shown in git's own words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from floppy_tui.store.attended import Attended
from floppy_tui.store.repository import Answer
from floppy_tui.store.uncommitted import branch, head, under_way

_MOST = 400
"""How many lines of what git and the hooks say are kept."""
_STAYS = "The commit is here and was not pushed"


class Step(NamedTuple):
    """One step of a commit that ran."""

    title: str
    command: str
    """As a shell takes it; ``""`` where nothing was run."""
    result: str
    """Git's own words, by lines, or a sentence."""
    ok: bool


def step(title: str, answer: Answer, result: str = "", *, ok: bool | None = None) -> Step:
    """The step that ran one command, with git's own words where there are no others."""
    return Step(title, answer.line, result or said(answer), answer.ok if ok is None else ok)


def said(answer: Answer) -> str:
    """Git's own words, by lines, the last of them where they are many."""
    lines = [line.rstrip() for line in (answer.out + "\n" + answer.err).split("\n") if line.strip()]
    if len(lines) > _MOST:
        lines[:-_MOST] = [f"({len(lines) - _MOST} lines before)"]
    return "\n".join(lines) or ("done" if answer.ok else answer.words)


class _Upstream(NamedTuple):
    ref: str
    """What it was as last fetched, such as ``refs/remotes/origin/main``."""
    remote: str
    theirs: str
    """What it is called there."""


def pushed(
    git: Attended, made: str, go_on: Callable[[], None], stopped: Callable[[], bool]
) -> Iterator[Step]:
    """Push the branch, whose last commit is ``made``; each step as it ran, the failed one last.

    ``go_on`` is called before each and raises where it was stopped, as ``stopped`` tells in the midst of it.
    """
    ours = branch(git)
    asked, upstream, why = _upstream(git, ours)
    if upstream is None:
        yield step("Find where to push", asked, f"{why} {_STAYS}.", ok=False)
        return
    go_on()
    fetched = git.do("fetch", upstream.remote, stopped=stopped)
    yield step("Fetch", fetched, "" if fetched.out or fetched.err else "Nothing new.")
    if not fetched.ok:
        return
    go_on()
    there = git.look("rev-parse", "-q", "--verify", f"{upstream.ref}^{{commit}}").ok
    behind = _count(git, f"HEAD..{upstream.ref}") if there else 0
    if behind:
        rebased = _rebased(git, upstream, ours, made, behind)
        yield rebased
        if not rebased.ok:
            return
        go_on()
    ahead = _count(git, f"{upstream.ref}..HEAD" if there else "HEAD")
    answer = git.do("push", upstream.remote, f"{ours}:{upstream.theirs}", stopped=stopped)
    words = said(answer)
    if not answer.ok:
        words += f"\nNothing was forced. {_STAYS}."
    elif ahead > 1:
        words += f"\n{ahead} commits were pushed: this one, and those before it that were not yet."
    yield step("Push", answer, words)


def _count(git: Attended, commits: str, *words: str) -> int:
    counted = git.look("rev-list", "--count", *words, commits).out.strip()
    return int(counted) if counted.isdigit() else 0


def _upstream(git: Attended, ours: str) -> tuple[Answer, _Upstream | None, str]:
    """Where the branch ``ours`` comes from; else why it has nowhere to go, and what to do about it."""
    form = "%(upstream)%00%(upstream:remotename)%00%(upstream:remoteref)"
    asked = git.look("for-each-ref", f"--format={form}", ours or "HEAD")
    if not ours:
        return asked, None, "No branch is checked out, so that there is nowhere to push; `git switch` to one."
    ref, _, rest = asked.out.removesuffix("\n").partition("\0")
    remote, _, theirs = rest.partition("\0")
    name = ours.removeprefix("refs/heads/")
    if not ref or not theirs:
        return (
            asked,
            None,
            (
                f"The branch {name} has no upstream; set one with `git push -u origin {name}`, or say "
                "commit_push=never."
            ),
        )
    if remote == "." or remote.startswith("-"):
        return asked, None, f"The upstream of {name} is no remote's branch ({ref}); push it with git."
    return asked, _Upstream(ref, remote, theirs), ""


def _rebased(git: Attended, upstream: _Upstream, ours: str, made: str, behind: int) -> Step:
    title = f"Rebase onto what others pushed ({behind})"
    merges = _count(git, f"{upstream.ref}..HEAD", "--merges")
    why = under_way(git)
    if not why and (head(git), branch(git)) != (made, ours):
        why = "Another process moved HEAD meanwhile; look at `git log`."
    if not why and merges:
        why = "There are merges among the commits not yet pushed, which a rebase would take apart; use git."
    if why:
        return Step(title, "", f"{why} {_STAYS}.", False)
    answer = git.do("rebase", upstream.ref)
    if answer.ok:
        return step(title, answer)
    words = said(answer)
    if under_way(git):
        aborted = git.do("rebase", "--abort")
        how = "was aborted" if aborted.ok else f"could not be aborted: {aborted.words}"
        words += f"\n$ {aborted.line}\nThe rebase {how}."
    if (head(git), branch(git)) == (made, ours):
        words += f"\n{_STAYS}; pull and settle it with git."
    else:
        words += "\nHEAD is not at the commit any more; look at `git status` and `git reflog`."
    return step(title, answer, words, ok=False)
