"""Every edit does what it promised and nothing else, or is refused and leaves the file to the byte."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from case_files import Expected as Case
from case_files import memory_files as case_files
from case_files import name_of
from edit_acts import AGING_MARK, MARKS, NEW_ITEM, acts_on, ordinary_files, read
from edit_law import check_edit
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import memory_files

from floppy_tui.tiers import edits
from floppy_tui.tiers.document import POINTER, Document, Kind
from floppy_tui.tiers.edits import Act
from floppy_tui.tiers.markers import GRACE_MARK, PINNED_MARK, Tier
from floppy_tui.tiers.reading import read_document
from floppy_tui.tiers.settling import Settled, settle

DEFAULTS = st.sampled_from([Tier.PINNED, Tier.AGING])
P, G, A = PINNED_MARK, GRACE_MARK, AGING_MARK


def carried(document: Document, *acts: Act) -> Settled:
    """``acts`` settled together and held against the law of edits."""
    settled = settle(document, acts)
    check_edit(document, acts, settled)
    return settled


def removed(text: str, *positions: int, default: Tier = Tier.AGING) -> str:
    """The file without some of its entries; fails where that is refused."""
    document = read(text, default)
    settled = carried(document, edits.remove(document, positions))
    assert not settled.refused, settled.refused
    return settled.document.text


def why_not(document: Document, *acts: Act) -> str:
    """Why one of ``acts`` is refused."""
    ((_, why),) = carried(document, *acts).refused
    return why


# -- any file


@settings(max_examples=40)
@given(memory_files(), DEFAULTS, st.randoms(use_true_random=False))
def test_each_act_alone(data: bytes, default: Tier, random: Random) -> None:
    document = read(data, default)
    acts = list(acts_on(document))
    for act in random.sample(acts, min(25, len(acts))):
        settled = carried(document, act)
        if act.key == ("pointer", "header") and settled.done:
            assert settled.document.pointer_ok


@settings(max_examples=60)
@given(memory_files(), DEFAULTS, st.randoms(use_true_random=False))
def test_many_acts_at_once(data: bytes, default: Tier, random: Random) -> None:
    document = read(data, default)
    acts = list(acts_on(document))
    carried(document, *random.sample(acts, min(random.randint(2, 8), len(acts))))


@settings(max_examples=40)
@given(memory_files(), DEFAULTS, st.randoms(use_true_random=False))
def test_all_entries_leave_one_by_one(data: bytes, default: Tier, random: Random) -> None:
    document = read(data, default)
    while document.entries:
        order = list(range(len(document.entries)))
        random.shuffle(order)
        tried = (carried(document, edits.remove(document, [at])) for at in order)
        settled = next((one for one in tried if one.done), None)
        if settled is None:
            break
        document = settled.document
    if not document.blocked:
        together = carried(document, edits.remove(document, range(len(document.entries))))
        ownerless = {"orphan-marker", "label-marker"} & {found.rule for found in document.findings}
        assert not together.refused or ownerless
        assert together.refused or not any(entry.explicit for entry in together.document.entries)


def test_the_underline_of_a_heading_is_no_bullet_of_what_stands_below_it() -> None:
    document = read(b"The gate\n- \n  It sticks. <!--P-->\n", Tier.AGING)
    (heading,) = document.headings
    (entry,) = document.entries
    assert (heading.start, heading.body, entry.lines) == (0, 2, (3, 3))
    settled = carried(document, edits.remove(document, [0]))
    assert settled.refused == () and settled.document.text == "The gate\n- \n"


# -- ordinary files: what is plain must not be refused


def plain(document: Document, act: Act) -> bool:
    """Whether nothing stands against an act.

    Not plain are what holds living entries, a heading that belongs to a marked one above it, a marker
    taken from among others, and a place for new text that may be the wrong one of several.
    """
    assert isinstance(act.key, tuple)
    what, which = act.key
    if what in ("remove", "reword") and which != "":
        parents = {entry.parent for entry in document.entries}
        return not (act.removes | act.becomes.keys()) & parents
    if what in ("remove section", "take as one"):
        (heading,) = (h for h in document.headings if h.text == which)
        owner = document.at_line(heading.start)
        return owner is None or owner.start == heading.start
    return what != "insert" and which != ""


@settings(max_examples=30)
@given(ordinary_files(), DEFAULTS, st.randoms(use_true_random=False))
def test_ordinary_files_refuse_nothing_plain(text: str, default: Tier, random: Random) -> None:
    document = read(text, default)
    acts = [act for act in acts_on(document) if plain(document, act)]
    for act in random.sample(acts, min(30, len(acts))):
        assert not carried(document, act).refused, act.key
    for kind, words in ((Kind.ITEM, NEW_ITEM), (Kind.SECTION, "## New\n\nbody")):
        tried = edits.insertions(document, words, kind, A)
        assert any(carried(document, act).done for act in tried)


# -- every small real shape


def leaving(case: Case) -> Iterator[tuple[Document, int]]:
    document = read_document(case.path.read_bytes(), case.file, Tier(case.default))
    for at in range(len(document.entries)):
        yield document, at


CASES = case_files()
HOLD_OTHERS = {("10-nested-bullets-marked-children/data/learnings.md", at) for at in (0, 3)}
"""Entries with living ones inside: they cannot leave alone, and nothing else in any case is refused."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: name_of(case.path))
def test_each_entry_of_a_case_can_leave(case: Case) -> None:
    for document, at in leaving(case):
        settled = carried(document, edits.remove(document, [at]))
        assert bool(settled.refused) == ((name_of(case.path), at) in HOLD_OTHERS), settled.refused


