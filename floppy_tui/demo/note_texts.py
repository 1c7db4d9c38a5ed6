"""The sample note tree, word by word: what everybody in this home may read, and what stays on one machine.

It is kept as people keep one, with most of the mistakes that lint knows: most of them are repaired without
a judgment, some are not.
"""

from __future__ import annotations

ROUTER = """\
# Memory

What is true for everybody who works in this home. One fact a note; a note and its pointer are written \
together.

## In every task

- [One fact, one note](one-fact-one-note.md) — how a note is written here, and what a deletion owes the reader
- [Harbour time](harbour-time.md) — which clock a number is in, before two of them are compared

## By half

- [Harbour](harbour/INDEX.md) — berths, cranes, customs; the gauges have an index of their own
- [Ferry](ferry/INDEX.md) — ramp, gates, tickets, everything behind the ticket hall
"""

HARBOUR = """\
# Harbour

- [Gauges](gauges/INDEX.md) — tide gauges: what they say, and what they keep to themselves
- [Golden files of the berth plan](berth-plan-golden-files.md) — two offices, two sets; which one a red test \
means
- [Code pages of manifests](customs-code-pages.md) — windows-1250 from Łęgowo whatever the header says, \
UTF-8 from everybody else, and how to tell before an import has already stored a vessel under a name that \
nobody will find
- [Crane order printer](crane-order-printer.md) — refuses jobs from the future
- [Quay cameras](quay-cameras.md) — one clock per camera, and none of them is ours
- [Mooring table](mooring-table.md) — where the rope lengths come from
"""
"""One line is too long, and one note that it points to is gone."""

GAUGES = """\
# Gauges

- [North mole offset](north-mole-offset.md) — 20 cm too high, and who knows it
- [Tide table](tide-table-source.md) — from the hydrographic office, not from the provider
- [Floats of the river lock](river-lock-floats.md) — the lower one counts
"""

FERRY = """\
# Ferry

- [Gate network](gate-network.md) — the gates answer only on the office's network
- [Boarding groups](boarding-groups.md) — called by the ramp, not by us
- [Ticket printer](ticket-hall-printer.md) — what it does when the paper is low
- [Ticket printer in the hall](ticket-hall-printer.md) — paper, and the second roll
"""
"""The ramp's note has no pointer, the printer's has two."""

ONE_FACT = """\
---
name: one-fact-one-note
description: How a note is written here, and what a deletion owes the next reader
metadata:
  type: user
  evidence: decided
---

A note holds one fact. What refines a fact goes into the note that holds it, not beside it; what replaces a \
fact replaces the text, so that the old claim does not stand next to the new one.

Where nothing was run, the evidence is `read`, and the note says what a measurement would need. \
[[mooring-table]] is the example that we show new crewmates, because it was wrong for a year and \
looked measured.

A deleted note owes the reader a line in the commit that says what replaced it.
"""
"""Undated: it is how the captain wants it, whenever he said so."""

HARBOUR_TIME = """\
---
name: harbour-time
description: Logs are in UTC and screens in harbour time, and three sources are in neither
metadata:
  type: reference
  evidence: measured
  as_of: {-24}
---

Everything that we log is in UTC and everything that a person reads is in harbour time. Three sources keep \
neither of the two:

- the cameras on the quays ([[quay-cameras|each has a clock of its own]])
- the tide table, which counts from midnight of the standard time ([[tide-table-source#times]])
- the ramp's panel, an hour behind from March to October ([[ramp-angle]])

Measured over the change of the clocks on two Sundays: a comparison of any of these with a log line is wrong \
by an hour for half of the year, and no test is red, because the fixtures are of one January.
"""

GOLDEN_FILES = """\
---
name: berth-plan-golden-files
description: Two sets of golden files, one per office, and only one of them blocks a release
metadata:
  type: project
  evidence: decided
  as_of: {-47}
---

The solver's tests compare with two sets of golden files. Those of Ostrów block a release; those of \
Brännholmen only warn, since the office there plans its ice berths by hand from December on.

Decided with both offices at the table. The reason is not that one office matters less: a plan for ice \
berths is never the same twice, so a red test there said nothing, and people had begun to regenerate the \
files without looking ([[one-fact-one-note]] was written the same week).

The order printer used to get its plans from the same files; what it refuses is in [[crane-order-printer]].
"""
"""The last link leads to the note that is gone."""

