"""Each rule at its boundary, in both profiles: what it names, where, how severely, and what it lets be."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import NamedTuple

import pytest
from note_trees import TODAY, findings_of, note, tree_of

from floppy_tui.notes.findings import Finding, Severity
from floppy_tui.notes.lint import lint, summarize
from floppy_tui.notes.profiles import Config, Profile, read_config
from floppy_tui.notes.quota import FILE
from floppy_tui.notes.repairs import REPAIRS
from floppy_tui.notes.rules import RULES
from floppy_tui.notes.tree import Tree, Unread

FLOPPY, AUTO = Profile.FLOPPY, Profile.AUTO
ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

ROPE = note("rope", as_of="2026-09-01")
CLEAN = {
    "MEMORY.md": "# Index\n\n- [Rope](rope.md) — how long\n- [Yard](yard/INDEX.md) — ropes and carts\n",
    "rope.md": ROPE,
    "yard/INDEX.md": "- [Cart](cart.md) — bell\n",
    "yard/cart.md": note("cart", "See [[rope]].\n", as_of="2026-09-01"),
    "quota.lock": "chars_max=20000\nnote_chars_max=4000\npointers_max=40\npointer_line_max=170\n",
}


def at(
    rule: str, files: Mapping[str, str | None], profile: Profile = FLOPPY, **more: object
) -> list[tuple[str, int, Severity]]:
    """Where the clean tree with ``files`` over it (None takes one away) breaks ``rule``, and how severely."""
    return [(f.path, f.line, f.severity) for f in said(rule, files, profile, **more)]


def said(
    rule: str, files: Mapping[str, str | None], profile: Profile = FLOPPY, **more: object
) -> list[Finding]:
    return findings_of(changed(files, profile, **more), rule)


def changed(files: Mapping[str, str | None], profile: Profile = FLOPPY, **more: object) -> Tree:
    whole = {path: text for path, text in (CLEAN | dict(files)).items() if text is not None}
    return tree_of(whole, profile, **more)


def test_a_clean_tree_is_clean() -> None:
    tree = changed({})
    assert lint(tree) == ()
    assert summarize(tree, ()) == (2, 3, 2, 0, 0, 0, 0)
    assert [f.rule for f in lint(changed({"quota.lock": None}, AUTO))] == []


FRONT = """\
---
name: rope
description: d
metadata:
  type: project
  evidence: read
  as_of: 2026-09-01
---
"""
CART = "- [Cart](cart.md)\n"


class Broken(NamedTuple):
    """One way to break one rule, and what lint has to say of it."""

    rule: str
    files: Mapping[str, str | None]
    path: str
    line: int
    auto: Severity | None
    """How severe it is in auto-memory; None where it says nothing there."""
    severity: Severity = ERROR


def rope(old: str, new: str) -> dict[str, str | None]:
    """The clean tree's note with one line of its front matter changed."""
    assert old in FRONT
    return {"rope.md": FRONT.replace(old, new) + "\nBody.\n"}


def yard(text: str) -> dict[str, str | None]:
    """The clean tree with another index of its half."""
    return {"yard/INDEX.md": text}


