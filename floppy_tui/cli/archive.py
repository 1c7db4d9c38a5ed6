"""``archive``: what left the memory, to look through and to bring back."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from floppy_tui.cli import exits
from floppy_tui.cli.exits import Unusable
from floppy_tui.cli.options import home_and_json, open_store
from floppy_tui.cli.output import complain, say, say_json

if TYPE_CHECKING:
    from datetime import date

    from floppy_tui.store.live import Store
    from floppy_tui.tiers.archive_item import ArchivedItem
    from floppy_tui.tiers.snapshot import Snapshot

Verb = TypeVar("Verb", bound=Callable[..., Any])


@click.group(no_args_is_help=False)
def command() -> None:
    """Look through what left the memory, and bring it back.

    An item is named by its first line in the archive, as `list` shows it.
    """


def _filters(verb: Verb) -> Verb:
    for option in (
        click.option("--until", metavar="DATE", help="Passes up to this day."),
        click.option("--since", metavar="DATE", help="Passes from this day on."),
        click.option("--source", metavar="FILE", default="", help="Left this file, such as learnings.md."),
        click.option("--tier", default="", help="Had this tier."),
        click.option("--reason", metavar="WORDS", default="", help="Left for a reason with these words."),
    ):
        verb = option(verb)
    return verb


@command.command("list")
@home_and_json
@_filters
def list_items(home: str | None, as_json: bool, **filters: str | None) -> int:
    """List the archived items, oldest first as they stand."""
    return _show(_found(home, "", **filters), as_json)


@command.command()
@click.argument("query", nargs=-1, required=True)
@home_and_json
@_filters
def search(home: str | None, as_json: bool, query: tuple[str, ...], **filters: str | None) -> int:
    """List the items in which every word of QUERY occurs, or that /a pattern/ matches."""
    return _show(_found(home, " ".join(query), **filters), as_json)


@command.command()
@click.argument("line", type=int)
@home_and_json
def show(home: str | None, as_json: bool, line: int) -> int:
    """Show the whole item that begins on LINE of the archive."""
    from floppy_tui.tiers.archive_search import as_json as as_object

    item = _named(_read(open_store(home)), line)
    if as_json:
        say_json(as_object(item))
    else:
        reinforced = item.reinforced.isoformat() if item.reinforced else "never" if item.known else "unknown"
        say(f"pass:       {item.heading or 'unknown'}")
        say(f"source:     {item.source or 'unknown'}")
        say(f"tier:       {item.tier or 'unknown'}")
        say(f"reinforced: {reinforced}")
        say(f"reason:     {item.reason or 'unknown'}")
        say(f"lines:      {item.first}-{item.last}\n")
        say(item.prose)
    return exits.OK


@command.command()
@click.argument("line", type=int)
@click.option("--evidence", required=True, metavar="WORDS", help="What confirmed it, in words.")
@click.option(
    "--tier",
    required=True,
    type=click.Choice(["pinned", "aging", "perishable"]),
    help="The tier that it comes back with, stamped today.",
)
@home_and_json
def restore(home: str | None, as_json: bool, line: int, evidence: str, tier: str) -> int:
    """Copy the item on LINE back into its source file; the archive stays as it is."""
    from floppy_tui.tiers.markers import Tier

    store = open_store(home)
    for said in store.recover():
        complain(said)
    entry = store.restore(_named(_read(store), line), evidence, Tier(tier))
    # Its tier can be another one than was asked for: a perishable entry has to name its condition.
    back = store.read().by_id[entry]
    if as_json:
        say_json({"entry": entry, "file": back.file, "tier": back.tier, "evidence": evidence})
    else:
        say(f"{back.file}:{back.start + 1}: entry {entry} is back, {back.tier}.")
    return exits.OK


def _read(store: Store) -> Snapshot:
    snapshot = store.read()
    if snapshot.archive_refused:
        raise Unusable(snapshot.archive_refused.message)
    return snapshot


def _found(home: str | None, query: str, **filters: str | None) -> tuple[ArchivedItem, ...]:
    from floppy_tui.tiers.archive_search import ArchiveFilter
    from floppy_tui.tiers.archive_search import search as search_archive

    since, until = _day(filters.pop("since")), _day(filters.pop("until"))
    wanted = ArchiveFilter(query=query, since=since, until=until, **{k: v or "" for k, v in filters.items()})
    try:
        return search_archive(_read(open_store(home)).archive, wanted, time.monotonic)
    except ValueError as error:
        raise Unusable(str(error)) from None


def _day(said: str | None) -> date | None:
    from floppy_tui.text.dates import parse_date

    day = parse_date(said) if said else None
    if said and day is None:
        raise Unusable(f"{said!r} is no date; write it as YYYY-MM-DD.")
    return day


def _named(snapshot: Snapshot, line: int) -> ArchivedItem:
    for item in snapshot.archive.items:
        if item.first <= line <= item.last:
            return item
    raise Unusable(f"No archived item stands on line {line}; `floppy-tui archive list` shows the lines.")


def _show(items: tuple[ArchivedItem, ...], as_json: bool) -> int:
    from floppy_tui.tiers.archive_search import as_json as as_object

    if as_json:
        say_json([as_object(item) for item in items])
        return exits.OK
    say("\n".join(map(_line, items)))
    return exits.OK


def _line(item: ArchivedItem) -> str:
    when = item.day.isoformat() if item.day else item.heading or "unknown"
    text = item.prose.split("\n", 1)[0].replace("\t", " ")
    return f"{item.first:6} {when}  {item.source or '?'} {item.tier or '?'} ({item.reason or '?'})  {text}"
