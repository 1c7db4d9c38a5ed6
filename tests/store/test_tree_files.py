"""Reading a note tree: what counts, what is refused by name, what is followed, and what is read again."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from repositories import tree, write

from floppy_tui.store import tree_files
from floppy_tui.store.tree_files import Reading, linked_places, read_files

SCOPES = ("private", "common", "common/shared", "common/private")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path.resolve() / "memory"
    write(made, {"MEMORY.md": "# Memory\n", "yard/rope.md": "rope", "quota.lock": "chars_max=1\n"})
    return made


def texts(root: Path) -> dict[str, str]:
    return {path: read.text for path, read in read_files(root, SCOPES).files.items()}


def unread(root: Path) -> dict[str, str]:
    return {file.path: file.message for file in read_files(root, SCOPES).unread}


def test_what_counts_is_markdown_and_the_quotas(root: Path) -> None:
    write(
        root,
        {
            "a b/größe.md": "g",
            "yard/carts/deep/er/est.md": "d",
            "yard/quota.lock": "no",
            "yard/picture.png": "no",
            "README": "no",
            "note.MD": "no",
            ".git/x.md": "no",
            ".obsidian/x.md": "no",
            ".hidden.md": "no",
            "yard/.floppy-tui-1.tmp.md": "no",
        },
    )
    (root / os.fsdecode(b"latin-\xe4.md")).write_bytes(b"\xe4\r\n")
    before = tree(root)
    assert texts(root) == {
        "MEMORY.md": "# Memory\n",
        "a b/größe.md": "g",
        "latin-\udce4.md": "\udce4\r\n",
        "quota.lock": "chars_max=1\n",
        "yard/carts/deep/er/est.md": "d",
        "yard/rope.md": "rope",
    }
    assert unread(root) == {} and tree(root) == before


@pytest.mark.parametrize("path", ["odd.md", "quota.lock", "yard/odd.md"])
@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: path.symlink_to("MEMORY.md"), "is a symbolic link, which is never followed"),
        (lambda path: path.symlink_to("nowhere"), "is a symbolic link, which is never followed"),
        (lambda path: os.mkfifo(path), "is a named pipe where a file belongs"),
        (lambda path: path.mkdir(), "is a directory where a file belongs"),
    ],
    ids=["link", "dangling", "fifo", "directory"],
)
def test_what_is_no_file_is_named(root: Path, path: str, make: Callable[[Path], None], said: str) -> None:
    (root / path).unlink(missing_ok=True)
    make(root / path)
    assert list(unread(root)) == [path]
    assert str(root / path) in unread(root)[path] and said in unread(root)[path]
    assert "yard/rope.md" in texts(root) and path not in texts(root)


def test_what_is_too_large_is_named_and_not_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_files, "LIMIT", 10)
    write(root, {"large.md": "x" * 11, "fits.md": "x" * 10})
    assert "larger than 10 bytes" in unread(root)["large.md"]
    assert "fits.md" in texts(root)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_what_may_not_be_read_is_named(root: Path) -> None:
    (root / "yard/rope.md").chmod(0)
    write(root, {"shut/in.md": "x"})
    (root / "shut").chmod(0)
    try:
        assert set(unread(root)) == {"yard/rope.md", "shut"}
        assert all("permission denied" in said for said in unread(root).values())
    finally:
        (root / "shut").chmod(0o700)


def test_a_directory_that_looks_like_a_note_is_named_and_looked_into(root: Path) -> None:
    write(root, {"folder.md/inner.md": "x"})
    assert list(unread(root)) == ["folder.md"] and "folder.md/inner.md" in texts(root)


def test_links_to_directories_are_not_followed_but_for_the_scopes(root: Path) -> None:
    elsewhere = root.parent / "elsewhere"
    write(elsewhere, {"mine.md": "m", "sub/other.md": "o", "machines/x/NOW.md": "n"})
    write(root, {"common/own.md": "c"})
    for name in ("yard/linked", "private", "common/shared"):
        (root / name).symlink_to(elsewhere if name == "private" else elsewhere / "sub")
    (elsewhere / "private").symlink_to(root)
    (elsewhere / "link.md").symlink_to("mine.md")
    reading = read_files(root, SCOPES)
    assert reading.linked == ("common/shared", "private")
    assert {path for path in reading.files if "/" in path} == {
        "common/own.md",
        "common/shared/other.md",
        "private/machines/x/NOW.md",
        "private/mine.md",
        "yard/rope.md",
    }
    assert [file.path for file in reading.unread] == ["private/link.md"]
    assert linked_places(root, SCOPES) == {"private": elsewhere, "common/shared": elsewhere / "sub"}
    # Without scopes, as in an auto-memory, nothing is followed.
    assert read_files(root, ()).linked == () and linked_places(root, ()) == {}


def test_links_in_a_circle_end(root: Path) -> None:
    (root / "common").mkdir()
    (root / "private").symlink_to(root)
    (root / "common/shared").symlink_to(root / "common")
    (root / "common/private").symlink_to(root / "yard")
    found = read_files(root, SCOPES)
    assert sorted(read.text for read in found.files.values()) == ["# Memory\n", "chars_max=1\n", "rope"]


def test_a_scope_that_leads_nowhere_is_no_scope(root: Path) -> None:
    (root / "private").symlink_to("nowhere")
    assert read_files(root, SCOPES).linked == () and linked_places(root, SCOPES) == {}


def test_absurd_trees_are_said_to_be_so(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(root, {f"n{n}.md": "x" for n in range(8)})
    monkeypatch.setattr(tree_files, "MOST", 6)
    reading = read_files(root, SCOPES)
    assert len(reading.files) == 6
    assert [file.message for file in reading.unread] == [
        f"There are more than 6 files below {root}; the rest is not read."
    ]
    monkeypatch.setattr(tree_files, "MOST", 20)
    monkeypatch.setattr(tree_files, "MOST_BYTES", 12)
    assert "more than 12 bytes of notes" in unread(root)["."]
    monkeypatch.setattr(tree_files, "MOST_BYTES", 1000)
    for n in range(21):
        (root / f"d{n}").mkdir()
    assert "more than 20 directories" in unread(root)["."]


def test_absurd_depths_are_said_to_be_so(root: Path) -> None:
    write(root, {f"{'d/' * tree_files.DEEPEST}note.md": "x", f"{'d/' * 300}note.md": "x"})
    assert f"{'d/' * tree_files.DEEPEST}note.md" in texts(root)
    assert len(unread(root)) == 1 and "directories deep" in next(iter(unread(root).values()))


def test_a_root_that_is_gone_or_no_directory(root: Path) -> None:
    assert read_files(root / "gone", ()) == Reading({}, (), ())
    assert "is not a directory" in unread(root / "MEMORY.md")["."]


# -- reading again


class Counted:
    """How often a file was read."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.number = 0
        read = os.read

        def counted(fd: int, size: int) -> bytes:
            self.number += 1
            return read(fd, size)

        monkeypatch.setattr(os, "read", counted)


