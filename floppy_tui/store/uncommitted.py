"""What of a memory is not committed in the repository that holds it: looked at, and nothing written."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from floppy_tui.store.attended import Attended
from floppy_tui.store.files import StoreError, shown

PLAIN = ("--no-ext-diff", "--no-textconv", "--no-renames", "--no-relative")
"""Whatever the captain's settings, a difference is git's own, of every path from the top down."""

_SHOWN = (*PLAIN, "--no-color", "--src-prefix=a/", "--dst-prefix=b/", "--submodule=short")
_UNDER_WAY = {
    "MERGE_HEAD": "a merge",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
}


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


class Undiffed(StoreError):
    """Git gave no difference; its ``str`` says why."""


def pathspecs(paths: Sequence[str]) -> list[str]:
    """``paths`` as git takes them for nothing but themselves; hooks are to have their own patterns."""
    return [f":(literal){path}" for path in paths]


def standing(git: Attended) -> Standing:
    """How the repository around the memory stands, and what of the memory is not committed."""
    top = git.look("rev-parse", "--show-toplevel")
    if not top.ok:
        if top.status == 128 and not any(os.path.lexists(p / ".git") for p in (git.root, *git.root.parents)):
            said = f"{shown(git.root)} lies in no git repository, so that nothing of it can be committed."
            return Standing(None, said)
        return Standing(None, f"{top.words}.")
    place = Path(top.out.removesuffix("\n"))
    asked = git.look(
        *("status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--no-renames", "--", ".")
    )
    staged = git.look("diff", "--cached", "--name-only", "-z", *PLAIN)
    for answer in (asked, staged):
        if not answer.ok:
            return Standing(place, f"{answer.words}.")
    fields = asked.out.split("\0")
    head = dict(f[2:].split(" ", 1) for f in fields if f.startswith("# ") and " " in f[2:])
    ahead, behind = (int(n[1:]) for n in head.get("branch.ab", "+0 -0").split(" "))
    branch = head.get("branch.head", "")
    below = prefix(git)
    return Standing(
        place,
        under_way(git),
        "" if branch == "(detached)" else branch,
        head.get("branch.upstream", ""),
        ahead,
        behind,
        _files(fields, below),
        sum(1 for name in staged.out.split("\0") if name and not name.startswith(below)),
        git.look("log", "-1", "--no-show-signature", "--format=%cI").out.strip(),
    )


def prefix(git: Attended) -> str:
    """The path of the memory below the top, ending in ``/``; empty at the top itself."""
    return git.look("rev-parse", "--show-prefix").out.removesuffix("\n")


def under_way(git: Attended) -> str:
    """Which operation is not yet finished, as a sentence; ``""`` where none is."""
    asked = git.look("rev-parse", *(word for name in _UNDER_WAY for word in ("--git-path", name)))
    for place, what in zip(asked.out.split("\n"), _UNDER_WAY.values(), strict=False):
        if place and os.path.lexists(git.root / place):
            return f"{what.capitalize()} is under way in this repository; finish it or abort it first."
    return ""


def head(git: Attended) -> str:
    """The commit that is checked out; ``""`` before the first one."""
    return git.look("rev-parse", "-q", "--verify", "HEAD^{commit}").out.strip()


def branch(git: Attended) -> str:
    """The whole name of the branch that is checked out; ``""`` where none is."""
    return git.look("symbolic-ref", "-q", "HEAD").out.strip()


def committed(git: Attended, path: str) -> str | None:
    """The text of a file as it was committed last; None where it was not."""
    answer = git.look("cat-file", "blob", f"HEAD:./{path}")
    return answer.out if answer.ok else None


def in_head(git: Attended, paths: Sequence[str]) -> set[str]:
    """Those of ``paths`` that the last commit holds."""
    return set(_names(git, "ls-tree", "-r", "-z", "--name-only", "HEAD", paths=paths))


def in_index(git: Attended, paths: Sequence[str]) -> set[str]:
    """Those of ``paths`` that the index knows, if only by name."""
    return set(_names(git, "ls-files", "-z", paths=paths))


def _names(git: Attended, *words: str, paths: Sequence[str]) -> Iterator[str]:
    if paths:
        yield from filter(None, git.look(*words, "--", *pathspecs(paths)).out.split("\0"))


def difference(git: Attended, paths: Sequence[str]) -> str:
    """The difference of exactly these files to what is committed, the new ones whole.

    An index of its own is made for it, so that neither the real one nor the objects are touched.
    Raises ``Undiffed`` with git's own words.
    """
    there = git.look("rev-parse", "--git-path", "objects")
    known = in_head(git, paths) if head(git) else set()
    new = [path for path in paths if path not in known and os.path.lexists(git.root / path)]
    if not known and not new:
        return ""
    objects = git.root / there.out.removesuffix("\n")
    try:
        with tempfile.TemporaryDirectory(prefix="floppy-tui-") as room:
            return _difference(git, Path(room), objects, sorted(known), new)
    except OSError as error:
        raise Undiffed(f"The difference cannot be shown: there is no room for it ({error})") from error


def _difference(git: Attended, room: Path, objects: Path, known: Sequence[str], new: Sequence[str]) -> str:
    """Of the files that the last commit has ``known`` and the ``new`` ones, with the index in ``room``."""
    env = {
        "GIT_INDEX_FILE": f"{room}/index",
        "GIT_OBJECT_DIRECTORY": f"{room}/objects",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": _quoted(objects),
    }
    (room / "objects").mkdir()
    steps = [["diff", *_SHOWN, "--", *pathspecs([*known, *new])]]
    if new:
        steps.insert(0, ["add", "--intent-to-add", "--force", "--", *pathspecs(new)])
    if known:
        steps.insert(0, ["read-tree", "HEAD"])
    said = ""
    for words in steps:
        answer = git.look(*words, env=env)
        if not answer.ok:
            raise Undiffed(f"The difference cannot be shown: {answer.words}")
        said = answer.out
    return said


def _quoted(place: Path) -> str:
    """A path in a list of paths that colons divide."""
    return '"' + str(place).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _files(fields: Sequence[str], below: str) -> tuple[Changed, ...]:
    found: dict[str, Changed] = {}
    for changed in _changed(fields):
        if not changed.path.startswith(below):
            continue
        path = changed.path.removeprefix(below)
        before = found.get(path)
        if before is not None:
            # Taken out of the index, and still there: compared with the commit it is changed.
            found[path] = Changed(path, "M", True)
        else:
            found[path] = changed._replace(path=path)
    return tuple(sorted(found.values()))


def _changed(fields: Sequence[str]) -> Iterator[Changed]:
    for field in fields:
        kind = field[:2]
        if kind == "? " and not field.endswith("/"):  # a repository of its own within ends so
            yield Changed(field[2:], "A", False)
        elif kind == "1 ":
            _, xy, _, was, _, work, _, _, path = field.split(" ", 8)
            yield Changed(path, "D" if work == "000000" else "A" if was == "000000" else "M", xy[0] != ".")
        elif kind == "u ":
            yield Changed(field.split(" ", 10)[10], "U", True)
