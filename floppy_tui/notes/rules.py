"""The rules of lint: what each says, how severe it is in each profile, why it is one, what repairs it.

A rule is a rule: no setting changes a severity. Source of rules and severities: the floppy convention, and
for auto-memory what its own loader does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from floppy_tui.notes.findings import Finding, Severity
from floppy_tui.notes.profiles import Profile

_ERROR, _WARNING, _INFO = Severity.ERROR, Severity.WARNING, Severity.INFO


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule."""

    name: str
    """Kebab-case."""
    severity: Severity
    """In the floppy profile."""
    words: str
    """What it finds, in one sentence."""
    why: str
    """What goes wrong where it is broken, in one sentence."""
    repair: str
    """What mends it, in one sentence."""
    auto: Severity | None = None
    """In auto-memory, where that is another."""
    floppy_only: bool = False
    """Whether auto-memory knows no such thing."""
    about: str = ""
    """What ``Finding.about`` holds, in words."""

    def severity_in(self, profile: Profile) -> Severity:
        """How severe it is in ``profile``."""
        return self.auto if self.auto is not None and profile is Profile.AUTO else self.severity


_ALL = (
    Rule(
        "no-front-matter",
        _ERROR,
        "A note opens without front matter between two --- lines.",
        "No reader can tell what it is about, how it is known or what it is called.",
        "Write the front matter, with name, description and metadata, at the top of the note.",
    ),
    Rule(
        "name-missing",
        _ERROR,
        "A note has no name.",
        "[[links]] resolve by the name.",
        "Set name to the file name without .md.",
        about="the file name without .md",
    ),
    Rule(
        "description-missing",
        _ERROR,
        "A note has no description.",
        "Sessions decide by the description whether to open a note.",
        "Say in one line what the note is about.",
    ),
    Rule(
        "type-missing",
        _ERROR,
        "A note has no type.",
        "Readers take notes by their type.",
        "Set metadata.type to user, feedback, project or reference.",
    ),
    Rule(
        "type-unknown",
        _ERROR,
        "A note's type is not one of user, feedback, project and reference.",
        "Readers pass over a type that they do not know.",
        "Set metadata.type to user, feedback, project or reference.",
        about="the type as it stands",
    ),
    Rule(
        "evidence-missing",
        _ERROR,
        "A note does not say what its claim rests on; auto-memory has no such field and only counts them.",
        "A guess that says nothing of itself is taken for a fact.",
        "Set metadata.evidence to measured, read, decided or sourced; read where nobody knows.",
        auto=_INFO,
    ),
    Rule(
        "evidence-unknown",
        _ERROR,
        "A note's evidence is not one of measured, read, decided and sourced.",
        "Readers cannot tell how far to trust it.",
        "Set metadata.evidence to measured, read, decided or sourced; read where nobody knows.",
        about="the evidence as it stands",
    ),
    Rule(
        "name-not-file-name",
        _ERROR,
        "A note's name is not its file name without .md; in auto-memory names are often titles, which is no"
        " error.",
        "A reader that looks for the file of a [[link]] does not find it.",
        "Set name to the file name, or rename the note.",
        auto=_INFO,
        about="the file name without .md",
    ),
    Rule(
        "slug-taken",
        _ERROR,
        "Two notes have the same name.",
        "A [[link]] leads to the first of them, and the other cannot be linked to.",
        "Rename one of the two, or merge them.",
        about="the name",
    ),
    Rule(
        "as-of-not-iso",
        _ERROR,
        "A note's as_of is not spelled YYYY-MM-DD.",
        "No reader can tell how old its evidence is.",
        "Spell the date YYYY-MM-DD and nothing after it.",
        about="as_of as it stands",
    ),
    Rule(
        "as-of-impossible",
        _ERROR,
        "A note's as_of is a day that is in no calendar.",
        "No reader can tell how old its evidence is.",
        "Take the date from the note's own evidence.",
        about="as_of as it stands",
    ),
    Rule(
        "as-of-in-future",
        _ERROR,
        "A note's as_of is more than one day ahead of today in UTC.",
        "Evidence from the future is a slip, and the note would look fresh for too long.",
        "Take the date from the note's own evidence, in UTC.",
        about="as_of as it stands",
    ),
    Rule(
        "too-deep",
        _ERROR,
        "A note or an index lies deeper than <half>/<group>/.",
        "A session opens three files at most before it reaches a note, so that nobody gets there.",
        "Move it up to a half or a group, with its pointer.",
    ),
    Rule(
        "pointer-dangling",
        _ERROR,
        "An index links to a file that is not there.",
        "A session spends a step on nothing, or the note was lost.",
        "Remove the pointer, or lead it to the note that was meant.",
        about="the path it leads to",
    ),
    Rule(
        "index-unlinked",
        _ERROR,
        "An index is not linked from the one directly above it.",
        "No session comes to it, nor to any note that only it points to.",
        "Add a pointer to it in the index above.",
        about="the index above",
    ),
    Rule(
        "index-parent-missing",
        _ERROR,
        "There is no index directly above an index.",
        "No session comes to it, nor to any note that only it points to.",
        "Create the index above, with a pointer to it.",
        about="the index above",
    ),
    Rule(
        "note-without-pointer",
        _ERROR,
        "No pointer to a note stands in the index of its own directory or in MEMORY.md.",
        "Nobody will find it.",
        "Add its pointer to the index of its directory.",
        about="the index that it belongs in",
    ),
    Rule(
        "index-over-cut",
        _ERROR,
        "MEMORY.md is longer than what the session loader reads.",
        "The loader drops the rest in silence, and every other check can pass while it does.",
        "Move pointers to the index of a half, or delete what went stale.",
    ),
    Rule(
        "pointer-line-too-long",
        _ERROR,
        "A pointer line has more characters than pointer_line_max (170 where no quota says otherwise).",
        "An index is read in every session: a hook is a reason to open the note, not the note.",
        "Shorten the words after the link.",
        floppy_only=True,
        about="the path it leads to",
    ),
    Rule(
        "quota-not-a-number",
        _ERROR,
        "A value of quota.lock, or a size or an age in .floppy/config, is not a number.",
        "The ceiling that it means to set is not there.",
        "Write the number in digits and nothing else.",
        floppy_only=True,
        about="the key",
    ),
    Rule(
        "note-over-quota",
        _ERROR,
        "A note has more characters than note_chars_max; one that grandfathered lists only warns.",
        "Who opens it pays for all of it.",
        "Split the note into single facts, or cut what went stale.",
        floppy_only=True,
        about="note_chars_max",
    ),
    Rule(
        "corpus-over-quota",
        _ERROR,
        "All notes together have more characters than chars_max.",
        "A memory that only grows is read by nobody.",
        "Delete what went stale, or raise the quota together with the notes that need it.",
        floppy_only=True,
        about="chars_max",
    ),
    Rule(
        "half-over-quota",
        _ERROR,
        "The notes of a half have more characters than its half_chars_max.",
        "One half takes the room of the others.",
        "Delete what went stale in it, or raise the quota together with the notes that need it.",
        floppy_only=True,
        about="the key, such as half_chars_max.yard",
    ),
    Rule(
        "pointers-over-quota",
        _ERROR,
        "An index has more pointers than pointers_max.",
        "An index that lists everything is no router.",
        "Split the index: move a group of its notes to an index of their own.",
        floppy_only=True,
        about="pointers_max",
    ),
    Rule(
        "link-into-foreign-scope",
        _ERROR,
        "Committed memory links into private/ or common/.",
        "Both are wired machine by machine: the link is dead for everybody who has not wired them.",
        "Say it in words; a session reaches these scopes without a link.",
        floppy_only=True,
        about="the slug or the target",
    ),
    Rule(
        "link-dangling",
        _ERROR,
        "A [[slug]] is neither the name nor the file name of any note.",
        "What it referred to was renamed, deleted or never written.",
        "Lead it to the note that was meant, or make it plain words.",
        about="the slug",
    ),
    Rule(
        "flat-type",
        _ERROR,
        "A note's type stands at the top level instead of below metadata:.",
        "The other readers of a floppy memory do not see it there.",
        "Move it below metadata:.",
        auto=_INFO,
        about="the type",
    ),
    Rule(
        "index-near-cut",
        _WARNING,
        "MEMORY.md is beyond 96% of what the session loader reads, or an index of a half beyond 96% of"
        " index_chars_max.",
        "The next pointers may be dropped in silence.",
        "Move pointers to the index of a half or a group, or delete what went stale.",
    ),
    Rule(
        "note-near-quota",
        _WARNING,
        "A note is beyond 96% of note_chars_max.",
        "The next sentence makes it an error.",
        "Split the note while it is a small act.",
        floppy_only=True,
        about="note_chars_max",
    ),
    Rule(
        "pointers-near-quota",
        _WARNING,
        "An index is beyond 96% of pointers_max.",
        "The next notes find no room for their pointers.",
        "Plan the split of the index.",
        floppy_only=True,
        about="pointers_max",
    ),
    Rule(
        "corpus-near-quota",
        _WARNING,
        "All notes together are beyond 96% of chars_max.",
        "The refusal falls on whoever writes next, who is seldom the one that filled it.",
        "Delete what went stale while it is a small act.",
        floppy_only=True,
        about="chars_max",
    ),
    Rule(
        "half-near-quota",
        _WARNING,
        "The notes of a half are beyond 96% of its half_chars_max.",
        "The refusal falls on whoever writes next.",
        "Delete what went stale in it while it is a small act.",
        floppy_only=True,
        about="the key, such as half_chars_max.yard",
    ),
    Rule(
        "quota-missing",
        _WARNING,
        "There is no quota.lock.",
        "Nothing bounds how large the memory becomes.",
        "Write one with numbers measured on this memory; another's numbers bound nothing here.",
        floppy_only=True,
    ),
    Rule(
        "note-aged",
        _WARNING,
        "A note's as_of is more than note_stale_days (180) days ago.",
        "Old is not wrong, but nobody has looked since.",
        "Check it: move the date, update the note, rewrite it in place, or delete it.",
        about="the days since",
    ),
    Rule(
        "notes-undated",
        _WARNING,
        "Some notes say nothing of when their claim was last true; they are counted, not named.",
        "Their age cannot be told.",
        "Add as_of when a note is next touched, from its own evidence.",
        auto=_INFO,
    ),
    Rule(
        "yaml-unreadable",
        _WARNING,
        "YAML cannot read a front matter that can be read line by line.",
        "Tools that take front matter as YAML see none of it.",
        "Put the value that YAML trips over into quotes.",
        about="the field, where it is one of those that are checked",
    ),
    Rule(
        "yaml-differs",
        _WARNING,
        "YAML reads a field of the front matter otherwise than it stands in its line.",
        "Two tools see two different notes.",
        "Put the value into quotes.",
        about="the field",
    ),
    Rule(
        "types-disagree",
        _WARNING,
        "A note has a type at the top level and another one below metadata:.",
        "Which one counts depends on the reader.",
        "Remove the one that is wrong.",
        about="the type at the top level",
    ),
    Rule(
        "pointer-repeated",
        _WARNING,
        "An index points to the same file twice.",
        "The second line takes room in every session and says nothing new.",
        "Keep the better one of the two lines.",
        about="the path it leads to",
    ),
    Rule(
        "pointer-not-a-note",
        _WARNING,
        "A pointer leads to no note: to a directory, another kind of file, an absolute path, or nowhere.",
        "It points at nothing that this memory holds.",
        "Lead it to a note of this memory, or make it plain words.",
        about="the target",
    ),
    Rule(
        "pointer-leaves-memory",
        _WARNING,
        "A pointer leads out of the memory directory.",
        "What stands there is not checked here, and may be elsewhere on another machine.",
        "Write down in a note what it is needed for.",
        about="the target",
    ),
    Rule(
        "pointer-not-literal",
        _WARNING,
        "A pointer is a link by Markdown's rules, but readers that look for ](path.md) do not find it.",
        "The other readers of a floppy memory take the note for one without a pointer.",
        "Spell the target as ](path.md), without escapes, angle brackets or a title.",
        about="the path it leads to",
    ),
    Rule(
        "file-unreadable",
        _ERROR,
        "A file of the memory could not be read.",
        "Nothing is known of what it holds.",
        "Mend its permissions or the link that leads to it.",
    ),
    Rule(
        "store-half-done",
        _ERROR,
        "The memory directory is ignored by git and is no link into the repository that stores it.",
        "Notes are written that nothing will ever publish.",
        "Wire the store: make the memory directory a link into its repository.",
        floppy_only=True,
    ),
    Rule(
        "store-outside-git",
        _ERROR,
        "The memory directory is in no git repository.",
        "Notes are written that nothing will ever publish.",
        "Move it into a repository, or make it a link into one.",
        floppy_only=True,
    ),
)

RULES: Mapping[str, Rule] = {rule.name: rule for rule in _ALL}
"""By name; errors about a note first, then about indexes, quotas and links, then the warnings."""


def found(
    profile: Profile,
    rule: str,
    path: str,
    line: int,
    message: str,
    *,
    about: str = "",
    severity: Severity | None = None,
) -> Finding:
    """A finding of ``rule``, as severe as it is in ``profile`` unless a ``severity`` is given."""
    return Finding(rule, severity or RULES[rule].severity_in(profile), path, line, message, about=about)


def quoted(text: str, most: int = 60) -> str:
    """``text`` in quotes for a message, shortened where it is long."""
    return f"'{text if len(text) <= most else text[: most - 1] + '…'}'"
