"""Whatever a home holds and whatever is decided, a plan comes out, and it loses nothing."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from homes import TODAY, repeated, written
from hypothesis import given
from hypothesis import strategies as st
from strategies import PROSE, memory_files

from floppy_tui.text.lines import encode
from floppy_tui.tiers.audit import audit
from floppy_tui.tiers.budget import Allowance
from floppy_tui.tiers.cards import ACCEPTABLE
from floppy_tui.tiers.clocks import Horizon
from floppy_tui.tiers.decisions import Decision, Do, Verdict, decide
from floppy_tui.tiers.layout import CAPTAIN, FILES, LEARNINGS, SHARED, Role
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.receipt import Receipt, as_json, as_markdown
from floppy_tui.tiers.snapshot import Snapshot, memory_file
from floppy_tui.tiers.stow import Outcome, Plan, accept, plan

SAID = st.sampled_from(["task lint-q4 hit it", "pull request 12 showed it", "", "seems right"])
REASONS = st.sampled_from(
    ["unreinforced 40d", "legacy-unvalidated", "superseded by the new pool", "gone [archived: x]", "", "a\nb"]
)
LINES = st.lists(PROSE, min_size=2, max_size=3).map("\n".join)
TEXTS = st.one_of(PROSE, PROSE, LINES, st.just("lamp\n\n- a\n- b"))
TIERS = st.sampled_from([None, Tier.PINNED, Tier.AGING, Tier.PERISHABLE, Tier.GRACE, Tier.UNMARKED])
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "evidence": SAID,
        "reason": REASONS,
        "text": TEXTS,
        "tier": TIERS,
        "verdict": st.sampled_from([None, *Verdict]),
    },
)


@st.composite
def homes(draw: st.DrawFn) -> Snapshot:
    """A home: three files at most, of any content, primary or secondmate, with any allowance and clock."""
    role = draw(st.sampled_from([Role.PRIMARY, Role.PRIMARY, Role.SECONDMATE]))
    data = {
        LEARNINGS: draw(memory_files()),
        CAPTAIN: draw(st.none() | memory_files()),
        SHARED: draw(st.none() | memory_files()),
    }
    on = draw(st.booleans())
    return Snapshot(
        root="home",
        role=role,
        today=draw(st.dates(date(2026, 6, 1), date(2027, 1, 31)) | st.just(TODAY)),
        allowance=Allowance(digits=str(draw(st.sampled_from([1, 20, 60, 100, 150, 250, 10_000])))),
        files=tuple(memory_file(path, data[path], role) for path in FILES),
        archive_text=draw(st.sampled_from([None, "", "# Archive\n\n## 2026-10-01 stow\n- old", "```\nopen"])),
        horizon=Horizon(on, on and draw(st.booleans())),
    )


@st.composite
def raw_decisions(draw: st.DrawFn, snapshot: Snapshot) -> Decision:
    """A decision that nobody would offer: any act on any entries, sections or files."""
    act = draw(st.sampled_from(Do))
    fields = dict(draw(FIELDS))
    if draw(st.booleans()):
        fields["evidence"] = "task lint-q4 hit it"
    if act in (Do.ARCHIVE_SECTION, Do.TAKE_AS_ONE, Do.SPLIT):
        places = [(d.file, h.path) for d in snapshot.documents for h in d.headings]
        if places:
            fields["file"], fields["heading"] = draw(st.sampled_from(places))
        return decide(snapshot, act, **fields)
    if act in (Do.POINTER, Do.REPAIR):
        return decide(snapshot, act, file=draw(st.sampled_from([*FILES, "x"])), **fields)
    if not snapshot.entries:
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
    for _ in range(draw(st.integers(0, 3))):
        offers = [o for c in plan(snapshot, taken).cards for o in c.offers]
        if offers:
            for offer in draw(st.lists(st.sampled_from(offers), max_size=5)):
                fields = draw(FIELDS)
                taken.append(offer.decision.with_(**{n: fields[n] for n in offer.needs if n in fields}))
    taken += draw(st.lists(raw_decisions(snapshot), max_size=4))
    kinds = draw(st.lists(st.sampled_from(ACCEPTABLE), unique=True))
    return Pass(snapshot, accept(snapshot, taken, kinds))


def lawful(planned: Plan) -> None:
    """What holds of every plan."""
    snapshot = planned.snapshot
    assert set(planned.fates) == {e.id for e in snapshot.entries}
    assert audit(planned, written(planned)) == ()
    if planned.archive_text is not None:
        assert planned.archive_text.startswith(snapshot.archive_text or "")
    for path in planned.texts:
        file = snapshot.file(path)
        assert file.editable and file.document is not None and not file.document.blocked
        assert encode(planned.texts[path]) != encode(file.document.text)
    pinned = [e.id for e in snapshot.entries if e.pinned and planned.fates[e.id].outcome is Outcome.ARCHIVED]
    reasons = {i: d.departure.reason for d in planned.departures for i in d.entries}
    assert all(reasons[i].startswith("superseded by ") for i in pinned)
    assert not {i for d in planned.departures if d.evicted for i in d.entries} & set(planned.graced)
    as_json(Receipt(planned, applied=False))
    as_markdown(Receipt(planned, applied=False))
    assert planned.reset_safe <= (not planned.undecided or not any(c.blocks for c in planned.undecided))


@given(passes())
def test_any_decisions_on_any_home(made: Pass) -> None:
    lawful(repeated(*made))
