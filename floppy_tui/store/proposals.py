"""Where the queue of proposals lives: a backlog item that the captain holds, or a file without the tool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from floppy_tui.offload.queue import EMPTY, Queue, put, read_queue
from floppy_tui.store.files import StoreError, read_regular
from floppy_tui.store.home import Home
from floppy_tui.store.private import check_ignored
from floppy_tui.store.tasks import Tasks
from floppy_tui.text.lines import decode, encode

ITEM = "offload-proposals"
"""The id of the one backlog item that holds all proposals of a home."""
FILE = "data/offload-proposals.md"
"""Where they are while the backlog tool is missing."""
TITLE = "Offload proposals: what could live elsewhere than in the startup memory"
HELD = "each proposal waits for the captain by name"


class QueueStore:
    """The queue of one home; whoever writes it gives what it was made on, and loses to who wrote since."""

    def __init__(self, home: Home, tasks: Tasks | None) -> None:
        self.home = home
        self.tasks = tasks

    @property
    def where(self) -> str:
        """Where the queue is, in words."""
        return FILE if self.tasks is None else f"the backlog item {ITEM}"

    @property
    def notes(self) -> tuple[str, ...]:
        """Why it is where it is, where that is not the usual place."""
        if self.tasks is None:
            return (f"tasks-axi is not on the PATH, so the queue is {FILE}.",)
        if read_regular(self.home.below(FILE)) is None:
            return ()
        return (f"{FILE} was the queue while tasks-axi was missing; what it held is in {self.where}.",)

    def read(self) -> Queue:
        """The queue as it is now, an empty one where there is none; raises ``StoreError``.

        Proposals that only the file knows, from a time without the tool, are among those of the item.
        """
        if self.tasks is None:
            return read_queue(self._file() or EMPTY)
        shown = self.tasks.show(ITEM)
        body = shown.body if shown is not None else ""
        queue = read_queue(body.strip("\n") + "\n" if body.strip() else EMPTY)
        return self._with_the_file(queue)

    def _with_the_file(self, queue: Queue) -> Queue:
        text = self._file()
        if text is None:
            return queue
        said = {(p.entry, p.seal) for p in queue.proposals}
        taken = {p.id for p in queue.proposals}
        for proposal in read_queue(text).proposals:
            if (proposal.entry, proposal.seal) not in said and proposal.id not in taken:
                queue = put(queue, proposal)
        return queue

    def _file(self) -> str | None:
        data = read_regular(self.home.below(FILE))
        return None if data is None else decode(data)

    def write(self, before: Queue, after: Queue) -> None:
        """Put ``after`` in the place of ``before``; raises ``StoreError`` where someone wrote meanwhile."""
        if self.read().text != before.text:
            raise StoreError(f"Someone wrote to {self.where} meanwhile: look at it again and go on.")
        if after.text != before.text:
            if self.tasks is None:
                self._write_file(after.text)
            else:
                self._write_item(self.tasks, after.text)
        if self.read().proposals != after.proposals:
            raise StoreError(
                f"{self.where} does not hold what was written to it; look at it with an editor, and at the "
                "backlog tool's version."
            )

    def _write_item(self, tasks: Tasks, text: str) -> None:
        shown = tasks.show(ITEM)
        if shown is None:
            tasks.add(ITEM, TITLE, kind="captain", body=text)
        else:
            if shown.item.done:
                tasks.reopen(ITEM)
            tasks.update(ITEM, body=text)
        if shown is None or shown.hold_kind != "captain":
            tasks.hold(ITEM, HELD)

    def _write_file(self, text: str) -> None:
        from floppy_tui.store.transaction import Change, Rank, apply

        path = self.home.below(FILE)
        check_ignored(self.home, path)
        data = encode(text)

        def audited(found: Mapping[Path, bytes | None]) -> Sequence[str]:
            return () if found.get(path) == data else (f"{FILE} does not hold what was written",)

        apply(
            self.home.own_state,
            [self.home.data],
            [Change(path, read_regular(path), data, Rank.DESTINATION)],
            act=f"write {FILE}",
            now=datetime.now().astimezone(),
            audit=audited,
        )
