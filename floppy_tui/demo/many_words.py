"""What the notes of a large sample tree are made of: areas, things, kinds of facts, and sentences."""

from __future__ import annotations

from typing import NamedTuple


class Area(NamedTuple):
    """One directory of the tree."""

    path: str
    """Below the memory directory; ``""`` for the notes of the router."""
    title: str
    hook: str
    things: tuple[str, ...]
    share: int
    """Of a hundred notes."""


AREAS = (
    Area("", "Memory", "", ("session", "note", "commit"), 2),
    Area(
        "harbour",
        "Harbour",
        "customs, manifests, the map; berths, cranes and gauges have indexes of their own",
        ("customs export", "manifest import", "map view", "pilot list", "tug booking"),
        12,
    ),
    Area("harbour/berths", "Berths", "what lies where", ("berth 3", "berth 9", "east quay"), 10),
    Area("harbour/cranes", "Cranes", "orders, limits, the wind", ("crane 1", "crane 4", "order printer"), 10),
    Area("harbour/gauges", "Gauges", "levels and their faults", ("north mole", "river lock", "basin"), 10),
    Area(
        "ferry",
        "Ferry",
        "the ramp and all that waits for it",
        ("ramp", "gate", "ticket hall", "boarding"),
        20,
    ),
    Area(
        "office",
        "Office",
        "what the harbour offices see, and what they are promised",
        ("invoice run", "support mail", "release note", "contract list"),
        18,
    ),
    Area(
        "fleet",
        "Fleet",
        "the tools that crewmates share",
        ("build pool", "staging deploy", "secret store", "test mail", "worktree"),
        18,
    ),
)


class Aspect(NamedTuple):
    """A kind of fact: what can be known of a thing."""

    slug: str
    said: tuple[str, ...]
    """Sentences with ``{thing}``, ``{n}``, ``{m}`` and ``{when}``."""
    hook: tuple[str, ...]


ASPECTS = (
    Aspect(
        "limit",
        (
            "The {thing} takes {n} at once {when}; the one after that is dropped, and nobody is told.",
            "More than {n} at a time is too much for the {thing} {when}: it slows down by a factor of {m}.",
        ),
        ("takes {n}, not more", "{n} at once, then it drops"),
    ),
    Aspect(
        "timeout",
        (
            "The {thing} gives up after {n} s {when}, and what it was asked for happens all the same.",
            "An answer of the {thing} that takes longer than {n} s is thrown away {when}.",
        ),
        ("gives up after {n} s", "{n} s, and then it is done anyway"),
    ),
    Aspect(
        "daily-gap",
        (
            "For {m} minutes a day the {thing} says nothing, and {when} the gap moves by an hour.",
            "Nothing comes from the {thing} between 00:{m} and 01:{m}, least of all {when}.",
        ),
        ("silent for {m} minutes a day", "why the night has a hole"),
    ),
    Aspect(
        "offset",
        (
            "What the {thing} reports is {n} too high {when}; the difference has not moved in a year.",
            "Between the {thing} and the plan lie {n} cm {when}, always in the same direction.",
        ),
        ("off by {n}", "{n} too high, and who corrects it"),
    ),
    Aspect(
        "retry-rule",
        (
            "A second try at the {thing} within {n} s counts against us {when}; the third locks us out.",
            "Ask the {thing} again after {n} s and not before: {when} it answers the first question twice.",
        ),
        ("wait {n} s before asking again", "the second try costs more than the first"),
    ),
    Aspect(
        "cache",
        (
            "The {thing} keeps an answer for {n} minutes and shows no age; {when} it is {m} minutes more.",
            "What is seen of the {thing} is up to {n} minutes old {when}, whatever the page says of itself.",
        ),
        ("up to {n} minutes old", "how old an answer may be"),
    ),
    Aspect(
        "clock",
        (
            "The clock of the {thing} is {n} s behind {when} and nobody sets it.",
            "The {thing} stamps in local time {when}; {n} of its lines last week came out of order.",
        ),
        ("its clock is not ours", "{n} s behind"),
    ),
    Aspect(
        "owner",
        (
            "The {thing} is not ours: it belongs to the office at Ostrów, and {when} to its deputy.",
            "Whoever changes the {thing} asks the harbour master first, and {when} the captain as well.",
        ),
        ("whose it is, and whom to ask", "ask before you touch it"),
    ),
    Aspect(
        "log-line",
        (
            "One line at level info is all that the {thing} says when {n} of its jobs fail {when}.",
            "The {thing} logs its failures under another name {when}; grep for `{word}-{n}`.",
        ),
        ("the one line to look for", "fails at level info"),
    ),
    Aspect(
        "batch-size",
        (
            "Batches of {n} go through the {thing} in {m} s; twice as many take ten times as long {when}.",
            "The {thing} splits what is larger than {n} rows {when}, and the second half has no header.",
        ),
        ("{n} rows, then it splits", "why twice as many take ten times as long"),
    ),
    Aspect(
        "restart",
        (
            "After a restart the {thing} is right only from its {m}th answer on, {when} from its {n}th.",
            "Restarting the {thing} {when} loses what it held in memory, {n} items on an average day.",
        ),
        ("what a restart costs", "throw the first answers away"),
    ),
    Aspect(
        "export-format",
        (
            "The export of the {thing} has {n} columns, and {when} the last one is empty but for a blank.",
            "Numbers in the export of the {thing} have a comma {when}, and a point in the other {m} files.",
        ),
        ("{n} columns and a blank", "commas where points should be"),
    ),
)

