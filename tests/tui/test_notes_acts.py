"""The acts on the notes under a person's keys: shown before they are done, and right to the byte."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from notes_pilot import TREE, NotesReader, lay, note, notes_reading, open_notes

from floppy_tui.tui.screens.notes_form import NoteForm
from floppy_tui.tui.screens.notes_plan import PlanScreen

TODAY = date(2026, 10, 1)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return lay(tmp_path / "memory", TREE)


def held(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


async def at(reader: NotesReader, path: str) -> None:
    """Put the cursor on a note."""
    reader.notes.go_to(path)
    await reader.settle()
    assert reader.notes.note is not None
    assert reader.notes.note.path == path


async def fill(reader: NotesReader, **values: str) -> None:
    """Type into the form that is open."""
    form = reader.app.screen
    assert isinstance(form, NoteForm)
    for name, value in values.items():
        widget = form.query_one(f"#field-{name}")
        if hasattr(widget, "load"):
            widget.load(value)
        else:
            widget.value = value
    await reader.pilot.pause()


async def planned(reader: NotesReader) -> PlanScreen:
    """The act that is shown now."""
    await reader.settle()
    screen = reader.app.screen
    assert isinstance(screen, PlanScreen), reader.text()
    return screen


async def test_a_repair_is_shown_as_a_diff_and_a_held_key_repairs_nothing(root: Path) -> None:
    before = held(root)
    async with notes_reading(root, TODAY) as reader:
        await reader.press("f")
        await reader.settle()
        keys = [reader.notes.rows.source.key(n) for n in range(len(reader.notes.rows.source))]
        key = next(k for k in keys if "note-without-pointer" in k)
        reader.notes.rows.move_to(key)
        await reader.press("F")
        await planned(reader)
        await reader.press("F", "F")
        await reader.settle()
        shown = reader.text()
        assert "mill/INDEX.md" in shown
        assert "+ - [Orphan](orphan.md)" in shown
        await reader.press("escape")
        await reader.settle()
        assert held(root) == before
        await reader.press("F")
        await planned(reader)
        await reader.press("enter")
        await reader.settle()
        after = held(root)
        assert after.pop("mill/INDEX.md").startswith(before.pop("mill/INDEX.md") + b"- [Orphan](orphan.md)")
        assert after == before
        assert "note-without-pointer" not in "\n".join(reader.rows_shown())
        assert reader.notes.notes_store.acts_since("")[-1].message


async def test_a_new_note_is_written_with_its_pointer_after_a_look_at_those_that_cover_it(root: Path) -> None:
    async with notes_reading(root, TODAY, (100, 40)) as reader:
        await at(reader, "yard/rope.md")
        await reader.press("a")
        await reader.settle()
        await reader.type("Stone of the mill")
        await fill(reader, description="about the stone")
        await reader.ready(lambda: "May cover it already" in reader.text())
        assert "stone" in reader.text()
        assert reader.app.screen.query_one("#field-slug").value == "stone-of-the-mill"
        await fill(reader, title="Gate bell", slug="gate-bell", description="the gate bell rings twice")
        await fill(reader, body="It rings twice.", as_of="2026-09-30", hook="twice")
        await reader.press("ctrl+s")
        await reader.settle()
        assert "to confirm" in reader.text()
        assert isinstance(reader.app.screen, NoteForm)
        await fill(reader, confirm="stand there at six")
        await reader.press("ctrl+s")
        await planned(reader)
        assert "new file" in reader.text()
        await reader.press("enter")
        await reader.settle()
        assert reader.notes.note is not None
        assert reader.notes.note.path == "yard/gate-bell.md"
    assert (root / "yard/gate-bell.md").read_text() == (
        "---\nname: gate-bell\ndescription: the gate bell rings twice\nmetadata:\n  type: project\n"
        "  evidence: read\n  as_of: 2026-09-30\n---\n\nIt rings twice.\n\nTo confirm: stand there at six\n"
    )
    assert b"- [Gate bell](gate-bell.md) \xe2\x80\x94 twice\n" in (root / "yard/INDEX.md").read_bytes()


async def test_rename_delete_and_recheck(root: Path) -> None:
    async with notes_reading(root, TODAY) as reader:
        await at(reader, "yard/rope.md")
        await reader.press("R")
        await reader.settle()
        await fill(reader, slug="rope-length")
        await reader.press("ctrl+s")
        await planned(reader)
        await reader.press("enter")
        await reader.settle()
        assert not (root / "yard/rope.md").exists()
        assert b"[[rope-length]]" in (root / "manner.md").read_bytes()
        assert b"](rope-length.md)" in (root / "yard/INDEX.md").read_bytes()

        await at(reader, "yard/carts/bell.md")
        before = held(root)
        await reader.press("c")
        await reader.settle()
        await reader.press("enter")
        await reader.settle()
        after = held(root)
        assert after.pop("yard/carts/bell.md") == before.pop("yard/carts/bell.md").replace(
            b"as_of: 2025-01-10", b"as_of: 2026-10-01"
        )
        assert after == before

        await at(reader, "mill/stone.md")
        await reader.press("x")
        await reader.settle()
        await reader.press("ctrl+s")
        await reader.settle()
        assert "Say what replaced it" in reader.text()
        assert (root / "mill/stone.md").exists()
        await reader.type("rope-length")
        await reader.press("ctrl+s")
        await planned(reader)
        await reader.press("enter")
        await reader.settle()
        assert not (root / "mill/stone.md").exists()
        assert (root / "mill/INDEX.md").read_bytes() == b"# Mill\n\n"
    assert open_notes(root, TODAY).acts_since("")[-1].message == "Remove stone: replaced by rope-length"


async def test_a_note_is_rewritten_in_place(root: Path) -> None:
    async with notes_reading(root, TODAY, (100, 30)) as reader:
        await at(reader, "yard/rope.md")
        await reader.press("w")
        await reader.settle()
        await fill(reader, body="Fifty cells.", as_of="2026-09-30")
        await reader.press("ctrl+s")
        await planned(reader)
        await reader.press("enter")
        await reader.settle()
    assert (root / "yard/rope.md").read_bytes() == note("rope", "Fifty cells.", as_of="2026-09-30")


async def test_what_changed_meanwhile_is_planned_again_and_shown_again(root: Path) -> None:
    async with notes_reading(root, TODAY) as reader:
        await at(reader, "yard/rope.md")
        await reader.press("R")
        await reader.settle()
        await fill(reader, slug="rope-length")
        await reader.press("ctrl+s")
        await planned(reader)
        text = (root / "manner.md").read_bytes()
        (root / "manner.md").write_bytes(text + b"\nSomebody adds [[rope]] again.\n")
        await reader.press("enter")
        await reader.settle()
        assert "Files changed meanwhile" in reader.text()
        assert "ctrl+s does it as it is now" in reader.text()
        await reader.press("enter")
        await reader.settle()
        assert "another act than the one that was shown" in reader.text()
        assert (root / "yard/rope.md").exists()
        await reader.press("ctrl+s")
        await reader.settle()
        assert b"adds [[rope-length]] again" in (root / "manner.md").read_bytes()
        assert not (root / "yard/rope.md").exists()


async def test_the_editor_changes_a_note_and_the_date_is_asked_for(root: Path) -> None:
    def edit(path: Path, line: int) -> None:
        path.write_bytes(path.read_bytes().replace(b"Forty", b"Fifty"))

    async with notes_reading(root, TODAY, launch_editor=edit) as reader:
        from contextlib import nullcontext

        reader.app.suspend = nullcontext  # type: ignore[method-assign,assignment]
        await at(reader, "yard/rope.md")
        await reader.press("e")
        await reader.ready(lambda: isinstance(reader.app.screen, NoteForm))
        await reader.type("2026-09-29")
        await reader.press("enter")
        await reader.settle()
    assert (root / "yard/rope.md").read_bytes() == note(
        "rope", "Fifty cells. **Wet** it is shorter.", as_of="2026-09-29"
    )


ALIKE = "The rope of the yard is forty cells long when it is dry and thirty nine when it is wet. "


async def test_a_half_is_consolidated_proposal_by_proposal(root: Path) -> None:
    (root / "yard/rope.md").write_bytes(note("rope", ALIKE * 3, as_of="2026-09-20"))
    (root / "yard/rope-wet.md").write_bytes(note("rope-wet", ALIKE * 3 + "So.", evidence="read"))
    index = root / "yard/INDEX.md"
    index.write_bytes(index.read_bytes() + b"- [Wet rope](rope-wet.md) \xe2\x80\x94 the same\n")
    (root / "manner.md").write_bytes(note("manner", "See [[rope-wet]]."))
    async with notes_reading(root, TODAY, (120, 40)) as reader:
        await at(reader, "yard/rope.md")
        await reader.press("M")
        await reader.settle()
        assert "merge" in reader.text()
        assert "%" in reader.text()
        await reader.press("enter")
        await reader.settle()
        assert isinstance(reader.app.screen, NoteForm)
        await reader.press("ctrl+s")
        await planned(reader)
        await reader.press("enter")
        await reader.settle()
        await reader.press("escape")
        await reader.settle()
    left = [p.name for p in (root / "yard").glob("rope*.md")]
    assert len(left) == 1
    kept = (root / "yard" / left[0]).read_text()
    assert "evidence: read" in kept
    assert f"[[{left[0].removesuffix('.md')}]]" in (root / "manner.md").read_text()


async def test_an_index_is_split(root: Path) -> None:
    for name in ("tide-a", "tide-b", "tide-c"):
        (root / f"mill/{name}.md").write_bytes(note(name))
        with (root / "mill/INDEX.md").open("ab") as index:
            index.write(f"- [{name}]({name}.md) — {name}\n".encode())
    async with notes_reading(root, TODAY, (100, 40)) as reader:
        await at(reader, "mill/tide-a.md")
        await reader.press("P")
        await reader.settle()
        assert reader.app.screen.query_one("#field-group").value == "tide"
        await reader.press("ctrl+s")
        await planned(reader)
        await reader.press("enter")
        await reader.settle()
    assert sorted(p.name for p in (root / "mill/tide").iterdir()) == [
        "INDEX.md",
        "tide-a.md",
        "tide-b.md",
        "tide-c.md",
    ]
    assert b"tide/INDEX.md" in (root / "mill/INDEX.md").read_bytes()


async def test_the_last_act_is_taken_back_and_done_again(root: Path) -> None:
    before = held(root)
    async with notes_reading(root, TODAY) as reader:
        await reader.press("u")
        await reader.settle()
        assert "Nothing was done here yet" in reader.said[-1]
        await at(reader, "yard/rope.md")
        await reader.press("R")
        await reader.settle()
        await fill(reader, slug="rope-length")
        await reader.press("ctrl+s")
        await planned(reader)
        await reader.press("enter")
        await reader.settle()
        after = held(root)
        assert after != before
        await reader.press("u", "u")
        await reader.settle()
        assert held(root) == after
        assert "rename rope" in reader.text()
        await reader.press("enter")
        await reader.settle()
        assert held(root) == before
        await reader.press("ctrl+r")
        await reader.settle()
        await reader.press("enter")
        await reader.settle()
        assert held(root) == after
        (root / "manner.md").write_bytes(b"---\nname: manner\n---\n\nTheirs.\n")
        await reader.press("u")
        await reader.settle()
        assert "no longer what the act left" in reader.said[-1]
