"""The rules for destinations: which path may take a quoted entry, and the reason for each that may not."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from floppy_tui.offload.skill import read_front
from floppy_tui.text.visible import visible
from floppy_tui.tiers.layout import ARCHIVE, FILES
from floppy_tui.tiers.scope import Place, PlaceKind

SKILLS = ".agents/skills"
SKILL = "SKILL.md"
AGENTS = "AGENTS.md"
LONGEST = 64
"""Characters of a skill's name, as those who list skills take them."""
_SEGMENT = re.compile(r"[A-Za-z0-9._-]+")
_SKILL_FILE = re.compile(r"\.agents/skills/([^/]+)/SKILL\.md")
_PROJECT_SKILL_FILE = re.compile(r"\.(?:agents|claude)/skills/([^/]+)/SKILL\.md")
_SKILL_DIRECTORY = re.compile(r"((?:projects/[^/]+/\.(?:agents|claude)|\.agents)/skills/(?!\.\.?/?$)[^/]+)/?")
_MEMORY = frozenset((*FILES, ARCHIVE))
_KEPT = frozenset(
    (
        "data/backlog.md",
        "data/done-archive.md",
        "data/note-archive.md",
        "data/offload-proposals.md",
        "data/projects.md",
        "data/secondmates.md",
    )
)
_NO_DESTINATION = (
    "is no destination: there are local skills (.agents/skills/<name>/SKILL.md), local notes (data/….md), "
    "and AGENTS.md and the skills of a project below projects/."
)


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
    """The path that ``destination`` means, in normal form where it has one.

    A bare segment is a local skill, and the directory of a skill means its file; a leading ``./`` is
    dropped, and all else is left as it is.
    """
    path = destination.strip(" ")
    while path.startswith("./"):
        path = path[2:]
    if _SEGMENT.fullmatch(path) and path not in (".", "..") and not path.casefold().endswith(".md"):
        return skill_path(path)
    if at := _SKILL_DIRECTORY.fullmatch(path):
        return f"{at[1]}/{SKILL}"
    return path


def skill_path(name: str) -> str:
    """The file of the local skill ``name``."""
    return f"{SKILLS}/{name}/{SKILL}"


def name_problem(name: str) -> str:
    """Why ``name`` is no name for a skill, as a sentence; ``""`` where it is one."""
    shown = visible(name)[:LONGEST]
    if not _SEGMENT.fullmatch(name) or name in (".", ".."):
        return f"“{shown}” is no plain name: use letters, digits, “.”, “_” and “-”, and nothing else."
    if name[0] in ".-":
        return f"“{shown}” begins with “{name[0]}”: begin with a letter, a digit or “_”."
    if len(name) > LONGEST:
        return f"“{shown}…” is longer than {LONGEST} characters: shorten it."
    return ""


def judge(destination: str, survey: Survey) -> Place:
    """What may be put at ``destination``; whatever is refused says why, and nothing is ever raised."""
    path = spelled(destination)
    if why := _path_problem(path):
        return Place(path, _last(path), None, refused=why)
    parts = path.split("/")
    if parts[0] == "projects" and len(parts) > 1:
        place = _project(path, parts, survey)
    elif at := _SKILL_FILE.fullmatch(path):
        place = _skill(path, at[1], survey)
    else:
        place = _note(path, parts, survey)
    if place.kind is None:
        return place
    if why := _unlooked(survey):
        return replace(place, refused=why, live=False)
    return place


def _path_problem(path: str) -> str:
    """Why ``path`` can be no destination whatever stands there, as a sentence."""
    shown = visible(path)[:200]
    folded = path.casefold()
    if not path.strip():
        return "No destination is named: type the name of a local skill, or a path below the home."
    if visible(path) != path:
        return f"“{shown}” holds control characters or bytes that are no text."
    if "\\" in path:
        return f"“{shown}” holds a backslash: write the path with “/”."
    if path.startswith(("/", "~")):
        return f"“{shown}” is not below the home: name a path that begins there, such as {SKILLS}/…"
    if folded.startswith("docs/"):
        return "No session reads docs/ on its own: a skill may point there, but nothing moves there alone."
    if any(part in ("", ".", "..") for part in path.split("/")):
        return f"“{shown}” is no plain path: it has “.”, “..” or nothing between two slashes."
    if folded in ("agents.md", "claude.md"):
        return f"{shown} of the home is loaded in every session of the fleet: nothing is won by moving there."
    if folded in _MEMORY:
        return f"{shown} is part of the memory that the entry is to leave."
    if folded in _KEPT:
        return f"{shown} is kept by other tools and holds no knowledge of its own."
    return ""


def _last(path: str) -> str:
    return path.rstrip("/").rsplit("/", 1)[-1]


def _unlooked(survey: Survey) -> str:
    """Why nothing of the home may be given anything, as a sentence."""
    note = visible(survey.note).strip().rstrip(".")
    if not survey.repository:
        return (
            f"The home is in no git repository{f' ({note})' if note else ''}, "
            "so nothing can be shown to be untracked and ignored there."
        )
    return f"Git could not be asked what it tracks: {note}." if note else ""


# -- local skills


