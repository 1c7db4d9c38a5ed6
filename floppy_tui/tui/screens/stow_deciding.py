"""How the cards of the wizard are decided: each command asks for what its offer needs, then commits it.

A dialog is opened on one offer, which is frozen data; what comes back is that offer's decision, whatever the
cursor stands on by then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from textual.content import Content
from textual.screen import Screen

from floppy_tui.tiers.cards import Card, Offer, Step, Verb
from floppy_tui.tiers.conditions import checkable, find_condition
from floppy_tui.tiers.decisions import Decision, Do, evidence_problem
from floppy_tui.tiers.document import Entry
from floppy_tui.tiers.markers import Tier
from floppy_tui.tui import display
from floppy_tui.tui.commands import Command, Commanded, get, keys_of, spelled
from floppy_tui.tui.screens.stow_dialogs import Choice, ChoiceDialog, PageDialog
from floppy_tui.tui.screens.stow_leaving import decision_by, line_of
from floppy_tui.tui.screens.stow_line import Line, LineDialog
from floppy_tui.tui.screens.stow_session import PassSession, acceptable
from floppy_tui.tui.screens.stow_text import Edited, Source, TextDialog
from floppy_tui.tui.widgets.stow_gauge import change

MARKS = (Do.LOW_UTILITY, Do.CONDITIONAL)
"""Marks of the retention plan, which have keys of their own: nothing leaves by them."""
VERBS = {
    "accept": Verb.ACCEPT,
    "evidence": Verb.EVIDENCE,
    "repeat": Verb.EVIDENCE,
    "edit": Verb.EDIT,
    "retier": Verb.RETIER,
    "leave": Verb.LEAVE,
    "stay": Verb.STAY,
}
MARKING = ("low_utility", "conditional")
_NAME = 60


def offers_for(card: Card, name: str) -> tuple[Offer, ...]:
    """The offers of a card that the command of this name takes."""
    if name in ("low_utility", "conditional"):
        do = Do.LOW_UTILITY if name == "low_utility" else Do.CONDITIONAL
        return tuple(o for o in card.offers if o.decision.do is do)
    verb = VERBS.get(name)
    return tuple(o for o in card.offers if o.verb is verb and o.decision.do not in MARKS)


def offer_label(offers: Sequence[Offer]) -> str:
    """A key's label: the verb and the tokens, and whether there are other ways."""
    first = offers[0]
    tokens = f" {change(first.effect)}" if first.effect else ""
    more = " …" if len(offers) > 1 else ""
    return f"{display.one_line(first.label, 28)}{tokens}{more}"


