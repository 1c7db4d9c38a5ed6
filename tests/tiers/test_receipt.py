"""The receipt: the documented keys, the fixed words, and what reset-safe means in the same breath."""

from __future__ import annotations

import json

import pytest
from homes import HEADER, TODAY, ago, do, home, on_section, the

from floppy_tui.tiers.cards import ACCEPTABLE
from floppy_tui.tiers.decisions import Do, decide
from floppy_tui.tiers.layout import FILES, Role
from floppy_tui.tiers.receipt import MEANING, Measure, Receipt, as_json, as_markdown
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tiers.stow import Plan, accept, plan

SAID = "task lint-q4 hit it"
KEYS = {
    "reset_safe", "budget", "before", "after", "actions", "reinforced", "archived", "graced", "merged",
    "rewritten", "offloaded", "proposed", "added", "routed", "records", "exceptions", "decision", "undecided",
    "homes", "applied", "date", "role", "measured", "refused",
}  # fmt: skip
WORDS = {"unchanged", "added", "rewritten", "pruned", "routed", "archived", "proposed-offload"}
BODY = f"""- Stale. <!--a:{ago(40)}-->
- Fresh. <!--a:{ago(4)}-->
- Unmarked.
- Legacy. <!--g-->
- The gate sticks. <!--a:{ago(9)}-->
- The gate sticks in rain. <!--a:{ago(3)}-->
- Wordy, wordier, wordiest. <!--a:{ago(3)}-->
- Open. <!--a:{ago(31)}-->

## Pool

Prose.

- One. <!--a:{ago(3)}-->
"""


@pytest.fixture
def whole() -> Plan:
    """A pass with something of everything."""
    snapshot = home({"captain": "- Tea.\n", "shared": b"- Ask.\n", "learnings": BODY}, allowance=60)
    return plan(
        snapshot,
        [
            do(snapshot, Do.ARCHIVE, "Stale", reason="unreinforced 40d"),
            do(snapshot, Do.REINFORCE, "Fresh", evidence=SAID),
            do(snapshot, Do.GRACE, "Unmarked"),
            do(snapshot, Do.ARCHIVE, "Legacy", reason="legacy-unvalidated"),
            do(snapshot, Do.MERGE, "sticks.", "in rain", text="The gate sticks in rain."),
            do(snapshot, Do.REWRITE, "Wordy", text="Short."),
            on_section(snapshot, Do.ARCHIVE_SECTION, "Pool", reason="drained"),
            decide(snapshot, Do.POINTER, file="data/captain-shared.md"),
            do(snapshot, Do.REINFORCE, "Tea", evidence="obvious"),
        ],
    )


def test_the_json_has_exactly_the_documented_keys(whole: Plan) -> None:
    found = as_json(Receipt(whole, applied=True, measure=Measure(120, 80, "o200k_base")))
    assert set(found) == KEYS
    assert json.loads(json.dumps(found)) == found
    assert (found["applied"], found["date"], found["role"]) == (True, TODAY.isoformat(), "primary")
    assert found["measured"] == {"before": 120, "after": 80, "encoding": "o200k_base"}
    assert set(found["before"]) == set(found["after"]) == {"files", "total"}
    assert set(found["before"]["files"]) == set(FILES) == set(found["actions"])
    for name in ("offloaded", "proposed", "added", "records", "homes"):
        assert found[name] == []