FLAT = rope("metadata:\n  type: project\n", "type: project\nmetadata:\n")
TWO_TYPES = rope("name: rope\n", "name: rope\ntype: user\n")
BROKEN = [
    Broken("no-front-matter", {"rope.md": "Body.\n"}, "rope.md", 1, ERROR),
    Broken("no-front-matter", {"rope.md": "---\nname: rope\n"}, "rope.md", 1, ERROR),
    Broken("no-front-matter", {"rope.md": ""}, "rope.md", 1, ERROR),
    Broken("name-missing", rope("name: rope\n", ""), "rope.md", 1, ERROR),
    Broken("name-missing", rope("name: rope\n", "name:\n"), "rope.md", 2, ERROR),
    Broken("name-missing", rope("name: rope\n", 'name: ""\n'), "rope.md", 2, ERROR),
    Broken("description-missing", rope("description: d\n", ""), "rope.md", 2, ERROR),
    Broken("description-missing", rope("description: d\n", "description: ''\n"), "rope.md", 3, ERROR),
    Broken("type-missing", rope("  type: project\n", ""), "rope.md", 4, ERROR),
    Broken("type-missing", rope("  type: project\n", "  type:\n"), "rope.md", 5, ERROR),
    Broken("type-unknown", rope("type: project", "type: Project"), "rope.md", 5, ERROR),
    Broken("type-unknown", rope("type: project", "type: project # or so"), "rope.md", 5, ERROR),
    Broken("evidence-missing", rope("  evidence: read\n", ""), "rope.md", 4, None),
    Broken("evidence-unknown", rope("evidence: read", "evidence: guessed"), "rope.md", 6, ERROR),
    Broken("name-not-file-name", rope("name: rope", "name: Rope"), "rope.md", 2, INFO),
    Broken("slug-taken", {"yard/cart.md": note("rope", as_of="2026-09-01")}, "yard/cart.md", 2, ERROR),
    Broken("as-of-not-iso", rope("2026-09-01", "1 Sep 2026"), "rope.md", 7, ERROR),
    Broken("as-of-not-iso", rope("2026-09-01", "2026-9-1"), "rope.md", 7, ERROR),
    Broken("as-of-not-iso", rope("2026-09-01", "2026-09-01 # the run"), "rope.md", 7, ERROR),
    Broken("as-of-impossible", rope("2026-09-01", "2026-02-30"), "rope.md", 7, ERROR),
    Broken("as-of-in-future", rope("2026-09-01", "2026-10-03"), "rope.md", 7, ERROR),
    Broken("too-deep", {"yard/a/b/deep.md": note("deep")}, "yard/a/b/deep.md", 0, ERROR),
    Broken("too-deep", {"yard/a/b/INDEX.md": "# B\n"}, "yard/a/b/INDEX.md", 0, ERROR),
    Broken("pointer-dangling", {"yard/INDEX.md": "\n- [Cart](carts.md) — x\n"}, "yard/INDEX.md", 2, ERROR),
    Broken("index-unlinked", {"MEMORY.md": "- [Rope](rope.md) — how long\n"}, "yard/INDEX.md", 0, ERROR),
    Broken("index-parent-missing", {"mill/stones/INDEX.md": "# S\n"}, "mill/stones/INDEX.md", 0, ERROR),
    Broken("note-without-pointer", {"yard/gate.md": note("gate")}, "yard/gate.md", 0, ERROR),
    Broken(
        "note-without-pointer",
        {
            "yard/INDEX.md": "- [Cart](cart.md)\n- [W](wheels/INDEX.md)\n- [Hub](wheels/hub.md)\n",
            "yard/wheels/INDEX.md": "# Wheels\n",
            "yard/wheels/hub.md": note("hub"),
        },
        "yard/wheels/hub.md",
        0,
        ERROR,
    ),
    Broken("link-dangling", {"rope.md": FRONT + "\nSee\n[[nowhere]].\n"}, "rope.md", 11, ERROR),
    Broken("link-dangling", {"yard/INDEX.md": "- [Cart](cart.md) — see [[no]]\n"}, "yard/INDEX.md", 1, ERROR),
    Broken("flat-type", FLAT, "rope.md", 4, INFO),
    Broken("note-aged", rope("2026-09-01", "2026-04-03"), "rope.md", 7, WARNING, WARNING),
    Broken("yaml-unreadable", rope("description: d", "description: a: b"), "rope.md", 3, WARNING, WARNING),
    Broken("yaml-differs", rope("description: d", "description: a # b"), "rope.md", 3, WARNING, WARNING),
    Broken("types-disagree", TWO_TYPES, "rope.md", 3, WARNING, WARNING),
    Broken(
        "pointer-repeated",
        {"yard/INDEX.md": "- [Cart](cart.md) — bell\n\n- [Cart](./cart.md) — once more\n"},
        "yard/INDEX.md",
        3,
        WARNING,
        WARNING,
    ),
    *(
        Broken(
            "pointer-not-a-note",
            yard(CART + f"- [X]({target}) — x\n"),
            "yard/INDEX.md",
            2,
            WARNING,
            WARNING,
        )
        for target in ("", "wheels/", "table.csv", "/home/nobody/x.md")
    ),
    Broken(
        "pointer-leaves-memory",
        yard(CART + "- [X](../../x.md)\n"),
        "yard/INDEX.md",
        2,
        WARNING,
        WARNING,
    ),
    Broken("pointer-not-literal", yard("- [Cart](<cart.md>)\n"), "yard/INDEX.md", 1, WARNING, WARNING),
    Broken("pointer-not-literal", yard('- [Cart](cart.md "c")\n'), "yard/INDEX.md", 1, WARNING, WARNING),
    Broken("quota-missing", {"quota.lock": None}, FILE, 0, None, WARNING),
    Broken("quota-not-a-number", {"quota.lock": "a=b\nchars_max = 20k\n"}, FILE, 2, None),
    Broken("quota-not-a-number", {"quota.lock": "half_chars_max.yard=\n"}, FILE, 1, None),
    Broken("note-over-quota", {"quota.lock": f"note_chars_max={len(ROPE)}\n"}, "yard/cart.md", 0, None),
    Broken("corpus-over-quota", {"quota.lock": "note_chars_max=200\nchars_max=100\n"}, FILE, 2, None),
    Broken("half-over-quota", {"quota.lock": "half_chars_max.root=100\n"}, FILE, 1, None),
    Broken("pointers-over-quota", {"quota.lock": "pointers_max=1\n"}, "MEMORY.md", 4, None),
    Broken("pointer-line-too-long", {"quota.lock": "pointer_line_max=28\n"}, "MEMORY.md", 4, None),
    Broken("link-into-foreign-scope", {"rope.md": FRONT + "\n[x](private/x.md)\n"}, "rope.md", 10, None),
]


