"""The live store of one note tree: reads it, applies acts to it, publishes it.

Every method here blocks; the screen calls them from a worker.
"""

from __future__ import annotations

import asyncio
import os
import socket
import stat
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from floppy_tui.notes.index import INDEX, ROUTER
from floppy_tui.notes.planned import Edit, Impossible, Planned
from floppy_tui.notes.quota import FILE as QUOTA
from floppy_tui.notes.tree import Tree, build_tree
from floppy_tui.store import state as own
from floppy_tui.store.files import Refusal, StoreError, read_regular
from floppy_tui.store.settings import Settings, config_path, load_settings, today_utc
from floppy_tui.store.tree_files import Reading, linked_places, read_files
from floppy_tui.store.tree_home import HEAT, NoTree, TreeHome, find_tree
from floppy_tui.store.tree_layout import layout
from floppy_tui.text.lines import decode, encode

if TYPE_CHECKING:
    from floppy_tui.notes.status import StatusFile
    from floppy_tui.store.publish import Publisher, Standing, Step
    from floppy_tui.store.undo import Act
    from floppy_tui.store.wrap_lock import Held

__all__ = ["NoTree", "NoteStore", "StoreError", "find_tree", "open_tree"]

JOURNALS = ("statuses_journal", "journal")
"""Keys of the configuration that may name the journal."""
JOURNAL = "JOURNAL.md"
"""How it is called beside ``statuses_now`` where no key names it."""


