"""The smallest Textual app with a header, a table and a footer: what a first paint is held against."""

from __future__ import annotations

from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.widgets import DataTable, Footer, Header


class Bare(App[None]):
    """Twenty rows of four columns."""

    TITLE = "bare"
    BINDINGS: ClassVar[list[BindingType]] = [("q", "quit", "Quit")]

    def compose(self) -> ComposeResult:
        yield Header()
        yield DataTable()
        yield Footer()

    def on_mount(self) -> None:
        table = self.query_one(DataTable)
        table.add_columns("tier", "age", "tokens", "entry")
        for row in range(20):
            table.add_row("aging", f"{row}d", str(row * 7), f"entry-{row}")


if __name__ == "__main__":
    Bare().run()
