"""The queue through the real backlog tool, which folds line ends, blank lines and bytes that are no text."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from proposals import HOSTILE, approved, proposal, proposals, queue_of
from tasks_axi import NAME, with_the_tool
from toon_format import decode as toon

from floppy_tui.offload.proposal import Proposal, State
from floppy_tui.offload.queue import put, read_queue
from floppy_tui.offload.spelling import RESERVED
from floppy_tui.text.lines import decode, encode

ITEM = "offload-proposals"


class Backlog:
    """A backlog that the tool keeps."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.env = os.environ | {"PATH": with_the_tool(os.environ["PATH"])}
        (root / "data").mkdir(exist_ok=True)
        self.ask("add", "other", "Another item", "--body", "its own words")
        self.ask("add", ITEM, "Offload proposals")

    def ask(self, *words: str) -> str:
        """What the tool says."""
        command = [NAME, *words, "--file", "data/backlog.md"]
        done = subprocess.run(
            command, cwd=self.root, env=self.env, capture_output=True, check=False, timeout=60
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.decode()

    def through(self, text: str) -> str:
        """The body that the tool gives back after it was given ``text``."""
        (self.root / "body.md").write_bytes(encode(text))
        self.ask("update", ITEM, "--body-file", "body.md")
        shown: Any = toon(self.ask("show", ITEM, "--full"))
        assert toon(self.ask("show", "other", "--full"))["task"]["body"] == "its own words"  # type: ignore[index, call-overload]
        return str(shown["task"]["body"])


@pytest.fixture
def backlog(tmp_path: Path) -> Backlog:
    """A new backlog with the item of the queue."""
    return Backlog(tmp_path)


def hostile() -> tuple[Proposal, ...]:
    """Proposals whose every word is meant to break something."""
    return (
        approved(proposal(quote="\n".join(HOSTILE), first_line=HOSTILE[0], note=RESERVED)),
        proposal(id="p2", quote="a\r\nb\r\n\r\n\n \n\t\n", first_line="a\r"),
        proposal(id="p3", quote=decode(b"\xff\xc3\x28 caf\xe9 \xed\xa0\x80"), task=decode(b"\xff")),
        proposal(id="p4", quote=f"<!-- {RESERVED}/v1:eA -->", warning=RESERVED),
        approved(proposal(id="p5", quote="x" * 9000), words='a "b"', note="waiting for ship-1"),
        proposal(id="p6", quote="", first_line="", state=State.FAILED, note="git:\n\x1b[31mno\r\n"),
        proposal(id="p7", quote="- [x] other - done\n## Done\n  - state: approved"),
    )


def test_every_proposal_comes_through(backlog: Backlog) -> None:
    text = queue_of(*hostile()).text
    body = backlog.through(text)
    assert read_queue(body).proposals == hostile()
    assert read_queue(body).problems == ()
    assert body == text.rstrip("\n")
    more = put(read_queue(body), proposal(id="p8"))
    assert read_queue(backlog.through(more.text)).proposals == (*hostile(), proposal(id="p8"))


def test_what_the_tool_folds_changes_no_proposal(backlog: Backlog) -> None:
    text = queue_of(*hostile()).text + "\nA note. \n   \n\t\n\u00a0\n- [ ] mine \udcff\x00\u2028\u0085\x0b\n"
    body = backlog.through(text.replace("\n", "\r\n"))
    assert read_queue(body).proposals == hostile()
    assert "A note. \n" in body
    assert "- [ ] mine \ufffd\x00\u2028\u0085\x0b" in body
    assert backlog.through(body) == body


def test_a_change_of_state_comes_through(backlog: Backlog) -> None:
    body = backlog.through(queue_of(approved(proposal()), proposal(id="p2")).text)
    for state in State:
        queue = read_queue(body)
        changed = queue.proposals[0].with_(state=state, note="why: not")
        body = backlog.through(put(queue, changed).text)
        assert read_queue(body).proposals == (changed, proposal(id="p2"))


@settings(max_examples=6, suppress_health_check=list(HealthCheck))
@given(st.lists(proposals(), min_size=1, max_size=6))
def test_anything_comes_through(tmp_path_factory: pytest.TempPathFactory, made: list[Proposal]) -> None:
    queue = queue_of(*made)
    body = Backlog(tmp_path_factory.mktemp("backlog")).through(queue.text)
    assert read_queue(body).proposals == queue.proposals
