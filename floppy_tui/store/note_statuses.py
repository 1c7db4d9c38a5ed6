"""The status files of a repository: what is true now, for the project and for one person, and the journal."""

from __future__ import annotations

import os
import re
import socket
from contextlib import suppress
from datetime import datetime
from pathlib import Path, PurePosixPath

from floppy_tui.notes.planned import Impossible
from floppy_tui.notes.status import StatusFile, StatusKind, append_to
from floppy_tui.store.files import Refusal, StoreError, read_below, read_regular, shown
from floppy_tui.store.tree_home import CONFIG, TreeHome
from floppy_tui.text.lines import decode, encode

JOURNALS = ("statuses_journal", "journal")
"""Keys of the configuration that may name the journal."""
JOURNAL = "JOURNAL.md"
"""How it is called beside the project's file where no key names it."""
_DATED = re.compile(r"[0-9]{4}")
_NO_JOURNAL = ("README.md", "INDEX.md")


def status_files(home: TreeHome) -> tuple[StatusFile, ...]:
    """The status files, there or not; none where the tree belongs to no repository."""
    if home.repository is None:
        return ()
    config = home.config
    named = (
        (StatusKind.NOW, config.statuses_now, config.statuses_now_chars_max),
        (StatusKind.PERSONAL, config.personal_path(socket.gethostname()), None),
        (StatusKind.JOURNAL, journal_path(home), None),
    )
    return tuple(StatusFile(kind, path, _text(home, path), limit) for kind, path, limit in named)


def status_place(home: TreeHome, path: str) -> Path:
    """Where the status file ``path`` (relative to the repository) lies; the memory's link is followed."""
    assert home.repository is not None
    below = PurePosixPath(home.config.memory_dir)
    with suppress(ValueError):
        return home.root / PurePosixPath(path).relative_to(below)
    return home.repository / path


def journal_path(home: TreeHome) -> str:
    """The journal, relative to the repository: by its key, by its name, or the newest beside the others."""
    config = home.config
    for key in JOURNALS:
        if config.values.get(key):
            return config.values[key]
    above = config.statuses_now.rpartition("/")[0]
    prefix = f"{above}/" if above else ""
    place = status_place(home, f"{prefix}{JOURNAL}")
    others = {config.statuses_now.rpartition("/")[2], config.status_name, *_NO_JOURNAL}
    if above and not os.path.lexists(place):
        with suppress(OSError), os.scandir(place.parent) as listing:
            dated = [
                (bool(_DATED.search(entry.name)), entry.stat().st_mtime_ns, entry.name)
                for entry in listing
                if entry.name.endswith(".md")
                and entry.name[0] != "."
                and entry.name not in others
                and entry.is_file(follow_symlinks=False)
            ]
            # A date in the name tells better than the disk, which a clone leaves with one date for all.
            newest = max(dated, key=lambda one: (one[0], one[2] if one[0] else "", one[1]), default=None)
            if newest is not None:
                return f"{prefix}{newest[2]}"
    return f"{prefix}{JOURNAL}"


def _text(home: TreeHome, path: str) -> str | None:
    with suppress(Refusal):
        data = read_regular(status_place(home, path))
        return None if data is None else decode(data)
    return None


def append(home: TreeHome, roots: list[Path], heading: str | None, words: str, now: datetime) -> str:
    """Append to the journal, at a section or in a new one; the act's id. Raises ``StoreError``."""
    from floppy_tui.store.transaction import Change, Rank, apply
    from floppy_tui.store.tree_writing import mode_like

    if home.repository is None:
        raise StoreError("This tree belongs to no repository, so that it has no journal.")
    path = status_place(home, journal_path(home))
    before = read_below(path, roots)
    try:
        after = encode(append_to(decode(before or b""), heading, words))
    except Impossible as why:
        raise StoreError(str(why)) from why
    if not _only_adds(before or b"", after):
        raise StoreError(f"{shown(path)} would be rewritten, and a journal is only appended to.")
    beside = [status_place(home, home.config.statuses_now), home.repository / CONFIG]
    change = Change(path, before, after, Rank.DESTINATION, mode=mode_like(beside))
    act = f"append to the journal {path.name}"
    return apply(home.own_state, roots, [change], act=act, now=now, audit=lambda held: ())


def _only_adds(before: bytes, after: bytes) -> bool:
    """Whether ``after`` is ``before`` with something put in at one place."""
    head = next((n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), len(before))
    return len(after) >= len(before) and after.endswith(before[head:])
