"""One look at the disk and at git for the places where an entry could live instead.

No link is followed, what cannot be read is named, and both the files and the time spent are bounded.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from floppy_tui.offload.destinations import Facts, Survey
from floppy_tui.store.files import Directory, Refusal
from floppy_tui.store.home import Home
from floppy_tui.store.projects import look_at_projects
from floppy_tui.store.repository import Repository
from floppy_tui.text.lines import decode
from floppy_tui.tiers.layout import ARCHIVE, FILES
from floppy_tui.tiers.snapshot import Snapshot

if TYPE_CHECKING:
    from floppy_tui.store.tasks import Tasks

SKILLS = ".agents/skills"
SKILL = "SKILL.md"
LARGEST = 1 << 18
"""The largest note or skill that is looked into, in bytes."""
MOST = 2000
"""How many notes, and how many skills, are looked at."""
DEPTH = 4
"""How many directories below ``data/`` a note may lie in."""

_NO_NOTES = {
    *FILES,
    ARCHIVE,
    "data/backlog.md",
    "data/done-archive.md",
    "data/note-archive.md",
    "data/offload-proposals.md",
    "data/projects.md",
    "data/secondmates.md",
}
OF_ITS_OWN = "it is a repository of its own, which the home's exclude file says nothing to"
_TIMEOUT = 5.0
_TOO_LARGE = "it is larger than {} bytes and is not looked into"


def survey(home: Home, snapshot: Snapshot, *, besides: Collection[str] = ()) -> Survey:
    """Look at the local notes and skills of ``home``, at its index and at its projects; raises nothing.

    ``besides`` are further files below the home that are no notes, such as the backlog.
    """
    asked = Repository(home.root, timeout=_TIMEOUT)
    top = asked.top()
    found = (*_way(home.root), *local_skills(home.root), *_notes(home.data, besides))
    facts = {fact.path: fact for fact in found}
    taken = dict(_taken(home.root))
    note = "" if top.ok else top.words
    if top.ok:
        answer, tracked = asked.tracked(SKILLS)
        if answer.ok:
            taken |= dict.fromkeys(_names(tracked), "tracked in the home's index")
        else:
            note = f"its index could not be read: {answer.words}"
        facts = _with_git(home, asked, facts, tracked)
    return Survey(
        repository=top.out.removesuffix("\n") if top.ok else "",
        facts=facts,
        taken=taken,
        projects=look_at_projects(home.root / "projects"),
        mentions=mentions(snapshot, [path for path in facts if not path.startswith(f"{SKILLS}/")]),
        note=note,
    )


def no_notes(home: Home, tasks: Tasks | None) -> tuple[str, ...]:
    """What ``survey`` is to leave aside: the backlog, wherever the tool keeps it."""
    if tasks is not None and tasks.backlog.is_relative_to(home.data):
        return (f"data/{tasks.backlog.relative_to(home.data)}",)
    return ()


# -- skills


def local_skills(root: Path) -> Iterator[Facts]:
    """Every local skill that is there, by its file, as a session's scan finds it; git is not asked."""
    for name, _ in _listed(root, SKILLS.split("/"))[:MOST]:
        path = f"{SKILLS}/{name}/{SKILL}"
        if fact := look(root, path):
            yield fact


def _way(root: Path) -> Iterator[Facts]:
    """The directories that skills lie in, where one of them cannot be used."""
    way: list[str] = []
    for part in SKILLS.split("/"):
        way.append(part)
        path = "/".join(way)
        try:
            with Directory.open(root, way) as directory:
                inner = directory.status(".git") is not None
        except Refusal as refusal:
            if refusal.what != "vanished":
                yield Facts(path, exists=True, trouble=_trouble(refusal), owned=False)
            return
        if inner:
            yield Facts(path, exists=True, trouble=OF_ITS_OWN)


def _taken(root: Path) -> Iterator[tuple[str, str]]:
    """The names in the skills' directory, each with what is there."""
    for name, is_directory in _listed(root, SKILLS.split("/")):
        yield name, f"a {'directory' if is_directory else 'file or link'} is there"


def _names(tracked: Iterable[str]) -> Iterator[str]:
    """The skills that paths of the index lie in."""
    for path in tracked:
        parts = path.split("/")
        if len(parts) > 2:
            yield parts[2]


# -- notes


