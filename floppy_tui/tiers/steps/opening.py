"""Steps 1 to 3: the account, the files as they were read, and the retention plan."""

from __future__ import annotations

from collections.abc import Iterator

from floppy_tui.tiers.cards import Card, Offer, Step, Verb
from floppy_tui.tiers.decisions import Do
from floppy_tui.tiers.deck import Deck
from floppy_tui.tiers.document import Document, Entry
from floppy_tui.tiers.findings import keyed_findings
from floppy_tui.tiers.layout import Status
from floppy_tui.tiers.retention import retention


def account(deck: Deck) -> Iterator[Card]:
    """The budget, and every exception by name."""
    snapshot = deck.snapshot
    digits = snapshot.allowance.digits
    allowed = f"of {digits}" if digits else "and no usable allowance"
    verdict = "within budget" if snapshot.within_budget else "over budget"
    files = ", ".join(f"{f.path} {f.tokens}" for f in snapshot.files)
    yield Card(
        "account:budget",
        Step.ACCOUNT,
        "budget",
        f"{snapshot.total} estimated tokens {allowed}: {verdict}",
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
        if not file.editable:
            yield from _asked_of_the_owner(deck, file.path)


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
    for key, finding in keyed_findings(deck.snapshot, document):
        entry = document.entries[finding.entry] if finding.entry is not None else None
        title = f"{document.file}:{finding.line} {finding.rule}"
        ids = (entry.id,) if entry else ()
        blocks = entry is not None and entry.frozen and not entry.pinned and not _thaws(deck, entry)
        if finding.rule in ("conflict-markers", "unclosed-fence"):
            continue
        routed = not editable and finding.rule != "redundant-pinned"
        if finding.repair is None or document.blocked or not (editable or routed):
            yield Card(key, Step.READ, "finding", title, finding.message, document.file, ids)
        elif routed:
            why = f"{finding.message} The file is the primary's: the repair is routed to it."
            yield Card(key, Step.READ, "routed", title, why, document.file, ids, blocks=True)
        elif entry is not None and deck.leaves(entry.id):
            continue
        else:
            made_on = {
                "file": document.file,
                "rule": finding.rule,
                "line": finding.line,
                "text": finding.message,
            }
            repair = deck.decision(Do.REPAIR, key, **made_on)
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
                    Offer(Verb.STAY, "leave", deck.decision(Do.KEEP, key, **made_on)),
                ),
                accept="repairs",
                blocks=blocks,
                exact=True,
            )


def _thaws(deck: Deck, entry: Entry) -> bool:
    """Whether a new marker takes the place of the unreadable one, or stands after it."""
    marked = deck.charted.courses[entry.id].marker is not None
    return marked and (entry.mark is None or entry.mark == entry.last_mark)


def _asked_of_the_owner(deck: Deck, path: str) -> Iterator[Card]:
    """Changes that were decided on for a file of the primary home: each is routed to it by name."""
    for at, refusal in enumerate(deck.refused):
        decision = refusal.decision
        first = deck.snapshot.by_id.get(decision.id)
        if (first.file if first else decision.file) != path or decision.do in (
            Do.KEEP,
            Do.LOW_UTILITY,
            Do.CONDITIONAL,
        ):
            continue
        about = f"“{first.first_line}”" if first else " / ".join(decision.heading) or path
        said = (decision.evidence or decision.reason or decision.text).strip().rstrip(".")
        why = "The file is the primary's: the change is routed to it."
        yield Card(
            f"read:asked:{path}:{at}",
            Step.READ,
            "routed",
            f"{path}: {decision.do.value} {about}",
            f"{said}. {why}" if said else why,
            path,
            (first.id,) if first else (),
            blocks=True,
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
