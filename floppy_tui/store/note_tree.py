"""The live store of one note tree: reads it, applies acts to it, publishes it.

Every method here blocks; the screen calls them from a worker.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from floppy_tui.notes.index import INDEX, ROUTER
from floppy_tui.notes.planned import Edit, Planned
from floppy_tui.notes.profiles import MEMORY_DIR, Profile
from floppy_tui.notes.quota import FILE as QUOTA
from floppy_tui.notes.tree import Tree, build_tree
from floppy_tui.store import state as own
from floppy_tui.store.files import Refusal, StoreError, read_below, read_regular
from floppy_tui.store.settings import Settings, config_path, load_settings, today_utc
from floppy_tui.store.tree_files import Reading, read_files
from floppy_tui.store.tree_home import HEAT, NoTree, TreeHome, find_tree
from floppy_tui.store.tree_layout import layout
from floppy_tui.text.lines import decode

if TYPE_CHECKING:
    from floppy_tui.notes.status import StatusFile
    from floppy_tui.store.publish import Publisher, Standing, Step
    from floppy_tui.store.undo import Act
    from floppy_tui.store.wrap_lock import Held

__all__ = ["NoTree", "NoteStore", "StoreError", "find_tree", "open_tree"]


OWNER = "floppy-tui"
"""Who holds the wrap lock, as the others are told."""


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
        from floppy_tui.store.tree_changes import Watched, tree_changes, watched

        def look() -> Watched:
            with suppress(NoTree):
                return watched(find_tree(self._named(), Path("/")))
            return watched(self.home)

        async for paths in tree_changes(look, polling=self.settings.polling, stop=stop):
            yield paths

    def path(self, relative: str) -> Path:
        """Where a file of the tree, or a status file (as it is shown), lies on disk."""
        from floppy_tui.store.note_statuses import status_place

        if relative in {s.path for s in self.statuses()}:
            return status_place(self.home, relative)
        return self.home.root / relative

    # -- status files

    def statuses(self) -> tuple[StatusFile, ...]:
        """The status files of the repository; none where the tree belongs to no repository."""
        if self.home.repository is None:
            return ()
        from floppy_tui.store.note_statuses import status_files

        return status_files(self.home)

    def append_journal(self, heading: str | None, words: str) -> str:
        """Append to the journal, at a section or in a new one; the act's id. Raises ``StoreError``."""
        from floppy_tui.store.note_statuses import append

        return append(self.home, self.roots, heading, words, _now())

    # -- acts

    def apply(self, planned: Planned, *, take_over: bool = False) -> str:
        """Carry an act out in one transaction; its id, empty where nothing had to be written.

        Raises ``StoreError`` with every byte as it was: ``Wrapped`` or ``Abandoned`` where an index is
        rewritten as a whole and somebody else wraps (``take_over`` takes an abandoned lock over).
        """
        if not planned.edits:
            return ""
        from floppy_tui.store.tree_writing import carry_out

        with ExitStack() as stack:
            place = self.lock_place() if planned.whole else None
            if place is not None:
                from floppy_tui.store.wrap_lock import wrapping

                held = wrapping(place, owner=OWNER, now=_now(), take_over=take_over)
                stack.enter_context(held)
            before = read_files(self.home.root, self.home.scopes(), self._reading)
            return carry_out(self.home, planned, before, _now())

    @property
    def roots(self) -> list[Path]:
        """Where the files of any act of ours lie."""
        repository = self.home.repository
        return [self.home.root, *([repository] if repository is not None else [])]

    def recover(self) -> tuple[str, ...]:
        """Roll back acts that a crash interrupted; what was done, in sentences."""
        said = []
        place = self.lock_place()
        if place is not None and os.path.lexists(place):
            from floppy_tui.store.wrap_lock import drop_dead

            if drop_dead(place, owner=OWNER, now=_now()):
                said.append("The wrap lock that a killed process of ours held was given back.")
        if (self.home.own_state / own.JOURNAL).is_dir():
            from floppy_tui.store.recovery import recover

            said += recover(self.home.own_state, self.roots, now=_now())
        return tuple(said)

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
        """Undo an act; raises ``StoreError`` where its files are no longer what it left.

        Also ``Wrapped`` where it touched an index and somebody wraps: it is rewritten as it was.
        """
        from floppy_tui.store.undo import undo

        with self._wrapping(id):
            return undo(self.home.own_state, self.roots, id, now=_now())

    def redo(self, id: str) -> str:
        """Do an undone act again; raises like ``undo``."""
        from floppy_tui.store.undo import redo

        with self._wrapping(id):
            return redo(self.home.own_state, self.roots, id, now=_now())

    @contextmanager
    def _wrapping(self, id: str) -> Iterator[None]:
        """The wrap lock for an act that is taken back, where it is free and an index is among its files."""
        from floppy_tui.store.undo import past
        from floppy_tui.store.wrap_lock import Abandoned, wrapping

        files = next((act.files for act in past(self.home.own_state) if act.id == id), ())
        leads = any(path.rpartition("/")[2] in (ROUTER, INDEX) for path in files)
        place = self.lock_place() if leads else None
        with ExitStack() as stack:
            # An abandoned lock is let be: what stands in the index is what our own act left there.
            with suppress(Abandoned):
                if place is not None:
                    stack.enter_context(wrapping(place, owner=OWNER, now=_now()))
            yield

    # -- the wrap lock

    def lock_place(self) -> Path | None:
        """Where a wrap of this memory is locked; None where no git directory is there to hold a lock."""
        from floppy_tui.store.wrap_lock import lock_place

        home = self.home
        if home.profile is not Profile.FLOPPY:
            return None
        inner = home.repository if home.repository is not None and not home.external else home.root
        holder = own.git_dir(inner) or (own.git_dir(home.repository) if home.repository else None)
        if holder is None:
            return None
        if home.repository is not None:
            stored = home.external and home.git is not None
            return lock_place(holder, (home.config.project_key or home.repository.name) if stored else None)
        # Nobody says whose memory it is: one in a store is most often called like its project.
        beside = home.git is not None and home.root == home.git / MEMORY_DIR
        return lock_place(holder, None if beside else home.root.name)

    def wrapping_edit(self, relative: str, *, take_over: bool = False) -> AbstractContextManager[object]:
        """The wrap lock for as long as a person edits an index or a state file, which are whole files.

        Entering it raises ``Wrapped``, or ``Abandoned`` unless ``take_over``; for a note there is nothing to
        hold.
        """
        from floppy_tui.notes.status import StatusKind
        from floppy_tui.store.wrap_lock import wrapping

        whole = {s.path for s in self.statuses() if s.kind is not StatusKind.JOURNAL}
        place = self.lock_place()
        if place is None or not (relative in whole or relative.rpartition("/")[2] in (ROUTER, INDEX)):
            return nullcontext()
        return wrapping(place, owner=OWNER, now=_now(), take_over=take_over)

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
        publisher = self.publisher
        if QUOTA in paths:
            from floppy_tui.notes.acts import commit_refusal

            changed = {path: Edit(publisher.committed(path), self._now_at(path)) for path in paths}
            refused = commit_refusal(changed, self._last or self.read())
            if refused:
                raise StoreError(refused)
        return publisher.commit(paths, message, on_step, stopped)

    def _now_at(self, path: str) -> str | None:
        data = read_below(self.home.root / path, [self.home.root])
        return None if data is None else decode(data)


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
