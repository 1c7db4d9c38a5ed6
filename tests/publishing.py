"""A memory in a real repository, committed as the program does it, and what came of that."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from repositories import commit, git, init, write

from floppy_tui.store.publish import Publisher, Step

MEMORY = ".agent-memory"
SAID = "Remove oven: replaced by east-oven\n\n# kept, though it begins like a comment\n"


def code(root: Path) -> Path:
    """A repository at ``root`` with a memory in it and two files beside it."""
    init(root)
    write(
        root, {f"{MEMORY}/MEMORY.md": "# Index\n", f"{MEMORY}/a.md": "a\n", "main.py": "1\n", "b.py": "1\n"}
    )
    commit(root, ".")
    return root


def publisher(root: Path, *, push: bool = False, timeout: float = 30) -> Publisher:
    """What commits the memory of ``code``."""
    return Publisher(root / MEMORY, push=push, timeout=timeout)


def run(
    made: Publisher,
    paths: list[str],
    message: str = SAID,
    *,
    then: Callable[[Step], object] = lambda step: None,
    stopped: Callable[[], bool] = lambda: False,
) -> tuple[Step, ...]:
    """Commit ``paths``, doing ``then`` after each step; each was told of, and only the last may fail."""
    seen: list[Step] = []

    def tell(step: Step) -> None:
        seen.append(step)
        then(step)

    steps = made.commit(paths, message, tell, stopped)
    assert tuple(seen) == steps
    assert all(step.ok for step in steps[:-1]), steps
    return steps


def held(root: Path, commit: str = "HEAD") -> list[str]:
    """The files that a commit holds."""
    said = git(root, "show", "--format=", "--name-only", "--no-renames", "-z", commit)
    return sorted(name for name in said.split("\0") if name)


def hook(repository: Path, name: str, script: str) -> Path:
    """Let git run ``script``; ``repository`` may be a bare one."""
    inner = repository / ".git"
    path = (inner if inner.is_dir() else repository) / "hooks" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def state(repository: Path) -> tuple[str, str, str]:
    """HEAD, the index, and how the files differ from it, as git tells them."""
    return (
        git(repository, "rev-parse", "HEAD"),
        git(repository, "ls-files", "--stage", "--debug", "-z").replace("\0", "\n"),
        git(repository, "status", "--porcelain=v2", "-uall"),
    )
