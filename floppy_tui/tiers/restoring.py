"""Taking an archived item back into memory: with evidence, stamped today, the archive left as it is."""

from __future__ import annotations

from dataclasses import dataclass

from floppy_tui.text.identity import identity
from floppy_tui.tiers.archive_item import ArchivedItem
from floppy_tui.tiers.archive_search import restorable
from floppy_tui.tiers.courses import admitted
from floppy_tui.tiers.decisions import evidence_problem
from floppy_tui.tiers.document import POINTER, Kind, default_tier
from floppy_tui.tiers.edits import base_id, insertions
from floppy_tui.tiers.layout import FILES, LEARNINGS, SHARED, Role, Status
from floppy_tui.tiers.markers import PINNED_MARK, Tier, spell, without_markers
from floppy_tui.tiers.reading import read_document
from floppy_tui.tiers.settling import settle
from floppy_tui.tiers.snapshot import Snapshot


class NotRestored(Exception):
    """Why an item is not taken back, as a sentence."""


@dataclass(frozen=True, slots=True)
class Restored:
    """The planned text of one memory file with an archived item back in it."""

    file: str
    text: str
    entry: str
    """Identity of the new entry."""
    tier: Tier
    """The tier it got: a perishable one without a checkable condition is kept as aging."""


def source_file(item: ArchivedItem) -> str:
    """The memory file that an item came from; learnings where it is none of the three."""
    name = item.source.rsplit("/", 1)[-1]
    return next((path for path in FILES if path.rsplit("/", 1)[-1] == name), LEARNINGS)


def take_back(snapshot: Snapshot, item: ArchivedItem, evidence: str, tier: Tier) -> Restored:
    """The change that restores ``item`` to its source file; raises ``NotRestored``."""
    prose, _ = restorable(item)
    if not prose.strip():
        raise NotRestored("This archived item holds no text to take back.")
    if problem := evidence_problem(evidence, prose):
        raise NotRestored(problem)
    path = source_file(item)
    file = snapshot.file(path)
    found = identity(without_markers(prose))
    there = next((e for e in snapshot.entries if base_id(e) == found), None)
    if there is not None:
        raise NotRestored(f"The same statement stands in {there.file}:{there.start + 1} already.")
    if tier not in (Tier.PINNED, Tier.AGING, Tier.PERISHABLE):
        raise NotRestored("It is restored as pinned, aging or perishable.")
    tier = admitted(tier, prose, snapshot.records)
    if file.refused is not None:
        raise NotRestored(file.refused.message)
    document = snapshot.document(path)
    if file.status is Status.ABSENT and not _foreign(snapshot, path):
        document = read_document(f"{POINTER}\n", path, default_tier(path))
    elif document is None or not file.editable:
        raise NotRestored(f"{path} is not this home's to edit, so the item is not restored there.")
    if document.blocked:
        raise NotRestored(f"{path} is not edited: {document.blocked}.")
    kind = Kind.SECTION if prose.startswith("#") else Kind.ITEM
    marker = _marker(path, tier, snapshot)
    why = ""
    for act in insertions(document, prose, kind, marker):
        settled = settle(document, [act])
        if settled.done:
            return Restored(path, settled.document.text, found, tier)
        why = settled.refused[0][1]
    raise NotRestored(f"There is no place in {path} where it would be read as one entry. {why}")


def _foreign(snapshot: Snapshot, path: str) -> bool:
    """Whether a file at ``path`` would be the primary home's, even where there is none yet."""
    return path == SHARED and snapshot.role is Role.SECONDMATE


def _marker(path: str, tier: Tier, snapshot: Snapshot) -> str:
    if tier is Tier.PINNED:
        return "" if default_tier(path) is Tier.PINNED else PINNED_MARK
    return spell(tier, snapshot.today)