@pytest.mark.parametrize("case", CASES, ids=lambda case: name_of(case.path))
def test_each_entry_of_a_case_takes_every_marker(case: Case) -> None:
    for document, at in leaving(case):
        for marker in MARKS:
            settled = carried(document, edits.mark(document, at, marker))
            assert not settled.refused, (at, marker, settled.refused)


@pytest.mark.parametrize("case", CASES, ids=lambda case: name_of(case.path))
def test_sections_pointers_and_new_entries_of_a_case(case: Case) -> None:
    document = read_document(case.path.read_bytes(), case.file, Tier(case.default))
    for heading in document.headings:
        assert not carried(document, edits.remove_section(document, heading)).refused
        assert not carried(document, edits.take_as_one(document, heading, A)).refused
    assert carried(document, edits.set_pointer(document)).document.pointer_ok
    assert any(carried(document, act).done for act in edits.insertions(document, NEW_ITEM, Kind.ITEM, A))


# -- what taking lines away does to Markdown


@pytest.mark.parametrize(
    ("before", "gone", "after"),
    [
        (f"word {P}\n1. one {G}\n2. two {A}\n", 1, f"word {P}\n\n2. two {A}\n"),
        (f"word {P}\r\n1. one {G}\r\n2. two {A}\r\n", 1, f"word {P}\r\n\r\n2. two {A}\r\n"),
        (f"word {P}\n- one {G}\n---\n- two {A}\n", 1, f"word {P}\n\n---\n- two {A}\n"),
        (f"- one {G}\n===\n\n- two {A}\n", 0, f"- two {A}\n"),
        (f"- z {A}\n- one {G}\nlazy\n", 1, f"- z {A}\n"),
        (f"- one {P}\n- two {G}\n\n- three {A}\n", 1, f"- one {P}\n\n- three {A}\n"),
        (f"- one {P}\n\n- two {G}\n\n- three {A}\n", 1, f"- one {P}\n\n- three {A}\n"),
        (f"- one {P}\n\n- two {G}", 1, f"- one {P}\n"),
        (f"- one {P}\n- two {G}", 1, f"- one {P}\n"),
        (f"\n- one {P}\n\n- two {G}\n", 0, f"\n- two {G}\n"),
        (f"- one {P}\n\n\n\n- two {G}\n\n\n\n- three {A}\n", 1, f"- one {P}\n\n\n\n\n\n- three {A}\n"),
        (f"\ufeff- one {P}\n- two {G}\n", 0, f"\ufeff- two {G}\n"),
        (f"\ufeff- one {P}", 0, "\ufeff"),
        (f"Rules:\n- one {P}\n", 0, "Rules:\n"),
        (f"## Head\n\n- one {P}\n\n## Tail\n\n- two {G}\n", 0, f"## Head\n\n## Tail\n\n- two {G}\n"),
        (f"- one {P} <!-- kept\nopen -->\n- two {G}\n", 0, f"- two {G}\n"),
        (f"one {P}\ntwo {G}\nthree {A}\n", 1, f"one {P}\nthree {A}\n"),
        (f"- one {P}\n\n| a |\n| - |\n| b |\n\n- two {G}\n", 0, f"- two {G}\n"),
        (f"- z {A}\n\n> one {P}\n\n> two {G}\n", 1, f"- z {A}\n\n> two {G}\n"),
    ],
)
def test_an_entry_leaves(before: str, gone: int, after: str) -> None:
    assert removed(before, gone) == after


