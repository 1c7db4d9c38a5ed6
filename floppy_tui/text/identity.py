"""The identity of a statement: the same words give the same id, whatever their spacing or case."""

from __future__ import annotations

import hashlib

from floppy_tui.text.lines import encode, readable

ID_LENGTH = 12


def fold(statement: str) -> str:
    """``statement`` with white space folded to single spaces, case folded, bad bytes as U+FFFD."""
    return " ".join(readable(statement).casefold().split())


def identity(statement: str) -> str:
    """12 hex digits of the SHA-256 over the folded ``statement`` (markers already removed)."""
    return hashlib.sha256(fold(statement).encode("utf-8")).hexdigest()[:ID_LENGTH]


def digest(data: bytes | str) -> str:
    """The full SHA-256 in hex of bytes (or of a text's own bytes): equal only to the byte."""
    return hashlib.sha256(encode(data) if isinstance(data, str) else data).hexdigest()
