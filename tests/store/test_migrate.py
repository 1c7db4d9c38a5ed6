"""Migrations in real repositories: each step shown, all of it done, or nothing of it left to the byte."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from moving_homes import (
    CAPTAIN,
    EXCLUDE,
    LINE,
    OWN,
    QUEUE,
    SKILL,
    STANDING,
    TRIGGER,
    WITHOUT,
    Meddler,
    approve,
    failing,
    held,
    lay,
    migrated,
    opened,
    propose,
    settle,
)
from os_calls import before_each_call
from repositories import commit, copied, git, init, write

from floppy_tui.offload.proposal import State
from floppy_tui.store.files import StoreError
from floppy_tui.store.migrate import CHANGED, GONE, RESEALED, UNAPPROVED, Ran
from floppy_tui.store.repository import Repository


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return settle(tmp_path.resolve() / "home")


def test_an_approved_entry_lives_in_a_new_skill_and_each_step_was_shown(root: Path) -> None:
    offloading = opened(root)
    id = approve(offloading)
    before, shown = held(root), list[Ran]()
    done = offloading.migrate(id, on_step=shown.append)
    assert (done.state, done.why) == ("migrated", "")
    assert held(root) == migrated(root, before)
    assert tuple(shown) == done.steps
    assert [ran.number for ran in shown] == [1, 2, 3, 4, 5, 6, 7]
    assert all(ran.ok and ran.result for ran in shown)
    commands = [ran.command for ran in shown]
    assert commands[0] == f"git -C {root} rev-parse --show-toplevel"
    assert commands[1].startswith(f"git -C {root} ls-files")
    assert f"git -C {root} rev-parse --git-path info/exclude" in commands[2]
    assert commands[2].endswith(f"git -C {root} check-ignore -v -- {SKILL}")
    assert commands[4].endswith(f"--ignore-submodules=none -- ':(literal){SKILL.rpartition('/')[0]}'")
    (proposal,) = offloading.queue().proposals
    assert proposal == done.proposal
    relief = -(-len(CAPTAIN.encode()) // 3) - -(-len(WITHOUT.encode()) // 3)
    assert (proposal.state, proposal.relief, proposal.note) == (State.MIGRATED, relief, "")
    assert git(root, "status", "--porcelain", "--untracked-files=all") == ""
    again = offloading.migrate(id)
    assert (again.state, again.why) == ("unusable", "It was migrated already.")


def test_an_exclude_file_that_is_missing_with_its_directory_is_made(root: Path) -> None:
    (root / ".git/info/exclude").unlink()
    (root / ".git/info").rmdir()
    offloading = opened(root)
    assert offloading.migrate(approve(offloading)).state == "migrated"
    assert (root / ".git/info/exclude").read_text() == f"{LINE}\n"
    assert (root / ".git/info/exclude").stat().st_mode & 0o777 == 0o600


def test_a_line_that_is_there_is_neither_written_nor_taken_back(root: Path) -> None:
    (root / ".git/info/exclude").write_text(f"{LINE}\n# Mine.\n")
    offloading = opened(root)
    id = approve(offloading)
    with before_each_call(failing_once("write")):
        failing(offloading, id)
    assert offloading.migrate(id).state == "migrated"
    assert (root / ".git/info/exclude").read_text() == f"{LINE}\n# Mine.\n"


def failing_once(call: str) -> Callable[[int, str, tuple[Any, ...]], None]:
    """A hook that lets the first ``call`` fail once the skill's directory is made."""
    made: list[int] = []

    def hook(number: int, name: str, args: tuple[Any, ...]) -> None:
        if name == "mkdir" and args[0] == "tide-gauges":
            made.append(number)
        elif name == call and len(made) == 1:
            made.append(number)
            raise OSError(28, "No space left on device")

    return hook


def test_a_linked_worktree_says_whose_exclude_file_it_is(root: Path, tmp_path: Path) -> None:
    other = tmp_path.resolve() / "worktree"
    git(root, "worktree", "add", "-q", str(other))
    lay(other)
    offloading = opened(other)
    id = approve(offloading)
    preview = offloading.preview(id)
    assert preview.exclude_file == str(root / ".git/info/exclude")
    assert any("linked worktree" in note for note in preview.notes)
    done = offloading.migrate(id)
    assert done.state == "migrated"
    assert "main repository's" in done.steps[2].result
    assert (root / ".git/info/exclude").read_text() == f"{EXCLUDE}\n{LINE}\n"
    assert (other / SKILL).exists()
    assert git(other, "status", "--porcelain", "--untracked-files=all") == ""


