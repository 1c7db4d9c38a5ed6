"""What a verb prints: bytes in UTF-8, whatever the locale, in which nothing can drive a terminal."""

from __future__ import annotations

import click

from floppy_tui.cli.exits import sentence


def say(text: str) -> None:
    """Print ``text`` (lines; may quote entries) with every control character made visible.

    Nothing at all is printed of an empty one.
    """
    if text:
        click.echo(plainly(text))


def plainly(text: str) -> bytes:
    """``text`` (lines; may quote entries) as it can be shown on any terminal."""
    from floppy_tui.text.visible import visible

    return visible(text, keep="\n\t").encode("utf-8", "replace")


def say_plain(text: str) -> None:
    """Print ``text`` that quotes nothing."""
    click.echo(text.encode("utf-8", "replace"))


def say_json(value: object) -> None:
    """Print ``value`` as one JSON document; bytes that are not UTF-8 are U+FFFD."""
    import json

    from floppy_tui.text.visible import escaped

    document = json.dumps(value, ensure_ascii=False, indent=2)
    click.echo(escaped(document).encode("utf-8", "replace"))


def complain(text: str) -> None:
    """Say in one sentence on standard error what is wrong."""
    from floppy_tui.text.visible import visible

    click.echo(f"floppy-tui: {visible(sentence(text))}", err=True)