CODE_PAGES = """\
---
name: customs-code-pages
description: Manifests from Łęgowo: windows-1250, from everybody else UTF-8
metadata:
  type: reference
  evidence: measured
  as_of: {-63}
---

Of 1,204 manifests of one quarter, all 388 from Łęgowo Wharf were windows-1250 with a header that says \
UTF-8. All others were what they said.

`ż` and `ł` in a vessel's name are the tell: read as UTF-8 they fail, read as latin-1 they turn into `¿` and \
`³` and are stored without a sound. The importer tries UTF-8 first and falls back by the sender, never by \
guessing:

```sh
[[ -f $batch/sender ]] && iconv -f windows-1250 -t utf-8 "$batch/manifest"
```

A vessel that was stored under a broken name is found by its IMO number only.
"""
"""Its description has a colon, which YAML takes for a second key; the brackets in its code are no link."""

CAMERAS = """\
---
name: quay-cameras
description: Camera #3 keeps winter time all year, the others drift by up to two minutes
metadata:
  type: reference
  evidence: measured
  as_of: {-31}
---

Seven cameras, seven clocks. Compared with the gateway's own time on one afternoon: between 4 s and 118 s \
off, camera 3 by an hour as well, because it stays in winter time.

So a picture is filed by the minute in which the gateway received it. What the camera has burnt into the \
corner is for people, and people are told so in [[harbour-time]].
"""
"""YAML reads its description up to the hash."""

MOORING = """\
---
name: mooring-table
description: Rope lengths in the mooring table are the yard's guesses of three winters ago
metadata:
  type: reference
  evidence: read
  as_of: {-412}
---

The table came with the contract. The yard says that a third of the lengths were guessed when the bollards \
of the east quay were moved. The levels it was checked against are those of [[tide_table_source]].

A measurement would need one tape, two people and a calm morning per quay; berths 9 to 12 first, because the \
solver gives them away to the longest vessels (see [[berth-plan-golden-files]]).
"""
"""Aged, and its link has `_` where the slug has `-`."""

NORTH_MOLE = """\
---
name: north_mole_offset
description: The gauge at the north mole reads 20 cm too high since its repair
metadata:
  type: project
  evidence: sourced
  as_of: {-9}
---

The harbour office wrote on {-9} that the gauge at the north mole reads 20 cm too high since it was \
repaired, and that it stays so until its crew has been out there. The correction is theirs to make, \
in the gauge.

Until then nothing of ours corrects it a second time: berthplan shows the level as it comes, with a mark. \
The neighbour, [[river-lock-floats]], is right.
"""
"""Its name is not its file's."""

TIDE_TABLE = """\
---
name: tide-table-source
description: The tide table comes from the hydrographic office; the provider's copy is a year old
metadata:
  type: reference
  evidence: sourced
  as_of: {-118}
---

The yearly table is the hydrographic office's, fetched by hand in the first week of December. What the \
provider of the levels calls a tide table is last year's, with this year's dates.

## Times

The table counts from midnight of the standard time, all year. See [[harbour-time.md]] before comparing.
"""

FLOATS = """\
---
name: river-lock-floats
description: The gauge at the river lock has two floats, and the lower one counts
metadata:
  type: reference
  evidence: measured
  as_of: {-75}
---

Both floats answer under the same address, the upper one first. It hangs in a pipe that silts up; in a week \
of readings it stood still for nine hours while the lower one moved by 31 cm.

Ask twice and keep the second answer. The offset of its neighbour is another matter: [[north-mole-offset]].
"""

GATES = """\
---
name: gate-network
description: The terminal's gates answer only on the office's network, and for one caller at a time
metadata:
  type: reference
  evidence: measured
  as_of: {-14}
---

From outside the office a gate does not refuse, it says nothing: the call ends after 30 s, which looks like \
a gate that is stuck. From inside it answers one caller at a time, and the second waits without being told.

A crewmate who works on gates therefore works over the jump host, and says so in the channel first. Whose \
key opens the cabinet is in [[terminal-key-cabinet]]; how the groups are called is in [[boarding-groups]].
"""
"""It links into the private scope, which nobody else can follow."""

