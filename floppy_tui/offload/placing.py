"""A quote in a file that takes it in: whether it is there, and how it is put there."""

from __future__ import annotations


def holds(text: str, quote: str) -> bool:
    """Whether ``text`` holds ``quote`` as contiguous lines, to the byte but for line ends."""
    raise NotImplementedError


def added(text: str, path: str, quote: str) -> str:
    """``text`` of the file at ``path`` with ``quote`` after a blank line at its end.

    Raises ``ValueError`` with a sentence where it would not be read as it stands.
    """
    raise NotImplementedError
