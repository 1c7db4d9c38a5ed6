"""Sample note trees that make trouble: nothing in them, too much, no right to write, or hardly readable."""

from __future__ import annotations

import os
from datetime import date
from enum import StrEnum
from pathlib import Path

from floppy_tui.demo import note_status, note_texts
from floppy_tui.demo.dated import dated
from floppy_tui.demo.lay import lay
from floppy_tui.demo.many_notes import drafts
from floppy_tui.demo.note_tree import CONFIG, EXCLUDED, IGNORED, committed, tree
from floppy_tui.demo.repositories import MISSING, Commit, have_git, made
from floppy_tui.demo.tree_faults import plain
from floppy_tui.notes.index import ROUTER
from floppy_tui.notes.profiles import MEMORY_DIR
from floppy_tui.store.files import StoreError

MANY = 1_500
LARGE = 17_000
"""Bytes of each note of the huge tree, about."""
LINE = 1_000_000
"""Bytes of the broken tree's long line, about."""


class UglyTree(StrEnum):
    """What is wrong with a note tree."""

    EMPTY = "empty"
    """A bare directory with an empty ``MEMORY.md`` and no note."""
    HUGE = "huge"
    """1,500 notes of 17 kB in a floppy repository, and none of them is wrong."""
    READ_ONLY = "read-only"
    """The sample home's note tree, in which nobody may write a file or add one; root may all the same."""
    BROKEN = "broken"
    """A directory in which hardly a note is one: see ``ODD``, ``LINKED``, ``FIFO`` and ``FOLDER``."""
    HALF_DONE = "half-done"
    """The memory should be a link into a store; the ignore line is there, the link is a plain directory."""


CONFLICT = """\
# Memory

- [Bare](bare.md) — no front matter
<<<<<<< HEAD
- [Latin](latin.md) — bytes that are no UTF-8
=======
- [Latin](latin.md) — bytes of another code page
- [Windows](windows.md) — CRLF and a byte order mark
>>>>>>> crewmate/notes
- [Long](long.md) — one line of a megabyte
- [Linked](linked.md) — a symbolic link
- [Pipe](pipe.md) — answers nobody
- [Folder](folder.md) — a directory
"""
"""The broken tree's ``MEMORY.md``, with the markers of a merge that nobody ended."""
LINKED = "linked.md"
"""A symbolic link, to a file beside the memory."""
FIFO = "pipe.md"
FOLDER = "folder.md"
OPEN = "---\nname: open\ndescription: Front matter that is never closed\n\nThe ramp is two metres short.\n"
LOUD = "The bell says “\u202egnol oot\u202c”, \x1b]0;title\x07 and [bold]loud[/nothing].\n"
ODD = {
    ROUTER: CONFLICT.encode(),
    "bare.md": b"The gate answers only on the office's network.\n",
    "latin.md": "Łęgowo says Brännholmen in latin-2: ä, ż.\n".encode("iso8859-2"),
    "windows.md": b"\xef\xbb\xbf# Windows\r\n\r\nThe export has a comma.\r\n",
    "open.md": OPEN.encode(),
    "nul.md": b"a\x00b\n",
    "void.md": b"",
    "ferry/INDEX.md": b"# Ferry\n\n- [Loud](loud.md) - \x1b[31mred\x1b[0m [/b] [@click=app.quit]no[/]\n",
    "ferry/loud.md": LOUD.encode(),
    "ferry/deep/er/est.md": b"Nobody gets down here.\n",
}
"""Its other files: not one of them has front matter."""


def build_ugly_tree(directory: Path, kind: UglyTree | str, today: date) -> Path:
    """Lay out a note tree with the trouble named ``kind`` and return ``directory``; raises like ``build``.

    A ``kind`` that is none raises ``ValueError``.
    """
    match UglyTree(kind):
        case UglyTree.EMPTY:
            return _laid(directory, {ROUTER: b""})
        case UglyTree.HUGE:
            _laid(directory, _huge(today))
            _repository(directory, {}, today)
        case UglyTree.READ_ONLY:
            found = tree(today) | {".gitignore": IGNORED}
            _laid(directory, found)
            _repository(directory, found, today)
            _closed(directory / MEMORY_DIR)
        case UglyTree.BROKEN:
            _broken(directory, today)
        case UglyTree.HALF_DONE:
            _half_done(directory, today)
    return directory


def _laid(directory: Path, found: dict[str, bytes]) -> Path:
    return lay(directory, found, folders=(), durable=False)


def _repository(directory: Path, found: dict[str, bytes], today: date) -> None:
    """Make a repository that holds ``found`` but for what is private; raises ``StoreError`` without git."""
    ignore = {path: data for path, data in found.items() if path == ".gitignore"}
    history = [Commit(ignore | committed(found), "Keep what the sessions found out")]
    why = made(directory.resolve(), history, today, local=EXCLUDED) if have_git() else MISSING
    if why:
        raise StoreError(f"The sample note tree needs a repository around it, and there is none: {why}.")


def _huge(today: date) -> dict[str, bytes]:
    sample = plain(drafts(today, MANY))
    found = {f"{MEMORY_DIR}/{path}": text.encode() for path, text in sample.indexes.items()}
    for draft in sample.drafts:
        text = draft.text()
        body = text.partition("\n\n")[2]
        longer = "\n".join((text, *([body] * (LARGE // len(body)))))
        found[f"{MEMORY_DIR}/{draft.path}"] = longer[:LARGE].rpartition("\n")[0].encode() + b"\n"
    return {CONFIG: note_status.CONFIG.encode(), **found}


def _closed(root: Path) -> None:
    """Take the right to write away, from the leaves to the root."""
    for above, _, files in os.walk(root, topdown=False):
        for name in files:
            os.chmod(Path(above, name), 0o400)
        os.chmod(above, 0o500)


def _broken(directory: Path, today: date) -> None:
    memory = {f"memory/{path}": data for path, data in ODD.items()}
    said = dated(note_texts.FLOATS, today)
    long = b"The gauges' dump of one night, pasted whole: " + b"0.94 0.93 0.95 " * (LINE // 15) + b"\n"
    lay(
        directory,
        {**memory, "memory/long.md": long, "elsewhere.md": said},
        {f"memory/{LINKED}": "../elsewhere.md"},
        folders=(),
        durable=False,
    )
    os.mkfifo(directory / "memory" / FIFO, 0o600)
    (directory / "memory" / FOLDER).mkdir(mode=0o700)
    (directory / "memory" / FOLDER / "inner.md").write_bytes(b"Below a directory that looks like a note.\n")


def _half_done(directory: Path, today: date) -> None:
    found = tree(today)
    store = "memory_repo=git@example.org:harbour/notes-store.git\nproject_key=berthplan\n"
    found[CONFIG] = store.encode() + found[CONFIG]
    found[".gitignore"] = f"/{MEMORY_DIR}\n".encode()
    _laid(directory, found)
    around = {path: data for path, data in found.items() if not path.startswith(f"{MEMORY_DIR}/")}
    _repository(directory, around, today)
