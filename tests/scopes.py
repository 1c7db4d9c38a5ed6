"""Places where entries could live instead, as a look at the disk would have found them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from floppy_tui.offload.destinations import Facts, Survey
from floppy_tui.offload.proposal import Proposal
from floppy_tui.offload.scope import HomeScope
from floppy_tui.tiers.snapshot import Snapshot

NOTE = "data/notes/gate.md"
SKILL = ".agents/skills/lamps/SKILL.md"
GATE_NOTE = (
    "---\ndescription: Use when working at the gate or its barrier.\n---\n\n# The gate\n\n- It creaks.\n"
)
LAMP_SKILL = (
    "---\nname: lamps\ndescription: Use when a lamp on the quay is out.\n---\n\n- Oil is in the shed.\n"
)
IGNORED = ".git/info/exclude:7: /.agents/skills/lamps/"


def local(path: str, text: str, **facts: object) -> Facts:
    """A local note or skill that is there, ignored and untracked."""
    return Facts(path=path, exists=True, text=text, ignored=IGNORED, **facts)  # type: ignore[arg-type]


def survey(notes: Mapping[str, str] | None = None, **fields: object) -> Survey:
    """One look at a home in a git repository with these local notes and skills."""
    found = {NOTE: GATE_NOTE, SKILL: LAMP_SKILL} if notes is None else notes
    facts = {path: local(path, text) for path, text in found.items()}
    taken = {path.split("/")[2]: "a directory is there" for path in found if path.startswith(".agents/")}
    whole: dict[str, object] = {
        "repository": "home/.git",
        "facts": facts,
        "taken": taken,
        "projects": {},
        "mentions": {},
    }
    return Survey(**(whole | fields))  # type: ignore[arg-type]


def looked_over(snapshot: Snapshot, *proposals: Proposal, seen: Survey | None = None) -> Snapshot:
    """``snapshot`` with the places of ``seen`` and these proposals under way."""
    return replace(snapshot, scope=HomeScope(seen or survey(), proposals))
