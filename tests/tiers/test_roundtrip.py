"""Whatever the bytes, a reading keeps them, and its entries stand on lines of their own."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from strategies import ANY_BYTES, memory_texts

from floppy_tui.text.lines import encode
from floppy_tui.tiers.document import Document
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.reading import read_document

DEFAULTS = st.sampled_from([Tier.PINNED, Tier.AGING])
FILE = "data/learnings.md"


def shape(document: Document) -> list[tuple[object, ...]]:
    """What a reading says of each entry, apart from its bytes."""
    return [
        (e.id, e.lines, e.own, str(e.kind), str(e.tier), e.explicit, e.reinforced, e.passes, e.heading)
        for e in document.entries
    ]


@given(ANY_BYTES, DEFAULTS)
def test_bytes_come_back(data: bytes, default: Tier) -> None:
    assert encode(read_document(data, FILE, default).text) == data


@given(ANY_BYTES, DEFAULTS)
def test_reading_is_deterministic(data: bytes, default: Tier) -> None:
    assert read_document(data, FILE, default) == read_document(data, FILE, default)


@given(ANY_BYTES, DEFAULTS)
def test_entries_have_lines_of_their_own(data: bytes, default: Tier) -> None:
    document = read_document(data, FILE, default)
    count = len(document.lines)
    taken: set[int] = set()
    for entry in document.entries:
        first, last = entry.lines
        assert 1 <= first <= last <= count
        assert entry.own, "an entry without a line of its own"
        for start, end in entry.own:
            assert first - 1 <= start < end <= last
            lines = set(range(start, end))
            assert not lines & taken, "a line that two entries own"
            taken |= lines
    firsts = [entry.lines[0] for entry in document.entries]
    assert firsts == sorted(firsts)


@given(ANY_BYTES, DEFAULTS)
def test_entries_know_themselves(data: bytes, default: Tier) -> None:
    document = read_document(data, FILE, default)
    for entry in document.entries:
        assert re.fullmatch("[0-9a-f]{12}", entry.id)
        assert entry.file == FILE
        assert entry.tokens == -(-len(encode(document.piece(entry.own))) // 3)
        assert entry.explicit == (entry.mark is not None and entry.mark.marker is not None)
        assert entry.passes == 0 or entry.explicit
        assert entry.reinforced is None or entry.tier in (Tier.AGING, Tier.PERISHABLE)
        if not entry.explicit:
            assert entry.tier is (Tier.PINNED if default is Tier.PINNED else Tier.UNMARKED)
        for mark in entry.marks:
            assert document.text[mark.start : mark.end] == mark.text
    for finding in document.findings:
        assert 1 <= finding.line <= max(1, len(document.lines))
        assert finding.entry is None or 0 <= finding.entry < len(document.entries)


@given(memory_texts(), DEFAULTS)
def test_line_ends_and_byte_order_mark_change_no_reading(text: str, default: Tier) -> None:
    plain = read_document(text.encode(), FILE, default)
    crlf = read_document(text.replace("\n", "\r\n").encode(), FILE, default)
    marked = read_document(b"\xef\xbb\xbf" + text.encode(), FILE, default)
    assert shape(crlf) == shape(plain)
    assert shape(marked) == shape(plain)