def test_the_last_of_what_a_bare_bullet_holds_takes_it_along() -> None:
    text = f"-\n  - one {P}\n  - two {G}\n- three {A}\n"
    assert removed(text, 0, 1) == f"- three {A}\n"
    assert removed(f"- -\n    - one {P}\n    - two {G}\n- three {A}\n", 0, 1) == f"- three {A}\n"


def test_a_blank_line_in_place_does_not_empty_a_bullet() -> None:
    document = read(f"-\n  - one {P}\n  - two {G}\n- three {A}\n")
    assert "“two”" in why_not(document, edits.remove(document, [0]))


def test_a_bullet_that_was_empty_stays() -> None:
    assert removed(f"-\n- one {P}\n- two {G}\n", 0) == f"-\n- two {G}\n"


def test_a_rule_or_an_underline_is_no_empty_bullet() -> None:
    assert removed(f"Head\n-\n  one {P}\n- two {G}\n", 0) == f"Head\n-\n- two {G}\n"
    assert removed(f"- z {A}\n\n* * *\n  one {P}\n", 1) == f"- z {A}\n\n* * *\n"


def test_the_survivor_of_two_marked_children_keeps_its_parent() -> None:
    document = read(f"- parent\n  - one {P}\n  - two {G}\n")
    for child in (1, 2):
        assert "“parent”" in why_not(document, edits.remove(document, [child]))
    assert carried(document, edits.remove(document, [1, 2])).document.text == "- parent\n"
    assert not carried(document, edits.remove(document, [1]), edits.remove(document, [2])).refused


def test_siblings_leave_together_whatever_else_is_refused() -> None:
    text = f"- parent\n  - one {P}\n  - two {G}\n- z\n  - a {P}\n  - b {G}\n"
    document = read(text)
    settled = carried(document, *(edits.remove(document, [at], at) for at in (1, 2, 4)))
    assert settled.document.text == f"- parent\n- z\n  - a {P}\n  - b {G}\n"
    assert [act.key for act, _ in settled.refused] == [4]


def test_a_survivor_that_does_not_end_its_parent_is_no_reason() -> None:
    text = f"- parent\n  - one {P}\n  - two {G}\n\n  and more\n"
    assert removed(text, 1) == f"- parent\n  - two {G}\n\n  and more\n"


@pytest.mark.parametrize(
    "text",
    [
        f"- parent {A}\n  - one {P}\n  - two {G}\n",
        f"## Parent {A}\n\nwords\n\n- one {P}\n- two {G}\n",
        f"## Parent {A}\n\n> one {P}\n\nword {G}\n",
    ],
)
def test_who_holds_living_entries_stays(text: str) -> None:
    document = read(text)
    assert "lives inside it" in why_not(document, edits.remove(document, [0]))
    assert removed(text, 0, 1, 2) == ""


def test_a_marked_heading_that_goes_does_not_give_its_neighbours_away() -> None:
    document = read(f"## A {A}\n\na\n\n### B {P}\n\nb\n\n### C\n\nc\n")
    assert "“A”" in why_not(document, edits.remove(document, [1]))


def test_a_divider_before_a_nested_entry_keeps_nobody() -> None:
    text = f"## A {A}\n\nwords\n\n<!-- more -->\n\n- one {P}\n\n## B\n\n- two {G}\n"
    assert removed(text, 1) == f"## A {A}\n\nwords\n\n<!-- more -->\n\n## B\n\n- two {G}\n"


def test_a_preamble_is_not_made_of_an_entry() -> None:
    document = read(f"# T\n\n- one {A}\n\nword\n\n- two {P}\n")
    assert "“word”" in why_not(document, edits.remove(document, [0]))
    document = read("# T\n\none\n\ntwo\n")
    assert "“one”" in why_not(document, edits.mark(document, 1, A))
    assert not carried(document, edits.mark(document, 0, A), edits.mark(document, 1, A)).refused


