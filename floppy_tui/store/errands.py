"""What a pass has done outside the memory, through the backlog tool: each errand by itself, none twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from floppy_tui.offload.candidate import SHARED_WARNING
from floppy_tui.offload.proposal import UNDER_WAY, Proposal
from floppy_tui.offload.queue import Queue, next_id, put
from floppy_tui.store.files import StoreError
from floppy_tui.store.home import Home
from floppy_tui.store.proposals import QueueStore
from floppy_tui.store.tasks import Tasks
from floppy_tui.text.identity import digest
from floppy_tui.text.lines import readable
from floppy_tui.tiers.decisions import Record
from floppy_tui.tiers.errands import Decide, Decided, Done, Errand, Inscribe, Keep, Propose, Ship

DECISION = "startup-memory-over-budget"
"""The id of the backlog item that holds the captain's decision."""
NO_TOOL = "tasks-axi is not on the PATH, so it was not filed: install it, or file this by hand."
_TITLE = 90
"""Characters of a finding that its ship task is called by."""


def run_errands(
    home: Home, tasks: Tasks | None, queue: QueueStore, errands: Sequence[Errand], today: date
) -> tuple[Done, ...]:
    """Carry out ``errands`` and say what came of each, in their order; a failure ends none of the others."""
    proposed = _propose(queue, [e for e in errands if isinstance(e, Propose)], today)
    return tuple(
        proposed[errand] if isinstance(errand, Propose) else _tried(tasks, errand, home, today)
        for errand in errands
    )


def _propose(queue: QueueStore, errands: Sequence[Propose], today: date) -> dict[Propose, Done]:
    """All proposals of a pass in one write; an entry that has one under way has it refreshed."""
    if not errands:
        return {}
    try:
        before = after = queue.read()
        ids: list[str] = []
        for errand in errands:
            proposal = proposal_for(after, errand, today)
            ids.append(proposal.id)
            after = put(after, proposal)
        queue.write(before, after)
    except StoreError as error:
        return {errand: Done(errand, False, f"The proposal is in no queue: {error}") for errand in errands}
    said = f"It waits for your approval in {queue.where}."
    return {errand: Done(errand, True, said, id) for errand, id in zip(errands, ids, strict=True)}


def proposal_for(queue: Queue, errand: Propose, today: date) -> Proposal:
    """The proposal of an errand: the one under way for its entry brought up to date, else a new one."""
    one = errand.proposed
    known = next((p for p in queue.proposals if p.entry == one.entry and p.state in UNDER_WAY), None)
    fresh = Proposal(
        id=known.id if known else next_id(queue),
        entry=one.entry,
        file=one.file,
        first_line=one.first_line,
        tokens=one.tokens,
        move=one.move,
        warning=SHARED_WARNING if errand.shared else "",
        proposed=today.isoformat(),
        quote=one.quote,
    )
    # What stands as it was approved, rejected or put off is not asked anew.
    return known if known is not None and known.seal == fresh.seal and not known.problem else fresh


def _tried(tasks: Tasks | None, errand: Errand, home: Home, today: date) -> Done:
    if isinstance(errand, Keep) and errand.record.action == "leave":
        return Done(errand, True, f"It waits on: {errand.record.judgment.strip()}", errand.record.id)
    if tasks is None:
        return Done(errand, isinstance(errand, Decided), "" if isinstance(errand, Decided) else NO_TOOL)
    try:
        match errand:
            case Ship():
                return _ship(tasks, errand, home)
            case Inscribe():
                return _inscribe(tasks, errand)
            case Keep():
                return _RECORD[errand.record.action](tasks, errand, errand.record)
            case Decide():
                return _decide(tasks, errand, today)
            case _:
                return _decided(tasks, errand, today)
    except StoreError as error:
        return Done(errand, False, f"{error}")


def _ship(tasks: Tasks, errand: Ship, home: Home) -> Done:
    """A ship task; its id follows from the finding, so that it is filed once."""
    named = errand.project or home.root.name
    id = f"record-{digest(f'{errand.project}:{errand.text}')[:12]}"
    if tasks.show(id) is not None:
        return Done(errand, True, f"The ship task {id} holds it already.", id)
    owner = f"AGENTS.md of {named}" if errand.project else "what everybody shares"
    title = f"Record in {owner}: “{_line(errand.text)}”"
    body = "\n".join(
        (
            f"A finding of a stow pass that belongs in {owner}. Write it there through the project's own "
            "way of delivery; the words to be recorded:",
            "",
            *(f"> {line}".rstrip() for line in readable(errand.text).split("\n")),
        )
    )
    tasks.add(id, title, kind="ship", repo=_repo(named), body=body)
    return Done(errand, True, f"Filed as the ship task {id}.", id)