@pytest.mark.parametrize("broken", BROKEN, ids=lambda b: b.rule)
def test_a_broken_rule_is_named_where_it_is_broken(broken: Broken) -> None:
    assert at(broken.rule, broken.files) == [(broken.path, broken.line, broken.severity)]
    wanted = [] if broken.auto is None else [(broken.path, broken.line, broken.auto)]
    found = [f for f in at(broken.rule, broken.files, AUTO) if f[0] != "MEMORY.md" or broken.path == f[0]]
    assert found == wanted


@pytest.mark.parametrize("broken", BROKEN, ids=lambda b: b.rule)
def test_a_message_is_a_sentence_that_says_what_to_do(broken: Broken) -> None:
    for finding in said(broken.rule, broken.files):
        assert finding.message[0].isupper() or finding.message.startswith(
            ("as_of", "[[", "half_chars_max", "chars_max")
        )
        assert finding.message.endswith(".") and ("; " in finding.message or ": " in finding.message)
        assert "\n" not in finding.message


ELSEWHERE = {"store-half-done", "store-outside-git", "file-unreadable"}
"""Rules that the store finds."""
BY_SIZE = {
    "index-over-cut",
    "index-near-cut",
    "note-near-quota",
    "pointers-near-quota",
    "corpus-near-quota",
    "half-near-quota",
}
"""Rules with tests of their own below."""


def test_every_rule_is_tested() -> None:
    assert {b.rule for b in BROKEN} | ELSEWHERE | BY_SIZE | {"notes-undated"} == set(RULES)


def test_rules_are_listed_well() -> None:
    for name, rule in RULES.items():
        assert rule.name == name
        for sentence in (rule.words, rule.why, rule.repair):
            assert sentence[0].isupper() or sentence.startswith("[[")
            assert sentence.endswith(".") and "  " not in sentence
        assert not rule.floppy_only or rule.severity_in(AUTO) is rule.severity
    assert set(REPAIRS) <= set(RULES)


def test_severities_differ_between_the_profiles_where_the_formats_do() -> None:
    assert {n: r.severity_in(AUTO) for n, r in RULES.items() if r.severity_in(AUTO) is not r.severity} == {
        "evidence-missing": INFO,
        "name-not-file-name": INFO,
        "flat-type": INFO,
        "notes-undated": INFO,
    }


# -- sizes


def long_note(name: str, chars: int, ending: str = "\n") -> str:
    """A note of exactly so many characters, one line end per line."""
    head = note(name, "", as_of="2026-09-01")
    text = head + "x" * (chars - len(head) - 1) + "\n"
    return text.replace("\n", ending)


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("chars", "rule", "severity"),
    [
        (960, None, None),
        (961, "note-near-quota", WARNING),
        (1000, "note-near-quota", WARNING),
        (1001, "note-over-quota", ERROR),
    ],
)
def test_a_note_warns_from_96_percent(
    chars: int, rule: str | None, severity: Severity | None, ending: str
) -> None:
    files = {"rope.md": long_note("rope", chars, ending), "quota.lock": "note_chars_max=1000\n"}
    found = [f for f in lint(changed(files)) if "note-" in f.rule]
    assert [(f.rule, f.severity) for f in found] == ([(rule, severity)] if rule else [])
    for finding in found:
        assert f"{chars:,} characters of 1,000 (note_chars_max)" in finding.message


