"""A note tree of any size, the same each time: halves, links, code, and the odds that real ones have."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice

from bench.large_files import word

HALVES = ("yard", "mill", "harbour", "office")
GROUPS = ("carts", "ropes", "stones")
KINDS = ("project", "feedback", "reference", "user")
EVIDENCE = ("measured", "read", "decided", "sourced")


def note_path(n: int) -> str:
    """Where the ``n``-th note lies."""
    half, group = HALVES[n % 4], GROUPS[n % 3]
    return f"{half}/note-{n}.md" if n % 5 == 0 else f"{half}/{group}/note-{n}.md"


def front_matter(n: int) -> str:
    """Most of it plain; some quoted, folded, flat, or trouble for YAML."""
    words = " ".join(islice(map(word, count(n * 31)), 9))
    description = words
    if n % 8 in (1, 2):
        description = f'"{words}: measured twice"' if n % 8 == 1 else f"'the {words}'"
    elif n % 40 == 4:
        description = f">-\n  {words}\n  and on"
    elif n % 100 == 24:
        description = f"{words} #3"
    elif n % 100 == 49:
        description = f"{words}: a colon: two"
    dated = f"  as_of: 2026-0{1 + n % 9}-1{n % 10}\n" if n % 7 else ""
    more = f"  originSessionId: 00000000-0000-4000-8000-{n:012}\n" if n % 3 == 0 else ""
    return (
        f"---\nname: note-{n}\ndescription: {description}\nmetadata:\n  type: {KINDS[n % 4]}\n"
        f"  evidence: {EVIDENCE[n % 4]}\n{dated}{more}---\n"
    )


def body(n: int, size: int) -> Iterator[str]:
    """Paragraphs with links, code spans, fences, lists and a table, until there are ``size`` characters."""
    words = map(word, count(n * 53))
    made = 0
    for part in count():
        say = " ".join(islice(words, 70 + part % 45))
        shell = f"if [[ -f {part} ]]" if n % 6 == 0 else f"if [ -f {part} ]"
        link = (n * 7 + part * 11) % 1500
        block = (
            f"{say}. See [[note-{link}]] and `slot-{part}`.\n\n",
            f"{say}.\n\n",
            f"- {say}\n- größer als `{shell}` — {link}\n\n",
            f"**Why:** {say}, `{part}` of it.\n\n",
            f"```sh\n{shell}; then\n  echo {say}\nfi\n```\n\n",
            f"## Part {part}\n\n{say}; a [common]({link}.html) case.\n\n",
            f"{say}.\n\n",
            f"| what | where |\n| --- | --- |\n| {say} | `{part}` |\n\n",
            f"> {say}, [[note-{link}|as was said]].\n\n",
            f"- {say}\n  - `x{part}` and `y{part}`\n  - {link}\n\n",
            f"{say}.\n\n",
        )[(n + part) % 11]
        yield block
        made += len(block)
        if made >= size:
            return


def files(number: int = 1500, size: int = 17_000) -> dict[str, bytes]:
    """The whole tree by path, ``quota.lock`` and indexes with it."""
    made: dict[str, str] = {}
    pointers: dict[str, list[str]] = {"MEMORY.md": []}
    for half in HALVES:
        pointers["MEMORY.md"].append(f"- [{half}]({half}/INDEX.md) — all of the {half}\n")
        pointers[f"{half}/INDEX.md"] = [f"- [{g}]({g}/INDEX.md) — its {g}\n" for g in GROUPS]
    for n in range(number):
        path = note_path(n)
        head = front_matter(n)
        made[path] = head + "".join(body(n, size - len(head)))
        if n % 11 == 3:
            made[path] = made[path].replace("\n", "\r\n")
        directory, _, name = path.rpartition("/")
        lines = pointers.setdefault(f"{directory}/INDEX.md", [])
        lines.append(f"- [Note {n}]({name}) — {' '.join(islice(map(word, count(n)), 8))}\n")
    for path, lines in pointers.items():
        made[path] = f"# {path}\n\n{''.join(lines)}"
    made["quota.lock"] = f"chars_max={number * 20_000}\nnote_chars_max=20000\npointers_max=150\n"
    return {path: text.encode() for path, text in made.items()}
