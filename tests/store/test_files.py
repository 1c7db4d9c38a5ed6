"""Reading what others write: nothing followed, nothing waited for, each refusal with its name."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from floppy_tui.store import files
from floppy_tui.store.files import Directory, Refusal, below, read_below, read_regular, shown


def link(path: Path) -> None:
    path.with_name("real.md").write_bytes(b"real")
    path.symlink_to("real.md")


def dangling(path: Path) -> None:
    path.symlink_to("nowhere.md")


def listen(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (link, "symlink"),
        (dangling, "symlink"),
        (Path.mkdir, "directory"),
        (os.mkfifo, "fifo"),
        (listen, "not-regular"),
        (lambda path: path.write_bytes(b"12345678901"), "too-large"),
    ],
)
def test_what_is_no_small_regular_file_is_refused(
    make: Callable[[Path], object], what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # the address of a socket is short
    make(Path("captain.md"))
    path = tmp_path / "captain.md"
    with pytest.raises(Refusal) as caught:
        read_regular(path, limit=10)
    assert (caught.value.what, caught.value.path) == (what, path)
    assert str(caught.value).startswith(f"{path} is ")
    assert "\n" not in str(caught.value)


def test_a_device_is_not_opened() -> None:
    with pytest.raises(Refusal) as caught:
        read_regular(Path("/dev/zero"))
    assert caught.value.what == "not-regular"


def test_bytes_come_as_they_are(tmp_path: Path) -> None:
    data = bytes(range(256)) * 9000
    (tmp_path / "a.md").write_bytes(data)
    assert read_regular(tmp_path / "a.md") == data
    assert read_regular(tmp_path / "b.md") is None
    assert read_regular(tmp_path / "c" / "b.md") is None


def test_a_file_where_a_directory_belongs_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").write_bytes(b"")
    with pytest.raises(Refusal) as caught:
        read_regular(tmp_path / "data" / "captain.md")
    assert (caught.value.what, caught.value.path) == ("not-a-directory", tmp_path / "data")


@pytest.mark.parametrize(
    ("code", "what"),
    [(errno.EACCES, "unreadable"), (errno.EIO, "io-error"), (errno.ELOOP, "symlink"), (errno.ENOENT, None)],
)
def test_what_the_system_says_is_said(
    code: int, what: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.md").write_bytes(b"text")

    def failing(*_: Any, **__: Any) -> int:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "open", failing)
    if what is None:
        assert read_regular(tmp_path / "a.md") is None
        return
    with pytest.raises(Refusal) as caught:
        read_regular(tmp_path / "a.md")
    assert caught.value.what == what


@pytest.mark.parametrize(("times", "read"), [(1, b"text!"), (99, None)])
def test_a_file_that_changes_while_it_is_read_is_read_again(
    times: int, read: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"text")
    pread, left = os.pread, [times]

    def meddling(fd: int, size: int, at: int) -> bytes:
        data = pread(fd, size, at)
        if at == 0 and left[0]:
            left[0] -= 1
            with path.open("ab") as file:
                file.write(b"!")
        return data

    monkeypatch.setattr(os, "pread", meddling)
    if read is None:
        with pytest.raises(Refusal) as caught:
            read_regular(path)
        assert caught.value.what == "changing"
    else:
        assert read_regular(path) == read


def test_a_path_is_spelled_on_one_line() -> None:
    assert shown(Path("/a\n\x1b[31m\udcff\u202eb")) == "/a\\n\\x1b[31m\\udcff\\u202eb"


@pytest.mark.parametrize("path", ["data/a.md", "/elsewhere/a.md", "/home/../a.md", "/home"])
def test_what_lies_outside_is_refused(path: str) -> None:
    with pytest.raises(Refusal) as caught:
        below(Path(path), [Path("/home")])
    assert caught.value.what == "outside"


def test_the_nearest_root_counts() -> None:
    roots = [Path("/home"), Path("/home/data")]
    assert below(Path("/home/data/x/a.md"), roots) == (Path("/home/data"), ("x", "a.md"))


def test_no_directory_on_the_way_may_be_a_link(tmp_path: Path) -> None:
    root = tmp_path.resolve()
    (root / "real").mkdir()
    (root / "real" / "a.md").write_bytes(b"text")
    (root / "way").symlink_to("real")
    assert read_below(root / "real" / "a.md", [root]) == b"text"
    assert read_below(root / "none" / "a.md", [root]) is None
    for path, roots in ((root / "way" / "a.md", [root]), (root / "way" / "a.md", [root / "way"])):
        with pytest.raises(Refusal) as caught:
            read_below(path, roots)
        assert (caught.value.what, caught.value.path) == ("symlink", root / "way")


def test_a_swapped_directory_leads_nowhere(tmp_path: Path) -> None:
    root = tmp_path.resolve()
    (root / "data").mkdir()
    (root / "trap").mkdir()
    with Directory.open(root, ["data"]) as directory:
        (root / "data").rename(root / "moved")
        (root / "data").symlink_to("trap")
        directory.replace("a.md", b"text")
    assert list((root / "trap").iterdir()) == []
    assert (root / "moved" / "a.md").read_bytes() == b"text"


def test_a_replaced_file_keeps_its_mode_and_a_new_one_is_private(tmp_path: Path) -> None:
    with Directory.open(tmp_path.resolve()) as directory:
        directory.replace("a.md", b"one")
        assert (tmp_path / "a.md").stat().st_mode & 0o777 == 0o600
        (tmp_path / "a.md").chmod(0o644)
        directory.replace("a.md", b"two")
    assert (tmp_path / "a.md").stat().st_mode & 0o777 == 0o644
    assert [path.name for path in tmp_path.iterdir()] == ["a.md"]


@pytest.mark.parametrize("make", [dangling, Path.mkdir, os.mkfifo])
def test_what_is_no_file_is_never_replaced(make: Callable[[Path], object], tmp_path: Path) -> None:
    make(tmp_path / "a.md")
    before = (tmp_path / "a.md").lstat()
    with Directory.open(tmp_path.resolve()) as directory, pytest.raises(Refusal):
        directory.replace("a.md", b"text")
    assert (tmp_path / "a.md").lstat() == before


def test_a_write_that_fails_leaves_no_temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: Any, **__: Any) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with Directory.open(tmp_path.resolve()) as directory:
        for name in ("write", "fsync", "rename"):
            with monkeypatch.context() as patch:
                patch.setattr(os, name, failing)
                with pytest.raises(OSError):
                    directory.replace("a.md", b"text")
            assert list(tmp_path.iterdir()) == []


def test_the_exchange_swaps_two_files(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1")
    (tmp_path / "b").write_bytes(b"2")
    with Directory.open(tmp_path.resolve()) as directory:
        if files.exchange(directory, "a", "b"):
            assert ((tmp_path / "a").read_bytes(), (tmp_path / "b").read_bytes()) == (b"2", b"1")
        with pytest.raises(OSError):
            files.exchange(directory, "a", "missing")
