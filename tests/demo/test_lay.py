"""A sample home is laid out in a new or empty directory, and over nothing."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from floppy_tui.demo import NotEmpty, build, files
from floppy_tui.store.files import Refusal, StoreError


def laid(directory: Path) -> list[Path]:
    """What stands below ``directory``, but for what is git's."""
    return [path for path in directory.rglob("*") if ".git" not in path.relative_to(directory).parts]


def held(directory: Path) -> dict[str, bytes]:
    """The files below ``directory``, but for git's."""
    return {p.relative_to(directory).as_posix(): p.read_bytes() for p in laid(directory) if p.is_file()}


def test_the_home_is_what_the_content_says(tmp_path: Path, today: date) -> None:
    home = build(tmp_path / "deep" / "home", today)
    assert home == tmp_path / "deep" / "home"
    assert held(home) == files(today, tool=False)
    assert list((home / "state").iterdir()) == []
    assert not (home / "config" / "stow-pass-horizon").exists()


def test_it_is_private(tmp_path: Path, today: date) -> None:
    home = build(tmp_path / "home", today)
    modes = {path.stat().st_mode & 0o777 for path in [home, *laid(home)] if path.is_dir()}
    assert modes == {0o700}
    assert {path.stat().st_mode & 0o777 for path in laid(home) if path.is_file()} == {0o600}


def test_an_empty_directory_will_do_and_a_link_to_one(tmp_path: Path, today: date) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert build(tmp_path / "link", today) == tmp_path / "link"
    assert held(tmp_path / "real") == files(today, tool=False)


@pytest.mark.parametrize("name", ["notes.txt", ".hidden", "data/captain.md"])
def test_whatever_is_there_stays_and_is_said_in_a_sentence(tmp_path: Path, today: date, name: str) -> None:
    mine = tmp_path / name
    mine.parent.mkdir(exist_ok=True)
    mine.write_bytes(b"mine")
    with pytest.raises(NotEmpty) as refused:
        build(tmp_path, today)
    assert str(refused.value) == (
        f"{tmp_path} is not empty, and a sample home is never laid over anything; "
        "name a new or an empty directory."
    )
    assert held(tmp_path) == {name: b"mine"}


def test_a_home_laid_out_before_is_not_laid_out_again(tmp_path: Path, today: date) -> None:
    home = build(tmp_path / "home", today)
    (home / "data" / "captain.md").write_bytes(b"edited")
    with pytest.raises(StoreError):
        build(home, today)
    assert (home / "data" / "captain.md").read_bytes() == b"edited"


def test_a_file_in_the_way_is_named(tmp_path: Path, today: date) -> None:
    (tmp_path / "home").write_bytes(b"mine")
    for asked in (tmp_path / "home", tmp_path / "home" / "below"):
        with pytest.raises(Refusal) as refused:
            build(asked, today)
        assert str(tmp_path / "home") in str(refused.value)
    assert held(tmp_path) == {"home": b"mine"}
