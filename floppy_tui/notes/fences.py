"""Code that is begun in a text and never ended, so that nothing can be written below it."""

from __future__ import annotations

import re

_OPENING = re.compile(r"[ \t>*+\-0-9.)]*(?P<fence>`{3,}|~{3,})")


def unclosed(span: str) -> bool:
    """Whether ``span``, one of ``code_spans``, is a fence that only the end of the text ends."""
    opening = _OPENING.match(span)
    if opening is None:
        return False
    fence = opening["fence"]
    if "\n" not in span:
        return not span.endswith(fence, opening.end())
    last = span.rstrip().rpartition("\n")[2].strip(" \t>\r")
    return not last or set(last) != {fence[0]} or len(last) < len(fence) or "\n" not in span.rstrip()
