"""The one registry of commands: bindings, footer, help and palette are all made from it.

A command belongs to the place (``where``) whose class mixes in ``Commanded``. Its key, a click in the
footer, the palette and the help screen all end in ``Commanded.action_command``, which says why where it
cannot be done now, and else calls the method ``do_<name>`` of that class.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from inspect import isawaitable
from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import Binding
from textual.keys import key_to_character

_SPELLED = {
    "question_mark": "?",
    "slash": "/",
    "escape": "esc",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "full_stop": ".",
    "minus": "-",
    "plus": "+",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "pageup": "pgup",
    "pagedown": "pgdn",
}


@dataclass(frozen=True, slots=True)
class Command:
    """One thing that a person can do at one place."""

    id: str
    """``<where>.<name>``: unique, the binding's id and the name under which the keymap changes its keys."""
    key: str
    """Its keys as Textual spells them, by commas; ``""`` where only the palette reaches it."""
    label: str
    """A word or two for the footer."""
    help: str
    """One sentence for the help screen and the palette."""
    footer: bool = True
    """Whether the footer shows it."""
    priority: bool = False
    """Whether its key is taken before the focused widget sees it."""

    @property
    def where(self) -> str:
        """The place it belongs to, such as ``app``, ``memory`` or ``stow``."""
        return self.id.partition(".")[0]

    @property
    def name(self) -> str:
        """Its name at that place; the method ``do_<name>`` carries it out."""
        return self.id.partition(".")[2]


_REGISTRY: dict[str, Command] = {}


def register(*commands: Command) -> tuple[Command, ...]:
    """Add commands; raises ``ValueError`` for an id, or a key at one place, that is taken already."""
    for command in commands:
        if command.id in _REGISTRY:
            raise ValueError(f"two commands named {command.id}")
        taken = {key: c.id for c in at(command.where) for key in keys_of(c)}
        for key in keys_of(command):
            if key in taken:
                raise ValueError(f"{key} is the key of {taken[key]} and of {command.id}")
        _REGISTRY[command.id] = command
    return commands


def get(command_id: str) -> Command:
    """The command of this id; raises ``KeyError`` for an unknown one."""
    return _REGISTRY[command_id]


def at(where: str) -> tuple[Command, ...]:
    """The commands of one place, in the order in which they were registered."""
    return tuple(c for c in _REGISTRY.values() if c.where == where)


def bindings(where: str) -> list[Binding]:
    """The bindings of a place, for its class's ``BINDINGS``."""
    return [
        Binding(c.key, f"command('{c.id}')", c.label, c.footer, None, c.priority, c.help, id=c.id)
        for c in at(where)
        if c.key
    ]


