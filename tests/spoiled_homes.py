"""Ways to spoil a home, each with the exception that it is to be named by."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path


def allowance(home: Path) -> Path:
    return home / "config" / "startup-memory-budget"


def config_linked(home: Path) -> None:
    (home / "config").rename(home / "elsewhere")
    (home / "config").symlink_to("elsewhere")


def config_a_file(home: Path) -> None:
    allowance(home).unlink()
    (home / "config").rmdir()
    (home / "config").write_bytes(b"7500\n")


def linked(home: Path) -> None:
    allowance(home).rename(home / "real")
    allowance(home).symlink_to(home / "real")


def a_directory(home: Path) -> None:
    allowance(home).unlink()
    allowance(home).mkdir()


def a_pipe(home: Path) -> None:
    allowance(home).unlink()
    os.mkfifo(allowance(home))


def holding(data: bytes) -> Callable[[Path], None]:
    return lambda home: [allowance(home).write_bytes(data), None][1]


NO_NUMBER = "allowance-not-a-positive-integer"
BAD_ALLOWANCES: dict[str, tuple[Callable[[Path], object], str]] = {
    "config linked": (config_linked, "config-directory-symlinked"),
    "config a file": (config_a_file, "config-not-a-directory"),
    "absent": (lambda home: allowance(home).unlink(), "allowance-absent"),
    "linked": (linked, "allowance-symlinked"),
    "a directory": (a_directory, "allowance-not-regular"),
    "a pipe": (a_pipe, "allowance-not-regular"),
    "hard linked": (lambda home: os.link(allowance(home), home / "other"), "allowance-hardlinked"),
    "zero": (holding(b"0\n"), NO_NUMBER),
    "leading zero": (holding(b"07500\n"), NO_NUMBER),
    "signed": (holding(b"+7500\n"), NO_NUMBER),
    "negative": (holding(b"-1\n"), NO_NUMBER),
    "fraction": (holding(b"7.5\n"), NO_NUMBER),
    "other digits": (holding("٧٥\n".encode()), NO_NUMBER),
    "empty": (holding(b""), NO_NUMBER),
    "blank first": (holding(b" 7500\n"), NO_NUMBER),
    "carriage return": (holding(b"7500\r\n"), NO_NUMBER),
    "no newline": (holding(b"7500"), "allowance-no-newline"),
    "two newlines": (holding(b"7500\n\n"), "allowance-extra-bytes"),
    "more lines": (holding(b"7500\nand\n"), "allowance-extra-bytes"),
}


def memory_linked(path: Path) -> None:
    path.with_name("real").write_bytes(b"secret")
    path.symlink_to("real")


BAD_FILES: dict[str, tuple[Callable[[Path], object], str]] = {
    "linked": (memory_linked, "memory-file-symlink"),
    "dangling": (lambda path: path.symlink_to("nowhere"), "memory-file-symlink"),
    "directory": (lambda path: path.mkdir(), "memory-file-directory"),
    "pipe": (os.mkfifo, "memory-file-fifo"),
}
