"""Note trees for tests: from a few files, from the cases, and as people write them, oddities and all."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from case_files import CASES
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from floppy_tui.notes.drafting import applied
from floppy_tui.notes.findings import Finding
from floppy_tui.notes.index import resolve
from floppy_tui.notes.links import targets_in
from floppy_tui.notes.planned import Planned
from floppy_tui.notes.profiles import Config, Profile
from floppy_tui.notes.quota import FILE
from floppy_tui.notes.tree import Tree, build_tree
from floppy_tui.text.lines import decode

TODAY = date(2026, 10, 1)


def tree_of(files: Mapping[str, str], profile: Profile = Profile.FLOPPY, **more: Any) -> Tree:
    """The tree of ``files``, text by path."""
    return build_tree(files, profile, more.pop("config", Config()), more.pop("today", TODAY), **more)


def case_tree(case: str, profile: Profile) -> Tree:
    """The tree of a case by its number."""
    root = next(CASES.glob(f"{case}-*"))
    memory = next(d for d in (root / "memory", root / ".agent-memory") if d.is_dir())
    paths = [p for p in sorted(memory.rglob("*")) if p.suffix == ".md" or p.name == FILE]
    return tree_of({p.relative_to(memory).as_posix(): decode(p.read_bytes()) for p in paths}, profile)


def note(name: str, body: str = "Body.\n", *, description: str = "what it says", **fields: str) -> str:
    """The text of a note; ``fields`` are those below ``metadata:``."""
    fields = {"type": "project", "evidence": "read"} | fields
    below = "".join(f"  {key}: {value}\n" for key, value in fields.items() if value)
    return f"---\nname: {name}\ndescription: {description}\nmetadata:\n{below}---\n\n{body}"


def after(tree: Tree, planned: Planned) -> Tree:
    """The tree once ``planned`` is done; each edit was made on what the tree holds, and changes something."""
    for path, edit in planned.edits.items():
        assert edit.before == tree.texts.get(path)
        assert edit.before != edit.after
    return applied(tree, planned)


def findings_of(tree: Tree, rule: str) -> list[Finding]:
    """What lint says of ``tree`` by one rule."""
    from floppy_tui.notes.lint import lint

    return [finding for finding in lint(tree) if finding.rule == rule]


# -- what a tree says


def led(tree: Tree) -> dict[str, list[tuple[str, str]]]:
    """By path of a note or an index, what its ``[[links]]`` show and the path each leads to."""
    holders = {n.path: n.links for n in tree.notes} | {i.path: i.references for i in tree.indexes}
    return {
        path: [(link.shown, found.path if (found := tree.find(link.slug)) else "") for link in links]
        for path, links in holders.items()
    }


def pointers(tree: Tree) -> dict[str, list[tuple[str, str, str]]]:
    """By path of an index, the title, path and hook of its pointer lines."""
    return {i.path: [(p.title, p.path, p.hook) for p in i.pointers] for i in tree.indexes}


def paths_led(tree: Tree) -> dict[str, list[str]]:
    """By path of a file, where its Markdown links lead."""
    return {
        file.path: [
            led
            for target in targets_in(file.text)
            if (led := resolve(posixpath.dirname(file.path), target.target))
        ]
        for file in (*tree.notes, *tree.indexes)
    }


def fields(tree: Tree, path: str) -> dict[str, str]:
    """The front matter of a note."""
    front = tree.by_path[path].front
    return {} if front is None else {key: field.value for key, field in front.fields.items()}


# -- strategies

SLUGS = ["rope", "gate-key", "lamp_wick", "größe", "v1.2", "tins"]
PLACES = ["", "", "yard/", "yard/", "yard/carts/"]
WORDS = [
    "gate",
    "lamp",
    "the",
    "größe",
    "日本語",
    "a|b",
    "`[[rope]]`",
    "`code",
    "\u2028",
    "\udcff",
    "x:",
    "# y",
]
VALUES: SearchStrategy[str] = st.one_of(
    st.text(
        st.characters(
            exclude_categories=["Cs", "Cc", "Zl", "Zp"], exclude_characters="\x85\ufeff\ufffe\uffff"
        ),
        max_size=40,
    ),
    st.lists(
        st.sampled_from(
            [
                *":#'\"\\->|{}[],&*!%@`?~ \t",
                "null",
                "true",
                "no",
                "1",
                "2026-08-20",
                "0x1f",
                "1_000",
                "12:30",
                "a",
                "é",
            ]
        ),
        max_size=8,
    ).map("".join),
)
"""What somebody may write into a field, on one line."""


@st.composite
def bodies(draw: st.DrawFn, links: bool = True) -> str:
    """The text of a note: paragraphs with links of all kinds, code, lists."""
    slugs = st.sampled_from([*SLUGS, "nowhere"])
    link = st.one_of(
        slugs.map("[[{}]]".format),
        slugs.map("[[{}|the words]]".format),
        slugs.map("[[{}#part]]".format),
        slugs.map("[[{}.md]]".format),
        slugs.map("[words]({}.md)".format),
        slugs.map("[words](../yard/{}.md)".format),
        slugs.map("[words](<./{}.md>)".format),
    )
    word = st.sampled_from(WORDS)
    words = st.lists(st.one_of(word, word, link) if links else word, min_size=1, max_size=5).map(" ".join)
    block = st.one_of(
        words,
        words.map("- {}".format),
        words.map("```\n{}\n```".format),
        words.map("## {}".format),
        st.just(""),
    )
    return "\n".join(draw(st.lists(block, max_size=6)))


EXTRAS = [
    "node_type: memory",
    "originSessionId: 00000000-0000-4000-8000-000000000001",
    "# a comment",
    "created: 2026-06-08",
    "supersedes: [rope, tins]",
    "relates_to:\n  - rope\n  - tins",
    "folded: >-\n  over two\n  lines",
    "nonsense",
    "",
]


@st.composite
def note_texts(draw: st.DrawFn, name: str) -> str:
    """A note as somebody wrote it: front matter in any order, quoted or not, odd keys, any line ends."""
    quote = st.sampled_from(["{}", "{}", "'{}'", '"{}"'])
    top = [f"name: {draw(quote).format(name)}", f"description: {draw(quote).format('what it says')}"]
    below = [f"type: {draw(quote).format('project')}"]
    below += draw(
        st.lists(st.sampled_from(["node_type: memory", "modified: 2026-08-04T16:04:24.602Z"]), max_size=1)
    )
    if draw(st.booleans()):
        below.append(f"evidence: {draw(st.sampled_from(['measured', 'sourced', 'decided', 'read', 'odd']))}")
    if draw(st.booleans()):
        below.append(
            f"as_of: {draw(quote).format(draw(st.sampled_from(['2026-08-20', '2025-01-10', 'soon'])))}"
        )
    indent = draw(st.sampled_from(["  ", "    ", " "]))
    blank = draw(st.sampled_from(["", " "]))
    metadata = f"metadata:{blank}\n" + "\n".join(indent + line for line in draw(st.permutations(below)))
    if draw(st.sampled_from([False] * 5 + [True])):
        metadata = "type: project"
    top += [metadata, *draw(st.lists(st.sampled_from(EXTRAS), max_size=2, unique=True))]
    front = "\n".join(draw(st.permutations(top)))
    end = draw(st.sampled_from(["\n", "\n", ""]))
    text = f"---\n{front}\n---\n{draw(st.sampled_from(['', chr(10)]))}{draw(bodies())}{end}"
    text = text.replace("\n", draw(st.sampled_from(["\n", "\n", "\r\n"])))
    return draw(st.sampled_from(["", "", "\ufeff"])) + text


@st.composite
def index_texts(draw: st.DrawFn, title: str, targets: list[str]) -> str:
    """An index with a pointer to each of ``targets``, in lists between prose, comments, fences, children."""
    lines: list[str] = draw(st.sampled_from([[], [f"# {title}"], [f"# {title}", ""]]))
    lines = list(lines)
    between = st.sampled_from(
        ["", "## Part", "Some prose.", "<!-- a\n- [Old](old.md) — out\n-->", "```\n- [No](no.md)\n```", "***"]
    )
    for n, target in enumerate(targets):
        lines += draw(st.lists(between, max_size=1))
        hook = draw(st.sampled_from(["", " — how long", " - short", ": said"]))
        lines.append(f"{draw(st.sampled_from(['-', '-', '*']))} [Title {n}]({target}){hook}")
        lines += draw(
            st.sampled_from([[], [], [], ["  - a child", "    - its own"], ["  goes on"], ["", "  apart"]])
        )
    end = draw(st.sampled_from(["\n", "\n", ""]))
    text = "\n".join(lines) + (end if lines else "")
    return text.replace("\n", draw(st.sampled_from(["\n", "\n", "\r\n"])))


class Drawn(NamedTuple):
    """A tree and the paths of its notes."""

    tree: Tree
    paths: list[str]


@st.composite
def trees(draw: st.DrawFn, profile: Profile | None = None) -> Drawn:
    """A small tree of up to six notes on three levels; every note has a pointer, names equal file names."""
    if profile is None:
        profile = draw(st.sampled_from(list(Profile)))
    slugs = draw(st.lists(st.sampled_from(SLUGS), min_size=2, max_size=5, unique=True))
    paths = [draw(st.sampled_from(PLACES)) + slug + ".md" for slug in slugs]
    files = {path: draw(note_texts(slug)) for path, slug in zip(paths, slugs, strict=True)}
    for directory in ("", "yard/", "yard/carts/"):
        own = [p.removeprefix(directory) for p in paths if p.rpartition("/")[0] == directory.rstrip("/")]
        below = {"": "yard/INDEX.md", "yard/": "carts/INDEX.md"}.get(directory)
        name = f"{directory}INDEX.md" if directory else "MEMORY.md"
        files[name] = draw(index_texts(directory or "Memory", own + ([below] if below else [])))
    if profile is Profile.FLOPPY and draw(st.booleans()):
        files[FILE] = f"chars_max=9000\nnote_chars_max=4000\ngrandfathered={','.join(paths[:2])}\n"
    tree = tree_of(files, profile)
    return Drawn(tree, sorted(n.path for n in tree.own))
