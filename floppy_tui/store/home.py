"""Finding a home and reading it into one immutable snapshot; what cannot be read is named, never guessed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from floppy_tui.store.accounting import NoHome, Places, account, find_home
from floppy_tui.store.files import Refusal, read_regular
from floppy_tui.store.state import state_dir
from floppy_tui.store.tick import due_tick
from floppy_tui.text.lines import decode, encode
from floppy_tui.tiers.clocks import Horizon
from floppy_tui.tiers.layout import ARCHIVE, Refused
from floppy_tui.tiers.snapshot import MemoryFile, Snapshot, memory_file

__all__ = ["Home", "NoHome", "discover", "read_home"]

HORIZON_FLAG = "stow-pass-horizon"


@dataclass(frozen=True)
class Home:
    """A home on disk: where its directories are and where our own state of it lives."""

    places: Places
    own_state: Path
    """Ours: journal, open pass, receipts, log."""

    @property
    def root(self) -> Path:
        """The home's root, resolved."""
        return self.places.root

    @property
    def data(self) -> Path:
        """Where the memory files and the archive are, resolved."""
        return self.places.data

    @property
    def config(self) -> Path:
        """Where the allowance is."""
        return self.places.config

    @property
    def state(self) -> Path:
        """The home's runtime state."""
        return self.places.state

    def path(self, name: str) -> Path:
        """Where a memory file or the archive (``data/<name>``) lies on disk."""
        return self.places.memory(name)

    def below(self, path: str) -> Path:
        """Where a destination, such as ``data/notes/tides.md`` or ``.agents/skills/…``, lies on disk."""
        first, _, rest = path.partition("/")
        return self.data / rest if first == "data" and rest else self.root / path


def discover(path: Path | None, env: Mapping[str, str], cwd: Path) -> Home:
    """The home to work on (an explicit ``path``, the environment, or the nearest one); raises ``NoHome``."""
    found = find_home(path, env, cwd)
    override = found.state if found.state_override else None
    return Home(found, state_dir(found.root, tiered=True, override=override))


def read_home(home: Home, today: date, before: Snapshot | None = None) -> Snapshot:
    """Read the whole home; refusals are data in the snapshot. Files unchanged since ``before`` are shared."""
    found = account(home.places)
    known = {f.path: f for f in before.files} if before and before.role is found.role else {}
    files = tuple(
        _same(known.get(f.path), f.data) or memory_file(f.path, f.data, found.role, f.refused)
        for f in found.files
    )
    archive: str | None = None
    refused: Refused | None = None
    try:
        data = read_regular(home.path(ARCHIVE))
        archive = None if data is None else decode(data)
    except Refusal as refusal:
        refused = Refused(f"archive-{refusal.what}", f"{refusal}.")
    return Snapshot(
        root=str(home.root),
        role=found.role,
        today=today,
        allowance=found.allowance,
        files=files,
        archive_text=archive,
        archive_refused=refused,
        horizon=read_horizon(home, today),
    )


def read_horizon(home: Home, today: date) -> Horizon:
    """Whether the home counts passes, and whether one today would count."""
    if not (home.config / HORIZON_FLAG).exists():
        return Horizon()
    tick = due_tick(home.state, today)
    return Horizon(on=True, tick=bool(tick), note="" if tick else tick.exception or tick.why)


def _same(file: MemoryFile | None, data: bytes | None) -> MemoryFile | None:
    if file is None or file.document is None or data is None:
        return None
    return file if encode(file.document.text) == data else None
