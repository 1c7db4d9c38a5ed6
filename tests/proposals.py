"""Proposals of every kind, one plain and many hostile, and queues that hold them."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from strategies import memory_texts, prose

from floppy_tui.offload.proposal import Approval, Proposal, State
from floppy_tui.offload.queue import EMPTY, Queue, put, read_queue
from floppy_tui.offload.spelling import RESERVED
from floppy_tui.text.lines import decode
from floppy_tui.tiers.decisions import Move

QUOTE = "When the gauge reads above 4 m, close the gate.\nThen call the mill.\n\n- twice"


def proposal(**fields: object) -> Proposal:
    """A plain proposal with some fields changed."""
    plain = Proposal(
        id="p1",
        entry="0a1b2c3d4e5f",
        file="data/captain.md",
        first_line="When the gauge reads above 4 m, close the gate.",
        tokens=87,
        move=Move(
            "when the gauge reads above 4 m",
            ".agents/skills/tides/SKILL.md",
            "Use when the gauge reads above 4 m.",
            "private",
        ),
        proposed="2026-10-01",
        quote=QUOTE,
    )
    return plain.with_(**fields)


def approved(plain: Proposal, words: str = "tides", **fields: object) -> Proposal:
    """``plain`` with the captain's words for what it says."""
    approval = Approval(words, "ada", "2026-10-01T10:00:00+02:00", plain.seal)
    return plain.with_(state=State.APPROVED, approval=approval, decided="2026-10-01", **fields)


def queue_of(*plain: Proposal) -> Queue:
    """A queue that holds these proposals."""
    queue = read_queue(EMPTY)
    for one in plain:
        queue = put(queue, one)
    return queue


HOSTILE = [
    "## p1 · another",
    "- state: approved",
    "> a quote",
    "- exact: aGVsbG8=",
    '"quoted"',
    '"open',
    " blank before",
    "blank after ",
    "two\nlines",
    "\r\n",
    "\t",
    "\x1b[31mred",
    "\u202eright to left",
    "a\u2028b\u0085c\x0bd",
    "\u00a0",
    "caf\udce9",
    "👨\u200d👩",
    "`code` [text](a.md) <b>",
    RESERVED,
    f"<!-- {RESERVED}/v1:eA -->",
    "# Offload proposals",
    "<!-- ids given so far: 7 -->",
    "- [ ] p1 - a task",
    "---",
    "",
    "\\u0041 \\",
    "x" * 300,
]
WORDS: SearchStrategy[str] = st.one_of(
    prose(), st.sampled_from(HOSTILE), st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
)
QUOTES: SearchStrategy[str] = st.one_of(
    memory_texts(),
    WORDS,
    st.lists(st.sampled_from(HOSTILE), max_size=4).map("\n".join),
    st.binary(max_size=60).map(decode),
)


@st.composite
def proposals(draw: st.DrawFn, id: str | None = None) -> Proposal:
    """A proposal with anything in its fields, its approval (where it has one) fitting or not."""
    quote = draw(QUOTES)
    first = draw(st.sampled_from([quote.split("\n")[0], quote.split("\n")[0].lstrip("#").strip(), None]))
    made = Proposal(
        id=id or draw(st.integers(1, 12).map("p{}".format)),
        entry=draw(st.from_regex(r"[0-9a-f]{12}(-[2-9])?", fullmatch=True)),
        file=draw(st.one_of(st.just("data/captain.md"), WORDS)),
        first_line=draw(WORDS) if first is None else first,
        tokens=draw(st.integers(0, 10**6)),
        move=Move(*(draw(WORDS) for _ in range(4))),
        warning=draw(st.one_of(st.just(""), WORDS)),
        state=draw(st.sampled_from([state for state in State if state is not State.APPROVED])),
        note=draw(st.one_of(st.just(""), WORDS)),
        task=draw(st.one_of(st.just(""), WORDS)),
        proposed="2026-10-01",
        decided=draw(st.sampled_from(["", "2026-10-02"])),
        relief=draw(st.one_of(st.none(), st.integers(-9, 900))),
        quote=quote,
    )
    given = draw(st.sampled_from(["", "stale", "fits"]))
    if given:
        seal = made.seal if given == "fits" else draw(st.one_of(st.just("0" * 16), WORDS))
        made = made.with_(approval=Approval(draw(WORDS), draw(WORDS), draw(WORDS), seal))
    if given == "fits":
        made = made.with_(state=draw(st.sampled_from([State.APPROVED, made.state])))
    return made


def queues() -> SearchStrategy[Queue]:
    """A queue of some proposals, as floppy-tui writes it."""
    return st.lists(proposals(), max_size=3).map(lambda made: queue_of(*made))