def _notes(data: Path, besides: Collection[str]) -> Iterator[Facts]:
    """The local notes below ``data``, each called ``data/…``; nothing hidden, and no memory file."""
    left = MOST
    waiting: list[tuple[str, ...]] = [()]
    for names in waiting:
        for name, is_directory in _listed(data, names):
            path = "/".join(("data", *names, name))
            if name.startswith(".") or path in _NO_NOTES or path in besides:
                continue
            if is_directory:
                if len(names) < DEPTH:
                    waiting.append((*names, name))
            elif name.endswith(".md") and left:
                left -= 1
                if fact := look(data, path, beneath="data"):
                    yield fact


def _listed(root: Path, names: Sequence[str]) -> list[tuple[str, bool]]:
    """The names in a directory, each with whether it is one itself; empty where it cannot be reached."""
    try:
        with Directory.open(root, names) as directory, os.scandir(directory.fd) as listing:
            return sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in listing)
    except (Refusal, OSError):
        return []


# -- one path


def look(root: Path, path: str, *, beneath: str = "") -> Facts | None:
    """What the disk says of ``path``, without git; None where nothing is there.

    ``root`` stands for ``beneath`` in it, which is the home itself where that is empty.
    """
    names = path.removeprefix(f"{beneath}/").split("/") if beneath else path.split("/")
    *above, name = names
    try:
        with Directory.open(root, above) as directory:
            found = directory.status(name)
            if found is None:
                return None
            owned = _owned(found) and _owned(os.fstat(directory.fd))
            data = directory.read(name, limit=LARGEST)
    except Refusal as refusal:
        if refusal.what == "vanished":
            return None
        return Facts(path, exists=True, trouble=_trouble(refusal), owned=False)
    except OSError as error:
        return Facts(path, exists=True, trouble=error.strerror or "it could not be read", owned=False)
    return None if data is None else Facts(path, exists=True, text=decode(data), owned=owned)


def _trouble(refusal: Refusal) -> str:
    """A refusal as the end of a sentence on its path."""
    if refusal.what == "too-large":
        return _TOO_LARGE.format(LARGEST)
    said = str(refusal).removeprefix(f"{refusal.path} ")
    return f"{refusal.path.name} {said}" if said != str(refusal) else said


def _owned(found: os.stat_result) -> bool:
    """Whether a file or directory is the user's own, and nobody else may write it.

    A group that is only the user's own, as many systems make one, may have it.
    """
    others = found.st_mode & stat.S_IWOTH
    group = found.st_mode & stat.S_IWGRP and found.st_gid != os.getegid()
    return found.st_uid == os.geteuid() and not others and not group


# -- git


def _with_git(
    home: Home, asked: Repository, facts: Mapping[str, Facts], tracked: tuple[str, ...]
) -> dict[str, Facts]:
    """``facts`` with what the index and the ignore rules say of each."""
    beside = home.data != home.root / "data"
    notes = Repository(home.data, timeout=_TIMEOUT) if beside else asked
    _, held_notes = notes.tracked("." if beside else "data")
    held = {f"{'data/' if beside else ''}{path}".casefold() for path in held_notes}
    skills = {name.casefold() for name in _names(tracked)}
    found = dict(facts)
    for repository, below, cut in ((asked, f"{SKILLS}/", ""), (notes, "data/", "data/" if beside else "")):
        paths = {
            path.removeprefix(cut): path
            for path, fact in facts.items()
            if path.startswith(below) and not fact.trouble
        }
        rules = repository.ignored(paths)
        for local, path in paths.items():
            skill = path.split("/")[2].casefold() if below == f"{SKILLS}/" else ""
            found[path] = replace(
                facts[path],
                tracked=path.casefold() in held or skill in skills,
                ignored=str(rules.get(local, "")),
            )
    return found


# -- the memory


def mentions(snapshot: Snapshot, paths: Iterable[str]) -> dict[str, str]:
    """The first line of the memory that names each of ``paths``: its established trigger."""
    lines = [line.strip() for entry in snapshot.entries for line in entry.prose.split("\n")]
    found = {}
    for path in paths:
        named = re.compile(rf"(?<![\w./-]){re.escape(path)}(?![\w/-])")
        line = next((line for line in lines if path in line and named.search(line)), None)
        if line is not None:
            found[path] = line
    return found
