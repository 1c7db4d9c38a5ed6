"""A project's clone as git knows it: its default branch and what an agent reads there. Nothing is fetched."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from floppy_tui.offload.destinations import Project
from floppy_tui.store.repository import Repository
from floppy_tui.text.lines import decode, encode

AGENTS = "AGENTS.md"
LARGEST = 1 << 18
"""The largest file of a project that is looked into, in bytes."""
MOST = 100
"""How many projects, and how many skills of each, are looked at."""

_TIMEOUT = 5.0
_SKILL = re.compile(r"\.(?:agents|claude)/skills/[^/]+/SKILL\.md")
_RELEASE = re.compile(r"(?:(?P<of>.+)[-@/_])?(?:v?(?P<number>[0-9]+(?:\.[0-9]+)+)|v(?P<whole>[0-9]+))")
_MADE = re.compile(
    r"(?P<mode>[0-9]{6}) (?P<type>\w+) (?P<object>[0-9a-f]+) +(?P<size>[0-9-]+)\t(?P<path>.+)", re.S
)


def look_at_projects(directory: Path) -> Mapping[str, Project]:
    """The clones that stand in ``directory``, by name; a link to one is named, not followed."""
    found: dict[str, Project] = {}
    with suppress(OSError), os.scandir(directory) as listing:
        for entry in sorted(listing, key=lambda entry: entry.name)[:MOST]:
            if entry.is_symlink():
                found[entry.name] = _unseen(entry.name, "it is a symbolic link, which is not followed")
            elif entry.is_dir() and os.path.lexists(os.path.join(entry.path, ".git")):
                found[entry.name] = look_at_project(Path(entry.path))
    return found


def look_at_project(clone: Path) -> Project:
    """One clone as its default branch has it; what keeps it from being looked at is its note."""
    name = clone.name
    asked = Repository(clone, timeout=_TIMEOUT)
    top = asked.top()
    if not top.ok:
        return _unseen(name, top.words)
    if os.path.realpath(top.out.removesuffix("\n")) != os.path.realpath(clone):
        return _unseen(name, "it is no clone of its own")
    ref, why = default_branch(asked)
    if not ref:
        return _unseen(name, why, newest_release(asked, name))
    texts, note = _texts(asked, ref)
    agents = texts.pop(AGENTS, None)
    return Project(name, short(ref), agents, texts, newest_release(asked, name), note)


def _unseen(name: str, why: str, release: str = "") -> Project:
    return Project(name, "", None, {}, release, why)


def short(ref: str) -> str:
    """A branch as one says it: ``origin/main`` for ``refs/remotes/origin/main``."""
    return ref.removeprefix("refs/remotes/").removeprefix("refs/heads/")


def default_branch(asked: Repository) -> tuple[str, str]:
    """The full name of the branch that the project lives by, or ``""`` and why there is none.

    What the remote calls its own, else its ``main`` or ``master``; the local one where there is no remote.
    """
    answer = asked.ask("for-each-ref", "--format=%(refname) %(symref)", "refs/remotes", "refs/heads")
    if not answer.ok:
        return "", answer.words
    refs: dict[str, str] = {}
    for line in answer.out.splitlines():
        name, _, aim = line.partition(" ")
        refs[name] = aim
    known = (ref.split("/")[2] for ref in refs if ref.startswith("refs/remotes/"))
    remotes = dict.fromkeys([*asked.ask("remote").out.split(), *known])
    for remote in sorted(remotes, key=lambda remote: remote != "origin"):
        aim = refs.get(f"refs/remotes/{remote}/HEAD", "")
        for ref in (aim, f"refs/remotes/{remote}/main", f"refs/remotes/{remote}/master"):
            if ref in refs:
                return ref, ""
    if remotes:
        return "", "no default branch of its remote is known here; fetch it once"
    head = asked.ask("symbolic-ref", "-q", "HEAD").out.strip()
    for ref in ("refs/heads/main", "refs/heads/master", head):
        if ref in refs:
            return ref, ""
    return "", "it has no commit yet"


def newest_release(asked: Repository, name: str) -> str:
    """The tag of the highest version, such as ``v4.2.0``, ``release-4.2`` or ``<name>@4.2``; ``""`` for none.

    A pre-release counts for none, nor does the tag of another package.
    """
    answer = asked.ask("for-each-ref", "--format=%(refname:strip=2)", "refs/tags")
    versions = []
    for tag in answer.out.splitlines() if answer.ok else ():
        match = _RELEASE.fullmatch(tag)
        if match and match["of"] in (None, "release", name):
            numbers = (match["number"] or match["whole"]).split(".")
            versions.append(([int(number[:18]) for number in numbers], tag))
    return max(versions)[1] if versions else ""


def _texts(asked: Repository, ref: str) -> tuple[dict[str, str], str]:
    """What an agent reads on ``ref``, by path, and what of it could not be read."""
    places = (AGENTS, ".agents/skills", ".claude/skills")
    answer = asked.ask("ls-tree", "-r", "-l", "-z", "--full-tree", ref, "--", *places)
    if not answer.ok:
        return {}, answer.words
    wanted: dict[str, str] = {}
    notes = []
    for line in answer.out.split("\0"):
        made = _MADE.fullmatch(line)
        if made is None or (made["path"] != AGENTS and not _SKILL.fullmatch(made["path"])):
            continue
        if not made["mode"].startswith("100"):
            notes.append(f"{made['path']} is no regular file on {short(ref)}")
        elif made["size"] == "-" or int(made["size"]) > LARGEST:
            notes.append(f"{made['path']} on {short(ref)} is too large to be looked into")
        elif len(wanted) <= MOST:
            wanted[made["path"]] = made["object"]
    if not wanted:
        return {}, "; ".join(notes)
    objects = "".join(f"{name}\n" for name in wanted.values())
    answer = asked.ask("cat-file", "--batch", given=objects)
    if not answer.ok:
        return {}, answer.words
    blobs = _blobs(encode(answer.out))
    texts = {path: blobs[name] for path, name in wanted.items() if name in blobs}
    notes += [f"{path} on {short(ref)} could not be read" for path in wanted if path not in texts]
    return texts, "; ".join(notes)


def _blobs(data: bytes) -> dict[str, str]:
    """The texts that ``git cat-file --batch`` gives, by object name."""
    found = {}
    at = 0
    while (end := data.find(b"\n", at)) >= 0:
        header = data[at:end].split(b" ")
        at = end + 1
        if len(header) == 3 and header[1] == b"blob":
            size = int(header[2])
            found[header[0].decode()] = decode(data[at : at + size])
            at += size + 1
    return found
