"""Git run as the captain would run it: his hooks and credentials work, and nobody is asked anything.

Each command runs in a session of its own, away from the terminal that is the screen of the program, so
that all of it, with its hooks and its network, can be ended together.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic

from git import Git
from git.exc import GitCommandNotFound, GitError

from floppy_tui.store.repository import Answer, composed, fed
from floppy_tui.text.lines import decode

TIMEOUT = 120.0
"""Seconds until git is given up on: hooks and networks take their time."""

_LOOK = 20.0
_TICK = 0.1
_GRACE = 3.0
_GUARDS = (
    *("-c", "core.quotePath=false"),
    *("-c", "color.ui=false"),
    # A rebase may neither put unfinished work away nor move or drop anything that was not asked for.
    *("-c", "rebase.autoStash=false"),
    *("-c", "rebase.updateRefs=false"),
    *("-c", "rebase.forkPoint=false"),
)
_SET = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat",
    "GIT_EDITOR": "true",
    "GIT_SEQUENCE_EDITOR": "true",
    "SSH_ASKPASS_REQUIRE": "force",
    "GPG_TTY": "",
    # GitPython would have everything in plain ASCII, the captain's hooks as well.
    "LANGUAGE": "C",
}


def never() -> bool:
    """Nobody asks to stop."""
    return False


class Attended:
    """Git in ``root``, for as long as ``timeout`` seconds each time."""

    def __init__(self, root: Path, *, timeout: float = TIMEOUT) -> None:
        self.root = root
        self.timeout = timeout
        self._git = Git(root)

    def look(self, *words: str, given: str = "", env: Mapping[str, str] | None = None) -> Answer:
        """Ask git something that changes nothing, not even what it remembers of the files' times."""
        looking = {"GIT_OPTIONAL_LOCKS": "0", **(env or {})}
        return self._run(words, given, looking, min(self.timeout, _LOOK), never)

    def do(self, *words: str, given: str = "", stopped: Callable[[], bool] = never) -> Answer:
        """Run ``git -C <root> <words>`` with ``given`` on its standard input; raises nothing.

        ``stopped`` is asked while it runs. Where it was stopped, took too long or could not be run, the
        status is not 0 and ``err`` ends with why.
        """
        return self._run(words, given, {}, self.timeout, stopped)

    def _run(
        self,
        words: tuple[str, ...],
        given: str,
        more: Mapping[str, str],
        timeout: float,
        stopped: Callable[[], bool],
    ) -> Answer:
        env = {
            **_SET,
            "LC_ALL": os.environ.get("LC_ALL", ""),
            "SSH_ASKPASS": os.environ.get("SSH_ASKPASS") or "false",
            **more,
        }
        shown, command = composed(self.root, words, guards=_GUARDS, env=env)
        try:
            with fed(given) as feed:
                started = self._git.execute(
                    command, istream=feed, as_process=True, env=env, start_new_session=True
                )
                process: subprocess.Popen[bytes] | None = started.proc
                assert process is not None
                with process:
                    out, err, why = _followed(process, timeout, stopped)
        except GitCommandNotFound:
            return Answer(shown, 127, "", "git is not on the PATH; install it")
        except (GitError, OSError, ValueError) as error:
            return Answer(shown, 126, "", f"git could not be run ({error})")
        said = decode(err).removesuffix("\n")
        if why:
            return Answer(shown, process.returncode or 124, decode(out), f"{said}\n{why}".strip())
        return Answer(shown, process.returncode, decode(out), said)


def _followed(
    process: subprocess.Popen[bytes], timeout: float, stopped: Callable[[], bool]
) -> tuple[bytes, bytes, str]:
    """What ``process`` says until it ends, and why it was ended where it did not do so by itself."""
    until = monotonic() + timeout
    ended, why = 0.0, ""
    try:
        while True:
            try:
                return *process.communicate(timeout=_TICK), why
            except subprocess.TimeoutExpired as so_far:
                now = monotonic()
                if process.poll() is not None:
                    # Somebody whom it left behind, such as a shared connection, holds its output open.
                    ended = ended or now
                    if why or now - ended > _TICK * 5:
                        return so_far.output or b"", so_far.stderr or b"", why
                elif why:
                    if now > until + _GRACE:
                        _signal(process, signal.SIGKILL)
                elif stopped():
                    why, until = "It was stopped as asked.", now
                    _signal(process, signal.SIGTERM)
                elif now > until:
                    why = f"git gave no answer within {timeout:g} seconds."
                    _signal(process, signal.SIGTERM)
    finally:
        if why or process.poll() is None:
            _signal(process, signal.SIGKILL)


def _signal(process: subprocess.Popen[bytes], what: signal.Signals) -> None:
    """To it and to all that it started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, what)
