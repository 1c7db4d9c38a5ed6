"""Untrusted text made harmless to look at: nothing in it drives a terminal, reorders a line or hides."""

from __future__ import annotations

import re

_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\uffff"
    "\ud800-\udfff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""What is invisible, changes the direction of text, ends a line unseen or talks to the terminal."""


def symbol(character: str) -> str:
    """What stands for a hidden ``character``: its control picture, U+FFFD for a stray byte, else its code."""
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if 0xD800 <= code <= 0xDFFF or code == 0xFFFD:
        return "\ufffd"
    if code == 0xFFFC:
        return character
    return f"⟨U+{code:04X}⟩"


def visible(text: str, keep: str = "") -> str:
    """``text`` with every hidden character replaced by something visible, but for those in ``keep``."""
    if text.isascii() and text.isprintable():
        return text
    return _HIDDEN.sub(lambda match: match[0] if match[0] in keep else symbol(match[0]), text)


def escaped(json: str) -> str:
    """The JSON document ``json`` with every hidden character in it as an escape; its value is the same.

    A lone surrogate becomes U+FFFD. ``json`` has no hidden character outside its strings but line ends.
    """
    if json.isascii() and "\x7f" not in json:
        return json
    return _HIDDEN.sub(_escape, json)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if match[0] == "\n":
        return "\n"
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    if code > 0xFFFF:
        code -= 0x10000
        return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
    return f"\\u{code:04x}"
