"""Whatever a home holds and whatever is decided, a plan comes out, and it loses nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import NamedTuple

from homes import HEADER, TODAY, ago, repeated, written
from hypothesis import given
from hypothesis import strategies as st
from scopes import NOTE, SKILL, survey
from strategies import PROSE, memory_files

from floppy_tui.offload.scope import HomeScope
from floppy_tui.text.lines import encode
from floppy_tui.tiers.audit import audit
from floppy_tui.tiers.budget import Allowance
from floppy_tui.tiers.cards import ACCEPTABLE, Card
from floppy_tui.tiers.clocks import Horizon
from floppy_tui.tiers.decisions import Decision, Do, Move, Record, Verdict, decide
from floppy_tui.tiers.layout import ARCHIVE, CAPTAIN, FILES, LEARNINGS, SHARED, Role, Status
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.receipt import Receipt, as_json, as_markdown
from floppy_tui.tiers.records import NO_RECORDS, Item, Records
from floppy_tui.tiers.snapshot import Snapshot, archive_text, memory_file
from floppy_tui.tiers.stow import Outcome, Plan, accept, plan

GOOD = "task lint-q4 hit it"
SAID = st.sampled_from([GOOD, GOOD, GOOD, GOOD, "pull request 12 showed it", "", "seems right"])
REASONS = st.sampled_from(
    [
        "unreinforced 40d",
        "legacy-unvalidated",
        "superseded by the new pool",
        "gone [archived: x]",
        "a\nb",
        "moved",
    ]
)
LINES = st.lists(PROSE, min_size=2, max_size=3).map("\n".join)
TEXTS = st.one_of(st.sampled_from(["Lamp oil is out.", "See issue 12 of the gate."]), PROSE, LINES)
TIERS = st.sampled_from([*Tier, Tier.PINNED, Tier.AGING, Tier.PERISHABLE, Tier.AGING])
MOVES = st.builds(
    Move,
    st.sampled_from(["when the gate sticks", "when lamp oil is short", "", "a\nb"]),
    st.sampled_from([NOTE, SKILL, "rope", "../out", "docs/x.md", ".agents/skills/new/SKILL.md"]),
    st.sampled_from(["", "Use when the gate sticks."]),
    st.sampled_from(["", "private", "public: says nothing of us"]),
)
OWNERS = st.sampled_from(["shared", "general", "project:berthplan", "task:lint-q4", "task:none", "x"])
RECORDS = st.builds(
    Record,
    st.sampled_from(["file", "correct", "leave"]),
    st.sampled_from(["", "lint-q4", "new-1", "no id"]),
    st.sampled_from(["", "A title"]),
    st.sampled_from(["", "A body"]),
    st.sampled_from([(), ("lint-q4",), ("none",)]),
    st.sampled_from(["", "the captain's word"]),
)
FIELDS = st.fixed_dictionaries(
    {
        "evidence": SAID,
        "reason": REASONS,
        "text": TEXTS,
        "tier": TIERS,
        "verdict": st.sampled_from(Verdict),
        "move": MOVES,
        "owner": OWNERS,
        "record": RECORDS,
    }
)
SCOPES = [HomeScope(survey()), HomeScope(survey(repository="", note="No repository."))]
KNOWN = Records(items={"lint-q4": Item("lint-q4", "Lint", "done")}, note="")
FORMS = {"trigger": ("move",), "finding": ("text", "tier", "evidence", "owner")}
"""The fields that a form fills in, where they are not called as it is."""


DAYS = st.sampled_from([0, 1, 6, 7, 8, 29, 30, 31, 90, -3])
LETTERS = st.sampled_from(["", "", "/1", "/2", "/9", "/10"])
DATED = st.tuples(st.sampled_from("aap"), DAYS.map(ago), LETTERS).map(lambda m: "<!--{}:{}{}-->".format(*m))
MARKS = st.one_of(DATED, DATED, DATED, st.sampled_from(["", "", "<!--P-->", "<!--g-->", "<!--a:soon-->"]))
GATE = ["The gate sticks.", "The gate sticks in the rain."]
LONG = (
    "When the gate barrier sticks in the rain, lift it by hand at the hinge, wait until the motor stops "
    "humming, then let it down slowly: the second try without the wait burns the fuse of the quay."
)
MORE = f"{LONG} When a lamp is out, oil is in the shed."
FACTS = st.sampled_from([*GATE, LONG, MORE, "Lamp oil.", "See issue 12.", "Until 2026-09-01.", "Rope"])


@st.composite
def tidy_files(draw: st.DrawFn) -> bytes:
    """A memory file in good order: a header, headings, a few facts as items and prose, marked or not."""
    text = draw(st.sampled_from([HEADER, HEADER, "", f"# All\n{HEADER}"]))
    for at in range(draw(st.integers(1, 7))):
        kind = draw(st.sampled_from(["item", "item", "item", "item", "nested", "heading", "prose"]))
        fact = f"{draw(FACTS)} {draw(MARKS)}".rstrip()
        if kind == "heading":
            text += f"\n## Part {at} {draw(st.sampled_from(['', '', draw(MARKS)]))}".rstrip() + "\n\n"
        elif kind == "prose":
            text += f"\n{fact}\n\n"
        else:
            text += f"{'  ' if kind == 'nested' else ''}- {fact}\n"
    return text.encode()


LONG_DATED = st.tuples(st.sampled_from([LONG, MORE]), st.integers(0, 9), st.integers(0, 29))


@st.composite
def movable_files(draw: st.DrawFn, *, pinned: bool = False) -> bytes:
    """A memory file whose entries are worth moving: long, dated or pinned, about what a skill is for."""
    facts = draw(st.lists(LONG_DATED, min_size=2, max_size=4, unique_by=lambda f: f[:2]))
    marks = ["" if pinned else f" <!--a:{ago(days)}-->" for _, _, days in facts]
    lines = [f"- {words} No {n}.{mark}\n" for (words, n, _), mark in zip(facts, marks, strict=True)]
    return f"{HEADER}{''.join(lines)}".encode()


@st.composite
def homes(draw: st.DrawFn) -> Snapshot:
    """A home: three files at most, of any content, primary or secondmate, with any allowance and clock."""
    role = draw(st.sampled_from([Role.PRIMARY, Role.PRIMARY, Role.SECONDMATE]))
    files = draw(st.sampled_from([memory_files(), tidy_files(), tidy_files()]))
    data = {
        LEARNINGS: draw(files | movable_files()),
        CAPTAIN: draw(st.none() | files | movable_files(pinned=True)),
        SHARED: draw(st.none() | files),
    }
    on = draw(st.booleans())
    share = draw(st.sampled_from([0, 60, 80, 90, 95, 100, 110, 1000]))
    return Snapshot(
        root="home",
        role=role,
        today=draw(st.sampled_from([TODAY, TODAY, date(2026, 6, 1), date(2027, 1, 31)])),
        allowance=Allowance(digits=str(max(1, sum(len(d or b"") for d in data.values()) * share // 300))),
        files=tuple(memory_file(path, data[path], role) for path in FILES),
        archive_text=draw(st.sampled_from([None, "", "# Archive\n\n## 2026-10-01 stow\n- old", "```\nopen"])),
        horizon=Horizon(on, on and draw(st.booleans())),
        scope=draw(st.sampled_from([None, *SCOPES])),
        records=draw(st.sampled_from([NO_RECORDS, KNOWN])),
    )


@st.composite
def raw_decisions(draw: st.DrawFn, snapshot: Snapshot) -> Decision:
    """A decision that nobody would offer: any act on any entries, sections or files."""
    act = draw(st.sampled_from(Do))
    fields = {name: value for name, value in draw(FIELDS).items() if draw(st.booleans())}
    if act in (Do.ARCHIVE_SECTION, Do.TAKE_AS_ONE, Do.SPLIT):
        places = [(d.file, h.path) for d in snapshot.documents for h in d.headings]
        if places:
            fields["file"], fields["heading"] = draw(st.sampled_from(places))
        return decide(snapshot, act, **fields)
    if act in (Do.POINTER, Do.REPAIR):
        return decide(snapshot, act, file=draw(st.sampled_from([*FILES, "x"])), **fields)
    if act is Do.ADD:
        return decide(snapshot, act, file=draw(st.sampled_from([*FILES, "x"])), **fields)
    if not snapshot.entries or act in (Do.ROUTE, Do.RECORD):
        return decide(snapshot, act, **fields)
    some = st.lists(st.sampled_from(snapshot.entries), min_size=1, max_size=3 if act is Do.MERGE else 1)
    return decide(snapshot, act, *draw(some), **fields)


class Pass(NamedTuple):
    """A home and what is decided on it."""

    snapshot: Snapshot
    decisions: tuple[Decision, ...]

    def __repr__(self) -> str:
        files = {f.path: encode(f.document.text) for f in self.snapshot.files if f.document}
        told = [f"today={self.snapshot.today} {self.snapshot.horizon}", f"{self.snapshot.role}"]
        told += [f"allowance={self.snapshot.allowance.digits} archive={self.snapshot.archive_text!r}"]
        told += [f"{path}: {data!r}" for path, data in files.items()]
        for d in self.decisions:
            said = {n: v for n in Decision.__slots__ if (v := getattr(d, n))}
            told.append(f"{said | {'snapshot': 0, 'targets': [t.id for t in d.targets]}}")
        return "\n".join(told)


@st.composite
def passes(draw: st.DrawFn) -> Pass:
    """A home and decisions on it: offers of its cards, some accepted by kind, some out of the blue."""
    snapshot = draw(homes())
    taken: list[Decision] = []
    for _ in range(draw(st.integers(0, 6))):
        by_kind: dict[str, list[Card]] = {}
        for card in plan(snapshot, taken).cards:
            if card.offers:
                by_kind.setdefault(card.kind, []).append(card)
        if by_kind:
            card = draw(st.sampled_from(by_kind[draw(st.sampled_from(sorted(by_kind)))]))
            offer = draw(st.sampled_from(card.offers))
            fields = draw(FIELDS)
            named = [name for need in offer.needs for name in FORMS.get(need, (need,))]
            filled = {name: fields[name] for name in named}
            offered = offer.decision.move
            if offered is not None and draw(st.booleans()):
                filled["move"] = replace(offered, trigger="when the gate sticks")
            taken.append(offer.decision.with_(**filled))
    taken += draw(st.lists(raw_decisions(snapshot), max_size=draw(st.sampled_from([0, 1, 3]))))
    kinds = draw(st.sampled_from([ACCEPTABLE, ACCEPTABLE, ACCEPTABLE[:-1], ("eviction",), ()]))
    return Pass(snapshot, accept(snapshot, taken, kinds))


def read_again(planned: Plan) -> Snapshot:
    """The home as it would be read after the pass, on the same day."""
    before, data = planned.snapshot, written(planned)
    return replace(
        before,
        files=tuple(memory_file(path, data[path], before.role) for path in FILES),
        archive_text=archive_text(data[ARCHIVE]),
        horizon=Horizon(on=before.horizon.on),
    )


def blocking(snapshot: Snapshot) -> list[Card]:
    """What keeps a pass over this home from being reset-safe while nobody decides."""
    return [c for c in plan(snapshot).cards if c.blocks and c.decided is None]


def lawful(planned: Plan) -> None:
    """What holds of every plan."""
    snapshot = planned.snapshot
    assert set(planned.fates) == {e.id for e in snapshot.entries}
    assert audit(planned, written(planned)) == ()
    if planned.archive_text is not None:
        assert planned.archive_text.startswith(snapshot.archive_text or "")
    for path in planned.texts:
        file = snapshot.file(path)
        if file.document is None:
            # A file is made for a new entry alone.
            assert file.status is Status.ABSENT and path in {one.file for one in planned.added}
            continue
        assert file.editable and not file.document.blocked
        assert encode(planned.texts[path]) != encode(file.document.text)
    assert not planned.added or planned.within_budget
    assert all(planned.destinations[one.move.destination] for one in planned.relocated)
    pinned = [e.id for e in snapshot.entries if e.pinned and planned.fates[e.id].outcome is Outcome.ARCHIVED]
    reasons = {i: d.departure.reason for d in planned.departures for i in d.entries}
    assert all(reasons[i].startswith("superseded by ") for i in pinned)
    assert not {i for d in planned.departures if d.evicted for i in d.entries} & set(planned.graced)
    if planned.reset_safe:
        assert not {c.kind for c in blocking(read_again(planned))} - {"legacy"}
    assert plan(read_again(planned)).texts == {}
    as_json(Receipt(planned, applied=False))
    as_markdown(Receipt(planned, applied=False))
    waiting = [c for c in planned.cards if c.blocks and c.decided is None and c.offers]
    listed = {e for c in planned.undecided if c.blocks for e in c.entries}
    assert all(listed.issuperset(c.entries) for c in waiting) and not (waiting and planned.reset_safe)


@given(passes())
def test_any_decisions_on_any_home(made: Pass) -> None:
    lawful(repeated(*made))
