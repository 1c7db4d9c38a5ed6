"""The real backlog tool, as ``python tests/check.py tools`` installs it from npm."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

_NODE = shutil.which("node", path=f"{os.environ.get('PATH', '')}{os.pathsep}{Path(sys.executable).parent}")
_PLACE = Path(sys.prefix) / "tasks-axi" / "node_modules" / ".bin"
NAME = "tasks-axi"


def without_the_tool(path: str) -> str:
    """``PATH`` less the directories that hold the tool: what a test has not asked for is not there."""
    places = [place for place in path.split(os.pathsep) if place and not (Path(place) / NAME).exists()]
    return os.pathsep.join(places)


def with_the_tool(path: str) -> str:
    """``PATH`` with the tool and its Node.js in front; a test is skipped without it, in CI it fails."""
    named = os.environ.get("TASKS_AXI", "")
    place = next((p for p in (Path(named), _PLACE) if named or p is _PLACE if (p / NAME).exists()), None)
    if place is None or _NODE is None:
        why = "tasks-axi is not installed; `python tests/check.py tools` installs it"
        if os.environ.get("CI"):
            pytest.fail(why)
        pytest.skip(why)
    return os.pathsep.join((str(place), str(Path(_NODE).parent), path))
