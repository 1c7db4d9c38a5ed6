"""The way to a local note or skill that is there: it gets the quote, and the entry leaves in the same act."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from floppy_tui.offload.placing import added, holds
from floppy_tui.offload.removing import Removal
from floppy_tui.store.files import read_below
from floppy_tui.store.home import Home
from floppy_tui.store.repository import Repository
from floppy_tui.store.steps import Run, Stopped
from floppy_tui.store.survey import local_skills
from floppy_tui.store.transaction import Change, Rank
from floppy_tui.text.lines import decode, encode
from floppy_tui.tiers.scope import PlaceKind


def asked_of(home: Home, path: str) -> tuple[Repository, str]:
    """The repository that a path of the home lies in, and what it is called from there."""
    if path.startswith("data/") and home.data != home.root / "data":
        return Repository(home.data), path.removeprefix("data/")
    return Repository(home.root), path


def migrate_to_owner(run: Run, removal: Removal) -> None:
    """Steps 2 to 6; raises ``StoreError`` with every byte as it was."""
    path, before = run.place.path, run.place.text or ""
    file = run.home.below(path)
    repository, local = asked_of(run.home, path)
    answer, tracked = repository.tracked(local)
    run.begin(2, "Check the destination again", answer)
    run.need(answer, "Git does not say what is tracked")
    if tracked:
        raise Stopped(f"{path} is tracked in git: nothing private goes into it.")
    try:
        after = before if holds(before, run.quote) else added(before, path, run.quote)
    except ValueError as why:
        raise Stopped(str(why)) from why
    run.done(f"{path} is yours, is not tracked, and can hold the quote; the entry is as it was approved.")
    _see_ignored(run, repository, local)

    def between(rank: Rank) -> None:
        if rank is Rank.RULE:
            run.begin(4, "Add the quote", f"write {path}")
        elif rank is Rank.DESTINATION:
            said = read_below(file, run.roots)
            if said is None or not holds(decode(said), run.quote):
                raise Stopped(f"{path} does not hold the quote.")
            how = "was added at its end" if before != after else "stood there already"
            run.done(f"The quote {how} and was read back.")
            _see_unseen(run, repository, local)
            run.begin_removal(removal)

    def unheld(held: Mapping[Path, bytes | None]) -> str:
        return "" if holds(decode(held[file] or b""), run.quote) else f"{path} does not hold the quote."

    changes = [Change(file, encode(before), encode(after), Rank.DESTINATION), run.memory(removal)]
    run.act(changes, removal, between, unheld=unheld)
    run.removed(removal)


def _see_ignored(run: Run, repository: Repository, local: str) -> None:
    """Step 3: git ignores the destination already; no rule is written for what was there before."""
    answer, rule = repository.check_ignore(local)
    run.begin(3, "See that it is kept out of git", answer)
    if rule is None:
        raise Stopped(f"Git does not ignore {run.place.path}, so nothing private goes into it.")
    run.done(f"Git ignores {run.place.path} by {rule}.")


def _see_unseen(run: Run, repository: Repository, local: str) -> None:
    """Step 5: a skill is still found where sessions look, and git sees nothing."""
    path = run.place.path
    answer = repository.status(local)
    run.begin(5, "See that it is found, and by git it is not", answer)
    run.need(answer, "Git does not say how the home stands")
    if answer.out:
        raise Stopped(f"Git shows it: {answer.words}")
    skill = run.place.kind is PlaceKind.SKILL
    if skill and all(fact.path != path for fact in local_skills(run.home.root)):
        raise Stopped(f"{path} is not found where sessions look for skills.")
    run.done(f"{path} is read “{run.place.trigger}”, and git status does not show it.")
