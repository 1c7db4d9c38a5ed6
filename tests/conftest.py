"""What every test stands on: an environment that says nothing of the machine, and a fixed today."""

from __future__ import annotations

import gc
import os
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from tasks_axi import with_the_tool, without_the_tool

settings.register_profile(
    "modest", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
# A submission is judged by the same examples as the one before it.
settings.register_profile("ci", settings.get_profile("modest"), derandomize=True)
settings.register_profile("deep", settings.get_profile("modest"), max_examples=2000)
settings.load_profile("ci" if os.environ.get("CI") else "modest")

# An app makes many objects and lets go of them at its end: collecting less often saves much of a test's time.
gc.set_threshold(100_000, 50, 50)

# Textual reads these once, when it is imported.
for name in [name for name in os.environ if name.startswith("TEXTUAL") or name == "NO_COLOR"]:
    del os.environ[name]
os.environ["TEXTUAL_ANIMATIONS"] = "none"
os.environ["TEXTUAL_COLOR_SYSTEM"] = "truecolor"

OURS = ("FM_", "FLOPPY_", "GIT_", "XDG_")


@pytest.fixture(autouse=True)
def clean_environment(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty user directory, no home named, git without the machine's settings; returns that directory."""
    for name in [name for name in os.environ if name.startswith(OURS)]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PATH", without_the_tool(os.environ.get("PATH", os.defpath)))
    for name in ("EDITOR", "VISUAL", "TASKS_AXI_FILE", "TASKS_AXI_BACKEND"):
        monkeypatch.delenv(name, raising=False)
    user = tmp_path_factory.mktemp("user")
    monkeypatch.setenv("HOME", str(user))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Captain")
    monkeypatch.setenv("GIT_AUTHOR_EMAIL", "captain@example.org")
    monkeypatch.setenv("GIT_COMMITTER_NAME", "Captain")
    monkeypatch.setenv("GIT_COMMITTER_EMAIL", "captain@example.org")
    return user


@pytest.fixture
def backlog_tool(clean_environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real ``tasks-axi`` on the ``PATH``."""
    monkeypatch.setenv("PATH", with_the_tool(os.environ["PATH"]))


@pytest.fixture
def today() -> date:
    """The day it is in tests that read a clock."""
    return date(2026, 10, 1)
