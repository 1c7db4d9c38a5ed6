"""What counts as one entry, by small examples of each rule, and what each entry knows of itself."""

from __future__ import annotations

from hashlib import sha256

import pytest
from edit_acts import AGING_MARK, read

from floppy_tui.text.lines import encode
from floppy_tui.tiers.document import Document, default_tier, number_ids
from floppy_tui.tiers.markers import GRACE_MARK, PINNED_MARK, Tier
from floppy_tui.tiers.reading import read_document

A, P, G = AGING_MARK, PINNED_MARK, GRACE_MARK


def told(document: Document) -> str:
    """The entries in few words: kind, own lines, and the first letter of an explicit tier."""
    return ", ".join(
        f"{entry.kind} {'+'.join(f'{a + 1}-{b}' if b - a > 1 else str(b) for a, b in entry.own)}"
        f"{' ' + entry.tier[0] if entry.explicit else ''}"
        for entry in document.entries
    )


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        # marked headings
        (f"# T\n\n## A {A}\n\na\n\n### B\n\nb\n\n## C\n\n- c\n", "section 3-9 a, item 13"),
        (f"## A {A}\n\na\n\n### B {P}\n\nb\n\n#### C\n\nc\n\n### D\n\nd\n",
         "section 1-3 a, section 5-11 p, section 13-15"),
        (f"### A {A}\n\na\n\n## B\n\nb\n", "section 1-3 a, section 5-7"),
        (f"## A {A}\n\n- a\n- b {P}\n- c\n", "section 1-3+5 a, item 4 p"),
        (f"## A {A}\n\none {P}\ntwo\n\n> q {G}\n\n```\nx\n```\n",
         "section 1+4 a, paragraph 3 p, paragraph 6-10 g"),
        (f"## A {A}\n\n- a {P}\n\n```\nx\n```\n\nand\n\n```\ny\n```\n", "section 1+9-13 a, item 3-7 p"),
        (f"## A {A}\n\na\n\n---\n\n<!-- end -->\n\n## B\n\n- b\n", "section 1-3 a, item 11"),
        (f"## A {A}\n\na\n\n---\n\nb\n", "section 1-7 a"),
        (f"# A {A}\n\na\n", "section 1-3 a"),
        # unmarked leaf headings over prose
        ("- z\n\n## A\n\na\n\n```\nx\n```\n\n> q\n\n| t |\n| - |\n", "item 1, section 3-14"),
        ("- z\n\n## A\n\na\n\n---\n\n## B\n\nb\n\n<!-- end -->\n", "item 1, section 3-5, section 9-11"),
        ("- z\n\n## A\n\na\n\n### B\n\nb\n", "item 1, paragraph 5, section 7-9"),
        ("- z\n\n## A\n\na\n\n- b\n", "item 1, paragraph 5, item 7"),
        (f"- z\n\n## A\n\na {P}\n\nb\n", "item 1, paragraph 5 p, paragraph 7"),
        ("- z\n\n## A\n\n<details>\nx\n</details>\n\na\n", "item 1, paragraph 9"),
        ("- z\n\n## A\n\n```\nx\n```\n", "item 1, section 3-7"),
        ("- z\n\n## A\n\n## B\n\nb\n", "item 1, section 5-7"),
        ("- z\n\nA\n---\n\na\n", "item 1, section 3-6"),
        ("## A\n\na\n\nb\n", "section 1-5"),
        # list items
        ("- a\n  wrapped\n\n  more\n  - b\n    - c\n- d\n", "item 1-6, item 7"),
        (f"- a {P}\n  - b\n  - c\n", "item 1-3 p"),
        (f"- a\n  wrapped {P}\n  - b\n", "item 1-3 p"),
        (f"- a\n\n  - b\n\n  more {P}\n", "item 1-5 p"),
        (f"- a\n  - b\n    - c {P}\n", "item 1-3 p"),
        (f"- a\n  - b {P}\n  - c\n", "item 1+3, item 2 p"),
        (f"- a\n  - b {P}\n    - c\n  - d\n", "item 1+4, item 2-3 p"),
        (f"- a {A}\n  - b {P}\n", "item 1 a, item 2 p"),
        (f"- a\n  - b\n    - c {P}\n    - d {G}\n  - e {A}\n", "item 1-2, item 3 p, item 4 g, item 5 a"),
        (f"-\n  - a {P}\n  - b {G}\n", "item 2 p, item 3 g"),
        (f"- -\n    - a {P}\n    - b {G}\n", "item 2 p, item 3 g"),
        ("-\n-\n- a\n", "item 3"),
        ("1. a\n2) b\n* c\n+ d\n- [ ] e\n", "item 1, item 2, item 3, item 4, item 5"),
        (f"- a\n  ```\n  {P}\n  ```\n  {G}\n", "item 1-5 g"),
        ("- a\n\n```\nx\n```\n\n- b\n", "item 1-5, item 7"),
        ("- a\n\n---\n\n```\nx\n```\n", "item 1"),
        (f"- # a {P}\n  b\n- > c {G}\n", "item 1-2 p, item 3 g"),
        # paragraphs and labels
        (f"- z\n\none {P}\ntwo\nthree {G}\ntail\n", "item 1, paragraph 3 p, paragraph 4-5 g, paragraph 6"),
        (f"- z\n\none\n{P}\ntwo\n", "item 1, paragraph 3-4 p, paragraph 5"),
        ("- z\n\nRules:\n- a\n\nrules：\n\n- b\n", "item 1, item 4, item 8"),
        ("- z\n\n**Rules**\n\n- a\n\n__Rules__:\n- b\n\n**Rules:**\n- c\n",
         "item 1, item 5, item 8, item 11"),
        ("- z\n\n**a** and **b**\n\n- a\n\n**Note:** b\n\n- c\n",
         "item 1, paragraph 3, item 5, paragraph 7, item 9"),
        ("- z\n\nRules:\n\nword\n\nlast:\n", "item 1, paragraph 3, paragraph 5, paragraph 7"),
        (f"- z\n\nRules: {P}\n- a\n", "item 1, paragraph 3 p, item 4"),
        ("- z\n\nlong\nlabel:\n1. a\n", "item 1, item 5"),
        # quotes and tables
        (f"- z\n\n> a {P}\n\n> b\n\nc\n\n> d\n", "item 1, paragraph 3-5 p, paragraph 7-9"),
        (f"- z\n\n> a {P}\n> b\n", "item 1-4"),
        (f"- z\n\n> - a\n> - b {P}\n", "item 1, paragraph 3-4 p"),
        ("## A\n\n| t |\n| - |\n\n- a\n", "item 6"),
        # title, preamble, bare files
        ("# T\n\nintro\n\nword\n\n- a\n", "paragraph 5, item 7"),
        ("intro\n\n# T\n\nword\n\n- a\n", "paragraph 5, item 7"),
        (f"# T\n\nintro {P}\n\nword\n\n- a\n", "paragraph 3 p, paragraph 5, item 7"),
        ("# T\n\n```\nx\n```\n\nword\n\n- a\n", "paragraph 7, item 9"),
        ("# T\n\n<!-- note -->\n\nintro\n\n- a\n", "item 7"),
        ("# T\n\n- a\n\nword\n", "item 3, paragraph 5"),
        ("# T\n\na\n\nb\n", "paragraph 3, paragraph 5"),
        ("T\n=\n\na\n\nb\n", "paragraph 4, paragraph 6"),
        ("a\n\nb\n", "paragraph 1, paragraph 3"),
        ("a\n\n```\nx\n```\n", "paragraph 1-5"),
        (f"# T\n\na\n\nb {P}\n", "paragraph 5 p"),
        ("# A\n\na\n\n# B\n\nb\n", "section 1-3, section 5-7"),
        ("# A\n\na\n\n- x\n\n# B\n\nb\n\n- y\n", "paragraph 3, item 5, paragraph 9, item 11"),
        ("## A\n\na\n\n# B\n\n- b\n", "section 1-3, item 7"),
        # what is structure
        ("---\na: 1 <!--P-->\n---\n- a\n", "item 4"),
        ("---\na: 1\n\n- a\n", "item 4"),
        ("\ufeff---\na: 1\n---\n- a\n", "item 4"),
        ("<!--\n- a <!--P-->\n## B <!--g-->\n-->\n- c\n", "item 5"),
        ("<!-- memory tiers: see the stow skill -->\n- a\n<!-- memory tiers: x -->\n- b\n", "item 2, item 4"),
        ("- a\n<!-- note -->\n- b\n", "item 1, item 3"),
        ("<details>\n\n- a\n\n</details>\n", "item 3"),
        ("<div>\n- a\n</div>\n", ""),
        ("[a]: b\n\n- c\n", "item 3"),
        ("", ""),
        ("\ufeff", ""),
        ("\n \n\t\n", ""),
        # read as well as possible, and not edited
        ("- a\n<<<<<<< ours\n- b\n=======\n- c\n>>>>>>> theirs\n- d\n", "item 1, item 3, item 5, item 7"),
        (f"- a\n\n```\n- b {P}\n", "item 1-4"),
        ("- a\n  ```\n  b\n- c\n", "item 1-3, item 4"),
    ],
)  # fmt: skip
def test_what_is_an_entry(text: str, entries: str) -> None:
    assert told(read(text)) == entries
    assert told(read(text.replace("\n", "\r\n"))) == entries
    assert told(read(text.removesuffix("\n"))) == entries


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("- a\n<<<<<<< ours\n- b\n=======\n- c\n>>>>>>> theirs\n", "merge-conflict markers (line 2)"),
        ("- a\n\n```\n- b\n", "code fence of line 3"),
        ("- a\n  ~~~~\n  b\n  ~~~\n- c\n", "code fence of line 2"),
        ("- a\n\n```\nb\n```\n", ""),
        ("Head\n=======\n\n- a\n", ""),
        ("- a\n\n======= and so on\n", ""),
    ],
)
def test_what_is_not_edited(text: str, why: str) -> None:
    document = read(text)
    assert (why in document.blocked) if why else not document.blocked
    rules = {f.rule for f in document.findings}
    assert bool(rules & {"conflict-markers", "unclosed-fence"}) == bool(why)


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        (f"- [x] gate `<!--P-->` *bold*  {A}  \n", "[x] gate `<!--P-->` *bold*"),
        (f"-   gate\n    wrapped {A}\n\n      code\n", "gate\nwrapped\n\n  code"),
        (f"10. gate\n    - nested\n\n    tail {A}\r\n", "gate\n- nested\n\ntail"),
        (f"-\tgate\n\twrapped {A}\n", "gate\nwrapped"),
        (f"- gate\nlazy {A}\n", "gate\nlazy"),
        (f"- gate\n  {A}\n", "gate"),
        (f"## Gate ## {A}\n\nbody\n", "## Gate ##\n\nbody"),
        (f"Gate {A}\n---\nbody\n", "Gate\n---\nbody"),
        (f"> gate\n> lamp {A}\n", "> gate\n> lamp"),
        (f"- gate {A} <!-- note -->\n", "gate <!-- note -->"),
        (f"\ufeff- gate {A}\n", "gate"),
        (f"- gate\x0cand\u2028lamp {A}\n", "gate\x0cand\u2028lamp"),
    ],
)
def test_the_words_of_an_entry(text: str, prose: str) -> None:
    (entry,) = read(text).entries
    assert entry.prose == prose