def _skill(path: str, name: str, survey: Survey) -> Place:
    if why := name_problem(name):
        return Place(path, name, None, refused=why)
    facts = survey.facts.get(path)
    if facts is not None and facts.exists:
        return _local(path, name, PlaceKind.SKILL, facts, _front_trigger(facts))
    place = Place(
        path,
        name,
        PlaceKind.NEW_SKILL,
        privacy="Private: it stays in this home, untracked, and is kept out of git by its exclude file.",
    )
    for above in (f"{SKILLS}/{name}", SKILLS, ".agents"):
        if (met := survey.facts.get(above)) is not None and met.trouble:
            return replace(place, refused=f"{above} cannot be used: {visible(met.trouble).rstrip('.')}.")
    if why := _taken(survey).get(name.casefold(), ""):
        return replace(place, refused=f"The name {name} is taken: {visible(why)}. Choose another one.")
    return place


def _taken(survey: Survey) -> Mapping[str, str]:
    """Why each name, case folded, cannot be that of a new skill."""
    found = {name.casefold(): why for name, why in survey.taken.items()}
    for path in survey.facts:
        if (at := _SKILL_FILE.fullmatch(path)) and at[1].casefold() not in found:
            found[at[1].casefold()] = f"the skill {at[1]} is there"
    return found


def _note(path: str, parts: list[str], survey: Survey) -> Place:
    name = parts[-1].removesuffix(".md")
    if parts[0] != "data" or len(parts) < 2 or not parts[-1].endswith(".md") or not name:
        return Place(path, _last(path), None, refused=f"{path} {_NO_DESTINATION}")
    if any(part.startswith(".") for part in parts):
        return Place(path, name, None, refused=f"{path} is hidden, and no session reads what is hidden.")
    facts = survey.facts.get(path)
    if facts is None or not facts.exists:
        why = f"{path} is not there: an entry goes into a note that exists, and none is made for it."
        return Place(path, name, PlaceKind.NOTE, refused=why)
    return _local(path, name, PlaceKind.NOTE, facts, _front_trigger(facts) or survey.mentions.get(path, ""))


def _local(path: str, name: str, kind: PlaceKind, facts: Facts, trigger: str) -> Place:
    """A file of this home that is there: allowed only if it is readable, private and has a trigger."""
    trigger = cut(trigger, 200)
    place = Place(path, name, kind, trigger=trigger, text=facts.text)
    if facts.trouble or facts.text is None:
        why = visible(facts.trouble).rstrip(".") or "it is no readable file"
        return replace(place, refused=f"{path} cannot be used: {why}.", text=None)
    if facts.tracked:
        why = f"{path} is tracked in the home's index: whatever goes there is committed and shared."
    elif not facts.ignored:
        why = f"{path} is not ignored by git: it could be committed any time. Ignore it first."
    elif not facts.owned:
        why = f"{path} is not yours alone: others may write it. Mend its owner and mode first."
    elif not trigger:
        why = f"{path} has no established trigger: nothing says when it is read."
    else:
        rule = visible(facts.ignored)
        return replace(place, live=True, privacy=f"Private: local, untracked, and ignored by {rule}.")
    return replace(place, refused=why)


def _front_trigger(facts: Facts) -> str:
    """When a file says that it is read: the description or the trigger of its front matter."""
    try:
        front = read_front(facts.text or "")
    except ValueError:
        return ""
    said = (front.get(key) for key in ("description", "trigger"))
    return next((words for words in said if isinstance(words, str) and words.strip()), "")


# -- projects


def _project(path: str, parts: list[str], survey: Survey) -> Place:
    name, below = parts[1], "/".join(parts[2:])
    skill = _PROJECT_SKILL_FILE.fullmatch(below)
    if below != AGENTS and skill is None:
        why = f"{path} {_NO_DESTINATION}"
        return Place(path, _last(path), None, refused=why)
    if why := name_problem(name) or (name_problem(skill[1]) if skill else ""):
        return Place(path, skill[1] if skill else name, None, refused=why)
    place = Place(
        path,
        skill[1] if skill else name,
        PlaceKind.PROJECT_SKILL if skill else PlaceKind.PROJECT,
        private=False,
        privacy=f"Committed to the project {name}: everyone who can read that project sees it.",
    )
    project = survey.projects.get(name)
    if project is None:
        return replace(place, refused=f"There is no clone projects/{name}.")
    if not project.branch:
        why = visible(project.note).rstrip(".") or "it has no default branch"
        return replace(place, refused=f"The project {name} cannot be looked at: {why}.")
    note = visible(project.note).rstrip(".")
    if skill is None and project.agents is None:
        why = (
            f"The project {name} has no {AGENTS} on {visible(project.branch)}, and none is made for an entry"
        )
        return replace(place, refused=f"{why} ({note})." if note else f"{why}.")
    if skill is None:
        return replace(place, text=project.agents, trigger=f"in every session of the project {name}")
    text = project.skills.get(below)
    if text is None:
        like = next((there for there in project.skills if there.casefold() == below.casefold()), None)
        return replace(place, refused=f"The project {name} has {like} already.") if like else place
    return replace(place, text=text, trigger=cut(_front_trigger(Facts(path, text=text)), 200))


def cut(words: str, most: int) -> str:
    """``words`` on one line, nothing hidden in them, of at most ``most`` characters."""
    line = " ".join(visible(" ".join(words.split())).split())
    return line if len(line) <= most else line[: most - 1].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"
