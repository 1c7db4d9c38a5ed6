"""The wizard's commands, in the one registry."""

from __future__ import annotations

from floppy_tui.tiers.cards import Step
from floppy_tui.tui.commands import Command, register

CARD = ("accept", "evidence", "repeat", "edit", "retier", "low_utility", "conditional", "leave", "stay")
"""The commands that decide on a card, in the order in which their keys are shown."""

_COMMANDS = (
    ("accept", "a", "accept", "Accept the proposal of this card, or of all selected ones; removes nothing."),
    ("evidence", "v", "evidence", "Give evidence from this session for this card, or for all selected ones."),
    ("repeat", "full_stop", "same evidence", "Give the evidence that was given last."),
    ("edit", "e", "edit", "Change the words: rewrite or merge entries; hand over a finding or a record."),
    ("retier", "t", "retier", "Give the entry another tier."),
    ("low_utility", "l", "low utility", "Mark the entry as the first to leave while over budget."),
    ("conditional", "c", "conditional", "Mark the entry as needed only where a trigger holds."),
    ("leave", "x", "archive", "Let it leave the memory: shows the reason or the trigger, enter confirms."),
    ("stay", "s", "stay", "Leave it as it is."),
    ("accept_all", "A", "accept rest", "List the step's open proposals that remove nothing, to accept all."),
    ("select", "space", "select", "Select this card, to decide several together."),
    ("apply", "enter", "apply", "Apply the whole change, after one more question."),
    ("undo", "u", "undo", "Take the last decision back."),
    ("redo", "ctrl+r", "redo", "Do again what was undone."),
    ("next", "j,down", "next card", "Go to the next card; decides nothing."),
    ("previous", "k,up", "card before", "Go to the card before; decides nothing."),
    ("next_open", "n", "next open", "Go to the next card that waits for a decision."),
    ("next_step", "right_square_bracket", "next step", "Go to the next step."),
    ("previous_step", "left_square_bracket", "step before", "Go to the step before."),
    ("first", "g,home", "first card", "Go to the first card of the step."),
    ("last", "G,end", "last card", "Go to the last card of the step."),
    ("diff", "d", "diff", "Show or hide the effect and the diff."),
    ("other", "o", "other diff", "Show the diff of the card's next possible decision."),
    ("page_down", "pagedown,ctrl+f", "card down", "Scroll the card down."),
    ("page_up", "pageup,ctrl+b", "card up", "Scroll the card up."),
    ("diff_down", "J", "diff down", "Scroll the diff down."),
    ("diff_up", "K", "diff up", "Scroll the diff up."),
    ("notices", "exclamation_mark", "notices", "List what was refused, dropped or went wrong."),
    ("back", "escape,q", "leave", "Leave the pass; it is saved and can be gone on with."),
)
register(*(Command(f"stow.{name}", key, label, words) for name, key, label, words in _COMMANDS))
register(
    *(
        Command(
            f"stow.step_{int(step)}", str(step % 10), step.title, f"Go to step {int(step)}, {step.title}."
        )
        for step in Step
        if step is not Step.RECEIPT
    )
)
