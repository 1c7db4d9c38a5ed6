"""The way to a new local skill: ignored by git first, made then, listed, and only then the entry leaves."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from floppy_tui.offload.removing import Removal
from floppy_tui.offload.skill import exclude_line, read_front, skill_problem, with_line, write_skill
from floppy_tui.store.files import Directory, Refusal, StoreError, read_below, refusing, shown
from floppy_tui.store.home import Home
from floppy_tui.store.repository import Answer, Repository
from floppy_tui.store.state import shared_git_dir
from floppy_tui.store.steps import Run, Stopped
from floppy_tui.store.survey import OF_ITS_OWN, SKILL, SKILLS, local_skills
from floppy_tui.store.transaction import Change, Rank
from floppy_tui.text.lines import decode, encode
from floppy_tui.text.visible import visible
from floppy_tui.tiers.decisions import Move
from floppy_tui.tiers.scope import Tested

_PLAIN = re.compile(r"(?!\.\.?$)[A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class Exclusion:
    """The exclude file of the home's repository, and the one line that it gets."""

    path: Path
    line: str
    before: bytes | None
    linked: bool
    """Whether it is the main repository's, which this work tree only shares."""
    answers: tuple[Answer, ...]

    @property
    def after(self) -> bytes:
        """Its bytes with the line; as before where the line is there."""
        return with_line(self.before or b"", self.line)

    @property
    def change(self) -> Change:
        """What is to be written of it."""
        return Change(self.path, self.before, self.after, Rank.RULE)

    @property
    def shared(self) -> str:
        """A sentence where it belongs to more than this work tree."""
        if not self.linked:
            return ""
        return "This is a linked worktree: the exclude file is the main repository's, shared by all of them."


def skill_of(path: str) -> str:
    """The name of the skill whose file is ``path``."""
    return path.split("/")[-2]


def description_of(move: Move) -> str:
    """The one line that a session goes by: the description, or the trigger where there is none."""
    return move.description or move.trigger


def find_exclusion(home: Home, name: str) -> Exclusion:
    """Where and how the skill ``name`` is kept out of git; nothing is written. Raises ``StoreError``."""
    asked = Repository(home.root)
    where, path = asked.exclude_file()
    prefix = asked.prefix()
    for answer in (where, prefix):
        if not answer.ok:
            raise StoreError(f"Git does not say where its exclude file is: {answer.words}")
    shared = shared_git_dir(home.root)
    if shared is None or path != shared / "info" / "exclude":
        raise StoreError(
            f"Git goes by {shown(path)}, which is not the exclude file of the repository around "
            f"{shown(home.root)}, so nothing is written to it."
        )
    try:
        line = exclude_line(prefix.out.removesuffix("\n"), name)
    except ValueError as why:
        raise StoreError(str(why)) from why
    return Exclusion(path, line, read_below(path, [shared]), asked.linked(), (where, prefix))


def index_has(home: Home, name: str) -> tuple[Answer, str]:
    """What the index is asked about a name, and why the name is not free there; ``""`` where it is."""
    answer, tracked = Repository(home.root).tracked(".agents")
    if not answer.ok:
        return answer, f"Git does not say what is tracked: {answer.words}"
    for path in tracked:
        parts = path.casefold().split("/")
        if parts in ([".agents"], SKILLS.split("/")):
            return answer, f"{path} is tracked as a file or link, so nothing can stand below it."
        if parts[:2] == SKILLS.split("/") and parts[2] == name.casefold():
            return answer, f"{path} is tracked in the home's index: a tracked skill is never written."
    return answer, ""


def disk_has(home: Home, name: str) -> str:
    """Why nothing can be made under a name on the disk; ``""`` where it is free, with no link on the way."""
    if not _PLAIN.fullmatch(name) or name.casefold() == ".git":
        return f"“{visible(name)}” is no plain name of letters, digits, dots, dashes and underscores."
    way: list[str] = []
    for part in SKILLS.split("/"):
        way.append(part)
        try:
            with refusing(home.root.joinpath(*way)), Directory.open(home.root, way) as directory:
                there = directory.names()
        except Refusal as refusal:
            return "" if refusal.what == "vanished" else str(refusal)
        if ".git" in there:
            return f"{'/'.join(way)} cannot be used: {OF_ITS_OWN}."
    taken = next((other for other in there if other.casefold() == name.casefold()), None)
    return f"{SKILLS}/{taken} is there already." if taken is not None else ""