def test_a_home_below_the_top_of_its_repository_gets_a_pattern_from_there(tmp_path: Path) -> None:
    top = init(tmp_path.resolve() / "fleet")
    root = lay(top / "odd [home]*")
    commit(top, "odd [home]*/.gitignore", "odd [home]*/config")
    offloading = opened(root)
    done = offloading.migrate(approve(offloading))
    assert done.state == "migrated", done.why
    exclude = (top / ".git/info/exclude").read_text()
    assert exclude == "/odd \\[home]\\*/.agents/skills/tide-gauges/\n"
    assert git(root, "status", "--porcelain", "--untracked-files=all") == ""


def test_a_home_in_no_repository_is_refused_with_the_reason(tmp_path: Path) -> None:
    root = lay(tmp_path.resolve() / "home")
    with pytest.raises(StoreError, match="not a git repository"):
        approve(opened(root))


def test_a_repository_that_is_gone_since_the_approval(root: Path, tmp_path: Path) -> None:
    offloading = opened(root)
    id = approve(offloading)
    (root / ".git").rename(tmp_path / "git")
    done, why = failing(offloading, id)
    assert [ran.number for ran in done.steps] == [1]
    assert "is in no git repository" in why and "not a git repository" in why


@pytest.mark.parametrize(
    "rule",
    ["!/.agents/skills/tide-gauges/", "!/.agents/skills/tide-gauges/\n!/.agents/skills/tide-gauges/SKILL.md"],
)
@pytest.mark.parametrize("where", [".gitignore", ".agents/.gitignore"])
def test_a_rule_that_takes_the_skill_out_again_undoes_it_all(root: Path, where: str, rule: str) -> None:
    if where.startswith(".agents"):
        rule = rule.replace("/.agents", "")
    write(root, {where: (root / where).read_text() + rule if (root / where).exists() else rule})
    commit(root, where)
    offloading = opened(root)
    done, why = failing(offloading, approve(offloading))
    assert [ran.number for ran in done.steps] == [1, 2, 3, 3]
    assert f"Git would not ignore {SKILL}" in why
    assert not (root / SKILL).parent.exists()


@pytest.mark.parametrize("name", ["tide-gauges", "Tide-Gauges"])
@pytest.mark.parametrize("how", ["directory", "file", "link", "index"])
def test_a_name_that_was_taken_since_the_approval(root: Path, how: str, name: str) -> None:
    offloading = opened(root)
    id = approve(offloading)
    place = root / ".agents/skills" / name
    place.parent.mkdir(parents=True)
    if how == "directory":
        place.mkdir()
    elif how == "file":
        place.write_text("theirs\n")
    elif how == "link":
        place.symlink_to("nowhere")
    else:
        write(place, {"SKILL.md": "theirs\n"})
        commit(root, f".agents/skills/{name}")
        (place / "SKILL.md").unlink()
        place.rmdir()
    _, why = failing(offloading, id)
    assert "taken" in why or "cannot be used" in why


@pytest.mark.parametrize("link", [".agents", ".agents/skills"])
def test_a_link_on_the_way_is_refused(root: Path, tmp_path: Path, link: str) -> None:
    offloading = opened(root)
    id = approve(offloading)
    (tmp_path / "elsewhere").mkdir()
    (root / link).parent.mkdir(exist_ok=True)
    (root / link).symlink_to(tmp_path / "elsewhere")
    _, why = failing(offloading, id)
    assert "symbolic link" in why
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_skills_that_are_a_repository_of_their_own_are_refused(root: Path) -> None:
    offloading = opened(root)
    id = approve(offloading)
    init(root / ".agents")
    _, why = failing(offloading, id)
    assert "repository of its own" in why


