"""Acts on whole sections: archive, take as one, split, and what forbids each."""

from __future__ import annotations

import pytest
from homes import (
    COUNTING,
    TODAY,
    ago,
    archived,
    cards,
    chosen,
    do,
    home,
    on_section,
    repeated,
    text,
    why,
    written,
)

from floppy_tui.tiers.archive import read_archive
from floppy_tui.tiers.audit import audit
from floppy_tui.tiers.cards import Verb
from floppy_tui.tiers.decisions import Do, decide
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.stow import Outcome, accept, plan

SAID = "task lint-q4 hit it"
PORT = f"""## Old port

It was rebuilt twice.

- Cranes turn left. <!--a:{ago(40)}-->
- Ships wait. <!--p:{ago(9)}/3-->
  Longer than one thinks.

```
sample <!--P-->
```

### Rebuild

- Steel came late. <!--a:{ago(9)}-->
"""
BODY = f"# Harbour\n\n{PORT}\n## New port\n\n- Fine. <!--a:{ago(1)}-->\n"
GONE = f"# Harbour\n\n## New port\n\n- Fine. <!--a:{ago(1)}-->\n"


def test_a_section_leaves_as_one_item_with_its_heading_first_and_inner_markers_dropped() -> None:
    snapshot = home({"learnings": BODY})
    planned = repeated(
        snapshot, [on_section(snapshot, Do.ARCHIVE_SECTION, "Old port", reason=" it is\ngone ")]
    )
    assert text(planned) == GONE
    assert audit(planned, written(planned)) == () and not planned.refused
    (item,) = read_archive(planned.archive_text or "").items
    # The first of those reinforced last says tier and date.
    assert (item.tier, str(item.reinforced), item.reason) == ("perishable", ago(9), "it is gone")
    quoted = PORT
    for mark in (f" <!--a:{ago(40)}-->", f" <!--p:{ago(9)}/3-->", f" <!--a:{ago(9)}-->"):
        quoted = quoted.replace(mark, "")
    assert item.prose == quoted.rstrip("\n")
    assert item.prose.startswith("## Old port\n")
    (departed,) = planned.departures
    assert len(departed.entries) == 4
    assert [f.outcome for f in planned.fates.values()].count(Outcome.ARCHIVED) == 4
    assert planned.actions["data/learnings.md"] == ("archived",)


def test_a_sub_section_goes_alone() -> None:
    snapshot = home({"learnings": BODY})
    for heading in (("Old port", "Rebuild"), ("Harbour", "Old port", "Rebuild"), ("Rebuild",)):
        planned = plan(snapshot, [on_section(snapshot, Do.ARCHIVE_SECTION, *heading, reason="gone")])
        assert text(planned) == BODY.replace(f"\n### Rebuild\n\n- Steel came late. <!--a:{ago(9)}-->\n", "")
        assert archived(planned)[0].startswith("- (from learnings.md, tier: aging, reinforced: " + ago(9))


def test_what_was_never_reinforced_leaves_as_never() -> None:
    snapshot = home({"learnings": "# All\n\n## Pool\n\nProse.\n\n- One.\n- Two. <!--g-->\n"})
    planned = plan(snapshot, [on_section(snapshot, Do.ARCHIVE_SECTION, "Pool", reason="gone")])
    assert archived(planned)[0] == "- (from learnings.md, tier: aging, reinforced: never) ## Pool"


REASONS = [
    ("", "reason"),
    ("budget oldest-first", "evicted"),
    ("unreinforced 40d", "Not everything inside is stale"),
    ("legacy-unvalidated", "grace cycle"),
]


@pytest.mark.parametrize(("reason", "said"), REASONS)
def test_the_reasons_of_the_clocks_hold_for_all_inside_or_not_at_all(reason: str, said: str) -> None:
    snapshot = home({"learnings": BODY})
    planned = plan(snapshot, [on_section(snapshot, Do.ARCHIVE_SECTION, "Old port", reason=reason)])
    assert said in why(planned) and not planned.texts


def test_a_wholly_stale_section_leaves_by_its_own_cause() -> None:
    body = f"# All\n\n## Pool\n\n- One. <!--a:{ago(40)}-->\n- Two. <!--a:{ago(35)}-->\n"
    snapshot = home({"learnings": body})
    planned = plan(snapshot, [on_section(snapshot, Do.ARCHIVE_SECTION, "Pool", reason="unreinforced 1d")])
    assert archived(planned)[-1].endswith("[archived: unreinforced 35d]") and planned.reset_safe


