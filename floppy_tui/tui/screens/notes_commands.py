"""The commands of the Notes view, in the one registry."""

from __future__ import annotations

from floppy_tui.tui.commands import LISTED, Command, register

ACTS = (
    ("new", "a", "new", "Write a new note and its pointer, after a look at those that may cover it."),
    ("edit", "e", "edit", "Open the file in your editor; afterwards the date of the evidence is asked for."),
    ("recheck", "c", "re-checked", "Say that the note still holds: its date moves, nothing else."),
    ("rewrite", "w", "rewrite", "Write the text of the note anew, in place."),
    ("delete", "x", "delete", "Delete the note with its pointer and links; asks what replaced it."),
    ("rename", "R", "rename", "Rename the slug: file, name, pointers and links in one act."),
    ("repair", "F", "repair", "Show the repair of this finding as a diff, to make it."),
    (
        "consolidate",
        "M",
        "consolidate",
        "Go through what could be merged, rewritten or deleted here.",
    ),
    ("quota", "Q", "quota", "Raise a quota, with a reason, together with the notes that need it."),
    ("split", "P", "split", "Split this index: move notes of it into a group of their own."),
    ("commit", "K", "commit", "Commit: the exact files, their diff and a message are shown first."),
    ("undo", "u", "undo", "Take the last act on the notes back."),
    ("redo", "ctrl+r", "redo", "Do again what was undone."),
)
"""What changes something: name, key, label, help."""
MODES = (
    ("table", "n", "notes", "Show the table of notes."),
    ("tree", "i", "index", "Show the index as a tree, from MEMORY.md down to the notes."),
    ("findings", "f", "findings", "Show what lint says, errors first."),
    ("router", "m", "MEMORY.md", "Show MEMORY.md with the line at which the loader cuts it."),
    ("status", "S", "status", "Show the status files against their limits, and the settings of this tree."),
)
_MOVES = (
    ("follow", "l", "links", "List the links of this note and those that lead to it, to go to one."),
    ("backward", "left_square_bracket", "back", "Go back to where the last link or finding was followed."),
    ("forward", "right_square_bracket", "forth", "Go forth again."),
    ("fold", "space", "fold", "Fold or unfold what stands below this index."),
    ("shut", "left", "fold", "Fold this index, or go to the one above."),
    ("unfold", "right", "unfold", "Unfold this index."),
)
_QUIET = {"backward", "forward", "shut", "unfold", "redo", *(name for name, *_ in MODES)}
"""What the footer does not show: the line of modes says their keys."""
_OWN = {
    name: Command(f"notes.{name}", key, label, words, footer=name not in _QUIET)
    for name, key, label, words in (*ACTS, *MODES, *_MOVES)
}
_FROM_LIST = {n: Command(f"notes.{n}", key, label, words, footer=f) for n, key, label, words, f in LISTED}
_FIRST = ("open", "repair", "fold", "follow", "filter")
"""What the footer shows before all else."""
_ALL = _OWN | _FROM_LIST
register(*(_ALL[name] for name in _FIRST), *(c for name, c in _ALL.items() if name not in _FIRST))
register(
    Command("follow.close", "escape", "close", "Follow nothing."),
    Command("plan.confirm", "enter", "does it", "Do what is shown."),
    Command("plan.again", "ctrl+s", "does it so", "Do what is shown now, after files changed meanwhile."),
    Command("plan.take_over", "T", "take over", "Take an abandoned wrap lock over, and do what is shown."),
    Command("plan.close", "escape", "close", "Do nothing."),
    Command("noteform.go_on", "ctrl+s", "go on", "Show what it does.", priority=True),
    Command("noteform.next", "enter", "next field", "Go to the next field.", footer=False),
    Command("noteform.close", "escape", "close", "Keep nothing of what was typed."),
    Command("newnote.go_on", "ctrl+s", "go on", "Show the note and its pointer.", priority=True),
    Command("newnote.cover", "ctrl+g", "that note", "Go to the note that may cover it.", priority=True),
    Command("newnote.next", "enter", "next field", "Go to the next field.", footer=False),
    Command("newnote.close", "escape", "close", "Keep nothing of what was typed."),
    Command("consolidate.decide", "", "decide", "Open what is proposed, to decide on it."),
    Command("consolidate.skip", "s", "leave it", "Leave this as it is, until the screen is closed."),
    Command("consolidate.close", "escape", "close", "End; what was done stays done."),
    Command("notecommit.commit", "ctrl+s", "commit", "Commit the files chosen.", priority=True),
    Command("notecommit.leave", "enter", "close", "Close this when it is over."),
    Command("notecommit.close", "escape", "close", "Commit nothing; while it runs, stop it."),
)