WHEN = (
    "in a night run", "during a crane shift", "below zero", "on a Sunday", "with a draft above 9 m",
    "behind the office's proxy", "on a pool slot", "in the first week of a month", "while a dump runs",
    "for foreign vessels", "when two offices write", "after a change of the clocks", "with a cold cache",
    "in staging", "with the ice berths open", "on the replica", "at the full hour", "for old tickets",
)  # fmt: skip

WHY = (
    "It came up when {who} asked why {n} rows of the {word} report had no berth.",
    "We looked because a crewmate lost {m} hours to it and had blamed the {word} cache.",
    "The first trace was a ticket of {who}: “the {word} thing again”, with a picture of a frozen screen.",
    "Found by accident, while {who} compared two {word} dumps of the same night.",
    "A pilot noticed before we did, and told {who} on the quay.",
    "It had been known to {who} for years; nobody had thought that it was news.",
    "The test that should have caught it compares {n} rows, and the fault begins at row {m}00.",
    "It hid behind another fault until the {word} export was rewritten.",
)
"""How a fact came up."""
WHO = (
    "the office at Brännholmen", "the office at Ostrów", "the harbour master", "a shift leader",
    "the second crewmate", "the night shift", "customs", "the ferry's operator", "the maker's support",
    "Port d’Eaubrune",
)  # fmt: skip

MEASURED = (
    "Measured on {day}: {n} runs on an unchanged commit, {m} of them off, the rest as said.",
    "On {day} we let it run for {m} hours and counted {n} cases, none of which was another fault.",
    "Two crewmates measured it apart from each other on {day} and differ by less than {m} in {n}.",
    "The numbers are of the run of {day}: {n} tries, half of them by hand, {m} thrown away for noise.",
)
READ = (
    "Read in the maker's manual, page {n}, on {day}. To confirm it: {m} tries against the spare one.",
    "It is in the wiki of {who}, last changed on {day}. A measurement would need a quiet hour and {m} tries.",
    "Read in the source on {day}, around line {n}; nothing was run. To confirm it, set the limit to {m}.",
)
DECIDED = (
    "Decided on {day} with {who}, because the other way had cost {m} hours in one month.",
    "The captain decided it on {day}: {m} of {n} cases had been argued one by one until then.",
    "Frozen on {day}; {who} may reopen it, for a reason that did not exist on that day.",
)
SOURCED = (
    "By a letter of {who} of {day}, number {n}; they say that it stays so for {m} months.",
    "{who} said so on the telephone on {day} and sent the page ({n}) afterwards.",
    "From the hydrographic office's notice {n} of {day}.",
)

STORY = (
    "What looked like a fault of the {word} parser was a missing flag in the line that calls it.",
    "We first took it for load and gave it twice the memory, which hid it for {m} days.",
    "Rejected: a lock around the whole of it, because then the {word} job waits for a person.",
    "Rejected as well: asking twice and taking the later answer, since the later one is wrong more often.",
    "In {n} readings of one week, {m} were of this kind, all of them before noon.",
    "The same has been seen at the old rack, so a new machine is no remedy.",
    "A plan made in those minutes looks better than it is, and the office adopts it.",
    "The number in the contract is another one; it is an average over a year.",
    "Whoever sees {n} in a {word} log has found this and need not look further.",
    "Nothing downstream notices, because the {word} column is filled from the day before.",
    "It does not happen with a single reader, which is why no test of one crewmate sees it.",
    "Turning the check off was tried for {m} days and made the Monday worse.",
    "The fix of the supplier is promised for the next contract, and has been before.",
    "The screen shows it in green, since green means “has answered”, not “is right”.",
    "It costs about {m} minutes each time, most of them spent on finding out that it is this again.",
    "A backup that was taken meanwhile restores well and is short of {n} rows.",
    "The office tells its people to press the key twice, which makes it a matter of luck.",
    "With {word} in front the same call is right, and nobody knows why; leave it in front.",
    "Its neighbour has the opposite sign, so that a sum over both is right by accident.",
    "The alarm for it rings {m} minutes late and in the wrong office.",
    "For the statistics of a month it makes no difference; for a single vessel it does.",
    "We keep the raw ones for {n} days, so that a wrong guess can be taken back.",
    "Three tickets in a row were closed with “cannot be repeated”; it can, {when}.",
    "The golden files have it in them, so a correct program is red at first.",
)
"""What makes a note longer."""

DO = (
    "compare by number, never by name",
    "ask for the raw reading and say so in the ticket",
    "leave the old name in place for {m} days",
    "count the rows before and after, and write both down",
    "set the limit by hand where more than {n} are expected",
    "look at the {word} log first, then at the screen",
    "run it twice and keep the second",
    "tell the office by mail, in the first line of it",
    "make a copy before the {word} job starts",
    "give each caller its own slot",
    "turn the light on at the panel, or nobody believes it",
    "never restart it while a crewmate's run is active",
    "write the unit behind the number, also where it is plain",
    "wait for the second signal of the {word} side",
    "pin the version and say until when",
    "take the later message, its number decides",
)

WORDS = (
    "anchor", "badge", "bollard", "buoy", "depth", "draft", "fender", "lease", "level", "manifest", "mooring",
    "permit", "pier", "price", "quay", "reefer", "seal", "shift", "signal", "slot", "tariff", "tide", "tile",
    "tug", "vessel", "voyage", "window",
)  # fmt: skip

LINKS = (
    "See {a}.", "See {a} and {b}.", "The other half of it is in {a}.", "Not to be mixed up with {a}.",
    "It is the reason for {a}; what follows from it is in {b}.", "Before changing it, read {a}.",
)  # fmt: skip