def keys_of(command: Command, keymap: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """The keys of a command as Textual spells them, those of the captain's keymap first of all."""
    keys = (keymap or {}).get(command.id, command.key)
    return tuple(key.strip() for key in keys.split(",") if key.strip())


def spelled(key: str) -> str:
    """A key as it is printed on keyboards: ``question_mark`` is ``?``."""
    *modifiers, last = key.split("+") if key != "+" else ["+"]
    if last in _SPELLED:
        last = _SPELLED[last]
    elif len(last) > 1:
        character = key_to_character(last)
        last = character if character and character.isprintable() and character != " " else last
    return "+".join((*modifiers, last))


def keymap_problems(keymap: Mapping[str, str]) -> dict[str, str]:
    """What is wrong with a keymap from the settings, by command id, each as a sentence; keep the others."""
    problems: dict[str, str] = {}
    for command_id, keys in keymap.items():
        command = _REGISTRY.get(command_id)
        if command is None:
            problems[command_id] = f"The keymap names {command_id}, which is no command; see the help screen."
            continue
        if not keys_of(command, keymap):
            problems[command_id] = f"The keymap leaves {command_id} without a key, so it keeps {command.key}."
            continue
        wanted = set(keys_of(command, {command_id: keys}))
        for other in at(command.where):
            clash = wanted & set(keys_of(other, keymap)) if other.id != command_id else set()
            if clash:
                key = spelled(sorted(clash)[0])
                problems[command_id] = (
                    f"The keymap gives {key} to {command_id}, but it belongs to {other.id}."
                )
    return problems


if TYPE_CHECKING:
    from textual.dom import DOMNode

    _Node = DOMNode
else:
    # A mixin that is a node itself would keep Textual from the default styles of the class beside it.
    _Node = object


class Commanded(_Node):
    """A place with commands: mix it into the app, a screen or a view, before the Textual class."""

    WHERE: ClassVar[str]

    @property
    def keymap(self) -> Mapping[str, str]:
        """The captain's own keys, by command id."""
        return getattr(self.app, "keys_remapped", {})

    def offers(self, command: Command) -> bool:
        """Whether the command is listed (footer, palette, help): False where it could never be done."""
        return True

    def why_not(self, name: str) -> str:
        """Why the command of this name cannot be carried out now, as a sentence; ``""`` where it can."""
        return ""

    def label_of(self, command: Command) -> str:
        """The command's label here and now, such as ``x archive −41``."""
        return command.label

    def refuse(self, why: str) -> None:
        """Say why a command is not carried out."""
        self.app.notify(why, severity="warning", markup=False)

    async def action_command(self, command_id: str) -> None:
        """Carry out a command of this place, or say why not."""
        name = get(command_id).name
        why = self.why_not(name)
        if why:
            self.refuse(why)
            return
        done: Callable[[], Awaitable[Any] | None] = getattr(self, f"do_{name}")
        result = done()
        if isawaitable(result):
            await result


def active(node: DOMNode | None) -> list[tuple[Commanded, Command]]:
    """The commands that can be reached from ``node``, each with its place: nearest first, moving last."""
    found: list[tuple[Commanded, Command]] = []
    taken: set[str] = set()
    while node is not None:
        if isinstance(node, Commanded):
            for command in at(node.WHERE):
                keys = set(keys_of(command))
                if node.offers(command) and (not keys or not keys <= taken):
                    found.append((node, command))
                taken |= keys
        node = None if node.is_modal else node.parent
    return sorted(found, key=lambda pair: pair[0].WHERE in MOVING)


MOVING = ("list", "detail")
"""Places whose commands only move in what is shown."""
VIEWS = (("memory", "Memory"), ("archive", "Archive"), ("offload", "Offload"), ("notes", "Notes"))
"""The views that exist, in the order of their number keys, by name and title."""

register(
    *(
        Command(f"app.{name}", str(number), title, f"Show the {title} view.", footer=False)
        for number, (name, title) in enumerate(VIEWS, 1)
    ),
    Command("app.stow", "s", "stow", "Walk through a stow pass over this home."),
    Command("app.help", "question_mark", "help", "List what can be done here and by which keys."),
    Command("app.palette", "ctrl+p", "menu", "Find any command by its name."),
    Command("app.reload", "r", "reload", "Read everything again from the disk.", footer=False),
    Command("app.theme", "", "theme", "Choose the colours, until the app is closed.", footer=False),
    Command("app.quit", "q", "quit", "Leave. A pass under way is saved."),
)
LISTED = (
    ("filter", "slash", "filter", "Type what to show; tab completes a word.", True),
    ("back", "escape", "back", "Leave the filter line; then leave the detail; then show everything.", False),
    ("open", "enter", "detail", "Show the detail of the row under the cursor, or close it.", True),
    ("sort", "o", "sort", "Sort by the next column.", True),
    ("reverse", "O", "reverse", "Turn the order round.", False),
    ("copy", "y", "copy", "Copy the text under the cursor to the clipboard.", True),
    ("raw", "v", "raw", "Show the text as it stands in the file, or laid out.", False),
    ("links", "L", "links", "List the web addresses in the text, to open one.", False),
)
"""The commands of every view that lists things: name, key, label, help, whether the footer shows it."""
_OFFLOAD = (
    ("approve", "a", "approve", "Approve this proposal, by typing the name of its destination."),
    ("reject", "x", "reject", "Reject this proposal; the entry stays where it is."),
    ("defer", "d", "defer", "Put this proposal off; nothing moves."),
    ("edit", "e", "edit", "Change trigger, destination, description or privacy; takes an approval back."),
    ("migrate", "m", "migrate", "Carry out this approved proposal, each step shown as it runs."),
    ("propose", "p", "propose", "Put this candidate into the queue; nothing moves by it."),
    ("repropose", "R", "quote again", "Quote the entry as it is now, and propose it again."),
)
# Before the list's own, which the footer leaves out first.
register(*(Command(f"offload.{name}", key, label, words) for name, key, label, words in _OFFLOAD))
for _where in ("memory", "archive", "offload"):
    register(*(Command(f"{_where}.{n}", key, label, words, footer=f) for n, key, label, words, f in LISTED))
register(
    Command("memory.edit", "e", "edit", "Open the file at this entry in your editor."),
    Command("archive.restore", "R", "restore", "Copy this item back to its file, with evidence."),
)
register(
    Command("filter.complete", "tab", "complete", "Complete the word, or go to the list."),
    Command("filter.leave", "enter,down", "to the list", "Go to the list; the filter stays."),
)
for _where, _what in (("list", "row"), ("detail", "line")):
    register(
        Command(f"{_where}.up", "k,up", "up", f"One {_what} up.", footer=False),
        Command(f"{_where}.down", "j,down", "down", f"One {_what} down.", footer=False),
        Command(f"{_where}.page_up", "pageup,ctrl+b", "page up", "One page up.", footer=False),
        Command(f"{_where}.page_down", "pagedown,ctrl+f", "page down", "One page down.", footer=False),
        Command(f"{_where}.first", "g,home", "top", f"To the first {_what}.", footer=False),
        Command(f"{_where}.last", "G,end", "end", f"To the last {_what}.", footer=False),
    )
register(
    Command("help.close", "escape,question_mark,q", "close", "Close the help."),
    Command("addresses.close", "escape", "close", "Open nothing."),
    Command("restore.close", "escape", "close", "Restore nothing."),
    Command("approve.close", "escape", "close", "Approve nothing."),
    Command("move.close", "escape", "close", "Keep nothing of what was typed."),
    Command("confirm.confirm", "enter", "confirm", "Do what is shown."),
    Command("confirm.close", "escape", "close", "Do nothing."),
    Command("migrate.close", "escape", "close", "Close this; before it was begun, migrate nothing."),
    Command("migrate.leave", "enter", "close", "Close this when it is over."),
)
