"""An entry that its unreadable marker froze: once that is repaired, the pass treats it as it then reads."""

from __future__ import annotations

from homes import archived, cards, chosen, home, repeated, the, written

from floppy_tui.tiers.audit import audit
from floppy_tui.tiers.cards import Verb
from floppy_tui.tiers.decisions import Decision
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tiers.stow import plan

IMPOSSIBLE = "- The bell is rung by hand. <!--a:2026-02-30-->\n- The gate sticks. <!--a:2026-09-30-->\n"


def repair(snapshot: Snapshot) -> Decision:
    """The repair that the one finding card proposes."""
    (card,) = [c for c in cards(plan(snapshot), "finding") if c.offers]
    return chosen(card, Verb.ACCEPT)


def test_until_the_repair_nothing_is_asked_of_its_clock() -> None:
    snapshot = home({"learnings": IMPOSSIBLE})
    planned = plan(snapshot)
    assert cards(planned, "stale") == []
    assert not planned.reset_safe


def test_a_repair_to_a_stale_date_deals_the_stale_card_in_the_same_pass() -> None:
    snapshot = home({"learnings": IMPOSSIBLE})
    mend = repair(snapshot)
    (card,) = cards(plan(snapshot, [mend]), "stale")
    assert card.entries == (the(snapshot, "bell").id,) and card.open and card.blocks
    planned = repeated(snapshot, [mend, chosen(card, Verb.LEAVE)])
    assert planned.refused == () and planned.reset_safe
    assert archived(planned) == [
        "- (from learnings.md, tier: aging, reinforced: 2026-02-28) The bell is rung by hand. "
        "[archived: unreinforced 215d]"
    ]
    assert b"bell" not in (written(planned)["data/learnings.md"] or b"")
    assert audit(planned, written(planned)) == ()


def test_a_repair_that_is_taken_again_later_still_comes_first() -> None:
    snapshot = home({"learnings": IMPOSSIBLE})
    mend = repair(snapshot)
    (card,) = cards(plan(snapshot, [mend]), "stale")
    planned = plan(snapshot, [mend, chosen(card, Verb.LEAVE), mend])
    assert planned.refused == () and len(archived(planned)) == 1


def test_evidence_stamps_it_instead() -> None:
    snapshot = home({"learnings": IMPOSSIBLE})
    mend = repair(snapshot)
    (card,) = cards(plan(snapshot, [mend]), "stale")
    planned = repeated(snapshot, [mend, chosen(card, Verb.EVIDENCE, evidence="task bell-3 rang it")])
    assert planned.refused == () and planned.reset_safe
    assert b"by hand. <!--a:2026-10-01-->" in (written(planned)["data/learnings.md"] or b"")


def test_without_the_repair_an_archive_of_it_is_refused() -> None:
    snapshot = home({"learnings": IMPOSSIBLE})
    mend = repair(snapshot)
    (card,) = cards(plan(snapshot, [mend]), "stale")
    planned = plan(snapshot, [chosen(card, Verb.LEAVE)])
    assert [r.why for r in planned.refused] == ["Its marker cannot be read: repair that first."]
    assert planned.texts == {} and planned.archive_text is None


def test_a_marker_that_is_taken_out_leaves_an_unmarked_entry_with_its_grace() -> None:
    snapshot = home({"learnings": "- The bell is rung by hand. <!--a-->\n"})
    assert cards(plan(snapshot), "unmarked") == []
    mend = repair(snapshot)
    (card,) = cards(plan(snapshot, [mend]), "unmarked")
    planned = repeated(snapshot, [mend, chosen(card, Verb.ACCEPT)])
    assert planned.refused == () and planned.reset_safe
    assert (written(planned)["data/learnings.md"] or b"").endswith(b"- The bell is rung by hand. <!--g-->\n")
    (entry,) = planned.documents["data/learnings.md"].entries
    assert entry.tier is Tier.GRACE


def test_what_read_as_pinned_is_not_moved_by_a_clock_that_a_repair_gave_it() -> None:
    snapshot = home({"captain": "- The bell is rung by hand. <!-- a:2026-02-28 -->\n"})
    mend = repair(snapshot)
    planned = plan(snapshot, [mend])
    assert cards(planned, "stale") == []
    assert [e.exception for e in planned.exceptions] == ["kept-stale"]


def test_the_condition_of_a_mended_perishable_entry_can_be_acted_on() -> None:
    """The archive quotes the misspelt marker as it stood: what is no marker is prose."""
    snapshot = home({"learnings": "- Shut until 2026-09-24. <!-- p:2026-09-10 -->\n"})
    mend = repair(snapshot)
    (card,) = cards(plan(snapshot, [mend]), "condition")
    planned = repeated(snapshot, [mend, chosen(card, Verb.LEAVE)])
    assert planned.refused == () and planned.reset_safe
    assert archived(planned) == [
        "- (from learnings.md, tier: perishable, reinforced: 2026-09-10) "
        "Shut until 2026-09-24. <!-- p:2026-09-10 --> [archived: condition resolved: until 2026-09-24]"
    ]