def test_an_entry_knows_itself() -> None:
    text = f"# T\r\n\r\n## A\r\n\r\n- Gate  of\r\n  Lamp <!--a:2026-08-03/4-->\r\n  - nested {P}\r\n- x\r\n"
    document = read(text)
    gate, nested, last = document.entries
    assert (gate.kind, gate.lines, gate.own) == ("item", (5, 7), ((4, 6),))
    assert (gate.tier, gate.explicit, str(gate.reinforced), gate.passes) == ("aging", True, "2026-08-03", 4)
    own = b"- Gate  of\r\n  Lamp <!--a:2026-08-03/4-->\r\n"
    assert (gate.tokens, gate.digest) == (-(-len(own) // 3), sha256(own).hexdigest())
    assert gate.heading == ("T", "A") and gate.parent is None and gate.default is Tier.AGING
    assert gate.id == sha256(b"gate of lamp").hexdigest()[:12]
    assert nested.parent == 0 and nested.pinned and not last.explicit and last.tier is Tier.UNMARKED


def test_identity_is_of_the_words_alone() -> None:
    same = [
        "- the Gate is shut\n",
        f"- the gate\n  is  SHUT {A}\n",
        "- the gate is shut <!-- a:2026-8-3 -->\n",
        f"- z {P}\n\nthe gate is shut {G}\n",
    ]
    assert len({read(text).entries[-1].id for text in same}) == 1
    bad = read_document(b"- gate \xff\n- gate \xc3\n- gate \xef\xbf\xbd\n", "data/learnings.md", Tier.AGING)
    assert len({e.id for e in bad.entries}) == 1


def test_a_duplicate_is_numbered_over_the_home() -> None:
    first, second = number_ids([read("- a\n- b\n- a\n"), read("- A\n", Tier.PINNED)])
    one, _, two = (e.id for e in first.entries)
    assert two == f"{one}-2" and second.entries[0].id == f"{one}-3"


def test_sections_know_their_lines() -> None:
    document = read("# T\n\n## A\n\n- a\n\n### B\n\nb\n\n## A\n\n- c\n")
    lines = [(h.text, h.level, h.start, h.body, h.end, h.title) for h in document.headings]
    assert lines == [
        ("T", 1, 0, 1, 13, True),
        ("A", 2, 2, 3, 10, False),
        ("B", 3, 6, 7, 10, False),
        ("A", 2, 10, 11, 13, False),
    ]
    assert document.section(("T", "A", "B")) == document.headings[2]
    assert document.section(("B",)) == document.headings[2]
    assert document.section(("nowhere",)) is None


@pytest.mark.parametrize(
    ("name", "tier"),
    [
        ("data/captain.md", Tier.PINNED),
        ("data/captain-shared.md", Tier.PINNED),
        ("data/learnings.md", Tier.AGING),
        ("captain.md", Tier.PINNED),
        ("notes/other.md", Tier.AGING),
    ],
)
def test_the_default_goes_by_the_name(name: str, tier: Tier) -> None:
    assert default_tier(name) is tier


@pytest.mark.parametrize("depth", [30, 99, 140])
def test_deep_nesting_is_read(depth: int) -> None:
    text = "".join(f"{'  ' * at}- level {at}\n" for at in range(depth))
    document = read(text)
    assert encode(document.text) == text.encode() and len(document.entries) == 1
    assert "level 29" in document.entries[0].prose


def test_one_section_is_read_without_the_others() -> None:
    sections = [
        "## A\n\n- a\n\nword\n\n",
        f"## B {P}\n\nb\n\n- c {G}\n\n",
        "## C\n\nc\n\n",
        "## D\n\nRules:\n- d\n\n",
        "## E\n\n> e\n\n### F\n\nf\n\n",
    ]
    alone = [[(e.kind, e.prose, e.tier) for e in read("- z\n\n" + s).entries[1:]] for s in sections]
    for turn in range(len(sections)):
        turned = sections[turn:] + sections[:turn]
        found = [(e.kind, e.prose, e.tier) for e in read("- z\n\n" + "".join(turned)).entries[1:]]
        assert found == [one for entries in alone[turn:] + alone[:turn] for one in entries]


@pytest.mark.parametrize(
    "line",
    ["- " + "<!--a:" * 20_000, "- x " + P * 12_000, "- x " + "<!--x-->" * 12_000, "- " + "` " * 50_000 + P],
    ids=["open comments", "markers", "lookalikes", "backticks"],
)
def test_a_line_of_nothing_but_trouble_is_read_at_once(line: str) -> None:
    document = read(f"{line}\n")
    assert len(document.entries) == 1 and document.text == f"{line}\n"
