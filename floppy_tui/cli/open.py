"""Opening the app: the one module of the command line that reaches the screen, and only to open it."""

from __future__ import annotations

import os
import sys

import click

from floppy_tui.cli import exits
from floppy_tui.cli.exits import Unusable
from floppy_tui.cli.options import chosen, today, working_directory
from floppy_tui.store.files import shown


@click.command("open")
@click.argument("path", required=False)
@click.option("--home", metavar="PATH", help="The home or note tree, in another way to say it.")
def command(path: str | None, home: str | None) -> int:
    """Open the home or the note tree at PATH, or both, on the screen."""
    if path is not None and not os.path.isdir(path):
        from pathlib import Path

        raise Unusable(
            f"{shown(Path(path))} is neither a verb nor a directory; `floppy-tui --help` lists the verbs."
        )
    return run(home if path is None else path)


def run(home: str | None) -> int:
    """Open the app on a home, a note tree or both; returns its exit code."""
    from floppy_tui.store.opened import open_any

    today()
    opened = open_any(chosen(home), env=os.environ, cwd=working_directory(), today=today, later=True)
    # Served to a browser, the app is driven through pipes.
    served = "TEXTUAL_DRIVER" in os.environ
    if not served and not (sys.__stdin__ and sys.__stdin__.isatty() and sys.stderr.isatty()):
        raise Unusable("The app needs a terminal; `floppy-tui --help` lists the verbs that do without one.")
    from floppy_tui.tui.app import FloppyApp

    settled = opened.home or opened.notes
    warnings = settled.warnings if settled else ()
    app = FloppyApp(opened.home, opened.notes, find_notes=opened.find_notes, warnings=warnings)
    app.run()
    return app.return_code or exits.OK
