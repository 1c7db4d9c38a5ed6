"""The sample archive: six passes, every documented reason, and what stood in the file before the scheme."""

from __future__ import annotations

ARCHIVE = """\
# Memory archive

The cold tier: what left memory, by pass. Append only; nothing here is loaded.

## Before the scheme

- the old rack's key hangs behind the door of the plotter room
- crane order numbers restart every year, so the year belongs in every search
- berthplan 0.x kept its plans as spreadsheets; the last of them are on the office's share
- [moved] seventeen notes on the ferry terminal went to the ferry project when it got a memory of its own

## {-70} stow
- (from learnings.md, tier: perishable, reinforced: {-79}) The lock at the basin is worked by hand until its \
motor is back, so ETBs at berths 9 to 12 slip by half an hour. [archived: unreinforced 9d]
- (from learnings.md, tier: aging, reinforced: {-104}) The map tiles come from the old tile server; the new \
one lacks the harbour's own depth layer. [archived: unreinforced 34d]
- (from learnings.md, tier: aging, reinforced: {-101}) A solver run over forty vessels takes four minutes on \
a pool slot. [archived: unreinforced 31d]
- (from learnings.md, tier: perishable, reinforced: {-83}) Leave the importer's debug log on until the \
missing voyage of berth 4 is explained (tracked: import-missing-voyage-r1). [archived: condition resolved: \
import-missing-voyage-r1 is done]
- (from learnings.md, tier: aging, reinforced: {-75}) Use `yarn` in gangway and `npm` everywhere else. \
[archived: superseded by the move of gangway to npm]

## {-51} stow
- (from learnings.md, tier: aging, reinforced: {-84}) The pilots' app signs in by SMS; the code never \
arrives on board, so a pilot signs in on the quay. [archived: unreinforced 33d]
- (from learnings.md, tier: aging, reinforced: {-82}) Restoring a dump needs twice its size on the disk. \
[archived: unreinforced 31d]
- (from learnings.md, tier: aging, reinforced: never) The simulator's wind comes from a fixed table of one \
January. [archived: legacy-unvalidated]
- (from learnings.md, tier: aging, reinforced: never) Container lists longer than 999 lines are cut by the \
old terminal; ask for them in two halves:
  first by bay, odd bays and even bays,
  then, if one half is still too long, by deck. [archived: legacy-unvalidated]
- (from learnings.md, tier: aging, reinforced: never) Somebody said that the radar feed has a test channel. \
[archived: legacy-unvalidated]
- (from learnings.md, tier: perishable, reinforced: {-60}) The office at Brännholmen tests the new plan view \
until {-53}; no release in the meantime. [archived: condition resolved: the test ended on {-53}]
- (from captain.md, tier: pinned, reinforced: never) Every pull request gets a screenshot. [archived: \
superseded by “screenshots only where something on the screen changed”]

## {-37} stow
- (from learnings.md, tier: aging, reinforced: {-68}) `npm ci` fails behind the office's proxy without \
`strict-ssl=false`. [archived: unreinforced 31d]
- (from learnings.md, tier: aging, reinforced: {-77}) The crane queue accepts an order twice if the first \
answer takes longer than 5 s; look for its number before sending it again. [archived: unreinforced 40d]
- (from learnings.md, tier: perishable, reinforced: {-45}) Berth 2 has no shore power. [archived: \
unreinforced 8d]
- (from learnings.md, tier: aging, reinforced: {-62}) The import of a day's manifests has to run in this \
order, or customs refuses the second file:

  ```sh
  import-manifests --only voyages
  import-manifests --only containers
  import-manifests --only seals
  ```
  [archived: budget oldest-first]
- (from learnings.md, tier: aging, reinforced: {-61}) Shift handover in the office is at 05:50, 13:50 and \
21:50; nobody reads a message then. [archived: budget oldest-first]
- (from learnings.md, tier: aging, reinforced: {-61}) A vessel without an AIS signal keeps its last position \
on the map, without a mark. [archived: budget oldest-first]
- (from learnings.md, tier: aging, reinforced: {-44}) The icon font has no anchor glyph; it is an inline \
SVG. [archived: low utility: one grep finds it]
- (from learnings.md, tier: aging, reinforced: {-52}) Draft surveys are entered in tonnes [metric], but the \
old export says `lt` (long tons) in its heading. [archived: superseded by [[draft-survey-units]] (see the \
import)]

## {-24} stow
- (from learnings.md, tier: perishable, reinforced: {-36}) The weather service answers with yesterday's wind \
between 00:00 and 00:20 UTC, until its release on {-27}. [archived: condition resolved: released on {-27}]
- (from learnings.md, tier: perishable, reinforced: {-33}) Crewmates leave `plan/export.py` alone while the \
customs export is being rewritten. [archived: unreinforced 9d]
- (from learnings.md, tier: aging, reinforced: {-55}) The tug company's calendar counts weeks from Sunday. \
[archived: unreinforced 31d]
- (from learnings.md, tier: aging, reinforced: never) Rope lengths in the mooring table are guesses. \
[archived: legacy-unvalidated]
- (from learnings.md, tier: aging, reinforced: never) ## Notes on the ferry ramp
  The ramp's sensor reports its angle in tenths of a degree, and minus one for “moving”.

  - Below 2.0 the gate stays shut.
  - The operator's panel rounds, so 1.96 reads as 2.0 and the gate is still shut. [archived: \
legacy-unvalidated]
- (from learnings.md, tier: aging, reinforced: {-30}) Two berths can have the same short name in different \
basins. [archived: superseded by 5b0c61d2e97f]

## {-15} stow
- (from learnings.md, tier: aging, reinforced: {-46}) The quay camera's clock runs in winter time all year. \
[archived: unreinforced 31d]
- (from learnings.md, tier: aging, reinforced: {-48}) `gangway` logs badge numbers; mask them before a log \
leaves the country. [archived: unreinforced 33d]
- (from learnings.md, tier: aging, reinforced: {-43}) The plotter prints A1 at 98 %, which matters for \
nobody but the dredging crew. [archived: low utility: the dredging crew has its own plotter now]
- (from learnings.md, tier: aging, reinforced: {-40}) Test data for customs has to use voyage numbers from \
9000 up, or the sandbox takes them for real ones. [archived: budget oldest-first]
- (from learnings.md, tier: aging, reinforced: {-39}) In Łęgowo the pilots’ names are part of the berth \
request; strip them before storing it. [archived: budget oldest-first]
- (from learnings.md, tier: perishable, reinforced: {-26}) The second crewmate keeps the long-running \
`solver-cache` branch; rebase on it, not on `main` (PR 412). [archived: condition resolved: PR 412 is merged]

## {-8} stow
- (from learnings.md, tier: perishable, reinforced: {-17}) The certificate of the test broker has run out; \
use the plain port. [archived: unreinforced 9d]
- (from learnings.md, tier: aging, reinforced: {-39}) Night builds start at 01:10, after the gauges' daily \
gap. [archived: unreinforced 31d]
- (from learnings.md, tier: aging, reinforced: {-38}) One invoice run can be repeated safely: its numbers \
come from the contract, not from a counter. [archived: unreinforced 30d]
- (from learnings.md, tier: aging, reinforced: {-36}) A berth plan that is adopted twice counts twice in the \
monthly statistics. [archived: superseded by the unique index on adopted plans]
- (from learnings.md, tier: aging, reinforced: {-37}) The replica is up to ninety seconds behind at the full \
hour. [archived: budget oldest-first]
"""
