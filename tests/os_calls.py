"""Stand between the store and the system: do something before any one of its file operations."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from floppy_tui.store import target

CALLS = ("open", "write", "pread", "fsync", "fchmod", "link", "rename", "unlink", "mkdir", "rmdir")
"""The functions of ``os`` that the store changes files with, or learns what they hold."""

Hook = Callable[[int, str, tuple[Any, ...]], None]
"""Given the number of the call (from 0), its name and its arguments."""


@contextmanager
def before_each_call(hook: Hook) -> Iterator[None]:
    """Call ``hook`` before each file operation; what it does itself is not seen by it."""
    count = 0
    inside = False

    def wrapped(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            nonlocal count, inside
            if not inside:
                number, count, inside = count, count + 1, True
                try:
                    hook(number, name, args)
                finally:
                    inside = False
            return call(*args, **kwargs)

        return wrapper

    with pytest.MonkeyPatch.context() as patch:
        for name in CALLS:
            patch.setattr(os, name, wrapped(name, getattr(os, name)))
        patch.setattr(target, "exchange", wrapped("exchange", target.exchange))
        yield


CHANGING = ("write", "link", "rename", "unlink", "mkdir", "rmdir", "exchange")
"""Those of them that change something themselves."""


def changing(hook: Hook) -> Hook:
    """``hook`` for the operations alone that change something, numbered among themselves.

    A kill before any other one leaves what a kill before the next of these does.
    """
    count = 0

    def only(number: int, name: str, args: tuple[Any, ...]) -> None:
        nonlocal count
        if name in CHANGING or (name == "open" and args[1] & os.O_CREAT):
            count += 1
            hook(count - 1, name, args)

    return only


def killed(deed: Callable[[], object], at: int, only: Callable[[Hook], Hook] = lambda hook: hook) -> bool:
    """Do ``deed`` in a process that is killed before its file operation ``at``; whether it came to that.

    ``only`` says which are counted, such as ``changing``.
    """
    child = os.fork()
    if child == 0:
        try:

            def hook(number: int, name: str, args: tuple[Any, ...]) -> None:
                if number == at:
                    os.kill(os.getpid(), signal.SIGKILL)

            with before_each_call(only(hook)):
                deed()
            os._exit(0)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return True
    assert os.WEXITSTATUS(status) == 0
    return False
