"""``queue``: the proposals of offload, what the captain says to them, and their migration."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from floppy_tui.cli import exits
from floppy_tui.cli.exits import Unusable
from floppy_tui.cli.options import home_and_json, open_store
from floppy_tui.cli.output import complain, say, say_json

if TYPE_CHECKING:
    from floppy_tui.offload.proposal import Proposal
    from floppy_tui.store.migrate import Ran
    from floppy_tui.store.offloading import Offloading

Verb = TypeVar("Verb", bound=Callable[..., Any])

ENDS = {"migrated": exits.OK, "failed": exits.FAILED, "unusable": exits.UNUSABLE, "waiting": exits.OVER}
"""The exit code of ``migrate`` by how it ended."""


@click.group(invoke_without_command=True)
@home_and_json
@click.pass_context
def command(ctx: click.Context, home: str | None, as_json: bool) -> int | None:
    """List the proposals of offload, or say something to one of them, which is named by its ID.

    Nothing moves by itself: a proposal waits until the captain has approved it, in words and on a terminal,
    and moves when it is migrated.
    """
    return None if ctx.invoked_subcommand else _list(_opened(home), as_json)


def _asked(verb: Verb) -> Verb:
    """Add ``--home`` and ``--json``, which count as well before the verb's own name."""

    @home_and_json
    @functools.wraps(verb)
    def asked(home: str | None, as_json: bool, **rest: Any) -> Any:
        before = click.get_current_context().parent
        said = before.params if before else {}
        return verb(said.get("home") if home is None else home, as_json or bool(said.get("as_json")), **rest)

    return asked  # type: ignore[return-value]


def _named(verb: Verb) -> Verb:
    """Add the ID of a proposal (as ``proposal``) to a verb, and what every verb takes."""
    return click.argument("proposal", metavar="ID")(_asked(verb))


@command.command("list")
@_asked
def list_proposals(home: str | None, as_json: bool) -> int:
    """List the proposals, oldest first."""
    return _list(_opened(home), as_json)


def _list(offloading: Offloading, as_json: bool) -> int:
    queue = offloading.queue()
    found = [offloading.as_json(proposal) for proposal in queue.proposals]
    if as_json:
        say_json(found)
    else:
        from floppy_tui.cli.queue_shown import table

        now = [row["current"] for row in found]
        say("\n".join((table(list(zip(queue.proposals, now, strict=True))), "")))
        say("\n".join((f"It is kept in {offloading.where}.", *offloading.notes)))
    for problem in queue.problems:
        complain(problem)
    return exits.OK


@command.command()
@_named
def show(home: str | None, as_json: bool, proposal: str) -> int:
    """Show the quote of a proposal beside its entry as it is now, and what migrating it would write."""
    from floppy_tui.cli.queue_shown import page, preview_object

    offloading = _opened(home)
    preview = offloading.preview(proposal)
    if as_json:
        say_json(offloading.as_json(preview.proposal) | preview_object(preview))
    else:
        say("\n".join(page(preview)))
    return exits.OK


@command.command()
@_named
def approve(home: str | None, as_json: bool, proposal: str) -> int:
    """Approve one proposal: show it, and ask on the terminal for the name of its destination.

    Exits 1, with nothing approved, where other words are typed. Without a terminal nobody is asked.
    """
    from floppy_tui.cli.queue_shown import page
    from floppy_tui.cli.terminal import Terminal

    terminal = Terminal(
        "An approval is typed by the captain, and standard input is no terminal: nothing is approved."
    )
    offloading = _opened(home, acting=True)
    preview = offloading.preview(proposal)
    if failing := [test.why for test in preview.checks if not test.passes]:
        raise Unusable(f"{' '.join(failing)} Nothing is approved.")
    terminal.say("\n".join((*page(preview), "")))
    name = preview.place.name
    words = terminal.ask(f"Type {name} to approve it, anything else to leave it: ")
    if words != name:
        complain(f"That is not the name of its destination, {name}: nothing is approved.")
        return exits.FAILED
    approved = offloading.approve(proposal, words, offloading.login(), seen=preview.proposal)
    return _told(
        offloading, approved, f"Nothing has moved yet: `floppy-tui queue migrate {proposal}`", as_json
    )


