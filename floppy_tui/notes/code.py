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
    r"|[-*+][ \t]|[0-9]{1,9}[.)][ \t]|\|)",
    re.M,
)
"""A line that does not go on with the paragraph above it; ``alone``: nor does the line below with it."""
_ITEM = re.compile(r"[ \t]*+(?P<mark>[-*+]|[0-9]{1,9}[.)])(?P<blanks>[ \t]++(?![\r\n])|(?=[ \t\r]*+$))", re.M)


def code_spans(text: str, start: int = 0) -> Iterator[tuple[int, int]]:
    """Where fences (the lines too) and code spans stand in ``text`` from ``start`` on, in order."""
    if "`" not in text and "~~~" not in text:
        return
    at = start
    for fence in (*_fences(text, start), (len(text), len(text))):
        while (tick := text.find("`", at, fence[0])) >= 0:
            first, at = _paragraph(text, tick, at, fence[0])
            yield from _spans(text, first, at)
        yield from [fence] if fence[0] < fence[1] else []
        at = fence[1]


class Code:
    """Tells whether places of one text are code; to be asked in ascending order."""

    def __init__(self, text: str, start: int) -> None:
        self._text = text
        self._start = start
        self._ticks = "`" in text
        self._fences = list(_fences(text, start)) if self._ticks or "~" in text else []
        self._next = 0
        self._floor = start
        """Where the fence above ends, or the paragraph that was looked at last."""
        self._clear = start
        """No backtick from the floor up to here concerns what comes after it."""
        self._spans: list[tuple[int, int]] = []
        self._paragraph_end = start
        self._asked = start
        self._line = start
        """Where the line begins that was asked about last."""
        self._indented: dict[int, tuple[int, bool]] = {}
        """The last line of so many columns that was asked about, and whether it is code."""

    def covers(self, start: int, end: int) -> bool:
        """Whether code holds any of ``start`` to ``end``, a place on one line."""
        while self._next < len(self._fences) and self._fences[self._next][1] <= start:
            self._floor = max(self._floor, self._fences[self._next][1])
            self._next += 1
        if self._next < len(self._fences) and self._fences[self._next][0] < end:
            return True
        if self._ticks and self._in_span(start, end):
            return True
        self._line = self._text.rfind("\n", self._asked, start) + 1 or self._line
        self._asked = start
        return self._text[self._line] in " \t" and self._in_block(self._line)

    def _in_span(self, start: int, end: int) -> bool:
        text = self._text
        if start >= self._paragraph_end:
            self._clear = max(self._clear, self._floor, self._paragraph_end)
            tick = text.rfind("`", self._clear, start)
            if tick < 0 or text.find("\n\n", tick, start) >= 0:
                self._clear = start
                return False
            stop = self._fences[self._next][0] if self._next < len(self._fences) else len(text)
            first, self._paragraph_end = _paragraph(text, start, self._floor, stop)
            self._floor = self._paragraph_end
            self._spans = list(_spans(text, first, self._paragraph_end))
        at = bisect_right(self._spans, (start, len(text))) - 1
        return at >= 0 and self._spans[at][1] > start

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


def _fences(text: str, start: int) -> Iterator[tuple[int, int]]:
    """The fences of ``text`` from ``start`` on, from their opening line to the end of their closing one."""
    ticks = _opening(text, start, start, _BACKTICKS)
    tildes = _opening(text, start, start, _TILDES) if "~" in text else None
    while ticks or tildes:
        opening = ticks if ticks and not (tildes and tildes < ticks) else tildes
        assert opening is not None
        line, end, mark = opening
        at = _closing(text, end, mark)
        yield line, at
        if ticks and ticks[0] < at:
            ticks = _opening(text, start, at, _BACKTICKS)
        if tildes and tildes[0] < at:
            tildes = _opening(text, start, at, _TILDES)


def _opening(text: str, start: int, at: int, runs: re.Pattern[str]) -> tuple[int, int, str] | None:
    """The next line that ``runs`` open a fence in: where it begins and ends, and the run."""
    while (run := runs.search(text, at)) is not None:
        begin, inner = run.span()
        end = text.find("\n", inner)
        end = end if end >= 0 else len(text)
        line = begin
        if begin > start and text[begin - 1] != "\n":
            line = max(text.rfind("\n", start, begin) + 1, start)
            fits = _BEFORE_FENCE.fullmatch(text, line, begin) is not None
        else:
            fits = True
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


def _paragraph(text: str, at: int, low: int, high: int) -> tuple[int, int]:
    """The paragraph, list item or row that ``at`` is in, between ``low`` and ``high``; whole lines."""
    first = max(text.rfind("\n", low, at) + 1, low)
    while first > low:
        block = _BLOCK.match(text, first)
        if block:
            break
        above = max(text.rfind("\n", low, first - 1) + 1, low)
        block = _BLOCK.match(text, above)
        if (block and block["alone"] is not None) or _quoted(text, first) > _quoted(text, above):
            break
        first = above
    end = at
    while True:
        line = end
        stop = text.find("\n", end, high)
        if stop < 0:
            return first, high
        end = stop + 1
        block = _BLOCK.match(text, end)
        if end >= high or block or _quoted(text, end) > _quoted(text, line if line > at else first):
            return first, end


def _quoted(text: str, line: int) -> bool:
    """Whether the line at ``line`` is one of a quotation."""
    return text.startswith((">", " >", "  >", "   >"), line)


def _spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The code spans of one paragraph: as many backticks close one as opened it."""
    at = text.find("`", start, end)
    while at >= 0:
        close = text.find("`", at + 1, end)
        if close <= at + 1 or text[at - 1 : at] == "\\" or text.startswith("`", close + 1):
            break
        yield at, close + 1
        at = text.find("`", close + 1, end)
    else:
        return
    runs = [m.span() for m in _TICKS.finditer(text, at, end)]
    by_length: dict[int, list[int]] = {}
    for n, (a, b) in enumerate(runs):
        by_length.setdefault(b - a, []).append(n)
    n = 0
    while n < len(runs):
        a, b = runs[n]
        back = a
        while back > start and text[back - 1] == "\\":
            back -= 1
        a += (a - back) % 2
        same = by_length.get(b - a, [])
        at = bisect_right(same, n)
        if a == b or at == len(same):
            n += 1
            continue
        yield a, runs[same[at]][1]
        n = same[at] + 1
