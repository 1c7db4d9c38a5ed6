"""Archives, and what may leave for one, as no one should write them: hypothesis strategies."""

from __future__ import annotations

from datetime import date

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from strategies import memory_texts

from floppy_tui.tiers.archive_item import Departure
from floppy_tui.tiers.markers import Tier

ODD: SearchStrategy[str] = st.one_of(
    st.sampled_from(
        [
            *[
                "- ",
                "* ",
                "1. ",
                "> ",
                "# ",
                "## ",
                "## 2026-08-08 stow",
                "```",
                "```sh",
                "````",
                "~~~",
                "---",
            ],
            *["- (from learnings.md, tier: aging, reinforced: 2026-07-01) lamp [archived: old]", "| a | b |"],
            *[
                "[archived: x]",
                "[archived: ",
                "[archived:",
                "]",
                ")",
                "(",
                "(from here) ",
                "[[gate]]",
                "<!--",
            ],
            *["-->", "<!-- note -->", "`code`", " ", "  ", "\t", "\r", "\u2028", "\u0085", "\x0c", "\x1c"],
            *["\x00", "\udc80", "\udcff", "\ufeff", "größe", "日本語", "🦀", "›", "...", "lamp", "gate "],
        ]
    ),
    st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=4),
)
LINES = st.lists(ODD, max_size=4).map("".join)
PROSE = (
    st.lists(LINES, min_size=1, max_size=6).map("\n".join).map(lambda text: text.strip(" \t\n")).filter(bool)
)
"""What an entry may hold: any lines, no blanks before or after."""

SOURCES = st.sampled_from(
    ["learnings.md", "captain.md", "captain-shared.md", "data/learnings.md", "dir (old)/learn, ings.md"]
)
REASONS = st.one_of(
    st.sampled_from(["unreinforced 39d", "unreinforced 3p", "budget oldest-first", "legacy-unvalidated"]),
    LINES,
)
DEPARTURES: SearchStrategy[Departure] = st.builds(
    Departure,
    SOURCES,
    st.sampled_from(Tier),
    st.none() | st.dates(date(2020, 1, 1), date(2030, 12, 31)),
    REASONS,
    PROSE,
)

OLD_LINES = st.one_of(
    LINES,
    st.sampled_from(
        [
            *[
                "",
                "",
                "# Memory archive",
                "## 2026-10-01 stow",
                "## 2026-08-08 stow",
                "### below",
                "  indented",
            ],
            *[
                "- raw",
                "- (from learnings.md, tier: aging) cut",
                "  - (from x.md, tier: aging) y [archived: z]",
            ],
            *[
                "- (from learnings.md, tier: aging, reinforced: 2026-07-01) lamp [archived: old]",
                "-",
                "```",
                "-->",
            ],
            *[
                "<!--",
                "<!-- opened",
                "~~~ x",
                "wrapped [archived: on]",
                "text",
                "   ",
                "\t- under",
                "===",
                "]",
            ],
        ]
    ),
)


@st.composite
def old_archives(draw: st.DrawFn) -> str:
    """An archive in whatever state: cut short, half closed, of mixed line ends, of another tool."""
    if draw(st.integers(0, 3)) == 0:
        text = draw(memory_texts())
    else:
        text = "\n".join(draw(st.lists(OLD_LINES, max_size=12)))
    ends = draw(st.sampled_from(["lf", "lf", "crlf", "mixed"]))
    if ends == "crlf":
        text = text.replace("\n", "\r\n")
    elif ends == "mixed":
        first, *rest = text.split("\n")
        text = first + "".join(draw(st.sampled_from(["\n", "\r\n"])) + line for line in rest)
    return draw(st.sampled_from(["", "", "\ufeff"])) + text + draw(st.sampled_from(["", "\n", "\r\n", "\r"]))
