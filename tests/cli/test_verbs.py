"""The small verbs: entries of a home, receipts, the demo, the settings."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]
Complained = Callable[[Result], str]


def test_the_entries_of_a_home_in_file_order(run: Run, home: Path) -> None:
    (home / "data/learnings.md").write_bytes(b"- Twice.\n- New. <!--p:2026-09-30/2-->\n")
    (home / "data/captain.md").write_bytes(b"- Twice.\n")
    (home / "data/captain-shared.md").write_bytes(b"- Shared.\n")
    (home / ".fm-secondmate-home").touch()
    (home / "config/stow-pass-horizon").touch()
    result = run("entries", "--home", home, "--json")
    entries = json.loads(result.stdout_bytes)
    assert [e["file"].rsplit("/")[-1] for e in entries] == [
        "captain.md",
        "captain-shared.md",
        "learnings.md",
        "learnings.md",
    ]
    assert entries[2]["id"] == entries[0]["id"] + "-2"
    assert [e["editable"] for e in entries] == [True, False, True, True]
    assert (entries[3]["stale"], entries[3]["stale_in_days"]) == (True, 6)
    assert "stale 3p" in run("entries", "--home", home).stdout.splitlines()[3]


def test_an_unsafe_file_leaves_the_others_readable(run: Run, home: Path, complained: Complained) -> None:
    (home / "data/captain.md").write_bytes(b"- One.\n")
    (home / "data/learnings.md").symlink_to("captain.md")
    result = run("entries", "--home", home, "--json")
    assert "learnings.md" in complained(result)
    assert len(json.loads(result.stdout_bytes)) == 1


def test_receipts_are_listed_newest_first(run: Run, home: Path, complained: Complained) -> None:
    assert "no receipt yet" in complained(run("receipt", "--home", home))
    assert run("receipt", "list", "--home", home).stdout == ""
    for _ in range(2):
        run("stow", "--headless", "--home", home)
    listed = json.loads(run("receipt", "list", "--home", home, "--json").stdout_bytes)
    assert [r["name"] for r in listed] == ["2026-10-01-2", "2026-10-01"]
    shown = run("receipt", "show", "2026-10-01", "--home", home).stdout
    assert shown == Path(listed[1]["path"]).read_text()
    assert "reset_safe" in json.loads(run("receipt", "--home", home, "--json").stdout_bytes)
    assert "2026-01-01" in complained(run("receipt", "show", "2026-01-01", "--home", home))
    assert complained(run("receipt", "list", "2026-10-01", "--home", home))


def test_the_demo_is_a_home_over_budget(
    run: Run, tmp_path: Path, seen: Callable[[Path], object], complained: Complained
) -> None:
    place = tmp_path / "new" / "demo"
    assert run("demo", place, "--no-open").stdout == f"{place}\n"
    assert run("report", "--home", place, "--enforce").exit_code == 3
    before = seen(place)
    assert "not empty" in complained(run("demo", place, "--no-open"))
    assert "not empty" in complained(run("demo", "--home", place, "--no-open"))
    assert seen(place) == before
    assert complained(run("demo", place, "--home", place, "--no-open"))


def test_the_demo_finds_itself_a_directory(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    root = Path(json.loads(run("demo", "--no-open", "--json").stdout_bytes)["home"])
    assert root.parent == tmp_path and (root / "data/learnings.md").is_file()


def test_config_says_where_everything_is(
    run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, complained: Complained
) -> None:
    monkeypatch.setenv("FLOPPY_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.chdir(tmp_path)
    assert json.loads(run("config", "--json").stdout_bytes)["home"] is None
    (tmp_path / "config.toml").write_bytes(b'theme = "nord"\npolling = true\n[keymap]\n"app.quit" = "x"\n')
    result = run("config", "--home", home)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[:3] == [
        f"config: {tmp_path / 'config.toml'}",
        f"home: {home}",
        f"state: {home / 'state/floppy-tui'}",
    ]
    assert {'theme = "nord"', "polling = true", 'keymap = {"app.quit" = "x"}'} <= set(lines)
    (tmp_path / "config.toml").write_bytes(b"theme = 7\n")
    result = run("config", "--json")
    assert "theme" in complained(result)
    assert json.loads(result.stdout_bytes)["settings"]["theme"] == "textual-dark"
    assert complained(run("config", "--home", tmp_path / "nowhere"))
