"""Undo and redo: the bytes that were come back while nobody else wrote, in an order that loses nothing."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest
from acts import stow_pass
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from os_calls import killed

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
    again = redo(desk.state, [desk.root], undone, now=NOW)
    assert desk.held() == after
    assert past(desk.state)[0].words == "redo of rename b"
    desk.undo(id)
    assert desk.held() == before
    assert again


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
