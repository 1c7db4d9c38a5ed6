"""The blocks of a memory file with their line ranges, as CommonMark reads them.

markdown-it-py decides the structure; it is handed a copy of the text in which what is not CommonMark's
business is masked line for line: front matter, merge-conflict lines, contract comments, and the
characters that it would take for line ends. Only line numbers come back, so the text itself is never
re-rendered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from floppy_tui.text.lines import BOM, bare


class Shape(StrEnum):
    """What a block is; ``MASK`` is a structural line that was hidden from CommonMark."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    ITEM = "item"
    CODE = "code"
    TABLE = "table"
    QUOTE = "quote"
    HTML = "html"
    RULE = "rule"
    MASK = "mask"


@dataclass(slots=True)
class Block:
    """One block: its lines ``start:end`` (from 0, half open, no trailing blank lines) and its children."""

    shape: Shape
    start: int
    end: int
    level: int = 0
    """Heading level, 1 to 6; 0 for every other block."""
    setext: bool = False
    closed: bool = True
    """False for a fence that nothing closes."""
    children: list[Block] = field(default_factory=list)

    def walk(self) -> Iterator[Block]:
        """This block and all below it, in file order."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True, slots=True)
class Reading:
    """The top-level blocks of a text, where its front matter ends and its conflict lines (from 0)."""

    blocks: tuple[Block, ...]
    front_matter: int
    conflicts: tuple[int, ...]


_CONTAINERS = {
    "bullet_list_open": Shape.LIST,
    "ordered_list_open": Shape.LIST,
    "list_item_open": Shape.ITEM,
    "blockquote_open": Shape.QUOTE,
    "table_open": Shape.TABLE,
    "heading_open": Shape.HEADING,
    "paragraph_open": Shape.PARAGRAPH,
}
_LEAVES = {
    "fence": Shape.CODE,
    "code_block": Shape.CODE,
    "html_block": Shape.HTML,
    "hr": Shape.RULE,
}
_CLOSES = {name.replace("_open", "_close") for name in _CONTAINERS}
_NOT_LINE_ENDS = re.compile("[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_MASKED = "<!---->"
"""A one-line comment: ends what stands before it, as the masked line itself would."""


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark", {"maxNesting": 100}).enable("table")


def read_blocks(lines: Sequence[str]) -> Reading:
    """The blocks of a text given as its LF-split ``lines``."""
    source, front, masked, conflicts = _mask(lines)
    md = _markdown()
    tokens: list[Token] = []
    md.block.tokenize(state := StateBlock(source, md, {}, tokens), 0, state.lineMax)
    return Reading(tuple(_build(tokens, lines, masked)), front, conflicts)


def _mask(lines: Sequence[str]) -> tuple[str, int, set[int], tuple[int, ...]]:
    """The copy for markdown-it, the number of front-matter lines, the masked lines, the conflict lines."""
    copy = [bare(line) for line in lines]
    masked: set[int] = set()
    conflicts: list[int] = []
    if copy and copy[0].startswith(BOM):
        copy[0] = copy[0][1:]
    front = 0
    if copy and copy[0] == "---" and "---" in copy[1:]:
        front = copy.index("---", 1) + 1
    comment_ends = [i for i, line in enumerate(copy) if line == "-->"]
    ours = False
    at = front
    ends = iter(comment_ends)
    close = next(ends, -1)
    while at < len(copy):
        line = copy[at]
        if line == "<!--":
            while 0 <= close <= at:
                close = next(ends, -1)
            if close > at:
                masked.update(range(at, close + 1))
                at = close + 1
                continue
        if line[:7] in ("<<<<<<<", ">>>>>>>", "|||||||", "=======") and line[7:8] in ("", " "):
            kind = line[0]
            if kind != "=" or (ours and len(line) == 7):
                masked.add(at)
                conflicts.append(at)
                ours = kind != ">" and (ours or kind == "<")
        at += 1
    for i in masked:
        copy[i] = _MASKED
    source = "\n" * front + "\n".join(copy[front:])
    return _NOT_LINE_ENDS.sub(" ", source).replace("\0", "\ufffd"), front, masked, tuple(conflicts)


def _build(tokens: Sequence[Token], lines: Sequence[str], masked: set[int]) -> list[Block]:
    """The tree of blocks that the flat ``tokens`` describe."""
    top: list[Block] = []
    stack: list[list[Block]] = [top]
    in_table = 0
    for token in tokens:
        name = token.type
        if in_table:
            in_table += (name == "table_open") - (name == "table_close")
            if not in_table:
                stack.pop()
            continue
        shape = _CONTAINERS.get(name)
        if shape is not None:
            block = _block(shape, token, lines)
            stack[-1].append(block)
            stack.append(block.children)
            in_table = shape is Shape.TABLE
        elif name in _CLOSES:
            stack.pop()
        elif (leaf := _LEAVES.get(name)) is not None:
            block = _block(leaf, token, lines)
            if leaf is Shape.HTML and block.start in masked:
                block.shape = Shape.MASK
            stack[-1].append(block)
    return top


def _block(shape: Shape, token: Token, lines: Sequence[str]) -> Block:
    start, end = token.map or (0, 0)
    end = min(end, len(lines))
    while end > start + 1 and not lines[end - 1].strip(" \t\r\n"):
        end -= 1
    block = Block(shape, start, end)
    if shape is Shape.HEADING:
        block.level = int(token.tag[1])
        block.setext = token.markup in ("=", "-")
    elif token.type == "fence":
        block.closed = _is_closed(lines, start, end, token.markup)
    return block


def _is_closed(lines: Sequence[str], start: int, end: int, markup: str) -> bool:
    last = bare(lines[end - 1]).strip(" \t>")
    return end - 1 > start and len(last) >= len(markup) and not last.strip(markup[0])
