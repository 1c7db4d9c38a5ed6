"""What of a note's text is code, where nothing is a link: fences, code spans, indented blocks.

It is read by lines and without a parser, so that a thousand notes are read in no time. Against Markdown
proper: a fence inside a list item or a quotation ends where it is closed, not with its item; a code block
may begin only below a blank line; HTML does not hide backticks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

_BACKTICKS = re.compile("```+")
_TILDES = re.compile("~~~+")
_TICKS = re.compile("`+")
# All of them take what they take for good: no line makes them try twice.
_BEFORE_FENCE = re.compile(r"[ \t]*+(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]++|>[ \t]*+)*+")
_BEFORE_CLOSING = re.compile(r"[ \t>]*+")
_AFTER_CLOSING = re.compile(r"[ \t\r]*+$", re.M)
_BLOCK = re.compile(
    r"[ \t]*+(?:>[ \t]*+)*+(?:(?P<alone>\r?$|#{1,6}(?:[ \t\r]|$)|(?:[-=*_][ \t]*+)++\r?$)"
    r"|[-*+][ \t]|[0-9]{1,9}[.)][ \t]|\||~~~|```++[^`\n]*+$)",
    re.M,
)
"""A line that does not go on with the paragraph above it; ``alone``: nor does the line below with it."""
_ITEM = re.compile(r"[ \t]*+(?P<mark>[-*+]|[0-9]{1,9}[.)])(?P<blanks>[ \t]++(?![\r\n])|(?=[ \t\r]*+$))", re.M)


def code_spans(text: str, start: int = 0) -> list[tuple[int, int]]:
    """Where fences (the lines too) and code spans stand in ``text`` from ``start`` on, in order."""
    find = text.find
    tildes = _opening(text, start, start, _TILDES) if "~" in text else None
    spans: list[tuple[int, int]] = []
    tick = find("`", start)
    while tick >= 0 or tildes is not None:
        if tildes is not None and not 0 <= tick < tildes[0]:
            fence = tildes[0], _closing(text, *tildes[1:])
            spans.append(fence)
            tick = find("`", fence[1])
            tildes = _opening(text, start, fence[1], _TILDES)
            continue
        other = find("`", tick + 1)
        if other > tick + 1:
            # Most of them: one backtick and one more on the same line.
            if (
                not text.startswith("`", other + 1)
                and find("\n", tick, other) < 0
                and text[tick - 1 : tick] != "\\"
            ):
                spans.append((tick, other + 1))
                tick = find("`", other + 1)
                continue
        elif other > 0 and text.startswith("`", other + 1):
            opening = _opening(text, start, tick, _BACKTICKS, find("\n", tick))
            if opening is not None:
                fence = opening[0], _closing(text, *opening[1:])
                spans.append(fence)
                tick = find("`", fence[1])
                if tildes is not None and tildes[0] < fence[1]:
                    tildes = _opening(text, start, fence[1], _TILDES)
                continue
        end = _paragraph_end(text, start, tick)
        spans += _spans(text, tick, end)
        tick = find("`", end)
    return spans


class Code:
    """Tells whether places of one text are code; to be asked in ascending order."""

    def __init__(self, text: str, start: int) -> None:
        self._text = text
        self._start = start
        self._spans = code_spans(text, start)
        self._next = 0
        self._asked = start
        self._line = start
        """Where the line begins that was asked about last."""
        self._indented: dict[int, tuple[int, bool]] = {}
        """The last line of so many columns that was asked about, and whether it is code."""

    def covers(self, start: int, end: int) -> bool:
        """Whether code holds any of ``start`` to ``end``, a place on one line."""
        spans, at = self._spans, self._next
        while at < len(spans) and spans[at][1] <= start:
            at += 1
        self._next = at
        if at < len(spans) and spans[at][0] < end:
            return True
        line = self._text.rfind("\n", self._asked, start)
        if line >= 0:
            self._line = line + 1
        self._asked = start
        return self._text[self._line] in " \t" and self._in_block(self._line)

    def _in_block(self, line: int) -> bool:
        """Whether the line that begins at ``line`` is one of an indented code block."""
        text = self._text
        indent = _indent(text, line)
        if indent < 4:
            return False
        known = self._indented.get(indent)
        at, blank, verdict = line, False, True
        while at > self._start:
            at = text.rfind("\n", self._start, at - 1) + 1 or self._start
            if known is not None and at == known[0]:
                verdict = known[1]
                break
            said = _decides(text, at, indent, blank)
            if said is not None:
                verdict = said
                break
            blank = _is_blank(text, at)
        self._indented[indent] = line, verdict
        return verdict


def _decides(text: str, line: int, indent: int, blank: bool) -> bool | None:
    """Whether a line of ``indent`` columns below ``line`` is code, as far as ``line`` tells.

    ``blank`` says whether a blank line is between them.
    """
    if _is_blank(text, line):
        return None
    own = _indent(text, line)
    item = _ITEM.match(text, line)
    if item:
        blanks = len(item["blanks"])
        content = own + len(item["mark"]) + (blanks if 0 < blanks <= 4 else 1)
        if content <= indent:
            return blank and indent >= content + 4
        return None
    if indent >= own + 4:
        return blank or text[line] == "#"
    return None if own >= 4 else False


def _is_blank(text: str, line: int) -> bool:
    end = text.find("\n", line)
    return not text[line : end if end >= 0 else len(text)].strip(" \t\r")


def _indent(text: str, line: int) -> int:
    """The columns that the line at ``line`` is indented by."""
    column = 0
    for at in range(line, len(text)):
        if text[at] == " ":
            column += 1
        elif text[at] == "\t":
            column += 4 - column % 4
        else:
            break
    return column


def _opening(
    text: str, start: int, at: int, runs: re.Pattern[str], until: int = -1
) -> tuple[int, int, str] | None:
    """The next line from ``at`` on that ``runs`` open a fence in: where it begins and ends, and the run.

    No line beyond ``until`` is looked at, where that is not negative.
    """
    while (run := runs.search(text, at) if until < 0 else runs.search(text, at, until)) is not None:
        begin, inner = run.span()
        end = text.find("\n", inner)
        end = end if end >= 0 else len(text)
        line = begin
        fits = True
        if begin > start and text[begin - 1] != "\n":
            line = max(text.rfind("\n", start, begin) + 1, start)
            fits = _BEFORE_FENCE.fullmatch(text, line, begin) is not None
        if fits and not (runs is _BACKTICKS and text.find("`", inner, end) >= 0):
            return line, end, run[0]
        at = end
    return None


def _closing(text: str, at: int, opening: str) -> int:
    """Where the fence that ``opening`` opened ends; the text's end where nothing closes it."""
    runs = _BACKTICKS if opening[0] == "`" else _TILDES
    while (run := runs.search(text, at)) is not None:
        begin, end = run.span()
        if end - begin >= len(opening):
            after = _AFTER_CLOSING.match(text, end)
            line = begin if text[begin - 1] == "\n" else text.rfind("\n", 0, begin) + 1
            if after and (line == begin or _BEFORE_CLOSING.fullmatch(text, line, begin)):
                return after.end()
        at = text.find("\n", end)
        if at < 0:
            break
    return len(text)


