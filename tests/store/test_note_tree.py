"""The store of a note tree as its callers use it: reading, acts, locks, status files, commits."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from datetime import date
from pathlib import Path
from threading import Barrier, Thread

import pytest
from note_trees import TODAY, note
from os_calls import killed
from repositories import commit, git, init, tree, write

from floppy_tui.notes.acts import delete, merge, new_note, raise_quota, recheck, rename, split_index
from floppy_tui.notes.note import Scope
from floppy_tui.notes.planned import Edit, Planned
from floppy_tui.notes.status import StatusKind
from floppy_tui.notes.tree import Tree
from floppy_tui.store.files import Refusal, StoreError
from floppy_tui.store.note_tree import NoteStore, open_tree
from floppy_tui.store.transaction import AuditFailed, Conflict
from floppy_tui.store.tree_home import NoTree
from floppy_tui.store.wrap_lock import Abandoned, Wrapped

MEMORY = {
    "MEMORY.md": "# Memory\n\n- [Manner](manner.md) — how to ask\n- [Yard](yard/INDEX.md) — ropes\n",
    "quota.lock": "chars_max=9000\npointers_max=9\n",
    "manner.md": note("manner", "Call twice. As of [[rope]].\n"),
    "yard/INDEX.md": "# Yard\n\n- [Rope](rope.md) — how long\n- [Gate](gate.md) — frost\n",
    "yard/rope.md": note("rope", "Twelve metres.\n"),
    "yard/gate.md": note("gate", "It sticks.\n"),
}


def opened(path: Path) -> NoteStore:
    return open_tree(path, env={}, cwd=path, today=lambda: TODAY)


def files(root: Path) -> dict[str, str]:
    found = {str(p.relative_to(root)): p for p in root.rglob("*")}
    return {path: place.read_text() for path, place in found.items() if place.is_file()}


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """A repository with a memory of its own, committed."""
    root = init(tmp_path.resolve() / "code")
    write(root, {".floppy/config": "commit_push=never\n", "src/main.c": "int x;\n"})
    write(root, {f".agent-memory/{path}": text for path, text in MEMORY.items()})
    commit(root, ".")
    return root


@pytest.fixture
def store(code: Path) -> NoteStore:
    return opened(code)


@pytest.fixture
def bare(tmp_path: Path) -> NoteStore:
    """A directory of an agent's own, outside git."""
    write(tmp_path / "bare", {path: text for path, text in MEMORY.items() if "/" not in path and "." in path})
    (tmp_path / "bare/quota.lock").unlink()
    return opened(tmp_path.resolve() / "bare")


@pytest.fixture
def wired(code: Path) -> NoteStore:
    """The same memory, wired into a store, with private and common scopes of others."""
    store = init(code.parent / "store")
    (code / ".agent-memory").rename(store / "berth")
    (code / ".agent-memory").symlink_to("../store/berth")
    write(code, {".floppy/config": "project_key=team/berth\n", ".gitignore": "/.agent-memory\n"})
    others = code.parent / "others"
    write(others, {"mine/pin.md": note("pin", "See [[rope]].\n"), "team/tool.md": note("tool")})
    (store / "berth/private").symlink_to(others / "mine")
    (store / "berth/common").mkdir()
    (store / "berth/common/shared").symlink_to(others / "team")
    return opened(code)


def made(tree: Tree, directory: str = "yard", slug: str = "lamp") -> Planned:
    return new_note(
        tree,
        directory=directory,
        slug=slug,
        description="when it is lit",
        kind="project",
        evidence="read",
        as_of=TODAY,
        body="At six.\n",
        title="Lamp",
        hook="when",
    )


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# -- reading


def test_a_reading_is_the_whole_tree(wired: NoteStore) -> None:
    write(wired.home.repository or Path(), {".floppy/heat.log": "2026-09-01 rope\n2026-09-03 rope\nx\n"})
    read = wired.read()
    assert {n.path: (n.scope, n.linked) for n in read.notes if n.scope is not Scope.OWN} == {
        "common/shared/tool.md": (Scope.COMMON, True),
        "private/pin.md": (Scope.PRIVATE, True),
    }
    assert [n.path for n in read.own] == ["manner.md", "yard/gate.md", "yard/rope.md"]
    assert read.heat["rope"] == (2, date(2026, 9, 3))
    assert read.quota_text == MEMORY["quota.lock"] and read.today == TODAY
    assert read.layout == () and read.unread == ()


