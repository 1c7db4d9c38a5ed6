"""Sample notes in any number, invented, and the same for the same number and day."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from random import Random

from floppy_tui.demo.many_words import (
    AREAS,
    ASPECTS,
    DECIDED,
    DO,
    LINKS,
    MEASURED,
    READ,
    SOURCED,
    STORY,
    WHEN,
    WHO,
    WHY,
    WORDS,
    Area,
)
from floppy_tui.notes.note import Evidence, Kind

KNOWN = {
    Evidence.MEASURED: MEASURED,
    Evidence.READ: READ,
    Evidence.DECIDED: DECIDED,
    Evidence.SOURCED: SOURCED,
}
WEAKER = {Evidence.MEASURED: Evidence.READ, Evidence.SOURCED: Evidence.READ}
TWINS = {"harbour/cranes": 1, "ferry": 2, "office": 1, "fleet": 2}
"""How many notes of an area nearly repeat another one of it, where there are enough."""
IN_WINTER = "Seen again in winter, {n} times in {m} days, so it is not the season."
ENOUGH = 8
UNDATED = 9
"""Every ninth note has no date."""
AGED = 10
"""The note of each area, and of each 25 notes of it, that is older than any tree likes."""


@dataclass(frozen=True)
class Draft:
    """A note before it is spelled."""

    area: str
    slug: str
    title: str
    hook: str
    description: str
    kind: Kind
    evidence: Evidence
    as_of: date | None
    paragraphs: tuple[str, ...]
    links: str = ""
    """The paragraph of its links to other notes."""
    name: str = ""
    """Where its ``name`` is not its slug."""
    flat: bool = False
    """Whether its type stands at the top level."""
    others: tuple[str, ...] = field(default=())
    """The slugs that it links to."""

    @property
    def path(self) -> str:
        """Below the memory directory."""
        return f"{self.area}/{self.slug}.md" if self.area else f"{self.slug}.md"

    @property
    def pointer(self) -> str:
        """Its line in the index of its directory."""
        return f"- [{self.title}]({self.slug}.md) — {self.hook}"

    def text(self) -> str:
        """The note."""
        front = [f"name: {self.name or self.slug}", f"description: {self.description}"]
        front += [f"type: {self.kind}"] if self.flat else []
        front += ["metadata:"] + ([] if self.flat else [f"  type: {self.kind}"])
        front += [f"  evidence: {self.evidence}"]
        front += [f"  as_of: {self.as_of}"] if self.as_of else []
        body = "\n\n".join((*self.paragraphs, *([self.links] if self.links else [])))
        return "\n".join(("---", *front, "---", "", body, ""))


def drafts(today: date, count: int) -> list[Draft]:
    """Exactly ``count`` notes over all areas, area by area."""
    found: list[Draft] = []
    for area, share in zip(AREAS, _shares(count), strict=True):
        found += _area(area, share, today)
    return _linked(found)


def _shares(count: int) -> list[int]:
    """``count`` split by the shares of the areas, largest remainders first."""
    exact = [area.share * count for area in AREAS]
    parts = [share // 100 for share in exact]
    rest = sorted(range(len(AREAS)), key=lambda n: (-(exact[n] % 100), n))
    for n in rest[: count - sum(parts)]:
        parts[n] += 1
    return parts


def _area(area: Area, count: int, today: date) -> list[Draft]:
    chance = Random(f"notes {area.path}")
    twins = TWINS.get(area.path, 0) if count >= ENOUGH else 0
    found = [_draft(area, n, chance, today) for n in range(count - twins)]
    return found + [_twin(found[2 + 3 * n], chance, today) for n in range(twins)]


def _draft(area: Area, number: int, chance: Random, today: date) -> Draft:
    turn, which = divmod(number, len(area.things))
    thing = area.things[which]
    aspect = ASPECTS[(turn + 5 * which) % len(ASPECTS)]
    again = f" {turn // len(ASPECTS) + 1}" if turn >= len(ASPECTS) else ""
    slots = _Slots(chance, today)
    n, m = slots.n, slots.m
    fact = chance.choice(aspect.said)
    said = slots.fill(fact, thing=thing, n=n, m=m)
    evidence = chance.choice([Evidence.MEASURED, Evidence.MEASURED, *Evidence])
    days = chance.randrange(190, 420) if number % 25 == AGED else chance.randrange(2, 170)
    day = today - timedelta(days=days)
    story = [slots.fill(s) for s in chance.sample(STORY, chance.choice((2, 3, 4, 5, 6, 8)))]
    half = len(story) // 2 + 1
    paragraphs = [
        f"{said} {slots.fill(chance.choice(WHY))}",
        " ".join((slots.fill(chance.choice(KNOWN[evidence]), day=day), *story[:half])),
        "\n".join(f"- {slots.fill(do)}" for do in chance.sample(DO, chance.choice((2, 3, 4)))),
        " ".join(story[half:]),
    ]
    title = f"{thing[0].upper()}{thing[1:]}, {aspect.slug.replace('-', ' ')}{again}"
    return Draft(
        area.path,
        f"{thing}-{aspect.slug}{again}".replace(" ", "-"),
        title,
        slots.fill(chance.choice(aspect.hook), thing=thing, n=n, m=m),
        said.partition("; ")[0].partition(": ")[0].rstrip("."),
        chance.choice([Kind.PROJECT, Kind.REFERENCE, *Kind]),
        evidence,
        None if number % UNDATED == UNDATED - 1 else day,
        tuple(p for p in paragraphs if p),
    )


def _twin(draft: Draft, chance: Random, today: date) -> Draft:
    """Nearly the same once more, as another session wrote it: weaker, older, a sentence longer."""
    slots = _Slots(chance, today)
    first, *rest = draft.paragraphs
    return replace(
        draft,
        slug=f"{draft.slug}-in-winter",
        title=f"{draft.title}, in winter",
        description=f"{draft.description}, in winter",
        evidence=WEAKER.get(draft.evidence, draft.evidence),
        as_of=today - timedelta(days=171),
        paragraphs=(first, f"{rest[0]} {slots.fill(IN_WINTER)}", *rest[1:]),
    )


class _Slots:
    """The words and numbers that fill the places of a sentence."""

    def __init__(self, chance: Random, today: date) -> None:
        self._chance = chance
        self._today = today
        self.n = chance.randrange(12, 400)
        self.m = chance.randrange(3, 59)

    def fill(self, sentence: str, **given: object) -> str:
        """``sentence`` with every place filled; what opens it begins with a capital."""
        chance = self._chance
        places: dict[str, object] = {
            "n": chance.randrange(12, 400),
            "m": chance.randrange(3, 59),
            "who": chance.choice(WHO),
            "when": chance.choice(WHEN),
            "word": chance.choice(WORDS),
            "day": self._today - timedelta(days=chance.randrange(2, 170)),
        }
        said = sentence.format(**(places | given))
        return said[0].upper() + said[1:] if sentence.startswith("{") else said


def _linked(found: list[Draft]) -> list[Draft]:
    """The notes with links to others, mostly of their own half, in the forms that people use."""
    chance = Random("links")
    halves: dict[str, list[Draft]] = {}
    for draft in found:
        halves.setdefault(draft.area.partition("/")[0], []).append(draft)
    linked: list[Draft] = []
    for number, draft in enumerate(found):
        near = [d for d in halves[draft.area.partition("/")[0]] if d.slug != draft.slug]
        pool = near if number % 5 and near else [d for d in found if d.slug != draft.slug]
        if number % 6 == 5 or len(pool) < 2:
            linked.append(draft)
            continue
        others = tuple(d.slug for d in chance.sample(pool, 2))
        forms = list(_forms(others, pool, number))
        sentence = LINKS[number % len(LINKS)]
        said = sentence.format(a=forms[0], b=forms[1])
        linked.append(replace(draft, links=said, others=others[: 2 if "{b}" in sentence else 1]))
    return linked


def _forms(slugs: tuple[str, ...], pool: list[Draft], number: int) -> Iterator[str]:
    titles = {d.slug: d.title for d in pool}
    for n, slug in enumerate(slugs, number):
        match n % 4:
            case 1:
                yield f"[[{slug}|{titles[slug].partition(',')[0].lower()}]]"
            case 2:
                yield f"[[{slug}.md]]"
            case _:
                yield f"[[{slug}]]"