def _paragraph_end(text: str, start: int, at: int) -> int:
    """Where the paragraph, list item or row that ``at`` is in ends: after a line, or where a fence begins."""
    line = max(text.rfind("\n", start, at) + 1, start)
    block = _BLOCK.match(text, line)
    alone = block is not None and block["alone"] is not None
    while True:
        stop = text.find("\n", max(line, at))
        if stop < 0:
            return len(text)
        below = stop + 1
        if alone or _BLOCK.match(text, below) or _quoted(text, below) > _quoted(text, line):
            return below
        line = below


def _quoted(text: str, line: int) -> bool:
    """Whether the line at ``line`` is one of a quotation."""
    return text.startswith((">", " >", "  >", "   >"), line)


def _spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The code spans of one paragraph: as many backticks close one as opened it."""
    runs = [m.span() for m in _TICKS.finditer(text, start, end)]
    by_length: dict[int, list[int]] = {}
    for n, (a, b) in enumerate(runs):
        by_length.setdefault(b - a, []).append(n)
    n = 0
    while n < len(runs):
        a, b = runs[n]
        back = a
        while back and text[back - 1] == "\\":
            back -= 1
        a += (a - back) % 2
        same = by_length.get(b - a, [])
        at = bisect_right(same, n)
        if a == b or at == len(same):
            n += 1
            continue
        yield a, runs[same[at]][1]
        n = same[at] + 1