class NoteStore:
    """One note tree and our own state of it."""

    def __init__(
        self,
        home: TreeHome,
        settings: Settings,
        today: Callable[[], date],
        env: Mapping[str, str] = os.environ,
    ) -> None:
        self.home = home
        self.settings = settings
        self.today = today
        """In UTC, as evidence is dated."""
        self.env = env
        self.warnings: tuple[str, ...] = ()
        """What in the config file does not count, in sentences."""
        self._last: Tree | None = None
        self._reading: Reading | None = None

    # -- reading

    def read(self) -> Tree:
        """The tree as it is now; raises ``NoTree`` where its index is gone."""
        home = self.home = find_tree(self._named(), Path("/"))
        reading = read_files(home.root, home.scopes(), self._reading)
        self._reading = reading
        self._last = build_tree(
            {path: read.text for path, read in reading.files.items()},
            home.profile,
            home.config,
            self.today(),
            linked=reading.linked,
            heat=self._heat(),
            unread=reading.unread,
            layout=layout(home),
            before=self._last,
        )
        return self._last

    def _named(self) -> Path:
        return self.home.root if self.home.repository is None else self.home.repository

    def _heat(self) -> str:
        if self.home.repository is None:
            return ""
        with suppress(Refusal):
            return decode(read_regular(self.home.repository / HEAT) or b"")
        return ""

    async def changes(self, stop: asyncio.Event) -> AsyncIterator[frozenset[Path]]:
        """The paths that changed on disk, in bursts, until ``stop`` is set."""
        from floppy_tui.store.watch import watch

        watched = [self.home.root, *linked_places(self.home.root, self.home.scopes()).values()]
        repository = self.home.repository
        if repository is not None:
            watched.append(repository / ".floppy")
            watched += [(repository / s.path).parent for s in await asyncio.to_thread(self.statuses)]
        beside = dict.fromkeys(
            p for p in watched if p == self.home.root or not p.is_relative_to(self.home.root)
        )
        async for paths in watch(beside, recursive=True, polling=self.settings.polling, stop=stop):
            yield paths

    def path(self, relative: str) -> Path:
        """Where a file of the tree, or a status file (as it is shown), lies on disk."""
        if relative in {s.path for s in self.statuses()}:
            return self._beside(relative)
        return self.home.root / relative

    # -- status files

    def statuses(self) -> tuple[StatusFile, ...]:
        """The status files of the repository; none where the tree belongs to no repository."""
        from floppy_tui.notes.status import StatusFile, StatusKind

        if self.home.repository is None:
            return ()
        config = self.home.config
        named = [
            (StatusKind.NOW, config.statuses_now, config.statuses_now_chars_max),
            (StatusKind.PERSONAL, config.personal_path(socket.gethostname()), None),
            (StatusKind.JOURNAL, self._journal(), None),
        ]
        return tuple(StatusFile(kind, path, self._text(path), limit) for kind, path, limit in named if path)

    def _journal(self) -> str:
        config = self.home.config
        for key in JOURNALS:
            if config.values.get(key):
                return config.values[key]
        above = config.statuses_now.rpartition("/")[0]
        return f"{above}/{JOURNAL}" if above else JOURNAL

    def _beside(self, path: str) -> Path:
        """A path relative to the repository, the memory directory's own links followed."""
        assert self.home.repository is not None
        inside = f"{self.home.config.memory_dir}/"
        if path.startswith(inside):
            return self.home.root / path.removeprefix(inside)
        return self.home.repository / path

    def _text(self, path: str) -> str | None:
        with suppress(Refusal):
            data = read_regular(self._beside(path))
            return None if data is None else decode(data)
        return None

    def append_journal(self, heading: str | None, words: str) -> str:
        """Append to the journal, at a section or in a new one; the act's id. Raises ``StoreError``."""
        from floppy_tui.notes.status import append_to

        if self.home.repository is None:
            raise StoreError("This tree belongs to no repository, so that it has no journal.")
        path = self._beside(self._journal())
        before = read_regular(path)
        try:
            after = encode(append_to(decode(before or b""), heading, words))
        except Impossible as why:
            raise StoreError(str(why)) from why
        return self._write({path: (before, after)}, act=f"append to the journal {path.name}")

    # -- acts

    def apply(self, planned: Planned, *, take_over: bool = False) -> str:
        """Carry an act out in one transaction; its id, empty where nothing had to be written.

        Raises ``StoreError`` with every byte as it was: ``Wrapped`` or ``Abandoned`` where an index is
        rewritten as a whole and somebody else wraps (``take_over`` takes an abandoned lock over).
        """
        linked = self._reading.linked if self._reading else ()
        for path in planned.edits:
            if path.startswith(tuple(f"{scope}/" for scope in linked)):
                raise StoreError(
                    f"{path} lies in another repository, behind a link, and is not written here."
                )
        changes = {
            self.home.root / path: (
                None if edit.before is None else encode(edit.before),
                None if edit.after is None else encode(edit.after),
            )
            for path, edit in sorted(planned.edits.items(), key=_order)
        }
        with ExitStack() as stack:
            place = self.lock_place() if planned.whole else None
            if place is not None:
                from floppy_tui.store.wrap_lock import wrapping

                held = wrapping(place, owner="floppy-tui", now=_now(), take_over=take_over)
                stack.enter_context(held)
            return self._write(changes, act=planned.act)

    def _write(self, files: Mapping[Path, tuple[bytes | None, bytes | None]], *, act: str) -> str:
        from floppy_tui.store.transaction import Change, Rank, apply

        changes = []
        for path, (before, after) in files.items():
            rank = Rank.MEMORY if after is None or path.name in (ROUTER, INDEX, QUOTA) else Rank.DESTINATION
            changes.append(Change(path, before, after, rank, mode=self._mode(path)))
        wanted = {change.path: change.after for change in changes}

        def audited(held: Mapping[Path, bytes | None]) -> Sequence[str]:
            return [f"{path.name} is not as planned" for path, data in held.items() if data != wanted[path]]

        return apply(self.home.own_state, self.roots, changes, act=act, now=_now(), audit=audited)

    def _mode(self, path: Path) -> int:
        """What a new file is made with: private, but for one that git shares, which is as the index is."""
        if self.home.git is None:
            return 0o600
        with suppress(OSError):
            return stat.S_IMODE(os.lstat(self.home.root / ROUTER).st_mode) & 0o666
        return 0o600

    @property
    def roots(self) -> list[Path]:
        """Where the files of any act of ours lie."""
        repository = self.home.repository
        return [self.home.root, *([repository] if repository is not None else [])]

    def recover(self) -> tuple[str, ...]:
        """Roll back acts that a crash interrupted; what was done, in sentences."""
        if not (self.home.own_state / own.JOURNAL).is_dir():
            return ()
        from floppy_tui.store.recovery import recover

        return tuple(recover(self.home.own_state, self.roots, now=_now()))

    def past_acts(self) -> tuple[Act, ...]:
        """What was done here, newest first."""
        from floppy_tui.store.undo import past

        return past(self.home.own_state, self.roots)

    def acts_since(self, when: str) -> tuple[Act, ...]:
        """The acts that hold since ``when`` (ISO 8601; ``""`` for all), oldest first."""
        from floppy_tui.store.undo import past

        since = datetime.fromisoformat(when) if when else None
        acts = past(self.home.own_state)
        return tuple(
            act
            for act in reversed(acts)
            if not (act.undoes or act.undone or act.rolled_back)
            and (since is None or datetime.fromisoformat(act.when).astimezone(UTC) >= since)
        )

    def latest(self) -> tuple[Act | None, Act | None]:
        """What undo would take back, and what redo would do again."""
        from floppy_tui.store.undo import latest

        return latest(self.home.own_state, self.roots)

    def undo(self, id: str) -> str:
        """Undo an act; raises ``StoreError`` where its files are no longer what it left."""
        from floppy_tui.store.undo import undo

        return undo(self.home.own_state, self.roots, id, now=_now())

    def redo(self, id: str) -> str:
        """Do an undone act again; raises ``StoreError``."""
        from floppy_tui.store.undo import redo

        return redo(self.home.own_state, self.roots, id, now=_now())

    # -- the wrap lock

    def lock_place(self) -> Path | None:
        """Where a wrap of this memory is locked; None where no git directory is there to hold a lock."""
        from floppy_tui.store.wrap_lock import lock_place

        home = self.home
        if home.repository is None or home.profile.value != "floppy":
            return None
        if home.external and home.git is not None:
            holder = own.git_dir(home.git)
            key = home.config.project_key or home.repository.name
            return None if holder is None else lock_place(holder, key)
        holder = own.git_dir(home.repository)
        return None if holder is None else lock_place(holder, None)

    def wrapping_edit(self, relative: str) -> AbstractContextManager[object]:
        """The wrap lock for as long as a person edits an index or a state file, which are whole files.

        Entering it raises ``Wrapped`` or ``Abandoned``; for a note there is nothing to hold.
        """
        from floppy_tui.notes.status import StatusKind
        from floppy_tui.store.wrap_lock import wrapping

        whole = {s.path for s in self.statuses() if s.kind is not StatusKind.JOURNAL}
        place = self.lock_place()
        if place is None or not (relative in whole or relative.rpartition("/")[2] in (ROUTER, INDEX)):
            return nullcontext()
        return wrapping(place, owner="floppy-tui", now=_now())

    def lock_state(self) -> Held | None:
        """Who wraps now; None where nobody does."""
        from floppy_tui.store.wrap_lock import read_lock

        place = self.lock_place()
        return None if place is None else read_lock(place, _now())

    # -- publishing

    @property
    def publisher(self) -> Publisher:
        """What commits this memory, in the repository that holds it."""
        from floppy_tui.store.publish import Publisher

        return Publisher(self.home.root, push=self.home.config.push and self.home.repository is not None)

    def standing(self) -> Standing:
        """The repository as it stands, and what of the memory is not committed."""
        return self.publisher.standing()

    def diff(self, paths: Iterable[str]) -> str:
        """The difference of exactly these files to what is committed."""
        return self.publisher.diff(list(paths))

    def commit(
        self,
        paths: Sequence[str],
        message: str,
        on_step: Callable[[Step], None],
        stopped: Callable[[], bool] = lambda: False,
    ) -> tuple[Step, ...]:
        """Commit exactly ``paths``, and push where the configuration says so.

        Raises ``StoreError`` before anything is done where a quota would be raised on its own.
        """
        from floppy_tui.notes.acts import commit_refusal

        publisher = self.publisher
        changed: dict[str, Edit] = {}
        for path in paths:
            data = read_regular(self.home.root / path) if (self.home.root / path).exists() else None
            changed[path] = Edit(publisher.committed(path), None if data is None else decode(data))
        refused = commit_refusal(changed, self._last or self.read())
        if refused:
            raise StoreError(refused)
        return publisher.commit(paths, message, on_step, stopped)


def _order(pair: tuple[str, Edit]) -> tuple[bool, bool, str]:
    """Notes first, then indexes, removals last: a kill shows a note twice, and never loses one."""
    path, edit = pair
    return edit.after is None, path.endswith((ROUTER, INDEX, QUOTA)), path


def open_tree(
    path: Path | None = None,
    *,
    env: Mapping[str, str] = os.environ,
    cwd: Path | None = None,
    today: Callable[[], date] | None = None,
) -> NoteStore:
    """The store of the note tree at ``path``, or of the nearest one to ``cwd``; raises ``NoTree``."""
    home = find_tree(path, cwd or Path.cwd())
    settings, warnings = load_settings(config_path(env))
    store = NoteStore(home, settings, today or (lambda: today_utc(env)), env)
    store.warnings = warnings
    return store


def _now() -> datetime:
    return datetime.now(UTC).astimezone()