# -- markers


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("- one\n", f"- one {A}\n"),
        ("- one  \r\n", f"- one {A}  \r\n"),
        ("- one", f"- one {A}"),
        ("- one\n  wrapped\n\n  and more\n  - nested\n", f"- one\n  wrapped {A}\n\n  and more\n  - nested\n"),
        (f"- one\n  wrapped {G}\n", f"- one\n  wrapped {A}\n"),
        (f"- one\n  - nested {G}\n", f"- one\n  - nested {A}\n"),
        (f"- one\n  {G}\n", f"- one\n  {A}\n"),
        (f"- one\t{G}  <!-- why -->\n", f"- one\t{A}  <!-- why -->\n"),
        ("- z\n\n## Head ##\n\nbody\n", f"- z\n\n## Head ## {A}\n\nbody\n"),
        ("- z\n\nHead\n---\n\nbody\n", f"- z\n\nHead {A}\n---\n\nbody\n"),
        (f"- z\n\n> one\n> two {G}\n", f"- z\n\n> one\n> two {A}\n"),
        ("- z\n\n1. ```\n   code\n   ```\n", f"- z\n\n1. ```\n   code\n   ```\n   {A}\n"),
        ("- z\n- <!-- id 4 --> one\n", f"- z\n- <!-- id 4 --> one {A}\n"),
        ("- z\n- ends in \\\n", f"- z\n- ends in \\ {A}\n"),
        ("- z\n- one\r\r\n", f"- z\n- one\r {A}\r\n"),
        ("- z\n- one\u2028\n", f"- z\n- one\u2028 {A}\n"),
        ("- z\n- `open\n", f"- z\n- `open {A}\n"),
    ],
)
def test_an_entry_is_marked(before: str, after: str) -> None:
    document = read(before)
    settled = carried(document, edits.mark(document, len(document.entries) - 1, A))
    assert settled.document.text == after


def test_a_marker_that_could_not_be_read_is_refused() -> None:
    document = read("- z\n- one \\<!--\n")
    settled = carried(document, edits.mark(document, 1, A))
    assert settled.refused or settled.document.entries[1].tier is Tier.AGING
    with pytest.raises(ValueError, match="no marker"):
        edits.mark(document, 0, "<!--a:2026-9-1-->")


def test_a_split_writes_no_marker_that_nobody_would_read() -> None:
    document = read(f"# T {P}\n\none\n\n## <!--\n\ntwo\n", Tier.PINNED)
    split = edits.split_section(document, document.headings[0])
    assert split is not None and carried(document, split).refused


# -- acts together


def test_two_acts_on_one_entry_do_not_write_two_markers() -> None:
    document = read("- one\n- two\n")
    settled = carried(document, edits.mark(document, 0, A), edits.mark(document, 0, P))
    assert len(settled.done) == 1 and "already" in settled.refused[0][1]
    settled = carried(document, edits.mark(document, 0, A), edits.remove(document, [0]))
    assert len(settled.done) == 1 and settled.refused


def test_an_act_without_effect_is_not_reported_as_done() -> None:
    document = read("<details>\n<summary>\n\n- one\n- - <!--x--> and on\n", Tier.PINNED)
    for at in range(len(document.entries)):
        settled = carried(document, edits.mark(document, at, A))
        assert settled.refused or settled.document.entries[at].reinforced is not None


def test_a_blocked_file_is_left_alone() -> None:
    for text in ("- one\n\n```\nopen\n", "<<<<<<< ours\n- one\n=======\n- two\n>>>>>>> theirs\n"):
        document = read(text)
        settled = carried(document, edits.mark(document, 0, A))
        assert "is not edited" in settled.refused[0][1] and settled.document is document


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", POINTER + "\n"),
        ("- one\n", f"{POINTER}\n\n- one\n"),
        ("\ufeff- one\n", f"\ufeff{POINTER}\n\n- one\n"),
        ("# T", f"# T\n{POINTER}"),
        ("# T\r\n\r\n- one\r\n", f"# T\r\n{POINTER}\r\n\r\n- one\r\n"),
        (f"T\n=\n{P}\n", f"T\n=\n{P}\n{POINTER}\n"),
        ("---\na: b\n---\n- one\n", f"---\na: b\n---\n{POINTER}\n- one\n"),
        ("<!-- memory tiers: elsewhere -->\n- one\n", f"{POINTER}\n- one\n"),
        ("- one\n<!-- memory tiers: see the stow skill -->\n- two\n", f"{POINTER}\n\n- one\n- two\n"),
        ("# T\n<!-- memory tiers: see the stow skill; pass horizon -->\n", None),
    ],
)
def test_the_header_pointer(before: str, after: str | None) -> None:
    document = read(before)
    assert carried(document, edits.set_pointer(document)).document.text == (after or before)


def test_the_pointer_stands_while_the_first_entry_goes() -> None:
    document = read("\ufeff- one\n- two\n")
    settled = carried(document, edits.set_pointer(document), edits.remove(document, [0]))
    assert settled.document.text == f"\ufeff{POINTER}\n\n- two\n"