def test_what_was_done_is_told(whole: Plan) -> None:
    snapshot = whole.snapshot
    found = as_json(Receipt(whole, applied=True))
    assert found["actions"] == {
        "data/captain.md": ["unchanged"],
        "data/captain-shared.md": ["rewritten"],
        "data/learnings.md": ["rewritten", "pruned", "archived"],
    }
    assert [(e["entry"], e["evidence"]) for e in found["reinforced"]] == [(the(snapshot, "Fresh").id, SAID)]
    assert found["graced"] == [the(snapshot, "Unmarked").id]
    reasons = {a["prose"].split("\n")[0]: a["reason"] for a in found["archived"]}
    assert reasons == {
        "Stale.": "unreinforced 40d",
        "Legacy.": "legacy-unvalidated",
        "The gate sticks.": reasons["The gate sticks."],
        "Wordy, wordier, wordiest.": reasons["Wordy, wordier, wordiest."],
        "## Pool": "drained",
    }
    keys = {"entry", "file", "tier", "reinforced", "reason", "prose"}
    assert all(set(a) - {"entries"} == keys for a in found["archived"])
    # Every item that the archive got is told, with the entry it came from.
    assert len(found["archived"]) == len(whole.departures)
    assert [m["first_line"] for m in found["merged"]] == ["The gate sticks.", "The gate sticks in rain."]
    assert [(r["first_line"], r["archived"]) for r in found["rewritten"]] == [
        ("Wordy, wordier, wordiest.", True)
    ]
    assert [r["do"] for r in found["refused"]] == ["reinforce"]
    assert [u["title"] for u in found["undecided"] if u["blocks"]] == ["Open."]
    assert set(found["decision"]) == {"shortfall", "pinned_floor", "options"}
    assert len(found["decision"]["options"]) == 2


def test_the_markdown_says_the_same_in_words(whole: Plan) -> None:
    told = as_markdown(Receipt(whole, applied=True, measure=Measure(120, 80, "o200k_base"), file="x.md"))
    assert told.startswith(f"# Stow receipt, {TODAY}\n") and told.endswith("\n") and not told.endswith("\n\n")
    for part in (
        f"Before {whole.snapshot.total}, after {whole.total}: over budget",
        "Measured with o200k_base: 120 before, 80 after",
        "- data/learnings.md: rewritten, pruned, archived",
        f"“Fresh.” Evidence: {SAID}",
        "## Given one grace cycle\n\n- “Unmarked.”",
        "“Stale.” (learnings.md) unreinforced 40d",
        "“## Pool…” (learnings.md) drained",
        "## Merged",
        "## Rewritten",
        "## Not carried out\n\n- reinforce: “obvious” is not evidence",
        "## Still undecided",
        "## The captain's decision",
        "1. raise the allowance",
        "2. approve trimming or offloading a named pinned entry",
    ):
        assert part in told, part
    assert "Nothing was written" in as_markdown(Receipt(whole, applied=False))


@pytest.mark.parametrize("safe", [True, False])
def test_reset_safe_is_said_with_its_meaning_in_the_same_breath(safe: bool) -> None:
    planned = plan(home({"learnings": f"- Gate. <!--a:{ago(1 if safe else 40)}-->\n"}))
    assert planned.reset_safe is safe
    told = as_markdown(Receipt(planned, applied=True))
    (line,) = [one for one in told.split("\n") if "reset-safe" in one]
    assert line.startswith("**This home is reset-safe.**" if safe else "**This home is not reset-safe.**")
    assert line.endswith(MEANING)
    assert (
        "nothing this session knew has been lost" in MEANING
        and "no claim that the records are correct" in MEANING
    )


ACTIONS = [
    ("a marker", "- Unmarked.\n", ["grace"], ("rewritten",)),
    ("a header", b"- Fresh. <!--a:2026-09-30-->\n", ["headers"], ("rewritten",)),
    ("a header only", b"# All\n", ["headers"], ("rewritten",)),
    ("what leaves", f"- Stale. <!--a:{ago(40)}-->\n- Fresh. <!--a:{ago(1)}-->\n", ["stale"], ("archived",)),
    ("all that leaves", f"- Stale. <!--a:{ago(40)}-->\n", ["stale"], ("archived",)),
    ("both", f"- Stale. <!--a:{ago(40)}-->\n- Unmarked.\n", ["stale", "grace"], ("rewritten", "archived")),
    ("and a header", b"- Stale. <!--a:2026-01-01-->\n", ["stale", "headers"], ("rewritten", "archived")),
    ("nothing", f"- Fresh. <!--a:{ago(1)}-->\n", list(ACCEPTABLE), ("unchanged",)),
]  # fmt: skip