class Deciding(Commanded, Screen[None]):
    """The part of the wizard that decides; the screen says what is shown and keeps the plan."""

    session: PassSession

    def commit(self, decisions: Sequence[Decision], card: Card | None) -> None:
        """Take decisions; the cursor moves on where it still stands on ``card``, or where that is None."""
        raise NotImplementedError

    def say(self, words: str) -> None:
        """Say what a key did, or why it did nothing."""
        raise NotImplementedError

    # -- what each key would do

    def targets(self, name: str) -> tuple[Card, ...]:
        """The cards that a command decides on: those selected, for evidence and grace, else the one shown."""
        session = self.session
        if session.selected and name in ("accept", "evidence", "repeat"):
            return tuple(c for c in session.cards_of(session.step) if c.key in session.selected)
        return (session.current,) if session.current else ()

    def takes(self, name: str) -> tuple[tuple[Card, Offer], ...]:
        """Cards with the offers that a command takes; where several are decided, the first of each card."""
        cards = self.targets(name)
        if len(cards) == 1 and not self.session.selected:
            return tuple((cards[0], o) for o in offers_for(cards[0], name))
        found = (
            (c, acceptable(c) if name == "accept" else next(iter(offers_for(c, name)), None)) for c in cards
        )
        return tuple((c, o) for c, o in found if o is not None)

    def label_of(self, command: Command) -> str:
        takes = self.takes(command.name) if command.name in VERBS or command.name in MARKING else ()
        if not takes:
            return command.label
        if self.session.selected and command.name in ("accept", "evidence", "repeat"):
            total = sum(o.effect for _, o in takes)
            labels = {o.label for _, o in takes}
            verb = "evidence" if command.name != "accept" else labels.pop() if len(labels) == 1 else "accept"
            return f"{verb} for {len(takes)} {change(total)}"
        if command.name == "repeat":
            return f"again: {display.one_line(self.session.evidence, 18)}"
        return offer_label([o for _, o in takes])

    def key_of(self, name: str) -> str:
        """The key of a command as it is printed on keyboards."""
        return spelled(next(iter(keys_of(get(f"stow.{name}"), self.keymap)), ""))

    def why_no_offer(self, name: str) -> str:
        """Why a command that decides has nothing to decide on, as a sentence; ``""`` where it has."""
        if name not in VERBS and name not in MARKING:
            return ""
        if self.session.current is None:
            return "There is no card here."
        if self.takes(name):
            return ""
        what = {
            "accept": "to accept",
            "evidence": "that takes evidence",
            "repeat": "that takes evidence",
            "edit": "to edit",
            "retier": "to retier",
            "leave": "to archive",
            "stay": "to decide",
        }.get(name, "to mark")
        return f"There is nothing {what} on this card."

    # -- the commands

    def do_accept(self) -> None:
        takes = self.takes("accept")
        ready = [(c, o) for c, o in takes if acceptable(c) is not None and not o.needs]
        if len(self.targets("accept")) > 1 or (len(ready) == len(takes) == 1):
            self.commit([o.decision for _, o in ready], self._alone(ready))
        elif takes:
            self._choose([o for _, o in takes], partial(self._accept, takes[0][0]))

    def _accept(self, card: Card, offer: Offer) -> None:
        if "evidence" in offer.needs:
            self._ask_evidence([(card, offer)], "accept")
        else:
            self.commit([offer.decision], card)

    def do_stay(self) -> None:
        takes = self.takes("stay")
        self._choose([o for _, o in takes], lambda offer: self.commit([offer.decision], takes[0][0]))

    def do_evidence(self) -> None:
        self._ask_evidence(self.takes("evidence"), "evidence")

    def do_repeat(self) -> None:
        takes, evidence = self.takes("evidence"), self.session.evidence
        problem = self._evidence_problem(takes, evidence)
        if problem:
            self.say(problem)
        else:
            self.commit([o.decision.with_(evidence=evidence) for _, o in takes], self._alone(takes))

    def _ask_evidence(self, takes: Sequence[tuple[Card, Offer]], name: str) -> None:
        total = sum(o.effect for _, o in takes)
        title = f"Evidence for {self._named([c for c, _ in takes])}: what in this session confirmed it?"
        line = Line(
            display.content(title, "bold"),
            "",
            f"gives it ({change(total)})",
            lambda text: self._evidence_problem(takes, text),
        )

        def given(answer: tuple[int, str] | None) -> None:
            if answer is not None:
                self.session.evidence = answer[1]
                decided = [o.decision.with_(evidence=answer[1]) for _, o in takes]
                self.commit(decided, self._alone(takes))

        dialog = LineDialog(
            [line], "evidence", "in words: what was exercised, confirmed, re-derived", self.key_of(name)
        )
        self.app.push_screen(dialog, given)

    def _evidence_problem(self, takes: Sequence[tuple[Card, Offer]], evidence: str) -> str:
        for card, offer in takes:
            prose = "\n".join(e.prose for e in self._entries(card, offer))
            if problem := evidence_problem(evidence, prose):
                several = len(takes) > 1 and evidence.strip()
                return f"{problem} ({self._named([card])})" if several else problem
        return ""

    def do_leave(self) -> None:
        takes = self.takes("leave")
        card = takes[0][0]
        self.ask_to_leave(self._named([card]), [o for _, o in takes], lambda d: self.commit([d], card))

    def ask_to_leave(self, named: str, offers: Sequence[Offer], then: Callable[[Decision], None]) -> None:
        """Open the line by which something leaves, filled in for the first offer; enter goes on with it."""
        lines = [line_of(offer, named, self.session.snapshot) for offer in offers]
        asked = "why it leaves" if offers[0].decision.move is None else "when it is needed: when …, before …"

        def given(answer: tuple[int, str] | None) -> None:
            if answer is not None:
                then(decision_by(offers[answer[0]], answer[1]))

        self.app.push_screen(LineDialog(lines, "reason", asked, self.key_of("leave")), given)

    def do_low_utility(self) -> None:
        self._ask_mark("low_utility", "why it is of low utility", "marks it")

    def do_conditional(self) -> None:
        self._ask_mark("conditional", "the trigger it is needed for", "marks it")

    def _ask_mark(self, name: str, asked: str, does: str) -> None:
        card, offer = self.takes(name)[0]
        title = display.joined((f"{offer.label.capitalize()} ", "bold"), f"{self._named([card])}: {asked}")
        line = Line(title, offer.decision.reason, does, lambda text: "" if text else f"Say {asked}.")

        def given(answer: tuple[int, str] | None) -> None:
            if answer is not None:
                self.commit([offer.decision.with_(reason=answer[1])], card)

        self.app.push_screen(LineDialog([line], "reason", asked, self.key_of(name)), given)

    def do_edit(self) -> None:
        takes = self.takes("edit")
        self._choose([o for _, o in takes], partial(self._edit, takes[0][0]))

    def _edit(self, card: Card, offer: Offer) -> None:
        entries = self._entries(card, offer)
        merging = offer.decision.do is Do.MERGE
        title = "Merge into one current statement" if merging else "The new words"
        names = [f"{e.file}:{e.lines[0]}" for e in entries]
        sources = [Source(name, e.prose) for name, e in zip(names, entries, strict=True)]
        words = offer.decision.text or (entries[0].prose if entries else "")
        draft = self.session.drafts.get(card.key, words)

        def given(edited: Edited | None) -> None:
            if edited is None:
                return
            if edited.taken:
                self.commit([offer.decision.with_(text=edited.words)], card)
            elif edited.words != words:
                self.session.drafts[card.key] = edited.words

        check = partial(self._words_problem, merging, entries)
        self.app.push_screen(TextDialog(display.content(title, "bold"), draft, sources, check), given)

    def _words_problem(self, merging: bool, entries: Sequence[Entry], text: str) -> str:
        words = text.strip()
        if not words:
            return "The new statement is missing."
        if not merging and entries and words == entries[0].prose.strip():
            return "These are the words as they stand."
        perishable = entries and entries[0].tier is Tier.PERISHABLE and not merging
        if (
            perishable
            and find_condition(words, self.session.snapshot.today, self.session.snapshot.records) is None
        ):
            return "A perishable entry must name a condition that can be checked."
        return ""

    def do_retier(self) -> None:
        card, offer = self.takes("retier")[0]
        entry = next(iter(self._entries(card, offer)), None)
        if entry is None:
            return
        now = Tier.PINNED if entry.pinned else entry.tier
        condition = checkable(entry.prose, self.session.snapshot.records)
        details = {
            Tier.PINNED: "no clock: it stays until the captain says otherwise",
            Tier.AGING: "stale 30 days after it was last reinforced",
            Tier.PERISHABLE: "stale after 7 days"
            if condition
            else "needs a condition in its words that can be checked; this names none",
        }
        tiers = [tier for tier in details if tier is not now]
        wanted = offer.decision.tier
        choices = [Choice(str(tier), details[tier]) for tier in tiers]
        title = display.content(f"Retier {self._named([card])}, now {now}", "bold")

        def chosen(at: int | None) -> None:
            if at is not None:
                self._ask_retier(card, offer, entry, tiers[at])

        at = tiers.index(wanted) if wanted in tiers else 0
        self.app.push_screen(ChoiceDialog(title, choices, at), chosen)

    def _ask_retier(self, card: Card, offer: Offer, entry: Entry, tier: Tier) -> None:
        title = display.joined(
            (f"To {tier}: ", "bold"), "evidence, if there is any (with it the date is today's)"
        )

        def check(text: str) -> str:
            if text.strip():
                return evidence_problem(text, entry.prose)
            if tier is Tier.PINNED and entry.tier in (Tier.UNMARKED, Tier.GRACE):
                return "It was never confirmed: pinning it needs evidence."
            if tier is not Tier.PINNED and entry.reinforced is None:
                return "It carries no date yet: giving it a clock needs evidence."
            if tier is Tier.PERISHABLE and not checkable(entry.prose, self.session.snapshot.records):
                return "A perishable entry must name a condition that can be checked."
            return ""

        def given(answer: tuple[int, str] | None) -> None:
            if answer is not None:
                self.session.evidence = answer[1] or self.session.evidence
                self.commit([offer.decision.with_(tier=tier, evidence=answer[1])], card)

        line = Line(title, "", f"makes it {tier}", check)
        dialog = LineDialog([line], "evidence", "empty: the date stays as it is", self.key_of("retier"))
        self.app.push_screen(dialog, given)

    def do_accept_all(self) -> None:
        step = self.session.step
        found = self.rest(step)
        lines = [
            display.joined(("• ", ""), (f"{o.label} {change(o.effect)}  ", "bold"), display.one_line(c.title))
            for c, o in found
        ]
        total = change(sum(o.effect for _, o in found))
        title = display.content(
            f"Accept the rest of {step.title}: {len(found)}, {total} tokens, none removed", "bold"
        )

        def given(yes: bool | None) -> None:
            if yes:
                self.commit([o.decision for _, o in found], None)

        self.app.push_screen(PageDialog(title, lines, "enter", "accepts them all", "accepts none"), given)

    def rest(self, step: Step) -> tuple[tuple[Card, Offer], ...]:
        """The open cards of a step with proposals that remove nothing."""
        found = ((c, acceptable(c)) for c in self.session.cards_of(step) if c.open)
        return tuple((c, o) for c, o in found if o is not None)

    def do_select(self) -> None:
        session = self.session
        card = session.current
        if card is not None:
            session.selected ^= {card.key}
            session.move(1)
            self.show()

    def show(self) -> None:
        """Show everything as it stands now."""
        raise NotImplementedError

    # -- small things

    @staticmethod
    def _alone(takes: Sequence[tuple[Card, Offer]]) -> Card | None:
        """The card that is decided, where it is one alone."""
        return takes[0][0] if len(takes) == 1 else None

    def _choose(self, offers: Sequence[Offer], then: Callable[[Offer], None]) -> None:
        """Go on with the one offer there is, or ask for one of several."""
        if len(offers) == 1:
            then(offers[0])
            return

        def chosen(at: int | None) -> None:
            if at is not None:
                then(offers[at])

        choices = [Choice(o.label, change(o.effect) if o.effect else "") for o in offers]
        self.app.push_screen(ChoiceDialog(Content.styled("Which one?", "bold"), choices), chosen)

    def _entries(self, card: Card, offer: Offer) -> tuple[Entry, ...]:
        """The entries that an offer is about, as far as the newest reading still has them."""
        by_id = self.session.snapshot.by_id
        ids = [t.id for t in offer.decision.targets] or list(card.entries)
        return tuple(by_id[i] for i in ids if i in by_id)

    def _named(self, cards: Sequence[Card]) -> str:
        """Cards by their titles, for a sentence."""
        names = [f"“{display.one_line(c.title, _NAME)}”" for c in cards[:3]]
        more = f" and {len(cards) - 3} more" if len(cards) > 3 else ""
        return ", ".join(names) + more
