"""The queue of proposals as text: Markdown that a person reads and edits, and that comes back to the byte."""

from __future__ import annotations

from dataclasses import dataclass

from floppy_tui.offload.proposal import Proposal

EMPTY = "# Offload proposals\n"


@dataclass(frozen=True)
class Queue:
    """One reading of the queue's text."""

    text: str
    proposals: tuple[Proposal, ...]
    problems: tuple[str, ...]
    """What is wrong with the text itself, each as a sentence."""


def read_queue(text: str) -> Queue:
    """Read the queue, whatever its text; each quote is checked against its SHA-256."""
    raise NotImplementedError


def put(queue: Queue, proposal: Proposal) -> Queue:
    """The queue with ``proposal`` in it: only its own field lines change, or a block is added at the end."""
    raise NotImplementedError


def next_id(queue: Queue) -> str:
    """An id that no proposal of this queue has or ever had."""
    raise NotImplementedError
