"""Taking an archived item back: with evidence, stamped today, where it came from, the archive untouched."""

from __future__ import annotations

import pytest
from homes import HEADER, TODAY, ago, do, home

from floppy_tui.text.lines import decode
from floppy_tui.tiers.archive_item import ArchivedItem
from floppy_tui.tiers.decisions import Do
from floppy_tui.tiers.document import default_tier
from floppy_tui.tiers.layout import Role
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.reading import read_document
from floppy_tui.tiers.restoring import NotRestored, take_back
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tiers.stow import plan

SAID = "task lint-q4 hit it"


def item(snapshot: Snapshot) -> ArchivedItem:
    """The one item of the home's archive."""
    (found,) = snapshot.archive.items
    return found


def gone(body: str, words: str, name: str = "learnings", **kwargs: object) -> Snapshot:
    """A home out of whose file the entry that says ``words`` was just archived."""
    before = home({name: body})
    reason = "superseded by another" if name != "learnings" else "gone"
    planned = plan(before, [do(before, Do.ARCHIVE, words, reason=reason)])
    assert not planned.refused and planned.archive_text
    left = next(iter(planned.texts.values()))
    return home({name: left.encode(), "archive": planned.archive_text}, **kwargs)


BODIES = [
    (f"- Gate. <!--a:{ago(40)}-->\n- Lamp. <!--a:{ago(1)}-->\n", "Gate"),
    (f"- Gate sticks\n  in rain. <!--a:{ago(40)}-->\n\n  And more.\n- Lamp. <!--a:{ago(1)}-->\n", "Gate"),
    (f"- Run it so: <!--a:{ago(40)}-->\n\n  ```\n  make -j2\n  ```\n- Lamp. <!--a:{ago(1)}-->\n", "Run"),
    (f"# All\n\nProse. <!--a:{ago(40)}-->\n\n- Lamp. <!--a:{ago(1)}-->\n", "Prose"),
    (f"# All\n\n## Gate <!--a:{ago(40)}-->\n\nWords.\n\n## Lamp <!--a:{ago(1)}-->\n\nOil.\n", "Gate"),
]


@pytest.mark.parametrize(("body", "words"), BODIES)
@pytest.mark.parametrize("absent", [False, True])
def test_an_entry_comes_back_with_its_prose_and_today(body: str, words: str, absent: bool) -> None:
    snapshot = gone(body, words)
    if absent:
        snapshot = home({"archive": snapshot.archive_text or ""})
    back = take_back(snapshot, item(snapshot), SAID, Tier.AGING)
    after = read_document(back.text, back.file, default_tier(back.file))
    (entry,) = [e for e in after.entries if e.id == back.entry]
    assert (entry.prose, entry.tier, entry.reinforced) == (item(snapshot).prose, Tier.AGING, TODAY)
    assert not after.findings
    before = snapshot.document("data/learnings.md")
    others = [(e.prose, e.reinforced) for e in before.entries] if before else []
    assert [(e.prose, e.reinforced) for e in after.entries if e.id != back.entry] == others


def test_what_is_pinned_by_its_file_comes_back_without_a_marker() -> None:
    snapshot = gone("- Tea.\n- Coffee.\n", "Tea", "captain")
    back = take_back(snapshot, item(snapshot), SAID, Tier.PINNED)
    assert (back.file, back.text) == ("data/captain.md", HEADER + "- Coffee.\n- Tea.\n")
    aging = take_back(snapshot, item(snapshot), SAID, Tier.AGING)
    assert aging.text.endswith(f"- Tea. <!--a:{TODAY}-->\n")
    learned = gone(*BODIES[0])
    assert take_back(learned, item(learned), SAID, Tier.PINNED).text.endswith("- Gate. <!--P-->\n")


def test_a_perishable_one_names_what_can_be_checked() -> None:
    snapshot = gone(*BODIES[0])
    assert take_back(snapshot, item(snapshot), SAID, Tier.PERISHABLE).tier is Tier.AGING
    dated = gone(f"- Gate, until issue 12. <!--p:{ago(9)}-->\n- Lamp. <!--a:{ago(1)}-->\n", "Gate")
    back = take_back(dated, item(dated), SAID, Tier.PERISHABLE)
    assert back.tier is Tier.PERISHABLE and f"- Gate, until issue 12. <!--p:{TODAY}-->\n" in back.text


@pytest.mark.parametrize("said", ["", "seems right", "Gate.", "no evidence"])
def test_without_evidence_nothing_comes_back(said: str) -> None:
    snapshot = gone(*BODIES[0])
    with pytest.raises(NotRestored, match="vidence"):
        take_back(snapshot, item(snapshot), said, Tier.AGING)


@pytest.mark.parametrize("tier", [Tier.GRACE, Tier.UNMARKED])
def test_it_comes_back_with_a_clock_or_pinned(tier: Tier) -> None:
    snapshot = gone(*BODIES[0])
    with pytest.raises(NotRestored, match="pinned, aging or perishable"):
        take_back(snapshot, item(snapshot), SAID, tier)


def test_what_is_there_already_is_not_put_there_twice() -> None:
    snapshot = gone(*BODIES[0])
    again = home({"captain": "- GATE.\n", "archive": snapshot.archive_text or ""})
    with pytest.raises(NotRestored, match=r"data/captain\.md:3"):
        take_back(again, item(again), SAID, Tier.AGING)


@pytest.mark.parametrize("there", [True, False])
def test_nothing_comes_back_into_the_primary_s_file(there: bool) -> None:
    snapshot = gone("- Ask.\n- Tea.\n", "Ask", "shared")
    files: dict[str, str | bytes] = {"archive": snapshot.archive_text or ""}
    if there:
        files["shared"] = "- Tea.\n"
    with pytest.raises(NotRestored, match="not this home's to edit"):
        mate = home(files, role=Role.SECONDMATE)
        take_back(mate, item(mate), SAID, Tier.PINNED)
    primary = home(files)
    assert take_back(primary, item(primary), SAID, Tier.PINNED).file == "data/captain-shared.md"


def test_nothing_comes_back_into_a_broken_file() -> None:
    snapshot = gone(*BODIES[0])
    broken = home({"learnings": b"```\nopen\n", "archive": snapshot.archive_text or ""})
    with pytest.raises(NotRestored, match="never closed"):
        take_back(broken, item(broken), SAID, Tier.AGING)


def test_an_item_of_unknown_origin_goes_to_the_learnings() -> None:
    snapshot = home({"archive": "## 2026-01-01 stow\n- Gate. <!--a:2025-01-01-->\n"})
    back = take_back(snapshot, item(snapshot), SAID, Tier.AGING)
    assert back.file == "data/learnings.md" and f"- Gate. <!--a:{TODAY}-->\n" in back.text
    assert decode(back.text.encode()).count("<!--a:") == 1
