"""How the app speaks: sentences for the person, tracebacks for the log."""

from __future__ import annotations

from pathlib import Path

from textual import on, work
from textual.app import App
from textual.message import Message
from textual.notifications import SeverityLevel
from textual.worker import Worker, WorkerState

from floppy_tui.store.files import StoreError
from floppy_tui.store.log import write_log
from floppy_tui.tui import display


class Said(Message):
    """A worker has something to say."""

    def __init__(self, words: str, severity: SeverityLevel = "information") -> None:
        super().__init__()
        self.words = words
        self.severity = severity


class SpeakingApp(App[None]):
    """An app that never shows markup of others, nor a traceback."""

    log_file: Path
    """Where tracebacks go."""

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """Every notice may quote untrusted text, so none is markup."""
        super().notify(display.shown(message), title=title, severity=severity, timeout=timeout, markup=False)

    def say(self, words: str, severity: SeverityLevel = "information") -> None:
        """Say something in a sentence."""
        self.notify(words, severity=severity)

    @on(Said)
    def _say(self, message: Said) -> None:
        message.stop()
        self.say(message.words, message.severity)

    @on(Worker.StateChanged)
    def _worker_failed(self, event: Worker.StateChanged) -> None:
        if event.state is not WorkerState.ERROR or event.worker.error is None:
            return
        error = event.worker.error
        if isinstance(error, StoreError):
            self.say(str(error), "error")
        else:
            self._log_error(error)

    @work(thread=True, group="log", exit_on_error=False, description="log")
    def _log_error(self, error: BaseException) -> None:
        self.post_message(Said(self._logged(error), "error"))

    def _logged(self, error: BaseException) -> str:
        """Write a traceback to the log; the sentence that stands for it."""
        written = write_log(error, self.log_file)
        where = f"the details are in {self.log_file}" if written else "no log could be written"
        return f"Something went wrong that should not ({type(error).__name__}); {where}."

    def _fatal_error(self) -> None:
        """End with a sentence instead of Textual's traceback, which goes to the log."""
        from rich.text import Text

        error = self._exception
        said = display.shown(self._logged(error)) if error else "It ended early."
        self._exit_renderables.clear()
        self._exit_renderables.append(Text(said))
        self._close_messages_no_wait()
