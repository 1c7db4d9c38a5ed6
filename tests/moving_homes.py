"""Small homes in real repositories, each with an approved proposal that is ready to be migrated."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

from repositories import commit, init, tree, write

from floppy_tui.offload.proposal import Proposal
from floppy_tui.store.live import Store
from floppy_tui.store.migrate import Migration, Ran
from floppy_tui.store.offloading import Offloading
from floppy_tui.tiers.decisions import Move

TODAY = date(2026, 10, 1)
NOW = datetime(2026, 10, 1, 12, 0, tzinfo=UTC)
STANDING = (
    "When a tide gauge is read by hand, read it twice, ten minutes apart, and note both readings with their "
    "minute; the gauge at the river lock has two floats,\n  and only the lower one counts."
)
"""The entry as it stands in its file, below its bullet."""
QUOTE = STANDING.replace("\n  ", "\n")
CAPTAIN = f"# Captain\r\n\n- Never push on a Friday.\n- {STANDING}\n- Ask before a release.\n"
WITHOUT = "# Captain\r\n\n- Never push on a Friday.\n- Ask before a release.\n"
TRIGGER = "Use when a tide gauge is read by hand."
SKILL = ".agents/skills/tide-gauges/SKILL.md"
LINE = "/.agents/skills/tide-gauges/"
FILES = {
    ".gitignore": "/data/\n/state/\n",
    "data/captain.md": CAPTAIN,
    "data/learnings.md": "# Learnings\n\n- The lamp is lit at six. <!--a:2026-09-30-->\n",
    "config/startup-memory-budget": "900\n",
}
EXCLUDE = "# Mine.\n/scratch"
"""Somebody's exclude file, which lacks its last line end."""
QUEUE = "data/offload-proposals.md"
OWN = "state/floppy-tui"


def lay(root: Path) -> Path:
    """The files of a home at ``root``, with its ``state/``."""
    write(root, FILES)
    (root / "state").mkdir(exist_ok=True)
    return root


def settle(root: Path) -> Path:
    """A home at ``root`` that is the top of its repository, all but its data committed."""
    init(lay(root))
    (root / ".git/info/exclude").write_text(EXCLUDE)
    commit(root, ".gitignore", "config")
    return root


def opened(root: Path, env: dict[str, str] | None = None) -> Offloading:
    """The queue of the home, without a backlog tool unless ``env`` finds one."""
    store = Store.open(root, env=env or {}, cwd=root, today=lambda: TODAY)
    return Offloading(store, now=lambda: NOW)


def propose(offloading: Offloading, destination: str = "tide-gauges", **move: str) -> Proposal:
    """Propose the entry about the tide gauges."""
    (entry,) = [e for e in offloading.store.read().entries if "tide gauge" in e.prose]
    return offloading.propose(entry.id, Move(TRIGGER, destination, **move))


def approve(offloading: Offloading, destination: str = "tide-gauges", words: str = "", **move: str) -> str:
    """Propose the entry and approve that; the proposal's id."""
    made = propose(offloading, destination, **move)
    return offloading.approve(made.id, words or destination, "captain").id


def held(root: Path) -> dict[str, tuple[int, bytes | str]]:
    """Every file of the home but the queue and our own state."""
    return {path: what for path, what in tree(root, without=OWN).items() if path != QUEUE}


def migrated(root: Path, before: dict[str, tuple[int, bytes | str]]) -> dict[str, tuple[int, bytes | str]]:
    """What ``held`` must be once the entry lives in the new skill."""
    after = dict(before)
    text = f"---\nname: tide-gauges\ndescription: {TRIGGER}\n---\n\n{QUOTE}\n"
    for above in (".agents", ".agents/skills", ".agents/skills/tide-gauges"):
        after.setdefault(above, (0o40700, ""))
    after[SKILL] = (0o100600, text.encode())
    after["data/captain.md"] = (before["data/captain.md"][0], WITHOUT.encode())
    mode, exclude = before[".git/info/exclude"]
    assert isinstance(exclude, bytes)
    after[".git/info/exclude"] = (mode, exclude + f"\n{LINE}\n".encode())
    return after


def failing(offloading: Offloading, id: str, **how: Callable[..., None]) -> tuple[Migration, str]:
    """A migration that must fail with nothing left of it; it, and its reason."""
    root = offloading.home.root
    before = held(root)
    done = offloading.migrate(id, **how)
    assert done.state == "failed"
    assert held(root) == before
    assert not done.steps[-1].ok or done.steps[-1].title.startswith("Take back")
    assert offloading.queue().proposals[0].note == done.why
    return done, done.why


class Meddler:
    """Somebody who does something as soon as a step has ended."""

    def __init__(self, step: int, deed: Callable[[], object]) -> None:
        self.step, self.deed, self.done = step, deed, False

    def __call__(self, ran: Ran) -> None:
        if ran.number == self.step and not self.done:
            self.done = True
            self.deed()
