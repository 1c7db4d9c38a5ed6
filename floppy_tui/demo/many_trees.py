"""Large sample note trees on disk: a floppy repository, with a remote where asked, and a bare auto-memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path
from random import Random

from floppy_tui.demo import note_status, note_texts
from floppy_tui.demo.dated import dated
from floppy_tui.demo.lay import lay
from floppy_tui.demo.many_notes import Draft, drafts
from floppy_tui.demo.note_tree import CONFIG, EXCLUDED, HEAT, IGNORED, JOURNAL, committed
from floppy_tui.demo.quotas import quota_lock
from floppy_tui.demo.repositories import MISSING, Commit, have_git, made, pushed
from floppy_tui.demo.tree_faults import sample
from floppy_tui.notes.index import ROUTER
from floppy_tui.notes.profiles import MEMORY_DIR, STATUSES_NOW
from floppy_tui.notes.quota import FILE

NOTES = 150
TIGHT = {"harbour": 80, "ferry": 85, "office": 95, "fleet": 75}
"""How many percent of each half's ceiling are used: one more note is too much for the office."""
OPENED = 320
"""Lines of the heat log."""
README = """\
# berthplan

Which vessel lies where. What the sessions that work on it found out is below `.agent-memory/`.
"""
OUTSIDE = "{}: the sample note tree is in no repository, so nothing of it can be committed."
AUTO = 190
"""Notes of an auto-memory: with their headings, more lines than its loader takes."""
SECTION = 10
"""Pointers under one heading."""


def build_tree(
    directory: Path,
    today: date,
    *,
    notes: int = NOTES,
    remote: Path | None = None,
    say: Callable[[str], None] = lambda said: None,
) -> Path:
    """Lay out a repository with a floppy memory of exactly ``notes`` notes and return ``directory``.

    Where there are 60 or more, lint has about twenty errors and warnings to show that are all repaired
    mechanically. ``remote``, a path where nothing is, becomes a bare repository that has been pushed to and
    is the branch's upstream. Where git cannot make them, ``say`` is told so in a sentence. Raises like
    ``build``.
    """
    found = files(today, notes)
    lay(directory, found, folders=(), durable=False)
    why = MISSING if not have_git() else _established(directory.resolve(), found, today, remote)
    if why:
        say(OUTSIDE.format(why))
    return directory


def _established(root: Path, found: dict[str, bytes], today: date, remote: Path | None) -> str:
    first = {path: found[path] for path in (".gitignore", "README.md")}
    history = [Commit(first | committed(found), "Keep what the sessions found out")]
    why = made(root, history, today, local=EXCLUDED)
    if not why and remote is not None:
        why = pushed(root, remote)
    return f"git would not make one ({why})" if why else ""


def files(today: date, notes: int = NOTES) -> dict[str, bytes]:
    """The repository's files by their paths."""
    made_up = drafts(today, notes)
    own = sample(made_up).files()
    tight = {half: used for half, used in TIGHT.items() if any(path.startswith(f"{half}/") for path in own)}
    private = {path: note_texts.PRIVATE[path] for path in ("private/README.md", "private/pilot-names.md")}
    return {
        ".gitignore": IGNORED,
        "README.md": README.encode(),
        CONFIG: note_status.CONFIG.replace("commit_push=never", "commit_push=auto").encode(),
        HEAT: "".join(_heat(made_up, today)).encode(),
        STATUSES_NOW: dated(note_status.NOW, today),
        JOURNAL: dated(note_status.JOURNAL, today),
        f"{MEMORY_DIR}/{FILE}": quota_lock(own, tight).encode() if notes else b"",
        **{f"{MEMORY_DIR}/{path}": text.encode() for path, text in own.items()},
        **{f"{MEMORY_DIR}/{path}": dated(text, today) for path, text in private.items()},
    }


def _heat(made_up: list[Draft], today: date) -> Iterator[str]:
    """Who was opened when: some often, most now and then, a third of them never."""
    if not made_up:
        return
    chance = Random("heat")
    slugs = [draft.slug for draft in made_up]
    chance.shuffle(slugs)
    read = slugs[: max(1, len(slugs) * 2 // 3)]
    lines = []
    for _ in range(OPENED):
        slug = read[int(len(read) * chance.random() ** 2)]
        lines.append((today - timedelta(days=chance.randrange(1, 120)), slug))
    yield from (f"{day} {slug}\n" for day, slug in sorted(lines))


def build_auto(directory: Path, today: date, *, notes: int = AUTO) -> Path:
    """Lay out a bare auto-memory and return ``directory``; raises like ``build``.

    Titles are names, types are flat, and ``MEMORY.md`` is longer than its loader takes, so that the newest
    pointers are lost.
    """
    return lay(directory, auto_files(today, notes), folders=(), durable=False)


def auto_files(today: date, notes: int = AUTO) -> dict[str, bytes]:
    """The auto-memory's files by their paths."""
    made_up = drafts(today, notes)
    index = ["# What I know"]
    found = {}
    for number, draft in enumerate(made_up):
        if number % SECTION == 0:
            index += ["", f"## Since {today - timedelta(days=len(made_up) - number)}", ""]
        index.append(draft.pointer)
        front = (f"name: {draft.title}", f"description: {draft.description}", f"type: {draft.kind}")
        text = "\n".join(("---", *front, "---", "", *draft.paragraphs[:1], *_last(draft), ""))
        found[f"{draft.slug}.md"] = text.encode()
    found[ROUTER] = "\n".join((*index, "")).encode()
    return found


def _last(draft: Draft) -> tuple[str, ...]:
    return ("", draft.links) if draft.links else ()
