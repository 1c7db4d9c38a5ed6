"""``stow``: a whole pass without a screen, by decisions that someone made and by those accepted by kind."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from floppy_tui.cli import exits
from floppy_tui.cli.exits import Unusable
from floppy_tui.cli.options import home_and_json, open_store, working_directory
from floppy_tui.cli.output import complain, say, say_json

if TYPE_CHECKING:
    from floppy_tui.handoff.document import Document
    from floppy_tui.tiers.snapshot import Snapshot
    from floppy_tui.tiers.stow import Plan

KINDS = {
    "headers": "add or correct header pointers",
    "repairs": "repair malformed markers",
    "grace": "give unmarked entries without evidence their one grace cycle",
    "stale": "archive the stale",
    "legacy": "archive those whose grace is over",
    "conditions": "act on what is known of a perishable entry's condition",
    "eviction": "archive aging entries, oldest first, while over budget",
}
"""What ``--accept`` takes, in the order of the steps, for the help: the engine's own list rules."""


@click.command(
    epilog="KIND is any of: " + "; ".join(f"{kind} ({does})" for kind, does in KINDS.items()) + "."
)
@click.option("--headless", is_flag=True, help="Without a screen; the only way here.")
@click.option("--decisions", "source", metavar="FILE|-", help="The decisions document (JSON).")
@click.option(
    "--accept", "accepted", metavar="KIND[,KIND…]", multiple=True, help="Accept the pass's own proposals."
)
@click.option("--dry-run", is_flag=True, help="Print the receipt and the diff; write nothing.")
@home_and_json
def command(
    home: str | None,
    as_json: bool,
    headless: bool,
    source: str | None,
    accepted: tuple[str, ...],
    dry_run: bool,
) -> int:
    """Run a whole stow pass. What is neither decided in the document nor accepted by kind is not done.

    Prints the receipt, and exits 0 reset-safe, 3 not reset-safe, 2 unusable.
    """
    if not headless:
        raise Unusable("`stow` needs --headless here; on the screen, `floppy-tui` and then s opens the pass.")
    kinds = _kinds(accepted)
    document = _document(source)
    store = open_store(home)
    if not dry_run:
        for said in store.recover():
            complain(said)
    snapshot = store.look_over(store.read())
    refused = _refusals(snapshot)
    for message in refused:
        complain(message)
    if refused and not dry_run:
        return exits.UNUSABLE
    planned = _planned(snapshot, document, kinds)

    from floppy_tui.tiers.difference import changes
    from floppy_tui.tiers.receipt import as_json as as_object
    from floppy_tui.tiers.receipt import as_markdown

    receipt = store.rehearse(planned) if dry_run else store.apply(planned, close=False)
    diff = list(changes(planned)) if dry_run else []
    if as_json:
        say_json(as_object(receipt) | ({"diff": diff} if dry_run else {}))
    else:
        say("\n".join((as_markdown(receipt).rstrip("\n"), *(["", *diff] if diff else []))))
    if refused:
        return exits.UNUSABLE
    return exits.OK if receipt.reset_safe else exits.OVER


def _kinds(accepted: Sequence[str]) -> tuple[str, ...]:
    """The kinds named after ``--accept``, in the order of the steps."""
    from floppy_tui.tiers.cards import ACCEPTABLE

    named = {kind.strip() for words in accepted for kind in words.split(",")} - {""}
    unknown = sorted(named.difference(ACCEPTABLE))
    if unknown:
        raise Unusable(f"--accept knows no {', '.join(unknown)}; it takes {', '.join(ACCEPTABLE)}.")
    return tuple(kind for kind in ACCEPTABLE if kind in named)


def _document(source: str | None) -> Document | None:
    """The decisions document in the file ``source`` (``-``: standard input), if there is one."""
    from floppy_tui.handoff.document import BadDocument, read_decisions
    from floppy_tui.store.files import Refusal, refusing, shown

    if source is None:
        return None
    try:
        if source == "-":
            data = sys.stdin.buffer.read()
        else:
            path = working_directory() / source
            if not path.exists():
                raise Unusable(f"{shown(path)} does not exist; name a decisions document, or - for input.")
            # Whoever hands it over may do so through a pipe; it is only ever read.
            with refusing(path):
                data = path.read_bytes()
        return read_decisions(data)
    except (BadDocument, Refusal) as error:
        raise Unusable(str(error)) from None


def _refusals(snapshot: Snapshot) -> list[str]:
    """Why a pass over this home cannot be applied, each as a sentence."""
    found = [snapshot.allowance.message] if snapshot.allowance.exception else []
    refused = [*(file.refused for file in snapshot.files), snapshot.archive_refused]
    return [*found, *(one.message for one in refused if one)]


def _planned(snapshot: Snapshot, document: Document | None, kinds: Sequence[str]) -> Plan:
    """The plan; what of the document no longer fits the home is among its refusals."""
    from dataclasses import replace

    from floppy_tui.handoff.matching import to_decisions
    from floppy_tui.tiers.stow import accept, plan

    decisions, unfit = to_decisions(document, snapshot) if document else ((), ())
    planned = plan(snapshot, accept(snapshot, decisions, kinds))
    return replace(planned, refused=(*unfit, *planned.refused))
