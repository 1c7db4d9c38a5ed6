"""Finding a note tree: which directory holds it, by which convention, and where our own state of it lives."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from floppy_tui.notes.index import INDEX, ROUTER
from floppy_tui.notes.profiles import COMMON, MEMORY_DIR, Config, Profile, read_config
from floppy_tui.notes.quota import FILE as QUOTA
from floppy_tui.store.files import Refusal, StoreError, read_regular, shown
from floppy_tui.store.state import state_dir, work_tree
from floppy_tui.text.lines import decode

FLOPPY = ".floppy"
CONFIG = ".floppy/config"
HEAT = ".floppy/heat.log"
AUTO_DIR = "memory"
"""Where agents keep a memory of their own beside other things."""
_CONFIG_MAX = 1 << 20


class NoTree(StoreError):
    """There is no note tree; the sentence says where it was looked for."""


@dataclass(frozen=True)
class TreeHome:
    """A note tree on disk."""

    root: Path
    """The memory directory, resolved once: links above it are followed here and nowhere else."""
    repository: Path | None
    """The repository that is set up for it, by its ``.floppy/``, resolved; None for a bare directory."""
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
        return (self.config.private_dir, COMMON, f"{COMMON}/shared", f"{COMMON}/private")


def find_tree(path: Path | None, cwd: Path) -> TreeHome:
    """The note tree at ``path``, or the nearest one at or above ``cwd``; raises ``NoTree``.

    A path names a repository, a home, or the memory directory itself. Nothing is made by asking.
    """
    if path is not None:
        named = Path(os.path.abspath(cwd / path))
        start = Path(os.path.realpath(named))
        if not start.is_dir():
            missing = "is no directory" if os.path.lexists(named) else "does not exist"
            raise NoTree(f"{shown(named)} {missing}; name a repository or a memory directory.")
        found = tree_at(start, named)
        if found is None:
            raise NoTree(
                f"There is no note tree at {shown(start)}: neither {CONFIG}, nor {MEMORY_DIR}/ or "
                f"{AUTO_DIR}/ with a {ROUTER} in it, nor a {ROUTER} or a {QUOTA}; name the repository or the "
                "memory directory."
            )
        return found
    start = Path(os.path.realpath(cwd))
    for place in (start, *start.parents):
        found = tree_near(place)
        if found is not None:
            return found
    raise NoTree(f"There is no note tree at or above {shown(start)}; name one, or see `floppy-tui --help`.")


def tree_near(place: Path) -> TreeHome | None:
    """The note tree at ``place`` (resolved), as one that nobody named: where it has an index.

    Raises ``NoTree`` where a configuration says that there is one.
    """
    if _is_repository(place) or os.path.lexists(place / ROUTER) or _memory_below(place) is not None:
        return tree_at(place, place)
    return None


def tree_at(place: Path, named: Path) -> TreeHome | None:
    """The note tree at ``place``, which is what ``named`` leads to; None where there is none.

    Raises ``NoTree`` where there should be one.
    """
    if _is_repository(place):
        return _of_repository(place, _config(place))
    if os.path.lexists(place / ROUTER) or _is_floppy(place):
        owner = _owner(place, named)
        if owner is not None:
            return _home(place, *owner, Profile.FLOPPY)
        return _home(place, None, Config(), _profile(place))
    root = _memory_below(place)
    if root is None and _is_floppy(place / MEMORY_DIR):
        root = Path(os.path.realpath(place / MEMORY_DIR))
    return None if root is None else _home(root, None, Config(), _profile(root))


def _is_repository(place: Path) -> bool:
    """Whether ``place`` is set up for a memory."""
    if os.path.lexists(place / CONFIG):
        return True
    return os.path.isdir(place / FLOPPY) and os.path.lexists(place / MEMORY_DIR)


def _config(repository: Path) -> Config:
    """What the repository says; a link to the file is followed, because it is only read."""
    try:
        data = read_regular(Path(os.path.realpath(repository / CONFIG)), limit=_CONFIG_MAX)
    except Refusal as refusal:
        raise NoTree(f"{refusal}.") from refusal
    if data is None and os.path.lexists(repository / CONFIG):
        raise NoTree(f"{shown(repository / CONFIG)} is a link that leads nowhere; correct it.")
    if data is not None and b"\0" in data:
        raise NoTree(
            f"{shown(repository / CONFIG)} holds NUL bytes, so that it is no configuration; correct it."
        )
    return Config() if data is None else read_config(decode(data))


def _memory(repository: Path, config: Config) -> Path:
    return Path(os.path.realpath(repository / config.memory_dir))


def _owner(place: Path, named: Path) -> tuple[Path, Config] | None:
    """The repository above ``place``, or above the link ``named`` to it, whose memory it is."""
    for above in dict.fromkeys((*named.parents, *place.parents)):
        if _is_repository(above):
            with suppress(NoTree):
                config = _config(above)
                if _memory(above, config) == place:
                    return Path(os.path.realpath(above)), config
    return None


def _of_repository(repository: Path, config: Config) -> TreeHome:
    named = repository / config.memory_dir
    root = _memory(repository, config)
    if not root.is_dir():
        if named.is_symlink():
            raise NoTree(
                f"{shown(named)} is a link to {shown(root)}, which is not there; wire the store of the "
                "memory again, or correct the link."
            )
        said = f"the memory_dir of {shown(repository / CONFIG)}"
        missing = "is no directory" if os.path.lexists(named) else "does not exist"
        raise NoTree(f"{shown(named)}, {said}, {missing}; make it, and a {ROUTER} in it.")
    return _home(root, repository, config, Profile.FLOPPY)


def _memory_below(place: Path) -> Path | None:
    """The memory directory that stands in ``place`` by one of the usual names, resolved."""
    for name in (MEMORY_DIR, AUTO_DIR):
        if os.path.lexists(place / name / ROUTER):
            return Path(os.path.realpath(place / name))
    return None


def _is_floppy(place: Path) -> bool:
    return os.path.lexists(place / QUOTA) or any(_halves(place))


def _halves(place: Path) -> Iterator[str]:
    with suppress(OSError), os.scandir(place) as listing:
        for entry in listing:
            if (
                not entry.name.startswith(".")
                and entry.is_dir()
                and os.path.isfile(place / entry.name / INDEX)
            ):
                yield entry.name


def _profile(root: Path) -> Profile:
    return Profile.FLOPPY if _is_floppy(root) else Profile.AUTO


def _home(root: Path, repository: Path | None, config: Config, profile: Profile) -> TreeHome:
    if not os.path.lexists(root / ROUTER):
        raise NoTree(f"There is no {shown(root / ROUTER)}: this memory has no index; write one.")
    git = work_tree(root)
    external = repository is not None and not root.is_relative_to(repository)
    if repository is not None and git is not None:
        external = git != work_tree(repository)
    return TreeHome(root, repository, git, profile, config, external, _own_state(root, git))


def _own_state(root: Path, git: Path | None) -> Path:
    """Our own state of the memory at ``root``: apart from that of others which one repository stores."""
    state = state_dir(root, tiered=False)
    if git is None:
        return state
    inner = os.fsencode(root.relative_to(git))
    return state / f"notes-{hashlib.sha256(inner).hexdigest()[:16]}"
