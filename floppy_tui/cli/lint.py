"""``lint``: what is wrong in a note tree, for people, for scripts and for code hosts."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from floppy_tui.cli import exits
from floppy_tui.cli.exits import Unusable
from floppy_tui.cli.options import chosen, home_and_json, today, working_directory
from floppy_tui.cli.output import say, say_json
from floppy_tui.text.words import counted

if TYPE_CHECKING:
    from floppy_tui.notes.findings import Finding
    from floppy_tui.notes.lint import Summary

SIGNS = {"error": "x", "warning": "!", "info": "i"}
"""What stands before a finding of each severity."""


@click.command()
@click.argument("path", required=False)
@home_and_json
@click.option("--sarif", is_flag=True, help="Answer as a SARIF 2.1.0 log.")
@click.option("--rules", is_flag=True, help="List the rules instead, with their severities.")
def command(home: str | None, as_json: bool, path: str | None, sarif: bool, rules: bool) -> int:
    """Check the note tree at PATH (else the home's, else the nearest one): exit 1 where there are errors.

    A rule is a rule: no severity can be changed.
    """
    if as_json and sarif:
        raise Unusable("Ask for --json or for --sarif, not for both.")
    if path is not None and home is not None:
        raise Unusable("Name the directory once: as PATH or with --home.")
    if rules:
        return _rules(as_json)
    from floppy_tui.notes.lint import lint, summarize
    from floppy_tui.store.note_tree import open_tree

    today()
    place = Path(path) if path else chosen(home) or _from_environment()
    store = open_tree(place, env=os.environ, cwd=working_directory())
    tree = store.read()
    findings = lint(tree)
    summary = summarize(tree, findings)
    if sarif:
        from floppy_tui.cli.sarif import log
        from floppy_tui.notes.rules import RULES

        above = store.home.repository
        repository = f"{above.as_uri()}/" if above is not None else ""
        say_json(log(f"{store.home.root.as_uri()}/", repository, RULES, findings))
    elif as_json:
        say_json({"summary": summary._asdict(), "findings": [as_object(f) for f in findings]})
    else:
        say("\n".join((*_lines(findings), closing(summary))))
    return exits.FAILED if summary.errors else exits.OK


def _from_environment() -> Path | None:
    named = os.environ.get("FM_HOME")
    return Path(named) if named else None


def as_object(finding: Finding) -> dict[str, Any]:
    """A finding as JSON: no line where it is about a whole file, no repair where a judgment is needed."""
    return {
        "rule": finding.rule,
        "severity": str(finding.severity),
        "path": finding.path,
        "line": finding.line or None,
        "message": finding.message,
        "repair": finding.repair or None,
    }


def _lines(findings: Sequence[Finding]) -> Iterator[str]:
    for finding in findings:
        where = f"{finding.path}:{finding.line}" if finding.line else finding.path
        yield f"{SIGNS[finding.severity]} {where}: {finding.message} [{finding.rule}]"


def closing(summary: Summary) -> str:
    """The last line: how it stands, and what was counted."""
    checked = (
        f"{counted(summary.notes, 'note')}, {counted(summary.pointers, 'pointer')} across "
        f"{counted(summary.indexes, 'index', 'indexes')}"
    )
    foreign = [
        f"{number} in {scope}/"
        for scope, number in (("private", summary.private), ("common", summary.common))
        if number
    ]
    also = f"; also checked: {', '.join(foreign)}" if foreign else ""
    warned = f", {counted(summary.warnings, 'warning')}" if summary.warnings else ""
    state = counted(summary.errors, "error") if summary.errors else "clean"
    return f"{state}{warned}: {checked}{also}"


def _rules(as_json: bool) -> int:
    from floppy_tui.notes.profiles import Profile
    from floppy_tui.notes.rules import RULES

    if as_json:
        say_json(
            [
                {
                    "rule": rule.name,
                    "severity": str(rule.severity),
                    "auto_memory": str(rule.severity_in(Profile.AUTO)),
                    "words": rule.words,
                    "repair": rule.repair or None,
                }
                for rule in RULES.values()
            ]
        )
        return exits.OK
    width = max(map(len, RULES))
    for rule in RULES.values():
        other = rule.severity_in(Profile.AUTO)
        severity = str(rule.severity) if other is rule.severity else f"{rule.severity}/{other}"
        say(f"{rule.name:{width}}  {severity:13}  {rule.words}")
    return exits.OK
