"""Finding a home and accounting for it: its directories, role, allowance and the sizes of its files.

This is all that a budget report needs, so it loads neither a Markdown parser nor a lock; reading a
whole home builds on the same rules. Named tuples, because making a data class costs a start ten times
as much.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from floppy_tui.store.files import Refusal, StoreError, read_regular, shown
from floppy_tui.tiers.budget import Allowance, estimate, read_allowance
from floppy_tui.tiers.layout import ALLOWANCE, FILES, SHARED, Refused, Role, Status, shared_alone

SECONDMATE_MARK = ".fm-secondmate-home"
HOME_VARIABLE = "FM_HOME"
OVERRIDES = {"data": "FM_DATA_OVERRIDE", "config": "FM_CONFIG_OVERRIDE", "state": "FM_STATE_OVERRIDE"}
"""The variable that replaces each directory of a home."""


class NoHome(StoreError):
    """No home to work on; its ``str`` is one sentence."""


class Places(NamedTuple):
    """A home and where its directories lie; only ``root`` is known to exist."""

    root: Path
    """Resolved."""
    data: Path
    """Resolved once, here: what is below it is never reached through a link."""
    config: Path
    """Its own name is not resolved: a linked one is an exception of the accounting."""
    state: Path
    """Its own name is not resolved, unless ``state_override``."""
    state_override: bool = False
    """Whether the environment names the state directory."""

    def memory(self, path: str) -> Path:
        """Where ``data/<name>`` lies on disk."""
        return self.data / path.rsplit("/", 1)[-1]


class Found(NamedTuple):
    """One memory file as it was found; ``data`` only where it was read."""

    path: str
    """Below the home, such as ``data/captain.md``."""
    status: Status
    data: bytes | None = None
    refused: Refused | None = None

    @property
    def size(self) -> int:
        """Bytes; 0 where none were read."""
        return len(self.data or b"")

    @property
    def tokens(self) -> int:
        """Its estimate, rounded up for this file alone."""
        return estimate(self.size)


class Account(NamedTuple):
    """What the memory of a home costs, as far as it could be found out."""

    role: Role
    allowance: Allowance
    files: tuple[Found, ...]

    @property
    def total(self) -> int:
        """The sum of the per-file estimates."""
        return sum(f.tokens for f in self.files)

    @property
    def complete(self) -> bool:
        """Whether the accounting ran: a usable allowance, and no file refused."""
        return bool(self.allowance.digits) and not any(f.refused for f in self.files)

    @property
    def over(self) -> bool:
        """Whether what was read is over a usable allowance."""
        return bool(self.allowance.digits) and not self.allowance.allows(self.total)

    @property
    def status(self) -> str:
        """``within-budget``, ``over-budget``, or ``unknown`` where what was not read could decide it."""
        if self.over:
            return "over-budget"
        return "within-budget" if self.complete else "unknown"

    @property
    def exceptions(self) -> tuple[Refused, ...]:
        """What keeps the accounting from being trusted: the allowance, the files, the shared file's size."""
        found: list[Refused] = []
        if self.allowance.exception:
            found.append(Refused(self.allowance.exception, self.allowance.message))
        found.extend(f.refused for f in self.files if f.refused)
        shared = next(f for f in self.files if f.path == SHARED)
        alone = shared_alone(self.role, self.allowance, shared.tokens)
        return (*found, alone) if alone else tuple(found)


def find_home(path: Path | None, env: Mapping[str, str], cwd: Path) -> Places:
    """The home to work on: ``path``, else ``FM_HOME``, else the nearest one around ``cwd``.

    A ``path`` beats the whole environment, its directory overrides too. Raises ``NoHome``.
    """
    if path is not None:
        return places(_directory(cwd / path, "this home"), {}, cwd)
    named = env.get(HOME_VARIABLE)
    if named:
        return places(_directory(cwd / named, f"the home named by {HOME_VARIABLE}"), env, cwd)
    start = Path(os.path.realpath(cwd))
    for root in (start, *start.parents):
        if looks_like_home(root):
            return places(root, env, cwd)
    raise NoHome(
        f"There is no home at or above {shown(start)}; name one with --home PATH or {HOME_VARIABLE}, "
        "or try `floppy-tui demo`."
    )


