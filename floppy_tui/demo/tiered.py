"""The clocked half of the sample memory: what a first mate learned at a small maker of harbour software.

Every kind of entry, marker and mistake that a stow pass has a card for is in it.
"""

from __future__ import annotations

LEARNINGS = """\
# Learnings
<!-- memory tiers: see the stow skill -->

What the fleet found out the hard way. One fact a bullet; a new one goes under its project, not at the end.

## Worktrees and crewmates

- Never restart the shared build daemon while a crewmate's run is active: it drops every open run, and the \
dropped ones look green afterwards. <!--P-->
- The worktree pool shares one repository, so a crewmate makes its task branch before its first edit. \
<!--a:{-4}-->
- A crewmate silent for twenty minutes is nearly always waiting at a prompt; read its last screen before you \
restart it. <!--a:{-12}/3-->
- Dependency bumps collide in `package-lock.json` first: one crewmate does them all, the others wait. \
<!--a:{-29}-->
- Pool slots 5 and 6 lie on the slow disk, where the map renderer's tests time out. <!--a:{-30}-->
- A task handed over half done says three things:
  - which branch holds the work, and whether it was pushed <!--a:{-9}-->
  - which test was red when the crewmate stopped, by its exact name <!--a:{-34}-->
  - what was tried and given up, so that nobody tries it again

## berthplan

### Scheduler

- The berth solver is deterministic only with `SOLVER_THREADS=1`; with more, equal plans come out in any \
order and the golden files differ. <!--a:{-6}-->
- Vessel length is in decimetres inside the solver and in metres at every border. The three worst bugs of \
our first year were all this. <!--P-->
- A berth closed for dredging must be given to the solver as occupied, not left out: left out, its \
neighbours lose their mooring clearance and the plan looks better than it is. <!--a:{-21}-->
- Never trust a quay sensor's clock; order readings by the time the gateway received them. <!--a:{-15}-->
- Re-planning during a shift keeps every vessel that is already fast, whatever the gain. The harbour office \
noticed within an hour the one time it did not, and it took until midnight to explain. What looked like a \
solver bug was a missing flag: the nightly job passes `--free-all`, because at night nothing is fast, and \
the shift planner had copied its command line. The flag is refused now unless the plan's window starts after \
the last departure. The check sits in `plan/window.py`, and its test is named after the vessel that had to \
move twice. If a captain of a harbour asks for a “clean” plan in the middle of a shift, the answer is a \
second plan beside the live one, marked as a draft, which the office can compare on the screen and then \
adopt berth by berth. Two offices work like this every day, and neither has asked for the old way back. \
<!--a:{-18}-->

### Map view

- The tide overlay is drawn in chart datum, the depth labels in mean sea level: 0.94 m apart at Brännholmen, \
nothing at the river berths. <!--a:{-24}-->
- Safari keeps the WebGL context of a hidden tab for minutes. Two map tabs are enough to lose the first one;
  the view has to listen for `webglcontextlost` and draw again from its own state, not from the server's.
  <!--a:{-19}-->
- Screenshots of the map for the release notes are made at 1440×900 with the `print` style. <!-- a:{-14} -->

## tidefeed

- Polling the tide gauges faster than every 40 s gets the account throttled for an hour, without an error: \
the last reading simply repeats. <!--a:{-2}-->
- The `/v2/levels` endpoint rounds to 5 cm until the provider's fix of {-6}. <!--p:{-13}-->
- Retries are off in production until the new contract of {+9}, because the provider counts them against us. \
<!--p:{-11}-->
- The gauge at the north mole reports 20 cm too high after its repair; the crew that recalibrates it is \
expected on {+5}. <!--p:{-2}-->
- Alerts for missing readings go to the mate only (tracked: tidefeed-alert-routing-r3). <!--p:{-8}-->
- The client stays at 3.x until tidefeed 4.2 is out: 4.0 dropped the hook that our retries hang on. \
<!--p:{-5}-->
- The staging key is the one of the old account. <!--p:{-16}-->
- Never trust a quay sensor's clock; order readings by the time the gateway received them. <!--a:{-27}-->

Level corrections are applied exactly once, in the reader. To see a raw reading, ask for it by name, or the \
correction is in it twice. <!--a:{-10}-->

```sh
tidefeed read north-mole --raw --last 3   # no correction, provider's own clock
tidefeed read north-mole --last 3         # what berthplan sees
```

## manifests and ports

- When manifests come from Łęgowo Wharf, they are in windows-1250 whatever their header says; `ż` in a \
vessel's name is how one notices. <!--a:{-25}-->
- In the Ostrów feed `ETA` means the pilot station and `ETB` the berth, 40 to 90 minutes apart. \
<!--a:{-20/}-->
- Θαλασσινή Αύρα and THALASSINI AVRA are one vessel, so match by IMO number, never by name. <!--a:{-8}-->
- Port d’Eaubrune sends its manifests twice when the first is late; the second has a new message number but \
the same voyage. Take the later one. <!--a:{-41}-->
- The customs sandbox forgets everything on Sunday night. <!--a:{-17} seen in import run 8812-->
- 🧊 `reefer` containers without a set temperature are an error for customs and a warning for us. \
<!--a:{-63}-->

## gangway

- Badge readers keep a permission for fifteen minutes, so a revoked badge still opens until then. The \
harbour police know and accept it. <!--a:{-11}-->
- The kiosk's browser is four years old: no optional chaining, no `:has()`. `make kiosk-check` catches both, \
the normal build neither. <!--a:{-26}-->
- Before you stop the database's job scheduler: it is what deletes the pictures of visitors after 72 hours, \
not the app. Without it they are kept too long, which has to be reported. <!--P-->
- A new reader pairs only from the tablet with the blue cover, within two metres. <!--a:{-52}-->
- The lift on quay 3 is a door to the model; what it calls floors are permissions. <!--a:{-13}-->
- The badge printer skips every second label with the new ribbon, until the supplier's visit on {-1}. \
<!--p:{-4}-->

## Postgres

- `readings` is partitioned by month. A missing partition refuses inserts from midnight UTC on the first, \
and only `tidefeed` says so, once, in a log line at level info. <!--a:{-14}-->
- Every migration begins with `set lock_timeout = '3s'`. Without it one forgotten `psql` of a crewmate holds \
up the import and everything behind it. <!--a:{-20}-->
- The pooler runs in transaction mode: no session `SET`, no `LISTEN`, no advisory lock across statements. \
<!--a:{-9}-->
- A query plan on a pool slot says little, the tables there hold a hundredth of the rows; ask for a plan \
from the replica. <!--a:{-23}-->

## Customers and support

- A “lost vessel” ticket is nearly always a filter left on in the map view. Ask for the address of the page: \
the filter is in it. <!--a:{-26}-->
- The office in Brännholmen reads release notes; all others read only the mail, so what they must do stands \
in the mail's first line. <!--a:{-5}-->
- Answers go out in the language of the ticket. The drafts folder holds phrases in Swedish, Polish and Greek \
that a native speaker has read; nothing else in these languages is sent unread. <!--a:{-17}-->
- Invoices run on the 3rd, so no price changes from the 1st to the 3rd of a month. <!--P-->
- The office at Ostrów closes at noon until {+12}, because of the flood gates. <!--p:{-3}-->

## Checks and releases

- `make verify` runs lint, types and unit tests; integration tests need `make verify-all`. <!--a:{-22}-->
- `make verify` runs lint, types and unit tests only; integration tests need `make verify-all` and a local \
Postgres. <!--a:{-7}-->
- Staging deploys go out at 06:30 and take nine minutes; the office is told by mail. <!--a:{-38}-->
- Staging deploys go out at 05:45 and take nine minutes, so that they end before the crane shift; the office \
is told by mail. <!--a:{-3}-->
- The release branch is cut on the first working day of a month. <!--a:{february-30}-->
- Flaky is a verdict, not a guess: three reds out of twenty runs on an unchanged commit, listed in \
`ci/flaky.toml` with the run numbers. <!--a:{-28}-->
- A green check on a draft means lint only; the suite starts when the draft is marked ready. <!--a:{-1}-->
- When the installer is signed: the hardware key is with the captain and its PIN with the harbour master, so \
ask both a day ahead. Three wrong tries lock the key, and a new one takes a week. <!--P-->
- A crewmate that edits `openapi.yaml` has to run `make clients`; CI compares the generated files and its \
message names the wrong one. <!--a:{+17}-->

### Restore drill <!--a:{-16}-->

The nightly dump restores in eleven minutes on a pool slot, as long as extensions come first:

1. `createdb drill` and `create extension postgis`
2. `pg_restore --jobs 4 --no-owner`
3. compare the row counts with `ops/counts.json` of the same night

## The fleet's own tools

- The secret store answers 404, not 403, for a secret that one may not read. <!--a:{-12}-->
- `quay-log` prints harbour time and does not say so; give it `--utc` before comparing with any other log. \
<!--a:{-27}-->
- The test mail server keeps 500 messages in all. A load test pushes out what another crewmate waits for, \
and the waiting test fails ten minutes later in a place of its own. <!--a:{-24}-->
- The preview of a branch is gone five days after its last push; link the recorded run in a ticket instead. \
<!--a:{-6}-->

## Moving the sensor gateway

The gateway moved from the old rack into the harbour office's cabinet over two evenings. The first try \
failed because the switch there talks itself down to 10 Mbit on its first six ports.

- Port 7 is the only one on the battery supply.
- Leases last 48 hours, so the sensors come back without help.
- Antenna cable B is the short one and does not reach with the door closed.

The second evening went well. Next time the unsent readings are pulled into a file first: they are lost as \
soon as the gateway has no power.

- Label both ends before unplugging anything.

## Odds and ends

- The crane simulator needs a seed above zero, or every lift takes the mean time.
- The captain's laptop resolves `*.quay.test` through its own hosts file.
- Timezone data in the base image is frozen at build time; rebuild it when a country changes its rules.
- The demo account of the ship-tracking service allows 100 requests a day, counted from noon.

## Older notes, not yet confirmed

- Excel files from the stevedores hide columns A to C; the import has to read them all the same. <!--g-->
- The pilots' app caches a schedule for six hours and shows no age. <!--g-->
- If the queue of crane orders stops, look at the clock of the order printer first:
  it refuses jobs that are dated more than two minutes ahead, and keeps the reason to itself. <!--g-->
- Tug bookings need the draught at the stern, not the mean. <!--g-->
"""
"""About 11 kB; together with the captain's two files it is a sixth over ``ALLOWED``."""

ALLOWED = b"3500\n"
"""``config/startup-memory-budget``."""
