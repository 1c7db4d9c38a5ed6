"""``config``: where the settings and our own files are, and what the settings say."""

from __future__ import annotations

import os

import click

from floppy_tui.cli import exits
from floppy_tui.cli.options import chosen, home_and_json, working_directory
from floppy_tui.cli.output import complain, say, say_json


@click.command()
@home_and_json
def command(home: str | None, as_json: bool) -> int:
    """Print the path of the config file, every setting in effect, and which home it is."""
    from floppy_tui.store.home import Home, NoHome, discover
    from floppy_tui.store.log import user_log
    from floppy_tui.store.settings import config_path, load_settings

    path = config_path(os.environ)
    settings, warnings = load_settings(path)
    named = chosen(home)
    found: Home | None = None
    try:
        found = discover(named, os.environ, working_directory())
    except NoHome:
        if named is not None:
            raise
    places = {
        "config": str(path),
        "home": str(found.root) if found else None,
        "state": str(found.own_state) if found else None,
        "log": str(user_log()),
    }
    effective = settings.effective()
    if as_json:
        say_json({**places, "settings": effective, "warnings": list(warnings)})
    else:
        for name, place in places.items():
            say(f"{name}: {'none' if place is None else place}")
        for name, value in effective.items():
            say(f"{name} = {_spelled(value)}")
    for warning in warnings:
        complain(warning)
    return exits.UNUSABLE if warnings else exits.OK


def _spelled(value: object) -> str:
    """``value`` as the config file would spell it."""
    import json

    if isinstance(value, dict):
        return f"{{{', '.join(f'{json.dumps(k)} = {json.dumps(v)}' for k, v in value.items())}}}"
    return json.dumps(value, ensure_ascii=False)
