"""The queue comes back to the byte but for what a proposal itself says, whoever edited it and however."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from proposals import HOSTILE, approved, proposal, proposals, queue_of, queues

from floppy_tui.offload.proposal import Approval, Proposal, State
from floppy_tui.offload.queue import EMPTY, Queue, next_id, put, read_queue
from floppy_tui.offload.queue_block import KEYS, UNSEALED
from floppy_tui.offload.spelling import RESERVED
from floppy_tui.text.lines import bare, split_lines
from floppy_tui.text.visible import visible

FIELD = re.compile(rf" ?[-*+][ \t]+(?:{'|'.join(KEYS)})[ \t]*:.*", re.IGNORECASE | re.DOTALL)
GIVEN = re.compile(r"<!-- ids given so far: [0-9]+ -->")


def others(text: str, id: str) -> list[str]:
    """The lines of a queue that are not a field, the heading or the quote of the first block of ``id``."""
    found = []
    inside = seen = False
    quoting = True
    for line in split_lines(text):
        plain = bare(line)
        if re.match(r"##?(?:[ \t]|$)", plain):
            inside = not seen and re.match(rf"##[ \t]+{id}(?![\w-])", plain) is not None
            seen = seen or inside
            quoting = True
            if inside:
                continue
        if inside and quoting and plain.startswith(">"):
            continue
        if GIVEN.fullmatch(plain) or (inside and (FIELD.fullmatch(plain) or not plain.strip(" \t"))):
            continue
        found.append(line)
    return found


def ended(lines: list[str]) -> list[str]:
    """``lines`` without blank ones at the end and without the last line end."""
    while lines and not lines[-1].strip(" \t\r\n"):
        lines = lines[:-1]
    return [*lines[:-1], *(bare(line) for line in lines[-1:])]


@given(queues(), proposals())
def test_what_is_put_in_is_read_out(queue: Queue, made: Proposal) -> None:
    after = put(queue, made)
    assert after == read_queue(after.text)
    assert after.problems == ()
    assert after.proposal(made.id) == made
    kept = [one for one in queue.proposals if one.id != made.id]
    assert [one for one in after.proposals if one.id != made.id] == kept
    assert ended(others(after.text, made.id)) == ended(others(queue.text, made.id))
    assert put(after, made).text == after.text


EDITS = st.lists(
    st.tuples(
        st.sampled_from(["insert", "insert", "insert", "drop", "move", "twice", "crlf", "case", "cut"]),
        st.integers(0, 60),
        st.one_of(
            st.sampled_from(
                [
                    "I would rather keep it.\n",
                    "- owner: nobody\n",
                    "- state: approved\n",
                    "* State :  Rejected\n",
                    "- trigger: when it rains\n",
                    "  - tokens: 3\n",
                    "\n",
                    "> and another voice\n",
                    "### A heading of mine\n",
                    "## Notes\n",
                    "## p1 · once more\n",
                    "## p2\n",
                    "- exact: ====\n",
                    "```\n",
                    "<!-- ids given so far: 40 -->\n",
                    "\x1b[31m\u2028\x00\n",
                ]
            ),
            st.sampled_from(HOSTILE).map("{}\n".format),
        ),
    ),
    max_size=4,
)


def edited(text: str, edits: list[tuple[str, int, str]]) -> str:
    """``text`` after somebody's hand edits."""
    for act, place, words in edits:
        lines = split_lines(text)
        at = place % (len(lines) + 1)
        if act == "insert":
            lines.insert(at, words)
        elif act == "crlf":
            lines = [f"{bare(line)}\r\n" for line in lines]
        elif act == "cut":
            lines[-1:] = [bare(line) for line in lines[-1:]]
        elif lines:
            line = lines.pop(at % len(lines))
            if act == "move":
                lines.insert(place * 7 % (len(lines) + 1), line)
            elif act == "twice":
                lines[at:at] = [line, line]
            elif act == "case":
                lines.insert(at, line.upper())
        text = "".join(lines)
    return text


