"""A home to run verbs on, the program run in this process, and what lies on disk before and after."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from floppy_tui.cli.main import main

Run = Callable[..., Result]
Seen = dict[str, tuple[int, bytes]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, today: date) -> Run:
    """Run the program with these arguments (and ``input``); today is the tests' day."""
    monkeypatch.setenv("FLOPPY_TODAY", today.isoformat())

    def run(*arguments: str | Path, input: bytes | None = None) -> Result:
        return CliRunner().invoke(
            main, [str(a) for a in arguments], input=input, prog_name="floppy-tui", catch_exceptions=False
        )

    return run


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with an allowance of 7500 tokens and nothing in its memory."""
    root = tmp_path / "home"
    for name in ("data", "config", "state"):
        (root / name).mkdir(parents=True)
    (root / "config" / "startup-memory-budget").write_bytes(b"7500\n")
    return root


@pytest.fixture
def seen() -> Callable[[Path], Seen]:
    """What stands below a directory: mode and bytes (of a link its target) by path."""

    def seen(root: Path) -> Seen:
        found: Seen = {}
        for folder, folders, files in os.walk(root):
            for name in (*folders, *files):
                path = Path(folder, name)
                status = path.lstat()
                data = b""
                if path.is_symlink():
                    data = os.fsencode(os.readlink(path))
                elif path.is_file():
                    data = path.read_bytes()
                found[str(path.relative_to(root))] = (status.st_mode, data)
        return found

    return seen


@pytest.fixture
def complained() -> Callable[[Result], str]:
    """The one sentence that a verb said on standard error, exiting 2."""

    def complained(result: Result) -> str:
        assert result.exit_code == 2, result.output
        assert result.stderr.startswith("floppy-tui: ")
        assert result.stderr.count("\n") == 1 and result.stderr.endswith(".\n")
        return result.stderr.removeprefix("floppy-tui: ").rstrip("\n")

    return complained