@pytest.fixture
def aged(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The tree as if it had been written a while ago."""
    now = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: now() + 10**9)
    return root


def test_what_did_not_change_is_not_read_again(aged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = read_files(aged, SCOPES)
    reads = Counted(monkeypatch)
    again = read_files(aged, SCOPES, first)
    assert again == first and reads.number == 0
    assert all(again.files[path] is read for path, read in first.files.items())


@pytest.mark.parametrize("how", ["written", "replaced", "dated back"])
def test_what_changed_is_read_again(aged: Path, how: str) -> None:
    first = read_files(aged, SCOPES)
    place, new = aged / "yard/rope.md", aged / "yard/.new"
    times = place.stat()
    if how == "replaced":
        new.write_text("line")
        new.rename(place)
    else:
        place.write_text("line")
    if how == "dated back":
        os.utime(place, ns=(times.st_atime_ns, times.st_mtime_ns))
    again = read_files(aged, SCOPES, first)
    assert again.files["yard/rope.md"].text == "line"
    assert again.files["MEMORY.md"] is first.files["MEMORY.md"]


def test_a_file_that_has_just_changed_can_change_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = read_files(root, SCOPES)
    reads = Counted(monkeypatch)
    read_files(root, SCOPES, first)
    assert reads.number == 3


def test_what_went_is_forgotten(aged: Path) -> None:
    first = read_files(aged, SCOPES)
    (aged / "yard/rope.md").unlink()
    (aged / "quota.lock").unlink()
    (aged / "quota.lock").symlink_to("MEMORY.md")
    again = read_files(aged, SCOPES, first)
    assert set(again.files) == {"MEMORY.md"} and [u.path for u in again.unread] == ["quota.lock"]


# -- under writers


def during_read(monkeypatch: pytest.MonkeyPatch, do: Callable[[], None], times: int = 1) -> None:
    """Do something after a file was read and before it is looked at again, that many times."""
    read, left = os.read, [times]

    def meanwhile(fd: int, size: int) -> bytes:
        data = read(fd, size)
        if left[0]:
            left[0] -= 1
            do()
        return data

    monkeypatch.setattr(os, "read", meanwhile)


def test_a_file_that_changes_while_it_is_read_is_read_anew(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    during_read(monkeypatch, lambda: (root / "MEMORY.md").write_text("longer than it was"))
    assert texts(root)["MEMORY.md"] == "longer than it was"


def test_a_file_that_does_not_stop_to_change_is_named(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def more() -> None:
        with open(root / "MEMORY.md", "a") as file:
            file.write("x")

    during_read(monkeypatch, more, times=100)
    assert "keeps changing" in unread(root)["MEMORY.md"]


def test_a_directory_swapped_for_a_link_leads_nowhere(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = root.parent / "secret"
    write(secret, {"key.md": "secret"})

    def swap() -> None:
        (root / "yard").rename(root.parent / "was")
        (root / "yard").symlink_to(secret)

    during_read(monkeypatch, swap)
    reading = read_files(root, SCOPES)
    assert "secret" not in {read.text for read in reading.files.values()}
