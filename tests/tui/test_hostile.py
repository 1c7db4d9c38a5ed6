"""One hostile memory, and every screen that shows it: nothing of it acts, crashes or reaches the terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import AsyncIterator, Sequence
from datetime import date
from itertools import cycle
from pathlib import Path

import pytest
from hostile import PAYLOADS, safe
from repositories import init
from textual.widgets import OptionList
from view_pilot import Reader, lay, reading

from floppy_tui.offload.proposal import Approval, Proposal, State
from floppy_tui.offload.queue import EMPTY, put, read_queue
from floppy_tui.text.lines import decode, encode
from floppy_tui.tiers.decisions import Move
from floppy_tui.tiers.document import Entry
from floppy_tui.tui.screens.offload import OffloadView

ITEMS = [b"- " + payload + b" (%d)" % n for n, payload in enumerate(PAYLOADS)]
MARKED = [item + b" <!--a:2026-08-01-->" for item in ITEMS]
LOOKALIKE = b"- malformed [/foo] <!-- a: 2026-02-30 [@click=app.quit]x[/] -->\n"
HOSTILE = {
    "config/startup-memory-budget": b"100\n",
    "data/captain.md": b"# [/foo] \x1b]0;title\x07\n\n" + b"\n".join(ITEMS[:4]) + b"\n",
    "data/captain-shared.md": b"[/foo] \xe2\x80\xae shared\n",
    "data/learnings.md": b"# Learnings\n\n## [@click=app.quit]x[/] \x1b[2J\n\n"
    + b"\n".join(MARKED)
    + b"\n"
    + LOOKALIKE,
    "data/memory-archive.md": b"## 2026-08-08 [/foo] \x1b[2J\n\n"
    + b"\n".join(
        b"- (from [/foo]\x1b.md, tier: [@click=app.quit]x[/], reinforced: never) "
        + payload
        + b" [archived: [/foo] \x1b]52;c;x\x07]"
        for payload in PAYLOADS
    )
    + b"\n",
}


@pytest.fixture(params=[(80, 24), (160, 50)], ids=["narrow", "wide"])
async def reader(request: pytest.FixtureRequest, tmp_path: Path, today: date) -> AsyncIterator[Reader]:
    """The person at a hostile home in a hostile directory."""
    home = lay(tmp_path / "[@click=app.quit]x[/] \x1b]0;t\x07", HOSTILE)
    async with reading(home, today, request.param) as reader:
        yield reader


async def test_the_memory_view(reader: Reader) -> None:
    safe(reader)
    await reader.press("enter")
    for raw in (False, True):
        for _ in range(len(reader.rows.source)):
            safe(reader)
            await reader.press("j")
        await reader.press("g", *(() if raw else ("v",)))
    for _ in range(4):
        await reader.press("o")
        safe(reader)
    await reader.press("slash")
    await reader.type("[/foo] tier:[x]")
    safe(reader)


async def test_the_archive_view_and_the_restore_dialog(reader: Reader) -> None:
    await reader.press("2", "enter")
    for _ in range(len(reader.rows.source)):
        safe(reader)
        await reader.press("j")
    for _ in range(4):
        await reader.press("o")
        safe(reader)
    await reader.press("R")
    await reader.type("[/foo] said so")
    safe(reader)
    await reader.press("escape", "slash")
    await reader.type("/[/")
    safe(reader)


def hostile_queue(entries: Sequence[Entry]) -> bytes:
    """A queue whose proposals, one in each state or more, are hostile in every field."""
    queue = read_queue(EMPTY)
    states = cycle(State)
    for n, (entry, payload) in enumerate(zip(entries, PAYLOADS, strict=False), 1):
        said = decode(payload)
        move = Move(said, said if n % 2 else f"skill-{n}", said, said)
        proposal = Proposal(
            id=f"p{n}",
            entry=entry.id,
            file=entry.file,
            first_line=said,
            tokens=n,
            move=move,
            warning=said,
            state=next(states),
            note=said,
            task=said,
            proposed=said,
            quote=entry.prose if n % 3 else f"{entry.prose} {said}",
        )
        approval = Approval(said, said, said, proposal.seal)
        queue = put(queue, proposal.with_(approval=approval))
    return encode(queue.text)


async def test_the_offload_view_and_its_dialogs(reader: Reader) -> None:
    init(reader.home)
    note = reader.home / "data/[@click=app.quit]x \x1b[2J.md"
    note.write_text('---\ndescription: "[/foo] \u202e when \\e[2J"\n---\n')
    assert reader.app.snapshot is not None
    (reader.home / "data/offload-proposals.md").write_bytes(hostile_queue(reader.app.snapshot.entries))
    await reader.press("3")
    view = reader.view
    assert isinstance(view, OffloadView)
    await reader.until(lambda: view.look is not None and not view.looking)
    assert view.look is not None and len(view.look.proposals) == len(PAYLOADS)
    if not reader.app.screen.has_class("-wide"):
        await reader.press("enter")
    keys = {"a": "approve", "e": "edit", "x": "reject", "d": "defer", "m": "migrate", "p": "propose"}
    keys["R"] = "repropose"
    for _ in range(len(view.rows.source)):
        await reader.until(lambda: not view.rows.key.startswith("p:") or view.rows.key in view.previews)
        safe(reader)
        for key in [key for key, name in keys.items() if not view.why_not(name)]:
            await reader.press(key)
            assert len(reader.app.screen_stack) > 1
            safe(reader)
            del keys[key]
            await reader.press("escape")
        await reader.press("j")
    assert not keys
    await reader.press("slash")
    await reader.type("to:[/foo] state:[x]")
    safe(reader)


async def test_help_palette_addresses_and_what_is_said(reader: Reader) -> None:
    await reader.press("question_mark")
    safe(reader)
    await reader.press("escape", "ctrl+p")
    await reader.type("[/foo]")
    safe(reader)
    await reader.press("escape")
    reader.app.say("[/foo] [@click=app.quit]x[/] \x1b[2J \udcff")
    reader.app.ask_to_open(["http://a.test/[/foo]", "javascript:alert(1)", "http://a\u202e.test"])
    await reader.settle()
    safe(reader)
    offered = reader.app.screen.query_one(OptionList).options
    assert [str(option.prompt) for option in offered] == ["http://a.test/[/foo]"]


async def test_no_click_on_the_text_does_anything(reader: Reader) -> None:
    await reader.press("enter", "j", "j")
    width, height = reader.app.size
    for y in range(1, height - 1, 2):
        for x in (3, 30, width - 20):
            await reader.pilot.click(offset=(x, y))
    await reader.settle()
    assert reader.app.is_running and len(reader.app.screen_stack) <= 2
    safe(reader)


async def test_copying_gives_the_terminal_no_escapes(reader: Reader) -> None:
    for _ in range(len(reader.rows.source)):
        await reader.press("y", "j")
        assert all(c in "\n\t" or unicodedata.category(c) not in {"Cc", "Cs"} for c in reader.app.clipboard)


async def test_the_wizard_opens_on_it(reader: Reader) -> None:
    await reader.press("s")
    for _ in range(11):
        safe(reader)
        await reader.press("right_square_bracket")