@pytest.mark.parametrize(("body", "kinds", "words"), [a[1:] for a in ACTIONS], ids=[a[0] for a in ACTIONS])
def test_the_fixed_words(body: str | bytes, kinds: list[str], words: tuple[str, ...]) -> None:
    snapshot = home({"learnings": body})
    planned = plan(snapshot, accept(snapshot, [], kinds))
    assert planned.actions["data/learnings.md"] == words
    assert {w for found in planned.actions.values() for w in found} <= WORDS


SAFE = f"- Fresh. <!--a:{ago(1)}-->\n"
UNSAFE: dict[str, Snapshot] = {
    "stale": home({"learnings": f"- Gate. <!--a:{ago(30)}-->\n"}),
    "stale perishable": home({"learnings": f"- See issue 1. <!--p:{ago(7)}-->\n"}),
    "grace": home({"learnings": "- Gate. <!--g-->\n"}),
    "unmarked": home({"learnings": "- Gate.\n"}),
    "unreadable": home({"learnings": "- Gate. <!--a:soon-->\n"}),
    "over budget": home({"learnings": SAFE}, allowance=3),
    "no allowance": home({"learnings": SAFE}, allowance=None),
    "not edited": home({"learnings": SAFE + "\n<<<<<<< ours\n- A.\n=======\n- B.\n>>>>>>> theirs\n"}),
    "routed": home({"shared": b"- Ask.\n"}, role=Role.SECONDMATE),
}
SAFE_HOMES: dict[str, Snapshot] = {
    "nothing": home({}),
    "fresh": home({"learnings": SAFE, "captain": "- Tea.\n"}),
    "a missing header": home({"learnings": SAFE.encode()}),
    "a finding that freezes nothing": home({"learnings": f"- Gate. <!--a:soon--> <!--a:{ago(1)}-->\n"}),
    "unreadable but pinned": home({"captain": "- Tea. <!--a:soon-->\n"}),
    "near-duplicates": home({"captain": "- Deploys go out at noon.\n- Deploys go out at noon!\n"}),
    "a long entry": home({"captain": "- " + "Tea and toast. " * 60 + "\n"}),
    "an inherited file in order": home({"shared": (HEADER + "- Ask.\n").encode()}, role=Role.SECONDMATE),
}  # fmt: skip


@pytest.mark.parametrize("name", UNSAFE)
def test_what_left_open_keeps_a_pass_from_being_reset_safe(name: str) -> None:
    planned = plan(UNSAFE[name])
    assert not planned.reset_safe
    shown = as_json(Receipt(planned, applied=True))
    blocking = [u for u in shown["undecided"] if u["blocks"]]
    assert len(blocking) == (name in ("stale", "stale perishable", "grace", "unmarked", "unreadable"))
    assert blocking or shown["exceptions"] or shown["decision"]


@pytest.mark.parametrize("name", SAFE_HOMES)
def test_what_may_stay_open(name: str) -> None:
    planned = plan(SAFE_HOMES[name])
    assert planned.reset_safe and planned.exceptions == ()


def test_a_refused_decision_is_not_reset_safe() -> None:
    snapshot = home({"learnings": SAFE})
    assert not plan(snapshot, [do(snapshot, Do.REINFORCE, "Fresh", evidence="seems right")]).reset_safe


def test_undecodable_bytes_and_line_ends_do_not_break_the_receipt() -> None:
    body = HEADER.encode() + b"- G\xffte\r\n  two. <!--a:2026-01-01-->\r\n- Fine. <!--a:2026-09-30-->\r\n"
    snapshot = home({"learnings": body})
    receipt = Receipt(plan(snapshot, accept(snapshot, [], ["stale"])), applied=True)
    as_markdown(receipt).encode("utf-8")
    assert json.dumps(as_json(receipt), ensure_ascii=False).encode("utf-8")
    assert as_json(receipt)["archived"][0]["prose"] == "G\ufffdte\ntwo."
