"""How a note tree lies on the disk: whether anything will ever publish what is written there.

Git is asked, and starting it takes its time: rules that cannot concern the memory are told apart before.
Where there is no git to ask, our own reading of the rules has to do.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from fnmatch import translate
from pathlib import Path
from typing import NamedTuple

from floppy_tui.notes.findings import Finding
from floppy_tui.notes.profiles import Profile
from floppy_tui.notes.rules import found
from floppy_tui.store.files import Refusal, read_regular, shown
from floppy_tui.store.state import git_dir, shared_git_dir
from floppy_tui.store.tree_home import CONFIG, TreeHome
from floppy_tui.text.lines import bare, decode, split_lines

_PROBE = "floppy-tui-probe.md"
"""A note that nobody has: one that is tracked is never ignored."""
_NO_GIT = 126
"""The first status that means that git itself could not be run."""
_LIMIT = 1 << 20


def layout(home: TreeHome) -> tuple[Finding, ...]:
    """What is wrong with where the tree lies: notes are written that nothing will ever publish."""
    repository = home.repository
    if repository is None or home.profile is not Profile.FLOPPY:
        return ()
    named = home.config.memory_dir
    if home.git is None:
        said = (
            f"memory_dir leads to {shown(home.root)}, which lies in no git repository: notes are written "
            "that nothing will ever publish; make it a repository, or lead memory_dir into one."
        )
        return (found(home.profile, "store-outside-git", CONFIG, 0, said),)
    rule = "" if home.external else _ignored(home.root, home.git)
    if not rule:
        return ()
    said = (
        f"{named} is a directory of this repository, and git ignores it ({rule}): the ignore line of a "
        "store is there and its link is not, so that nothing will ever publish these notes; wire the "
        "store, or remove the ignore line."
    )
    return (found(home.profile, "store-half-done", CONFIG, 0, said),)


def _ignored(root: Path, git: Path) -> str:
    """The rule by which git ignores a new note in ``root``; ``""`` where it does not."""
    inner = root.relative_to(git)
    rule = by_hand(git, inner / _PROBE)
    if not rule and not _says_more(git):
        return ""
    from floppy_tui.store.repository import Repository

    path = (inner / _PROBE).as_posix()
    answer, said = Repository(git).check_ignore(path)
    if answer.status >= _NO_GIT:
        return rule
    return "" if said is None or said.negative else re.sub(r"\s+", " ", str(said))


# -- rules read by hand


class _Rule(NamedTuple):
    source: str
    line: int
    pattern: str
    base: tuple[str, ...]
    """The directory that it counts in, below the work tree."""

    def __str__(self) -> str:
        return f"{self.source}:{self.line}: {self.pattern}"


def by_hand(git: Path, path: Path) -> str:
    """The rule of the repository's own files that ignores ``path`` below ``git``, or ``""``."""
    parts = path.parts
    rules = list(_rules(git, parts[:-1]))
    for depth in range(1, len(parts) + 1):
        for rule in rules:
            inner = parts[len(rule.base) : depth]
            if inner and _matches(rule.pattern, inner, last=depth == len(parts)):
                if not rule.pattern.startswith("!"):
                    # A file below an ignored directory stays ignored, whatever comes after.
                    return str(rule)
                break
    return ""


def _rules(git: Path, above: tuple[str, ...]) -> Iterator[_Rule]:
    """The rules that concern a file in the directory ``above``, strongest first."""
    for depth in range(len(above), -1, -1):
        base = above[:depth]
        yield from _read("/".join((*base, ".gitignore")), git.joinpath(*base, ".gitignore"), base)
    shared = shared_git_dir(git)
    if shared is not None:
        yield from _read("info/exclude", shared / "info/exclude", ())


def _read(name: str, path: Path, base: tuple[str, ...]) -> list[_Rule]:
    """The rules of one file, the last first."""
    with suppress(Refusal):
        lines = split_lines(decode(read_regular(path, limit=_LIMIT) or b""))
        rules = [_Rule(name, n, _trimmed(bare(line)), base) for n, line in enumerate(lines, 1)]
        return [rule for rule in reversed(rules) if rule.pattern and not rule.pattern.startswith("#")]
    return []


def _trimmed(line: str) -> str:
    kept = line.rstrip(" ")
    return kept + " " if kept.endswith("\\") and len(kept) < len(line) else kept


def _matches(pattern: str, parts: tuple[str, ...], *, last: bool) -> bool:
    """Whether a rule is about the path ``parts`` from its own directory; ``last`` says that it is a file."""
    pattern = pattern.removeprefix("!")
    folder = pattern.endswith("/")
    if folder and last:
        return False
    pattern = pattern.removesuffix("/")
    if "/" not in pattern:
        return _fits(pattern, parts[-1])
    return _fit(tuple(pattern.removeprefix("/").split("/")), parts)


def _fit(patterns: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    if not patterns:
        return not parts
    if len(patterns[0]) > 1 and not patterns[0].strip("*"):
        # At the end it is about what is below, and not about the directory itself.
        rest = patterns[1:]
        return any(_fit(rest, parts[n:]) for n in range(len(parts) + 1)) if rest else bool(parts)
    return bool(parts) and _fits(patterns[0], parts[0]) and _fit(patterns[1:], parts[1:])


def _fits(pattern: str, name: str) -> bool:
    plain = re.sub(r"\\(.)", r"[\1]", pattern)
    with suppress(re.error):
        # Some disks tell no letter case; git is asked in the end.
        return re.match(translate(plain), name, re.IGNORECASE) is not None
    return True


def _says_more(git: Path) -> bool:
    """Whether git may know rules that are not the repository's own."""
    user = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    if os.environ.get("GIT_CONFIG_GLOBAL") or os.environ.get("GIT_CONFIG_SYSTEM"):
        return True
    if os.path.lexists(f"{user}/git/ignore"):
        return True
    own, shared = git_dir(git), shared_git_dir(git)
    settings = [f"{user}/git/config", os.path.expanduser("~/.gitconfig"), "/etc/gitconfig"]
    settings += [
        f"{place}/{name}" for place in {own, shared} if place for name in ("config", "config.worktree")
    ]
    for name in settings:
        try:
            said = read_regular(Path(os.path.realpath(name)), limit=_LIMIT)
        except Refusal:
            return True
        if said is not None and re.search(rb"excludesfile|include", said, re.I):
            return True
    return False
