"""When an entry is needed, as far as its own words say so, and what a skill made of it is called.

Nothing is invented: a trigger is a clause of the entry, or the label or heading that it stands under.
"""

from __future__ import annotations

import re
import unicodedata

from floppy_tui.offload.destinations import LONGEST, cut
from floppy_tui.text.visible import visible
from floppy_tui.tiers.document import Entry, Kind

MOST = 120
"""Characters of a trigger."""
_LOOKED_AT = 4000
"""Characters of an entry that are looked at: what it is for stands near its beginning."""
_WORDS = "when|whenever|if|before|after|while|during"
_CLAUSE = r"(?P<clause>(?:{0}) (?P<what>(?:[^.,;:!?()\n—–]|[.:](?=[^\s*_])){{3,400}}))"
_OPENING = re.compile(
    r"(?:^|[.!?;:]\s+|\n\s*)[*_“\"]*" + _CLAUSE.format(_WORDS + "|once(?! (?:a|an|per|every|in|again)\\b)"),
    re.IGNORECASE,
)
_NO_CONDITION = "even also as what since matter says say knows know asks ask check see tells tell soon long"
"""After one of these a condition's word does not say when the entry is needed."""
_INSIDE = re.compile(
    "".join(f"(?<!\\b{word} )" for word in _NO_CONDITION.split())
    + r"(?<![\w’'/.-])"
    + _CLAUSE.format(_WORDS),
    re.IGNORECASE,
)
_EMPTY = re.compile(
    r"(?:any|so|not|needed|necessary|possible|ever|all|that|this|it|now|then|[\W\d_]*|[0-9].*)", re.IGNORECASE
)
"""What follows a condition's word where it names no context: ``if so``, ``after 2026-08-01``."""
_POINTS_BACK = re.compile(
    r"(?:its?|they|their|this|that|these|those|he|she|his|her|the (?:first|second|other|former|latter))\b.*"
    r"|.*\b(?:it|them|one|this|that)",
    re.IGNORECASE | re.DOTALL,
)
"""A clause that only the words before it make clear: ``after its repair``, ``before you restart it``."""
_FOR = re.compile(r"[*_“\"]*(?P<clause>for (?P<what>[^.,;:!?()\n—–]{3,80}))[*_”\"]*[:,]", re.IGNORECASE)
_NOT_FOR = re.compile(
    r"(?:now|example|instance|that reason|this reason|the record|years|months|weeks|days)\b", re.IGNORECASE
)
_LABEL = re.compile(
    r"\*\*(?P<bold>[^*\n]{2,60}?):?\*\*|(?P<plain>[^\W\d_][\w.+/-]*(?: [\w.+/-]+){0,3}):(?=\s)"
)
_NAMES_NOTHING = """
    a all also and authority boundaries boundary captain caution common confirmed context ends
    everything example fact facts fixme for general hints home http https important instance it its
    learned learnings lesson lessons log memories memory misc miscellaneous my nb new not note notes now
    odds of old older on other our preference preferences reminder rule rules see shared still style tbd
    the these things this tip tips to todo unsorted various warning what working yet
"""
_GENERIC = frozenset(_NAMES_NOTHING.split())
"""Words that name no context by themselves."""
_SAYS_LITTLE = """
    about after an any are as at be been before but by can cannot could did do does doing done during each
    every from had has have if in into is just know least like made make makes more most must never no nothing
    off once one only or out over own per rather same shall should since so some such than that their them
    then there they time too under until up use used uses using very was we were when whenever where which
    while who will with without would you your always
"""
_STOP = _GENERIC | frozenset(_SAYS_LITTLE.split())


def trigger_of(entry: Entry) -> str:
    """The condition that the entry's own words name, on one line; ``""`` where they name none."""
    text = entry.prose[:_LOOKED_AT].split("\n```", 1)[0].split("\n~~~", 1)[0]
    if entry.kind is Kind.SECTION:
        own, _, text = text.partition("\n")
        heading = own.lstrip("#").strip()
        if found := _opening(heading) or _about((*entry.heading, heading)):
            return found
    masked = _matched(text)
    return (
        _opening(text, masked, only_lead=True)
        or _for(text)
        or _label(text)
        or _opening(text, masked)
        or _inside(text, masked)
        or _about(entry.heading)
    )


