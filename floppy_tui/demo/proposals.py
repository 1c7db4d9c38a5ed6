"""The sample queue of proposals: what could move where, and what the captain has said to it so far."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import NamedTuple

from floppy_tui.offload.proposal import Proposal, State
from floppy_tui.offload.queue import EMPTY, next_id, put, read_queue
from floppy_tui.tiers.decisions import Move
from floppy_tui.tiers.document import default_tier
from floppy_tui.tiers.layout import CAPTAIN, LEARNINGS
from floppy_tui.tiers.reading import read_document


class Sample(NamedTuple):
    """A proposal about the entry of ``file`` that begins with ``words``."""

    file: str
    words: str
    move: Move
    proposed: int
    """Days ago."""
    state: State = State.PROPOSED
    decided: int | None = None


SAMPLES = (
    Sample(
        CAPTAIN,
        "## Who decides",
        Move(
            trigger="when a dependency, the schema or a log line is about to change",
            destination=".agents/skills/who-decides/SKILL.md",
            description="Use when a dependency, the schema or a log line is about to change.",
            privacy="private: it says what a crewmate may do unasked",
        ),
        proposed=24,
        state=State.REJECTED,
        decided=23,
    ),
    Sample(
        LEARNINGS,
        "Before you stop the database's job scheduler",
        Move(
            trigger="before the database's job scheduler is stopped",
            destination=".agents/skills/job-scheduler/SKILL.md",
            description="Use before stopping the database's job scheduler, for whatever reason.",
            privacy="private: it tells how long visitors' pictures are kept",
        ),
        proposed=8,
        state=State.DEFERRED,
        decided=7,
    ),
    Sample(
        LEARNINGS,
        "When the installer is signed",
        Move(
            trigger="when the installer is signed",
            destination=".agents/skills/installer-signing/SKILL.md",
            description="Use when the installer is signed, or a release that needs it is planned.",
            privacy="private: it says who holds the key and its PIN",
        ),
        proposed=3,
    ),
)


def queue(memory: Mapping[str, bytes], today: date) -> str:
    """The queue's text, with entries quoted from ``memory`` (files by path)."""
    found = read_queue(EMPTY)
    for sample in SAMPLES:
        document = read_document(memory[sample.file], sample.file, default_tier(sample.file))
        (entry,) = [e for e in document.entries if e.prose.startswith(sample.words)]
        proposal = Proposal(
            id=next_id(found),
            entry=entry.id,
            file=sample.file,
            first_line=entry.first_line,
            tokens=entry.tokens,
            move=sample.move,
            state=sample.state,
            proposed=_ago(sample.proposed, today),
            decided="" if sample.decided is None else _ago(sample.decided, today),
            quote=entry.prose,
        )
        found = put(found, proposal)
    return found.text


def oldest() -> int:
    """How many days ago the first proposal was made."""
    return max(sample.proposed for sample in SAMPLES)


def _ago(days: int, today: date) -> str:
    return (today - timedelta(days)).isoformat()