@given(queues(), EDITS, proposals())
def test_a_hand_edit_is_kept_and_a_proposal_still_goes_in(
    queue: Queue, edits: list[tuple[str, int, str]], made: Proposal
) -> None:
    text = edited(queue.text, edits)
    before = read_queue(text)
    assert before.text == text
    for one in before.proposals:
        assert put(before, one).text == text
    after = put(before, made)
    found = after.proposal(made.id)
    assert found is not None
    if f"{made.id} stands" not in " ".join(after.problems):
        assert found == made
    assert {one.id for one in after.proposals} == {one.id for one in before.proposals} | {made.id}
    if text.strip() and before.proposal(made.id) is None:
        assert ended(others(after.text, made.id)) == ended(others(text, made.id))
    number = int(next_id(after)[1:])
    assert number > max(int(one.id[1:]) for one in after.proposals)


@given(queues(), EDITS, st.sampled_from(list(State)), st.integers(0, 2))
def test_a_change_of_state_touches_nothing_else(
    queue: Queue, edits: list[tuple[str, int, str]], state: State, which: int
) -> None:
    before = read_queue(edited(queue.text, edits))
    if not before.proposals:
        return
    one = before.proposals[which % len(before.proposals)]
    changed = one.with_(state=state, note="", decided="2026-11-11")
    after = put(before, changed)
    found = after.proposal(one.id)
    assert found is not None
    assert found.approved <= one.with_(state=state).approved
    assert found.quote == one.quote
    if "propose" in one.problem:
        assert "propose" in found.problem
    assert ended(others(after.text, one.id)) == ended(others(before.text, one.id))
    gone = set(split_lines(before.text)) - set(split_lines(after.text))
    assert all(FIELD.fullmatch(bare(line)) or not line.endswith("\n") for line in gone)


@given(st.text(max_size=300))
def test_any_text_is_a_queue(text: str) -> None:
    queue = read_queue(text)
    assert queue.text == text
    assert read_queue(put(queue, proposal(id="p77")).text).proposal("p77") == proposal(id="p77")


# -- what people see and edit


def test_an_empty_queue_says_what_it_is() -> None:
    queue = read_queue(EMPTY)
    assert queue.proposals == ()
    assert queue.problems == ()
    assert next_id(queue) == "p1"
    assert "Nothing moves by itself" in EMPTY
    assert read_queue("").proposals == ()
    assert put(read_queue(""), proposal()).text == put(queue, proposal()).text


def test_a_proposal_is_readable() -> None:
    text = queue_of(approved(proposal(), note="waiting for ship-tides")).text
    assert text.startswith(EMPTY.replace("so far: 0", "so far: 1"))
    assert text[len(EMPTY) :].split("- sha256: ")[0] == (
        "\n"
        "## p1 · When the gauge reads above 4 m, close the gate.\n"
        "\n"
        "- state: approved: waiting for ship-tides\n"
        "- entry: 0a1b2c3d4e5f\n"
        "- file: data/captain.md\n"
        "- tokens: 87\n"
        "- trigger: when the gauge reads above 4 m\n"
        "- destination: .agents/skills/tides/SKILL.md\n"
        "- description: Use when the gauge reads above 4 m.\n"
        "- privacy: private\n"
        "- proposed: 2026-10-01\n"
        "- decided: 2026-10-01\n"
        f'- approval: "tides" typed by ada at 2026-10-01T10:00:00+02:00, seal {proposal().seal}\n'
        "- quote:\n"
        "\n"
        "> When the gauge reads above 4 m, close the gate.\n"
        "> Then call the mill.\n"
        ">\n"
        "> - twice\n"
        "\n"
    )


def test_nothing_hidden_and_nothing_reserved_stands_in_the_text() -> None:
    made = proposal(quote="\n".join(HOSTILE), first_line=RESERVED, task=RESERVED, note="\x1b")
    text = queue_of(made, proposal(id="p2", first_line="x" * 300)).text
    assert RESERVED not in text
    assert visible(text, "\n") == text
    assert max(len(line) for line in text.split("\n") if line.startswith("##")) < 120
    assert read_queue(text).proposals[0] == made


def change(text: str, old: str, new: str) -> Proposal:
    """The first proposal of ``text`` after a hand edit that must have changed something."""
    assert old in text
    return read_queue(text.replace(old, new, 1)).proposals[0]


