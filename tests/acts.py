"""Small homes with an act to be done on each, and what must hold of them whatever happens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from floppy_tui.store.recovery import open_journals
from floppy_tui.store.transaction import Audit, Change, Rank, apply

NOW = datetime(2026, 10, 1, 12, 0)

CAPTAIN = b"# Captain\n\n- Never push on a Friday.\n- Ask before a release.\n"
LEARNINGS = b"# Learnings\r\n\r\n- The cache lies in tmp.\r\n- Port 80 is taken \xff. <!--a:2026-07-01-->"
ARCHIVE = b"## 2026-08-08 stow\n- (from learnings.md) Old. [archived: unreinforced 39d]\n"
TAIL = b"## 2026-10-01 stow\n- (from learnings.md) Port 80 is taken \xff. [archived: unreinforced 92d]\n"
SHORTER = b"# Learnings\r\n\r\n- The cache lies in tmp.\r\n"
EXCLUDE = b"# Mine.\n/scratch"
RULED = EXCLUDE + b"\n/.agents/skills/release/\n"
SKILL = b"---\nname: release\n---\n- Ask before a release.\n"


@dataclass(frozen=True)
class Act:
    """An act on a home below ``root``: what each file holds before and after."""

    root: Path
    changes: tuple[Change, ...]

    @property
    def state(self) -> Path:
        return self.root / "state" / "floppy-tui"

    def lay_out(self) -> None:
        """Write the before-bytes."""
        self.root.mkdir(parents=True)
        (self.root / "state").mkdir()
        (self.root / "data").mkdir()
        for change in self.changes:
            if change.before is not None:
                change.path.parent.mkdir(parents=True, exist_ok=True)
                change.path.write_bytes(change.before)
                change.path.chmod(0o640)

    def do(self, audit: Audit = lambda held: []) -> str:
        return apply(self.state, self.root, self.changes, act="stow pass", now=NOW, audit=audit)

    def held(self) -> list[bytes | None]:
        """What the files hold now."""
        return [change.path.read_bytes() if change.path.exists() else None for change in self.changes]

    def at_before(self) -> bool:
        return self.held() == [change.before for change in self.changes]

    def at_after(self) -> bool:
        return self.held() == [change.after for change in self.changes]

    def lost(self, texts: Sequence[bytes | None] | None = None) -> set[bytes]:
        """The entries that were in a file before and are in none of ``texts``, by default of the files."""
        somewhere = b"\n".join(text for text in (self.held() if texts is None else texts) if text)
        lines = {line for c in self.changes for line in (c.before or b"").splitlines()}
        entries = {line.partition(b" <!--")[0].removeprefix(b"- ") for line in lines}
        return {entry for entry in entries if entry not in somewhere}

    def in_journal(self) -> list[bytes]:
        return [path.read_bytes() for path in (self.state / "journal").rglob("*") if path.is_file()]

    def strays(self) -> list[Path]:
        """Temporaries that were left beside the files."""
        return [path for path in self.root.rglob(".floppy-tui-*") if not path.is_relative_to(self.state)]

    def check_settled(self) -> None:
        """Nothing is open, and nothing of the act lies around."""
        assert open_journals(self.state, self.root, now=NOW) == []
        assert self.strays() == []


def stow_pass(root: Path) -> Act:
    """An entry of the learnings goes to the archive, another of the captain's to a new skill."""
    data = root / "data"
    return Act(
        root,
        (
            Change(data / "learnings.md", LEARNINGS, SHORTER, Rank.MEMORY),
            Change(data / "captain.md", CAPTAIN, CAPTAIN.partition(b"- Ask")[0], Rank.MEMORY),
            Change(root / ".agents" / "skills" / "release" / "SKILL.md", None, SKILL, Rank.DESTINATION),
            Change(data / "memory-archive.md", ARCHIVE, ARCHIVE + TAIL, Rank.ARCHIVE),
        ),
    )


def first_pass(root: Path) -> Act:
    """The archive is made by the act; one file is only held to be unchanged."""
    data = root / "data"
    return Act(
        root,
        (
            Change(data / "memory-archive.md", None, TAIL, Rank.ARCHIVE),
            Change(data / "captain.md", CAPTAIN, CAPTAIN, Rank.MEMORY),
            Change(data / "learnings.md", LEARNINGS, SHORTER, Rank.MEMORY),
        ),
    )


def rename(root: Path) -> Act:
    """A note goes to another name."""
    return Act(
        root,
        (
            Change(root / "data" / "new.md", None, CAPTAIN, Rank.DESTINATION),
            Change(root / "data" / "old.md", CAPTAIN, None, Rank.MEMORY),
        ),
    )


def hidden_skill(root: Path) -> Act:
    """An entry of the learnings goes to a new skill, behind a rule that keeps it out of git."""
    return Act(
        root,
        (
            Change(root / "data/learnings.md", LEARNINGS, SHORTER, Rank.MEMORY),
            Change(root / ".agents/skills/release/SKILL.md", None, SKILL, Rank.DESTINATION),
            Change(root / ".git/info/exclude", EXCLUDE, RULED, Rank.RULE),
        ),
    )


ACTS = {act.__name__: act for act in (stow_pass, first_pass, rename)}
