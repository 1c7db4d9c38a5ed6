"""The commit of a memory: the exact files, their difference, the message, then each step as it runs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from threading import Event
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static
from textual.worker import get_current_worker

from floppy_tui.store.files import StoreError
from floppy_tui.tui import display
from floppy_tui.tui.commands import bindings
from floppy_tui.tui.screens.act import ActScreen, keys
from floppy_tui.tui.screens.notes_plan import capital, diff_lines
from floppy_tui.tui.widgets.detail import Detail
from floppy_tui.tui.widgets.page import FAINT, Page
from floppy_tui.tui.widgets.stow_inputs import EntryEditor
from floppy_tui.tui.widgets.ticks import Ticks

if TYPE_CHECKING:
    from floppy_tui.store.note_tree import NoteStore
    from floppy_tui.store.publish import Standing, Step
    from floppy_tui.store.undo import Act

_HEADS = (("new file", "  new file"), ("deleted file", "  removed"), ("Binary", "  (not text)"))
_SIGNS = {"A": "+ new", "M": "~ changed", "D": "- removed", "U": "! in conflict"}

_CHOOSING = keys(
    ("ctrl+s", "commits these files"), ("space", "chooses"), ("tab", "next"), ("esc", "does not")
)


class CommitScreen(ActScreen):
    """The screen; dismissed with what came of it, or None where nothing was committed."""

    WHERE = "notecommit"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("notecommit")]

    class Stands(Message):
        """How the repository stands, the acts since the last commit, and why nothing would publish them."""

        def __init__(self, standing: Standing, acts: Sequence[Act], unpublished: str) -> None:
            super().__init__()
            self.standing = standing
            self.acts = acts
            self.unpublished = unpublished

    class Differs(Message):
        """The difference of the chosen files."""

        def __init__(self, paths: tuple[str, ...], text: str) -> None:
            super().__init__()
            self.paths = paths
            self.text = text

    class Stepped(Message):
        """A step has run."""

        def __init__(self, step: Step) -> None:
            super().__init__()
            self.step = step

    class Ended(Message):
        """It is over; ``why`` says why it could not even be begun."""

        def __init__(self, steps: tuple[Step, ...], why: str) -> None:
            super().__init__()
            self.steps = steps
            self.why = why

    def __init__(self, store: NoteStore) -> None:
        super().__init__()
        self._store = store
        self._standing: Standing | None = None
        self._diff: tuple[tuple[str, ...], str] = ((), "")
        self._steps: list[Step] = []
        self._over = ""
        """What came of it; ``""`` until it is over."""
        self._committed = False
        self._stop = Event()

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = Content("Commit")
            yield Static(Content("Looking at the repository …"), classes="lead")
            with Horizontal(classes="panes"):
                with Vertical(classes="choice"):
                    yield Ticks(id="files")
                    yield Static(Content("message"), classes="label-above")
                    yield EntryEditor("", id="message")
                yield Detail()
            yield Static("", classes="problem")
            yield Static(_CHOOSING, classes="hint")

    def on_mount(self) -> None:
        self.query_one("#files").focus()
        self._look()

    @work(thread=True, exclusive=True, group="notes-look", exit_on_error=False, description="standing")
    def _look(self) -> None:
        from floppy_tui.store.tree_layout import layout

        try:
            standing = self._store.standing()
            acts = self._store.acts_since(standing.last)
            half_done = "" if standing.problem else " ".join(f.message for f in layout(self._store.home))
        except StoreError as why:
            self.post_message(self.Refused(str(why)))
        else:
            self.post_message(self.Stands(standing, acts, half_done))

    @on(Stands)
    def _stands(self, message: Stands) -> None:
        message.stop()
        standing = self._standing = message.standing
        files = self.query_one("#files", Ticks)
        for changed in standing.files:
            words = display.joined(
                (f"{_SIGNS.get(changed.status, '?'):11}", FAINT), display.line(changed.path, 60)
            )
            files.offer(changed.path, words, chosen=changed.status != "U")
        # Acts on other files, such as the journal, are none of this commit.
        here = {changed.path for changed in standing.files}
        acts = [act for act in message.acts if here.intersection(act.files)]
        said = [act.message or capital(act.words) for act in acts]
        editor = self.query_one("#message", EntryEditor)
        if not editor.words:
            editor.load(proposed(said))
        self.query_one(".lead", Static).update(self._where(standing))
        self.tell(standing.problem or message.unpublished)
        self._chosen_again()

    def _where(self, standing: Standing) -> Content:
        if standing.top is None:
            return Content("")
        branch = standing.branch or "no branch"
        pushes = self._store.publisher.push
        goes = f"then pulled with rebase and pushed to {standing.upstream or 'nowhere: it has no upstream'}"
        parts = [
            display.joined((str(standing.top), "bold"), f" on {branch}"),
            display.content(goes if pushes else "nothing is pushed (commit_push=never)", FAINT),
        ]
        if standing.ahead and pushes:
            earlier = display.counted(standing.ahead, "earlier commit")
            parts.append(display.content(f"{earlier} not yet pushed would go with it", "$text-warning"))
        if standing.behind:
            parts.append(display.content(f"{standing.behind} behind as last fetched", "$text-warning"))
        if standing.others:
            other = display.counted(standing.others, "staged file")
            parts.append(display.content(f"{other} elsewhere stay staged", FAINT))
        if not standing.files:
            parts.append(display.content("everything is as it was committed", FAINT))
        return Content(" · ").join(parts)

    @property
    def chosen(self) -> tuple[str, ...]:
        """The files that would be committed."""
        return self.query_one("#files", Ticks).chosen

    @on(Ticks.Changed)
    def _chosen_changed(self, event: Ticks.Changed) -> None:
        event.stop()
        self._chosen_again()

    @on(Ticks.Done)
    def _files_done(self, event: Ticks.Done) -> None:
        event.stop()
        self.query_one("#message").focus()

    def _chosen_again(self) -> None:
        self._compare(self.chosen)

    @work(thread=True, exclusive=True, group="notes-diff", exit_on_error=False, description="diff")
    def _compare(self, paths: tuple[str, ...]) -> None:
        try:
            text = self._store.diff(paths) if paths else ""
        except StoreError as why:
            text = str(why)
        if not get_current_worker().is_cancelled:
            self.post_message(self.Differs(paths, text))

    @on(Differs)
    def _differs(self, message: Differs) -> None:
        message.stop()
        self._diff = message.paths, message.text
        if not self.busy and not self._over:
            self.query_one(Detail).show(self._difference, top=True)

    def _difference(self, width: int) -> Sequence[Content]:
        paths, text = self._diff
        page = Page(width)
        if not paths:
            return page.add(("No file is chosen.", FAINT)).lines
        page.add((f"{display.counted(len(paths), 'file')}, and nothing else:", "bold"))
        if not text.startswith("diff --git "):
            page.blank().add((text, "$text-error"))
        for name, lines in by_file(text):
            page.blank().add((name, "bold"))
            page.lines.extend(diff_lines(lines, page.width))
        return page.lines

    # Committing.

    def why_not(self, name: str) -> str:
        if name == "commit":
            if self.busy or self._over:
                return "It runs, or is over already."
            if self._standing is None:
                return "The repository is still being looked at."
            if self._standing.problem:
                return self._standing.problem
            if not self.chosen:
                return "No file is chosen; space chooses one."
            if not self.query_one("#message", EntryEditor).words.strip():
                return "A commit needs a message; say what was learned, and what replaced what."
            return ""
        if name == "leave" and not self._over:
            return (
                "It still runs; esc stops it."
                if self.busy
                else "Nothing was committed yet: ctrl+s does, esc does not."
            )
        if name == "close" and self.busy:
            return ""
        return super().why_not(name)

    def do_commit(self) -> None:
        self.busy = True
        self.tell("")
        pane = self.query_one(Detail)
        self.query_one(".choice").display = False
        self.query_one(".hint", Static).update(keys(("esc", "stops it")))
        pane.show(self._ran, top=True)
        pane.focus()
        self._commit(self.chosen, self.query_one("#message", EntryEditor).words)

    @work(thread=True, group="notes-act", exit_on_error=False, description="commit")
    def _commit(self, paths: tuple[str, ...], message: str) -> None:
        try:
            steps = self._store.commit(paths, message, self._tell_step, self._stop.is_set)
        except StoreError as why:
            self.post_message(self.Ended((), str(why)))
        else:
            self.post_message(self.Ended(steps, ""))

    def _tell_step(self, step: Step) -> None:
        self.post_message(self.Stepped(step))

    @on(Stepped)
    def _stepped(self, message: Stepped) -> None:
        message.stop()
        self._steps.append(message.step)
        self._committed = self._committed or (message.step.title == "Commit" and message.step.ok)
        self._show_end()

    @on(Ended)
    def _ended(self, message: Ended) -> None:
        message.stop()
        if message.why and not self._steps:
            self._choose_again(message.why)
            return
        # One that was asked to stop when its last step had run has stopped nothing.
        well = all(step.ok for step in message.steps if step.title != "Stopped")
        if message.why:
            said = message.why
        elif any(step.title == "Push" and step.ok for step in message.steps):
            said = "Committed and pushed."
        elif self._committed and well and not self._store.publisher.push:
            said = "Committed; nothing was pushed."
        elif self._committed:
            said = "Committed here, and not pushed: what git says stands above."
        else:
            said = "Nothing was committed: what git says stands above."
        self._end(said)

    def _choose_again(self, why: str) -> None:
        """Nothing was run; other files may be chosen."""
        self.busy = False
        self._stop.clear()
        self.query_one(".choice").display = True
        self.query_one(".hint", Static).update(_CHOOSING)
        self.query_one("#files").focus()
        self.query_one(Detail).show(self._difference, top=True)
        self.tell(why)

    def _end(self, said: str) -> None:
        self.busy, self._over = False, said
        self.tell("")
        self.query_one(".hint", Static).update(keys(("enter", "closes this"), ("j k", "scroll")))
        self._show_end()

    def gone_wrong(self) -> None:
        self._end("It ended in a way that should not be; the log says how, and r shows how things stand.")

    def _show_end(self) -> None:
        pane = self.query_one(Detail)
        pane.show(self._ran, top=False)
        pane.do_last()

    def _ran(self, width: int) -> Sequence[Content]:
        page = Page(width)
        for n, step in enumerate(self._steps, 1):
            page.step(n, step.title, step.command, step.result, ok=step.ok)
        if self.busy:
            page.add((f"… step {len(self._steps) + 1} is under way", FAINT))
        elif self._over:
            page.blank().add((self._over, "bold"))
        return page.lines

    def do_leave(self) -> None:
        self.dismiss(self._over if self._committed else None)

    def do_close(self) -> None:
        if self.busy:
            self._stop.set()
            self.tell("Stopping: git is asked to end; what is done stays done.", "$text-muted")
        else:
            self.dismiss(self._over if self._committed else None)


def by_file(diff: str) -> Iterator[tuple[str, Sequence[str]]]:
    """The parts of git's ``diff``, each with the words of its head and the lines below it."""
    for part in re.split(r"^(?=diff --git )", diff, flags=re.M):
        head, at, rest = part.partition("\n@@")
        if not head.startswith("diff --git "):
            continue
        lines = head.split("\n")
        names = [
            line[4:].removeprefix("a/").removeprefix("b/") for line in lines if line[:4] in ("--- ", "+++ ")
        ]
        name = next((n for n in reversed(names) if n != "/dev/null"), lines[0].removeprefix("diff --git "))
        what = next((w for line in lines for key, w in _HEADS if line.startswith(key)), "")
        yield f"{name}{what}", f"@@{rest}".rstrip("\n").split("\n") if at else []


def proposed(messages: Sequence[str]) -> str:
    """What a commit of several acts would say: their subjects on one line, or one below the other."""
    said = [m.strip() for m in messages if m.strip()]
    if len(said) < 2:
        return said[0] if said else ""
    subjects = [m.split("\n", 1)[0] for m in said]
    bodies = [m.split("\n", 1)[1].strip() for m in said if "\n" in m]
    return "\n\n".join([f"{subjects[0]}, and more", "\n".join(f"- {s}" for s in subjects), *bodies])
