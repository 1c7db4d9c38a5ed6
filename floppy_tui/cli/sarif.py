"""Findings as a SARIF 2.1.0 log, which code hosts and editors show at their lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from floppy_tui import __version__
from floppy_tui.text.lines import readable

if TYPE_CHECKING:
    from floppy_tui.notes.findings import Finding
    from floppy_tui.notes.rules import Rule

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
BASE = "MEMORY"
"""What the paths are relative to: the memory directory."""
ABOVE = "REPOSITORY"
"""What the settings and the layout are relative to: the repository whose memory it is."""
_ABOVE = (".floppy/", ".gitignore")
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def log(root: str, repository: str, rules: Mapping[str, Rule], findings: Sequence[Finding]) -> dict[str, Any]:
    """The log of one run over the memory directory at the address ``root`` (``file:///…/``).

    ``repository`` is the address of the repository that it belongs to, ``""`` where there is none.
    """
    bases = {BASE: {"uri": root}} | ({ABOVE: {"uri": repository}} if repository else {})
    places = {name: at for at, name in enumerate(rules)}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "floppy-tui",
                        "version": __version__,
                        "rules": [_rule(rule) for rule in rules.values()],
                    }
                },
                "originalUriBaseIds": bases,
                "columnKind": "unicodeCodePoints",
                "results": [_result(finding, places) for finding in findings],
            }
        ],
    }


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.name,
        "shortDescription": {"text": rule.words},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _result(finding: Finding, places: Mapping[str, int]) -> dict[str, Any]:
    base = ABOVE if finding.path.startswith(_ABOVE) else BASE
    where: dict[str, Any] = {
        "artifactLocation": {"uri": quote(finding.path, errors="surrogateescape"), "uriBaseId": base}
    }
    if finding.line:
        where["region"] = {"startLine": finding.line}
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": places[finding.rule],
        "level": _LEVELS[finding.severity],
        "message": {"text": readable(finding.message)},
        "locations": [{"physicalLocation": where}],
    }
    if finding.repair:
        result["properties"] = {"repair": finding.repair}
    return result
