"""``undo``: take back the last act on a home or a note tree, or do again what was undone."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from floppy_tui.cli import exits
from floppy_tui.cli.exits import Unusable
from floppy_tui.cli.options import chosen, home_and_json, today, working_directory
from floppy_tui.cli.output import complain, say, say_json

if TYPE_CHECKING:
    from floppy_tui.store.live import Store
    from floppy_tui.store.note_tree import NoteStore
    from floppy_tui.store.undo import Act


class _Found(NamedTuple):
    """An act, and the memory that it was done on."""

    store: Store | NoteStore
    act: Act

    @property
    def at(self) -> str:
        """When it was done, in UTC: what tells the newer one of two memories."""
        return self.act.id.rpartition("-")[2]


@click.command()
@click.argument("act", required=False, metavar="[ID]")
@home_and_json
@click.option("--redo", is_flag=True, help="Do an undone act again; without an ID the one undone last.")
@click.option("--list", "listed", is_flag=True, help="List the acts that are kept, newest first.")
def command(home: str | None, as_json: bool, act: str | None, redo: bool, listed: bool) -> int:
    """Take an act back: every file is as it was before, if nobody wrote to it since.

    Without an ID the last act is taken back. What a stow pass did outside the files (the backlog) stays.
    """
    from floppy_tui.store.opened import open_any

    if listed and (redo or act is not None):
        raise Unusable("--list lists every act; it takes no ID and goes with no --redo.")
    opened = open_any(chosen(home), env=os.environ, cwd=working_directory(), today=today)
    stores: list[Store | NoteStore] = [s for s in (opened.home, opened.notes) if s is not None]
    if listed:
        return _list(stores, as_json)
    for store in stores:
        for sentence in store.recover():
            complain(sentence)
    found = _found(stores, act, redo=redo)
    done = (found.store.redo if redo else found.store.undo)(found.act.id)
    words = found.act.words.removeprefix("undo of ") if redo and found.act.undoes else found.act.words
    if as_json:
        undone = next(one for one in found.store.past_acts() if one.id == done).undoes
        say_json({"act": done, "undoes": undone, "words": words, "files": list(found.act.files)})
    else:
        note = [] if redo or not found.act.note else [found.act.note]
        say("\n".join([f"{'Done again' if redo else 'Undone'}: {words}", *found.act.files, *note]))
    return exits.OK


def _found(stores: list[Store | NoteStore], id: str | None, *, redo: bool) -> _Found:
    """The act that is meant: of several memories the one that was done last."""
    if id is not None:
        named = [_Found(store, act) for store in stores for act in store.past_acts() if act.id == id]
        if not named:
            raise Unusable(f"There is no act {id} here; see what is kept with --list.")
        if len(named) > 1:
            raise Unusable(
                f"Both the home and its notes have an act {id}; name the notes by --home, or leave it out."
            )
        return named[0]
    last = [_Found(store, act) for store in stores if (act := store.latest()[redo]) is not None]
    if not last:
        raise Unusable("Nothing was undone." if redo else "Nothing was done yet, or all of it is undone.")
    return max(last, key=lambda found: found.at)


def _list(stores: list[Store | NoteStore], as_json: bool) -> int:
    found = [_Found(store, act) for store in stores for act in store.past_acts()]
    if len(stores) > 1:
        found.sort(key=lambda one: one.at, reverse=True)
    if as_json:
        say_json([_as_object(act) for _, act in found])
        return exits.OK
    for _, act in found:
        state = act.kind.replace("-", " ") if act.kind != "done" else act.why_not or "can be undone"
        say(f"{act.id}  {' '.join(act.words.split())}\n    {', '.join(act.files)}\n    {state}")
    return exits.OK


def _as_object(act: Act) -> dict[str, Any]:
    return {
        "act": act.id,
        "words": act.words,
        "when": act.when,
        "files": list(act.files),
        "kind": act.kind,
        "undoes": act.undoes or None,
        "undone": act.undone,
        "rolled_back": act.rolled_back,
        "why_not": act.why_not or None,
        "note": act.note or None,
    }