@pytest.mark.parametrize("which", [".git/info/exclude", ".git/info"])
def test_an_exclude_file_that_is_a_link_is_not_written_through(
    root: Path, tmp_path: Path, which: str
) -> None:
    offloading = opened(root)
    id = approve(offloading)
    (root / which).rename(tmp_path / "real")
    (root / which).symlink_to(tmp_path / "real")
    done, why = failing(offloading, id)
    assert "symbolic link" in why
    assert done.steps[-1].number == 3
    assert (
        EXCLUDE in (tmp_path / "real" if which.endswith("exclude") else tmp_path / "real/exclude").read_text()
    )


def test_an_exclude_file_that_may_not_be_written(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offloading = opened(root)
    id = approve(offloading)
    monkeypatch.setattr("floppy_tui.store.files.Directory.writable", lambda self, name: name != "exclude")
    _, why = failing(offloading, id)
    assert "exclude is not accessible: permission denied" in why


def test_lines_that_others_add_to_the_exclude_file_meanwhile_stay(root: Path) -> None:
    exclude = root / ".git/info/exclude"

    def others() -> None:
        with exclude.open("a") as file:
            file.write("/theirs/\n")

    for step in (3, 4, 5):
        exclude.write_text(EXCLUDE)
        offloading = opened(root)
        id = approve(offloading)
        before = held(root)
        done = offloading.migrate(id, on_step=Meddler(step, others))
        assert done.state == "failed"
        assert "was changed by someone else" in done.why
        assert exclude.read_text() == f"{EXCLUDE}\n/theirs/\n"
        exclude.write_text(EXCLUDE)
        assert held(root) == before


def test_an_empty_directory_that_appears_meanwhile_is_somebody_elses(root: Path) -> None:
    place = root / ".agents/skills/tide-gauges"
    offloading = opened(root)
    id = approve(offloading)
    before = held(root)
    done = offloading.migrate(id, on_step=Meddler(3, lambda: place.mkdir(parents=True)))
    assert done.state == "failed"
    assert place.is_dir()
    place.rmdir()
    place.parent.rmdir()
    place.parent.parent.rmdir()
    assert held(root) == before


def test_an_entry_that_changes_meanwhile_is_kept_and_the_skill_goes(root: Path) -> None:
    captain = root / "data/captain.md"
    theirs = CAPTAIN.replace("ten minutes", "two minutes").encode()
    for step in (2, 3, 5):
        captain.write_bytes(CAPTAIN.encode())
        offloading = opened(root)
        id = approve(offloading)
        before = held(root)
        done = offloading.migrate(id, on_step=Meddler(step, lambda: captain.write_bytes(theirs)))
        assert done.state == "failed"
        assert captain.read_bytes() == theirs
        captain.write_bytes(CAPTAIN.encode())
        assert held(root) == before


def test_what_is_not_approved_as_it_stands_is_not_begun(root: Path) -> None:
    offloading = opened(root)
    made = propose(offloading)
    before = held(root)
    assert offloading.migrate(made.id).why == UNAPPROVED
    offloading.approve(made.id, "tide-gauges", "captain")
    queue = root / QUEUE
    approved = queue.read_text()
    queue.write_text(approved.replace(f"trigger: {TRIGGER}", "trigger: Always."))
    assert queue.read_text() != approved
    assert offloading.migrate(made.id).why == RESEALED
    queue.write_text(approved)
    captain = root / "data/captain.md"
    captain.write_bytes(CAPTAIN.replace("ten minutes", "two minutes").encode())
    assert offloading.migrate(made.id).why == CHANGED
    captain.write_bytes(WITHOUT.encode())
    done = offloading.migrate(made.id)
    assert (done.state, done.why, done.steps) == ("unusable", GONE, ())
    captain.write_bytes(CAPTAIN.encode())
    assert held(root) == before
    with pytest.raises(StoreError, match="There is no proposal p9"):
        offloading.migrate("p9")


def test_a_quote_that_was_tampered_with_is_not_moved(root: Path) -> None:
    offloading = opened(root)
    id = approve(offloading)
    queue = root / QUEUE
    queue.write_text(queue.read_text().replace("- sha256: ", "- sha256: 0"))
    before = held(root)
    done = offloading.migrate(id)
    assert (done.state, done.steps) == ("unusable", ())
    assert done.why == offloading.queue().proposals[0].problem != ""
    assert held(root) == before


def test_a_queue_that_cannot_be_told_undoes_nothing_and_is_told_later(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offloading = opened(root)
    id = approve(offloading)
    before = held(root)

    def full(*_: object) -> None:
        raise StoreError("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(type(offloading.queue_store), "write", full)
        done = offloading.migrate(id)
    assert done.state == "migrated"
    assert done.relief
    assert not done.steps[-1].ok
    assert "nothing is lost" in done.steps[-1].result and "The disk is full." in done.why
    assert held(root) == migrated(root, before)
    (waiting,) = offloading.queue().proposals
    assert waiting.state is State.APPROVED
    assert "the entry has left" in waiting.note
    again = offloading.migrate(id)
    assert (again.state, again.proposal.state) == ("migrated", State.MIGRATED)
    assert held(root) == migrated(root, before)


def test_one_line_is_left_only_where_the_captain_asks_for_it(root: Path) -> None:
    offloading = opened(root)
    id = approve(offloading)
    before = (root / "data/captain.md").read_bytes()
    for pointer in ("two\nlines", "marked <!--P-->"):
        failing(offloading, id, pointer=pointer)
    assert (root / "data/captain.md").read_bytes() == before
    done = offloading.migrate(id, pointer="Tide gauges: see the skill tide-gauges.")
    assert done.state == "migrated", done.why
    text = (root / "data/captain.md").read_bytes().decode()
    assert text == CAPTAIN.replace(STANDING, "Tide gauges: see the skill tide-gauges.")


def test_an_entry_of_any_bytes_comes_through_to_the_byte(root: Path) -> None:
    odd = CAPTAIN.replace("river", "r\x00iv\x1b[31mer\u202e").encode() + b"\xff\n"
    odd = odd.replace(b"floats", b"floats \xfe\xff")
    (root / "data/captain.md").write_bytes(odd)
    offloading = opened(root)
    id = approve(offloading)
    done = offloading.migrate(id)
    assert done.state == "migrated", done.why
    quote = odd[odd.index(b"When a tide") : odd.index(b"\n- Ask")]
    body = (root / SKILL).read_bytes().partition(b"---\n\n")[2]
    assert body == quote.replace(b"\n  and", b"\nand") + b"\n"
    assert (root / "data/captain.md").read_bytes() == odd.replace(b"- " + quote + b"\n", b"")


@pytest.mark.usefixtures("fast")
def test_a_failure_of_any_file_operation_leaves_nothing_or_all(tmp_path: Path) -> None:
    template = settle(tmp_path.resolve() / "home")
    id = approve(opened(template))
    before = held(template)
    ends = set()
    number, reached = 0, True
    while reached:
        root = copied(template, tmp_path.resolve() / f"home{number}" / "home")
        offloading = opened(root)
        reached = False

        def hook(at: int, name: str, args: tuple[Any, ...]) -> None:
            nonlocal reached
            if at == number:  # noqa: B023
                reached = True
                raise OSError(28, "No space left on device")

        with before_each_call(hook):
            try:
                done = offloading.migrate(id)
            except StoreError:
                state = "unread"
            else:
                state = done.state
        opened(root).store.recover()
        now = held(root)
        if state == "migrated":
            assert now == migrated(root, before), number
        else:
            assert now == before, (number, state)
        ends.add(state)
        number += 1
    assert number > 200
    assert ends == {"unread", "unusable", "failed", "migrated"}


@pytest.mark.usefixtures("fast")
@pytest.mark.parametrize("number", range(1, 8))
def test_a_full_disk_from_any_step_on_leaves_nothing(root: Path, number: int) -> None:
    offloading = opened(root)
    id = approve(offloading)
    before = held(root)
    full = False

    def fill(ran: Ran) -> None:
        nonlocal full
        full = full or ran.number == number

    def hook(at: int, name: str, args: tuple[Any, ...]) -> None:
        if full and (name == "write" or (name == "open" and args[1] & os.O_CREAT)):
            raise OSError(28, "No space left on device")

    with before_each_call(hook):
        done = offloading.migrate(id, on_step=fill)
    if done.state == "migrated":
        assert number >= 5
        assert held(root) == migrated(root, before)
    else:
        assert held(root) == before
    assert not (root / OWN / "journal").exists() or opened(root).store.recover() == ()
    assert Repository(root).status(".agents").out == ""