def test_what_did_not_change_is_shared_with_the_reading_before(store: NoteStore) -> None:
    first = store.read()
    (store.home.root / "yard/rope.md").write_text(note("rope", "Thirteen metres.\n"))
    second = store.read()
    assert second.by_path["yard/gate.md"] is first.by_path["yard/gate.md"]
    assert "Thirteen" in second.by_path["yard/rope.md"].text
    assert second.index_by_path["yard/INDEX.md"] is first.index_by_path["yard/INDEX.md"]


def test_the_configuration_is_read_each_time(store: NoteStore, code: Path) -> None:
    store.read()
    write(code, {".floppy/config": "note_stale_days=7\nmemory_dir=notes\n"})
    with pytest.raises(NoTree, match="notes"):
        store.read()
    (code / ".agent-memory").rename(code / "notes")
    read = store.read()
    assert read.config.note_stale_days == 7 and store.home.root == code / "notes"


def test_a_half_done_store_shows_in_the_reading(store: NoteStore, code: Path) -> None:
    write(code, {".gitignore": "/.agent-memory\n"})
    assert [finding.rule for finding in store.read().layout] == ["store-half-done"]


def test_reading_makes_nothing_anywhere(store: NoteStore, bare: NoteStore, clean_environment: Path) -> None:
    places = (store.home.repository or Path(), bare.home.root, clean_environment)
    before = [tree(place) for place in places]
    for one in (store, bare):
        one.read()
        assert one.recover() == () and one.lock_state() is None
        one.statuses()
    assert [tree(place) for place in places] == before


def test_today_is_a_day_in_utc_or_the_one_that_is_said(code: Path) -> None:
    assert open_tree(code, env={"FLOPPY_TODAY": "2026-02-03"}, cwd=code).read().today == date(2026, 2, 3)


# -- acts


def test_an_act_writes_what_was_planned_and_nothing_else(store: NoteStore, code: Path) -> None:
    planned = rename(store.read(), "yard/rope.md", "long-rope")
    before = tree(code, without=".git")
    id = store.apply(planned)
    wanted = {path: edit.after for path, edit in planned.edits.items()}
    assert files(store.home.root) == {p: t for p, t in {**MEMORY, **wanted}.items() if t is not None}
    after = tree(code, without=".git")
    touched = {f".agent-memory/{path}" for path in planned.edits}
    assert {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)} == touched
    assert [act.id for act in store.past_acts()] == [id] and store.past_acts()[0].words == planned.act
    # Our own state never shows in the repository.
    assert {line[3:] for line in git(code, "status", "--porcelain", "-uall").splitlines()} == touched
    assert (store.home.own_state / "journal" / id).is_dir()


def test_nothing_to_write_is_no_act(store: NoteStore) -> None:
    store.read()
    assert store.apply(Planned("nothing", {})) == ""
    assert not store.home.own_state.exists()


def test_an_act_is_taken_back_and_done_again(store: NoteStore) -> None:
    id = store.apply(split_index(store.read(), "yard/INDEX.md", "ropes", ["yard/rope.md"]))
    after = files(store.home.root)
    undone = store.undo(id)
    assert files(store.home.root) == MEMORY and not (store.home.root / "yard/ropes").exists()
    store.redo(undone)
    assert files(store.home.root) == after


def test_what_a_commit_says_of_an_act_outlives_the_program(store: NoteStore, code: Path) -> None:
    tree = store.read()
    store.apply(delete(tree, "yard/gate.md", replaced_by="the new gate"))
    act = opened(code).acts_since("")[-1]
    assert act.message == "Remove gate: replaced by the new gate"
    store.undo(act.id)
    assert opened(code).acts_since("") == ()
    store.redo(act.id)
    assert [one.message for one in opened(code).acts_since("")] == [act.message]


