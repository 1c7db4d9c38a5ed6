"""The tick of the pass horizon: one line in the scheme's own state, claimed at most once a day."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from floppy_tui.store.files import Directory, Refusal, StoreError, read_regular, refusing, shown
from floppy_tui.text.dates import parse_date

NAME = ".stow-horizon-tick"


@dataclass(frozen=True, slots=True)
class Tick:
    """Whether a tick is to be had (``bool`` of it), and if not, why."""

    claimed: bool
    why: str = ""
    """``already-claimed-today``, ``clock-set-back``, ``tick-malformed``, ``state-absent`` or a refusal."""

    exception: str = ""
    """The sentence for the captain; empty where all is as it should be."""

    def __bool__(self) -> bool:
        return self.claimed


def due_tick(home_state: Path, today: date) -> Tick:
    """What ``claim_tick`` would answer now, for a plan; writes nothing.

    ``home_state`` is the home's ``state/`` (or what stands for it).
    """
    path = home_state / NAME
    if not home_state.is_dir():
        said = f"{shown(home_state)} is absent, so no tick is counted; make that directory"
        return Tick(False, "state-absent", said)
    try:
        data = read_regular(path, limit=1 << 10)
    except Refusal as refusal:
        return Tick(False, refusal.what, str(refusal))
    if data is None:
        return Tick(True)
    last = parse_date(data.decode("utf-8", "replace").removesuffix("\n"))
    if last is None:
        said = f"{shown(path)} does not hold one line YYYY-MM-DD, so no tick is counted; correct or remove it"
        return Tick(False, "tick-malformed", said)
    if last > today:
        said = f"{shown(path)} says {last}, after today, {today}: the clock was set back, so no tick counts"
        return Tick(False, "clock-set-back", said)
    return Tick(False, "already-claimed-today") if last == today else Tick(True)


def claim_tick(home_state: Path, today: date, *, state: Path, now: datetime) -> Tick:
    """Claim the tick of ``today`` before anything else of a pass is written; spent once claimed.

    ``state`` is our own state directory, whose lock keeps two copies from claiming one day. What
    forbids the tick is said in the answer; raises ``Busy`` where the lock is held.
    """
    from floppy_tui.store.lock import holding

    with holding(state, act="claim the pass tick", now=now):
        tick = due_tick(home_state, today)
        if tick:
            try:
                above = Path(os.path.realpath(home_state.parent))
                with refusing(home_state / NAME), Directory.open(above, [home_state.name]) as directory:
                    directory.replace(NAME, f"{today}\n".encode())
            except StoreError as error:
                return Tick(False, getattr(error, "what", "io-error"), str(error))
        return tick
