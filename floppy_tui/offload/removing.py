"""An entry that lives elsewhere now: found by its quote, and taken out of its memory file, it alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date

from rapidfuzz import fuzz, process

from floppy_tui.offload.proposal import Proposal
from floppy_tui.text.identity import fold
from floppy_tui.text.lines import encode
from floppy_tui.tiers.budget import estimate
from floppy_tui.tiers.document import Document, Entry, Kind
from floppy_tui.tiers.edits import base_id, insertions, remove, reword
from floppy_tui.tiers.markers import Tier, without_markers
from floppy_tui.tiers.reading import read_document
from floppy_tui.tiers.settling import settle
from floppy_tui.tiers.snapshot import Snapshot

LIKE = 60.0
"""From this similarity (percent, letter by letter) on, an entry counts as the quoted one, reworded."""


@dataclass(frozen=True, slots=True)
class Removal:
    """The planned text of one memory file without an entry."""

    file: str
    before: str
    after: str
    entry: Entry
    pointer: str = ""
    """The one line that stays in its place."""

    @property
    def relief(self) -> int:
        """Estimated tokens that the file no longer costs."""
        return estimate(len(encode(self.before))) - estimate(len(encode(self.after)))


def quoted_entry(snapshot: Snapshot, proposal: Proposal) -> Entry | None:
    """The entry that says the quote to the byte where it was quoted, by its id where several do."""
    same = [e for e in snapshot.entries if e.file == proposal.file and e.prose == proposal.quote]
    return next((e for e in same if e.id == proposal.entry), same[0] if same else None)


def entry_now(snapshot: Snapshot, proposal: Proposal) -> Entry | None:
    """What became of the quoted entry: itself, or else the entry of its file that is most like it.

    None where nothing there is like it; what other words stand elsewhere is not looked at.
    """
    if (same := quoted_entry(snapshot, proposal)) is not None:
        return same
    there = [e for e in snapshot.entries if e.file == proposal.file]
    identity = proposal.entry.partition("-")[0]
    if kept := next((e for e in there if base_id(e) == identity), None):
        return kept
    # Not by the set of words: a short statement is often part of a long one that says something else.
    words = [fold(e.prose) for e in there]
    found = process.extractOne(fold(proposal.quote), words, scorer=fuzz.ratio, score_cutoff=LIKE)
    return there[found[2]] if found else None


def take_out(snapshot: Snapshot, entry: Entry, pointer: str = "") -> Removal:
    """Plan the file of ``entry`` without it, every other entry as it was.

    ``pointer`` is one line that stays in its place. Raises ``ValueError`` with a sentence where that cannot
    be done.
    """
    if not snapshot.editable(entry):
        raise ValueError(f"{entry.file} is not this home's to edit, so the entry cannot leave it.")
    before = snapshot.places[entry.id][0].text
    line = _one_line(pointer)
    after = _pointing(snapshot, entry, line) if line else _without(*snapshot.places[entry.id]).text
    removal = Removal(entry.file, before, after, entry, line)
    if problems := unaccounted(removal, after):
        # Such as words above a title, which become an entry when the title goes.
        raise ValueError(f"The entry cannot leave alone: {problems[0]}")
    return removal


def _pointing(snapshot: Snapshot, entry: Entry, line: str) -> str:
    """The text of the entry's file with ``line`` in its place, under its marker."""
    document, at = snapshot.places[entry.id]
    marker = entry.mark.text if entry.mark is not None and entry.explicit else ""
    if entry.kind is Kind.SECTION:
        document = _without(document, at)
        acts = insertions(document, line, Kind.ITEM, marker)
    elif len(entry.own) == 1:
        acts = [reword(document, at, line, marker)]
    else:
        raise ValueError("Other entries stand inside this one, so no pointer can stand in its place.")
    why = ""
    for act in acts:
        settled = settle(document, [act])
        if settled.done:
            return settled.document.text
        why = settled.refused[0][1]
    raise ValueError(f"The pointer would not be read as one entry. {why}")


def _without(document: Document, at: int) -> Document:
    settled = settle(document, [remove(document, [at])])
    if not settled.done:
        raise ValueError(f"The entry cannot leave {document.file}: {settled.refused[0][1]}")
    return settled.document


def _one_line(pointer: str) -> str:
    line = pointer.strip()
    if "\n" in line or without_markers(line) != line:
        raise ValueError("A pointer is one line without a marker.")
    return line


def unaccounted(removal: Removal, text: str) -> tuple[str, ...]:
    """What in ``text``, the file as it was read back, is not as planned, as sentences."""
    before = read_document(removal.before, removal.file, removal.entry.default)
    after = Counter(_reading(e) for e in read_document(text, removal.file, removal.entry.default).entries)
    left = Counter(_reading(e) for e in before.entries)
    left[_reading(removal.entry)] -= 1
    lost = [reading[0] for reading in (left - after).elements()]
    new = [reading[0] for reading in (after - left).elements()]
    said = [f"“{prose[:60]}” is not in {removal.file} any more as it was." for prose in lost]
    wanted = [removal.pointer] if removal.pointer else []
    if new != wanted and not lost:
        said.append(f"{removal.file} holds something that was not planned.")
    return tuple(said)


def _reading(entry: Entry) -> tuple[str, Tier, date | None, int, bool]:
    return (entry.prose, entry.tier, entry.reinforced, entry.passes, entry.explicit)
