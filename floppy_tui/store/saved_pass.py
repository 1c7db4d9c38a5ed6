"""The open pass between sessions, as JSON that holds any text a decision can hold."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import msgspec

from floppy_tui.tiers.decisions import Decision


class SavedPass(msgspec.Struct, frozen=True):
    """The open pass as it was left."""

    step: int
    decisions: tuple[Decision, ...]
    files: dict[str, str] = {}
    """SHA-256 of each memory file that the decisions were made on."""
    version: int = 1


def write_saved(step: int, decisions: Sequence[Decision], files: Mapping[str, str]) -> bytes:
    """The pass as the bytes of its file."""
    saved = SavedPass(step=step, decisions=tuple(decisions), files=dict(files))
    # The standard library's JSON holds lone surrogates, which stand for undecodable bytes.
    return json.dumps(msgspec.to_builtins(saved), indent=1).encode("ascii")


def read_saved(data: bytes) -> SavedPass | None:
    """The pass that the bytes of its file hold; None where they hold none."""
    try:
        return msgspec.convert(json.loads(data), type=SavedPass)
    except (ValueError, msgspec.ValidationError):
        return None
