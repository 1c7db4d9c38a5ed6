"""``undo``: take back the last act on a home or a note tree, or do again what was undone."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from floppy_tui.cli import exits
from floppy_tui.cli.exits import Unusable
from floppy_tui.cli.options import chosen, home_and_json, today, working_directory
from floppy_tui.cli.output import say, say_json

if TYPE_CHECKING:
    from floppy_tui.store.live import Store
    from floppy_tui.store.note_tree import NoteStore
    from floppy_tui.store.undo import Act


@click.command()
@click.argument("act", required=False, metavar="[ID]")
@home_and_json
@click.option("--redo", is_flag=True, help="Do again what was undone last.")
@click.option("--list", "listed", is_flag=True, help="List the acts that are kept, newest first.")
def command(home: str | None, as_json: bool, act: str | None, redo: bool, listed: bool) -> int:
    """Take an act back: every file is as it was before, if nobody wrote to it since.

    Without an ID the last act is taken back. What a stow pass did outside the files (the backlog) stays.
    """
    from floppy_tui.store.opened import open_any

    if redo and act is not None:
        raise Unusable("--redo does again what was undone last; it takes no ID.")
    opened = open_any(chosen(home), env=os.environ, cwd=working_directory(), today=today)
    stores: list[Store | NoteStore] = [s for s in (opened.home, opened.notes) if s is not None]
    if listed:
        return _list(stores, as_json)
    for store in stores:
        for sentence in store.recover():
            click.echo(f"floppy-tui: {sentence}", err=True)
    store, found = _found(stores, act, redo=redo)
    if found.why_not:
        raise Unusable(found.why_not)
    done = (store.redo if redo else store.undo)(found.id)
    if as_json:
        say_json({"act": done, "undoes": found.id, "words": found.words, "files": list(found.files)})
    else:
        say("\n".join([f"{'Done again' if redo else 'Undone'}: {found.words}", *found.files]))
    return exits.OK


def _found(stores: list[Store | NoteStore], id: str | None, *, redo: bool) -> tuple[Store | NoteStore, Act]:
    """The act that is meant, and whose it is: of several stores the newest one's."""
    found: list[tuple[str, Store | NoteStore, Act]] = []
    for store in stores:
        if id is not None:
            acts = [act for act in store.past_acts() if act.id == id]
        else:
            latest = store.latest()[redo]
            acts = [latest] if latest is not None else []
        found.extend((act.when, store, act) for act in acts)
    if not found:
        which = (
            f"There is no act {id} here."
            if id
            else "Nothing was undone."
            if redo
            else "Nothing was done yet."
        )
        raise Unusable(which)
    _, store, act = max(found, key=lambda pair: (pair[0], pair[2].id))
    return store, act


def _list(stores: list[Store | NoteStore], as_json: bool) -> int:
    acts = sorted(
        (a for store in stores for a in store.past_acts()), key=lambda a: (a.when, a.id), reverse=True
    )
    acts = list({act.id: act for act in acts}.values())
    if as_json:
        say_json([_as_object(act) for act in acts])
        return exits.OK
    for act in acts:
        state = (
            "rolled back" if act.rolled_back else "undone" if act.undone else act.why_not or "can be undone"
        )
        say(f"{act.id}  {act.words}\n    {', '.join(act.files)}\n    {state}")
    return exits.OK


def _as_object(act: Act) -> dict[str, Any]:
    return {
        "act": act.id,
        "words": act.words,
        "when": act.when,
        "files": list(act.files),
        "undoes": act.undoes or None,
        "undone": act.undone,
        "rolled_back": act.rolled_back,
        "why_not": act.why_not or None,
    }
