"""The laws between the rooms, seen in fresh processes and in the source.

The import contracts in pyproject.toml read imports as they are written; these tests see what a process
really loads, and what pure code calls without importing anything for it.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import floppy_tui

PACKAGE = Path(floppy_tui.__file__).parent
PURE = ("text", "tiers", "offload", "notes", "handoff")
SCREEN = {"textual", "textual_plotext", "plotext"}
EDGES = {"asyncio", "click", "filelock", "fcntl", "git", "multiprocessing", "platformdirs", "rich", "socket"}
EDGES |= {"shutil", "subprocess", "tempfile", "tiktoken", "watchfiles"}
LATE = {"git", "gitdb", "tiktoken", "tiktoken_ext"}
"""What costs a start too much: loaded by the first act that needs it."""

DOORS = {
    "floppy_tui.cli.open",
    "floppy_tui.store.attended",
    "floppy_tui.store.git",
    "floppy_tui.store.migrate",
    "floppy_tui.store.offloading",
    "floppy_tui.store.projects",
    "floppy_tui.store.publish",
    "floppy_tui.store.pushing",
    "floppy_tui.store.repository",
    "floppy_tui.store.steps",
    "floppy_tui.store.survey",
    "floppy_tui.store.to_owner",
    "floppy_tui.store.to_project",
    "floppy_tui.store.to_skill",
    "floppy_tui.store.tokens",
    "floppy_tui.store.uncommitted",
}
"""Modules that may load the above, or the screen, at once: each is itself imported only when needed."""


def modules(room: str) -> list[str]:
    """The modules of ``room``; none where it does not exist yet."""
    return [
        ".".join(("floppy_tui", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
        for path in sources(room)
    ]


def sources(room: str) -> list[Path]:
    """The source files of ``room``."""
    return sorted((PACKAGE / room).rglob("*.py"))


def loaded_by(code: str, *arguments: str) -> tuple[set[str], subprocess.CompletedProcess[str]]:
    """The top-level modules that a fresh process holds after ``code``, and the process that ran."""
    read, write = os.pipe()
    tell = f"lambda: os.write({write}, ' '.join(sys.modules).encode())"
    with open(read, encoding="utf-8") as told:
        try:
            done = subprocess.run(
                [
                    sys.executable,
                    "-c",
                    f"import atexit, os, sys\natexit.register({tell})\n{code}",
                    *arguments,
                ],
                pass_fds=(write,),
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
        finally:
            os.close(write)
        return {name.split(".")[0] for name in told.read().split(" ")}, done


def loaded_by_importing(room: str) -> set[str]:
    """What importing every module of ``room`` loads; skips where the room does not exist yet."""
    names = [name for name in modules(room) if name not in DOORS]
    if not names:
        pytest.skip(f"no {room} yet")
    loaded, done = loaded_by(
        "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(name)", *names
    )
    assert done.returncode == 0, done.stderr
    return loaded


@pytest.mark.parametrize("room", PURE)
def test_a_pure_room_loads_no_edge(room: str) -> None:
    assert sorted(loaded_by_importing(room) & (EDGES | SCREEN)) == []


@pytest.mark.parametrize("room", ["store", "demo", "cli"])
def test_a_room_beneath_the_screen_loads_no_textual(room: str) -> None:
    assert sorted(loaded_by_importing(room) & (SCREEN | LATE)) == []


def test_the_screen_loads_no_tokenizer_and_no_git() -> None:
    assert sorted(loaded_by_importing("tui") & LATE) == []


HEADLESS = [
    ("demo", "{dir}", "--no-open"),
    ("report", "--home", "{home}"),
    ("lint", "{tree}"),
    ("lint", "--rules"),
    ("undo", "--list", "--home", "{home}"),
    ("entries", "--home", "{home}", "--json"),
    ("archive", "list", "--home", "{home}"),
    ("archive", "search", "gate", "--home", "{home}"),
    ("stow", "--headless", "--dry-run", "--home", "{home}"),
    ("queue", "--home", "{home}"),
    ("queue", "candidates", "--home", "{home}"),
    ("receipt", "--home", "{home}"),
    ("config",),
    ("--help",),
]


@pytest.mark.parametrize("verb", HEADLESS, ids=" ".join)
def test_a_headless_verb_loads_no_textual(verb: tuple[str, ...], tmp_path: Path) -> None:
    if not verb[0].startswith("-") and not (PACKAGE / "cli" / f"{verb[0]}.py").exists():
        pytest.skip(f"{verb[0]} is still to come")
    home = tmp_path / "home"
    (home / "data").mkdir(parents=True)
    (home / "config").mkdir()
    (home / "config" / "startup-memory-budget").write_bytes(b"7500\n")
    (home / "data" / "learnings.md").write_bytes(b"# Learnings\n\n- The gate sticks. <!--P-->\n")
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "MEMORY.md").write_bytes(b"# Memory\n")
    arguments = [part.format(home=home, dir=tmp_path / "demo", tree=tree) for part in verb]
    loaded, done = loaded_by("from floppy_tui.cli.main import main; main()", *arguments)
    for failure in ("Traceback", "Usage:", "No such", "unforeseen"):
        assert failure not in done.stderr, done.stderr
    assert sorted(loaded & SCREEN) == []
    if verb[0] in ("report", "config", "--help"):
        assert sorted(loaded & (LATE | {"rich", "watchfiles", "asyncio"})) == []


FORBIDDEN_NAMES = {"open", "input", "print", "exec", "eval", "compile", "__import__", "breakpoint"}
CLOCKS = {"now", "today", "utcnow", "localtime", "perf_counter", "monotonic"}
PATH_ACTS = {"read_text", "read_bytes", "write_text", "write_bytes", "iterdir", "rglob", "is_file", "is_dir"}
PATH_ACTS |= {
    "exists",
    "stat",
    "lstat",
    "mkdir",
    "unlink",
    "rmdir",
    "touch",
    "symlink_to",
    "expanduser",
    "cwd",
}


def calls(path: Path) -> Iterator[tuple[int, str]]:
    """Line and name of every call in a source file, and the plain names used as values."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield node.lineno, f".{node.func.attr}"
        elif isinstance(node, ast.Name):
            yield node.lineno, node.id


def found_in(rooms: tuple[str, ...], names: set[str]) -> list[str]:
    """Where any of ``names`` (``.name`` for a method called) stands in the sources of ``rooms``."""
    return [
        f"{path.relative_to(PACKAGE)}:{line}: {name.lstrip('.')}"
        for room in rooms
        for path in sources(room)
        for line, name in calls(path)
        if name in names
    ]


def test_pure_source_opens_nothing_and_reads_no_clock() -> None:
    forbidden = (
        FORBIDDEN_NAMES | {f".{name}" for name in CLOCKS | PATH_ACTS} | {"Path", "os", "time", "random"}
    )
    assert found_in(PURE, forbidden) == []


def test_the_screen_opens_no_file() -> None:
    forbidden = {"open", ".read_text", ".read_bytes", ".write_text", ".write_bytes", ".unlink", ".mkdir"}
    assert found_in(("tui",), forbidden) == []
