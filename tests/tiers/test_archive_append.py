"""What leaves memory is read back from the archive to the byte, whatever it is and wherever it is put."""

from __future__ import annotations

from datetime import date

import pytest
from archive_texts import DEPARTURES, PROSE, old_archives
from hypothesis import example, given
from hypothesis import strategies as st

from floppy_tui.text.lines import decode, encode
from floppy_tui.tiers.archive import read_archive
from floppy_tui.tiers.archive_append import append_pass, held, missing
from floppy_tui.tiers.archive_item import ArchivedItem, Departure, Quoted, as_quoted, quote
from floppy_tui.tiers.markers import Tier

TODAY = date(2026, 10, 1)
LAMP = Departure("learnings.md", Tier.PERISHABLE, date(2026, 6, 30), "unreinforced 39d", "The lamp burns.")
LAMP_LINE = (
    "- (from learnings.md, tier: perishable, reinforced: 2026-06-30) The lamp burns."
    " [archived: unreinforced 39d]\n"
)
PASS = f"## 2026-10-01 stow\n{LAMP_LINE}"


def leaving(prose: str, reason: str = "unreinforced 39d") -> Departure:
    return Departure("learnings.md", Tier.AGING, None, reason, prose)


def said(item: ArchivedItem) -> Quoted:
    assert item.known
    return Quoted(item.source, item.tier, item.reinforced, item.reason, item.prose)


@given(old_archives(), st.lists(DEPARTURES, min_size=1, max_size=3))
@example("```sh\nopen", [LAMP])
@example("```\ncut\n## 2026-08-08 stow\n- a\n```x\nopen", [LAMP])
@example("<!--\nopen", [LAMP])
@example("<!-- open", [leaving("closed -->\n-->")])
@example("## 2026-10-01 stow\n<!-- open", [leaving("closed -->\n-->")])
@example("- (from x.md, tier: aging) a\r\n  b", [LAMP])
@example("- a\n  b\r\n  c", [LAMP])
def test_what_is_appended_is_read_back(old: str, departures: list[Departure]) -> None:
    new = append_pass(old, departures, TODAY)
    assert new.startswith(old)
    before, after = read_archive(old), read_archive(new)
    added = after.items[len(before.items) :]
    assert [said(item) for item in added] == [as_quoted(departure) for departure in departures]
    assert {item.heading for item in added} == {"2026-10-01 stow"}
    assert {item.day for item in added} == {TODAY}
    assert not missing(old, new, departures, TODAY)
    # Closing a fence that was left open is the one thing that shows in what was there.
    kept = len(before.items) - bool(before.open_fence and not before.cut_fence)
    assert after.items[:kept] == before.items[:kept]


@given(st.lists(DEPARTURES, min_size=1, max_size=3), st.lists(DEPARTURES, min_size=1, max_size=3))
def test_a_second_pass_of_the_day_goes_under_the_same_heading(
    first: list[Departure], second: list[Departure]
) -> None:
    once = append_pass("", first, TODAY)
    twice = append_pass(once, second, TODAY)
    assert twice == append_pass("", [*first, *second], TODAY)
    assert [heading for heading, _ in read_archive(twice).passes] == ["2026-10-01 stow"]


@given(PROSE)
def test_quoted_prose_is_exact(prose: str) -> None:
    [item] = read_archive(quote(leaving(prose))).items
    assert item.prose == prose


def test_forms_of_a_quote() -> None:
    assert quote(LAMP) == LAMP_LINE
    head = "- (from learnings.md, tier: aging, reinforced: never) "
    assert quote(leaving("## Old port\n\nIt is 8080.\n  Still.")) == (
        f"{head}## Old port\n\n  It is 8080.\n    Still. [archived: unreinforced 39d]\n"
    )
    assert quote(leaving("Run:\n```sh\nmake\n```")) == (
        f"{head}Run:\n  ```sh\n  make\n  ```\n  [archived: unreinforced 39d]\n"
    )
    assert quote(leaving("Run:\n- so:\n\n  ~~~\n  make")) == (
        f"{head}Run:\n  - so:\n\n    ~~~\n    make\n  [archived: unreinforced 39d]\n"
    )
    assert quote(leaving("Run:\n```\nmake\n```\nThen rest.")).endswith(
        "\n  Then rest. [archived: unreinforced 39d]\n"
    )


