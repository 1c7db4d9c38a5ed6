"""The form of a move: trigger, destination, description and privacy, judged as one types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input, Static
from textual.worker import get_current_worker

from floppy_tui.store.files import StoreError
from floppy_tui.tiers.decisions import Move
from floppy_tui.tiers.scope import Place, Tested
from floppy_tui.tui import display
from floppy_tui.tui.commands import bindings
from floppy_tui.tui.screens.act import ActScreen, keys
from floppy_tui.tui.screens.offload_page import allows, destinations, verdicts
from floppy_tui.tui.widgets.detail import Detail
from floppy_tui.tui.widgets.page import FAINT, Page
from floppy_tui.tui.widgets.stow_inputs import LineInput, folded

_RESTS_AFTER = 0.12
"""Seconds without a key until what stands in the form is judged."""
FIELDS = {
    "trigger": "when it is needed, in one line: when …, before …",
    "destination": "a skill's name, or a path below the home",
    "description": "the skill's description; the trigger where it is empty",
    "privacy": "private, or public: why others may read it",
}
"""The fields and what belongs into each."""


@dataclass(frozen=True)
class Judgment:
    """What is thought of a move."""

    place: Place | None
    """Its destination."""
    tests: Sequence[Tested]
    places: Sequence[Place]
    """Every place that is there."""
    why: str = ""
    """Why nothing can be said."""


Judge = Callable[[Move], Judgment]
"""Called in a thread; may look at the disk, and raise ``StoreError``."""
ActOn = Callable[[Move], str]
"""Called in a thread; gives what was done, or raises ``StoreError``."""


class MoveScreen(ActScreen):
    """The form; enter in any field confirms it."""

    WHERE = "move"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("move")]

    class Judged(Message):
        """What stood in the form was judged."""

        def __init__(self, number: int, judgment: Judgment) -> None:
            super().__init__()
            self.number = number
            self.judgment = judgment

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, MoveScreen.Judged)

    def __init__(self, title: str, warning: str, move: Move, does: str, judge: Judge, act: ActOn) -> None:
        super().__init__()
        self._title = title
        self._warning = warning
        self._move = move
        self._does = does
        self._judge = judge
        self._acts = act
        self._judgment: Judgment | None = None
        self._waiting: Timer | None = None
        self._number = 0

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = display.line(self._title, 70)
            if self._warning:
                yield Static(display.content(self._warning, "$text-warning"), classes="warning")
            for name, hint in FIELDS.items():
                with Horizontal(classes="field"):
                    yield Static(Content(name), classes="label")
                    line = LineInput(display.one_line(getattr(self._move, name)), placeholder=hint)
                    line.id = name
                    yield line
            yield Detail()
            yield Static("", classes="problem")
            does = (("enter", self._does), ("tab", "next field"), ("esc", "does not"))
            yield Static(keys(*does), classes="hint")

    def on_mount(self) -> None:
        self.query_one(Detail).show(self._lines, top=True)
        empty = next((name for name in FIELDS if not getattr(self._move, name)), "")
        first = self.query_one(f"#{'destination' if empty != 'trigger' else empty}", LineInput)
        first.cursor_position = len(first.value)
        first.focus()
        self._judge_now()

    @property
    def move(self) -> Move:
        """What stands in the form; what nobody touched is taken as it was given."""
        said = {}
        for name in FIELDS:
            given: str = getattr(self._move, name)
            shown = self.query_one(f"#{name}", LineInput).value
            said[name] = given if shown == display.one_line(given) else folded(shown)
        return Move(**said)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self.tell("")
        if self._waiting is not None:
            self._waiting.stop()
        self._waiting = self.set_timer(_RESTS_AFTER, self._judge_now)

    def _judge_now(self) -> None:
        self._number += 1
        self._work_out(self._number, self.move)

    @work(thread=True, exclusive=True, group="offload-judge", exit_on_error=False, description="judge")
    def _work_out(self, number: int, move: Move) -> None:
        try:
            judgment = self._judge(move)
        except StoreError as why:
            judgment = Judgment(None, (), (), str(why))
        if not get_current_worker().is_cancelled:
            self.post_message(self.Judged(number, judgment))

    @on(Judged)
    def _judged_now(self, message: Judged) -> None:
        message.stop()
        if message.number == self._number:
            self._judgment = message.judgment
            self.query_one(Detail).show(self._lines, top=False)

    def _lines(self, width: int) -> Sequence[Content]:
        page, judged = Page(width), self._judgment
        if judged is None:
            return page.add(("Looking at the disk …", FAINT)).lines
        if judged.why:
            page.add((judged.why, "$text-error"))
        place = judged.place
        if place is not None and not judged.tests:
            allows(page, place)
        verdicts(page, sorted(judged.tests, key=lambda test: test.passes))
        destinations(page, judged.places)
        return page.lines

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.carry_out(partial(self._acts, self.move), "A moment …")
