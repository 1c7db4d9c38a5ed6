"""Measured tokens: only from what lies on this disk, and of any text."""

from __future__ import annotations

import hashlib
import socket
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from floppy_tui.store import tokens
from floppy_tui.store.tokens import OFFLINE, Measured, measure


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any, **__: Any) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "getaddrinfo", refused)
    monkeypatch.setattr(socket.socket, "connect", refused)


def test_each_text_is_counted_by_itself(tmp_path: Path) -> None:
    env = {"TIKTOKEN_CACHE_DIR": str(tmp_path)}
    assert measure([b"hello world", b"hello"], env=env) == Measured(3, OFFLINE)
    assert measure([], env=env) == Measured(0, OFFLINE)


def test_special_tokens_and_undecodable_bytes_are_text() -> None:
    measured = measure([b"<|endoftext|>", b"\xff\xfe"], encoding=OFFLINE)
    assert measured is not None
    assert measured.tokens > 4


@pytest.mark.parametrize("name", ["TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"])
def test_the_better_encoding_counts_only_where_it_lies_sound(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cached = tmp_path / hashlib.sha1(tokens._URL.encode()).hexdigest()
    asked = []

    def encoding(name: str) -> tiktoken.Encoding:
        asked.append(name)
        return tiktoken.Encoding(name, pat_str=".", mergeable_ranks={b"a": 0}, special_tokens={})

    monkeypatch.setattr(tiktoken, "get_encoding", encoding)
    env = {name: str(tmp_path)}
    assert measure([b"aa"], encoding="o200k_base", env=env) is None
    cached.write_bytes(b"cut short")
    assert measure([b"aa"], env=env) == Measured(2, OFFLINE)
    assert cached.read_bytes() == b"cut short"
    monkeypatch.setattr(tokens, "_SHA256", hashlib.sha256(b"cut short").hexdigest())
    assert measure([b"aa"], env=env) == Measured(2, "o200k_base")
    assert asked == [OFFLINE, "o200k_base"]


def test_what_would_need_the_network_is_not_asked_for() -> None:
    assert measure([b"text"], encoding="cl100k_base") is None
    assert measure([b"text"], encoding="no_such") is None


PARTS = ["word ", "x\n", "\n\n", "/a\n", "- item\n", "  \n", "漢字", "!?\n", "it's\n"]


@given(st.lists(st.sampled_from(PARTS)))
def test_cutting_a_long_text_changes_no_count(parts: list[str]) -> None:
    text = "".join(parts)
    table = tiktoken.get_encoding(OFFLINE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens, "_PIECE", 16)
        pieces = list(tokens._pieces(text))
    assert "".join(pieces) == text
    joints = [(one[-1], two[0]) for one, two in pairwise(pieces)]
    if all(end == "\n" and not start.isspace() and start != "/" for end, start in joints):
        assert sum(len(table.encode_ordinary(p)) for p in pieces) == len(table.encode_ordinary(text))


@pytest.mark.parametrize("letter", ["a", " ", "=", "\n", "漢"])
def test_a_line_of_a_megabyte_is_measured(letter: str) -> None:
    measured = measure([(letter * 1_000_000).encode()], encoding=OFFLINE)
    assert measured is not None
    assert measured.tokens > 1000
