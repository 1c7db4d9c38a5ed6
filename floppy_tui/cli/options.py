"""What every verb takes: which home, and in which form the answer comes."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from floppy_tui.cli.exits import Unusable

if TYPE_CHECKING:
    from floppy_tui.store.live import Store

Verb = TypeVar("Verb", bound=Callable[..., Any])


def home_and_json(verb: Verb) -> Verb:
    """Add ``--home PATH`` and ``--json`` to a verb (as ``home`` and ``as_json``)."""
    verb = click.option("--json", "as_json", is_flag=True, help="Answer as JSON.")(verb)
    return click.option(
        "--home",
        metavar="PATH",
        help="The home; else FM_HOME, else the nearest one around the working directory.",
    )(verb)


def working_directory() -> Path:
    """Where the program was started; raises ``Unusable`` where that place is gone."""
    try:
        return Path.cwd()
    except OSError:
        raise Unusable("The working directory is gone; start from one that exists.") from None


def chosen(home: str | None) -> Path | None:
    """The home that was named on the command line."""
    if home is None:
        found = click.get_current_context().find_root().params.get("home")
        home = found if isinstance(found, str) else None
    if home == "":
        raise Unusable("--home is empty; name a home, or leave the option out.")
    return None if home is None else Path(home)


def today() -> date:
    """The local date, or the one that ``FLOPPY_TODAY`` says; raises ``StoreError`` where that is no date."""
    from floppy_tui.store.settings import today as injected

    return injected(os.environ)


def open_store(home: str | None) -> Store:
    """The store of the home to work on; raises ``NoHome``."""
    from floppy_tui.store.live import Store

    today()
    return Store.open(chosen(home), env=os.environ, cwd=working_directory(), today=today)
