"""Making hidden characters visible, and escaping them in JSON without changing what it says."""

from __future__ import annotations

import json
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from floppy_tui.text.lines import readable
from floppy_tui.text.visible import escaped, visible

ANY = st.text(st.characters(exclude_categories=()))
BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


@given(ANY)
def test_nothing_that_drives_a_terminal_is_left(text: str) -> None:
    seen = visible(text, keep="\n")
    assert not any(c in BIDI or (unicodedata.category(c) in ("Cc", "Cs") and c != "\n") for c in seen)
    assert visible(seen, keep="\n") == seen


@given(ANY)
def test_json_says_the_same_in_valid_utf8(text: str) -> None:
    document = escaped(json.dumps([text], ensure_ascii=False, indent=2))
    assert json.loads(document.encode()) == [readable(text)]
    assert not any(c in BIDI or (unicodedata.category(c) == "Cc" and c != "\n") for c in document)


def test_words_of_any_script_stay() -> None:
    plain = "naïve Łęgowo Θαλασσινή 🧊 日本 العربية ' \" \\"
    assert visible(plain) == plain
    assert visible("\x1b\x7f\x9b\u202e\udcff\U000e0041") == "␛␡⟨U+009B⟩⟨U+202E⟩\ufffd⟨U+E0041⟩"
