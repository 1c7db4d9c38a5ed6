"""A whole pass applied by a real process that is killed before each file operation: no entry is lost."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from os_calls import before_each_call
from scopes import GATE_NOTE, NOTE, looked_over, survey

from floppy_tui.store.live import Store
from floppy_tui.tiers.decisions import Do, Move, decide
from floppy_tui.tiers.stow import accept, plan

TODAY = date(2026, 10, 1)
HINGE = (
    "When the gate barrier sticks in the rain, lift it by hand at the hinge and wait until the motor stops "
    "humming: a second try without the wait burns the fuse of the whole quay."
)
POINTER = "<!-- memory tiers: see the stow skill -->\n"
FILES = {
    "data/captain.md": "# Captain\n\n- Call twice, then write.\n",
    "data/learnings.md": "# Learnings\n"
    + POINTER
    + "\n- The lamp is lit at six. <!--a:2026-08-01-->\n- The gate sticks in frost. <!--a:2026-09-20-->\n"
    "- The old rota hangs in the shed. <!--g-->\n- A plain note.\n"
    f"- {HINGE} <!--a:2026-09-28-->\n",
    NOTE: GATE_NOTE,
    "data/memory-archive.md": "# Memory archive\n",
    "config/startup-memory-budget": "90\n",
    "config/stow-pass-horizon": "",
}
FACTS = ("Call twice", "The lamp", "The gate", "The old rota", "A plain note", HINGE)


def lay(root: Path) -> Store:
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (root / "state").mkdir()
    return Store.open(root, env={}, cwd=root, today=lambda: TODAY)


def held(root: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in sorted((root / "data").rglob("*.md"))}


def test_a_kill_at_any_file_operation_of_a_pass_loses_no_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = lay(tmp_path / "whole")
    before = held(tmp_path / "whole")
    snapshot = looked_over(whole.read(), seen=survey({NOTE: GATE_NOTE}))
    hinge = next(e for e in snapshot.entries if e.prose == HINGE)
    move = decide(snapshot, Do.OFFLOAD, hinge, move=Move("when the gate sticks", NOTE))
    decisions = accept(snapshot, (move,), ("headers", "grace", "stale", "legacy"))
    # Counting real tokens reads no memory and takes a second a start.
    monkeypatch.setattr(Store, "measure", lambda self, snapshot: None)
    whole.apply(plan(snapshot, decisions))
    after = held(tmp_path / "whole")
    assert before != after
    assert HINGE.encode() in after["gate.md"] and HINGE.encode() not in after["learnings.md"]
    number = 0
    standings = set()
    while True:
        root = tmp_path / f"home{number}"
        store = lay(root)
        seen = replace(store.read(), scope=snapshot.scope)
        planned = plan(seen, [d.with_(snapshot="") for d in decisions])
        child = os.fork()
        if child == 0:

            def hook(at: int, name: str, arguments: tuple[Any, ...]) -> None:
                if at == number:  # noqa: B023
                    os.kill(os.getpid(), signal.SIGKILL)

            try:
                with before_each_call(hook):
                    store.apply(planned)
                os._exit(0)
            finally:
                os._exit(1)
        _, status = os.waitpid(child, 0)
        everything = b"".join(held(root).values()).decode()
        assert [fact for fact in FACTS if fact not in everything] == [], number
        store.recover()
        now = held(root)
        assert now in (before, after), number
        standings.add("before" if now == before else "after")
        if not os.WIFSIGNALED(status):
            assert os.WEXITSTATUS(status) == 0
            break
        number += 1
    assert number > 60
    assert now == after
    assert standings == {"before", "after"}
    assert store.receipts()
