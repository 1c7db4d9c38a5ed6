"""Memory files as people and agents write them, and as no one should: hypothesis strategies.

``memory_files`` gives bytes; ``memory_texts`` the LF text that they are made from. Every construct of
Markdown that a reading must know is in them, with markers of every tier, well spelled and not.
"""

from __future__ import annotations

from datetime import date

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

DATES = st.dates(date(2026, 1, 1), date(2026, 12, 31)).map(date.isoformat)
COUNTERS = st.sampled_from(["", "", "", "/1", "/6", "/007", "/10"])

PLAIN_WORDS = [
    "gate",
    "lamp",
    "rope",
    "barge",
    "mill",
    "the",
    "of",
    "when",
    "never",
    "captain",
    "port",
    "8080",
]
ODD_WORDS = [
    "größe",
    "日本語",
    "🦀",
    "e\u0301",
    "שלום",
    "`code`",
    "`<!--P-->`",
    "``a ` b``",
    "`open",
    "\\<!--P-->",
    "\\`",
    "*bold*",
    "**label:**",
    "[[gate-key]]",
    "[text](gate.md)",
    "a|b",
    "\\|",
    "<b>",
    "<!--",
    "-->",
    "<!-- note -->",
    "(set 2026-08-01)",
    "[archived: old]",
    "{{ action }}",
    "›",
    "#",
    "-",
    "1.",
    ">",
    "&amp;",
    "\u2028",
    "\u0085",
    "\x0c",
    "\x0b",
    "\x1c",
    "\r",
    "\u00a0",
    "\t",
    "\x1b[31m",
    "\u202e",
    "\x00",
]

MARKERS: SearchStrategy[str] = st.one_of(
    st.builds("<!--a:{}{}-->".format, DATES, COUNTERS),
    st.builds("<!--p:{}{}-->".format, DATES, COUNTERS),
    st.just("<!--P-->"),
    st.just("<!--g-->"),
)
"""Markers of every tier in their one spelling."""

LOOKALIKES: SearchStrategy[str] = st.sampled_from(
    [
        "<!-- a:2026-08-03 -->",
        "<!--a:2026-8-3-->",
        "<!--a:2026/08/03-->",
        "<!--a:2026-02-30-->",
        "<!--a:2026-13-01/2-->",
        "<!--a:2031-01-01-->",
        "<!--a:2026-08-03/-->",
        "<!--a:2026-08-03/x-->",
        "<!--a:２０２６-08-03-->",
        "<!--A:2026-08-03-->",
        "<!--p-->",
        "<!--G-->",
        "<!--x:2026-08-03-->",
        "<!--P: until the move-->",
        "<!--aging:2026-08-03-->",
        "<!--pinned-->",
        "<!--a:2026-08-03 seen twice-->",
    ]
)
"""What could be taken for a marker and is none, or one with a day that cannot be."""

TAILS: SearchStrategy[str] = st.one_of(
    st.just(""),
    st.just(""),
    MARKERS.map(" {}".format),
    MARKERS.map(" {}".format),
    st.one_of(
        MARKERS,
        LOOKALIKES.map(" {}".format),
        st.builds(" {} {}".format, MARKERS, MARKERS),
        MARKERS.map("\t{}  ".format),
        MARKERS.map("\u00a0{}".format),
        MARKERS.map(" {} <!-- a note -->".format),
        MARKERS.map(" {} and on".format),
        MARKERS.map(" `{}`".format),
        st.just("  "),
    ),
)
"""What stands at the end of a line: most often nothing or a marker."""


def prose(odd: bool = True) -> SearchStrategy[str]:
    """A few words on one line; ``odd`` ones hold everything that could trip a reader."""
    word = st.sampled_from(PLAIN_WORDS)
    if odd:
        word = st.one_of(word, word, st.sampled_from(ODD_WORDS))
    return st.lists(word, min_size=1, max_size=5).map(" ".join)


PROSE = prose()


def indented(block: str, by: str) -> str:
    """``block`` with ``by`` before each line that is not blank."""
    return "\n".join(by + line if line else line for line in block.split("\n"))


@st.composite
def headings(draw: st.DrawFn) -> str:
    """A heading in either style, at any level."""
    text = draw(PROSE) + draw(TAILS)
    style = draw(st.sampled_from(["#", "##", "##", "###", "######", "##closed", "=", "-"]))
    if style in "=-":
        return f"{text}\n{style * draw(st.sampled_from([1, 3]))}"
    if style == "##closed":
        return f"## {text} ##"
    return f"{style} {text}"


@st.composite
def paragraphs(draw: st.DrawFn) -> str:
    """Some lines of prose, each with a marker or none; sometimes a label."""
    label = draw(st.sampled_from([None, None, None, "{}:", "**{}**"]))
    if label is not None:
        return label.format(draw(prose(odd=False)))
    return "\n".join(draw(PROSE) + draw(TAILS) for _ in range(draw(st.integers(1, 4))))


