"""``report``: its lines to the byte, every exception by its name, and finding the home."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from spoiled_homes import BAD_ALLOWANCES, BAD_FILES, allowance

from floppy_tui.store.accounting import OVERRIDES

Run = Callable[..., Result]
Complained = Callable[[Result], str]

WITHIN = b"""estimator=ceil(UTF-8 bytes / 3) conservative-local-estimate
role=primary
effective_budget_tokens=7500
file=data/captain.md bytes=935 estimated_tokens=312 status=present
file=data/captain-shared.md bytes=0 estimated_tokens=0 status=absent
file=data/learnings.md bytes=12687 estimated_tokens=4229 status=present
total_estimated_tokens=4541
budget_status=within-budget
"""


def test_the_lines_are_the_fleets_own(run: Run, home: Path) -> None:
    (home / "data/captain.md").write_bytes(b"c" * 935)
    (home / "data/learnings.md").write_bytes(b"\xff" * 12687)
    result = run("report", "--home", home)
    assert (result.stdout_bytes, result.stderr, result.exit_code) == (WITHIN, "", 0)


def test_as_one_object(run: Run, home: Path) -> None:
    (home / "data/learnings.md").write_bytes(b"c" * 4)
    result = run("report", "--home", home, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout_bytes) == {
        "estimator": "ceil(UTF-8 bytes / 3) conservative-local-estimate",
        "role": "primary",
        "effective_budget_tokens": 7500,
        "files": [
            {"file": "data/captain.md", "bytes": 0, "estimated_tokens": 0, "status": "absent"},
            {"file": "data/captain-shared.md", "bytes": 0, "estimated_tokens": 0, "status": "absent"},
            {"file": "data/learnings.md", "bytes": 4, "estimated_tokens": 2, "status": "present"},
        ],
        "total_estimated_tokens": 2,
        "budget_status": "within-budget",
        "exceptions": [],
    }


def test_each_file_is_rounded_up_for_itself(run: Run, home: Path) -> None:
    for name in ("captain", "captain-shared", "learnings"):
        (home / f"data/{name}.md").write_bytes(b"abcd")
    allowance(home).write_bytes(b"6\n")
    result = run("report", "--home", home, "--enforce")
    assert "total_estimated_tokens=6\nbudget_status=within-budget\n" in result.stdout
    assert result.exit_code == 0


def test_over_budget_fails_only_where_enforced(run: Run, home: Path) -> None:
    (home / "data/captain.md").write_bytes(b"abcd")
    allowance(home).write_bytes(b"1\n")
    assert run("report", "--home", home).exit_code == 0
    result = run("report", "--home", home, "--enforce")
    assert result.stdout.endswith("total_estimated_tokens=2\nbudget_status=over-budget\n")
    assert (result.exit_code, result.stderr) == (3, "")


def test_an_allowance_of_any_length_compares(run: Run, home: Path) -> None:
    digits = b"9" * 5000
    allowance(home).write_bytes(digits + b"\n")
    result = run("report", "--home", home, "--enforce")
    assert b"effective_budget_tokens=" + digits in result.stdout_bytes
    assert (result.exit_code, result.stdout.endswith("within-budget\n")) == (0, True)
    value = json.loads(run("report", "--home", home, "--json").stdout_bytes)["effective_budget_tokens"]
    assert value == digits.decode()


def test_a_dangling_mark_makes_a_secondmate(run: Run, home: Path) -> None:
    (home / ".fm-secondmate-home").symlink_to("nowhere")
    (home / "data/captain-shared.md").write_bytes(b"x" * 10)
    allowance(home).write_bytes(b"3\n")
    result = run("report", "--home", home)
    assert "\nrole=secondmate\n" in result.stdout
    assert result.stdout.endswith(
        "budget_status=over-budget\nexception=primary-owned-shared-file-alone-exceeds-budget\n"
    )
    assert (result.exit_code, result.stderr) == (0, "")


def test_a_primary_knows_no_such_exception(run: Run, home: Path) -> None:
    (home / "data/captain-shared.md").write_bytes(b"x" * 10)
    allowance(home).write_bytes(b"3\n")
    assert "exception" not in run("report", "--home", home).stdout


@pytest.mark.parametrize("name", BAD_ALLOWANCES)
def test_a_bad_allowance_is_named_and_nothing_assumed(
    run: Run, home: Path, seen: Callable[[Path], object], complained: Complained, name: str
) -> None:
    spoil, exception = BAD_ALLOWANCES[name]
    (home / "data/captain.md").write_bytes(b"abc")
    spoil(home)
    before = seen(home)
    result = run("report", "--home", home)
    assert "config" in complained(result)
    assert result.stdout.splitlines()[2:] == [
        "effective_budget_tokens=unknown",
        "file=data/captain.md bytes=3 estimated_tokens=1 status=present",
        "file=data/captain-shared.md bytes=0 estimated_tokens=0 status=absent",
        "file=data/learnings.md bytes=0 estimated_tokens=0 status=absent",
        "total_estimated_tokens=1",
        "budget_status=unknown",
        f"exception={exception}",
    ]
    value = json.loads(run("report", "--home", home, "--json", "--enforce").stdout_bytes)
    assert (value["effective_budget_tokens"], value["budget_status"]) == (None, "unknown")
    assert [e["exception"] for e in value["exceptions"]] == [exception]
    assert seen(home) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_allowance_is_named(run: Run, home: Path, complained: Complained) -> None:
    allowance(home).chmod(0)
    result = run("report", "--home", home)
    assert "permission" in complained(result)
    assert result.stdout.endswith("exception=allowance-unreadable\n")


@pytest.mark.parametrize("name", BAD_FILES)
def test_an_unsafe_memory_file_is_refused_by_name(
    run: Run, home: Path, seen: Callable[[Path], object], complained: Complained, name: str
) -> None:
    spoil, exception = BAD_FILES[name]
    spoil(home / "data/learnings.md")
    before = seen(home)
    result = run("report", "--home", home, "--enforce")
    assert str(home / "data/learnings.md") in complained(result)
    assert "file=data/learnings.md bytes=0 estimated_tokens=0 status=refused\n" in result.stdout
    assert result.stdout.endswith(f"budget_status=unknown\nexception={exception}\n")
    assert seen(home) == before


def test_what_was_read_can_be_over_budget_already(run: Run, home: Path) -> None:
    (home / "data/learnings.md").mkdir()
    (home / "data/captain.md").write_bytes(b"abcd")
    allowance(home).write_bytes(b"1\n")
    result = run("report", "--home", home, "--enforce")
    assert "budget_status=over-budget\n" in result.stdout
    assert result.exit_code == 2


def test_a_data_directory_may_lie_elsewhere(run: Run, home: Path) -> None:
    (home / "data").rename(home / "memory")
    (home / "data").symlink_to("memory")
    (home / "memory/captain.md").write_bytes(b"abc")
    assert "file=data/captain.md bytes=3 " in run("report", "--home", home).stdout


def sized(home: Path, size: int) -> Path:
    """``home`` with a captain file of ``size`` bytes, by which a report is told from others."""
    (home / "data").mkdir(parents=True, exist_ok=True)
    (home / "data/captain.md").write_bytes(b"c" * size)
    return home


def reported(result: Result) -> str:
    """How large the captain file was in a report."""
    return next(line for line in result.stdout.splitlines() if "captain.md" in line).split()[1]


def test_the_nearest_home_around_the_working_directory(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sized(home, 1)
    inner = sized(home / "projects" / "inner", 2)
    (inner / "src" / "data").mkdir(parents=True)
    monkeypatch.chdir(inner / "src" / "data")
    assert reported(run("report")) == "bytes=2"
    monkeypatch.chdir(home / "projects")
    assert reported(run("report")) == "bytes=1"


def test_the_environment_names_a_home_and_a_path_beats_it(
    run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sized(home, 1)
    other = sized(tmp_path / "other", 2)
    elsewhere = sized(tmp_path / "elsewhere", 3)
    monkeypatch.chdir(home)
    monkeypatch.setenv("FM_HOME", str(other))
    assert reported(run("report")) == "bytes=2"
    monkeypatch.setenv(OVERRIDES["data"], str(elsewhere / "data"))
    assert reported(run("report")) == "bytes=3"
    assert reported(run("report", "--home", home)) == "bytes=1"
    assert reported(run("--home", home, "report")) == "bytes=1"
    monkeypatch.delenv("FM_HOME")
    assert reported(run("report")) == "bytes=3"


def test_a_replaced_config_directory_counts(
    run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "settings").mkdir()
    (tmp_path / "settings/startup-memory-budget").write_bytes(b"9\n")
    monkeypatch.setenv("FM_HOME", str(home))
    monkeypatch.setenv(OVERRIDES["config"], str(tmp_path / "settings"))
    assert "\neffective_budget_tokens=9\n" in run("report").stdout
    (tmp_path / "link").symlink_to("settings")
    monkeypatch.setenv(OVERRIDES["config"], str(tmp_path / "link"))
    assert run("report").stdout.endswith("exception=config-directory-symlinked\n")


def test_no_home_is_one_sentence(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, complained: Complained
) -> None:
    monkeypatch.chdir(tmp_path)
    assert str(tmp_path) in complained(run("report"))
    assert "does not exist" in complained(run("report", "--home", tmp_path / "no\nwhere"))
    (tmp_path / "file").touch()
    assert "is not a directory" in complained(run("report", "--home", tmp_path / "file"))
    monkeypatch.setenv("FM_HOME", "nowhere")
    assert "FM_HOME" in complained(run("report"))


def test_in_a_process_of_its_own(home: Path) -> None:
    (home / "data/captain.md").write_bytes(b"c" * 935)
    (home / "data/learnings.md").write_bytes(b"c" * 12687)
    program = Path(sys.executable).with_name("floppy-tui")
    done = subprocess.run(
        [program, "report"],
        cwd=home / "data",
        env={"LC_ALL": "C", "PATH": os.defpath},
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert (done.stdout, done.stderr, done.returncode) == (WITHIN, b"", 0)


def test_a_report_loads_little(home: Path) -> None:
    code = "from floppy_tui.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", code, "report", "--home", home],
        capture_output=True,
        check=True,
        text=True,
        timeout=60,
    )
    loaded = {line.rsplit("|", 1)[-1].strip().split(".")[0] for line in done.stderr.splitlines()}
    assert "floppy_tui" in loaded
    assert not loaded & {"markdown_it", "rapidfuzz", "msgspec", "tiktoken", "git", "json", "platformdirs"}
