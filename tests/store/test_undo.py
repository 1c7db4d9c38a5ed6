"""Undo and redo: the bytes that were come back while nobody else wrote, in an order that loses nothing."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from acts import stow_pass
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from moving_homes import approve, held, opened, settle
from os_calls import changing, killed
from repositories import git

from floppy_tui.store.acts import KEPT
from floppy_tui.store.journal import Change, Rank
from floppy_tui.store.recovery import recover
from floppy_tui.store.transaction import apply
from floppy_tui.store.undo import NotUndoable, latest, past, redo, undo

NOW = datetime(2026, 10, 1, 12, tzinfo=UTC)
pytestmark = pytest.mark.usefixtures("fast")


class Desk:
    """A directory of files, and acts on it."""

    def __init__(self, place: Path) -> None:
        self.root = place.resolve() / "root"
        self.state = place.resolve() / "state"
        self.root.mkdir(parents=True)

    def held(self) -> dict[str, bytes]:
        return {str(p.relative_to(self.root)): p.read_bytes() for p in self.root.rglob("*") if p.is_file()}

    def do(self, wanted: Mapping[str, bytes | None], words: str = "an act") -> str:
        held = self.held()
        changes = [
            Change(self.root / name, held.get(name), data, Rank.DESTINATION if n % 2 else Rank.MEMORY)
            for n, (name, data) in enumerate(wanted.items())
        ]
        return apply(self.state, self.root, changes, act=words, now=NOW, audit=lambda found: ())

    def undo(self, id: str) -> str:
        return undo(self.state, [self.root], id, now=NOW)

    def redo(self, id: str) -> str:
        return redo(self.state, [self.root], id, now=NOW)

    def words(self) -> list[str]:
        return [act.words for act in past(self.state)]

    def latest(self) -> tuple[str, str]:
        done, again = latest(self.state, [self.root])
        return done.id if done else "", again.id if again else ""


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_what_was_made_changed_and_removed_comes_back_with_modes_and_directories(desk: Desk) -> None:
    desk.do({"a.md": b"a\n", "b.md": b"b\n"})
    (desk.root / "b.md").chmod(0o640)
    before = desk.held()
    id = desk.do({"a.md": b"other\n", "b.md": None, "new/deep/c.md": b"c\n"}, "rename b")
    after = desk.held()
    undone = desk.undo(id)
    assert desk.held() == before
    assert (desk.root / "b.md").stat().st_mode & 0o777 == 0o640
    assert not (desk.root / "new").exists()
    assert [(a.words, a.undone) for a in past(desk.state)][:2] == [
        ("undo of rename b", False),
        ("rename b", True),
    ]
    again = desk.redo(undone)
    assert desk.held() == after
    assert desk.words()[0] == "redo of rename b"
    assert past(desk.state)[0].undoes == undone
    desk.undo(again)
    assert desk.held() == before
    assert desk.words()[0] == "undo of rename b"


def test_what_comes_back_or_comes_again_is_as_private_as_it_was(desk: Desk) -> None:
    made = desk.do({"d/new.md": b"n\n", "old.md": b"o\n"})
    (desk.root / "d/new.md").chmod(0o644)
    removed = desk.do({"d/new.md": None, "old.md": None})
    desk.undo(removed)
    modes = {name: (desk.root / name).stat().st_mode & 0o777 for name in desk.held()}
    assert modes == {"d/new.md": 0o644, "old.md": 0o600}
    desk.redo(desk.undo(made))
    assert (desk.root / "d/new.md").stat().st_mode & 0o777 == 0o644
    assert (desk.root / "old.md").stat().st_mode & 0o777 == 0o600
    assert (desk.root / "d").stat().st_mode & 0o777 == 0o700
    kept = [path for path in desk.state.rglob("*") if path.name not in (".gitignore", "lock")]
    # A second name of the file itself, as it was displaced, has its mode.
    assert {p.stat().st_mode & 0o77 for p in kept if not p.name.endswith(".old")} == {0}


def test_a_directory_that_was_made_goes_only_if_it_is_empty(desk: Desk) -> None:
    id = desk.do({"a/b/one.md": b"1\n"})
    (desk.root / "a/two.md").write_bytes(b"2\n")
    desk.undo(id)
    assert desk.held() == {"a/two.md": b"2\n"}
    assert not (desk.root / "a/b").exists()


def test_an_undone_act_is_undone_once_and_done_again_once(desk: Desk) -> None:
    id = desk.do({"a.md": b"a\n"}, "make a")
    with pytest.raises(NotUndoable, match="It was not undone"):
        desk.redo(id)
    undone = desk.undo(id)
    # Somebody else does just the same by hand.
    (desk.root / "a.md").write_bytes(b"a\n")
    with pytest.raises(NotUndoable, match="undone already"):
        desk.undo(id)
    assert desk.held() == {"a.md": b"a\n"}
    (desk.root / "a.md").unlink()
    desk.redo(id)
    assert desk.held() == {"a.md": b"a\n"}
    with pytest.raises(NotUndoable, match="undone already"):
        desk.redo(undone)
    assert [(act.kind, bool(act.why_not)) for act in past(desk.state, [desk.root])] == [
        ("done", False),
        ("undone", True),
        ("done", False),
    ]


def test_the_last_fifty_are_kept_and_one_that_is_not_can_still_be_done_again(desk: Desk) -> None:
    ids = [desk.do({"n.md": b"%d\n" % number, f"{number}.md": b""}) for number in range(KEPT + 2)]
    assert [act.id for act in past(desk.state)] == ids[:1:-1]
    with pytest.raises(NotUndoable, match="keeps the last ones only"):
        desk.undo(ids[1])
    # By hand somebody goes back to the oldest one, which goes from the journal when it is undone.
    (desk.root / "n.md").write_bytes(b"2\n")
    undone = desk.undo(ids[2])
    assert ids[2] not in [act.id for act in past(desk.state)]
    assert desk.latest()[1] == undone
    again = desk.redo(undone)
    assert (desk.root / "n.md").read_bytes() == b"2\n"
    assert desk.latest() == (again, "")
    assert desk.words()[0] == "redo of an act"
    desk.undo(again)
    assert desk.words()[0] == "undo of an act"
    assert "2.md" not in desk.held()


def test_a_moved_home_is_the_same_one_and_another_is_not(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "one")
    id = desk.do({"a.md": b"a\n"})
    other = Desk(tmp_path / "two")
    (other.root / "a.md").write_bytes(b"a\n")
    with pytest.raises(NotUndoable, match=r"done on .*/one/root; open that"):
        undo(desk.state, [other.root], id, now=NOW)
    assert other.held() == {"a.md": b"a\n"}
    shutil.move(desk.root, desk.root.with_name("moved"))
    desk.root = desk.root.with_name("moved")
    desk.undo(id)
    assert desk.held() == {}


def test_an_undo_is_put_back_by_whoever_could_put_the_act_back(desk: Desk) -> None:
    id = desk.do({"a.md": b"a\n", "b.md": b"b\n"})
    more = [desk.root, desk.state]
    assert killed(lambda: undo(desk.state, more, id, now=NOW), 20, changing)
    assert "a.md" not in desk.held()
    assert recover(desk.state, [desk.root], now=NOW)
    assert desk.held() == {"a.md": b"a\n", "b.md": b"b\n"}
    desk.undo(id)
    assert desk.held() == {}


def test_a_migration_comes_back_with_its_rule(tmp_path: Path) -> None:
    root = settle(tmp_path.resolve() / "home")
    offloading = opened(root)
    id = approve(offloading)
    before = held(root)
    assert offloading.migrate(id).state == "migrated"
    after = held(root)
    store = offloading.store
    act = next(act for act in store.past_acts() if act.words.startswith("migration of"))
    assert act.why_not == ""
    undone = store.undo(act.id)
    assert held(root) == before
    store.redo(undone)
    assert held(root) == after
    assert git(root, "status", "--porcelain", "--untracked-files=all") == ""


def test_a_damaged_journal_undoes_nothing(desk: Desk) -> None:
    ids = [desk.do({f"{name}.md": b"1\n"}) for name in "abc"]
    removed = desk.do({"a.md": None})
    before = desk.held()
    journal = desk.state / "journal"
    (journal / removed / "0.before").write_bytes(b"2\n")
    with pytest.raises(NotUndoable, match="damaged"):
        desk.undo(removed)
    (journal / ids[1] / "intent.json").write_bytes((journal / ids[2] / "intent.json").read_bytes())
    (journal / ids[2] / "intent.json").write_bytes(b"{")
    for id in ids[1:]:
        with pytest.raises(NotUndoable, match="no act"):
            desk.undo(id)
    assert [act.id for act in past(desk.state, [desk.root])] == [removed, ids[0]]
    assert desk.held() == before


def test_what_stays_of_an_act_is_said(desk: Desk) -> None:
    desk.do({"a.md": b"a\n"}, "rename a")
    desk.undo(desk.do({"a.md": b"b\n"}, "stow pass of 2026-10-01"))
    desk.do({"a.md": b"c\n"}, "migration of gate to data/gate.md")
    notes = [act.note for act in past(desk.state)]
    assert "proposal" in notes[0] and "receipt" in notes[1] and notes[1] == notes[2]
    assert notes[3] == ""


def test_what_others_wrote_since_is_not_written_over(desk: Desk) -> None:
    id = desk.do({"a.md": b"a\n", "b.md": b"b\n"})
    (desk.root / "a.md").write_bytes(b"theirs\n")
    with pytest.raises(NotUndoable, match=r"a\.md is no longer what the act left"):
        desk.undo(id)
    assert desk.held() == {"a.md": b"theirs\n", "b.md": b"b\n"}
    (act,) = past(desk.state, [desk.root])
    assert "a.md" in act.why_not
    (desk.root / "a.md").unlink()
    with pytest.raises(NotUndoable, match=r"a\.md"):
        desk.undo(id)
    (desk.root / "a.md").write_bytes(b"a\n")
    desk.undo(id)
    assert desk.held() == {}


def test_a_tail_of_the_archive_is_taken_only_while_it_is_the_tail(desk: Desk) -> None:
    archive, memory = desk.root / "archive.md", desk.root / "memory.md"
    archive.write_bytes(b"# Old\n")
    memory.write_bytes(b"- one\n- two\n")
    changes = [
        Change(archive, b"# Old\n", b"# Old\n- two\n", Rank.ARCHIVE),
        Change(memory, b"- one\n- two\n", b"- one\n", Rank.MEMORY),
    ]
    id = apply(desk.state, desk.root, changes, act="a pass", now=NOW, audit=lambda found: ())
    archive.write_bytes(b"# Old\n- two\n- three\n")
    with pytest.raises(NotUndoable, match="archive"):
        desk.undo(id)
    archive.write_bytes(b"# Old\n- two\n")
    desk.undo(id)
    assert desk.held() == {"archive.md": b"# Old\n", "memory.md": b"- one\n- two\n"}


def test_what_is_unknown_or_came_to_nothing_is_not_undone(desk: Desk) -> None:
    with pytest.raises(NotUndoable, match="no act"):
        desk.undo("000001-20261001T120000Z")
    assert latest(desk.state, [desk.root]) == (None, None)
    act = stow_pass(desk.root / "home")
    act.lay_out()
    assert killed(act.do, 150)
    assert recover(act.state, act.root, now=NOW)
    assert [found for found in past(act.state) if not found.rolled_back] == []
    assert latest(act.state, [act.root]) == (None, None)


NAMES = st.sampled_from(["a", "b", "d/c"])
CONTENTS = st.sampled_from([None, b"", b"1\n", b"2\n"])
MOVES = st.lists(
    st.one_of(st.dictionaries(NAMES, CONTENTS, min_size=1), st.sampled_from(["undo", "redo"])), max_size=9
)


@given(MOVES)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_course_of_acts_undos_and_redos_gives_what_was(
    tmp_path_factory: pytest.TempPathFactory, moves: list[dict[str, bytes | None] | str]
) -> None:
    desk = Desk(tmp_path_factory.mktemp("desk"))
    back: list[dict[str, bytes]] = []
    forth: list[dict[str, bytes]] = []
    for move in moves:
        before = desk.held()
        if isinstance(move, dict):
            if desk.do(move):
                back.append(before)
                forth.clear()
            continue
        stack, other = (back, forth) if move == "undo" else (forth, back)
        id = desk.latest()[move == "redo"]
        assert bool(id) == bool(stack)
        if id:
            desk.undo(id)
            other.append(before)
            assert desk.held() == stack.pop()


@dataclass
class Expected:
    """An act as a model of its own has it."""

    before: dict[str, bytes | None]
    after: dict[str, bytes | None]


WHICH = st.integers(0, 5)
ANY_MOVES = st.lists(
    st.one_of(
        st.tuples(st.just("do"), st.dictionaries(NAMES, CONTENTS, min_size=1)),
        st.tuples(st.just("others"), st.dictionaries(NAMES, CONTENTS, min_size=1, max_size=1)),
        st.tuples(st.just("undo"), WHICH),
    ),
    max_size=10,
)


@given(ANY_MOVES)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_act_is_undone_just_where_its_files_hold_what_it_left(
    tmp_path_factory: pytest.TempPathFactory, moves: list[tuple[str, dict[str, bytes | None] | int]]
) -> None:
    """In any order, undos undone as well, others writing in between."""
    desk = Desk(tmp_path_factory.mktemp("desk"))
    acts: dict[str, Expected] = {}
    undoes: dict[str, str] = {}
    held: dict[str, bytes] = {}

    def undone(id: str) -> bool:
        """Whether an act that took it back holds itself."""
        return any(of == id and not undone(by) for by, of in undoes.items())

    for move, what in moves:
        if isinstance(what, int):
            if not acts:
                continue
            id = list(acts)[-1 - what % len(acts)]
            act = acts[id]
            if undone(id) or any(held.get(name) != data for name, data in act.after.items()):
                with pytest.raises(NotUndoable):
                    desk.undo(id)
            else:
                done = desk.undo(id)
                acts[done], undoes[done] = Expected(act.after, act.before), id
                wanted = act.before
                held = {n: d for n, d in (held | wanted).items() if d is not None}
        elif move == "do":
            changed = {name: data for name, data in what.items() if held.get(name) != data}
            id = desk.do(what)
            assert bool(id) == bool(changed)
            if id:
                acts[id] = Expected({name: held.get(name) for name in changed}, changed)
            held = {n: d for n, d in (held | what).items() if d is not None}
        else:
            for name, data in what.items():
                path = desk.root / name
                path.parent.mkdir(exist_ok=True)
                path.unlink(missing_ok=True)
                if data is not None:
                    path.write_bytes(data)
            held = {n: d for n, d in (held | what).items() if d is not None}
        assert desk.held() == held
    for found in past(desk.state, [desk.root]):
        act = acts[found.id]
        free = not undone(found.id) and all(held.get(name) == data for name, data in act.after.items())
        assert (found.why_not == "", found.undone) == (free, undone(found.id))