@pytest.mark.parametrize(
    ("tier", "written"),
    [
        (Tier.PINNED, "pinned"),
        (Tier.AGING, "aging"),
        (Tier.PERISHABLE, "perishable"),
        (Tier.GRACE, "aging"),
        (Tier.UNMARKED, "aging"),
    ],
)
def test_tiers_as_written(tier: Tier, written: str) -> None:
    quoted = quote(Departure("captain.md", tier, None, "legacy-unvalidated", "A rumour."))
    assert quoted == (
        f"- (from captain.md, tier: {written}, reinforced: never) A rumour. [archived: legacy-unvalidated]\n"
    )


def test_a_reason_is_one_line_and_opens_no_other() -> None:
    assert quote(leaving("A.", " low\n utility:\t[archived: no] ")).endswith(
        " A. [archived: low utility: (archived: no]]\n"
    )


@pytest.mark.parametrize("source", ["a).md", "(a.md", "a\n.md", "a.md, tier: x"])
def test_a_source_that_cannot_be_read_back_is_refused(source: str) -> None:
    with pytest.raises(ValueError, match="cannot name a source"):
        append_pass("", [Departure(source, Tier.AGING, None, "r", "p")], TODAY)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", f"# Memory archive\n\n{PASS}"),
        ("\ufeff", f"\ufeff# Memory archive\n\n{PASS}"),
        ("# Memory archive\n", f"# Memory archive\n\n{PASS}"),
        ("# Memory archive\n\n", f"# Memory archive\n\n{PASS}"),
        ("## 2026-09-01 stow\n- a", f"## 2026-09-01 stow\n- a\n\n{PASS}"),
        ("## 2026-10-01 stow\n- a", f"## 2026-10-01 stow\n- a\n{LAMP_LINE}"),
        ("## 2026-10-01 stow ##\n", f"## 2026-10-01 stow ##\n{LAMP_LINE}"),
        ("## 2026-10-01 stow\n- a\n\n# Later\n", f"## 2026-10-01 stow\n- a\n\n# Later\n\n{PASS}"),
        ("## 2026-10-01 stow\n- a\n\n### Later\n", f"## 2026-10-01 stow\n- a\n\n### Later\n\n{PASS}"),
        ("## 2026-10-01 stow, by hand\n", f"## 2026-10-01 stow, by hand\n\n{PASS}"),
        ("# 2026-10-01 stow\n", f"# 2026-10-01 stow\n\n{PASS}"),
        ("```\n## 2026-10-01 stow\n```\n", f"```\n## 2026-10-01 stow\n```\n\n{PASS}"),
        ("~~~~x\nopen", f"~~~~x\nopen\n~~~~\n\n{PASS}"),
        ("## 2026-10-01 stow\n```\nopen\n", f"## 2026-10-01 stow\n```\nopen\n```\n{LAMP_LINE}"),
        ("<!--\nopen\n", f"<!--\nopen\n\n{PASS}"),
        ("a\r\nb", "a\r\nb\r\n\r\n" + PASS.replace("\n", "\r\n")),
        ("## 2026-10-01 stow\r\n", "## 2026-10-01 stow\r\n" + LAMP_LINE.replace("\n", "\r\n")),
    ],
)
def test_where_a_pass_goes(old: str, new: str) -> None:
    assert append_pass(old, [LAMP], TODAY) == new


def test_no_departure_no_change() -> None:
    assert append_pass("", [], TODAY) == ""
    assert append_pass("odd", [], TODAY) == "odd"


def test_bytes_that_are_no_text_stay() -> None:
    old = b"## 2026-09-01 stow\n- caf\xe9 \xff\n"
    prose = decode(b"na\xefve\n\xc3(")
    new = encode(append_pass(decode(old), [leaving(prose)], TODAY))
    assert new.startswith(old)
    assert encode(read_archive(decode(new)).items[-1].prose) == b"na\xefve\n\xc3("


def test_held_means_under_today_word_for_word() -> None:
    archive = append_pass("", [LAMP], TODAY)
    assert held(archive, LAMP, TODAY)
    assert not held(archive, LAMP, date(2026, 10, 2))
    assert not held(archive.replace("burns", "burned"), LAMP, TODAY)
    assert not held(archive.replace("39d", "40d"), LAMP, TODAY)
    assert not held(archive.replace("learnings.md", "captain.md"), LAMP, TODAY)
    assert not held(f"```\n{archive}```\n", LAMP, TODAY)


def test_what_left_twice_must_be_there_twice() -> None:
    once = append_pass("", [LAMP], TODAY)
    twice = append_pass(once, [LAMP], TODAY)
    assert missing("", once, [LAMP, LAMP], TODAY) == (LAMP,)
    assert missing("", twice, [LAMP, LAMP], TODAY) == ()
    assert missing(once, once, [LAMP], TODAY) == (LAMP,)
    assert missing(once, twice, [LAMP], TODAY) == ()