def test_a_section_taken_as_one_with_evidence() -> None:
    snapshot = home({"learnings": BODY}, horizon=COUNTING)
    take = on_section(snapshot, Do.TAKE_AS_ONE, "Old port", evidence=SAID)
    planned = repeated(snapshot, [take])
    after = text(planned)
    assert f"## Old port <!--a:{TODAY}-->\n" in after and "sample <!--P-->\n" in after
    assert after.count("<!--a:") == 2 and "<!--p:" not in after
    entry = planned.documents["data/learnings.md"].entries[0]
    assert (entry.kind.value, entry.reinforced, entry.passes) == ("section", TODAY, 0)
    assert audit(planned, written(planned)) == () and planned.reset_safe
    perishable = plan(snapshot, [take.with_(tier=Tier.PERISHABLE)])
    assert f"## Old port <!--a:{TODAY}-->\n" in text(perishable)
    pinned = plan(snapshot, [take.with_(tier=Tier.PINNED)])
    assert "## Old port <!--P-->\n" in text(pinned)


PINNED = BODY.replace(f"<!--a:{ago(9)}-->", "<!--P-->")
UNREADABLE = BODY.replace(f"<!--a:{ago(9)}-->", "<!--a:soon-->")
FORBIDDEN = [
    ("pinned inside", PINNED, "pinned", (Do.ARCHIVE_SECTION, Do.TAKE_AS_ONE)),
    ("unreadable inside", UNREADABLE, "repair", (Do.ARCHIVE_SECTION, Do.TAKE_AS_ONE)),
    ("dated inside, for grace", BODY, "evidence is needed", (Do.TAKE_AS_ONE,)),
    ("nothing to split", BODY, "no marker", (Do.SPLIT,)),
]


@pytest.mark.parametrize(("body", "said", "acts"), [f[1:] for f in FORBIDDEN], ids=[f[0] for f in FORBIDDEN])
def test_what_forbids_an_act_on_a_section(body: str, said: str, acts: tuple[Do, ...]) -> None:
    snapshot = home({"learnings": body})
    for act in acts:
        planned = plan(snapshot, [on_section(snapshot, act, "Old port", reason="gone")])
        assert said in why(planned) and not planned.texts and planned.archive_text is None


@pytest.mark.parametrize("act", [Do.ARCHIVE_SECTION, Do.TAKE_AS_ONE, Do.SPLIT])
def test_the_title_is_no_section_and_a_name_means_one(act: Do) -> None:
    twice = BODY + f"\n## Other\n\n### Rebuild\n\n- Wood. <!--a:{ago(1)}-->\n"
    snapshot = home({"learnings": twice, "captain": "# Tea\n\n## Hours\n\n- Four.\n"})
    fields = {"reason": "gone", "evidence": SAID}
    title = plan(snapshot, [on_section(snapshot, act, "Harbour", **fields)])
    assert "whole file" in why(title)
    several = plan(snapshot, [on_section(snapshot, act, "Rebuild", **fields)])
    assert "2 sections" in why(several)
    nowhere = plan(snapshot, [on_section(snapshot, act, "Nowhere", **fields)])
    assert "No section" in why(nowhere)
    pinned = plan(snapshot, [decide(snapshot, act, file="data/captain.md", heading=("Hours",), **fields)])
    assert pinned.refused and not pinned.texts


def test_a_section_inside_which_something_else_was_decided() -> None:
    snapshot = home({"learnings": BODY})
    take = on_section(snapshot, Do.TAKE_AS_ONE, "Old port", evidence=SAID)
    steel = do(snapshot, Do.REINFORCE, "Steel", evidence=SAID)
    assert plan(snapshot, [steel, take]).refused[0].decision is take
    assert plan(snapshot, [take, steel]).refused[0].decision is steel
    repaired = BODY.replace("Steel came late.", "Steel came late. <!--a:soon-->")
    snapshot = home({"learnings": repaired})
    take = on_section(snapshot, Do.TAKE_AS_ONE, "Old port", evidence=SAID)
    planned = plan(snapshot, [*accept(snapshot, [], ["repairs"]), take])
    assert [r.decision.do for r in planned.refused] == [Do.REPAIR] and planned.texts


