"""One proposal's block in the queue: its field lines read, written anew, and changed in place."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from floppy_tui.offload.destinations import cut
from floppy_tui.offload.proposal import Approval, Proposal, State
from floppy_tui.offload.spelling import STRING, harmless, spell, spelled_out, unspell
from floppy_tui.text.lines import bare, decode, encode, eol_of, is_blank, main_eol
from floppy_tui.tiers.decisions import Move

KEYS = (
    *("state", "entry", "file", "tokens", "trigger", "destination", "description", "privacy", "warning"),
    *("proposed", "decided", "approval", "task", "relief", "first line", "quote", "sha256", "exact"),
)
"""The fields in the order in which they are written; a person may put them in any."""
UNSEALED = (
    "Its approval does not stand: it was not typed by the captain, or something was changed since. "
    "Approve it again."
)
_TITLE = 100
_HEAD = "heading"
_OF_QUOTE = {"quote", "sha256", "exact"}
_HEADING = re.compile(r"##[ \t]+(p[1-9][0-9]{0,11})(?![\w-])(.*)", re.DOTALL)
_FIELD = re.compile(r" ?[-*+][ \t]+(?P<key>[A-Za-z][A-Za-z0-9 ]*?)[ \t]*:(?P<value>.*)", re.DOTALL)
_APPROVAL = re.compile(
    rf"(?P<words>{STRING}) typed by (?P<by>{STRING}|\S+) at (?P<at>{STRING}|\S+), seal (?P<seal>{STRING}|\S+)"
)
_LEAD = re.compile(r"[ \t]*(?:[·:–—-][ \t]+)?")


@dataclass(frozen=True)
class Block:
    """The lines of one proposal, its heading first."""

    id: str
    start: int
    """Line of its heading in the text, from 0."""
    title: str
    """What stands behind the id in the heading."""
    lines: tuple[str, ...]
    """With their line ends."""

    @cached_property
    def fields(self) -> Mapping[str, tuple[tuple[int, str], ...]]:
        """Where each field stands (line of the block) and what it says, by key; two of one are a mistake."""
        found: dict[str, tuple[tuple[int, str], ...]] = {}
        for at, line in enumerate(self.lines):
            match = _FIELD.fullmatch(bare(line))
            key = " ".join(match["key"].casefold().split()) if match else ""
            if match and key in KEYS:
                found[key] = (*found.get(key, ()), (at, match["value"].strip(" \t\r")))
        return found

    @cached_property
    def quoted(self) -> tuple[int, int]:
        """The lines of the readable quote, half open; empty where there is none."""
        labels = self.fields.get("quote", ())
        start = labels[0][0] + 1 if labels else 1
        while start < len(self.lines) and not self.lines[start].startswith(">"):
            if labels and not is_blank(self.lines[start]):
                return (start, start)
            start += 1
        end = start
        while end < len(self.lines) and self.lines[end].startswith(">"):
            end += 1
        return (start, end)

    def raw(self, key: str) -> str:
        """What the first field of this name says, ``""`` where there is none."""
        there = self.fields.get(key)
        return there[0][1] if there else ""


def headed(line: str) -> tuple[str, str] | None:
    """The id in the heading of a proposal and what stands behind it; None for every other line."""
    match = _HEADING.fullmatch(bare(line))
    return (match[1], match[2]) if match else None


# -- reading


def read_block(block: Block) -> Proposal:
    """The proposal of a block, its ``problem`` telling what cannot be trusted."""
    problems: list[str] = []
    state, note = _state(block.raw("state"), problems)
    quote = _quote(block, problems)
    values = {key: unspell(block.raw(key)) for key in KEYS}
    if not values["entry"]:
        problems.append("It names no entry: propose it again.")
    for key, there in block.fields.items():
        if len({said for _, said in there}) > 1:
            problems.append(f"It says its {key} twice: take one of the two lines out.")
    first = values["first line"] if "first line" in block.fields else _first_line(block, quote)
    proposal = Proposal(
        id=block.id,
        entry=values["entry"],
        file=values["file"],
        first_line=first,
        tokens=_number(values["tokens"]) or 0,
        move=Move(values["trigger"], values["destination"], values["description"], values["privacy"]),
        warning=values["warning"],
        state=state,
        note=note,
        task=values["task"],
        proposed=values["proposed"],
        decided=values["decided"],
        approval=_approval(block.raw("approval")),
        relief=_number(values["relief"]),
        quote=quote,
        problem=" ".join(problems),
    )
    approval = proposal.approval
    if state is State.APPROVED and (approval is None or approval.seal != proposal.seal):
        return proposal.with_(state=State.PROPOSED, note=UNSEALED)
    return proposal


def _state(raw: str, problems: list[str]) -> tuple[State, str]:
    word, colon, note = raw.partition(":")
    word = word.strip().casefold()
    if not word and not colon:
        return State.PROPOSED, ""
    try:
        return State(word), unspell(note)
    except ValueError:
        shown = cut(word, 40)
        problems.append(f"“{shown}” is none of the states {', '.join(State)}: write one of them.")
        return State.PROPOSED, ""


def _quote(block: Block, problems: list[str]) -> str:
    """The quote to the byte; where that is lost, the readable one, for the eye alone."""
    start, end = block.quoted
    readable = [bare(line)[1:].removeprefix(" ") for line in block.lines[start:end]]
    exact = block.raw("exact")
    try:
        data = base64.b64decode("".join(exact.split()), validate=True)
    except (binascii.Error, ValueError):
        problems.append("Its exact quote cannot be decoded: propose it again.")
        return "\n".join(readable)
    if "exact" not in block.fields:
        problems.append("It holds no exact quote: propose it again.")
        return "\n".join(readable)
    quote = decode(data)
    if block.raw("sha256").casefold() != hashlib.sha256(data).hexdigest():
        problems.append("Its quote does not fit its SHA-256: propose it again.")
    if start == end:
        problems.append("The quote that people read is missing: propose it again.")
    elif " ".join(readable).split() != " ".join(_readable(quote)).split():
        problems.append(
            "The quote that people read says something else than the exact one: propose it again."
        )
    return quote


def _approval(raw: str) -> Approval | None:
    match = _APPROVAL.fullmatch(raw)
    return Approval(*(unspell(match[name]) for name in ("words", "by", "at", "seal"))) if match else None


def _number(value: str) -> int | None:
    match = re.match(r"-?[0-9]{1,12}(?![0-9])", value)
    return int(match[0]) if match else None


def _first_line(block: Block, quote: str) -> str:
    """The first line that the heading shows, with what of it the quote tells better."""
    title = block.title[_LEAD.match(block.title).end() :].strip(" \t\r")  # type: ignore[union-attr]
    line = quote.split("\n", 1)[0]
    return next((said for said in (line, line.lstrip("#").strip()) if _title(said) == title), title)


# -- writing


def block_lines(proposal: Proposal) -> list[str]:
    """A new block, without line ends; raises ``ValueError`` where its quote is not to be trusted."""
    if proposal.problem:
        raise ValueError(f"{proposal.id} cannot be put into the queue. {proposal.problem}")
    texts = _texts(proposal)
    lines = [_heading(proposal), ""]
    for key in KEYS:
        if key == "quote":
            lines.extend(["- quote:", "", *_quote_lines(proposal.quote), ""])
        elif key in texts:
            lines.append(_line(key, texts[key]))
    return lines


def rewritten(block: Block, proposal: Proposal) -> list[str]:
    """The lines of ``block`` saying what ``proposal`` says: only the field lines that have to change do."""
    before = read_block(block)
    if before == proposal:
        return list(block.lines)
    said, texts = _texts(before), _texts(proposal)
    keys = {key for key in KEYS if texts.get(key) != said.get(key)}
    # A state that did not hold as it was read must not come true by another change.
    if _state(block.raw("state"), []) != (proposal.state, proposal.note):
        keys.add("state")
    if before.first_line != proposal.first_line:
        keys.add(_HEAD)
    lines = _changed(block, proposal, keys)
    if _says(block, lines, proposal):
        return lines
    # A quote that is not to be trusted must never be given a hash that fits it.
    whole = _changed(block, proposal, {*KEYS, _HEAD} - (_OF_QUOTE if proposal.problem else set()))
    return whole if _says(block, whole, proposal) else lines


def _says(block: Block, lines: list[str], proposal: Proposal) -> bool:
    """Whether ``lines`` in place of those of ``block`` read as ``proposal``; its problem may be gone."""
    now = read_block(replace(block, title=_title_of(lines[0]), lines=tuple(lines)))
    return now == proposal or bool(proposal.problem and now.with_(problem=proposal.problem) == proposal)


def _changed(block: Block, proposal: Proposal, keys: set[str]) -> list[str]:
    texts = _texts(proposal)
    eol = eol_of(block.lines[0]) or main_eol("".join(block.lines))
    slots = [[line] for line in block.lines]
    if _HEAD in keys:
        slots[0][0] = _heading(proposal) + (eol_of(block.lines[0]) or eol)
    anchor = 1 if len(block.lines) > 1 and is_blank(block.lines[1]) else 0
    for key in KEYS:
        there = [at for at, _ in block.fields.get(key, ())]
        anchor = max(anchor, _below(block, there[-1])) if there else anchor
        if key not in keys:
            continue
        if key == "quote":
            _put_quote(block, proposal.quote, slots, anchor, eol)
            continue
        line = _line(key, texts[key]) if key in texts else None
        for at in there:
            slots[at][0:1] = [] if line is None else [line + (eol_of(block.lines[at]) or eol)]
        if not there and line is not None:
            slots[anchor].append(line + eol)
    return _joined(slots, eol)


def _put_quote(block: Block, quote: str, slots: list[list[str]], anchor: int, eol: str) -> None:
    lines = [line + eol for line in _quote_lines(quote)]
    start, end = block.quoted
    if start < end:
        for at in range(start, end):
            slots[at][0:1] = lines if at == start else []
    elif "quote" in block.fields:
        slots[block.fields["quote"][0][0]].extend([eol, *lines])
    else:
        slots[anchor].extend([_line("quote", "") + eol, eol, *lines, eol])


def _below(block: Block, at: int) -> int:
    """The last line that belongs to the field at ``at``: what is indented below it, or its quote."""
    if block.quoted[0] < block.quoted[1] and "quote" in block.fields and at == block.fields["quote"][-1][0]:
        return max(at, block.quoted[1] - 1)
    while at + 1 < len(block.lines) and block.lines[at + 1][:1] in (" ", "\t"):
        if is_blank(block.lines[at + 1]) or _FIELD.fullmatch(bare(block.lines[at + 1])):
            break
        at += 1
    return at


def _joined(slots: Sequence[Sequence[str]], eol: str) -> list[str]:
    """The lines of all slots, each but the last with a line end."""
    lines = [line for slot in slots for line in slot]
    return [line if line.endswith("\n") else line + eol for line in lines[:-1]] + lines[-1:]


def _texts(proposal: Proposal) -> dict[str, str]:
    """What each field line says, by key; a key that is not there has no line."""
    move, approval = proposal.move, proposal.approval
    data = encode(proposal.quote)
    always = {
        "state": str(proposal.state) + (f": {spell(proposal.note)}" if proposal.note else ""),
        "entry": spell(proposal.entry),
        "file": spell(proposal.file),
        "tokens": str(proposal.tokens),
        "trigger": spell(move.trigger) if move.trigger else "",
        "destination": spell(move.destination),
        "quote": proposal.quote,
        "sha256": hashlib.sha256(data).hexdigest(),
        "exact": base64.b64encode(data).decode("ascii"),
    }
    optional = {
        "description": move.description,
        "privacy": move.privacy,
        "warning": proposal.warning,
        "proposed": proposal.proposed,
        "decided": proposal.decided,
        "task": proposal.task,
    }
    found = always | {key: spell(value) for key, value in optional.items() if value}
    shown = Block(proposal.id, 0, _title(proposal.first_line), ())
    if _first_line(shown, proposal.quote) != proposal.first_line:
        found["first line"] = spell(proposal.first_line)
    if proposal.relief is not None:
        found["relief"] = str(proposal.relief)
    if approval is not None:
        by, at, seal = (_word(word) for word in (approval.by, approval.at, approval.seal))
        found["approval"] = f"{spelled_out(approval.words)} typed by {by} at {at}, seal {seal}"
    return found


def _word(value: str) -> str:
    return value if re.fullmatch(r'[^\s",]+', value) and harmless(value) == value else spelled_out(value)


def _line(key: str, text: str) -> str:
    return f"- {key}: {text}" if text else f"- {key}:"


def _heading(proposal: Proposal) -> str:
    title = _title(proposal.first_line)
    return f"## {proposal.id} · {title}" if title else f"## {proposal.id}"


def _title(first_line: str) -> str:
    return harmless(cut(first_line, _TITLE))


def _title_of(heading: str) -> str:
    found = headed(heading)
    return found[1] if found else ""


def _readable(quote: str) -> list[str]:
    return [harmless(line) for line in quote.split("\n")]


def _quote_lines(quote: str) -> list[str]:
    return [f"> {line}".rstrip(" ") for line in _readable(quote)]