def test_an_act_on_a_note_whose_name_has_a_stray_byte_is_done(store: NoteStore, code: Path) -> None:
    name = os.fsdecode(b"gr\xfcn.md")
    (code / ".agent-memory" / name).write_bytes(note("green", "Green.").encode())
    done = store.apply(recheck(store.read(), name, TODAY))
    act = next(one for one in store.past_acts() if one.id == done)
    assert act.files == (name,)
    store.undo(done)
    assert (code / ".agent-memory" / name).read_bytes() == note("green", "Green.").encode()


def test_modes_are_kept_and_new_files_are_as_readable_as_their_index(store: NoteStore) -> None:
    root = store.home.root
    (root / "yard/rope.md").chmod(0o640)
    (root / "yard/INDEX.md").chmod(0o664)
    (root / "MEMORY.md").chmod(0o644)
    store.apply(rename(store.read(), "yard/rope.md", "long-rope"))
    assert mode(root / "yard/long-rope.md") == 0o640 and mode(root / "yard/INDEX.md") == 0o664
    store.apply(made(store.read()))
    store.apply(made(store.read(), "", "lantern"))
    assert mode(root / "yard/lamp.md") == 0o664 and mode(root / "lantern.md") == 0o644
    store.apply(split_index(store.read(), "yard/INDEX.md", "ropes", ["yard/long-rope.md", "yard/lamp.md"]))
    assert mode(root / "yard/ropes/long-rope.md") == 0o640 and mode(root / "yard/ropes/INDEX.md") == 0o664
    (root / "yard/ropes/INDEX.md").chmod(0o777)
    store.apply(made(store.read(), "yard/ropes", "hawser"))
    assert mode(root / "yard/ropes/hawser.md") == 0o666


def test_what_nobody_shares_is_private(bare: NoteStore, store: NoteStore) -> None:
    bare.apply(made(bare.read(), ""))
    assert mode(bare.home.root / "lamp.md") == 0o600
    assert (bare.home.root / "lamp.md").read_text().startswith("---\nname: lamp\n")
    text = note("pin")
    store.apply(Planned("note a pin", {"private/pin.md": Edit(None, text)}))
    assert mode(store.home.root / "private/pin.md") == 0o600 and mode(store.home.root / "private") == 0o700


def test_what_lies_behind_a_link_is_not_written(wired: NoteStore) -> None:
    read = wired.read()
    others = (wired.home.repository or Path()).parent / "others"
    before = tree(others)
    for path in ("private/pin.md", "common/shared/tool.md"):
        edit = Edit(read.texts[path], "mine\n")
        with pytest.raises(StoreError, match="behind a link"):
            wired.apply(
                Planned("write elsewhere", {path: edit, "manner.md": Edit(read.texts["manner.md"], "x")})
            )
    with pytest.raises(StoreError, match="behind a link"):
        wired.apply(Planned("write elsewhere", {"private/new.md": Edit(None, "mine\n")}))
    assert tree(others) == before and files(wired.home.root)["manner.md"] == MEMORY["manner.md"]


def test_a_link_that_comes_meanwhile_leads_nowhere(store: NoteStore) -> None:
    planned = recheck(store.read(), "yard/rope.md", TODAY)
    elsewhere = store.home.root.parent / "elsewhere"
    (store.home.root / "yard").rename(elsewhere)
    (store.home.root / "yard").symlink_to(elsewhere)
    before = tree(elsewhere)
    with pytest.raises(StoreError, match="symbolic link"):
        store.apply(planned)
    assert tree(elsewhere) == before


@pytest.mark.parametrize(
    "path", ["../src/main.c", "/etc/passwd", "yard/../../x.md", "", "yard//x.md", "./x.md"]
)
def test_a_path_that_leads_out_is_refused(store: NoteStore, path: str) -> None:
    before = tree(store.home.root)
    with pytest.raises(StoreError, match="does not lie below"):
        store.apply(Planned("write outside", {path: Edit(None, "x")}))
    assert tree(store.home.root) == before


