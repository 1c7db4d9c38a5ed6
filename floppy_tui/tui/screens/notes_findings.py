"""What lint says of a note tree, errors first; a finding leads to its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.cells import cell_len
from textual.content import Content

from floppy_tui.notes.findings import Finding
from floppy_tui.notes.quota import half_of
from floppy_tui.tui import display
from floppy_tui.tui.filters.notes import findings_vocabulary, parse_findings
from floppy_tui.tui.filters.words import Vocabulary
from floppy_tui.tui.notes_seen import SEVERITIES, Place, Seen
from floppy_tui.tui.screens.listing import Arrangement, Asked
from floppy_tui.tui.screens.notes_mode import SEVERITY, Mode, nothing_matches
from floppy_tui.tui.screens.notes_page import numbered
from floppy_tui.tui.widgets.page import FAINT, HEADING, Page
from floppy_tui.tui.widgets.rows import Column

SORTS: dict[str, Callable[[Finding], tuple[object, ...]]] = {
    # What a key repairs comes first among its likes, so that repairing goes on from row to row.
    "severity": lambda f: (SEVERITIES[f.severity], not f.repair),
    "rule": lambda f: (f.rule,),
    "place": lambda f: (),
    "message": lambda f: (f.message.casefold(),),
}


class FindingRows:
    """Findings for the table."""

    def __init__(self, keyed: Sequence[tuple[str, Finding]]) -> None:
        self._rows = keyed
        self._places = {key: n for n, (key, _) in enumerate(keyed)}

    def __len__(self) -> int:
        return len(self._rows)

    def key(self, index: int) -> str:
        return self._rows[index][0]

    def index(self, key: str) -> int:
        return self._places.get(key, -1)

    def cells(self, index: int, widths: Sequence[int]) -> Sequence[Content]:
        finding = self._rows[index][1]
        mark = SEVERITY[finding.severity]
        return (
            display.content(f"{mark.glyph} {finding.severity}", mark.style),
            display.line(finding.rule, widths[1]),
            _tail(where(finding), widths[2]),
            display.line(finding.message, widths[3]),
        )


def where(finding: Finding) -> str:
    """The place of a finding: ``yard/rope-length.md:3``."""
    return f"{finding.path}:{finding.line}" if finding.line else finding.path


def _tail(text: str, width: int) -> Content:
    """The end of a text that is too long for one line: file and line number."""
    said = display.one_line(text)
    if cell_len(said) > width > 0:
        said = said[-width:]
        while cell_len(said) > width - 1:
            said = said[1:]
        said = f"…{said}"
    return display.content(said, FAINT)


def keyed(findings: Sequence[Finding]) -> list[tuple[str, Finding]]:
    """The findings by keys of which none is there twice."""
    met: dict[str, int] = {}
    found = []
    for finding in findings:
        count = met[finding.key] = met.get(finding.key, 0) + 1
        found.append((finding.key if count == 1 else f"{finding.key}#{count}", finding))
    return found


class FindingsList(Mode):
    """The mode."""

    NAME = "findings"
    TITLE = "findings"
    COLUMNS = (
        Column("severity", "severity", 9),
        Column("rule", "rule", 20, from_width=90),
        Column("place", "place", 24, from_width=50),
        Column("message", "message", 0),
    )
    SORTS = tuple(SORTS)
    PLACEHOLDER = "/ filter: severity:error rule:pointer in:yard repair words"

    def __init__(self) -> None:
        self._rested: tuple[Seen | None, list[tuple[str, Finding]], dict[str, Finding]] = (None, [], {})

    def _keyed(self, seen: Seen) -> tuple[list[tuple[str, Finding]], dict[str, Finding]]:
        of, found, by_key = self._rested
        if of is None or of.findings is not seen.findings:
            found = keyed(seen.findings)
            by_key = dict(found)
            self._rested = (seen, found, by_key)
        return found, by_key

    def arrange(self, seen: Seen, asked: Asked) -> Arrangement:
        found, _ = self._keyed(seen)
        wanted = parse_findings(asked.text)
        rows = [pair for pair in found if wanted.lets(pair[1])]
        rows.sort(key=lambda pair: SORTS[asked.sort](pair[1]), reverse=asked.reverse)
        said = display.counted(len(found), "finding")
        if len(rows) != len(found):
            said = f"{len(rows):,} of {said}"
        errors, warnings, _ = seen.counts()
        if found:
            said += f": {display.counted(errors, 'error')}, {display.counted(warnings, 'warning')}"
        repairs = sum(bool(f.repair) for _, f in rows)
        said += f", {repairs:,} with a repair" if repairs else ""
        said = said if seen.linted else f"{said}, being checked …"
        return Arrangement(FindingRows(rows), said, wanted.problem, self._empty(seen, bool(found)))

    def _empty(self, seen: Seen, some: bool) -> Content:
        if some:
            return nothing_matches("finding")
        if not seen.linted:
            return Content("The notes are being checked …")
        return display.content(
            "Lint finds nothing wrong: every note has its fields and its pointer, every link leads to one, "
            "and everything is within its limits."
        )

    def vocabulary(self, seen: Seen) -> Vocabulary:
        rules = sorted({finding.rule for finding in seen.findings})
        halves = sorted({half_of(finding.path) for finding in seen.findings})
        return findings_vocabulary(tuple(rules), tuple(halves))

    def place(self, seen: Seen, key: str) -> Place:
        finding = self._keyed(seen)[1].get(key)
        return Place(finding.path, finding.line, "", finding) if finding else Place()

    def key_of(self, seen: Seen, path: str, line: int) -> str:
        return ""

    def page(self, seen: Seen, key: str, raw: bool, line: int, width: int) -> Sequence[Content]:
        finding = self._keyed(seen)[1].get(key)
        return () if finding is None else finding_page(seen, finding, width)

    def text(self, seen: Seen, key: str) -> str:
        finding = self._keyed(seen)[1].get(key)
        if finding is None:
            return ""
        return f"{where(finding)}: {finding.severity}: {finding.message} [{finding.rule}]"


def finding_page(seen: Seen, finding: Finding, width: int) -> Sequence[Content]:
    """The lines of a finding: what it says, why there is the rule, its repair, and the lines it is about."""
    from floppy_tui.notes.rules import RULES

    page = Page(width)
    mark = SEVERITY[finding.severity]
    page.add((f"{mark.glyph} {finding.severity} ", mark.style), (finding.rule, "bold"))
    page.add((where(finding), FAINT))
    page.add(finding.message)
    rule = RULES.get(finding.rule)
    if finding.repair:
        page.add(("F repairs it: ", "bold"), finding.repair)
    text = seen.tree.texts.get(finding.path)
    if text is not None and finding.line:
        page.blank().add((finding.path, HEADING))
        numbered(page, text, finding.line, around=4)
    if rule is not None:
        page.blank().labelled("rule", rule.words).labelled("why", rule.why)
        if not finding.repair:
            page.labelled("what to do", rule.repair)
    return page.lines