def test_fields_may_stand_in_any_order_and_spelling() -> None:
    made = proposal(state=State.DEFERRED, note="after the move")
    text = queue_of(made).text
    head, _, rest = text.partition("- state")
    fields, _, quote = rest.partition("- quote:")
    lines = f"- state{fields}".splitlines(keepends=True)
    assert read_queue(f"{head}{''.join(reversed(lines))}\nA note.\n\n- quote:{quote}").proposals == (made,)
    spelled = text.replace("- state: deferred: after", "* STATE :  Deferred:   after").replace("\n", "\r\n")
    assert read_queue(spelled).proposals == (made,)


def test_a_missing_optional_field_is_empty() -> None:
    text = queue_of(proposal(warning="all homes")).text
    for key in ("description", "privacy", "warning", "proposed"):
        text = re.sub(rf"- {key}: .*\n", "", text)
    found = read_queue(text).proposals[0]
    assert (found.move.description, found.move.privacy, found.warning, found.proposed) == ("", "", "", "")
    assert found.problem == ""
    assert change(text, "- state: proposed\n", "").state is State.PROPOSED


def test_the_heading_may_be_worded_anew() -> None:
    text = queue_of(proposal()).text
    found = change(text, "## p1 · When the gauge reads above 4 m, close the gate.", "## p1 - The tide gate")
    assert found.first_line == "The tide gate"
    assert found.problem == ""


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("- sha256: ", "- sha256: 0", "does not fit its SHA-256"),
        ("- sha256: ", "- hash: ", "does not fit its SHA-256"),
        ("- exact: ", "- exact: !", "cannot be decoded"),
        ("- exact: ", "- exactly: ", "no exact quote"),
        ("- exact: V", "- exact: A", "does not fit its SHA-256"),
        ("> Then call the mill.", "> Then call nobody.", "says something else"),
        ("> Then call the mill.\n", "", "says something else"),
        ("- entry: 0a1b2c3d4e5f\n", "", "names no entry"),
        ("- state: proposed", "- state: accepted", "none of the states"),
        ("- file: ", "- file: data/learnings.md\n- file: ", "twice"),
    ],
)
def test_what_cannot_be_trusted_is_named(old: str, new: str, why: str) -> None:
    found = change(
        queue_of(approved(proposal())).text.replace("- state: approved", "- state: proposed"), old, new
    )
    assert why in found.problem
    assert found.problem.endswith(".")
    assert not found.approved
    assert not found.with_(state=State.APPROVED).approved


def test_a_quote_without_its_readable_half_is_named() -> None:
    text = re.sub(r"(?m)^>.*\n", "", queue_of(proposal()).text)
    assert "people read is missing" in read_queue(text).proposals[0].problem


def test_a_quote_that_was_only_wrapped_or_trimmed_still_stands() -> None:
    text = queue_of(proposal()).text
    assert change(text, "> When the gauge reads", "> When the\n> gauge  reads").problem == ""
    assert change(text, ">\n", "> \n").problem == ""
    assert change(text, "- quote:\n\n", "- quote:\n").problem == ""
    assert change(text, "- quote:\n\n", "").problem == ""


def test_a_voice_between_the_fields_is_not_the_quote() -> None:
    found = change(queue_of(proposal()).text, "- tokens", "> Is that so?\n\n- tokens")
    assert found == proposal()


def test_a_problem_is_not_healed_by_another_change() -> None:
    text = queue_of(proposal()).text.replace("- exact: V", "- exact: A")
    queue = read_queue(text)
    after = put(queue, queue.proposals[0].with_(state=State.REJECTED, note="no"))
    assert after.text == text.replace("- state: proposed", "- state: rejected: no")
    assert "SHA-256" in after.proposals[0].problem
    assert put(after, proposal()).proposals == (proposal(),)


def test_a_proposal_with_a_problem_is_not_put_in_anew() -> None:
    with pytest.raises(ValueError, match="hash"):
        put(read_queue(EMPTY), proposal(problem="Its hash is wrong."))


# -- approval


