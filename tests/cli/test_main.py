"""What every verb shares: help, exit codes, and one sentence for whatever goes wrong."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from floppy_tui.cli import exits
from floppy_tui.cli.main import VERBS

Run = Callable[..., Result]
Complained = Callable[[Result], str]


def test_the_help_names_every_verb_and_exit_code(run: Run) -> None:
    result = run("--help")
    assert result.exit_code == 0
    flowed = " ".join(result.stdout.split())
    for verb, does in VERBS.items():
        assert f"{verb} {does}" in flowed
    for code, meaning in exits.MEANINGS.items():
        assert f"{code} {meaning}" in flowed


ACTS = {
    "archive": ("list", "search", "show", "restore"),
    "queue": ("list", "show", "approve", "reject", "defer", "migrate", "candidates", "propose", "repropose"),
}
"""What the verbs do that do several things."""


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_takes_a_home_and_json(run: Run, verb: str) -> None:
    for words in [(verb,), *((verb, act) for act in ACTS.get(verb, ()))]:
        if words == ("archive",):
            continue
        result = run(*words, "--help")
        assert result.exit_code == 0
        assert "--json" in result.stdout and "--home PATH" in result.stdout


@pytest.mark.parametrize(
    "words",
    [
        ("report", "--frob"),
        ("report", "one", "too", "many"),
        ("archive",),
        ("archive", "burn"),
        ("archive", "show"),
        ("archive", "show", "first"),
        ("queue", "burn"),
        ("queue", "approve"),
        ("queue", "propose", "0123456789ab"),
        ("receipt", "burn"),
        ("entries", "--default", "grace"),
        ("entries", "--default", "aging"),
        ("reprot",),
        ("--home",),
        ("report", "--home", ""),
    ],
    ids=" ".join,
)
def test_a_wrong_word_is_one_sentence(run: Run, complained: Complained, words: tuple[str, ...]) -> None:
    assert complained(run(*words))


def test_a_date_that_is_none_is_one_sentence(
    run: Run, home: Path, complained: Complained, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "learnings.md").touch()
    monkeypatch.setenv("FLOPPY_TODAY", "2026-02-30")
    assert "FLOPPY_TODAY" in complained(run("entries", "--file", home / "learnings.md"))


def test_a_traceback_goes_to_the_log(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch, clean_environment: Path
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("very secret")

    monkeypatch.setattr("floppy_tui.store.accounting.account", broken)
    result = run("report", "--home", home)
    assert (result.exit_code, result.stdout) == (1, "")
    said = result.stderr
    assert said.count("\n") == 1 and "ZeroDivisionError" in said and "Traceback" not in said
    (log,) = clean_environment.rglob("floppy-tui.log")
    assert str(log) in said
    assert "very secret" in log.read_text()
    assert log.stat().st_mode & 0o777 == 0o600


def test_a_closed_pipe_ends_it_quietly(home: Path) -> None:
    program = Path(sys.executable).with_name("floppy-tui")
    (home / "data/learnings.md").write_bytes(b"- An entry.\n" * 20_000)
    command = [program, "entries", "--file", home / "data/learnings.md"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout and running.stderr
        running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == b""
