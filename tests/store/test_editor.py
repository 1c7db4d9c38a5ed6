"""The captain's editor is run with an argument list, at the line, and its failure is a sentence."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from floppy_tui.store.editor import edit, editor_command
from floppy_tui.store.files import StoreError
from floppy_tui.store.settings import Settings


@pytest.mark.parametrize(
    ("words", "command"),
    [
        (["vi"], ["vi", "+4", "/a b/c.md"]),
        (["/usr/bin/nano", "-w"], ["/usr/bin/nano", "-w", "+4", "/a b/c.md"]),
        (["hx"], ["hx", "/a b/c.md:4"]),
        (["code", "--wait"], ["code", "--wait", "--goto", "/a b/c.md:4"]),
        (["my-editor"], ["my-editor", "/a b/c.md"]),
    ],
)
def test_the_command_is_a_list_of_arguments(words: list[str], command: list[str]) -> None:
    assert editor_command(words, Path("/a b/c.md"), 4) == command


def test_the_editor_writes_the_file(tmp_path: Path) -> None:
    path = tmp_path / "learnings; touch evil.md"
    path.write_bytes(b"- old\n")
    script = tmp_path / "write.py"
    script.write_text("import sys; open(sys.argv[-1], 'ab').write(b'- new\\n')")
    edit(path, 1, Settings(), {"EDITOR": f"{sys.executable} {script}"})
    assert path.read_bytes() == b"- old\n- new\n" and not (tmp_path / "evil.md").exists()


def test_a_failure_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no-such-editor could not be run"):
        edit(tmp_path, 1, Settings(editor="no-such-editor"), {})
    with pytest.raises(StoreError, match="ended with exit code 3"):
        edit(tmp_path, 1, Settings(editor=f"{sys.executable} -c 'raise SystemExit(3)'"), {})
