"""``entries``: the stable JSON, any file by itself, and hostile text made harmless."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from case_files import Expected, memory_files, name_of
from click.testing import Result

Run = Callable[..., Result]
Complained = Callable[[Result], str]

KEYS = ["id", "file", "kind", "tier", "explicit", "reinforced", "passes", "age_days", "stale"]
KEYS += ["stale_in_days", "tokens", "lines", "heading", "editable", "prose", "findings"]


def entries(result: Result) -> list[dict[str, Any]]:
    """The entries that were printed as JSON, every one with exactly the stable keys."""
    found: list[dict[str, Any]] = json.loads(result.stdout_bytes.decode())
    assert all(list(entry) == KEYS for entry in found)
    return found


@pytest.mark.parametrize("case", memory_files(), ids=lambda case: name_of(case.path))
def test_a_case_is_read_by_itself(run: Run, case: Expected) -> None:
    before = case.path.read_bytes()
    result = run("entries", "--file", case.path, "--default", case.default, "--json")
    pairs = zip(entries(result), case.entries, strict=True)
    assert [{key: entry[key] for key in wanted} for entry, wanted in pairs] == case.entries
    assert (result.exit_code, result.stderr) == (0, "")
    assert case.path.read_bytes() == before


def test_an_entry_says_where_it_stands(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "any name"
    path.write_bytes(
        b"# Title\n\n## Part\n- Old \xff fact.\n  More. <!--a:2026-09-01-->\n- New. <!--p:2026-09-25/2-->\n"
        b"- Odd. <!--a:2026-9-1-->\n"
    )
    old, new, odd = entries(run("entries", "--file", path, "--default", "aging", "--json"))
    assert re.fullmatch("[0-9a-f]{12}", old.pop("id"))
    assert old == {
        "file": str(path),
        "kind": "item",
        "tier": "aging",
        "explicit": True,
        "reinforced": "2026-09-01",
        "passes": 0,
        "age_days": 30,
        "stale": True,
        "stale_in_days": 0,
        "tokens": 14,
        "lines": [4, 5],
        "heading": ["Title", "Part"],
        "editable": True,
        "prose": "Old \ufffd fact.\nMore.",
        "findings": [],
    }
    assert (new["stale"], new["stale_in_days"], new["passes"]) == (False, 1, 2)
    assert (odd["tier"], odd["age_days"], odd["stale_in_days"]) == ("unmarked", None, None)
    (finding,) = odd["findings"]
    assert finding.keys() == {"rule", "line", "message", "repair"}
    assert (finding["line"], finding["repair"]) == (7, "<!--a:2026-09-01-->")


def test_the_name_says_the_default_where_nothing_else_does(run: Run, tmp_path: Path) -> None:
    for name, tier in (("captain.md", "pinned"), ("else.md", "unmarked")):
        (tmp_path / name).write_bytes(b"- A fact.\n")
        (entry,) = entries(run("entries", "--file", tmp_path / name, "--json"))
        assert entry["tier"] == tier


def test_a_file_with_conflicts_is_not_editable(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "learnings.md"
    path.write_bytes(b"- A fact.\n\n<<<<<<< ours\n- B.\n=======\n- C.\n>>>>>>> theirs\n")
    assert not any(e["editable"] for e in entries(run("entries", "--file", path, "--json")))


def test_a_file_that_is_none_is_refused(run: Run, tmp_path: Path, complained: Complained) -> None:
    (tmp_path / "link").symlink_to("captain.md")
    (tmp_path / "captain.md").touch()
    assert "does not exist" in complained(run("entries", "--file", tmp_path / "absent"))
    assert "symbolic link" in complained(run("entries", "--file", tmp_path / "link"))
    assert "directory" in complained(run("entries", "--file", tmp_path))


HOSTILE = "- \x1b]52;c;eA==\x07 \x9b31m \u202erm -rf\u2066 [bold]x[/foo] \u2028 \x7f end\udcff\n"


def test_nothing_printed_drives_a_terminal(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "learnings.md"
    path.write_bytes(HOSTILE.encode("utf-8", "surrogateescape"))
    result = run("entries", "--file", path)
    assert result.stdout.rstrip("\n").endswith(
        "␛]52;c;eA==␇ ⟨U+009B⟩31m ⟨U+202E⟩rm -rf⟨U+2066⟩ [bold]x[/foo] ⟨U+2028⟩ ␡ end\ufffd"
    )
    document = run("entries", "--file", path, "--json").stdout
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202a-\u202e\u2066-\u2069]", document)
    (entry,) = json.loads(document)
    assert entry["prose"] == HOSTILE.removeprefix("- ").rstrip("\n").replace("\udcff", "\ufffd")