def test_a_split_gives_each_entry_inside_the_marker_of_the_heading() -> None:
    body = f"# All\n\n## Pool <!--a:{ago(9)}/2-->\n\nProse here.\n\n- One.\n- Two. <!--P-->\n- Three.\n"
    snapshot = home({"learnings": body})
    planned = repeated(snapshot, [on_section(snapshot, Do.SPLIT, "Pool")])
    mark = f" <!--a:{ago(9)}/2-->"
    assert (
        text(planned)
        == f"# All\n\n## Pool\n\nProse here.{mark}\n\n- One.{mark}\n- Two. <!--P-->\n- Three.{mark}\n"
    )
    assert audit(planned, written(planned)) == () and not planned.refused
    assert planned.actions["data/learnings.md"] == ("rewritten",)
    bare = home({"learnings": f"# All\n\n## Pool <!--a:{ago(9)}-->\n\n## Next\n\n- One. <!--a:{ago(1)}-->\n"})
    planned = plan(bare, [on_section(bare, Do.SPLIT, "Pool")])
    assert planned.refused and not planned.texts


MIXED = "# All\n\n## Pool\n\nThe pool is old.\n\n- One.\n- Two.\n"
LIST = "# All\n\n## Pool\n\n- One.\n- Two.\n"


def test_a_mixed_section_is_proposed_as_one_and_offers_the_single_entries() -> None:
    snapshot = home({"learnings": MIXED})
    start = plan(snapshot)
    (section,) = cards(start, "section")
    assert section.open and section.blocks and section.accept == "grace"
    assert section.entries == tuple(e.id for e in snapshot.entries)
    assert all(c.optional and not c.accept for c in cards(start, "unmarked"))
    assert start.undecided == (section,) and not start.reset_safe
    singly = plan(snapshot, [chosen(section, Verb.STAY)])
    assert not cards(singly, "section")[0].blocks
    assert [c.kind for c in singly.undecided] == ["unmarked"] * 3 and singly.exceptions == ()
    done = plan(snapshot, accept(snapshot, [chosen(section, Verb.STAY)], ["grace"]))
    assert text(done).count("<!--g-->") == 3 and done.reset_safe
    taken = plan(snapshot, [chosen(section, Verb.EVIDENCE, evidence=SAID)])
    assert f"## Pool <!--a:{TODAY}-->" in text(taken) and taken.reset_safe
    archive = plan(snapshot, [chosen(section, Verb.LEAVE, reason="gone")])
    assert text(archive).startswith("# All\n") and "Pool" not in text(archive)


def test_a_list_is_proposed_singly_and_offers_the_section() -> None:
    snapshot = home({"learnings": LIST})
    start = plan(snapshot)
    (section,) = cards(start, "section")
    assert section.optional and section.accept == "" and not section.blocks
    assert [c.kind for c in start.undecided] == ["unmarked"] * 2
    assert text(plan(snapshot, accept(snapshot, [], ["grace"]))).count("<!--g-->") == 2
    taken = plan(snapshot, [chosen(section, Verb.ACCEPT)])
    assert text(taken) == LIST.replace("Pool", "Pool <!--g-->") and taken.reset_safe


def test_the_effect_in_tokens_is_what_it_comes_to() -> None:
    snapshot = home({"learnings": MIXED})
    (section,) = cards(plan(snapshot), "section")
    for verb in (Verb.ACCEPT, Verb.LEAVE):
        offer = section.offer(verb)
        assert offer is not None
        planned = plan(snapshot, [offer.decision.with_(reason="gone")])
        assert abs(planned.total - snapshot.total - offer.effect) <= 1


def test_a_split_carries_the_pass_s_tick_on() -> None:
    body = f"## Pool <!--a:{ago(9)}/2-->\n\n- One.\n- Two. <!--p:{ago(2)}-->\n- Three. <!--P-->\n- Four.\n"
    snapshot = home({"learnings": body}, horizon=COUNTING)
    planned = repeated(snapshot, [on_section(snapshot, Do.SPLIT, "Pool")])
    mark = f" <!--a:{ago(9)}/3-->"
    assert not planned.refused and audit(planned, written(planned)) == ()
    assert (
        text(planned)
        == f"## Pool\n\n- One.{mark}\n- Two. <!--p:{ago(2)}/1-->\n- Three. <!--P-->\n- Four.{mark}\n"
    )
