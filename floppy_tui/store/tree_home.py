"""Finding a note tree: which directory holds it, by which convention, and whether anybody publishes it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from floppy_tui.notes.findings import Finding
from floppy_tui.notes.index import INDEX, ROUTER
from floppy_tui.notes.profiles import MEMORY_DIR, Config, Profile, read_config
from floppy_tui.notes.quota import FILE as QUOTA
from floppy_tui.notes.rules import found
from floppy_tui.store.files import Refusal, StoreError, read_regular, shown
from floppy_tui.store.state import git_dir, state_dir
from floppy_tui.text.lines import decode

CONFIG = ".floppy/config"
HEAT = ".floppy/heat.log"
AUTO_DIR = "memory"
"""Where agents keep a memory of their own beside other things."""


class NoTree(StoreError):
    """There is no note tree; the sentence says where it was looked for."""


@dataclass(frozen=True)
class TreeHome:
    """A note tree on disk."""

    root: Path
    """The memory directory, resolved once: links above it are followed here and nowhere else."""
    repository: Path | None
    """The repository (or the directory) whose ``.floppy/config`` or ``memory_dir`` it is, resolved."""
    git: Path | None
    """The work tree that holds the notes."""
    profile: Profile
    config: Config
    external: bool
    """Whether the notes lie outside ``repository``, in a store."""
    own_state: Path
    """Ours: journal, ledger, log."""

    @property
    def display_root(self) -> str:
        """How it is called: the repository, or the directory itself."""
        return str(self.root if self.repository is None or self.external else self.repository)

    def scopes(self) -> tuple[str, ...]:
        """The scopes (below the root) that may be wired by a link."""
        if self.profile is not Profile.FLOPPY:
            return ()
        return (self.config.private_dir, "common", "common/shared", "common/private")


def find_tree(path: Path | None, cwd: Path) -> TreeHome:
    """The note tree at ``path``, or the nearest one at or above ``cwd``; raises ``NoTree``.

    A path names a repository, a home, or the memory directory itself.
    """
    if path is not None:
        start = Path(os.path.realpath(cwd / path))
        if not start.is_dir():
            raise NoTree(f"{shown(start)} is no directory; name a repository or a memory directory.")
        found_at = _at(start)
        if found_at is None:
            raise NoTree(
                f"There is no note tree at {shown(start)}: neither {CONFIG}, nor {MEMORY_DIR}/, nor a "
                f"{ROUTER} or a {QUOTA} is there; name the repository or the memory directory."
            )
        return found_at
    start = Path(os.path.realpath(cwd))
    for place in (start, *start.parents):
        found_at = _at(place)
        if found_at is not None:
            return found_at
    raise NoTree(f"There is no note tree at or above {shown(start)}; name one, or see `floppy-tui --help`.")


def _at(place: Path) -> TreeHome | None:
    config = _config(place)
    if config is not None:
        return _of_repository(place, config)
    if looks_like_tree(place):
        for above in place.parents:
            config = _config(above)
            if config is not None and _memory(above, config) == place:
                return _home(place, above, config, Profile.FLOPPY)
        return _home(place, None, Config(), _profile(place))
    for name in (MEMORY_DIR, AUTO_DIR):
        below = place / name
        if below.is_dir() and looks_like_tree(Path(os.path.realpath(below))):
            root = Path(os.path.realpath(below))
            floppy = name == MEMORY_DIR and _profile(root) is Profile.FLOPPY
            return _home(root, place if floppy else None, Config(), _profile(root))
    return None


def _config(place: Path) -> Config | None:
    """The configuration of the repository at ``place``; None where it is none of floppy's."""
    with suppress(Refusal):
        text = read_regular(place / CONFIG, limit=1 << 20)
        if text is not None:
            return read_config(decode(text))
    return None


def _memory(repository: Path, config: Config) -> Path:
    return Path(os.path.realpath(repository / os.path.expanduser(config.memory_dir)))


def _of_repository(repository: Path, config: Config) -> TreeHome:
    named = repository / config.memory_dir
    root = _memory(repository, config)
    if not root.is_dir():
        if named.is_symlink():
            raise NoTree(
                f"{shown(named)} is a link to {shown(root)}, which is not there; wire the store of the "
                "memory again, or correct the link."
            )
        raise NoTree(
            f"{shown(named)}, the memory_dir of {shown(repository / CONFIG)}, is no directory; make it."
        )
    if not os.path.lexists(root / ROUTER):
        raise NoTree(f"There is no {shown(root / ROUTER)}: this repository's memory has no index; write one.")
    return _home(root, repository, config, Profile.FLOPPY)


def looks_like_tree(place: Path) -> bool:
    """Whether ``place`` itself is a memory directory."""
    return os.path.lexists(place / ROUTER) or _is_floppy(place)


def _is_floppy(place: Path) -> bool:
    return os.path.lexists(place / QUOTA) or any(_halves(place))


def _halves(place: Path) -> Iterator[str]:
    with suppress(OSError), os.scandir(place) as listing:
        for entry in listing:
            if not entry.name.startswith(".") and os.path.isfile(place / entry.name / INDEX):
                yield entry.name


def _profile(root: Path) -> Profile:
    return Profile.FLOPPY if _is_floppy(root) else Profile.AUTO


def _home(root: Path, repository: Path | None, config: Config, profile: Profile) -> TreeHome:
    if not os.path.lexists(root / ROUTER):
        raise NoTree(f"There is no {shown(root / ROUTER)}: this memory has no index; write one.")
    return TreeHome(
        root=root,
        repository=repository,
        git=work_tree(root),
        profile=profile,
        config=config,
        external=repository is not None and not root.is_relative_to(repository),
        own_state=state_dir(root, tiered=False),
    )


def work_tree(root: Path) -> Path | None:
    """The work tree that ``root`` lies in, found by reading alone."""
    for place in (root, *root.parents):
        if git_dir(place) is not None and os.path.lexists(place / ".git"):
            return place
    return None


def layout(home: TreeHome) -> tuple[Finding, ...]:
    """What is wrong with how the tree lies on the disk: notes that nothing will ever publish."""
    repository = home.repository
    if repository is None or home.profile is not Profile.FLOPPY:
        return ()
    named = home.config.memory_dir
    if home.external:
        if home.git is None:
            said = (
                f"memory_dir leads to {shown(home.root)}, which lies in no git repository: notes are written "
                "that nothing will ever publish; make it a repository, or lead memory_dir into one."
            )
            return (found(home.profile, "store-outside-git", CONFIG, 0, said),)
        return ()
    rule = _ignored(home)
    if rule:
        said = (
            f"{named} is a directory of this repository, and git ignores it ({rule}): the ignore line of a "
            "store is there and its link is not, so that nothing will ever publish these notes; wire the "
            "store, or remove the ignore line."
        )
        return (found(home.profile, "store-half-done", CONFIG, 0, said),)
    return ()


def _ignored(home: TreeHome) -> str:
    """The rule by which git ignores the router; ``""`` where it does not."""
    if home.git is None:
        return ""
    from floppy_tui.store.repository import Repository

    path = f"{home.root.relative_to(home.git).as_posix()}/{ROUTER}"
    _, rule = Repository(home.git).check_ignore(path)
    if rule is None or rule.negative:
        return ""
    return re.sub(r"\s+", " ", str(rule))