def checks(home: Home, name: str) -> tuple[Tested, ...]:
    """What is looked at before anything is written, each with its verdict."""
    _, tracked = index_has(home, name)
    there = disk_has(home, name)
    said = [
        Tested("index", not tracked, tracked or f"No skill “{name}” is in the home's git index."),
        Tested("disk", not there, there or f"Nothing is at {SKILLS}/{name}, and no link is on the way."),
    ]
    try:
        found = find_exclusion(home, name)
    except StoreError as why:
        said.append(Tested("exclude", False, str(why)))
    else:
        how = "gets" if found.change.before != found.change.after else "has already"
        said.append(
            Tested(
                "exclude", True, f"{shown(found.path)} {how} the line {found.line}. {found.shared}".strip()
            )
        )
    return tuple(said)


def migrate_to_skill(run: Run, removal: Removal) -> None:
    """Steps 2 to 6; raises ``StoreError`` with every byte as it was."""
    path = run.place.path
    name, description = skill_of(path), description_of(run.proposal.move)
    text = write_skill(name, description, run.quote)
    file = run.home.below(path)
    answer, why = index_has(run.home, name)
    run.begin(2, "Check the destination again", answer)
    if why := why or disk_has(run.home, name) or skill_problem(text, name, description, run.quote):
        raise Stopped(why)
    run.done(
        f"“{name}” is not in the index, nothing is at {os.path.dirname(path)}, no link is on the way, and "
        "the entry is as it was quoted and approved."
    )
    run.begin(3, "Keep the skill out of git")
    found = find_exclusion(run.home, name)
    run.add(*found.answers)

    def between(rank: Rank) -> None:
        if rank is Rank.RULE:
            _see_ignored(run, path, found)
            if there := disk_has(run.home, name):
                raise Stopped(there)
            run.begin(4, "Write the skill", f"write {path}")
        elif rank is Rank.DESTINATION:
            said = read_below(file, run.roots)
            if said is None or (why := skill_problem(decode(said), name, description, run.quote)):
                raise Stopped(why if said is not None else f"{path} is not there any more.")
            run.done(
                f"{path} is written, {len(said)} bytes that only you can read, and was read back as meant."
            )
            _see_listed(run, path, name, description)
            run.begin_removal(removal)

    def unheld(held: Mapping[Path, bytes | None]) -> str:
        return skill_problem(decode(held[file] or b""), name, description, run.quote)

    changes = [
        found.change,
        Change(file, None, encode(text), Rank.DESTINATION),
        run.memory(removal),
    ]
    run.act(changes, removal, between, unheld=unheld)
    run.removed(removal)


def _see_ignored(run: Run, path: str, found: Exclusion) -> None:
    """End step 3: git ignores the skill that is still to be made."""
    answer, rule = run.repository.check_ignore(path)
    run.add(answer)
    if rule is None:
        said = answer.err.strip() or "another rule takes it out again"
        raise Stopped(f"Git would not ignore {path} though {shown(found.path)} has its line: {said}.")
    how = "was added to" if found.change.before != found.change.after else "stood already in"
    run.done(f"{found.line} {how} {shown(found.path)}; git ignores {path} by {rule}. {found.shared}".strip())


def _see_listed(run: Run, path: str, name: str, description: str) -> None:
    """Step 5: whoever scans for skills finds it, and git does not see it."""
    run.begin(5, "See that it is listed", f"ls {SKILLS}/*/{SKILL}")
    there = next((fact for fact in local_skills(run.home.root) if fact.path == path), None)
    if there is None or there.text is None:
        why = f": {there.trouble}" if there is not None else ""
        raise Stopped(f"{path} is not found where sessions look for skills{why}.")
    try:
        front = read_front(there.text)
    except ValueError as wrong:
        raise Stopped(f"{path} is found, but not as it was written: {wrong}") from wrong
    if front.get("name") != name or not front.get("description"):
        raise Stopped(f"{path} is found, but its front matter does not name it.")
    answer = run.repository.status(os.path.dirname(path))
    run.add(answer)
    run.need(answer, "Git does not say how the home stands")
    if answer.out:
        raise Stopped(f"Git still shows it: {answer.words}")
    said = description.rstrip(".")
    run.done(f"A session's scan finds “{name}” (“{said}”), and git status does not show it.")