BOARDING = """\
---
name: boarding-groups
description: Boarding groups are called by the ramp's operator, and our screen only repeats them
type: project
metadata:
  evidence: decided
  as_of: {-52}
---

The operator on the ramp calls a group; the screen shows what was called, never what comes next. It was the \
other way round for a month, and twice a group stood on a ramp that was still moving ([[ramp-angle]]).

So the screen has no timer and gets none. Whoever wants to tell passengers what comes next prints it on the \
ticket, see [[ticket-hall-printer]].
"""
"""Its type is at the top level."""

RAMP = """\
---
name: ramp-angle
description: The ramp's panel rounds its angle, the gate does not
metadata:
  type: reference
  evidence: measured
  as_of: {-20}
---

The sensor reports tenths of a degree, and minus one for “moving”. Below 2.0 the gate stays shut; the panel \
rounds, so 1.96 reads as 2.0 and the operator sees a gate that will not open for no reason.

Twenty calls in a month came from this alone. The number to ask for is the sensor's, not the panel's, and \
the panel is an hour behind in summer ([[harbour-time]]).
"""
"""No index points to it."""

PRINTER = """\
---
name: ticket-hall-printer
description: The ticket printer drops the last line of a job when its first roll runs out
metadata:
  type: feedback
  evidence: read
---

The maker's manual says that the printer changes to its second roll between jobs. The people behind the \
ticket hall say that it changes within one, and that the last line of that ticket is lost: the gate's code.

To confirm it: put in a roll of two metres, print three tickets, look at the third. Until then a ticket has \
the code on its first line as well, which is why [[boarding-groups]] could move there.
"""
"""Undated."""

DRAWER = """\
# This drawer

Notes about this project that the repository must not carry. The other machines of the workplace read them; \
what is true on one machine only is below `machines/`.
"""

CABINET = """\
---
name: terminal-key-cabinet
description: Who holds the key of the gates' cabinet, by the day of the week
metadata:
  type: reference
  evidence: sourced
  as_of: {-33}
---

From Monday to Thursday the shift leader on the third floor, from Friday on the harbour police. Nobody hands \
it out on the telephone, so go there. What to do with it is in [[gate-network]].
"""

PILOTS = """\
---
name: pilot-names
description: Which pilots do not want their names in a berth request
metadata:
  type: user
  evidence: decided
  as_of: {-90}
---

Three of the pilots in Łęgowo asked us to keep their names out of what we store. The list is in the secret \
store under `pilots/unnamed`; the importer drops the names before it writes anything.
"""

PERSONAL = """\
# Where I am

- On `gate-retries`, two tests red, both of them about the second caller.
- Next: the reply of the terminal about {+6}, then the ramp's panel.
"""
"""One machine's state; no note."""

NOTES = {
    "one-fact-one-note.md": ONE_FACT,
    "harbour-time.md": HARBOUR_TIME,
    "harbour/berth-plan-golden-files.md": GOLDEN_FILES,
    "harbour/customs-code-pages.md": CODE_PAGES,
    "harbour/quay-cameras.md": CAMERAS,
    "harbour/mooring-table.md": MOORING,
    "harbour/gauges/north-mole-offset.md": NORTH_MOLE,
    "harbour/gauges/tide-table-source.md": TIDE_TABLE,
    "harbour/gauges/river-lock-floats.md": FLOATS,
    "ferry/gate-network.md": GATES,
    "ferry/boarding-groups.md": BOARDING,
    "ferry/ramp-angle.md": RAMP,
    "ferry/ticket-hall-printer.md": PRINTER,
}
"""The memory's own notes, by path below the memory directory."""
INDEXES = {
    "MEMORY.md": ROUTER,
    "harbour/INDEX.md": HARBOUR,
    "harbour/gauges/INDEX.md": GAUGES,
    "ferry/INDEX.md": FERRY,
}
PRIVATE = {
    "private/README.md": DRAWER,
    "private/terminal-key-cabinet.md": CABINET,
    "private/pilot-names.md": PILOTS,
    "private/machines/mate/NOW.md": PERSONAL,
}
"""What the home's repository does not hold."""
