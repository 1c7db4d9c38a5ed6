"""The way to a project: a ship task carries the quote there, and the entry leaves once it has landed."""

from __future__ import annotations

from floppy_tui.offload.destinations import Project
from floppy_tui.offload.placing import holds
from floppy_tui.offload.proposal import Proposal
from floppy_tui.offload.removing import Removal
from floppy_tui.store.projects import AGENTS
from floppy_tui.store.repository import Repository
from floppy_tui.store.steps import Run, Stopped
from floppy_tui.text.lines import readable
from floppy_tui.tiers.scope import Place

NO_TOOL = "tasks-axi is not on the PATH, so no ship task can be filed: install it, or ship it by hand."
_WORDS = 60


class Waiting(Exception):
    """The quote has not landed yet; ``task`` is the ship task that carries it."""

    def __init__(self, task: str) -> None:
        super().__init__(task)
        self.task = task


def inside(place: Place) -> tuple[str, str]:
    """The project of a place below ``projects/``, and the file's path in it."""
    _, name, path = place.path.split("/", 2)
    return name, path


def landed(project: Project | None, place: Place, quote: str) -> bool:
    """Whether the project's default branch holds the quote where it was to go."""
    if project is None:
        return False
    _, path = inside(place)
    text = project.agents if path == AGENTS else project.skills.get(path)
    return text is not None and holds(text, quote)


def migrate_to_project(run: Run, removal: Removal) -> None:
    """Steps 2 to 6; raises ``Waiting`` before the quote has landed, ``StoreError`` where something fails."""
    name, path = inside(run.place)
    project = run.seen.projects.get(name)
    run.begin(2, "Look at the project's default branch")
    if project is None or not project.branch:
        note = project.note if project is not None else "there is no clone of it"
        raise Stopped(f"The default branch of {name} cannot be looked at: {note}.")
    answer = Repository(run.home.root / "projects" / name).ask("show", f"{project.branch}:{path}")
    run.add(answer)
    if landed(project, run.place, run.quote):
        run.done(f"{project.branch} holds the quote in {path}.")
    else:
        run.done(f"{project.branch} does not hold the quote in {path} yet.")
        _ship(run, name, path)
    run.begin_removal(removal)
    run.act([run.memory(removal)], removal)
    run.removed(removal)


def _ship(run: Run, name: str, path: str) -> None:
    """File the ship task; raises ``Waiting`` or ``Stopped``.

    Its id follows from what was approved, so that it is filed once, whatever the queue was told of it.
    """
    run.begin(3, "File the ship task")
    if run.tasks is None:
        raise Stopped(NO_TOOL)
    id = run.proposal.task or f"offload-{run.proposal.seal}"
    shown = run.tasks.show(id)
    if shown is None:
        run.begin(3, "File the ship task", f"tasks-axi add {id} --kind ship --repo {name}")
        title = f"Record in {path} of {name}: “{_short(run.proposal.first_line)}”"
        run.tasks.add(id, title, kind="ship", repo=name, body=body_of(run.proposal, name, path))
        run.done(f"The task {id} carries the quote to {path} of {name}.")
    elif shown.item.done:
        raise Stopped(
            f"The ship task {id} is done, but the quote is not on the default branch as this clone "
            "knows it: fetch the project, or reopen the task."
        )
    else:
        run.done(f"The task {id} is under way.")
    raise Waiting(id)


def _short(text: str) -> str:
    words = " ".join(readable(text).split())
    return words if len(words) <= _WORDS else f"{words[: _WORDS - 1].rstrip()}…"


def body_of(proposal: Proposal, name: str, path: str) -> str:
    """The body of the ship task: the target and the quote, to be taken over line by line."""
    fence = "```"
    while fence in proposal.quote:
        fence += "`"
    return "\n".join(
        (
            f"Target: {path} on the default branch of {name}, through its own way of delivery.",
            f"Needed: {readable(proposal.move.trigger)}",
            "",
            "Add these lines as they stand, each on a line of its own. The entry leaves the memory once they "
            "are on the default branch.",
            "",
            f"{fence}markdown",
            readable(proposal.quote),
            fence,
            "",
        )
    )
