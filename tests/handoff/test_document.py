"""Reading a decisions document: every kind, and the path and reason of every fault."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest

from floppy_tui.handoff.document import (
    CAPTAINS,
    Add,
    Archive,
    ArchiveSection,
    BadDocument,
    Condition,
    Keep,
    MemoryFile,
    Merge,
    Offload,
    ProposeOffload,
    Record,
    Reinforce,
    Retier,
    Rewrite,
    Route,
    TakeAsOne,
    read_decisions,
)
from floppy_tui.tiers.layout import FILES

MOVE = {"trigger": "when the tide turns", "destination": ".agents/skills/tides/SKILL.md"}
SECTION = {"file": "data/learnings.md", "heading": ["Old port", "Rebuild"]}


def spelled(*decisions: Any, **fields: Any) -> bytes:
    return json.dumps({"version": 1, "decisions": decisions, **fields}).encode()


def test_every_kind_is_read() -> None:
    document = read_decisions(
        spelled(
            {"do": "reinforce", "entry": "a", "prose": "as read", "evidence": "a task hit it"},
            {"do": "archive", "entry": "a", "reason": "superseded by b"},
            {"do": "retier", "entry": "a", "tier": "aging", "evidence": "seen"},
            {"do": "rewrite", "entry": "a", "text": "new"},
            {"do": "merge", "entries": ["a", "b"], "text": "both", "tier": "aging"},
            {"do": "condition", "entry": "a", "verdict": "open", "evidence": "looked"},
            {"do": "keep", "entry": "a", "reason": "in use"},
            {"do": "archive-section", **SECTION, "reason": "gone"},
            {"do": "take-as-one", **SECTION, "evidence": ""},
            {"do": "offload", "entry": "a", "prose": "as read", **MOVE, "privacy": "private: a name"},
            {"do": "propose-offload", "entry": "a", **MOVE, "description": "Use at the turn."},
            {"do": "add", "file": "data/learnings.md", "text": "new", "tier": "perishable", "evidence": "e"},
            {"do": "route", "text": "found", "owner": "project:berth.plan_2"},
            {"do": "record", "action": "file", "title": "Fix it", "body": "so", "blocked_by": ["x-1", "7"]},
            {"do": "record", "action": "leave", "id": "x-1", "judgment": "which port"},
            by="first mate",
            note="after the port",
        )
    )
    assert (document.by, document.note) == ("first mate", "after the port")
    assert document.decisions == (
        Reinforce(entry="a", prose="as read", evidence="a task hit it"),
        Archive(entry="a", reason="superseded by b"),
        Retier(entry="a", tier="aging", evidence="seen"),
        Rewrite(entry="a", text="new"),
        Merge(entries=("a", "b"), text="both", tier="aging"),
        Condition(entry="a", verdict="open", evidence="looked"),
        Keep(entry="a", reason="in use"),
        ArchiveSection(file="data/learnings.md", heading=("Old port", "Rebuild"), reason="gone"),
        TakeAsOne(file="data/learnings.md", heading=("Old port", "Rebuild")),
        Offload(entry="a", prose="as read", **MOVE, privacy="private: a name"),
        ProposeOffload(entry="a", **MOVE, description="Use at the turn.", privacy="private"),
        Add(file="data/learnings.md", text="new", tier="perishable", evidence="e"),
        Route(text="found", owner="project:berth.plan_2"),
        Record(action="file", title="Fix it", body="so", blocked_by=("x-1", "7")),
        Record(action="leave", id="x-1", judgment="which port"),
    )


def test_what_a_file_is_called_is_what_the_home_calls_it() -> None:
    assert get_args(MemoryFile) == FILES


@pytest.mark.parametrize("owner", ["project:x", "shared", "general", "task:7", "task:Ünï_c0de/x"])
def test_an_owner_is_one_of_the_four(owner: str) -> None:
    (act,) = read_decisions(spelled({"do": "route", "text": "t", "owner": owner})).decisions
    assert act == Route(text="t", owner=owner)


@pytest.mark.parametrize(
    "owner", ["", "project:", "project:a/b", "task:", "task:a b", "shared\n", "everybody", "entry:a"]
)
def test_another_owner_is_refused_with_the_four_that_there_are(owner: str) -> None:
    with pytest.raises(BadDocument, match="`project:<name>`, `shared`, `general` or `task:<id>`") as caught:
        read_decisions(spelled({"do": "route", "text": "t", "owner": owner}))
    assert caught.value.path == "$.decisions[0].owner"


def test_a_byte_order_mark_is_no_part_of_it() -> None:
    assert read_decisions(b"\xef\xbb\xbf" + spelled()).decisions == ()


GOOD = {"do": "keep", "entry": "a"}
PROPOSED = {"do": "propose-offload", "entry": "a", **MOVE}
ADDED = {"do": "add", "file": FILES[0], "text": "x", "tier": "aging"}
RECORD = {"do": "record", "action": "file", "id": "a"}
BAD = [
    (spelled(GOOD, {"do": "reinforce", "entry": "a"}), "$.decisions[1]", "evidence"),
    (spelled({"do": "keep", "entry": 7}), "$.decisions[0].entry", "expected `str`, got `int`"),
    (spelled({"do": "keep", "entry": ""}), "$.decisions[0].entry", "length >= 1"),
    (spelled({"do": "keep", "entry": "a", "evidnce": "x"}), "$.decisions[0]", "evidnce"),
    (spelled({"do": "burn", "entry": "a"}), "$.decisions[0].do", "burn"),
    (spelled({"entry": "a"}), "$.decisions[0]", "`do`"),
    (spelled({"do": "retier", "entry": "a", "tier": "grace"}), "$.decisions[0].tier", "grace"),
    (spelled({"do": "condition", "entry": "a", "verdict": "?"}), "$.decisions[0].verdict", "?"),
    (spelled({"do": "merge", "entries": ["a"], "text": "x"}), "$.decisions[0].entries", "length >= 2"),
    (spelled({"do": "take-as-one", "file": "f", "heading": []}), "$.decisions[0].heading", "length >= 1"),
    (spelled({"do": "offload", "entry": "a", "trigger": "t"}), "$.decisions[0]", "`destination`"),
    (spelled({"do": "offload", "entry": "a", **MOVE, "trigger": ""}), "$.decisions[0].trigger", ">= 1"),
    (spelled(PROPOSED | {"approval": "yes"}), "$.decisions[0]", "approval"),
    (spelled(PROPOSED | {"state": "approved"}), "$.decisions[0]", "state"),
    (spelled(ADDED | {"file": "data/notes.md"}), "$.decisions[0].file", "notes"),
    (spelled(ADDED | {"tier": "grace"}), "$.decisions[0].tier", "grace"),
    (spelled(ADDED | {"text": ""}), "$.decisions[0].text", ">= 1"),
    (spelled(RECORD | {"action": "burn"}), "$.decisions[0].action", "burn"),
    (spelled(RECORD), "$.decisions[0]", "to file needs its `title`"),
    (spelled(RECORD | {"action": "correct", "id": ""}), "$.decisions[0]", "needs its `id`"),
    (spelled(RECORD | {"action": "leave", "judgment": " "}), "$.decisions[0]", "`judgment`"),
    (spelled(RECORD | {"title": "t", "blocked_by": [""]}), "$.decisions[0].blocked_by[0]", "1"),
    (spelled(version=2), "$.version", "2"),
    (spelled(accept=["stale"]), "$", "accept"),
    (spelled(proposals=[]), "$.proposals", "only decisions"),
    (b'{"version": 1}', "$", "`decisions`"),
    (b"[]", "$", "expected `object`"),
    (b"", "$", "not JSON"),
    (b"\xff", "$", "not JSON"),
    (b'{"version": 1, "by": "\xff", "decisions": []}', "$", "not JSON"),
    (b'{"version": 1, "decisions": [{"do": "keep", "entry": "\\udc80"}]}', "$", "not JSON"),
    (spelled() + b" and more", "$", "not JSON"),
    (b"[" * 200_000, "$", ""),
]  # fmt: skip


@pytest.mark.parametrize("data, path, reason", BAD, ids=range(len(BAD)))
def test_a_fault_is_named_by_path_and_reason(data: bytes, path: str, reason: str) -> None:
    with pytest.raises(BadDocument) as caught:
        read_decisions(data)
    assert caught.value.path == path
    assert reason in caught.value.reason
    assert "\n" not in str(caught.value) and str(caught.value).endswith(".")


@pytest.mark.parametrize("kind", CAPTAINS)
def test_a_document_proposes_and_never_approves(kind: str) -> None:
    with pytest.raises(
        BadDocument, match=f"`{kind}` is the captain's own act .* can never approve"
    ) as caught:
        read_decisions(spelled(GOOD, {"do": kind, "entry": "a", "id": "p1", "words": "tides"}))
    assert caught.value.path == "$.decisions[1].do"
