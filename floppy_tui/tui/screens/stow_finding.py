"""The form of a finding: its words, what it is to the statements that are there, whom it belongs to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from floppy_tui.tiers.document import default_tier
from floppy_tui.tiers.layout import CAPTAIN, LEARNINGS, SHARED, Role
from floppy_tui.tiers.leaving import lost_words
from floppy_tui.tiers.markers import Tier
from floppy_tui.tiers.snapshot import Snapshot
from floppy_tui.tui import display
from floppy_tui.tui.display import TierMark
from floppy_tui.tui.screens.stow_form import FormDialog, ReadBody, item_lines
from floppy_tui.tui.screens.stow_handed import FILES, Finding, Owner, Question
from floppy_tui.tui.screens.stow_session import PassSession
from floppy_tui.tui.widgets.choice import Choice
from floppy_tui.tui.widgets.page import FAINT
from floppy_tui.tui.widgets.stow_inputs import EntryEditor, LineInput, NameInput, folded
from floppy_tui.tui.widgets.stow_statements import Alike, Statements

TIERS = (Tier.PINNED, Tier.AGING, Tier.PERISHABLE)
MOST_LOST = 12
"""Words that a statement loses, as they are listed."""


def project_names(snapshot: Snapshot) -> Iterable[str]:
    """The projects that are cloned below the home, as far as it was looked over."""
    from floppy_tui.offload.scope import HomeScope

    scope = snapshot.scope
    return sorted(scope.survey.projects) if isinstance(scope, HomeScope) else ()


class FindingDialog(FormDialog):
    """Gives the finding; with one for a backlog item the editor holds the item's whole body."""

    HEADING = "A finding of this session"

    def __init__(
        self,
        session: PassSession,
        card: str,
        finding: Finding,
        read_body: ReadBody,
        marks: Mapping[Tier, TierMark],
    ) -> None:
        super().__init__(session, card, read_body)
        self._given = finding
        self._marks = marks
        self._chosen = finding.chosen
        self._text_of = {"": finding.words, **finding.bodies}
        """What the editor held last: the statement under ``""``, else the body of that backlog item."""
        self._edited = ""
        """Which of them it holds now."""

    def fields(self) -> ComposeResult:
        given = self._given
        yield EntryEditor(given.words)
        yield Choice("it is", [*Question], given.question, id="question")
        yield Choice("for", [*Owner], given.owner, id="owner")
        known = NameInput(given.task, known=self.known_items, placeholder="its id", id="task")
        yield self.row("item", known, "task")
        projects = NameInput(
            given.project,
            known=lambda: project_names(self.session.snapshot),
            placeholder="its name below projects/",
            id="project",
        )
        yield self.row("project", projects, "project")
        yield Static(id="about")
        yield Choice("tier", [*TIERS], given.tier, id="tier")
        yield self.row("evidence", LineInput(given.evidence, id="evidence"), "evidence")
        yield Static(id="alike")
        yield Statements(self._marks)

    def on_mount(self) -> None:
        for name in ("question", "owner", "tier"):
            self.watch(self.query_one(f"#{name}", Choice), "value", self._choice_made, init=False)
        editor = self.query_one(EntryEditor)
        editor.move_cursor(editor.document.end)
        editor.focus()
        self._owner = self.query_one("#owner", Choice).value
        self.ready = True
        self.changed()

    def _choice_made(self) -> None:
        owner, tier = self.query_one("#owner", Choice), self.query_one("#tier", Choice)
        before, self._owner = self._owner, owner.value
        if before != owner.value and tier.value == self._default(before):
            tier.value = self._default(owner.value)
        if self.form.question is Question.NEW:
            self._chosen = ""
        elif not self._chosen and (alike := self._alike()):
            self._chosen = alike[0].entry.id
        self.changed()

    @staticmethod
    def _default(owner: str) -> str:
        return default_tier(FILES.get(Owner(owner), LEARNINGS))

    @on(Statements.Chosen)
    def _statement_chosen(self, message: Statements.Chosen) -> None:
        message.stop()
        self._chosen = message.entry
        if self.form.question is Question.NEW:
            self.query_one("#question", Choice).value = Question.DUPLICATE
        self.changed()

    # -- what stands there

    @property
    def form(self) -> Finding:
        held = {**self._text_of, self._edited: self.query_one(EntryEditor).words}
        value = {c.id: c.value for c in self.query(Choice)}
        line = {i.id: folded(i.value) for i in self.query(LineInput)}
        return Finding(
            words=held.pop(""),
            question=Question(value["question"]),
            chosen=self._chosen,
            owner=Owner(value["owner"]),
            task=line["task"],
            project=line["project"],
            tier=Tier(value["tier"]),
            evidence=line["evidence"],
            bodies=held,
        )

    def _alike(self) -> list[Alike]:
        """The statements most like the finding, and the one chosen, whether or not it is among them."""
        last, snapshot = self.last, self.session.snapshot
        found = [(last.snapshot.entries[p.right].id, p.score) for p in last.alike] if last else []
        alike = [Alike(snapshot.by_id[i], score) for i, score in found if i in snapshot.by_id]
        if self._chosen in snapshot.by_id and all(one.entry.id != self._chosen for one in alike):
            alike.append(Alike(snapshot.by_id[self._chosen], None))
        return alike

    # -- showing it

    def settle_fields(self) -> None:
        form, snapshot = self.form, self.session.snapshot
        new = form.question is Question.NEW
        self.query_one("#owner").display = new
        to_file = bool(form.file(snapshot))
        self.query_one("#tier").display = to_file
        self.show_rows(
            task=form.inscribed,
            project=new and form.owner is Owner.PROJECT,
            evidence=to_file or form.question is Question.SUPERSEDING,
        )
        needed = form.stamped(snapshot)
        said = "what in this session confirmed it?" if needed else "if there is any"
        self.query_one("#evidence", LineInput).placeholder = said
        if form.inscribed:
            self.want_body(form.task)
        self._edit_the_right_text(form)
        self.query_one("#about", Static).update(self._about(form))
        self.query_one("#alike", Static).update(self._question(form))
        self.query_one(Statements).show(self._alike(), self._chosen)

    def _edit_the_right_text(self, form: Finding) -> None:
        """Let the editor hold the body of the item where the finding goes into one, else the statement."""
        wanted = ""
        if form.inscribed and (form.task in self.bodies or form.task in self._text_of):
            wanted = form.task
        if wanted == self._edited:
            return
        editor = self.query_one(EntryEditor)
        self._text_of[self._edited] = editor.words
        self._edited = wanted
        if wanted not in self._text_of:
            parts = (self.bodies[wanted].strip("\n"), form.words.strip("\n"))
            self._text_of[wanted] = "\n\n".join(part for part in parts if part.strip())
        editor.load(self._text_of[wanted])
        editor.move_cursor(editor.document.end)

    def _about(self, form: Finding) -> Content:
        """Whom it goes to, and the backlog items where one has to be named."""
        if form.question is not Question.NEW:
            return display.content(_COMES[form.question], FAINT)
        foreign = form.owner is Owner.SHARED and self.session.snapshot.role is Role.SECONDMATE
        said = _FOREIGN if foreign else _GOES[form.owner]
        if self._edited:
            held = self.bodies.get(form.task, "").strip()
            said = (
                f"The whole body of {form.task}: what stands above replaces it."
                if held
                else f"The body of {form.task} is empty so far: what stands above becomes it."
            )
        lines = [display.content(said, FAINT)]
        if form.inscribed:
            width = max(20, self.size.width - 4)
            lines += item_lines(self.session.snapshot.records, form.task, width)
        return Content("\n").join(lines)

    def _question(self, form: Finding) -> Content:
        said = "Statements like it"
        if form.question is Question.NEW:
            return display.joined((said, "bold"), (" (choosing one says that it is there already)", FAINT))
        return display.joined((said, "bold"), (" · ↑↓ chooses", FAINT))

    def problem(self) -> str:
        form = self.form
        if not (form.inscribed and form.task):
            return ""
        if self._edited != form.task:
            return self.not_read(form.task)
        body, text = self.bodies.get(form.task, ""), form.bodies[form.task]
        if text.strip() == body.strip():
            return "The body is as it stands: write into it what was found."
        kept = {folded(line) for line in text.split("\n")}
        lost = next((line for line in body.split("\n") if folded(line) not in kept | {""}), "")
        if lost:
            said = (
                f"“{display.one_line(lost, 40)}” is no longer in it: a finding takes nothing out of a body."
            )
            return f"{said} To reword it, hand over a correction of the record instead."
        return ""

    def does(self) -> str:
        form, snapshot = self.form, self.session.snapshot
        if form.question is not Question.NEW:
            return _DOES[form.question]
        if file := form.file(snapshot):
            tier = Tier.AGING if form.demoted(snapshot) else form.tier
            return f"adds it to {file}, {tier}"
        return {
            Owner.TASK: f"has the body of {form.task} replaced by it",
            Owner.PROJECT: f"has a ship task filed for {form.project}",
            Owner.EVERYBODY: "has a ship task filed for the shared repository",
        }.get(form.owner, "routes it to the primary")

    def notes(self) -> Sequence[Content]:
        form, snapshot = self.form, self.session.snapshot
        lines = []
        if form.demoted(snapshot):
            lines.append(display.content(_DEMOTED, "$text-warning"))
        chosen = snapshot.by_id.get(form.chosen)
        if form.question is Question.SUPERSEDING and chosen is not None and form.words.strip():
            lost = lost_words(chosen.prose, form.words)
            if lost:
                more = " …" if len(lost) > MOST_LOST else ""
                said = (
                    f"No longer held: {', '.join(lost[:MOST_LOST])}{more}; the old words go to the archive."
                )
                lines.append(display.content(display.one_line(said), "$text-warning"))
        return lines


_GOES = {
    Owner.LEARNINGS: f"A fact of this fleet: {LEARNINGS}, for what is genuinely new alone.",
    Owner.CAPTAIN: f"A preference in this home's domain: {CAPTAIN}.",
    Owner.SHARED: f"A preference for every home: {SHARED}.",
    Owner.TASK: "A note on one task: the body of its backlog item.",
    Owner.PROJECT: "What a project is like: a ship task records it in its AGENTS.md.",
    Owner.EVERYBODY: "What everybody needs: a ship task records it in the shared repository.",
}
_FOREIGN = f"A preference for every home: routed to the primary, whose {SHARED} it is."
_COMES = {
    Question.DUPLICATE: "The statement chosen below says it already: nothing is added.",
    Question.SUPERSEDING: "The statement chosen below gets these words in the place of its own.",
    Question.OBSOLETE: "The statement chosen below does not hold any more: it goes to the archive.",
}
_DOES = {
    Question.DUPLICATE: "names the statement that says it",
    Question.SUPERSEDING: "gives the statement these words",
    Question.OBSOLETE: "asks for the reason, then archives the statement",
}
_DEMOTED = (
    "It names no condition that can be checked (an item, a version, an issue, a date), "
    "so it will be stored as aging."
)
