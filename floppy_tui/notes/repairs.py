"""The findings that can be repaired without a judgment, and how: each one act, shown before it is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from floppy_tui.notes import mending_indexes as indexes
from floppy_tui.notes import mending_notes as notes
from floppy_tui.notes.drafting import Draft
from floppy_tui.notes.findings import Finding
from floppy_tui.notes.planned import Impossible, Planned
from floppy_tui.notes.tree import Tree


class Repair(NamedTuple):
    """How the findings of one rule are repaired."""

    words: str
    """What it does, in general."""
    sentence: Callable[[Tree, Finding], str]
    """What it does to one finding; ``""`` where that one needs a judgment."""
    mend: Callable[[Draft, Finding], None]


_NAME = Repair("The name becomes that of the file, and links follow.", notes.can_name, notes.name)
_WORD = Repair("A known value is spelled as it should be.", notes.can_respell_word, notes.respell_word)
_QUOTE = Repair("The value is quoted so that all readers agree.", notes.can_quote, notes.quote)
_LINK = Repair("The index above gets a pointer to it.", indexes.can_link_index, indexes.link_index)

_REPAIRS: Mapping[str, Repair] = {
    "name-not-file-name": _NAME,
    "name-missing": _NAME,
    "flat-type": Repair("The type moves below metadata:.", notes.can_nest_type, notes.nest_type),
    "type-unknown": _WORD,
    "evidence-unknown": _WORD,
    "as-of-not-iso": Repair(
        "A date with the year first is spelled as ISO.", notes.can_respell_day, notes.respell_day
    ),
    "yaml-differs": _QUOTE,
    "yaml-unreadable": _QUOTE,
    "link-dangling": Repair("The link leads to the note that was meant.", notes.can_lead, notes.lead),
    "link-into-foreign-scope": Repair(
        "The link becomes its words.", notes.can_unlink_foreign, notes.unlink_foreign
    ),
    "note-without-pointer": Repair("The pointer is added.", indexes.can_point, indexes.point),
    "pointer-dangling": Repair(
        "The pointer is removed, or leads to the file that it means.",
        indexes.can_mend_dangling,
        indexes.mend_dangling,
    ),
    "pointer-repeated": Repair(
        "The second pointer goes; what only it says goes to the first.",
        indexes.can_unrepeat,
        indexes.unrepeat,
    ),
    "pointer-not-literal": Repair("The target is spelled plainly.", indexes.can_spell, indexes.spell_plainly),
    "pointer-line-too-long": Repair(
        "The hook is shortened where the note says the whole of it.", indexes.can_shorten, indexes.shorten
    ),
    "index-unlinked": _LINK,
    "index-parent-missing": _LINK,
}

REPAIRS: Mapping[str, str] = {rule: repair.words for rule, repair in _REPAIRS.items()}
"""What the mechanical repair of each rule does; rules without one are not in it."""


def can_repair(tree: Tree, finding: Finding) -> str:
    """What the repair of ``finding`` would do, as a sentence; ``""`` where there is none."""
    found = _REPAIRS.get(finding.rule)
    return found.sentence(tree, finding) if found else ""


def repair(tree: Tree, finding: Finding) -> Planned:
    """Repair ``finding``; raises ``Impossible`` where that needs a judgment, or the finding is gone."""
    found = _REPAIRS.get(finding.rule)
    said = found.sentence(tree, finding) if found else ""
    if found is None or not said:
        where = f"{finding.rule} in {finding.path}"
        raise Impossible(f"{where} cannot be repaired without a judgment; edit the file.")
    draft = Draft(tree)
    found.mend(draft, finding)
    return draft.plan(f"repair {finding.rule} in {finding.path}", f"Repair {finding.rule} in {finding.path}")
