"""The backlog, through ``tasks-axi``: run in the home, with list arguments, a time limit and no shell.

What the tool refuses is told in its own words. Private text is written only where git ignores the backlog.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from floppy_tui.offload.spelling import RESERVED
from floppy_tui.store.files import StoreError, read_regular, refusing, shown
from floppy_tui.store.home import Home
from floppy_tui.store.private import check_ignored
from floppy_tui.store.state import open_state
from floppy_tui.text.lines import encode
from floppy_tui.tiers.filing import ID
from floppy_tui.tiers.records import Item

NAME = "tasks-axi"
TIMEOUT = 20.0
"""Seconds until the tool is given up on."""
_TAKEN = ("TASKS_AXI_FILE", "TASKS_AXI_BACKEND")
"""Variables that would point it to another backlog than the home's own."""
_LONGEST = 600
"""Characters of what the tool printed that an error holds."""
_STATES = ("queued", "in_flight", "done")


class TasksFailed(StoreError):
    """A command of the backlog tool that did not do what it was asked."""

    def __init__(self, verb: str, printed: str) -> None:
        super().__init__(verb, printed)
        self.verb = verb
        self.printed = printed
        """What the tool itself printed, or how it ended."""

    def __str__(self) -> str:
        said = " ".join(self.printed.split())
        said = f"{said[:_LONGEST]}…" if len(said) > _LONGEST else said
        return f"{NAME} {self.verb} failed: {said}"


@dataclass(frozen=True, slots=True)
class Shown:
    """One item in full."""

    item: Item
    body: str
    hold_reason: str = ""
    hold_kind: str = ""
    blocked_by: tuple[str, ...] = ()


class Tasks:
    """The backlog of one home."""

    def __init__(self, home: Home, program: str, env: Mapping[str, str], timeout: float) -> None:
        self.home = home
        self.program = program
        self.timeout = timeout
        self._env = {name: value for name, value in env.items() if name not in _TAKEN}
        self._configured = _configured(home)

    @classmethod
    def find(
        cls, home: Home, env: Mapping[str, str] = os.environ, *, timeout: float = TIMEOUT
    ) -> Tasks | None:
        """The tool for ``home``, None where it is not on the ``PATH`` of ``env``."""
        program = shutil.which(NAME, path=env.get("PATH", os.defpath))
        return None if program is None else cls(home, os.path.abspath(program), env, timeout)

    # -- what it works on

    @property
    def backlog(self) -> Path:
        """The backlog file: the one that ``.tasks.toml`` names, else ``data/backlog.md``."""
        path = self._configured.get("path")
        return self.home.data / "backlog.md" if path is None else self.home.root / path

    def check_private(self) -> None:
        """Raise ``StoreError`` unless what is written to the backlog stays out of git."""
        backend = self._configured.get("backend", "markdown")
        if backend != "markdown":
            raise StoreError(
                f".tasks.toml names the backend {backend}, of which nobody here knows who can read it, "
                "so nothing private is filed there; use the markdown backend."
            )
        check_ignored(self.home, self.backlog)

    # -- asking

    def items(self) -> Mapping[str, Item]:
        """Every item that the backlog holds, by its id."""
        found = _toon("list", self._run("list", "--fields=held"))
        rows = found.get("tasks")
        if isinstance(rows, str):
            return {}
        if not isinstance(rows, list):
            raise TasksFailed("list", "it printed no list of tasks")
        items = [_item("list", row) for row in rows]
        return {item.id: item for item in items}

    def show(self, id: str) -> Shown | None:
        """One item in full, None where the backlog holds none of this id."""
        try:
            found = _toon("show", self._run("show", _id(id), "--full"))
        except TasksFailed as error:
            if _code(error.printed) == "NOT_FOUND":
                return None
            raise
        row = found.get("task")
        if not isinstance(row, dict):
            raise TasksFailed("show", "it printed no task")
        blocked = _text(row, "blocked_by")
        return Shown(
            _item("show", row),
            _text(row, "body"),
            _dash(row, "hold_reason"),
            _dash(row, "hold_kind"),
            tuple(part.strip() for part in blocked.split(",") if part.strip() not in ("", "none")),
        )

    # -- writing

    def add(
        self,
        id: str,
        title: str,
        *,
        kind: str = "",
        repo: str = "",
        body: str | None = None,
        blocked_by: Sequence[str] = (),
    ) -> Item:
        """File a queued item; one that is there already stays as it is, and is given back."""
        words = ["add", *([_id(id)] if id else ["--mint"]), f"--title={title}"]
        words += [f"--kind={kind}"] if kind else []
        words += [f"--repo={repo}"] if repo else []
        words += [f"--blocked-by={_id(one)}" for one in blocked_by]
        with self._body(body) as given:
            return self._changed(words + given)

    def hold(self, id: str, reason: str) -> Item:
        """Hold an item for the captain."""
        return self._changed(["hold", _id(id), f"--reason={reason}", "--kind=captain"])

    def update(self, id: str, *, title: str | None = None, body: str | None = None) -> Item:
        """Give an item another title, or another body as a whole."""
        words = ["update", _id(id), *([f"--title={title}"] if title is not None else [])]
        with self._body(body) as given:
            return self._changed(words + given)

    def done(self, id: str) -> Item:
        """Close an item; older closed ones stay where they are."""
        return self._changed(["done", _id(id), "--no-prune"])

    def reopen(self, id: str) -> Item:
        """Put a closed item back into the queue."""
        return self._changed(["reopen", _id(id)])

    def _changed(self, words: Sequence[str]) -> Item:
        self.check_private()
        verb, printed = words[0], self._run(*words, "--json")
        try:
            answer = json.loads(printed)
        except ValueError:
            answer = None
        if not isinstance(answer, dict) or answer.get("ok") is not True:
            raise TasksFailed(verb, printed or "it printed nothing")
        return _item(verb, answer.get("task"))

    @contextmanager
    def _body(self, body: str | None) -> Iterator[list[str]]:
        """The body as a file of our own, which is gone afterwards; nothing without one."""
        if body is None:
            yield []
            return
        if RESERVED in body:
            raise StoreError(
                f"The words “{RESERVED}” can be in no body: {NAME} takes them for its own data and refuses "
                "the whole backlog from then on. Leave them out."
            )
        name = f"body-{os.getpid()}-{os.urandom(4).hex()}.md"
        state = self.home.own_state
        with open_state(state) as directory, refusing(state / name):
            directory.create(name, encode(body))
            try:
                yield [f"--body-file={state / name}"]
            finally:
                directory.remove(name)

    def _run(self, verb: str, *words: str) -> str:
        command = [self.program, verb, *words]
        if "path" not in self._configured:
            named = self.backlog
            with suppress(ValueError):
                named = named.relative_to(self.home.root)
            command.append(f"--file={named}")
        status, printed = _run(command, self.home.root, self._env, self.timeout, verb)
        if status != 0:
            raise TasksFailed(verb, printed.strip() or f"it ended with status {status}")
        return printed


