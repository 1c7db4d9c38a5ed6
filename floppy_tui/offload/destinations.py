"""The rules for destinations: which path may take a quoted entry, and the reason for each that may not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from floppy_tui.tiers.scope import Place


@dataclass(frozen=True, slots=True)
class Facts:
    """What the disk and git say of one path below the home."""

    path: str
    """In normal form, such as ``.agents/skills/tides/SKILL.md``."""
    exists: bool = False
    """Whether something is there: for a skill its directory or its file."""
    text: str | None = None
    """Its text where it is a regular, readable file."""
    trouble: str = ""
    """Why it cannot be read or reached, as the end of a sentence, such as ``it is a symlink``."""
    tracked: bool = False
    """Whether the home's git index holds it, or anything below the skill's directory."""
    ignored: str = ""
    """The rule that ignores it, as ``<source>:<line>: <pattern>``; ``""`` where none does."""
    owned: bool = True
    """Whether it is the user's own and nobody else may write it."""


@dataclass(frozen=True, slots=True)
class Project:
    """One clone below ``projects/``."""

    name: str
    branch: str
    """The default branch that was looked at, such as ``origin/main``; ``""`` where there is none."""
    agents: str | None
    """The text of ``AGENTS.md`` on that branch; None where it holds none."""
    skills: Mapping[str, str] = field(default_factory=dict)
    """Path to text of each ``SKILL.md`` of the project's own skills on that branch."""
    release: str = ""
    """The newest version tag."""
    note: str = ""
    """Why it could not be looked at."""


@dataclass(frozen=True)
class Survey:
    """One look at the disk and at git."""

    repository: str
    """The git repository that the home stands in; ``""`` where there is none, and ``note`` says why."""
    facts: Mapping[str, Facts] = field(default_factory=dict)
    """By path: every local note and skill that is there, by its file."""
    taken: Mapping[str, str] = field(default_factory=dict)
    """Names of skills that cannot be made, each with why, such as ``tracked in the home's index``."""
    projects: Mapping[str, Project] = field(default_factory=dict)
    """By name."""
    mentions: Mapping[str, str] = field(default_factory=dict)
    """By path of a note: the line of the memory that names it, which is its established trigger."""
    note: str = ""


def spelled(destination: str) -> str:
    """The path that ``destination`` means: a bare segment is a local skill, a leading ``./`` is dropped."""
    raise NotImplementedError


def judge(destination: str, survey: Survey) -> Place:
    """What may be put at ``destination``; whatever is refused says why, and nothing is ever raised."""
    raise NotImplementedError
