"""``demo``: lay out a sample home, and open it."""

from __future__ import annotations

from pathlib import Path

import click

from floppy_tui.cli import exits
from floppy_tui.cli.exits import Unusable
from floppy_tui.cli.options import home_and_json, today, working_directory
from floppy_tui.cli.output import complain, say, say_json


@click.command()
@click.argument("directory", required=False, metavar="[DIR]")
@click.option("--notes", is_flag=True, help="A note tree of 150 notes instead, with a remote to push to.")
@click.option("--no-open", is_flag=True, help="Only lay it out, and print where.")
@home_and_json
def command(home: str | None, as_json: bool, directory: str | None, notes: bool, no_open: bool) -> int:
    """Lay out a sample home in DIR, new or empty (else in a temporary directory), and open it.

    Its note tree lies in the home's own repository; with --notes there is a larger one and no home.
    """
    from floppy_tui import demo
    from floppy_tui.store.files import shown

    if directory is not None and home is not None:
        raise Unusable("Name the directory once: as DIR or with --home.")
    named = directory if directory is not None else home
    if named is None:
        import tempfile

        place = Path(tempfile.mkdtemp(prefix="floppy-tui-demo-"))
    else:
        place = working_directory() / named
    if notes:
        # Out of sight, so that nothing lies beside the directory that was asked for.
        remote = place / ".git" / "origin.git"
        root = demo.build_tree(place, today(), remote=remote, say=complain)
    else:
        root = demo.build(place, today(), say=complain)
    if no_open:
        if as_json:
            say_json({"notes" if notes else "home": str(root)})
        else:
            say(shown(root))
        return exits.OK
    from floppy_tui.cli.open import run

    return run(str(root))
