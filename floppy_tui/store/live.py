"""The live store of one home: reads it, keeps the open pass, applies plans, restores from the archive.

Every method here blocks; the screen calls them from a worker.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from floppy_tui.store import state as own
from floppy_tui.store.files import StoreError, read_regular
from floppy_tui.store.home import Home, discover, read_home
from floppy_tui.store.settings import Settings, config_path, load_settings
from floppy_tui.text.identity import digest
from floppy_tui.text.lines import encode
from floppy_tui.tiers.layout import ARCHIVE, Status

# What only an act needs is imported by the act: the first screen shows the sooner for it.
if TYPE_CHECKING:
    from floppy_tui.store.git import Version
    from floppy_tui.store.saved_pass import SavedPass
    from floppy_tui.store.tokens import Measured
    from floppy_tui.store.transaction import Change
    from floppy_tui.store.undo import Act
    from floppy_tui.tiers.archive_item import ArchivedItem
    from floppy_tui.tiers.decisions import Decision
    from floppy_tui.tiers.decisions import Refusal as DecisionRefusal
    from floppy_tui.tiers.document import Entry
    from floppy_tui.tiers.errands import Done
    from floppy_tui.tiers.markers import Tier
    from floppy_tui.tiers.receipt import Measure, Receipt
    from floppy_tui.tiers.snapshot import Snapshot
    from floppy_tui.tiers.stow import Plan

__all__ = ["Store", "StoreError"]


class Store:
    """One home and our own state of it."""

    def __init__(self, home: Home, settings: Settings, today: Callable[[], date]) -> None:
        self.home = home
        self.settings = settings
        self.today = today
        self.warnings: tuple[str, ...] = ()
        """What in the config file does not count, in sentences."""
        self.env: Mapping[str, str] = os.environ
        """Where the backlog tool is looked for, and who the captain is."""
        self._last: Snapshot | None = None
        self._left: list[Decision] = []
        """Decisions of the last pass whose errands outside the memory could not be done."""

    @classmethod
    def open(
        cls,
        path: Path | None = None,
        *,
        env: Mapping[str, str] = os.environ,
        cwd: Path | None = None,
        today: Callable[[], date] | None = None,
    ) -> Store:
        """The store of the home at ``path``, named by ``env`` or nearest to ``cwd``; raises ``NoHome``."""
        from floppy_tui.store.settings import today as injected

        home = discover(path, env, cwd or Path.cwd())
        settings, warnings = load_settings(config_path(env))
        store = cls(home, settings, today or (lambda: injected(env)))
        store.warnings = warnings
        store.env = env
        return store

    # -- reading

    def read(self) -> Snapshot:
        """The home as it is now."""
        self._last = read_home(self.home, self.today(), self._last)
        return self._last

    async def changes(self, stop: asyncio.Event) -> AsyncIterator[frozenset[Path]]:
        """The paths that changed on disk, in bursts, until ``stop`` is set."""
        from floppy_tui.store.watch import watch

        directories = (self.home.data, self.home.config)
        async for paths in watch(directories, polling=self.settings.polling, stop=stop):
            yield paths

    def measure(self, snapshot: Snapshot) -> Measured | None:
        """Real token counts of the always-loaded files, where an encoding is at hand; slow the first time."""
        from floppy_tui.store.tokens import measure

        return measure([encode(f.document.text) for f in snapshot.files if f.document])

    def history(self, entry: Entry) -> tuple[Version, ...]:
        """The commits that brought or changed an entry's first line, where its file is tracked; slow."""
        from floppy_tui.store.git import history

        words = entry.prose.split("\n", 1)[0]
        return history(self.home.path(entry.file), words) if words else ()

    # -- the open pass

    def recover(self) -> tuple[str, ...]:
        """Roll back acts that a crash interrupted; what was done, in sentences."""
        if not (self.home.own_state / own.JOURNAL).is_dir():
            # Nothing was ever written here: the first screen need not wait for what puts acts back.
            return ()
        from floppy_tui.store.recovery import recover

        return tuple(recover(self.home.own_state, self.roots, now=_now()))

    def look_over(self, snapshot: Snapshot) -> Snapshot:
        """``snapshot`` with the places where entries could live, the proposals, and the open records.

        Slow: the disk, git and the backlog tool are asked. What cannot be asked is a note, nothing is raised.
        """
        from floppy_tui.store.offloading import Offloading

        return Offloading(self).look_over(snapshot)

    def load_pass(self, snapshot: Snapshot) -> tuple[tuple[Decision, ...], tuple[DecisionRefusal, ...]]:
        """The saved decisions carried over to ``snapshot``: those kept and those dropped."""
        saved = self._saved()
        if saved is None:
            return (), ()
        from floppy_tui.tiers.stow import rebase

        return rebase(snapshot, saved.decisions)

    def saved_step(self) -> int:
        """The step at which the open pass was left; 1 where there is none."""
        saved = self._saved()
        return saved.step if saved else 1

    def save_pass(self, decisions: Sequence[Decision], step: int) -> None:
        """Keep the open pass; raises ``StoreError`` where it cannot be written."""
        from floppy_tui.store.saved_pass import write_saved

        files = (
            {f.path: digest(f.document.text) for f in self._last.files if f.document} if self._last else {}
        )
        own.save_pass(self.home.own_state, write_saved(step, decisions, files))

    def clear_pass(self) -> None:
        """Forget the open pass."""
        own.clear_pass(self.home.own_state)

    def _saved(self) -> SavedPass | None:
        try:
            data = own.load_pass(self.home.own_state)
        except StoreError:
            return None
        if data is None:
            return None
        from floppy_tui.store.saved_pass import read_saved

        return read_saved(data)

    # -- acts

    def rehearse(self, plan: Plan) -> Receipt:
        """The receipt that applying a plan would give; nothing is written."""
        from floppy_tui.tiers.receipt import Receipt

        return Receipt(plan, applied=False, measure=self._measured(plan))

    def apply(self, plan: Plan, *, close: bool = True) -> Receipt:
        """Carry a plan out in one transaction, audit it and write the receipt.

        ``close`` forgets the open pass, which a plan that was not made in it leaves alone. Raises
        ``StoreError`` with every byte as it was. The tick of a home that counts passes is claimed before
        anything else is written, and stays spent.
        """
        from floppy_tui.store.tick import claim_tick
        from floppy_tui.store.transaction import apply
        from floppy_tui.tiers.audit import audit
        from floppy_tui.tiers.receipt import Receipt

        snapshot = plan.snapshot
        if snapshot.horizon.tick:
            claimed = claim_tick(self.home.state, snapshot.today, state=self.home.own_state, now=_now())
            if not claimed:
                raise StoreError(
                    "Another pass was counted today while this one was open; read the home again and go on."
                )
        names = {self.home.path(path): path for path in (ARCHIVE, *(f.path for f in snapshot.files))}
        names |= {self.home.below(path): path for path in plan.destinations}

        def audited(found: Mapping[Path, bytes | None]) -> Sequence[str]:
            return audit(plan, {names[path]: data for path, data in found.items() if path in names})

        apply(
            self.home.own_state,
            self._roots(),
            self._changes(plan),
            act=f"stow pass of {snapshot.today}",
            now=_now(),
            audit=audited,
        )
        done = self._run_errands(plan, keep=close)
        receipt = Receipt(plan, applied=True, measure=self._measured(plan), done=done)
        return self._filed(receipt, close)

    def _run_errands(self, plan: Plan, *, keep: bool) -> tuple[Done, ...]:
        """Do outside the memory what a pass asks for; what failed stays in the open pass (``keep``)."""
        self._left = []
        asked = plan.errands
        if not asked:
            return ()
        from floppy_tui.store.errands import run_errands
        from floppy_tui.store.proposals import QueueStore
        from floppy_tui.store.tasks import Tasks
        from floppy_tui.tiers.errands import Done

        errands = [errand for errand, _ in asked]
        try:
            tasks = Tasks.find(self.home, self.env)
            queue = QueueStore(self.home, tasks)
            done = run_errands(self.home, tasks, queue, errands, plan.snapshot.today)
        except Exception as error:
            # The memory is written: whatever happens here, the pass has its receipt, and says so.
            done = tuple(Done(errand, False, f"Not filed: {error}") for errand in errands)
        if keep:
            self._left = [d for one, (_, d) in zip(done, asked, strict=True) if d is not None and not one.ok]
        return done

    def _changes(self, plan: Plan) -> list[Change]:
        from floppy_tui.store.transaction import Change, Rank

        snapshot = plan.snapshot
        changes: list[Change] = []
        if plan.archive_text is not None:
            if snapshot.archive_refused is not None:
                raise StoreError(snapshot.archive_refused.message)
            before = None if snapshot.archive_text is None else encode(snapshot.archive_text)
            changes.append(Change(self.home.path(ARCHIVE), before, encode(plan.archive_text), Rank.ARCHIVE))
        for path, (old, new) in plan.destinations.items():
            changes.append(Change(self.home.below(path), encode(old), encode(new), Rank.DESTINATION))
        for file in snapshot.files:
            if file.status is Status.REFUSED:
                continue
            before = encode(file.document.text) if file.document else None
            text = plan.texts.get(file.path)
            after = before if text is None else encode(text)
            changes.append(Change(self.home.path(file.path), before, after, Rank.MEMORY))
        return changes

    def _measured(self, plan: Plan) -> Measure | None:
        before = self.measure(plan.snapshot)
        if before is None:
            return None
        from floppy_tui.store.tokens import measure
        from floppy_tui.tiers.receipt import Measure

        texts = [encode(plan.texts.get(f.path, f.document.text)) for f in plan.snapshot.files if f.document]
        after = measure(texts)
        return None if after is None else Measure(before.tokens, after.tokens, before.encoding)

    def _filed(self, receipt: Receipt, close: bool) -> Receipt:
        import msgspec

        from floppy_tui.tiers.cards import Step
        from floppy_tui.tiers.receipt import as_json, as_markdown

        markdown = encode(as_markdown(receipt))
        document = msgspec.json.format(msgspec.json.encode(as_json(receipt)))
        path = own.write_receipt(self.home.own_state, receipt.plan.snapshot.today, markdown, document)
        if close:
            self.clear_pass()
            if self._left:
                # What was not filed is not lost: the next pass opens with it.
                self.save_pass(self._left, Step.FILE)
        return replace(receipt, file=str(path))

    def restore(self, item: ArchivedItem, evidence: str, tier: Tier) -> str:
        """Copy an archived item back to its source file, stamped today; the new entry's id.

        The archive is not touched. Raises ``StoreError`` with every byte as it was.
        """
        from floppy_tui.store.transaction import Change, Rank, apply
        from floppy_tui.tiers.restoring import NotRestored, take_back

        snapshot = self.read()
        try:
            back = take_back(snapshot, item, evidence, tier)
        except NotRestored as why:
            raise StoreError(str(why)) from why
        document = snapshot.document(back.file)
        after = encode(back.text)
        path = self.home.path(back.file)
        before = encode(document.text) if document else None

        def audited(found: Mapping[Path, bytes | None]) -> Sequence[str]:
            return () if found.get(path) == after else (f"{back.file} does not hold what was restored",)

        act = f"restore {back.entry} to {back.file}, evidence: {' '.join(evidence.split())}"
        changes = [Change(path, before, after, Rank.MEMORY)]
        apply(self.home.own_state, self._roots(), changes, act=act, now=_now(), audit=audited)
        return back.entry

    def item_body(self, id: str) -> str:
        """What a backlog item says now, before it is replaced; raises ``StoreError`` where there is none."""
        from floppy_tui.store.tasks import Tasks

        tasks = Tasks.find(self.home, self.env)
        if tasks is None:
            raise StoreError("tasks-axi is not on the PATH: the backlog cannot be read.")
        shown = tasks.show(id)
        if shown is None:
            raise StoreError(f"The backlog knows no item {id}.")
        return shown.body

    # -- undo

    def past_acts(self) -> tuple[Act, ...]:
        """What was done here, newest first."""
        from floppy_tui.store.undo import past

        return past(self.home.own_state, self.roots)

    def latest(self) -> tuple[Act | None, Act | None]:
        """What undo would take back, and what redo would do again."""
        from floppy_tui.store.undo import latest

        return latest(self.home.own_state, self.roots)

    def undo(self, id: str) -> str:
        """Take an act back; raises ``StoreError`` where its files are no longer what it left."""
        from floppy_tui.store.undo import undo

        return undo(self.home.own_state, self.roots, id, now=_now())

    def redo(self, id: str) -> str:
        """Do again what the act ``id`` took back; raises ``StoreError``."""
        from floppy_tui.store.undo import redo

        return redo(self.home.own_state, self.roots, id, now=_now())

    # -- receipts

    def receipts(self) -> tuple[Path, ...]:
        """The receipts written here, newest first."""
        return tuple(own.list_receipts(self.home.own_state))

    def read_receipt(self, path: Path) -> tuple[str, dict[str, Any]]:
        """A receipt as Markdown and as its JSON object; raises ``StoreError``."""
        import json

        markdown = read_regular(path)
        document = read_regular(path.with_suffix(".json"))
        if markdown is None:
            raise StoreError(f"{path} is gone.")
        try:
            parsed = json.loads(document or b"{}")
        except ValueError:
            parsed = {}
        return markdown.decode("utf-8", "replace"), parsed if isinstance(parsed, dict) else {}

    def _roots(self) -> list[Path]:
        return [self.home.data, self.home.root]

    @property
    def roots(self) -> list[Path]:
        """Where the files of any act of ours lie: those of a pass, and the repository's exclude file."""
        shared = own.shared_git_dir(self.home.root)
        return [*self._roots(), *([shared] if shared is not None else [])]


def _now() -> datetime:
    return datetime.now().astimezone()
