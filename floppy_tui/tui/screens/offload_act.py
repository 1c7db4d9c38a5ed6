"""What the dialogs of the Offload view share: they first look at what a proposal would do now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import on, work
from textual.content import Content
from textual.message import Message

from floppy_tui.store.files import StoreError
from floppy_tui.tui.screens.act import ActScreen
from floppy_tui.tui.widgets.detail import Detail

if TYPE_CHECKING:
    from floppy_tui.offload.proposal import Proposal
    from floppy_tui.store.live import Store
    from floppy_tui.store.offloading import Preview


class PreviewScreen(ActScreen):
    """A dialog on a proposal that first looks at what it would do, as everything is now."""

    class Looked(Message):
        """What it would do was worked out, or could not be."""

        def __init__(self, preview: Preview | None, why: str) -> None:
            super().__init__()
            self.preview = preview
            self.why = why

    def __init__(self, store: Store, proposal: Proposal) -> None:
        super().__init__()
        self.store = store
        self.proposal = proposal
        """As it was when the dialog was asked for."""
        self.preview: Preview | None = None
        """None until it has been worked out."""

    def on_mount(self) -> None:
        self.query_one(Detail).show(self.lines, top=True)
        self._look()

    @work(thread=True, group="offload-preview", exit_on_error=False, description="preview")
    def _look(self) -> None:
        from floppy_tui.store.offloading import Offloading

        try:
            found = Offloading(self.store).preview(self.proposal.id)
        except StoreError as why:
            self.post_message(self.Looked(None, str(why)))
        else:
            self.post_message(self.Looked(found, ""))

    @on(Looked)
    def _looked(self, message: Looked) -> None:
        message.stop()
        self.preview = message.preview
        self.tell(message.why)
        self.query_one(Detail).show(self.lines, top=True)

    def lines(self, width: int) -> Sequence[Content]:
        """What the pane shows, before ``preview`` is there and after."""
        raise NotImplementedError