def _repo(name: str) -> str:
    """A name that the backlog can hold as a repository's."""
    return "".join(c for c in name if c not in "()\r\n").strip()


def _line(text: str) -> str:
    line = " ".join(readable(text).split())
    return f"{line[:_TITLE].rstrip()}…" if len(line) > _TITLE else line


def _inscribe(tasks: Tasks, errand: Inscribe) -> Done:
    """Look at the item's body, then replace it where nothing that it says would go."""
    shown = tasks.show(errand.task)
    if shown is None:
        return Done(errand, False, f"The backlog knows no item {errand.task}.", errand.task)
    text, body = readable(errand.text).strip(), shown.body.strip()
    if _held(body, text):
        return Done(errand, True, f"The backlog item {errand.task} says it already.", errand.task)
    if body and not _held(text, body):
        why = (
            f"The backlog item {errand.task} says other things, which nobody decided on: hand over a "
            "considered replacement of its whole body, as a correction of that record."
        )
        return Done(errand, False, why, errand.task)
    tasks.update(errand.task, body=text)
    return Done(errand, True, f"The backlog item {errand.task} says it now.", errand.task, shown.body)


def _held(text: str, words: str) -> bool:
    """Whether every line of ``words`` stands in ``text``."""
    lines = {" ".join(line.split()) for line in text.split("\n")}
    return all(" ".join(line.split()) in lines for line in words.split("\n") if line.strip())


def _file(tasks: Tasks, errand: Keep, record: Record) -> Done:
    id = record.id or f"{_slug(record.title)}-{digest(f'{record.title}:{record.body}')[:4]}"
    shown = tasks.show(id)
    if shown is not None:
        same = shown.item.title == record.title.strip()
        said = f"The backlog item {id} is there already" + (
            "." if same else f", called “{shown.item.title}”."
        )
        return Done(errand, same, said, id)
    tasks.add(id, record.title.strip(), body=record.body.strip() or None, blocked_by=record.blocked_by)
    return Done(errand, True, f"Filed as the queued backlog item {id}.", id)


def _slug(title: str) -> str:
    words = "".join(c if c.isascii() and c.isalnum() else "-" for c in title.lower())
    return "-".join(part for part in words.split("-") if part)[:40].rstrip("-") or "task"


def _correct(tasks: Tasks, errand: Keep, record: Record) -> Done:
    shown = tasks.show(record.id)
    if shown is None:
        return Done(errand, False, f"The backlog knows no item {record.id}.", record.id)
    title, body = record.title.strip(), record.body.strip()
    title = "" if title == shown.item.title else title
    body = "" if body == shown.body.strip() else body
    former = [shown.item.title] if title else []
    former += [shown.body] if body and shown.body.strip() else []
    if title or body:
        tasks.update(record.id, title=title or None, body=body or None)
    return Done(errand, True, f"The backlog item {record.id} is corrected.", record.id, "\n".join(former))


def _decide(tasks: Tasks, errand: Decide, today: date) -> Done:
    """Hold the captain's decision as one item: refreshed where it is there, reopened where it was closed."""
    title = f"Startup memory is {errand.shortfall} estimated tokens over its allowance of {errand.allowance}"
    lines = [
        f"Found by the stow pass of {today.isoformat()}. Pinned and read-only text holds {errand.floor} "
        "estimated tokens, which no rung of a pass may remove. Either:",
        "",
        *(f"{at}. {option}" for at, option in enumerate(errand.options, 1)),
    ]
    if errand.pinned:
        lines += ["", "The largest pinned entries:", ""]
        lines += [f"- {file}, {tokens} tokens: {_line(first)}" for file, first, tokens in errand.pinned]
    body = "\n".join(lines)
    shown = tasks.show(DECISION)
    if shown is None:
        tasks.add(DECISION, title, kind="captain", body=body)
    else:
        if shown.item.done:
            tasks.reopen(DECISION)
        if (shown.item.title, shown.body.strip()) != (title, body):
            tasks.update(DECISION, title=title, body=body)
    tasks.hold(DECISION, reason="the captain decides")
    return Done(errand, True, f"The decision is held in the backlog as {DECISION}.", DECISION)


def _decided(tasks: Tasks, errand: Errand, today: date) -> Done:
    shown = tasks.show(DECISION)
    if shown is None or shown.item.done:
        return Done(errand, True, "")
    # A closed item may be moved to an archive of another file: what it quoted stays behind.
    tasks.update(DECISION, body=f"Within budget again by the stow pass of {today.isoformat()}.")
    tasks.done(DECISION)
    return Done(errand, True, f"The decision held as {DECISION} is closed: within budget again.", DECISION)


_RECORD: dict[str, Callable[[Tasks, Keep, Record], Done]] = {"file": _file, "correct": _correct}