def test_percents_are_whole_numbers_rounded_down() -> None:
    files = {"rope.md": long_note("rope", 197), "quota.lock": "note_chars_max=205\n"}
    assert 205 * 96 // 100 == 196
    assert said("note-near-quota", files)
    assert not said("note-near-quota", {**files, "rope.md": long_note("rope", 196)})


def test_a_last_line_without_an_end_counts_one_all_the_same() -> None:
    text = long_note("rope", 1001)
    assert said("note-over-quota", {"rope.md": text.rstrip("\n"), "quota.lock": "note_chars_max=1000\n"})


def test_a_grandfathered_note_only_warns() -> None:
    files = {
        "yard/cart.md": long_note("cart", 2000),
        "quota.lock": "note_chars_max=1000\ngrandfathered=a.md, yard/cart.md\n",
    }
    assert at("note-over-quota", files) == [("yard/cart.md", 0, WARNING)]
    assert not [f for f in lint(changed(files)) if f.severity is ERROR]


@pytest.mark.parametrize(
    ("limit", "rule"),
    [(3130, None), (3125, None), (3124, "near"), (3000, "near"), (2999, "over")],
)
def test_a_corpus_and_a_half_warn_and_refuse(limit: int, rule: str | None) -> None:
    notes = {"rope.md": long_note("rope", 1000), "yard/cart.md": long_note("cart", 2000)}
    assert 3125 * 96 // 100 == 3000
    corpus = lint(changed({**notes, "quota.lock": f"# sizes\nchars_max={limit}\n"}))
    assert [f.rule for f in corpus] == ([f"corpus-{rule}-quota"] if rule else [])
    for finding in corpus:
        assert f"3,000 characters of {limit:,} (chars_max): yard 2,000, root 1,000;" in finding.message
        assert (finding.path, finding.line, finding.about) == (FILE, 2, "chars_max")
    half = lint(changed({**notes, "quota.lock": f"half_chars_max.yard={limit - 1000}\n"}))
    limits = {3130: None, 3125: None, 3124: None, 3000: "near", 2999: "over"}
    assert [f.rule for f in half] == ([f"half-{limits[limit]}-quota"] if limits[limit] else [])
    for finding in half:
        assert "The notes of yard have 2,000 characters" in finding.message
        assert finding.about == "half_chars_max.yard"


def test_foreign_notes_count_toward_no_quota() -> None:
    foreign = {
        "private/long.md": long_note("long", 5000),
        "common/shared/longer.md": long_note("longer", 5000),
        "private/README.md": "No note.\n",
        "private/machines/lathe/NOW.md": "No note either.\n",
    }
    tree = changed(foreign)
    assert lint(tree) == ()
    assert summarize(tree, ())[:5] == (2, 3, 2, 1, 1)


def test_foreign_notes_are_checked_as_notes_and_their_links() -> None:
    foreign = {
        "private/bench.md": "---\nname: bench\n---\nSee [[nowhere]], [[rope]] and [x](../private/y.md).\n"
    }
    assert [(f.rule, f.line) for f in lint(changed(foreign)) if f.path == "private/bench.md"] == [
        ("type-missing", 1),
        ("evidence-missing", 1),
        ("description-missing", 2),
        ("link-dangling", 4),
    ]


@pytest.mark.parametrize(
    ("count", "rules"),
    [
        (24, []),
        (25, ["pointers-near-quota"]),
        (26, ["pointers-over-quota"]),
    ],
)
def test_an_index_of_many_pointers(count: int, rules: list[str]) -> None:
    notes: dict[str, str | None] = {
        f"yard/n{n}.md": note(f"n{n}", as_of="2026-09-01") for n in range(count - 1)
    }
    lines = ["- [Cart](cart.md)\n", *(f"- [N](n{n}.md)\n" for n in range(count - 1))]
    tree = changed({**notes, "yard/INDEX.md": "# Yard\n" + "".join(lines), "quota.lock": "pointers_max=25\n"})
    found = lint(tree)
    assert [f.rule for f in found] == rules
    if rules == ["pointers-over-quota"]:
        assert found[0].line == 27, "the first pointer too many"
        assert "26 pointers of 25" in found[0].message


