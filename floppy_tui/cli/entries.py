"""``entries``: every entry of the memory, or of any one file, as scripts and agents name them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from floppy_tui.cli import exits
from floppy_tui.cli.exits import Unusable
from floppy_tui.cli.options import home_and_json, open_store, today, working_directory
from floppy_tui.cli.output import complain, say, say_json

if TYPE_CHECKING:
    from floppy_tui.tiers.clocks import Age
    from floppy_tui.tiers.document import Document, Entry


class Row(NamedTuple):
    """An entry with what its home says of it."""

    entry: Entry
    age: Age
    editable: bool
    document: Document
    at: int
    """Its position in ``document.entries``."""


@click.command()
@home_and_json
@click.option("--file", "path", metavar="PATH", help="Read this one file by itself, whatever its name.")
@click.option(
    "--default",
    type=click.Choice(["pinned", "aging"]),
    help="The default tier of that file; else its name decides.",
)
def command(home: str | None, as_json: bool, path: str | None, default: str | None) -> int:
    """Print the entries, each with its id, tier, clock, tokens and place."""
    if default and path is None:
        raise Unusable("--default goes with --file; in a home the file's name decides.")
    code = exits.OK
    if path is not None:
        document = _one_file(path, default)
        documents = [document]
        rows = list(_rows(document, _alone(), lambda _: not document.blocked))
    else:
        snapshot = open_store(home).read()
        documents = list(snapshot.documents)
        ages = snapshot.ages
        rows = [
            row for doc in documents for row in _rows(doc, lambda entry: ages[entry.id], snapshot.editable)
        ]
        for refused in (file.refused for file in snapshot.files if file.refused):
            complain(refused.message)
            code = exits.UNUSABLE
    if as_json:
        say_json([as_object(row) for row in rows])
    else:
        say("\n".join((*map(_line, rows), *_remarks(documents))))
    return code


def _one_file(path: str, default: str | None) -> Document:
    from floppy_tui.store.files import read_regular, shown
    from floppy_tui.tiers.document import default_tier, number_ids
    from floppy_tui.tiers.markers import Tier
    from floppy_tui.tiers.reading import read_document

    place = working_directory() / path
    data = read_regular(place)
    if data is None:
        raise Unusable(f"{shown(place)} does not exist; name a file to read.")
    tier = Tier(default) if default else default_tier(place.name)
    return number_ids([read_document(data, path, tier)])[0]


def _alone() -> Callable[[Entry], Age]:
    """The clock of a file that is in no home: no passes are counted."""
    from floppy_tui.tiers.clocks import age

    day = today()
    return lambda entry: age(entry, day)


def _rows(
    document: Document, clock: Callable[[Entry], Age], editable: Callable[[Entry], bool]
) -> Iterator[Row]:
    for at, entry in enumerate(document.entries):
        yield Row(entry, clock(entry), editable(entry), document, at)


def as_object(row: Row) -> dict[str, Any]:
    """The entry as JSON: these keys are stable."""
    entry, age = row.entry, row.age
    return {
        "id": entry.id,
        "file": entry.file,
        "kind": entry.kind,
        "tier": entry.tier,
        "explicit": entry.explicit,
        "reinforced": entry.reinforced.isoformat() if entry.reinforced else None,
        "passes": entry.passes,
        "age_days": age.days,
        "stale": age.stale,
        "stale_in_days": age.left,
        "tokens": entry.tokens,
        "lines": list(entry.lines),
        "heading": list(entry.heading),
        "editable": row.editable,
        "prose": entry.prose,
        "findings": [
            {
                "rule": finding.rule,
                "line": finding.line,
                "message": finding.message,
                "repair": finding.repair.text if finding.repair else None,
            }
            for finding in row.document.findings
            if finding.entry == row.at
        ],
    }


def _line(row: Row) -> str:
    entry, age = row.entry, row.age
    if age.stale:
        clock = f"stale {age.cause.rsplit(' ', 1)[-1]}"
    else:
        clock = "" if age.left is None else f"{age.left}d left"
    first, last = entry.lines
    place = f"{entry.file}:{first}" + (f"-{last}" if last != first else "")
    text = entry.first_line.replace("\t", " ")
    return f"{entry.id:14} {entry.tier:10} {clock:11} {entry.tokens:5} {place}  {text}"


def _remarks(documents: list[Document]) -> Iterator[str]:
    """What deserves an eye, below the entries."""
    for document in documents:
        for finding in document.findings:
            yield f"{document.file}:{finding.line}: {finding.rule}: {finding.message}"
