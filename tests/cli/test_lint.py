"""``lint``: for people, for scripts and for code hosts, with the exit codes that scripts rely on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from floppy_tui.cli.main import main
from floppy_tui.notes.profiles import Profile
from floppy_tui.notes.rules import RULES

CASES = Path(__file__).parent.parent / "cases"
CLEAN = CASES / "64-floppy-tree-with-halves" / ".agent-memory"
RED = CASES / "66-duplicate-dangling-orphan" / "memory"


def run(*arguments: str | Path, **env: str) -> Result:
    environment = {"FLOPPY_TODAY": "2026-10-01", "FM_HOME": ""} | env
    return CliRunner().invoke(main, ["lint", *map(str, arguments)], env=environment)


def test_a_clean_memory_passes_with_its_warnings_and_says_what_was_counted() -> None:
    done = run(CLEAN)
    assert done.exit_code == 0
    *findings, closing = done.output.splitlines()
    assert [line.split(" ")[0] for line in findings] == ["!", "!"]
    assert "mill/stone-gap.md:7: as_of is 2025-01-10, 629 days ago" in done.output
    assert closing == (
        "clean, 2 warnings: 4 notes, 7 pointers across 4 indexes; also checked: 1 in private/, 1 in common/"
    )


def test_errors_fail_it() -> None:
    done = run(RED)
    assert done.exit_code == 1
    assert "x MEMORY.md:9: There is no mill-tax.md" in done.output
    assert done.output.endswith("8 errors, 1 warning: 8 notes, 8 pointers across 1 index\n")


@pytest.mark.parametrize("form", ["--json", "--sarif"])
def test_no_such_memory_is_two_whatever_the_form(tmp_path: Path, form: str) -> None:
    done = run(tmp_path, form)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert str(tmp_path) in done.stderr
    (tmp_path / "quota.lock").write_text("chars_max=10\n")
    done = run(tmp_path, form)
    assert done.exit_code == 2
    assert str(tmp_path / "MEMORY.md") in done.stderr


def test_json_is_stable() -> None:
    found: dict[str, Any] = json.loads(run(RED, "--json").output)
    assert set(found) == {"summary", "findings"}
    assert found["summary"] == {
        "notes": 8,
        "pointers": 8,
        "indexes": 1,
        "private": 0,
        "common": 0,
        "errors": 8,
        "warnings": 1,
    }
    for finding in found["findings"]:
        assert list(finding) == ["rule", "severity", "path", "line", "message", "repair"]
        assert finding["rule"] in RULES
        assert finding["severity"] in ("error", "warning", "info")
    orphan = next(f for f in found["findings"] if f["rule"] == "note-without-pointer")
    assert (orphan["path"], orphan["line"]) == ("_draft.md", None)
    assert orphan["repair"]
    unknown = next(f for f in found["findings"] if f["rule"] == "type-unknown")
    assert (unknown["path"], unknown["line"], unknown["repair"]) == ("blank.md", 5, None)


def test_sarif_names_each_rule_and_each_place(tmp_path: Path) -> None:
    odd = "two words & größe.md"
    (tmp_path / "MEMORY.md").write_text(f"# Memory\n\n- [Odd](<{odd}>)\n")
    (tmp_path / odd).write_text("no front matter\n")
    done = run(tmp_path, "--sarif")
    assert done.exit_code == 1
    (log,) = json.loads(done.output)["runs"]
    rules = [rule["id"] for rule in log["tool"]["driver"]["rules"]]
    assert rules == list(RULES)
    assert log["originalUriBaseIds"]["MEMORY"]["uri"] == f"{tmp_path.as_uri()}/"
    found = {result["ruleId"]: result for result in log["results"]}
    assert found["no-front-matter"]["level"] == "error"
    place = found["no-front-matter"]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": "two%20words%20%26%20gr%C3%B6%C3%9Fe.md", "uriBaseId": "MEMORY"}
    pointer = found["pointer-not-literal"]["locations"][0]["physicalLocation"]
    assert pointer["region"] == {"startLine": 3}
    for result in log["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note")


def test_a_setting_is_placed_in_the_repository(tmp_path: Path) -> None:
    memory = tmp_path / ".agent-memory"
    memory.mkdir()
    (memory / "MEMORY.md").write_text("# Memory\n")
    (tmp_path / ".floppy").mkdir()
    (tmp_path / ".floppy/config").write_text("index_chars_max=many\n")
    (log,) = json.loads(run(tmp_path, "--sarif").output)["runs"]
    (found,) = [r for r in log["results"] if r["ruleId"] == "quota-not-a-number"]
    place = found["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": ".floppy/config", "uriBaseId": "REPOSITORY"}
    assert log["originalUriBaseIds"]["REPOSITORY"]["uri"] == f"{tmp_path.as_uri()}/"


def test_it_finds_the_memory_as_every_verb_finds_its_home(tmp_path: Path) -> None:
    for arguments, env in ((("--home", str(CLEAN)), {}), ((), {"FM_HOME": str(CLEAN)})):
        assert "4 notes" in run(*arguments, **env).output
    assert run(CLEAN, "--home", str(CLEAN)).exit_code == 2
    assert run(CLEAN, "--json", "--sarif").exit_code == 2


def test_a_hostile_note_drives_no_terminal(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text("- [A](a.md)\n")
    (tmp_path / "a.md").write_text("---\nname: \x1b]52;c;eA==\x07\u202e\ndescription: d\n---\n")
    for form in ((), ("--json",), ("--sarif",)):
        done = run(tmp_path, *form)
        assert done.exit_code == 1
        assert not set("\x1b\x07\u202e") & set(done.output)


def test_the_rules_are_listed_and_the_readme_has_a_note_for_each() -> None:
    listed = run("--rules").output
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    for rule in RULES.values():
        other = rule.severity_in(Profile.AUTO)
        severity = str(rule.severity)
        assert f"{rule.name} " in listed
        if other is not rule.severity:
            severity += f"; auto-memory: {other}"
        assert f"| `{rule.name}` | {severity} | {rule.words} {rule.repair} |" in readme
    as_json = json.loads(run("--rules", "--json").output)
    assert [rule["rule"] for rule in as_json] == list(RULES)