def test_an_approval_holds_for_what_was_seen() -> None:
    made = approved(proposal())
    text = queue_of(made).text
    assert read_queue(text).proposals == (made,)
    assert made.approved
    for old, new in (
        ("- trigger: when", "- trigger: if"),
        ("- destination: .agents/skills/tides/", "- destination: .agents/skills/tide/"),
        ("- privacy: private", "- privacy: public"),
        ("- entry: 0a", "- entry: 1a"),
        ("seal ", "seal 0"),
        ('- approval: "', '- approval: maybe "'),
        ("- approval: ", "- approved: "),
    ):
        found = change(text, old, new)
        assert (found.state, found.note) == (State.PROPOSED, UNSEALED)
        assert not found.approved


def test_an_edited_state_approves_nothing_and_comes_true_by_no_other_change() -> None:
    made = approved(proposal())
    text = queue_of(made).text.replace("- trigger: when", "- trigger: if")
    queue = read_queue(text)
    found = queue.proposals[0]
    assert put(queue, found).text == text
    after = put(queue, found.with_(move=made.move))
    assert after.proposals[0].state is State.PROPOSED
    assert not after.proposals[0].approved
    assert "- state: proposed: Its approval" in after.text


def test_a_failed_migration_keeps_its_approval() -> None:
    made = approved(proposal()).with_(state=State.FAILED, note="git: “.git” is locked\nby somebody")
    text = queue_of(made).text
    assert '- state: failed: "git: “.git” is locked\\nby somebody"\n' in text
    assert read_queue(text).proposals == (made,)
    assert made.approved


def test_an_approval_that_is_taken_back_leaves_no_line() -> None:
    made = approved(proposal())
    before = queue_of(made)
    after = put(before, made.with_(state=State.PROPOSED, approval=None, decided=""))
    assert after.text == queue_of(proposal()).text


@pytest.mark.parametrize("words", ["tides", 'a "b" c', "typed by x at y, seal z", "", "\x1b\n"])
def test_words_of_an_approval_come_back(words: str) -> None:
    given_ = Approval(words, words or "ada", words or "now", "0" * 16)
    made = proposal(state=State.FAILED, approval=given_)
    assert read_queue(queue_of(made).text).proposals == (made,)


# -- ids


def test_an_id_is_never_given_twice() -> None:
    queue = queue_of(proposal(), proposal(id="p2"), proposal(id="p3"))
    assert next_id(queue) == "p4"
    without = queue.text[: queue.text.index("## p3")]
    assert next_id(read_queue(without)) == "p4"
    assert next_id(read_queue(without[: without.index("## p1")])) == "p4"
    bare_head = GIVEN.sub("", without)
    assert next_id(read_queue(bare_head)) == "p3"
    assert next_id(put(read_queue(bare_head), proposal(id="p9"))) == "p10"


def test_a_high_number_that_was_not_given_does_no_harm() -> None:
    text = EMPTY.replace("so far: 0", "so far: 999999999999") + "\n## p999999999 · x\n"
    queue = put(read_queue(text), proposal(id=next_id(read_queue(text))))
    assert len(queue.proposals) == 2
    assert next_id(queue) not in {one.id for one in queue.proposals}


def test_a_block_that_stands_twice_is_named() -> None:
    text = queue_of(proposal(), proposal(id="p2")).text
    queue = read_queue(text + "\n" + text[text.index("## p1") : text.index("## p2")])
    assert queue.problems == ("p1 stands in the queue twice: take one of the two blocks out.",)
    assert [(one.id, one.problem) for one in queue.proposals] == [("p1", queue.problems[0]), ("p2", "")]


def test_a_removed_block_is_gone_and_what_is_not_a_block_is_not_read() -> None:
    text = queue_of(proposal(), proposal(id="p2")).text
    assert [one.id for one in read_queue(text[: text.index("## p2")]).proposals] == ["p1"]
    found = read_queue(
        f"{text}\n## Notes\n\n- state: approved\n\n### p3 · deeper\n\n## p4-x\n## p0\n## pp5\n"
    )
    assert found.proposals == (proposal(), proposal(id="p2"))


@pytest.mark.parametrize("id", ["", "p0", "1", "p01", "p1\n", "P1", "p1234567890123"])
def test_an_id_is_p_and_a_number(id: str) -> None:
    with pytest.raises(ValueError, match="no id"):
        put(read_queue(EMPTY), proposal(id=id))
