"""The program: its verbs, each imported only when it is the one that was asked for."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from floppy_tui import __version__
from floppy_tui.cli import exits

VERBS = {
    "report": "What the memory costs against the allowance.",
    "entries": "The entries of the memory, or of any one file.",
    "lint": "What is wrong in a note tree.",
    "archive": "What left the memory: list, search, show, restore.",
    "stow": "A whole stow pass without a screen.",
    "queue": "Proposals of offload: list, show, approve, reject, defer, migrate.",
    "undo": "Take the last act back, or do it again.",
    "receipt": "Receipts of past passes.",
    "demo": "Lay out a sample home and open it.",
    "config": "Where the settings are and what they say.",
}
"""Each verb is the ``command`` of the module of its name."""


class Program(click.Group):
    """The verbs; what is no verb is the path of a home to open."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The verbs in the order in which the help shows them."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The verb ``cmd_name``, imported now."""
        if cmd_name not in VERBS:
            return None
        command: click.Command = import_module(f"floppy_tui.cli.{cmd_name}").command
        command.name = cmd_name
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The verb that ``args`` begin with; a path opens the app."""
        if args[0] in VERBS:
            return super().resolve_command(ctx, args)
        from floppy_tui.cli.open import command

        return "open", command, args

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The verbs with what they do, without importing any."""
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The exit codes."""
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(code), meaning) for code, meaning in exits.MEANINGS.items()])

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run as a process of its own."""
        try:
            return self.main(*args, **kwargs)
        finally:
            # All that is left is to end, where the collector would look through everything once more.
            gc.freeze()

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a verb and exit with its code; whatever goes wrong is one sentence on standard error."""
        try:
            code = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        except click.exceptions.Abort:
            code = _ended("It was broken off.", exits.FAILED)
        except click.ClickException as error:
            code = _ended(error.format_message(), error.exit_code)
        except Exception as error:
            code = _failed(error)
        if standalone_mode:
            sys.exit(code)
        return code


def _ended(text: str, code: int) -> int:
    from floppy_tui.cli.output import complain

    complain(text)
    return code


def _failed(error: Exception) -> int:
    """Say what the disk edge could not do; anything unforeseen goes to the log, whose path is said."""
    from floppy_tui.store.files import StoreError

    if isinstance(error, StoreError):
        return _ended(str(error), exits.UNUSABLE)
    from floppy_tui.store.files import shown
    from floppy_tui.store.log import user_log, write_log

    log = user_log()
    where = f"the details are in {shown(log)}" if write_log(error, log) else "no log could be written"
    return _ended(f"Something unforeseen went wrong ({type(error).__name__}); {where}.", exits.FAILED)


@click.group(
    cls=Program,
    invoke_without_command=True,
    options_metavar="[--home PATH]",
    subcommand_metavar="[PATH | VERB [ARGS]...]",
)
@click.option("--home", metavar="PATH", help="The home, for any verb.")
@click.version_option(__version__, prog_name="floppy-tui")
@click.pass_context
def main(ctx: click.Context, home: str | None) -> int | None:
    """Keep an AI agent's long-term memory small, current and trustworthy.

    Without a verb, `floppy-tui [PATH]` opens the home at PATH (else FM_HOME, else the nearest one around
    the working directory) on the screen.
    """
    if ctx.invoked_subcommand is not None:
        return None
    from floppy_tui.cli.open import command

    code: int = ctx.invoke(command, path=None, home=home)
    return code
