"""Homes for the scenarios of a pass: memory files by name, an allowance, a day, and short questions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, timedelta

from floppy_tui.text.lines import encode
from floppy_tui.tiers.budget import Allowance
from floppy_tui.tiers.cards import Card, Verb
from floppy_tui.tiers.clocks import Horizon
from floppy_tui.tiers.decisions import Decision, Do, decide
from floppy_tui.tiers.document import Document, Entry
from floppy_tui.tiers.layout import ARCHIVE, CAPTAIN, FILES, LEARNINGS, SHARED, Role
from floppy_tui.tiers.snapshot import Snapshot, archive_text, memory_file
from floppy_tui.tiers.stow import Plan, plan

TODAY = date(2026, 10, 1)
HEADER = "<!-- memory tiers: see the stow skill -->\n\n"
NAMES = {"captain": CAPTAIN, "shared": SHARED, "learnings": LEARNINGS, "archive": ARCHIVE}
STILL = Horizon()
COUNTING = Horizon(on=True, tick=True)
"""A home that counts passes, in a pass that adds one."""


def ago(days: int) -> str:
    """The day ``days`` before today, as a marker spells it."""
    return (TODAY - timedelta(days)).isoformat()


def home(
    files: Mapping[str, str | bytes],
    *,
    today: date = TODAY,
    role: Role = Role.PRIMARY,
    allowance: int | None = 100_000,
    horizon: Horizon = STILL,
) -> Snapshot:
    """The snapshot of a home that holds exactly ``files``, by the names in ``NAMES``.

    Text gets the header pointer, bytes are taken as they are.
    """
    data = {
        NAMES[name]: body if isinstance(body, bytes) else encode(body if name == "archive" else HEADER + body)
        for name, body in files.items()
    }
    usable = (
        Allowance(digits=str(allowance)) if allowance is not None else Allowance("", "file-absent", "No.")
    )
    return Snapshot(
        root="home",
        role=role,
        today=today,
        allowance=usable,
        files=tuple(memory_file(path, data.get(path), role) for path in FILES),
        archive_text=archive_text(data.get(ARCHIVE)),
        horizon=horizon,
    )


def the(snapshot: Snapshot, words: str) -> Entry:
    """The one entry that says ``words``."""
    (found,) = [e for e in snapshot.entries if words in e.prose]
    return found


def do(snapshot: Snapshot, act: Do, *words: str, **fields: object) -> Decision:
    """A decision on the entries that say ``words``."""
    return decide(snapshot, act, *(the(snapshot, w) for w in words), **fields)


def on_section(snapshot: Snapshot, act: Do, *heading: str, **fields: object) -> Decision:
    """A decision on the section of the learnings under ``heading``."""
    return decide(snapshot, act, file=LEARNINGS, heading=heading, **fields)


def text(planned: Plan, name: str = "learnings") -> str:
    """A memory file as it would be after the pass, without the header that ``home`` gave it."""
    path = NAMES[name]
    before = planned.snapshot.document(path)
    after = planned.texts.get(path, before.text if before else "")
    return after.removeprefix(HEADER)


def written(planned: Plan) -> dict[str, bytes | None]:
    """What would be on disk after the pass."""
    snapshot = planned.snapshot
    found: dict[str, bytes | None] = {}
    for path in FILES:
        before = snapshot.document(path)
        after = planned.texts.get(path, before.text if before else None)
        found[path] = None if after is None else encode(after)
    archive = snapshot.archive_text if planned.archive_text is None else planned.archive_text
    found[ARCHIVE] = None if archive is None else encode(archive)
    found.update({path: encode(after) for path, (_, after) in planned.destinations.items()})
    return found


def archived(planned: Plan) -> list[str]:
    """The lines that the pass adds to the archive, without its headings."""
    before = planned.snapshot.archive_text or ""
    added = (planned.archive_text or before)[len(before) :]
    return [line for line in added.split("\n") if line and not line.startswith("#")]


def why(planned: Plan) -> str:
    """Why the one refused decision is refused."""
    (refusal,) = planned.refused
    return refusal.why


def cards(planned: Plan, kind: str) -> list[Card]:
    """The cards of one kind."""
    return [c for c in planned.cards if c.kind == kind]


def chosen(card: Card, verb: Verb, **fields: object) -> Decision:
    """The decision that a card offers under ``verb``, its blanks filled in."""
    offer = card.offer(verb)
    assert offer is not None, (card.kind, verb)
    return offer.decision.with_(**fields)


def repeated(snapshot: Snapshot, decisions: Iterable[Decision]) -> Plan:
    """The plan, made twice: the same both times, and nothing that it was made from is touched."""
    given = tuple(decisions)
    texts = [d.text for d in snapshot.documents]
    first, second = plan(snapshot, given), plan(snapshot, given)
    assert first == second
    assert [d.text for d in snapshot.documents] == texts
    return first


def documents(planned: Plan) -> list[Document]:
    """The memory files as they read after the pass."""
    return [planned.documents.get(d.file, d) for d in planned.snapshot.documents]