@command.command()
@_named
def reject(home: str | None, as_json: bool, proposal: str) -> int:
    """Reject one proposal: its entry stays, and is proposed anew only where somebody asks for it."""
    offloading = _opened(home, acting=True)
    return _told(offloading, offloading.reject(proposal), "Its entry stays", as_json)


@command.command()
@_named
def defer(home: str | None, as_json: bool, proposal: str) -> int:
    """Leave one proposal for another day; an approval of it no longer counts."""
    offloading = _opened(home, acting=True)
    return _told(offloading, offloading.defer(proposal), "Its entry stays", as_json)


@command.command()
@_named
@click.option("--pointer", default="", metavar="LINE", help="Leave this one line in the entry's place.")
def migrate(home: str | None, as_json: bool, proposal: str, pointer: str) -> int:
    """Move one approved proposal, each step shown with its command and its result.

    Exits 0 migrated, 1 failed and rolled back, 2 unusable, 3 filed and waiting for its ship task.
    """
    from floppy_tui.cli.queue_shown import step, step_object

    def ran(one: Ran) -> None:
        if not as_json:
            say(step(one))

    offloading = _opened(home, acting=True)
    done = offloading.migrate(proposal, pointer=pointer, on_step=ran)
    if as_json:
        steps = [step_object(one) for one in done.steps]
        said = {"id": proposal, "state": done.state, "why": done.why or None, "relief": done.relief}
        say_json(said | {"task": done.proposal.task or None, "steps": steps})
    elif done.state == "migrated":
        say(f"{proposal} is migrated: {done.relief or 0} tokens freed.")
    elif done.state == "waiting":
        say(f"{proposal} waits: {done.why}")
    if done.why and done.state != "waiting":
        complain(done.why)
    return ENDS[done.state]


@command.command()
@click.argument("entry", required=False)
@_asked
def candidates(home: str | None, as_json: bool, entry: str | None) -> int:
    """Show every entry (or ENTRY alone) with the verdict of each test of a candidate, largest first."""
    from floppy_tui.cli.queue_shown import candidate, candidate_object

    found = [one for one in _opened(home).candidates() if entry in (None, one.entry.id)]
    if entry is not None and not found:
        raise Unusable(f"There is no entry {entry}; `floppy-tui entries` shows those there are.")
    if as_json:
        say_json([candidate_object(one) for one in found])
    else:
        say("\n\n".join("\n".join(candidate(one)) for one in found))
    return exits.OK


@command.command()
@click.argument("entry")
@click.option("--trigger", required=True, metavar="WORDS", help="When it is needed, in one line.")
@click.option("--destination", required=True, metavar="PATH", help="Where it would live; a name is a skill.")
@click.option("--description", default="", metavar="WORDS", help="The skill's description line.")
@click.option("--privacy", default="private", metavar="WORDS", help="The privacy verdict.")
@_asked
def propose(home: str | None, as_json: bool, entry: str, **said: str) -> int:
    """Propose to move ENTRY, or say anew what is proposed of it. Nothing moves by that."""
    from floppy_tui.tiers.decisions import Move

    offloading = _opened(home, acting=True)
    return _told(offloading, offloading.propose(entry, Move(**said)), "It waits for the captain", as_json)


@command.command()
@_named
def repropose(home: str | None, as_json: bool, proposal: str) -> int:
    """Quote the entry of one proposal as it is now; an approval of the former quote no longer counts."""
    offloading = _opened(home, acting=True)
    return _told(offloading, offloading.repropose(proposal), "It waits for the captain", as_json)


def _opened(home: str | None, *, acting: bool = False) -> Offloading:
    """The queue of a home; before an act, what a crash interrupted is rolled back."""
    from floppy_tui.store.offloading import Offloading

    store = open_store(home)
    if acting:
        for said in store.recover():
            complain(said)
    return Offloading(store)


def _told(offloading: Offloading, proposal: Proposal, then: str, as_json: bool) -> int:
    if as_json:
        say_json(offloading.as_json(proposal))
    else:
        say(f"{proposal.id} is {proposal.state}: {proposal.move.destination}. {then}.")
    return exits.OK
