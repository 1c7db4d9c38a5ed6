"""Opening the app: the one module of the command line that reaches the screen, and only to open it."""

from __future__ import annotations

import os
import sys

import click

from floppy_tui.cli import exits
from floppy_tui.cli.exits import Unusable
from floppy_tui.cli.options import open_store
from floppy_tui.store.files import shown


@click.command("open")
@click.argument("path", required=False)
@click.option("--home", metavar="PATH", help="The home, in another way to say it.")
def command(path: str | None, home: str | None) -> int:
    """Open the home at PATH on the screen."""
    if path is not None and not os.path.isdir(path):
        from pathlib import Path

        raise Unusable(
            f"{shown(Path(path))} is neither a verb nor a directory; `floppy-tui --help` lists the verbs."
        )
    return run(home if path is None else path)


def run(home: str | None) -> int:
    """Open the app on a home; returns its exit code."""
    store = open_store(home)
    # Served to a browser, the app is driven through pipes.
    served = "TEXTUAL_DRIVER" in os.environ
    if not served and not (sys.__stdin__ and sys.__stdin__.isatty() and sys.stderr.isatty()):
        raise Unusable("The app needs a terminal; `floppy-tui --help` lists the verbs that do without one.")
    from floppy_tui.tui.app import FloppyApp

    app = FloppyApp(store, warnings=store.warnings)
    app.run()
    return app.return_code or exits.OK
