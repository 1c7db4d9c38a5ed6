"""What another reading of a home shows that the last one did not, in one short line. Pure."""

from __future__ import annotations

from floppy_tui.tiers.snapshot import MemoryFile, Snapshot
from floppy_tui.tui.memory_rows import short_name


def same(old: Snapshot, new: Snapshot) -> bool:
    """Whether both readings say the same in everything that is shown."""
    return old.hash == new.hash and _rest(old) == _rest(new)


def _rest(snapshot: Snapshot) -> tuple[object, ...]:
    return (
        snapshot.archive_text,
        snapshot.archive_refused,
        snapshot.allowance,
        snapshot.role,
        snapshot.today,
        snapshot.horizon,
        snapshot.warnings,
        tuple((f.status, f.editable, f.refused) for f in snapshot.files),
    )


def what_changed(old: Snapshot, new: Snapshot) -> str:
    """The difference in words, such as ``learnings: 1 new, 2 marked, 1 gone``; ``""`` where there is none."""
    said = []
    for before, after in zip(old.files, new.files, strict=True):
        words = _file_words(old, new, before, after)
        if words:
            said.append(f"{short_name(after.path)}: {words}")
    if old.archive_text != new.archive_text:
        said.append("the archive changed")
    if old.allowance != new.allowance:
        said.append("the allowance changed")
    if old.role != new.role:
        said.append(f"this is a {new.role} home now")
    if old.today != new.today:
        said.append(f"it is {new.today} now")
    return "; ".join(said)


def _file_words(old: Snapshot, new: Snapshot, before: MemoryFile, after: MemoryFile) -> str:
    if before.status != after.status:
        return str(after.status)
    if before.document is None or after.document is None or before.document.text == after.document.text:
        return ""
    was = {key: entry for key, entry in old.by_id.items() if entry.file == before.path}
    now = {key: entry for key, entry in new.by_id.items() if entry.file == after.path}
    counts = {
        "new": len(now.keys() - was.keys()),
        "gone": len(was.keys() - now.keys()),
        "marked": sum(was[key].digest != now[key].digest for key in was.keys() & now.keys()),
    }
    reworded = min(counts["new"], counts["gone"])
    counts = {"reworded": reworded, "new": counts["new"] - reworded, "gone": counts["gone"] - reworded} | {
        "marked": counts["marked"]
    }
    return ", ".join(f"{count} {word}" for word, count in counts.items() if count) or "changed"
