"""A hostile note tree in every mode of the Notes view: nothing of it acts, crashes or drives the terminal."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import date
from pathlib import Path

import pytest
from hostile import PAYLOADS, safe
from notes_pilot import NotesReader, lay, notes_reading
from textual.widgets import OptionList

NAMES = ("[@click=app.quit]x[]", "[foo] \x1b[2J\u202e")
"""Names of directories and files."""
SAID = b" ".join(PAYLOADS)
FIELDS = b"\n".join(
    (
        b"---",
        b"name: [/foo] " + PAYLOADS[1],
        b"description: " + SAID,
        b"type: " + PAYLOADS[2],
        b"metadata:",
        b"  type: " + PAYLOADS[0],
        b"  evidence: " + PAYLOADS[4],
        b"  as_of: " + PAYLOADS[6],
        b"  \xe2\x80\xaekey: [@click=app.quit]x[/]",
        b"---",
        b"",
    )
)


def hostile_tree() -> dict[str, bytes]:
    """The files of the tree."""
    files = {"MEMORY.md": b"# " + SAID + b"\n\n"}
    for name in NAMES:
        files["MEMORY.md"] += b"- [" + PAYLOADS[2] + b"](<" + name.encode() + b"/INDEX.md>) \xe2\x80\x94 "
        files["MEMORY.md"] += SAID + b"\n- [lost [/foo]](gone-[/foo].md) \xe2\x80\x94 \x1b[31m\n"
        files[f"{name}/INDEX.md"] = b"- [" + PAYLOADS[1] + b"](<" + name.encode() + b".md>) " + SAID + b"\n"
        body = SAID + b"\n\n[[foo]] [[gone]] https://evil.test/[/foo]\n"
        files[f"{name}/{name}.md"] = FIELDS + body
        files[f"{name}/foo.md"] = (
            b"---\nname: foo\ndescription: [/foo]\n---\n[[" + name.encode() + b"]]\n" + body
        )
    files["quota.lock"] = b"half_chars_max.[/foo]\x1b[2J=1\nnote_chars_max=[@click=app.quit]1\nchars_max=9\n"
    return files


@pytest.fixture(params=[(80, 24), (160, 50)], ids=["narrow", "wide"])
async def reader(request: pytest.FixtureRequest, tmp_path: Path, today: date) -> AsyncIterator[NotesReader]:
    """The person at a hostile tree in a hostile directory."""
    root = lay(tmp_path / "[@click=app.quit]x[] \x1b]0;t\x07/.agent-memory", hostile_tree())
    beside = {
        ".floppy/config": b"memory_language=[/foo] \x1b[2J\n[@click=app.quit]=" + PAYLOADS[6] + b"\n",
        "docs/statuses/NOW.md": b"# " + SAID + b"\n\n## [/foo]\n\n" + SAID + b"\n",
    }
    lay(root.parent, beside)
    async with notes_reading(root, today, request.param) as reader:
        yield reader


async def walk(reader: NotesReader) -> int:
    """Look at each row and its detail; how many there were."""
    count = len(reader.rows.source)
    reader.rows.do_first()
    for _ in range(count):
        await reader.pilot.pause(0)
        safe(reader)
        reader.rows.do_down()
    return count


async def test_the_notes_and_their_links(reader: NotesReader) -> None:
    await reader.press("enter")
    assert await walk(reader) == 2 * len(NAMES)
    await reader.press("v")
    await walk(reader)
    await reader.press("y", "l")
    assert reader.app.screen.query_one(OptionList).option_count
    safe(reader)
    await reader.press("escape", "slash")
    await reader.type("rule:[")
    safe(reader)


async def test_the_index_the_findings_and_the_lines(reader: NotesReader) -> None:
    await reader.press("i", "enter")
    assert await walk(reader) > 3 * len(NAMES)
    await reader.press("f")
    assert await walk(reader) > 4 * len(NAMES)
    await reader.press("g", "enter")
    safe(reader)
    await reader.press("m")
    assert await walk(reader) > 2 * len(NAMES)
    await reader.press("S")
    assert await walk(reader) >= 4
    (reader.home / "new \x1b[2J[foo].md").write_bytes(SAID)
    reader.app.reread_tree()
    await reader.settle()
    safe(reader)
    assert reader.app.news
    for y in range(8, reader.app.size.height - 1, 12):
        await reader.pilot.click(offset=(30, y))
    await reader.settle()
    assert reader.app.is_running and len(reader.app.screen_stack) == 1