def looks_like_home(root: Path) -> bool:
    """Whether one of the memory files or an allowance has its place taken below ``root``."""
    return any(os.path.lexists(root / name) for name in (*FILES, ALLOWANCE))


def places(root: Path, env: Mapping[str, str], cwd: Path) -> Places:
    """The directories of the home at ``root``, with those that ``env`` replaces (relative to ``cwd``)."""
    root = Path(os.path.realpath(root))
    found = {name: root / name for name in OVERRIDES}
    for name, variable in OVERRIDES.items():
        if env.get(variable):
            found[name] = Path(os.path.abspath(cwd / env[variable]))
    config = found["config"]
    override = bool(env.get(OVERRIDES["state"]))
    return Places(
        root=root,
        data=Path(os.path.realpath(found["data"])),
        config=Path(os.path.realpath(config.parent)) / config.name,
        state=Path(os.path.realpath(found["state"])) if override else found["state"],
        state_override=override,
    )


def _directory(path: Path, what: str) -> Path:
    if not os.path.isdir(path):
        missing = "is not a directory" if os.path.lexists(path) else "does not exist"
        raise NoHome(f"{shown(path)}, {what}, {missing}; name a directory that holds data/ and config/.")
    return path


def read_role(root: Path) -> Role:
    """Whether the home is a secondmate: its mark is there, even as a link that leads nowhere."""
    return Role.SECONDMATE if os.path.lexists(root / SECONDMATE_MARK) else Role.PRIMARY


def find_allowance(config: Path) -> Allowance:
    """The allowance in the directory ``config``, or the named exception; no default is ever inferred."""
    path = config / ALLOWANCE.rsplit("/", 1)[-1]
    try:
        above = os.lstat(config)
    except FileNotFoundError:
        return _absent(path)
    except OSError as error:
        return _refused("allowance-unreadable", Refusal.of(error, config))
    if stat.S_ISLNK(above.st_mode):
        return _refused("config-directory-symlinked", Refusal(config, "symlink"))
    if not stat.S_ISDIR(above.st_mode):
        return _refused("config-not-a-directory", Refusal(config, "not-a-directory"))
    try:
        data = read_regular(path)
        links = os.lstat(path).st_nlink if data is not None else 0
    except Refusal as refusal:
        return _refused(_ALLOWANCE_NAMES.get(refusal.what, "allowance-unreadable"), refusal)
    except OSError as error:
        return _refused("allowance-unreadable", Refusal.of(error, path))
    if data is None:
        return _absent(path)
    if links > 1:
        return Allowance(
            exception="allowance-hardlinked",
            message=f"{shown(path)} is one file under {links} names (hard links), so another home could "
            "change it; put a copy in its place.",
        )
    return read_allowance(data)


_ALLOWANCE_NAMES = {
    "symlink": "allowance-symlinked",
    "directory": "allowance-not-regular",
    "fifo": "allowance-not-regular",
    "not-regular": "allowance-not-regular",
}


def _absent(path: Path) -> Allowance:
    return Allowance(
        exception="allowance-absent",
        message=f"{shown(path)} is absent, and no allowance is ever assumed; write one positive number "
        "and one newline into it.",
    )


def _refused(name: str, refusal: Refusal) -> Allowance:
    return Allowance(exception=name, message=f"{refusal}.")


def look(place: Path, path: str) -> Found:
    """The file at ``place``, called ``path`` below the home: read, absent, or refused by name."""
    try:
        data = read_regular(place)
    except Refusal as refusal:
        return Found(path, Status.REFUSED, refused=Refused(f"memory-file-{refusal.what}", f"{refusal}."))
    return Found(path, Status.ABSENT if data is None else Status.PRESENT, data)


def account(home: Places) -> Account:
    """Account for ``home`` as it is on disk now; what is wrong is in the answer, nothing is raised."""
    return Account(
        role=read_role(home.root),
        allowance=find_allowance(home.config),
        files=tuple(look(home.memory(path), path) for path in FILES),
    )
