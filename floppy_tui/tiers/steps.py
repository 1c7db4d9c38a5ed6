"""The cards of each step of a pass, from what was read and what was decided so far."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from floppy_tui.tiers.cards import Card, Offer, Step, Verb
from floppy_tui.tiers.conditions import find_condition
from floppy_tui.tiers.courses import LEGACY, SUPERSEDED, section_problem
from floppy_tui.tiers.decisions import Do, Verdict
from floppy_tui.tiers.deck import Deck
from floppy_tui.tiers.document import Document, Entry, Heading, Kind
from floppy_tui.tiers.edits import base_id, inside
from floppy_tui.tiers.findings import all_findings
from floppy_tui.tiers.layout import Status
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.retention import retention

LONG = 200
"""Estimated tokens from which on an entry is offered for rewriting."""
TIGHTER = 100
"""The same while the plan is over budget."""


def all_cards(deck: Deck) -> tuple[Card, ...]:
    """The cards of every step, in order."""
    return tuple(
        card
        for step in (account, read, retain, reinforce, decay, consolidate, reduce, later, apply)
        for card in step(deck)
    )


# -- 1 account, 2 read, 3 retain


def account(deck: Deck) -> Iterator[Card]:
    """The budget, and every exception by name."""
    snapshot = deck.snapshot
    allowed = snapshot.allowance.digits or "no usable allowance"
    verdict = "within budget" if snapshot.within_budget else "over budget"
    files = ", ".join(f"{f.path} {f.tokens}" for f in snapshot.files)
    yield Card(
        "account:budget",
        Step.ACCOUNT,
        "budget",
        f"{snapshot.total} estimated tokens of {allowed}: {verdict}",
        f"{files}. The estimate is a third of the bytes, rounded up for each file.",
    )
    for found in snapshot.exceptions:
        yield Card(
            f"account:{found.exception}:{found.message}",
            Step.ACCOUNT,
            "exception",
            found.exception,
            found.message,
            blocks=True,
        )
    if snapshot.horizon.note:
        yield Card("account:horizon", Step.ACCOUNT, "budget", "Pass horizon", snapshot.horizon.note)


def read(deck: Deck) -> Iterator[Card]:
    """Each file as it was found, its header pointer, and its findings with their repairs."""
    snapshot = deck.snapshot
    for file in snapshot.files:
        document = snapshot.document(file.path)
        words = file.status.value
        if document is not None:
            count = len(document.entries)
            words = f"{count} entr{'y' if count == 1 else 'ies'}, {file.tokens} tokens"
            words += "" if file.editable else ", read-only: it belongs to the primary home"
        why = file.refused.message if file.refused else "Read to its last byte."
        if file.status is Status.ABSENT:
            why = "Counted as 0; nothing is made up in its place."
        yield Card(f"read:{file.path}", Step.READ, "file", f"{file.path}: {words}", why, file.path)
        if document is None:
            continue
        if document.blocked:
            why = f"It is read as well as possible and not edited: {document.blocked}."
            yield Card(
                f"read:blocked:{file.path}",
                Step.READ,
                "exception",
                f"{file.path} is not edited",
                why,
                file.path,
                blocks=True,
            )
        yield from _pointer(deck, document, file.editable)
        yield from _findings(deck, document, file.editable)


def _pointer(deck: Deck, document: Document, editable: bool) -> Iterator[Card]:
    if document.pointer is not None and document.pointer_ok:
        return
    if document.blocked:
        return
    what = "correct" if document.pointer or document.stray_pointers else "add"
    why = {
        "add": "No line near the top names the stow skill as the owner of the scheme.",
        "correct": "The header pointer is outdated or stands below entries.",
    }[what]
    key = f"read:pointer:{document.file}"
    if not editable:
        yield Card(
            key,
            Step.READ,
            "routed",
            f"{document.file}: header pointer to {what}",
            f"{why} The file is the primary's: the need is routed to it, and no byte changes here.",
            document.file,
            blocks=True,
        )
        return
    decision = deck.decision(Do.POINTER, key, file=document.file)
    effect = 0 if what == "correct" else deck.delta(document.file, 42)
    yield deck.card(
        key,
        Step.READ,
        "pointer",
        f"{document.file}: {what} the header pointer",
        why,
        file=document.file,
        offers=(
            Offer(Verb.ACCEPT, what, decision, effect=effect),
            Offer(Verb.STAY, "leave", deck.decision(Do.KEEP, key, file=document.file)),
        ),
        accept="headers",
    )


def _findings(deck: Deck, document: Document, editable: bool) -> Iterator[Card]:
    for at, finding in enumerate(all_findings(deck.snapshot, document)):
        entry = document.entries[finding.entry] if finding.entry is not None else None
        key = f"read:finding:{document.file}:{finding.rule}:{finding.line}:{at}"
        title = f"{document.file}:{finding.line} {finding.rule}"
        ids = (entry.id,) if entry else ()
        blocks = entry is not None and entry.frozen and not entry.pinned
        if finding.rule in ("conflict-markers", "unclosed-fence"):
            continue
        if finding.repair is None or document.blocked:
            yield Card(key, Step.READ, "finding", title, finding.message, document.file, ids)
        elif not editable:
            why = f"{finding.message} The file is the primary's: the repair is routed to it."
            yield Card(key, Step.READ, "routed", title, why, document.file, ids, blocks=True)
        elif entry is not None and deck.leaves(entry.id):
            continue
        else:
            repair = deck.decision(
                Do.REPAIR, key, file=document.file, rule=finding.rule, line=finding.line, text=finding.message
            )
            size = len(finding.repair.text) - (finding.repair.end - finding.repair.start)
            label = (
                f"repair to {finding.repair.text.strip()}" if finding.repair.text.strip() else "take it out"
            )
            yield deck.card(
                key,
                Step.READ,
                "finding",
                title,
                finding.message,
                file=document.file,
                entries=ids,
                offers=(
                    Offer(Verb.ACCEPT, label, repair, effect=deck.delta(document.file, size)),
                    Offer(Verb.STAY, "leave", deck.decision(Do.KEEP, key, file=document.file)),
                ),
                accept="repairs",
                blocks=blocks,
                exact=True,
            )


def retain(deck: Deck) -> Iterator[Card]:
    """The retention plan: one row an entry, nothing open."""
    marked = {e: d.do for e, d in deck.retained.items()}
    for row in retention(deck.snapshot, marked, deck.evidenced):
        entry = row.entry
        key = f"retain:{entry.id}"
        yield Card(
            key,
            Step.RETAIN,
            "retain",
            f"{row.place}. {entry.first_line}",
            row.reason,
            entry.file,
            (entry.id,),
            offers=(
                Offer(Verb.STAY, "keep", deck.decision(Do.KEEP, key, entry)),
                Offer(Verb.LEAVE, "low utility", deck.decision(Do.LOW_UTILITY, key, entry), ("reason",)),
                Offer(Verb.EDIT, "conditional", deck.decision(Do.CONDITIONAL, key, entry), ("reason",)),
            ),
            decided=deck.retained.get(entry.id),
            optional=True,
        )


# -- 4 reinforce


def reinforce(deck: Deck) -> Iterator[Card]:
    """Unmarked entries (evidence or one grace cycle), whole sections of them, and fresh dated entries."""
    for document in deck.snapshot.documents:
        if document.blocked or not deck.snapshot.file(document.file).editable:
            continue
        sections = list(_whole_sections(deck, document))
        covered: set[int] = set()
        for heading, positions, mixed in sections:
            card = _section_card(deck, document, heading, positions, mixed)
            if mixed:
                yield card
                if card.open:
                    covered.update(positions)
        for at, entry in enumerate(document.entries):
            if entry.tier is Tier.UNMARKED and not entry.frozen:
                yield _unmarked(deck, entry, at in covered)
            for heading, positions, mixed in sections:
                if not mixed and positions[-1] == at:
                    yield _section_card(deck, document, heading, positions, mixed)
    for entry in deck.snapshot.entries:
        age = deck.snapshot.ages[entry.id]
        fresh = entry.reinforced is not None and not age.stale and not entry.pinned
        if fresh and deck.snapshot.editable(entry) and not deck.gone(entry.id, Step.REINFORCE):
            yield _fresh(deck, entry)


def _whole_sections(deck: Deck, document: Document) -> Iterator[tuple[Heading, list[int], bool]]:
    """Sections in which everything is unmarked, outermost first: heading, positions, prose with lists."""
    until = -1
    for heading in document.headings:
        if heading.start < until or heading.title:
            continue
        positions = inside(document, heading)
        entries = [document.entries[i] for i in positions]
        if len(entries) < 2 or any(e.tier is not Tier.UNMARKED for e in entries):
            continue
        if section_problem(deck.snapshot, document, heading, Do.TAKE_AS_ONE):
            continue
        kinds = {e.kind for e in entries}
        if Kind.ITEM not in kinds:
            continue
        until = heading.end
        yield heading, positions, len(kinds) > 1


def _section_card(
    deck: Deck, document: Document, heading: Heading, positions: Sequence[int], mixed: bool
) -> Card:
    entries = [document.entries[i] for i in positions]
    key = f"reinforce:section:{document.file}:{heading.start}:{' / '.join(heading.path)}"
    base = deck.decision(Do.TAKE_AS_ONE, key, *entries, file=document.file, heading=heading.path)
    archive = deck.decision(
        Do.ARCHIVE_SECTION, key, *entries, file=document.file, heading=heading.path, reason=""
    )
    size = sum(
        len(line.encode("utf-8", "surrogateescape")) for line in document.lines[heading.start : heading.end]
    )
    what = "mixes prose with lists" if mixed else "is a list of its own"
    return deck.card(
        key,
        Step.REINFORCE,
        "section",
        f"Section “{heading.text}”: {len(entries)} unmarked entries",
        f"Everything under this heading is unmarked and {what}: one marker on the heading can stand for all.",
        file=document.file,
        entries=tuple(e.id for e in entries),
        heading=heading.path,
        offers=(
            Offer(Verb.ACCEPT, "take as one, grace", base, effect=deck.delta(document.file, 9)),
            Offer(Verb.EVIDENCE, "take as one", base, ("evidence",), deck.delta(document.file, 20)),
            Offer(Verb.LEAVE, "archive section", archive, ("reason",), deck.delta(document.file, -size)),
            Offer(Verb.STAY, "single entries", deck.decision(Do.KEEP, key, *entries, file=document.file)),
        ),
        accept="grace" if mixed else "",
        optional=not mixed,
        settled_by=deck.all_settled(entries),
    )


def _unmarked(deck: Deck, entry: Entry, covered: bool) -> Card:
    key = f"reinforce:unmarked:{entry.id}"
    grace = deck.decision(Do.GRACE, key, entry)
    return deck.card(
        key,
        Step.REINFORCE,
        "unmarked",
        entry.first_line,
        "It carries no marker. Evidence from this session stamps it; without, it gets one grace cycle.",
        file=entry.file,
        entries=(entry.id,),
        offers=(
            Offer(Verb.ACCEPT, "grace", grace, effect=deck.delta(entry.file, 9)),
            deck.evidence(key, entry),
            deck.retier(key, entry),
            deck.keep(key, entry),
        ),
        accept="" if covered else "grace",
        optional=covered,
        blocks=True,
    )


def _fresh(deck: Deck, entry: Entry) -> Card:
    key = f"reinforce:fresh:{entry.id}"
    age = deck.snapshot.ages[entry.id]
    return deck.card(
        key,
        Step.REINFORCE,
        "reinforce",
        entry.first_line,
        f"{entry.tier.value.capitalize()}, last reinforced {age.days}d ago, stale in {age.left}d. "
        "Refresh it only if this session exercised, confirmed or re-derived it.",
        file=entry.file,
        entries=(entry.id,),
        offers=(deck.evidence(key, entry), deck.retier(key, entry), deck.keep(key, entry)),
        optional=True,
    )


# -- 5 decay


def decay(deck: Deck) -> Iterator[Card]:
    """Every stale dated entry, and every entry whose grace cycle is over."""
    snapshot = deck.snapshot
    for entry in snapshot.entries:
        if entry.frozen or entry.pinned or deck.gone(entry.id, Step.DECAY):
            continue
        age = snapshot.ages[entry.id]
        if not snapshot.editable(entry):
            if age.stale:
                yield Card(
                    f"decay:routed:{entry.id}",
                    Step.DECAY,
                    "routed",
                    entry.first_line,
                    f"{age.cause.capitalize()}, in a file that is not this home's: routed to its owner.",
                    entry.file,
                    (entry.id,),
                    blocks=True,
                )
            continue
        if entry.tier is Tier.GRACE:
            yield _legacy(deck, entry)
        elif age.stale and entry.tier is Tier.PERISHABLE:
            yield _perished(deck, entry, age.cause)
        elif age.stale:
            yield _stale(deck, entry, age.cause)


def _legacy(deck: Deck, entry: Entry) -> Card:
    key = f"decay:legacy:{entry.id}"
    return deck.card(
        key,
        Step.DECAY,
        "legacy",
        entry.first_line,
        "Its grace cycle is over: with evidence it gets a date, without it is archived.",
        file=entry.file,
        entries=(entry.id,),
        offers=(deck.archive(key, entry, LEGACY), deck.evidence(key, entry), deck.keep(key, entry)),
        accept="legacy",
        blocks=True,
    )


def _stale(deck: Deck, entry: Entry, cause: str) -> Card:
    key = f"decay:stale:{entry.id}"
    return deck.card(
        key,
        Step.DECAY,
        "stale",
        entry.first_line,
        f"Stale ({cause}): re-validate it with evidence, retier it, or archive it.",
        file=entry.file,
        entries=(entry.id,),
        offers=(
            deck.archive(key, entry, cause),
            deck.evidence(key, entry),
            deck.retier(key, entry),
            deck.keep(key, entry),
        ),
        accept="stale",
        blocks=True,
    )


def _perished(deck: Deck, entry: Entry, cause: str) -> Card:
    key = f"decay:condition:{entry.id}"
    condition = find_condition(entry.prose, deck.snapshot.today)
    others = (deck.evidence(key, entry), deck.retier(key, entry, Tier.AGING), deck.keep(key, entry))
    offers: tuple[Offer, ...]
    accept = "conditions"
    if condition is None:
        why = f"Stale ({cause}), and it names no condition that can be checked."
        offers, accept = (deck.archive(key, entry, cause), *others), "stale"
    elif condition.verdict is Verdict.OPEN:
        why = f"Stale ({cause}); its condition “{condition.text}” is still open: {condition.note}"
        found = deck.decision(
            Do.CONDITION,
            key,
            entry,
            verdict=Verdict.OPEN,
            evidence=f"looked up on {deck.snapshot.today}: {condition.note}",
        )
        refresh = Offer(Verb.ACCEPT, "refresh", found, effect=deck.remark(entry))
        offers = (refresh, deck.archive(key, entry, cause), *others)
    elif condition.verdict is Verdict.RESOLVED:
        why = f"Stale ({cause}); its condition “{condition.text}” is over: {condition.note}"
        resolved = deck.decision(
            Do.CONDITION,
            key,
            entry,
            verdict=Verdict.RESOLVED,
            reason=f"condition resolved: {condition.text}",
        )
        leave = Offer(Verb.LEAVE, "archive", resolved, ("reason",), deck.without(entry))
        offers = (leave, *others)
    else:
        why = f"Stale ({cause}); its condition “{condition.text}” was not found out. {condition.note}"
        offers, accept = (deck.archive(key, entry, cause), *others), "stale"
    return deck.card(
        key,
        Step.DECAY,
        "condition",
        entry.first_line,
        why,
        file=entry.file,
        entries=(entry.id,),
        offers=offers,
        accept=accept,
        blocks=True,
    )


# -- 6 consolidate, 7 reduce


def consolidate(deck: Deck) -> Iterator[Card]:
    """Duplicates, near-duplicates and long entries."""
    snapshot = deck.snapshot
    paired: set[tuple[str, str]] = set()
    for pair in snapshot.near:
        left, right = snapshot.entries[pair.left], snapshot.entries[pair.right]
        if deck.gone(left.id, Step.CONSOLIDATE) or deck.gone(right.id, Step.CONSOLIDATE):
            continue
        if (left.id, right.id) in paired or not (snapshot.editable(left) or snapshot.editable(right)):
            continue
        paired.add((left.id, right.id))
        yield _pair(deck, left, right, pair.score)
    for entry in snapshot.entries:
        if entry.tokens >= LONG and snapshot.editable(entry) and not deck.gone(entry.id, Step.CONSOLIDATE):
            yield _long(deck, entry, Step.CONSOLIDATE)


def _pair(deck: Deck, left: Entry, right: Entry, score: float) -> Card:
    snapshot = deck.snapshot
    weaker, stronger = sorted((left, right), key=lambda e: _strength(deck, e))
    if not snapshot.editable(weaker):
        weaker, stronger = stronger, weaker
    same = base_id(left) == base_id(right)
    key = f"consolidate:{'duplicate' if same else 'near'}:{left.id}:{right.id}"
    leave = [deck.archive(key, weaker, f"{SUPERSEDED}{stronger.id}")]
    if snapshot.editable(stronger):
        other = deck.archive(key, stronger, f"{SUPERSEDED}{weaker.id}")
        leave.append(
            Offer(
                other.verb,
                f"archive {stronger.file}:{stronger.start + 1}",
                other.decision,
                other.needs,
                other.effect,
            )
        )
    offers = leave
    if snapshot.editable(left) and snapshot.editable(right):
        longest = max((left, right), key=lambda e: len(e.prose))
        merge = deck.decision(Do.MERGE, key, left, right, text=longest.prose)
        effect = deck.without(left if longest is right else right)
        offers = [leave[0], Offer(Verb.EDIT, "merge", merge, ("text",), effect), *leave[1:]]
    alike = "The same statement" if same else f"{score:.0f}% the same words"
    where = f"{weaker.file}:{weaker.start + 1} against {stronger.file}:{stronger.start + 1}"
    return deck.card(
        key,
        Step.CONSOLIDATE,
        "duplicate" if same else "near",
        weaker.first_line,
        f"{alike}: {where}, “{stronger.first_line}”.",
        file=weaker.file,
        entries=(weaker.id, stronger.id),
        offers=(*offers, deck.keep(key, weaker)),
        exact=True,
    )


def _strength(deck: Deck, entry: Entry) -> tuple[object, ...]:
    tiers = (Tier.GRACE, Tier.UNMARKED, Tier.PERISHABLE, Tier.AGING, Tier.PINNED)
    tier = Tier.PINNED if entry.pinned else entry.tier
    return (tiers.index(tier), str(entry.reinforced or ""), len(entry.prose), -entry.start)


def _long(deck: Deck, entry: Entry, step: Step) -> Card:
    key = f"{step.name.lower()}:long:{entry.id}"
    rewrite = deck.decision(Do.REWRITE, key, entry, text=entry.prose)
    return deck.card(
        key,
        step,
        "long",
        entry.first_line,
        f"{entry.tokens} estimated tokens: could it say the same in fewer words?",
        file=entry.file,
        entries=(entry.id,),
        offers=(Offer(Verb.EDIT, "rewrite", rewrite, ("text",)), deck.keep(key, entry)),
        exact=True,
        optional=step is Step.CONSOLIDATE,
    )


def reduce(deck: Deck) -> Iterator[Card]:
    """The rungs of reduction, only while the plan is over budget or something was decided on one."""
    snapshot = deck.snapshot
    over = bool(snapshot.allowance.digits) and not deck.within_budget
    for entry in snapshot.entries:
        mark = deck.retained.get(entry.id)
        if mark is None or mark.do is not Do.LOW_UTILITY or not snapshot.editable(entry):
            continue
        leaves = deck.gone(entry.id, Step.REDUCE)
        if entry.reinforced is None or entry.pinned or entry.frozen or leaves:
            continue
        key = f"reduce:low-utility:{entry.id}"
        if over or deck.has(key):
            yield deck.card(
                key,
                Step.REDUCE,
                "low-utility",
                entry.first_line,
                f"Marked as of low utility: {mark.reason}",
                file=entry.file,
                entries=(entry.id,),
                offers=(deck.archive(key, entry, f"low utility: {mark.reason}"), deck.keep(key, entry)),
                exact=True,
            )
    if over:
        for entry in sorted(snapshot.entries, key=lambda e: -e.tokens):
            tight = TIGHTER <= entry.tokens < LONG and snapshot.editable(entry) and not entry.pinned
            if tight and not deck.gone(entry.id, Step.REDUCE):
                yield _long(deck, entry, Step.REDUCE)
        yield Card(
            "reduce:offload",
            Step.REDUCE,
            "later",
            "Offload to an existing owner is still to come",
            "Moving conditional entries to a live note or skill comes with a later release.",
        )
    yield from _evictions(deck, over)


def _evictions(deck: Deck, over: bool) -> Iterator[Card]:
    snapshot = deck.snapshot
    if over and not deck.carried.converges:
        yield Card(
            "reduce:no-convergence",
            Step.REDUCE,
            "no-convergence",
            "Nothing is evicted: it would not be enough",
            f"Even without every aging entry that may leave, the memory stays over its allowance. "
            f"Pinned and read-only text alone holds {deck.floor} tokens.",
        )
    proposed = deck.carried.pool[: deck.carried.needed] if over else ()
    for decision in deck.evictions:
        entry = snapshot.by_id.get(decision.id)
        if entry is not None:
            yield _evict(deck, entry, f"reduce:evict:{entry.id}")
    for identity in proposed:
        yield _evict(deck, snapshot.by_id[identity], f"reduce:evict:{identity}")


def _evict(deck: Deck, entry: Entry, key: str) -> Card:
    evict = deck.decision(Do.EVICT, key, entry, reason="budget oldest-first")
    return deck.card(
        key,
        Step.REDUCE,
        "evict",
        entry.first_line,
        f"Aging, last reinforced {entry.reinforced}: the oldest go first while the plan is over budget.",
        file=entry.file,
        entries=(entry.id,),
        offers=(
            Offer(Verb.LEAVE, "evict", evict, (), deck.without(entry)),
            deck.keep(key, entry),
        ),
        accept="eviction",
        exact=True,
    )


# -- 8 to 10


def later(deck: Deck) -> Iterator[Card]:
    """The steps whose work comes with a later release."""
    yield Card(
        "relocate:later",
        Step.RELOCATE,
        "later",
        "Relocating pinned entries is still to come",
        "Proposals for pinned entries that are needed only in one context come with a later release; "
        "nothing is moved until then.",
    )
    yield Card(
        "file:later",
        Step.FILE,
        "later",
        "Filing findings and open records is still to come",
        "New facts are written by hand or by an agent for now, and picked up as unmarked entries.",
    )


def apply(deck: Deck) -> Iterator[Card]:
    """The whole change."""
    yield Card(
        "apply:change",
        Step.APPLY,
        "apply",
        "The whole change",
        f"{deck.snapshot.total} estimated tokens before, {deck.total} after.",
    )