def _run(
    command: Sequence[str], directory: Path, env: Mapping[str, str], timeout: float, verb: str
) -> tuple[int, str]:
    """Run the tool in a session of its own, so that all of it can be ended: its status, what it printed."""
    try:
        process = subprocess.Popen(
            command,
            cwd=directory,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise TasksFailed(verb, f"it could not be run ({error})") from error
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        raise TasksFailed(verb, f"it gave no answer within {timeout:g} seconds and was stopped") from None
    finally:
        if process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    said = out.decode("utf-8", "replace")
    return process.returncode, said if said.strip() else err.decode("utf-8", "replace")


def _configured(home: Home) -> dict[str, str]:
    """``backend`` and ``path`` of the home's ``.tasks.toml``, where it names them."""
    place = home.root / ".tasks.toml"
    data = read_regular(place)
    if data is None:
        return {}
    try:
        read = tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise StoreError(f"{shown(place)} is no TOML ({error}); the backlog is not used.") from error
    table = read.get("markdown")
    path = table.get("path") if isinstance(table, dict) else None
    named = {"backend": read.get("backend"), "path": path}
    return {key: value for key, value in named.items() if isinstance(value, str) and value.strip()}


def _id(id: str) -> str:
    if not ID.fullmatch(id):
        raise StoreError(f"“{id}” is no id of a backlog item: letters, digits, dots, dashes.")
    return id


def _toon(verb: str, printed: str) -> dict[str, Any]:
    from toon_format import decode

    try:
        found = decode(printed)
    except Exception as error:
        # The decoder raises what it likes on text that is none of its format.
        raise TasksFailed(verb, f"what it printed cannot be read ({error})") from error
    if not isinstance(found, dict):
        raise TasksFailed(verb, "what it printed cannot be read")
    return found


def _code(printed: str) -> str:
    with suppress(TasksFailed):
        return str(_toon("show", printed).get("code", ""))
    return ""


def _item(verb: str, row: object) -> Item:
    if not isinstance(row, dict) or _text(row, "id") == "" or _text(row, "state") not in _STATES:
        raise TasksFailed(verb, "it printed a task without an id or a state")
    held = row.get("held")
    return Item(
        id=_text(row, "id"),
        title=_text(row, "title"),
        state=_text(row, "state"),
        held=held is True or held == "yes",
        kind=_dash(row, "kind"),
        repo=_dash(row, "repo"),
    )


def _text(row: Mapping[str, Any], key: str) -> str:
    value = row.get(key)
    return "" if value is None else str(value)


def _dash(row: Mapping[str, Any], key: str) -> str:
    """A field of which the tool prints a dash where there is none."""
    value = _text(row, key)
    return "" if value == "-" else value
