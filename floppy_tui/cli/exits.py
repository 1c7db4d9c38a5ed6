"""The exit codes of every verb, and the one way for a verb to end with a sentence instead of an answer."""

from __future__ import annotations

import click

OK = 0
FAILED = 1
UNUSABLE = 2
OVER = 3

MEANINGS = {
    OK: "done; the answer is on standard output",
    FAILED: "something unforeseen went wrong, or it was broken off; lint: there are errors; "
    "queue approve: other words were typed; queue migrate: it failed and was rolled back",
    UNUSABLE: "the home, a file, an argument or a decision is not usable, or there is nothing to undo: a "
    "sentence on standard error says which, and no byte has changed",
    OVER: "report --enforce: over budget; stow: done, but not reset-safe; "
    "queue migrate: filed, and waiting for its ship task",
}


class Unusable(click.ClickException):
    """Ends the verb with exit code 2 and this sentence on standard error."""

    exit_code = UNUSABLE


def sentence(text: str) -> str:
    """``text`` on one line with a full stop, as errors are said."""
    said = " ".join(text.split())
    return said if said.endswith((".", "?", "!", "…")) else f"{said}."
