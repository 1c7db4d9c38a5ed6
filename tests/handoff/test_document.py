"""Reading a decisions document: every kind, and the path and reason of every fault."""

from __future__ import annotations

import json
from typing import Any

import pytest

from floppy_tui.handoff.document import (
    LATER,
    Archive,
    ArchiveSection,
    BadDocument,
    Condition,
    Keep,
    Merge,
    Reinforce,
    Retier,
    Rewrite,
    TakeAsOne,
    read_decisions,
)

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
    )


def test_a_byte_order_mark_is_no_part_of_it() -> None:
    assert read_decisions(b"\xef\xbb\xbf" + spelled()).decisions == ()


GOOD = {"do": "keep", "entry": "a"}
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


@pytest.mark.parametrize("kind", LATER)
def test_what_comes_later_is_known_and_refused(kind: str) -> None:
    with pytest.raises(BadDocument, match=f"`{kind}` comes in a later release") as caught:
        read_decisions(spelled(GOOD, {"do": kind, "entry": "a", "text": "b"}))
    assert caught.value.path == "$.decisions[1].do"
