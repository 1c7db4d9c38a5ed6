"""Eviction: what leaves for the budget, oldest first, and only where that is enough."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from floppy_tui.text.lines import encode
from floppy_tui.tiers.budget import estimate
from floppy_tui.tiers.courses import Charted, evictable
from floppy_tui.tiers.decisions import Decision, Refusal
from floppy_tui.tiers.document import Document, Entry
from floppy_tui.tiers.edits import Act, remove, tick
from floppy_tui.tiers.layout import FILES
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.reading import read_document
from floppy_tui.tiers.settling import Settled, compose, settle
from floppy_tui.tiers.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Evicted:
    """Who leaves for the budget, and who could."""

    settled: Mapping[str, Settled] = field(default_factory=dict)
    """The documents that someone leaves, settled again."""
    ids: frozenset[str] = frozenset()
    """Ids that leave for the budget."""
    refused: tuple[Refusal, ...] = ()
    """Evictions that the rules forbid as the plan stands."""
    impossible: tuple[Refusal, ...] = ()
    """Decisions whose edit would change what another entry says."""
    converges: bool = True
    """Whether evicting the whole eligible pool would reach the allowance."""
    least: int = 0
    """Estimated tokens of the memory without the whole pool, where it is over the allowance."""
    short: int = 0
    """How much of that is over the allowance."""
    pool: tuple[str, ...] = ()
    """Ids that could still be evicted, the next one first."""
    needed: int = 0
    """How many of the pool it takes to reach the allowance."""


def evict(
    snapshot: Snapshot, charted: Charted, settled: Mapping[str, Settled], stuck: frozenset[str]
) -> Evicted:
    """Let those leave that were decided on, while they are needed and next in line."""
    allowance = snapshot.allowance
    sizes = {file: done.document.size for file, done in settled.items()}
    pool = [e for e in _pool(snapshot, charted) if e.id not in stuck]
    over = bool(allowance.digits) and not allowance.allows(_total(sizes))
    held = _held_in_place(snapshot, settled, pool) if over else {}
    pool = [e for e in pool if e.id not in held]
    least = _least(snapshot, settled, pool) if over else 0
    converges = not over or allowance.allows(least)
    wanted = {entry.id: decision for decision, entry in charted.evictions}
    refused: list[Refusal] = []
    chosen: list[Entry] = []
    for at, entry in enumerate(e for e in pool if e.id in wanted):
        decision = wanted[entry.id]
        if not over:
            refused.append(Refusal(decision, "The plan is within budget without it."))
        elif not converges:
            why = "Evicting all that is eligible would not reach the allowance, so nothing is evicted."
            refused.append(Refusal(decision, why))
        elif pool[at] is not entry:
            refused.append(Refusal(decision, "Older entries go first."))
        else:
            chosen.append(entry)
            mine = [e for e in chosen if e.file == entry.file]
            sizes[entry.file] = _cut_size(snapshot, settled[entry.file], mine)
            over = not allowance.allows(_total(sizes))
    there = {e.id for e in pool}
    for identity, decision in wanted.items():
        if identity not in there:
            why = "Another decision keeps, changes or archives it, or it holds entries that stay."
            refused.append(Refusal(decision, held.get(identity, why)))
    again = _settle_again(snapshot, settled, chosen, wanted)
    gone = {e.id for e in chosen}
    rest = [e for e in pool if e.id not in gone]
    return Evicted(
        settled=again,
        ids=frozenset(gone),
        refused=tuple(refused),
        impossible=tuple(
            Refusal(d, why)
            for done in again.values()
            for act, why in done.refused
            for d in (act.key if isinstance(act.key, tuple) else (act.key,))
            if isinstance(d, Decision)
        ),
        converges=converges,
        least=least,
        short=max(0, least - (allowance.tokens or least)),
        pool=tuple(e.id for e in rest),
        needed=_needed(snapshot, {**settled, **again}, rest) if converges else 0,
    )


def _held_in_place(
    snapshot: Snapshot, settled: Mapping[str, Settled], pool: Sequence[Entry]
) -> dict[str, str]:
    """Nested entries, of those that would go, that cannot go alone without changing another; with the why."""
    held: dict[str, str] = {}
    while True:
        rest = [e for e in pool if e.id not in held]
        next_ = rest[: _needed(snapshot, settled, rest)]
        found = {e.id: why for e in next_ if e.parent is not None and (why := _alone(*_place(snapshot, e)))}
        if not found:
            return held
        held.update(found)


def _place(snapshot: Snapshot, entry: Entry) -> tuple[str, str, Tier, int]:
    document, at = snapshot.places[entry.id]
    return document.text, document.file, document.default, at


@lru_cache(maxsize=512)
def _alone(text: str, file: str, default: Tier, at: int) -> str:
    """Why the entry at ``at`` cannot leave alone, as a sentence; ``""`` where it can."""
    document = read_document(text, file, default)
    refused = settle(document, [remove(document, [at])]).refused
    return refused[0][1] if refused else ""


def _settle_again(
    snapshot: Snapshot,
    settled: Mapping[str, Settled],
    chosen: Sequence[Entry],
    wanted: Mapping[str, Decision],
) -> dict[str, Settled]:
    again: dict[str, Settled] = {}
    for document in snapshot.documents:
        mine = [e for e in chosen if e.file == document.file]
        if mine:
            gone = {snapshot.places[e.id][1]: wanted[e.id] for e in mine}
            kept = [_uncounted(document, act, gone) for act in settled[document.file].done]
            cuts = [remove(document, [at], decision) for at, decision in gone.items()]
            again[document.file] = settle(document, [*kept, *cuts])
    return again


def _uncounted(document: Document, act: Act, gone: Collection[int]) -> Act:
    """``act``, where it writes counters without those of entries that are ``gone``."""
    if act.removes or act.adds or not any(at in gone for at in act.becomes):
        return act
    return tick(document, {at: one.passes for at, one in act.becomes.items() if at not in gone}, act.key)


def _pool(snapshot: Snapshot, charted: Charted) -> list[Entry]:
    """What may be evicted: oldest reinforced first, ties by size, then in file order."""
    order = {e.id: at for at, e in enumerate(snapshot.entries)}
    found = [
        (e.reinforced, -e.tokens, order[e.id], e)
        for e in snapshot.entries
        if e.reinforced is not None
        and evictable(charted.courses[e.id])
        and snapshot.editable(e)
        and not _holding(*snapshot.places[e.id])
    ]
    found.sort(key=lambda row: row[:3])
    return [row[3] for row in found]


def _holding(document: Document, at: int) -> bool:
    return at in document.parents


def _total(sizes: Mapping[str, int]) -> int:
    return sum(estimate(sizes.get(path, 0)) for path in FILES)


def _cut_size(snapshot: Snapshot, settled: Settled, entries: Sequence[Entry]) -> int:
    """Bytes of a document with its settled acts done and ``entries`` gone as well."""
    if not entries:
        return settled.document.size
    document = snapshot.places[entries[0].id][0]
    cuts = [remove(document, [snapshot.places[e.id][1]]) for e in entries]
    try:
        return len(encode(compose(document, [*settled.done, *cuts], settled.spaced)))
    except ValueError:
        # A cut meets another edit: settling refuses it, and until then its own bytes are what it is worth.
        return settled.document.size - sum(len(encode(document.piece(e.own))) for e in entries)


def _least(snapshot: Snapshot, settled: Mapping[str, Settled], pool: Sequence[Entry]) -> int:
    """Estimated tokens of the memory with all of ``pool`` gone."""
    gone = {file: [e for e in pool if e.file == file] for file in settled}
    return _total({file: _cut_size(snapshot, done, gone[file]) for file, done in settled.items()})


def _needed(snapshot: Snapshot, settled: Mapping[str, Settled], pool: Sequence[Entry]) -> int:
    """How many of ``pool``, in order, have to go until the total is allowed."""
    allowance = snapshot.allowance
    sizes = {file: done.document.size for file, done in settled.items()}
    if not allowance.digits or allowance.allows(_total(sizes)):
        return 0
    count = len(pool)
    for at, entry in enumerate(pool, 1):
        document = snapshot.places[entry.id][0]
        sizes[entry.file] -= len(encode(document.piece(entry.own)))
        if allowance.allows(_total(sizes)):
            count = at
            break
    # A cut can take a blank line with it, so fewer may do.
    while count > 1 and allowance.allows(_least(snapshot, settled, pool[: count - 1])):
        count -= 1
    return count
