"""The status files of a note tree against their limits, by sections; and what is settled about the tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from textual.content import Content

from floppy_tui.notes.index import chars_of
from floppy_tui.notes.status import Section, StatusFile, StatusKind
from floppy_tui.tui import display
from floppy_tui.tui.filters.words import Vocabulary, split
from floppy_tui.tui.notes_seen import Place, Seen
from floppy_tui.tui.screens.listing import Arrangement, Asked
from floppy_tui.tui.screens.notes_mode import Mode, nothing_matches
from floppy_tui.tui.screens.notes_page import numbered
from floppy_tui.tui.widgets.page import FAINT, Page
from floppy_tui.tui.widgets.rows import Column

ABOUT = "about"
"""The key of the row about the tree itself."""
TITLES = {
    StatusKind.NOW: "the project's state",
    StatusKind.PERSONAL: "one person's state on this machine",
    StatusKind.JOURNAL: "journal",
}


class StatusLine(NamedTuple):
    """One row: the tree itself, a status file, or a section of one."""

    key: str
    file: StatusFile | None = None
    section: Section | None = None

    @property
    def text(self) -> str:
        """What it says."""
        said = (self.file.text if self.file else None) or ""
        return said if self.section is None else said[self.section.start : self.section.end]


class StatusLines:
    """The rows of one reading."""

    def __init__(self, seen: Seen) -> None:
        self.seen = seen

    @cached_property
    def lines(self) -> tuple[StatusLine, ...]:
        """All of them."""
        found = [StatusLine(ABOUT)]
        for file in self.seen.statuses:
            whole = f"{file.kind}>{file.path}"
            found.append(StatusLine(whole, file))
            met: dict[str, int] = {}
            for section in file.sections:
                count = met[section.heading] = met.get(section.heading, 0) + 1
                found.append(StatusLine(f"{whole}>{count}>{section.heading}", file, section))
        return tuple(found)

    @cached_property
    def by_key(self) -> Mapping[str, StatusLine]:
        """The rows by key."""
        return {line.key: line for line in self.lines}


class StatusRows:
    """Rows for the table."""

    def __init__(self, seen: Seen, lines: Sequence[StatusLine]) -> None:
        self._seen = seen
        self._lines = lines
        self._places = {line.key: n for n, line in enumerate(lines)}

    def __len__(self) -> int:
        return len(self._lines)

    def key(self, index: int) -> str:
        return self._lines[index].key

    def index(self, key: str) -> int:
        return self._places.get(key, -1)

    def cells(self, index: int, widths: Sequence[int]) -> Sequence[Content]:
        line = self._lines[index]
        file, section = line.file, line.section
        none = Content("")
        if file is None:
            config = self._seen.tree.config
            said = f"this memory: {self._seen.tree.profile}, language {config.language}"
            return (display.line(said, widths[0], "bold"), none, none, none)
        if section is not None:
            lead = " " * (2 * section.level)
            words = display.line(section.heading or "(no words)", max(1, widths[0] - len(lead)))
            chars = display.content(f"{chars_of(line.text):,}", FAINT)
            return (display.joined(lead, words), chars, none, none)
        style = "$text-error" if file.over else "$text-warning" if file.near else ""
        state = "over" if file.over else "near" if file.near else "absent" if file.text is None else ""
        return (
            display.joined((f"{file.path}", "bold"), (f"  {TITLES[file.kind]}", FAINT)),
            display.content(f"{file.chars:,}" if file.text is not None else "", style),
            display.content(f"{file.limit:,}" if file.limit is not None else "", FAINT),
            display.content(state, style or FAINT),
        )


class StatusFiles(Mode):
    """The mode."""

    NAME = "status"
    TITLE = "status"
    COLUMNS = (
        Column("what", "file and section", 0),
        Column("chars", "chars", 8, right=True),
        Column("limit", "limit", 8, right=True),
        Column("state", "", 6),
    )
    SORTS = ("",)
    PLACEHOLDER = "/ filter: words of a section"

    def __init__(self) -> None:
        self._rested: StatusLines | None = None

    def _of(self, seen: Seen) -> StatusLines:
        rested = self._rested
        if rested is None or rested.seen is not seen:
            rested = self._rested = StatusLines(seen)
        return rested

    def arrange(self, seen: Seen, asked: Asked) -> Arrangement:
        of = self._of(seen)
        lines = [line for line in of.lines if _lets(line, asked.text)]
        said = display.counted(len(seen.statuses), "status file")
        over = sum(file.over for file in seen.statuses)
        said += f", {over:,} over the limit" if over else ""
        said += f"; notes in {seen.tree.config.language}"
        return Arrangement(StatusRows(seen, lines), said, "", nothing_matches("section"))

    def vocabulary(self, seen: Seen) -> Vocabulary:
        return Vocabulary((), {})

    def line(self, seen: Seen, key: str) -> StatusLine | None:
        """The row of a key."""
        return self._of(seen).by_key.get(key)

    def place(self, seen: Seen, key: str) -> Place:
        return Place()

    def key_of(self, seen: Seen, path: str, line: int) -> str:
        return ""

    def page(self, seen: Seen, key: str, raw: bool, line: int, width: int) -> Sequence[Content]:
        found = self.line(seen, key)
        if found is None:
            return ()
        page = Page(width)
        if found.file is None:
            _about(page, seen)
        elif found.file.text is None:
            page.add((found.file.path, "bold")).add((TITLES[found.file.kind], FAINT))
            page.blank().add("There is no such file yet; an agent writes it, or you do with an editor.")
        else:
            _size(page, found.file)
            page.blank()
            if raw:
                numbered(page, found.text)
            else:
                page.body(found.text, raw=False)
        return page.lines

    def text(self, seen: Seen, key: str) -> str:
        line = self.line(seen, key)
        return line.text if line else ""


def _lets(line: StatusLine, text: str) -> bool:
    said = line.text.casefold()
    return all((word.free.casefold() in said) is not word.minus for word in split(text))


def _size(page: Page, file: StatusFile) -> None:
    page.add((file.path, "bold"), (f"  {TITLES[file.kind]}", FAINT))
    said = display.counted(file.chars, "character")
    if file.limit is not None:
        said = f"{file.chars:,} of {file.limit:,} characters"
    if file.over:
        page.add((f"{said}, over the limit", "$text-error"))
    else:
        page.add((f"{said}, near the limit" if file.near else said, "$text-warning" if file.near else ""))


def _about(page: Page, seen: Seen) -> None:
    """What is settled about the tree."""
    tree = seen.tree
    config = tree.config
    page.add((seen.root, "bold"))
    page.blank()
    page.labelled("profile", str(tree.profile))
    page.labelled("language of the notes", config.language, (" (memory_language)", FAINT))
    page.labelled("notes", f"{len(tree.own):,} own, {len(tree.notes) - len(tree.own):,} foreign")
    page.labelled("indexes", f"{len(tree.indexes):,}")
    page.labelled("a note is aged", f"after {config.note_stale_days:,} days (note_stale_days)")
    page.labelled("commit", "pulls and pushes (commit_push)" if config.push else "stays local (commit_push)")
    quota = "none: nothing holds the notes to a size" if tree.quota is None else "quota.lock"
    page.labelled("quotas", quota)
    for problem in config.problems:
        page.add((problem.message, "$text-warning"))
    if config.values:
        page.heading(".floppy/config")
        for key, value in config.values.items():
            page.labelled(f"{key} =", value)
    if tree.quota_text is not None:
        page.heading("quota.lock")
        numbered(page, tree.quota_text)
