"""The live store: a whole pass on a real directory, the open pass, restoring, and others who write."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from floppy_tui.store.files import StoreError
from floppy_tui.store.live import Store
from floppy_tui.tiers.decisions import Do, decide
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.stow import accept, plan

TODAY = date(2026, 10, 1)
LEARNINGS = (
    b"# Learnings\r\n<!-- memory tiers: see the stow skill -->\r\n\r\n"
    b"- The lamp is lit at six. <!--a:2026-08-01-->\r\n"
    b"- The gate \xff sticks in frost. <!--a:2026-09-20/2-->  \r\n"
    b"- The old rota hangs in the shed. <!--g-->\r\n"
    b"- A plain note."
)
ARCHIVE = (
    b"# Memory archive\n\n## 2026-08-08 stow\n"
    b"- (from learnings.md, tier: aging, reinforced: 2026-07-01) The bell rings twice. "
    b"[archived: unreinforced 38d]\n"
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    for name in ("data", "config", "state"):
        (home / name).mkdir(parents=True)
    (home / "data/learnings.md").write_bytes(LEARNINGS)
    (home / "data/memory-archive.md").write_bytes(ARCHIVE)
    (home / "config/startup-memory-budget").write_bytes(b"900\n")
    return home


@pytest.fixture
def store(root: Path) -> Store:
    return Store.open(root, env={}, cwd=root, today=lambda: TODAY)


def memory(root: Path) -> dict[str, bytes]:
    """Every byte under data/."""
    return {path.name: path.read_bytes() for path in sorted((root / "data").iterdir())}


def test_a_pass_changes_what_was_decided_and_no_other_byte(store: Store, root: Path) -> None:
    snapshot = store.read()
    decisions = accept(snapshot, (), ("stale", "legacy", "grace"))
    receipt = store.apply(plan(snapshot, decisions))
    assert memory(root)["learnings.md"] == (
        b"# Learnings\r\n<!-- memory tiers: see the stow skill -->\r\n\r\n"
        b"- The gate \xff sticks in frost. <!--a:2026-09-20/2-->  \r\n"
        b"- A plain note. <!--g-->"
    )
    assert memory(root)["memory-archive.md"] == ARCHIVE + (
        b"\n## 2026-10-01 stow\n"
        b"- (from learnings.md, tier: aging, reinforced: 2026-08-01) The lamp is lit at six. "
        b"[archived: unreinforced 61d]\n"
        b"- (from learnings.md, tier: aging, reinforced: never) The old rota hangs in the shed. "
        b"[archived: legacy-unvalidated]\n"
    )
    assert receipt.plan.reset_safe
    markdown, document = store.read_receipt(store.receipts()[0])
    assert "This home is reset-safe" in markdown
    assert document["reset_safe"] is True
    assert sorted(memory(root)) == ["learnings.md", "memory-archive.md"]


def test_bytes_written_by_somebody_else_meanwhile_refuse_the_whole_act(store: Store, root: Path) -> None:
    snapshot = store.read()
    planned = plan(snapshot, accept(snapshot, (), ("stale", "legacy", "grace")))
    (root / "data/learnings.md").write_bytes(LEARNINGS + b"\r\n- One more. <!--a:2026-10-01-->\r\n")
    before = memory(root)
    with pytest.raises(StoreError, match=r"learnings\.md"):
        store.apply(planned)
    assert memory(root) == before
    assert store.receipts() == ()


def test_an_untouched_file_that_changed_refuses_too(store: Store, root: Path) -> None:
    (root / "data/captain.md").write_bytes(b"<!-- memory tiers: see the stow skill -->\n- Call twice.\n")
    snapshot = store.read()
    planned = plan(snapshot, accept(snapshot, (), ("stale",)))
    (root / "data/captain.md").write_bytes(b"<!-- memory tiers: see the stow skill -->\n- Call once.\n")
    before = memory(root)
    with pytest.raises(StoreError, match=r"captain\.md"):
        store.apply(planned)
    assert memory(root) == before


def test_the_open_pass_survives_the_program_and_an_edit_elsewhere(store: Store, root: Path) -> None:
    snapshot = store.read()
    lamp, gate = snapshot.entries[0], snapshot.entries[1]
    decisions = (
        decide(snapshot, Do.ARCHIVE, lamp, reason="unreinforced 61d", card="decay:stale:x"),
        decide(snapshot, Do.REINFORCE, gate, evidence="seen on the walk \udcff", card="reinforce:fresh:y"),
    )
    store.save_pass(decisions, 5)
    again = Store.open(root, env={}, cwd=root, today=lambda: TODAY)
    assert again.load_pass(again.read()) == (decisions, ())
    assert again.saved_step() == 5
    (root / "data/learnings.md").write_bytes(LEARNINGS.replace(b"lit at six", b"lit at seven"))
    kept, dropped = again.load_pass(again.read())
    assert [d.targets for d in kept] == [decisions[1].targets]
    assert [r.decision for r in dropped] == [decisions[0]]
    again.clear_pass()
    assert again.load_pass(again.read()) == ((), ())


def test_a_pass_file_that_is_not_one_is_no_pass(store: Store, root: Path) -> None:
    store.save_pass((), 3)
    (root / "state/floppy-tui/pass.json").write_bytes(b'{"step": "x"')
    assert store.load_pass(store.read()) == ((), ())
    assert store.saved_step() == 1


def test_restoring_copies_and_stamps_and_leaves_the_archive_alone(store: Store, root: Path) -> None:
    (item,) = store.read().archive.items
    entry = store.restore(item, "heard it at noon", Tier.AGING)
    after = memory(root)
    assert after["memory-archive.md"] == ARCHIVE
    assert after["learnings.md"] == LEARNINGS + b"\r\n- The bell rings twice. <!--a:2026-10-01-->\r\n"
    assert store.read().by_id[entry].prose == "The bell rings twice."
    with pytest.raises(StoreError, match="already"):
        store.restore(item, "heard it at noon", Tier.AGING)


@pytest.mark.parametrize("evidence", ["", "no evidence", "The bell rings twice."])
def test_restoring_needs_evidence(store: Store, root: Path, evidence: str) -> None:
    (item,) = store.read().archive.items
    before = memory(root)
    with pytest.raises(StoreError):
        store.restore(item, evidence, Tier.AGING)
    assert memory(root) == before


def test_a_perishable_one_without_a_condition_is_restored_as_aging(store: Store, root: Path) -> None:
    (item,) = store.read().archive.items
    store.restore(item, "heard it at noon", Tier.PERISHABLE)
    assert b"- The bell rings twice. <!--a:2026-10-01-->" in memory(root)["learnings.md"]


def test_counting_passes_claims_one_tick_a_day(store: Store, root: Path) -> None:
    (root / "config/stow-pass-horizon").touch()
    snapshot = store.read()
    store.apply(plan(snapshot, accept(snapshot, (), ("stale", "legacy", "grace"))))
    assert (root / "state/.stow-horizon-tick").read_text() == "2026-10-01\n"
    assert b"<!--a:2026-09-20/3-->" in memory(root)["learnings.md"]
    before = memory(root)
    store.apply(plan(store.read()))
    assert memory(root) == before


def test_a_spent_tick_stays_spent_when_the_act_is_refused(store: Store, root: Path) -> None:
    (root / "config/stow-pass-horizon").touch()
    planned = plan(store.read())
    (root / "data/learnings.md").write_bytes(LEARNINGS + b"\r\n")
    with pytest.raises(StoreError):
        store.apply(planned)
    assert (root / "state/.stow-horizon-tick").read_text() == "2026-10-01\n"
    assert memory(root)["learnings.md"] == LEARNINGS + b"\r\n"


def test_a_link_in_the_place_of_a_memory_file_is_never_followed(store: Store, root: Path) -> None:
    outside = root.parent / "elsewhere.md"
    outside.write_bytes(b"- Somebody else's.\n")
    (root / "data/captain.md").symlink_to(outside)
    snapshot = store.read()
    assert [e.exception for e in snapshot.exceptions] == ["memory-file-symlink"]
    receipt = store.apply(plan(snapshot, accept(snapshot, (), ("stale",))))
    assert not receipt.plan.reset_safe
    assert outside.read_bytes() == b"- Somebody else's.\n"
    assert (root / "data/captain.md").is_symlink()