def test_hostile_names_are_written_as_they_are(store: NoteStore) -> None:
    odd = "yard/a\nb \x1b[31m \udcff [/b].md"
    store.apply(Planned("note oddly", {odd: Edit(None, note("odd"))}))
    assert store.read().by_path[odd].name == "odd"
    store.undo(store.past_acts()[0].id)
    assert odd not in store.read().by_path


# -- other writers


@pytest.mark.parametrize("path", ["yard/rope.md", "yard/INDEX.md", "yard/long-rope.md", "manner.md"])
def test_a_file_that_others_wrote_since_is_a_conflict(store: NoteStore, path: str) -> None:
    planned = rename(store.read(), "yard/rope.md", "long-rope")
    (store.home.root / path).write_text("theirs\n")
    before = tree(store.home.root)
    with pytest.raises(Conflict) as raised:
        store.apply(planned)
    assert raised.value.path == store.home.root / path
    assert tree(store.home.root) == before and store.past_acts() == ()
    # Planned again on what is there now, it goes through or says why it cannot.
    assert store.read().texts[path] == "theirs\n"


def test_a_note_that_goes_while_an_act_is_done_undoes_it(
    store: NoteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    from floppy_tui.store import tree_writing

    read_files = tree_writing.read_files

    def meanwhile(*arguments: object) -> object:
        (store.home.root / "yard/gate.md").unlink(missing_ok=True)
        return read_files(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(tree_writing, "read_files", meanwhile)
    planned = rename(store.read(), "yard/rope.md", "long-rope")
    with pytest.raises(AuditFailed, match=r"yard/gate\.md is gone"):
        store.apply(planned)
    left = {path: text for path, text in MEMORY.items() if path != "yard/gate.md"}
    assert files(store.home.root) == left


def test_two_at_once_take_turns_and_one_plans_again(code: Path) -> None:
    stores = [opened(code), opened(code)]
    plans = [made(store.read(), slug=f"lamp-{n}") for n, store in enumerate(stores)]
    barrier, said = Barrier(2), []

    def do(store: NoteStore, planned: Planned) -> None:
        barrier.wait(10)
        try:
            store.apply(planned)
            said.append("done")
        except Conflict as conflict:
            assert conflict.path == store.home.root / "yard/INDEX.md"
            said.append("conflict")

    threads = [Thread(target=do, args=pair) for pair in zip(stores, plans, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert sorted(said) == ["conflict", "done"]
    loser = next(n for n in range(2) if f"yard/lamp-{n}.md" not in files(code / ".agent-memory"))
    stores[loser].apply(made(stores[loser].read(), slug=f"lamp-{loser}"))
    index = (code / ".agent-memory/yard/INDEX.md").read_text()
    assert "(lamp-0.md)" in index and "(lamp-1.md)" in index


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
@pytest.mark.parametrize("shut", ["", "yard", "yard/rope.md"])
def test_where_nobody_may_write_nothing_changes(store: NoteStore, shut: str) -> None:
    planned = rename(store.read(), "yard/rope.md", "long-rope")
    place = store.home.root / shut
    modes = {path: path.stat().st_mode for path in (place, *place.rglob("*"))}
    for path in modes:
        path.chmod(0o500 if path.is_dir() else 0o400)
    try:
        with pytest.raises(StoreError, match="permission denied"):
            store.apply(planned)
        assert files(store.home.root) == MEMORY
    finally:
        for path, was in modes.items():
            path.chmod(was)


def half_done(store: NoteStore) -> None:
    """Leave an act open, with a new note written."""
    planned = made(store.read())
    number = 0
    while True:
        assert killed(lambda: store.apply(planned), number)
        if (store.home.root / "yard/lamp.md").exists():
            return
        store.recover()
        number += 10


def test_an_act_that_a_kill_left_open_stops_the_next_one_until_it_is_put_back(store: NoteStore) -> None:
    half_done(store)
    other = opened(store.home.root)
    with pytest.raises(StoreError, match="was interrupted"):
        other.apply(rename(other.read(), "yard/rope.md", "long-rope"))
    (said,) = other.recover()
    assert "“new note lamp”" in said and "rolled back" in said
    assert files(store.home.root) == MEMORY


def test_it_is_put_back_however_the_memory_is_opened(wired: NoteStore) -> None:
    (wired.home.root / "private").unlink()
    (wired.home.root / "common/shared").unlink()
    half_done(wired)
    bare = opened(wired.home.root)
    assert bare.home.repository is None
    assert len(bare.recover()) == 1 and files(wired.home.root) == MEMORY


# -- the wrap lock


def lock(place: Path, minutes: int = 0) -> None:
    place.mkdir()
    (place / "owner").write_text("owner=session 7\nsince=2026-10-01T09:00:00Z\npid=1\nhost=mole\n")
    at = (place / "owner").stat().st_mtime - 60 * minutes
    os.utime(place / "owner", (at, at))


def whole(tree: Tree) -> Planned:
    planned = split_index(tree, "yard/INDEX.md", "ropes", ["yard/rope.md"])
    assert planned.whole == ("yard/INDEX.md",)
    return planned


def test_a_wrap_of_others_is_respected_where_an_index_is_rewritten(store: NoteStore, code: Path) -> None:
    place = code / ".git/wrap.lock"
    assert store.lock_place() == place
    planned = whole(store.read())
    lock(place, minutes=29)
    with pytest.raises(Wrapped, match="session 7 on mole"):
        store.apply(planned, take_over=True)
    assert files(store.home.root) == MEMORY
    held = store.lock_state()
    assert held is not None and (held.owner, held.minutes) == ("session 7", 29)
    # One line in an index needs no lock.
    store.apply(made(store.read()))
    assert place.is_dir()


def test_an_abandoned_one_is_taken_over_when_asked(store: NoteStore, code: Path) -> None:
    place = code / ".git/wrap.lock"
    planned = whole(store.read())
    lock(place, minutes=31)
    with pytest.raises(Abandoned, match="30 minutes"):
        store.apply(planned)
    assert place.is_dir() and files(store.home.root) == MEMORY
    store.apply(planned, take_over=True)
    assert not place.exists() and (store.home.root / "yard/ropes/rope.md").exists()


def test_the_lock_is_held_for_the_act_and_given_back(store: NoteStore, code: Path) -> None:
    seen: list[str] = []
    from floppy_tui.store import note_tree

    read_files = note_tree.read_files

    def looking(*arguments: object) -> object:
        seen.append((code / ".git/wrap.lock/owner").read_text().splitlines()[0])
        return read_files(*arguments)  # type: ignore[arg-type]

    planned = whole(store.read())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(note_tree, "read_files", looking)
        store.apply(planned)
    assert seen == ["owner=floppy-tui"] and store.lock_state() is None


def test_an_index_is_put_back_under_the_lock_too(store: NoteStore, code: Path) -> None:
    id = store.apply(whole(store.read()))
    after = files(store.home.root)
    lock(code / ".git/wrap.lock")
    with pytest.raises(Wrapped, match="session 7"):
        store.undo(id)
    assert files(store.home.root) == after


def test_a_wrap_is_respected_where_an_index_is_put_back_as_it_was(store: NoteStore, code: Path) -> None:
    place = code / ".git/wrap.lock"
    made_id, dated = (
        store.apply(made(store.read())),
        store.apply(recheck(store.read(), "yard/rope.md", TODAY)),
    )
    lock(place)
    with pytest.raises(Wrapped):
        store.undo(made_id)
    store.undo(dated)
    os.utime(place / "owner", (1, 1))
    undone = store.undo(made_id)
    assert files(store.home.root) == MEMORY and place.is_dir()
    (place / "owner").unlink()
    place.rmdir()
    store.redo(undone)
    assert "yard/lamp.md" in files(store.home.root) and not place.exists()


def test_where_the_lock_of_each_layout_is(wired: NoteStore, bare: NoteStore, tmp_path: Path) -> None:
    stored = (wired.home.repository or Path()).parent / "store/.git"
    assert wired.lock_place() == stored / "wrap-team-berth.lock"
    write(wired.home.repository or Path(), {".floppy/config": ""})
    wired.read()
    assert wired.lock_place() == stored / "wrap-code.lock"
    assert opened(wired.home.root).lock_place() == stored / "wrap-berth.lock"
    # Where nobody else wraps, nobody is asked.
    assert bare.lock_place() is None and bare.lock_state() is None
    with wired.wrapping_edit("yard/rope.md"):
        assert wired.lock_state() is None
    with wired.wrapping_edit("yard/INDEX.md"):
        assert wired.lock_state() is not None


# -- status files


def test_status_files_are_shown_with_their_limits(store: NoteStore, code: Path) -> None:
    shown = {status.kind: status for status in store.statuses()}
    assert shown[StatusKind.NOW].path == "docs/statuses/NOW.md" and shown[StatusKind.NOW].text is None
    write(code, {"docs/statuses/NOW.md": "# Now\n" * 40})
    write(code, {".floppy/config": "statuses_now_chars_max=100\nmachine_key=mate\n"})
    write(code, {".agent-memory/private/machines/mate/NOW.md": "# Mine\n"})
    store.read()
    now, personal, journal = store.statuses()
    assert now.over and now.limit == 100 and now.chars == 240
    assert (personal.path, personal.text) == (".agent-memory/private/machines/mate/NOW.md", "# Mine\n")
    assert journal.path == "docs/statuses/JOURNAL.md" and journal.text is None
    assert store.path(personal.path) == code / personal.path
    assert store.path("yard/rope.md") == code / ".agent-memory/yard/rope.md"


def test_a_personal_file_in_a_store_is_found_behind_the_link(wired: NoteStore) -> None:
    write(wired.home.repository or Path(), {".floppy/config": "machine_key=mate\n"})
    write(wired.home.root, {"private/machines/mate/NOW.md": "# Mine\n"})
    wired.read()
    personal = wired.statuses()[1]
    assert personal.text == "# Mine\n"
    assert wired.path(personal.path) == wired.home.root / "private/machines/mate/NOW.md"


def test_a_bare_tree_has_no_status_files(bare: NoteStore) -> None:
    assert bare.statuses() == ()
    with pytest.raises(StoreError, match="no journal"):
        bare.append_journal(None, "words")


@pytest.mark.parametrize(
    ("there", "config", "found"),
    [
        ([], "", "JOURNAL.md"),
        (["2026-08.md", "2026-09.md", "README.md", "NOW.md", "zebra.md", ".hidden.md"], "", "2026-09.md"),
        (["2026-09.md", "JOURNAL.md"], "", "JOURNAL.md"),
        (["log.md"], "", "log.md"),
        (["NOW.md", "README.md"], "", "JOURNAL.md"),
        (["2026-09.md"], "statuses_journal=docs/statuses/own.md\n", "own.md"),
    ],
)
def test_the_journal_is_named_or_the_newest(
    store: NoteStore, code: Path, there: list[str], config: str, found: str
) -> None:
    write(code, {f"docs/statuses/{name}": "# Journal\n" for name in there})
    write(code, {".floppy/config": config})
    store.read()
    assert store.statuses()[2].path == f"docs/statuses/{found}"


def test_the_journal_is_appended_to_and_never_rewritten(store: NoteStore, code: Path) -> None:
    journal = code / "docs/statuses/JOURNAL.md"
    id = store.append_journal("2026-10-01", "The rope is short.")
    assert journal.read_text() == "## 2026-10-01\n\nThe rope is short.\n"
    assert mode(journal) == mode(code / ".floppy/config") and store.past_acts()[0].id == id
    journal.write_bytes(b"# Journal\r\n\r\n## Old\r\n\r\n\xff odd \r\n\r\n## Next\r\nx")
    journal.chmod(0o640)
    store.append_journal("Old", "And on.")
    assert (
        journal.read_bytes() == b"# Journal\r\n\r\n## Old\r\n\r\n\xff odd \r\n\r\nAnd on.\r\n\r\n## Next\r\nx"
    )
    assert mode(journal) == 0o640
    before = journal.read_bytes()
    store.append_journal(None, "At the end.")
    assert journal.read_bytes().startswith(before)
    with pytest.raises(StoreError, match="nothing to append"):
        store.append_journal(None, " \n")
    store.undo(store.past_acts()[0].id)
    assert journal.read_bytes() == before


@pytest.mark.parametrize("how", ["link", "elsewhere", "directory"])
def test_a_journal_that_is_no_file_of_the_repository_is_not_written(
    store: NoteStore, code: Path, how: str
) -> None:
    journal = code / "docs/statuses/JOURNAL.md"
    secret = code.parent / "secret.md"
    secret.write_text("secret\n")
    journal.parent.mkdir(parents=True)
    if how == "link":
        journal.symlink_to(secret)
    elif how == "elsewhere":
        write(code, {".floppy/config": f"statuses_journal={secret}\n"})
        store.read()
    else:
        journal.mkdir()
    with pytest.raises(Refusal):
        store.append_journal(None, "words")
    assert secret.read_text() == "secret\n"


# -- publishing


def messages(store: NoteStore, paths: list[str], message: str = "Keep") -> list[str]:
    return [step.title for step in store.commit(paths, message, lambda step: None) if not step.ok]


def test_exactly_what_was_chosen_is_committed(store: NoteStore, code: Path) -> None:
    planned = rename(store.read(), "yard/rope.md", "long-rope")
    store.apply(planned)
    write(code, {".agent-memory/manner.md": "half done\n", "src/main.c": "int y;\n"})
    chosen = [path for path in planned.paths if path != "manner.md"]
    assert {file.path for file in store.standing().files} == {*planned.paths}
    assert messages(store, chosen, planned.message) == []
    assert set(git(code, "show", "--format=", "--name-only", "--no-renames").split()) == {
        f".agent-memory/{path}" for path in chosen
    }
    assert git(code, "log", "-1", "--format=%s") == planned.message.splitlines()[0]
    assert {file.path for file in store.standing().files} == {"manner.md"}


def test_a_raise_is_not_committed_on_its_own(store: NoteStore, code: Path) -> None:
    store.apply(raise_quota(store.read(), "pointers_max", 12, "the lamp"))
    head = git(code, "rev-parse", "HEAD")
    with pytest.raises(StoreError, match="raises pointers_max on its own"):
        messages(store, ["quota.lock"])
    store.apply(made(store.read()))
    with pytest.raises(StoreError, match="on its own"):
        messages(store, ["quota.lock", "yard/INDEX.md"])
    assert git(code, "rev-parse", "HEAD") == head
    assert messages(store, ["quota.lock", "yard/INDEX.md", "yard/lamp.md"]) == []


def test_a_store_is_committed_in_its_own_repository(wired: NoteStore) -> None:
    stored, repository = wired.home.git or Path(), wired.home.repository or Path()
    commit(stored, "berth/MEMORY.md")
    head = git(repository, "rev-parse", "HEAD")
    assert "manner.md" in {file.path for file in wired.standing().files}
    wired.commit(["manner.md"], "Keep manners", lambda step: None)
    assert git(stored, "show", "--format=", "--name-only") == "berth/manner.md"
    assert git(repository, "rev-parse", "HEAD") == head
    assert wired.publisher.push and not opened(wired.home.root).publisher.push


ACTS: list[Callable[[Tree], Planned]] = [
    lambda tree: delete(tree, "yard/gate.md", replaced_by="nothing", relink=None),
    lambda tree: merge(tree, "yard/rope.md", ["yard/gate.md"], body="Twelve metres. It sticks.\n"),
    lambda tree: recheck(tree, "yard/rope.md", TODAY),
    whole,
]


def test_what_was_done_in_a_row_is_taken_back_in_a_row(store: NoteStore) -> None:
    stages = [files(store.home.root)]
    store.apply(made(store.read()))
    stages.append(files(store.home.root))
    for act in (ACTS[2], ACTS[0]):
        store.apply(act(store.read()))
        stages.append(files(store.home.root))
    for stage in stages[-2::-1]:
        done, _ = store.latest()
        assert done is not None and not done.why_not
        store.undo(done.id)
        assert files(store.home.root) == stage
    assert store.latest()[0] is None