@st.composite
def items(draw: st.DrawFn, depth: int = 0) -> str:
    """One list item: a bullet, wrapped lines, and below it paragraphs, fences and nested items."""
    bullet = draw(st.sampled_from(["- ", "- ", "- ", "* ", "+ ", "1. ", "2) ", "- [ ] ", "- [x] ", "-   "]))
    by = " " * (len(bullet) if "[" not in bullet else 2)
    lines = [draw(PROSE) + draw(TAILS)]
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 2]))):
        lines.append(draw(st.sampled_from([by, by, "", "\t"])) + draw(PROSE) + draw(TAILS))
    if draw(st.sampled_from([False] * 7 + [True])):
        lines.append(by + draw(MARKERS))
    item = bullet + "\n".join(lines)
    if depth < 2:
        for _ in range(draw(st.sampled_from([0, 0, 0, 1, 2]))):
            below = draw(st.one_of(items(depth + 1), items(depth + 1), paragraphs(), fences()))
            item += draw(st.sampled_from(["\n", "\n", "\n\n"])) + indented(below, by)
    return item


@st.composite
def lists(draw: st.DrawFn) -> str:
    """One to four items, tight or loose."""
    between = draw(st.sampled_from(["\n", "\n", "\n\n"]))
    return between.join(draw(items()) for _ in range(draw(st.integers(1, 4))))


@st.composite
def fences(draw: st.DrawFn) -> str:
    """A fence with marked lines in it, closed almost always."""
    mark = draw(st.sampled_from(["```", "~~~", "````"]))
    inside = "\n".join(draw(PROSE) + draw(TAILS) for _ in range(draw(st.integers(0, 3))))
    closing = draw(st.sampled_from([mark] * 12 + [""]))
    return f"{mark}{draw(st.sampled_from(['', 'sh']))}\n{inside}\n{closing}"


@st.composite
def tables(draw: st.DrawFn) -> str:
    """A small table, a marker in some cell or after its last one."""
    rows = ["| what | where |", "| --- | --- |"]
    for _ in range(draw(st.integers(0, 2))):
        rows.append(f"| {draw(PROSE)} | {draw(PROSE)}{draw(TAILS)} |{draw(TAILS)}")
    return "\n".join(rows)


BLOCKS: SearchStrategy[str] = st.one_of(
    headings(),
    headings(),
    paragraphs(),
    paragraphs(),
    lists(),
    lists(),
    lists(),
    st.one_of(
        fences(),
        tables(),
        paragraphs().map(lambda text: indented(text, "> ")),
        paragraphs().map(lambda text: indented(text, "    ")),
        MARKERS,
        LOOKALIKES,
    ),
    st.sampled_from(
        [
            "<!-- memory tiers: see the stow skill -->",
            "<!-- memory tiers: see the stow skill; pass horizon -->",
            "<!-- see the stow skill -->",
            "<!-- a divider -->",
            "<!--\nsamples: <!--P-->\n- not an entry <!--a:2026-08-03-->\n-->",
            "<!-- opened\nand closed <!--g-->",
            "<details>\n<summary>more</summary>\n\n- inside <!--P-->\n\n</details>",
            "<div>\n- hidden <!--P-->\n</div>",
            "---",
            "***",
            "_ _ _",
            "[gate]: gate.md",
            "[^1]: a footnote <!--a:2026-08-03-->",
            "-",
            "- \n  below <!--P-->",
            "#",
        ]
    ),
)
"""Any one block."""

CONFLICT = "<<<<<<< ours\n- gate <!--P-->\n=======\n- lamp <!--P-->\n>>>>>>> theirs"
OPENINGS = [
    "",
    "",
    "# Learnings\n",
    "# Learnings\n<!-- memory tiers: see the stow skill -->\n\n",
    "Learnings\n===\n\n",
    "---\ntitle: learnings <!--P-->\n---\n",
]


@st.composite
def memory_texts(draw: st.DrawFn) -> str:
    """A whole memory file as text with LF line ends."""
    text = draw(st.sampled_from(OPENINGS))
    for block in draw(st.lists(BLOCKS, min_size=1, max_size=8)):
        text += block + draw(st.sampled_from(["\n", "\n\n", "\n\n", "\n \n", "\n\n\n"]))
    if draw(st.sampled_from([False] * 15 + [True])):
        text += CONFLICT + "\n"
    return text


@st.composite
def memory_files(draw: st.DrawFn) -> bytes:
    """A whole memory file as it may stand on disk."""
    text = draw(memory_texts())
    ends = draw(st.sampled_from(["lf", "lf", "lf", "crlf", "mixed"]))
    if ends == "crlf":
        text = text.replace("\n", "\r\n")
    elif ends == "mixed":
        pieces = text.split("\n")
        text = pieces[0] + "".join(draw(st.sampled_from(["\n", "\r\n"])) + piece for piece in pieces[1:])
    data = text.encode()
    if draw(st.sampled_from([False, False, False, True])):
        data = data.rstrip(b"\r\n")
    if draw(st.sampled_from([False, False, False, True])):
        data = b"\xef\xbb\xbf" + data
    if data and draw(st.sampled_from([False, False, False, True])):
        at = draw(st.integers(0, len(data)))
        data = data[:at] + draw(st.sampled_from([b"\xff", b"\xc3", b"\xed\xa0\x80", b"\x80\xfe"])) + data[at:]
    return data


ANY_BYTES: SearchStrategy[bytes] = st.one_of(
    memory_files(), memory_files(), memory_files(), st.binary(max_size=200)
)
"""Memory files mostly, and bytes that nobody meant as one."""
