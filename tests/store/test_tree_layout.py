"""Half-done stores are found by name: notes are written there that nothing will ever publish."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from note_trees import note
from repositories import commit, git, init, write

from floppy_tui.notes.findings import Finding, Severity
from floppy_tui.store.repository import Repository
from floppy_tui.store.tree_home import find_tree
from floppy_tui.store.tree_layout import by_hand, layout

MEMORY = {".agent-memory/MEMORY.md": "# Memory\n", ".agent-memory/rope.md": note("rope")}


@pytest.fixture
def code(tmp_path: Path) -> Path:
    root = init(tmp_path.resolve() / "code")
    write(root, {".floppy/config": "project_key=berth\n", **MEMORY})
    return root


def found(root: Path) -> tuple[Finding, ...]:
    return layout(find_tree(root, root))


def rules(root: Path) -> list[str]:
    return [finding.rule for finding in found(root)]


def test_a_memory_of_its_own_is_well(code: Path) -> None:
    assert found(code) == ()
    write(code, {".gitignore": "node_modules/\n*.pyc\n/.agent-memory/private/\n# .agent-memory\n"})
    assert found(code) == ()


@pytest.mark.parametrize(
    "line",
    [".agent-memory", "/.agent-memory/", "/.agent-memory", ".agent-*", "**/.agent-memory", "*.md", "*"],
)
def test_the_ignore_line_without_the_link(code: Path, line: str) -> None:
    write(code, {".gitignore": f"*.pyc\n{line}  \n"})
    (finding,) = found(code)
    assert (finding.rule, finding.severity, finding.path) == (
        "store-half-done",
        Severity.ERROR,
        ".floppy/config",
    )
    assert f".gitignore:2: {line}" in finding.message
    assert "nothing will ever publish" in finding.message


def test_what_is_tracked_already_hides_nothing(code: Path) -> None:
    commit(code, ".agent-memory")
    write(code, {".gitignore": "/.agent-memory\n"})
    assert Repository(code).check_ignore(".agent-memory/MEMORY.md")[1] is None
    assert rules(code) == ["store-half-done"]


def test_wherever_the_line_stands(code: Path, clean_environment: Path) -> None:
    write(code, {".git/info/exclude": ".agent-memory\n"})
    assert rules(code) == ["store-half-done"]
    write(code, {".gitignore": "!.agent-memory\n"})
    assert found(code) == ()
    write(code, {".gitignore": "", ".git/info/exclude": "", ".agent-memory/.gitignore": "*.md\n"})
    assert rules(code) == ["store-half-done"]
    (code / ".agent-memory/.gitignore").unlink()
    write(clean_environment, {".config/git/ignore": ".agent-memory\n"})
    assert rules(code) == ["store-half-done"]
    write(clean_environment, {".config/git/ignore": "", "mine": ".agent-memory\n"})
    assert found(code) == ()
    git(code, "config", "core.excludesFile", str(clean_environment / "mine"))
    assert rules(code) == ["store-half-done"]


def test_a_memory_below_the_top_of_the_repository(code: Path) -> None:
    inner = code / "packages/berth"
    write(inner, {".floppy/config": "", **MEMORY})
    assert found(inner) == ()
    write(code, {"packages/.gitignore": "/berth/.agent-memory\n"})
    assert rules(inner) == ["store-half-done"] and found(code) == ()


def test_without_git_the_line_is_read_by_hand(code: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(code))
    assert found(code) == ()
    write(code, {".gitignore": "/.agent-memory/\n"})
    (finding,) = found(code)
    assert ".gitignore:1: /.agent-memory/" in finding.message


def test_a_store_that_is_wired_is_well_though_the_link_is_ignored(code: Path, tmp_path: Path) -> None:
    store = init(tmp_path.resolve() / "store")
    (code / ".agent-memory").rename(store / "berth")
    (code / ".agent-memory").symlink_to(store / "berth")
    write(code, {".gitignore": "/.agent-memory\n"})
    assert found(code) == ()


@pytest.mark.parametrize("how", ["link", "absolute", "relative"])
def test_a_store_that_is_in_no_repository(code: Path, how: str) -> None:
    store = code.parent / "store/berth"
    store.parent.mkdir()
    (code / ".agent-memory").rename(store)
    if how == "link":
        (code / ".agent-memory").symlink_to(store)
    else:
        write(code, {".floppy/config": f"memory_dir={store if how == 'absolute' else '../store/berth'}\n"})
    (finding,) = found(code)
    assert (finding.rule, finding.severity) == ("store-outside-git", Severity.ERROR)
    assert str(store) in finding.message and finding.path == ".floppy/config"
    init(store.parent)
    assert found(code) == ()


def test_a_repository_of_notes_in_no_git_says_so_and_a_bare_tree_does_not(
    tmp_path: Path,
) -> None:
    write(tmp_path / "code", {".floppy/config": "", ".gitignore": ".agent-memory\n", **MEMORY})
    write(tmp_path / "auto", {"MEMORY.md": "# Memory\n"})
    write(tmp_path / "bare", {"MEMORY.md": "# Memory\n", "quota.lock": ""})
    assert [found(tmp_path / name) for name in ("auto", "bare")] == [(), ()]
    (finding,) = found(tmp_path / "code")
    assert finding.rule == "store-outside-git"


def test_what_is_no_rule_to_read_is_left_to_git(code: Path) -> None:
    (code / ".gitignore").mkdir()
    assert found(code) == ()


LINES = st.lists(
    st.one_of(
        st.sampled_from(
            ["", "#x", "!", "/", "**", "*.md", "!*.md", "mem/", "/mem", "!mem", "mem/**", "**/mem"]
        ),
        st.lists(
            st.sampled_from(
                ["mem", "deep", "*", "**", "/", "!", "?", "m*", "[m]em", "x.md", "\\m", "[!m]em"]
            ),
            min_size=1,
            max_size=5,
        ).map("".join),
    ),
    max_size=4,
)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = init(tmp_path_factory.mktemp("asked").resolve() / "code")
    (root / "deep/mem").mkdir(parents=True)
    return root


@given(top=LINES, inner=LINES)
def test_rules_read_by_hand_say_what_git_says(asked: Path, top: list[str], inner: list[str]) -> None:
    write(asked, {".gitignore": "\n".join(top), "deep/.gitignore": "\n".join(inner)})
    said = Repository(asked).check_ignore("deep/mem/x.md")[1]
    by_git = "" if said is None or said.negative else f"{said.source}:{said.line}"
    assert by_hand(asked, Path("deep/mem/x.md")).rpartition(": ")[0] == by_git