@pytest.mark.parametrize(("chars", "broken"), [(170, False), (171, True)])
@pytest.mark.parametrize("quota", [None, "pointer_line_max=170\n", "chars_max=9999\n"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", ""])
def test_a_pointer_line_of_exactly_170_fits(chars: int, broken: bool, quota: str | None, ending: str) -> None:
    line = "- [Cart](cart.md) — "
    files = {"yard/INDEX.md": line + "ß" * (chars - len(line)) + ending, "quota.lock": quota}
    assert at("pointer-line-too-long", files) == ([("yard/INDEX.md", 1, ERROR)] if broken else [])
    assert said("pointer-line-too-long", files, AUTO) == []


# -- the loader's cut


@pytest.mark.parametrize(
    ("chars", "rule"),
    [(960, None), (961, "index-near-cut"), (1000, "index-near-cut"), (1001, "index-over-cut")],
)
def test_the_router_of_a_floppy_memory_is_cut_by_characters(chars: int, rule: str | None) -> None:
    config = Config(index_chars_max=1000)
    text = CLEAN["MEMORY.md"]
    filler = "\n" + "x" * 99
    text += filler * ((chars - len(text)) // 100)
    text += "\n" + "x" * (chars - len(text) - 2) + "\n"
    assert len(text) == chars
    found = lint(changed({"MEMORY.md": text}, config=config))
    assert [f.rule for f in found] == ([rule] if rule else [])
    if rule == "index-over-cut":
        assert found[0].line == text.count("\n")
        assert "1,001 characters of 1,000" in found[0].message


def test_what_the_loader_drops_is_counted() -> None:
    config = Config(index_chars_max=100)
    (found,) = said("index-over-cut", {}, config=Config(index_chars_max=60))
    assert (found.line, found.severity) == (4, ERROR)
    assert "from line 4 on, 1 pointer among it," in found.message
    assert not said("index-over-cut", {}, config=config)


def test_the_index_of_a_half_only_warns() -> None:
    config = Config(index_chars_max=100)
    half = "- [Cart](cart.md) — bell\n"
    files = {"MEMORY.md": "- [Rope](rope.md)\n- [Yard](yard/INDEX.md)\n"}
    near, over = half + "x" * (97 - len(half) - 1) + "\n", half + "x" * 200 + "\n"
    fits = half + "x" * (96 - len(half) - 1) + "\n"
    assert not lint(changed({**files, "yard/INDEX.md": fits}, config=config))
    for text in (near, over):
        found = lint(changed({**files, "yard/INDEX.md": text}, config=config))
        assert [(f.rule, f.severity, f.path) for f in found] == [("index-near-cut", WARNING, "yard/INDEX.md")]


def auto(text: str) -> list[tuple[str, int]]:
    """Findings of an auto-memory that is nothing but a ``MEMORY.md``."""
    return [(f.rule, f.line) for f in lint(tree_of({"MEMORY.md": text}, AUTO))]


@pytest.mark.parametrize(
    ("lines", "rules"),
    [
        (192, []),
        (193, [("index-near-cut", 0)]),
        (200, [("index-near-cut", 0)]),
        (201, [("index-over-cut", 201)]),
    ],
)
def test_an_auto_memory_is_cut_at_200_lines(lines: int, rules: list[tuple[str, int]]) -> None:
    assert auto("- x\n" * lines) == rules


@pytest.mark.parametrize(
    ("units", "rules"),
    [
        (24_000, []),
        (24_001, [("index-near-cut", 0)]),
        (25_000, [("index-near-cut", 0)]),
        (25_001, [("index-over-cut", 2)]),
    ],
)
@pytest.mark.parametrize("letter", ["x", "🦀"])
def test_an_auto_memory_is_cut_at_25_000_utf16_units(
    units: int, rules: list[tuple[str, int]], letter: str
) -> None:
    wide = 2 if letter == "🦀" else 1
    first = letter * (20_000 // wide) + "\n"
    rest = units - 20_001 - 1
    text = first + letter * (rest // wide) + "x" * (rest % wide) + "\n"
    assert len(text.encode("utf-16-le")) // 2 == units
    assert auto(text) == rules


HIDDEN = [
    "---\ntitle: memory\n---\n",
    "<!-- one line -->\n",
    "<!-- two\nlines -->\n",
]


@pytest.mark.parametrize("hidden", HIDDEN)
def test_front_matter_and_block_comments_do_not_count(hidden: str) -> None:
    assert auto(hidden + "- x\n" * 192) == []
    assert auto(hidden + "- x\n" * 201) == [("index-over-cut", 201 + hidden.count("\n"))]


def test_a_comment_in_a_fence_or_within_a_line_counts() -> None:
    assert auto("```\n<!-- a\n-->\n```\n" + "- x\n" * 196) == [("index-near-cut", 0)]
    assert auto("```\n<!-- a\n-->\n```\n" + "- x\n" * 197) == [("index-over-cut", 201)]
    assert auto("- x <!-- a -->\n" * 201) == [("index-over-cut", 201)]


# -- dates


@pytest.mark.parametrize(
    ("days", "rule"), [(0, None), (180, None), (181, "note-aged"), (-1, None), (-2, "as-of-in-future")]
)
@pytest.mark.parametrize("profile", list(Profile))
def test_the_age_of_a_note(days: int, rule: str | None, profile: Profile) -> None:
    day = (TODAY - timedelta(days=days)).isoformat()
    found = [f for f in lint(changed({"rope.md": note("rope", as_of=day)}, profile)) if f.path == "rope.md"]
    assert [f.rule for f in found] == ([rule] if rule else [])
    for finding in found:
        assert day in finding.message and str(abs(days)) in finding.message


def test_the_age_of_which_a_note_is_stale_is_configured() -> None:
    files = {"rope.md": note("rope", as_of="2026-08-31")}
    assert not said("note-aged", files, config=Config(note_stale_days=31))
    (found,) = said("note-aged", files, config=Config(note_stale_days=30))
    assert "31 days ago (note_stale_days is 30)" in found.message


def test_the_ends_of_the_calendar() -> None:
    assert said("note-aged", {"rope.md": note("rope", as_of="0001-01-01")})
    assert said("as-of-in-future", {"rope.md": note("rope", as_of="9999-12-31")})
    for today in (date.min, date.max):
        lint(changed({}, today=today))


@pytest.mark.parametrize("profile", list(Profile))
def test_undated_notes_are_counted_in_one_line(profile: Profile) -> None:
    files = {"rope.md": note("rope"), "yard/cart.md": note("cart", as_of="x"), "private/p.md": note("p")}
    severity = WARNING if profile is FLOPPY else INFO
    found = said("notes-undated", files, profile)
    assert [(f.path, f.line, f.severity) for f in found] == [("MEMORY.md", 0, severity)]
    assert found[0].message.startswith("2 notes have no as_of")
    assert ("1 in private/" in found[0].message) is (profile is FLOPPY)
    (one,) = said("notes-undated", {"rope.md": note("rope")}, profile)
    assert one.message.startswith("1 note has no as_of;")


def test_missing_evidence_is_counted_in_auto_memory_and_named_in_floppy() -> None:
    files = {"rope.md": note("rope", evidence=""), "yard/cart.md": note("cart", evidence="")}
    assert at("evidence-missing", files) == [("rope.md", 4, ERROR), ("yard/cart.md", 4, ERROR)]
    (found,) = said("evidence-missing", files, AUTO)
    assert (found.path, found.line, found.severity) == ("MEMORY.md", 0, INFO)
    assert found.message.startswith("2 notes have no evidence")


# -- pointers and links


def test_a_pointer_may_stand_in_the_router_by_its_path() -> None:
    files = {
        "MEMORY.md": "- [Rope](rope.md)\n- [Yard](yard/INDEX.md)\n- [Cart](yard/cart.md) — in every task\n",
        "yard/INDEX.md": "# Yard\n",
    }
    assert lint(changed(files)) == ()


def test_a_pointer_in_another_index_does_not_count_and_is_named() -> None:
    files = {
        "yard/INDEX.md": "- [Cart](cart.md)\n- [Wheels](wheels/INDEX.md)\n- [Hub](wheels/hub.md)\n",
        "yard/wheels/INDEX.md": "# Wheels\n",
        "yard/wheels/hub.md": note("hub", as_of="2026-09-01"),
    }
    (found,) = said("note-without-pointer", files)
    assert "yard/INDEX.md, where it does not count" in found.message
    assert found.about == "yard/wheels/INDEX.md"


def test_a_dangling_pointer_in_other_letter_case_names_the_file() -> None:
    (found,) = said("pointer-dangling", {"yard/INDEX.md": "- [Cart](Cart.md) — bell\n"})
    assert "yard/Cart.md" in found.message and "yard/cart.md" in found.message


def test_one_finding_for_a_pointer_that_dangles_twice() -> None:
    text = "- [Cart](cart.md)\n- [No](no.md)\n- [No](no.md) — again\n"
    (found,) = said("pointer-dangling", {"yard/INDEX.md": text})
    assert found.line == 2 and "2 times" in found.message
    assert not said("pointer-repeated", {"yard/INDEX.md": text})


def test_web_addresses_and_headings_are_no_pointers() -> None:
    more = "- [Docs](https://example.org/x)\n- [Mail](mailto:a@b)\n- [Part](#part)\n"
    assert lint(changed({"yard/INDEX.md": CLEAN["yard/INDEX.md"] + more})) == ()


def test_a_file_that_cannot_be_read_is_named_and_is_there() -> None:
    unread = (Unread("yard/cart.md", "yard/cart.md cannot be read: permission denied."),)
    found = lint(changed({"yard/cart.md": None}, unread=unread))
    assert [(f.rule, f.path, f.severity) for f in found] == [("file-unreadable", "yard/cart.md", ERROR)]
    assert found[0].message == unread[0].message


def test_an_index_below_a_missing_or_unreadable_one() -> None:
    deep = {"mill/stones/INDEX.md": "# S\n"}
    (found,) = said("index-parent-missing", deep)
    assert found.about == "mill/INDEX.md"
    unread = (Unread("mill/INDEX.md", "It cannot be read."),)
    assert not said("index-parent-missing", deep, unread=unread)


FOREIGN = [
    ("MEMORY.md", "- [P](private/p.md) — x\n", True),
    ("MEMORY.md", "Look into [p](private/p.md).\n", True),
    ("MEMORY.md", "Look into [p](private/).\n", True),
    ("MEMORY.md", "![p](common/shared/p.png)\n", True),
    ("MEMORY.md", "[p]: <private/p.md>\n", True),
    ("MEMORY.md", "See [[bench]].\n", True),
    ("MEMORY.md", "See `[p](private/p.md)`.\n", False),
    ("MEMORY.md", "```\n[p](private/p.md)\n```\n", False),
    ("MEMORY.md", "The private/ directory and [p](https://example.org/private/x).\n", False),
    ("yard/INDEX.md", "- [P](../private/p.md) — x\n", True),
    ("yard/INDEX.md", "- [P](private/p.md) — meant from above\n", True),
    ("yard/cart.md", "See [p](../common/shared/p.md).\n", True),
    ("yard/cart.md", "See [p](../private/no.md), which is not even there.\n", True),
    ("yard/cart.md", "See [[bench]].\n", True),
    ("yard/cart.md", "See [p](../rope.md) in private.\n", False),
    ("private/p.md", "See [[bench]] and [p](p.md) and [q](../common/shared/p.md).\n", False),
]


@pytest.mark.parametrize(("path", "words", "broken"), FOREIGN)
def test_committed_memory_does_not_link_into_foreign_scopes(path: str, words: str, broken: bool) -> None:
    files = {
        **CLEAN,
        "private/p.md": note("p", as_of="2026-09-01"),
        "private/bench.md": note("bench", as_of="2026-09-01"),
        "common/shared/p.md": note("pp", as_of="2026-09-01").replace("name: pp", "name: p2"),
    }
    files[path] += words
    found = findings_of(tree_of(files), "link-into-foreign-scope")
    assert [(f.path, f.line) for f in found] == ([(path, files[path].count("\n"))] if broken else [])
    if words.startswith("```") or path.startswith("private"):
        return
    others = [f for f in lint(tree_of(files)) if f.rule.startswith(("pointer-d", "pointer-not", "link-d"))]
    assert others == [], "said once"
    assert findings_of(tree_of(files, AUTO), "link-into-foreign-scope") == []


def test_a_directory_called_private_below_a_half_is_no_scope() -> None:
    files = {
        "yard/INDEX.md": "- [Cart](cart.md)\n- [Private](private/INDEX.md)\n",
        "yard/private/INDEX.md": "- [P](p.md)\n",
        "yard/private/p.md": note("p", as_of="2026-09-01"),
        "yard/cart.md": note("cart", "[p](private/p.md)\n", as_of="2026-09-01"),
    }
    assert lint(changed(files)) == ()


def test_the_private_scope_has_the_name_that_is_configured() -> None:
    files = {"rope.md": ROPE + "[x](drawer/x.md) [y](private/y.md)\n", "drawer/x.md": note("x")}
    found = said("link-into-foreign-scope", files, config=Config(private_dir="drawer"))
    assert [f.about for f in found] == ["drawer/x.md"]


def test_a_link_to_an_own_note_counts_where_a_foreign_one_has_the_name_too() -> None:
    files = {"common/shared/rope.md": note("rope", as_of="2026-09-01")}
    assert at("slug-taken", files) == [("common/shared/rope.md", 2, ERROR)]
    assert not said("link-into-foreign-scope", files)


def test_one_finding_for_a_slug_that_dangles_in_three_places() -> None:
    files = {"rope.md": FRONT + "\n[[no]] [[no]]\n\n[[no|again]] [[other]]\n"}
    found = said("link-dangling", files)
    assert [(f.about, f.line) for f in found] == [("no", 10), ("other", 12)]
    assert "also in lines 10, 12" in found[0].message
    assert len({f.key for f in found}) == 2


def test_what_was_probably_meant_is_said() -> None:
    files = {"rope.md": ROPE + "[[Cart]]\n"}
    (found,) = said("link-dangling", files)
    assert "cart (yard/cart.md) was probably meant" in found.message


def test_findings_come_router_first_then_by_path_and_line() -> None:
    files = {
        "MEMORY.md": "- [No](no.md)\n- [Yard](yard/INDEX.md)\n- [Rope](rope.md)\n",
        "rope.md": "---\nname: x\nmetadata:\n  type: odd\n---\n[[no]]\n",
        "a.md": note("b"),
        "quota.lock": "chars_max=x\n",
    }
    found = [(f.path, f.line) for f in lint(changed(files))]
    assert found[0][0] == "MEMORY.md"
    own = [f for f in found if f[0] == "MEMORY.md"]
    rest = found[len(own) :]
    assert own == sorted(own) and rest == sorted(rest) and "MEMORY.md" not in dict(rest)
    assert len({f.key for f in lint(changed(files))}) == len(found)


def test_numbers_of_the_configuration_are_checked_too() -> None:
    config = read_config("# floppy\nindex_chars_max=24k\nnote_stale_days=\nstatuses_now_chars_max=9\n")
    found = said("quota-not-a-number", {}, config=config)
    assert [(f.path, f.line, f.about) for f in found] == [
        (".floppy/config", 2, "index_chars_max"),
        (".floppy/config", 3, "note_stale_days"),
    ]
    assert "24,500 is used" in found[0].message


def test_a_tree_without_a_router_is_linted_all_the_same() -> None:
    found = lint(changed({"MEMORY.md": None}))
    assert [(f.rule, f.path) for f in found] == [
        ("note-without-pointer", "rope.md"),
        ("index-parent-missing", "yard/INDEX.md"),
    ]


def test_a_file_called_nothing_but_md_is_a_note_without_a_name() -> None:
    assert at("name-missing", {".md": FRONT.replace("name: rope\n", "")}) == [(".md", 1, ERROR)]


def test_findings_of_the_layout_are_among_them() -> None:
    layout = Finding("store-half-done", ERROR, "MEMORY.md", 0, "The store is half done; wire it.")
    assert lint(changed({}, layout=(layout,))) == (layout,)


def test_what_can_be_repaired_says_how() -> None:
    found = {f.rule: f.repair for f in lint(changed({"yard/gate.md": note("gate"), "rope.md": FRONT}))}
    assert found["note-without-pointer"]
    assert not found["notes-undated"]
