"""``receipt``: the receipts of past passes."""

from __future__ import annotations

import click

from floppy_tui.cli import exits
from floppy_tui.cli.exits import Unusable
from floppy_tui.cli.options import home_and_json, open_store
from floppy_tui.cli.output import say, say_json


@click.command()
@click.argument("act", type=click.Choice(["list", "show"]), default="show", metavar="[list|show]")
@click.argument("name", required=False)
@home_and_json
def command(home: str | None, as_json: bool, act: str, name: str | None) -> int:
    """Show the receipt called NAME (a day, or a day and its number), else the newest; or list them all."""
    from floppy_tui.store.files import shown

    store = open_store(home)
    paths = store.receipts()
    if act == "list":
        if name is not None:
            raise Unusable("`receipt list` takes no name; `receipt show NAME` shows one.")
        if as_json:
            say_json([{"name": path.stem, "path": str(path)} for path in paths])
        else:
            say("\n".join(f"{path.stem}  {shown(path)}" for path in paths))
        return exits.OK
    found = next((path for path in paths if name in (None, path.stem)), None)
    if found is None:
        raise Unusable(
            f"There is no receipt {name}; `floppy-tui receipt list` shows those there are."
            if name
            else "There is no receipt yet; a stow pass that is applied writes one."
        )
    markdown, document = store.read_receipt(found)
    if as_json:
        say_json(document)
    else:
        say(markdown.rstrip("\n"))
    return exits.OK
