"""``report``: what the memory of a home costs, in the lines that the fleet's own helper prints.

It starts as often as an agent does, so it loads nothing that it does not need.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from floppy_tui.cli import exits
from floppy_tui.cli.options import chosen, home_and_json, working_directory
from floppy_tui.cli.output import complain, say_json, say_plain

if TYPE_CHECKING:
    from floppy_tui.store.accounting import Account

UNKNOWN = "unknown"
"""In a line: what could not be found out."""


@click.command()
@home_and_json
@click.option("--enforce", is_flag=True, help="Exit 3 when the memory is over budget.")
def command(home: str | None, as_json: bool, enforce: bool) -> int:
    """Print what the always-loaded memory costs, against the home's allowance."""
    from floppy_tui.store.accounting import account, find_home

    found = account(find_home(chosen(home), os.environ, working_directory()))
    if as_json:
        say_json(as_object(found))
    else:
        say_plain("\n".join(lines(found)))
    if not found.complete:
        for refused in found.exceptions:
            complain(refused.message)
        return exits.UNUSABLE
    return exits.OVER if enforce and found.over else exits.OK


def lines(account: Account) -> list[str]:
    """The lines of the report; ``unknown`` stands where the accounting could not run."""
    from floppy_tui.tiers.budget import ESTIMATOR

    return [
        f"estimator={ESTIMATOR}",
        f"role={account.role}",
        f"effective_budget_tokens={account.allowance.digits or UNKNOWN}",
        *(
            f"file={f.path} bytes={f.size} estimated_tokens={f.tokens} status={f.status}"
            for f in account.files
        ),
        f"total_estimated_tokens={account.total}",
        f"budget_status={account.status}",
        *(f"exception={refused.exception}" for refused in account.exceptions),
    ]


def as_object(account: Account) -> dict[str, Any]:
    """The same as one JSON object; an allowance that is no number fit for JSON is its digits."""
    from floppy_tui.tiers.budget import ESTIMATOR

    return {
        "estimator": ESTIMATOR,
        "role": account.role,
        "effective_budget_tokens": account.allowance.tokens or account.allowance.digits or None,
        "files": [
            {"file": f.path, "bytes": f.size, "estimated_tokens": f.tokens, "status": f.status}
            for f in account.files
        ],
        "total_estimated_tokens": account.total,
        "budget_status": account.status,
        "exceptions": [
            {"exception": refused.exception, "message": refused.message} for refused in account.exceptions
        ],
    }
