"""A home with an act to be done on it, and the ways in which the system does it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from acts import Act, stow_pass

from floppy_tui.store import target


@pytest.fixture
def act(tmp_path: Path) -> Act:
    """The pass, its home laid out."""
    made = stow_pass(tmp_path.resolve() / "home")
    made.lay_out()
    return made


@pytest.fixture
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    """A killed process loses nothing that it wrote, brought down to the disk or not: spare the disk."""
    monkeypatch.setattr(os, "fsync", lambda fd: None)


@pytest.fixture(params=["exchange", "rename"])
def swaps(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """With the system's exchange of two names, and without one."""
    if request.param == "rename":
        monkeypatch.setattr(target, "exchange", lambda *_: False)
    return str(request.param)