def description_of(trigger: str, entry: Entry) -> str:
    """A skill's description line, which states when it is read and, where it helps, what it is about.

    Empty where there is no trigger: a description is the whole of what makes a skill be read.
    """
    words = " ".join(trigger.split()).rstrip(" .")
    if not words:
        return ""
    if re.match(r"use\b", words, re.IGNORECASE):
        return f"{words}."
    conditional = re.match(rf"(?:{_WORDS}|once|for|in|on|at)\b", words, re.IGNORECASE)
    lead = f"Use {words[0].lower()}{words[1:]}" if conditional else f"Use when this comes up: {words}"
    topic = _topic(entry.heading)
    if topic and topic.casefold() not in words.casefold():
        lead += f" ({topic})"
    return f"{lead}."


def skill_name_of(entry: Entry) -> str:
    """A plain name for a new skill: some words of what the entry is about, in small ASCII letters."""
    about = f"{trigger_of(entry)} {entry.first_line[:200]} {_topic(entry.heading)}"
    words: list[str] = []
    for word in re.findall(r"[a-z][a-z0-9]+", _ascii(about)):
        if word not in _STOP and word not in words and len(word) > 2:
            words.append(word)
        if len(words) == 3:
            break
    name = "-".join(words)[: LONGEST - 8].strip("-")
    return name or f"memory-{entry.id[:6]}"


# -- clauses


def _opening(text: str, masked: str = "", *, only_lead: bool = False) -> str:
    """The first clause that opens a sentence with a condition (``only_lead``: the first sentence)."""
    masked = masked or text
    for match in _OPENING.finditer(masked):
        if only_lead and match.start():
            return ""
        if found := _said(match, text):
            return found
    return ""


def _inside(text: str, masked: str) -> str:
    """The first condition inside a sentence."""
    for match in _INSIDE.finditer(masked):
        if not _POINTS_BACK.fullmatch(match["what"].strip()) and (found := _said(match, text)):
            return found
    return ""


def _said(match: re.Match[str], text: str) -> str:
    if _EMPTY.fullmatch(match["what"].strip()):
        return ""
    return _trigger(text[match.start("clause") : match.end("clause")])


def _for(text: str) -> str:
    match = _FOR.match(text)
    return _trigger(match["clause"]) if match and not _NOT_FOR.match(match["what"]) else ""


def _label(text: str) -> str:
    match = _LABEL.match(text)
    return _about(((match["bold"] or match["plain"]),)) if match else ""


def _about(headings: tuple[str, ...]) -> str:
    topic = _topic(headings)
    return _trigger(f"when it is about {topic}") if topic else ""


def _topic(headings: tuple[str, ...]) -> str:
    """The innermost headings that name a context, at most two: ``berthplan, Scheduler``.

    The outermost of several is the file's title, as a rule, and names none.
    """
    headings = headings[1:] or headings
    named = [plain for heading in headings if (plain := _plain(heading)) and not _generic(plain)]
    return ", ".join(named[-2:])


def _generic(heading: str) -> bool:
    words = re.findall(r"[^\W\d_]+", heading.casefold())
    return (
        not words
        or any(word in ("learnings", "memory", "preferences") for word in words)
        or all(word in _GENERIC for word in words)
    )


def _trigger(words: str) -> str:
    plain = _plain(words)
    plain = plain[0].lower() + plain[1:] if plain[1:2].islower() else plain
    return cut(plain, MOST)


def _plain(words: str) -> str:
    """``words`` on one line without what is hidden, Markdown's emphasis and punctuation at the end."""
    shown = "".join(c for c in words if visible(c) == c or c.isspace())
    return re.sub(r"\*\*|__", "", " ".join(shown.split())).strip(' *_.:;,-“”"')


def _matched(text: str) -> str:
    """``text`` for matching, one character for one: code spans blanked, wrapped lines as one."""
    spanless = re.sub(r"`[^`\n]*`", lambda span: "x" * len(span[0]), text)
    return re.sub(r"\n(?=[ \t]*[^\W\d_])", " ", spanless)


def _ascii(words: str) -> str:
    folded = unicodedata.normalize("NFKD", words.casefold())
    return "".join(c for c in folded if not unicodedata.combining(c))
