"""A real process is killed before each step of an act on notes: no note is lost, all is put back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest
from note_trees import TODAY, note
from os_calls import changing, killed
from repositories import write

from floppy_tui.notes.acts import (
    delete,
    join,
    merge,
    new_note,
    proposed_merge_body,
    raise_quota,
    rename,
    split_index,
)
from floppy_tui.notes.planned import Planned
from floppy_tui.notes.tree import Tree
from floppy_tui.store import target
from floppy_tui.store.note_tree import NoteStore, open_tree

pytestmark = pytest.mark.usefixtures("fast")

FACTS = {
    "rope": "The rope is twelve metres long.",
    "rope-age": "The rope hung there before the war.",
    "gate": "The gate sticks in frost.",
    "manner": "Call twice, then write.",
}
FILES = {
    "MEMORY.md": "# Memory\n\n- [Manner](manner.md) — how to ask\n- [Yard](yard/INDEX.md) — ropes\n",
    "quota.lock": "chars_max=9000\npointers_max=9\n",
    "manner.md": note("manner", f"{FACTS['manner']} As of [[rope]].\n"),
    "yard/INDEX.md": "# Yard\n\n- [Rope](rope.md) — it\n- [Age](rope-age.md)\n- [Gate](gate.md) — frost\n",
    "yard/rope.md": note("rope", f"{FACTS['rope']}\n"),
    "yard/rope-age.md": note("rope-age", f"{FACTS['rope-age']} See [[rope]], [the gate](gate.md).\n"),
    "yard/gate.md": note("gate", f"{FACTS['gate']}\n"),
}


def merged(tree: Tree) -> Planned:
    parts = ["yard/rope.md", "yard/rope-age.md"]
    return merge(tree, parts[0], parts[1:], body=proposed_merge_body(tree, parts))


def split(tree: Tree) -> Planned:
    return split_index(tree, "yard/INDEX.md", "ropes", ["yard/rope.md", "yard/rope-age.md"])


def made_with_its_room(tree: Tree) -> Planned:
    made = new_note(
        tree,
        directory="yard",
        slug="lamp",
        description="when it is lit",
        kind="project",
        evidence="read",
        as_of=TODAY,
        body="The lamp is lit at six.\n",
        title="Lamp",
        hook="when",
    )
    return join(made, raise_quota(tree, "pointers_max", 12, "the lamp"))


ACTS: dict[str, Callable[[Tree], Planned]] = {
    "rename": lambda tree: rename(tree, "yard/rope.md", "long-rope"),
    "merge": merged,
    "split": split,
    "delete": lambda tree: delete(tree, "yard/gate.md", replaced_by="the new gate", relink=None),
    "new": made_with_its_room,
}


@dataclass
class Yard:
    """A memory with an act to be done on it."""

    store: NoteStore
    planned: Planned
    id: str = ""
    """Of the act, once it was done."""

    @classmethod
    def laid_out(cls, root: Path, make: Callable[[Tree], Planned]) -> Yard:
        write(root, {".floppy/config": "", **{f".agent-memory/{path}": text for path, text in FILES.items()}})
        (root / ".git").mkdir()
        (root / ".git/HEAD").write_text("ref: refs/heads/main\n")
        store = open_tree(root, env={}, cwd=root, today=lambda: TODAY)
        return cls(store, make(store.read()))

    def do(self) -> str:
        return self.store.apply(self.planned)

    def take_back(self) -> str:
        return self.store.undo(self.id)

    def recovered(self) -> list[str]:
        """What was rolled back."""
        return [said for said in self.store.recover() if "wrap lock" not in said]

    def held(self) -> dict[str, str]:
        root = self.store.home.root
        return {str(p.relative_to(root)): p.read_text() for p in root.rglob("*") if p.is_file()}

    def after(self) -> dict[str, str]:
        wanted = {path: edit.after for path, edit in self.planned.edits.items()}
        return {path: text for path, text in {**FILES, **wanted}.items() if text is not None}

    def missing(self) -> list[str]:
        """The facts that are in no note now, but for those that are to be deleted."""
        there = "\n".join(text for path, text in self.held().items() if path.endswith(".md"))
        kept = "\n".join(self.after().values())
        return [fact for fact in FACTS.values() if fact in kept and fact not in there]


@pytest.fixture(params=ACTS)
def yards(request: pytest.FixtureRequest, tmp_path: Path) -> Yards:
    return Yards(tmp_path.resolve(), ACTS[request.param])


class Yards:
    """As many of the same as are asked for."""

    def __init__(self, place: Path, make: Callable[[Tree], Planned]) -> None:
        self.place = place
        self.make = make
        self.number = 0

    def one(self) -> Yard:
        self.number += 1
        return Yard.laid_out(self.place / f"yard{self.number}", self.make)

    def killed(
        self, deed: Callable[[Yard], object], *, done: bool = False, step: int = 1
    ) -> Iterator[tuple[int, Yard]]:
        """One for each step of ``deed`` that it was killed before, and one that it was not."""
        for number in count(step=step):
            yard = self.one()
            yard.id = yard.do() if done else ""
            came_to_it = killed(lambda: deed(yard), number, changing)  # noqa: B023
            yield number, yard
            if not came_to_it:
                assert number > 20
                return


def test_a_kill_anywhere_loses_no_note_and_is_put_back(yards: Yards) -> None:
    outcomes = set()
    step = 2 if yards.make in (ACTS["delete"], ACTS["new"]) else 1
    for number, yard in yards.killed(Yard.do, step=step):
        assert yard.missing() == [], number
        said = yard.recovered()
        outcomes.add((bool(said), yard.held() == yard.after()))
        assert yard.held() in ([FILES] if said else [FILES, yard.after()]), number
        assert not list(yard.store.home.root.rglob(".floppy-tui-*"))
        if said and number % 10 == 0:
            # What was put back can be done again.
            yard.do()
            assert yard.held() == yard.after()
        lock = yard.store.lock_state()
        assert lock is None or not lock.owner
    assert outcomes == {(False, False), (True, False), (False, True)}


def test_without_an_exchange_of_names_no_note_is_lost_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(target, "exchange", lambda *_: False)
    for number, yard in Yards(tmp_path.resolve(), merged).killed(Yard.do, step=2):
        assert yard.missing() == [], number
        said = yard.recovered()
        assert yard.held() in ([FILES] if said else [FILES, yard.after()]), number


def test_a_kill_anywhere_in_taking_it_back_loses_no_note_either(tmp_path: Path) -> None:
    outcomes = set()
    for number, yard in Yards(tmp_path.resolve(), ACTS["rename"]).killed(Yard.take_back, done=True, step=2):
        assert yard.missing() == [], number
        said = yard.recovered()
        outcomes.add((bool(said), yard.held() == FILES))
        assert yard.held() in ([yard.after()] if said else [FILES, yard.after()]), number
    assert outcomes == {(False, False), (True, False), (False, True)}


def test_what_somebody_writes_after_a_kill_stays(tmp_path: Path) -> None:
    """Taking back was interrupted, and an index was written to before anybody looked."""
    theirs = FILES["yard/INDEX.md"].replace("# Yard", "# The yard") + "- [Long](long-rope.md) — by hand\n"
    for number, yard in Yards(tmp_path.resolve(), ACTS["rename"]).killed(Yard.take_back, done=True, step=3):
        index = yard.store.home.root / "yard/INDEX.md"
        index.write_text(theirs)
        yard.store.recover()
        assert index.read_text() == theirs, number
        assert yard.missing() == [], number
