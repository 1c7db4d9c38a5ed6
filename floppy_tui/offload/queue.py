"""The queue of proposals as text: Markdown that a person reads and edits, and that comes back to the byte.

A proposal is a block from its heading ``## p1 · <first line>`` to the next heading of that level or above.
In it stand field lines (``- trigger: …``), in any order, and the quote, once to be read (``> …`` below
``- quote:``) and once to be exact (``- exact:`` in base64, with its SHA-256). All other lines are anybody's
and are never touched. The text survives a backlog tool that folds line ends, blank lines and bad bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from floppy_tui.offload.proposal import Proposal
from floppy_tui.offload.queue_block import Block, block_lines, headed, read_block, rewritten
from floppy_tui.text.lines import bare, main_eol, split_lines

EMPTY = """\
# Offload proposals
<!-- ids given so far: 0 -->

Each proposal below would move one entry of the memory to another owner, which is read only when its trigger
comes up. Nothing moves by itself. The captain approves one proposal at a time, by typing the name of its
destination in the offload view of floppy-tui or at `floppy-tui queue approve <id>`; a state that is edited
here approves nothing. Notes between the lines are kept.
"""
_GIVEN = re.compile(r"<!-- ids given so far: ([0-9]{1,12}) -->")
_ID = re.compile(r"p[1-9][0-9]{0,11}")
_HIGHEST = 10**9
"""A higher number was not given by us, and is not counted on from."""
_ENDS = re.compile(r"##?(?:[ \t]|$)")


@dataclass(frozen=True)
class Queue:
    """One reading of the queue's text."""

    text: str
    proposals: tuple[Proposal, ...]
    """In the order of the text, each id once."""
    problems: tuple[str, ...]
    """What is wrong with the text itself, each as a sentence."""

    def proposal(self, id: str) -> Proposal | None:
        """The proposal with this id."""
        return next((p for p in self.proposals if p.id == id), None)


def read_queue(text: str) -> Queue:
    """Read the queue, whatever its text; each quote is checked against its SHA-256."""
    found: dict[str, Proposal] = {}
    problems: list[str] = []
    for block in _blocks(text):
        if block.id not in found:
            found[block.id] = read_block(block)
            continue
        problem = f"{block.id} stands in the queue twice: take one of the two blocks out."
        if problem not in problems:
            problems.append(problem)
        found[block.id] = found[block.id].with_(problem=problem)
    return Queue(text, tuple(found.values()), tuple(problems))


def put(queue: Queue, proposal: Proposal) -> Queue:
    """The queue with ``proposal`` in it: only its own field lines change, or a block is added at the end.

    Nothing changes where it says already what the proposal says. Raises ``ValueError`` for an id that is
    none.
    """
    if not _ID.fullmatch(proposal.id):
        raise ValueError(f"“{proposal.id}” is no id of a proposal.")
    if queue.proposal(proposal.id) == proposal:
        return queue
    lines = split_lines(queue.text if queue.text.strip() else EMPTY)
    block = next((block for block in _blocks(queue.text) if block.id == proposal.id), None)
    if block is not None:
        lines[block.start : block.start + len(block.lines)] = rewritten(block, proposal)
        return read_queue("".join(lines))
    eol = main_eol(queue.text)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += eol
    if lines and bare(lines[-1]).strip(" \t"):
        lines.append(eol)
    lines.extend(line + eol for line in block_lines(proposal))
    return read_queue("".join(_with_given(lines, int(proposal.id[1:]))))


def next_id(queue: Queue) -> str:
    """An id that no proposal of this queue has or ever had."""
    given = [int(match[1]) for line in split_lines(queue.text) if (match := _GIVEN.fullmatch(bare(line)))]
    there = {int(block.id[1:]) for block in _blocks(queue.text)}
    number = max((0, *(n for n in (*given, *there) if n < _HIGHEST))) + 1
    while number in there:
        number += 1
    return f"p{number}"


def _with_given(lines: list[str], number: int) -> list[str]:
    """``lines`` with the highest number given noted in the head, so that no block taken out frees its id."""
    for at, line in enumerate(lines):
        if match := _GIVEN.fullmatch(bare(line)):
            if int(match[1]) < number:
                lines[at] = line.replace(match[0], f"<!-- ids given so far: {number} -->", 1)
            return lines
    at = 1 if lines and re.match(r"#[ \t]", lines[0]) else 0
    lines.insert(at, f"<!-- ids given so far: {number} -->{main_eol(''.join(lines))}")
    return lines


def _blocks(text: str) -> Iterator[Block]:
    """The blocks of the proposals in a text, as they stand."""
    lines = split_lines(text)
    heads = [at for at, line in enumerate(lines) if _ENDS.match(bare(line))]
    for start, end in zip(heads, [*heads[1:], len(lines)], strict=False):
        if found := headed(lines[start]):
            yield Block(found[0], start, found[1], tuple(lines[start:end]))
