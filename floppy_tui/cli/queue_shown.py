"""How the proposals of offload look on a plain terminal, and as JSON where that says more than the queue."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from floppy_tui.offload.destinations import cut
from floppy_tui.offload.proposal import Proposal, State
from floppy_tui.tiers.scope import Tested

if TYPE_CHECKING:
    from floppy_tui.offload.scope import Candidate
    from floppy_tui.store.migrate import Ran
    from floppy_tui.store.offloading import Preview

MOST = 72
"""Characters of an entry's first line."""
HEAD = ("id", "state", "tokens", "file", "destination", "first line")
OVER = frozenset({State.REJECTED, State.MIGRATED})
"""States in which it does not matter any more what the entry says now."""
GONE = "The entry is not there any more as it was quoted."
CHANGED = "The entry has changed since it was quoted; `floppy-tui queue repropose {}` quotes it anew."


def table(found: Sequence[tuple[Proposal, str | None]]) -> str:
    """The proposals, each with its entry's prose now, as a table with what deserves an eye below each row."""
    if not found:
        return "No proposal is in the queue; `floppy-tui queue candidates` shows what could be proposed."
    cells = [HEAD]
    for p, _ in found:
        destination = p.move.destination
        cells.append((p.id, str(p.state), str(p.tokens), p.file, destination, cut(p.first_line, MOST)))
    widths = [max(len(row[n]) for row in cells) for n in range(len(HEAD) - 1)]
    lines = [_row(HEAD, widths)]
    for (p, current), row in zip(found, cells[1:], strict=True):
        lines.append(_row(row, widths))
        lines.extend(f"{'':{widths[0]}}  {remark}" for remark in remarks(p, current))
    return "\n".join(lines)


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(
        (
            *(
                f"{c:>{w}}" if n == 2 else f"{c:{w}}"
                for n, (c, w) in enumerate(zip(cells, widths, strict=False))
            ),
            cells[-1],
        )
    )


def remarks(proposal: Proposal, current: str | None) -> Iterator[str]:
    """What the captain has to know of a proposal beside its fields."""
    if proposal.note:
        yield f"{proposal.state}: {_line(proposal.note)}"
    if proposal.problem:
        yield _line(proposal.problem)
    if proposal.warning:
        yield _line(proposal.warning)
    if proposal.approval and proposal.approval.seal != proposal.seal and proposal.state not in OVER:
        yield "It was approved as something else than it says now."
    if proposal.state not in OVER and current != proposal.quote:
        yield GONE if current is None else CHANGED.format(proposal.id)


def page(preview: Preview) -> Iterator[str]:
    """A proposal with its quote beside the entry now, and what migrating it would write; lines."""
    proposal, current = preview.proposal, preview.current
    move = proposal.move
    yield f"{proposal.id}: {cut(proposal.first_line, MOST)}\n"
    yield f"state:       {proposal.state}{f' since {proposal.decided}' if proposal.decided else ''}"
    yield f"proposed:    {proposal.proposed or 'on no known day'}"
    yield f"entry:       {proposal.entry} in {proposal.file}, {proposal.tokens} tokens"
    yield f"trigger:     {_line(move.trigger)}"
    yield f"destination: {_line(move.destination)}"
    yield f"description: {_line(move.description or move.trigger)}"
    yield f"privacy:     {_line(move.privacy or 'private')}"
    if approval := proposal.approval:
        yield f"approval:    “{_line(approval.words)}”, typed by {approval.by} at {approval.at}"
    else:
        yield "approval:    none"
    if proposal.task:
        yield f"ship task:   {proposal.task}"
    if proposal.relief is not None:
        yield f"freed:       {proposal.relief} tokens, measured"
    yield from (f"! {remark}" for remark in remarks(proposal, current))
    if current == proposal.quote:
        yield from _block("The quote; the entry says the same now:", proposal.quote)
    else:
        yield from _block("The quote:", proposal.quote)
        if current is not None:
            yield from _block("The entry now:", current)
    if preview.skill_text:
        yield from _block(f"To be written, {_line(preview.place.path)}:", preview.skill_text)
    if preview.exclude_line:
        yield from _block(f"To be added to {_line(preview.exclude_file)}:", preview.exclude_line)
    yield "\nChecks:"
    yield from verdicts(preview.checks)
    yield from (f"\n{note}" for note in preview.notes)


def _block(title: str, text: str) -> Iterator[str]:
    yield f"\n{title}\n"
    yield from (f"    {line}".rstrip(" ") for line in text.removesuffix("\n").split("\n"))


def verdicts(tests: Iterable[Tested]) -> Iterator[str]:
    """Each test with its verdict; lines."""
    return (f"  {'yes' if test.passes else 'NO ':3}  {_line(test.why)}" for test in tests)


def preview_object(preview: Preview) -> dict[str, Any]:
    """What ``show --json`` tells beside the keys of ``list --json``."""
    return {
        "skill": preview.skill_text or None,
        "exclude_file": preview.exclude_file or None,
        "exclude_line": preview.exclude_line or None,
        "checks": [_test(test) for test in preview.checks],
        "notes": list(preview.notes),
    }


def _test(test: Tested) -> dict[str, Any]:
    return {"name": test.name, "passes": test.passes, "why": test.why}


def step(ran: Ran) -> str:
    """One step of a migration as it ran."""
    lines = [f"{ran.number}. {ran.title}: {'ok' if ran.ok else 'FAILED'}"]
    lines.extend(f"   $ {line}" for line in ran.command.splitlines())
    lines.extend(f"     {line}" for line in ran.result.splitlines())
    return "\n".join(lines)


def step_object(ran: Ran) -> dict[str, Any]:
    """The same as JSON."""
    fields = ("number", "title", "command", "result", "ok")
    return {name: getattr(ran, name) for name in fields}


def candidate(found: Candidate) -> Iterator[str]:
    """An entry with what could be proposed of it, and every test's verdict; lines."""
    entry, move = found.entry, found.move
    passed = sum(test.passes for test in found.tests)
    place = f"{entry.file}:{entry.lines[0]}"
    yield f"{entry.id}  {entry.tokens} tokens  {place}  passes {passed} of {len(found.tests)}"
    yield f"  {cut(entry.first_line, MOST)}"
    yield f"  trigger: {_line(found.trigger) or 'none can be read from its words'}"
    yield f"  destination: {_line(move.destination) or 'none'}"
    yield from verdicts(found.tests)


def candidate_object(found: Candidate) -> Mapping[str, Any]:
    """The same as JSON."""
    entry, move = found.entry, found.move
    return {
        "entry": entry.id,
        "file": entry.file,
        "first_line": entry.first_line,
        "tokens": entry.tokens,
        "tier": entry.tier,
        "trigger": found.trigger,
        "destination": move.destination,
        "description": move.description,
        "privacy": move.privacy,
        "passes": all(test.passes for test in found.tests),
        "tests": [_test(test) for test in found.tests],
    }


def _line(text: str) -> str:
    return " ".join(text.split())
