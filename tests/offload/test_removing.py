"""An entry found by its quote, and taken out of its file: it alone, or it is refused."""

from __future__ import annotations

import pytest
from homes import HEADER, ago, home, the
from hypothesis import given
from hypothesis import strategies as st
from proposals import proposal
from strategies import memory_texts

from floppy_tui.offload.proposal import Proposal
from floppy_tui.offload.removing import entry_now, quoted_entry, take_out, unaccounted
from floppy_tui.text.lines import encode
from floppy_tui.tiers.budget import estimate
from floppy_tui.tiers.layout import CAPTAIN, LEARNINGS, Role
from floppy_tui.tiers.snapshot import Snapshot

GATE = "The gate sticks in frost, so lift it a little before it is pushed."
TWICE = f"# Captain\n\n- {GATE}\n- Ask first.\n- {GATE}\n"


def quoted(snapshot: Snapshot, words: str) -> Proposal:
    entry = the(snapshot, words)
    return proposal(entry=entry.id, file=entry.file, first_line=entry.first_line, quote=entry.prose)


def test_the_entry_is_found_by_its_bytes_and_by_its_id_where_two_say_the_same() -> None:
    snapshot = home({"captain": TWICE})
    first, _, second = snapshot.entries
    made = proposal(entry=second.id, file=CAPTAIN, quote=GATE)
    assert quoted_entry(snapshot, made) is second
    assert quoted_entry(snapshot, made.with_(entry="gone")) is first
    assert quoted_entry(snapshot, made.with_(file=LEARNINGS)) is None
    assert quoted_entry(snapshot, made.with_(quote=GATE.upper())) is None


def test_a_reworded_entry_is_found_by_what_it_is_like() -> None:
    made = quoted(home({"captain": f"- {GATE}\n- Ask first.\n"}), "gate")
    for words in (GATE.replace("lift it a little", "lift it"), GATE.upper(), f"{GATE} Twice."):
        now = entry_now(home({"captain": f"- Ask first.\n- {words}\n"}), made)
        assert now is not None and now.prose == words
    assert entry_now(home({"captain": "- Ask first.\n- The gate.\n- Lift it.\n"}), made) is None
    assert entry_now(home({"captain": "", "learnings": f"- {GATE}\n"}), made) is None


def test_the_entry_leaves_alone_and_its_relief_is_measured() -> None:
    snapshot = home(
        {"learnings": f"- Ask first. <!--a:{ago(3)}-->\n- {GATE} <!--P-->\n\n## Old\n\nRest. <!--g-->\n"}
    )
    removal = take_out(snapshot, the(snapshot, "gate"))
    after = f"{HEADER}- Ask first. <!--a:{ago(3)}-->\n\n## Old\n\nRest. <!--g-->\n"
    assert (removal.file, removal.after) == (LEARNINGS, after)
    assert removal.relief == estimate(len(encode(removal.before))) - estimate(len(after))
    assert unaccounted(removal, after) == ()
    for spoilt, said in (
        (after.replace("Ask first.", "Ask."), "“Ask first.” is not in data/learnings.md"),
        (after.replace("<!--g-->", "<!--P-->"), "“Rest.” is not in data/learnings.md"),
        (after + "\nMore. <!--g-->\n", "something that was not planned"),
        (removal.before, "something that was not planned"),
        ("", "“Ask first.”"),
    ):
        assert said in unaccounted(removal, spoilt)[0]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"- {GATE} <!--P-->\n- Rest.\n", "- See the skill. <!--P-->\n- Rest.\n"),
        (f"{GATE} <!--a:{ago(3)}-->\n", f"See the skill. <!--a:{ago(3)}-->\n"),
        (f"- {GATE}\n", "- See the skill.\n"),
        (f"## Gate <!--P-->\n\n{GATE}\n\n## B\n\n- Rest.\n", "## B\n\n- Rest.\n- See the skill. <!--P-->\n"),
    ],
)
def test_a_pointer_takes_the_entrys_place_with_its_marker(before: str, after: str) -> None:
    snapshot = home({"learnings": before})
    removal = take_out(snapshot, the(snapshot, "gate sticks"), " See the skill. ")
    assert removal.after == HEADER + after
    assert removal.pointer == "See the skill."
    assert unaccounted(removal, removal.after) == ()
    assert unaccounted(removal, take_out(snapshot, the(snapshot, "gate sticks")).after)


def test_what_cannot_leave_or_point_says_why() -> None:
    shared = home({"shared": f"- {GATE}\n"}, role=Role.SECONDMATE)
    with pytest.raises(ValueError, match="not this home's to edit"):
        take_out(shared, the(shared, "gate"))
    fenced = home({"captain": f"- {GATE}\n\n```\nnever closed\n"})
    with pytest.raises(ValueError, match=r"data/captain\.md"):
        take_out(fenced, the(fenced, "gate"))
    plain = home({"captain": f"- {GATE}\n"})
    for pointer in ("a\nb", "see <!--P-->"):
        with pytest.raises(ValueError, match="one line without a marker"):
            take_out(plain, the(plain, "gate"), pointer)
    for pointer in ("# heading", "- item", "```"):
        with pytest.raises(ValueError, match="would not be read as one entry"):
            take_out(home({"captain": f"{GATE}\n"}), the(home({"captain": f"{GATE}\n"}), "gate"), pointer)


@given(memory_texts(), st.data())
def test_whatever_the_file_no_other_entry_changes(text: str, data: st.DataObject) -> None:
    snapshot = home({"captain": encode(text)})
    entries = [e for e in snapshot.entries if e.prose.strip()]
    if not entries:
        return
    entry = data.draw(st.sampled_from(entries))
    try:
        removal = take_out(snapshot, entry)
    except ValueError as why:
        assert str(why)
        return
    assert unaccounted(removal, removal.after) == ()
    left = [e.prose for e in home({"captain": encode(removal.after)}).entries]
    was = [e.prose for e in snapshot.entries if e is not entry]
    assert left == was
    assert removal.before == text
